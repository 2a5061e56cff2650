/** A kill of the service between signing and sending; `npm run test:long service-crash` kills it at random moments under load. */
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { JsonRpcProvider, parseEther, Wallet as Key } from 'ethers';
import { startEthereum } from '../../demo/networks/ethereum.ts';
import { type Call, startNodeProxy } from '../../demo/networks/node-proxy.ts';
import type { SpendingSession } from '../../src/api/spending-session.ts';
import { poll } from '../waiting.ts';
import { mined } from './execute-setup.ts';
import { dataIn, temporaryFolder } from './harness.ts';
import {
  createApplication,
  end,
  inDatabase,
  payment,
  post,
  startProcess,
  tokenAt,
} from './processes-setup.ts';

test('a transaction signed but not sent when the service was killed is sent at the next start, and its spending session counted it', async (t) => {
  const ethereum = await startEthereum({ port: 0 });
  t.after(() => ethereum.close());
  const provider = new JsonRpcProvider(ethereum.url, undefined, { staticNetwork: true, cacheTimeout: -1 });
  t.after(() => provider.destroy());
  let isSending = false;
  let isStuck = true;
  const node = await startNodeProxy({
    target: ethereum.url,
    port: 0,
    before(calls: Call[]) {
      if (!calls.some(({ method }) => method === 'eth_sendRawTransaction')) return;
      isSending = true;
      if (isStuck) return new Promise(() => {});
    },
  });
  t.after(() => node.close());
  const folder = temporaryFolder();
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const networks = join(folder, 'networks.json');
  writeFileSync(networks, JSON.stringify({ networks: [{ ...ethereum.network, nodes: [node.url] }] }));
  const data = dataIn(folder);
  const settings = { DATA_DIR: data, NETWORKS: networks };
  let service = await startProcess(settings);
  t.after(() => end(service, 'SIGKILL'));
  const shop = await inDatabase(data, (db) => createApplication(db, join(data, 'master-key.json')));
  await ethereum.fund(shop.wallet.address, parseEther('1'));

  const to = Key.createRandom().address;
  const path = `/api/wallets/${shop.wallet.id}/sessions`;
  const at = async () => ({ url: service.url, token: await tokenAt(service.url, shop) });
  const limits = [{ amount: String(parseEther('1')) }];
  const opened = await post(await at(), path, { limits, transactions: 2 }, 'session');
  const { token: session } = opened.body as { token?: string };
  const pay = async () => {
    const body = { ...payment(shop.wallet, to, 5), pincode: null, session };
    return post(await at(), '/api/transactions/execute', body, 'order-1');
  };
  const lost = assert.rejects(pay());
  await poll(async () => isSending, 'sending');
  await end(service, 'SIGKILL');
  await lost;
  assert.equal(await provider.getBalance(to), 0n);
  isStuck = false;
  service = await startProcess(settings);
  // No request triggers it.
  await poll(async () => (await provider.getBalance(to)) === 5n, 'the payment');
  const again = await pay();
  assert.equal(again.status, 200);
  assert.equal((await provider.getTransaction(again.body.transactionHash!))?.to, to);
  await mined(provider);
  assert.equal(await provider.getTransactionCount(shop.wallet.address), 1);
  const { token } = await at();
  const [found] = (await (await fetch(service.url + path, { headers: token })).json()) as SpendingSession[];
  assert.equal(found?.transactionsUsed, 1);
  await end(service);
});
