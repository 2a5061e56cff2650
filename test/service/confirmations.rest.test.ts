/** A transaction is confirmed at the network's confirmations. Before that a reorganisation may remove its block, and it is sent again. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { JsonRpcProvider, Wallet as Key } from 'ethers';
import { type Anvil, startAnvil } from '../../demo/networks/anvil.ts';
import { startNodeProxy } from '../../demo/networks/node-proxy.ts';
import type { HistoryEntry } from '../../src/api/history.ts';
import type { CreatedWallet } from '../../src/api/wallet.ts';
import type { Network } from '../../src/chains/network.ts';
import { NEEDED, networkOf } from './confirmations-setup.ts';
import { type Shop, startShop } from './execute-setup.ts';

let anvil: Anvil;
let rpc: JsonRpcProvider;
let shop: Shop;
let wallet: CreatedWallet;
let network: Network;

before(async () => {
  anvil = await startAnvil('--no-mining');
  rpc = new JsonRpcProvider(anvil.url, undefined, { staticNetwork: true, cacheTimeout: -1 });
  network = networkOf(anvil);
  shop = await startShop([network]);
});
after(async () => {
  await shop?.close();
  rpc?.destroy();
  await anvil?.close();
});
beforeEach(async () => {
  wallet = await shop.wallet();
  await rpc.send('anvil_setBalance', [wallet.address, '0xde0b6b3a7640000']);
});

const mine = (blocks: number): Promise<unknown> => rpc.send('anvil_mine', [`0x${blocks.toString(16)}`]);
const stranger = (): string => Key.createRandom().address;
const pay = (to: string) => ({ type: 'ETH_TRANSACTION', walletId: wallet.id, to, value: '1000' });

type Now = Pick<HistoryEntry, 'status' | 'mined'>;

/** As its node says. */
async function now(hash: string): Promise<Now> {
  const path = `/api/transactions/${hash}/status?secretType=ETHEREUM`;
  const { status, mined } = (await shop.call<Now>(shop.shop, 'GET', path)).body;
  return { status, mined };
}

const listed = async (): Promise<HistoryEntry[]> =>
  (await shop.call<HistoryEntry[]>(shop.shop, 'GET', `/api/wallets/${wallet.id}/transactions`)).body;

test('a transaction is pending, with its block, until it has the confirmations', async () => {
  const { transactionHash } = (await shop.execute(pay(stranger()))).body;
  assert.deepEqual(await now(transactionHash), { status: 'pending', mined: null });
  for (const confirmations of [1, 2]) {
    await mine(1);
    const block = (await rpc.getTransactionReceipt(transactionHash))!.blockNumber;
    const mined = { block, confirmations, needed: NEEDED };
    assert.deepEqual(await now(transactionHash), { status: 'pending', mined });
    const [entry] = await listed();
    assert.deepEqual([entry!.status, entry!.mined], ['pending', mined]);
  }
  await mine(1);
  assert.deepEqual(await now(transactionHash), { status: 'confirmed', mined: null });
});

for (const confirmations of [1, 2])
  test(`a transaction whose block is removed after ${confirmations} confirmations is sent again, and its nonce is not lost`, async () => {
    const [to, key] = [stranger(), `reorganised-${confirmations}`];
    const fork = await rpc.send('evm_snapshot', []);
    const hash = (await shop.execute(pay(to), key)).body.transactionHash;
    await mine(confirmations);
    assert.equal((await now(hash)).mined?.confirmations, confirmations);
    await rpc.send('evm_revert', [fork]);
    await rpc.send('anvil_dropAllTransactions', []);
    assert.equal(await rpc.getTransaction(hash), null);

    // What comes next goes on, and the first comes before it.
    const next = await shop.execute(pay(to));
    assert.equal(next.outcome, '200', next.body.detail);
    assert.deepEqual(await now(hash), { status: 'pending', mined: null });
    assert.notEqual(await rpc.getTransaction(hash), null);
    const again = await shop.execute(pay(to), key);
    assert.equal(again.body.transactionHash, hash);
    await mine(NEEDED);
    for (const one of [hash, next.body.transactionHash]) assert.equal((await now(one)).status, 'confirmed');
    assert.equal(await rpc.getBalance(to), 2000n);
  });

/** A network of two nodes, of which one never answers and the other refuses what `refused` has. */
async function withDeadNode(refused: (raw: string) => boolean, work: (shop: Shop) => Promise<void>) {
  const front = await startNodeProxy({
    target: anvil.url,
    port: 0,
    refuse: ({ method, params }) =>
      method === 'eth_sendRawTransaction' && refused(String(params![0]))
        ? { code: -32000, message: 'txpool is full' }
        : undefined,
  });
  const gone = await startNodeProxy({ target: anvil.url, port: 0 });
  await gone.close();
  const other = await startShop([{ ...network, nodes: [front.url, gone.url] }]);
  try {
    wallet = await other.wallet();
    await rpc.send('anvil_setBalance', [wallet.address, '0xde0b6b3a7640000']);
    await work(other);
  } finally {
    await other.close();
    await front.close();
  }
}

test('one that no node is known to have ends when a block with its confirmations gave its nonce to another', async () => {
  const shut = { pool: true };
  await withDeadNode(
    () => shut.pool,
    async (other) => {
      const asked = await other.execute(pay(stranger()));
      assert.equal(asked.outcome, '502 node.unreachable');
      const hash = String(asked.body.details['transactionHash']);
      await rpc.send('anvil_impersonateAccount', [wallet.address]);
      await rpc.send('eth_sendTransaction', [{ from: wallet.address, to: stranger(), nonce: '0x0' }]);
      for (let confirmations = 1; confirmations <= NEEDED; confirmations++) {
        assert.equal(await other.status(hash), 'pending');
        await mine(1);
      }
      assert.equal(await other.status(hash), 'failed');
      shut.pool = false;
      const next = await other.execute(pay(stranger()));
      assert.equal(next.outcome, '200', next.body.detail);
    },
  );
});

test('one that no node is known to have can be cancelled', async () => {
  let first: string | undefined;
  await withDeadNode(
    (raw) => raw === (first ??= raw),
    async (other) => {
      const asked = await other.execute(pay(stranger()));
      assert.equal(asked.outcome, '502 node.unreachable');
      const hash = String(asked.body.details['transactionHash']);
      assert.equal((await other.execute(pay(stranger()))).outcome, '502 node.unreachable');
      const cancelled = await other.execute({ walletId: wallet.id }, undefined, `${hash}/cancel`);
      assert.equal(cancelled.outcome, '200', cancelled.body.detail);
      await mine(NEEDED);
      assert.equal(await other.status(cancelled.body.transactionHash), 'confirmed');
      assert.equal(await other.status(hash), 'failed');
    },
  );
});

test('a transaction names the one of a lower nonce that has to be in a block first', async () => {
  const hashes: string[] = [];
  for (let i = 0; i < 3; i++) hashes.unshift((await shop.execute(pay(stranger()))).body.transactionHash);
  const blocked = async () => (await listed()).map(({ blockedBy }) => blockedBy);
  assert.deepEqual(await blocked(), [hashes[2], hashes[2], undefined]);
  await mine(1);
  for (const hash of hashes) await now(hash);
  assert.deepEqual(await blocked(), [undefined, undefined, undefined]);
});
