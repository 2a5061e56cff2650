/** Adds the wallet service to the vault. Loaded only for pages that provide access tokens for it. */
import type { Networks } from '../../chains/network.ts';
import type { HostLink } from '../../channel/link.ts';
import { withService } from '../../wallets/service/with-service.ts';
import type { Vault } from '../../wallets/types.ts';
import { serviceOptions } from '../reads/profile.ts';
import { tellSite } from '../shell/site-wallets.ts';

export async function besideService(link: HostLink, networks: Networks, own: Vault): Promise<Vault> {
  const vault = await withService(own, { ...serviceOptions(link, networks), origin: link.origin });
  // In the background: browser wallets do not wait for the service.
  void (async () => {
    // The page keeps its list if the service cannot be reached.
    for (const walletId of link.unlinked) await vault.unlink(link.origin, walletId);
    await tellSite(link, networks, vault);
  })().catch(() => {});
  return vault;
}
