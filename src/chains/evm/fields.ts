/** Fields that only payloads of EVM chains have. */
import * as z from 'zod/mini';
import { parseSmallest } from '../amount.ts';
import { type AmountLike, field, optional, readSmallest, readText } from '../requests/fields.ts';
import { nodeUrl } from '../nodes/networks.ts';

/** Wei; `least` is what the network takes. */
export function readGasPrice(value: unknown, least: bigint): bigint {
  const price = readSmallest(value);
  if (price === 0n) throw new Error('must be greater than 0 wei; leave it out for the current price');
  if (price < least) throw new Error(`must be at least ${least} wei; leave it out for the current price`);
  return price;
}

export function readGas(value: unknown): bigint {
  const gas = parseSmallest(value);
  if (gas > 0n && gas < 21_000n) throw new Error('must be at least 21000, or 0 to have it computed');
  if (gas > 2n ** 53n) throw new Error('is more gas than any block holds');
  return gas;
}

export function readNonce(value: unknown): number {
  const nonce = parseSmallest(value);
  if (nonce > BigInt(Number.MAX_SAFE_INTEGER)) throw new Error('is too large for a nonce');
  return Number(nonce);
}

export function readTokenId(value: unknown): string {
  if (value === '') throw new Error('is required');
  if (typeof value === 'number' && !Number.isSafeInteger(value))
    throw new Error('is not exact as a JavaScript number; pass it as a decimal string');
  return readSmallest(value).toString();
}

/** Spec 4.3.1 `network`. */
export const NetworkField = z.optional(
  z.nullable(
    z.strictObject({
      name: field(readText(64)),
      nodeUrl: field((value) => {
        const text = readText(2048)(value);
        try {
          return nodeUrl(text).href;
        } catch (error) {
          const issue = (error as { issues?: { message: string }[] }).issues?.[0];
          throw new Error(issue?.message ?? 'must be a URL', { cause: error });
        }
      }),
      chainId: optional<number, AmountLike>((value) => {
        const id = parseSmallest(value);
        if (id === 0n || id > BigInt(Number.MAX_SAFE_INTEGER))
          throw new Error('must be a chain id: 1 or more');
        return Number(id);
      }),
    }),
  ),
);
