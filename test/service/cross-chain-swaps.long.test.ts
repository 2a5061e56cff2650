/** Swaps between each two of the demo's chains of THORChain, created and executed by the service. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { litecoindPath } from '../../demo/networks/bitcoin.ts';
import { fromThor } from '../../src/swaps/cross-chain/thorchain/assets.ts';
import { type Border, type BorderChain, type Crossing, startBorder } from './cross-chain-setup.ts';

const missing = litecoindPath() ? false : 'litecoind is not installed';

interface Coin {
  chain: BorderChain;
  token?: string;
  decimals: number;
  amount: string;
}
/** Less in all than a vault has of each. */
const COINS: Coin[] = [
  { chain: 'BITCOIN', decimals: 8, amount: '0.001' },
  { chain: 'LITECOIN', decimals: 8, amount: '0.7' },
  { chain: 'ETHEREUM', decimals: 18, amount: '0.03' },
  { chain: 'TRON', decimals: 6, amount: '1500' },
  { chain: 'ETHEREUM', token: 'DCENT', decimals: 6, amount: '90' },
  { chain: 'TRON', token: 'DUSD', decimals: 18, amount: '90' },
];

let border: Border;
before(async () => {
  if (missing) return;
  border = await startBorder(['BITCOIN', 'LITECOIN', 'ETHEREUM', 'TRON']);
});
after(async () => {
  await border?.close();
});

const nameOf = ({ chain, token }: Coin): string => `${token ?? 'coins'} of ${chain}`;

describe('swaps between chains through the service', { skip: missing }, () => {
  for (const source of COINS)
    for (const target of COINS.filter(({ chain }) => chain !== source.chain))
      test(`${nameOf(source)} arrive as ${nameOf(target)}, as the books of THORChain say`, async () => {
        const { chain: to, token: toToken } = target;
        const crossing: Crossing = {
          from: source.chain,
          to,
          amount: source.amount,
          ...(source.token && { fromToken: source.token }),
          ...(toToken && { toToken }),
        };
        const had = await border.holds(to, toToken);
        const { rate, swap } = await border.cross(crossing);
        assert.equal(swap.reason, undefined);
        assert.equal(swap.outs.length, 1);
        const [{ amount, isRefund }] = swap.outs as [(typeof swap.outs)[0]];
        assert.equal(isRefund, false);
        const received = (await border.holds(to, toToken)) - had;
        assert.equal(received, fromThor(amount, target.decimals));
        assert.ok(received >= BigInt(rate.crossChain!.rawMinimumOutput));
      });
});
