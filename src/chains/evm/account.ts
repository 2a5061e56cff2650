import { keccak256, SigningKey } from 'ethers/crypto';
import { computeAddress } from 'ethers/transaction';
import type { PrivateKey } from '../terms.ts';
import type { Ownership } from '../approval/owner.ts';

export function address(key: PrivateKey): string {
  return computeAddress(new SigningKey(key));
}

export const OWNERSHIP: Ownership = { addressOf: address, digest: keccak256 };
