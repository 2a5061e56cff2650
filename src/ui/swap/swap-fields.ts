/** The swap form's state, calculations and checks, without rendering. */
import type { CreateSwap, ExchangeRate, OrderType, RatesQuery, TradingPair } from '../../api/swap.ts';
import type { NativeBalance, Wallet } from '../../api/wallet.ts';
import { formatAmount, parseUnits } from '../../base/amount.ts';
import { CARDS, CHAIN_NAMES, type SecretType } from '../../chains/secret-type.ts';
import { shortText } from '../address.ts';
import { type Figure, numbers, rounded, rowFigure } from '../amount-text.ts';
import { msg, str } from '../../base/localize.ts';
import { type Asset, coinOf } from '../assets.ts';
import { formError, typedAmount } from '../typed-amount.ts';

export type Side = 'from' | 'to';
export type Field = Side | 'slippage';

/** An asset to choose, and where it is. */
export type Choice = Asset & { chain: SecretType };

/** In percent; `custom`: the user types it. */
export const SLIPPAGES = ['0.1', '0.5', '1', 'custom'] as const;

const MILLION = 1_000_000n;

/** Decimal places that count between chains, whatever an asset's own. */
const PLACES = 8;

/** A swap by three pools and an allowance before it take about 400,000 gas, 20 times that of a transfer. */
const SWAP_GAS = 20n;
/** A deposit with a memo is a transfer, at a rate that may rise until it is sent. */
const DEPOSIT_GAS = 2n;

export class SwapFields {
  wallet: Wallet | undefined;
  /** The wallet that receives the output; undefined if it is the one that pays. */
  destination: Wallet | undefined;
  /** The page's choice; undefined for the wallet's default network. */
  network: string | undefined;
  balance: NativeBalance | undefined;
  tokens: readonly Asset[] = [];
  /** What a transfer of the coin, with a memo if it has one, costs at most at the network's fees; undefined until the node has answered. */
  transferFee: bigint | undefined;
  /** Undefined until the exchanges have answered. */
  pairs: readonly TradingPair[] | undefined;
  /** Token addresses; empty for the coin. `to` is undefined until there is something to choose from. */
  from = '';
  to: string | undefined;
  /** The chain of the output; undefined for the wallet's. */
  toChain: SecretType | undefined;
  /** The page's choice of it. */
  onlyTo: SecretType | undefined;
  /** The exchange that has answered that it takes exact inputs only. */
  sellOnly: string | undefined;
  /** What the receiving wallet holds on another chain; set once that is read. */
  elsewhere: (address: string, chain: SecretType) => Asset | undefined = () => undefined;
  /** Unlisted tokens that the user named by address. */
  readonly unlisted = new Map<string, Asset>();
  orderType: OrderType = 'SELL';
  /** The amount as typed: of the input (SELL) or the output (BUY). */
  value = '';
  slippage: (typeof SLIPPAGES)[number] = '0.5';
  custom = '';
  /** The exchange that the user chose; undefined for the best one. */
  chosen: string | undefined;
  readonly errors = new Map<Field, string>();

  get exact(): Side {
    return this.orderType === 'SELL' ? 'from' : 'to';
  }

  /** Of the output. */
  get outputChain(): SecretType | undefined {
    return this.toChain ?? this.wallet?.secretType;
  }

  /** Whether the output is on another chain than the wallet. */
  get crosses(): boolean {
    return this.outputChain !== this.wallet?.secretType;
  }

  asset(side: Side): Asset | undefined {
    const address = this[side];
    return address === undefined
      ? undefined
      : this.assetOf(address, side === 'to' ? this.toChain : undefined);
  }

  /** On the wallet's chain, unless another one is named. */
  assetOf(address: string, chain = this.wallet?.secretType): Asset | undefined {
    if (!this.wallet || !chain) return undefined;
    const isHere = chain === this.wallet.secretType;
    const entry = isHere
      ? [...this.tokens, ...this.unlisted.values()].find((token) => same(token.address, address))
      : this.elsewhere(address, chain);
    if (entry) return entry;
    if (address === '') return coinOf(chain, isHere ? this.balance : undefined);
    const listed = this.pairs
      ?.flatMap(({ from, to }) => [from, to])
      .find(({ secretType, tokenAddress }) => secretType === chain && same(tokenAddress, address));
    return { address, symbol: listed?.symbol ?? shortText(address), decimals: null, raw: null };
  }

  /** The assets to choose from: for the input, all that have a pair; for the output, those that have a pair with the input. */
  choices(side: Side): Choice[] {
    const { wallet, pairs = [], onlyTo } = this;
    if (!wallet) return [];
    const isInput = ({ from }: TradingPair) => same(from.tokenAddress, this.from);
    const sides =
      side === 'to' && pairs.some(isInput)
        ? pairs.filter(isInput).map(({ to }) => to)
        : pairs.map(({ from }) => from);
    const { secretType } = wallet;
    const unlisted = [...this.unlisted.keys()].map((tokenAddress) => ({ secretType, tokenAddress }));
    const all = new Map([...sides, ...unlisted].map((one) => [keyOf(one.tokenAddress, one.secretType), one]));
    if (side === 'to') all.delete(keyOf(this.from, secretType));
    return [...all.values()].flatMap(({ tokenAddress, secretType: chain }) => {
      const asset =
        side === 'to' && onlyTo && chain !== onlyTo ? undefined : this.assetOf(tokenAddress, chain);
      return asset ? { ...asset, chain } : [];
    });
  }

  choose(side: Side, { address = '', chain }: Choice): void {
    const other = side === 'from' ? 'to' : 'from';
    const before = this[side] ?? '';
    this[side] = address;
    if (side === 'to') this.toChain = chain;
    // The other side had this token: the two sides swap theirs.
    if (!this.crosses && same(this[other], address)) this[other] = before;
    this.settle();
  }

  /** Replaces an output that has no pair with the input. */
  settle(): void {
    const { to, from, outputChain } = this;
    const choices = this.choices('to');
    const isFit = ({ address = '', chain }: Choice) => same(address, to) && chain === outputChain;
    const stays =
      to !== undefined &&
      (this.crosses || !same(to, from)) &&
      (this.pairs === undefined || choices.some(isFit));
    if (!stays) {
      const choice = choices.find(({ chain }) => chain === outputChain) ?? choices[0];
      this.to = choice && (choice.address ?? '');
      if (choice) this.toChain = choice.chain;
    }
    this.chosen = undefined;
    this.sellOnly = undefined;
    this.errors.clear();
  }

  /** Reverses the swap: what was sold is now bought, and the amount stays with its token. */
  turn(): void {
    if (this.to === undefined) return;
    [this.from, this.to] = [this.to, this.from];
    this.orderType = this.orderType === 'SELL' ? 'BUY' : 'SELL';
    this.chosen = undefined;
    this.errors.clear();
  }

  get amount(): string {
    return typedAmount(this.value);
  }

  /** Parts per million; undefined if it is not a percentage from 0.01 to 50. */
  get ppm(): bigint | undefined {
    try {
      const ppm = parseUnits(this.slippage === 'custom' ? typedAmount(this.custom) : this.slippage, 4);
      return ppm >= 100n && ppm <= MILLION / 2n ? ppm : undefined;
    } catch {
      return undefined;
    }
  }

  /** Undefined while a field is missing or the amount is invalid. */
  get query(): RatesQuery | undefined {
    const { wallet, network, from, to, orderType, amount } = this;
    if (!wallet || to === undefined || this.amountError()) return undefined;
    const { id: walletId, secretType } = wallet;
    const { ppm } = this;
    return {
      walletId,
      fromSecretType: secretType,
      toSecretType: this.toChain ?? secretType,
      fromToken: from,
      toToken: to,
      amount,
      orderType,
      // Between chains, the exchange computes the limit.
      ...(this.crosses && ppm !== undefined && { slippage: formatAmount(ppm, 4) }),
      ...(network && { network }),
    };
  }

  /** The worst acceptable amount of the other side: the minimum output or the maximum input. */
  limit({ rawInputAmount = '0', rawOutputAmount = '0', crossChain }: ExchangeRate): bigint {
    if (crossChain) return BigInt(crossChain.rawMinimumOutput);
    const ppm = this.ppm ?? 0n;
    return this.orderType === 'SELL'
      ? (BigInt(rawOutputAmount) * (MILLION - ppm)) / MILLION
      : (BigInt(rawInputAmount) * (MILLION + ppm) + MILLION - 1n) / MILLION;
  }

  body(rate: ExchangeRate): CreateSwap {
    const { walletId, amount: _, ...query } = this.query as RatesQuery & { walletId: string };
    const body: CreateSwap = {
      ...query,
      walletId,
      inputAmount: formatAmount(BigInt(rate.rawInputAmount!), rate.inputDecimals!),
      outputAmount: formatAmount(BigInt(rate.rawOutputAmount!), rate.outputDecimals!),
      exchange: rate.exchange,
      slippage: formatAmount(this.ppm!, 4),
    };
    if (this.destination) body.destinationWalletId = this.destination.id;
    return body;
  }

  /** Returns the first invalid field. `rate`: what the swap would cost. */
  check(rate: ExchangeRate | undefined): Field | undefined {
    this.errors.clear();
    const amount = this.amountError();
    if (amount) this.errors.set(this.exact, amount);
    else if (this.to === undefined && this.pairs) this.errors.set('to', msg('Choose a token.'));
    if (this.crosses && !this.destination)
      this.errors.set('to', msg(str`You need a ${CHAIN_NAMES[this.toChain!]} wallet to receive it.`));
    const short = this.shortError(rate);
    if (short) this.errors.set('from', short);
    if (this.ppm === undefined) this.errors.set('slippage', slippageError());
    return [...this.errors.keys()][0];
  }

  private amountError(): string | undefined {
    const { amount } = this;
    const asset = this.asset(this.exact);
    if (!amount) return msg('Enter an amount.');
    const form = formError(amount);
    if (form) return form;
    try {
      const places = this.crosses ? Math.min(asset?.decimals ?? PLACES, PLACES) : asset?.decimals;
      if (parseUnits(amount, places ?? 255) === 0n) return msg('Enter an amount above 0.');
    } catch {
      if (this.crosses && (asset?.decimals ?? PLACES) >= PLACES)
        return msg(str`Between chains, only ${PLACES} digits after the point count.`);
      return msg(str`${asset!.symbol} has at most ${asset!.decimals!} digits after the point.`);
    }
    return undefined;
  }

  /** The error for an amount above the balance. Shown while it is typed, as soon as the balance is known. */
  shortError(rate: ExchangeRate | undefined): string | undefined {
    const asset = this.asset('from');
    if (!asset || asset.raw === null || asset.decimals === null) return undefined;
    let need: bigint;
    try {
      if (this.orderType === 'SELL') need = parseUnits(this.amount, asset.decimals);
      else if (rate) need = this.limit(rate);
      else return undefined;
    } catch {
      return undefined;
    }
    if (need <= asset.raw) return undefined;
    return msg(str`You have ${`${rowFigure(asset as Figure)} ${asset.symbol}`}.`);
  }

  /** The whole balance, less the reserve for fees. */
  get maxSpendable(): string | undefined {
    const asset = this.asset('from');
    if (!asset || asset.raw === null || asset.decimals === null) return undefined;
    const rest = asset.raw - (this.reserve ? parseUnits(this.reserve, asset.decimals) : 0n);
    const unit = 10n ** BigInt(this.crosses ? Math.max(0, asset.decimals - PLACES) : 0);
    return formatAmount(rest > 0n ? rest - (rest % unit) : 0n, asset.decimals);
  }

  /** What Max leaves for the fees, if they are paid in the same coin: until the network's are known, what is usual on the chain. */
  get reserve(): string | undefined {
    if (this.from !== '' || !this.wallet) return undefined;
    const { coin, contracts, gasCoin, reserve } = CARDS[this.wallet.secretType];
    if (gasCoin) return undefined;
    const { decimals } = coin;
    if (!this.transferFee) return reserve.swap ?? reserve.transfer;
    const raw = this.transferFee * (contracts ? SWAP_GAS : DEPOSIT_GAS);
    return formatAmount(rounded({ raw, decimals }, 'up').raw, decimals);
  }
}

function same(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && one.toLowerCase() === other?.toLowerCase();
}

function keyOf(address: string, chain: SecretType): string {
  return `${chain} ${address.toLowerCase()}`;
}

/** `2.5%`, as the language writes it. */
export const percentText = (percent: number): string =>
  numbers({ style: 'percent', maximumFractionDigits: 4 }).format(percent / 100);

/** A price impact, in percent. */
export const impactText = (impact: number): string =>
  impact < 0.01 ? msg(str`less than ${percentText(0.01)}`) : percentText(impact);

export const slippageError = (): string =>
  msg(str`Enter a percentage from ${numbers().format(0.01)} to ${numbers().format(50)}.`);

/** `1,802.11 USDC`, never rounded in the user's favour: what comes in is rounded down, what goes out up. */
export function amountLabel(raw: bigint, decimals: number, symbol: string, direction: 'down' | 'up'): string {
  return `${rowFigure({ raw, decimals }, direction)} ${symbol}`;
}

/** The amount by which rates are compared: the output of a sale, the input of a purchase. */
export function otherAmount(rate: ExchangeRate): { raw: bigint; decimals: number; side: Side } {
  return rate.orderType === 'SELL'
    ? { raw: BigInt(rate.rawOutputAmount!), decimals: rate.outputDecimals!, side: 'to' }
    : { raw: BigInt(rate.rawInputAmount!), decimals: rate.inputDecimals!, side: 'from' };
}
