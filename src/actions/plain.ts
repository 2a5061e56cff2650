/**
 * Copies what a page passes into plain data: nothing changes during an open request, and everything can cross
 * the channel.
 */
import { DEPTH, ITEMS } from '../channel/bounds.ts';
import { RequestInvalidError } from '../base/errors.ts';

export function invalid(path: string, message: string): RequestInvalidError {
  return new RequestInvalidError([{ path, message }]);
}

/**
 * A deep copy, without undefined fields. Frameworks' proxies and class instances become plain objects;
 * functions, symbols, cycles and what is too long or too deep for the channel are refused by name.
 */
export function plain(value: unknown, path = '', inside: readonly unknown[] = []): unknown {
  if (typeof value === 'function' || typeof value === 'symbol')
    throw invalid(path, `must be plain data, not a ${typeof value}`);
  if (typeof value !== 'object' || value === null) return value;
  if (inside.includes(value)) throw invalid(path, 'must not contain itself');
  if (inside.length === DEPTH) throw invalid(path, `is nested too deeply: at most ${DEPTH} levels`);
  const around = [...inside, value];
  const at = (key: string | number) => (path ? `${path}.${key}` : `${key}`);
  // Checked before anything traverses it: a sparse array may have 2^32 slots and hold nothing.
  if (Array.isArray(value) && value.length > ITEMS)
    throw invalid(path, `is too long: at most ${ITEMS} items`);
  if (Array.isArray(value)) return value.map((item, index) => plain(item, at(index), around));
  const copy: [string, unknown][] = [];
  for (const [key, item] of Object.entries(value))
    if (item !== undefined) copy.push([key, plain(item, at(key), around)]);
  return Object.fromEntries(copy);
}
