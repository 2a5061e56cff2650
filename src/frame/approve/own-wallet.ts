import type { HostRequest } from '../../channel/link.ts';
import type { HeldWallet, Vault } from '../../wallets/types.ts';
import type { Frame } from '../frame.ts';

/**
 * The wallet that a site names. One that is unknown and one that is not linked to the site fail alike, so that a site
 * cannot find out which wallets exist. An archived wallet keeps its links: who had it learns why it fails.
 */
export async function ownWallet(
  frame: Frame,
  vault: Vault,
  task: HostRequest,
  id: string,
): Promise<HeldWallet> {
  for (;;) {
    const [wallet] = await vault.linked(frame.link.origin, true, id);
    if (wallet && !wallet.archived) return wallet;
    await (await import('./no-wallet.ts')).assertComing(frame, vault, task, id, wallet);
  }
}
