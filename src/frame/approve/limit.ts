/** Replaces an unlimited allowance with a limited one. */
import type { Amount, ParsedRequest } from '../../chains/chain.ts';
import type { Summary } from '../../chains/approval/summary.ts';
import type { Order } from './order.ts';

/** The wallet's balance of the token for which a site wants an allowance, if the request can be limited to it. */
export async function limitOf(
  { chain, node, source }: Order,
  { amount, from }: Summary,
): Promise<Amount | undefined> {
  const { token: address, symbol } = amount;
  if (address === undefined || !(await source.limit?.(amount.raw))) return undefined;
  // Only the raw balance is used: for an unlisted token nobody we trust knows the decimals.
  const token = { address, symbol, name: '', decimals: amount.decimals ?? 0, logo: '' };
  const [balance] = await chain.tokenBalances(from, [token], node).catch(() => []);
  return balance && { ...amount, raw: BigInt(balance.rawBalance) };
}

/**
 * The same request with its last argument changed from `from` to `to`. Undefined if the last argument is not `from`: then it is not the
 * allowance, and must not be changed.
 */
export function limited(request: ParsedRequest, from: bigint, to: bigint): ParsedRequest | undefined {
  const { data, inputs } = request;
  const word = (value: bigint): string => value.toString(16).padStart(64, '0');
  if (typeof data === 'string')
    return data.toLowerCase().endsWith(word(from))
      ? { ...request, data: data.slice(0, -64) + word(to) }
      : undefined;
  const last: unknown = Array.isArray(inputs) ? inputs.at(-1) : undefined;
  if (!Array.isArray(inputs) || typeof last !== 'object' || last === null) return undefined;
  const { value } = last as { value?: unknown };
  if (!isInteger(value) || BigInt(value) !== from) return undefined;
  return { ...request, inputs: [...inputs.slice(0, -1), { ...last, value: String(to) }] };
}

function isInteger(value: unknown): value is string | number | bigint {
  return (
    typeof value === 'bigint' ||
    Number.isInteger(value) ||
    (typeof value === 'string' && /^(0x[0-9a-f]+|\d+)$/i.test(value))
  );
}
