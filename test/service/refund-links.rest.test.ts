/** Links by which customers say where a refund goes: one address, of the payment's chain, which nobody changes, and which the shop confirms. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { JsonRpcProvider, parseEther, Wallet as Key } from 'ethers';
import type { CheckoutSession } from '../../src/api/checkout.ts';
import type { CreatedRefundLink, RefundLink, RefundRequest } from '../../src/api/refund-link.ts';
import type { CreatedWallet } from '../../src/api/wallet.ts';
import { openShop, pagePath, payment } from './checkout-setup.ts';
import { PIN, QUICK } from './custody-setup.ts';
import { type Refunds, refundsOf, SOON } from './refunds-setup.ts';
import { type Chain, coins, openTill, RECEIVER, startChain, type Till } from './wallet-payments-setup.ts';

let chain: Chain;
let till: Till;
let refunds: Refunds;
let provider: JsonRpcProvider;
let wallet: CreatedWallet;
/** Paid by wallet. */
let session: CheckoutSession;
let paid: bigint;

before(async () => {
  chain = await startChain();
  till = await openTill(
    [chain.network],
    {},
    {},
    { scopes: ['whitelabel', 'view:wallets', 'sign:wallets'], pins: { cost: QUICK }, refunds: SOON },
  );
  refunds = refundsOf(till.tested, () => till.shop.headers);
  provider = new JsonRpcProvider(chain.local.url, undefined, { staticNetwork: true, cacheTimeout: -1 });
  const order = { walletType: 'WHITE_LABEL', secretType: 'ETHEREUM', pincode: PIN };
  wallet = (await (await till.tested.post('/api/wallets', order, till.shop.headers)).json()) as CreatedWallet;
  await chain.local.fund(wallet.address, parseEther('100'));
  await till.receive();
  const open = await till.session();
  const quote = await till.quote(open);
  await chain.send(chain.accounts[0]!, RECEIVER, coins(quote));
  await till.paid(open);
  session = { ...(await till.shop.read(open.id)), url: open.url };
  paid = coins(quote);
});
after(async () => {
  provider?.destroy();
  await till?.close();
  await chain?.close();
});

const fresh = (): string => Key.createRandom().address;
const tokenOf = ({ url }: CreatedRefundLink): string => new URL(url).hash.slice(1);

async function create(body: object = {}, of = session, headers = till.shop.headers): Promise<Response> {
  return till.tested.post(`/checkout/sessions/${of.id}/refund-links`, body, headers);
}

async function made(body: object = {}): Promise<CreatedRefundLink> {
  const response = await create(body);
  assert.equal(response.status, 201, await response.clone().text());
  return (await response.json()) as CreatedRefundLink;
}

async function read({ id }: RefundLink): Promise<RefundLink> {
  const response = await till.tested.get(
    `/checkout/sessions/${session.id}/refund-links/${id}`,
    till.shop.headers,
  );
  return (await response.json()) as RefundLink;
}

interface Answer {
  outcome: string;
  body: RefundRequest & { issues?: { path: string; message: string }[] };
}

/** As the customer's page does. */
async function customer(what: 'read' | 'address', body: object): Promise<Answer> {
  const response = await till.tested.post(`/pay/refund/${what}`, body);
  const answer = (await response.json()) as Answer['body'] & { code?: string };
  return {
    outcome: answer.code ? `${response.status} ${answer.code}` : String(response.status),
    body: answer,
  };
}

const give = (link: CreatedRefundLink, address: string) =>
  customer('address', { token: tokenOf(link), address });

const confirm = (link: RefundLink, to: string | undefined, more: object = {}) =>
  refunds.ask(session.id, { link: link.id, to, walletId: wallet.id, pincode: PIN, ...more });

test('the customer gives an address, the shop sees all of it, and its confirmation pays exactly there', async () => {
  const link = await made({ amount: '0.001' });
  assert.equal(link.status, 'open');
  assert.match(link.url, /^http:\/\/[^/]+\/pay\/refund#[\w-]{43}$/);
  const { body: asked } = await customer('read', { token: tokenOf(link) });
  assert.deepEqual(
    [asked.amount, asked.symbol, asked.secretType, asked.address, asked.sent],
    ['0.001', 'ETH', 'ETHEREUM', null, false],
  );
  const address = fresh();
  const given = await give(link, ` ${address.toLowerCase()} `);
  assert.deepEqual([given.outcome, given.body.address, given.body.sent], ['200', address, false]);
  const seen = await read(link);
  assert.deepEqual([seen.status, seen.address, seen.refund], ['answered', address, null]);
  assert.equal('url' in seen, false, 'the link itself is shown once');
  const event = (await till.shop.events(session.id)).at(-1)!;
  assert.equal(event.type, 'refund.address-given');
  assert.deepEqual(event.data.refund_link, seen);
  assert.equal(event.data.refund, undefined);
  assert.equal(event.data.session.refunded, 'none');
  assert.equal(await provider.getBalance(address), 0n, 'nothing was sent');

  const { outcome, body: refund } = await confirm(link, address, { note: 'Returned' });
  assert.equal(outcome, '201', JSON.stringify(refund));
  await refunds.settled(refund);
  assert.equal(await provider.getBalance(address), parseEther('0.001'));
  assert.deepEqual(await read(link), { ...seen, status: 'used', refund: refund.id });
  const { body: afterwards } = await customer('read', { token: tokenOf(link) });
  assert.deepEqual([afterwards.address, afterwards.sent], [address, true]);
});

test('an address is given once: the same again changes nothing, another one is refused', async () => {
  const link = await made({ amount: '0.0001' });
  const [one, other] = [fresh(), fresh()];
  const before = (await till.shop.events(session.id)).length;
  const outcomes = await Promise.all([one, one, other, one, other].map((address) => give(link, address)));
  const { address } = await read(link);
  assert.ok(address === one || address === other);
  for (const [i, sent] of [one, one, other, one, other].entries())
    assert.equal(outcomes[i]!.outcome, sent === address ? '200' : '409 request.conflict');
  assert.equal((await give(link, fresh())).outcome, '409 request.conflict');
  assert.equal((await read(link)).address, address);
  assert.equal((await till.shop.events(session.id)).length, before + 1, 'one event');
});

test('the shop confirms the address that it looked at, and the link is good for one refund', async () => {
  const link = await made({ amount: '0.0001' });
  const early = await confirm(link, fresh());
  assert.deepEqual([early.outcome, early.body.issues[0]!.path], ['400 request.invalid', 'link']);
  const address = fresh();
  await give(link, address);
  for (const to of [undefined, fresh(), address.slice(0, -1), address.toLowerCase(), `${address}<script>`]) {
    const { outcome, body } = await confirm(link, to);
    assert.deepEqual([outcome, body.issues[0]!.path], ['400 request.invalid', 'to']);
  }
  const more = await confirm(link, address, { amount: '0.0002' });
  assert.deepEqual([more.outcome, more.body.issues[0]!.path], ['400 request.invalid', 'amount']);
  const twice = await Promise.all([confirm(link, address), confirm(link, address)]);
  assert.deepEqual(twice.map(({ outcome }) => outcome).sort(), ['201', '409 request.conflict']);
  const { body: refund } = twice.find(({ outcome }) => outcome === '201')!;
  await refunds.settled(refund);
  assert.equal(await provider.getBalance(address), parseEther('0.0001'));
  assert.equal((await confirm(link, address)).outcome, '409 request.conflict');
  const cancelled = await till.tested.post(
    `/checkout/sessions/${session.id}/refund-links/${link.id}/cancel`,
    {},
    till.shop.headers,
  );
  assert.equal(cancelled.status, 409);
});

test('what is no address of the chain is refused with its reason, and the customer can try again', async () => {
  const link = await made({ amount: '0.0001' });
  const address = fresh();
  const flip = (text: string): string =>
    text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase();
  const at = [...address].findIndex((letter, i) => i > 1 && /[a-z]/i.test(letter));
  for (const wrong of [
    'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb',
    'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
    'ak_11111111111111111111111111111111273Yts',
    `${address.slice(0, at)}${flip(address[at]!)}${address.slice(at + 1)}`,
    `${address}\u202e`,
    `0x${'0'.repeat(40)}`,
    chain.token('DUSD'),
    RECEIVER,
    '<script>alert(1)</script>',
    `javascript:alert('${address}')`,
    address.slice(2),
  ]) {
    const { outcome, body } = await give(link, wrong);
    assert.equal(outcome, '400 request.invalid', wrong);
    assert.deepEqual(
      body.issues!.map(({ path }) => path),
      ['address'],
    );
  }
  assert.equal((await read(link)).status, 'open');
  assert.equal((await give(link, address)).outcome, '200');
});

test('a token that is guessed, is another id, or has ended opens nothing, and all look the same', async () => {
  const link = await made({ amount: '0.0001' });
  const token = tokenOf(link);
  const page = pagePath(session).split('/').at(-1)!;
  assert.notEqual(page, token);
  const close = `${token.slice(0, -1)}${token.endsWith('A') ? 'E' : 'A'}`;
  const ended = await made({ amount: '0.0001' });
  await till.tested.service.db
    .updateTable('refund_links')
    .set({ expires_at: new Date(Date.now() - 1) })
    .where('id', '=', ended.id)
    .execute();
  const withdrawn = await made({ amount: '0.0001' });
  const path = `/checkout/sessions/${session.id}/refund-links/${withdrawn.id}/cancel`;
  for (let again = 0; again < 2; again++)
    assert.equal((await till.tested.post(path, {}, till.shop.headers)).status, 200);
  const texts = new Set<string>();
  for (const wrong of [
    randomBytes(32).toString('base64url'),
    page,
    close,
    tokenOf(ended),
    tokenOf(withdrawn),
  ])
    for (const what of ['read', 'address'] as const) {
      const { outcome, body } = await customer(what, {
        token: wrong,
        ...(what === 'address' && { address: fresh() }),
      });
      assert.equal(outcome, '404 request.not-found');
      texts.add((body as unknown as { detail: string }).detail);
    }
  assert.equal(texts.size, 1);
  for (const odd of [session.id, link.id, '', "' or 1=1 --", `${token}\n`])
    assert.equal((await customer('read', { token: odd })).outcome, '400 request.invalid');
  assert.deepEqual(
    [(await read(ended)).status, (await read(withdrawn)).status, (await read(link)).status],
    ['expired', 'cancelled', 'open'],
  );
  assert.equal((await confirm(withdrawn, fresh())).outcome, '400 request.invalid');
});

test('nothing that has a token leaves the browser in an address, and no token is stored', async () => {
  const link = await made({ amount: '0.0001' });
  const page = await till.tested.get('/pay/refund');
  assert.equal(page.headers.get('referrer-policy'), 'no-referrer');
  assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'/);
  await customer('read', { token: tokenOf(link) });
  const rows = await till.tested.service.db.selectFrom('refund_links').selectAll().execute();
  assert.ok(!JSON.stringify(rows).includes(tokenOf(link)));
});

test('links are of one shop, of a payment by wallet, and never for more than is left', async () => {
  const other = await openShop(till.tested);
  assert.equal((await create({}, session, other.headers)).status, 404);
  const link = await made({ amount: '0.0001' });
  const path = `/checkout/sessions/${session.id}/refund-links/${link.id}`;
  assert.equal((await till.tested.get(path, other.headers)).status, 404);
  assert.equal((await till.tested.post(`${path}/cancel`, {}, other.headers)).status, 404);
  assert.equal((await create({ amount: String(paid) })).status, 409);
  assert.equal((await create({ days: 31 })).status, 400);
  const open = await till.session();
  assert.equal((await create({}, open)).status, 409, 'not paid');
  await till.tested.post(`${pagePath(open)}/payments`, payment());
  const byCard = await create({}, open);
  assert.equal(byCard.status, 400);
  const given = await refunds.ask(open.id, { link: link.id });
  assert.equal(given.outcome, '400 request.invalid');
  const list = await till.tested.get(
    `/checkout/sessions/${session.id}/refund-links?limit=2`,
    till.shop.headers,
  );
  assert.deepEqual(((await list.json()) as RefundLink[]).map(({ id }) => id)[0], link.id);
});
