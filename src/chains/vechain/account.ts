import type { PrivateKey } from '../terms.ts';
import { addressOf } from '../contracts/evm-address.ts';
import { publicKey } from '../keys/secp256k1.ts';

export function address(key: PrivateKey): string {
  return addressOf(publicKey(key, 'uncompressed'));
}
