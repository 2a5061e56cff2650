import { expect } from '@open-wc/testing';
import { PayByCard } from '../../../src/api/pay.ts';
import { TEST_CARDS } from '../../../src/api/test-cards.ts';
import { numberText } from '../../../src/pay/fields.ts';
import {
  fieldAt,
  fieldError,
  type FieldName,
  FIELDS,
  type Fields,
  paymentOf,
  countries,
  likelyCountry,
} from '../../../src/pay/fields.ts';
import { priceText } from '../../../src/ui/amount-text.ts';

const GOOD: Fields = {
  email: 'mira@mail.example',
  number: '4242 4242 4242 4242',
  expiry: '12 / 34',
  code: '123',
  name: 'Mira Holm',
  country: 'DE',
};
const errorOf = (name: FieldName, value: string, others: Partial<Fields> = {}) =>
  fieldError(name, { ...GOOD, ...others, [name]: value }, TEST_CARDS);

describe('what is filled in', () => {
  it('is accepted by the service if the page finds nothing wrong', () => {
    for (const { number, brand } of TEST_CARDS) {
      const fields = { ...GOOD, number: numberText(number), code: brand === 'amex' ? '1234' : '123' };
      for (const name of FIELDS) expect(fieldError(name, fields, TEST_CARDS), number).to.equal(undefined);
      const sent = PayByCard.safeParse({ attempt: crypto.randomUUID(), ...paymentOf(fields) });
      expect(sent.success, number).to.equal(true);
    }
  });

  for (const [name, value, words] of [
    ['email', '', 'Enter your e-mail'],
    ['email', 'mira@', 'not an e-mail'],
    ['number', '', 'Enter the card'],
    ['number', '4242 4242', 'too short'],
    ['number', '4242 4242 4242 4241', 'test cards only'],
    ['number', '5454 5454 5454 5454', 'test cards only'],
    ['expiry', '', 'Enter the expiry'],
    ['expiry', '12 / 3', 'month and the year'],
    ['expiry', '13 / 34', 'from 01 to 12'],
    ['expiry', '00 / 34', 'from 01 to 12'],
    ['expiry', '01 / 20', 'has expired'],
    ['code', '', 'Enter the security'],
    ['code', '12', 'has 3 digits'],
    ['code', '1234', 'has 3 digits'],
    ['name', '   ', 'Enter the name'],
    ['name', 'm'.repeat(129), 'too long'],
    ['country', '', 'Choose'],
  ] as const)
    it(`${name} "${value.slice(0, 20)}" is told to be wrong: ${words}`, () =>
      expect(errorOf(name, value)).to.contain(words));

  it('takes the four digits of an American Express card', () => {
    expect(errorOf('code', '123', { number: '3782 822463 10005' })).to.contain('has 4 digits');
    expect(errorOf('code', '1234', { number: '3782 822463 10005' })).to.equal(undefined);
  });

  it('is found by the service’s name for it', () => {
    expect(fieldAt('card.expiryYear')).to.equal('expiry');
    expect(fieldAt('attempt')).to.equal(undefined);
  });
});

describe('money', () => {
  for (const [amount, currency, text] of [
    [5236, 'USD', '$52.36'],
    [5, 'USD', '$0.05'],
    [0, 'USD', '$0.00'],
    [500, 'JPY', '¥500'],
    [1234, 'KWD', 'KWD 1.234'],
    [999_999_999_999, 'USD', '$9,999,999,999.99'],
  ] as const)
    it(`is exact: ${text}`, () =>
      expect(priceText(amount, currency, 'en-US').replaceAll('\u00a0', ' ')).to.equal(text));
});

describe('countries', () => {
  it('are named and sorted in the language', () => {
    const names = countries('de').map(({ name }) => name);
    expect(names).to.include('Österreich');
    expect(names.indexOf('Österreich')).to.be.lessThan(names.indexOf('Polen'));
  });

  it('are guessed from the language only if it names one', () => {
    expect(likelyCountry('de-AT')).to.equal('AT');
    expect(likelyCountry('en')).to.equal('');
    expect(likelyCountry('es-419')).to.equal('');
  });
});
