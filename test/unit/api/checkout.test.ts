import { expect } from '@open-wc/testing';
import { amountOf, CreateSession, MAX_AMOUNT } from '../../../src/api/checkout.ts';

const item = (unit_amount: number, quantity: number) => ({
  price_data: { product_data: { name: 'Mug' }, unit_amount, currency: 'EUR' },
  quantity,
});

describe('what a checkout session comes to', () => {
  it('is the sum of its items', () => {
    expect(amountOf([item(1250, 2), item(499, 1)])).to.equal(2999);
  });

  it('is at most twelve digits', () => {
    const issueOf = (...line_items: ReturnType<typeof item>[]) =>
      CreateSession.safeParse({
        line_items,
        success_url: 'https://shop.example/thanks',
        cancel_url: 'https://shop.example/cart',
        mode: 'payment',
      }).error?.issues[0]?.message;
    expect(issueOf(item(MAX_AMOUNT - 2, 1), item(1, 2))).to.equal(undefined);
    expect(issueOf(item(MAX_AMOUNT - 2, 1), item(1, 3))).to.equal(`must add up to at most ${MAX_AMOUNT}`);
  });
});
