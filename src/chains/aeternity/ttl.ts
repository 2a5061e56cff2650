/** When a signed transaction expires. Loaded for those that no node knows. */
import { decodeRlp } from 'ethers/utils';
import { decode64 } from './encoding.ts';

/** `Spend.ttl` in the output of `signSpend`. */
export function ttlOf(raw: string): number {
  const [, , , body] = decodeRlp(decode64(raw)) as string[];
  return Number(decodeRlp(body!)[6]);
}
