/** Keys from a seed. Loaded when a wallet is made. */
import { HDKey } from '@scure/bip32';
import type { PrivateKey } from '../terms.ts';

export { readIndex } from './path-index.ts';

/** The key at a BIP-32 path of a BIP-39 seed. */
export function deriveSecp256k1(seed: Uint8Array, path: string): PrivateKey {
  const root = HDKey.fromMasterSeed(seed);
  const account = root.derive(path);
  root.wipePrivateData();
  // BIP-32 leaves a chance of 2^-127 that an index has no key.
  if (!account.privateKey) throw new Error(`No key at ${path}.`);
  const key = account.privateKey.slice();
  account.wipePrivateData();
  return key;
}
