import type { Wallet } from '../api/wallet.ts';
import type { ParamsOf } from '../channel/schema.ts';
import type { Context } from './context.ts';
import { remember } from './linked-wallet.ts';
import { record } from './arguments.ts';
import { invalid } from './plain.ts';
import type { CallOptions, Connect } from './types.ts';

const chooser = () => import('./others.ts');
let loaded: Awaited<ReturnType<typeof chooser>> | undefined;

/** Before the click that links: what the chooser shows is then known within the click, in which a window has to open. */
export async function preloadChooser(context: Context): Promise<void> {
  loaded = await chooser();
  loaded.othersFor(context, {});
}

/**
 * The user chooses which wallets this site may see; of the given chains, or of all. Resolves to those linked. Where none is linked yet,
 * the user first says whether to create or to import one, or to use one of another maker.
 */
export async function linkWallets(
  context: Context,
  params: Parameters<Connect['linkWallets']>[0],
  options: CallOptions,
): Promise<Wallet[]> {
  const { external, ...body } = record(params ?? {}, []);
  const { secretTypes, network } = body;
  if (secretTypes !== undefined && !Array.isArray(secretTypes))
    throw invalid('secretTypes', 'must be a list such as ["ETHEREUM"]');
  const ask = (more?: object) =>
    context.host.approve('linkWallets', { ...body, ...more } as ParamsOf<'linkWallets'>, options);
  const wish = { ...body, external };
  const ours =
    context.record.read().wallets.length && !loaded?.othersFor(context, wish).length
      ? await ask()
      : await (loaded ?? (await chooser())).chooseWallet(context, wish, options, ask);
  if (ours.length) remember(context, ours);
  const isTheirs = (wallet: Wallet) =>
    wallet.walletType === 'EXTERNAL' &&
    (!secretTypes?.length || secretTypes.includes(wallet.secretType)) &&
    (network === undefined || wallet.network === network);
  return [...ours, ...context.record.wallets().filter(isTheirs)];
}
