/** Replaces an unlimited allowance with a limited one. */
import type { ParsedRequest } from '../../chains/terms.ts';
import type { Amount } from '../../chains/coin.ts';
import type { Part, Summary } from '../../chains/approval/summary.ts';
import type { LimitOffer } from './drawing/limit-field.ts';
import { tokensOf } from './drawing/summary.ts';
import type { Approval } from './approval.ts';

/** For the largest allowance of a site's request, if the request can be limited. */
export async function limitOf(
  { chain, node, source, ahead }: Approval,
  summary: Summary,
): Promise<LimitOffer | undefined> {
  const parts: readonly Part[] = summary.parts ?? [summary];
  const allowances = parts.filter(({ kind, amount }) => kind === 'approval' && amount.raw > 0n);
  const largest = allowances.sort((a, b) => (a.amount.raw < b.amount.raw ? 1 : -1))[0];
  if (!largest?.amount.token) return undefined;
  const { amount } = largest;
  const { token: address = '', symbol, raw: allowed } = amount;
  const clause = summary.parts?.indexOf(largest);
  if (!(await source.limit?.({ allowed, clause }))) return undefined;
  // Only the raw balance is used: for an unlisted token nobody we trust knows the decimals.
  const token = { address, symbol, name: '', decimals: amount.decimals ?? 0, logo: '' };
  const [balance] = await chain.tokenBalances(summary.from, [token], node).catch(() => []);
  if (!balance) return undefined;
  const need =
    movedOf(summary, address) || (await ahead?.())?.reduce((sum, one) => sum + takenBy(one, address), 0n);
  return { allowed, clause, held: { ...amount, raw: BigInt(balance.rawBalance) }, need: need || undefined };
}

/** As simulated. */
function movedOf({ changes = [] }: Summary, token: string): bigint {
  return changes
    .filter(({ direction, amount }) => direction === 'out' && isOf(amount, token))
    .reduce((sum, { amount }) => sum + amount.raw, 0n);
}

/** Before the allowance nothing of it can be simulated: then as its call says. */
function takenBy(summary: Summary, token: string): bigint {
  const amounts = tokensOf(summary).filter((amount) => isOf(amount, token));
  return movedOf(summary, token) || amounts.reduce((sum, { raw }) => sum + raw, 0n);
}

function isOf(amount: Amount, token: string): boolean {
  return amount.token?.toLowerCase() === token.toLowerCase();
}

/**
 * The same request with its last argument changed from `from` to `to`, or that of one of its clauses. Undefined if the last argument is
 * not `from`: then it is not the allowance, and must not be changed.
 */
export function limited(
  request: ParsedRequest,
  { allowed: from, clause: at = 0 }: Pick<LimitOffer, 'allowed' | 'clause'>,
  to: bigint,
): ParsedRequest | undefined {
  const { data, inputs, clauses } = request;
  if (typeof data === 'string') {
    const next = limitedData(data, from, to);
    return next === undefined ? undefined : { ...request, data: next };
  }
  if (Array.isArray(clauses)) {
    const clause = clauses[at] as { data?: unknown } | undefined;
    const next = typeof clause?.data === 'string' ? limitedData(clause.data, from, to) : undefined;
    return next === undefined
      ? undefined
      : { ...request, clauses: clauses.with(at, { ...clause, data: next }) };
  }
  const last: unknown = Array.isArray(inputs) ? inputs.at(-1) : undefined;
  if (!Array.isArray(inputs) || typeof last !== 'object' || last === null) return undefined;
  const { value } = last as { value?: unknown };
  if (!isInteger(value) || BigInt(value) !== from) return undefined;
  return { ...request, inputs: [...inputs.slice(0, -1), { ...last, value: String(to) }] };
}

function limitedData(data: string, from: bigint, to: bigint): string | undefined {
  const word = (value: bigint): string => value.toString(16).padStart(64, '0');
  return data.toLowerCase().endsWith(word(from)) ? data.slice(0, -64) + word(to) : undefined;
}

function isInteger(value: unknown): value is string | number | bigint {
  return (
    typeof value === 'bigint' ||
    Number.isInteger(value) ||
    (typeof value === 'string' && /^(0x[0-9a-f]+|\d+)$/i.test(value))
  );
}
