/**
 * Kills the service at random moments under load, and every third time has a reorganisation remove all that this load brought to the chain.
 * What it acknowledged is durable; what it did not exists at most once, and a retry with the same idempotency key ends in exactly one.
 */
import assert from 'node:assert/strict';
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { JsonRpcProvider, parseEther, Wallet as Key } from 'ethers';
import { startEthereum } from '../../demo/networks/ethereum.ts';
import type { BatchResult } from '../../src/api/orders.ts';
import { pause, poll } from '../waiting.ts';
import { dataIn, nextPage, temporaryFolder } from '../service/harness.ts';
import {
  type Application,
  type Answer,
  createApplication,
  end,
  inDatabase,
  lookNow,
  payment,
  post,
  type ServiceProcess,
  startProcess,
  tokenAt,
} from '../service/processes-setup.ts';

interface Payment {
  key: string;
  to: string;
  value: bigint;
  /** Set once acknowledged. */
  hash?: string;
}

/** Payments that are requested together, under one key. */
interface Batch {
  key: string;
  payments: Payment[];
}

interface WalletCreation {
  key: string;
  id?: string;
}

/** More blocks than one load mines, so that no reorganisation removes what was final. */
const CONFIRMATIONS = 200;

export async function crash(runs: number): Promise<void> {
  const ethereum = await startEthereum({ port: 0 });
  const provider = new JsonRpcProvider(ethereum.url, undefined, { staticNetwork: true, cacheTimeout: -1 });
  const folder = temporaryFolder();
  const networks = join(folder, 'networks.json');
  writeFileSync(
    networks,
    JSON.stringify({ networks: [{ ...ethereum.network, confirmations: CONFIRMATIONS }] }),
  );
  chmodSync(networks, 0o644);
  const data = dataIn(folder);
  const start = () => startProcess({ DATA_DIR: data, NETWORKS: networks });
  let service: ServiceProcess = await start();
  try {
    const shop = await inDatabase(data, (db) => createApplication(db, join(data, 'master-key.json')));
    await ethereum.fund(shop.wallet.address, parseEther('100'));

    const singles: Payment[] = [];
    const batches: Batch[] = [];
    const creations: WalletCreation[] = [];
    let reorganised = 0;
    for (let run = 0; run < runs; run++) {
      const fork = await provider.send('evm_snapshot', []);
      const load = await startLoad(service, shop, { singles, batches, creations });
      await load.acknowledged(3);
      await pause(Math.random() * 400);
      const postmaster = Number(readFileSync(join(data, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]);
      const killed = end(service, 'SIGKILL');
      // Every other time the database is killed, too.
      if (run % 2) process.kill(postmaster, 'SIGKILL');
      await killed;
      await load.stop();
      if (run % 3 === 0) {
        assert.ok(await provider.send('evm_revert', [fork]));
        await provider.send('anvil_dropAllTransactions', []);
        reorganised++;
      }
      service = await start();
    }
    await settle(service, shop, { singles, batches, creations });

    const payments = [...singles, ...batches.flatMap((batch) => batch.payments)];
    await poll(async () => {
      await inDatabase(data, lookNow);
      return (await provider.getTransactionCount(shop.wallet.address)) >= payments.length;
    }, 'every transaction in a block again');
    console.log(`${payments.length} payments; ${reorganised} reorganisations`);
    for (const { to, value, key } of payments)
      assert.equal(await provider.getBalance(to), value, `${key} was not paid exactly once`);
    const nonce = await provider.getTransactionCount(shop.wallet.address, 'pending');
    assert.equal(nonce, payments.length);
    assert.equal(new Set(payments.map(({ hash }) => hash)).size, payments.length);
    await checkWallets(service, shop, creations);
    await end(service);
    assert.equal(service.child.exitCode, 0);
  } finally {
    await end(service, 'SIGKILL');
    provider.destroy();
    await ethereum.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Load {
  singles: Payment[];
  batches: Batch[];
  creations: WalletCreation[];
}

/** Concurrent streams of payments, alone and three at once, and of new wallets, until stopped. */
async function startLoad(
  { url }: ServiceProcess,
  shop: Application,
  { singles, batches, creations }: Load,
): Promise<{ acknowledged(count: number): Promise<void>; stop(): Promise<void> }> {
  const at = { url, token: await tokenAt(url, shop) };
  let running = true;
  let count = 0;
  const pay = async (): Promise<void> => {
    while (running) {
      const next = newPayment(`pay-${singles.length}`);
      singles.push(next);
      const answer = await sendPayment(at, shop, next);
      if (!answer) continue;
      keep(next, 'hash', answer.body.transactionHash);
      count++;
    }
  };
  const payTogether = async (): Promise<void> => {
    while (running) {
      const key = `batch-${batches.length}`;
      const next = { key, payments: [0, 1, 2].map((at) => newPayment(`${key}-${at}`)) };
      batches.push(next);
      if (await sendBatch(at, shop, next)) count++;
    }
  };
  const make = async (): Promise<void> => {
    while (running) {
      const next: WalletCreation = { key: `wallet-${creations.length}` };
      creations.push(next);
      const answer = await makeWallet(at, next);
      if (answer) keep(next, 'id', answer.body.id);
    }
  };
  const loads = [pay(), payTogether(), make()];
  return {
    async acknowledged(wanted) {
      await poll(() => count >= wanted, `${wanted} answers`);
    },
    async stop() {
      running = false;
      await Promise.all(loads);
    },
  };
}

function newPayment(key: string): Payment {
  return { key, to: Key.createRandom().address, value: BigInt(Math.ceil(Math.random() * 1_000_000)) };
}

type At = { url: string; token: Record<string, string> };

function sendPayment(at: At, shop: Application, { to, value, key }: Payment): Promise<Answer | undefined> {
  return answered(post(at, '/api/transactions/execute', payment(shop.wallet, to, value), key));
}

/** Keeps the hash of each. False if the service ended before it answered. */
async function sendBatch(at: At, shop: Application, { key, payments }: Batch): Promise<boolean> {
  const transactions = payments.map(({ to, value }) => payment(shop.wallet, to, value));
  const answer = await answered(
    post(at, '/api/transactions/batch', { walletId: shop.wallet.id, transactions }, key),
  );
  if (!answer) return false;
  const results = answer.body as unknown as BatchResult;
  for (const [place, one] of payments.entries()) {
    assert.equal(results[place]!.outcome, 'sent', JSON.stringify(results));
    keep(one, 'hash', results[place]!.transactionHash);
  }
  return true;
}

function makeWallet(at: At, { key }: WalletCreation): Promise<Answer | undefined> {
  const body = { walletType: 'WHITE_LABEL', secretType: 'BITCOIN', alias: key };
  return answered(post(at, '/api/wallets', body, key));
}

/** Undefined if the service or its database ended before it answered. */
async function answered(answer: Promise<Answer>): Promise<Answer | undefined> {
  try {
    const { status, body } = await answer;
    if (status === 200 || status === 201) return { status, body };
    assert.equal(status, 500, JSON.stringify(body));
  } catch (error) {
    if (error instanceof assert.AssertionError) throw error;
  }
  // The service has ended, or is about to.
  await pause(50);
  return undefined;
}

/** Keeps the answer: a retry must get the same one. */
function keep<K extends string>(
  entry: { [P in K]?: string } & { key: string },
  name: K,
  value?: string,
): void {
  assert.ok(value, `${entry.key} has no ${name}`);
  assert.equal(entry[name] ?? value, value, `${entry.key} was answered differently before`);
  Object.assign(entry, { [name]: value });
}

/** Retries every request with its idempotency key, acknowledged or not. */
async function settle(
  { url }: ServiceProcess,
  shop: Application,
  { singles, batches, creations }: Load,
): Promise<void> {
  const at = { url, token: await tokenAt(url, shop) };
  for (const one of singles) keep(one, 'hash', (await sendPayment(at, shop, one))?.body.transactionHash);
  for (const one of batches) assert.ok(await sendBatch(at, shop, one), one.key);
  for (const one of creations) keep(one, 'id', (await makeWallet(at, one))?.body.id);
}

async function checkWallets(
  { url }: ServiceProcess,
  shop: Application,
  creations: WalletCreation[],
): Promise<void> {
  const headers = await tokenAt(url, shop);
  const listed: { id: string; alias: string }[] = [];
  for (let query: string | undefined = '?secretType=BITCOIN'; query !== undefined; ) {
    const response: Response = await fetch(`${url}/api/wallets${query}`, { headers });
    listed.push(...((await response.json()) as typeof listed));
    query = nextPage(response.headers);
  }
  assert.deepEqual(
    listed.map(({ id, alias }) => `${alias} ${id}`).sort(),
    creations.map(({ id, key }) => `${key} ${id}`).sort(),
  );
}
