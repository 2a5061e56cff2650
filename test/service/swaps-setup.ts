/** A shop with wallets on local networks that have exchanges. */
import type { ExchangeRate, ExchangeRates, OrderType, TradingPair } from '../../src/api/swap.ts';
import type { CreatedWallet } from '../../src/api/wallet.ts';
import type { Network } from '../../src/chains/network.ts';
import type { SecretType } from '../../src/chains/secret-type.ts';
import type { LocalEthereum } from '../../demo/networks/ethereum.ts';
import type { LocalNetwork } from '../../demo/networks/local-network.ts';
import { closeAll, startNetworks } from '../../demo/networks/start-networks.ts';
import { pause, poll } from '../waiting.ts';
import { type Shop, startShop } from './execute-setup.ts';
import type { Answered } from './users-setup.ts';

export const CHAINS = ['ETHEREUM', 'GOCHAIN', 'VECHAIN', 'TRON'] as const;
export type SwapChain = (typeof CHAINS)[number];

export interface Trade {
  /** Addresses; empty for the coin. */
  from: string;
  to: string;
  orderType: OrderType;
  amount: string;
}

type Native = Record<string, unknown> & { type: string };

export interface Desk extends Shop {
  local: Record<SwapChain, LocalNetwork> & { ETHEREUM: LocalEthereum };
  token(secretType: SwapChain, symbol: string): string;
  pairs(walletId: string): Promise<Answered<TradingPair[]>>;
  rates(query: Record<string, string>): Promise<Answered<ExchangeRates>>;
  create(walletId: string, body: object): Promise<Answered<Native[]>>;
  /** Balance in smallest units. */
  holds(wallet: CreatedWallet, token: string): Promise<bigint>;
  /** Reads the rate, creates the swap and executes its requests, each after the last one is in a block. */
  swap(
    wallet: CreatedWallet,
    trade: Trade,
    exchange: string,
    destination?: CreatedWallet,
  ): Promise<{ rate: ExchangeRate; types: string[] }>;
}

/** `more`: further networks, after the local ones. `chains`: those that are needed. */
export async function startDesk(
  more: (local: Desk['local']) => Network[],
  settings: Parameters<typeof startShop>[1] = {},
  chains: readonly SwapChain[] = CHAINS,
): Promise<Desk> {
  const running = await startNetworks({
    ports: {},
    chains,
    onAnswer: () => {},
    onMissing: () => {},
  });
  const local = Object.fromEntries(running.map((each) => [each.network.secretType, each])) as Desk['local'];
  const shop = await startShop([...running.map(({ network }) => network), ...more(local)], settings);
  // Within the second of its creation a pool writes no price observation: gas estimates would be too low for later swaps.
  await pause(1_100);
  const desk: Desk = {
    ...shop,
    local,
    token: (secretType, symbol) =>
      local[secretType].network.tokens.find((token) => token.symbol === symbol)!.address,
    pairs: (id) => shop.call(shop.shop, 'GET', `/api/wallets/${id}/swaps/pairs`),
    rates: (query) => shop.call(shop.shop, 'GET', `/api/swaps/rates?${new URLSearchParams(query)}`),
    create: (id, body) => shop.call(shop.shop, 'POST', `/api/wallets/${id}/swaps`, { walletId: id, ...body }),
    async holds({ id }, token) {
      const path = `/api/wallets/${id}/balance${token && `/tokens/${token}`}`;
      const { body } = await shop.call<{ rawBalance: string }>(shop.shop, 'GET', path);
      return BigInt(body.rawBalance);
    },
    async swap(wallet, { from, to, orderType, amount }, exchange, destination) {
      const { secretType } = wallet as { secretType: SecretType };
      const asked = {
        fromSecretType: secretType,
        toSecretType: secretType,
        fromToken: from,
        toToken: to,
        orderType,
      };
      const { body: rates } = await desk.rates({ ...asked, amount });
      const rate = rates.exchangeRates.find((each) => each.exchange === exchange);
      if (!rate) throw new Error(JSON.stringify(rates));
      const { inputAmount, outputAmount } = rate;
      const made = await desk.create(wallet.id, {
        ...asked,
        exchange,
        inputAmount,
        outputAmount,
        ...(destination && { destinationWalletId: destination.id }),
      });
      if (made.outcome !== '200') throw new Error(JSON.stringify(made.body));
      for (const request of made.body) {
        const { outcome, body } = await shop.execute(request);
        if (outcome !== '200') throw new Error(JSON.stringify(body));
        const { transactionHash } = body;
        await poll(async () => (await shop.status(transactionHash, secretType)) !== 'pending', 'block');
        const status = await shop.status(transactionHash, secretType);
        if (status !== 'confirmed') throw new Error(status);
      }
      return { rate, types: made.body.map(({ type }) => type) };
    },
    async close() {
      await shop.close();
      await closeAll(running);
    },
  };
  return desk;
}
