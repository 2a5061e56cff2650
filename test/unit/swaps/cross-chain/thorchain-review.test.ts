import { expect } from '@open-wc/testing';
import { keccak256 } from 'ethers/crypto';
import { ConnectError } from '../../../../src/base/errors.ts';
import { JsonRpc } from '../../../../src/chains/evm/json-rpc.ts';
import type { Network as ChainNetwork } from '../../../../src/chains/network.ts';
import { OrderGuard, type OrderOutlook } from '../../../../src/swaps/cross-chain/thorchain/review.ts';
import type { OrderTerms } from '../../../../src/swaps/cross-chain/thorchain/terms.ts';
import { clock, Network, ROUTER, TO_BTC, USDC, VAULTS } from './thor-network.ts';

const CODE = '0x6001';
const TOKEN = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
const OLD_ROUTER = `0x${'9'.repeat(40)}`;
const SENDER = '0x388C818CA8B9251b393131C08a736A67ccB19297';

const ethereum: ChainNetwork = {
  id: 'ethereum',
  secretType: 'ETHEREUM',
  name: 'Ethereum',
  kind: 'mainnet',
  chainId: 1,
  nodes: ['https://node.example'],
  tokens: [{ address: TOKEN, symbol: 'USDC', name: 'Dollar', decimals: 6, logo: '' }],
};
const bitcoin: ChainNetwork = {
  ...ethereum,
  id: 'bitcoin',
  secretType: 'BITCOIN',
  name: 'Bitcoin',
  tokens: [],
};

interface Chain {
  /** By address. */
  code: Record<string, string>;
  allowed: bigint;
}

/** A node that answers what accounts have for code, and one allowance for all. */
function nodeOf({ code, allowed }: Chain): JsonRpc {
  const answer = ({ id, method, params }: { id: number; method: string; params: [string] }) => ({
    jsonrpc: '2.0',
    id,
    result:
      method === 'eth_getCode'
        ? (code[params[0]] ?? '0x')
        : method === 'eth_chainId'
          ? '0x1'
          : `0x${allowed.toString(16).padStart(64, '0')}`,
  });
  return new JsonRpc(ethereum, {
    fetch: async (_, init) => {
      const calls = JSON.parse(String(init!.body)) as
        | Parameters<typeof answer>[0]
        | Parameters<typeof answer>[0][];
      return new Response(JSON.stringify(Array.isArray(calls) ? calls.map(answer) : answer(calls)));
    },
  });
}

const TERMS: OrderTerms = {
  exchange: 'THORChain',
  network: 'ethereum',
  input: { raw: 500_000_000n, symbol: 'USDC', decimals: 6, token: TOKEN },
  vault: VAULTS['ETH']!,
  router: ROUTER,
  text: '',
  memo: {
    asset: 'BTC.BTC',
    recipient: TO_BTC,
    refundTo: undefined,
    limit: 1n,
    streaming: undefined,
    affiliates: [],
  },
  expiry: BigInt(Math.floor(clock.date() / 1000)) + 900n,
};

function guard(
  terms: Partial<OrderTerms> = {},
  { code = { [ROUTER]: CODE }, allowed = 0n }: Partial<Chain> = {},
  thorchain = new Network(),
  reach?: () => Promise<JsonRpc>,
): OrderGuard {
  const node = nodeOf({ code, allowed });
  const entry = {
    kind: 'thorchain' as const,
    name: 'THORChain',
    nodes: Object.keys(thorchain.answers).map((host) => ({ url: `https://${host}`, operator: host })),
    routers: [ROUTER, OLD_ROUTER].map((address) => ({
      network: 'ethereum',
      address,
      codeHash: keccak256(CODE),
    })),
    assets: [
      { network: 'bitcoin', name: 'BTC.BTC' },
      { network: 'ethereum', name: 'ETH.ETH' },
      { network: 'ethereum', token: TOKEN, name: USDC },
    ],
  };
  const place = {
    entry,
    nodes: thorchain.nodes,
    networks: [ethereum, bitcoin],
    node,
    reach: reach ?? (() => Promise.resolve(node)),
    sender: SENDER,
  };
  return new OrderGuard(place, { ...TERMS, ...terms });
}

async function reasonOf(work: Promise<unknown>): Promise<unknown> {
  try {
    await work;
    return 'open';
  } catch (error) {
    if (!(error instanceof ConnectError)) throw error;
    expect(error.code).to.equal('swap.thorchain.unavailable');
    return error.details['reason'];
  }
}

describe('a deposit that is about to be signed', () => {
  it('is open, and would bring what the pools give', async () => {
    const outlook = (await guard().outlook())!;
    const { network, expected, minimum, refundFee, seconds, forgotten }: OrderOutlook = outlook;
    expect([network.id, expected.symbol, minimum.raw]).to.deep.equal(['bitcoin', 'BTC', 1n]);
    expect(expected.raw > 0n && refundFee.symbol === 'USDC' && seconds > 0).to.equal(true);
    expect(forgotten).to.deep.equal([]);
  });

  it('needs the listed contract with the listed code, a deadline to come, and a sender without code', async () => {
    expect(await reasonOf(guard({ router: SENDER }).assertOpen())).to.equal('router');
    expect(await reasonOf(guard({}, { code: { [ROUTER]: '0x6002' } }).assertOpen())).to.equal('router');
    expect(await reasonOf(guard({}, { code: {} }).assertOpen())).to.equal('router');
    expect(await reasonOf(guard({ expiry: undefined }).assertOpen())).to.equal('router');
    expect(await reasonOf(guard({ expiry: 1n }).assertOpen())).to.equal('expired');
    const hours = (hours: number) => ({ expiry: BigInt(Math.floor(clock.date() / 1000) + hours * 3600) });
    expect(await reasonOf(guard(hours(1)).assertOpen())).to.equal('open');
    expect(await reasonOf(guard(hours(1.01)).assertOpen())).to.equal('vault');
    expect(await reasonOf(guard(hours(1.01)).outlook())).to.equal('vault');
    expect(await reasonOf(guard({ expiry: 2n ** 256n - 1n }).assertOpen())).to.equal('vault');
    const delegated = { code: { [ROUTER]: CODE, [SENDER]: `0xef0100${'1'.repeat(40)}` } };
    expect(await reasonOf(guard({}, delegated).assertOpen())).to.equal('contract');
    expect(await reasonOf(guard({ router: undefined, expiry: undefined }).assertOpen())).to.equal('router');
  });

  it('pays a refund to nobody with code, where its chain is meant at all', async () => {
    const back = (refundTo: string) => ({ memo: { ...TERMS.memo, refundTo } as OrderTerms['memo'] });
    const other = '0x5615E8AB93b9d695b6d4d6545f7792aA59e1069a';
    for (const bytes of [CODE, `0xef0100${'1'.repeat(40)}`])
      for (const ask of ['assertOpen', 'outlook'] as const)
        expect(
          await reasonOf(guard(back(other), { code: { [ROUTER]: CODE, [other]: bytes } })[ask]()),
        ).to.equal('contract');
    expect(await reasonOf(guard(back(other)).assertOpen())).to.equal('open');
    // That goes to the sender.
    const bitcoins = { code: { [ROUTER]: CODE, [TO_BTC]: CODE } };
    expect(await reasonOf(guard(back(TO_BTC), bitcoins).assertOpen())).to.equal('open');
  });

  it('is of so much that a refund would leave something, of a token by the pools of two nodes', async () => {
    // 0.0004 ETH, at 320 and 0.1 RUNE for one of each.
    const fee = 1_280_000n;
    const of = (raw: bigint) => ({ input: { ...TERMS.input, raw } });
    const thorchain = new Network();
    expect(await reasonOf(guard(of(fee), {}, thorchain).assertOpen())).to.equal('below-minimum');
    expect(thorchain.asked.filter((each) => each.endsWith('/pools'))).to.have.length(2);
    expect(await reasonOf(guard(of(fee + 1n), {}, thorchain).assertOpen())).to.equal('open');
    const [pool] = thorchain.one.pools.filter(({ asset }) => asset === USDC);
    pool!['balance_rune'] = '40000000000000';
    expect(await reasonOf(guard(of(fee + 1n), {}, thorchain).assertOpen())).to.equal('below-minimum');
  });

  it('is of what the operator lists', async () => {
    const unlisted = { raw: 5n, symbol: 'X', decimals: null, token: SENDER };
    expect(await reasonOf(guard({ input: unlisted }).assertOpen())).to.equal('pool');
    const memo = { ...TERMS.memo, asset: 'DOGE.DOGE' } as OrderTerms['memo'];
    expect(await reasonOf(guard({ memo }).assertOpen())).to.equal('pool');
  });

  it('names what an older contract may still take', async () => {
    const { forgotten } = (await guard({}, { allowed: 7n }).outlook())!;
    expect(forgotten.map(({ spender, allowed }) => [spender, allowed.raw])).to.deep.equal([[OLD_ROUTER, 7n]]);
  });

  it('takes the pools of two nodes for the meaning of a token’s name', async () => {
    const memo = { ...TERMS.memo, asset: 'ETH.USDC', recipient: SENDER } as OrderTerms['memo'];
    const coins = { input: { raw: 10n ** 18n, symbol: 'ETH', decimals: 18 }, memo };
    expect(await reasonOf(guard(coins).assertOpen())).to.equal('open');
    const thorchain = new Network();
    const fake = `ETH.USDC-0X${'1'.repeat(40)}`;
    thorchain.one.pools.push({ ...thorchain.one.pools[3]!, asset: fake, balance_rune: '90000000000000000' });
    expect(await reasonOf(guard(coins, {}, thorchain).assertOpen())).to.equal('nodes-differ');
  });

  it('tells which chain does not answer: that of the recipient is named', async () => {
    const memo = { ...TERMS.memo, asset: 'ETH.USDC', recipient: SENDER } as OrderTerms['memo'];
    const down = new ConnectError('node.unreachable', 'The node of Ethereum is down.', { reason: 'network' });
    const order = guard(
      {
        network: 'bitcoin',
        input: { raw: 10n ** 8n, symbol: 'BTC', decimals: 8 },
        vault: VAULTS['BTC']!,
        memo,
        router: undefined,
        expiry: undefined,
      },
      {},
      new Network(),
      () => Promise.reject(down),
    );
    for (const ask of [() => order.outlook(), () => order.assertOpen()]) {
      const error = (await ask().catch((thrown: unknown) => thrown)) as ConnectError;
      expect([error.code, error.shortMessage]).to.deep.equal([down.code, down.shortMessage]);
      expect(error.details).to.deep.equal({ reason: 'network', secretType: 'ETHEREUM' });
    }
  });

  it('is asked about again once the answer is old', async () => {
    const thorchain = new Network();
    const order = guard({}, {}, thorchain);
    order.ask();
    await order.assertOpen();
    const { requests } = thorchain.nodes;
    await order.assertOpen();
    expect(thorchain.nodes.requests).to.equal(requests);
    await clock.pass(16_000);
    await order.assertOpen();
    expect(thorchain.nodes.requests).to.equal(requests + 10);
  });
});
