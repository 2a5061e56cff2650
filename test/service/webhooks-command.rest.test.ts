/** `npm run service:webhooks`, and the secrets of receivers when the master key is rotated. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Deliverer } from '../../service/webhooks/deliverer.ts';
import { rewrap } from '../../service/commands/rewrap.ts';
import { rotateFileKeys } from '../../service/keys/file-keys.ts';
import type { CreatedWebhook, Delivery } from '../../src/api/webhook.ts';
import { poll } from '../waiting.ts';
import { commandOn } from './command-setup.ts';
import type { Tested } from './harness.ts';
import {
  recordEvent,
  HOUR,
  type Merchant,
  merchantOf,
  newSession,
  type Receiver,
  startReceiver,
  startShop,
  verify,
} from './webhooks-setup.ts';

let shop: Tested;
let merchant: Merchant;
let receiver: Receiver;
let webhook: CreatedWebhook;

before(async () => {
  shop = await startShop({ everyMs: HOUR });
  merchant = await merchantOf(shop);
  receiver = await startReceiver();
  webhook = await merchant.register(receiver.url);
  const session = await newSession(shop.service.db, merchant.id);
  for (let i = 0; i < 3; i++) await recordEvent(shop.service.db, session);
});
after(async () => {
  await shop.close();
  await receiver.close();
});

const command = commandOn('webhooks', () => shop.config);

test('the command lists and redelivers deliveries', async () => {
  const { db } = shop.service;
  await db.updateTable('deliveries').set({ state: 'given-up', next_attempt_at: null }).execute();
  const listed = await command('list', '--json', '--state', 'given-up', '--webhook', webhook.id);
  assert.equal(listed.code, 0, listed.err);
  const found = JSON.parse(listed.out) as Delivery[];
  assert.deepEqual(
    found.map(({ sequence }) => sequence),
    [3, 2, 1],
  );
  const text = await command('list');
  assert.equal(text.out.trim().split('\n').length, 3);
  const one = await command('redeliver', found[0]!.id);
  assert.equal(one.code, 0, one.err);
  const rest = await command('redeliver', '--webhook', webhook.id);
  assert.match(rest.out, /^2 deliveries/);
  const waiting = await merchant.deliveries(webhook, '?state=waiting');
  assert.equal(waiting.length, 3);
  for (const output of [listed.out, text.out])
    assert.equal(output.includes(webhook.signingSecret.slice(6)), false);
  for (const wrong of [
    ['list', '--state', 'lost'],
    ['redeliver', 'unknown'],
  ]) {
    const { code, err } = await command(...wrong);
    assert.equal(code, 1, wrong.join(' '));
    assert.match(err, /Usage|no such delivery/);
  }
});

test("receivers' secrets are rewrapped when the master key rotates, and open afterwards", async (t) => {
  const { db, keys } = shop.service;
  const versions = async () =>
    (await db.selectFrom('webhooks').select('master_version').execute()).map((row) => row.master_version);
  assert.deepEqual(await versions(), [1]);
  await rotateFileKeys(shop.config.masterKeyFile);
  assert.equal(await rewrap(db, keys, assert.fail), 1);
  assert.deepEqual(await versions(), [2]);
  const deliverer = new Deliverer(shop.service, shop.app.log, { everyMs: 10 });
  t.after(() => deliverer.stop());
  await poll(() => receiver.arrived.length === 3, 'all');
  for (const arrived of receiver.arrived) verify(webhook, arrived);
});
