/** Answers that an earlier load of this page missed: from windows that outlived it, and from the wallet's journal. */
import type { Action } from '../base/actions.ts';
import type { Approvals, ApprovalsOptions } from './approvals.ts';
import { type FrameLink, onOrphan } from './frame-link.ts';
import type { Frames } from './frames.ts';
import type { Calls } from './host-call.ts';
import { isUndelivered, type RequestStore, type Undelivered } from './host-record.ts';
import type { FromFrame, Pending } from './messages.ts';
import { windowMark } from './popup.ts';

export interface RecoveryOptions extends ApprovalsOptions {
  requests: RequestStore;
  /** Whether a hidden iframe of the wallet's own page would answer: its storage there is the wallet's, and this page may embed it. */
  reachesVault: () => Promise<boolean>;
  /** An answer for an earlier load of this page. Returns whether somebody took it. */
  onOrphan: (pending: Pending) => boolean;
}

type Answer = Extract<FromFrame, { type: 'result' | 'error' }>;

/**
 * A window left over from an earlier load of the page announces itself five times a second, or once where the
 * browser throttles it.
 */
const ORPHAN_MS = 700;

export class Recovery {
  readonly #options: RecoveryOptions;
  readonly #calls: Calls;
  readonly #frames: Frames;
  readonly #approvals: Approvals;
  /** Whether a window that this tab opened may still be there, even if no answer is outstanding. */
  readonly #expectsWindow: boolean;
  /** Ids of what earlier loads of the page asked for. */
  readonly #orphanIds: Set<string>;
  /** Ids whose answer the page has, or that will get none. */
  readonly #forgottenIds = new Set<string>();
  /** Links with windows of earlier loads. */
  readonly #windows = new Set<FrameLink>();
  /** Kept for as long as the page lives, because several parts of it ask. */
  readonly #answers = new Map<string, Pending>();
  readonly #restoration: Promise<void>;
  #search: Promise<Pending[]> | undefined;
  #stopListening: (() => void) | undefined;

  constructor(options: RecoveryOptions, calls: Calls, frames: Frames, approvals: Approvals) {
    this.#options = options;
    this.#calls = calls;
    this.#frames = frames;
    this.#approvals = approvals;
    this.#expectsWindow = windowMark(options.url.origin) !== null;
    this.#orphanIds = new Set(Object.keys(this.#undelivered));
    this.#listen();
    // Without IndexedDB, there is only the record.
    this.#restoration = this.#restore().catch(() => {});
  }

  /** Takes an answer that no call of this page waits for. Returns false if no earlier load did either. */
  take(message: Answer): boolean {
    const { id } = message;
    if (!Object.hasOwn(this.#undelivered, id)) return false;
    const pending = this.hold(message, this.#undelivered[id]!.action);
    if (this.#options.onOrphan(pending)) this.acknowledge(id);
    return true;
  }

  /** Keeps an answer that the page asked for, but whose requester is gone. */
  hold(message: Answer, action: Action): Pending {
    const requestId = message.id;
    const { asked } = this.#undelivered[requestId] ?? {};
    const pending: Pending =
      message.type === 'result'
        ? { requestId, action, asked, state: 'done', result: message.result }
        : { requestId, action, asked, state: 'failed', error: message.error };
    this.#answers.set(requestId, pending);
    return pending;
  }

  /** The page has the answer, or none will come. */
  forget(id: string): void {
    const { record, requests } = this.#options;
    this.#orphanIds.delete(id);
    this.#forgottenIds.add(id);
    requests.forget(id).catch(() => {});
    if (Object.hasOwn(this.#undelivered, id)) record.change((it) => delete it.undelivered[id]);
  }

  /** The page has the answer: the wallet need not keep it for us. */
  acknowledge(id: string): void {
    // Some frame will know the id; the others ignore it.
    for (const link of [this.#frames.vault, this.#approvals.link, ...this.#windows])
      link?.send({ type: 'ack', id });
    this.forget(id);
  }

  /** Acknowledges the answers for which `take` returns true. */
  async pending(take: (pending: Pending) => boolean = () => true): Promise<Pending[]> {
    const all = await (this.#search ??= this.#find().finally(() => (this.#search = undefined)));
    for (const each of all)
      if (this.#answers.has(each.requestId) && take(each)) this.acknowledge(each.requestId);
    return all;
  }

  close(): void {
    this.#stopListening?.();
    for (const link of this.#windows) link.close();
    this.#windows.clear();
  }

  get #undelivered(): Record<string, Undelivered> {
    return this.#options.record.read().undelivered;
  }

  /** Ids of requests that this page has no answer to and is not waiting for. */
  get #lostIds(): string[] {
    return Object.keys(this.#undelivered).filter((id) => !this.#answers.has(id) && !this.#calls.isOpen(id));
  }

  #listen(): void {
    if (!(this.#orphanIds.size || this.#expectsWindow) || this.#calls.isClosed) return;
    this.#stopListening ??= onOrphan(this.#options.url.origin, (win) => {
      this.#windows.add(this.#approvals.adopt(win, (link) => this.#windows.delete(link)));
    });
  }

  /** Restores what a killed browser never flushed to `localStorage`, from the database on disk. */
  async #restore(): Promise<void> {
    const { clock, record, requests } = this.#options;
    const now = clock.date();
    for (const [id, request] of Object.entries(await requests.all())) {
      if (this.#forgottenIds.has(id) || this.#calls.isOpen(id) || Object.hasOwn(this.#undelivered, id))
        continue;
      if (!isUndelivered(id, request, now)) {
        await requests.forget(id);
        continue;
      }
      this.#orphanIds.add(id);
      record.change((it) => (it.undelivered[id] = request));
    }
    this.#listen();
  }

  async #find(): Promise<Pending[]> {
    await this.#restoration;
    const ofVault = await this.#askVault();
    if (!ofVault) await this.#waitForWindow();
    const open = this.#openOf([...(await this.#askWindows()), ...(ofVault ?? [])]);
    // What the wallet's journal does not know was never approved: nothing to recover.
    if (!ofVault) this.#addUnknown(open);
    return [...this.#answers.values(), ...open.values()];
  }

  /** Undefined if it cannot be asked: not every browser lets the hidden frame read the journal. */
  async #askVault(): Promise<Pending[] | undefined> {
    if (!this.#lostIds.length || this.#frames.blocksIframes || !(await this.#options.reachesVault()))
      return undefined;
    return this.#frames.read('vault', 'pending', { requestIds: this.#lostIds }).catch(() => undefined);
  }

  async #waitForWindow(): Promise<void> {
    if (this.#windows.size || !this.#lostIds.some((id) => this.#orphanIds.has(id))) return;
    await new Promise<void>((resolve) => this.#options.clock.after(ORPHAN_MS, resolve));
  }

  async #askWindows(): Promise<Pending[]> {
    const requestIds = this.#lostIds;
    if (!requestIds.length) return [];
    const answers = [...this.#windows].map((link) =>
      this.#frames.ask(link, 'pending', { requestIds }).catch(() => []),
    );
    return (await Promise.all(answers)).flat();
  }

  /** By id, those without an answer; the others are kept. */
  #openOf(all: Pending[]): Map<string, Pending> {
    const open = new Map<string, Pending>();
    for (const each of all)
      (each.state === 'done' || each.state === 'failed' ? this.#answers : open).set(each.requestId, {
        ...each,
        asked: this.#undelivered[each.requestId]?.asked,
      });
    return open;
  }

  #addUnknown(open: Map<string, Pending>): void {
    for (const requestId of this.#lostIds)
      if (!open.has(requestId)) {
        const { action, asked } = this.#undelivered[requestId]!;
        open.set(requestId, { requestId, action, asked, state: 'unknown' });
      }
  }
}
