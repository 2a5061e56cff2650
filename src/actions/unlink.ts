import type { Context } from './context.ts';
import { linkedWallet } from './linked-wallet.ts';
import type { CallOptions } from './types.ts';

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
  await import('./node-reads.ts').then((it) => it.tellUnlinked(context, walletId, options)).catch(() => {});
}
