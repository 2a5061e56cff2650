import { expect } from '@open-wc/testing';
import { findIncoming as aeternity } from '../../../src/chains/aeternity/incoming.ts';
import { nodeOf as aeternityNode } from '../../../src/chains/aeternity/node.ts';
import type { Node } from '../../../src/chains/terms.ts';
import type { Coin } from '../../../src/chains/coin.ts';
import { findIncoming as evm } from '../../../src/chains/evm/incoming.ts';
import { type FindIncoming, type Incoming, isDust } from '../../../src/chains/nodes/incoming.ts';
import { findIncoming as tron } from '../../../src/chains/tron/incoming.ts';
import { clientOf } from '../../../src/chains/tron/node.ts';
import { findIncoming as utxo } from '../../../src/chains/utxo/incoming.ts';
import { nodeOf as esplora } from '../../../src/chains/utxo/node.ts';
import { findIncoming as vechain } from '../../../src/chains/vechain/incoming.ts';
import { nodeOf as thor } from '../../../src/chains/vechain/node.ts';
import { NETWORK as AETERNITY } from './aeternity/fake-node.ts';
import { fakeNode, NETWORK as ETHEREUM, QUIET } from './fake-node.ts';
import { FROM, hexAddress, LISTED, TO, TOKEN } from './tron/fake-tron.ts';
import { networkOf } from './utxo/fake-esplora.ts';
import { NETWORK as VECHAIN } from './vechain/fake-thor.ts';

const ME = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F';
const SENDER = '0x2546BcD3c84621e976D8185a91A922aE77ECEc30';
const DUSD = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
const STRANGE = '0xdAC17F958D2ee523a2206206994597C13D831ec7';
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const ETH: Coin = { symbol: 'ETH', decimals: 18 };
const topic = (address: string): string => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`;
const word = (raw: bigint): string => `0x${raw.toString(16).padStart(64, '0')}`;
const hash = (digit: string): string => `0x${digit.repeat(64)}`;
const tokens = [{ address: DUSD, symbol: 'DUSD', name: 'Demo Dollars', decimals: 18, logo: '' }];

/** What was found, short: `1000000000000000000 ETH from 0x…`. */
const short = ({ amount, from, dust }: Incoming): string =>
  `${amount.raw} ${amount.symbol}${from ? ` from ${from}` : ''}${dust ? ', dust' : ''}`;

/** A node that answers by path, or by what an answer makes of the body and the query, and records what it was asked. */
function rest(make: (options: { fetch: typeof fetch }) => Node, answers: Record<string, unknown>) {
  const asked: string[] = [];
  const node = make({
    fetch: async (url, init) => {
      const { pathname, search, searchParams } = new URL(String(url));
      asked.push(`${pathname}${search}${init?.body ? ` ${String(init.body)}` : ''}`);
      const found = answers[pathname];
      const answer =
        typeof found === 'function'
          ? found(init?.body && JSON.parse(String(init.body)), searchParams)
          : found;
      if (answer === undefined) return new Response('not found', { status: 404 });
      return new Response(typeof answer === 'string' ? answer : JSON.stringify(answer));
    },
  });
  return { node, asked };
}

async function fails(finding: ReturnType<FindIncoming>): Promise<void> {
  let failed = false;
  await finding.catch(() => (failed = true));
  expect(failed).to.equal(true);
}

const log = (more: object = {}): object => ({
  address: DUSD.toLowerCase(),
  topics: [TRANSFER, topic(SENDER), topic(ME)],
  data: word(5n * 10n ** 18n),
  blockNumber: '0x10',
  blockTimestamp: '0x6553f100',
  transactionHash: hash('1'),
  logIndex: '0x0',
  removed: false,
  ...more,
});

describe('what came to an address of Ethereum', () => {
  const answers = (logs: unknown) => ({ ...QUIET, eth_blockNumber: '0x186a0', eth_getLogs: logs });
  const find = async (logs: unknown, cursor?: number) => {
    const { node, requests } = fakeNode(answers(logs), { ...ETHEREUM, tokens });
    return { ...(await evm(ME, node, cursor, ETH)), requests };
  };

  it('is every token that was sent there, with its time', async () => {
    const { items, cursor } = await find([log()]);
    expect(items.map(short)).to.deep.equal([`5000000000000000000 DUSD from ${SENDER}`]);
    expect(items[0]).to.include({ at: 1_700_000_000_000, hash: hash('1'), id: `${hash('1')}:0x0` });
    expect(cursor).to.equal(100_000);
  });

  it('leaves out numbered tokens, what was taken back, what it sent itself, and what is not a log', async () => {
    const { items } = await find([
      log({ topics: [TRANSFER, topic(SENDER), topic(ME), word(7n)] }),
      log({ removed: true }),
      log({ topics: [TRANSFER, topic(ME), topic(ME)] }),
      log({ topics: [TRANSFER, topic(ME), topic(SENDER)] }),
      log({ data: '0x' }),
      log({ transactionHash: 'javascript:' }),
      log({ address: null }),
    ]);
    expect(items).to.deep.equal([]);
  });

  it('marks tokens of strangers, zeros, and next to nothing', async () => {
    const { items } = await find([
      log({ address: STRANGE }),
      log({ data: word(0n) }),
      log({ data: word(10n ** 13n) }),
    ]);
    expect(items.map(({ dust }) => dust)).to.deep.equal([true, true, true]);
    const stranger = items.find(({ amount }) => amount.decimals === null)!;
    expect(stranger.amount.symbol, 'by its address, not by what it calls itself').to.equal('0xdAC1…1ec7');
  });

  it('is found behind any number of tokens of strangers', async () => {
    const strange = Array.from({ length: 150 }, (_, i) =>
      log({ address: STRANGE, blockNumber: '0x11', logIndex: `0x${i.toString(16)}` }),
    );
    const { items } = await find([log(), ...strange]);
    expect(items).to.have.length(100);
    expect(short(items[0]!)).to.equal(`5000000000000000000 DUSD from ${SENDER}`);
    // And where the node takes no range that holds both.
    const { items: apart } = await find(({ params: [{ fromBlock, toBlock }] }: { params: [any] }) => {
      if (Number(toBlock) - Number(fromBlock) >= 10_000) return new Error('range too long');
      return Number(toBlock) === 100_000 ? strange : Number(toBlock) === 90_000 ? [log()] : [];
    });
    expect(short(apart[0]!)).to.equal(`5000000000000000000 DUSD from ${SENDER}`);
  });

  it('is searched in ranges as long as the node takes, newest first, and not for ever', async () => {
    const ranges: [number, number][] = [];
    const { items } = await find(({ params: [{ fromBlock, toBlock, topics }] }: { params: [any] }) => {
      ranges.push([Number(fromBlock), Number(toBlock)]);
      expect(topics).to.deep.equal([TRANSFER, null, topic(ME)]);
      if (Number(toBlock) - Number(fromBlock) >= 10_000) return new Error('range too long');
      return Number(toBlock) === 100_000 ? [log()] : [];
    });
    expect(items).to.have.length(1);
    expect(ranges.slice(0, 4)).to.deep.equal([
      [0, 100_000],
      [1, 100_000],
      [90_001, 100_000],
      [80_001, 90_000],
    ]);
    expect(ranges).to.have.length(8);
  });

  it('is searched from where the last look ended, less what may have been replaced', async () => {
    let first = -1;
    await find(({ params: [{ fromBlock }] }: { params: [any] }) => {
      first = Number(fromBlock);
      return [];
    }, 99_000);
    expect(first).to.equal(98_968);
  });

  it('asks for the time of a block where the log does not say it', async () => {
    const { node } = fakeNode(
      { ...answers([log({ blockTimestamp: undefined })]), eth_getBlockByNumber: { timestamp: '0x6553f100' } },
      { ...ETHEREUM, tokens },
    );
    expect((await evm(ME, node, undefined, ETH)).items[0]!.at).to.equal(1_700_000_000_000);
  });

  it('is not known of a node that does not search', async () => {
    await fails(find(new Error('not available')));
  });
});

describe('what came to an address of VeChain', () => {
  const VET: Coin = { symbol: 'VET', decimals: 18 };
  const meta = { txID: hash('2'), blockNumber: 500, blockTimestamp: 1_700_000_000, clauseIndex: 0 };
  const coins = [
    { sender: SENDER.toLowerCase(), recipient: ME.toLowerCase(), amount: '0xde0b6b3a7640000', meta },
  ];
  const events = [
    {
      address: DUSD.toLowerCase(),
      topics: [TRANSFER, topic(SENDER), topic(ME)],
      data: word(10n ** 18n),
      meta,
    },
    {
      address: DUSD.toLowerCase(),
      topics: [TRANSFER, topic(SENDER), topic(ME)],
      data: word(10n ** 18n),
      meta,
    },
  ];
  const answers = {
    '/blocks/0': { id: VECHAIN.genesis },
    '/logs/transfer': coins,
    '/logs/event': events,
  };
  const client = (fetching: { fetch: typeof fetch }) => thor({ ...VECHAIN, tokens }, fetching);

  it('is coins and tokens, each once', async () => {
    const { node, asked } = rest(client, answers);
    const { items, cursor } = await vechain(ME, node, 100, VET);
    expect(items.map(short)).to.deep.equal([
      `1000000000000000000 VET from ${SENDER}`,
      `1000000000000000000 DUSD from ${SENDER}`,
      `1000000000000000000 DUSD from ${SENDER}`,
    ]);
    expect(new Set(items.map(({ id }) => id)).size).to.equal(3);
    expect(cursor).to.equal(500);
    expect(asked.find((one) => one.startsWith('/logs/transfer'))).to.include('"from":88');
    const again = await vechain(ME, rest(client, answers).node, undefined, VET);
    expect(again.items.map(({ id }) => id)).to.deep.equal(items.map(({ id }) => id));
  });

  it('is found behind any number of transfers of next to nothing', async () => {
    const dust = { ...coins[0], amount: '0x1', meta: { ...meta, txID: hash('3') } };
    const all = [...Array.from({ length: 150 }, () => dust), ...coins];
    const { node } = rest(client, {
      ...answers,
      '/logs/event': [],
      '/logs/transfer': ({ options: { offset, limit } }: any) => all.slice(offset, offset + limit),
    });
    const { items } = await vechain(ME, node, undefined, VET);
    expect(items).to.have.length(100);
    expect(short(items[0]!)).to.equal(`1000000000000000000 VET from ${SENDER}`);
    expect(new Set(items.map(({ id }) => id)).size).to.equal(100);
  });

  it('is not known of a node without the index', async () => {
    await fails(vechain(ME, rest(client, { '/blocks/0': { id: VECHAIN.genesis } }).node, undefined, VET));
  });
});

describe('what came to an address of Bitcoin', () => {
  const BTC: Coin = { symbol: 'BTC', decimals: 8 };
  const own = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';
  const other = 'bcrt1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qzf4jry';
  const from = (address: string) => ({ prevout: { scriptpubkey_address: address, value: 1 } });
  const to = (address: string, value: number) => ({ scriptpubkey_address: address, value });
  const done = { confirmed: true, block_time: 1_700_000_000 };
  const id = (digit: string): string => digit.repeat(64);
  const client = (options: { fetch: typeof fetch }) => esplora(networkOf('BITCOIN'), options);
  const find = async (txs: unknown) => {
    const answers = { '/block-height/0': 'ab'.repeat(32), [`/address/${own}/txs`]: txs };
    return (await utxo(own, rest(client, answers).node, undefined, BTC)).items;
  };

  it('is the sum of what a transaction of others paid it, with the sender where there is one', async () => {
    const items = await find([
      { txid: id('1'), vin: [from(other)], vout: [to(own, 5000), to(own, 2000), to(other, 9)], status: done },
      { txid: id('2'), vin: [from(other), from('bcrt1qother')], vout: [to(own, 7000)], status: done },
      { txid: id('3'), vin: [{ prevout: null }], vout: [to(own, 5_000_000_000)], status: done },
      { txid: id('4'), vin: [from(other)], vout: [to(own, 546)], status: { confirmed: false } },
    ]);
    expect(items.map(short)).to.deep.equal([
      `7000 BTC from ${other}`,
      '7000 BTC',
      '5000000000 BTC',
      `546 BTC from ${other}, dust`,
    ]);
    expect(items.map(({ at }) => at)).to.deep.equal([1.7e12, 1.7e12, 1.7e12, undefined]);
  });

  it('is not the change of what it sent itself', async () => {
    expect(
      await find([{ txid: id('1'), vin: [from(own)], vout: [to(own, 5000)], status: done }]),
    ).to.deep.equal([]);
    expect(
      await find([{ txid: id('1'), vin: [from(other)], vout: [to(other, 1)], status: done }]),
    ).to.deep.equal([]);
  });
});

describe('what came to an address of Tron', () => {
  const TRX: Coin = { symbol: 'TRX', decimals: 6 };
  const client = (options: { fetch: typeof fetch }) => clientOf(LISTED, options);
  const genesis = { '/wallet/getblock': { blockID: LISTED.genesis } };
  const at = 1_777_445_307_000;
  const coin = (type: string, more: object = {}) => ({
    txID: 'c'.repeat(64),
    block_timestamp: at,
    ret: [{ contractRet: 'SUCCESS' }],
    raw_data: {
      contract: [{ type, parameter: { value: { amount: 5_000_000, owner_address: hexAddress(FROM) } } }],
    },
    ...more,
  });
  const trc20 = (more: object = {}) => ({
    transaction_id: 'd'.repeat(64),
    block_timestamp: at + 1,
    from: FROM,
    to: TO,
    type: 'Transfer',
    value: '7000000',
    token_info: { address: TOKEN, symbol: 'FAKE', decimals: 2 },
    ...more,
  });
  const find = async (coins: unknown[], tokensOf: unknown[], cursor?: number) => {
    const { node, asked } = rest(client, {
      ...genesis,
      [`/v1/accounts/${TO}/transactions`]: { data: coins },
      [`/v1/accounts/${TO}/transactions/trc20`]: { data: tokensOf },
    });
    return { ...(await tron(TO, node, cursor, TRX)), asked };
  };

  it('is what a TronGrid lists: coins, and tokens as the operator describes them', async () => {
    const { items, cursor, asked } = await find([coin('TransferContract')], [trc20()], 5);
    expect(items.map(short)).to.deep.equal([`5000000 TRX from ${FROM}`, `7000000 USDT from ${FROM}`]);
    expect(items[1]!.amount.decimals).to.equal(6);
    expect(cursor).to.equal(at + 1);
    expect(asked.filter((one) => one.includes('min_timestamp=5'))).to.have.length(2);
  });

  it('is found behind any number of transfers of next to nothing', async () => {
    const dust = Array.from({ length: 100 }, (_, i) =>
      trc20({ transaction_id: String(i).padStart(64, '0'), value: '1' }),
    );
    const { node, asked } = rest(client, {
      ...genesis,
      [`/v1/accounts/${TO}/transactions`]: { data: [] },
      [`/v1/accounts/${TO}/transactions/trc20`]: (_: unknown, query: URLSearchParams) =>
        query.get('fingerprint') === 'a+b'
          ? { data: [trc20()] }
          : { data: dust, meta: { fingerprint: 'a+b' } },
    });
    const { items } = await tron(TO, node, undefined, TRX);
    expect(items).to.have.length(100);
    expect(short(items[0]!)).to.equal(`7000000 USDT from ${FROM}`);
    expect(asked.filter((one) => one.includes('trc20'))).to.have.length(2);
  });

  it('leaves out calls, failures, approvals and what went elsewhere', async () => {
    const { items } = await find(
      [coin('TriggerSmartContract'), coin('TransferContract', { ret: [{ contractRet: 'REVERT' }] })],
      [trc20({ type: 'Approval' }), trc20({ to: FROM }), trc20({ from: TO })],
    );
    expect(items).to.deep.equal([]);
  });

  it('is not known of a plain node', async () => {
    await fails(tron(TO, rest(client, genesis).node, undefined, TRX));
  });
});

describe('what came to an account of Aeternity', () => {
  const AE: Coin = { symbol: 'AE', decimals: 18 };
  const [me, you] = [
    'ak_2swhLkgBPeeADxVTAVCJnZLY5NZtCFiM93JxsEaMuC59euuFRQ',
    'ak_11111111111111111111111111111111273Yts',
  ];
  const client = (options: { fetch: typeof fetch }) => aeternityNode(AETERNITY, options);
  const status = { '/v3/status': { network_id: 'ae_local' } };
  const spend = (more: object = {}) => ({
    hash: 'th_abc',
    micro_time: 1_700_000_000_000,
    tx: { type: 'SpendTx', sender_id: you, recipient_id: me, amount: '2000000000000000000', ...more },
  });

  it('is what a middleware beside the node lists', async () => {
    const data = [spend(), spend({ sender_id: me, recipient_id: you }), spend({ type: 'NameClaimTx' })];
    const { node } = rest(client, { ...status, '/mdw/v3/transactions': { data } });
    const { items } = await aeternity(me, node, undefined, AE);
    expect(items.map(short)).to.deep.equal([`2000000000000000000 AE from ${you}`]);
    expect(items[0]!.at).to.equal(1.7e12);
  });

  it('is not known without one', async () => {
    await fails(aeternity(me, rest(client, status).node, undefined, AE));
  });
});

describe('next to nothing', () => {
  it('is less than a cent of what has six decimals, and a ten-thousandth of what has more', () => {
    const dust = (raw: bigint, decimals: number | null): boolean => isDust({ raw, decimals, symbol: 'X' });
    expect([dust(9_999n, 6), dust(10_000n, 6), dust(0n, 0), dust(1n, 0)]).to.deep.equal([
      true,
      false,
      true,
      false,
    ]);
    expect([dust(10n ** 14n - 1n, 18), dust(10n ** 14n, 18), dust(1n, null)]).to.deep.equal([
      true,
      false,
      true,
    ]);
  });
});
