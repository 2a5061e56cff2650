/** The demo's THORChain on its local chains: the wallet's offers carried out between each two, and what is not noticed on each. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { MaxUint256, ZeroAddress } from 'ethers';
import { utils } from 'tronweb';
import { systemClock } from '../../src/base/clock.ts';
import { litecoindPath, startBitcoinNetwork } from '../../demo/networks/bitcoin.ts';
import type { LocalUtxo } from '../../demo/networks/esplora.ts';
import { type LocalEthereum, startEthereum } from '../../demo/networks/ethereum.ts';
import { startLitecoinNetwork } from '../../demo/networks/litecoin.ts';
import {
  type LocalThorchain,
  type RunningThorchain,
  startThorchain,
} from '../../demo/networks/thorchain/index.ts';
import { ROUTER_ABI } from '../../demo/networks/thorchain/sides/ethereum.ts';
import { type LocalTron, startTronNetwork } from '../../demo/networks/tron.ts';
import { fromThor, toThor } from '../../src/swaps/cross-chain/thorchain/assets.ts';
import { checkAtTwoNodes } from '../../src/swaps/cross-chain/thorchain/check.ts';
import { readCrossChain } from '../../src/swaps/cross-chain/entry.ts';
import { ThorNodes } from '../../src/swaps/cross-chain/thorchain/nodes.ts';
import { Offers } from '../../src/swaps/cross-chain/thorchain/offer.ts';
import { ethereumCustomer, tronCustomer, utxoCustomer } from './thorchain-setup.ts';

const missing = litecoindPath() ? false : 'litecoind is not installed';

let bitcoin: LocalUtxo;
let litecoin: LocalUtxo;
let ethereum: LocalEthereum;
let tron: LocalTron;
let front: LocalThorchain;
let thorchain: RunningThorchain;
let customers: {
  BTC: Awaited<ReturnType<typeof utxoCustomer>>;
  LTC: Awaited<ReturnType<typeof utxoCustomer>>;
  ETH: Awaited<ReturnType<typeof ethereumCustomer>>;
  TRON: ReturnType<typeof tronCustomer>;
};
type Chain = keyof typeof customers;

before(async () => {
  if (missing) return;
  [bitcoin, litecoin, ethereum, tron] = await Promise.all([
    startBitcoinNetwork({ port: 0 }),
    startLitecoinNetwork({ port: 0 }),
    startEthereum({ port: 0 }),
    startTronNetwork({ port: 0 }),
  ]);
  bitcoin.mining = litecoin.mining = false;
  // Blocks that the scanner of Tron stays behind.
  for (let i = 0; i < 20; i++) tron.ledger.mine();
  front = (await startThorchain({ networks: [bitcoin, litecoin, ethereum, tron], port: 0 }))!;
  thorchain = await front.running();
  thorchain.dropLeastFee();
  customers = {
    BTC: await utxoCustomer(bitcoin, 'Alice', 'BTC'),
    LTC: await utxoCustomer(litecoin, 'Alice', 'LTC'),
    ETH: await ethereumCustomer(ethereum, 'Alice'),
    TRON: tronCustomer(tron, 'Alice'),
  };
  await bitcoin.fund(customers.BTC.address, 10n ** 9n);
  await litecoin.fund(customers.LTC.address, 10n ** 10n);
  await tron.fund(customers.TRON.address, 10n ** 12n);
});
after(async () => {
  await front?.close();
  customers?.ETH.provider.destroy();
  await Promise.all([bitcoin, litecoin, ethereum, tron].map((network) => network?.close()));
});
beforeEach(() => {
  thorchain?.books.mimir.delete('HALTTRADING');
});

/** Until every deposit has its confirmations and every output is in a block. */
async function settle(): Promise<void> {
  for (let i = 0; i < 3; i++) {
    await thorchain.engine.tick();
    await Promise.all(thorchain.sides.filter(({ name }) => name !== 'TRON').map((side) => side.mine()));
    for (let block = 0; block < 22; block++) tron.ledger.mine();
  }
  await thorchain.engine.tick();
  assert.deepEqual(
    thorchain.engine.queue.map(({ failure }) => failure),
    [],
  );
}

const vault = (chain: Chain): string => thorchain.vaultOn(chain);
const router = (): string => thorchain.sides.find(({ name }) => name === 'ETH')!.router!;
const DECIMALS: Record<Chain, number> = { BTC: 8, LTC: 8, ETH: 18, TRON: 6 };
const COINS: Record<Chain, string> = { BTC: 'BTC.BTC', LTC: 'LTC.LTC', ETH: 'ETH.ETH', TRON: 'TRON.TRX' };
const AMOUNTS: Record<Chain, bigint> = { BTC: 10n ** 6n, LTC: 10n ** 8n, ETH: 10n ** 8n, TRON: 10n ** 11n };

function deposit(to: string, memo: string, amount: bigint, asset = ZeroAddress, expiry = MaxUint256): string {
  return ROUTER_ABI.encodeFunctionData('depositWithExpiry', [to, asset, amount, memo, expiry]);
}

/** As each chain carries it. `amount` in hundred-millionths. */
const send: Record<Chain, (memo: string, amount: bigint) => Promise<string>> = {
  BTC: (memo, value) =>
    customers.BTC.send([
      { address: vault('BTC'), value },
      { data: memo, value: 0n },
    ]),
  LTC: (memo, value) =>
    customers.LTC.send([
      { address: vault('LTC'), value },
      { data: memo, value: 0n },
    ]),
  ETH: (memo, amount) => {
    const value = fromThor(amount, 18);
    return customers.ETH.send({ to: router(), value, data: deposit(vault('ETH'), memo, value) });
  },
  TRON: (memo, amount) =>
    customers.TRON.send(
      'TransferContract',
      { to_address: utils.address.toHex(vault('TRON')).toLowerCase(), amount: Number(fromThor(amount, 6)) },
      memo,
    ),
};

const reasonsOf = (chain: Chain): string[] =>
  thorchain.sides.find(({ name }) => name === chain)!.skipped.map(({ reason }) => reason);

describe('THORChain on the local chains', { skip: missing }, () => {
  for (const from of Object.keys(COINS) as Chain[])
    for (const to of (Object.keys(COINS) as Chain[]).filter((chain) => chain !== from))
      test(`an offer of the wallet for ${to} is paid out of ${from} to the last unit`, async () => {
        const networks = [bitcoin, litecoin, ethereum, tron].map(({ network }) => network);
        const { entries, issues } = readCrossChain({ networks, crossChain: [front.entry] });
        assert.deepEqual(issues, []);
        const nodes = new ThorNodes(entries[0]!, { clock: systemClock });
        await thorchain.engine.tick();
        const offer = await new Offers(nodes).offer({
          from: COINS[from],
          to: COINS[to],
          amount: AMOUNTS[from],
          recipient: customers[to].address,
          slippage: 5_000n,
        });
        await checkAtTwoNodes(offer, nodes, entries[0]!.routers);
        const held = await customers[to].balance();
        const hash = await send[from](offer.memo, offer.amount);
        await settle();
        const swap = thorchain.engine.swaps.get(hash)!;
        assert.equal(swap.reason, undefined);
        const [paid] = swap.outs;
        assert.ok(paid!.amount >= offer.limit);
        // Nothing else has moved the pools since.
        assert.equal(paid!.amount, offer.price.output);
        assert.equal((await customers[to].balance()) - held, fromThor(paid!.amount, DECIMALS[to]));
        const status = await nodes.first((node) => node.status(hash));
        assert.equal(status.stages.outbound_signed?.completed, true);
        assert.equal(status.out_txs?.[0]?.coins?.[0]?.amount, offer.price.output);
      });

  test('a token goes through the router in both directions', async () => {
    const { DCENT } = ethereum.contracts;
    const asset = `ETH.DCENT-${DCENT.toUpperCase()}`;
    const inUnits = (to: string, amount: bigint) =>
      customers.ETH.send({
        to: DCENT,
        data: `0x095ea7b3${to.slice(2).padStart(64, '0')}${amount.toString(16).padStart(64, '0')}`,
      });
    const balance = async (): Promise<bigint> =>
      BigInt(
        await customers.ETH.provider.call({
          to: DCENT,
          data: `0x70a08231${customers.ETH.address.slice(2).padStart(64, '0')}`,
        }),
      );
    await ethereum.give('DCENT', customers.ETH.address);
    await inUnits(router(), 100_000_000n);
    const sold = await customers.ETH.send({
      to: router(),
      data: deposit(vault('ETH'), `=:l:${customers.LTC.address}:1`, 100_000_000n, DCENT),
    });
    const bought = await send.LTC(`=:ETH.DCENT:${customers.ETH.address}:1`, AMOUNTS.LTC);
    const held = await balance();
    await settle();
    const { deposit: seen, outs } = thorchain.engine.swaps.get(sold)!;
    assert.deepEqual([seen.asset, seen.amount], [asset, toThor(100_000_000n, 6)]);
    assert.equal(outs[0]!.asset, 'LTC.LTC');
    const [paid] = thorchain.engine.swaps.get(bought)!.outs;
    assert.equal((await balance()) - held, fromThor(paid!.amount, 6));
  });

  test('a refund comes back to the sender, less the fee, on every chain', async () => {
    thorchain.books.mimir.set('HALTTRADING', 1);
    for (const chain of Object.keys(COINS) as Chain[]) {
      const hash = await send[chain](
        `=:${chain === 'LTC' ? 'b' : 'l'}:${customers.BTC.address}:1`,
        AMOUNTS[chain],
      );
      const held = await customers[chain].balance();
      await settle();
      const [paid] = thorchain.engine.swaps.get(hash)!.outs;
      assert.equal(paid!.isRefund, true, chain);
      assert.equal((await customers[chain].balance()) - held, fromThor(paid!.amount, DECIMALS[chain]));
    }
  });

  test('Bitcoin: two data outputs are one memo, and a refund goes to the address of input 0, not to that of the change', async () => {
    thorchain.books.mimir.set('HALTTRADING', 1);
    const carol = await utxoCustomer(bitcoin, 'Carol', 'BTC');
    const { address } = await utxoCustomer(bitcoin, 'Bob', 'BTC');
    await bitcoin.fund(carol.address, 10n ** 7n);
    await bitcoin.mine();
    const memo = `=:e:${customers.ETH.address}:1`;
    const hash = await carol.send(
      [
        { address: vault('BTC'), value: AMOUNTS.BTC },
        { data: memo.slice(0, 20), value: 0n },
        { data: memo.slice(20), value: 0n },
        { address, value: 10_000n },
      ],
      { change: address },
    );
    assert.equal(await carol.balance(), 0n);
    await settle();
    const { deposit: seen, outs } = thorchain.engine.swaps.get(hash)!;
    assert.equal(seen.memo, memo);
    assert.equal(outs[0]!.to, carol.address);
    assert.equal(await carol.balance(), outs[0]!.amount);
  });

  test('Bitcoin: it does not notice other vaults, dust, many outputs or later locktimes', async () => {
    const { swaps } = thorchain.engine;
    const memo = `=:e:${customers.ETH.address}:1`;
    const { address } = await utxoCustomer(bitcoin, 'Bob', 'BTC');
    const crowd = (many: number) => Array.from({ length: many }, () => ({ address, value: 1_000n }));
    const data = { data: memo, value: 0n };
    const hashes = [
      await customers.BTC.send([{ address, value: AMOUNTS.BTC }, data]),
      await customers.BTC.send([{ address: vault('BTC'), value: 9_999n }, data]),
      await customers.BTC.send([{ address: vault('BTC'), value: AMOUNTS.BTC }, data, ...crowd(9)]),
      await customers.BTC.send([{ address: vault('BTC'), value: AMOUNTS.BTC }, ...crowd(11)]),
      await customers.BTC.send([{ address: vault('BTC'), value: AMOUNTS.BTC }]),
      await customers.BTC.send([{ address: vault('BTC'), value: AMOUNTS.BTC }, data], {
        locktime: 400_000_000,
      }),
    ];
    await settle();
    for (const hash of hashes) assert.equal(swaps.get(hash), undefined);
    assert.deepEqual(
      new Set(reasonsOf('BTC')),
      new Set(['too many outputs with value', 'too many outputs', 'locktime in the future']),
    );
    const reasons = thorchain.engine.ignored
      .filter(({ hash }) => hashes.includes(hash))
      .map(({ reason }) => reason);
    assert.deepEqual(reasons, ['below the dust threshold', 'no memo']);
  });

  test('Ethereum: an expired deposit reverts, and it does not notice contracts, other vaults and unlisted tokens', async () => {
    const { ETH } = customers;
    const value = fromThor(AMOUNTS.ETH, 18);
    const memo = `=:b:${customers.BTC.address}:1`;
    const expired = await ETH.send({
      to: router(),
      value,
      data: deposit(vault('ETH'), memo, value, ZeroAddress, 1n),
    });
    const elsewhere = await ETH.send({ to: router(), value, data: deposit(ETH.address, memo, value) });
    // Says yes to everything.
    const token = `0x${'77'.repeat(20)}`;
    await ETH.provider.send('anvil_setCode', [token, '0x600160005260206000f3']);
    const unlisted = await ETH.send({ to: router(), data: deposit(vault('ETH'), memo, 9n, token) });
    await settle();
    assert.equal(thorchain.engine.ignored.find(({ hash }) => hash === unlisted)?.reason, 'unlisted token');
    // A delegated account: the code of one that has signed an EIP-7702 authorisation.
    await ETH.provider.send('anvil_setCode', [ETH.address, `0xef0100${'11'.repeat(20)}`]);
    const delegated = await ETH.send({ to: router(), value, data: deposit(vault('ETH'), memo, value) });
    await settle();
    await ETH.provider.send('anvil_setCode', [ETH.address, '0x']);
    // Code for an account, in the same transaction.
    const authorizationList = [await ETH.wallet.authorize({ address: router() })];
    const direct = { to: vault('ETH'), value, data: `0x${Buffer.from(memo).toString('hex')}` };
    const authorizing = await ETH.send({ ...direct, type: 4, authorizationList });
    await settle();
    await ETH.provider.send('anvil_setCode', [ETH.address, '0x']);
    for (const hash of [expired, elsewhere, unlisted, delegated, authorizing])
      assert.equal(thorchain.engine.swaps.get(hash), undefined);
    assert.deepEqual(reasonsOf('ETH'), [
      'failed',
      'deposit to no vault',
      'sender has code',
      'type of transaction',
    ]);
    // Coins with the memo as data are noticed, too.
    const plain = await ETH.send(direct);
    await settle();
    assert.equal(thorchain.engine.swaps.get(plain)!.outs[0]!.isRefund, false);
  });

  test('Ethereum: coins to a contract that takes none bounce, and the router says that they were sent', async () => {
    const { NFT } = ethereum.contracts;
    const held = await customers.ETH.provider.getBalance(NFT);
    const hash = await send.BTC(`=:e:${NFT}:1`, AMOUNTS.BTC);
    await settle();
    const [paid] = thorchain.engine.swaps.get(hash)!.outs;
    const receipt = await customers.ETH.provider.getTransactionReceipt(`0x${paid!.paid!.hash.toLowerCase()}`);
    const event = ROUTER_ABI.parseLog(receipt!.logs[0]!)!;
    assert.equal(event.name, 'TransferOut');
    assert.equal(event.args[1], NFT);
    assert.equal(hash, hash.toUpperCase());
    assert.equal(event.args[4], `OUT:${hash}`);
    assert.equal(await customers.ETH.provider.getBalance(NFT), held);
  });

  test('Tron: it does not notice what has no data, fails, or is no direct transfer of a listed token', async () => {
    const { TRON } = customers;
    const { DUSD } = tron.contracts as { DUSD: string };
    await tron.give('DUSD', TRON.address);
    const to = (): string => vault('TRON');
    const call = (name: string, types: string[], values: unknown[], memo: string) =>
      TRON.send(
        'TriggerSmartContract',
        {
          contract_address: utils.address.toHex(DUSD).toLowerCase(),
          call_value: 0,
          data: `${name}${utils.abi.encodeParams(types, values).slice(2)}`,
        },
        memo,
      );
    const memo = `=:l:${customers.LTC.address}:1`;
    const amount = (10n ** 20n).toString();
    const silent = await send.TRON('', AMOUNTS.TRON);
    const failed = await call('a9059cbb', ['address', 'uint256'], [to(), (10n ** 30n).toString()], memo);
    await call('095ea7b3', ['address', 'uint256'], [TRON.address, amount], '');
    const indirect = await call(
      '23b872dd',
      ['address', 'address', 'uint256'],
      [TRON.address, to(), amount],
      memo,
    );
    const direct = await call('a9059cbb', ['address', 'uint256'], [to(), amount], memo);
    await settle();
    for (const hash of [silent, failed, indirect]) assert.equal(thorchain.engine.swaps.get(hash), undefined);
    assert.deepEqual(reasonsOf('TRON'), ['failed', 'not a direct transfer']);
    const { deposit: seen, outs } = thorchain.engine.swaps.get(direct)!;
    assert.deepEqual([seen.asset, seen.amount], [`TRON.DUSD-${DUSD.toUpperCase()}`, toThor(10n ** 20n, 18)]);
    assert.equal(outs[0]!.isRefund, false);
  });

  test('after a churn the new vault pays, and deposits to the old one still count, also those of before', async () => {
    const old = vault('LTC');
    const unread = await send.ETH(`=:l:${customers.LTC.address}:1`, AMOUNTS.ETH);
    await thorchain.churn();
    assert.notEqual(vault('LTC'), old);
    const hash = await customers.LTC.send([
      { address: old, value: AMOUNTS.LTC },
      { data: `=:e:${customers.ETH.address}:1`, value: 0n },
    ]);
    await settle();
    const [paid] = thorchain.engine.swaps.get(hash)!.outs;
    assert.equal(paid!.paid!.from, vault('ETH'));
    assert.equal(thorchain.engine.swaps.get(unread)!.outs[0]!.isRefund, false);
  });
});
