/** Wallets that are linked to the page: ours, and loading the code for external ones. */
import type { Wallet } from '../api/wallet.ts';
import { ConnectError } from '../base/errors.ts';
import type { SecretType } from '../chains/secret-type.ts';
import type { Context } from './context.ts';
import { invalid } from './plain.ts';

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
 * Adds wallets that an action has just returned; the frame's own list follows and is authoritative. An earlier
 * unlinking does not undo this. Returns them in the form of `wallets()`, with their network.
 */
export function remember({ record }: Context, wallets: readonly Wallet[]): Wallet[] {
  const ids = wallets.map(({ id }) => id);
  record.change((it) => {
    it.unlinked = it.unlinked.filter((id) => !ids.includes(id));
    it.wallets = [...it.wallets.filter(({ id }) => !ids.includes(id)), ...wallets];
  });
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
