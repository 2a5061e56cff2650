/** The payment page in every state that looks different: each fits a phone, and is pictured in every look by `npm run gallery`. */
import { expect, fixtureCleanup } from '@open-wc/testing';
import { setViewport } from '@web/test-runner-commands';
import '../../../src/elements/link-wallets/link-wallets-view.ts';
import '../../../src/elements/transfer-dialog/transfer-dialog-view.ts';
import '../../../src/elements/trouble.ts';
import type { PayPage, WalletPayment } from '../../../src/api/pay.ts';
import { ConnectError, type ErrorCode, UserRejectedError } from '../../../src/base/errors.ts';
import type { CheckoutPage } from '../../../src/pay/checkout-page.ts';
import { adoptStyles } from '../../../src/pay/styles.ts';
import { PageClock } from '../clock.ts';
import { FakeConnect, MAIN, VAULT } from '../elements/fake-connect.ts';
import { pictures } from '../gallery.ts';
import { tooSmall } from '../targets.ts';
import {
  button,
  CHOICES,
  COMPLETE,
  openPage,
  PAGE,
  QUOTED,
  Service,
  settle,
  TOTAL,
  until,
  WALLET,
} from './page.ts';

interface Given {
  service: Service;
  connect: FakeConnect;
  page: CheckoutPage;
}

interface Scene {
  /** What the service says of the session, besides `PAGE`. */
  of?: Partial<PayPage> | 'request.not-found' | 'service.unreachable';
  /** Before the page opens. */
  given?: (given: Omit<Given, 'page'>) => void;
  /** Brings the page to its state. */
  act?: (given: Given) => Promise<void>;
}

const HASH = `0x${'ab'.repeat(32)}`;

function fill(page: CheckoutPage, values: Record<string, string>): void {
  for (const [id, value] of Object.entries(values)) {
    const field = page.querySelector<HTMLInputElement>(`#${id}`)!;
    field.value = value;
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }
}

async function pay({ page }: Given): Promise<void> {
  fill(page, {
    email: 'mira@mail.example',
    number: '4242424242424242',
    expiry: '1234',
    code: '123',
    name: 'Mira Holm',
  });
  button(page, `Pay ${TOTAL}`).click();
  await settle(page);
}

const shows = (page: CheckoutPage, view: string): Promise<void> =>
  until(page, () => page.querySelector(`[data-view=${view}]`), view);

async function byWallet({ page }: Given, view = 'quoted'): Promise<void> {
  page.querySelector<HTMLInputElement>('[name=way][value=wallet]')!.click();
  await shows(page, view);
}

async function ask(given: Given): Promise<void> {
  await byWallet(given);
  button(given.page, 'Pay 0.02618731 ETH').click();
  await until(given.page, () => given.connect.asked.length, 'request');
}

async function send(given: Given): Promise<void> {
  given.service.reported = [{ ...QUOTED, state: 'pending', transactionHash: HASH }];
  await ask(given);
  given.connect.last.resolve({ transactionHash: HASH });
  await shows(given.page, 'pending');
}

const answered =
  (...steps: Service['steps']) =>
  async (given: Given): Promise<void> => {
    given.service.steps = [...steps];
    await pay(given);
  };

/** What became of a payment, heard when the customer looks again. */
const became =
  (payment: Partial<WalletPayment>, changes: Partial<PayPage> = {}) =>
  async (given: Given): Promise<void> => {
    await send(given);
    given.service.wallet(payment, changes);
    document.dispatchEvent(new Event('visibilitychange'));
    await until(given.page, () => !given.page.querySelector('[data-view=pending]'), 'the end of it');
  };

const wallet = WALLET;
const ASKS = { state: 'challenge', challenge: { brand: 'visa', last4: '3155' } } as const;
const PAID = { state: 'paid', redirect: 'https://shop.example/thanks' } as const;

const SCENES: Record<string, Scene> = {
  loading: {
    given: ({ service }) => (service.read = () => new Promise(() => {})),
  },
  card: {},
  'card, more time': { of: { expiresAt: PAGE.now + 100_000, latestEnd: PAGE.now + 86_400_000 } },
  'card, in the colours of the shop': {
    of: { branding: { primaryColor: '#2a6f3a', secondaryColor: '#7a2e4d', icon: null }, livemode: true },
  },
  'card, with a page of its provider': {
    of: { provider: 'stripe', card: { redirect: 'https://pay.example' } },
  },
  'card, nothing filled in': {
    act: async ({ page }) => {
      button(page, `Pay ${TOTAL}`).click();
      await settle(page);
    },
  },
  'card, on its way': { act: answered(new Promise(() => {})) },
  'card, declined': { act: answered({ state: 'declined', reason: 'generic_decline' }) },
  // It asks again by itself.
  'card, no answer': { act: answered(...Array<ErrorCode>(20).fill('service.unreachable')) },
  'the bank asks': {
    act: async (given) => {
      await answered(ASKS)(given);
      await until(given.page, () => given.page.textContent?.includes('Your bank is asking'), 'the question');
    },
  },
  'paid by card': { act: answered(PAID) },
  'wallet, the price is on its way': {
    of: { wallet },
    given: ({ service }) => (service.quote = () => new Promise(() => {})),
    act: (given) => byWallet(given, 'price'),
  },
  wallet: { of: { wallet }, act: byWallet },
  'wallet, which coin': {
    of: { wallet: { ...wallet, choices: CHOICES } },
    act: (given) => byWallet(given, 'choice'),
  },
  'wallet, none linked': { of: { wallet }, given: ({ connect }) => (connect.linked = []), act: byWallet },
  'wallet, one of several': {
    of: { wallet },
    given: ({ connect }) => (connect.linked = [MAIN, VAULT]),
    act: byWallet,
  },
  'wallet, none on the network': {
    of: { wallet },
    given: ({ connect }) => (connect.linked = [{ ...MAIN, network: 'ethereum-sepolia' }]),
    act: byWallet,
  },
  'wallet, from another app': {
    of: { wallet },
    act: async (given) => {
      await byWallet(given);
      button(given.page, 'Pay from another app').click();
      await until(given.page, () => given.page.querySelector('.qr'), 'code');
    },
  },
  'wallet, asked': { of: { wallet }, act: ask },
  'wallet, rejected': {
    of: { wallet },
    act: async (given) => {
      await ask(given);
      given.connect.last.reject(new UserRejectedError());
      await until(given.page, () => given.page.textContent?.includes('Nothing was sent.'), 'note');
    },
  },
  'wallet, no price': {
    of: { wallet },
    given: ({ service }) =>
      (service.quotes = [new ConnectError('checkout.wallet.no-price', 'None.', { reason: 'none' })]),
    act: (given) => byWallet(given, 'no-price'),
  },
  'wallet, sent': { of: { wallet }, act: send },
  'wallet, failed': { of: { wallet }, act: became({ state: 'quoted', problem: 'failed' }) },
  'wallet, another amount': { of: { wallet }, act: became({ state: 'quoted', problem: 'amount' }) },
  'wallet, less than the price': {
    of: { wallet },
    act: became({ state: 'quoted', problem: 'underpaid', received: '0.02518731', difference: '0.001' }),
  },
  'wallet, more than the price': {
    of: { wallet },
    act: became({ state: 'quoted', problem: 'overpaid', received: '0.03618731', difference: '0.01' }),
  },
  'wallet, too late': { of: { wallet }, act: became({ state: 'expired', problem: 'late' }) },
  'paid by wallet': { of: { wallet }, act: became({ state: 'paid', confirmations: 3 }, COMPLETE) },
  'already paid': { of: COMPLETE },
  cancelled: { of: { status: 'expired', cancelled: true, redirect: 'https://shop.example/cart' } },
  expired: { of: { status: 'expired', redirect: 'https://shop.example/cart' } },
  'no such checkout': { of: 'request.not-found' },
  'did not load': { of: 'service.unreachable' },
};

async function draw(name: string): Promise<CheckoutPage> {
  const { of = {}, given, act } = SCENES[name]!;
  fixtureCleanup();
  sessionStorage.clear();
  const service = new Service();
  service.page = typeof of === 'string' ? of : { ...PAGE, ...of };
  const connect = new FakeConnect();
  connect.linked = [MAIN];
  given?.({ service, connect });
  const { page } = await openPage(service, connect);
  await act?.({ service, connect, page });
  await settle(page);
  return page;
}

before(adoptStyles);
before(() => import('../../../src/pay/challenge.ts'));
let clock: PageClock;
beforeEach(() => (clock = new PageClock()));
afterEach(() => {
  clock.restore();
  document.documentElement.removeAttribute('style');
});

pictures('payment page', 'pay', Object.keys(SCENES), async (name) => {
  const page = await draw(name);
  // axe needs timers that run; the page's time stands still.
  const { now } = Date;
  clock.restore();
  Date.now = now;
  return page;
});

describe('the payment page on a phone', () => {
  before(() => setViewport({ width: 360, height: 640 }));

  for (const name of Object.keys(SCENES))
    it(`${name}: one title at most, nothing cut off, fingers find everything`, async () => {
      const page = await draw(name);
      expect(page.querySelectorAll('h1').length).to.equal(name === 'loading' ? 0 : 1);
      expect(document.documentElement.scrollWidth).to.be.at.most(360);
      expect(tooSmall(page, 24)).to.deep.equal([]);
    });
});
