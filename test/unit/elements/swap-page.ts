/** A market of two exchanges with a fixed price, and a panel in front of it. */
import type { CreateSwap, ExchangeRate, ExchangeRates } from '../../../src/api/swap.ts';
import type { NativeBalance, Wallet } from '../../../src/api/wallet.ts';
import type { SwapQuery } from '../../../src/actions/types.ts';
import { formatAmount, parseUnits, toNumber } from '../../../src/base/amount.ts';
import type { NativeTransaction } from '../../../src/chains/requests.ts';
import type { SwapPanel } from '../../../src/elements/swap-panel/swap-panel.ts';
// What the panel loads when it needs it is there before: a busy machine would take longer than the tests wait.
import '../../../src/ui/combobox.ts';
import '../../../src/ui/swap/between-chains.ts';
import '../../../src/ui/swap/swap-assets.ts';
import '../../../src/ui/swap/swap-offers.ts';
import '../../../src/elements/swap-panel/swap-outcome.ts';
import '../../../src/elements/swap-panel/swap-panel-view.ts';
import '../../../src/elements/worth.ts';
import '../../../src/ui/swap/swap-problem.ts';
import { crossChainRates } from '../../../src/testing/index.ts';
import { ether, FakeConnect, MAIN, SAVINGS, TOKEN } from './fake-connect.ts';
import { all, type Shown, control, maybe, nameOf, settle, show, type, until } from './page.ts';

export const OTHER = '0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0';
const ROUTER = '0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512';

const COIN = { secretType: 'ETHEREUM', symbol: 'ETH', tokenAddress: '' } as const;
const USDX = { secretType: 'ETHEREUM', symbol: 'USDX', tokenAddress: TOKEN } as const;
const DAIX = { secretType: 'ETHEREUM', symbol: 'DAIX', tokenAddress: OTHER } as const;
const DECIMALS: Record<string, number> = { '': 18, [TOKEN]: 6, [OTHER]: 18 };
/** Prices in dollars. */
const PRICES: Record<string, number> = { '': 2000, [TOKEN]: 1, [OTHER]: 1 };

/** `worse`: parts per million below the price. */
export function rateOf(query: SwapQuery, exchange: string, worse: number, priceImpact = 0.02): ExchangeRate {
  const [from, to] = [query.fromToken ?? '', query.toToken ?? ''];
  const [into, out] = [DECIMALS[from]!, DECIMALS[to]!];
  const price = BigInt(Math.round((PRICES[from]! / PRICES[to]!) * 1e6));
  const kept = BigInt(1_000_000 - worse);
  const scale = 10n ** BigInt(12 + into);
  const unit = 10n ** BigInt(out);
  const [input, output] =
    query.orderType === 'SELL'
      ? (() => {
          const amount = parseUnits(query.amount, into);
          return [amount, (amount * price * kept * unit) / scale];
        })()
      : (() => {
          const amount = parseUnits(query.amount, out);
          return [(amount * scale) / (price * kept * unit) + 1n, amount];
        })();
  return {
    exchange,
    orderType: query.orderType,
    inputAmount: toNumber(input, into),
    outputAmount: toNumber(output, out),
    slippage: 0.5,
    fee: 0.3,
    priceImpact,
    rawInputAmount: String(input),
    rawOutputAmount: String(output),
    inputDecimals: into,
    outputDecimals: out,
    route: [from, to],
  };
}

export function ratesOf(query: SwapQuery, worse = [3000, 5000], impact?: number): ExchangeRates {
  const names = ['Northway', 'Openbook'];
  const exchangeRates = worse.map((each, i) => rateOf(query, names[i]!, each, impact));
  return { exchangeRates, bestRate: exchangeRates[0] ?? null };
}

const word = (value: bigint): string => value.toString(16).padStart(64, '0');

/** `approvals`: amounts approved before the swap. */
export function requestsOf({ walletId }: CreateSwap, approvals: readonly bigint[] = []): NativeTransaction[] {
  const approve = approvals.map((amount) => ({
    type: 'ETH_TRANSACTION' as const,
    walletId,
    to: TOKEN,
    value: '0',
    data: `0x095ea7b3${ROUTER.slice(2).toLowerCase().padStart(64, '0')}${word(amount)}`,
  }));
  return [...approve, { type: 'ETH_TRANSACTION', walletId, to: ROUTER, value: '1', data: '0x7ff36ab5' }];
}

export function market(): FakeConnect {
  const connect = new FakeConnect();
  const all = [COIN, USDX, DAIX];
  connect.pairs = all.flatMap((from) => all.filter((to) => to !== from).map((to) => ({ from, to })));
  const token = (tokenAddress: string, symbol: string, rawBalance: string, decimals: number) => ({
    tokenAddress,
    symbol,
    rawBalance,
    decimals,
    balance: Number(formatAmount(BigInt(rawBalance), decimals)),
    logo: '',
    type: 'ERC20',
    transferable: true,
  });
  connect.tokens = [token(TOKEN, 'USDX', '812400000', 6), token(OTHER, 'DAIX', '0', 18)];
  connect.rates = (query) => ratesOf(query);
  connect.requests = (body) => requestsOf(body);
  return connect;
}

export const TRC20 = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
export const TRON_WALLET: Wallet = {
  ...MAIN,
  id: 'tron',
  alias: 'Tron wallet',
  address: 'TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC',
  secretType: 'TRON',
};

/** On Tron, a coin of 6 decimals at 0.25 USDX. `approvals`: amounts approved before the swap. */
export function tronMarket(approvals: readonly bigint[] = []): FakeConnect {
  const connect = market();
  const TRX = { secretType: 'TRON', symbol: 'TRX', tokenAddress: '' } as const;
  const USDT = { secretType: 'TRON', symbol: 'USDX', tokenAddress: TRC20 } as const;
  connect.pairs = [
    { from: TRX, to: USDT },
    { from: USDT, to: TRX },
  ];
  connect.tokens = [{ ...connect.tokens[0]!, tokenAddress: TRC20, type: 'TRC20' }];
  connect.balances['tron'] = {
    ...connect.balances['main']!,
    secretType: 'TRON',
    symbol: 'TRX',
    rawBalance: '900000000',
    decimals: 6,
  };
  connect.rates = (query) => {
    const input = parseUnits(query.amount, 6);
    const output = query.fromToken ? input * 4n : input / 4n;
    const rate = {
      ...rateOf({ ...query, fromToken: TOKEN, toToken: TOKEN }, 'SunSwap V2', 0),
      outputAmount: toNumber(output, 6),
      rawOutputAmount: String(output),
      networkFee: { symbol: 'TRX', decimals: 6, amount: 13.5, rawAmount: '13500000' },
    };
    return { exchangeRates: [rate], bestRate: rate };
  };
  connect.requests = ({ walletId }) => {
    const call = (functionName: string, value: bigint): NativeTransaction => ({
      type: 'TRON_CONTRACT_EXECUTION',
      walletId,
      to: TRC20,
      functionName,
      inputs: [
        { type: 'address', value: 'TNJVzGqKBWkJxJB5XYSqGAwUTV15U24pPq' },
        { type: 'uint256', value: value.toString() },
      ],
    });
    return [...approvals.map((amount) => call('approve', amount)), call('swapExactTokensForETH', 1n)];
  };
  return connect;
}

const BTC = { secretType: 'BITCOIN', symbol: 'BTC', tokenAddress: '' } as const;

/** The market, with an exchange between Ethereum and Bitcoin: 1 ETH is 0.03 BTC. */
export function crossMarket(): FakeConnect {
  const connect = market();
  const here = connect.pairs;
  const across = [COIN, USDX].map((from) => ({ from, to: BTC }));
  connect.swapPairs = async (id) =>
    connect.linked.find((each) => each.id === id)?.secretType === 'BITCOIN'
      ? across.map(({ from, to }) => ({ from: to, to: from }))
      : [...here, ...across];
  connect.balances['savings'] = bitcoin('250000');
  connect.balances['cold'] = bitcoin('900000');
  connect.rates = (query) =>
    query.fromSecretType === query.toSecretType
      ? ratesOf(query)
      : crossChainRates({ query }, query.fromSecretType === 'BITCOIN' ? '33.1' : '0.03');
  connect.requests = ({ walletId, fromSecretType }) =>
    fromSecretType === 'BITCOIN'
      ? [{ type: 'BTC_TRANSACTION', walletId, to: SAVINGS.address, value: '250000', data: '=:e' }]
      : requestsOf({ walletId } as CreateSwap);
  return connect;
}

function bitcoin(rawBalance: string): NativeBalance {
  return { ...ether(rawBalance, 'BITCOIN', 'BTC'), balance: Number(rawBalance) / 1e8, decimals: 8 };
}

export async function panel(
  properties: Partial<SwapPanel> = {},
  connect = market(),
  wallets: Wallet[] = [MAIN],
): Promise<Shown<SwapPanel>> {
  return (await show('swap-panel', properties, wallets, connect)) as Shown<SwapPanel>;
}

/** Resolves once the panel has requested rates (debounced) and has its answer. */
export async function quoted(element: SwapPanel): Promise<void> {
  await settle(element);
  await until(element, () => control(element, 'Refresh rates').getAttribute('aria-disabled') === null);
  await settle(element);
}

export async function enter(element: SwapPanel, field: 'Sell' | 'Buy', value: string): Promise<void> {
  await until(element, () => !!maybe(element, field));
  type(control(element, field), value);
  await settle(element);
  await quoted(element);
}

export async function press(element: SwapPanel, name: string): Promise<void> {
  control(element, name).click();
  await settle(element);
}

/** Presses Review, and waits until the swap is built, or why it is not is on screen. */
export async function review(element: SwapPanel): Promise<void> {
  await press(element, 'Review');
  await until(element, () => maybe(element, 'Review')?.getAttribute('aria-disabled') !== 'true');
  await settle(element);
}

/** Opens a list, and chooses the first of it that is found by `typed`. */
export async function choose(element: SwapPanel, side: 'Sell' | 'Buy', typed: string): Promise<void> {
  const button = all(element, 'button.token').find((each) => nameOf(each).startsWith(`${side} token: `))!;
  button.click();
  await until(element, () => !!maybe(element, 'Search tokens'));
  // What the wallets hold comes after the list.
  await settle(element);
  type(control(element, 'Search tokens'), typed);
  await settle(element);
  all(element, '[role=option]')[0]!.click();
  await settle(element);
}
