import { expect, fixture, html } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import fc from 'fast-check';
import { TEST_CARDS } from '../../../src/api/test-cards.ts';
import { digitsOf, expiryOf, expiryText, numberText, retype } from '../../../src/pay/fields.ts';

describe('a card number', () => {
  for (const [typed, text] of [
    ['4242424242424242', '4242 4242 4242 4242'],
    ['4242-4242 4242.4242', '4242 4242 4242 4242'],
    ['378282246310005', '3782 822463 10005'],
    ['36227206271667', '3622 720627 1667'],
    ['3056930009020004', '3056 9300 0902 0004'],
    ['42424', '4242 4'],
    ['', ''],
    ['card', ''],
  ] as const)
    it(`is written ${text || 'as nothing'}`, () => expect(numberText(typed)).to.equal(text));

  it('keeps every digit up to 19, however it is typed', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'0123456789 -x') }), (typed) => {
        const text = numberText(typed);
        return digitsOf(text) === digitsOf(typed).slice(0, 19) && numberText(text) === text;
      }),
    );
  });

  it('of every test card is complete', () => {
    for (const { number } of TEST_CARDS) expect(digitsOf(numberText(number))).to.equal(number);
  });
});

describe('an expiry date', () => {
  for (const [typed, text] of [
    ['8', '08'],
    ['1', '1'],
    ['12', '12'],
    ['082', '08 / 2'],
    ['0829', '08 / 29'],
    ['829', '08 / 29'],
    ['8/29', '08 / 29'],
    ['1/29', '01 / 29'],
    ['08/29', '08 / 29'],
    ['08/2029', '08 / 29'],
    ['08 / 29', '08 / 29'],
    ['12 / 345', '12 / 34'],
    ['', ''],
  ] as const)
    it(`typed as ${typed || 'nothing'} is ${text || 'nothing'}`, () => {
      expect(expiryText(typed)).to.equal(text);
      expect(expiryText(text)).to.equal(text);
    });

  it('is parsed once it is complete', () => {
    expect(expiryOf('08 / 29')).to.deep.equal({ expiryMonth: 8, expiryYear: 2029 });
    expect(expiryOf('08 / 2')).to.equal(undefined);
  });
});

describe('typing', () => {
  async function field(): Promise<HTMLInputElement> {
    const input = await fixture<HTMLInputElement>(html`<input aria-label="Card number" />`);
    input.addEventListener('input', () => retype(input, numberText));
    input.focus();
    return input;
  }

  it('leaves the caret between the digits where it was', async () => {
    const input = await field();
    await sendKeys({ type: '42424242' });
    expect(input.value).to.equal('4242 4242');
    input.setSelectionRange(2, 2);
    await sendKeys({ type: '1' });
    expect(input.value).to.equal('4214 2424 2');
    expect(input.selectionStart).to.equal(3);
    await sendKeys({ press: 'Backspace' });
    expect(input.value).to.equal('4242 4242');
    expect(input.selectionStart).to.equal(2);
  });

  it('can be deleted to the last digit', async () => {
    const input = await field();
    await sendKeys({ type: '424242' });
    for (let presses = 0; presses < 8; presses++) await sendKeys({ press: 'Backspace' });
    expect(input.value).to.equal('');
  });
});
