/** Receivers must be on the public internet, whatever their URL looks like. Nothing here leaves this machine. */
import assert from 'node:assert/strict';
import type { LookupAddress } from 'node:dns';
import { after, before, test } from 'node:test';
import { Deliverer } from '../../service/webhooks/deliverer.ts';
import { checkReceiver } from '../../service/webhooks/receiver-fields.ts';
import { Outbound } from '../../service/outbound/outbound.ts';
import type { CreatedWebhook } from '../../src/api/webhook.ts';
import { poll } from '../waiting.ts';
import { startTested, type Tested } from './harness.ts';
import {
  recordEvent,
  HOUR,
  LOOPBACK,
  type Merchant,
  merchantOf,
  newSession,
  type Receiver,
  registration,
  startReceiver,
} from './webhooks-setup.ts';

let service: Tested;
let merchant: Merchant;
let receiver: Receiver;

before(async () => {
  service = await startTested({}, { deliveries: { everyMs: HOUR } });
  merchant = await merchantOf(service);
  receiver = await startReceiver();
});
after(async () => {
  await service.close();
  await receiver.close();
});

/** DNS with fixed answers. */
function answering(...addresses: string[]) {
  return ((_host: string, _options: unknown, done: (e: null, found: LookupAddress[]) => void) =>
    done(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )) as unknown as typeof import('node:dns').lookup;
}

const REFUSED = [
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0x7f000001',
  '0x7f.1',
  '017700000001',
  '0177.0.0.1',
  '１２７.０.０.１',
  '%31%32%37.0.0.1',
  '0',
  '0.0.0.0',
  'localhost',
  'LOCALHOST.',
  '[::1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[64:ff9b::7f00:1]',
  '[fe80::1]',
  '[fc00::1]',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.1.1',
  '169.254.169.254',
  '0xa9fea9fe',
  '100.64.0.1',
  '224.0.0.1',
  '127.0.0.1.',
  '127。0。0。1',
  '0300.0250.1.1',
  '198.18.0.1',
  'shop.localhost',
  '[::127.0.0.1]',
  '[2002:7f00:1::]',
  '[64:ff9b:1::7f00:1]',
];

test('a private receiver is refused in every notation, and nothing is stored', async () => {
  const { port } = new URL(receiver.url);
  for (const host of REFUSED)
    for (const url of [`https://${host}:${port}/events`, `http://${host}:${port}/events`]) {
      const answer = await service.post('/webhooks', registration(url), merchant.headers);
      const { issues } = (await answer.json()) as { issues: { path: string; message: string }[] };
      assert.equal(answer.status, 400, url);
      assert.deepEqual(issues, [{ path: 'url', message: 'must point to the public internet' }], url);
    }
  assert.deepEqual(await (await service.get('/webhooks', merchant.headers)).json(), []);
  assert.equal(receiver.requests.length, 0);
});

test('other URLs that cannot be a receiver are refused', async () => {
  const wrong: [string, RegExp][] = [
    ['events', /must be a URL/],
    ['//shop.example/events', /must be a URL/],
    ['ftp://shop.example/', /must begin with https/],
    ['file:///etc/passwd', /must begin with https/],
    ['javascript:alert(1)', /must begin with https/],
    ['data:text/plain,x', /must begin with https/],
    ['https://name:word@shop.example/', /must not have a user name/],
    ['https://', /must be a URL/],
    [`https://shop.example/${'a'.repeat(2048)}`, /at most 2048/],
    ['https://shop.example/\u0000', /control characters/],
  ];
  for (const [url, problem] of wrong) {
    const answer = await service.post('/webhooks', registration(url), merchant.headers);
    const { issues } = (await answer.json()) as { issues: { path: string; message: string }[] };
    assert.equal(answer.status, 400, url);
    assert.equal(issues[0]!.path, 'url');
    assert.match(issues[0]!.message, problem, url);
  }
});

test('a name that resolves to a private address is refused, alone or among public ones', async () => {
  const check = (addresses: string[], url = 'https://shop.example/events') =>
    checkReceiver(new Outbound([], answering(...addresses)), url);
  await check(['93.184.215.14']);
  await check(['2606:2800:21f::1', '93.184.215.14']);
  for (const addresses of [
    ['127.0.0.1'],
    ['10.1.2.3'],
    ['169.254.169.254'],
    ['::1'],
    ['93.184.215.14', '192.168.0.1'],
  ])
    await assert.rejects(check(addresses), /must point to the public internet/, addresses.join());
  await assert.rejects(check(['93.184.215.14'], 'http://shop.example/events'), /must begin with https/);
  // Unless the operator allows it, for development.
  await checkReceiver(new Outbound(LOOPBACK, answering('127.0.0.1')), 'http://shop.localhost/events');
  await assert.rejects(
    checkReceiver(new Outbound(LOOPBACK, answering('127.0.0.1', '93.184.215.14')), 'http://shop.example/'),
    /must begin with https/,
  );
});

test('a name that later resolves to a private address is not connected to (DNS rebinding)', async (t) => {
  const { db, clock, keys } = service.service;
  const { port } = new URL(receiver.url);
  // This name does not resolve, so the registration accepts it.
  const url = `https://shop.invalid:${port}/events`;
  const answer = await service.post('/webhooks', registration(url), merchant.headers);
  assert.equal(answer.status, 201);
  const webhook = (await answer.json()) as CreatedWebhook;
  await recordEvent(db, await newSession(db, merchant.id));
  const outbound = new Outbound([], answering('127.0.0.1'));
  const deliverer = new Deliverer({ db, clock, keys, outbound }, service.app.log, { everyMs: 10 });
  t.after(() => deliverer.stop());
  await poll(async () => (await merchant.deliveries(webhook))[0]!.attempts.length === 1, 'the attempt');
  const [tried] = await merchant.deliveries(webhook);
  assert.equal(tried!.attempts[0]!.error, 'The URL does not point to the public internet.');
  assert.equal(receiver.requests.length, 0);
});
