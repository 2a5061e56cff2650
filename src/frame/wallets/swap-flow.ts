/** The wallet's own Swap: the form of `<swap-panel>` without a site, and an approval for each of its transactions. */
import type { CreateSwap, ExchangeRates, RatesQuery, TradingPair } from '../../api/swap.ts';
import type { NativeBalance, TokenBalance, Wallet } from '../../api/wallet.ts';
import { formatAmount } from '../../base/amount.ts';
import { hexOf, utf8 } from '../../base/bytes.ts';
import { ConnectError, UserRejectedError } from '../../base/errors.ts';
import type { Chain } from '../../chains/chain.ts';
import type { Network } from '../../chains/network.ts';
import { networkOn, networksOf } from '../../chains/nodes/networks.ts';
import type { NativeTransaction } from '../../chains/requests.ts';
import type { Node, Signed } from '../../chains/terms.ts';
import type { Review } from '../../ui/swap/swap-build.ts';
import type { SwapReads } from '../../ui/swap/swap-source.ts';
import type { HeldWallet, Vault } from '../../wallets/types.ts';
import { approveOwn, assertIncluded, ensureOwnSent } from '../approve/own-transaction-flow.ts';
import { knownTo } from '../approve/prepare.ts';
import { showEnd, watchSending } from '../approve/transact-flow.ts';
import type { Frame } from '../frame.ts';
import { create, pairs, rates } from '../reads/swaps.ts';
import type { OpenOptions } from '../ui/screen.ts';
import { pricesOf, watchWorth } from '../ui/worth.ts';
import { SwapView } from './swap-view.ts';

/**
 * Resolves once something was swapped and the user has seen the outcome, or on Back. `first` and `network`: what is preselected. `trades`:
 * whether something can be swapped on a network.
 */
export async function swap(
  frame: Frame,
  vault: Vault,
  first: HeldWallet,
  options: OpenOptions,
  { network, trades }: { network: Network; trades: (network: Network) => boolean },
): Promise<void> {
  const tradedOf = (wallet: HeldWallet): Network[] => networksOf(frame.networks, wallet).filter(trades);
  const all = await vault.wallets({ now: true });
  const placesById = new Map(all.map((wallet) => [wallet.id, tradedOf(wallet)]));
  const wallets = all.filter(({ id }) => placesById.get(id)!.length > 0);
  const view = Object.assign(new SwapView(), {
    clock: frame.clock,
    current: new OwnReads(frame, wallets),
    linked: wallets,
    places: [...new Set(wallets.flatMap(({ id }) => placesById.get(id)!))],
    placesOf: ({ id }: Wallet) => (placesById.get(id) ?? []).map((place) => place.id),
    network: network.id,
  });
  view.from(first);
  const prices = watchPrices(frame, view);
  const form = new OpenSwap({ frame, vault, wallets }, view, options);
  try {
    await form.run();
  } finally {
    prices?.stop();
  }
}

interface On {
  frame: Frame;
  vault: Vault;
  wallets: readonly HeldWallet[];
}

/** The form, until something was swapped or the user goes back. */
class OpenSwap {
  readonly #on: On;
  readonly #view: SwapView;
  readonly #options: OpenOptions;

  constructor(on: On, view: SwapView, options: OpenOptions) {
    this.#on = on;
    this.#view = view;
    this.#options = options;
  }

  async run(): Promise<void> {
    const { stage } = this.#on.frame;
    const view = this.#view;
    for (;;) {
      const { type, detail } = await stage
        .open(view, { ...this.#options, own: true, settings: false })
        .next('cbf-continue', 'cbf-back');
      if (type === 'cbf-back') return;
      try {
        await this.#carryOut(detail, view.network);
        return;
      } catch (error) {
        if (!(error instanceof ConnectError) || this.#options.signal.aborted) throw error;
        if (!(error instanceof UserRejectedError)) view.error = error;
      }
    }
  }

  /** Each transaction is approved and sent after the one before it is in a block. Rejects if one was not approved. */
  async #carryOut({ wallet, requests }: Review, networkId: string): Promise<void> {
    const { frame, vault, wallets } = this.#on;
    const from = wallets.find(({ id }) => id === wallet.id)!;
    const [chain, payloads] = await Promise.all([
      frame.chain(from.secretType),
      frame.payloads(from.secretType),
    ]);
    const node = chain.node(networkOn(frame.networks, from, networkId));
    const history = await knownTo(frame, vault, from);
    const drafts = requests.map((request) => {
      const parsed = payloads.parse(request);
      return () => chain.prepare(parsed, from.address, node, history);
    });
    const signed: Signed[] = [];
    for (const [index, make] of drafts.entries()) {
      const later = drafts.slice(index + 1);
      const shown = await approveOwn(
        frame,
        {
          vault,
          wallet: from,
          chain,
          node,
          heading: '',
          make,
          ...(drafts.length > 1 && { step: { index, of: drafts.length } }),
          ahead: () => Promise.all(later.map(async (draft) => chain.describe(await draft()))).catch(() => []),
          ...(index > 0 && { assertBefore: () => assertIncluded({ chain, node }, signed) }),
        },
        this.#options,
      );
      signed.push(shown.outgoing.signed);
      // From here on there is no way back to the form: another attempt would swap twice.
      if (!(await ensureOwnSent(frame, shown, this.#options))) return;
      const decided = await watchSending(frame, shown);
      if (decided?.state !== 'confirmed' || !later.length) return showEnd(frame, shown, decided);
    }
  }
}

/** What the form reads, for wallets of all chains. */
class OwnReads implements SwapReads {
  readonly #frame: Frame;
  readonly #wallets: readonly HeldWallet[];

  constructor(frame: Frame, wallets: readonly HeldWallet[]) {
    this.#frame = frame;
    this.#wallets = wallets;
  }

  #wallet(walletId: string): HeldWallet {
    return this.#wallets.find(({ id }) => id === walletId)!;
  }

  async #at(
    walletId: string,
    network: string | null | undefined,
  ): Promise<{ address: string; chain: Chain; node: Node }> {
    const wallet = this.#wallet(walletId);
    const chain = await this.#frame.chain(wallet.secretType);
    const node = chain.node(networkOn(this.#frame.networks, wallet, network));
    return { address: wallet.address, chain, node };
  }

  async networks(id: string): Promise<Network[]> {
    return networksOf(this.#frame.networks, this.#wallet(id));
  }

  async balance(id: string, { network }: { network?: string } = {}): Promise<NativeBalance> {
    const { address, chain, node } = await this.#at(id, network);
    return chain.balance(address, node);
  }

  async tokenBalances(id: string, { network }: { network?: string } = {}): Promise<TokenBalance[]> {
    const { address, chain, node } = await this.#at(id, network);
    return chain.tokenBalances(address, node.network.tokens, node);
  }

  async tokenBalance(
    id: string,
    token: string,
    { network }: { network?: string } = {},
  ): Promise<TokenBalance> {
    const { address, chain, node } = await this.#at(id, network);
    const [balance] = await chain.tokenBalances(address, [await chain.token(token, node)], node);
    return balance!;
  }

  async maxSpendable(
    id: string,
    to?: string,
    { network, data }: { network?: string; data?: string } = {},
  ): Promise<string> {
    const { address, chain, node } = await this.#at(id, network);
    const bytes = data && hexOf(utf8(data));
    return formatAmount(await chain.maxSpendable!(address, to, node, bytes), chain.coin.decimals);
  }

  async swapPairs(id: string, { network }: { network?: string } = {}): Promise<TradingPair[]> {
    const { secretType, network: home } = this.#wallet(id);
    return pairs(this.#frame, { secretType, network: network ?? home });
  }

  async swapRates({ network, ...query }: RatesQuery): Promise<ExchangeRates> {
    return rates(this.#frame, { query, network: network ?? undefined });
  }

  async createSwap({ network, ...body }: CreateSwap): Promise<NativeTransaction[]> {
    const { address } = await this.#at(body.walletId, network);
    const receiver = this.#wallet(body.destinationWalletId ?? body.walletId);
    const recipient = receiver.address;
    if (receiver.secretType === body.fromSecretType) networkOn(this.#frame.networks, receiver, network);
    return create(this.#frame, { body, address, recipient, network: network ?? undefined });
  }

  async preload(): Promise<void> {}
}

function watchPrices(frame: Frame, view: SwapView): { stop(): void } | undefined {
  return watchWorth(frame, () => {
    view.priceOf = (wallet, { address: token, decimals, raw, symbol }) => {
      const ids = view.placesOf(wallet);
      const id = ids.includes(view.network) ? view.network : ids[0];
      const network = view.places.find((place) => place.id === id);
      if (!network || !raw || decimals === null) return undefined;
      return pricesOf(frame)?.worth(network, { raw, decimals, symbol, ...(token && { token }) });
    };
  });
}
