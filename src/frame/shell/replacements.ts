/**
 * What a site did with the request before this one. A site that takes a request back while the user types a PIN, and puts another in its
 * place, has the rest of the digits and the press of Approve go to what nobody has read. So the next request stands behind a notice.
 *
 * It is kept where the page cannot take it away with the iframe or the window: in the wallet's own `localStorage`, which iframe and
 * window share and which is written before the page's next step. It holds no request, only a digest of it, for a minute.
 */
import { canonicalHash } from '../../canonical.ts';
import type { HostRequest } from '../../channel/link.ts';
import type { Clock } from '../../clock.ts';
import { askedKey } from '../../wallets/first-paint.ts';

/** How long the user may still be about what was on screen. */
const WHILE = 60_000;
/** How often a request that is on screen says so. */
const RENEW = 5000;
/** So many replacements within `WHILE` are no accident. */
const MOST = 3;
const PAUSE = 600_000;
/** More documents of one site are not open at a time. */
const MARKS = 20;
const TITLE = 80;

type Task = Pick<HostRequest, 'action' | 'params'>;

/** A request that the user was shown and has not approved. */
export interface Mark {
  id: string;
  /** SHA-256 of the request, whatever its id; empty until it is known, which equals no other. */
  body: string;
  /** When it was last on screen. */
  at: number;
  /** Digits were typed meanwhile. */
  typed: boolean;
  /** The document that shows it; empty when it does no more. */
  open: string;
  /** What it was, in the words on screen. */
  title: string;
}

interface Kept {
  marks: Mark[];
  /** When the site replaced a request. */
  replaced: number[];
  pausedUntil: number;
}

const nothing = (): Kept => ({ marks: [], replaced: [], pausedUntil: 0 });

export type Verdict =
  | { kind: 'replaced'; title: string }
  /** `told`: this document has said so already. */
  | { kind: 'paused'; until: number; told: boolean };

export interface ReplacementsOptions {
  origin: string;
  clock: Clock;
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
  /** Whether the document of this name still lives. */
  lives?: (name: string) => Promise<boolean>;
}

export class Replacements {
  /** What is on screen, in its own words. */
  title = (): string => '';
  readonly #options: ReplacementsOptions;
  readonly #key: string;
  readonly #document = `carabiner:asked:${crypto.randomUUID()}`;
  /** What this document shows, the latest last. One may still be at its end when the next begins. */
  readonly #mine: Mark[] = [];
  #held = false;
  #told = false;
  /** Where storage is denied: for as long as the document lives. */
  #memory = nothing();

  constructor(options: ReplacementsOptions) {
    this.#options = options;
    this.#key = askedKey(options.origin);
  }

  /** What stands before a request that has begun; nothing when it is the first, or the one before once more. */
  async judge(task: Task, { id }: Mark): Promise<Verdict | undefined> {
    const body = await digest(task);
    const { marks, pausedUntil } = this.#read();
    if (pausedUntil > this.#now()) return this.#paused(pausedUntil);
    let before: Mark | undefined;
    for (const mark of marks.filter((each) => each.id !== id))
      if (mark.body !== body && (mark.typed || !mark.open || !(await this.#lives(mark.open)))) before = mark;
    if (!before) return undefined;
    const kept = this.#read();
    kept.replaced.push(this.#now());
    if (kept.replaced.length >= MOST) {
      const until = this.#now() + PAUSE;
      this.#write({ ...nothing(), pausedUntil: until });
      return this.#paused(until);
    }
    this.#write(kept);
    return { kind: 'replaced', title: before.title };
  }

  /** The user is asked from now on, if only whether to look at it. */
  begin(task: Task): Mark {
    this.#hold();
    const id = crypto.randomUUID();
    const mark: Mark = { id, body: '', at: 0, typed: false, open: this.#document, title: '' };
    this.#mine.push(mark);
    this.#save(mark);
    void digest(task).then((body) => {
      mark.body = body;
      if (this.#keeps(mark)) this.#save(mark);
    });
    return mark;
  }

  /** The user wants to see `mark`: what was before is over. */
  accept(mark: Mark): void {
    this.#write({ ...this.#read(), marks: [] });
    this.#save(mark);
  }

  /** A digit of a PIN. */
  typed(): void {
    const mark = this.#mine.at(-1);
    if (!mark) return;
    mark.typed = true;
    this.#save(mark);
  }

  /** The user has approved it: what comes next is not in its place. */
  approve(mark: Mark): void {
    const { marks, ...kept } = this.#read();
    // The same may have been on screen in a document that has died.
    const others = marks.filter(({ id, body }) => id !== mark.id && (!body || body !== mark.body));
    this.#write({ ...kept, marks: others });
  }

  /** Whoever holds the key refused, or there is more of it: the user is asked again. */
  again(mark: Mark): void {
    if (this.#mine.includes(mark)) this.#save(mark);
  }

  /** It is over. `approved` says how far it came, `takenBack` whether the page ended it. */
  end(mark: Mark, approved: boolean, takenBack: boolean): void {
    const index = this.#mine.indexOf(mark);
    if (index < 0) return;
    mark.open = '';
    if (!approved && (takenBack || mark.typed)) this.#save(mark);
    else this.approve(mark);
    this.#mine.splice(index, 1);
  }

  /** The document goes, and nobody can tell whose wish that was. */
  leave(): void {
    for (const mark of this.#mine) if (this.#keeps(mark)) this.#save(Object.assign(mark, { open: '' }));
  }

  #paused(until: number): Verdict {
    const told = this.#told;
    this.#told = true;
    return { kind: 'paused', until, told };
  }

  /** False once it is approved, or another document was told of it. */
  #keeps(mark: Mark): boolean {
    return this.#read().marks.some(({ id }) => id === mark.id);
  }

  #save(mark: Mark): void {
    const { marks, ...kept } = this.#read();
    mark.at = this.#now();
    mark.title = this.title().slice(0, TITLE) || mark.title;
    this.#write({ ...kept, marks: [...marks.filter(({ id }) => id !== mark.id), mark].slice(-MARKS) });
  }

  /** Held for as long as the document lives, however it ends. */
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
      // Denied: what this document knows.
    }
    return {
      marks: kept.marks.filter(({ at }) => recent(at)),
      replaced: kept.replaced.filter(recent),
      // Never for longer than was meant, whatever the clock was set to.
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
      // Full or denied: this document knows it.
    }
  }
}

function digest({ action, params }: Task): Promise<string> {
  return canonicalHash([action, params]);
}

async function lives(name: string): Promise<boolean> {
  const { held = [] } = (await navigator.locks?.query()) ?? {};
  return held.some((lock) => lock.name === name);
}
