/** A transaction that the user is asked to approve: from a site, from a site's list, or started by the user. */
import type { Wallet } from '../../api/wallet.ts';
import type { Summary } from '../../chains/approval/summary.ts';
import type { Chain } from '../../chains/chain.ts';
import type { Draft, Known, Node, ParsedRequest, Signed } from '../../chains/terms.ts';
import type { HostRequest } from '../../channel/link.ts';
import type { JournalEntry, Vault } from '../../wallets/types.ts';
import type { Frame } from '../frame.ts';
import type { OpenOptions } from '../ui/screen.ts';
import type { Step } from '../ui/bare-view.ts';
import type { ApproveView } from './approve-view.ts';
import type { ApprovalOrder } from './between-chains.ts';
import type { LimitOffer } from './drawing/limit-field.ts';
import { assertNew, assertSingle, knownTo, type Prepared } from './prepare.ts';
import type { OrderCheck } from './signed-order.ts';

export interface Approval {
  task: Pick<HostRequest, 'id' | 'signal' | 'progress'>;
  vault: Vault;
  wallet: Wallet;
  chain: Chain;
  node: Node;
  source: ApprovalSource;
  /** Hash of the wallet's own pending transaction that this one replaces. */
  replaces?: string | undefined;
  /** It only cancels that one. */
  cancels?: boolean;
  /** The e-mail address or name by which the recipient was found. */
  email?: string | undefined;
  /** The result of verifying the signed order that came with it. */
  orderCheck?: Promise<OrderCheck> | undefined;
  step?: Step | undefined;
  /** What the transactions after it in the site's list do, as far as that can be told yet; none if it cannot. */
  ahead?: (() => Promise<readonly Summary[]>) | undefined;
  /** The order to swap between chains that it carries, once that was read: it is asked about again before anything is signed. */
  order?: ApprovalOrder | undefined;
  /** Throws, before anything is signed, if the steps before it do not hold any more. */
  assertBefore?: (() => Promise<void>) | undefined;
  /** Set if the user started it in the wallet; absent for a site's request. */
  heading?: string | undefined;
  /** Shown instead of the usual view. */
  view?: ApproveView | undefined;
}

/** Makes an approval's drafts and stores its signed bytes. */
export interface ApprovalSource {
  /** The transaction with every field filled in, for the current chain state. */
  draft(): Promise<Draft>;
  /** Stores the signed bytes before they are sent. Throws if the request has been answered elsewhere. */
  keep(signed: Signed): Promise<void>;
  /** The request's journal entry; undefined for what the user started in the wallet. */
  readonly entry?: RequestEntry;
  /** Whether the request's allowance is that of the offer and can be changed. Changes it to `amount`, if given. */
  limit?(offer: Pick<LimitOffer, 'allowed' | 'clause'>, amount?: bigint): Promise<boolean>;
}

/** A journal entry without what the journal adds itself: when it was stored, and whether the page has acknowledged the answer. */
export type RequestEntry = Omit<JournalEntry, 'at' | 'acknowledged'>;

export function optionsOf({ task, heading }: Pick<Approval, 'task' | 'heading'>): OpenOptions {
  return { signal: task.signal, requestId: task.id, own: heading !== undefined };
}

/** Of a site's request. */
export function approvalOf(
  frame: Frame,
  task: HostRequest,
  prepared: Prepared,
  record: RequestRecord,
): Approval {
  const { vault, wallet, chain, node, email, orderCheck } = prepared;
  const source = new SiteRequest(frame, prepared, record);
  return { task, vault, wallet, chain, node, email, orderCheck, source };
}

/**
 * A request's journal entry, to which each transaction is added once it is signed. A list has one entry for all, with the network of the
 * latest: those before it are in blocks.
 */
export class RequestRecord {
  readonly #frame: Frame;
  readonly #vault: Vault;
  entry: RequestEntry;

  constructor(frame: Frame, vault: Vault, entry: RequestEntry) {
    this.#frame = frame;
    this.#vault = vault;
    this.entry = entry;
  }

  async add(signed: Signed, networkId: string): Promise<void> {
    if (!this.entry.signed.length) await assertNew(this.#frame, this.#vault, this.entry.requestId);
    await assertSingle(this.#vault, signed);
    this.entry = { ...this.entry, networkId, signed: [...this.entry.signed, signed] };
    await this.#vault.journal.put(this.entry);
  }
}

/** A site's request, alone or as part of a list. */
class SiteRequest implements ApprovalSource {
  readonly #frame: Frame;
  readonly #prepared: Prepared;
  readonly #record: RequestRecord;
  /** As received from the site, until the user limits it. */
  #request: ParsedRequest;
  #known: Promise<Known> | undefined;

  constructor(frame: Frame, prepared: Prepared, record: RequestRecord) {
    this.#frame = frame;
    this.#prepared = prepared;
    this.#record = record;
    this.#request = prepared.request;
  }

  get entry(): RequestEntry {
    return this.#record.entry;
  }

  async draft(): Promise<Draft> {
    const { vault, wallet, chain, node } = this.#prepared;
    this.#known ??= knownTo(this.#frame, vault, wallet);
    return chain.prepare(this.#request, wallet.address, node, await this.#known);
  }

  keep(signed: Signed): Promise<void> {
    return this.#record.add(signed, this.#prepared.node.network.id);
  }

  async limit(offer: Pick<LimitOffer, 'allowed' | 'clause'>, amount = offer.allowed): Promise<boolean> {
    const { limited } = await import('./limit.ts');
    const next = limited(this.#request, offer, amount);
    if (next) this.#request = next;
    return next !== undefined;
  }
}
