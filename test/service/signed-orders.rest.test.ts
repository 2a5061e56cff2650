/** Orders signed by the service: the merchant's name, the contents, and verification by anybody. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { verifyMerchant } from '../../service/auth/clients.ts';
import type { SignedOrder } from '../../src/api/signed-order.ts';
import { commandOn } from './command-setup.ts';
import { type Chain, coins, openTill, RECEIVER, startChain, type Till } from './wallet-payments-setup.ts';

let chain: Chain;
let till: Till;
before(async () => {
  chain = await startChain();
  till = await openTill([chain.network]);
  await till.receive();
});
after(async () => {
  await till?.close();
  await chain?.close();
});

const command = commandOn('client', () => till.tested.config);
const verify = (...args: string[]) => command('verify', till.shop.applicationId, ...args);

test('without a verified name there is no signed order, whatever the application’s own name', async () => {
  const { order } = await till.quote(await till.session());
  assert.equal(order, null);
});

test('a signed order says who is paid what for which order until when, and verifies with the published keys', async () => {
  const { code, out } = await verify('--merchant', 'Fernhill Outfitters', '--origin', 'https://shop.example');
  assert.equal(code, 0);
  assert.match(out, /Fernhill Outfitters.*https:\/\/shop\.example/s);
  const session = await till.session(2999);
  const quote = await till.quote(session);
  const iss = till.tested.service.tokens.url();
  const { payload, protectedHeader } = await jwtVerify(
    quote.order!,
    createRemoteJWKSet(new URL(`${iss}/protocol/openid-connect/certs`)),
    { issuer: iss, typ: 'checkout-payment+jwt', algorithms: ['ES256'] },
  );
  assert.equal(protectedHeader.typ, 'checkout-payment+jwt');
  const { jti, ...order } = payload as unknown as SignedOrder;
  assert.match(jti, /^wq_/);
  assert.deepEqual(order, {
    iss,
    exp: Math.floor(quote.expiresAt / 1000),
    session: session.id,
    account: till.shop.applicationId,
    merchant: 'Fernhill Outfitters',
    origins: [new URL(session.url!).origin, 'https://shop.example'],
    secretType: 'ETHEREUM',
    network: chain.network.id,
    chainId: chain.network.chainId,
    token: null,
    to: RECEIVER,
    amount: coins(quote).toString(),
    total: 2999,
    currency: 'EUR',
    reference: session.id,
    items: 1,
  });
  // A reloaded page has it, too.
  assert.ok((await till.page(session)).wallet!.payment!.order);
  await till.endQuotes(session, 1);
  assert.equal((await till.page(session)).wallet!.payment!.order, null);
});

test('a signed order has the shop’s own number of the order, at most as long as any wallet takes', async () => {
  for (const [number, reference] of [
    ['A-1042', 'A-1042'],
    ['n'.repeat(200), `${'n'.repeat(127)}…`],
  ] as const) {
    const session = await till.session(2999, 'EUR', { client_reference_id: number });
    const { payload } = await jwtVerify(
      (await till.quote(session)).order!,
      createRemoteJWKSet(new URL(`${till.tested.service.tokens.url()}/protocol/openid-connect/certs`)),
    );
    assert.equal(payload['reference'], reference);
  }
});

test('a signed order is not an access token, and vice versa', async () => {
  const { order } = await till.quote(await till.session());
  const answer = await till.tested.get('/api/profile', { Authorization: `Bearer ${order}` });
  assert.equal(answer.status, 401);
});

test('a name that the operator revokes is no longer signed', async () => {
  const session = await till.session();
  assert.ok((await till.quote(session)).order);
  assert.equal((await verify('--none')).code, 0);
  assert.equal((await till.quote(session)).order, null);
});

test('the command names its invalid argument', async () => {
  for (const [args, words] of [
    [[], /--merchant is missing/],
    [['--merchant', 'a\u202eb'], /--merchant is missing or unusable/],
    [['--merchant', ' '], /--merchant is missing or unusable/],
    [['--merchant', 'Shop', '--origin', 'https://shop.example/path'], /--origin must be an origin/],
    [['--merchant', 'Shop', '--origin', 'shop.example'], /--origin must be an origin/],
    [['--none', '--origin', 'https://shop.example'], /--none takes no --origin/],
  ] as const) {
    const { code, err } = await verify(...args);
    assert.equal(code, 1, args.join(' '));
    assert.match(err, words);
  }
  assert.equal(
    await verifyMerchant(till.tested.service.db, 'nobody', { merchant: 'Shop', origins: [] }),
    false,
  );
});
