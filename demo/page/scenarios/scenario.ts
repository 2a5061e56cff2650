/** What a scenario is. A payload is what the payload editor shows and the page runs. */
import type { SecretType } from '../../../src/chains/secret-type.ts';
import type { ChainSettings } from '../settings.ts';

/** `action` says what is asked; the rest are its fields. A missing `walletId` becomes the chosen wallet's. */
export interface Payload {
  action: string;
  [field: string]: unknown;
}

/** What is known of the scenario's chain here, and of the chosen wallet. */
export interface Context extends ChainSettings {
  /** Number of the ticket that the faucet gave last; undefined before. */
  ticket: string | undefined;
  /** Undefined while there is no wallet. */
  address?: string | undefined;
}

export interface Scenario {
  id: string;
  title: string;
  /** What to do and what must happen. */
  hint: string;
  payload: (context: Context) => Payload;
  /** Whose wallets it is for; the person's when absent. */
  holder?: 'shop';
  /** Takes the node off the network before it runs. */
  nodeDown?: boolean;
  /** Code of the error that it must end with. */
  fails?: string;
}

export interface Group {
  title: string;
  scenarios: Scenario[];
}

/** What a chain brings along; linking, managing and most reads are the same for all (`index.ts`). */
export interface ChainScenarios {
  secretType: SecretType;
  /** What the button says for each thing that the faucet gives. */
  faucet: Record<string, string>;
  transfer: Scenario[];
  transaction: Scenario[];
  sign: Scenario[];
  read: Scenario[];
  badInput: Scenario[];
}

/** UTF-8 as `0x` hex. */
export function hex(text: string): string {
  return `0x${[...new TextEncoder().encode(text)].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
