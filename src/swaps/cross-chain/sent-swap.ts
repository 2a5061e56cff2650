/** A swap between chains whose coins were sent, as it is stored and answered, and what becomes of it. */
import * as z from 'zod/mini';
import { CrossChainSwap, moneyIn } from '../../api/history.ts';
import type { Chain } from '../../chains/chain.ts';
import type { Amount } from '../../chains/coin.ts';
import type { Network, Networks } from '../../chains/network.ts';
import { tokenAmount } from '../../chains/contracts/listed-token.ts';
import { CARDS, coinOf, type SecretType } from '../../chains/secret-type.ts';
import type { Node } from '../../chains/terms.ts';
import { thorchainsOf } from './entry.ts';
import type { ThorchainEntry } from './thorchain/entry.ts';
import { chainOf, fromThor, readAsset, THOR_DECIMALS } from './thorchain/assets.ts';
import type { ThorNodes } from './thorchain/nodes.ts';
import type { OrderTerms } from './thorchain/terms.ts';
import {
  isEnd,
  type Payment,
  type Progress,
  refundOf,
  REST_SECONDS,
  trackSwap,
  usualSeconds,
} from './thorchain/tracking.ts';

export { FIRST_PAUSE, pauseAfter } from './thorchain/tracking.ts';

/** Another version, which this code does not know, is left as it is. */
const StoredSwap = z.object({ ...CrossChainSwap.shape, version: z.literal(1) });
export type StoredSwap = z.infer<typeof StoredSwap>;

export function readStoredSwap(value: unknown): StoredSwap | undefined {
  return StoredSwap.safeParse(value).data;
}

/** For answers, which have versions of their own. */
export function swapAnswer(stored: StoredSwap): CrossChainSwap {
  const { version: _, ...swap } = stored;
  return swap;
}

const ENDS: readonly CrossChainSwap['stage'][] = ['paid', 'refunded', 'part-refunded'];

export function hasEnded({ stage }: Pick<CrossChainSwap, 'stage'>): boolean {
  return ENDS.includes(stage);
}

/** A refund whose reason is not known is looked at so many times, which takes about 12 minutes. */
const REASON_LOOKS = 10;

/** Whether another look may tell more. `looks`: how many there were since it last changed. */
export function isOpen(swap: Pick<CrossChainSwap, 'stage' | 'reason'>, looks: number): boolean {
  if (!hasEnded(swap)) return true;
  return swap.stage !== 'paid' && swap.reason === undefined && looks < REASON_LOOKS;
}

/**
 * What is stored before the coins of an order are sent. Undefined for an order that cannot be followed: of an exchange that `networks.json` does
 * not list, or for an asset that it does not swap. `from`: who sends.
 */
export function begunSwap(
  { exchange, input, network, memo }: OrderTerms,
  from: string,
  networks: Pick<Networks, 'networks' | 'crossChain'>,
): StoredSwap | undefined {
  const { assets } = entryOf(networks, exchange) ?? { assets: [] };
  if (!exchange || 'unreadable' in memo) return undefined;
  const output = assets.find(({ name }) => isNamed(name, memo.asset));
  const target = networks.networks.find(({ id }) => id === output?.network);
  const own = assets.find((asset) => asset.network === network);
  if (!output || !target || !own) return undefined;
  return {
    version: 1,
    exchange,
    stage: 'waiting',
    input: moneyIn(input),
    secretType: target.secretType,
    network: target.id,
    recipient: memo.recipient ?? from,
    minimum: moneyIn(amountOn(target, output.token, memo.limit)),
    estimatedSeconds: usualSeconds(own.name),
    payouts: [],
    refunds: [],
  };
}

/** Whether a memo may mean this asset: by its whole contract, or the end of it. */
function isNamed(asset: string, named: string): boolean {
  const [one, other] = [readAsset(asset), readAsset(named)];
  return (
    one?.chain === other?.chain &&
    one?.ticker === other?.ticker &&
    !!one?.contract.endsWith(other?.contract ?? '')
  );
}

/** `thor` in hundred-millionths. */
function amountOn(network: Network, token: string | undefined, thor: bigint): Amount {
  if (token === undefined) {
    const coin = coinOf(network);
    return { raw: fromThor(thor, coin.decimals), ...coin };
  }
  const { decimals } = tokenAmount(0n, token, network);
  return tokenAmount(fromThor(thor, decimals ?? THOR_DECIMALS), token, network);
}

function entryOf(
  networks: Pick<Networks, 'networks' | 'crossChain'>,
  exchange: string | undefined,
): ThorchainEntry | undefined {
  return thorchainsOf(networks).find(({ name }) => name === exchange);
}

/** Whom to ask. */
export interface SwapSources {
  /** Of the exchange. */
  nodesOf(entry: ThorchainEntry): ThorNodes;
  /** A chain, and a client of one of its networks. Throws if there is none. */
  reach(secretType: SecretType, network: string): Promise<{ chain: Chain; node: Node }>;
}

/** Of what a node tells, at most: a day. */
const MOST_SECONDS = 86_400;

/** Follows swaps by the nodes of `networks.json`. */
export class SwapFollower {
  constructor(
    private readonly networks: Pick<Networks, 'networks' | 'crossChain'>,
    private readonly sources: SwapSources,
  ) {}

  /**
   * What is known now; of a swap that has ended, only why it came back, and how many parts of it. `hash`: of the transaction that sent the
   * coins. Throws `NotAvailable` while no node answers; undefined if `networks.json` has lost the exchange.
   */
  async look<Swap extends CrossChainSwap>(hash: string, swap: Swap): Promise<Swap | undefined> {
    const entry = entryOf(this.networks, swap.exchange);
    if (!entry) return undefined;
    const nodes = this.sources.nodesOf(entry);
    if (hasEnded(swap)) {
      const { reason, parts } = (await refundOf(hash, nodes)) ?? {};
      return { ...swap, ...(reason && { reason }), ...(parts && { parts }) };
    }
    const progress = await trackSwap({ hash, recipient: swap.recipient }, nodes, (payment) =>
      this.#isSeen(payment, entry),
    );
    return this.#after(swap, progress, entry);
  }

  #after<Swap extends CrossChainSwap>(swap: Swap, progress: Progress, entry: ThorchainEntry): Swap {
    const { confirmations: _, ...before } = swap;
    const delay = 'seconds' in progress ? Math.min(progress.seconds ?? 0, MOST_SECONDS) : 0;
    const estimatedSeconds = Math.max(swap.estimatedSeconds, delay + REST_SECONDS);
    const next = { ...before, stage: progress.stage, estimatedSeconds } as Swap;
    if (isEnd(progress)) {
      const paymentOf = (payment: Payment): CrossChainSwap['payouts'] => this.#paymentOf(payment, entry);
      return {
        ...next,
        payouts: progress.payouts.flatMap(paymentOf),
        refunds: progress.refunds.flatMap(paymentOf),
      };
    }
    if (progress.stage === 'confirming' && progress.seen !== undefined && progress.needed !== undefined)
      return { ...next, confirmations: { seen: progress.seen, needed: progress.needed } };
    return next;
  }

  /** None of an asset that `networks.json` has lost. */
  #paymentOf(payment: Payment, entry: ThorchainEntry): CrossChainSwap['payouts'] {
    const place = this.#placeOf(payment, entry);
    if (!place) return [];
    const { network, amount, hash } = place;
    const { secretType, id } = network;
    return [{ transactionHash: hash, secretType, network: id, amount: moneyIn(amount) }];
  }

  #placeOf(
    { asset, amount, hash }: Payment,
    { assets }: ThorchainEntry,
  ): { network: Network; amount: Amount; hash: string } | undefined {
    const listed = assets.find(({ name }) => name === asset);
    const network = this.networks.networks.find(({ id }) => id === listed?.network);
    if (!listed || !network) return undefined;
    const digits = hash.toLowerCase();
    return {
      network,
      amount: amountOn(network, listed.token, amount),
      hash: CARDS[network.secretType].contracts === 'evm' ? `0x${digits}` : digits,
    };
  }

  /** Whether a node of the chain lists the payment in a block. Coins that a contract pays are in no such list. */
  async #isSeen(payment: Payment, entry: ThorchainEntry): Promise<boolean> {
    const place = this.#placeOf(payment, entry);
    if (!place || !chainOf(payment.asset)) return false;
    const { network, amount, hash } = place;
    try {
      const { chain, node } = await this.sources.reach(network.secretType, network.id);
      const incoming = await chain.incoming?.();
      const { items = [] } =
        (await incoming?.findIncoming(payment.to, node, undefined, coinOf(network))) ?? {};
      return items.some(
        (item) =>
          item.hash.toLowerCase() === hash &&
          item.at !== undefined &&
          item.amount.raw === amount.raw &&
          item.amount.token?.toLowerCase() === amount.token?.toLowerCase(),
      );
    } catch {
      return false;
    }
  }
}
