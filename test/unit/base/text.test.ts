import { expect } from '@open-wc/testing';
import fc from 'fast-check';
import { inertText } from '../../../src/base/text.ts';
import { ANY_CHARACTER } from '../../any-character.ts';

const INVISIBLE = /[\p{C}\p{DI}\u2028\u2029\u2800\u{e0000}-\u{e01ef}\ufe00-\ufe0f]/u;
const QUOTES = /["“”„‟«»‹›‘’‚‛`´″「」]/u;

/** Text with the characters of attacks between any others. */
const hostile = fc
  .array(
    fc.oneof(
      fc.string({ unit: ANY_CHARACTER, maxLength: 6 }),
      fc.constantFrom(
        '“',
        '”',
        '"',
        '＂',
        '«',
        '»',
        '\u202e',
        '\u2066',
        '\u200f',
        '\u200b',
        '\u{e0041}',
        '\ufe0f',
        '\u2800',
        '\u3164',
        'https://',
        'http://evil.example/a?b',
        'www.',
        'evil',
        '.',
        '。',
        '．',
        'com',
        'xn--',
        'mailto:',
        '10.0.0.1',
        '\u0336',
        '\u0489',
        'e\u0301\u0302\u0303\u0304\u0305',
        ' ',
        '\n',
        '\r',
        '\t',
        '\u00a0',
        '\ud800',
      ),
    ),
    { maxLength: 24 },
  )
  .map((parts) => parts.join(''));

describe('strangers’ words on one line', () => {
  const always = (name: string, holds: (shown: string) => boolean) =>
    it(`never have ${name}`, () => {
      fc.assert(
        fc.property(hostile, (text) => holds(inertText(text))),
        { numRuns: 2000, seed: 11 },
      );
    });

  always('anything that is invisible or turns the reading direction', (shown) => !INVISIBLE.test(shown));
  always('quotation marks that could close ours', (shown) => !QUOTES.test(shown));
  always(
    'an address of the web',
    (shown) => !/:\/\/|www\.|xn--|\p{L}\.\p{L}{2}|\d\.\d+\.\d+\.\d/iu.test(shown),
  );
  always('more than three marks on a letter', (shown) => !/\p{M}{4}/u.test(shown));
  always('a mark that falls on what is before them', (shown) => !/^\p{M}/u.test(shown));
  always('line breaks or runs of blanks', (shown) => !/[\n\r\t]| {2}|^ | $/.test(shown));
  always('more than 161 characters', (shown) => [...shown].length <= 161);

  it('stay readable', () => {
    expect(inertText('ERC20: transfer amount exceeds balance')).to.equal(
      'ERC20: transfer amount exceeds balance',
    );
    expect(inertText('it’s 0.5 of 1,000 “coins”')).to.equal("it's 0.5 of 1,000 'coins'");
    expect(inertText('السعر مرتفع')).to.equal('السعر مرتفع');
    expect(inertText('ราคาที่สูง नमस्ते')).to.equal('ราคาที่สูง नमस्ते'.normalize('NFKC'));
  });

  it('show that something was there', () => {
    expect(inertText('a\u202eb')).to.equal('a□b');
    expect(inertText('go to https://evil.example now')).to.equal('go to […] now');
    for (const link of [
      'evil.example/a',
      'evil。com',
      'evil\u2024com',
      'e\u200bvil.com',
      'www.evil',
      'JavaScript:alert(1)',
      '(evil.io)',
    ])
      expect(inertText(`x ${link} y`), link).to.equal('x […] y');
    expect(inertText('x'.repeat(200))).to.equal(`${'x'.repeat(160)}…`);
  });
});
