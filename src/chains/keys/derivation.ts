/** Keys from a seed. What only creating a wallet needs is loaded when it happens. */
import type { PrivateKey } from '../chain.ts';
import { invalid } from '../requests/payloads.ts';

/** Throws `request.invalid` at `index` for what no path of BIP-32 can have: 2^31 and above would mean a hardened key. */
export function readIndex(index: number): number {
  if (Number.isInteger(index) && index >= 0 && index < 2 ** 31) return index;
  throw invalid('index', 'must be a whole number from 0 to 2147483647');
}

/** The key at a BIP-32 path of a BIP-39 seed. */
export async function deriveSecp256k1(seed: Uint8Array, path: string): Promise<PrivateKey> {
  const { HDKey } = await import('@scure/bip32');
  const root = HDKey.fromMasterSeed(seed);
  const account = root.derive(path);
  root.wipePrivateData();
  // BIP-32 leaves a chance of 2^-127 that an index has no key.
  if (!account.privateKey) throw new Error(`No key at ${path}.`);
  const key = account.privateKey.slice();
  account.wipePrivateData();
  return key;
}
