/** Swaps on the exchanges of the local networks. */
import type { SecretType } from '../../../src/chains/secret-type.ts';
import { CHAIN_NAMES } from '../../../src/chains/secret-type.ts';
import type { Context, Group, Payload, Scenario } from './scenario.ts';

interface Names {
  coin: string;
  /** An existing exchange, as rates name it. */
  exchange: string;
  /** A small and a large amount of coins, compared with the pools. */
  some: string;
  many: string;
  /** A token whose decimals differ from the coin's. */
  other: { symbol: string; title: string; hint: string };
  /** Approval and swap are one transaction. */
  together?: true;
}

const DBTC = {
  symbol: 'DBTC',
  title: 'Swap for 8 decimals',
  hint: 'Demo Bitcoin has 8 decimals, and a pool on one of the exchanges only.',
};

const CHAINS: { [S in SecretType]?: Names } = {
  ETHEREUM: { coin: 'ether', exchange: 'Uniswap V2', some: '1', many: '200', other: DBTC },
  GOCHAIN: {
    coin: 'GO',
    exchange: 'GoSwap',
    some: '1',
    many: '400',
    other: {
      symbol: 'DCENT',
      title: 'Swap for 6 decimals',
      hint: 'Demo Cent has 6 decimals; the way goes over Demo Dollars.',
    },
  },
  VECHAIN: {
    coin: 'VET',
    exchange: 'VeSwap',
    some: '100',
    many: '100000',
    other: DBTC,
    together: true,
  },
  TRON: {
    coin: 'TRX',
    exchange: 'SunSwap V2',
    some: '20',
    many: '200000',
    other: {
      symbol: 'DCENT',
      title: 'Swap for 6 decimals',
      hint: 'Demo Cent has 6 decimals, and pools with TRX and with Demo Dollars.',
    },
  },
};

const token = ({ network }: Context, symbol: string): string | undefined =>
  network.tokens.find((listed) => listed.symbol === symbol)?.address;

/** Empty if the chain has no exchanges. */
export function swapGroups(secretType: SecretType): Group[] {
  const names = CHAINS[secretType];
  if (!names) return [];
  const { coin, exchange, some, many, other, together } = names;
  const panel = (context: Context, more: object): Payload => ({
    action: 'swap',
    fromSecretType: secretType,
    fromToken: '',
    toToken: token(context, 'DUSD'),
    ...more,
  });
  const chains = { fromSecretType: secretType, toSecretType: secretType, fromToken: '' };
  const scenarios: Scenario[] = [
    {
      id: 'swap-panel',
      title: 'Swap panel',
      hint: 'The user picks everything. Rates renew themselves, and the best is marked.',
      payload: () => ({ action: 'swap', fromSecretType: secretType }),
    },
    {
      id: 'swap-sell',
      title: 'Swap coins',
      hint: `SELL: exactly ${some} ${coin} goes in, and at least the minimum comes out. One transaction.`,
      payload: (context) => panel(context, { amount: some, orderType: 'SELL' }),
    },
    {
      id: 'swap-buy',
      title: 'Buy tokens',
      hint: 'BUY: exactly one Demo Dollar comes out, and at most the maximum goes in.',
      payload: (context) => panel(context, { amount: '1', orderType: 'BUY' }),
    },
    {
      id: 'swap-back',
      title: 'Swap tokens back',
      hint: together
        ? 'The approval of exactly this amount and the swap are two clauses of one transaction.'
        : 'First the approval of exactly this amount, then the swap: two transactions, one after the other.',
      payload: (context) =>
        panel(context, { fromToken: token(context, 'DUSD'), toToken: '', amount: '0.5', orderType: 'SELL' }),
    },
    {
      id: 'swap-decimals',
      title: other.title,
      hint: other.hint,
      payload: (context) =>
        panel(context, { toToken: token(context, other.symbol), amount: some, orderType: 'SELL' }),
    },
    {
      id: 'swap-price-impact',
      title: 'Large swap',
      hint: `${many} ${coin} would move the price of the pool by much: the panel warns of it.`,
      payload: (context) => panel(context, { amount: many, orderType: 'SELL' }),
    },
    {
      id: 'swap-pairs',
      title: 'Pairs',
      hint: `What can be swapped for what on ${CHAIN_NAMES[secretType]}; nothing opens.`,
      payload: () => ({ action: 'swapPairs' }),
    },
    {
      id: 'swap-rates',
      title: 'Rates',
      hint: 'What every exchange gives; nothing opens.',
      payload: (context) => ({
        action: 'swapRates',
        ...chains,
        toToken: token(context, 'DUSD'),
        amount: some,
        orderType: 'SELL',
      }),
    },
    {
      id: 'create-swap',
      title: 'Build a swap',
      hint: 'The native requests that carry it out; nothing opens.',
      payload: (context) => ({
        action: 'createSwap',
        ...chains,
        toToken: token(context, 'DUSD'),
        inputAmount: some,
        orderType: 'SELL',
        exchange,
      }),
    },
    {
      id: 'swap-no-exchange',
      title: 'No such exchange',
      hint: 'swap.no-exchange-found.',
      fails: 'swap.no-exchange-found',
      payload: (context) => ({
        action: 'createSwap',
        ...chains,
        toToken: token(context, 'DUSD'),
        inputAmount: some,
        orderType: 'SELL',
        exchange: 'Nowhere',
      }),
    },
  ];
  return [{ title: 'Swap', scenarios }];
}
