import { expect } from '@open-wc/testing';
import fc from 'fast-check';
import {
  chainOf,
  memoName,
  NotAvailable,
  type Pool,
  type Pools,
  resolveAsset,
  THOR_CHAINS,
} from '../../../../src/swaps/cross-chain/thorchain/assets.ts';
import { type MemoSwap, readMemo } from '../../../../src/swaps/cross-chain/thorchain/memo.ts';
import { writeMemo } from '../../../../src/swaps/cross-chain/thorchain/memo.ts';
import vectors from '../../../vectors/thorchain.vectors.json';

const USDC = 'ETH.USDC-0XA0B86991C6218B36C1D19D4A2E9EB0CE3606EB48';
const USDT = 'TRON.USDT-TR7NHQJEKQXGTCI8Q8ZY4PL8OTSZGJLJ6T';
const ALICE = {
  'BTC.BTC': 'bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr',
  'LTC.LTC': 'ltc1qp0esmcpjymjahn3aptwtpf82axyq2g36kzgrng',
  'ETH.ETH': '0x388C818CA8B9251b393131C08a736A67ccB19297',
  [USDC]: '0x388C818CA8B9251b393131C08a736A67ccB19297',
  'TRON.TRX': 'TMazs4f2ybMjGf7WXAx4uiRf2T7XtMC6qt',
  [USDT]: 'TMazs4f2ybMjGf7WXAx4uiRf2T7XtMC6qt',
};

const pool = (asset: string, runeDepth = 10n ** 13n): Pool => ({
  asset,
  isOpen: true,
  decimals: 8,
  assetDepth: 10n ** 11n,
  runeDepth,
});
const POOLS: Pools = Object.keys(ALICE).map((asset) => pool(asset));

const swapOf = (memo: string): MemoSwap => {
  const order = readMemo(memo);
  if (!order || 'unreadable' in order) throw new Error(`${memo} is ${JSON.stringify(order)}`);
  return order;
};
const unreadable = (memo: string): string => {
  const order = readMemo(memo);
  return order && 'unreadable' in order ? order.unreadable : `${memo} is read`;
};

describe('reading a memo of THORChain', () => {
  it('reads what THORNode and another wallet publish, and refuses what they refuse', () => {
    for (const row of vectors.memos) {
      if (row.refused ?? row.refunded) {
        expect(readMemo(row.memo), row.memo).to.have.property('unreadable');
        continue;
      }
      const { asset, recipient, limit, streaming, affiliates } = swapOf(row.memo);
      expect(
        {
          asset,
          recipient: recipient?.toLowerCase(),
          limit: `${limit}`,
          streaming: streaming && [`${streaming.interval}`, `${streaming.quantity}`],
          affiliates: affiliates.map(({ name, share }) => [name, share]),
        },
        row.memo,
      ).to.deep.equal({
        asset: row.asset,
        recipient: row.recipient?.toLowerCase(),
        limit: row.limit,
        streaming: row.streaming,
        affiliates: row.affiliates ?? [],
      });
    }
    for (const { tx } of Object.values(vectors.statuses)) expect(swapOf(tx.memo).asset).to.match(/^[A-Z]+\./);
  });

  it('takes no other order for a swap', () => {
    for (const memo of vectors.otherMemos) expect(readMemo(memo), memo).to.equal(undefined);
    for (const memo of ['=<:b:bc1q:1', 'm=<:b:bc1q:1']) expect(unreadable(memo)).to.equal('order');
  });

  it('reads each abbreviation in any case', () => {
    for (const action of ['=', 's', 'S', 'swap', 'SWAP', 'Swap'])
      expect(swapOf(`${action}:eth.usdc-06eb48:${ALICE[USDC]}:1`).asset).to.equal('ETH.USDC-06EB48');
    for (const { shortName, coin, secretType } of THOR_CHAINS) {
      const order = swapOf(`=:${shortName}:${ALICE[coin as 'BTC.BTC']}:1`);
      expect(order.asset).to.equal(coin);
      expect(order.chain?.secretType).to.equal(secretType);
      // THORNode knows them in this case only.
      expect(unreadable(`=:${shortName.toUpperCase()}:${ALICE[coin as 'BTC.BTC']}:1`)).to.equal('asset');
    }
  });

  it('has limits as THORNode counts them', () => {
    const limitOf = (text: string): bigint => swapOf(`=:e:${ALICE['ETH.ETH']}:${text}`).limit;
    expect(limitOf('')).to.equal(0n);
    expect(limitOf('0')).to.equal(0n);
    expect(limitOf('161e6')).to.equal(161_000_000n);
    expect(limitOf('161E+6')).to.equal(161_000_000n);
    expect(limitOf('1.619')).to.equal(1n);
    expect(limitOf('1.6125e3')).to.equal(1612n);
    expect(limitOf('19e-1')).to.equal(1n);
    expect(limitOf('1425e18')).to.equal(1425n * 10n ** 18n);
    // A float of 64 bits, rounded down.
    expect(limitOf(`${2n ** 65n + 1n}`)).to.equal(2n ** 65n);
    for (const bad of ['-1', 'x', '1e', '0x10', '1_0', 'Inf', '1e999', ' 1'])
      expect(unreadable(`=:e:${ALICE['ETH.ETH']}:${bad}`), bad).to.equal('limit');
  });

  it('refuses what a person would read otherwise than THORNode', () => {
    const to = ALICE['ETH.ETH'];
    expect(unreadable(`=:ETH~ETH:${to}:1`)).to.equal('asset');
    expect(unreadable(`=:ETH/ETH:${to}:1`)).to.equal('asset');
    expect(unreadable(`=:ETH-ETH:${to}:1`)).to.equal('asset');
    expect(unreadable(`=:ETH:${to}:1`)).to.equal('asset');
    expect(unreadable(`=:b:${to}:1`)).to.equal('recipient');
    expect(unreadable(`=:e:${to.toLowerCase().replace('38', '0O')}:1`)).to.equal('recipient');
    expect(unreadable('=:e:vitalik:1')).to.equal('recipient');
    expect(unreadable(`=:e:${to}:1:::swapper:0xAB:1`)).to.equal('contract');
    expect(unreadable(`=:e:${to}:1:${'x'.repeat(250)}:1`)).to.equal('text');
    expect(unreadable(`=:e:${to}:1:é:1`)).to.equal('text');
    expect(swapOf('=:e').recipient).to.equal(undefined);
    expect(swapOf(`=:e:${to}/bc1q:1`).refundTo).to.equal('bc1q');
    expect(swapOf(`=:e:${to}:1|=:b:x`).limit).to.equal(1n);
  });
});

describe('names of assets', () => {
  const { pools, shortest, resolved } = vectors.names;

  it('lead to the asset that THORNode takes them for', () => {
    const all = pools.map((asset) => pool(asset));
    for (const [text, asset] of Object.entries(resolved)) expect(resolveAsset(text, all)).to.equal(asset);
    for (const [asset, text] of Object.entries(shortest)) expect(resolveAsset(text, all)).to.equal(asset);
    expect(resolveAsset('ETH.USDX-777', all)).to.equal(undefined);
  });

  it('lead to the deepest pool if several fit', () => {
    const all = pools.map((asset, i) => pool(asset, BigInt(i === 1 ? 9 : i)));
    expect(resolveAsset('ETH.USDX', all)).to.equal(pools[1]);
    expect(resolveAsset('ETH.USDX-9', all)).to.equal(pools[2]);
  });

  it('have an end that no pool shares, of 6 characters at least', () => {
    expect(memoName(USDC, POOLS)).to.equal('ETH.USDC-06EB48');
    const twin = 'ETH.USDC-0X111111111111111111111111111111111E06EB48'.slice(0, 51);
    expect(memoName(USDC, [...POOLS, pool(twin.replace('E06EB48', '606EB48'))])).to.equal(
      'ETH.USDC-3606EB48',
    );
    expect(memoName('BTC.BTC', POOLS)).to.equal('b');
    expect(memoName('BTC.BTC', [])).to.equal(undefined);
  });
});

describe('writing a memo', () => {
  it('fits into a data output for every pair, and is read back as the order', () => {
    for (const [to, recipient] of Object.entries(ALICE)) {
      const memo = writeMemo({ to, recipient, limit: 12_345_678n }, POOLS, 80);
      expect(memo).to.match(/^=:[a-zA-Z0-9.-]+:[a-zA-Z0-9]+:12345678$/);
      const order = swapOf(memo);
      expect(resolveAsset(order.asset, POOLS)).to.equal(to);
      expect(order.chain).to.equal(chainOf(to));
      expect(order.recipient).to.equal(recipient);
    }
    expect(
      writeMemo({ to: 'BTC.BTC', recipient: ALICE['BTC.BTC'], limit: 12_345_678n }, POOLS, 80),
    ).to.have.length(75);
  });

  it('is the same again for any limit', () => {
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(ALICE)), fc.bigInt(1n, 2n ** 63n), (to, limit) => {
        const recipient = ALICE[to as 'BTC.BTC'];
        expect(swapOf(writeMemo({ to, recipient, limit }, POOLS, 250))).to.include({ recipient, limit });
      }),
    );
  });

  it('refuses what is too long, has no limit, or would be read as something else', () => {
    const reasonOf = (order: { to: string; recipient: string; limit: bigint }, pools = POOLS): string => {
      try {
        return writeMemo(order, pools, 80);
      } catch (error) {
        return (error as NotAvailable).reason;
      }
    };
    const to = 'BTC.BTC';
    const recipient = ALICE[to];
    expect(reasonOf({ to, recipient, limit: 10n ** 13n })).to.equal('memo');
    expect(reasonOf({ to, recipient, limit: 0n })).to.equal('memo');
    expect(reasonOf({ to, recipient: `${recipient}/${recipient}`.slice(0, 66), limit: 1n })).to.equal('memo');
    expect(reasonOf({ to, recipient: '', limit: 1n })).to.equal('memo');
    expect(reasonOf({ to, recipient: ALICE['ETH.ETH'], limit: 1n })).to.equal('memo');
    expect(reasonOf({ to: 'DOGE.DOGE', recipient, limit: 1n })).to.equal('pool');
    expect(reasonOf({ to: USDC, recipient: ALICE[USDC].toLowerCase(), limit: 1n })).to.equal('memo');
  });
});
