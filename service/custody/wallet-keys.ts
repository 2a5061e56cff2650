/** Encryption of wallets' private keys: each under a random data key of its own, and that under the key of a PIN. */
import { randomBytes } from 'node:crypto';
import type { Chain } from '../../src/chains/chain.ts';
import type { NetworkKind } from '../../src/chains/network.ts';
import type { WalletRow } from '../database/schema.ts';
import { seal, unseal } from '../keys/sealing.ts';
import { decryptFailed, encryptFailed } from './wallet-errors.ts';

type KeyedWallet = Pick<WalletRow, 'id' | 'secret_type' | 'address'>;

/** Overwrites the PIN's key. */
export function openDataKey(walletId: string, sealed: Buffer, pinKey: Buffer): Buffer {
  const opened = unseal(pinKey, dataKeyLabel(walletId), sealed);
  pinKey.fill(0);
  if (!opened) throw decryptFailed();
  return opened;
}

/** Overwrites the data key, and the wallet's key after the work. */
export async function handKey<T>(
  { wallet, privateKey }: { wallet: KeyedWallet; privateKey: Buffer },
  dataKey: Buffer,
  work: (key: Uint8Array) => T | Promise<T>,
): Promise<T> {
  const key = unseal(dataKey, keyLabel(wallet), privateKey);
  dataKey.fill(0);
  if (!key) throw decryptFailed();
  try {
    return await work(key);
  } finally {
    key.fill(0);
  }
}

export function sealDataKey(walletId: string, dataKey: Buffer, pinKey: Buffer): Buffer {
  return seal(pinKey, dataKeyLabel(walletId), dataKey);
}

function dataKeyLabel(walletId: string): string {
  return `data key of ${walletId}`;
}

/** Binds the data to address and chain: a row in which either was changed does not open. */
function keyLabel({ id, secret_type, address }: KeyedWallet): string {
  return `private key of ${id}, ${secret_type} ${address}`;
}

/** Encrypts a private key: the given one, else a random one. Overwrites the PIN's key. */
export async function sealedKey(
  pinKey: Buffer,
  { id, chain, kind, given }: { id: string; chain: Chain; kind: NetworkKind; given: Uint8Array | undefined },
): Promise<{ address: string; data_key: Buffer; private_key: Buffer }> {
  const key = given ? Buffer.from(given) : randomBytes(32);
  const dataKey = randomBytes(32);
  try {
    const address = await chain.address(key, kind);
    return {
      address,
      data_key: sealDataKey(id, dataKey, pinKey),
      private_key: seal(dataKey, keyLabel({ id, secret_type: chain.secretType, address }), key),
    };
  } catch (error) {
    throw encryptFailed(error);
  } finally {
    for (const secret of [key, dataKey, pinKey]) secret.fill(0);
  }
}
