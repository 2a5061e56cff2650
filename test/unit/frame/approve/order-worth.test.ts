import { expect } from '@open-wc/testing';
import type { Amount } from '../../../../src/chains/coin.ts';
import { JsonRpc } from '../../../../src/chains/evm/json-rpc.ts';
import type { Network } from '../../../../src/chains/network.ts';
import { compareWorth } from '../../../../src/frame/approve/order-worth.ts';
import type { Reach } from '../../../../src/swaps/index.ts';
import { TestClock } from '../../clock.ts';

const SOURCE = 'https://prices.invalid/v1';
const real = window.fetch;
const at = (digit: string): string => `0x${digit.repeat(40)}`;
const word = (value: bigint): string => value.toString(16).padStart(64, '0');
const USDC = { address: at('c'), symbol: 'USDC', name: 'USD Coin', decimals: 6, logo: '' };
const RESERVES = '0x0902f1ac';

const usdc = (whole: bigint): Amount => ({
  raw: whole * 10n ** 6n,
  decimals: 6,
  symbol: 'USDC',
  token: at('c'),
});
const eth = (milli: bigint): Amount => ({ raw: milli * 10n ** 15n, decimals: 18, symbol: 'ETH' });
const item: Amount = { raw: 1n, decimals: 0, symbol: '0x7070…7070 #7', token: at('7') };
const unlisted: Amount = { raw: 1n, decimals: null, symbol: '0x7070…7070', token: at('7') };

/** One pool of 1,000 ETH and as many USDC as the price says. */
function reach(price: bigint, more: Partial<Network> = {}): Reach {
  const network: Network = {
    id: 'local',
    secretType: 'ETHEREUM',
    name: 'Local',
    kind: 'local',
    chainId: 1,
    nodes: ['http://node.test'],
    tokens: [USDC],
    exchanges: [
      {
        kind: 'uniswap-v2',
        name: 'Dex',
        router: at('1'),
        wrapped: at('2'),
        factory: at('3'),
        fee: 0.3,
        bases: [],
      },
    ],
    ...more,
  };
  const answer = (selector: string) =>
    selector === RESERVES
      ? `0x${word(10n ** 21n)}${word(price * 1000n * 10n ** 6n)}${word(0n)}`
      : `0x${word(BigInt(at('6')))}`;
  const node = new JsonRpc(network, {
    fetch: async (_, init) => {
      const calls = [JSON.parse(String(init!.body))].flat();
      const results = calls.map(({ id, method, params: [asked] }: any) => ({
        id,
        jsonrpc: '2.0',
        result:
          method === 'eth_chainId'
            ? '0x1'
            : method === 'eth_gasPrice'
              ? '0x1'
              : answer(asked.data.slice(0, 10)),
      }));
      return new Response(JSON.stringify(results.length === 1 ? results[0] : results));
    },
  });
  return { chain: { secretType: 'ETHEREUM', isAddress: () => true }, node };
}

describe('what an order is worth', () => {
  const clock = new TestClock();
  const unpriced = { networks: { networks: [] } as never, clock };
  const compare = (place: Reach, gives: Amount[], gets: Amount[], frame = unpriced) =>
    compareWorth(frame, place, gives, gets);

  it('without prices is the rate of a listed exchange, if it is of two listed assets', async () => {
    const place = reach(2000n);
    expect(await compare(place, [usdc(200n)], [eth(100n)])).to.equal('fair');
    expect(await compare(place, [usdc(200n)], [eth(500n)])).to.equal('fair');
    expect(await compare(place, [usdc(200n)], [eth(51n)])).to.equal('fair');
    expect(await compare(place, [usdc(200n)], [eth(49n)])).to.equal('poor');
    expect(await compare(place, [eth(100n)], [usdc(99n)])).to.equal('poor');
    expect(await compare(place, [usdc(200n)], [usdc(200n)])).to.equal('fair');
    expect(await compare(place, [usdc(200n)], [usdc(199n)])).to.equal('poor');
  });

  it('is not known of items, unlisted and several assets, on networks without exchanges, and where the exchange is too small', async () => {
    const place = reach(2000n);
    for (const [gives, gets] of [
      [[item], [eth(100n)]],
      [[usdc(200n)], [item]],
      [[unlisted], [eth(100n)]],
      [[usdc(200n)], [unlisted]],
      [[usdc(200n), eth(1n)], [eth(100n)]],
      [[usdc(200n)], []],
      [[usdc(2_000_000n)], [eth(1n)]],
    ] as const)
      expect(await compare(place, [...gives], [...gets])).to.equal(undefined);
    expect(await compare(reach(2000n, { exchanges: [] }), [usdc(200n)], [eth(100n)])).to.equal(undefined);
    // An item of a contract that the operator lists as a token.
    const named = { ...item, token: USDC.address };
    expect(await compare(place, [named], [eth(100n)])).to.equal(undefined);
  });

  describe('with prices', () => {
    let price: number | undefined;
    beforeEach(() => {
      localStorage.setItem('carabiner:currency', 'USD');
      window.fetch = async (input, init) => {
        if (!String(input).startsWith(SOURCE)) return real(input, init);
        const when = Math.floor(clock.date() / 1000);
        const prices = price === undefined ? {} : { local: { price, at: when } };
        return Response.json({
          currency: 'USD',
          prices: { [`local/${at('c')}`]: { price: 1, at: when }, ...prices },
        });
      };
    });
    afterEach(() => {
      window.fetch = real;
      localStorage.removeItem('carabiner:currency');
      localStorage.removeItem('carabiner:prices');
    });
    const priced = () => ({
      networks: { networks: [], fiat: { source: 'http', url: SOURCE } } as never,
      clock,
    });

    it('is what they say, for several assets as well', async () => {
      price = 2000;
      const place = reach(2000n);
      expect(await compare(place, [usdc(200n)], [eth(51n)], priced())).to.equal('fair');
      expect(await compare(place, [usdc(200n)], [eth(49n)], priced())).to.equal('poor');
      expect(await compare(place, [usdc(100n), eth(50n)], [eth(49n)], priced())).to.equal('poor');
      expect(await compare(place, [usdc(200n)], [usdc(199n)], priced())).to.equal('poor');
    });

    it('is the exchange’s rate where one of the two has no price', async () => {
      price = undefined;
      expect(await compare(reach(2000n), [usdc(200n)], [eth(100n)], priced())).to.equal('fair');
      expect(await compare(reach(2000n, { exchanges: [] }), [usdc(200n)], [eth(100n)], priced())).to.equal(
        undefined,
      );
    });
  });
});
