import type { HostRequest } from '../../channel/link.ts';
import type { HeldWallet, Vault } from '../../wallets/types.ts';
import type { Frame } from '../frame.ts';

/**
 * The wallet that a request names, or one of its list. An unknown wallet and one not linked to the site fail alike, so that a site cannot
 * probe which wallets exist. An archived wallet keeps its links, so a linked site learns that it is archived.
 */
export async function ownWallet(
  frame: Frame,
  vault: Vault,
  task: HostRequest,
  request: { walletId: string },
): Promise<HeldWallet> {
  for (;;) {
    const [wallet] = await vault.linked(frame.link.origin, true, request.walletId);
    if (wallet && !wallet.archived) return wallet;
    await (await import('./no-wallet.ts')).assertComing(frame, vault, task, request, wallet);
  }
}
