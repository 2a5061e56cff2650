/** What a router may take from a wallet, and the missing approvals. */
import { formatAmount } from '../base/amount.ts';
import { decode, encodeCall } from '../chains/contracts/abi.ts';
import { ConnectError } from '../base/errors.ts';
import type { Caller, Outcome, Step } from './caller.ts';
import type { Asset, Exchange } from './exchange.ts';
import { swapError } from './failures.ts';

export interface Allowance {
  allowed: bigint;
  balance: bigint;
  /** Whether the token accepts a new allowance now; some require 0 first (USDT). */
  direct: boolean;
}

/** The contract that takes a token, and whose it is. */
export type Spender = Pick<Exchange, 'name' | 'router'>;

/** Takes one round trip. Throws `swap.<dex>.allowance-error`. */
export async function readAllowance(
  caller: Caller,
  token: Asset,
  owner: string,
  { name, router }: Spender,
  needed: bigint,
): Promise<Allowance> {
  const [[allowed, balance], tried] = await Promise.all([
    caller.read([
      { to: token.address, data: allowanceCall(owner, router) },
      { to: token.address, data: balanceCall(owner) },
    ]),
    caller.attempt(owner, approval(token, router, needed)),
  ]);
  const [may, has] = [uint(allowed), uint(balance)];
  if (may === undefined || has === undefined)
    throw swapError(name, 'allowance-error', `Could not read ${name}’s spending limit for ${token.symbol}.`);
  const direct = isAccepted(tried);
  if (may < needed && may === 0n && !direct)
    throw swapError(name, 'allowance-error', `${token.symbol} refuses a spending limit for ${name}.`, {
      reason: 'failed' in tried ? tried.failed : 'the token contract answers false',
    });
  return { allowed: may, balance: has, direct };
}

/** The calls that are missing, in order; none if enough is allowed. Throws `transaction.insufficient-funds` below `least` of the token. */
export function approvals(
  allowance: Allowance,
  token: Asset,
  spender: Spender,
  needed: bigint,
  least: bigint,
): Step[] {
  requireBalance(allowance, token, least);
  return allowance.allowed >= needed ? [] : stepsTo(needed, allowance, token, spender);
}

/** The same, after which nothing is left to the spender once it has taken what is needed. */
export function exactApprovals(allowance: Allowance, token: Asset, spender: Spender, needed: bigint): Step[] {
  requireBalance(allowance, token, needed);
  return allowance.allowed === needed ? [] : stepsTo(needed, allowance, token, spender);
}

function requireBalance({ balance }: Allowance, token: Asset, least: bigint): void {
  if (balance < least)
    throw new ConnectError(
      'transaction.insufficient-funds',
      `The wallet has ${formatAmount(balance, token.decimals)} ${token.symbol}, and the swap takes ${formatAmount(least, token.decimals)}.`,
      { symbol: token.symbol, have: balance.toString(), need: least.toString() },
    );
}

function stepsTo(needed: bigint, { direct }: Allowance, token: Asset, { router }: Spender): Step[] {
  return [...(direct ? [] : [approval(token, router, 0n)]), approval(token, router, needed)];
}

export function balanceCall(owner: string): string {
  return encodeCall('balanceOf', ['address'], [owner]);
}

/** The one uint256 that an answer consists of; undefined for anything else. */
export function uint(answer: string | undefined): bigint | undefined {
  try {
    return decode(['uint256'], answer ?? '0x')[0] as bigint;
  } catch {
    return undefined;
  }
}

export function allowanceCall(owner: string, spender: string): string {
  return encodeCall('allowance', ['address', 'address'], [owner, spender]);
}

export function approval({ address }: Asset, spender: string, amount: bigint): Step {
  return {
    to: address,
    value: 0n,
    data: encodeCall('approve', ['address', 'uint256'], [spender, amount]),
  };
}

/** Some tokens return nothing, and some return false instead of reverting. */
function isAccepted(outcome: Outcome): boolean {
  return 'data' in outcome && !/^0x0{64}/.test(outcome.data);
}
