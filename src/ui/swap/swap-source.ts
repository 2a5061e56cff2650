/** The swap form's data: the chosen wallet, its balances and tokens, and the exchanges' answers. No rendering. */
import type { nothing, ReactiveControllerHost, TemplateResult } from 'lit';
import type { ConnectError } from '../../base/errors.ts';
import type {
  CreateSwap,
  ExchangeRate,
  ExchangeRates,
  OrderType,
  RatesQuery,
  TradingPair,
} from '../../api/swap.ts';
import type { NativeBalance, TokenBalance, Wallet } from '../../api/wallet.ts';
import { CARDS, type SecretType } from '../../chains/secret-type.ts';
import { parseUnits } from '../../base/amount.ts';
import { shortText } from '../address.ts';
import { msg } from '../../base/localize.ts';
import type { NativeTransaction } from '../../chains/requests.ts';
import { adopt } from '../parts.ts';
import type { Worth } from '../../prices/prices.ts';
import type { RateWatch } from './rate-watch.ts';
import type { Choices } from '../combobox.ts';
import { type Choice, type Side, SwapFields } from './swap-fields.ts';
import type { SwapOffers } from './swap-offers.ts';
import { type Asset, tokenOf } from '../assets.ts';
import { fieldText, type Figure } from '../amount-text.ts';

const ignore = (): void => {};

/** On the wallet's default network, or on this one. */
interface On {
  network?: string;
}

/** Where the form's data comes from: as of `Connect`, by the id of a wallet. */
export interface SwapReads {
  balance(walletId: string, on?: On): Promise<NativeBalance>;
  tokenBalances(walletId: string, on?: On): Promise<TokenBalance[]>;
  tokenBalance(walletId: string, token: string, on?: On): Promise<TokenBalance>;
  maxSpendable(walletId: string, to?: string, on?: On & { data?: string }): Promise<string>;
  /** The networks of a wallet, its default one first. */
  networks(walletId: string): Promise<readonly { id: string; name: string }[]>;
  swapPairs(walletId: string, on?: On): Promise<TradingPair[]>;
  swapRates(query: RatesQuery): Promise<ExchangeRates>;
  createSwap(body: CreateSwap): Promise<NativeTransaction[]>;
  /** Loads what requests of the chain need. */
  preload(secretType: SecretType): Promise<unknown>;
}

/** What shows the form: its attributes are initial values, and what they leave open is the user's choice. */
export interface SwapHost extends ReactiveControllerHost {
  readonly renderRoot: HTMLElement | DocumentFragment;
  readonly current: SwapReads;
  /** All wallets to choose from. */
  readonly linked: readonly Wallet[] | undefined;
  readonly walletId?: string | undefined;
  readonly fromSecretType?: SecretType | undefined;
  readonly toSecretType?: SecretType | undefined;
  readonly network: string | undefined;
  readonly fromToken?: string | null | undefined;
  readonly toToken?: string | null | undefined;
  readonly amount?: string | number | bigint | undefined;
  readonly orderType?: OrderType | undefined;
  readonly destinationWalletId?: string | undefined;
}

/** The current value of an amount on the form's network, in the user's currency; undefined without a price. */
export type ValueOf = (wallet: Wallet, amount: Asset) => Worth | undefined;

/** What an element and the wallet do in different ways. */
export interface SwapWays {
  /** Whether a wallet is on the network. */
  has(wallet: Wallet): boolean;
  /** Loaded with the rates. */
  values(): Promise<ValueOf>;
  /** Draws what a wallet holds. */
  held(amount: Figure): TemplateResult;
  /** The way to a wallet of a chain, for a user who has none. */
  linkTo(chain: SecretType): unknown;
  /** Called before a wallet of another chain is chosen. */
  enter?(wallet: Wallet): void;
}

/** What is shown of a swap to another chain. */
export interface Between {
  /** The wallet that receives, with its whole address; or what to do if there is none. */
  receiver(): TemplateResult;
  /** The terms of an offer, and the risk. */
  totals(rate: CrossChainRate, networkFee: unknown, price: unknown): TemplateResult;
  /** That an exchange cannot be used now, instead of its rate. Nothing if that is not the reason. */
  unavailable(rates: ExchangeRates): TemplateResult | typeof nothing;
}
export type CrossChainRate = ExchangeRate & { crossChain: NonNullable<ExchangeRate['crossChain']> };

/** The coins and tokens of all linked wallets. */
export interface Assets {
  /** Asks for pairs and balances. What does not answer is shown as it was, or without an amount. */
  read(): void;
  choices(side: Side): Choices<Choice>;
  /** Swaps the two sides of a swap to another chain: the wallet that receives now pays. Undefined if it cannot. */
  readonly turn: (() => void) | undefined;
}

/** A form's contents, to try again. */
export type SavedForm = Pick<SwapFields, 'from' | 'to' | 'orderType' | 'value' | 'slippage' | 'custom'> & {
  destination?: string | undefined;
  /** Absent in records of older versions. */
  toChain?: SecretType | undefined;
};

/** As long as a memo can be. */
const MEMO = '='.repeat(80);

const PRESETS = ['fromToken', 'toToken', 'amount', 'orderType'] as const;
export const chainOf = (type: string | undefined) => type?.toUpperCase() as SecretType | undefined;

export class SwapSource {
  readonly fields = new SwapFields();
  /** The pairs could not be read. */
  unreachable = false;
  offers: SwapOffers | undefined;
  /** What is shown of a swap to another chain: loaded with the first one, and needed for its review. */
  between: Between | undefined;
  /** What linked wallets hold on all chains: loaded with the first list. */
  assets: Assets | undefined;
  #loading = false;
  #loadingBetween: Promise<void> | undefined;
  #presets = '';
  /** The amount that was last to be sold. */
  #sold = '';

  constructor(
    readonly host: SwapHost,
    readonly watch: RateWatch,
    readonly ways: SwapWays,
  ) {}

  /** Wallets that may pay, of all chains. */
  get payers(): Wallet[] {
    const { fromSecretType, linked = [], walletId } = this.host;
    const type = chainOf(fromSecretType);
    return linked.filter(
      (each) => this.ways.has(each) && (walletId ? each.id === walletId : !type || each.secretType === type),
    );
  }

  /** Those of the chosen wallet's chain. */
  get wallets(): Wallet[] {
    return this.payers.filter(({ secretType }) => secretType === this.fields.wallet?.secretType);
  }

  /** Wallets that can receive. */
  get destinations(): Wallet[] {
    const { crosses, outputChain } = this.fields;
    return (this.host.linked ?? []).filter(
      (each) => each.secretType === outputChain && (crosses || this.ways.has(each)),
    );
  }

  get rate(): ExchangeRate | undefined {
    const { rates, stale } = this.watch;
    if (!rates || stale || (this.fields.crosses && !this.between)) return undefined;
    const { chosen } = this.fields;
    return rates.exchangeRates.find(({ exchange }) => exchange === chosen) ?? this.best;
  }

  /** The best rate after the network fee, or before it while the fee is unknown. */
  get best(): ExchangeRate | undefined {
    return this.offers?.best ?? this.watch.rates?.bestRate ?? undefined;
  }

  /** Once the form is on screen, loads the code that shows rates. */
  #loadOffers(): void {
    if (this.#loading) return;
    this.#loading = true;
    Promise.all([import('./swap-offers.ts'), this.ways.values()]).then(
      ([{ SwapOffers, swapOffersStyles }, valueOf]) => {
        adopt(this.host.renderRoot, swapOffersStyles);
        this.offers = new SwapOffers(this, valueOf);
        this.host.requestUpdate();
      },
      () => {
        this.#loading = false;
      },
    );
  }

  get #options(): { network?: string } {
    const { network } = this.fields;
    return network ? { network } : {};
  }

  async loadAssets(): Promise<void> {
    const { SwapAssets } = await import('./swap-assets.ts');
    this.assets ??= new SwapAssets(this);
    this.assets.read();
  }

  async #loadBetween(): Promise<void> {
    const [{ BetweenChains, betweenChainsStyles }] = await Promise.all([
      import('./between-chains.ts'),
      this.loadAssets(),
    ]);
    adopt(this.host.renderRoot, betweenChainsStyles);
    this.between ??= new BetweenChains(this);
    this.host.requestUpdate();
  }

  /** Before each update: takes over what the page or the user has chosen, or a default. */
  follow(): void {
    const { fields, host, payers } = this;
    this.#loadOffers();
    fields.onlyTo = chainOf(host.toSecretType);
    const presets = JSON.stringify(PRESETS.map((name) => String(host[name] ?? '')));
    if (presets !== this.#presets) {
      this.#presets = presets;
      this.#start();
    }
    const id = host.walletId ?? fields.wallet?.id;
    const wallet = payers.find((each) => each.id === id) ?? firstOf(payers);
    if (wallet?.id !== fields.wallet?.id || host.network !== fields.network) this.choose(wallet);
    const { destinations } = this;
    const destinationId = host.destinationWalletId ?? fields.destination?.id;
    fields.destination = destinations.find((each) => each.id === destinationId && each.id !== wallet?.id);
    if (fields.crosses) {
      fields.destination ??= firstOf(destinations);
      if (!this.#loadingBetween)
        this.#loadingBetween = this.#loadBetween().catch(() => {
          this.#loadingBetween = undefined;
        });
    }
    this.#sellOnly();
    this.watch.follow(fields.query);
  }

  /** Goes back to what is sold if no exchange takes an exact output. */
  #sellOnly(): void {
    const { fields, host, watch } = this;
    if (fields.orderType === 'SELL') this.#sold = fields.value;
    const { bestRate, noRates } = (!watch.stale && watch.rates) || {};
    const reason = !bestRate && noRates?.find(({ code }) => code.endsWith('.sell-only'));
    if (fields.orderType === 'SELL' || !reason) return;
    Object.assign(fields, { orderType: 'SELL', value: this.#sold, sellOnly: reason.exchange });
    host.updateComplete.then(() => host.renderRoot.querySelector<HTMLElement>('#from')?.focus(), ignore);
  }

  /** Applies the page's initial values. */
  #start(): void {
    const { fields, host } = this;
    fields.from = host.fromToken ?? '';
    fields.to = host.toToken ?? undefined;
    const receiver = host.linked?.find(({ id }) => id === host.destinationWalletId);
    fields.toChain = chainOf(host.toSecretType) ?? receiver?.secretType;
    fields.orderType = host.orderType?.toUpperCase() === 'BUY' ? 'BUY' : 'SELL';
    fields.value = fieldText(String(host.amount ?? ''));
    fields.settle();
    for (const address of [fields.from, fields.to]) if (address) this.describe(address);
  }

  restore({ destination, ...rest }: SavedForm): void {
    Object.assign(this.fields, rest);
    this.fields.destination = this.destinations.find(({ id }) => id === destination);
  }

  choose(wallet: Wallet | undefined): void {
    const { fields, host } = this;
    const before = fields.wallet;
    fields.wallet = wallet;
    fields.network = host.network;
    Object.assign(fields, { balance: undefined, transferFee: undefined, tokens: [], pairs: undefined });
    fields.unlisted.clear();
    fields.errors.clear();
    this.unreachable = false;
    // Tokens differ between chains, and between networks of one chain.
    if (before)
      Object.assign(fields, {
        from: '',
        to: undefined,
        toChain: fields.onlyTo,
        chosen: undefined,
        sellOnly: undefined,
      });
    if (!wallet) return;
    host.current.preload(wallet.secretType).catch(ignore);
    this.refreshBalances();
    this.loadPairs(wallet);
    for (const address of [fields.from, fields.to]) if (address) this.describe(address);
  }

  /** Applies an answer about the chosen wallet to the form, unless another wallet or network has been chosen meanwhile. */
  #forWallet<T>(
    promise: Promise<T>,
    change: (value: T) => void,
    fail: (error: unknown) => void = ignore,
  ): void {
    const { wallet, network } = this.fields;
    const ifSame = (run: () => void) => {
      if (this.fields.wallet === wallet && this.fields.network === network) run();
      this.host.requestUpdate();
    };
    promise.then(
      (value) => ifSame(() => change(value)),
      (error: unknown) => ifSame(() => fail(error)),
    );
  }

  loadPairs({ id, secretType, walletType }: Wallet): void {
    const { fields, host } = this;
    this.unreachable = false;
    this.#forWallet(
      host.current.swapPairs(id, this.#options),
      (pairs) => {
        // Another program may leave out the data that says what the coins are for.
        fields.pairs =
          walletType === 'EXTERNAL' ? pairs.filter(({ to }) => to.secretType === secretType) : pairs;
        if (host.fromToken == null && !fields.from && !fields.choices('from').some(({ address }) => !address))
          fields.from = fields.choices('from')[0]?.address ?? '';
        if (fields.to === undefined) fields.settle();
      },
      (error) => {
        // A network that is none of the wallet's: an element says so itself.
        this.unreachable = (error as Partial<ConnectError>)?.code !== 'request.invalid';
      },
    );
  }

  refreshBalances(): void {
    const { fields, host } = this;
    if (!fields.wallet) return;
    const { id } = fields.wallet;
    const reading = host.current.balance(id, this.#options);
    this.#forWallet(reading, (balance) => {
      // If no node answers now, the last known balance stays.
      if (balance.available) fields.balance = balance;
    });
    const { data, gasCoin } = CARDS[fields.wallet.secretType];
    const sending = { ...this.#options, ...(data === 'text' && { data: MEMO }) };
    if (!gasCoin)
      this.#forWallet(
        Promise.all([reading, host.current.maxSpendable(id, undefined, sending)]),
        ([{ available, rawBalance, decimals }, most]) => {
          const fee = BigInt(rawBalance) - parseUnits(most, decimals);
          if (available && fee > 0n) fields.transferFee = fee;
        },
      );
    this.#forWallet(host.current.tokenBalances(id, this.#options), (tokens) => {
      fields.tokens = tokens.map(tokenOf);
    });
    for (const address of fields.unlisted.keys()) this.describe(address);
  }

  /** Adds a token that the user named by address. */
  add(address: string): void {
    this.fields.unlisted.set(address, { address, symbol: shortText(address), decimals: null, raw: null });
    this.describe(address);
  }

  /** Reads a token that may be unlisted. */
  describe(address: string): void {
    const { fields, host } = this;
    if (!fields.wallet) return;
    this.#forWallet(
      host.current.tokenBalance(fields.wallet.id, address, this.#options),
      (token) => fields.unlisted.set(address, tokenOf(token)),
      () => {
        const side = fields.from === address ? 'from' : 'to';
        if (fields[side] === address && fields.assetOf(address)?.decimals === null)
          fields.errors.set(side, msg('This is not a token contract on this network.'));
      },
    );
  }
}

/** The user's own choice among those of chains with contracts, which swap without another chain, else among all. */
function firstOf(wallets: readonly Wallet[]): Wallet | undefined {
  const usual = wallets.filter(({ secretType }) => CARDS[secretType].contracts);
  const among = usual.length ? usual : wallets;
  return among.find(({ primary }) => primary) ?? among[0];
}
