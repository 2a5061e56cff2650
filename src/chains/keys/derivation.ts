/** Keys from a seed. What only creating a wallet needs is loaded when it happens. */
import type { PrivateKey } from '../chain.ts';

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
