import type { TokenBalance } from '../api/wallet.ts';
import { ConnectError } from '../base/errors.ts';
import type { Context } from './context.ts';
import { whereabouts } from './linked-wallet.ts';
import { invalid } from './plain.ts';
import type { CallOptions } from './types.ts';

/** Balances of every token that the network lists. */
export function tokenBalances(context: Context, id: string, options: CallOptions): Promise<TokenBalance[]> {
  return context.host.read('tokenBalances', whereabouts(context, id), options);
}

/** Balance of any token, listed or not. */
export async function tokenBalance(
  context: Context,
  id: string,
  token: string,
  options: CallOptions,
): Promise<TokenBalance> {
  if (typeof token !== 'string' || !token) throw invalid('token', 'is required: the address of a token');
  const where = whereabouts(context, id);
  const [found] = await context.host.read('tokenBalances', { ...where, token }, options);
  if (found) return found;
  throw new ConnectError('internal.error', 'The wallet answered no balance.');
}
