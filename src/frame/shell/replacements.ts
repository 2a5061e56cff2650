/**
 * Remembers the request that was on screen last. If a site withdraws it while the user types the PIN, and it or another site sends the next
 * one, the remaining digits and the press of Approve would go to something that nobody has read. So a notice comes before that one.
 *
 * The record survives removal of the iframe or window by the page: it is in the wallet's own `localStorage`, which iframe and window share
 * and which is written before the page can act again. It holds a request's origin, digest and title, for one minute. Only the document
 * whose turn it is (`turn.ts`) writes there. Which site had this window last is in `sessionStorage`, which belongs to the window.
 */
import { canonicalHash } from '../../base/canonical.ts';
import type { Ask } from '../../base/actions.ts';
import type { Clock } from '../../base/clock.ts';
import type { HostLink } from '../../channel/link.ts';
import { ASKED, formerSite, keepSite, windowStorage } from '../../wallets/first-paint.ts';
import type { OwnAction } from '../frame.ts';
import type { Shell } from './shell.ts';

/** How long the user may still be acting on what was on screen. */
const WHILE = 60_000;
/** Interval at which the mark of a request on screen is renewed. */
const RENEW = 5000;
/** This many replacements within `WHILE` are not accidental. */
const MAX = 3;
const PAUSE = 600_000;
/** Maximum number of marks kept. */
const MARKS = 20;
const TITLE = 80;

/** A site's request, or what the user has begun in the wallet itself. */
interface RequestBody {
  action: Ask | OwnAction;
  params: unknown;
}

/** A request that was shown to the user, who has not decided on it. */
export interface Mark {
  id: string;
  origin: string;
  /** SHA-256 of the request without its id; empty until computed, and while empty equal to no other. */
  body: string;
  /** When it was last on screen. */
  at: number;
  /** Its title on screen. */
  title: string;
  /** It failed, or the user began it in the wallet: no site took it back. */
  quiet?: boolean;
}

/** What one site has done. */
interface Conduct {
  /** When it replaced requests. */
  replaced: number[];
  pausedUntil: number;
}

/** What is stored. */
interface StoredRecord {
  version: 1;
  marks: Mark[];
  sites: Record<string, Conduct>;
}

const nothing = (): StoredRecord => ({ version: 1, marks: [], sites: {} });

export type Verdict =
  | { kind: 'replaced'; title: string }
  /** Another site was served before: in this window, or a moment ago in another one. */
  | { kind: 'moved'; title: string; from: string; here: boolean }
  /** No site took the previous one back: no notice, but no digits meant for it either. */
  | { kind: 'quiet' }
  /** `isRepeated`: this document has already shown the notice. */
  | { kind: 'paused'; until: number; isRepeated: boolean };

type WebStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

export interface ReplacementsOptions {
  origin: string;
  clock: Clock;
  storage: WebStorage;
  /** What belongs to this window alone. Undefined in an iframe, which is the page's. */
  window?: WebStorage | undefined;
}

/** Remembers which request the user saw, even after this document is gone. */
export function watchReplacements(
  { origin, surface }: Pick<HostLink, 'origin' | 'surface'>,
  shell: Shell,
  clock: Clock,
): Replacements {
  const replacements = new Replacements({
    origin,
    clock,
    // Accessed on each use: this throws if storage is denied.
    get storage() {
      return localStorage;
    },
    window: windowStorage(surface),
  });
  shell.addEventListener('cbf-pin-input', () => replacements.renew());
  addEventListener('pagehide', () => replacements.renew());
  return replacements;
}

export class Replacements {
  /** The title on screen. */
  title = (): string => '';
  readonly #options: ReplacementsOptions;
  /** What this document shows, latest last. One may still be ending when the next begins. */
  #mine: Mark[] = [];
  #renews = false;
  #pauseShown = false;
  /** Replaces denied storage, for the life of the document. */
  #memory = nothing();

  constructor(options: ReplacementsOptions) {
    this.#options = options;
    // An earlier version kept a record for each site. It held for ten minutes at most.
    try {
      options.storage.removeItem(`${ASKED}:${options.origin}`);
    } catch {
      // Denied.
    }
  }

  /** What is due before a request. Undefined if it follows no other, or one identical to it. */
  async judge(request: RequestBody, { id }: Mark): Promise<Verdict | undefined> {
    const { origin, window } = this.#options;
    const body = await digest(request);
    const record = this.#read();
    const conduct = record.sites[origin] ?? { replaced: [], pausedUntil: 0 };
    if (conduct.pausedUntil > this.#now()) return this.#paused(conduct.pausedUntil);
    const before = record.marks.filter(
      (mark) => mark.id !== id && (mark.origin !== origin || mark.body !== body),
    );
    const undecided = before.filter(({ quiet }) => !quiet);
    const replaced = undecided.findLast((mark) => mark.origin === origin);
    if (replaced) {
      conduct.replaced.push(this.#now());
      const isPaused = conduct.replaced.length >= MAX;
      if (isPaused) Object.assign(conduct, { replaced: [], pausedUntil: this.#now() + PAUSE });
      this.#write({
        ...record,
        ...(isPaused && { marks: [] }),
        sites: { ...record.sites, [origin]: conduct },
      });
      if (isPaused) return this.#paused(conduct.pausedUntil);
    }
    const former = formerSite(origin, window);
    if (replaced && !former) return { kind: 'replaced', title: replaced.title };
    const other = undecided.findLast((mark) => mark.origin !== origin);
    const from = former ?? other?.origin;
    if (from) {
      const title = other?.origin === from ? other.title : '';
      return { kind: 'moved', title, from, here: former !== undefined };
    }
    return before.length ? { kind: 'quiet' } : undefined;
  }

  /** Whether the user may still be acting on another request. */
  follows({ id }: Mark): boolean {
    return this.#read().marks.some((mark) => mark.id !== id);
  }

  /** From now on the user is asked about the request, if only whether to look at it. */
  begin(request: RequestBody, quiet = false): Mark {
    const { origin, clock, window } = this.#options;
    if (!formerSite(origin, window)) keepSite(origin, window);
    const mark: Mark = { id: crypto.randomUUID(), origin, body: '', at: 0, title: '', quiet };
    this.again(mark);
    void digest(request).then((body) => {
      mark.body = body;
      this.#renew(mark);
    });
    if (!this.#renews) clock.every(RENEW, () => this.renew());
    this.#renews = true;
    return mark;
  }

  /** The user wants to see `mark`: earlier requests no longer count. */
  accept(mark: Mark): void {
    this.#write({ ...this.#read(), marks: [] });
    this.#save(mark);
    keepSite(this.#options.origin, this.#options.window);
  }

  /** The user has approved it: the next request does not replace it. */
  approve(mark: Mark): void {
    const { marks, ...record } = this.#read();
    // A dead document may have left a mark of the same request.
    const isSame = ({ id, origin, body }: Mark): boolean =>
      id === mark.id || (origin === mark.origin && body !== '' && body === mark.body);
    this.#write({ ...record, marks: marks.filter((each) => !isSame(each)) });
    this.forget(mark);
  }

  /** The user is asked again: the signer refused, or the list continues. */
  again(mark: Mark): void {
    this.forget(mark);
    this.#mine.push(mark);
    this.#save(mark);
  }

  /**
   * The request has ended unapproved. `rejected`: by the user, who therefore is not typing for any other either. `withdrawn`: by the page.
   * `failed`: by neither.
   */
  end(mark: Mark, how: 'rejected' | 'withdrawn' | 'failed'): void {
    if (how === 'rejected') this.#write({ ...this.#read(), marks: [] });
    if (how === 'failed') mark.quiet = true;
    this.#renew(mark);
    this.forget(mark);
  }

  /** The user has gone on in another window, which is told by its own record. */
  forget(mark: Mark): void {
    this.#mine = this.#mine.filter((each) => each !== mark);
  }

  /** What is on screen stays there, or was until now: the user types, or the document is being unloaded. */
  renew(): void {
    for (const mark of this.#mine) this.#renew(mark);
  }

  #paused(until: number): Verdict {
    const isRepeated = this.#pauseShown;
    this.#pauseShown = true;
    return { kind: 'paused', until, isRepeated };
  }

  /** Not once it was approved, or another document has superseded it. */
  #renew(mark: Mark): void {
    if (this.#read().marks.some(({ id }) => id === mark.id)) this.#save(mark);
  }

  #save(mark: Mark): void {
    const { marks, ...record } = this.#read();
    mark.at = this.#now();
    mark.title = this.title().slice(0, TITLE) || mark.title;
    // One quiet mark of a site says as much as many, which would push out those of what it took back.
    const others = marks.filter(
      ({ id, origin, quiet }) => id !== mark.id && !(quiet && mark.quiet && origin === mark.origin),
    );
    this.#write({ ...record, marks: [...others, mark].slice(-MARKS) });
  }

  #now(): number {
    return this.#options.clock.date();
  }

  #read(): StoredRecord {
    const now = this.#now();
    const recent = (at: number): boolean => Math.abs(now - at) < WHILE;
    let record = this.#memory;
    try {
      const stored = JSON.parse(this.#options.storage.getItem(ASKED) ?? 'null') as StoredRecord | null;
      record = stored?.version === 1 ? stored : nothing();
    } catch {
      // Denied: falls back to memory.
    }
    const sites = Object.entries(record.sites).map(([origin, { replaced, pausedUntil }]) => {
      // Never longer than intended, even if the clock was changed.
      const until = Math.min(pausedUntil, now + PAUSE);
      return [origin, { replaced: replaced.filter(recent), pausedUntil: until }] as const;
    });
    return {
      version: 1,
      marks: record.marks.filter(({ at }) => recent(at)),
      sites: Object.fromEntries(
        sites.filter(([, { replaced, pausedUntil }]) => replaced.length > 0 || pausedUntil > now),
      ),
    };
  }

  #write(record: StoredRecord): void {
    this.#memory = record;
    const empty = !record.marks.length && !Object.keys(record.sites).length;
    try {
      const { storage } = this.#options;
      if (empty) storage.removeItem(ASKED);
      else storage.setItem(ASKED, JSON.stringify(record));
    } catch {
      // Full or denied: it is in memory.
    }
  }
}

function digest({ action, params }: RequestBody): Promise<string> {
  return canonicalHash([action, params]);
}
