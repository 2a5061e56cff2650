import { SigningKey } from 'ethers/crypto';
import { computeAddress } from 'ethers/transaction';
import type { PrivateKey } from '../chain.ts';

export function address(key: PrivateKey): string {
  return computeAddress(new SigningKey(key));
}
