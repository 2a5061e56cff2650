/** The real dependencies of every request: networks, vault, chains. */
import { loadChain, loadPayloads } from '../chains/load.ts';
import type { Networks } from '../chains/network.ts';
import { loadNetworks } from '../chains/nodes/networks.ts';
import type { HostLink } from '../channel/link.ts';
import { systemClock } from '../base/clock.ts';
import type { Vault } from '../wallets/types.ts';
import type { Reader } from './frame.ts';
import { tellSite } from './shell/site-wallets.ts';

/** In the parent of the page's folder, wherever the operator serves it. */
export const networksUrl = (): URL => new URL('../networks.json', location.href);

export async function reader(
  link: HostLink,
  loading: Promise<Networks> = loadNetworks(networksUrl()),
): Promise<Reader> {
  let vault: Promise<Vault> | undefined;
  const networks = await loading;
  return {
    link,
    networks,
    clock: systemClock,
    vault: () =>
      (vault ??= openVaultFor(link, networks).catch((error: unknown) => {
        // The user may allow storage and retry.
        vault = undefined;
        throw error;
      })),
    chain: loadChain,
    payloads: loadPayloads,
  };
}

/** Opens the vault and applies what the page did without it; after that, the page's own record is synced from the vault. */
async function openVaultFor(link: HostLink, networks: Networks): Promise<Vault> {
  const { openVault } = await import('../wallets/vault.ts');
  const vault = await openVault();
  for (const walletId of link.unlinked) await vault.unlink(link.origin, walletId);
  if (link.tokens && networks.service !== undefined)
    return (await import('./service/beside-service.ts')).besideService(link, networks, vault);
  await tellSite(link, networks, vault);
  return vault;
}
