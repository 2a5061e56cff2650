/** Follows the swaps between chains that wallets began, at the exchange's nodes, and stores what becomes of them. */
import { moneyIn } from '../../api/history.ts';
import type { Amount } from '../../chains/coin.ts';
import type { Network } from '../../chains/network.ts';
import {
  hasEnded,
  isOpen,
  pauseAfter,
  readStoredSwap,
  type StoredSwap,
  SwapFollower,
} from '../../swaps/cross-chain/sent-swap.ts';
import { ThorNodes } from '../../swaps/cross-chain/thorchain/nodes.ts';
import type { ActivityRecord, ActivityStore } from '../../wallets/types.ts';
import type { NodeReader } from '../frame.ts';
import { amountOf, progressText } from './cross-chain-words.ts';

const followers = new WeakMap<NodeReader, SwapUpdates>();

/** Looks at those of the records' swaps that another look may tell more of, and whose time has come. */
export async function updateSwaps(
  frame: NodeReader,
  vault: Pick<ActivityStore, 'activity'>,
  records: readonly ActivityRecord[],
): Promise<void> {
  const updates = followers.get(frame) ?? new SwapUpdates(frame);
  followers.set(frame, updates);
  await Promise.all(records.map((record) => updates.look(vault, record)));
}

/** Between two looks at the list of what is due. */
const EVERY_MS = 5_000;

/**
 * Follows the swap that a transaction began, until the returned function is called. Calls `show` with how far it is, empty once it is over, and
 * with what it brought.
 */
export async function followOne(
  frame: NodeReader,
  vault: Pick<ActivityStore, 'activity'>,
  hash: string,
  show: (news: { underway: string; got?: Amount }) => void,
): Promise<() => void> {
  let isOver = false;
  const tell = async (): Promise<ActivityRecord | undefined> => {
    const record = await vault.activity.get(hash);
    const swap = record && swapBy(record);
    if (!swap || isOver) return undefined;
    const [payout] = swap.payouts;
    if (swap.stage === 'paid' && payout) show({ underway: '', got: amountOf(payout) });
    else show({ underway: progressText(swap) });
    return record;
  };
  const look = async (): Promise<void> => {
    const record = await tell();
    if (!record) return;
    await updateSwaps(frame, vault, [record]);
    await tell();
  };
  const safely = (): void => void look().catch(() => {});
  await tell();
  safely();
  const stop = frame.clock.every(EVERY_MS, safely);
  return () => {
    isOver = true;
    stop();
  };
}

/** The swap as it is stored. Undefined for another transaction, and for what another version of the wallet stored. */
export function swapBy({
  crossChain,
  summary,
}: Pick<ActivityRecord, 'crossChain' | 'summary'>): StoredSwap | undefined {
  if (crossChain !== undefined) return readStoredSwap(crossChain);
  const { exchange, input, outlook } = summary.crossChain ?? {};
  if (!exchange || !input || !outlook) return undefined;
  const { secretType, network, recipient, minimum, seconds } = outlook;
  return {
    version: 1,
    exchange,
    stage: 'waiting',
    input: moneyIn(input),
    secretType,
    network,
    recipient,
    minimum: moneyIn(minimum),
    estimatedSeconds: seconds,
    payouts: [],
    refunds: [],
  };
}

/** Why something came back is looked for so long after it was sent: nodes forget their blocks. */
const REASON_MS = 24 * 60 * 60_000;

class SwapUpdates {
  /** By the hash of the transaction that began a swap: when it is looked at again, and how often it was. */
  readonly #turns = new Map<string, { at: number; looks: number }>();
  readonly #frame: NodeReader;
  readonly #follower: SwapFollower;

  constructor(frame: NodeReader) {
    this.#frame = frame;
    const { networks, clock } = frame;
    const networkOf = (id: string): Network | undefined => networks.networks.find((one) => one.id === id);
    const clients = new Map<string, ThorNodes>();
    this.#follower = new SwapFollower(networks, {
      nodesOf(entry) {
        const nodes = clients.get(entry.name) ?? new ThorNodes(entry, { clock });
        clients.set(entry.name, nodes);
        return nodes;
      },
      async reach(secretType, id) {
        const chain = await frame.chain(secretType);
        const network = networkOf(id);
        if (!network) throw new Error(`There is no network ${id}.`);
        return { chain, node: chain.node(network) };
      },
    });
  }

  async look({ activity }: Pick<ActivityStore, 'activity'>, record: ActivityRecord): Promise<void> {
    const { hash, state } = record;
    const swap = swapBy(record);
    const now = this.#frame.clock.date();
    const { at, looks } = this.#turns.get(hash) ?? { at: now, looks: 0 };
    // What failed sent no coins.
    if (!swap || state === 'failed' || !isOpen(swap, looks)) return;
    if (now < at || (hasEnded(swap) && now - record.at > REASON_MS)) return;
    this.#turns.set(hash, { at: now + pauseAfter(looks + 1), looks: looks + 1 });
    const next = await this.#follower.look(hash, swap).catch(() => undefined);
    if (!next || JSON.stringify(next) === JSON.stringify(swap)) return;
    this.#turns.set(hash, { at: now + pauseAfter(1), looks: 1 });
    const got = next.payouts.reduce((sum, { amount }) => sum + BigInt(amount.raw), 0n);
    await activity.setReceipt(hash, { crossChain: next, ...(got > 0n && { got }) });
  }
}
