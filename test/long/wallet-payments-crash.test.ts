/** Kills the service between a customer's transaction and its last confirmation: the next process resumes from the database. */
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { CHECKOUT_SCOPES } from '../../src/api/scopes.ts';
import { createClient } from '../../service/auth/clients.ts';
import { DEFAULTS } from '../../service/checkout/wallet-payments/wallet-payment-settings.ts';
import { joinDatabase } from '../../service/database/database.ts';
import type { CheckoutSession } from '../../src/api/checkout.ts';
import type { WalletPayment } from '../../src/api/pay.ts';
import { pause, poll } from '../waiting.ts';
import { order, pagePath } from '../service/checkout-setup.ts';
import { TOKEN_PATH, bearer, dataIn, temporaryFolder } from '../service/harness.ts';
import { end, endLeases, type ServiceProcess, startProcess } from '../service/processes-setup.ts';
import { dollars, RECEIVER, startChain } from '../service/wallet-payments-setup.ts';

const KILLS = Number(process.env['CRASHES'] ?? 10);
const QUIET = { debug: () => {}, warn: () => {} };

test(`payments survive ${KILLS} kills: each paid session is settled once, and no other is`, async () => {
  const chain = await startChain();
  const folder = temporaryFolder();
  const settings = {
    DATA_DIR: dataIn(folder),
    NETWORKS: join(folder, 'networks.json'),
    FRAME_URL: 'http://localhost:4000',
  };
  writeFileSync(settings.NETWORKS, JSON.stringify({ networks: [chain.network] }));
  let service: ServiceProcess = await startProcess(settings);
  try {
    const database = () =>
      joinDatabase({ databaseUrl: undefined, databaseConnections: 2, dataFolder: settings.DATA_DIR }, QUIET);
    const joined = await database();
    const client = await createClient(joined.db, { name: 'shop', scopes: CHECKOUT_SCOPES });
    await joined.close();
    const call = async <T>(method: string, path: string, body?: unknown, headers = {}): Promise<T> => {
      const response = await fetch(service.url + path, {
        method,
        headers: { 'Content-Type': 'application/json', ...headers },
        body: JSON.stringify(body ?? {}),
      });
      if (!response.ok) throw new Error(await response.text());
      return (await response.json()) as T;
    };
    const token = async () => {
      const { id, secret } = client;
      const body = { grant_type: 'client_credentials', client_id: id, client_secret: secret };
      return bearer((await call<{ access_token: string }>('POST', TOKEN_PATH, body)).access_token);
    };
    const dusd = chain.token('DUSD');
    const wallet = { secretType: 'ETHEREUM', address: RECEIVER, tokenAddress: dusd, confirmations: 3 };
    await call('PUT', '/account/settings/receiving-wallet', wallet, await token());

    const paying: string[] = [];
    const idle: string[] = [];
    let killedAt = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      // Tokens name the service's URL as issuer, which changes with each start.
      const headers = await token();
      const sessions = await Promise.all(
        Array.from({ length: 3 }, () =>
          call<CheckoutSession>('POST', '/checkout/sessions', order(), headers),
        ),
      );
      const quotes = await Promise.all(
        sessions.map((session) => call<WalletPayment>('POST', `${pagePath(session)}/wallet/quote`)),
      );
      // The last one is quoted, but not paid.
      idle.push(sessions.pop()!.id);
      paying.push(...sessions.map(({ id }) => id));
      // One before the kill, one after it; no page reports them.
      await chain.sendToken(chain.accounts[0]!, dusd, RECEIVER, dollars(quotes[0]!));
      await pause(Math.random() * 1500);
      await end(service, 'SIGKILL');
      killedAt = Date.now();
      await chain.sendToken(chain.accounts[0]!, dusd, RECEIVER, dollars(quotes[1]!));
      await chain.mine(Math.ceil(Math.random() * 3));
      service = await startProcess(settings);
    }
    await chain.mine(3);

    const { db, close } = await database();
    try {
      await endLeases(db, 'wallet_lanes', { killedAt, leaseMs: DEFAULTS.leaseMs });
      const states = async (ids: string[]) =>
        db.selectFrom('checkout_sessions').select(['id', 'payment_status']).where('id', 'in', ids).execute();
      await poll(
        async () => (await states(paying)).every(({ payment_status }) => payment_status === 'paid'),
        'every payment',
      );
      assert.ok((await states(idle)).every(({ payment_status }) => payment_status === 'unpaid'));
      const events = await db.selectFrom('events').select(['session_id', 'type']).execute();
      assert.deepEqual(
        events.map(({ session_id, type }) => `${type} ${session_id}`).sort(),
        paying.map((id) => `payment.succeeded ${id}`).sort(),
      );
      const transfers = await db.selectFrom('wallet_transfers').select('state').execute();
      assert.deepEqual(
        transfers.map(({ state }) => state),
        Array(paying.length).fill('paid'),
      );
    } finally {
      await close();
    }
  } finally {
    await end(service);
    await chain.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
