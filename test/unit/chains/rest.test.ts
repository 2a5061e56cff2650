import { expect } from '@open-wc/testing';
import fc from 'fast-check';
import { parseExact } from '../../../src/chains/nodes/rest.ts';

describe('numbers in node answers', () => {
  it('are text where a JavaScript number would round them', () => {
    for (const [text, value] of [
      ['{"a":1234567890123456}', { a: '1234567890123456' }],
      ['[-1234567890123456,12345]', ['-1234567890123456', 12345]],
      ['18446744073709551615', '18446744073709551615'],
      ['{"a":"1234567890123456"}', { a: '1234567890123456' }],
      ['{"a":"\\"1234567890123456"}', { a: '"1234567890123456' }],
      ['{"1234567890123456":1}', { '1234567890123456': 1 }],
    ] as const)
      expect(parseExact(text), text).to.deep.equal(value);
  });

  it('stay numbers with a fraction of any length, and with an exponent', () => {
    for (const text of [
      '1.0049999999999999',
      '0.12345678901234567890',
      '1e21',
      '1.5E-7',
      '12345678901234567.5',
    ])
      expect(parseExact(`{"a":${text}}`), text).to.deep.equal({ a: Number(text) });
  });

  it('are what JSON says wherever a number holds them', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
        const text = JSON.stringify(value);
        if (/\d{16}/.test(text)) return;
        expect(JSON.stringify(parseExact(text))).to.equal(text);
      }),
      { numRuns: 150 },
    );
  });
});
