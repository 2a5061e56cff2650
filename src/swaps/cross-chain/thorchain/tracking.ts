/**
 * What became of a swap after its coins were sent. Nodes only tell: that it is paid or refunded counts once two of them say the same, or once
 * one of them does and a node of the chain where the payment arrived has it.
 */
import { NodeFailure } from '../../../chains/nodes/http.ts';
import type { Refund, SwapDetails, SwapStatus } from './answers.ts';
import { chainOf } from './assets.ts';
import { readMemo } from './memo.ts';
import { idOf, type ThorNodes } from './nodes.ts';
import { isSameAddress } from './offer.ts';

/** What is tracked. */
export interface SentSwap {
  /** Of the transaction that sent the coins. */
  hash: string;
  /** Who gets the output. */
  recipient: string;
}

/** What THORChain sent. */
export interface Payment {
  hash: string;
  /** THORChain's full name. */
  asset: string;
  /** In hundred-millionths, without the network's fee for sending it. */
  amount: bigint;
  to: string;
}

export type Progress =
  /** No node knows of it: its chain has to show it first. */
  | { stage: 'waiting' }
  /** `seen` of `needed` blocks of its chain, where the nodes tell. */
  | { stage: 'confirming'; seen?: number; needed?: number; seconds?: number }
  | { stage: 'swapping' }
  /** Swapped, or to be sent back; `seconds` until it is. */
  | { stage: 'paying-out'; seconds?: number }
  | End;

/** Nothing follows. */
export interface End {
  stage: 'paid' | 'refunded' | 'part-refunded';
  payouts: readonly Payment[];
  refunds: readonly Payment[];
}

/** Whether a node of the chain where a payment arrived has it. Never throws. */
export type SeenOnChain = (payment: Payment) => Promise<boolean>;

export function isEnd(progress: Progress): progress is End {
  return 'payouts' in progress;
}

/**
 * Takes 2 requests, more only where two nodes do not say the same. Throws `NotAvailable` if no node answers.
 */
export async function trackSwap(swap: SentSwap, nodes: ThorNodes, isSeen: SeenOnChain): Promise<Progress> {
  const reports = await nodes.reports(
    async (node) => progressOf(await node.status(swap.hash), swap),
    (one, other) => endText(one) === endText(other),
  );
  const agreed = reports.find(
    (report, i) => isEnd(report) && reports.some((other, j) => i !== j && endText(other) === endText(report)),
  );
  if (agreed) return agreed;
  for (const report of reports)
    if (isEnd(report)) {
      const seen = await Promise.all([...report.payouts, ...report.refunds].map(isSeen));
      if (seen.every(Boolean)) return report;
    }
  // What only one node says of the end is not believed; of the way there, the node that is behind.
  return reports.filter((report) => !isEnd(report)).sort(byStage)[0] ?? { stage: 'paying-out' };
}

/**
 * What the first node that has the blocks tells of a deposit that came back. Undefined if they do not say. Throws `NotAvailable` if no node
 * answers. Takes 2 to 10 requests of a node.
 */
export function refundOf(hash: string, nodes: ThorNodes): Promise<Refund | undefined> {
  return nodes.first(async (node) => {
    for (const height of refundBlocks(await node.details(hash))) {
      const refund = (await node.refunds(height)).find(({ id }) => idOf(id) === idOf(hash));
      if (refund) return refund;
    }
    return undefined;
  });
}

/** A swap may wait in a queue. */
const BLOCKS_IN_QUEUE = 3;

/**
 * Blocks in which something may have been sent back, the likeliest first: of the confirmations; for a swap in parts, of the last part; and that
 * from which the output may be sent, which is the same unless it is delayed.
 */
function refundBlocks({ finalised_height, consensus_height, outbound_height, tx }: SwapDetails): number[] {
  const first = finalised_height || consensus_height;
  if (!first) throw new NodeFailure('does not tell when it had the confirmations of a deposit');
  const fromHere = (height: number): number[] => [...Array(BLOCKS_IN_QUEUE).keys()].map((i) => height + i);
  const order = readMemo(tx?.tx?.memo ?? '');
  const { interval = 0n, quantity = 0n } = (order && !('unreadable' in order) && order.streaming) || {};
  const last = first + Number(interval) * (Number(quantity) - 1);
  const sent = outbound_height || first;
  const later = [...fromHere(last), ...fromHere(sent - BLOCKS_IN_QUEUE + 1).reverse()].filter(
    (height) => height >= first && height <= sent,
  );
  const blocks = quantity > 1n ? [...later, ...fromHere(first)] : [...fromHere(first), ...later];
  return [...new Set(blocks)];
}

const ORDER: readonly Progress['stage'][] = ['waiting', 'confirming', 'swapping', 'paying-out'];

function byStage(one: Progress, other: Progress): number {
  return ORDER.indexOf(one.stage) - ORDER.indexOf(other.stage);
}

/** Equal for the same end; empty before it. */
function endText(progress: Progress): string {
  if (!isEnd(progress)) return '';
  const texts = (payments: readonly Payment[]): string[] =>
    payments.map(({ hash, asset, amount, to }) => `${hash} ${asset} ${amount} ${to}`).sort();
  return JSON.stringify([texts(progress.payouts), texts(progress.refunds)]);
}

/** Of one node. Throws `NodeFailure` for an answer about another deposit. */
export function progressOf(status: SwapStatus, swap: SentSwap): Progress {
  const { stages, tx } = status;
  const hash = idOf(swap.hash);
  if (tx?.id !== undefined && idOf(tx.id) !== hash)
    throw new NodeFailure('answers for another transaction than it was asked for');
  const end = endOf(status, swap);
  if (end) return end;
  const {
    inbound_observed: observed,
    inbound_confirmation_counted: counted,
    inbound_finalised: finalised,
    swap_status: swapping,
  } = stages;
  if (!observed.started && !observed.completed) return { stage: 'waiting' };
  if (counted?.completed === false) return { stage: 'confirming', ...confirmationsIn(counted) };
  if (!finalised?.completed && !swapping) return { stage: 'confirming' };
  if (swapping?.pending ?? true) return { stage: 'swapping' };
  const seconds = stages.outbound_delay?.remaining_delay_seconds;
  return { stage: 'paying-out', ...(seconds && { seconds }) };
}

const BLOCK_SECONDS: Readonly<Record<string, number>> = { BTC: 600, LTC: 150, ETH: 12, TRON: 3 };

/** A deposit's own block counts as its first. */
function confirmationsIn({
  chain = '',
  external_observed_height: first,
  external_confirmation_delay_height: last,
  remaining_confirmation_seconds: seconds,
}: NonNullable<SwapStatus['stages']['inbound_confirmation_counted']>): Partial<
  Extract<Progress, { stage: 'confirming' }>
> {
  const blockSeconds = BLOCK_SECONDS[chain];
  if (first === undefined || last === undefined || seconds === undefined || !blockSeconds || last < first)
    return {};
  const needed = last - first + 1;
  const left = Math.ceil(seconds / blockSeconds);
  return { needed, seen: Math.max(1, needed - left), seconds };
}

/** Undefined while anything of it is still to be sent. Shares of others, which affiliates get, do not count. */
function endOf({ out_txs, planned_out_txs, stages }: SwapStatus, swap: SentSwap): End | undefined {
  const sent = (out_txs ?? []).map((out) => sentIn(out, swap)).filter((out) => out !== undefined);
  const isOfOthers = (to: string): boolean => chainOf(`${to}.`) === undefined;
  const planned = (planned_out_txs ?? []).filter(({ chain }) => !isOfOthers(chain));
  if (sent.length === 0 || sent.length < planned.length) return undefined;
  if (planned.length === 0 && stages.outbound_signed?.completed === false) return undefined;
  const payouts = sent.filter(({ isRefund }) => !isRefund).map(({ payment }) => payment);
  const refunds = sent.filter(({ isRefund }) => isRefund).map(({ payment }) => payment);
  const stage = payouts.length === 0 ? 'refunded' : refunds.length === 0 ? 'paid' : 'part-refunded';
  return { stage, payouts, refunds };
}

type Out = NonNullable<SwapStatus['out_txs']>[number];

/** What a transaction of THORChain's sent for the swap: its memo says for which deposit, and whether that came back. */
function sentIn(out: Out, swap: SentSwap): { payment: Payment; isRefund: boolean } | undefined {
  const [, kind, hash = ''] = /^(OUT|REFUND):([0-9a-f]{64})$/i.exec(out.memo ?? '') ?? [];
  const [coin] = out.coins ?? [];
  if (!kind || idOf(hash) !== idOf(swap.hash) || !out.id || /^0+$/.test(out.id) || !out.to_address || !coin)
    return undefined;
  const isRefund = kind.toUpperCase() === 'REFUND';
  if (!chainOf(coin.asset) || (!isRefund && !isSameAddress(out.to_address, swap.recipient))) return undefined;
  return {
    payment: { hash: idOf(out.id), asset: coin.asset, amount: coin.amount, to: out.to_address },
    isRefund,
  };
}

/** Milliseconds from the first look to the second; each further pause is half as long again. */
export const FIRST_PAUSE = 10_000;
const LONGEST_PAUSE = 5 * 60_000;

/** The pause after so many looks. */
export function pauseAfter(looks: number, first = FIRST_PAUSE): number {
  return Math.min(LONGEST_PAUSE, Math.round(first * 1.5 ** Math.min(looks - 1, 20)));
}

/** Besides confirmations and delays: observing, swapping and signing take a few minutes. */
export const REST_SECONDS = 300;

/** Confirmations that most deposits wait for. */
const USUAL_BLOCKS = 2;

/** About how many seconds a swap takes from this asset, where no offer says it. */
export function usualSeconds(from: string): number {
  return USUAL_BLOCKS * (BLOCK_SECONDS[chainOf(from)?.name ?? ''] ?? 0) + REST_SECONDS;
}
