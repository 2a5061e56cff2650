import { expect } from '@open-wc/testing';
import { arrivals } from '../../../src/chains/contracts/arrivals.ts';
import { chain } from '../../../src/chains/tron/index.ts';
import { fromEvm } from '../../../src/chains/tron/address.ts';
import { movedBy } from '../../../src/swaps/outcome.ts';
import { fakeTron } from '../chains/tron/fake-tron.ts';

const at = (digit: string): string => `0x${digit.repeat(40)}`;
const [TOKEN, WRAPPED, ROUTER, POOL, MINE, OTHER] = [
  at('A'),
  at('b'),
  at('1'),
  at('2'),
  at('3'),
  at('4'),
] as const;
const EXCHANGE = { router: ROUTER, wrapped: WRAPPED };
const log = (token: string, from: string, to: string, raw: bigint) => ({
  token: token.toLowerCase(),
  from: from.toLowerCase(),
  to: to.toLowerCase(),
  raw,
});

describe('what a swap took and gave', () => {
  it('is what left the wallet and what came to the receiver, of tokens', () => {
    const logs = [log(TOKEN, MINE, POOL, 500n), log(WRAPPED, POOL, OTHER, 7n), log(WRAPPED, POOL, MINE, 9n)];
    const ends = { fromToken: TOKEN, toToken: WRAPPED, from: MINE, to: OTHER };
    expect(movedBy(logs, EXCHANGE, ends)).to.deep.equal({ input: 500n, output: 7n });
  });

  it('is what the router wraps and unwraps, of coins, so that what it gives back does not count', () => {
    const sold = [log(WRAPPED, ROUTER, POOL, 40n), log(TOKEN, POOL, MINE, 500n)];
    const sale = { fromToken: '', toToken: TOKEN, from: MINE, to: MINE };
    expect(movedBy(sold, EXCHANGE, sale)).to.deep.equal({ input: 40n, output: 500n });
    const bought = [log(TOKEN, MINE, POOL, 500n), log(WRAPPED, POOL, ROUTER, 39n)];
    const purchase = { fromToken: TOKEN, toToken: '', from: MINE, to: MINE };
    expect(movedBy(bought, EXCHANGE, purchase)).to.deep.equal({ input: 500n, output: 39n });
  });

  it('is not known where the logs do not show it', () => {
    const ends = { fromToken: TOKEN, toToken: '', from: MINE, to: MINE };
    expect(movedBy([], EXCHANGE, ends)).to.deep.equal({ input: undefined, output: undefined });
  });

  it('is in the receipt of a transaction on Tron', async () => {
    const word = (text: string) => text.replace('0x', '').padStart(64, '0').toLowerCase();
    const TRANSFER = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
    const paid = (token: string, from: string, to: string, raw: string) => ({
      address: token.slice(2).toLowerCase(),
      topics: [TRANSFER, word(from), word(to)],
      data: word(raw),
    });
    const hash = 'ab'.repeat(32);
    const info = { id: hash, blockNumber: 9, fee: 5, receipt: { result: 'SUCCESS' } };
    const receiptOf = (more: object) =>
      chain.receipt(hash, fakeTron({ gettransactioninfobyid: { ...info, ...more } }).node);
    const log = [paid(WRAPPED, ROUTER, POOL, '28'), paid(TOKEN, POOL, OTHER, '1f4'), { address: 'x' }];
    const [token, wrapped, router, mine, other] = [TOKEN, WRAPPED, ROUTER, MINE, OTHER].map(fromEvm);
    const ends = { fromToken: '', toToken: token!, from: mine!, to: other! };
    const { state, arrivals: moved } = await receiptOf({ log });
    expect(state).to.equal('confirmed');
    expect(movedBy(moved!, { router: router!, wrapped: wrapped! }, ends)).to.deep.equal({
      input: 40n,
      output: 500n,
    });
    expect((await receiptOf({ log, receipt: { result: 'REVERT' } })).arrivals).to.equal(undefined);
    expect((await receiptOf({})).arrivals).to.deep.equal([]);
  });

  it('is read from logs in the form of the standard alone', () => {
    const word = (text: string) => `0x${text.replace('0x', '').padStart(64, '0')}`;
    const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
    const good = { address: TOKEN, topics: [TRANSFER, word(MINE), word(POOL)], data: word('5') };
    expect(arrivals([good, { ...good, topics: [TRANSFER, 'x', word(POOL)] }, null])).to.deep.equal([
      log(TOKEN, MINE, POOL, 5n),
    ]);
  });
});
