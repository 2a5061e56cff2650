/**
 * Kills the service at twenty moments of swaps between chains, from reading the wallet's state to following what was sent: each swap is made once,
 * whether or not its answer arrived, and followed to its end.
 */
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { TransactionDetails } from '../../src/api/history.ts';
import type { CreatedWallet } from '../../src/api/wallet.ts';
import { createClient } from '../../service/auth/clients.ts';
import { poll } from '../waiting.ts';
import { TronOrders } from './cross-chain-setup.ts';
import { PIN } from './custody-setup.ts';
import { dataIn, temporaryFolder } from './harness.ts';
import { careful, end, inDatabase, type ServiceProcess, startProcess, tokenAt } from './processes-setup.ts';

const MOMENTS = 20;
/** In sun. */
const COINS = 10_000_000_000n;

let orders: TronOrders;
let service: ServiceProcess;
let headers: Record<string, string>;
let client: { id: string; secret: string };
let wallet: CreatedWallet;
const folder = temporaryFolder();
const settings = { DATA_DIR: dataIn(folder), NETWORKS: join(folder, 'networks.json') };
/** By moment. */
const hashes: string[] = [];

async function call<T>(method: string, path: string, body?: unknown, more = {}): Promise<T> {
  const response = await careful(() =>
    fetch(service.url + path, {
      method,
      headers: { 'Content-Type': 'application/json', ...headers, ...more },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }),
  );
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as T;
}

async function start(): Promise<void> {
  service = await startProcess(settings);
  headers = await tokenAt(service.url, client);
}

before(async () => {
  orders = await TronOrders.start();
  writeFileSync(settings.NETWORKS, JSON.stringify(orders.file));
  service = await startProcess(settings);
  client = await inDatabase(settings.DATA_DIR, (db) =>
    createClient(db, { name: 'shop', scopes: ['whitelabel', 'view:wallets', 'sign:wallets'] }),
  );
  headers = await tokenAt(service.url, client);
  const order = { walletType: 'WHITE_LABEL', secretType: 'TRON', pincode: PIN };
  wallet = await call('POST', '/api/wallets', order);
  await orders.tron.fund(wallet.address, 100n * COINS);
});
after(async () => {
  if (service) await end(service);
  await orders?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Requests of the service to its nodes so far. */
const requests = (): number =>
  orders.tron.requests.length + orders.front.nodes.reduce((sum, node) => sum + node.requests.length, 0);

function swap(key: string): Promise<{ transactionHash: string }> {
  const request = { ...orders.request(wallet.id, COINS), pincode: PIN };
  return call('POST', '/api/transactions/execute', request, { 'Idempotency-Key': key });
}

/** As if the time had passed until the service next looks at everything, the leases of killed processes included. */
async function lookNow(): Promise<void> {
  await inDatabase(settings.DATA_DIR, async (db) => {
    const now = new Date();
    await db
      .updateTable('transactions')
      .set({ next_check_at: now })
      .where('next_check_at', 'is not', null)
      .execute();
    await db
      .updateTable('cross_chain_swaps')
      .set({ next_look_at: now })
      .where('next_look_at', 'is not', null)
      .execute();
  });
}

async function stageOf(hash: string): Promise<string | undefined> {
  const path = `/api/transactions/${hash}?secretType=TRON`;
  const { entries } = await call<TransactionDetails>('GET', path);
  return entries[0]!.swap?.stage;
}

for (let moment = 1; moment <= MOMENTS; moment++)
  test(`a service that is killed at its request ${moment} to a node goes on with the swap, and sends nothing twice`, async () => {
    await orders.thorchain.engine.tick();
    const first = requests();
    const answer = swap(`swap-${moment}`).catch(() => undefined);
    await poll(() => requests() >= first + moment, `request ${moment}`);
    await end(service, 'SIGKILL');
    await answer;
    await start();
    await orders.thorchain.engine.tick();
    const { transactionHash: hash } = await swap(`swap-${moment}`);
    assert.ok(!hashes.includes(hash));
    hashes.push(hash);
    await poll(async () => {
      await orders.mine();
      await lookNow();
      return (await stageOf(hash)) === 'paid';
    }, `the payment of ${hash}`);
    const deposits = [...orders.thorchain.engine.swaps.values()];
    assert.equal(deposits.length, hashes.length);
    for (const { deposit } of deposits) assert.ok(hashes.includes(deposit.hash.toLowerCase()));
  });
