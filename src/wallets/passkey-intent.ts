/**
 * What a passkey is asked to approve, as one text, whose SHA-256 is the challenge that the authenticator
 * signs. Canonical: the same consent always gives the same text, and different consents never do.
 * `test/unit/wallets/passkey-intent.test.ts` has vectors.
 */
import { canonical } from '../base/canonical.ts';
import { hexOf } from '../base/bytes.ts';

export interface Intent {
  /** `open`: something the user started in the wallet's own settings and lists, not requested by a site. */
  action: 'send' | 'sign' | 'export' | 'open';
  /** The wallet that it is about; empty for the whole vault. */
  walletId: string;
  /** Whose request it is: the site, or the wallet's own origin. */
  origin: string;
  /** The chain and its network, as `chainOf` names them; empty for the whole vault. */
  chain: string;
  requestId: string;
  /** The frozen draft, or the request to sign. */
  content: unknown;
}

/** Nothing else that is hashed or signed here begins like this. A changed encoding gets a new number. */
const DOMAIN = 'carabiner.passkey.v1\n';
/** A request may be 32 levels deep; a draft holds it a few levels down. */
const DEPTH = 64;

export function encodeIntent({ action, walletId, origin, chain, requestId, content }: Intent): string {
  return DOMAIN + canonical([action, walletId, origin, chain, requestId, content], DEPTH, bytesOf);
}

/** Bytes as unquoted digits, which no text in a request looks like. */
function bytesOf(value: object): string {
  if (value instanceof Uint8Array) return hexOf(value);
  throw new TypeError('Only plain data and bytes can be approved.');
}

export async function challengeOf(intent: Intent): Promise<Uint8Array<ArrayBuffer>> {
  const text = new TextEncoder().encode(encodeIntent(intent));
  return new Uint8Array(await crypto.subtle.digest('SHA-256', text));
}

/** The chain of an intent: what a draft or a signature is for. */
export function chainOf(network: { secretType: string; id: string; chainId?: number | undefined }): string {
  return [network.secretType, network.id, network.chainId ?? ''].join(' ');
}
