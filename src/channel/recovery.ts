/** Answers that an earlier load of this page missed: from windows that outlived it, and from the wallet's journal. */
import type { Clock } from '../base/clock.ts';
import { type FrameLink, onOrphan } from './frame-link.ts';
import { type AskedRequests, type HostRecord, isUndelivered } from './host-record.ts';
import type { FromFrame, Pending } from './messages.ts';
import type { Action } from '../base/actions.ts';

export interface RecoveryOptions {
  clock: Clock;
  frameOrigin: string;
  record: HostRecord;
  asked: AskedRequests;
  /** Whether a window that this tab opened may still be there, even if no answer is outstanding. */
  expectsWindow: boolean;
  /** Connects to a window that has sent `ready`. */
  connect: (win: Window, onEnd: (link: FrameLink) => void) => FrameLink;
  ask: (link: FrameLink, requestIds: string[]) => Promise<Pending[]>;
  /** Whether a hidden frame would answer from the wallet's own storage. */
  reachesVault: () => Promise<boolean>;
  askHidden: (requestIds: string[]) => Promise<Pending[]>;
  /** Whether this page is still waiting for the answer itself. */
  isOpen: (requestId: string) => boolean;
  /** Returns whether somebody took it. */
  onArrived: (pending: Pending) => boolean;
  /** Frames besides those found here. */
  frames: () => (FrameLink | undefined)[];
}

type Answer = Extract<FromFrame, { type: 'result' | 'error' }>;

export interface Recovery {
  /** Takes an answer that no call of this page waits for. Returns false if no earlier load did either. */
  take(message: Answer): boolean;
  /** Keeps an answer that the page asked for, but whose requester is gone. */
  hold(message: Answer, action: Action): void;
  /** The page has the answer, or none will come. */
  forget(requestId: string): void;
  /** The page has the answer: the wallet need not keep it for us. */
  acknowledge(requestId: string): void;
  /** Acknowledges the answers for which `take` returns true. */
  pending(take?: (pending: Pending) => boolean): Promise<Pending[]>;
  close(): void;
}

/**
 * A window left over from an earlier load of the page announces itself five times a second, or once where the
 * browser throttles it.
 */
const ORPHAN_MS = 700;

export function openRecovery(options: RecoveryOptions): Recovery {
  const { record } = options;
  const undelivered = () => record.read().undelivered;
  const orphans = new Set(Object.keys(undelivered()));
  const adopted = new Set<FrameLink>();
  /** Kept for as long as the page lives, because several parts of it ask. */
  const arrived = new Map<string, Pending>();
  let finding: Promise<Pending[]> | undefined;
  const forgotten = new Set<string>();
  let stop: (() => void) | undefined;

  function listen(): void {
    if (!(orphans.size || options.expectsWindow) || closed) return;
    stop ??= onOrphan(options.frameOrigin, (win) => {
      adopted.add(options.connect(win, (link) => adopted.delete(link)));
    });
  }

  /** Restores what a killed browser never flushed to `localStorage`, from the database on disk. */
  async function restore(): Promise<void> {
    const now = options.clock.date();
    for (const [id, entry] of Object.entries(await options.asked.all())) {
      if (forgotten.has(id) || options.isOpen(id) || Object.hasOwn(undelivered(), id)) continue;
      if (!isUndelivered(id, entry, now)) {
        await options.asked.forget(id);
        continue;
      }
      orphans.add(id);
      record.change((it) => (it.undelivered[id] = entry));
    }
    listen();
  }

  let closed = false;
  listen();
  // Without IndexedDB, there is only the record.
  const restored = restore().catch(() => {});

  function forget(id: string): void {
    orphans.delete(id);
    forgotten.add(id);
    options.asked.forget(id).catch(() => {});
    if (Object.hasOwn(undelivered(), id)) record.change((it) => delete it.undelivered[id]);
  }

  function acknowledge(id: string): void {
    // Some frame will know the id; the others ignore it.
    for (const each of [...options.frames(), ...adopted]) each?.send({ type: 'ack', id });
    forget(id);
  }

  /** Ids of requests that this page has no answer to and is not waiting for. */
  const lost = () => Object.keys(undelivered()).filter((id) => !arrived.has(id) && !options.isOpen(id));

  async function find(): Promise<Pending[]> {
    await restored;
    // Not every browser lets the hidden frame read the journal.
    const hidden =
      lost().length && (await options.reachesVault())
        ? await options.askHidden(lost()).catch(() => undefined)
        : undefined;
    if (!hidden && !adopted.size && lost().some((id) => orphans.has(id)))
      await new Promise<void>((resolve) => options.clock.after(ORPHAN_MS, resolve));
    const requestIds = lost();
    const asked = requestIds.length ? [...adopted].map((link) => options.ask(link, requestIds)) : [];
    const windows = await Promise.all(asked.map((answer) => answer.catch(() => [])));
    const open = new Map<string, Pending>();
    for (const each of [...windows.flat(), ...(hidden ?? [])])
      (each.state === 'done' || each.state === 'failed' ? arrived : open).set(each.requestId, {
        ...each,
        asked: undelivered()[each.requestId]?.asked,
      });
    // What the wallet's journal does not know was never approved: nothing to recover.
    if (!hidden)
      for (const requestId of lost())
        if (!open.has(requestId)) {
          const { action, asked } = undelivered()[requestId]!;
          open.set(requestId, { requestId, action, asked, state: 'unknown' });
        }
    return [...arrived.values(), ...open.values()];
  }

  function arrive(message: Answer, action: Action): Pending {
    const requestId = message.id;
    const { asked } = undelivered()[requestId] ?? {};
    const pending: Pending =
      message.type === 'result'
        ? { requestId, action, asked, state: 'done', result: message.result }
        : { requestId, action, asked, state: 'failed', error: message.error };
    arrived.set(requestId, pending);
    return pending;
  }

  return {
    take(message) {
      const { id } = message;
      if (!Object.hasOwn(undelivered(), id)) return false;
      if (options.onArrived(arrive(message, undelivered()[id]!.action))) acknowledge(id);
      return true;
    },
    hold: arrive,
    forget,
    acknowledge,
    async pending(take = () => true) {
      const found = await (finding ??= find().finally(() => (finding = undefined)));
      for (const each of found) if (arrived.has(each.requestId) && take(each)) acknowledge(each.requestId);
      return found;
    },
    close() {
      closed = true;
      stop?.();
      for (const link of adopted) link.close();
      adopted.clear();
    },
  };
}
