/** What a site learns about the wallets linked to it. */
import type { Wallet } from '../../api/wallet.ts';
import type { Network, Networks } from '../../chains/network.ts';
import { networksOf, usableNetworks } from '../../chains/nodes/networks.ts';
import type { HostLink } from '../../channel/link.ts';
import type { HeldWallet, LinkNetwork, Vault } from '../../wallets/types.ts';

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

/**
 * The id of the network that the site asked for when the user linked a wallet of this chain, if this wallet is on it; of Bitcoin and Litecoin
 * that is none but its own. Undefined: its default network.
 */
export function askedNetwork(
  networks: Networks,
  asked: readonly LinkNetwork[],
  wallet: HeldWallet,
): string | undefined {
  const id = asked.find(({ secretType }) => secretType === wallet.secretType)?.id;
  return networksOf(networks, wallet).find((network) => network.id === id)?.id;
}

/** Sends the site the wallets linked to it, after each change. */
export async function tellSite(link: HostLink, networks: Networks, vault: Vault): Promise<void> {
  const [linked, asked] = await Promise.all([vault.linked(link.origin), vault.linkNetworks(link.origin)]);
  const elsewhere = linked.flatMap((wallet) => {
    const id = askedNetwork(networks, asked, wallet) ?? wallet.network;
    const isFirst = id === undefined || id === usableNetworks(networks, wallet.secretType)[0]?.id;
    return isFirst ? [] : [[wallet.id, id] as const];
  });
  link.sendWallets(
    linked.map((wallet) => siteWallet(networks, wallet)),
    Object.fromEntries(elsewhere),
    !vault.service || (await vault.service.trouble()) !== undefined,
  );
}
