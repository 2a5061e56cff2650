/** The exchanges of the demo's local networks: swaps on each chain that has any, in both directions, by the wallet's own native actions. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { Wallet } from 'ethers';
import { readNetworks } from '../../service/networks/networks-file.ts';
import { type Account, anvilAccount, machineAccount } from '../../demo/networks/exchanges/account.ts';
import { addExchanges } from '../../demo/networks/exchanges/index.ts';
import { PUBLIC_NETWORKS } from '../../demo/networks/networks.ts';
import type { LocalNetwork } from '../../demo/networks/local-network.ts';
import { LOCAL_NETWORKS } from '../../demo/networks/start-networks.ts';
import type { LocalVechain } from '../../demo/networks/vechain.ts';
import type { OrderType } from '../../src/api/swap.ts';
import type { Chain } from '../../src/chains/chain.ts';
import type { Node } from '../../src/chains/terms.ts';
import { loadChain } from '../../src/chains/index.ts';
import { parseNetworks } from '../../src/chains/nodes/networks.ts';
import type { SecretType } from '../../src/chains/secret-type.ts';
import type { ConnectError } from '../../src/base/errors.ts';
import { entriesOf } from '../../src/swaps/entry.ts';
import { createSwap, swapPairs, swapRates } from '../../src/swaps/index.ts';
import { pause } from '../waiting.ts';
import { carryOut } from './swaps-setup.ts';

/** A request, or one of VeChain's clauses. */
type Call = Record<'to' | 'data', string> & Partial<Record<'value' | 'amount', string>>;

interface Facts {
  /** What one transaction contains: VeChain's approval and swap go together. */
  types: string[];
  /** The maximum fees of a swap, in the coin. */
  fee: bigint;
  /** An amount of dollars that is large for each exchange's pool. */
  much: Record<string, string>;
  /** Each exchange's error for an expired deadline; GoChain's node gives no reason. */
  late: Record<string, RegExp>;
  /** An account that holds them. */
  whale(local: LocalNetwork): Promise<Account>;
}

const whaleOf =
  (index: number, gasPrice?: bigint) =>
  ({ network }: LocalNetwork) =>
    anvilAccount(network.nodes[0]!, index, gasPrice);

const FACTS: { [S in SecretType]?: Facts } = {
  ETHEREUM: {
    types: ['ETH_TRANSACTION', 'ETH_TRANSACTION'],
    fee: 10n ** 17n,
    much: { 'Uniswap V2': '200000', 'Uniswap V3': '200000' },
    late: { 'Uniswap V2': /EXPIRED/, 'Uniswap V3': /too old/ },
    whale: whaleOf(0),
  },
  GOCHAIN: {
    types: ['GO_TRANSACTION', 'GO_TRANSACTION'],
    fee: 10n ** 18n,
    much: { GoSwap: '500' },
    late: { GoSwap: /will fail/ },
    whale: whaleOf(1, 2_000_000_000_000n),
  },
  VECHAIN: {
    types: ['VET_TRANSACTION'],
    fee: 0n,
    much: { VeSwap: '800', 'VeSwap V3': '100' },
    late: { VeSwap: /EXPIRED/, 'VeSwap V3': /too old/ },
    async whale(local) {
      const whale = machineAccount((local as LocalVechain).ledger.machine, `0x${'77'.repeat(20)}`);
      await local.give('DUSD', whale.address);
      return whale;
    },
  },
};

for (const [secretType, { types, fee, much, late, whale }] of Object.entries(FACTS) as [SecretType, Facts][])
  describe(secretType, () => {
    let local: LocalNetwork;
    let chain: Chain;
    let node: Node;
    let dusd: string;
    const wallet = new Wallet(Wallet.createRandom().privateKey);
    const parties = { from: wallet.address, to: wallet.address };
    const reach = () => ({ chain, node });
    before(async () => {
      local = await (await LOCAL_NETWORKS[secretType]!.load())({ port: 0 });
      await addExchanges(local);
      // In the second in which it was created, a pool has no price to record yet: a simulation would use less gas than the transaction.
      await pause(1100);
      chain = await loadChain(secretType);
      node = chain.node(local.network);
      dusd = local.contracts['DUSD']!;
      for (const asset of secretType === 'VECHAIN'
        ? ['VET', 'VTHO', 'DUSD']
        : [local.assets[0]!, 'DUSD', 'DCENT'])
        await local.give(asset, wallet.address);
    });
    after(() => local?.close());

    async function holds(token: string): Promise<bigint> {
      if (token === '') return BigInt((await chain.balance(wallet.address, node)).rawBalance);
      const listed = local.network.tokens.filter(({ address }) => address === token);
      const [found] = await chain.tokenBalances(wallet.address, listed, node);
      return BigInt(found!.rawBalance);
    }

    const between = (fromToken: string, toToken: string, orderType: OrderType = 'SELL') => ({
      fromSecretType: secretType,
      toSecretType: secretType,
      fromToken,
      toToken,
      orderType,
    });

    test('coins for tokens and back, by what goes in and by what comes out', async () => {
      const { network } = local;
      // As an operator would write it in `networks.json`.
      assert.deepEqual(entriesOf(parseNetworks({ networks: [network] }).networks[0]!), network.exchanges);
      assert.ok((await swapPairs(reach())).length >= 6);
      const last = network.tokens.at(-1)!.address;
      for (const [fromToken, toToken, amounts] of [
        ['', dusd, { SELL: '1', BUY: '0.5' }],
        [dusd, '', { SELL: '0.25', BUY: '0.0001' }],
        ['', last, { SELL: '3', BUY: '0.000002' }],
        [dusd, last, { SELL: '0.3', BUY: '0.000001' }],
      ] as const)
        for (const orderType of ['SELL', 'BUY'] as OrderType[]) {
          const swap = between(fromToken, toToken, orderType);
          const { bestRate, exchangeRates } = await swapRates({ ...swap, amount: amounts[orderType] }, reach);
          assert.ok(exchangeRates.includes(bestRate!));
          const { exchange, inputAmount, outputAmount } = bestRate!;
          const body = { ...swap, walletId: 'w', exchange, inputAmount, outputAmount };
          const requests = await createSwap(body, parties, reach);
          assert.deepEqual(
            requests.map(({ type }) => type),
            fromToken ? types : types.slice(0, 1),
          );
          const before = [await holds(fromToken), await holds(toToken)];
          await carryOut({ chain, wallet, network }, requests);
          const spent = before[0]! - (await holds(fromToken));
          const gained = (await holds(toToken)) - before[1]!;
          const [input, output] = [BigInt(bestRate!.rawInputAmount!), BigInt(bestRate!.rawOutputAmount!)];
          assert.ok(gained <= output && gained >= output - (toToken ? 0n : fee), `${gained} of ${output}`);
          assert.ok(spent >= input && spent <= input + (fromToken ? 0n : fee), `${spent} of ${input}`);
        }
    });

    test('rates take no more rounds for a hundred more tokens', async () => {
      const more = Array.from({ length: 100 }, (_, i) => ({
        address: `0x${(i + 1).toString(16).padStart(40, '9')}`,
        symbol: `M${i}`,
        name: '',
        decimals: 18,
        logo: '',
      }));
      const counts: number[][] = [];
      for (const others of [[], more]) {
        const fresh = chain.node({ ...local.network, tokens: [...local.network.tokens, ...others] });
        const taken: number[] = [];
        for (let i = 0; i < 3; i++) {
          const { rounds } = fresh;
          await swapRates({ ...between('', dusd), amount: '1' }, () => ({ chain, node: fresh }));
          taken.push(fresh.rounds - rounds);
        }
        counts.push(taken);
      }
      const exchanges = local.network.exchanges!.length;
      // For each exchange: one round for the pools, one for the prices.
      const expected = [2 * exchanges, exchanges, exchanges];
      assert.deepEqual(counts, [expected, expected]);
    });

    for (const [name, words] of Object.entries(late))
      test(`${name}: what is older than its deadline says so, and loses nothing`, async () => {
        const swap = { ...between('', dusd), exchange: name, walletId: 'w', inputAmount: '0.5' };
        const ready = await createSwap(swap, parties, reach);
        // The only word that is a timestamp of this century: the deadline.
        const old = JSON.parse(JSON.stringify(ready).replace(/(0{56})[67][0-9a-f]{7}/, '$150000000'));
        assert.notDeepEqual(old, ready);
        const held = await holds(dusd);
        await assert.rejects(carryOut({ chain, wallet, network: local.network }, old), words);
        assert.equal(await holds(dusd), held);
        await carryOut({ chain, wallet, network: local.network }, ready);
        assert.ok((await holds(dusd)) > held);
      });

    for (const [name, amount] of Object.entries(much))
      test(`${name}: somebody is faster after the rate: nothing is built, and what was built loses nothing`, async () => {
        const swap = { ...between(dusd, ''), exchange: name, walletId: 'w', inputAmount: '0.2' };
        const { exchangeRates } = await swapRates({ ...between(dusd, ''), amount: '0.2' }, reach);
        const { outputAmount } = exchangeRates.find(({ exchange }) => exchange === name)!;
        const ready = await createSwap({ ...swap, outputAmount }, parties, reach);
        const somebody = await whale(local);
        const first = await createSwap(
          { ...swap, inputAmount: amount, slippage: 50 },
          { from: somebody.address, to: somebody.address },
          reach,
        );
        for (const request of first)
          for (const { to, data, value, amount: sent } of ('clauses' in request
            ? request.clauses
            : [request]) as Call[])
            await somebody.call(to, data, BigInt(value ?? sent ?? 0));
        await assert.rejects(createSwap({ ...swap, outputAmount }, parties, reach), (error: ConnectError) => {
          assert.match(error.code, /^swap\.[a-z0-9-]+\.get-price\.failed$/);
          assert.match(error.shortMessage, /price has moved/);
          return true;
        });
        const held = await holds(dusd);
        await assert.rejects(carryOut({ chain, wallet, network: local.network }, ready), /will fail|failed/);
        assert.equal(await holds(dusd), held);
      });
  });

test('a server does not start with invalid exchanges', () => {
  const folder = mkdtempSync(join(tmpdir(), 'exchanges-'));
  const path = join(folder, 'networks.json');
  const base = {
    id: 'x',
    secretType: 'ETHEREUM',
    name: 'X',
    kind: 'local',
    chainId: 1,
    nodes: ['http://n.test'],
  };
  const written = (network: object) => {
    writeFileSync(path, JSON.stringify({ networks: [network] }));
    return () => readNetworks(path);
  };
  try {
    assert.throws(
      written({ ...base, exchanges: [{ kind: 'uniswap-v3', name: 'V3' }] }),
      /invalid exchanges on x:[^]*quoter/,
    );
    assert.throws(
      written({ ...base, secretType: 'BITCOIN', exchanges: [{}] }),
      /There are no exchanges on BITCOIN/,
    );
    assert.ok(PUBLIC_NETWORKS.networks.flatMap(entriesOf).length > 10);
    assert.equal(written(base)().networks.length, 1);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
