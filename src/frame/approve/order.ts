/** A transaction that the user is asked to approve: from a site, from a site's list, or started by the user. */
import type { Wallet } from '../../api/wallet.ts';
import type { Chain } from '../../chains/chain.ts';
import type { Draft, Node, Signed } from '../../chains/terms.ts';
import type { HostRequest } from '../../channel/link.ts';
import type { JournalEntry, Vault } from '../../wallets/types.ts';
import type { OpenOptions } from '../ui/screen.ts';
import type { Step } from '../ui/bare-view.ts';
import type { Summary } from '../../chains/approval/summary.ts';
import type { ApproveView } from './approve-view.ts';
import type { LimitOffer } from './drawing/limit-field.ts';
import type { Read } from './signed-order.ts';

export interface Order {
  task: Pick<HostRequest, 'id' | 'signal' | 'progress'>;
  vault: Vault;
  wallet: Wallet;
  chain: Chain;
  node: Node;
  source: OrderSource;
  /** Hash of the wallet's own pending transaction that this one replaces. */
  replaces?: string | undefined;
  /** It only cancels that one. */
  cancels?: boolean;
  /** The e-mail address or name by which the recipient was found. */
  email?: string | undefined;
  /** The result of verifying the signed order that came with it. */
  paid?: Promise<Read> | undefined;
  step?: Step | undefined;
  /** What the transactions after it in the site's list do, as far as that can be told yet; none if it cannot. */
  ahead?: (() => Promise<readonly Summary[]>) | undefined;
  /** Throws, before anything is signed, if the steps before it do not hold any more. */
  assertBefore?: (() => Promise<void>) | undefined;
  /** Set if the user started it in the wallet; absent for a site's request. */
  heading?: string | undefined;
  /** Shown instead of the usual view. */
  view?: ApproveView | undefined;
}

/** Makes an order's drafts and stores its signed bytes. */
export interface OrderSource {
  /** The transaction with every field filled in, for the current chain state. */
  draft(): Promise<Draft>;
  /** Stores the signed bytes before they are sent. Throws if the request has been answered elsewhere. */
  keep(signed: Signed): Promise<void>;
  /** The request's journal entry; undefined for what the user started in the wallet. */
  readonly entry?: Entry;
  /** Whether the request's allowance is that of the offer and can be changed. Changes it to `amount`, if given. */
  limit?(offer: Pick<LimitOffer, 'allowed' | 'clause'>, amount?: bigint): Promise<boolean>;
}

/** A journal entry without what the journal adds itself: when it was stored, and whether the page has acknowledged the answer. */
export type Entry = Omit<JournalEntry, 'at' | 'acknowledged'>;

export function optionsOf({ task, heading }: Pick<Order, 'task' | 'heading'>): OpenOptions {
  return { signal: task.signal, requestId: task.id, own: heading !== undefined };
}
