/** Coins that THORChain's router pays out of itself: a deposit only where the balance rose, too, whoever else says so. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { parseEther, ZeroAddress } from 'ethers';
import { EthereumSide, ROUTER_ABI, routerOf } from '../../demo/networks/thorchain/sides/ethereum.ts';
import { findCoins } from '../../src/chains/evm/incoming-coins.ts';
import { TRANSFER_OUT } from '../../src/chains/evm/payout-logs.ts';
import type { CoinLook } from '../../src/chains/nodes/incoming.ts';
import { loadChain } from '../../service/networks/chains.ts';
import { poll } from '../waiting.ts';
import { startTold, type Told } from './deposits-setup.ts';
import { type Chain, startChain } from './wallet-payments-setup.ts';

const NETWORK = 'ethereum-local';
/** Says in a log what its caller wants it to say: two topics, and the data. */
const LIAR = `0x602035600035${`7f${TRANSFER_OUT.slice(2)}`}60403603806040600037${'6000a3'}00`;
const LIAR_AT = `0x${'11'.repeat(20)}`;
/** Takes nothing. */
const REVERTS = '0x60006000fd';
const TAKES_OTHERS_THAN_700 = '0x6102bc3414600957005b60006000fd';

let chain: Chain;
let told: Told;
let side: EthereumSide;

before(async () => {
  chain = await startChain();
  const { address, codeHash } = await routerOf(chain.local.url);
  side = await EthereumSide.start(chain.local.url, []);
  assert.equal(side.router, address.toLowerCase());
  const entry = {
    kind: 'thorchain',
    name: 'THORChain',
    nodes: ['localhost', '127.0.0.1'].map((host) => ({ url: `http://${host}:1`, operator: host })),
    routers: [{ network: NETWORK, address, codeHash }],
    assets: [
      { network: NETWORK, name: 'ETH.ETH' },
      { network: 'bitcoin-local', name: 'BTC.BTC' },
    ],
  };
  const bitcoin = {
    id: 'bitcoin-local',
    secretType: 'BITCOIN' as const,
    name: 'Bitcoin',
    kind: 'local' as const,
    nodes: [],
    tokens: [],
  };
  const networks = [{ ...chain.network, confirmations: 1 }, bitcoin];
  told = await startTold(
    [],
    {},
    { networks: { networks, customNodes: false, reported: [], crossChain: [entry] } },
  );
  await chain.rpc('anvil_setCode', LIAR_AT, LIAR);
});
after(async () => {
  await told?.close();
  await side?.close();
  await chain?.close();
});

const head = async (): Promise<number> => Number(await chain.rpc<string>('eth_blockNumber'));
const payer = (): string => chain.accounts[0]!;

/** As a vault does, which anybody can. */
const payOut = (to: string, amount: bigint, from = payer()): Promise<string> =>
  chain.send(
    from,
    side.router,
    amount,
    ROUTER_ABI.encodeFunctionData('transferOut', [to, ZeroAddress, amount, 'OUT:']),
    { gas: '0x30d40' },
  );

/** The same log by a contract that nobody lists. */
function imitate(to: string, amount: bigint): Promise<string> {
  const { topics, data } = ROUTER_ABI.encodeEventLog('TransferOut', [
    payer(),
    to,
    ZeroAddress,
    amount,
    'OUT:',
  ]);
  return chain.send(payer(), LIAR_AT, 0n, topics[1]! + topics[2]!.slice(2) + data.slice(2));
}

/** Everything in one block. */
async function inOneBlock(...sends: (() => Promise<string>)[]): Promise<string[]> {
  await chain.rpc('evm_setAutomine', false);
  const hashes: string[] = [];
  for (const send of sends) hashes.push(await send());
  await chain.mine(1);
  await chain.rpc('evm_setAutomine', true);
  const blocks = await Promise.all(
    hashes.map((hash) => chain.rpc<{ blockNumber: string }>('eth_getTransactionReceipt', hash)),
  );
  assert.equal(new Set(blocks.map(({ blockNumber }) => blockNumber)).size, 1);
  return hashes;
}

/** What the wallet in the browser finds after a look at the newest block. */
async function watching(address: string): Promise<() => Promise<string[]>> {
  const node = (await loadChain('ETHEREUM')).node({ ...chain.network, confirmations: 1 });
  const find = (looks: readonly CoinLook[]) =>
    findCoins(address, node, looks, () => undefined, [side.router]);
  const { looks } = await find([]);
  return async () =>
    (await find(looks)).items.map(({ hash = 'no hash', amount }) => `${amount.raw} ${hash}`).sort();
}

async function deposits(id: string): Promise<string[]> {
  await told.scanned(NETWORK, head);
  await poll(async () => (await told.deliveries('?state=waiting')).length === 0, 'the deliveries');
  return told
    .deposits(id)
    .map(({ data: { deposit } }) => `${deposit.amount.raw} ${deposit.transactionHash}`)
    .sort();
}

test('what the router pays is a deposit, with the vault that paid it', async () => {
  const { id, address } = await told.watched();
  const found = await watching(address);
  const amount = parseEther('0.123456789');
  const hash = await payOut(address, amount);
  assert.deepEqual(await deposits(id), [`${amount} ${hash}`]);
  assert.deepEqual(await found(), [`${amount} ${hash}`]);
  const [{ data }] = told.deposits(id) as [ReturnType<Told['deposits']>[number]];
  assert.equal(data.deposit.from!.toLowerCase(), payer().toLowerCase());
});

test('it counts beside ordinary payments, other payouts and own payments of the same block', async () => {
  const { id, address } = await told.watched();
  await chain.rpc('anvil_setBalance', address, `0x${(10n ** 18n).toString(16)}`);
  await chain.rpc('anvil_impersonateAccount', address);
  await chain.mine(1);
  const found = await watching(address);
  const other = await told.watched();
  const [out, , plain, again] = await inOneBlock(
    () => payOut(address, 500n),
    () => payOut(other.address, 9n),
    () => chain.send(payer(), address, 70n),
    () => payOut(address, 3n),
    () => chain.send(address, payer(), 1_000n, '0x', { gas: '0x5208' }),
  );
  const expected = [`500 ${out}`, `70 ${plain}`, `3 ${again}`].sort();
  assert.deepEqual(await deposits(id), expected);
  assert.deepEqual(await found(), expected);
});

test('a contract that only says the same is not believed, also beside a payment of that amount', async () => {
  const { id, address } = await told.watched();
  const found = await watching(address);
  const [, plain] = await inOneBlock(
    () => imitate(address, 800n),
    () => chain.send(payer(), address, 800n),
  );
  assert.deepEqual(await deposits(id), [`800 ${plain}`]);
  assert.deepEqual(await found(), [`800 ${plain}`]);
});

test('what the recipient did not take went back, whatever the router says, also beside a payment', async () => {
  const { id, address } = await told.watched();
  await chain.rpc('anvil_setCode', address, REVERTS);
  await chain.mine(1);
  const hash = await payOut(address, 700n);
  const { logs, status } = await chain.rpc<{ logs: { topics: string[] }[]; status: string }>(
    'eth_getTransactionReceipt',
    hash,
  );
  assert.deepEqual([status, logs[0]!.topics[0]], ['0x1', TRANSFER_OUT]);
  assert.deepEqual(await deposits(id), []);

  // Nobody can tell which of two it took, so neither counts.
  const picky = await told.watched();
  await chain.rpc('anvil_setCode', picky.address, TAKES_OTHERS_THAN_700);
  await chain.mine(1);
  const found = await watching(picky.address);
  await inOneBlock(
    () => payOut(picky.address, 700n),
    () => payOut(picky.address, 500n),
  );
  assert.equal(BigInt(await chain.rpc<string>('eth_getBalance', picky.address, 'latest')), 500n);
  assert.deepEqual(await deposits(picky.id), []);
  assert.deepEqual(await found(), []);
  const taken = await payOut(picky.address, 600n);
  assert.deepEqual(await deposits(picky.id), [`600 ${taken}`]);
  assert.deepEqual(await found(), [`600 ${taken}`]);
});
