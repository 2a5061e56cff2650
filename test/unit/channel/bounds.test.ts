import { expect } from '@open-wc/testing';
import { plain } from '../../../src/actions/plain.ts';
import { excess } from '../../../src/channel/bounds.ts';
import type { RequestInvalidError } from '../../../src/base/errors.ts';

/** A sparse array of this length. */
const places = (length: number): unknown[] => Object.assign([], { length });
const nested = (levels: number): unknown => {
  let value: unknown = 'end';
  for (let level = 0; level < levels; level++) value = { in: value };
  return value;
};
/** 2^28 values in thirty lines: each array holds the previous one twice. */
const doubled = (): unknown => {
  let value: unknown = [];
  for (let times = 0; times < 28; times++) value = [value, value];
  return value;
};

describe('a message', () => {
  const cases: [string, unknown, string | undefined, RegExp | undefined][] = [
    [
      'of any length that is true is let through',
      { data: 'f'.repeat(120_000), list: [1, 2n, null, true] },
      undefined,
      undefined,
    ],
    [
      'with an array of 2^32 empty places is refused unread',
      { list: places(2 ** 32 - 1) },
      'list',
      /^is too long/,
    ],
    [
      'with such an array in a list is refused with its place',
      { all: [1, { list: places(10_001) }] },
      'all.1.list',
      /^is too long/,
    ],
    [
      'with values that hold each other again and again is refused',
      { in: doubled() },
      undefined,
      /^holds more than/,
    ],
    ['of 3,000 levels is refused', nested(3000), undefined, /^is nested too deeply/],
    [
      'of more than a million characters is refused',
      { data: 'f'.repeat(1_000_001) },
      'data',
      /^is larger than/,
    ],
    ['with that many in its names is refused', { ['f'.repeat(1_000_001)]: 1 }, undefined, /^is larger than/],
    [
      // Firefox has none longer than a million bits.
      'with a number of hundreds of thousands of digits is refused',
      { value: 1n << 1_000_000n },
      'value',
      /^is larger than any/,
    ],
    ['with a negative one too', { value: -1n << 1_000_000n }, 'value', /^is larger than any/],
    ['with bytes is refused', { data: new Uint8Array(10) }, 'data', /^must be plain data/],
    ['with a map is refused', { data: new Map([[1, 2]]) }, 'data', /^must be plain data/],
  ];
  for (const [what, message, path, words] of cases)
    it(what, () => {
      const found = excess(message);
      if (!words) return expect(found).to.equal(undefined);
      expect(found?.message).to.match(words);
      if (path) expect(found?.path).to.equal(path);
    });

  it('that contains itself is refused', () => {
    const loop: Record<string, unknown> = {};
    loop['self'] = loop;
    expect(excess(loop)?.message).to.match(/^is nested too deeply/);
  });
});

describe('what a page passes', () => {
  const refused = (value: unknown): string => {
    try {
      plain(value, 'params');
    } catch (error) {
      const [issue] = (error as RequestInvalidError).issues;
      return `${issue?.path}: ${issue?.message}`;
    }
    return 'let through';
  };

  it('is refused in the page itself when it is too long or too deep for the wallet', () => {
    expect(refused({ list: places(2 ** 32 - 1) })).to.equal('params.list: is too long: at most 10000 items');
    expect(refused(nested(3000))).to.match(/in: is nested too deeply: at most 28 levels$/);
    expect(refused(nested(28))).to.equal('let through');
    expect(excess({ type: 'request', params: { requests: [nested(28)] } })).to.equal(undefined);
  });
});
