/**
 * Keeps the transaction on screen fresh: makes a new draft every 20 s and reports what changed. The first draft fixes the maximum total and
 * the simulated balance changes. A later draft within them is signed without notice and shown with them; only what is worse is news.
 */
import { type Clock, systemClock } from '../../base/clock.ts';
import { ConnectError } from '../../base/errors.ts';
import type { Part, Summary } from '../../chains/approval/summary.ts';
import type { Chain } from '../../chains/chain.ts';
import type { Draft, Node } from '../../chains/terms.ts';
import type { ChangedPart } from './drawing/summary.ts';

/** Fees and simulations go stale. */
export const RENEW = 20_000;
/** Maximum age of a draft on screen while the node does not answer. */
const STALE = 60_000;

export interface Drawn<D> {
  draft: Draft;
  /** Of the draft's summary, but with the total, maximum fee and balance changes that were shown first. */
  drawing: D;
  /** When it was requested: wall-clock time, and monotonic time. */
  at: number;
  since: number;
}

export interface DraftSource<D> {
  chain: Chain;
  node: Node;
  clock?: Clock;
  make(): Promise<Draft>;
  /** The chain's description, with what only the vault knows. */
  describe(draft: Draft): Promise<Summary>;
  /** Loads all that draws a summary. */
  draw(summary: Summary): Promise<D>;
}

/** `error`: `node.unreachable`, unless a part of the wallet did not load. */
export type Broken = { type: 'unreachable'; error?: ConnectError };

/** A change in a new draft that the user has to see before approving. */
export type News = 'total' | 'amount' | 'recipient' | 'danger';

/** `D` draws a summary. */
export class Drafts<D extends { readonly summary: Summary }> {
  current: Drawn<D> | undefined;
  /** Called for every new draft. Without `news`, everything the user has seen, ticked or typed stays valid. */
  onDrawn: (drawn: Drawn<D>, changed: ReadonlySet<ChangedPart>, news: News | undefined) => void = () => {};
  /** Settles when there is no current draft to show: resolves if no node answers, rejects if the chain rejects the request. */
  broken!: Promise<Broken>;

  readonly #clock: Clock;
  #break!: { resolve: (broken: Broken) => void; reject: (error: unknown) => void };
  #cancel: (() => void) | undefined;
  #frozen = false;
  #stopped = false;
  #renewals = 0;

  constructor(readonly source: DraftSource<D>) {
    this.#clock = source.clock ?? systemClock;
  }

  start(): void {
    this.broken = new Promise((resolve, reject) => (this.#break = { resolve, reject }));
    this.broken.catch(() => {});
    void this.renew();
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel?.();
  }

  /** The user is approving what is on screen: it must not change. */
  freeze(): void {
    this.#frozen = true;
    this.#cancel?.();
  }

  thaw(): void {
    this.#frozen = false;
    if (this.current && this.#clock.now() - this.current.since >= RENEW) void this.renew();
    else this.#schedule();
  }

  /** Draws the current draft on a view attached after the draft was made. */
  redraw(): void {
    if (this.current) this.onDrawn(this.current, new Set(), undefined);
  }

  async renew(): Promise<void> {
    this.#cancel?.();
    const renewal = ++this.#renewals;
    const at = this.#clock.date();
    const since = this.#clock.now();
    // A late answer must not replace a draft that is being approved, or one that was requested later.
    const over = (): boolean => this.#stopped || this.#frozen || renewal !== this.#renewals;
    try {
      let draft = await this.source.make();
      const promised = this.current?.drawing.summary;
      if (promised) draft = within(this.source.chain, draft, promised);
      const summary = await this.source.describe(draft);
      if (over()) return;
      const news = promised && newsIn(promised, summary, this.source.chain);
      const shown = promised && !news ? { ...summary, ...promiseOf(promised, summary) } : summary;
      const drawing = await this.source.draw(shown).catch(() => undefined);
      if (over()) return;
      // A part of the wallet did not load. An older draft must not stand in for one that cannot be drawn.
      if (!drawing) return this.#break.resolve({ type: 'unreachable' });
      this.current = { draft, drawing, at, since };
      this.onDrawn(this.current, promised ? changes(promised, shown) : new Set(), news);
    } catch (error) {
      if (over()) return;
      if (!(error instanceof ConnectError) || error.code !== 'node.unreachable')
        return this.#break.reject(error);
      if (!this.current || since - this.current.since > STALE)
        return this.#break.resolve({ type: 'unreachable', error });
    }
    this.#schedule();
  }

  #schedule(): void {
    this.#cancel?.();
    if (!this.#stopped && !this.#frozen) this.#cancel = this.#clock.after(RENEW, () => void this.renew());
  }
}

/** The same draft capped at the promised maximum fee, if that is still enough to get into a block. */
function within(chain: Chain, draft: Draft, { fee }: Summary): Draft {
  return chain.within?.(draft, fee.maximum.raw) ?? draft;
}

/** Total, maximum fee and balance changes as promised, so that they cannot get worse little by little; the rest of the fee is current. */
function promiseOf(
  { total, changes, fee: { maximum } }: Summary,
  now: Summary,
): Pick<Summary, 'total' | 'changes' | 'fee'> {
  return { total, changes, fee: { ...now.fee, maximum } };
}

/** Undefined if everything the user has seen still holds. */
export function newsIn(before: Summary, after: Summary, chain: Pick<Chain, 'worsened'>): News | undefined {
  if (amountOf(before) !== amountOf(after) || chain.worsened?.(before, after)) return 'amount';
  if (recipientsOf(before) !== recipientsOf(after)) return 'recipient';
  const dangersBefore = dangersOf(before);
  if (dangersOf(after).some((danger) => !dangersBefore.includes(danger))) return 'danger';
  const higher = after.total.raw > before.total.raw || after.fee.maximum.raw > before.fee.maximum.raw;
  return higher || payerOf(before) !== payerOf(after) ? 'total' : undefined;
}

function payerOf({ total, fee, from, networkName }: Summary): string {
  return [total.symbol, fee.maximum.symbol, from, networkName].join();
}

/** Everything that defines what the transaction does: kinds, amounts, contracts and call data. */
function amountOf(summary: Summary): string {
  return exact(
    partsOf(summary).map(({ kind, amount, unlimited, contract, call, swap }) => [
      kind,
      amount,
      unlimited,
      contract,
      call?.data,
      swap?.input,
      swap?.output,
      swap?.orderType,
    ]),
  );
}

function recipientsOf(summary: Summary): string {
  return exact(partsOf(summary).map(({ to, swap }) => [to, swap?.recipient]));
}

function partsOf(summary: Summary): Part[] {
  return [summary, ...(summary.parts ?? [])];
}

function dangersOf({ warnings }: Summary): string[] {
  return warnings
    .filter(({ level }) => level === 'danger')
    .map(({ code, params: { address, spender } = {}, amount }) =>
      exact([code, address, spender, amount?.symbol, amount?.token]),
    );
}

function changes(before: Summary, after: Summary): Set<ChangedPart> {
  const [one, other] = [changeable(before), changeable(after)];
  return new Set((Object.keys(one) as ChangedPart[]).filter((part) => one[part] !== other[part]));
}

function changeable({ fee, total, balance, amount, warnings }: Summary): Record<ChangedPart, unknown> {
  return {
    fee: fee.expected.raw,
    maximum: fee.maximum.raw,
    total: total.raw,
    balance: balance.raw,
    amount: amount.raw,
    warnings: warnings.map(({ code }) => code).join(),
  };
}

/** Differs if anything in it does. */
export function exact(what: unknown): string {
  return JSON.stringify(what, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
}
