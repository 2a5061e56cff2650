/** A swap in progress: its transactions and their states, in a form that can be stored across a page reload. */
import type { NativeTransaction } from '../../chains/requests.ts';
import type { SecretType } from '../../chains/secret-type.ts';
import type { TransactionState } from '../../chains/terms.ts';
import type { TransactionResult } from '../../channel/messages.ts';
import type { SavedForm } from '../../ui/swap/swap-source.ts';

export interface Step {
  /** `reset`: some tokens require the limit to be 0 before it is changed. */
  kind: 'reset' | 'approve' | 'swap';
  state: 'todo' | 'now' | 'done' | 'fail';
  hash?: string;
  /** When it was sent, in milliseconds since 1970, and how long the confirmation took. */
  sentAt?: number;
  took?: number;
}

export interface Run {
  requestId: string;
  walletId: string;
  alias: string;
  secretType: SecretType;
  /** Absent for the wallet's default network, and in records of older versions. */
  network?: string | undefined;
  exchange: string;
  /** `500 USDC`, `0.2035 ETH`. */
  sell: string;
  buy: string;
  /** What the approval lets the exchange take. */
  limit: string;
  buySymbol: string;
  /** A purchase: the output is exact, and the input is at most `bound`. */
  exact: boolean;
  /** The minimum output of a sale, the maximum input of a purchase. Absent in records of older versions, as is `units`. */
  bound?: string;
  /** Symbol and decimals of both sides. */
  units?: Record<'sell' | 'buy', { symbol: string; decimals: number }>;
  /** What actually went in and came out, by the transaction's logs. */
  paid?: string;
  got?: string;
  /** The same in smallest units. */
  rawGot?: string | undefined;
  saved: SavedForm;
  /** Of a swap to another chain: about how long it takes once it is sent, and the wallet that receives. */
  crossChain?: { seconds: number; receiver: string } | undefined;
  steps: Step[];
  /** Why the wallet did not send the rest. */
  reason?: string;
}

/** Selector of ERC-20's `approve(address,uint256)`. */
const APPROVE = '0x095ea7b3';
/** A call of it with an amount of 0, after selector and spender. */
const APPROVES_NOTHING = /^0x.{72}0{64}$/;

export function stepsOf(requests: readonly NativeTransaction[]): Step[] {
  return requests.map((request, i) => {
    const data = 'data' in request ? (request.data ?? '') : '';
    const isApproval = i < requests.length - 1 && data.startsWith(APPROVE);
    const kind = !isApproval ? 'swap' : APPROVES_NOTHING.test(data) ? 'reset' : 'approve';
    return { kind, state: 'todo' };
  });
}

/** The current step. */
export function currentStep({ steps }: Run): Step | undefined {
  return steps.find(({ state }) => state === 'now' || state === 'todo');
}

/** Records that a transaction was sent. */
export function sent(run: Run, hash: string): void {
  if (run.steps.some((step) => step.hash === hash)) return;
  const step = run.steps.find((each) => !each.hash);
  if (!step) return;
  Object.assign(step, { hash, state: 'now', sentAt: Date.now() });
  // The wallet sends a transaction only once the previous one is confirmed.
  for (const before of run.steps.slice(0, run.steps.indexOf(step))) before.state = 'done';
}

export function decided(run: Run, hash: string | undefined, state: TransactionState): void {
  const step = run.steps.find((each) => hash !== undefined && each.hash === hash);
  if (step?.state !== 'now') return;
  if (state === 'confirmed') {
    step.state = 'done';
    if (step.sentAt) step.took = Date.now() - step.sentAt;
  } else if (state === 'failed') step.state = 'fail';
}

/** Records everything that the wallet reports as sent. */
export function sentAll(run: Run, results: readonly TransactionResult[]): void {
  for (const { transactionHash } of results) sent(run, transactionHash);
}

/** Ends the run at the first unfinished step; what was sent before stays sent. */
export function cutShort(run: Run, completed: readonly TransactionResult[], reason: string): void {
  run.reason = reason;
  sentAll(run, completed);
  for (const step of run.steps.slice(0, completed.length)) if (step.state === 'now') step.state = 'done';
  const next = run.steps.find(({ state }) => state !== 'done');
  if (next) next.state = 'fail';
}

/** Whether anything of it may be on the network. */
export function isSent({ steps }: Run): boolean {
  return steps.some(({ hash }) => hash !== undefined);
}

/** Whether every transaction is confirmed. */
export function isDone({ steps }: Run): boolean {
  return steps.every(({ state }) => state === 'done');
}

/** Whether the coins are on their way to another chain. What arrives there, this panel does not know. */
export function isSentAway({ crossChain, steps }: Run): boolean {
  const last = steps.at(-1);
  return crossChain !== undefined && last?.hash !== undefined && last.state !== 'fail';
}

/** Whether it has ended: all confirmed, or a step failed. */
export function isOver(run: Run): boolean {
  return isDone(run) || run.steps.some(({ state }) => state === 'fail');
}

// The stored record, and which panel shows the swap.

const STORE = 'carabiner:swap';

/** Swaps whose answer this load of the page awaits, whichever panel started them. */
export const running = new Map<string, Promise<TransactionResult[]>>();
/** Ids of the swaps that a panel shows; no other panel shows them. */
const shownIds = new Set<string>();

/** Stored for this tab only. What the wallet knows of the request comes from the wallet. */
export function keepRun(run: Run | undefined): void {
  try {
    if (run) sessionStorage.setItem(STORE, JSON.stringify(run));
    else sessionStorage.removeItem(STORE);
  } catch {
    // Without storage, the wallet's answer still arrives after a reload, but not what the swap was.
  }
}

export function keptRun(): Run | undefined {
  try {
    const run = JSON.parse(sessionStorage.getItem(STORE) ?? 'null') as Run | null;
    return run && Array.isArray(run.steps) && !shownIds.has(run.requestId) ? run : undefined;
  } catch {
    return undefined;
  }
}

export function claim({ requestId }: Run): void {
  shownIds.add(requestId);
}

/** The panel is gone; another one may show the swap. */
export function release({ requestId }: Run): void {
  shownIds.delete(requestId);
}
