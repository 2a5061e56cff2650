/** The wallet's own Swap: the form of `<swap-panel>` without a site, and an approval for each of its transactions. */
import type { CreateSwap, ExchangeRates, RatesQuery, TradingPair } from '../../api/swap.ts';
import type { NativeBalance, TokenBalance } from '../../api/wallet.ts';
import { formatAmount } from '../../base/amount.ts';
import { ConnectError, UserRejectedError } from '../../base/errors.ts';
import type { Chain } from '../../chains/chain.ts';
import type { Network } from '../../chains/network.ts';
import { networkOn, networksOf } from '../../chains/nodes/networks.ts';
import type { NativeTransaction } from '../../chains/requests.ts';
import type { Payloads } from '../../chains/requests/payloads.ts';
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

export const hasExchanges = ({ exchanges }: Network): boolean => !!exchanges?.length;

/**
 * Resolves once something was swapped and the user has seen the outcome, or on Back. `first`: the wallet preselected, which is on a network
 * that has exchanges. `networkId`: the network preselected.
 */
export async function swap(
  frame: Frame,
  vault: Vault,
  first: HeldWallet,
  options: OpenOptions,
  networkId?: string,
): Promise<void> {
  const { secretType } = first;
  const [chain, payloads, wallets] = await Promise.all([
    frame.chain(secretType),
    frame.payloads(secretType),
    vault.wallets({ secretType, now: true }),
  ]);
  const places = networksOf(frame.networks, first).filter(hasExchanges);
  const view = Object.assign(new SwapView(), {
    clock: frame.clock,
    current: new OwnReads(frame, chain, wallets),
    linked: wallets,
    places,
    network: (places.find(({ id }) => id === networkId) ?? places[0]!).id,
  });
  const holds = new Map(wallets.map((one) => [one.id, networksOf(frame.networks, one).map(({ id }) => id)]));
  view.has = ({ id }) => holds.get(id)!.includes(view.network);
  view.from(first);
  const prices = watchPrices(frame, view);
  const form = new OpenSwap({ frame, vault, chain, payloads, wallets }, view, options);
  try {
    await form.run();
  } finally {
    prices?.stop();
  }
}

interface On {
  frame: Frame;
  vault: Vault;
  chain: Chain;
  payloads: Payloads;
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
    const { frame, vault, chain, payloads, wallets } = this.#on;
    const from = wallets.find(({ id }) => id === wallet.id)!;
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

/** What the form reads, for wallets of one chain. */
class OwnReads implements SwapReads {
  readonly #frame: Frame;
  readonly #chain: Chain;
  readonly #wallets: readonly HeldWallet[];

  constructor(frame: Frame, chain: Chain, wallets: readonly HeldWallet[]) {
    this.#frame = frame;
    this.#chain = chain;
    this.#wallets = wallets;
  }

  #at(walletId: string, network: string | null | undefined): { wallet: HeldWallet; node: Node } {
    const wallet = this.#wallets.find(({ id }) => id === walletId)!;
    return { wallet, node: this.#chain.node(networkOn(this.#frame.networks, wallet, network)) };
  }

  async balance(id: string, { network }: { network?: string } = {}): Promise<NativeBalance> {
    const { wallet, node } = this.#at(id, network);
    return this.#chain.balance(wallet.address, node);
  }

  async tokenBalances(id: string, { network }: { network?: string } = {}): Promise<TokenBalance[]> {
    const { wallet, node } = this.#at(id, network);
    return this.#chain.tokenBalances(wallet.address, node.network.tokens, node);
  }

  async tokenBalance(
    id: string,
    token: string,
    { network }: { network?: string } = {},
  ): Promise<TokenBalance> {
    const { wallet, node } = this.#at(id, network);
    const [balance] = await this.#chain.tokenBalances(
      wallet.address,
      [await this.#chain.token(token, node)],
      node,
    );
    return balance!;
  }

  async maxSpendable(id: string, to?: string, { network }: { network?: string } = {}): Promise<string> {
    const { wallet, node } = this.#at(id, network);
    const raw = await this.#chain.maxSpendable!(wallet.address, to, node);
    return formatAmount(raw, this.#chain.coin.decimals);
  }

  async swapPairs(id: string, { network }: { network?: string } = {}): Promise<TradingPair[]> {
    const { secretType } = this.#at(id, network).wallet;
    return pairs(this.#frame, { secretType, network });
  }

  async swapRates({ network, ...query }: RatesQuery): Promise<ExchangeRates> {
    return rates(this.#frame, { query, network: network ?? undefined });
  }

  async createSwap({ network, ...body }: CreateSwap): Promise<NativeTransaction[]> {
    const { address } = this.#at(body.walletId, network).wallet;
    const recipient = body.destinationWalletId
      ? this.#at(body.destinationWalletId, network).wallet.address
      : address;
    return create(this.#frame, { body, address, recipient, network: network ?? undefined });
  }

  async preload(): Promise<void> {}
}

function watchPrices(frame: Frame, view: SwapView): { stop(): void } | undefined {
  return watchWorth(frame, () => {
    view.priceOf = (_, { address: token, decimals, raw, symbol }) => {
      const network = view.places.find(({ id }) => id === view.network);
      if (!network || !raw || decimals === null) return undefined;
      return pricesOf(frame)?.worth(network, { raw, decimals, symbol, ...(token && { token }) });
    };
  });
}
