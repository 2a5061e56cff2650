import type { Context } from './context.ts';
import type { CallOptions } from './types.ts';

/**
 * Once the vault knows of an unlinking, removes it from the list that the wallet gets on its next opening. A
 * window that is already open may have read the vault before, and gets the list in any case.
 */
export async function tellUnlinked(
  { host, record, reachesVault }: Context,
  walletId: string,
  options: CallOptions,
): Promise<void> {
  if (!(await reachesVault())) return;
  await host.readOwn('unlink', { walletId }, options);
  if (!host.isOpen()) record.change((it) => (it.unlinked = it.unlinked.filter((id) => id !== walletId)));
}
