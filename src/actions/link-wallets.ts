import type { Wallet } from '../api/wallet.ts';
import type { ParamsOf } from '../channel/schema.ts';
import type { Context } from './context.ts';
import { remember } from './linked-wallet.ts';
import { record } from './arguments.ts';
import { invalid } from './plain.ts';
import type { CallOptions, Connect } from './types.ts';

/**
 * The user chooses which wallets this site may see; of the given chains, or of all. Resolves to those linked. Where none is linked yet,
 * the user first says whether to create or to import one.
 */
export async function linkWallets(
  context: Context,
  params: Parameters<Connect['linkWallets']>[0],
  options: CallOptions,
): Promise<Wallet[]> {
  const body = record(params ?? {}, []);
  if (body['secretTypes'] !== undefined && !Array.isArray(body['secretTypes']))
    throw invalid('secretTypes', 'must be a list such as ["ETHEREUM"]');
  const ask = (more?: object) =>
    context.host.approve('linkWallets', { ...body, ...more } as ParamsOf<'linkWallets'>, options);
  const wallets = context.record.wallets().length
    ? await ask()
    : await (await import('./wallet-chooser.ts')).chooseWallet(context, body, options, ask);
  if (wallets.length) remember(context, wallets);
  return wallets;
}
