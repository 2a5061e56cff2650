/** The field for the receipt by e-mail, after a payment without a card. */
import { expect } from '@open-wc/testing';
import { setViewport } from '@web/test-runner-commands';
import { PayByCard } from '../../../src/api/pay.ts';
import type { CheckoutPage } from '../../../src/pay/checkout-page.ts';
import '../../../src/pay/receipt-mail.ts';
import { adoptStyles } from '../../../src/pay/styles.ts';
import { button, COMPLETE, openPage, PAGE, Service, settle, title, until } from './page.ts';

let service: Service;

before(adoptStyles);
beforeEach(() => {
  service = new Service();
  service.steps = [{ state: 'paid', redirect: 'https://shop.example/thanks' }];
});

async function thanked(receiptMail: boolean): Promise<CheckoutPage> {
  service.page = { ...PAGE, amountTotal: 0, cards: [], receiptMail };
  const { page } = await openPage(service);
  button(page, 'Complete order').click();
  await until(page, () => title(page) === 'Thank you', 'thanks');
  return page;
}

const field = (page: CheckoutPage): HTMLInputElement | null => page.querySelector('#receipt-email');

async function submit(page: CheckoutPage, address: string): Promise<void> {
  field(page)!.value = address;
  field(page)!.dispatchEvent(new Event('input', { bubbles: true }));
  button(page, 'Send the receipt').click();
  await settle(page);
  await page.querySelector('pay-receipt-mail')!.updateComplete;
}

it('sends it to the address, once, and says so', async () => {
  const page = await thanked(true);
  expect(title(page)).to.equal('Thank you');
  const input = field(page)!;
  expect(input.labels?.[0]?.textContent).to.equal('E-mail a receipt (optional)');
  expect([input.type, input.autocomplete, input.inputMode]).to.deep.equal(['email', 'email', 'email']);
  expect(document.activeElement, 'it does not take the focus').to.equal(page.querySelector('h1'));
  await expect(page).to.be.accessible();
  await submit(page, ' mira@mail.example ');
  expect(service.mailed).to.deep.equal(['mira@mail.example']);
  expect(page.textContent).to.include('The receipt goes to mira@mail.example.');
  expect(field(page)).to.equal(null);
});

it('says at the field what is wrong, and keeps what was typed', async () => {
  const page = await thanked(true);
  for (const [address, error] of [
    ['', 'Enter your e-mail address.'],
    ['mira@', 'This is not an e-mail address. Check that you typed all of it.'],
  ] as const) {
    expect(PayByCard.shape.email.safeParse(address).success).to.equal(false);
    await submit(page, address);
    expect(page.querySelector('#receipt-email-error')?.textContent?.trim()).to.equal(error);
    expect(field(page)!.getAttribute('aria-describedby')).to.equal('receipt-email-error');
    expect(document.activeElement).to.equal(field(page));
  }
  await expect(page).to.be.accessible();
  expect(service.mailed).to.deep.equal([]);
  service.mailProblem = 'service.unreachable';
  await submit(page, 'mira@mail.example');
  expect(page.querySelector('#receipt-email-error')?.textContent).to.include('No answer came.');
  expect(field(page)!.value).to.equal('mira@mail.example');
  service.mailProblem = 'request.conflict';
  await submit(page, 'mira@mail.example');
  expect(page.textContent).to.include('The receipt was already sent by e-mail.');
});

it('is on the page of a payment that is already complete, too', async () => {
  service.page = { ...PAGE, ...COMPLETE, receiptMail: true };
  const { page } = await openPage(service);
  expect(title(page)).to.equal('This is already paid');
  expect(field(page)).not.to.equal(null);
});

it('says to whoever paid by card where the receipt goes, and asks for nothing', async () => {
  service.page = { ...PAGE, receiptMail: true };
  const { page } = await openPage(service);
  const address = `${'mira'.repeat(16)}@${'mail'.repeat(15)}.example`;
  const typed = {
    email: address,
    number: '4242424242424242',
    expiry: '1234',
    code: '123',
    name: 'Mira Holm',
  };
  for (const [id, value] of Object.entries(typed)) {
    const input = page.querySelector<HTMLInputElement>(`#${id}`)!;
    input.value = value;
    input.dispatchEvent(new Event('input', { bubbles: true }));
  }
  page.querySelector<HTMLSelectElement>('#country')!.value = 'GB';
  page.querySelector('#country')!.dispatchEvent(new Event('input', { bubbles: true }));
  page.querySelector<HTMLElement>('button[type=submit]')!.click();
  await until(page, () => title(page).startsWith('Thank you'), 'thanks');
  const row = [...page.querySelectorAll('.kv > div')].find((each) => each.textContent!.includes(address))!;
  expect(row.querySelector('dt')?.textContent).to.equal('Receipt');
  expect(page.scrollWidth).to.be.at.most(innerWidth);
  expect(row.scrollWidth).to.be.at.most(row.clientWidth);
  expect(field(page)).to.equal(null);
});

it('fits the page, with a long address too', async () => {
  await setViewport({ width: 360, height: 800 });
  const page = await thanked(true);
  const box = (selector: string): DOMRect => page.querySelector(selector)!.getBoundingClientRect();
  expect(box('#receipt-email').width).to.be.closeTo(box('.btn.primary').width, 1);
  await submit(page, `${'mira'.repeat(16)}@${'mail'.repeat(15)}.example`);
  expect(page.scrollWidth).to.be.at.most(360);
  await setViewport({ width: 900, height: 800 });
});

it('is not there if no e-mail is sent', async () => {
  const page = await thanked(false);
  expect(page.querySelector('pay-receipt-mail')).to.equal(null);
  expect(page.textContent).not.to.include('e-mail');
});
