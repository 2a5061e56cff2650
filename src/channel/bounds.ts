/**
 * Limits on a message's contents. Checked before anything traverses it: a sparse array of 2^32 slots is a few
 * bytes on the wire and minutes of work for a schema, and a value that contains another one twice, thirty
 * levels deep, expands to a billion.
 */

/**
 * Levels of what a page passes. A message adds some more around it; together they are as deep as
 * `canonical.ts` goes.
 */
export const DEPTH = 28;
const AROUND = 4;
/** Maximum length of a list. */
export const ITEMS = 10_000;
/** Total number of values, each counted as often as it occurs. */
const VALUES = 100_000;
/** More than any transaction that a node accepts, yet small enough to compare and store. */
const CHARACTERS = 1_000_000;
/** No chain's amounts exceed 256 bits; longer ones are slow to write as text. */
const INTEGER = 1n << 512n;

/** How many requests may wait for the user at a time, the one on screen included. */
export const WAITING = 20;
/** How many reads may wait. */
export const READS = 500;

export interface Excess {
  /** `requests.3.data` */
  path: string;
  message: string;
}

/** The first violation of the bounds. A value that contains itself is too deep. */
export function excess(value: unknown): Excess | undefined {
  let values = 0;
  let characters = 0;

  /** Undefined, or what is wrong with `each` itself. */
  function fault(each: unknown, depth: number): string | undefined {
    if (++values > VALUES) return 'holds more than 100,000 values';
    if (typeof each === 'string') return text(each);
    if (typeof each === 'bigint')
      return each >= INTEGER || each <= -INTEGER ? 'is larger than any amount' : undefined;
    if (typeof each !== 'object' || each === null) return undefined;
    if (depth === 0) return `is nested too deeply: at most ${DEPTH} levels`;
    if (Array.isArray(each)) return each.length > ITEMS ? `is too long: at most ${ITEMS} items` : undefined;
    const prototype: unknown = Object.getPrototypeOf(each);
    return prototype === Object.prototype || prototype === null ? undefined : 'must be plain data';
  }

  function text({ length }: string): string | undefined {
    characters += length;
    return characters > CHARACTERS ? 'is larger than 1,000,000 characters' : undefined;
  }

  function look(each: unknown, depth: number): Excess | undefined {
    const message = fault(each, depth);
    if (message) return { path: '', message };
    if (typeof each !== 'object' || each === null) return undefined;
    for (const key in each) {
      if (!Object.hasOwn(each, key)) continue;
      const long = Array.isArray(each) ? undefined : text(key);
      const inner = long
        ? { path: '', message: long }
        : look((each as Record<string, unknown>)[key], depth - 1);
      if (inner) return { ...inner, path: inner.path ? `${key}.${inner.path}` : key };
    }
    return undefined;
  }

  return look(value, DEPTH + AROUND);
}
