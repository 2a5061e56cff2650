/** Two networks of Ethereum, each with a chain id of its own, and an application with a wallet on both. */
import { JsonRpcProvider, parseEther, toQuantity, Transaction } from 'ethers';
import { startAnvil } from '../../demo/networks/anvil.ts';
import type { CreatedWallet } from '../../src/api/wallet.ts';
import type { Network } from '../../src/chains/network.ts';
import { setNetworks } from '../../service/auth/clients.ts';
import type { StartOptions } from '../../service/server.ts';
import { type Shop, startShop } from './execute-setup.ts';

/** Wallets are on `home` by default. */
export const CHAIN_IDS = { home: 31337, away: 31338 } as const;
export type Place = keyof typeof CHAIN_IDS;

export interface TwoNetworks {
  networks: Network[];
  providers: Record<Place, JsonRpcProvider>;
  fund(address: string): Promise<void>;
  close(): Promise<void>;
}

export async function startTwoNetworks(): Promise<TwoNetworks> {
  const places = Object.entries(CHAIN_IDS) as [Place, number][];
  const anvils = await Promise.all(places.map(([, chainId]) => startAnvil('--chain-id', String(chainId))));
  const providers = Object.fromEntries(
    places.map(([place], i) => [
      place,
      new JsonRpcProvider(anvils[i]!.url, undefined, { staticNetwork: true, cacheTimeout: -1 }),
    ]),
  ) as TwoNetworks['providers'];
  return {
    networks: places.map(([id, chainId], i) => ({
      id,
      secretType: 'ETHEREUM',
      name: id,
      kind: 'local',
      chainId,
      nodes: [anvils[i]!.url],
      tokens: [],
    })),
    providers,
    async fund(address) {
      for (const provider of Object.values(providers))
        await provider.send('anvil_setBalance', [address, toQuantity(parseEther('10'))]);
    },
    async close() {
      for (const provider of Object.values(providers)) provider.destroy();
      await Promise.all(anvils.map((anvil) => anvil.close()));
    },
  };
}

export interface Abroad extends TwoNetworks {
  shop: Shop;
  till: CreatedWallet;
  /** Chooses the networks of the application's client. */
  choose(networks: readonly string[] | null): Promise<void>;
  /** What the service signed for a wallet, in order. */
  signed(walletId: string): Promise<{ network: string; raw: Transaction; replaces: string | null }[]>;
}

export async function startAbroad(
  others: readonly Network[] = [],
  settings: Parameters<typeof startShop>[1] = {},
  options: StartOptions = {},
): Promise<Abroad> {
  const two = await startTwoNetworks();
  const shop = await startShop([...two.networks, ...others], settings, options);
  const till = await shop.wallet();
  await two.fund(till.address);
  const { db } = shop.service.service;
  return {
    ...two,
    shop,
    till,
    async choose(networks) {
      await setNetworks(db, shop.clientId, networks);
    },
    async signed(walletId) {
      const rows = await db
        .selectFrom('transactions')
        .select(['network', 'raw', 'replaces'])
        .where('wallet_id', '=', walletId)
        .orderBy('created_at')
        .execute();
      return rows.map(({ raw, ...row }) => ({ ...row, raw: Transaction.from(raw) }));
    },
    async close() {
      await shop.close();
      await two.close();
    },
  };
}
