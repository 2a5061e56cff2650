/** The demo with the wallet service: a user signs in and pays with a service wallet, and the shop pays with its own. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { RECIPIENT } from '../../demo/page/scenarios/evm-names.ts';
import type { Wallet } from '../../src/api/wallet.ts';
import { poll } from '../waiting.ts';
import { axe, evaluateIn, PIN, type WalletView } from './harness.ts';
import { Customer, firstAtService, openServiceWorld, type ServiceWorld } from './service-setup.ts';

const ETHER = 10n ** 18n;
let world: ServiceWorld;
let ada: Customer;
before(async () => void (world = await openServiceWorld()));
after(() => world.close());

/** The user's first service wallet, linked to the page. */
async function makeServiceWallet(customer: Customer): Promise<Wallet> {
  const view = await customer.opening(() => customer.button('Manage wallets', customer.main).click());
  await firstAtService(view);
  await view.press('Continue without it');
  await view.leaveAddress();
  await customer.log('connect-result').waitFor();
  const [made] = await customer.read<Wallet[]>('wallets');
  assert.equal(made!.walletType, 'THREEWAY_SHARED');
  return made!;
}

/** Opens a scenario whose transfer goes straight to approval. */
async function ask(customer: Customer, scenario: string): Promise<WalletView> {
  await customer.go(scenario);
  return customer.opening(() => customer.button('Send', customer.main).click());
}

const balance = (address: string): Promise<bigint> => world.chain.getBalance(address);

let adas: Wallet;
test('a user signs in, creates a service wallet and sends from it', async () => {
  ada = await Customer.signIn(world);
  adas = await makeServiceWallet(ada);
  await ada.button('Get test ether').click();
  await ada.log('faucet').waitFor();
  const received = await balance(RECIPIENT);
  const view = await ask(ada, 'Simple transfer');
  const fee = await view.pay(18);
  await view.done();
  await ada.log(/transactionHash/).waitFor();
  assert.equal((await balance(RECIPIENT)) - received, ETHER / 4n);
  assert.equal(await balance(adas.address), 10n * ETHER - ETHER / 4n - fee);
});

test('a wrong PIN is counted by the service', async () => {
  const view = await ask(ada, 'Simple transfer');
  await view.approve('840265');
  await view.text('Wrong PIN. 4 attempts left.').first().waitFor();
  await view.leave('Reject');
  await ada.passMinute();
});

test('an e-mail address stands for the wallet of its owner, shown in full', async () => {
  const ben = await Customer.signIn(world, { name: 'Ben' });
  const { address } = await makeServiceWallet(ben);
  await ben.close();
  const view = await ask(ada, 'E-mail recipient');
  await view.approval().waitFor();
  await view.address(address).waitFor();
  await view.pay(18);
  await view.done();
  assert.equal(await balance(address), ETHER / 4n);
});

test('the page’s own token and the PIN are not enough to spend', async () => {
  const token = await evaluateIn(ada.page)(async () => {
    const headers = { 'Content-Type': 'application/json' };
    const answer = await fetch('/session/token', { method: 'POST', headers, body: '{}' });
    return ((await answer.json()) as { accessToken: string }).accessToken;
  });
  const response = await fetch(`${world.demo.service!.url}/api/transactions/execute`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
    body: JSON.stringify({
      type: 'ETH_TRANSACTION',
      walletId: adas.id,
      pincode: PIN,
      to: RECIPIENT,
      value: '1',
    }),
  });
  assert.equal(response.status, 401);
  assert.equal(((await response.json()) as { code: string }).code, 'device.proof.invalid');
});

test('the shop creates a white-label wallet, gets coins, builds and sends', async () => {
  await ada.go('White-label wallet');
  const panel = ada.page.getByRole('region', { name: 'White-label wallet' });
  await ada.button('Create wallet', panel).click();
  await panel.getByText('Recovery code').waitFor();
  const address = await panel.getByText(/^0x[0-9a-fA-F]{40}$/).innerText();
  await ada.button('Get test ether').click();
  await panel.getByText('10 ETH').waitFor();
  await ada.button('Build', panel).click();
  await panel.getByRole('status').getByText('"value": "250000000000000000"').waitFor();
  const received = await balance(RECIPIENT);
  await ada.button('Execute', panel).click();
  const sent = panel.getByRole('status').getByText(/"transactionHash"/);
  const [hash] = /0x[0-9a-f]{64}/.exec(await sent.innerText())!;
  const receipt = await poll(
    async () => (await world.chain.getTransactionReceipt(hash)) ?? undefined,
    'the receipt',
  );
  assert.equal((await balance(RECIPIENT)) - received, ETHER / 4n);
  assert.equal(await balance(address), 10n * ETHER - ETHER / 4n - receipt.fee);
});

test('the shop’s wrong PIN is refused, and its right one signs', async () => {
  await ada.go('Shop, wrong PIN');
  await ada.button('Run again').click();
  await ada.log(/executeTransaction pincode\.wrong/).waitFor();
  await ada.go('Shop signs');
  await ada.button('Run again').click();
  await ada.log(/createSignature .*signature: "0x[0-9a-f]{130}"/).waitFor();
});

test('no PIN, code or token is in the log, and axe finds nothing, up to the next sign-in', async () => {
  const { page } = ada;
  const text = await page.getByRole('log', { name: 'Event log' }).innerText();
  assert.doesNotMatch(text, /recoveryCode|eyJ|739154/);
  assert.deepEqual(await axe(page), []);
  await ada.button('Sign out').click();
  await page.getByRole('banner').getByRole('link', { name: 'Sign in', exact: true }).click();
  await page.getByRole('heading', { name: 'Example sign-in' }).waitFor();
  assert.deepEqual(await axe(page), []);
});

test('the wallet’s own page may ask the service for an encrypted copy, and the page that shows it may not', async () => {
  const { frame, demo, service } = world.demo;
  const page = await (await world.profile()).newPage();
  const ask = async (from: string) => {
    await page.goto(from);
    return page.evaluate(async (url) => {
      const headers = { Authorization: 'Sync x', 'Content-Type': 'application/octet-stream' };
      const send = async (method: string, condition: Record<string, string> = {}) => {
        const body = method === 'GET' ? undefined : new Uint8Array(3);
        const request = { method, headers: { ...headers, ...condition }, ...(body && { body }) };
        const response = await fetch(`${url}/sync/slot/${'A'.repeat(43)}`, request);
        return [response.status, response.headers.has('Date')];
      };
      try {
        const { service } = (await (await fetch('/networks.json')).json().catch(() => ({}))) as {
          service?: string;
        };
        const terms = (await (await fetch(`${url}/sync`)).json()) as unknown;
        const answers = [
          await send('GET'),
          await send('PUT', { 'If-None-Match': '*' }),
          await send('DELETE', { 'If-Match': '"1.x"' }),
        ];
        return { service, terms, answers };
      } catch (error) {
        return (error as Error).message;
      }
    }, service!.url);
  };
  assert.deepEqual(await ask(`${frame}/frame/`), {
    service: service!.url,
    terms: { years: 3 },
    answers: [
      [404, true],
      [401, true],
      [401, true],
    ],
  });
  assert.equal(await ask(demo), 'Failed to fetch');
});
