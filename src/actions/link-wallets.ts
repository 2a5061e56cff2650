import type { Wallet } from '../api/wallet.ts';
import type { ParamsOf } from '../channel/schema.ts';
import type { Context } from './context.ts';
import { remember } from './linked-wallet.ts';
import { loadOthers } from './load-others.ts';
import { record } from './arguments.ts';
import { invalid } from './plain.ts';
import type { CallOptions, Connect } from './types.ts';

/**
 * The user chooses which wallets this site may see, of the given chains or of all. Resolves to those linked.
 * Where none is linked yet, the user first chooses whether to create one, import one or use an external one.
 */
export async function linkWallets(
  context: Context,
  params: Parameters<Connect['linkWallets']>[0],
  options: CallOptions,
): Promise<Wallet[]> {
  const { external, ...body } = record(params ?? {}, []);
  if (body['secretTypes'] !== undefined && !Array.isArray(body['secretTypes']))
    throw invalid('secretTypes', 'must be a list such as ["ETHEREUM"]');
  const ask = async (more?: object) => {
    const wallets = await context.host.approve(
      'linkWallets',
      { ...body, ...more } as ParamsOf<'linkWallets'>,
      options,
    );
    return remember(context, wallets);
  };
  const wish = { ...body, external };
  // Known within the click, in which a window has to open.
  return context.record.read().wallets.length && !context.others?.othersFor(context, wish).length
    ? ask()
    : (await loadOthers(context)).chooseWallet(context, wish, options, ask);
}
