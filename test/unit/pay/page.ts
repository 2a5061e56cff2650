/** A payment page whose service answers as told. */
import { expect, fixture, html } from '@open-wc/testing';
import type {
  ChosenAsset,
  PayAnswer,
  PayByCard,
  PayChoice,
  PayPage,
  PayWallet,
  WalletPayment,
} from '../../../src/api/pay.ts';
import { TEST_CARDS } from '../../../src/api/test-cards.ts';
import { ConnectError, type ErrorCode, RequestInvalidError } from '../../../src/base/errors.ts';
import type { PayCalls } from '../../../src/pay/calls.ts';
import { priceText } from '../../../src/ui/amount-text.ts';
import { CheckoutPage } from '../../../src/pay/checkout-page.ts';
import { poll } from '../../waiting.ts';
import type { FakeConnect } from '../elements/fake-connect.ts';

export const PAGE: PayPage = {
  merchant: 'Fernhill Outfitters',
  status: 'open',
  cancelled: false,
  provider: 'test',
  livemode: false,
  lineItems: [
    { name: 'Trail map, digital', quantity: 1, unitAmount: 1800, amount: 1800 },
    { name: 'Guided walk, 12 Dec', quantity: 2, unitAmount: 1718, amount: 3436 },
  ],
  currency: 'USD',
  amountTotal: 5236,
  createdAt: 1_800_000_000_000,
  expiresAt: 1_800_001_800_000,
  now: 1_800_000_000_000,
  branding: null,
  cards: TEST_CARDS.map(({ number, brand }) => ({ number, brand })),
  card: { redirect: null },
  wallet: null,
  redirect: null,
  receipt: false,
};
/** In the locale of the test run, with plain spaces, as texts are compared here. */
export const TOTAL = priceText(PAGE.amountTotal, PAGE.currency).replace(/\s/g, ' ');
export const COMPLETE: Partial<PayPage> = {
  status: 'complete',
  redirect: 'https://shop.example/thanks',
  receipt: true,
};

export const WALLET: PayWallet = {
  frame: 'https://connect.example',
  secretType: 'ETHEREUM',
  network: 'ethereum',
  networkName: 'Ethereum mainnet',
  kind: 'mainnet',
  chainId: 1,
  firstNetwork: true,
  site: null,
  symbol: 'ETH',
  tokenAddress: null,
  decimals: 18,
  needed: 3,
  payment: null,
  choices: [],
};

export const QUOTED: WalletPayment = {
  state: 'quoted',
  to: '0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063',
  amount: '0.02618731',
  expiresAt: 1_800_000_600_000,
  transactionHash: null,
  confirmations: 0,
  needed: 3,
  problem: null,
  received: null,
  difference: null,
  order: null,
};

const COIN = { secretType: 'ETHEREUM', network: 'ethereum', networkName: 'Ethereum mainnet' } as const;
const TRON = { secretType: 'TRON', network: 'tron', networkName: 'Tron' } as const;
/** In the shop's order. */
export const CHOICES: PayChoice[] = [
  { ...TRON, symbol: 'TRX', tokenAddress: null, firstNetwork: true },
  { ...TRON, symbol: 'USDT', tokenAddress: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', firstNetwork: true },
  { ...COIN, symbol: 'ETH', tokenAddress: null, firstNetwork: true },
  {
    ...COIN,
    symbol: 'USDC',
    tokenAddress: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
    firstNetwork: true,
  },
];

type Step = PayAnswer | ErrorCode | Promise<PayAnswer>;

export class Service implements PayCalls {
  page: PayPage | ErrorCode = PAGE;
  steps: Step[] = [];
  /** Answers to quoting and telling; the last one repeats. */
  quotes: (WalletPayment | ConnectError)[] = [QUOTED];
  reported: (WalletPayment | ConnectError)[] = [];
  readonly sent: PayByCard[] = [];
  readonly outcomes: string[] = [];
  readonly hashes: string[] = [];
  readonly chosen: (ChosenAsset | undefined)[] = [];
  completed = 0;
  reads = 0;
  /** Time of the first read. */
  #since = 0;

  async #next(): Promise<PayAnswer> {
    const step = this.steps.shift()!;
    if (typeof step !== 'string') return step;
    if (step === 'request.invalid')
      throw new RequestInvalidError([{ path: 'card.securityCode', message: 'is wrong' }]);
    throw new ConnectError(step, step);
  }

  /** Sets the session's wallet payment for all further answers. */
  wallet(payment: Partial<WalletPayment> | null, changes: Partial<PayPage> = {}): WalletPayment {
    const page = this.page as PayPage;
    const before = page.wallet?.payment ?? QUOTED;
    const now = payment && { ...before, ...payment };
    this.page = { ...page, wallet: { ...(page.wallet ?? WALLET), payment: now }, ...changes };
    return now ?? QUOTED;
  }

  async read(): Promise<PayPage> {
    this.reads++;
    if (typeof this.page === 'string') throw new ConnectError(this.page, this.page);
    this.#since ||= Date.now();
    return { ...this.page, now: this.page.now + Date.now() - this.#since };
  }

  async pay(payment: PayByCard): Promise<PayAnswer> {
    this.sent.push(payment);
    return this.#next();
  }

  async challenge({ outcome }: { outcome: string }): Promise<PayAnswer> {
    this.outcomes.push(outcome);
    return this.#next();
  }

  #wallet(answers: (WalletPayment | ConnectError)[]): WalletPayment {
    const answer = answers.length > 1 ? answers.shift()! : answers[0]!;
    if (answer instanceof ConnectError) throw answer;
    return this.wallet(answer);
  }

  quote = async (chosen?: ChosenAsset): Promise<WalletPayment> => {
    this.chosen.push(chosen);
    const choice = CHOICES.find(
      ({ network, tokenAddress }) =>
        network === chosen?.network && tokenAddress === (chosen.tokenAddress ?? null),
    );
    const page = this.page as PayPage;
    const before = page.wallet;
    if (choice) this.page = { ...page, wallet: { ...before!, ...choice, payment: null } };
    try {
      return this.#wallet(this.quotes);
    } catch (error) {
      this.page = { ...page, wallet: before };
      throw error;
    }
  };

  report = async (hash: string): Promise<WalletPayment> => {
    this.hashes.push(hash);
    return this.#wallet(this.reported);
  };

  async complete(): Promise<PayAnswer> {
    this.completed++;
    return this.#next();
  }

  extended = 0;
  /** As the service does: ten minutes from now. */
  extend = async (): Promise<PayPage> => {
    this.extended++;
    const page = await this.read();
    this.page = { ...(this.page as PayPage), expiresAt: page.now + 600_000 };
    return this.read();
  };

  readonly mailed: string[] = [];
  /** Why mails are refused. */
  mailProblem: ErrorCode | undefined;

  mail = async (email: string): Promise<void> => {
    this.mailed.push(email);
    if (this.mailProblem) throw new ConnectError(this.mailProblem, this.mailProblem);
  };

  cancel = async (): Promise<{ redirect: string }> => ({ redirect: 'https://shop.example/cart' });
}

export interface Opened {
  page: CheckoutPage;
  /** URLs to which it navigated. */
  gone: string[];
}

export async function openPage(service: Service, connect?: FakeConnect): Promise<Opened> {
  const gone: string[] = [];
  const page = new CheckoutPage();
  page.calls = service;
  page.connect = connect;
  page.go = (url) => gone.push(url);
  await fixture(html`<div>${page}</div>`);
  await settle(page);
  return { page, gone };
}

/** Waits in real time, whatever clock the page uses. */
export async function until(page: CheckoutPage, look: () => unknown, what: string): Promise<void> {
  const seen = async (): Promise<boolean> => {
    await settle(page);
    return Boolean(look());
  };
  await poll(seen, what).catch((error: Error) => {
    throw new Error(`${error.message}, in: ${page.textContent?.replace(/\s+/g, ' ')}`);
  });
}

export async function settle(page: CheckoutPage): Promise<void> {
  for (let turn = 0; turn < 12; turn++) {
    await Promise.resolve();
    await page.updateComplete;
    for (const part of ['pay-ways', 'pay-form', 'pay-wallet'] as const)
      await page.querySelector(part)?.updateComplete;
  }
}

export function button(page: CheckoutPage, name: string): HTMLElement {
  const element = [...page.querySelectorAll<HTMLElement>('button, a, summary')].find(
    (each) => each.textContent?.replace(/\s+/g, ' ').trim() === name,
  );
  expect(element, `${name} in ${page.textContent}`).to.not.equal(undefined);
  return element!;
}

export const title = (page: CheckoutPage): string => page.querySelector('h1')?.textContent?.trim() ?? '';
export const spoken = (page: CheckoutPage): string =>
  page.querySelector('[role=status].sr')?.textContent?.trim() ?? '';
export const alertOf = (page: CheckoutPage): string =>
  page.querySelector('.checkout .alert')?.textContent?.replace(/\s+/g, ' ').trim() ?? '';
