/** Kills one of two processes that search for deposits, in the middle: each deposit is told once, by whichever is left. */
import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { CreatedWalletWebhook, WalletEvent } from '../../src/api/wallet-event.ts';
import { runningCluster } from '../../service/database/embedded/cluster.ts';
import { poll } from '../waiting.ts';
import { startTested } from '../service/harness.ts';
import {
  type Application,
  createApplication,
  end,
  type ServiceProcess,
  startProcess,
  tokenAt,
} from '../service/processes-setup.ts';
import { startChain } from '../service/wallet-payments-setup.ts';
import { BASIC, startReceiver } from '../service/webhooks-setup.ts';

const DEPOSITS = 30;
const KILLS = 3;

test(`${DEPOSITS} deposits while processes are killed: each is told once`, async () => {
  const [chain, owner, receiver] = await Promise.all([
    startChain(),
    // Shares its database, and searches for nothing itself.
    startTested({}, { areas: [] }),
    startReceiver(),
  ]);
  const { config, folder, service } = owner;
  const networks = join(folder, 'networks.json');
  writeFileSync(networks, JSON.stringify({ networks: [{ ...chain.network, confirmations: 2 }] }));
  chmodSync(networks, 0o644);
  const settings = {
    DATABASE_URL: config.databaseUrl ?? (await urlOf(config.dataFolder)),
    MASTER_KEY_FILE: config.masterKeyFile,
    NETWORKS: networks,
    OUTBOUND_RANGES: '127.0.0.0/8',
  };
  const running: ServiceProcess[] = [];
  try {
    const shop = await createApplication(service.db, config.masterKeyFile);
    for (let i = 0; i < 2; i++) running.push(await startProcess(settings));
    await watch(running[0]!, shop, receiver.url);
    for (let i = 1; i <= DEPOSITS; i++) {
      await chain.send(chain.accounts[0]!, shop.wallet.address, BigInt(i));
      if (i % (DEPOSITS / KILLS) === 0) {
        await end(running.shift()!, 'SIGKILL');
        // As if the minute were over that a killed process may still hold the chain.
        await service.db.updateTable('scan_cursors').set({ leased_until: null }).execute();
        running.push(await startProcess(settings));
      }
    }
    await chain.mine(2);
    const told = (): string[] => {
      const bodies = new Map(receiver.arrived.map((one) => [one.headers['webhook-id'], one.body]));
      return [...bodies.values()].flatMap((body) => {
        const event = JSON.parse(body) as WalletEvent;
        return event.type === 'wallet.deposit' ? [event.data.deposit.amount.raw] : [];
      });
    };
    await poll(() => told().length >= DEPOSITS, 'every deposit');
    assert.deepEqual(
      told()
        .map(Number)
        .sort((a, b) => a - b),
      Array.from({ length: DEPOSITS }, (_, i) => i + 1),
    );
  } finally {
    await Promise.all(running.map((one) => end(one)));
    await owner.close();
    await receiver.close();
    await chain.close();
  }
});

async function watch({ url }: ServiceProcess, shop: Application, receiver: string): Promise<void> {
  const headers = { ...(await tokenAt(url, shop)), 'Content-Type': 'application/json' };
  const body = { url: receiver, authenticationMethod: BASIC };
  const made = await fetch(`${url}/api/webhooks`, { method: 'POST', headers, body: JSON.stringify(body) });
  assert.equal(made.status, 201, await made.clone().text());
  assert.ok(((await made.json()) as CreatedWalletWebhook).id);
  const watched = await fetch(`${url}/api/wallets/${shop.wallet.id}/watch`, {
    method: 'PUT',
    headers: await tokenAt(url, shop),
  });
  assert.equal(watched.status, 200, await watched.clone().text());
}

async function urlOf(folder: string): Promise<string> {
  const { user, password, host, port, database } = (await runningCluster(folder))!;
  return `postgres://${user}:${String(password)}@${host}:${port}/${database}`;
}
