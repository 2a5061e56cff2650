/** Helpers for tables of valid and invalid requests, for every chain. */
import { expect } from '@open-wc/testing';
import { RequestInvalidError } from '../../../src/base/errors.ts';

/** The issues of a request that `parse` must refuse. */
export function issuesOf(
  request: unknown,
  parse: (request: unknown) => unknown,
): { path: string; message: string }[] {
  try {
    parse(request);
  } catch (error) {
    expect(error, String(error)).to.be.instanceOf(RequestInvalidError);
    return (error as RequestInvalidError).issues;
  }
  throw new Error('was not refused');
}

/** The same text for the same fields in any order. Bigints are compared as text, since assertion diffs cannot print them. */
export function textOf(value: unknown): string {
  return JSON.stringify(value, (_, v: unknown) => {
    if (typeof v === 'bigint') return `${v}n`;
    if (v === undefined || (typeof v === 'number' && !Number.isFinite(v))) return String(v);
    if (typeof v !== 'object' || v === null || Array.isArray(v)) return v;
    return Object.fromEntries(Object.entries(v).sort(([one], [other]) => (one < other ? -1 : 1)));
  });
}

/** For the name of a test. */
export const titleOf = (change: unknown): string => textOf(change).slice(0, 90);
