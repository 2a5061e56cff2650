import type { TokenBalance } from '../api/wallet.ts';
import { ConnectError } from '../errors.ts';
import type { Context } from './context.ts';
import { linkedWallet } from './linked-wallet.ts';
import { invalid } from './plain.ts';
import type { CallOptions } from './types.ts';

/** Balances of every token that the network lists. */
export function tokenBalances(context: Context, id: string, options: CallOptions): Promise<TokenBalance[]> {
  const { secretType, address } = linkedWallet(context, id);
  return context.host.read('tokenBalances', { secretType, address }, options);
}

/** Balance of any token, listed or not. */
export async function tokenBalance(
  context: Context,
  id: string,
  token: string,
  options: CallOptions,
): Promise<TokenBalance> {
  const { secretType, address } = linkedWallet(context, id);
  if (typeof token !== 'string' || !token) throw invalid('token', 'is required: the address of a token');
  const [found] = await context.host.read('tokenBalances', { secretType, address, token }, options);
  if (found) return found;
  throw new ConnectError('internal.error', 'The wallet answered no balance.');
}
