/** Deposits to watched wallets on an EVM chain: what is told, when, and that it is told once. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { parseEther } from 'ethers';
import type { HistoryEntry } from '../../src/api/history.ts';
import type { ListedWalletWebhook, Watch } from '../../src/api/wallet-event.ts';
import type { Wallet } from '../../src/api/wallet.ts';
import { readNetworks } from '../../service/networks/networks-file.ts';
import { startService } from '../../service/server.ts';
import { DEADLINE_MS, poll } from '../waiting.ts';
import { PATIENT_DELIVERIES } from './webhooks-setup.ts';
import { FAST_SCANS, inWords, startTold, type Told } from './deposits-setup.ts';
import { newLog } from './logs.ts';
import { type Chain, ERC20, startChain } from './wallet-payments-setup.ts';

const NETWORK = 'ethereum-local';
const CONFIRMATIONS = 3;

let chain: Chain;
let told: Told;

before(async () => {
  chain = await startChain();
  const tokens = chain.network.tokens.filter(({ symbol }) => symbol !== 'DCENT');
  const coin = { symbol: 'POL' };
  told = await startTold([{ ...chain.network, tokens, coin, confirmations: CONFIRMATIONS }]);
});
after(async () => {
  await told?.close();
  await chain?.close();
});

const head = async (): Promise<number> => Number(await chain.rpc<string>('eth_blockNumber'));
const scanned = (): Promise<void> => told.scanned(NETWORK, head);
const payer = (): string => chain.accounts[0]!;
const receiptOf = (hash: string) =>
  chain.rpc<Record<string, string> | null>('eth_getTransactionReceipt', hash);

/** Enough blocks for everything that waits, all of them read and everything delivered. */
async function settled(): Promise<void> {
  await chain.mine(CONFIRMATIONS);
  await scanned();
  await poll(async () => (await told.deliveries('?state=waiting')).length === 0, 'the deliveries');
}

async function reorganise(depth: number): Promise<void> {
  await chain.rpc('anvil_reorg', depth, []);
}

test('a coin is told after its confirmations, with every figure exact', async () => {
  const wallet = await told.watched('ETHEREUM', { identifier: 'customer 7' });
  const hash = await chain.send(payer(), wallet.address, 1_234_567_890_123_456_789n);
  await chain.mine(CONFIRMATIONS - 2);
  await scanned();
  assert.deepEqual(told.deposits(wallet.id), []);
  await chain.mine(1);
  await poll(() => told.deposits(wallet.id).length === 1, 'the deposit');
  const [{ data }] = told.deposits(wallet.id) as [ReturnType<Told['deposits']>[number]];
  const { blockNumber, blockHash } = await chain.rpc<Record<string, string>>(
    'eth_getTransactionReceipt',
    hash,
  );
  assert.deepEqual(data, {
    wallet: { id: wallet.id, address: wallet.address, secretType: 'ETHEREUM', identifier: 'customer 7' },
    deposit: {
      transactionHash: hash,
      place: 'coin:0',
      network: NETWORK,
      from: data.deposit.from,
      to: wallet.address,
      amount: { value: '1.234567890123456789', raw: '1234567890123456789', decimals: 18, symbol: 'POL' },
      block: Number(blockNumber),
      blockHash,
      confirmations: CONFIRMATIONS,
    },
  });
  assert.equal(data.deposit.from!.toLowerCase(), payer().toLowerCase());
});

test('a listed token is told with the decimals of the list; others, nothing, and what failed are not', async () => {
  const wallet = await told.watched();
  const [first, second] = chain.accounts as [string, string];
  const dusd = chain.token('DUSD');
  await chain.sendToken(first, dusd, wallet.address, 5n * 10n ** 17n);
  await chain.sendToken(second, chain.token('DCENT'), wallet.address, 250n);
  // Twice the same.
  await chain.send(first, wallet.address, 7n);
  await chain.send(first, wallet.address, 7n);
  await chain.send(first, wallet.address, 0n);
  await chain.sendToken(first, dusd, wallet.address, 0n);
  const tooMuch = ERC20.encodeFunctionData('transfer', [wallet.address, 10n ** 40n]);
  await chain.send(first, dusd, 0n, tooMuch, { gas: '0x30000' });
  await settled();
  assert.deepEqual(told.deposits(wallet.id).map(inWords).sort(), [
    '0.000000000000000007 POL',
    '0.000000000000000007 POL',
    '0.5 DUSD',
  ]);
  const [token] = told.deposits(wallet.id).filter(({ data }) => data.deposit.amount.symbol === 'DUSD');
  assert.equal(token!.data.deposit.amount.tokenAddress, dusd);
});

test('coins that a failed transaction would have brought are not told', async () => {
  const wallet = await told.watched();
  const [first] = chain.accounts as [string];
  // Code that always reverts, at the wallet's address for the time of the transaction.
  await chain.rpc('anvil_setCode', wallet.address, '0x60006000fd');
  const hash = await chain.send(first, wallet.address, 5n, '0x', { gas: '0x30000' });
  await poll(async () => (await receiptOf(hash))?.['status'] === '0x0', 'its block');
  await chain.rpc('anvil_setCode', wallet.address, '0x');
  await chain.send(first, wallet.address, 6n);
  await settled();
  assert.deepEqual(
    told.deposits(wallet.id).map(({ data }) => data.deposit.amount.raw),
    ['6'],
  );
});

test('what a wallet sends to itself is not told, what it sends to another watched one is', async () => {
  const [from, to] = [await told.watched(), await told.watched()];
  await chain.local.fund(from.address, parseEther('1'));
  for (const recipient of [from, to])
    assert.equal(
      (
        await told.shop.execute({
          type: 'ETH_TRANSACTION',
          walletId: from.id,
          to: recipient.address,
          value: '1000',
        })
      ).outcome,
      '200',
    );
  await settled();
  assert.deepEqual(told.deposits(from.id).map(inWords), ['1 POL']);
  assert.deepEqual(told.deposits(to.id).map(inWords), ['0.000000000000001 POL']);
});

test('a deposit whose block was replaced before its confirmations is told for the block that it is in at last', async () => {
  const wallet = await told.watched();
  const hash = await chain.send(payer(), wallet.address, 99n);
  await chain.mine(1);
  await scanned();
  const seen = await told.shop.service.service.db
    .selectFrom('deposits')
    .select('block_hash')
    .where('wallet_id', '=', wallet.id)
    .execute();
  assert.equal(seen.length, 1);
  await reorganise(2);
  await scanned();
  // anvil leaves out the transactions of the blocks that it replaces.
  await settled();
  assert.deepEqual(told.deposits(wallet.id), []);
  const again = await chain.send(payer(), wallet.address, 99n);
  assert.notEqual(again, hash);
  await settled();
  assert.deepEqual(
    told.deposits(wallet.id).map(({ data }) => data.deposit.transactionHash),
    [again],
  );
});

test('coins are in the history of a watched wallet: pending, confirmed, and gone with their block', async () => {
  const wallet = await told.watched();
  const history = async (): Promise<string[]> => {
    const path = `/api/wallets/${wallet.id}/transactions?direction=in&network=${NETWORK}`;
    const { body } = await told.shop.call<HistoryEntry[]>(told.shop.shop, 'GET', path);
    return body.map(({ transactionHash, status, amount, from, to }) => {
      assert.deepEqual([from!.toLowerCase(), to], [payer().toLowerCase(), wallet.address]);
      return `${transactionHash} ${status} ${amount!.value} ${amount!.symbol}`;
    });
  };
  const snapshot = await chain.rpc<string>('evm_snapshot');
  const gone = await chain.send(payer(), wallet.address, 11n * 10n ** 18n);
  await scanned();
  assert.deepEqual(await history(), [`${gone} pending 11 POL`]);
  await chain.rpc('evm_revert', snapshot);
  const kept = await chain.send(payer(), wallet.address, 12n * 10n ** 18n);
  await settled();
  assert.deepEqual(await history(), [`${kept} confirmed 12 POL`]);
  // Announced, it stays, whatever is asked of nodes afterwards.
  await told.shop.service.service.db
    .updateTable('arrival_looks')
    .set({ looked_at: new Date(0) })
    .execute();
  assert.deepEqual(await history(), [`${kept} confirmed 12 POL`]);
  const left = await chain.send(payer(), wallet.address, 13n * 10n ** 18n);
  await scanned();
  await told.unwatch(wallet.id);
  await chain.mine(CONFIRMATIONS);
  await told.shop.service.service.db
    .updateTable('arrival_looks')
    .set({ looked_at: new Date(0) })
    .execute();
  // Two payments of one second are in no order.
  await poll(async () => (await history()).includes(`${left} confirmed 13 POL`), 'what a node says of it');
});

test('a chain that goes back to an earlier block is followed before it is as long again', async () => {
  const wallet = await told.watched();
  const snapshot = await chain.rpc<string>('evm_snapshot');
  const gone = await chain.send(payer(), wallet.address, 11n);
  await chain.mine(1);
  await scanned();
  await chain.rpc('evm_revert', snapshot);
  const kept = await chain.send(payer(), wallet.address, 12n);
  assert.notEqual(kept, gone);
  // No block is as high as the last that was read.
  await poll(async () => {
    const rows = await told.shop.service.service.db
      .selectFrom('deposits')
      .select('transaction_hash')
      .where('wallet_id', '=', wallet.id)
      .execute();
    return rows.length === 1 && rows[0]!.transaction_hash === kept;
  }, 'the other block');
  await settled();
  assert.deepEqual(
    told.deposits(wallet.id).map(({ data }) => data.deposit.transactionHash),
    [kept],
  );
});

test('a deposit that was told and is in another block afterwards is not told again', async () => {
  const wallet = await told.watched();
  const { db } = told.shop.service.service;
  const before = await head();
  const hash = await chain.send(payer(), wallet.address, 55n);
  await settled();
  assert.equal(told.deposits(wallet.id).length, 1);
  // As if the chain had had other blocks since the one before the deposit.
  await db
    .updateTable('scanned_blocks')
    .set({ hash: `0x${'ab'.repeat(32)}` })
    .where('network', '=', NETWORK)
    .where('number', '>', String(before))
    .execute();
  await db
    .updateTable('scan_cursors')
    .set({ position_hash: `0x${'ab'.repeat(32)}` })
    .where('network', '=', NETWORK)
    .execute();
  await chain.mine(1);
  await poll(
    () => told.shop.service.log.some((line) => line.includes('a chain was reorganised')),
    'the way back',
  );
  await settled();
  assert.deepEqual(
    told.deposits(wallet.id).map(({ data }) => data.deposit.transactionHash),
    [hash],
  );
});

test('blocks that were mined while no node answered are read afterwards', async () => {
  const wallet = await told.watched();
  await scanned();
  chain.node.down = true;
  await chain.send(payer(), wallet.address, 21n);
  await chain.mine(40);
  await chain.send(payer(), wallet.address, 22n);
  chain.node.down = false;
  await settled();
  assert.deepEqual(
    told
      .deposits(wallet.id)
      .map(({ data }) => data.deposit.amount.raw)
      .sort(),
    ['21', '22'],
  );
});

test('a wallet that is watched no more is not told of, not even of what waits for confirmations', async () => {
  const [gone, kept] = [await told.watched(), await told.watched()];
  for (const { address } of [gone, kept]) await chain.send(payer(), address, 31n);
  await scanned();
  await told.unwatch(gone.id);
  await settled();
  assert.deepEqual(told.deposits(gone.id), []);
  assert.equal(told.deposits(kept.id).length, 1);
  await told.watch(gone.id);
  await chain.send(payer(), gone.address, 32n);
  await settled();
  assert.deepEqual(
    told.deposits(gone.id).map(({ data }) => data.deposit.amount.raw),
    ['32'],
  );
});

test('watching says the network and the confirmations, and is in the list of wallets', async () => {
  const { shop, clientId } = { ...told, clientId: told.shop.clientId };
  const wallet = await shop.wallet('ETHEREUM');
  const path = `/api/wallets/${wallet.id}/watch`;
  assert.equal((await shop.call(shop.shop, 'GET', path)).outcome, '404 request.not-found');
  const first = await shop.call<Watch>(shop.shop, 'PUT', path);
  const { since, ...rest } = first.body;
  assert.deepEqual(rest, { walletId: wallet.id, network: NETWORK, confirmations: CONFIRMATIONS });
  assert.ok(Date.now() - Date.parse(since) < DEADLINE_MS);
  assert.deepEqual((await shop.call<Watch>(shop.shop, 'PUT', path)).body, first.body);
  assert.deepEqual((await shop.call<Watch>(shop.shop, 'GET', path)).body, first.body);
  const ids = async (query: string): Promise<string[]> =>
    (await shop.call<Wallet[]>(shop.shop, 'GET', `/api/wallets?${query}`)).body.map(({ id }) => id);
  assert.ok((await ids('watched=true')).includes(wallet.id));
  assert.ok(!(await ids('watched=false')).includes(wallet.id));
  assert.equal((await shop.call(shop.shop, 'DELETE', path)).outcome, '200');
  assert.equal((await shop.call(shop.shop, 'DELETE', path)).outcome, '200');
  assert.ok((await ids('watched=false')).includes(wallet.id));
  // Somebody else's, and a user's own token.
  const { access_token: stranger } = await shop.service.tokens([
    'view:wallets',
    'use:all-wallets',
    'webhooks',
  ]);
  assert.equal((await shop.call(stranger, 'PUT', path)).outcome, '403 wallet.forbidden');
  const user = await shop.user();
  const own = await user.wallet();
  assert.equal((await user.call('PUT', `/api/wallets/${own.id}/watch`)).outcome, '403 token.scope');
  // The application may, with use:all-wallets.
  assert.equal((await shop.call(shop.shop, 'PUT', `/api/wallets/${own.id}/watch`)).outcome, '200');
  await chain.send(payer(), own.address, 41n);
  await settled();
  assert.equal(told.deposits(own.id).length, 1);
  const listed = await shop.call<ListedWalletWebhook[]>(shop.shop, 'GET', '/api/webhooks');
  assert.ok(clientId && listed.body.some(({ id }) => id === told.webhook.id));
});

test('two processes that read the same chain tell a deposit once', async () => {
  const { config, service } = told.shop.service;
  const wallet = await told.watched();
  const second = await startService(
    { ...config, databaseUrl: config.databaseUrl ?? (await urlOf(config.dataFolder)), port: 0 },
    { scans: FAST_SCANS, deliveries: { everyMs: 20, ...PATIENT_DELIVERIES }, logTo: newLog() },
  );
  try {
    for (let i = 1; i <= 10; i++) {
      await chain.send(payer(), wallet.address, BigInt(i));
      // The lease goes back and forth.
      await service.db
        .updateTable('scan_cursors')
        .set({ next_look_at: new Date() })
        .where('leased_until', 'is', null)
        .execute();
    }
    await settled();
    assert.deepEqual(
      told
        .deposits(wallet.id)
        .map(({ data }) => Number(data.deposit.amount.raw))
        .sort((a, b) => a - b),
      Array.from({ length: 10 }, (_, i) => i + 1),
    );
    // Each event once, too, not only once by its id.
    const events = await service.db
      .selectFrom('events')
      .select('id')
      .where('wallet_id', '=', wallet.id)
      .where('type', '=', 'wallet.deposit')
      .execute();
    assert.equal(events.length, 10);
  } finally {
    await second.close();
  }
});

test('a node that repeats transactions and logs makes no second deposit of them', async () => {
  const wallet = await told.watched();
  const twice = (list: unknown): unknown => (Array.isArray(list) ? [...(list as unknown[]), ...list] : list);
  chain.alter = ({ method }, reply) => {
    const { result } = reply as { result?: Record<string, unknown> };
    if (method === 'eth_getLogs') return { ...reply, result: twice(result) };
    if (method === 'eth_getBlockByNumber' && result)
      return { ...reply, result: { ...result, transactions: twice(result['transactions']) } };
    return reply;
  };
  try {
    await chain.send(payer(), wallet.address, 51n);
    await chain.sendToken(payer(), chain.token('DUSD'), wallet.address, 5n * 10n ** 17n);
    await settled();
  } finally {
    chain.alter = undefined;
  }
  assert.deepEqual(told.deposits(wallet.id).map(inWords).sort(), ['0.000000000000000051 POL', '0.5 DUSD']);
});

test('a node that has no logs of a block yet is asked again by its hash, until it has the block', async () => {
  const wallet = await told.watched();
  let behind = 3;
  chain.alter = ({ method, params }, reply) => {
    if (method !== 'eth_getLogs') return reply;
    if (!('blockHash' in (params![0] as object))) return { ...reply, result: [] };
    return behind-- > 0 ? { id: reply.id, error: { code: -32000, message: 'unknown block' } } : reply;
  };
  try {
    await chain.sendToken(payer(), chain.token('DUSD'), wallet.address, 5n * 10n ** 17n);
    await settled();
  } finally {
    chain.alter = undefined;
  }
  assert.ok(behind < 0);
  assert.deepEqual(told.deposits(wallet.id).map(inWords), ['0.5 DUSD']);
});

test('a node that cannot be asked by the hash of a block is believed, and holds up nothing', async () => {
  const wallet = await told.watched();
  let refusals = 0;
  chain.alter = ({ method, params }, reply) => {
    if (method !== 'eth_getLogs') return reply;
    if (!('blockHash' in (params![0] as object))) return { ...reply, result: [] };
    refusals++;
    return { id: reply.id, error: { code: -32602, message: 'invalid argument 0' } };
  };
  try {
    await chain.sendToken(payer(), chain.token('DUSD'), wallet.address, 10n ** 17n);
    await chain.send(payer(), wallet.address, 52n);
    await settled();
  } finally {
    chain.alter = undefined;
  }
  assert.equal(refusals, 1);
  assert.deepEqual(told.deposits(wallet.id).map(inWords), ['0.000000000000000052 POL']);
});

test('confirmations that no block could bring stop the start', () => {
  const file = join(told.shop.service.folder, 'confirmations.json');
  for (const confirmations of [0, 201, 1.5, '3', null]) {
    writeFileSync(file, JSON.stringify({ networks: [{ ...chain.network, confirmations }] }));
    assert.throws(() => readNetworks(file), /networks\[0\]\.confirmations/);
  }
});

test('metrics say how far the search is, and how many events were written', async () => {
  await scanned();
  const metrics = await (await told.shop.service.get('/metrics')).text();
  assert.match(metrics, /^deposit_scan_lag_blocks\{network="ethereum-local"\} 0$/m);
  assert.match(metrics, /^deposit_scan_block_age_seconds\{network="ethereum-local"\} \d/m);
  assert.match(metrics, /^deposit_scan_failures\{network="ethereum-local"\} 0$/m);
  assert.match(metrics, /^wallet_events_total\{type="wallet.deposit"\} [1-9]/m);
});

async function urlOf(folder: string): Promise<string> {
  const { runningCluster } = await import('../../service/database/embedded/cluster.ts');
  const { user, password, host, port, database } = (await runningCluster(folder))!;
  return `postgres://${user}:${String(password)}@${host}:${port}/${database}`;
}
