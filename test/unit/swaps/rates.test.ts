import { expect } from '@open-wc/testing';
import { JsonRpc } from '../../../src/chains/evm/json-rpc.ts';
import type { Network } from '../../../src/chains/network.ts';
import type { ConnectError } from '../../../src/base/errors.ts';
import { entriesOf } from '../../../src/swaps/entry.ts';
import { type Reach, swapPairs, swapRates } from '../../../src/swaps/index.ts';
import { poll } from '../../waiting.ts';
import { PageClock } from '../clock.ts';

const at = (digit: string): string => `0x${digit.repeat(40)}`;
const word = (value: bigint): string => value.toString(16).padStart(64, '0');
const EXCHANGE = { kind: 'uniswap-v2', router: at('1'), wrapped: at('2'), fee: 0.3, bases: [] } as const;
const TOKEN = { address: at('5'), symbol: 'TEST', name: 'Test', decimals: 6, logo: '' };

/** Two exchanges whose factories and pools answer by `answer(address, selector)`; undefined means no answer ever. */
function reach(
  answer: (to: string, selector: string) => string | undefined,
  exchanges = ['3', '4'],
  coin?: Network['coin'],
): Reach {
  const network: Network = {
    id: 'test',
    secretType: 'ETHEREUM',
    name: 'Test',
    kind: 'local',
    chainId: 1,
    nodes: ['http://node.test'],
    tokens: [TOKEN],
    coin,
    exchanges: exchanges.map((digit) => ({
      ...EXCHANGE,
      bases: [],
      name: `Dex ${digit}`,
      factory: at(digit),
    })),
  };
  const node = new JsonRpc(network, {
    fetch: async (_, init) => {
      const calls = [JSON.parse(String(init!.body))].flat() as {
        id: number;
        method: string;
        params: [{ to: string; data: string }];
      }[];
      const results = calls.map(({ id, method, params: [call] }) => ({
        id,
        jsonrpc: '2.0',
        result:
          method === 'eth_chainId'
            ? '0x1'
            : method === 'eth_gasPrice'
              ? '0x77359400'
              : answer(call.to, call.data.slice(0, 10)),
      }));
      if (results.some(({ result }) => result === undefined)) await new Promise(() => {});
      return new Response(JSON.stringify(results.length === 1 ? results[0] : results));
    },
  });
  return { chain: { secretType: 'ETHEREUM', isAddress: () => true }, node };
}

const RESERVES = '0x0902f1ac';
/** One pool per factory; the first has more of the token. */
function twoPools(to: string, selector: string): string | undefined {
  if (selector !== RESERVES) return `0x${word(BigInt(to === at('3') ? at('6') : at('7')))}`;
  return `0x${word(10n ** 21n)}${word(to === at('6') ? 4_000_000_000n : 3_000_000_000n)}${word(0n)}`;
}
const query = (other: object = {}) => ({
  fromSecretType: 'ETHEREUM' as const,
  toSecretType: 'ETHEREUM' as const,
  fromToken: '',
  toToken: at('5'),
  amount: '1',
  orderType: 'SELL' as const,
  ...other,
});

describe('rates', () => {
  it('say about what the network takes for each, at the price of gas now', async () => {
    const { exchangeRates } = await swapRates(query(), () => reach(twoPools));
    // 135,000 gas at 2 gwei.
    expect(exchangeRates.map(({ networkFee }) => networkFee)).to.deep.equal(
      Array(2).fill({ symbol: 'ETH', decimals: 18, amount: 0.00027, rawAmount: '270000000000000' }),
    );
  });

  it('and pairs are of the network’s own coin', async () => {
    const polygon = reach(twoPools, ['3', '4'], { symbol: 'POL' });
    const { bestRate } = await swapRates(query(), () => polygon);
    expect(bestRate!.networkFee!.symbol).to.equal('POL');
    const pairs = await swapPairs(polygon);
    expect(new Set(pairs.flatMap(({ from, to }) => [from.symbol, to.symbol]))).to.deep.equal(
      new Set(['POL', 'TEST']),
    );
  });

  it('say what each exchange gives, the best among them', async () => {
    const node = reach(twoPools);
    const { exchangeRates, bestRate, noRates } = await swapRates(query(), () => node);
    expect(
      exchangeRates.map(({ exchange, rawOutputAmount }) => `${exchange} ${rawOutputAmount}`),
    ).to.deep.equal(['Dex 3 3984027', 'Dex 4 2988020']);
    expect(bestRate === exchangeRates[0]).to.equal(true);
    expect(noRates).to.equal(undefined);
    expect(bestRate).to.deep.include({
      orderType: 'SELL',
      inputAmount: 1,
      outputAmount: 3.984027,
      slippage: 0.5,
      fee: 0.3,
    });
    const bought = await swapRates(query({ orderType: 'BUY' }), () => node);
    expect(bought.bestRate!.exchange).to.equal('Dex 3');
    expect(bought.bestRate!.outputAmount).to.equal(1);
  });

  it('do not wait for an exchange beyond the deadline', async () => {
    let isSlowOneCalled = false;
    const slow = reach((to, selector) => {
      isSlowOneCalled ||= to === at('7');
      return to === at('7') ? undefined : twoPools(to, selector);
    });
    const clock = new PageClock();
    const answer = swapRates(query(), () => slow, { deadline: 50 });
    try {
      // Between two exchanges, others have their turn.
      const look = async (): Promise<boolean> => {
        await clock.pass(0);
        return isSlowOneCalled && clock.waiting === 1;
      };
      await poll(look, 'an answer of all others');
      await clock.pass(50);
    } finally {
      clock.restore();
    }
    const { exchangeRates, noRates } = await answer;
    expect(exchangeRates.map(({ exchange }) => exchange)).to.deep.equal(['Dex 3']);
    expect(noRates!.map(({ code, message }) => `${code}: ${message}`)).to.deep.equal([
      'swap.dex-4.get-price.failed: Dex 4 did not answer in time.',
    ]);
  });

  it('do not exist between chains, for NEO, or if the chain cannot be reached', async () => {
    const empty = { exchangeRates: [], bestRate: null };
    const never = (): never => expect.fail('nothing is asked');
    expect(await swapRates(query({ toSecretType: 'VECHAIN' }), never)).to.deep.equal(empty);
    expect(await swapRates(query({ fromSecretType: 'NEO', toSecretType: 'NEO' }), never)).to.deep.equal(
      empty,
    );
    expect(
      await swapRates(query({ fromSecretType: 'TRON', toSecretType: 'TRON' }), () => undefined),
    ).to.deep.equal(empty);
  });

  it('treat invalid node answers as an exchange without a price', async () => {
    for (const answer of ['0x', '0x01', `0x${'f'.repeat(64)}`, `0x${'f'.repeat(640)}`]) {
      const odd = reach((to, selector) => (selector === RESERVES ? answer : twoPools(to, selector)));
      const { bestRate, noRates } = await swapRates(query(), () => odd);
      expect(bestRate).to.equal(null);
      expect(noRates!.length).to.equal(2);
      const lost = reach(() => answer);
      expect((await swapRates(query(), () => lost)).bestRate).to.equal(null);
    }
  });

  it('do not immediately ask again for missing pools', async () => {
    let reads = 0;
    const none = reach(() => {
      reads++;
      return `0x${word(0n)}`;
    });
    await swapRates(query(), () => none);
    const first = reads;
    await swapRates(query(), () => none);
    expect(reads).to.equal(first);
  });
});

describe('pairs', () => {
  it('go both ways, with empty text for the coin', async () => {
    const pairs = await swapPairs(reach(twoPools));
    const [coin, token] = [
      { secretType: 'ETHEREUM', symbol: 'ETH', tokenAddress: '' },
      { secretType: 'ETHEREUM', symbol: 'TEST', tokenAddress: at('5') },
    ];
    expect(pairs).to.deep.equal([
      { from: coin, to: token },
      { from: token, to: coin },
    ]);
  });

  it('are of the first 100 tokens: they grow with the square', async () => {
    const long = reach((_, selector) => (selector === RESERVES ? '0x' : `0x${word(BigInt(at('6')))}`), ['3']);
    long.node.network.tokens = Array.from({ length: 300 }, (_, i) => ({
      ...TOKEN,
      address: `0x${(i + 1000).toString(16).padStart(40, '0')}`,
    }));
    expect((await swapPairs(long)).length).to.equal(101 * 100);
  });

  it('are asked for again after an error', async () => {
    let down = true;
    const node = reach((to, selector) => (down ? '0x' : twoPools(to, selector)));
    const error = await swapPairs(node).catch((caught: unknown) => caught);
    expect((error as ConnectError).code).to.equal('swap.dex-3.exchange-not-found');
    down = false;
    expect((await swapPairs(node)).length).to.equal(2);
  });
});

describe('exchanges in networks.json', () => {
  const entry = {
    kind: 'uniswap-v2',
    name: 'Uniswap V2',
    factory: at('3'),
    router: at('1'),
    wrapped: at('2'),
  };
  const read = (...exchanges: object[]) => entriesOf({ id: 'test', exchanges });

  it('need little', () => {
    expect(read(entry)[0]).to.deep.include({ fee: 0.3, bases: [] });
    const v3 = { ...entry, kind: 'uniswap-v3', quoter: at('8') };
    expect((read(v3)[0] as { fees: number[] }).fees).to.deep.equal([0.01, 0.05, 0.3, 1]);
    expect(entriesOf({ id: 'test' })).to.deep.equal([]);
  });

  it('are refused with what is wrong', () => {
    for (const bad of [
      [{ ...entry, kind: 'uniswap-v9' }],
      [{ ...entry, router: '0x12' }],
      [{ ...entry, name: 'a.b' }],
      [{ ...entry, fee: 100 }],
      [{ ...entry, kind: 'uniswap-v3' }],
      [entry, { ...entry, name: 'uniswap V2' }],
    ])
      expect(() => read(...bad), JSON.stringify(bad)).to.throw(
        /networks.json is not valid for test at: exchanges/,
      );
  });
});
