/** Wallets that are linked to the page: linking and unlinking ours, and loading the code for external ones. */
import type { Wallet } from '../api/wallet.ts';
import { ConnectError } from '../base/errors.ts';
import type { SecretType } from '../chains/secret-type.ts';
import type { Context } from './context.ts';
import { invalid } from './plain.ts';
import type { ParamsOf } from '../channel/messages.ts';
import { record } from './arguments.ts';
import type { CallOptions, Connect } from './types.ts';

/** From the page's own record. Ids that do not exist and ids that this site may not see get the same answer. */
export function linkedWallet({ record }: Context, id: string): Wallet {
  if (typeof id !== 'string' || !id) throw invalid('walletId', 'is required: the id of a linked wallet');
  const wallet = record.wallets().find((each) => each.id === id);
  if (wallet) return wallet;
  throw new ConnectError('wallet.forbidden', 'This wallet is unknown, or not linked to this site.', {
    walletId: id,
  });
}

/** What a read of a wallet from its network's node needs. */
export function whereabouts(
  context: Context,
  id: string,
): { secretType: SecretType; address: string; network?: string } {
  const { secretType, address, network } = linkedWallet(context, id);
  return { secretType, address, ...(network !== undefined && { network }) };
}

/**
 * Adds wallets that an action has just returned; the frame's own list follows and is authoritative. Returns them in the form of
 * `wallets()`, with their network.
 */
export function remember({ record }: Context, wallets: readonly Wallet[]): Wallet[] {
  record.addWallets(wallets);
  const byId = new Map(record.wallets().map((wallet) => [wallet.id, wallet]));
  return wallets.map((wallet) => byId.get(wallet.id) ?? wallet);
}

type Others = typeof import('./external.ts');

const others = new WeakMap<Context, Others>();

/** The code for external wallets, once loaded. */
export function othersOf(context: Context): Others | undefined {
  return others.get(context);
}

/** Loads the code for external wallets, and looks for the linked ones. */
export async function loadOthers(context: Context): Promise<Others> {
  const loaded = others.get(context);
  if (loaded) return loaded;
  const external = await import('./external.ts');
  void external.resumeExternal(context);
  others.set(context, external);
  return external;
}

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
