/** Keys as wallets of Ethereum, GoChain and VeChain write them. Loaded when one is imported. */
import type { PrivateKey } from '../chain.ts';
import { readHexKey } from '../keys/hex-key.ts';
import { KeyInvalidError } from '../keys/key-error.ts';

/** 64 hex digits, with or without 0x, or a JSON keystore (version 3) with its password. */
export async function importKey(text: string, password?: string): Promise<PrivateKey> {
  const trimmed = text.trim();
  if (trimmed.startsWith('{')) {
    const { openKeystore } = await import('./keystore.ts');
    return openKeystore(trimmed, password);
  }
  if (!/^[0-9a-fA-F]*$/.test(trimmed.replace(/^0x/i, '')))
    throw new KeyInvalidError('form', 'must be 64 hex digits, or the text of a keystore file');
  return readHexKey(trimmed);
}
