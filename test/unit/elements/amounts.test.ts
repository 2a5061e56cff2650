import { expect } from '@esm-bundle/chai';
import { render } from 'lit';
import { formError, typedAmount } from '../../../src/ui/typed-amount.ts';
import {
  fieldText,
  figure,
  grouped,
  rowAmount,
  rowFigure,
  writeAmountsIn,
} from '../../../src/ui/amount-text.ts';
import { digitsOf, feeText, maximumText, rowText } from '../../../src/frame/ui/amount.ts';
import { heading, headingText } from '../../../src/frame/approve/drawing/heading.ts';

const ETH = { decimals: 18, symbol: 'ETH' };
const exact = (text: string, decimals = 18) => {
  const [whole = '', fraction = ''] = text.split('.');
  return { raw: BigInt(whole + fraction.padEnd(decimals, '0')), decimals, symbol: 'ETH' };
};

function drawn(template: unknown): HTMLElement {
  const place = document.createElement('p');
  document.body.append(place);
  render(template, place);
  return place;
}

/** What is seen, and what is read aloud. */
function both(template: unknown): [seen: string, read: string] {
  const place = drawn(template);
  const seen = place.querySelector('[aria-hidden]')?.textContent ?? place.textContent!;
  const read = place.querySelector('.sr')?.textContent ?? place.textContent!;
  place.remove();
  return [seen.trim(), read.trim()];
}

describe('amounts', () => {
  afterEach(() => writeAmountsIn());

  it('dim the zeros in front in rows, which do not count, and read every digit', () => {
    writeAmountsIn('en');
    const place = drawn(rowAmount(exact('0.000021321322218'), 'ETH'));
    expect(place.querySelector('.lead0')!.textContent).to.equal('0.0000');
    expect(place.querySelector('[aria-hidden]')!.textContent).to.equal('0.0000213213… ETH');
    expect(place.querySelector('.sr')!.textContent).to.equal('0.000021321322218 ETH');
    for (const plain of ['1.05', '0.5', '10.001', '0'])
      expect(drawn(rowAmount(exact(plain))).querySelector('.lead0'), plain).to.equal(null);
  });

  const LANGUAGES: Record<string, [whole: string, half: string]> = {
    en: ['1,234,567.5', '0.5'],
    de: ['1.234.567,5', '0,5'],
    fr: ['1\u202f234\u202f567,5', '0,5'],
    'de-CH': ['1’234’567.5', '0.5'],
    'en-IN': ['12,34,567.5', '0.5'],
    // With the digits that every keyboard has.
    'ar-EG': ['1,234,567.5', '0.5'],
  };
  for (const [language, [whole, half]] of Object.entries(LANGUAGES))
    it(`are written as ${language} writes them, and read back the same`, () => {
      writeAmountsIn(language);
      // Versions of Unicode's data differ in the apostrophe.
      expect(figure(exact('1234567.5')).replaceAll("'", '’')).to.equal(whole);
      expect(grouped('-0.5')).to.equal(`-${half}`);
      expect(typedAmount(whole)).to.equal('1234567.5');
      for (const plain of ['1.234', '12.345', '0.123', '1234.567', '1000', '0.000000000000000001'])
        expect(typedAmount(fieldText(plain)), plain).to.equal(plain);
    });

  const TYPED: Record<string, string> = {
    '0,25': '0.25',
    '.25': '0.25',
    ',25': '0.25',
    '5.': '5',
    '12,5': '12.5',
    '0,250': '0.250',
    '1234,567': '1234.567',
    '1 234,5': '1234.5',
    '1 234 567': '1234567',
    '1,234.5': '1234.5',
    '1.234,5': '1234.5',
    '1,234,567': '1234567',
    '12,34,567.891': '1234567.891',
    "1'234.5": '1234.5',
    '1.234': '1.234',
  };
  for (const [typed, plain] of Object.entries(TYPED))
    it(`takes ${typed} for ${plain}`, () => {
      writeAmountsIn('en');
      expect(typedAmount(typed)).to.equal(plain);
      expect(formError(plain)).to.equal(undefined);
    });

  for (const typed of ['1e3', '-1', '0x10', '1,2,3', '1,234,5678', '1.2.3', '1 2', 'one', '1.234,567.8'])
    it(`does not take ${typed} for an amount`, () => {
      writeAmountsIn('en');
      expect(formError(typedAmount(typed))).to.equal('Enter a number, for example 0.25.');
    });

  const UNCLEAR: [language: string, typed: string, question: string][] = [
    ['en', '1,234', '1234 or 1.234?'],
    ['en', '12,500', '12500 or 12.500?'],
    ['de', '1.234', '1234 or 1,234?'],
    ['fr', '1.234', '1234 or 1,234?'],
    ['de-CH', '1,234', '1234 or 1.234?'],
  ];
  for (const [language, typed, question] of UNCLEAR)
    it(`asks what ${typed} is in ${language}`, () => {
      writeAmountsIn(language);
      expect(formError(typedAmount(typed))).to.equal(question);
    });

  it('have six significant digits and up to four dim ones in headings, whatever the zeros in front', () => {
    writeAmountsIn('en');
    const cases: Record<string, string[]> = {
      '993.009000026973107811': ['', '993.009', '0000…'],
      '0.000021321322218': ['0.0000', '213213', '2221…'],
      '0.25': ['', '0.25', ''],
      '1234567.5': ['', '1,234,567', '.5'],
      '0.05': ['0.0', '5', ''],
    };
    for (const [amount, [lead, head, tail]] of Object.entries(cases)) {
      const digits = digitsOf(exact(amount));
      expect([digits.lead, digits.head, digits.tail], amount).to.deep.equal([lead, head, tail]);
    }
  });

  it('are in words in headings from twelve digits on, rounded up', () => {
    writeAmountsIn('en');
    expect(headingText(exact('250000000000', 6))).to.equal('250 billion ETH');
    expect(headingText(exact('250000000000.000001', 6))).to.equal('250 billion ETH');
    expect(headingText(exact('123456789012', 6))).to.equal('123.46 billion ETH');
    expect(headingText(exact('99999999999', 6))).to.equal('99,999,999,999 ETH');
    writeAmountsIn('de');
    expect(headingText(exact('250000000000', 6))).to.equal('250 Milliarden ETH');
  });

  it('show all their digits at a press, and copy them without groups', async () => {
    writeAmountsIn('de');
    const place = drawn(heading({ ...ETH, ...exact('1993.009000026973107811') }));
    expect(place.textContent).to.equal('1.993,009000… ETH');
    await customElements.whenDefined('cbf-digits');
    const element = place.querySelector('cbf-digits')!;
    await element.updateComplete;
    const button = element.shadowRoot!.querySelector('button')!;
    const shown = () =>
      [...button.querySelectorAll<HTMLElement>('[data-text]')].map(({ dataset }) => dataset['text']).join('');
    expect(button.getAttribute('aria-label')).to.equal('Show all digits of 1.993,009000026973107811 ETH');
    expect(shown()).to.equal('1.993,009000… ETH');
    button.click();
    await element.updateComplete;
    expect(button.getAttribute('aria-label')).to.equal('Show fewer digits');
    expect(shown()).to.equal('1.993,009\u2009000\u2009026\u2009973\u2009107\u2009811 ETH');
    const event = new ClipboardEvent('copy', { cancelable: true, clipboardData: new DataTransfer() });
    button.dispatchEvent(event);
    expect(event.clipboardData!.getData('text/plain')).to.equal('1993,009000026973107811');
    place.remove();
  });

  it('have six significant digits in rows, down with “…”, or up for what leaves; their names have every digit', () => {
    writeAmountsIn('en');
    const long = exact('993.009000026973107811');
    expect(both(rowText({ ...ETH, ...long }))).to.deep.equal(['993.009… ETH', '993.009000026973107811 ETH']);
    expect(both(rowAmount(long, 'ETH'))).to.deep.equal(['993.009… ETH', '993.009000026973107811 ETH']);
    expect(rowFigure(long, 'up')).to.equal('993.01');
    expect(rowFigure(exact('0.000021321399'))).to.equal('0.0000213213…');
    expect(rowFigure(exact('1810.204999', 6))).to.equal('1,810.20…');
    expect(rowFigure(exact('1234567.89'))).to.equal('1,234,567…');
    expect(rowFigure({ raw: 1_234_567n, decimals: null })).to.equal('1,234,567');
    expect(both(rowAmount(exact('1.5'), 'ETH'))).to.deep.equal(['1.5 ETH', '1.5 ETH']);
  });

  it('round up as fees and totals, with the decimals of the fee', () => {
    writeAmountsIn('en');
    const fee = { ...ETH, ...exact('0.00041901') };
    expect(both(feeText(fee))).to.deep.equal(['0.000420 ETH', '0.00041901 ETH']);
    expect(both(feeText({ ...ETH, ...exact('0.00042') }))).to.deep.equal(['0.000420 ETH', '0.000420 ETH']);
    expect(both(maximumText({ ...ETH, ...exact('0.25041901') }, fee))).to.deep.equal([
      '0.250420 ETH',
      '0.25041901 ETH',
    ]);
    writeAmountsIn('fr');
    expect(both(feeText(fee))[0]).to.equal('0,000420 ETH');
  });
});
