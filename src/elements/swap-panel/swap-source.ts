/** The swap form's data: the chosen wallet, its balances and tokens, and the exchanges' answers. No rendering. */
import type { ConnectError } from '../../base/errors.ts';
import type { ExchangeRate } from '../../api/swap.ts';
import type { Wallet } from '../../api/wallet.ts';
import { CARDS, type SecretType } from '../../chains/secret-type.ts';
import { parseUnits } from '../../base/amount.ts';
import { shortText } from '../../ui/address.ts';
import { msg } from '../../base/localize.ts';
import { adopt } from '../view.ts';
import { ignore } from '../connect-element.ts';
import type { PageNetwork } from '../page-network.ts';
import type { RateWatch } from './rate-watch.ts';
import { SwapFields } from './swap-fields.ts';
import type { SwapOffers } from './swap-offers.ts';
import type { SwapPanel } from './swap-panel.ts';
import type { Run } from './swap-run.ts';
import { tokenOf } from '../../ui/assets.ts';
import { fieldText } from '../../ui/amount-text.ts';

const PRESETS = ['fromToken', 'toToken', 'amount', 'orderType'] as const;
const chainOf = (type: string | undefined) => type?.toUpperCase() as SecretType | undefined;

export class SwapSource {
  readonly fields = new SwapFields();
  /** The pairs could not be read. */
  unreachable = false;
  offers: SwapOffers | undefined;
  /** Loaded if the page has set a network. */
  #pageNetwork: PageNetwork | undefined;
  #loading = false;
  #presets = '';

  constructor(
    readonly host: SwapPanel,
    readonly watch: RateWatch,
  ) {}

  /** On the network that the page has set. */
  get #linked(): Wallet[] {
    return (this.host.linked ?? []).filter((each) => this.#pageNetwork?.has(each) ?? true);
  }

  /** Wallets that can pay. */
  get wallets(): Wallet[] {
    const type = chainOf(this.host.fromSecretType);
    return this.#linked.filter(({ id, secretType }) =>
      this.host.walletId
        ? id === this.host.walletId
        : type
          ? secretType === type
          : CARDS[secretType].contracts,
    );
  }

  /** Wallets that can receive. */
  get destinations(): Wallet[] {
    const type = chainOf(this.host.toSecretType) ?? this.fields.wallet?.secretType;
    return this.#linked.filter(({ secretType }) => secretType === type);
  }

  get rate(): ExchangeRate | undefined {
    const { rates, stale } = this.watch;
    if (!rates || stale) return undefined;
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
    import('./swap-offers.ts').then(
      ({ SwapOffers, swapOffersStyles }) => {
        adopt(this.host.renderRoot, swapOffersStyles);
        this.offers = new SwapOffers(this);
        this.host.requestUpdate();
      },
      () => {
        this.#loading = false;
      },
    );
  }

  #followNetwork(): void {
    const { host } = this;
    if (this.#pageNetwork) this.#pageNetwork.follow(chainOf(host.fromSecretType));
    else if (host.network)
      import('../page-network.ts').then(({ PageNetwork }) => {
        this.#pageNetwork ??= new PageNetwork(host, 'executeAll');
        host.requestUpdate();
      }, ignore);
  }

  get #options(): { network?: string } {
    const { network } = this.fields;
    return network ? { network } : {};
  }

  /** Before each update: takes over what the page or the user has chosen, or a default. */
  follow(): void {
    this.#followNetwork();
    const { fields, host, wallets } = this;
    this.#loadOffers();
    const presets = JSON.stringify(PRESETS.map((name) => String(host[name] ?? '')));
    if (presets !== this.#presets) {
      this.#presets = presets;
      this.#start();
    }
    const id = host.walletId ?? fields.wallet?.id;
    const wallet =
      wallets.find((each) => each.id === id) ?? wallets.find(({ primary }) => primary) ?? wallets[0];
    if (wallet?.id !== fields.wallet?.id || host.network !== fields.network) this.choose(wallet);
    const destinationId = host.destinationWalletId ?? fields.destination?.id;
    fields.destination = this.destinations.find(
      (each) => each.id === destinationId && each.id !== wallet?.id,
    );
    this.watch.follow(fields.query);
  }

  /** Applies the page's initial values. */
  #start(): void {
    const { fields, host } = this;
    fields.from = host.fromToken ?? '';
    fields.to = host.toToken ?? undefined;
    fields.orderType = host.orderType?.toUpperCase() === 'BUY' ? 'BUY' : 'SELL';
    fields.value = fieldText(String(host.amount ?? ''));
    fields.settle();
    for (const address of [fields.from, fields.to]) if (address) this.describe(address);
  }

  /** Restores the form of a run, to try again. */
  restore({ saved }: Run): void {
    const { destination, ...rest } = saved;
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
    if (before) Object.assign(fields, { from: '', to: undefined, chosen: undefined });
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

  loadPairs({ id }: Wallet): void {
    const { fields, host } = this;
    this.unreachable = false;
    this.#forWallet(
      host.current.swapPairs(id, this.#options),
      (pairs) => {
        fields.pairs = pairs;
        if (host.fromToken == null && !fields.choices('from').some(({ address }) => !address))
          fields.from = fields.choices('from')[0]?.address ?? '';
        if (fields.to === undefined) fields.settle();
      },
      (error) => {
        // A network that is none of the wallet's: `PageNetwork` says so.
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
    if (!CARDS[fields.wallet.secretType].gasCoin)
      this.#forWallet(
        Promise.all([reading, host.current.maxSpendable(id, undefined, this.#options)]),
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
