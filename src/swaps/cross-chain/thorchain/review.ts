/** Whether an order that a transaction carries may be signed now, and what it would bring. Of an answer, nothing is used for longer than seconds. */
import { ConnectError } from '../../../base/errors.ts';
import type { Amount } from '../../../chains/coin.ts';
import { tokenAmount } from '../../../chains/contracts/listed-token.ts';
import type { Network } from '../../../chains/network.ts';
import { coinOf } from '../../../chains/secret-type.ts';
import type { Node } from '../../../chains/terms.ts';
import { callerOf } from '../../caller.ts';
import { chainOf, fromThor, NotAvailable, resolveAsset, toThor } from './assets.ts';
import { type CheckedOffer, checkAtTwoNodes, requireFresh, type SentOrder } from './check.ts';
import type { ThorchainEntry } from './entry.ts';
import { formerAllowances, requireCode, requireNoCode } from './ethereum.ts';
import { unavailable } from './exchange.ts';
import type { ThorNodes } from './nodes.ts';
import { isSameAddress, Offers } from './offer.ts';
import type { OrderTerms } from './terms.ts';

/** Where an order is sent, and who is asked about it. */
export interface OrderPlace {
  entry: ThorchainEntry;
  nodes: ThorNodes;
  /** Those of `networks.json`. */
  networks: readonly Network[];
  /** Of the network that it is sent on. */
  node: Node;
  /** A node of one of the networks. */
  reach(network: Network): Promise<Node>;
  sender: string;
}

/** What an order would bring now, without the tricks of its memo. Amounts are of the output, where nothing else is said. */
export interface OrderOutlook {
  network: Network;
  expected: Amount;
  /** The least that it accepts; 0 for anything. */
  minimum: Amount;
  liquidityFee: Amount;
  outboundFee: Amount;
  /** Of the input: what is missing if it comes back. */
  refundFee: Amount;
  /** About how long until the output is sent. */
  seconds: number;
  /** Other contracts of the exchange that may still take the input's token: those of former times. */
  forgotten: readonly { spender: string; allowed: Amount }[];
}

/** One order, from when it is first shown until it is signed. */
export class OrderGuard {
  readonly #place: OrderPlace;
  readonly #terms: OrderTerms;
  readonly #offers: Offers;
  /** In milliseconds since 1970: too long after it, the order needs another approval. */
  readonly #since: number;
  #answer: Promise<CheckedOffer> | undefined;

  constructor(place: OrderPlace, terms: OrderTerms) {
    this.#place = place;
    this.#terms = terms;
    this.#offers = new Offers(place.nodes);
    this.#since = place.nodes.clock.date();
  }

  /**
   * Undefined for a memo that cannot be read, of which only the address to send to is checked. Throws `swap.<dex>.unavailable`, and
   * `node.unreachable`, with `details.secretType` if it is the recipient's chain that does not answer.
   */
  async outlook(): Promise<OrderOutlook | undefined> {
    return this.#refusing(async () => {
      const { offer } = await this.#check();
      return offer.to === undefined ? undefined : this.#outlookFor(offer, offer.to);
    });
  }

  /** Begins to ask whether it may be signed now, for `assertOpen`. */
  ask(): void {
    this.#answer = this.#check();
    this.#answer.catch(() => {});
  }

  /** Right before it is signed. Takes what `ask` began, unless that is too old. Throws as `outlook` does. */
  async assertOpen(): Promise<void> {
    await this.#refusing(async () => {
      const { clock } = this.#place.nodes;
      const isOld = ({ at }: CheckedOffer): boolean => clock.date() - at > ANSWERS_KEPT_MS;
      let checked = await (this.#answer ?? this.#check());
      if (isOld(checked)) checked = await this.#check();
      requireFresh(checked, clock.date());
    });
  }

  async #refusing<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw error instanceof NotAvailable ? unavailable(this.#place.entry.name, error) : error;
    }
  }

  async #check(): Promise<CheckedOffer> {
    const [checked] = await Promise.all([
      this.#checkAtTwo(),
      this.#requireCode(),
      this.#requirePlainRecipient(),
    ]);
    return checked;
  }

  /** A node that does not answer gives its place to the next. */
  async #checkAtTwo(): Promise<CheckedOffer> {
    const { entry, nodes } = this.#place;
    for (let spare = entry.nodes.length - 2; ; spare--)
      try {
        return await checkAtTwoNodes(await this.#sent(), nodes, entry.routers);
      } catch (error) {
        if (spare <= 0 || !(error instanceof NotAvailable) || error.reason !== 'nodes') throw error;
      }
  }

  async #sent(): Promise<SentOrder> {
    const { vault, router, expiry, input } = this.#terms;
    const from = this.#place.entry.assets.find(
      ({ network, token }) =>
        network === this.#terms.network && isSameAddress(token ?? '', input.token ?? ''),
    );
    if (!from || input.decimals === null)
      throw new NotAvailable('pool', 'What is sent is nothing that networks.json lists for it.');
    if (router !== undefined && expiry === undefined)
      throw new NotAvailable(
        'router',
        'The call is not one that THORChain’s contract takes with a deadline.',
      );
    if (expiry !== undefined && Number(expiry) * 1000 - this.#place.nodes.clock.date() > LONGEST_DEADLINE_MS)
      throw new NotAvailable('vault', 'It could be sent so late that its vault is gone by then.');
    return {
      from: from.name,
      to: await this.#bought(),
      amount: toThor(input.raw, input.decimals),
      vault,
      router,
      // Nothing but the age of the approval ends what has no deadline.
      expiry: expiry === undefined ? Number.POSITIVE_INFINITY : Number(expiry),
      minimum: undefined,
      at: this.#since,
    };
  }

  /** THORChain's full name of it. A name that is not that of a coin means what the pools of two nodes say. */
  async #bought(): Promise<string | undefined> {
    const { memo } = this.#terms;
    if ('unreadable' in memo || memo.recipient === undefined) return undefined;
    const chain = chainOf(memo.asset);
    if (!chain) throw new NotAvailable('pool', `The wallet does not have the chain of ${memo.asset}.`);
    if (memo.asset === chain.coin) return memo.asset;
    const [one, other] = await this.#place.nodes.two((node) => node.pools());
    const asset = resolveAsset(memo.asset, one);
    if (asset !== resolveAsset(memo.asset, other))
      throw new NotAvailable(
        'nodes-differ',
        `Two nodes of THORChain take ${memo.asset} for different assets.`,
      );
    if (asset === undefined) throw new NotAvailable('pool', `There is no pool of ${memo.asset}.`);
    return asset;
  }

  /** On Ethereum: the contract is the one that was listed, the sender is one that THORChain notices, and a refund can be paid to whom it goes. */
  async #requireCode(): Promise<void> {
    const { router, network } = this.#terms;
    if (router === undefined) return;
    const { entry, node, sender } = this.#place;
    const listed = entry.routers.find(
      (each) => each.network === network && isSameAddress(each.address, router),
    );
    if (!listed) throw new NotAvailable('router', 'The contract is none that networks.json lists.');
    const { memo } = this.#terms;
    const refundTo = 'unreadable' in memo ? undefined : memo.refundTo;
    await Promise.all([
      requireCode(listed, node),
      requireNoCode(sender, node),
      // What is no address of Ethereum is as good as none: a refund goes to the sender.
      ADDRESS.test(refundTo ?? '') && requireNoCode(refundTo!, node),
    ]);
  }

  /** On Ethereum: one that can be paid as the exchange pays. */
  async #requirePlainRecipient(): Promise<void> {
    const { memo } = this.#terms;
    if ('unreadable' in memo || memo.recipient === undefined) return;
    const chain = chainOf(memo.asset);
    if (!chain?.hasRouter) return;
    const { entry, networks, reach } = this.#place;
    const listed = entry.assets.find(({ name }) => chainOf(name) === chain);
    const network = networks.find(({ id }) => id === listed?.network);
    if (!network) throw new NotAvailable('pool', `networks.json lists no network of ${memo.asset}.`);
    try {
      await requireNoCode(memo.recipient, await reach(network));
    } catch (error) {
      throw error instanceof ConnectError && error.code === 'node.unreachable'
        ? ofChain(network, error)
        : error;
    }
  }

  async #outlookFor({ from, amount }: SentOrder, to: string): Promise<OrderOutlook> {
    const { entry, networks } = this.#place;
    const { input, memo } = this.#terms;
    const listed = entry.assets.find(({ name }) => name === to);
    const network = networks.find(({ id }) => id === listed?.network);
    if (!network) throw new NotAvailable('pool', `networks.json lists no ${to}.`);
    const [{ price, refundFee, seconds }, forgotten] = await Promise.all([
      this.#offers.estimate({ from, to, amount, slippage: 0n }),
      this.#forgotten(),
    ]);
    const token = listed?.token;
    const amountOf = (raw: bigint): Amount => {
      const whole = token === undefined ? { raw, ...coinOf(network) } : tokenAmount(raw, token, network);
      return { ...whole, raw: fromThor(raw, whole.decimals ?? 0) };
    };
    return {
      network,
      expected: amountOf(price.output),
      minimum: amountOf('unreadable' in memo ? 0n : memo.limit),
      liquidityFee: amountOf(price.liquidityFee),
      outboundFee: amountOf(price.outboundFee),
      refundFee: { ...input, raw: fromThor(refundFee, input.decimals ?? 0) },
      seconds: seconds.inbound + seconds.outbound,
      forgotten,
    };
  }

  async #forgotten(): Promise<OrderOutlook['forgotten']> {
    const { entry, node, sender } = this.#place;
    const { router, network, input } = this.#terms;
    const { token } = input;
    if (router === undefined || token === undefined) return [];
    const routers = entry.routers.filter((each) => each.network === network);
    const caller = (await callerOf('ETHEREUM', node))!;
    const former = await formerAllowances({ routers, router, token, owner: sender }, caller);
    return former.map(({ spender, allowed }) => ({ spender, allowed: { ...input, raw: allowed } }));
  }
}

/** The same error, which says that it is not of the network that the order is sent on. */
function ofChain({ secretType }: Network, error: ConnectError): ConnectError {
  const { code, shortMessage, details } = error;
  return new ConnectError(code, shortMessage, { ...details, secretType }, { cause: error });
}

const ADDRESS = /^0x[0-9a-f]{40}$/i;

/** Less than what counts, so that signing itself still has time. */
const ANSWERS_KEPT_MS = 15_000;
/** Vaults change every few days, and one that has just changed still takes what arrives within hours. The wallet's own deadline is 15 minutes. */
const LONGEST_DEADLINE_MS = 60 * 60_000;
