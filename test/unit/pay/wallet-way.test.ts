import { expect } from '@open-wc/testing';
import { sendKeys, setViewport } from '@web/test-runner-commands';
// Lazy parts are fetched ahead, so that tests wait for updates and not for a server.
import '../../../src/elements/link-wallets/link-wallets-view.ts';
import '../../../src/elements/recover.ts';
import '../../../src/elements/transfer-dialog/transfer-dialog-view.ts';
import '../../../src/elements/trouble.ts';
import type { PayPage, WalletPayment } from '../../../src/api/pay.ts';
import { toBase64Url } from '../../../src/base/base64.ts';
import { utf8 } from '../../../src/base/bytes.ts';
import {
  ConnectError,
  FrameUnreachableError,
  RequestInvalidError,
  UserRejectedError,
} from '../../../src/base/errors.ts';
import type { CheckoutPage } from '../../../src/pay/checkout-page.ts';
import { adoptStyles } from '../../../src/pay/styles.ts';
import { ether, FakeConnect, MAIN, SAVINGS, TWO_NETWORKS, VAULT } from '../elements/fake-connect.ts';
import { timeOf } from '../../../src/pay/summary.ts';
import { PageClock } from '../clock.ts';
import {
  alertOf,
  button,
  CHOICES,
  COMPLETE,
  openPage,
  PAGE,
  QUOTED,
  Service,
  settle,
  spoken,
  title,
  TOTAL,
  until,
  WALLET,
} from './page.ts';
import { wish } from '../media.ts';

const HASH = `0x${'ab'.repeat(32)}`;
const PAY = 'Pay 0.02618731 ETH';
const SENT: WalletPayment = { ...QUOTED, state: 'pending', transactionHash: HASH };

let service: Service;
let connect: FakeConnect;
let clock: PageClock;
let gone: string[];
let hidden = false;

async function open(changes: Partial<PayPage> = {}): Promise<CheckoutPage> {
  service.page = { ...(service.page as PayPage), ...changes };
  const opened = await openPage(service, connect);
  ({ gone } = opened);
  return opened.page;
}

function choose(page: CheckoutPage, way: 'card' | 'wallet'): void {
  page.querySelector<HTMLInputElement>(`[name=way][value=${way}]`)!.click();
}

const section = (page: CheckoutPage): string | undefined =>
  page.querySelector('[data-view]')?.getAttribute('data-view') ?? undefined;
const shows = (page: CheckoutPage, view: string): Promise<void> =>
  until(page, () => section(page) === view, view);

/** Opens the page, chooses the wallet and waits for its price. */
async function quoted(changes: Partial<PayPage> = {}): Promise<CheckoutPage> {
  const page = await open(changes);
  choose(page, 'wallet');
  await shows(page, 'quoted');
  return page;
}

/** Sends the request to the wallet, which has not answered yet. */
async function asked(page: CheckoutPage): Promise<void> {
  button(page, PAY).click();
  await until(page, () => connect.asked.length, 'request');
}

async function sent(page: CheckoutPage): Promise<void> {
  service.reported = [SENT];
  await asked(page);
  connect.last.resolve({ transactionHash: HASH });
  await shows(page, 'pending');
}

before(adoptStyles);
beforeEach(async () => {
  await setViewport({ width: 900, height: 800 });
  clock = new PageClock();
  service = new Service();
  service.page = { ...PAGE, wallet: WALLET };
  connect = new FakeConnect();
  connect.linked = [MAIN];
  sessionStorage.clear();
  hidden = false;
  Object.defineProperty(document, 'visibilityState', {
    configurable: true,
    get: () => (hidden ? 'hidden' : 'visible'),
  });
});
afterEach(() => {
  clock.restore();
  Reflect.deleteProperty(document, 'visibilityState');
});

describe('paying with a wallet', () => {
  it('is offered only if the shop accepts it', async () => {
    const page = await open({ wallet: null });
    expect(page.querySelector('[name=way]')).to.equal(null);
    expect(title(page)).to.equal('Pay with card');
  });

  it('is chosen by keyboard, and the card form is as it was when it is chosen again', async () => {
    const page = await open();
    expect(page.querySelector('fieldset legend')?.textContent).to.equal('How to pay');
    expect(
      [...page.querySelectorAll('fieldset label')].map((each) => each.textContent?.trim()).join(),
    ).to.equal('Card,Wallet');
    const number = page.querySelector<HTMLInputElement>('#number')!;
    number.value = '4242';
    number.dispatchEvent(new Event('input', { bubbles: true }));
    page.querySelector<HTMLInputElement>('[name=way]')!.focus();
    await sendKeys({ press: 'ArrowRight' });
    await shows(page, 'quoted');
    expect(title(page)).to.equal('Pay with a wallet');
    expect(page.querySelector('#number')).to.equal(null);
    expect((document.activeElement as HTMLInputElement).value).to.equal('wallet');
    await sendKeys({ press: 'ArrowLeft' });
    await settle(page);
    expect(page.querySelector<HTMLInputElement>('#number')!.value).to.equal('4242');
  });

  it('shows the amount in coins and in money, the network, and how long it is valid', async () => {
    const page = await quoted();
    const text = page.querySelector('.co-quote')!.textContent!.replace(/\s+/g, ' ').trim();
    const end = timeOf(Date.now() + 600_000).replace(/\s/g, ' ');
    expect(text).to.equal(`0.02618731 ETH ${TOTAL} · Ethereum mainnet This price holds until ${end}`);
    await clock.pass(479_000);
    await settle(page);
    expect(page.querySelector('[role=timer]')).to.equal(null);
    await clock.pass(1000);
    await settle(page);
    // The page's only countdown.
    expect([...page.querySelectorAll('[role=timer]')].map((each) => each.textContent)).to.deep.equal([
      '2:00',
    ]);
    expect(spoken(page)).to.equal('');
    await clock.pass(60_000);
    await settle(page);
    expect(page.querySelector('.co-quote [role=timer]')?.textContent).to.equal('1:00');
    expect(spoken(page)).to.equal('This price holds for one more minute.');
  });

  it('asks the one linked wallet for exactly that, and waits for confirmations', async () => {
    const page = await quoted();
    await asked(page);
    const { walletId, to, value, secretType } = connect.last.params as Record<string, string>;
    expect([connect.last.action, walletId, to, value, secretType].join()).to.equal(
      `transfer,main,${QUOTED.to},0.02618731,ETHEREUM`,
    );
    expect('tokenAddress' in (connect.last.params as object)).to.equal(false);
    service.reported = [SENT];
    connect.last.resolve({ transactionHash: HASH });
    await shows(page, 'pending');
    expect(service.hashes.join()).to.equal(HASH);
    expect(title(page)).to.equal('Payment sent');
    expect(page.textContent).to.contain('Waiting for confirmation 1 of 3');
    expect(page.querySelector('.hash .addr')?.getAttribute('title')).to.equal(HASH);
    expect(page.querySelector('[name=way]')).to.equal(null);
    expect(document.activeElement?.localName).to.equal('h1');
    service.wallet({ confirmations: 1 });
    await clock.pass(2000);
    await settle(page);
    expect(page.textContent).to.contain('Waiting for confirmation 2 of 3');
    expect(spoken(page)).to.equal('1 of 3 confirmations');
    service.wallet({ state: 'paid', confirmations: 3 }, COMPLETE);
    await clock.pass(2000);
    await settle(page);
    expect(title(page)).to.equal('Thank you');
    expect(page.textContent).to.contain('0.02618731 ETH');
    await clock.pass(600_000);
    expect(gone, 'the page stays').to.deep.equal([]);
    expect(button(page, 'Back to Fernhill Outfitters').getAttribute('href')).to.equal(
      'https://shop.example/thanks',
    );
  });

  it('takes a mistyped hash back: the right one can be entered until a block has it, and an error says what is wrong', async () => {
    const wrong = `0x${'cd'.repeat(32)}`;
    service.reported = [
      { ...SENT, transactionHash: wrong },
      new RequestInvalidError([{ path: 'transactionHash', message: 'must be a hash' }]),
      SENT,
    ];
    const page = await quoted();
    const name = async (hash: string): Promise<void> => {
      const details = page.querySelector<HTMLDetailsElement>('.co-else')!;
      details.open = true;
      await until(page, () => details.querySelector('#sent-hash'), 'the field');
      const field = details.querySelector<HTMLInputElement>('#sent-hash')!;
      field.value = hash;
      button(page, 'Look for it').click();
      await settle(page);
      await settle(page);
    };
    await name(wrong);
    await shows(page, 'pending');
    expect(page.querySelector('.hash .addr')?.getAttribute('title')).to.equal(wrong);
    await name('0x12');
    expect(service.hashes.join(), 'no hash at all').to.equal(wrong);
    await name(HASH);
    expect(page.textContent).to.contain('That is not the hash of a transaction on Ethereum mainnet.');
    await name(HASH);
    await until(
      page,
      () => page.querySelector('.hash .addr')?.getAttribute('title') === HASH,
      'the right one',
    );
    expect(page.querySelector('pay-wallet')!.textContent).not.to.contain('That is not the hash');
    service.wallet({ confirmations: 1 });
    await clock.pass(2000);
    await settle(page);
    expect(page.querySelector('.co-else'), 'a block has it').to.equal(null);
  });

  it('sends a token by its contract', async () => {
    const tokenAddress = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
    service.quotes = [{ ...QUOTED, amount: '1052.360017' }];
    const page = await quoted({ wallet: { ...WALLET, symbol: 'DUSD', tokenAddress, decimals: 6 } });
    button(page, 'Pay 1,052.360017 DUSD').click();
    await until(page, () => connect.asked.length, 'request');
    const params = connect.last.params as Record<string, string>;
    expect([params['tokenAddress'], params['value']].join()).to.equal(`${tokenAddress},1052.360017`);
  });

  it('lets its customer choose among wallets of the network, and of no other', async () => {
    connect.linked = [
      VAULT,
      MAIN,
      SAVINGS,
      { ...VAULT, id: 'test', alias: 'Test', network: 'ethereum-sepolia' },
    ];
    const page = await quoted();
    const from = page.querySelector<HTMLSelectElement>('#from')!;
    expect([...from.options].map(({ text }) => text.trim()).join()).to.equal(
      'Vault · 0x2546…Ec30,Main wallet · 0x71C7…976F',
    );
    expect(from.value).to.equal('main');
    from.value = 'vault';
    from.dispatchEvent(new Event('change'));
    await settle(page);
    await asked(page);
    expect((connect.last.params as { walletId: string }).walletId).to.equal('vault');
  });

  it('uses the network’s name if it is not the first of its chain', async () => {
    connect.linked = [MAIN, { ...VAULT, network: 'ethereum-sepolia' }];
    const page = await quoted({ wallet: { ...WALLET, network: 'ethereum-sepolia', firstNetwork: false } });
    await asked(page);
    expect((connect.last.params as { walletId: string }).walletId).to.equal('vault');
  });

  it('lets a wallet be linked if there is none', async () => {
    connect.linked = [];
    const page = await quoted();
    expect(page.textContent).to.contain('No Ethereum wallet yet? Create one in a few seconds');
    const buttons = [...page.querySelectorAll('pay-wallet button')].map((each) => each.textContent?.trim());
    expect(buttons, 'one way to connect').not.to.include('Manage wallets');
    const link = page.querySelector('link-wallets')!;
    link.shadowRoot!.querySelector('button')!.click();
    await until(page, () => connect.asked.length === 1, 'request');
    expect(JSON.stringify([connect.last.action, connect.last.params])).to.equal(
      '["linkWallets",{"secretTypes":["ETHEREUM"]}]',
    );
    connect.setWallets([MAIN]);
    connect.last.resolve([MAIN]);
    await settle(page);
    expect(page.querySelector('link-wallets')).to.equal(link);
    expect(title(page)).to.equal('Pay with a wallet');
    button(page, PAY).click();
    await until(page, () => connect.asked.length === 2, 'request');
  });

  it('says when none of the linked wallets can pay', async () => {
    connect.linked = [{ ...MAIN, network: 'ethereum-sepolia' }];
    const page = await quoted();
    expect(page.textContent).to.contain('None of your linked wallets is on Ethereum mainnet.');
  });

  it('loses nothing when it is rejected, and takes one request at a time', async () => {
    const page = await quoted();
    await asked(page);
    expect(button(page, 'Waiting for your wallet…').getAttribute('aria-disabled')).to.equal('true');
    expect(
      [...page.querySelectorAll<HTMLInputElement>('[name=way]')].every(({ disabled }) => disabled),
    ).to.equal(true);
    button(page, 'Waiting for your wallet…').click();
    button(page, 'Back to Fernhill Outfitters').click();
    await settle(page);
    expect([connect.asked.length, gone.length].join()).to.equal('1,0');
    connect.last.reject(new UserRejectedError());
    await until(page, () => page.textContent?.includes('Nothing was sent.'), 'note');
    expect(section(page)).to.equal('quoted');
    expect(page.querySelector<HTMLInputElement>('[name=way]')!.disabled).to.equal(false);
    expect(service.hashes.length).to.equal(0);
    button(page, PAY).click();
    await until(page, () => connect.asked.length === 2, 'second request');
  });

  it('disables cards while an approved request has no answer, and looks it up', async () => {
    const page = await quoted();
    await asked(page);
    connect.last.options.onProgress?.({ requestId: 'request-1', stage: 'signing' });
    connect.last.reject(new FrameUnreachableError('gone', { requestId: 'request-1' }));
    const dialog = page.querySelector('transfer-dialog')!;
    await until(page, () => dialog.shadowRoot?.textContent?.includes('The answer did not arrive'), 'alert');
    expect(page.querySelector<HTMLInputElement>('[name=way]')!.disabled).to.equal(true);
    const trigger = dialog.querySelector('button')!;
    expect(trigger.getClientRects().length).to.equal(0);
    service.reported = [SENT];
    dialog.shadowRoot!.querySelector<HTMLElement>('[role=alert] button')!.click();
    await until(page, () => connect.asked.length === 2, 'resume');
    connect.last.resolve({ transactionHash: HASH });
    await shows(page, 'pending');
    expect(service.hashes.join()).to.equal(HASH);
  });

  it('cancels an unapproved request when the price expires, and gets a new one', async () => {
    const page = await quoted();
    await asked(page);
    service.wallet({ state: 'expired' });
    await clock.pass(600_000);
    await shows(page, 'expired');
    expect(connect.last.options.signal?.aborted).to.equal(true);
    service.quotes = [{ ...QUOTED, amount: '0.03', expiresAt: clock.date() + 600_000 }];
    button(page, 'Get a new price').click();
    await shows(page, 'quoted');
    button(page, 'Pay 0.03 ETH');
  });

  it('does not cancel an approved request', async () => {
    const page = await quoted();
    await asked(page);
    connect.last.options.onProgress?.({ requestId: 'request-1', stage: 'signing' });
    await clock.pass(600_000);
    await settle(page);
    expect(connect.last.options.signal?.aborted).to.equal(false);
    service.reported = [SENT];
    connect.last.resolve({ transactionHash: HASH });
    await shows(page, 'pending');
  });

  it('says that there is no price, and cards still work', async () => {
    service.quotes = [
      new ConnectError('checkout.wallet.no-price', 'None.', { reason: 'none' }),
      new ConnectError('checkout.wallet.no-price', 'Down.', { reason: 'unreachable' }),
      new ConnectError('service.unreachable', 'Gone.'),
      QUOTED,
    ];
    const page = await open();
    choose(page, 'wallet');
    await shows(page, 'no-price');
    expect(alertOf(page)).to.equal(
      'There is no price for ETH right now. Try again later, or pay with a card.',
    );
    for (const text of ['The network does not answer right now.', 'No answer came.']) {
      button(page, 'Try again').click();
      await until(page, () => alertOf(page).startsWith(text), text);
    }
    choose(page, 'card');
    await settle(page);
    expect(title(page)).to.equal('Pay with card');
    // Choosing it again requests a price again.
    choose(page, 'wallet');
    await shows(page, 'quoted');
  });

  it('continues after a reload: with the price, with what was sent, and with what the service does not know yet', async () => {
    service.wallet({});
    const page = await open();
    await shows(page, 'quoted');
    service.reported = [new ConnectError('service.unreachable', 'Gone.')];
    await asked(page);
    connect.last.resolve({ transactionHash: HASH });
    await shows(page, 'pending');
    page.remove();
    const again = await open();
    await shows(again, 'pending');
    service.reported = [SENT];
    await clock.pass(3000);
    await settle(again);
    expect(service.hashes.at(-1)).to.equal(HASH);
    expect(
      sessionStorage.length && JSON.parse(sessionStorage.getItem(sessionStorage.key(0)!)!).hash,
    ).to.equal(undefined);
    again.remove();
    const third = await open();
    await shows(third, 'pending');
    expect(title(third)).to.equal('Payment sent');
  });

  it('takes an answer owed to an earlier load, and none about another payment', async () => {
    const page = await quoted();
    await asked(page);
    connect.last.options.onProgress?.({ requestId: 'request-1', stage: 'signing' });
    page.remove();
    connect = new FakeConnect();
    connect.linked = [MAIN];
    connect.answers = [
      {
        requestId: 'request-0',
        action: 'transfer',
        state: 'done',
        result: { transactionHash: `0x${'00'.repeat(32)}` },
      },
      { requestId: 'request-1', action: 'transfer', state: 'done', result: { transactionHash: HASH } },
    ];
    service.reported = [SENT];
    const again = await open();
    await shows(again, 'pending');
    expect(service.hashes.join()).to.equal(HASH);
  });

  it('does not take the answer to another payment’s request that it looks up for it', async () => {
    connect.answers = [{ requestId: 'request-9', action: 'transfer', state: 'unknown' }];
    const page = await quoted();
    const dialog = page.querySelector('transfer-dialog')!;
    await until(page, () => dialog.shadowRoot?.querySelector('[role=alert] button'), 'way to look it up');
    dialog.shadowRoot!.querySelector<HTMLElement>('[role=alert] button')!.click();
    await until(page, () => connect.asked.length, 'resume');
    connect.last.resolve({ transactionHash: HASH });
    await until(page, () => !page.querySelector<HTMLInputElement>('[name=way]')!.disabled, 'end of it');
    expect([section(page), service.hashes.length].join()).to.equal('quoted,0');
    button(page, PAY);
  });

  it('waits for a reported transaction that is not found yet', async () => {
    const page = await open();
    service.wallet({ transactionHash: HASH });
    document.dispatchEvent(new Event('visibilitychange'));
    await shows(page, 'pending');
    expect(page.querySelector('[name=way]')).to.equal(null);
  });

  it('disables the card form while a payment is pending, in another tab, too', async () => {
    const page = await open();
    expect(title(page)).to.equal('Pay with card');
    service.wallet(SENT);
    document.dispatchEvent(new Event('visibilitychange'));
    await shows(page, 'pending');
    expect(page.querySelector('pay-form')).to.equal(null);
    expect(page.querySelector('.test details')).to.equal(null);
    expect(page.textContent).to.not.contain('Back to Fernhill');
  });

  it('shows it instead if a card, or going back, came too late', async () => {
    for (const late of ['card', 'back'] as const) {
      service = new Service();
      service.page = { ...PAGE, wallet: WALLET };
      service.steps = ['checkout.payment.pending'];
      service.cancel = () => Promise.reject(new ConnectError('checkout.payment.pending', 'Under way.'));
      const page = await open();
      service.wallet(SENT);
      if (late === 'back') button(page, 'Back to Fernhill Outfitters').click();
      else
        page.dispatchEvent(
          new CustomEvent('pay-submit', {
            detail: { email: '', card: { name: '', number: '' }, country: '' },
          }),
        );
      await shows(page, 'pending');
      expect(alertOf(page)).to.equal('');
      expect(document.activeElement?.textContent).to.equal('Payment sent');
      page.remove();
    }
  });

  for (const [problem, text] of Object.entries({
    failed: 'The payment failed on the network',
    amount: 'A different amount arrived',
    other: 'That payment went elsewhere',
    unknown: 'The network does not know the payment',
    late: 'The payment came too late',
  }))
    it(`says what became of a payment: ${problem}`, async () => {
      const state = problem === 'late' ? 'expired' : 'quoted';
      const page = await open();
      choose(page, 'wallet');
      await shows(page, 'quoted');
      await sent(page);
      service.wallet({ state, problem: problem as WalletPayment['problem'] });
      await clock.pass(3000);
      await until(page, () => section(page) !== 'pending', 'end of it');
      expect(alertOf(page)).to.contain(text);
      expect(document.activeElement?.localName).to.equal('h1');
      button(page, state === 'expired' ? 'Get a new price' : PAY);
    });

  it('says what to send from another wallet, to the last digit', async () => {
    const page = await quoted();
    button(page, 'Pay from another app').click();
    await until(page, () => page.querySelector('.qr'), 'code');
    expect(page.querySelector('.groups')?.textContent).to.equal(QUOTED.to);
    const copied = [...page.querySelectorAll('cbf-copy')].map(({ value, label }) => `${label}: ${value}`);
    expect(copied.join()).to.equal(`Copy amount: 0.02618731,Copy address: ${QUOTED.to}`);
    expect(alertOf(page)).to.contain('Send exactly this amount, on Ethereum mainnet');
    // The service found it without being told by the page.
    service.wallet(SENT);
    await clock.pass(20_000);
    await shows(page, 'pending');
  });

  describe('in one of several coins', () => {
    const names = (page: CheckoutPage): string[] =>
      [...page.querySelectorAll('.co-coin')].map((each) =>
        // Without the letter of a token's badge.
        each
          .textContent!.replace(/\s+/g, ' ')
          .trim()
          .replace(/^\w (?=\w)/, ''),
      );
    const pick = (page: CheckoutPage, name: string): void =>
      page.querySelectorAll<HTMLElement>('.co-coin')[names(page).indexOf(name)]!.click();

    beforeEach(() => {
      service.page = { ...PAGE, wallet: { ...WALLET, choices: CHOICES } };
      connect.balances = { main: ether('1') };
      connect.chainNetworks = TWO_NETWORKS;
    });

    async function choices(): Promise<CheckoutPage> {
      const page = await open();
      choose(page, 'wallet');
      await shows(page, 'choice');
      return page;
    }

    it('shows first what a linked wallet holds, then what it could pay in, and asks for no price before', async () => {
      const page = await choices();
      await until(page, () => names(page)[0]?.includes('In your wallet'), 'balances');
      expect(names(page)).to.deep.equal([
        'ETH Ethereum mainnet In your wallet',
        'USDC Ethereum mainnet',
        'TRX Tron',
        'USDT Tron',
      ]);
      expect(service.chosen).to.deep.equal([]);
      expect(page.querySelector('[role=timer]')).to.equal(null);
    });

    it('is in the shop’s order if no wallet is linked', async () => {
      connect.linked = [];
      const page = await choices();
      expect(names(page)).to.deep.equal([
        'TRX Tron',
        'USDT Tron',
        'ETH Ethereum mainnet',
        'USDC Ethereum mainnet',
      ]);
    });

    it('gets the price of what is chosen, and of another until something is sent', async () => {
      const page = await choices();
      pick(page, 'USDT Tron');
      await shows(page, 'quoted');
      expect(service.chosen).to.deep.equal([{ network: 'tron', tokenAddress: CHOICES[1]!.tokenAddress }]);
      expect(page.querySelector('.co-quote')?.textContent).to.contain('0.02618731 USDT');
      expect(document.activeElement?.localName).to.equal('h1');
      button(page, 'Pay with another coin').click();
      await shows(page, 'choice');
      await until(page, () => names(page)[0]?.startsWith('ETH'), 'balances');
      pick(page, 'ETH Ethereum mainnet In your wallet');
      await shows(page, 'quoted');
      expect(page.querySelector('.co-quote')?.textContent).to.contain('0.02618731 ETH');
      await sent(page);
      expect(page.querySelector('.co-other')).to.equal(null);
    });

    it('can be another one if there is no price of the first', async () => {
      service.quotes = [new ConnectError('checkout.wallet.no-price', 'None.', { reason: 'none' }), QUOTED];
      const page = await choices();
      pick(page, 'TRX Tron');
      await shows(page, 'no-price');
      expect(alertOf(page)).to.contain('There is no price for TRX right now.');
      button(page, 'Pay with another coin').click();
      await shows(page, 'choice');
      pick(page, 'USDT Tron');
      await shows(page, 'quoted');
    });

    it('goes on with the coin of a price that still holds', async () => {
      service.page = { ...PAGE, wallet: { ...WALLET, choices: CHOICES, payment: QUOTED } };
      const page = await open();
      await shows(page, 'quoted');
      button(page, 'Pay with another coin');
    });

    it('cannot be another one once a part has arrived', async () => {
      const payment = {
        ...QUOTED,
        problem: 'underpaid' as const,
        received: '0.02',
        difference: '0.00618731',
      };
      service.page = { ...PAGE, wallet: { ...WALLET, choices: CHOICES, payment } };
      const page = await open();
      await shows(page, 'quoted');
      expect(page.querySelector('.co-other')).to.equal(null);
      await until(page, () => page.querySelector('.qr'), 'the code for the rest');
      expect(page.querySelector('.co-else')?.textContent).to.contain('must get exactly 0.00618731 ETH.');
    });

    it('names the token’s contract where no code can', async () => {
      const page = await choices();
      pick(page, 'USDT Tron');
      await shows(page, 'quoted');
      service.page = {
        ...(service.page as PayPage),
        wallet: { ...(service.page as PayPage).wallet!, chainId: null },
      };
      await clock.pass(20_000);
      button(page, 'Pay from another app').click();
      await until(page, () => page.querySelector('cbf-copy[label], .qr'), 'code');
      expect(alertOf(page)).to.contain('Send exactly this amount of USDT, on Tron');
      const copied = [...page.querySelectorAll('cbf-copy')].map(({ value }) => value);
      expect(copied).to.deep.equal(['0.02618731', QUOTED.to, CHOICES[1]!.tokenAddress]);
    });
  });

  it('writes QR codes as in EIP-681', async () => {
    const { paymentUri } = await import('../../../src/pay/wallet-elsewhere.ts');
    expect(paymentUri(WALLET, QUOTED)).to.equal(`ethereum:${QUOTED.to}@1?value=26187310000000000`);
    const token = { ...WALLET, tokenAddress: '0x5FbDB2315678afecb367f032d93F642f64180aa3', decimals: 6 };
    expect(paymentUri(token, { ...QUOTED, amount: '52.360017' })).to.equal(
      `ethereum:${token.tokenAddress}@1/transfer?address=${QUOTED.to}&uint256=52360017`,
    );
    // Without a chain id the URI would mean a payment on Ethereum, whatever the network.
    const vechain = { ...WALLET, secretType: 'VECHAIN' as const, chainId: null };
    expect(paymentUri(vechain, QUOTED)).to.equal(QUOTED.to);
    expect(paymentUri({ ...vechain, tokenAddress: token.tokenAddress }, QUOTED)).to.equal(QUOTED.to);
  });

  it('writes QR codes as in BIP-321, with the verified name of the merchant', async () => {
    const { paymentUri, qrText } = await import('../../../src/pay/wallet-elsewhere.ts');
    const to = 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu';
    const bitcoin = { ...WALLET, secretType: 'BITCOIN' as const, chainId: null, decimals: 8 };
    const payment = { ...QUOTED, to, amount: '0.00025' };
    expect(paymentUri(bitcoin, payment)).to.equal(`bitcoin:${to}?amount=0.00025`);
    const body = toBase64Url(utf8(JSON.stringify({ merchant: 'Bücher & mehr = 1?' })));
    const signed = { ...payment, order: `e30.${body}.AA` };
    const litecoin = { ...bitcoin, secretType: 'LITECOIN' as const };
    const query = '?amount=0.00025&label=B%C3%BCcher%20%26%20mehr%20%3D%201%3F';
    expect(paymentUri(litecoin, signed)).to.equal(`litecoin:${to}${query}`);
    // Capital letters in the code only, of the address only, and on Bitcoin only.
    expect(qrText(bitcoin, signed)).to.equal(`bitcoin:${to.toUpperCase()}${query}`);
    expect(qrText(litecoin, signed)).to.equal(`litecoin:${to}${query}`);
    expect(qrText(WALLET, QUOTED)).to.equal(paymentUri(WALLET, QUOTED));
  });

  describe('on Bitcoin', () => {
    const to = 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu';

    beforeEach(() => {
      const place = { secretType: 'BITCOIN', network: 'bitcoin', networkName: 'Bitcoin' } as const;
      service.page = { ...PAGE, wallet: { ...WALLET, ...place, chainId: null, symbol: 'BTC', decimals: 8 } };
      service.quotes = [{ ...QUOTED, to }];
      connect.linked = [];
    });

    it('shows an address that identifies the payment, and asks for no hash', async () => {
      const page = await quoted();
      button(page, 'Pay from another app').click();
      await until(page, () => page.querySelector('.qr'), 'code');
      expect(page.querySelector('.groups')?.textContent).to.equal(to);
      expect(alertOf(page)).to.contain('Send this amount, on Bitcoin');
      expect(page.querySelector('[name=hash]')).to.equal(null);
    });

    it('asks for the rest of an underpayment at the same address', async () => {
      service.quotes = [{ ...QUOTED, to, problem: 'underpaid', received: '0.02', difference: '0.00618731' }];
      const page = await quoted();
      await until(page, () => page.querySelector('.qr'), 'code');
      const copied = [...page.querySelectorAll('cbf-copy')].map(({ value, label }) => `${label}: ${value}`);
      expect(copied.join()).to.equal(`Copy amount: 0.00618731,Copy address: ${to}`);
    });
  });

  describe('on Aeternity', () => {
    const memo = 'cs_test_1';
    const to = 'ak_2swhLkgBPeeADxVTAVCJnZLY5NZtCFiM93JxsEaMuC59euuFRQ';

    beforeEach(() => {
      const place = { secretType: 'AETERNITY', network: 'aeternity', networkName: 'Aeternity' } as const;
      service.page = { ...PAGE, wallet: { ...WALLET, ...place, chainId: null, symbol: 'AE' } };
      service.quotes = [{ ...QUOTED, to, memo }];
      connect.linked = [{ ...MAIN, secretType: 'AETERNITY', network: 'aeternity' }];
    });

    it('asks the wallet to write the session into the payment', async () => {
      const page = await quoted();
      button(page, 'Pay 0.02618731 AE').click();
      await until(page, () => connect.asked.length, 'request');
      const { data, to: recipient } = connect.last.params as Record<string, string>;
      expect([data, recipient]).to.deep.equal([memo, to]);
    });

    it('takes a hash as the chain has them, and no other', async () => {
      const page = await quoted();
      button(page, 'Pay from another app').click();
      await until(page, () => page.querySelector('.qr'), 'code');
      const field = page.querySelector<HTMLInputElement>('#sent-hash')!;
      const look = (hash: string): void => {
        field.value = hash;
        field.dispatchEvent(new Event('input'));
        button(page, 'Look for it').click();
      };
      look(HASH);
      expect(field.validationMessage).to.equal('That is not the hash of a transaction on Aeternity.');
      expect(service.hashes).to.deep.equal([]);
      const hash = `th_${'2'.repeat(48)}`;
      service.reported = [{ ...SENT, transactionHash: hash }];
      look(hash);
      await until(page, () => service.hashes.length, 'report');
      expect(service.hashes).to.deep.equal([hash]);
    });
  });

  it('polls with back-off, not at all while hidden, and at once when visible again', async () => {
    const page = await quoted();
    await sent(page);
    service.reads = 0;
    for (let second = 0; second < 60; second++) {
      await clock.pass(1000);
      await settle(page);
    }
    expect(service.reads).to.be.within(5, 9);
    hidden = true;
    document.dispatchEvent(new Event('visibilitychange'));
    service.reads = 0;
    await clock.pass(600_000);
    expect(service.reads).to.equal(0);
    hidden = false;
    service.wallet({ confirmations: 2 });
    document.dispatchEvent(new Event('visibilitychange'));
    await until(page, () => page.textContent?.includes('confirmation 3 of 3'), 'news');
  });

  it('leads to the processor’s page if that takes the cards', async () => {
    const redirect = 'https://checkout.example/c/pay/cs_1';
    const page = await open({ provider: 'stripe', cards: [], card: { redirect }, livemode: true });
    expect(button(page, `Pay ${TOTAL}`).getAttribute('href')).to.equal(redirect);
    expect([page.querySelector('pay-form'), page.querySelector('.test')].join()).to.equal(',');
    choose(page, 'wallet');
    await shows(page, 'quoted');
    choose(page, 'card');
    await settle(page);
    clock.restore();
    await expect(page).to.be.accessible();
  });

  for (const scheme of ['light', 'dark'] as const)
    for (const width of [360, 900])
      it(`is accessible: ${scheme}, ${width} px`, async function () {
        await setViewport({ width, height: 800 });
        if (!(await wish({ colorScheme: scheme, reducedMotion: 'reduce' }))) this.skip();
        document.documentElement.dir = width === 360 ? 'rtl' : '';
        // axe needs the real clock.
        clock.restore();
        service = new Service();
        const now = Date.now();
        service.page = { ...PAGE, wallet: WALLET, now, expiresAt: now + 1_800_000 };
        service.quotes = [{ ...QUOTED, expiresAt: now + 600_000 }];
        connect.linked = [MAIN, VAULT];
        const page = await quoted({
          branding: { primaryColor: '#2a2f3a', secondaryColor: '#7a2e4d', icon: null },
        });
        await expect(page).to.be.accessible();
        button(page, 'Pay from another app').click();
        await until(page, () => page.querySelector('.qr'), 'code');
        await expect(page).to.be.accessible();
        expect(document.documentElement.scrollWidth).to.be.at.most(width);
        await sent(page);
        await expect(page).to.be.accessible();
        service.wallet({ state: 'expired', problem: 'late' });
        document.dispatchEvent(new Event('visibilitychange'));
        await shows(page, 'expired');
        await expect(page).to.be.accessible();
        expect(document.documentElement.scrollWidth).to.be.at.most(width);
        await wish({ colorScheme: 'light', reducedMotion: 'no-preference' });
        document.documentElement.dir = '';
        document.documentElement.removeAttribute('style');
      });
});
