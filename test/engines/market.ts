/** What the flows of every engine go through: a chain with exchanges, the wallet, pages of shops, and the service with a shop's server. */
import { resolve } from 'node:path';
import { JsonRpcProvider } from 'ethers';
import { addExchanges } from '../../demo/networks/exchanges/index.ts';
import { type LocalEthereum, startEthereum } from '../../demo/networks/ethereum.ts';
import { demoNetworks } from '../../demo/networks/networks.ts';
import { startFrameServer } from '../../service/frame-server.ts';
import { readRange } from '../../service/outbound/addresses.ts';
import type { Networks } from '../../src/chains/network.ts';
import { type Hosts, startHosts } from '../e2e/hosts.ts';
import { sharedAnvil } from '../e2e/places.ts';
import { openShopServer, type ShopServer } from '../e2e/shop-server.ts';
import { startTested } from '../service/harness.ts';

const DIST = resolve(import.meta.dirname, '../../dist');

/** Nobody has its key, or needs it. */
export const RECEIVER = '0x00000000000000000000000000000000C0ffee02';

export interface Market {
  ethereum: LocalEthereum;
  chain: JsonRpcProvider;
  /** Base URL of the frame's origin. */
  frame: string;
  hosts: Hosts;
  close(): Promise<void>;
}

export interface Shopping extends Market {
  shop: ShopServer;
}

/** Without exchanges and service. */
export async function openMarket(): Promise<Market> {
  const ethereum = await startEthereum({ port: 0, anvil: await sharedAnvil() });
  const networks: Networks = demoNetworks(ethereum.network);
  const server = await startFrameServer({ dist: DIST, networks: () => networks, port: 0 });
  const hosts = await startHosts(server.url);
  networks.embed = [hosts.sameSite];
  const chain = new JsonRpcProvider(ethereum.node.url, undefined, { cacheTimeout: -1, batchMaxCount: 1 });
  return {
    ethereum,
    chain,
    frame: server.url,
    hosts,
    async close() {
      chain.destroy();
      for (const part of [hosts, server, ethereum]) await part.close();
    },
  };
}

export async function openShopping(): Promise<Shopping> {
  const market = await openMarket();
  await addExchanges(market.ethereum);
  const tested = await startTested(
    {
      networks: { customNodes: false, reported: [], networks: [market.ethereum.network] },
      frameUrl: market.frame,
      outboundRanges: [readRange('127.0.0.1/32')],
    },
    { walletPayments: { everyLocalMs: 250, tickMs: 250, backoffMs: 250 } },
  );
  const shop = await openShopServer(tested);
  await fetch(`${tested.url}/account/settings/receiving-wallet`, {
    method: 'PUT',
    headers: { ...shop.headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ secretType: 'ETHEREUM', address: RECEIVER, confirmations: 1 }),
  });
  return {
    ...market,
    shop,
    async close() {
      shop.close();
      await tested.close();
      await market.close();
    },
  };
}
