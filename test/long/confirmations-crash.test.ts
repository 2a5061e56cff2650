/** Kills the service between a transaction's block and the reorganisation that removes it: another process sends it again, once. */
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { JsonRpcProvider, Wallet as Key } from 'ethers';
import { CHECKOUT_SCOPES } from '../../src/api/scopes.ts';
import { startAnvil } from '../../demo/networks/anvil.ts';
import type { HistoryEntry } from '../../src/api/history.ts';
import type { CreatedWallet } from '../../src/api/wallet.ts';
import { createClient } from '../../service/auth/clients.ts';
import { poll } from '../waiting.ts';
import { NEEDED, networkOf } from '../service/confirmations-setup.ts';
import { PIN } from '../service/custody-setup.ts';
import { dataIn, temporaryFolder } from '../service/harness.ts';
import {
  end,
  inDatabase,
  lookNow,
  type ServiceProcess,
  startProcess,
  tokenAt,
} from '../service/processes-setup.ts';

test('what a reorganisation removes while no process runs is sent again, and paid once', async () => {
  const anvil = await startAnvil('--no-mining');
  const rpc = new JsonRpcProvider(anvil.url, undefined, { staticNetwork: true, cacheTimeout: -1 });
  const folder = temporaryFolder();
  const settings = {
    DATA_DIR: dataIn(folder),
    NETWORKS: join(folder, 'networks.json'),
    FRAME_URL: 'http://localhost:4000',
  };
  writeFileSync(settings.NETWORKS, JSON.stringify({ networks: [networkOf(anvil)] }));
  const states = () =>
    inDatabase(settings.DATA_DIR, (db) =>
      db.selectFrom('transactions').select(['state', 'mined_block', 'confirmations']).execute(),
    );
  let service: ServiceProcess = await startProcess(settings);
  try {
    const client = await inDatabase(settings.DATA_DIR, (db) =>
      createClient(db, {
        name: 'shop',
        scopes: [...CHECKOUT_SCOPES, 'whitelabel', 'view:wallets', 'sign:wallets'],
      }),
    );
    let headers = await tokenAt(service.url, client);
    const call = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
      const response = await fetch(service.url + path, {
        method,
        headers: { 'Content-Type': 'application/json', 'Idempotency-Key': 'once', ...headers },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      assert.ok(response.ok, await response.clone().text());
      return (await response.json()) as T;
    };
    const wallet = await call<CreatedWallet>('POST', '/api/wallets', {
      walletType: 'WHITE_LABEL',
      secretType: 'ETHEREUM',
      pincode: PIN,
    });
    await rpc.send('anvil_setBalance', [wallet.address, '0xde0b6b3a7640000']);
    const to = Key.createRandom().address;
    const payment = { type: 'ETH_TRANSACTION', walletId: wallet.id, to, value: '1000', pincode: PIN };
    const fork = await rpc.send('evm_snapshot', []);
    const { transactionHash: hash } = await call<{ transactionHash: string }>(
      'POST',
      '/api/transactions/execute',
      payment,
    );
    const status = () =>
      call<Pick<HistoryEntry, 'status' | 'mined'>>(
        'GET',
        `/api/transactions/${hash}/status?secretType=ETHEREUM`,
      );
    await rpc.send('anvil_mine', ['0x2']);
    assert.equal((await status()).mined?.confirmations, 2);
    await end(service, 'SIGKILL');
    await rpc.send('evm_revert', [fork]);
    await rpc.send('anvil_dropAllTransactions', []);

    service = await startProcess(settings);
    headers = await tokenAt(service.url, client);
    await inDatabase(settings.DATA_DIR, lookNow);
    await poll(async () => (await rpc.getTransaction(hash)) !== null, 'the same transaction at the node');
    assert.deepEqual(await states(), [{ state: 'sent', mined_block: null, confirmations: null }]);
    await end(service, 'SIGKILL');
    await rpc.send('anvil_mine', [`0x${NEEDED}`]);

    service = await startProcess(settings);
    headers = await tokenAt(service.url, client);
    const again = await call<{ transactionHash: string }>('POST', '/api/transactions/execute', payment);
    assert.equal(again.transactionHash, hash);
    assert.equal((await status()).status, 'confirmed');
    assert.equal(await rpc.getBalance(to), 1000n);
    assert.equal(await rpc.getTransactionCount(wallet.address), 1);
  } finally {
    await end(service);
    rpc.destroy();
    await anvil.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
