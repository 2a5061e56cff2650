import type { Context } from './context.ts';
import type { CallOptions } from './types.ts';

/**
 * Takes a wallet off the list that the vault gets when the wallet opens next, once the vault has learnt of it. What is open meanwhile may have
 * read the vault before, and gets it all the same.
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
