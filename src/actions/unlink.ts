import type { Context } from './context.ts';
import { linkedWallet } from './linked-wallet.ts';
import type { CallOptions } from './types.ts';

/**
 * The site gives a wallet up. The page forgets it at once; the vault is told now where it can be reached without a window, and else
 * when the wallet opens next.
 */
export async function unlink(context: Context, walletId: string, options: CallOptions): Promise<void> {
  const { host, record, reachesVault } = context;
  linkedWallet(context, walletId);
  record.change((it) => {
    it.wallets = it.wallets.filter(({ id }) => id !== walletId);
    it.unlinked = [...it.unlinked.filter((id) => id !== walletId), walletId];
  });
  if (!(await reachesVault())) return;
  try {
    await host.readOwn('unlink', { walletId }, options);
  } catch {
    // It stays on the list of what the wallet is told when it opens.
    return;
  }
  record.change((it) => (it.unlinked = it.unlinked.filter((id) => id !== walletId)));
}
