/**
 * The service is killed at random moments under load, again and again. What it acknowledged is there afterwards; what it did not is there
 * once, or not at all, and asking again under the same key ends in one.
 */
import assert from 'node:assert/strict';
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { JsonRpcProvider, parseEther, Wallet as Key } from 'ethers';
import { startEthereum } from '../../demo/networks/ethereum.ts';
import { joinDatabase } from '../../service/database/database.ts';
import { temporaryFolder } from './harness.ts';
import {
  type Application,
  type Answer,
  dataIn,
  end,
  makeApplication,
  payment,
  post,
  type ServiceProcess,
  startProcess,
  tokenAt,
} from './processes-setup.ts';

interface Payment {
  key: string;
  to: string;
  value: bigint;
  /** Once it is acknowledged. */
  hash?: string;
}

interface Making {
  key: string;
  id?: string;
}

export const QUIET = { debug: () => {}, warn: () => {} };

export async function crash(runs: number): Promise<void> {
  const ethereum = await startEthereum({ port: 0 });
  const provider = new JsonRpcProvider(ethereum.url, undefined, { staticNetwork: true, cacheTimeout: -1 });
  const folder = temporaryFolder();
  const networks = join(folder, 'networks.json');
  writeFileSync(networks, JSON.stringify({ networks: [ethereum.network] }));
  chmodSync(networks, 0o644);
  const data = dataIn(folder);
  const start = () => startProcess({ DATA_DIR: data, NETWORKS: networks });
  let service: ServiceProcess = await start();
  try {
    const joined = await joinDatabase(
      { databaseUrl: undefined, databaseConnections: 2, dataFolder: data },
      QUIET,
    );
    const shop = await makeApplication(joined.db, join(data, 'master-key.json'));
    await joined.close();
    await ethereum.fund(shop.wallet.address, parseEther('100'));

    const payments: Payment[] = [];
    const makings: Making[] = [];
    for (let run = 0; run < runs; run++) {
      const load = await startLoad(service, shop, payments, makings);
      await load.acknowledged(3);
      await sleep(Math.random() * 400);
      const postmaster = Number(readFileSync(join(data, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]);
      const killed = end(service, 'SIGKILL');
      // The database goes with it, or not.
      if (run % 2) process.kill(postmaster, 'SIGKILL');
      await killed;
      await load.stop();
      service = await start();
    }
    await settle(service, shop, payments, makings);

    for (const { to, value, key } of payments)
      assert.equal(await provider.getBalance(to), value, `${key} was not paid once`);
    const nonce = await provider.getTransactionCount(shop.wallet.address, 'pending');
    assert.equal(nonce, payments.length);
    assert.equal(new Set(payments.map(({ hash }) => hash)).size, payments.length);
    await checkWallets(service, shop, makings);
    await end(service);
    assert.equal(service.child.exitCode, 0);
  } finally {
    await end(service, 'SIGKILL');
    provider.destroy();
    await ethereum.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Payments from two sides, and a wallet now and then, until it is stopped. */
async function startLoad(
  { url }: ServiceProcess,
  shop: Application,
  payments: Payment[],
  makings: Making[],
): Promise<{ acknowledged(count: number): Promise<void>; stop(): Promise<void> }> {
  const at = { url, token: await tokenAt(url, shop) };
  let running = true;
  let count = 0;
  const pay = async (): Promise<void> => {
    while (running) {
      const next = newPayment(payments);
      const answer = await sendPayment(at, shop, next);
      if (!answer) continue;
      keep(next, 'hash', answer.body.transactionHash);
      count++;
    }
  };
  const make = async (): Promise<void> => {
    while (running) {
      const next: Making = { key: `wallet-${makings.length}` };
      makings.push(next);
      const answer = await makeWallet(at, next);
      if (answer) keep(next, 'id', answer.body.id);
    }
  };
  const loads = [pay(), pay(), make()];
  return {
    async acknowledged(wanted) {
      for (const until = Date.now() + 60_000; count < wanted; await sleep(20))
        if (Date.now() > until) throw new Error('The service does not answer.');
    },
    async stop() {
      running = false;
      await Promise.all(loads);
    },
  };
}

function newPayment(payments: Payment[]): Payment {
  const next = {
    key: `pay-${payments.length}`,
    to: Key.createRandom().address,
    value: BigInt(payments.length + 1),
  };
  payments.push(next);
  return next;
}

type At = { url: string; token: Record<string, string> };

function sendPayment(at: At, shop: Application, { to, value, key }: Payment): Promise<Answer | undefined> {
  return answered(post(at, '/api/transactions/execute', payment(shop.wallet, to, value), key));
}

function makeWallet(at: At, { key }: Making): Promise<Answer | undefined> {
  const body = { walletType: 'WHITE_LABEL', secretType: 'BITCOIN', alias: key };
  return answered(post(at, '/api/wallets', body, key));
}

/** Undefined where the service ended before it answered, or its database did. */
async function answered(answer: Promise<Answer>): Promise<Answer | undefined> {
  try {
    const { status, body } = await answer;
    if (status === 200 || status === 201) return { status, body };
    assert.equal(status, 500, JSON.stringify(body));
  } catch (error) {
    if (error instanceof assert.AssertionError) throw error;
  }
  // The service is gone, or is about to be.
  await sleep(50);
  return undefined;
}

/** What was answered once is answered for ever. */
function keep<K extends string>(
  entry: { [P in K]?: string } & { key: string },
  name: K,
  value?: string,
): void {
  assert.ok(value, `${entry.key} has no ${name}`);
  assert.equal(entry[name] ?? value, value, `${entry.key} was answered in another way before`);
  Object.assign(entry, { [name]: value });
}

/** Everything is asked for once more under its key, whether it was acknowledged or not. */
async function settle(
  { url }: ServiceProcess,
  shop: Application,
  payments: Payment[],
  makings: Making[],
): Promise<void> {
  const at = { url, token: await tokenAt(url, shop) };
  for (const one of payments) keep(one, 'hash', (await sendPayment(at, shop, one))?.body.transactionHash);
  for (const one of makings) keep(one, 'id', (await makeWallet(at, one))?.body.id);
}

async function checkWallets({ url }: ServiceProcess, shop: Application, makings: Making[]): Promise<void> {
  const response = await fetch(`${url}/api/wallets?secretType=BITCOIN`, {
    headers: await tokenAt(url, shop),
  });
  const listed = (await response.json()) as { id: string; alias: string }[];
  assert.deepEqual(
    listed.map(({ id, alias }) => `${alias} ${id}`).sort(),
    makings.map(({ id, key }) => `${key} ${id}`).sort(),
  );
}
