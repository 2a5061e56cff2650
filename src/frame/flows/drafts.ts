/** Keeps the transaction on screen fresh: makes a draft, makes it again every 20 s, says what changed. */
import type { Chain, Draft, Node, Summary } from '../../chains/chain.ts';
import { ConnectError } from '../../errors.ts';
import type { ChangedPart } from '../views/summary.ts';

/** Fees and trial runs age. */
const RENEW = 20_000;
/** A draft that the node has not confirmed for this long is not shown as if it were true. */
const STALE = 60_000;

export interface Drawn {
  draft: Draft;
  summary: Summary;
  /** When it was asked for. */
  at: number;
}

export interface DraftSource {
  chain: Chain;
  node: Node;
  make(): Promise<Draft>;
  /** Adds what only the vault knows. */
  describe(draft: Draft): Promise<Summary>;
}

export type Broken = { type: 'unreachable' };

export class Drafts {
  current: Drawn | undefined;
  /** Called for every new draft; `feeRose` compares with the one drawn before. */
  onDrawn: (drawn: Drawn, changed: ReadonlySet<ChangedPart>, feeRose: boolean) => void = () => {};
  /** Settles when there is nothing true to show any more: no node answers, or the chain refuses the request (rejects). */
  broken!: Promise<Broken>;

  #break!: { resolve: (broken: Broken) => void; reject: (error: unknown) => void };
  #timer: ReturnType<typeof setTimeout> | undefined;
  #frozen = false;
  #stopped = false;

  constructor(readonly source: DraftSource) {}

  start(): void {
    this.broken = new Promise((resolve, reject) => (this.#break = { resolve, reject }));
    this.broken.catch(() => {});
    void this.renew();
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  /** What is on screen is being approved: it stays as it is. */
  freeze(): void {
    this.#frozen = true;
    clearTimeout(this.#timer);
  }

  thaw(): void {
    this.#frozen = false;
    this.#schedule();
  }

  /** Draws the current draft on a view that came later than it. */
  redraw(): void {
    if (this.current) this.onDrawn(this.current, new Set(), false);
  }

  async renew(): Promise<void> {
    clearTimeout(this.#timer);
    const at = Date.now();
    try {
      const draft = await this.source.make();
      const summary = await this.source.describe(draft);
      if (this.#frozen || this.#stopped) return;
      const before = this.current?.summary;
      this.current = { draft, summary, at };
      this.onDrawn(
        this.current,
        before ? changes(before, summary) : new Set(),
        !!before && summary.fee.maximum.raw > before.fee.maximum.raw,
      );
    } catch (error) {
      if (this.#stopped || this.#frozen) return;
      if (!(error instanceof ConnectError) || error.code !== 'node.unreachable')
        return this.#break.reject(error);
      if (!this.current || at - this.current.at > STALE) return this.#break.resolve({ type: 'unreachable' });
    }
    this.#schedule();
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    if (!this.#stopped && !this.#frozen) this.#timer = setTimeout(() => void this.renew(), RENEW);
  }
}

export function changes(before: Summary, after: Summary): Set<ChangedPart> {
  const parts: [ChangedPart, unknown, unknown][] = [
    ['fee', before.fee.expected.raw, after.fee.expected.raw],
    ['maximum', before.fee.maximum.raw, after.fee.maximum.raw],
    ['total', before.total.raw, after.total.raw],
    ['balance', before.balance.raw, after.balance.raw],
    ['amount', before.amount.raw, after.amount.raw],
    ['warnings', codes(before), codes(after)],
  ];
  return new Set(parts.filter(([, one, other]) => one !== other).map(([part]) => part));
}

function codes({ warnings }: Summary): string {
  return warnings.map(({ code }) => code).join();
}
