/** Receivers that are down, slow, broken or gone: delivery is at least once, with a stable event id. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test, type TestContext } from 'node:test';
import { Deliverer } from '../../service/webhooks/deliverer.ts';
import type { DeliverySettings } from '../../service/webhooks/delivery-settings.ts';
import { sweep } from '../../service/webhooks/queue.ts';
import type { CreatedWebhook, ListedWebhook } from '../../src/api/webhook.ts';
import { DEADLINE_MS, pause, poll } from '../waiting.ts';
import { HASTY_MS } from './limits.ts';
import type { Tested } from './harness.ts';
import {
  recordEvent,
  HOUR,
  type Merchant,
  merchantOf,
  newSession,
  ok,
  PATIENT_DELIVERIES,
  type Receiver,
  SECOND,
  settableClock,
  startReceiver,
  startShop,
  verify,
} from './webhooks-setup.ts';

let shop: Tested;
let merchant: Merchant;
let receiver: Receiver;
let webhook: CreatedWebhook;
let session: string;

before(async () => {
  // It polls once, at the start, and leaves the rest to the tests' own workers.
  shop = await startShop({ everyMs: HOUR });
});
after(() => shop.close());

beforeEach(async () => {
  await shop.service.db.deleteFrom('deliveries').execute();
  merchant = await merchantOf(shop);
  receiver = await startReceiver();
  webhook = await merchant.register(receiver.url);
  session = await newSession(shop.service.db, merchant.id);
});

/** Runs a worker with its own clock until the test ends. */
function work(t: TestContext, given: Partial<DeliverySettings> = {}, clock = settableClock()) {
  const settings = { now: clock.now, everyMs: 10, ...PATIENT_DELIVERIES, ...given };
  const deliverer = new Deliverer(shop.service, shop.app.log, settings);
  t.after(async () => {
    await deliverer.stop();
    await receiver.close();
  });
  return { ...clock, stop: () => deliverer.stop() };
}

async function delivery(of = webhook) {
  const [newest] = await merchant.deliveries(of);
  return newest!;
}

async function attempts(count: number): Promise<void> {
  await poll(async () => (await delivery()).attempts.length >= count, `attempt ${count}`);
}

test('a receiver that is down for an hour gets the event once, when it is back', async (t) => {
  await receiver.close();
  const clock = work(t);
  await recordEvent(shop.service.db, session);
  await attempts(1);
  const waits: number[] = [];
  const from = performance.now();
  for (let passed = 0, n = 1; passed < HOUR; n++) {
    const { attempts: log, nextAttemptAt } = await delivery();
    assert.equal(log.at(-1)!.error, 'The connection was refused.');
    assert.equal(log.at(-1)!.status, null);
    const wait = Date.parse(nextAttemptAt!) - Date.parse(log.at(-1)!.at);
    waits.push(wait / SECOND);
    clock.ahead(wait);
    passed += wait;
    await attempts(n + 1);
  }
  // The clock goes on while an attempt is recorded.
  const meanwhile = (performance.now() - from) / SECOND;
  for (const [n, delay] of [5, 30, 120, 600, 1800].entries())
    assert.ok(waits[n]! > delay * 0.79 && waits[n]! < delay * 1.21 + meanwhile, `wait ${n}: ${waits[n]} s`);
  receiver = await startReceiver(Number(new URL(receiver.url).port));
  clock.ahead(3 * HOUR);
  await poll(async () => (await delivery()).state === 'delivered', 'the delivery');
  assert.equal(receiver.arrived.length, 1);
  const { eventId, attempts: log } = await delivery();
  assert.equal(receiver.arrived[0]!.headers['webhook-id'], eventId);
  assert.equal(log.at(-1)!.status, 200);
});

test('a receiver that answers 500 gets the same event again, with a new signature', async (t) => {
  const clock = work(t);
  receiver.answer = (response) => void response.writeHead(receiver.arrived.length < 3 ? 500 : 204).end();
  await recordEvent(shop.service.db, session);
  for (const n of [1, 2]) {
    await attempts(n);
    clock.ahead(40 * SECOND);
  }
  await poll(async () => (await delivery()).state === 'delivered', 'the delivery');
  assert.equal(receiver.arrived.length, 3);
  for (const arrived of receiver.arrived) verify(webhook, arrived);
  assert.equal(new Set(receiver.arrived.map(({ body }) => body)).size, 1);
  assert.equal(new Set(receiver.arrived.map(({ headers }) => headers['webhook-id'])).size, 1);
  assert.equal(new Set(receiver.arrived.map(({ headers }) => headers['webhook-timestamp'])).size, 3);
  assert.deepEqual(
    (await delivery()).attempts.map(({ status, error }) => `${status} ${error}`),
    ['500 The receiver answered 500.', '500 The receiver answered 500.', '204 null'],
  );
});

test('only a complete 2xx response counts', async (t) => {
  const clock = settableClock();
  let elsewhere = 0;
  const other = await startReceiver();
  other.answer = (response) => {
    elsewhere++;
    ok(response);
  };
  t.after(() => other.close());
  const half = (response: Parameters<Receiver['answer']>[0]) => {
    response.writeHead(200, { 'Content-Length': 1000 });
    response.write('half of it', () => response.socket!.destroy());
  };
  const late = new RegExp(`^There was no complete answer within ${HASTY_MS / SECOND} s\\.$`);
  const answers: [Receiver['answer'], number | null, RegExp][] = [
    [() => {}, null, late],
    [(response) => response.writeHead(200).write('…'), 200, late],
    [(response) => response.socket!.destroy(), null, /^There was no answer \(ECONNRESET\)\.$/],
    [half, 200, /^The answer broke off\.$/],
    [(response) => response.socket!.end('HTTP/1.1 banana\r\n\r\n'), null, /^There was no answer \(HPE_/],
    [
      (response) =>
        response.socket!.end('HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
      null,
      /no (whole )?answer/,
    ],
    [
      (response) => response.socket!.end('HTTP/1.1 999 Odd\r\nContent-Length: 0\r\n\r\n'),
      null,
      /no (whole )?answer/,
    ],
    ...[301, 302, 303, 307, 308].map((status): (typeof answers)[number] => [
      (response) => response.writeHead(status, { Location: other.url }).end(),
      status,
      new RegExp(`^The receiver answered ${status}, a redirect to another origin, which is not followed: `),
    ]),
    [
      (response) => response.writeHead(308, { Location: '/hooks/?token=hunter2' }).end(),
      308,
      /^The receiver answered 308, a redirect on its own origin, [^?]*$/,
    ],
    [
      (response) => response.writeHead(301, { Location: receiver.url.replace('http:', 'https:') }).end(),
      301,
      /^The receiver answered 301, a redirect to https, /,
    ],
    [(response) => response.writeHead(404).end('no'), 404, /^The receiver answered 404\.$/],
    [(response) => response.writeHead(401).end(), 401, /^The receiver answered 401\.$/],
  ];
  for (const [answer, status, error] of answers) {
    receiver.answer = answer;
    const before = receiver.arrived.length;
    await shop.service.db.deleteFrom('deliveries').execute();
    await recordEvent(shop.service.db, session);
    const first = work(t, error === late ? { timeoutMs: HASTY_MS } : {}, clock);
    await attempts(1);
    await first.stop();
    const { state, attempts: log } = await delivery();
    assert.equal(state, 'waiting', String(error));
    assert.equal(log[0]!.status, status, String(error));
    assert.match(log[0]!.error!, error);
    receiver.answer = ok;
    clock.ahead(10 * SECOND);
    const second = work(t, {}, clock);
    await poll(async () => (await delivery()).state === 'delivered', 'the second attempt');
    assert.equal(receiver.arrived.length, before + 2, String(error));
    await second.stop();
  }
  assert.equal(elsewhere, 0);
});

test('an endless response is cut off and does not count', async (t) => {
  const { ahead } = work(t);
  let sent = 0;
  receiver.answer = (response) => {
    const more = (): void => {
      sent += 65_536;
      if (!response.destroyed && sent < 500_000_000)
        response.write(Buffer.alloc(65_536), () => setImmediate(more));
    };
    more();
  };
  await recordEvent(shop.service.db, session);
  await attempts(1);
  const { state, attempts: log } = await delivery();
  assert.deepEqual([state, log[0]!.status], ['waiting', 200]);
  assert.equal(log[0]!.error, 'The answer is longer than 64 KiB.');
  assert.ok(sent < 50_000_000, `${sent} bytes`);
  receiver.answer = (response) => void response.writeHead(200).end(Buffer.alloc(65_536));
  ahead(10 * SECOND);
  await poll(async () => (await delivery()).state === 'delivered', 'the second attempt');
});

test('a receiver that answers 410 is disabled, and its pending deliveries are given up', async (t) => {
  work(t);
  receiver.answer = (response) => void response.writeHead(410).end();
  await recordEvent(shop.service.db, session);
  const read = async () =>
    (await (await shop.get(`/webhooks/${webhook.id}`, merchant.headers)).json()) as ListedWebhook;
  await poll(async () => (await read()).disabledAt !== null, 'the switch');
  const { state, nextAttemptAt, id } = await delivery();
  assert.deepEqual([state, nextAttemptAt], ['given-up', null]);
  await recordEvent(shop.service.db, session);
  assert.equal((await merchant.deliveries(webhook)).length, 1);
  const again = await shop.post(`/webhooks/${webhook.id}/deliveries/${id}/redeliver`, {}, merchant.headers);
  assert.equal(again.status, 409);
  assert.equal(receiver.arrived.length, 1);
});

test('Retry-After is honoured, within bounds', async (t) => {
  const clock = work(t);
  const cases: [() => string, number, number][] = [
    [() => '120', 120, 145],
    [() => new Date(clock.now() + 600 * SECOND).toUTCString(), 590, 721],
    [() => '999999999', 6 * 3600, 6 * 3600 * 1.21],
    [() => '0', 3.9, 6.1],
    [() => 'soon', 3.9, 6.1],
    [() => '-5', 3.9, 6.1],
    [() => new Date(0).toUTCString(), 3.9, 6.1],
  ];
  for (const [header, least, most] of cases) {
    const from = performance.now();
    receiver.answer = (response) => void response.writeHead(429, { 'Retry-After': header() }).end();
    await shop.service.db.deleteFrom('deliveries').execute();
    await recordEvent(shop.service.db, session);
    await attempts(1);
    const { attempts: log, nextAttemptAt } = await delivery();
    const wait = (Date.parse(nextAttemptAt!) - Date.parse(log[0]!.at)) / SECOND;
    const meanwhile = (performance.now() - from) / SECOND;
    assert.ok(wait >= least - meanwhile && wait <= most + meanwhile + 1, `${header()}: ${wait} s`);
  }
});

test('after three days an event is given up, and is sent again by a redelivery', async (t) => {
  const clock = work(t);
  receiver.answer = (response) => void response.writeHead(503).end();
  await recordEvent(shop.service.db, session);
  const started = clock.now();
  for (let n = 1; n <= 13; n++) {
    await attempts(n);
    clock.ahead(30 * HOUR);
  }
  await poll(async () => (await delivery()).state === 'given-up', 'the end');
  assert.ok(clock.now() > started);
  const { id, eventId, nextAttemptAt } = await delivery();
  assert.equal(nextAttemptAt, null);
  receiver.answer = ok;
  const path = `/webhooks/${webhook.id}/deliveries/${id}/redeliver`;
  const again = await shop.post(path, {}, merchant.headers);
  assert.equal(again.status, 200);
  await poll(async () => (await delivery()).state === 'delivered', 'the redelivery');
  assert.equal((await delivery()).attempts.length, 14);
  assert.equal(receiver.arrived.at(-1)!.headers['webhook-id'], eventId);
  // A delivered one can be redelivered, too.
  await shop.post(path, {}, merchant.headers);
  await poll(() => receiver.arrived.length === 15, 'another one');
  assert.equal(new Set(receiver.arrived.map(({ headers }) => headers['webhook-id'])).size, 1);
});

test('the backoff adds up to three days, whatever the jitter', async (t) => {
  t.after(() => receiver.close());
  const { nextDelay } = await import('../../service/webhooks/backoff.ts');
  const total = (random: () => number): number => {
    let sum = 0;
    for (
      let n = 1, delay = nextDelay(n, undefined, random);
      delay !== undefined;
      delay = nextDelay(++n, undefined, random)
    )
      sum += delay;
    return sum / HOUR;
  };
  assert.ok(Math.abs(total(() => 0.5) - 72) < 1);
  assert.ok(total(() => 0) > 48 && total(() => 0.999) < 96);
});

test('two workers make three hundred deliveries once each', async (t) => {
  const { db } = shop.service;
  const sessions = await Promise.all(Array.from({ length: 20 }, () => newSession(db, merchant.id)));
  for (let i = 0; i < 15; i++)
    await Promise.all(sessions.map((id) => recordEvent(db, id, 'payment.declined', 'generic_decline')));
  work(t);
  work(t);
  await poll(async () => {
    const waiting = await db
      .selectFrom('deliveries')
      .select('id')
      .where('state', '<>', 'delivered')
      .limit(1)
      .execute();
    return waiting.length === 0;
  }, 'all');
  assert.equal(receiver.arrived.length, 300);
  assert.equal(new Set(receiver.arrived.map(({ headers }) => headers['webhook-id'])).size, 300);
  for (const id of sessions) {
    const sequences = receiver.arrived
      .filter(({ event }) => event.data.session.id === id)
      .map(({ event }) => event.data.sequence);
    assert.deepEqual(
      sequences.sort((a, b) => a - b),
      Array.from({ length: 15 }, (_, i) => i + 1),
    );
  }
});

test('a receiver that hangs does not hold up the others', async (t) => {
  const { db } = shop.service;
  receiver.answer = () => {};
  for (let i = 0; i < 60; i++) await recordEvent(db, session);
  const quick = await startReceiver();
  t.after(() => quick.close());
  const other = await merchantOf(shop);
  await other.register(quick.url);
  const theirs = await newSession(db, other.id);
  work(t, { held: 20, perReceiver: 4, stopMs: 50 });
  await poll(() => receiver.arrived.length === 4, 'the slow one');
  for (let i = 0; i < 10; i++) await recordEvent(db, theirs);
  await poll(() => quick.arrived.length === 10, 'the others');
  assert.equal(receiver.arrived.length, 4);
});

test('a stop finishes deliveries in progress', async (t) => {
  const { stop } = work(t, { stopMs: DEADLINE_MS });
  let answer = (): void => {};
  receiver.answer = (response) => void (answer = () => ok(response));
  await recordEvent(shop.service.db, session);
  await poll(() => receiver.arrived.length === 1, 'the request');
  let hasStopped = false;
  const stopped = stop().then(() => (hasStopped = true));
  await recordEvent(shop.service.db, session);
  assert.equal(hasStopped, false);
  answer();
  await stopped;
  const [later, first] = await merchant.deliveries(webhook);
  assert.equal(first!.state, 'delivered');
  assert.equal(later!.state, 'waiting');
});

test('a stop releases deliveries that take too long, and another process sends them again', async (t) => {
  const { stop } = work(t, { stopMs: 50 });
  receiver.answer = () => {};
  await recordEvent(shop.service.db, session);
  await poll(() => receiver.arrived.length === 1, 'the request');
  await stop();
  const row = await shop.service.db.selectFrom('deliveries').selectAll().executeTakeFirstOrThrow();
  assert.deepEqual([row.state, row.attempts, row.leased_until], ['waiting', 0, null]);
  receiver.answer = ok;
  work(t);
  await poll(async () => (await delivery()).state === 'delivered', 'the delivery');
  const [first, second] = receiver.arrived;
  assert.equal(first!.headers['webhook-id'], second!.headers['webhook-id']);
  assert.equal(first!.body, second!.body);
});

test('a delivery leased by a dead process is sent again when its lease expires', async (t) => {
  const { db } = shop.service;
  await recordEvent(db, session);
  const clock = settableClock();
  await db
    .updateTable('deliveries')
    .set({ leased_until: new Date(clock.now() + HOUR) })
    .execute();
  work(t, {}, clock);
  await pause(100);
  assert.equal(receiver.arrived.length, 0);
  clock.ahead(HOUR + SECOND);
  await poll(async () => (await delivery()).state === 'delivered', 'the delivery');
});

test('a delivery that outlasts its lease is recorded only by the current holder', async (t) => {
  const clock = settableClock();
  const answers: (() => void)[] = [];
  receiver.answer = (response) => void answers.push(() => ok(response));
  await recordEvent(shop.service.db, session);
  work(t, {}, clock);
  await poll(() => answers.length === 1, 'the first');
  clock.ahead(HOUR);
  work(t, {}, clock);
  await poll(() => answers.length === 2, 'the second');
  answers[0]!();
  await poll(() => shop.log.some((line) => line.includes('longer than its lease')), 'the warning');
  assert.equal((await delivery()).state, 'waiting');
  answers[1]!();
  await poll(async () => (await delivery()).state === 'delivered', 'the delivery');
  assert.equal((await delivery()).attempts.length, 1);
});

test('a deleted receiver gets nothing more, and no payment fails because of it', async (t) => {
  const { db } = shop.service;
  const happening = (async () => {
    for (let i = 0; i < 30; i++) await recordEvent(db, session);
  })();
  await poll(async () => (await merchant.deliveries(webhook)).length > 0, 'the first event');
  const answer = await fetch(`${shop.url}/webhooks/${webhook.id}`, {
    method: 'DELETE',
    headers: merchant.headers,
  });
  assert.equal(answer.status, 200);
  await happening;
  work(t);
  assert.deepEqual(await db.selectFrom('deliveries').select('id').execute(), []);
  await pause(50);
  assert.equal(receiver.arrived.length, 0);
  const events = await db.selectFrom('events').select('sequence').where('session_id', '=', session).execute();
  assert.equal(events.length, 30);
});

test('an unavailable key provider costs no attempt', async (t) => {
  const { keys } = shop.service;
  let down = true;
  const flaky = {
    current: () => keys.current(),
    mac: (...args: Parameters<typeof keys.mac>) =>
      down ? Promise.reject(new Error('the vault is sealed')) : keys.mac(...args),
  };
  const clock = settableClock();
  const deliverer = new Deliverer({ ...shop.service, keys: flaky }, shop.app.log, {
    ...PATIENT_DELIVERIES,
    now: clock.now,
    everyMs: 10,
  });
  t.after(async () => {
    await deliverer.stop();
    await receiver.close();
  });
  await recordEvent(shop.service.db, session);
  await poll(() => shop.log.some((line) => line.includes('the vault is sealed')), 'the trouble');
  assert.equal((await delivery()).attempts.length, 0);
  down = false;
  await poll(async () => {
    clock.ahead(SECOND);
    return (await delivery()).state === 'delivered';
  }, 'the delivery');
  assert.equal((await delivery()).attempts.length, 1);
});

test('the log drops deliveries after a month, but none that is pending', async (t) => {
  const { db } = shop.service;
  t.after(() => receiver.close());
  await recordEvent(db, session);
  await recordEvent(db, session);
  const [waiting, old] = await merchant.deliveries(webhook);
  await db.updateTable('deliveries').set({ state: 'delivered' }).where('id', '=', old!.id).execute();
  await sweep(db, new Date(Date.now() + 29 * 24 * HOUR));
  assert.equal((await merchant.deliveries(webhook)).length, 2);
  await sweep(db, new Date(Date.now() + 31 * 24 * HOUR));
  assert.deepEqual(
    (await merchant.deliveries(webhook)).map(({ id }) => id),
    [waiting!.id],
  );
});
