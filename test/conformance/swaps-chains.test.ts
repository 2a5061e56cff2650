/** The exchanges of the demo's local networks: swaps on each chain that has some, both ways, by the wallet's own native actions. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Wallet } from 'ethers';
import { readNetworks } from '../../service/networks-file.ts';
import { addExchanges } from '../../demo/networks/exchanges/index.ts';
import { PUBLIC_NETWORKS } from '../../demo/networks/networks.ts';
import type { LocalNetwork } from '../../demo/networks/local-network.ts';
import { LOCAL_NETWORKS } from '../../demo/networks/start-networks.ts';
import type { OrderType } from '../../src/api/swap.ts';
import { loadChain } from '../../src/chains/index.ts';
import { parseNetworks } from '../../src/chains/networks.ts';
import type { SecretType } from '../../src/chains/secret-type.ts';
import { entriesOf } from '../../src/swaps/entry.ts';
import { createSwap, swapPairs, swapRates } from '../../src/swaps/index.ts';
import { carryOut } from './swaps-setup.ts';

/** What one transaction has to hold: VeChain's approval and swap go together. */
const REQUESTS: { [S in SecretType]?: { types: string[]; fee: bigint } } = {
  ETHEREUM: { types: ['ETH_TRANSACTION', 'ETH_TRANSACTION'], fee: 10n ** 17n },
  GOCHAIN: { types: ['GO_TRANSACTION', 'GO_TRANSACTION'], fee: 10n ** 18n },
  VECHAIN: { types: ['VET_TRANSACTION'], fee: 0n },
};

for (const [secretType, { types, fee }] of Object.entries(REQUESTS) as [
  SecretType,
  { types: string[]; fee: bigint },
][])
  test(`${secretType}: coins for tokens and back, by what goes in and by what comes out`, async () => {
    const local: LocalNetwork = await (await LOCAL_NETWORKS[secretType].load())({ port: 0 });
    try {
      await addExchanges(local);
      // In the second that it was made in, a pool has no price to note yet: a trial run would take less gas than what comes after.
      await new Promise((resolve) => setTimeout(resolve, 1100));
      const { network } = local;
      // As an operator would write it.
      assert.deepEqual(entriesOf(parseNetworks({ networks: [network] }).networks[0]!), network.exchanges);
      const chain = await loadChain(secretType);
      const node = chain.node(network);
      const wallet = new Wallet(Wallet.createRandom().privateKey);
      for (const asset of secretType === 'VECHAIN'
        ? ['VET', 'VTHO', 'DUSD']
        : [local.assets[0]!, 'DUSD', 'DCENT'])
        await local.give(asset, wallet.address);
      const pairs = await swapPairs({ chain, node });
      assert.ok(pairs.length >= 6);
      const holds = async (token: string): Promise<bigint> =>
        token === ''
          ? BigInt((await chain.balance(wallet.address, node)).rawBalance)
          : BigInt(
              (
                await chain.tokenBalances(
                  wallet.address,
                  network.tokens.filter((t) => t.address === token),
                  node,
                )
              )[0]!.rawBalance,
            );
      const parties = { from: wallet.address, to: wallet.address };
      const last = network.tokens.at(-1)!.address;
      const [dusd] = network.tokens;
      for (const [fromToken, toToken, amounts] of [
        ['', dusd!.address, { SELL: '1', BUY: '0.5' }],
        [dusd!.address, '', { SELL: '0.25', BUY: '0.0001' }],
        ['', last, { SELL: '3', BUY: '0.000002' }],
        [dusd!.address, last, { SELL: '0.3', BUY: '0.000001' }],
      ] as const)
        for (const orderType of ['SELL', 'BUY'] as OrderType[]) {
          const swap = {
            fromSecretType: secretType,
            toSecretType: secretType,
            fromToken,
            toToken,
            orderType,
          };
          const { bestRate, exchangeRates } = await swapRates(
            { ...swap, amount: amounts[orderType] },
            () => ({ chain, node }),
          );
          assert.ok(exchangeRates.includes(bestRate!));
          const { exchange, inputAmount, outputAmount } = bestRate!;
          const requests = await createSwap(
            { ...swap, walletId: 'w', exchange, inputAmount, outputAmount },
            parties,
            () => ({ chain, node }),
          );
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
    } finally {
      await local.close();
    }
  });

test('a server does not start with exchanges that cannot be', () => {
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
      /exchanges x has:[^]*quoter/,
    );
    assert.throws(
      written({ ...base, secretType: 'TRON', exchanges: [{}] }),
      /No kind of exchange is on TRON/,
    );
    assert.equal(PUBLIC_NETWORKS.networks.flatMap(entriesOf).length, 2);
    assert.equal(written(base)().networks.length, 1);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
