/** A view with the user's answers to it as promises. */
import { UserRejectedError } from '../../base/errors.ts';
import type { BareView, LeaveEvents } from './bare-view.ts';

export interface OpenOptions {
  /** Ends every wait for the view: the page withdrew the request, or another request needs the stage. */
  signal: AbortSignal;
  /** The request to be passed on by "Open in a window". */
  requestId: string;
  /** Shows the wallet's own origin: settings, export. */
  own?: boolean;
  /** Offers Settings in the header. */
  settings?: boolean;
}

/** Events that can be awaited on a view: its own, and those by which the user leaves any view. */
type EventsOf<V extends BareView> = V['events'] & Pick<LeaveEvents, 'cbf-reject' | 'cbf-close'>;

/** One of the view's events `K`, with its detail. */
export type Answer<V extends BareView, K extends keyof EventsOf<V>> = {
  [T in K]: { type: T; detail: EventsOf<V>[T] };
}[K];

/** How the user left a view during `leavable`, until the next `next` for it. */
const LEAVE_EVENTS = new WeakMap<BareView, keyof LeaveEvents>();

export class Screen<V extends BareView = BareView> {
  /** Aborts once the pending call of `next` has its answer. */
  #listening: AbortController | undefined;

  constructor(
    /** Fires Close of the header. */
    readonly shell: EventTarget,
    readonly view: V,
    readonly options: OpenOptions,
  ) {}

  /** Whether a call of `next` is pending. */
  get waits(): boolean {
    return this.#listening !== undefined;
  }

  /**
   * The user's next answer, one of `types`. Events that no call awaits are dropped, such as a second click on Approve. Rejects with
   * `user.rejected` on Reject and Close unless they are among `types`, and with the signal's reason. A new call replaces the previous one,
   * which then never settles.
   */
  next<K extends keyof EventsOf<V> & string>(...types: K[]): Promise<Answer<V, K>> {
    this.#stop();
    const { signal } = this.options;
    const leaveEvent = LEAVE_EVENTS.get(this.view);
    LEAVE_EVENTS.delete(this.view);
    return new Promise((resolve, reject) => {
      const answer = (type: string, detail: unknown): void => {
        if ((types as string[]).includes(type)) resolve({ type, detail } as Answer<V, K>);
        else reject(new UserRejectedError());
      };
      if (signal.aborted) return reject(signal.reason);
      if (leaveEvent) return answer(leaveEvent, null);
      const onAnswer = (event: Event): void => {
        this.#stop();
        event.stopPropagation();
        answer(event.type, (event as CustomEvent).detail);
      };
      const onAbort = (): void => {
        this.#stop();
        reject(signal.reason);
      };
      this.#listening = new AbortController();
      const until = { signal: this.#listening.signal };
      for (const type of [...types, 'cbf-reject', 'cbf-close'])
        this.view.addEventListener(type, onAnswer, until);
      this.shell.addEventListener('cbf-close', onAnswer, until);
      signal.addEventListener('abort', onAbort, until);
    });
  }

  #stop(): void {
    this.#listening?.abort();
    this.#listening = undefined;
  }

  /**
   * The result of `work`. If the user leaves the view meanwhile, or the options' signal aborts: undefined; `next` then returns how the user
   * left, the signal of `work` is aborted, and `drop` gets a late result. Only for work that can be abandoned.
   */
  async leavable<T>(
    work: (signal: AbortSignal) => Promise<T>,
    drop: (late: T) => void = () => {},
  ): Promise<T | undefined> {
    const abandonment = new AbortController();
    const leaving = (this as unknown as Screen<BareView<LeaveEvents>>)
      .next('cbf-back', 'cbf-reject', 'cbf-close')
      .then(
        ({ type }) => {
          LEAVE_EVENTS.set(this.view, type);
          abandonment.abort();
          return undefined;
        },
        () => {
          abandonment.abort();
          return undefined;
        },
      );
    const result = work(abandonment.signal).then((value) => {
      if (abandonment.signal.aborted) drop(value);
      return value;
    });
    try {
      return await Promise.race([result, leaving]);
    } finally {
      this.#stop();
    }
  }
}
