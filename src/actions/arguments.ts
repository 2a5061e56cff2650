/** First checks of what a page passes to an action: its shape, so that mistakes are reported before anything opens. */
import { type Issue, RequestInvalidError } from '../base/errors.ts';
import { invalid, plain } from './plain.ts';
import type { CallOptions } from './types.ts';

/** A copy of `value`, which must be an object whose fields named in `texts` are non-empty strings. */
export function record(value: unknown, texts: readonly string[], path = ''): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalid(path, 'must be an object');
  const copy = plain(value, path) as Record<string, unknown>;
  const issues: Issue[] = texts
    .filter((name) => !Object.hasOwn(copy, name) || typeof copy[name] !== 'string' || copy[name] === '')
    .map((name) => ({
      path: path ? `${path}.${name}` : name,
      message: 'is required: a text that is not empty',
    }));
  if (issues.length) throw new RequestInvalidError(issues);
  return copy;
}

/**
 * A transaction request. The PIN is typed in the frame: a page's `pincode` is only checked for its format, as
 * the API documents it, and goes no further.
 */
export function transaction(value: unknown, texts: readonly string[], path = ''): Record<string, unknown> {
  const { pincode, ...rest } = record(value, texts, path);
  if (pincode != null && !(typeof pincode === 'string' && /^[0-9]{4,6}$/.test(pincode)))
    throw invalid(path ? `${path}.pincode` : 'pincode', 'must be 4 to 6 digits, or absent');
  return rest;
}

/** What the chain's schemas check of a request: whether a network of that id exists, only the wallet knows. */
export function chainFields<T extends object>(body: T): Omit<T, 'network'> {
  const { network, ...fields } = body as T & { network?: unknown };
  return typeof network === 'string' ? fields : body;
}

/** The last argument of every call; checks what would otherwise fail late. */
export function checkedOptions(given: CallOptions = {}): CallOptions {
  const options: CallOptions = Object.assign(Object.create(null), given);
  const { requestId } = options;
  if (requestId !== undefined && !/^[A-Za-z0-9_-]{8,64}$/.test(requestId))
    throw invalid('requestId', 'must be 8 to 64 of A-Z, a-z, 0-9, _ and -');
  return options;
}
