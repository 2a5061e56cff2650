/** `verifyWebhook` by the vectors of Standard Webhooks, and with what the service sends. */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { inspect } from 'node:util';
import { ROOT } from '../../scripts/command.ts';
import {
  ServiceClient,
  verifySignature,
  verifyWebhook,
  WebhookError,
  webhookListener,
} from '../../src/service-sdk/index.ts';
import { poll } from '../waiting.ts';
import type { Tested } from './harness.ts';
import { newSession, type Receiver, recordEvent, startReceiver, startShop } from './webhooks-setup.ts';

interface Vector {
  kind: 'sign' | 'verify' | 'secret' | 'rule';
  name?: string;
  valid?: boolean;
  secret?: string;
  id: string;
  timestamp: number;
  payload: string;
  signature?: string;
  signatureHeader?: string;
  anyOf?: string[];
  toleranceSeconds?: number;
}

const { vectors } = JSON.parse(
  readFileSync(join(ROOT, 'test/vectors/standard-webhooks.vectors.json'), 'utf8'),
) as { vectors: Vector[] };
const of = (kind: Vector['kind']): Vector[] => vectors.filter((each) => each.kind === kind);
const [signed] = of('sign') as [Vector & { secret: string; signature: string }];

const headersOf = ({ id, timestamp }: Vector, signature: string): Record<string, string> => ({
  'webhook-id': id,
  'webhook-timestamp': String(timestamp),
  'webhook-signature': signature,
});

/** Verifies with the clock at the vector's time, `late` seconds after it. */
const verify = (
  vector: Vector,
  headers: Record<string, string>,
  secret = vector.secret!,
  late = 0,
): Promise<void> =>
  verifySignature(vector.payload, headers, secret, { now: () => (vector.timestamp + late) * 1000 });

async function refused(work: Promise<unknown>, reason: WebhookError['reason']): Promise<void> {
  const error: unknown = await work.then(
    () => assert.fail('it was accepted'),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof WebhookError, inspect(error));
  assert.equal(error.reason, reason);
  assert.ok(!inspect(error).includes(signed.secret.slice(6)));
}

describe('the vectors of Standard Webhooks', () => {
  test('a published signature is accepted, with the prefix of the secret and without', async () => {
    await verify(signed, headersOf(signed, signed.signature));
    await verify(signed, headersOf(signed, signed.signature), signed.secret.replace('whsec_', ''));
  });

  for (const vector of of('verify'))
    test(`${vector.name}: ${vector.valid ? 'accepted' : 'refused'}`, async () => {
      const work = verify(vector, headersOf(vector, vector.signatureHeader!));
      await (vector.valid ? work : refused(work, 'signature'));
    });

  for (const { name, secret } of of('secret'))
    test(`${name}: refused`, () =>
      refused(verify(signed, headersOf(signed, signed.signature), secret!), 'secret'));

  for (const { name, anyOf = [], toleranceSeconds: seconds = 0 } of of('rule'))
    test(`${name}: refused`, async () => {
      const headers = headersOf(signed, signed.signature);
      for (const missing of anyOf) {
        const { [missing]: _, ...others } = headers;
        await refused(verify(signed, others), 'headers');
      }
      if (!seconds) return;
      const late = name!.includes('older') ? seconds : -seconds;
      await verify(signed, headers, signed.secret, late);
      await refused(verify(signed, headers, signed.secret, late + Math.sign(late)), 'timestamp');
    });
});

/** Headers for a body that the vector's secret signed. */
function sign(body: string): Record<string, string> {
  const key = Buffer.from(signed.secret.slice(6), 'base64');
  const text = createHmac('sha256', key).update(`${signed.id}.${signed.timestamp}.${body}`).digest('base64');
  return headersOf(signed, `v1,${text}`);
}

describe('a webhook', () => {
  const other = `whsec_${Buffer.from('another secret of this receiver').toString('base64')}`;
  const options = { now: () => signed.timestamp * 1000 };

  test('is accepted by one of several secrets, so that a receiver can be replaced', async () => {
    const headers = headersOf(signed, signed.signature);
    await verifySignature(signed.payload, headers, [other, signed.secret], options);
    await refused(verifySignature(signed.payload, headers, [other], options), 'signature');
    await refused(verifySignature(signed.payload, headers, [], options), 'signature');
    // A variable that is not set.
    const unset = undefined as unknown as string;
    await refused(verifySignature(signed.payload, headers, unset, options), 'secret');
    await refused(verifySignature(signed.payload, headers, [signed.secret, unset], options), 'secret');
  });

  test('may have its headers in any form, and its body as text or bytes', async () => {
    const headers = headersOf(signed, signed.signature);
    const upper = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]),
    );
    const bytes = new TextEncoder().encode(signed.payload);
    for (const each of [new Headers(headers), upper])
      for (const payload of [signed.payload, bytes])
        await verifySignature(payload, each, signed.secret, options);
    await refused(verifySignature(`${signed.payload} `, headers, signed.secret, options), 'signature');
    for (const parsed of [JSON.parse(signed.payload), undefined, bytes.buffer])
      await refused(verifySignature(parsed as string, headers, signed.secret, options), 'payload');
    const later = { ...headers, 'webhook-timestamp': '1e10' };
    await refused(verifySignature(signed.payload, later, signed.secret, options), 'timestamp');
  });

  test('that is signed, but no event, is refused; one of a newer service is not', async () => {
    for (const body of ['{"test":1}', '[]', 'no JSON'])
      await refused(verifyWebhook(body, sign(body), signed.secret, options), 'payload');
    const event = {
      id: 'evt_1',
      type: 'wallet.renamed',
      timestamp: '2026-01-31T09:05:12Z',
      data: { more: 1 },
    };
    const body = JSON.stringify(event);
    assert.deepEqual(await verifyWebhook(body, sign(body), signed.secret, options), event);
  });
});

test('a listener hands on signed events only, and asks for those again that could not be handled', async () => {
  const event = { id: 'evt_1', type: 'payment.succeeded', timestamp: '2026-01-31T09:05:12Z', data: {} };
  const body = JSON.stringify(event);
  const heard: unknown[] = [];
  const reported: unknown[] = [];
  let fails = false;
  const hear = webhookListener(
    signed.secret,
    (one) => {
      if (fails) throw new Error('the database is away');
      heard.push(one);
    },
    { now: () => signed.timestamp * 1000, report: (error) => reported.push(error) },
  );
  const server = createServer(hear).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const post = async (headers: Record<string, string>, text: string): Promise<number> =>
    (
      await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, {
        method: 'POST',
        headers,
        body: text,
      })
    ).status;
  try {
    assert.equal(await post(sign(body), body), 204);
    assert.equal(await post(sign(body), `${body} `), 401);
    assert.equal(await post({}, body), 401);
    assert.equal(await post(sign('{}'), '{}'), 401);
    assert.deepEqual(heard, [event]);
    fails = true;
    assert.equal(await post(sign(body), body), 500);
    assert.match(String(reported), /the database is away/);
    // It was cut off, or answered, before all of it was read.
    const large = 'x'.repeat(2 * 1024 * 1024);
    assert.notEqual(await post(sign(large), large).catch(() => 'cut off'), 204);
    assert.deepEqual(heard, [event]);
  } finally {
    server.closeAllConnections();
    server.close();
  }
  for (const secret of [undefined as unknown as string, 'whsec_', [signed.secret, '']])
    assert.throws(() => webhookListener(secret, () => {}), /signing secret is invalid/);
});

describe('what the service sends', () => {
  let service: Tested;
  let receiver: Receiver;
  before(async () => {
    service = await startShop();
    receiver = await startReceiver();
  });
  after(async () => {
    await receiver.close();
    await service.close();
  });

  test('is verified with the secret of its receiver, and sent again by a call', async () => {
    const { id, secret } = await service.client(['webhooks']);
    const client = new ServiceClient({ url: service.url, clientId: id, clientSecret: secret });
    const webhook = await client.webhooks.create({
      url: receiver.url,
      application: 'PAY',
      authenticationMethod: { type: 'API_KEY', headerName: 'X-Key', apiKey: 'k' },
    });
    const session = await newSession(service.service.db, id);
    await recordEvent(service.service.db, session);
    await poll(() => receiver.arrived.length > 0, 'the event');
    const [{ body, headers }] = receiver.arrived as [(typeof receiver.arrived)[0]];
    const event = await verifyWebhook(body, headers, webhook.signingSecret);
    assert.equal(event.type, 'payment.succeeded');
    assert.equal(event.data.session.id, session);
    const [delivery] = await client.webhooks.deliveries(webhook.id, { session }).all();
    await client.webhooks.redeliver(webhook.id, delivery!.id);
    await poll(() => receiver.arrived.length > 1, 'the event again');
    assert.equal(receiver.arrived[1]!.headers['webhook-id'], event.id);
    await client.webhooks.delete(webhook.id);
    assert.deepEqual(await client.webhooks.list().all(), []);
  });
});
