/** Delivery metrics in `/metrics`, for alerts on deliveries that fail. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { poll } from '../waiting.ts';
import { startTested, type Tested } from './harness.ts';
import {
  recordEvent,
  HOUR,
  LOOPBACK,
  type Merchant,
  merchantOf,
  newSession,
  ok,
  PATIENT_DELIVERIES,
  type Receiver,
  SECOND,
  startReceiver,
  startShop,
} from './webhooks-setup.ts';

let shop: Tested;
let merchant: Merchant;
let receiver: Receiver;
let session: string;

before(async () => {
  shop = await startShop();
  merchant = await merchantOf(shop);
  receiver = await startReceiver();
  session = await newSession(shop.service.db, merchant.id);
});
after(async () => {
  await shop.close();
  await receiver.close();
});

const NAMES = [
  'webhook_delivery_attempts_total{result="delivered"}',
  'webhook_delivery_attempts_total{result="failed"}',
  'webhook_deliveries_given_up_total',
  'webhook_deliveries_waiting',
  'webhook_deliveries_oldest_waiting_age_seconds',
];

async function scrape(of = shop): Promise<string> {
  const answer = await of.get('/metrics');
  assert.equal(answer.status, 200);
  return answer.text();
}

/** Values in the order of `NAMES`; undefined if missing. */
async function values(): Promise<(number | undefined)[]> {
  const lines = (await scrape()).split('\n');
  return NAMES.map((name) => {
    const line = lines.find((each) => each.startsWith(`${name} `));
    return line === undefined ? undefined : Number(line.slice(name.length));
  });
}

test('successful, failed, waiting and given-up deliveries are counted', async () => {
  assert.deepEqual(await values(), [0, 0, 0, 0, 0]);
  const webhook = await merchant.register(receiver.url);
  await recordEvent(shop.service.db, session);
  await poll(async () => (await values())[0] === 1, 'the delivery');
  assert.deepEqual(await values(), [1, 0, 0, 0, 0]);

  // However long this takes, neither is sent a second time.
  receiver.answer = (response) => void response.writeHead(500, { 'Retry-After': HOUR / SECOND }).end();
  await recordEvent(shop.service.db, session);
  await recordEvent(shop.service.db, session);
  await poll(async () => (await values())[1] === 2, 'both failures');
  const from = performance.now();
  await shop.service.db
    .updateTable('deliveries')
    .set({ created_at: new Date(Date.now() - HOUR) })
    .where('state', '=', 'waiting')
    .execute();
  const [delivered, failed, givenUp, waiting, oldest] = await values();
  assert.deepEqual([delivered, failed, givenUp, waiting], [1, 2, 0, 2]);
  const meanwhile = (performance.now() - from) / SECOND;
  assert.ok(oldest! >= 3600 && oldest! <= 3601 + meanwhile, `${oldest} s`);

  // A 410 gives up this delivery and those that waited.
  receiver.answer = (response) => void response.writeHead(410).end();
  const { id } = (await merchant.deliveries(webhook, '?state=delivered'))[0]!;
  await shop.post(`/webhooks/${webhook.id}/deliveries/${id}/redeliver`, {}, merchant.headers);
  await poll(async () => (await values())[3] === 0, 'the switch');
  assert.deepEqual(await values(), [1, 3, 3, 0, 0]);
  receiver.answer = ok;
});

test('names, types and help texts follow Prometheus', async () => {
  const text = await scrape();
  for (const name of NAMES.map((each) => each.replace(/\{.*/, ''))) {
    assert.ok(text.includes(`# TYPE ${name} ${name.endsWith('_total') ? 'counter' : 'gauge'}\n`), name);
    assert.match(text, new RegExp(`^# HELP ${name} \\w`, 'm'));
  }
});

test('without the database there are still metrics, except those of waiting deliveries', async () => {
  const other = await startTested({ outboundRanges: LOOPBACK });
  try {
    await other.service.db.destroy();
    const text = await scrape(other);
    assert.match(text, /^webhook_delivery_attempts_total\{result="delivered"\} 0$/m);
    assert.doesNotMatch(text, /^webhook_deliveries_(?:waiting|oldest)\S* \d/m);
  } finally {
    await other.close();
  }
});

test('with metrics switched off there are none, and events are still delivered', async () => {
  const other = await startTested(
    { metrics: false, outboundRanges: LOOPBACK },
    { deliveries: { everyMs: 20, ...PATIENT_DELIVERIES } },
  );
  try {
    assert.equal((await other.get('/metrics')).status, 404);
    const quiet = await merchantOf(other);
    await quiet.register(receiver.url);
    receiver.arrived.length = 0;
    await recordEvent(other.service.db, await newSession(other.service.db, quiet.id));
    await poll(() => receiver.arrived.length === 1, 'the delivery');
  } finally {
    await other.close();
  }
});
