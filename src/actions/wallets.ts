import type { Wallet } from '../api/wallet.ts';
import type { ParamsOf } from '../channel/messages.ts';
import { record } from './arguments.ts';
import type { Context } from './context.ts';
import { linkedWallet, loadOthers, othersOf, remember } from './linked-wallets.ts';
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
  return context.record.read().wallets.length && !othersOf(context)?.othersFor(context, wish).length
    ? ask()
    : (await loadOthers(context)).chooseWallet(context, wish, options, ask);
}

/** The user creates, imports, renames or archives wallets of a chain, and picks one for this site. */
export async function manageWallets(
  context: Context,
  params: ParamsOf<'manageWallets'>,
  options: CallOptions,
): Promise<Wallet> {
  const body = record(params, ['chain']);
  const wallet = await context.host.approve('manageWallets', body as ParamsOf<'manageWallets'>, options);
  const [entry = wallet] = remember(context, [wallet]);
  return entry;
}

/**
 * Unlinks a wallet from the site. The page forgets it immediately; the vault is told now if it is reachable without
 * a window, otherwise when the wallet next opens.
 */
export async function unlink(context: Context, walletId: string, options: CallOptions): Promise<void> {
  const { record } = context;
  if (linkedWallet(context, walletId).walletType === 'EXTERNAL')
    return record.change(({ external }) => void delete external[walletId]);
  record.change((it) => {
    it.wallets = it.wallets.filter(({ id }) => id !== walletId);
    it.unlinked = [...it.unlinked.filter((id) => id !== walletId), walletId];
  });
  // If this fails, it stays on the list that the wallet gets when it opens.
  await import('./reads.ts').then((it) => it.tellUnlinked(context, walletId, options)).catch(() => {});
}
