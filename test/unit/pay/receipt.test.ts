/** Receipts: what was paid, to keep or to print. */
import { expect, fixture, html } from '@open-wc/testing';
import { setViewport } from '@web/test-runner-commands';
import type { Receipt } from '../../../src/api/receipt.ts';
import { ConnectError, type ErrorCode } from '../../../src/base/errors.ts';
import { ReceiptPage } from '../../../src/pay/receipt.ts';
import { adoptStyles } from '../../../src/pay/styles.ts';
import { priceText } from '../../../src/ui/amount-text.ts';
import { pictures } from '../gallery.ts';
import { tooSmall } from '../targets.ts';

const HASH = `0x${'ab'.repeat(32)}`;
const RECEIPT: Receipt = {
  number: '20261126-7F3K9Q2M',
  paidAt: Date.UTC(2026, 10, 26, 12),
  merchant: 'Fernhill Outfitters Ltd',
  merchantVerified: true,
  reference: 'A-1042',
  livemode: false,
  lineItems: [
    { name: 'Trail map, digital', quantity: 1, unitAmount: 1800, amount: 1800 },
    { name: 'Guided walk, 12 Dec', quantity: 2, unitAmount: 1718, amount: 3436 },
  ],
  currency: 'USD',
  amountTotal: 5236,
  card: null,
  coins: [{ amount: '0.02618731', symbol: 'ETH', networkName: 'Ethereum mainnet', transactionHash: HASH }],
  refunds: [
    { status: 'succeeded', at: Date.UTC(2026, 10, 27), amount: 1800, coins: null },
    {
      status: 'pending',
      at: Date.UTC(2026, 10, 28),
      amount: null,
      coins: { amount: '0.01', symbol: 'ETH', networkName: 'Ethereum mainnet', transactionHash: HASH },
    },
  ],
  branding: null,
};

async function open(given: Partial<Receipt> | ErrorCode = {}): Promise<ReceiptPage> {
  const page = new ReceiptPage();
  page.read = () =>
    typeof given === 'string'
      ? Promise.reject(new ConnectError(given, given))
      : Promise.resolve({ ...RECEIPT, ...given });
  await fixture(html`<div>${page}</div>`);
  for (let turn = 0; turn < 5; turn++) {
    await Promise.resolve();
    await page.updateComplete;
  }
  return page;
}

const text = (page: Element): string => (page.textContent ?? '').replace(/\s+/g, ' ').trim();

before(() => adoptStyles());

it('says that an order was free, and the total of nothing', async () => {
  const said = text(await open({ amountTotal: 0, coins: [], refunds: [], card: null }));
  expect(said)
    .to.include('PaymentFree')
    .and.include(`Total${priceText(0, 'USD')}`);
});

it('says the number, the date, to whom and with what it was paid, and what went back', async () => {
  const page = await open();
  const said = text(page);
  for (const part of [
    '20261126-7F3K9Q2M',
    'Fernhill Outfitters Ltd (name verified)',
    'A-1042',
    '0.02618731 ETH',
    HASH,
    'Guided walk',
    '0.01 ETH',
    'On its way back',
  ])
    expect(said).to.include(part);
  const total = page.querySelector('tfoot td')!;
  expect(text(total)).to.equal(priceText(5236, 'USD').replace(/\s/g, ' '));
  expect(document.title).to.equal('Receipt 20261126-7F3K9Q2M');
  expect(page.querySelector('h1')).to.equal(document.activeElement);
  await expect(page).to.be.accessible();
});

it('says what a card paid, and nothing of a reference or refunds that are not there', async () => {
  const page = await open({
    card: { brand: 'visa', last4: '4242' },
    coins: [],
    refunds: [],
    reference: null,
    merchantVerified: false,
  });
  const said = text(page);
  expect(said).to.include('•••• 4242');
  for (const part of ['name verified', 'Order', 'Refunds', 'ETH']) expect(said).not.to.include(part);
});

it('can be printed', async () => {
  const page = await open();
  let printed = 0;
  page.print = () => printed++;
  [...page.querySelectorAll('button')].find((each) => text(each) === 'Print')!.click();
  expect(printed).to.equal(1);
});

it('fits a phone', async () => {
  await setViewport({ width: 360, height: 740 });
  try {
    const page = await open({
      merchant: 'W'.repeat(80),
      lineItems: [{ name: 'x'.repeat(256), quantity: 999_999, unitAmount: 1, amount: 999_999 }],
    });
    expect(document.documentElement.scrollWidth).to.be.at.most(360);
    expect(tooSmall(page, 24)).to.deep.equal([]);
  } finally {
    await setViewport({ width: 800, height: 600 });
  }
});

it('says when there is none yet, and lets the customer try again when it did not load', async () => {
  expect(text(await open('request.not-found'))).to.include('There is no receipt yet');
  expect(text(await open('checkout.session.unknown'))).to.include('There is no receipt yet');
  const page = await open('service.unreachable');
  expect(text(page)).to.include('The receipt did not load');
  page.read = () => Promise.resolve(RECEIPT);
  page.querySelector('button')!.click();
  for (let turn = 0; turn < 5; turn++) {
    await Promise.resolve();
    await page.updateComplete;
  }
  expect(text(page)).to.include('20261126-7F3K9Q2M');
});

pictures('receipts', 'pay', ['wallet, with refunds', 'card', 'not paid yet'], (scene) =>
  open(
    scene === 'card'
      ? { card: { brand: 'visa', last4: '4242' }, coins: [], refunds: [] }
      : scene === 'not paid yet'
        ? 'request.not-found'
        : {},
  ),
);
