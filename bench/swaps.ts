/**
 * Node round trips of rates, by the number of tokens, and how long the best rate takes, compared with ethers calling one contract after
 * another. And the requests to THORChain's nodes of an offer between two chains, and of its check at two of them.
 */
import { systemClock } from '../src/base/clock.ts';
import { performance } from 'node:perf_hooks';
import { Contract, JsonRpcProvider, parseEther, solidityPacked } from 'ethers';
import { addExchanges } from '../demo/networks/exchanges/index.ts';
import { startEthereum } from '../demo/networks/ethereum.ts';
import { startThorchain } from '../demo/networks/thorchain/index.ts';
import { startTronNetwork } from '../demo/networks/tron.ts';
import { table } from '../scripts/sizes.ts';
import type { RatesQuery } from '../src/api/swap.ts';
import { loadChain } from '../src/chains/index.ts';
import type { Network, Token } from '../src/chains/network.ts';
import { checkAtTwoNodes } from '../src/swaps/cross-chain/thorchain/check.ts';
import { ThorNodes } from '../src/swaps/cross-chain/thorchain/nodes.ts';
import { Offers } from '../src/swaps/cross-chain/thorchain/offer.ts';
import { type ExchangeEntry, entriesOf } from '../src/swaps/entry.ts';
import { swapRates } from '../src/swaps/index.ts';
import { startCounter } from './counter.ts';
import { median } from './median.ts';

const TOKENS = [3, 30, 300];
const TIMES = 15;
const AMOUNT = '1';

/** `count` tokens: the real ones first, then tokens without a pool. */
function lengthened(tokens: readonly Token[], count: number): Token[] {
  const others = Array.from({ length: Math.max(0, count - tokens.length) }, (_, i) => ({
    ...tokens[0]!,
    address: `0x${(i + 1).toString(16).padStart(40, '9')}`,
    symbol: `MORE${i}`,
  }));
  return [...tokens, ...others].slice(0, count);
}

/** The direct path and those over the bases, as the exchanges build them. */
function paths({ wrapped, bases }: ExchangeEntry, to: string): string[][] {
  return [[wrapped, to], ...bases.filter((base) => base !== to).map((base) => [wrapped, base, to])];
}

/** Every route of both exchanges, one call after another. */
async function byEthers(provider: JsonRpcProvider, network: Network, to: string): Promise<bigint> {
  const amount = parseEther(AMOUNT);
  const answers: Promise<bigint>[] = [];
  const ask = async (answer: Promise<bigint>): Promise<void> => {
    answers.push(answer.catch(() => 0n));
    await answers.at(-1);
  };
  for (const entry of entriesOf(network))
    for (const path of paths(entry, to)) {
      if (entry.kind === 'uniswap-v2') {
        const abi = ['function getAmountsOut(uint256, address[]) view returns (uint256[])'];
        const router = new Contract(entry.router, abi, provider);
        await ask(
          router
            .getFunction('getAmountsOut')(amount, path)
            .then((all: bigint[]) => all.at(-1)!),
        );
        continue;
      }
      if (entry.kind !== 'uniswap-v3') continue;
      const abi = [
        'function quoteExactInput(bytes, uint256) returns (uint256, uint160[], uint32[], uint256)',
      ];
      const quoter = new Contract(entry.quoter, abi, provider).getFunction('quoteExactInput');
      const tiers = entry.fees.map((percent) => Math.round(percent * 10_000));
      const choices =
        path.length === 2 ? tiers.map((a) => [a]) : tiers.flatMap((a) => tiers.map((b) => [a, b]));
      for (const fees of choices) {
        const parts = path.flatMap((token, i) => (i ? [fees[i - 1]!, token] : [token]));
        const types = parts.map((part) => (typeof part === 'number' ? 'uint24' : 'address'));
        await ask(quoter.staticCall(solidityPacked(types, parts), amount).then(([out]: [bigint]) => out));
      }
    }
  return (await Promise.all(answers)).reduce((best, out) => (out > best ? out : best));
}

async function times(work: () => Promise<unknown>): Promise<string> {
  const taken: number[] = [];
  for (let i = 0; i < TIMES; i++) {
    const start = performance.now();
    await work();
    taken.push(performance.now() - start);
  }
  return `${median(taken).toFixed(1)} ms`;
}

export async function swaps(): Promise<string> {
  return [await rates(), await betweenChains()].join('\n\n');
}

/** From ETH to TRX. */
async function betweenChains(): Promise<string> {
  const networks = await Promise.all([startEthereum({ port: 0 }), startTronNetwork({ port: 0 })]);
  const thorchain = (await startThorchain({ networks, port: 0 }))!;
  const counters = await Promise.all(thorchain.nodes.map(({ url }) => startCounter(url)));
  try {
    await (await thorchain.running()).engine.tick();
    const operators = counters.map(({ url }, i) => ({ url, operator: `${i}` }));
    const nodes = new ThorNodes({ nodes: operators }, { clock: systemClock });
    const offers = new Offers(nodes);
    const ask = () =>
      offers.offer({
        from: 'ETH.ETH',
        to: 'TRON.TRX',
        amount: 10n ** 8n,
        recipient: 'TMazs4f2ybMjGf7WXAx4uiRf2T7XtMC6qt',
        slippage: 5_000n,
      });
    const [one, other] = counters as [(typeof counters)[0], (typeof counters)[0]];
    const row = async (name: string, work: () => Promise<unknown>): Promise<string[]> => {
      const both = await one.during(() => other.during(work));
      const counts = [both.count, both.result.count];
      const rounds = Math.max(...counts.map((count) => count.rounds));
      return [name, `${rounds}`, `${counts.reduce((sum, { requests }) => sum + requests, 0)}`];
    };
    const offer = await ask();
    return table(
      ['between chains', 'rounds', 'requests'],
      [
        await row('an offer, pools known', ask),
        await row('an offer, first time', () => new Offers(nodes).offer(offer)),
        await row('its check at two nodes', () => checkAtTwoNodes(offer, nodes, thorchain.entry.routers)),
      ],
    );
  } finally {
    await Promise.all(counters.map((counter) => counter.close()));
    await thorchain.close();
    await Promise.all(networks.map((network) => network.close()));
  }
}

async function rates(): Promise<string> {
  const local = await startEthereum({ port: 0 });
  const counter = await startCounter(local.url);
  const provider = new JsonRpcProvider(counter.url, undefined, {
    staticNetwork: true,
    batchMaxCount: 1,
    cacheTimeout: -1,
  });
  try {
    await addExchanges(local);
    const chain = await loadChain('ETHEREUM');
    const to = local.contracts['DCENT']!;
    const query: RatesQuery = {
      fromSecretType: 'ETHEREUM',
      toSecretType: 'ETHEREUM',
      toToken: to,
      amount: AMOUNT,
      orderType: 'SELL',
    };
    const rows: string[][] = [];
    let best: string | undefined;
    for (const count of TOKENS) {
      const tokens = lengthened(local.network.tokens, count);
      const node = chain.node({ ...local.network, tokens, nodes: [counter.url] });
      const rate = () => swapRates(query, () => ({ chain, node }));
      const first = await counter.during(rate);
      const next = await counter.during(rate);
      best = next.result.bestRate?.rawOutputAmount;
      rows.push([
        `ETH for DCENT, ${count} tokens listed`,
        ...[first, next].flatMap(({ count: { rounds, requests } }) => [String(rounds), String(requests)]),
        await times(rate),
      ]);
    }
    const network = { ...local.network, nodes: [counter.url] };
    const ask = () => byEthers(provider, network, to);
    const first = await counter.during(ask);
    const next = await counter.during(ask);
    if (String(next.result) !== best) throw new Error(`ethers has ${next.result}, the best rate is ${best}.`);
    rows.push([
      'the same routes by ethers, one by one',
      ...[first, next].flatMap(({ count: { rounds, requests } }) => [String(rounds), String(requests)]),
      await times(ask),
    ]);
    return table(
      [
        'rates of two exchanges',
        'rounds, first time',
        'requests',
        'rounds, pools known',
        'requests',
        'best rate after',
      ],
      rows,
    );
  } finally {
    provider.destroy();
    await counter.close();
    await local.close();
  }
}
