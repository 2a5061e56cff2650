import { expect } from '@open-wc/testing';
import { sendKeys, setViewport } from '@web/test-runner-commands';
import type { PayAnswer, PayByCard, PayPage } from '../../../src/api/pay.ts';
import type { CheckoutPage } from '../../../src/pay/checkout-page.ts';
import { adoptStyles } from '../../../src/pay/styles.ts';
import { timeOf } from '../../../src/pay/summary.ts';
import { PageClock } from '../clock.ts';
import {
  alertOf,
  button,
  COMPLETE,
  openPage,
  PAGE,
  Service,
  settle,
  spoken,
  title,
  TOTAL,
  until,
} from './page.ts';
import { wish } from '../media.ts';

const PAID: PayAnswer = { state: 'paid', redirect: 'https://shop.example/thanks' };
const ASKS: PayAnswer = { state: 'challenge', challenge: { brand: 'visa', last4: '3155' } };

let service: Service;
let clock: PageClock | undefined;
let gone: string[] = [];

async function open(changes: Partial<PayPage> = {}): Promise<CheckoutPage> {
  if (typeof service.page !== 'string') service.page = { ...service.page, ...changes };
  const opened = await openPage(service);
  ({ gone } = opened);
  return opened.page;
}

function field(page: CheckoutPage, id: string): HTMLInputElement {
  return page.querySelector(`#${id}`) as HTMLInputElement;
}

function type(page: CheckoutPage, values: Record<string, string>): void {
  for (const [id, value] of Object.entries(values)) {
    field(page, id).value = value;
    field(page, id).dispatchEvent(new Event('input', { bubbles: true }));
  }
}

const FILLED = {
  email: 'mira@mail.example',
  number: '4242424242424242',
  expiry: '1234',
  code: '123',
  name: 'Mira Holm',
};

async function pay(page: CheckoutPage): Promise<void> {
  button(page, `Pay ${TOTAL}`).click();
  await settle(page);
}

before(adoptStyles);
beforeEach(async () => {
  await setViewport({ width: 900, height: 800 });
  service = new Service();
  gone = [];
  sessionStorage.clear();
});
afterEach(() => {
  clock?.restore();
  clock = undefined;
});

describe('the payment page', () => {
  // Comes with the question, and must not be waited for.
  before(() => import('../../../src/pay/challenge.ts'));

  it('has the names of its controls, and focus on the first', async () => {
    const page = await open();
    expect(page.querySelector('section.co-sum')?.getAttribute('aria-label')).to.equal('Order summary');
    const names = ['number', 'expiry', 'code'].map((id) => field(page, id).ariaLabel);
    expect(names).to.deep.equal(['Card number', 'Expiry date', 'Security code']);
    const labels = ['email', 'name', 'country'].map((id) => field(page, id).labels?.[0]?.textContent);
    expect(labels).to.deep.equal(['E-mail', 'Name on card', 'Country']);
    const hints = ['email', 'number', 'expiry', 'code', 'name', 'country'].map((id) =>
      field(page, id).getAttribute('autocomplete'),
    );
    expect(hints.join()).to.equal('email,cc-number,cc-exp,cc-csc,cc-name,country');
    expect(['number', 'expiry', 'code'].map((id) => field(page, id).inputMode).join()).to.equal(
      'numeric,numeric,numeric',
    );
    expect(page.querySelector('[role=group]')?.getAttribute('dir')).to.equal('ltr');
    expect(document.activeElement?.id).to.equal('email');
    button(page, 'Back to Fernhill Outfitters');
  });

  for (const scheme of ['light', 'dark'] as const)
    for (const width of [360, 900])
      it(`is accessible: ${scheme}, ${width} px`, async function () {
        await setViewport({ width, height: 800 });
        if (!(await wish({ colorScheme: scheme, reducedMotion: 'reduce' }))) this.skip();
        const page = await open({
          branding: { primaryColor: '#2a2f3a', secondaryColor: '#7a2e4d', icon: null },
        });
        await pay(page);
        page.querySelector('details')!.open = true;
        await expect(page).to.be.accessible();
        service.steps = [{ state: 'declined', reason: 'generic_decline' }, ASKS, PAID];
        type(page, FILLED);
        await pay(page);
        await expect(page).to.be.accessible();
        await pay(page);
        await expect(page).to.be.accessible();
        button(page, 'Complete').click();
        await settle(page);
        expect(title(page)).to.equal('Thank you, Mira Holm');
        await expect(page).to.be.accessible();
        expect(page.scrollWidth).to.be.at.most(width);
        await wish({ colorScheme: 'light', reducedMotion: 'no-preference' });
        document.documentElement.removeAttribute('style');
      });

  it('sends what was filled in, and shows thanks, the way back and the receipt for as long as the customer likes', async () => {
    clock = new PageClock();
    service.steps = [PAID];
    const page = await open();
    type(page, FILLED);
    await pay(page);
    const [{ attempt, ...sent }] = service.sent as [PayByCard];
    expect(attempt).to.match(/^[\w-]{16,64}$/);
    expect(sent.card).to.deep.equal({
      number: '4242424242424242',
      expiryMonth: 12,
      expiryYear: 2034,
      securityCode: '123',
      name: 'Mira Holm',
    });
    expect(title(page)).to.equal('Thank you, Mira Holm');
    expect(page.textContent).to.contain('•••• 4242');
    expect(page.textContent).to.contain('Fernhill Outfitters has your payment.');
    await clock.pass(600_000);
    expect(gone, 'the page stays').to.deep.equal([]);
    expect(title(page)).to.equal('Thank you, Mira Holm');
    expect(button(page, 'Back to Fernhill Outfitters').getAttribute('href')).to.equal(
      'https://shop.example/thanks',
    );
    expect(button(page, 'View the receipt').getAttribute('href')).to.match(/^\?receipt/);
    expect(sessionStorage.length).to.equal(0);
  });

  it('keeps the red edge of a field with an error while it has the focus, and rings it outside', async () => {
    const page = await open();
    await pay(page);
    for (const name of ['email', 'country', 'name'] as const) {
      const input = field(page, name);
      input.setAttribute('aria-invalid', 'true');
      input.focus({ focusVisible: true } as FocusOptions);
      for (const animation of input.getAnimations()) animation.finish();
      const { borderColor, outlineColor, outlineOffset, outlineStyle } = getComputedStyle(input);
      expect(borderColor, name).not.to.equal(outlineColor);
      expect(outlineStyle).to.equal('solid');
      expect(Number.parseFloat(outlineOffset), 'the ring covers no edge').to.be.at.least(0);
    }
  });

  it('shows the arrow of its list of countries in forced colors, too', async function () {
    const page = await open();
    const list = field(page, 'country');
    const arrow = (): boolean => {
      const { appearance, backgroundImage } = getComputedStyle(list);
      return (
        appearance === 'auto' || (appearance === 'none' && backgroundImage.startsWith('linear-gradient'))
      );
    };
    expect(arrow()).to.equal(true);
    if (!(await wish({ forcedColors: 'active' }))) this.skip();
    try {
      expect(getComputedStyle(list).appearance, 'gradients are not drawn').to.equal('auto');
    } finally {
      await wish({ forcedColors: 'none' });
    }
  });

  it('says what is wrong at the field, on leaving it and on Pay, and sends nothing', async () => {
    const page = await open();
    await sendKeys({ type: 'mira@' });
    await sendKeys({ press: 'Tab' });
    await settle(page);
    expect(field(page, 'email').getAttribute('aria-invalid')).to.equal('true');
    expect(page.querySelector('#email-error')?.textContent).to.contain('not an e-mail address');
    expect(spoken(page)).to.contain('not an e-mail address');
    // Empty fields are not wrong before Pay is pressed.
    await sendKeys({ press: 'Tab' });
    await settle(page);
    expect(page.querySelector('#card-error')).to.equal(null);
    type(page, { email: 'mira@mail.example' });
    await settle(page);
    expect(page.querySelector('#email-error')).to.equal(null);
    await pay(page);
    expect(document.activeElement?.id).to.equal('number');
    expect(field(page, 'number').getAttribute('aria-describedby')).to.equal('card-error');
    expect(service.sent).to.deep.equal([]);
  });

  it('keeps a number that is not on its list in the browser', async () => {
    const page = await open();
    type(page, { ...FILLED, number: '5454 5454 5454 5454' });
    await pay(page);
    expect(page.querySelector('#card-error')?.textContent).to.contain('test cards only');
    expect(service.sent).to.deep.equal([]);
    expect(field(page, 'number').value).to.equal('5454 5454 5454 5454');
  });

  it('shows a decline and its reason, with focus on the number', async () => {
    service.steps = [{ state: 'declined', reason: 'insufficient_funds' }];
    const page = await open();
    type(page, FILLED);
    await pay(page);
    expect(alertOf(page)).to.equal('Payment declinedYou have not been charged.');
    expect(page.querySelector('.checkout .alert')?.getAttribute('role')).to.equal('alert');
    expect(page.querySelector('#card-error')?.textContent).to.contain('not enough money');
    expect(document.activeElement?.id).to.equal('number');
  });

  it('says no more about a stolen card than about another', async () => {
    service.steps = [{ state: 'declined', reason: 'stolen_card' }];
    const page = await open();
    type(page, FILLED);
    await pay(page);
    expect(page.querySelector('#card-error')?.textContent?.trim()).to.equal(
      'Your bank declined this card. Try another card.',
    );
  });

  it('takes one press at a time', async () => {
    let answer: (value: PayAnswer) => void = () => {};
    service.steps = [new Promise((resolve) => (answer = resolve))];
    const page = await open();
    type(page, FILLED);
    await pay(page);
    expect(spoken(page)).to.equal('Paying');
    await pay(page);
    page.querySelector('form')!.requestSubmit();
    button(page, 'Back to Fernhill Outfitters').click();
    await settle(page);
    expect(service.sent).to.have.length(1);
    expect(gone).to.deep.equal([]);
    answer(PAID);
    await settle(page);
    expect(title(page)).to.equal('Thank you, Mira Holm');
  });

  it('says when it takes long', async () => {
    clock = new PageClock();
    service.steps = [new Promise(() => {})];
    const page = await open();
    type(page, FILLED);
    await pay(page);
    await clock.pass(8000);
    await settle(page);
    expect(page.querySelector('form')?.textContent).to.contain('takes longer than usual');
  });

  it('retries with the same attempt id after a lost answer, and with another after a change', async () => {
    service.steps = ['service.unreachable', 'internal.error', 'service.unreachable', PAID];
    const page = await open();
    type(page, FILLED);
    await pay(page);
    expect(alertOf(page)).to.contain('No answer came').and.to.contain('you pay only once');
    expect(field(page, 'number').value).to.equal('4242 4242 4242 4242');
    await pay(page);
    type(page, { number: '5555555555554444' });
    await pay(page);
    await pay(page);
    const [first, second, third, fourth] = service.sent.map(({ attempt }) => attempt);
    expect([second === first, third === first, fourth === third]).to.deep.equal([true, false, true]);
    expect(title(page)).to.equal('Thank you, Mira Holm');
  });

  it('finds out by itself that a payment with a lost answer went through', async () => {
    service.steps = ['service.unreachable'];
    const page = await open();
    type(page, FILLED);
    service.page = { ...PAGE, ...COMPLETE };
    await pay(page);
    expect(title(page)).to.equal('Thank you, Mira Holm');
  });

  it('does not show thanks for what another tab paid', async () => {
    service.steps = ['checkout.session.complete'];
    const page = await open();
    type(page, FILLED);
    service.page = { ...PAGE, ...COMPLETE };
    await pay(page);
    expect(title(page)).to.equal('This is already paid');
    expect(button(page, 'Back to Fernhill Outfitters').getAttribute('href')).to.equal(
      'https://shop.example/thanks',
    );
  });

  it('shows the service’s errors at their fields', async () => {
    service.steps = ['request.invalid'];
    const page = await open();
    type(page, FILLED);
    await pay(page);
    expect(page.querySelector('#card-error')?.textContent?.trim()).to.equal('Is wrong.');
    expect(document.activeElement?.id).to.equal('code');
  });

  it('continues the bank’s challenge after a reload, and stores nothing of the card', async () => {
    service.steps = [ASKS, { state: 'declined', reason: 'authentication_failed' }];
    const page = await open();
    type(page, { ...FILLED, number: '4000002500003155' });
    await pay(page);
    await until(page, () => title(page) === 'Your bank is asking', 'the question, loaded when it is asked');
    expect(page.textContent).to.contain('•••• 3155');
    expect(JSON.stringify({ ...sessionStorage })).to.not.match(/3155|Mira|1234/);
    page.remove();
    const again = await open();
    await until(again, () => title(again) === 'Your bank is asking', 'the question again');
    button(again, 'Fail').click();
    await settle(again);
    expect(service.outcomes).to.deep.equal(['fail']);
    expect(again.querySelector('#card-error')?.textContent).to.contain('could not confirm');
  });

  it('shows until when it is open, counts nothing down, and says when the time is over', async () => {
    clock = new PageClock();
    const page = await open({
      createdAt: clock.date(),
      now: clock.date(),
      expiresAt: clock.date() + 1_800_000,
    });
    const expiry = `Expires at ${timeOf(clock.date() + 1_800_000)}`;
    expect(page.textContent).to.contain(expiry);
    expect(spoken(page)).to.equal('');
    await clock.pass(1_500_000);
    await settle(page);
    expect(page.querySelector('[role=timer]')).to.equal(null);
    expect(spoken(page)).to.equal(expiry);
    service.page = { ...(service.page as PayPage), status: 'expired', redirect: 'https://shop.example/cart' };
    await clock.pass(301_000);
    await settle(page);
    expect(title(page)).to.equal('This checkout has expired');
    expect(page.textContent).to.contain('It was open for 30 minutes. You have not been charged.');
    expect(document.activeElement?.localName).to.equal('h1');
  });

  it('offers more time two minutes before its end, by one button, and goes on where the customer was', async () => {
    clock = new PageClock();
    const start = clock.date();
    const page = await open({
      createdAt: start,
      now: start,
      expiresAt: start + 300_000,
      latestEnd: start + 900_000,
    });
    const offer = (): Element | null => page.querySelector('[role=alert].co-more');
    await clock.pass(179_000);
    await settle(page);
    expect(offer()).to.equal(null);
    await clock.pass(1000);
    await settle(page);
    expect(offer()!.textContent).to.contain(`Expires at ${timeOf(start + 300_000)}`);
    const name = page.querySelector<HTMLInputElement>('#name')!;
    name.focus();
    button(page, 'More time').focus();
    button(page, 'More time').click();
    await settle(page);
    expect(service.extended).to.equal(1);
    expect(offer()).to.equal(null);
    expect(document.activeElement).to.equal(name);
    expect(spoken(page)).to.equal(`Expires at ${timeOf(start + 780_000)}`);
    // It cannot end later than that.
    service.page = { ...(service.page as PayPage), latestEnd: start + 780_000 };
    document.dispatchEvent(new Event('visibilitychange'));
    await settle(page);
    await clock.pass(500_000);
    await settle(page);
    expect(offer()).to.equal(null);
  });

  it('uses the service’s clock', async () => {
    clock = new PageClock();
    const page = await open({ now: 1_700_000_000_000, expiresAt: 1_700_000_600_000 });
    expect(page.textContent).to.contain(`Expires at ${timeOf(clock.date() + 600_000)}`);
  });

  it('completes an order that costs nothing with one button, and asks for no card', async () => {
    service.steps = ['service.unreachable', PAID];
    const page = await open({ amountTotal: 0, cards: [], lineItems: [] });
    expect(title(page)).to.equal('Nothing to pay');
    expect(document.activeElement).to.equal(page.querySelector('h1'));
    expect(page.querySelector('.co-sum .amount')?.textContent).to.equal('Free');
    expect(page.querySelectorAll('input, select, fieldset').length).to.equal(0);
    await expect(page).to.be.accessible();
    button(page, 'Complete order').click();
    await settle(page);
    expect(alertOf(page)).to.include('No answer came');
    button(page, 'Complete order').click();
    await settle(page);
    expect(service.completed).to.equal(2);
    expect(title(page)).to.equal('Thank you');
    expect(page.textContent).to.contain('Fernhill Outfitters has your order.');
    expect(page.querySelector('dl')?.textContent).to.contain('Free');
    service.page = { ...PAGE, ...COMPLETE, amountTotal: 0 };
    expect(title(await open())).to.equal('This order is already complete');
  });

  it('cancels', async () => {
    const page = await open();
    button(page, 'Back to Fernhill Outfitters').click();
    await settle(page);
    expect(gone).to.deep.equal(['https://shop.example/cart']);
  });

  it('says that a checkout was cancelled, does not exist, or did not load, and then loads it', async () => {
    const cancelled = await open({
      status: 'expired',
      cancelled: true,
      redirect: 'https://shop.example/cart',
    });
    expect(title(cancelled)).to.equal('This checkout was cancelled');
    service.page = 'checkout.session.unknown';
    expect(title(await open())).to.equal('This checkout does not exist');
    service.page = 'service.unreachable';
    const page = await open();
    expect(title(page)).to.equal('This checkout did not load');
    service.page = PAGE;
    button(page, 'Try again').click();
    await settle(page);
    expect(title(page)).to.equal('Pay with card');
  });

  it('notices that another tab paid when it becomes visible again', async () => {
    const page = await open();
    service.page = { ...PAGE, ...COMPLETE };
    document.dispatchEvent(new Event('visibilitychange'));
    await settle(page);
    expect(title(page)).to.equal('This is already paid');
  });

  it('fits long names and amounts on a narrow screen, in both directions', async () => {
    await setViewport({ width: 360, height: 800 });
    await open({
      merchant: 'M'.repeat(120),
      lineItems: [
        { name: 'n'.repeat(256), quantity: 999_999, unitAmount: 999_999, amount: 999_998_000_001 },
        { name: 'خريطة المسارات', quantity: 1, unitAmount: 1, amount: 1 },
      ],
      amountTotal: 999_998_000_002,
    });
    for (const dir of ['ltr', 'rtl']) {
      document.documentElement.dir = dir;
      expect(document.documentElement.scrollWidth, dir).to.be.at.most(360);
    }
    document.documentElement.dir = '';
  });

  it('always says that it is a test', async () => {
    service.steps = [PAID];
    const page = await open();
    type(page, FILLED);
    await pay(page);
    expect(page.querySelector('.test')?.textContent).to.contain('never enter a real one');
  });

  it('fills in a test card that is chosen', async () => {
    const page = await open();
    page.querySelector<HTMLElement>('[aria-label="Use card 3782 822463 10005"]')!.click();
    await settle(page);
    expect(['number', 'expiry', 'code'].map((id) => field(page, id).value)).to.deep.equal([
      '3782 822463 10005',
      '12 / 34',
      '1234',
    ]);
  });
});
