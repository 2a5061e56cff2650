import { expect, fixture, html } from '@open-wc/testing';
import type { RefundRequest } from '../../../src/api/refund-link.ts';
import { ConnectError, type ErrorCode, RequestInvalidError } from '../../../src/base/errors.ts';
import { RefundPage } from '../../../src/pay/refund.ts';
import { adoptStyles } from '../../../src/pay/styles.ts';
import { poll } from '../../waiting.ts';

const TOKEN = 'V'.repeat(43);
const ADDRESS = '0x90F79bf6EB2c4f870365E785982E1f101E93b906';
const REQUEST: RefundRequest = {
  merchant: 'Fernhill Outfitters',
  branding: null,
  livemode: true,
  secretType: 'ETHEREUM',
  networkName: 'Ethereum mainnet',
  amount: '0.0125',
  symbol: 'ETH',
  expiresAt: 1_800_000_000_000,
  address: null,
  sent: false,
};

let request: RefundRequest | ErrorCode;
let given: string[];
let refusal: ConnectError | undefined;

async function open(): Promise<RefundPage> {
  const page = new RefundPage();
  page.token = TOKEN;
  page.calls = {
    async read(token) {
      expect(token).to.equal(TOKEN);
      if (typeof request === 'string') throw new ConnectError(request, request);
      return request;
    },
    async give(_token, address) {
      given.push(address);
      if (refusal) throw refusal;
      return (request = { ...(request as RefundRequest), address });
    },
  };
  await fixture(html`<div>${page}</div>`);
  await shows(page, () => !page.querySelector('.spin'));
  return page;
}

const text = (page: RefundPage): string => page.textContent!.replace(/\s+/g, ' ');
const title = (page: RefundPage): string => page.querySelector('h1')?.textContent?.trim() ?? '';
const shows = (page: RefundPage, look: () => unknown): Promise<unknown> =>
  poll(async () => {
    await page.updateComplete;
    return Boolean(look());
  }, 'the page');

function press(page: RefundPage, name: string): void {
  [...page.querySelectorAll('button')].find((each) => each.textContent!.trim() === name)!.click();
}

async function enter(page: RefundPage, address: string): Promise<void> {
  page.querySelector<HTMLInputElement>('#refund-address')!.value = address;
  press(page, 'Continue');
  await page.updateComplete;
}

async function send(page: RefundPage): Promise<void> {
  page.querySelector<HTMLInputElement>('[type=checkbox]')!.click();
  await page.updateComplete;
  press(page, 'Send this address');
  await page.updateComplete;
}

before(adoptStyles);
beforeEach(() => {
  request = REQUEST;
  given = [];
  refusal = undefined;
});

describe('the page of a link for a refund', () => {
  it('warns of exchanges, shows the address back in full, and sends it once it is confirmed', async () => {
    const page = await open();
    expect(title(page)).to.equal('Where should your refund go?');
    expect(text(page)).to.contain('0.0125 ETH');
    expect(text(page)).to.contain('The deposit address of an exchange is often shared by many customers');
    await enter(page, ` ${ADDRESS} `);
    await shows(page, () => title(page) === 'Is this your address?');
    expect(page.querySelector('[translate=no] .sr')!.textContent).to.equal(ADDRESS);
    press(page, 'Send this address');
    expect(given, 'not ticked yet').to.deep.equal([]);
    await send(page);
    await shows(page, () => title(page) === 'Your address was received');
    expect(given).to.deep.equal([ADDRESS]);
    expect(text(page)).to.contain('Nothing was sent yet.');
    expect(page.querySelector('input'), 'it cannot be changed').to.equal(null);
  });

  it('keeps what was entered when it is refused, and says so at the field', async () => {
    const page = await open();
    await enter(page, '');
    expect(page.querySelector('#refund-error')!.textContent!.trim()).to.equal('Enter an address.');
    refusal = new RequestInvalidError([{ path: 'address', message: 'has a wrong checksum' }]);
    await enter(page, 'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb');
    await send(page);
    await shows(page, () => page.querySelector('#refund-address'));
    const field = page.querySelector<HTMLInputElement>('#refund-address')!;
    expect(field.value).to.equal('T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb');
    expect(field.getAttribute('aria-describedby')).to.equal('refund-error');
    expect(page.querySelector('#refund-error')!.textContent).to.contain('not an address of Ethereum');
    refusal = new ConnectError('service.unreachable', 'No answer came in time.');
    await enter(page, ADDRESS);
    await send(page);
    await shows(page, () => text(page).includes('No answer came. Try again.'));
    refusal = undefined;
    press(page, 'Send this address');
    await shows(page, () => title(page) === 'Your address was received');
    expect(given.slice(-2)).to.deep.equal([ADDRESS, ADDRESS]);
  });

  it('draws what was entered as text', async () => {
    const page = await open();
    await enter(page, '<img src=x onerror=alert(1)>');
    await shows(page, () => title(page) === 'Is this your address?');
    expect(page.querySelector('img')).to.equal(null);
  });

  it('shows the address that was given by another window, not the one typed here', async () => {
    const page = await open();
    const other = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
    request = { ...REQUEST, address: other };
    refusal = new ConnectError('request.conflict', 'given');
    await enter(page, ADDRESS);
    await send(page);
    await shows(page, () => title(page) === 'Your address was received');
    expect(page.querySelector('[translate=no] .sr')!.textContent).to.equal(other);
  });

  it('says that a link has ended, and offers to try again when nothing answers', async () => {
    request = 'request.not-found';
    expect(title(await open())).to.equal('This link has ended');
    request = 'service.unreachable';
    const page = await open();
    expect(title(page)).to.equal('This page did not load');
    request = { ...REQUEST, address: ADDRESS, sent: true };
    press(page, 'Try again');
    await shows(page, () => title(page) === 'Your refund was sent');
  });
});
