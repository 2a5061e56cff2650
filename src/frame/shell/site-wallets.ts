/** What a site learns about the wallets linked to it. */
import type { Wallet } from '../../api/wallet.ts';
import type { Network, Networks } from '../../chains/network.ts';
import { networksOf, usableNetworks } from '../../chains/nodes/networks.ts';
import type { HostLink } from '../../channel/link.ts';
import type { HeldWallet, Vault } from '../../wallets/types.ts';

/**
 * The default networks of wallets, by wallet id; of a wallet whose own is gone from `networks.json`, the next that it is on. Omits those that
 * are on none.
 */
export function networksByWallet(
  networks: Networks,
  wallets: readonly HeldWallet[],
): ReadonlyMap<string, Network> {
  return new Map(
    wallets.flatMap((wallet) => {
      const [network] = networksOf(networks, wallet);
      return network ? [[wallet.id, network] as const] : [];
    }),
  );
}

/** In the API's shape. `UNAVAILABLE` if no network of its kind is left. */
export function siteWallet(networks: Networks, wallet: HeldWallet): Wallet {
  const { network: _network, imported: _imported, ...fields } = wallet;
  const isUnavailable = !wallet.archived && !networksByWallet(networks, [wallet]).size;
  return isUnavailable ? { ...fields, status: 'UNAVAILABLE' } : fields;
}

/** Sends the site the wallets linked to it, after each change. */
export async function tellSite(link: HostLink, networks: Networks, vault: Vault): Promise<void> {
  const linked = await vault.linked(link.origin);
  const elsewhere = linked.filter(
    ({ secretType, network }) =>
      network !== undefined && network !== usableNetworks(networks, secretType)[0]?.id,
  );
  link.sendWallets(
    linked.map((wallet) => siteWallet(networks, wallet)),
    Object.fromEntries(elsewhere.map(({ id, network }) => [id, network!])),
    !vault.service || (await vault.service.trouble()) !== undefined,
  );
}
