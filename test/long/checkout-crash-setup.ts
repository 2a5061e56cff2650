/**
 * Kills the service at random moments between payments and deliveries. Every acknowledged payment's event is delivered at least once, with
 * a stable id and sequence, so a receiver that deduplicates by id sees each once; and no event is spurious.
 */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { CHECKOUT_SCOPES } from '../../src/api/scopes.ts';
import { createClient } from '../../service/auth/clients.ts';
import { joinDatabase } from '../../service/database/database.ts';
import { DEFAULTS } from '../../service/webhooks/delivery-settings.ts';
import type { CheckoutSession } from '../../src/api/checkout.ts';
import type { PaymentEvent } from '../../src/api/webhook.ts';
import { pause, poll } from '../waiting.ts';
import { bearer, dataIn, temporaryFolder, TOKEN_PATH } from '../service/harness.ts';
import { end, endLeases, type ServiceProcess, startProcess } from '../service/processes-setup.ts';
import { registration, startReceiver } from '../service/webhooks-setup.ts';

const QUIET = { debug: () => {}, warn: () => {} };

interface Sold {
  id: string;
  /** Outcomes acknowledged to the page, whose events must arrive. */
  declined: number;
  paid: boolean;
}

const CARD = {
  expiryMonth: 12,
  expiryYear: new Date().getFullYear() + 2,
  securityCode: '123',
  name: 'Mira Stone',
};

export async function checkoutCrash(runs: number): Promise<void> {
  const folder = temporaryFolder();
  const data = dataIn(folder);
  const start = () =>
    startProcess({ DATA_DIR: data, OUTBOUND_RANGES: '127.0.0.0/8', RATE_LIMIT: '0', TOKEN_RATE_LIMIT: '0' });
  let service: ServiceProcess = await start();
  const receiver = await startReceiver();
  // Sometimes slow, so that kills interrupt a delivery, and sometimes refusing.
  receiver.answer = (response, { body }) =>
    void pause(receiver.arrived.length % 5 === 0 ? 150 : 0).then(() =>
      response.writeHead(body.length % 7 === 0 ? 503 : 200).end(),
    );
  try {
    const joined = await joinDatabase(
      { databaseUrl: undefined, databaseConnections: 2, dataFolder: data },
      QUIET,
    );
    const client = await createClient(joined.db, { name: 'shop', scopes: CHECKOUT_SCOPES });
    await joined.close();
    const token = async () => {
      const answer = await fetch(service.url + TOKEN_PATH, {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'client_credentials',
          client_id: client.id,
          client_secret: client.secret,
        }),
      });
      return bearer(((await answer.json()) as { access_token: string }).access_token);
    };
    const post = (path: string, body: unknown, headers = {}) =>
      fetch(service.url + path, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...headers },
        body: JSON.stringify(body),
      });
    const registered = await post('/webhooks', registration(receiver.url), await token());
    assert.equal(registered.status, 201);

    const sold: Sold[] = [];
    let killedAt = 0;
    const sell = async (headers: Record<string, string>): Promise<void> => {
      const order = {
        line_items: [
          {
            price_data: { product_data: { name: 'Trail map' }, unit_amount: 1800, currency: 'EUR' },
            quantity: 1,
          },
        ],
        success_url: 'https://shop.example/thanks',
        cancel_url: 'https://shop.example/basket',
        mode: 'payment',
      };
      const made = await post('/checkout/sessions', order, headers);
      if (made.status !== 201) throw new Error(await made.text());
      const { id, url } = (await made.json()) as CheckoutSession;
      const one: Sold = { id, declined: 0, paid: false };
      sold.push(one);
      const pay = async (number: string, attempt: string): Promise<string> => {
        const body = { email: 'mira@mail.example', country: 'DE', attempt, card: { ...CARD, number } };
        const answer = await post(`${new URL(url!).pathname}/payments`, body);
        if (answer.status !== 200) throw new Error(await answer.text());
        return ((await answer.json()) as { state: string }).state;
      };
      if ((await pay('4000000000000002', `declined-${id.slice(-20)}`)) === 'declined') one.declined++;
      if ((await pay('4242424242424242', `paid-${id.slice(-20)}`)) === 'paid') one.paid = true;
    };

    for (let run = 0; run < runs; run++) {
      let running = true;
      const before = sold.filter(({ paid }) => paid).length;
      const headers = await token();
      const loads = [1, 2].map(async () => {
        // The kill interrupts it.
        while (running) await sell(headers).catch(() => pause(20));
      });
      await poll(() => sold.filter(({ paid }) => paid).length >= before + 3, 'some payments');
      await pause(Math.random() * 300);
      await end(service, 'SIGKILL');
      killedAt = Date.now();
      running = false;
      await Promise.all(loads);
      service = await start();
    }

    // Leases of the killed processes have expired, and refused deliveries are retried.
    const database = await joinDatabase(
      { databaseUrl: undefined, databaseConnections: 2, dataFolder: data },
      QUIET,
    );
    receiver.answer = (response) => void response.end();
    await endLeases(database.db, 'deliveries', { killedAt, leaseMs: DEFAULTS.leaseMs });
    await poll(async () => {
      await database.db
        .updateTable('deliveries')
        .set({ next_attempt_at: new Date() })
        .where('state', '=', 'waiting')
        .where('leased_until', 'is', null)
        .execute();
      const left = await database.db
        .selectFrom('deliveries')
        .select('id')
        .where('state', '<>', 'delivered')
        .limit(1)
        .execute();
      return left.length === 0;
    }, 'every delivery');
    const events = await database.db
      .selectFrom('events')
      .select(['id', 'session_id', 'type', 'sequence', 'body'])
      .execute();
    await database.close();
    check(
      events,
      sold,
      receiver.arrived.map(({ body }) => body),
    );
    await end(service);
    assert.equal(service.child.exitCode, 0);
  } finally {
    await end(service, 'SIGKILL');
    await receiver.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Recorded {
  id: string;
  session_id: string | null;
  type: string;
  sequence: number | null;
  body: string;
}

function check(events: Recorded[], sold: Sold[], arrived: string[]): void {
  const bodies = new Map<string, string>();
  for (const body of arrived) {
    const { id } = JSON.parse(body) as PaymentEvent;
    assert.equal(bodies.get(id) ?? body, body, `${id} arrived with two different bodies`);
    bodies.set(id, body);
  }
  // Every recorded event arrived, and no other.
  assert.deepEqual([...bodies.keys()].sort(), events.map(({ id }) => id).sort());
  for (const { id, body } of events) assert.equal(bodies.get(id), body);
  for (const { id, declined, paid } of sold) {
    const own = events
      .filter(({ session_id }) => session_id === id)
      .sort((a, b) => a.sequence! - b.sequence!);
    assert.deepEqual(
      own.map(({ sequence }) => sequence),
      own.map((_, index) => index + 1),
      id,
    );
    const count = (type: string): number => own.filter((event) => event.type === type).length;
    // What was not acknowledged may have happened, but never twice.
    assert.ok(count('payment.declined') >= declined && count('payment.declined') <= 1, id);
    assert.ok(count('payment.succeeded') >= Number(paid) && count('payment.succeeded') <= 1, id);
  }
}
