/** What `/metrics` tells of deliveries, for whoever is to be woken when they do not arrive. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTested, type Tested } from './harness.ts';
import {
  happen,
  HOUR,
  LOOPBACK,
  type Merchant,
  merchantOf,
  newSession,
  ok,
  type Receiver,
  startReceiver,
  startShop,
  until,
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

/** In the order of `NAMES`; undefined for what is missing. */
async function values(): Promise<(number | undefined)[]> {
  const lines = (await scrape()).split('\n');
  return NAMES.map((name) => {
    const line = lines.find((each) => each.startsWith(`${name} `));
    return line === undefined ? undefined : Number(line.slice(name.length));
  });
}

test('deliveries are counted as they succeed, fail, wait and are given up', async () => {
  assert.deepEqual(await values(), [0, 0, 0, 0, 0]);
  const webhook = await merchant.register(receiver.url);
  await happen(shop.service.db, session);
  await until('the delivery', async () => (await values())[0] === 1);
  assert.deepEqual(await values(), [1, 0, 0, 0, 0]);

  receiver.answer = (response) => void response.writeHead(500).end();
  await happen(shop.service.db, session);
  await happen(shop.service.db, session);
  await until('both failures', async () => (await values())[1] === 2);
  await shop.service.db
    .updateTable('deliveries')
    .set({ created_at: new Date(Date.now() - HOUR) })
    .where('state', '=', 'waiting')
    .execute();
  const [delivered, failed, givenUp, waiting, oldest] = await values();
  assert.deepEqual([delivered, failed, givenUp, waiting], [1, 2, 0, 2]);
  assert.ok(oldest! >= 3600 && oldest! < 3700, `${oldest} s`);

  // Gone for good: the one that hears of it, and those that waited.
  receiver.answer = (response) => void response.writeHead(410).end();
  const { id } = (await merchant.deliveries(webhook, '?state=delivered'))[0]!;
  await shop.post(`/webhooks/${webhook.id}/deliveries/${id}/redeliver`, {}, merchant.headers);
  await until('the switch', async () => (await values())[3] === 0);
  assert.deepEqual(await values(), [1, 3, 3, 0, 0]);
  receiver.answer = ok;
});

test('names, types and words are as Prometheus has them', async () => {
  const text = await scrape();
  for (const name of NAMES.map((each) => each.replace(/\{.*/, ''))) {
    assert.ok(text.includes(`# TYPE ${name} ${name.endsWith('_total') ? 'counter' : 'gauge'}\n`), name);
    assert.match(text, new RegExp(`^# HELP ${name} \\w`, 'm'));
  }
});

test('without the database the metrics still come, but for what waits', async () => {
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

test('where metrics are switched off there are none, and events are delivered', async () => {
  const other = await startTested(
    { metrics: false, outboundRanges: LOOPBACK },
    { deliveries: { everyMs: 20 } },
  );
  try {
    assert.equal((await other.get('/metrics')).status, 404);
    const quiet = await merchantOf(other);
    await quiet.register(receiver.url);
    receiver.arrived.length = 0;
    await happen(other.service.db, await newSession(other.service.db, quiet.id));
    await until('the delivery', () => receiver.arrived.length === 1);
  } finally {
    await other.close();
  }
});
