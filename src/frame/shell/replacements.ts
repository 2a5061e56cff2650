/**
 * Detects replaced requests. If a site withdraws a request while the user types the PIN, and sends another one, the remaining digits and
 * the press of Approve would go to something that nobody has read. So a notice comes before the next request.
 *
 * The record survives removal of the iframe or window by the page: it is in the wallet's own `localStorage`, which iframe and window share
 * and which is written before the page can act again. It holds a request's digest and title, for one minute.
 */
import { canonicalHash } from '../../canonical-hash.ts';
import type { HostRequest } from '../../channel/link.ts';
import type { Clock } from '../../clock.ts';
import { askedKey } from '../../wallets/first-paint.ts';

/** How long the user may still be acting on what was on screen. */
const WHILE = 60_000;
/** Interval at which the mark of a request on screen is renewed. */
const RENEW = 5000;
/** This many replacements within `WHILE` are not accidental. */
const MAX = 3;
const PAUSE = 600_000;
/** Maximum number of marks kept: a site does not have more documents open at once. */
const MARKS = 20;
const TITLE = 80;

type RequestBody = Pick<HostRequest, 'action' | 'params'>;

/** A request that was shown to the user but not approved. */
export interface Mark {
  id: string;
  /** SHA-256 of the request without its id; empty until computed, and while empty equal to no other. */
  body: string;
  /** When it was last on screen. */
  at: number;
  /** PIN digits were typed into it. */
  typed: boolean;
  /** The document that shows it; empty when no longer shown. */
  open: string;
  /** Its title on screen. */
  title: string;
}

interface Kept {
  marks: Mark[];
  /** When the site replaced requests. */
  replaced: number[];
  pausedUntil: number;
}

const nothing = (): Kept => ({ marks: [], replaced: [], pausedUntil: 0 });

export type Verdict =
  | { kind: 'replaced'; title: string }
  /** `told`: this document has already shown the notice. */
  | { kind: 'paused'; until: number; told: boolean };

export interface ReplacementsOptions {
  origin: string;
  clock: Clock;
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
  /** Whether the document of this name is still alive. */
  lives?: (name: string) => Promise<boolean>;
}

export class Replacements {
  /** The title on screen. */
  title = (): string => '';
  readonly #options: ReplacementsOptions;
  readonly #key: string;
  readonly #document = `carabiner:asked:${crypto.randomUUID()}`;
  /** The requests that this document shows, latest last. One may still be ending when the next begins. */
  readonly #mine: Mark[] = [];
  #held = false;
  #told = false;
  /** Replaces denied storage, for the life of the document. */
  #memory = nothing();

  constructor(options: ReplacementsOptions) {
    this.#options = options;
    this.#key = askedKey(options.origin);
  }

  /** The notice due before a request. Undefined if it replaces nothing, or is identical to the previous one. */
  async judge(request: RequestBody, { id }: Mark): Promise<Verdict | undefined> {
    const body = await digest(request);
    const { marks, pausedUntil } = this.#read();
    if (pausedUntil > this.#now()) return this.#paused(pausedUntil);
    let before: Mark | undefined;
    for (const mark of marks.filter((each) => each.id !== id))
      if (mark.body !== body && (mark.typed || !mark.open || !(await this.#lives(mark.open)))) before = mark;
    if (!before) return undefined;
    const kept = this.#read();
    kept.replaced.push(this.#now());
    if (kept.replaced.length >= MAX) {
      const until = this.#now() + PAUSE;
      this.#write({ ...nothing(), pausedUntil: until });
      return this.#paused(until);
    }
    this.#write(kept);
    return { kind: 'replaced', title: before.title };
  }

  /** From now on the user is asked about the request, if only whether to look at it. */
  begin(request: RequestBody): Mark {
    this.#hold();
    const id = crypto.randomUUID();
    const mark: Mark = { id, body: '', at: 0, typed: false, open: this.#document, title: '' };
    this.#mine.push(mark);
    this.#save(mark);
    void digest(request).then((body) => {
      mark.body = body;
      if (this.#keeps(mark)) this.#save(mark);
    });
    return mark;
  }

  /** The user wants to see `mark`: earlier requests no longer count. */
  accept(mark: Mark): void {
    this.#write({ ...this.#read(), marks: [] });
    this.#save(mark);
  }

  /** The user typed a digit of a PIN. */
  typed(): void {
    const mark = this.#mine.at(-1);
    if (!mark) return;
    mark.typed = true;
    this.#save(mark);
  }

  /** The user has approved it: the next request does not replace it. */
  approve(mark: Mark): void {
    const { marks, ...kept } = this.#read();
    // A dead document may have left a mark of the same request.
    const others = marks.filter(({ id, body }) => id !== mark.id && (!body || body !== mark.body));
    this.#write({ ...kept, marks: others });
  }

  /** The user is asked again: the signer refused, or the list continues. */
  again(mark: Mark): void {
    if (this.#mine.includes(mark)) this.#save(mark);
  }

  /** The request has ended. `approved`: the user had approved it. `takenBack`: the page cancelled it. */
  end(mark: Mark, approved: boolean, takenBack: boolean): void {
    const index = this.#mine.indexOf(mark);
    if (index < 0) return;
    mark.open = '';
    if (!approved && (takenBack || mark.typed)) this.#save(mark);
    else this.approve(mark);
    this.#mine.splice(index, 1);
  }

  /** The document is being unloaded, by the user or by the page. */
  leave(): void {
    for (const mark of this.#mine) if (this.#keeps(mark)) this.#save(Object.assign(mark, { open: '' }));
  }

  #paused(until: number): Verdict {
    const told = this.#told;
    this.#told = true;
    return { kind: 'paused', until, told };
  }

  /** False once it was approved, or another document has superseded it. */
  #keeps(mark: Mark): boolean {
    return this.#read().marks.some(({ id }) => id === mark.id);
  }

  #save(mark: Mark): void {
    const { marks, ...kept } = this.#read();
    mark.at = this.#now();
    mark.title = this.title().slice(0, TITLE) || mark.title;
    this.#write({ ...kept, marks: [...marks.filter(({ id }) => id !== mark.id), mark].slice(-MARKS) });
  }

  /** Holds a lock for the life of the document, however it ends, and keeps its marks fresh. */
  #hold(): void {
    if (this.#held) return;
    this.#held = true;
    void navigator.locks?.request(this.#document, () => new Promise<never>(() => {})).catch(() => {});
    this.#options.clock.every(RENEW, () => {
      for (const mark of this.#mine) if (this.#keeps(mark)) this.#save(mark);
    });
  }

  async #lives(name: string): Promise<boolean> {
    return name !== this.#document && (this.#options.lives ?? lives)(name);
  }

  #now(): number {
    return this.#options.clock.date();
  }

  #read(): Kept {
    const now = this.#now();
    const recent = (at: number): boolean => Math.abs(now - at) < WHILE;
    let kept = this.#memory;
    try {
      kept = { ...nothing(), ...JSON.parse(this.#options.storage.getItem(this.#key) ?? '{}') };
    } catch {
      // Denied: falls back to memory.
    }
    return {
      marks: kept.marks.filter(({ at }) => recent(at)),
      replaced: kept.replaced.filter(recent),
      // Never longer than intended, even if the clock was changed.
      pausedUntil: Math.min(kept.pausedUntil, now + PAUSE),
    };
  }

  #write(kept: Kept): void {
    this.#memory = kept;
    const { storage } = this.#options;
    const empty = !kept.marks.length && !kept.replaced.length && kept.pausedUntil <= this.#now();
    try {
      if (empty) storage.removeItem(this.#key);
      else storage.setItem(this.#key, JSON.stringify(kept));
    } catch {
      // Full or denied: it is in memory.
    }
  }
}

function digest({ action, params }: RequestBody): Promise<string> {
  return canonicalHash([action, params]);
}

async function lives(name: string): Promise<boolean> {
  const { held = [] } = (await navigator.locks?.query()) ?? {};
  return held.some((lock) => lock.name === name);
}
