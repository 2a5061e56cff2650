import { ConnectError } from '../../errors.ts';
import type { HeldWallet, Vault } from '../../wallets/types.ts';

/**
 * The wallet that a site names. One that is unknown and one that is not linked to the site fail alike, so that a site
 * cannot find out which wallets exist. An archived wallet keeps its links: who had it learns why it fails.
 */
export async function ownWallet(vault: Vault, origin: string, id: string): Promise<HeldWallet> {
  const wallet = (await vault.linked(origin, true)).find((linked) => linked.id === id);
  if (!wallet)
    throw new ConnectError(
      'wallet.forbidden',
      'This wallet is not linked to your site, or does not exist. Call linkWallets() first.',
    );
  if (wallet.archived)
    throw new ConnectError(
      'wallet.archived',
      'This wallet is archived. Its owner can bring it back in manageWallets().',
    );
  return wallet;
}
