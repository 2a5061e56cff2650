import { expect } from '@open-wc/testing';
import { install } from '../../src/base/localize.ts';
import { listOf } from '../../src/ui/text.ts';
import { speakEnglish } from './pseudo.ts';

describe('a list within a sentence', () => {
  afterEach(speakEnglish);

  for (const [lang, dir, text] of [
    ['en', 'ltr', 'VET, VTHO'],
    ['de', 'ltr', 'VET und VTHO'],
    ['ja', 'ltr', 'VET、VTHO'],
    ['ar', 'rtl', '\u2068VET\u2069 و\u2068VTHO\u2069'],
  ] as const)
    it(`is joined as its language joins it: ${lang}`, () => {
      // Numbers and dates are in another one.
      install({ lang, dir }, 'fr');
      expect(listOf(['VET', 'VTHO'])).to.equal(text);
    });

  it('of one is that one', () => {
    expect(listOf(['BTC'])).to.equal('BTC');
  });
});
