import { expect } from '@open-wc/testing';
import { writeAmountsIn } from '../../../src/ui/amount-text.ts';
import { leftToRight } from '../../../src/ui/text.ts';
import { unitPrice } from '../../../src/ui/worth.ts';

const at = (value: number, currency = 'USD') => unitPrice({ value, currency, at: 0 });

describe('an amount typed in another unit', () => {
  before(() => writeAmountsIn('en-US'));
  after(() => writeAmountsIn());

  it('is what it buys in coins, rounded down to six digits', () => {
    const price = at(2450)!;
    expect(price.coins('600', 18)).to.equal('0.244897');
    expect(price.coins('2450', 18)).to.equal('1');
    expect(price.coins('2', 2)).to.equal('0');
    expect(price.coins('0.000001', 18)).to.equal('0.000000000408163');
    expect(price.coins('1e9', 18), 'what is no number is told as such').to.equal('1e9');
    expect(price.coins('', 18)).to.equal('');
    expect(at(0.3)!.coins('0.9', 18), 'no digit is lost to binary fractions').to.equal('3');
  });

  it('is shown with its price, in the language of the amounts', () => {
    const price = at(2450)!;
    expect([price.sign, price.one, price.enter]).to.deep.equal([
      '$',
      leftToRight('$2,450.00'),
      'Enter dollars',
    ]);
    expect(price.worth('0.25')).to.equal('$612.50');
    expect(price.typed('0.25')).to.equal('612.5');
    expect(at(300, 'JPY')!.enter).to.equal('Enter Japanese Yen');
  });

  it('is not offered without a price', () => {
    expect(unitPrice(undefined)).to.equal(undefined);
    expect(at(0)).to.equal(undefined);
  });
});
