/** Published message vectors of standards and other wallets, by kind. */
import messages from '../../../vectors/messages.vectors.json';

export interface Published {
  kind: string;
  message?: string;
  messageHex?: string;
  privateKey?: string;
  secretKey?: string;
  address?: string;
  hash?: string;
  messageHash?: string;
  toSpend?: string;
  signature?: string;
  signatures?: string[];
  certificate?: {
    purpose: 'identification' | 'agreement';
    payload: { type: string; content: string };
    domain: string;
    timestamp: number;
    signer: string;
  };
}

export function published(kind: string): Published[] {
  return (messages.vectors as Published[]).filter((vector) => vector.kind === kind);
}
