/** Whose key it is that signs. */
import type { PrivateKey } from '../terms.ts';
import { hexOf } from '../../base/bytes.ts';
import { invalid } from '../requests/payloads.ts';

/** How a chain derives an address from a key. */
export interface Ownership {
  addressOf(key: PrivateKey): string | Promise<string>;
  /** Any that the chain loads anyway. */
  digest(bytes: Uint8Array): Uint8Array | string;
}

/**
 * Addresses that were derived before: deriving one costs as much as a signature. `tag` is a salted digest of the key, which tells nobody
 * the key, and no longer fits once its bytes are overwritten.
 */
const derived = new WeakMap<PrivateKey, { tag: string; address: string }>();
const salt = crypto.getRandomValues(new Uint8Array(32));

export async function addressOfKey(key: PrivateKey, { addressOf, digest }: Ownership): Promise<string> {
  const salted = new Uint8Array(salt.length + key.length);
  salted.set(salt);
  salted.set(key, salt.length);
  const saltedDigest = digest(salted);
  salted.fill(0);
  const tag = typeof saltedDigest === 'string' ? saltedDigest : hexOf(saltedDigest);
  const entry = derived.get(key);
  if (entry?.tag === tag) return entry.address;
  const address = await addressOf(key);
  derived.set(key, { tag, address });
  return address;
}

/** Throws `request.invalid` at `key` unless it is the key of `from`. */
export async function checkOwner(key: PrivateKey, from: string, how: Ownership): Promise<void> {
  const own = await addressOfKey(key, how);
  // Hex addresses are the same in any case.
  if (own !== from && !(from.startsWith('0x') && own.toLowerCase() === from.toLowerCase()))
    throw invalid('key', `belongs to ${own}, but the draft is from ${from}`);
}

/** Throws `request.invalid` at `from` if it is not an address of the chain. */
export function checkFrom(from: unknown, readAddress: (value: unknown) => string): void {
  try {
    readAddress(from);
  } catch (error) {
    throw invalid('from', (error as Error).message);
  }
}
