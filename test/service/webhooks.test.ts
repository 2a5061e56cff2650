/** Webhook receivers: registration, requests and their verification. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { CreatedWebhook, Delivery, ListedWebhook } from '../../src/api/webhook.ts';
import { poll } from '../waiting.ts';
import { nextPage, type Tested } from './harness.ts';
import {
  API_KEY,
  BASIC,
  recordEvent,
  recordEventIn,
  type Merchant,
  merchantOf,
  newSession,
  type Receiver,
  registration,
  startReceiver,
  startShop,
  verify,
} from './webhooks-setup.ts';

let shop: Tested;
let merchant: Merchant;
let receiver: Receiver;

before(async () => {
  shop = await startShop();
  merchant = await merchantOf(shop);
  receiver = await startReceiver();
});
after(async () => {
  await shop.close();
  await receiver.close();
});

async function refusal(body: object): Promise<{ status: number; issues: string[] }> {
  const answer = await shop.post('/webhooks', body, merchant.headers);
  const { issues = [] } = (await answer.json()) as { issues?: { path: string; message: string }[] };
  return { status: answer.status, issues: issues.map(({ path, message }) => `${path} ${message}`) };
}

test('a receiver with a user name and password gets a signed event, which its log shows', async () => {
  const webhook = await merchant.register(receiver.url, BASIC);
  assert.deepEqual(Object.keys(webhook).sort(), [
    'application',
    'authenticationMethod',
    'id',
    'signingSecret',
    'url',
  ]);
  assert.deepEqual(webhook.authenticationMethod, { type: 'BASIC_AUTHENTICATION' });
  const session = await newSession(shop.service.db, merchant.id);
  await recordEvent(shop.service.db, session);
  await poll(() => receiver.arrived.length === 1, 'the delivery');
  const [arrived] = receiver.arrived;
  verify(webhook, arrived!);
  const { headers, event } = arrived!;
  assert.equal(headers.authorization, `Basic ${Buffer.from('shop:pässword-of-the-shop').toString('base64')}`);
  assert.equal(headers['content-type'], 'application/json');
  assert.equal(headers['webhook-id'], event.id);
  assert.equal(event.type, 'payment.succeeded');
  assert.equal(event.data.sequence, 1);
  assert.equal(event.data.session.id, session);
  assert.equal(event.data.reason, null);
  await poll(async () => (await merchant.deliveries(webhook))[0]?.state === 'delivered', 'the log');
  const [delivery] = await merchant.deliveries(webhook);
  assert.equal(delivery!.eventId, event.id);
  assert.equal(delivery!.sessionId, session);
  assert.equal(delivery!.sequence, 1);
  assert.equal(delivery!.nextAttemptAt, null);
  assert.deepEqual(
    delivery!.attempts.map(({ status, error }) => [status, error]),
    [[200, null]],
  );
  const removed = await fetch(`${shop.url}/webhooks/${webhook.id}`, {
    method: 'DELETE',
    headers: merchant.headers,
  });
  assert.equal(removed.status, 200);
});

test('a receiver with an API key gets it in the header of its choice', async () => {
  receiver.arrived.length = 0;
  // Null counts as absent, whatever the field's name.
  const nulls = { username: null, password: null, more: null };
  const webhook = await merchant.register(receiver.url, { ...API_KEY, ...nulls });
  const session = await newSession(shop.service.db, merchant.id);
  await recordEvent(shop.service.db, session, 'payment.declined', 'insufficient_funds');
  await recordEvent(shop.service.db, session, 'payment.cancelled', 'expired');
  await poll(() => receiver.arrived.length === 2, 'both');
  for (const arrived of receiver.arrived) {
    verify(webhook, arrived);
    assert.equal(arrived.headers['x-shop-key'], API_KEY.apiKey);
    assert.equal(arrived.headers.authorization, undefined);
  }
  const events = receiver.arrived.map(
    ({ event: { type, data } }) => `${data.sequence} ${type} ${data.reason}`,
  );
  assert.deepEqual(events.sort(), ['1 payment.declined insufficient_funds', '2 payment.cancelled expired']);
  const body = receiver.arrived[0]!.body.replace('expired', 'changed!').replace(
    'insufficient',
    'Insufficient',
  );
  assert.throws(() => verify(webhook, { ...receiver.arrived[0]!, body }));
});

test('an event in a transaction that rolls back is sent to nobody', async () => {
  const { db } = shop.service;
  receiver.arrived.length = 0;
  const session = await newSession(db, merchant.id);
  await assert.rejects(
    db.transaction().execute(async (tx) => {
      await recordEventIn(tx, session);
      throw new Error('the payment failed after all');
    }),
  );
  const row = await db
    .selectFrom('checkout_sessions')
    .select('sequence')
    .where('id', '=', session)
    .executeTakeFirstOrThrow();
  assert.equal(row.sequence, 0);
  await recordEvent(db, session);
  await poll(() => receiver.arrived.length > 0, 'the delivery');
  assert.deepEqual(
    receiver.arrived.map(({ event }) => event.data.sequence),
    [1],
  );
});

test('a receiver belongs to its application, and its secrets are shown only once', async () => {
  const webhook = await merchant.register(receiver.url);
  const stranger = await merchantOf(shop);
  const calls: [string, string][] = [
    ['GET', ''],
    ['DELETE', ''],
    ['GET', '/deliveries'],
    ['POST', '/deliveries/x/redeliver'],
  ];
  for (const [method, path] of calls) {
    const answer = await fetch(`${shop.url}/webhooks/${webhook.id}${path}`, {
      method,
      headers: stranger.headers,
    });
    assert.equal(answer.status, 404, `${method} ${path}`);
    assert.equal(((await answer.json()) as { code: string }).code, 'request.not-found');
  }
  assert.deepEqual(await (await shop.get('/webhooks', stranger.headers)).json(), []);
  const one = (await (await shop.get(`/webhooks/${webhook.id}`, merchant.headers)).json()) as ListedWebhook;
  const list = (await (await shop.get('/webhooks', merchant.headers)).json()) as ListedWebhook[];
  assert.deepEqual(list.at(-1), one);
  assert.deepEqual(one, {
    id: webhook.id,
    url: receiver.url,
    application: 'PAY',
    authenticationMethod: { type: 'BASIC_AUTHENTICATION' },
    createdAt: one.createdAt,
    disabledAt: null,
  });
  const secrets = [webhook.signingSecret.slice(6), BASIC.password, API_KEY.apiKey];
  const stored = JSON.stringify(
    await shop.service.db.selectFrom('webhooks').selectAll().execute(),
    (_key, value: { type?: string; data?: number[] }) =>
      value?.type === 'Buffer' ? Buffer.from(value.data!).toString('latin1') : value,
  );
  for (const secret of secrets)
    for (const [what, text] of Object.entries({
      list: JSON.stringify(list),
      stored,
      log: shop.log.join('\n'),
    }))
      assert.ok(!text.includes(secret), `a secret is in the ${what}`);
});

test("only an application's own token may register, and every field is validated", async () => {
  const anonymous = await shop.post('/webhooks', registration(receiver.url));
  assert.equal(anonymous.status, 401);
  const fields: [object, RegExp][] = [
    [{ ...registration(receiver.url), url: undefined }, /^url /],
    [{ ...registration(receiver.url), application: 'MEET' }, /^application must be PAY/],
    [{ ...registration(receiver.url), application: undefined }, /^application /],
    [{ ...registration(receiver.url), authenticationMethod: undefined }, /^authenticationMethod /],
    [{ ...registration(receiver.url), more: 1 }, /more/],
    [
      registration(receiver.url, { type: 'NONE' }),
      /^authenticationMethod\.type must be one of BASIC_AUTHENTICATION, API_KEY/,
    ],
    [
      registration(receiver.url, { ...BASIC, username: 'a:b' }),
      /^authenticationMethod\.username must not have a colon/,
    ],
    [registration(receiver.url, { ...BASIC, password: '' }), /^authenticationMethod\.password /],
    [
      registration(receiver.url, { ...BASIC, password: 'a\nb' }),
      /^authenticationMethod\.password must not have control/,
    ],
    [registration(receiver.url, { ...BASIC, apiKey: 'x' }), /apiKey/],
    [registration(receiver.url, { ...BASIC, password: null }), /^authenticationMethod\.password must be/],
    [registration(receiver.url, { ...BASIC, type: null }), /^authenticationMethod\.type must be one of/],
    [
      registration(receiver.url, { ...API_KEY, headerName: 'two words' }),
      /^authenticationMethod\.headerName must be the name/,
    ],
    [
      registration(receiver.url, { ...API_KEY, headerName: 'x\r\nY' }),
      /^authenticationMethod\.headerName must be the name/,
    ],
    [
      registration(receiver.url, { ...API_KEY, apiKey: 'a\r\nX-Y: b' }),
      /^authenticationMethod\.apiKey must be printable/,
    ],
  ];
  const before = await shop.service.db.selectFrom('webhooks').select('id').execute();
  for (const [body, problem] of fields) {
    const { status, issues } = await refusal(body);
    assert.equal(status, 400, JSON.stringify(body));
    assert.ok(
      issues.some((issue) => problem.test(issue)),
      `${problem}: ${issues.join('; ')}`,
    );
  }
  for (const headerName of [
    'Host',
    'content-length',
    'Content-Type',
    'TRANSFER-ENCODING',
    'Connection',
    'webhook-signature',
    'Webhook-Id',
    'Proxy-Authorization',
    'X-Forwarded-For',
    'Expect',
  ]) {
    const { status, issues } = await refusal(registration(receiver.url, { ...API_KEY, headerName }));
    assert.equal(status, 400, headerName);
    assert.match(issues.join(), /^authenticationMethod\.headerName must not be/, headerName);
  }
  assert.equal((await shop.service.db.selectFrom('webhooks').select('id').execute()).length, before.length);
});

test('an unusual but valid header name arrives', async () => {
  receiver.arrived.length = 0;
  const stranger = await merchantOf(shop);
  for (const headerName of ['Authorization', 'constructor', "X!#$%&'*+.^_`|~0"])
    await stranger.register(receiver.url, { ...API_KEY, headerName });
  await recordEvent(shop.service.db, await newSession(shop.service.db, stranger.id));
  await poll(() => receiver.arrived.length === 3, 'all');
  const names = receiver.arrived.map(
    ({ headers }) => Object.entries(headers).find(([, value]) => value === API_KEY.apiKey)![0],
  );
  assert.deepEqual(names.sort(), ['authorization', 'constructor', "x!#$%&'*+.^_`|~0"]);
});

test('receivers are limited to twenty', async () => {
  const many = await merchantOf(shop);
  const answers = await Promise.all(
    Array.from({ length: 23 }, async () => {
      const answer = await shop.post('/webhooks', registration(receiver.url), many.headers);
      return answer.status;
    }),
  );
  assert.equal(answers.filter((status) => status === 201).length, 20);
  assert.equal(answers.filter((status) => status === 409).length, 3);
});

test('the log is paginated', async () => {
  const busy = await merchantOf(shop);
  const webhook: CreatedWebhook = await busy.register(receiver.url);
  const session = await newSession(shop.service.db, busy.id);
  for (let i = 0; i < 7; i++)
    await recordEvent(shop.service.db, session, 'payment.declined', 'generic_decline');
  await poll(async () => (await busy.deliveries(webhook, '?state=delivered')).length === 7, 'all');
  const seen: number[] = [];
  for (let next: string | undefined = `?limit=3&session=${session}`; next !== undefined; ) {
    const answer = await shop.get(`/webhooks/${webhook.id}/deliveries${next}`, busy.headers);
    const page = (await answer.json()) as Delivery[];
    seen.push(...page.map(({ sequence }) => sequence!));
    next = nextPage(answer.headers);
  }
  assert.deepEqual(seen, [7, 6, 5, 4, 3, 2, 1]);
  const [newest] = await busy.deliveries(webhook, '?limit=1');
  assert.equal((await busy.deliveries(webhook, `?before=${newest!.id}`)).length, 6);
  assert.deepEqual(await busy.deliveries(webhook, '?state=waiting'), []);
  const wrong: [field: string, query: string][] = [
    ...['0', '1001', '-1', '1.5', 'all', ''].map((limit): [string, string] => ['limit', `limit=${limit}`]),
    ['state', 'state=lost'],
    ['state', 'state=waiting&state=delivered'],
    ['session', 'session='],
    ['session', `session=${'x'.repeat(129)}`],
    ['before', `before=${'x'.repeat(65)}`],
    ['before', 'before=a%00b'],
    ['cursor', 'cursor=unknown'],
    ['webhook', 'webhook=all'],
  ];
  for (const [field, query] of wrong) {
    const answer = await shop.get(`/webhooks/${webhook.id}/deliveries?${query}`, busy.headers);
    const { issues = [] } = (await answer.json()) as { issues?: { path: string }[] };
    assert.equal(answer.status, 400, query);
    assert.deepEqual(
      issues.map(({ path }) => path),
      [field],
      query,
    );
  }
  assert.deepEqual(await busy.deliveries(webhook, '?before=unknown'), []);
});
