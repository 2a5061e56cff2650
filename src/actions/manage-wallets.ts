import type { Wallet } from '../api/wallet.ts';
import type { ParamsOf } from '../channel/schema.ts';
import type { Context } from './context.ts';
import { remember } from './linked-wallet.ts';
import { record } from './arguments.ts';
import type { CallOptions } from './types.ts';

/** The user creates, imports, renames or archives wallets of a chain, and picks one for this site. */
export async function manageWallets(
  context: Context,
  params: ParamsOf<'manageWallets'>,
  options: CallOptions,
): Promise<Wallet> {
  const body = record(params, ['chain']);
  const wallet = await context.host.approve('manageWallets', body as ParamsOf<'manageWallets'>, options);
  const [known = wallet] = remember(context, [wallet]);
  return known;
}
