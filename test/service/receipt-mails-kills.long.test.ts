/** The service is killed while its mail server holds a reply: afterwards a receipt was sent at most once, and who may have it is marked. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { CheckoutSession } from '../../src/api/checkout.ts';
import { poll } from '../waiting.ts';
import { order, pagePath } from './checkout-setup.ts';
import { dataIn, temporaryFolder } from './harness.ts';
import { type Catcher, catchMails, type Step } from './mail-catcher.ts';
import {
  type Application,
  createApplication,
  end,
  inDatabase,
  type ServiceProcess,
  startProcess,
  tokenAt,
} from './processes-setup.ts';

const folder = temporaryFolder();
const data = dataIn(folder);
let catcher: Catcher;
let service: ServiceProcess;
let shop: Application;

const start = (): Promise<ServiceProcess> =>
  startProcess({
    DATA_DIR: data,
    SMTP_URL: `smtp://127.0.0.1:${catcher.port}`,
    MAIL_FROM: 'Mug shop <receipts@shop.example>',
  });

before(async () => {
  catcher = await catchMails();
  service = await start();
  shop = await inDatabase(data, (db) => createApplication(db, join(data, 'master-key.json')));
});
after(async () => {
  if (service) await end(service, 'SIGKILL');
  await catcher?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function post(path: string, body: object, headers: Record<string, string> = {}): Promise<Response> {
  const response = await fetch(service.url + path, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  assert.ok(response.ok, await response.clone().text());
  return response;
}

/** A free order, whose customer wants the receipt. */
async function receipted(email: string): Promise<CheckoutSession> {
  const price_data = { product_data: { name: 'Sticker' }, unit_amount: 0, currency: 'EUR' };
  const body = order({ line_items: [{ price_data }] });
  const made = await post('/checkout/sessions', body, await tokenAt(service.url, shop));
  const session = (await made.json()) as CheckoutSession;
  await post(`${pagePath(session)}/complete`, {});
  await post(`${pagePath(session)}/receipt/mail`, { email });
  return session;
}

const stateOf = ({ id }: CheckoutSession): Promise<{ state: string; address: string | null }> =>
  inDatabase(data, (db) =>
    db
      .selectFrom('receipt_mails')
      .select(['state', 'address'])
      .where('session_id', '=', id)
      .executeTakeFirstOrThrow(),
  );

/** As if the time of the lease had passed, which the killed process left. */
const endLease = ({ id }: CheckoutSession): Promise<unknown> =>
  inDatabase(data, (db) =>
    db
      .updateTable('receipt_mails')
      .set({ leased_until: new Date() })
      .where('session_id', '=', id)
      .where('leased_until', 'is not', null)
      .execute(),
  );

const sentTo = (address: string): number => catcher.caught.filter(({ to }) => to.includes(address)).length;

const MOMENTS: {
  step: Step;
  name: string;
  /** When it was killed. */
  stored: string[];
  /** In the end. */
  state: string[];
  sent: number;
}[] = [
  {
    step: 'connection',
    name: 'before the server says anything',
    stored: ['waiting'],
    state: ['sent'],
    sent: 1,
  },
  { step: 'MAIL', name: 'after the sender', stored: ['sending'], state: ['unknown'], sent: 0 },
  {
    step: 'DATA',
    name: 'before the message is asked for',
    stored: ['sending'],
    state: ['unknown'],
    sent: 0,
  },
  {
    step: 'message',
    name: 'when the server has the message and holds its reply',
    stored: ['sending'],
    state: ['unknown'],
    sent: 1,
  },
  // Whether the outcome was stored by then is a matter of milliseconds.
  {
    step: 'QUIT',
    name: 'right after the reply to the message',
    stored: ['sending', 'sent'],
    state: ['unknown', 'sent'],
    sent: 1,
  },
];

for (const { step, name, stored, state, sent } of MOMENTS)
  test(`killed ${name}: ${state.join(' or ')}, and sent ${sent === 1 ? 'once' : 'never'}`, async () => {
    const address = `${step.toLowerCase()}@mail.example`;
    let isHeld = false;
    catcher.delay = (at) => {
      if (at !== step) return undefined;
      isHeld = true;
      return new Promise(() => {});
    };
    const session = await receipted(address);
    await poll(() => isHeld, `the reply that is held: ${step}`);
    await end(service, 'SIGKILL');
    catcher.delay = () => undefined;
    service = await start();
    const { state: before } = await stateOf(session);
    // The lease may have passed while the service started.
    assert.ok([...stored, ...state].includes(before), before);
    await endLease(session);
    await poll(async () => state.includes((await stateOf(session)).state), 'the outcome');
    // Another one shows that what was due was sent.
    await receipted(`after-${address}`);
    await poll(() => sentTo(`after-${address}`) === 1, 'the next receipt');
    assert.equal(sentTo(address), sent);
    assert.equal((await stateOf(session)).address, null);
  });
