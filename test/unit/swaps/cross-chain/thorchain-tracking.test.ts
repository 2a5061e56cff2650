import { expect } from '@open-wc/testing';
import { NotAvailable } from '../../../../src/swaps/cross-chain/thorchain/assets.ts';
import { StatusAnswer } from '../../../../src/swaps/cross-chain/thorchain/answers.ts';
import { ThorNodes } from '../../../../src/swaps/cross-chain/thorchain/nodes.ts';
import {
  pauseAfter,
  type Payment,
  type Progress,
  progressOf,
  refundOf,
  trackSwap,
} from '../../../../src/swaps/cross-chain/thorchain/tracking.ts';
import vectors from '../../../vectors/thorchain.vectors.json';
import { TestClock } from '../../clock.ts';

const HASH = 'AB'.repeat(32);
const OUT = 'CD'.repeat(32);
const BACK = 'EF'.repeat(32);
const ALICE = '0x5615E8AB93b9d695b6d4d6545f7792aA59e1069a';
const SENDER = 'bc1qatt33ste4xywa97skmt9tmxwnpzrvqszwpm6pu';
const SWAP = { hash: `0x${HASH.toLowerCase()}`, recipient: ALICE };

type Body = Record<string, unknown>;
const UNKNOWN = { stages: { inbound_observed: { started: false, final_count: 0, completed: false } } };
const OBSERVED = { started: true, pre_confirmation_count: 9, final_count: 0, completed: true };
const tx = { id: HASH, chain: 'BTC', coins: [{ asset: 'BTC.BTC', amount: '1000000' }], memo: '=:e:…' };
const DONE = {
  inbound_observed: OBSERVED,
  inbound_finalised: { completed: true },
  swap_status: { pending: false },
};

const out = (amount: string, more: Body = {}): Body => ({
  id: OUT,
  chain: 'ETH',
  to_address: ALICE.toLowerCase(),
  coins: [{ asset: 'ETH.ETH', amount }],
  gas: [],
  memo: `OUT:${HASH}`,
  ...more,
});
const back = (amount: string): Body => ({
  id: BACK,
  chain: 'BTC',
  to_address: SENDER,
  coins: [{ asset: 'BTC.BTC', amount }],
  memo: `REFUND:${HASH}`,
});
const planned = (chain: string, refund = false): Body => ({
  chain,
  to_address: refund ? SENDER : ALICE,
  coin: { asset: refund ? 'BTC.BTC' : 'ETH.ETH', amount: '1' },
  refund,
});
const end = (outs: Body[], plan: Body[] = [planned('ETH')]): Body => ({
  tx,
  planned_out_txs: plan,
  out_txs: outs,
  stages: { ...DONE, outbound_signed: { completed: outs.length >= plan.length } },
});

/** Each node by its answer; an error is its HTTP status. */
function at(...answers: (Body | number | string)[]): { nodes: ThorNodes; requests: string[] } {
  const requests: string[] = [];
  const nodes = new ThorNodes(
    { nodes: answers.map((_, i) => ({ url: `https://${i}.example`, operator: `${i}` })) },
    {
      clock: new TestClock(),
      fetch: async (input) => {
        const { hostname, pathname } = new URL(String(input));
        requests.push(pathname);
        const answer = answers[Number(hostname.split('.')[0])]!;
        if (typeof answer === 'number') return new Response('{}', { status: answer });
        return new Response(typeof answer === 'string' ? answer : JSON.stringify(answer));
      },
    },
  );
  return { nodes, requests };
}

const track = (...answers: (Body | number | string)[]): Promise<Progress> =>
  trackSwap(SWAP, at(...answers).nodes, async () => false);

describe('tracking of a swap at THORChain', () => {
  it('asks by the hash in capitals, and knows nothing of an unknown one', async () => {
    const { nodes, requests } = at(UNKNOWN, UNKNOWN);
    expect(await trackSwap(SWAP, nodes, async () => true)).to.deep.equal({ stage: 'waiting' });
    expect(requests).to.deep.equal([1, 2].map(() => `/thorchain/tx/status/${HASH}`));
  });

  it('counts the blocks of its chain', async () => {
    const counted = (remaining: number): Body => ({
      tx,
      stages: {
        inbound_observed: OBSERVED,
        inbound_confirmation_counted: {
          chain: 'BTC',
          external_observed_height: 100,
          external_confirmation_delay_height: 102,
          remaining_confirmation_seconds: remaining,
          completed: false,
        },
      },
    });
    const seen = { stage: 'confirming', seen: 2, needed: 3, seconds: 600 };
    expect(await track(counted(600), counted(600))).to.deep.equal(seen);
    // The node that is behind counts.
    expect(await track(counted(600), counted(1200))).to.include({ stage: 'confirming' });
    expect(await track(counted(600), UNKNOWN)).to.deep.equal({ stage: 'waiting' });
  });

  it('tells swapping from waiting for the payment', async () => {
    const swapping = { tx, stages: { ...DONE, swap_status: { pending: true } } };
    expect(await track(swapping, swapping)).to.deep.equal({ stage: 'swapping' });
    const delayed = {
      ...end([]),
      stages: { ...DONE, outbound_delay: { remaining_delay_seconds: 90, completed: false } },
    };
    expect(await track(delayed, delayed)).to.deep.equal({ stage: 'paying-out', seconds: 90 });
  });

  it('ends with what came, and what came back', async () => {
    const payout = { hash: OUT, asset: 'ETH.ETH', amount: 123n, to: ALICE.toLowerCase() };
    const refund = { hash: BACK, asset: 'BTC.BTC', amount: 77n, to: SENDER };
    const paid = end([out('123')]);
    expect(await track(paid, paid)).to.deep.equal({ stage: 'paid', payouts: [payout], refunds: [] });
    const refunded = end([back('77')], [planned('BTC', true)]);
    expect(await track(refunded, refunded)).to.deep.equal({
      stage: 'refunded',
      payouts: [],
      refunds: [refund],
    });
    const both = end([out('123'), back('77')], [planned('ETH'), planned('BTC', true)]);
    expect(await track(both, both)).to.deep.equal({
      stage: 'part-refunded',
      payouts: [payout],
      refunds: [refund],
    });
  });

  it('waits for the rest, and does not count shares of others', async () => {
    const half = end([out('123')], [planned('ETH'), planned('BTC', true)]);
    expect((await track(half, half)).stage).to.equal('paying-out');
    const share = { id: '0'.repeat(64), chain: 'THOR', to_address: 'thor1', coins: [], memo: `OUT:${HASH}` };
    const shared = end([share, out('123')], [planned('THOR'), planned('ETH')]);
    expect((await track(shared, shared)).stage).to.equal('paid');
  });

  it('does not count what goes to somebody else, or belongs to another swap', async () => {
    for (const wrong of [
      out('123', { to_address: '0x0000000000000000000000000000000000000001' }),
      out('123', { memo: `OUT:${BACK}` }),
      out('123', { memo: 'MIGRATE:1' }),
    ])
      expect((await track(end([wrong]), end([wrong]))).stage).to.equal('paying-out');
  });

  it('does not believe one node', async () => {
    const paid = end([out('123')]);
    for (const other of [
      UNKNOWN,
      500,
      429,
      'nonsense',
      { ...end([out('124')]) },
      { ...paid, tx: { ...tx, id: OUT } },
    ])
      for (const answers of [
        [paid, other],
        [other, paid],
      ])
        expect((await track(...answers)).stage, JSON.stringify(other).slice(0, 60)).to.equal(
          other === UNKNOWN ? 'waiting' : 'paying-out',
        );
  });

  it('takes what nodes get wrong for no answer, and leaves out what it does not know', async () => {
    const paid = end([out('123')]);
    const [asNumber] = [out('123', { coins: [{ asset: 'ETH.ETH', amount: 123 }] })];
    for (const wrong of [
      503,
      { error: 'tx: ABAB doesn’t exist' },
      { code: 5, message: 'not found', details: [] },
      end([asNumber]),
      { out_txs: [out('123')] },
      { ...paid, stages: { inbound_observed: { started: true } } },
      { ...paid, stages: { ...DONE, outbound_delay: { completed: 'yes' } } },
    ]) {
      const name = JSON.stringify(wrong).slice(0, 80);
      expect((await track(paid, wrong)).stage, name).to.equal('paying-out');
      expect((await track(wrong, UNKNOWN)).stage, name).to.equal('waiting');
    }
    const newer = { ...paid, stages: { ...DONE, rapid: { parts: 3 } }, clout: '5' };
    expect((await track(newer, paid)).stage).to.equal('paid');
  });

  it('waits where nothing is sent at all: neither paid nor refunded', async () => {
    const dropped = { tx, planned_out_txs: [], out_txs: [], stages: DONE };
    expect((await track(dropped, dropped)).stage).to.equal('paying-out');
    expect((await track(end([]), end([]))).stage).to.equal('paying-out');
  });

  it('tells of recorded swaps what became of them', () => {
    const stageOf = (name: keyof typeof vectors.statuses, recipient: string): string => {
      const status = vectors.statuses[name];
      return progressOf(StatusAnswer.parse(status), { hash: status.tx.id, recipient }).stage;
    };
    expect(stageOf('ltc_to_eth', ALICE)).to.equal('paid');
    expect(stageOf('ltc_to_tron_usdt', 'TMazs4f2ybMjGf7WXAx4uiRf2T7XtMC6qt')).to.equal('paid');
    expect(stageOf('btc_to_tron_pending', 'TMwHWhFuEqSoicouuxgNqy3Z8yTiUoPetA')).to.equal('swapping');
    expect(stageOf('bnb_to_tron_pending', 'TEB39Rt69QkgD1BKhqaRNqGxfQzCarkRCb')).to.equal('paying-out');
  });

  it('believes two of three, in whatever order, or one where its chain has the payment', async () => {
    const paid = end([out('123')]);
    for (const answers of [
      [paid, UNKNOWN, paid],
      [500, paid, paid],
      [end([out('124')]), paid, paid],
    ])
      expect(await track(...answers)).to.deep.include({ stage: 'paid' });
    const seen: Payment[] = [];
    const progress = await trackSwap(SWAP, at(paid, 500).nodes, async (payment) => {
      seen.push(payment);
      return true;
    });
    expect(progress.stage).to.equal('paid');
    expect(seen.map(({ hash, amount }) => [hash, amount])).to.deep.equal([[OUT, 123n]]);
  });

  it('asks no third node where two say the same', async () => {
    const paid = end([out('123')]);
    const { nodes, requests } = at(paid, paid, paid);
    await trackSwap(SWAP, nodes, async () => false);
    expect(requests).to.have.length(2);
  });

  it('says so where no node answers', async () => {
    const failure = await track(500, 'nonsense').catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(NotAvailable);
    expect((failure as NotAvailable).reason).to.equal('nodes');
  });

  it('asks ever less often', () => {
    expect([1, 2, 3].map((looks) => pauseAfter(looks))).to.deep.equal([10_000, 15_000, 22_500]);
    expect(pauseAfter(1000)).to.equal(300_000);
  });
});

describe('the reason of a refund at THORChain', () => {
  const HEIGHT = 9_000_000;
  const details = { tx_id: HASH, tx: {}, consensus_height: HEIGHT - 20, finalised_height: HEIGHT };
  const refund = (reason: unknown, more: Body = {}): Body => ({
    type: 'refund',
    code: '108',
    reason,
    id: HASH,
    chain: 'BTC',
    memo: '=:e:…',
    ...more,
  });
  const LIMIT = refund('emit asset 19 less than price limit 20: internal error');

  /** A node by its details and its blocks; any other is empty, as in old versions: without `finalize_block_events`. */
  interface Told {
    details?: Body | number;
    blocks?: Record<number, Body | number>;
  }
  function telling(...told: Told[]): { nodes: ThorNodes; requests: string[] } {
    const requests: string[] = [];
    const nodes = new ThorNodes(
      { nodes: told.map((_, i) => ({ url: `https://${i}.example`, operator: `${i}` })) },
      {
        clock: new TestClock(),
        fetch: async (input) => {
          const { hostname, pathname, search } = new URL(String(input));
          requests.push(`${hostname[0]} ${pathname.replace('/thorchain/', '')}${search}`);
          const node = told[Number(hostname[0])]!;
          const height = Number(new URLSearchParams(search).get('height'));
          const empty = { header: { height }, begin_block_events: null, end_block_events: [], txs: null };
          const part = search ? (node.blocks?.[height] ?? {}) : (node.details ?? details);
          const body = typeof part === 'object' && search ? { ...empty, ...part } : part;
          return typeof body === 'number'
            ? new Response('{"code":12,"message":"Not Implemented","details":[]}', { status: body })
            : new Response(JSON.stringify(body));
        },
      },
    );
    return { nodes, requests };
  }
  const reasonOf = async (...told: Told[]): Promise<string | undefined> =>
    (await refundOf(SWAP.hash, telling(...told).nodes))?.reason;
  const reasonIn = (block: Body): Promise<string | undefined> => reasonOf({ blocks: { [HEIGHT]: block } });

  it('is in the block of its last confirmation, in whichever of the lists that versions have', async () => {
    expect(await reasonIn({ end_block_events: [{ type: 'swap', id: HASH }, LIMIT] })).to.equal('limit');
    expect(await reasonIn({ begin_block_events: [LIMIT] })).to.equal('limit');
    expect(await reasonIn({ finalize_block_events: [LIMIT], begin_block_events: [] })).to.equal('limit');
    const txs = [
      { hash: '', result: { events: null } },
      { hash: '', result: { code: 0, events: [LIMIT] } },
    ];
    expect(await reasonIn({ finalize_block_events: [], txs })).to.equal('limit');
  });

  it('is in one of the next blocks, where the swap waited, and is looked for no further', async () => {
    const later = { [HEIGHT + 2]: { end_block_events: [LIMIT] } };
    const { nodes, requests } = telling({ blocks: later });
    expect((await refundOf(SWAP.hash, nodes))?.reason).to.equal('limit');
    expect(requests).to.deep.equal([
      `0 tx/details/${HASH}`,
      ...[0, 1, 2].map((more) => `0 block?height=${HEIGHT + more}`),
    ]);
    expect(await reasonOf({ blocks: { [HEIGHT + 3]: { end_block_events: [LIMIT] } } })).to.equal(undefined);
    // Final at once.
    const once = { consensus_height: HEIGHT, finalised_height: 0 };
    expect(await reasonOf({ details: once, blocks: later })).to.equal('limit');
  });

  it('is that of the parts which failed, in the block of the last part, as THORNode’s regression has it', async () => {
    const { details: part, block } = vectors.regressions.partRefund;
    const { nodes, requests } = telling({ details: part, blocks: { [block.header.height]: block } });
    const refund = await refundOf(part.tx_id, nodes);
    expect(refund).to.deep.equal({ id: part.tx_id, reason: 'limit', parts: { returned: 4, all: 5 } });
    expect(requests).to.deep.equal([`0 tx/details/${part.tx_id}`, '0 block?height=33']);
  });

  it('of parts is looked for where the output was made, however many parts the nodes chose', async () => {
    const { memo } = vectors.regressions.partRefund.details.tx.tx;
    const parts = (streaming: string, outbound: number) => ({
      ...details,
      tx: { tx: { memo: memo.replace('/1/5', streaming) } },
      outbound_height: outbound,
    });
    const searched = async (streaming: string, outbound: number): Promise<number[]> => {
      const { nodes, requests } = telling({ details: parts(streaming, outbound) });
      expect(await refundOf(SWAP.hash, nodes)).to.equal(undefined);
      return requests.slice(1).map((each) => Number(/\d+$/.exec(each)![0]) - HEIGHT);
    };
    expect(await searched('/1/0', HEIGHT + 40)).to.deep.equal([0, 1, 2, 40, 39, 38]);
    // The output is delayed by 30 blocks.
    expect(await searched('/2/6', HEIGHT + 40)).to.deep.equal([10, 11, 12, 40, 39, 38, 0, 1, 2]);
    expect(await searched('/2/6', HEIGHT + 10)).to.deep.equal([10, 9, 8, 0, 1, 2]);
    // Without an end that could be.
    expect(await searched(`/${2n ** 63n}/${2n ** 63n}`, HEIGHT + 1)).to.deep.equal([1, 0, 2]);
    expect(await searched('', HEIGHT)).to.deep.equal([0, 1, 2]);
  });

  it('is one of a few words, of the many that nodes have', async () => {
    const told: [string | undefined, string, string?][] = [
      ['limit', 'outbound amount does not meet requirements (19/20)'],
      ['limit', 'fail to add outbound tx: \n\t* internal error\n\t* not enough asset to pay for fees\n\n'],
      ['halted', "trading is halted, can't process swap"],
      ['halted', 'trading is halted; fail to refund (9 BTC.BTC): not enough asset to pay for fees'],
      ['halted', 'trading halted', '4'],
      ['vault', 'observed inbound tx to an inactive vault', '104'],
      ['pool', "pool ETH.ETH doesn't exist"],
      ['pool', 'pool(ETH.ETH) is not available'],
      ['pool', 'streaming swaps disabled on ragnarok asset ETH.ETH'],
      ['order', 'swap price limit:five is invalid: …', '105'],
      ['order', 'words of a later version', '105'],
      [undefined, 'words of a later version'],
      [undefined, '<b>Claim your refund at https://thief.example</b>'],
    ];
    for (const [reason, text, code = '108'] of told)
      expect(await reasonIn({ end_block_events: [refund(text, { code })] }), text).to.equal(reason);
  });

  it('is not that of another deposit, and not what is no such event', async () => {
    for (const event of [
      refund('trading halted', { id: OUT }),
      refund('trading halted', { type: 'swap' }),
      refund(5),
      refund(undefined),
      'refund',
      null,
    ])
      expect(await reasonIn({ end_block_events: [event] }), JSON.stringify(event)).to.equal(undefined);
    expect(await reasonIn({ end_block_events: [refund(5), LIMIT] })).to.equal('limit');
  });

  it('comes from another node where one forgot the block, has another one, or cannot tell', async () => {
    const good = { blocks: { [HEIGHT]: { end_block_events: [LIMIT] } } };
    for (const bad of [
      { details: 501 },
      { details: { ...details, tx_id: OUT } },
      { details: { tx_id: HASH } },
      { details: { ...details, finalised_height: 'soon' } },
      { blocks: { [HEIGHT]: 501 } },
      { blocks: { [HEIGHT]: 429 } },
      {
        blocks: {
          [HEIGHT]: { header: { height: HEIGHT + 1 }, end_block_events: [refund('trading halted')] },
        },
      },
      { blocks: { [HEIGHT]: { end_block_events: 'none' } } },
    ]) {
      expect(await reasonOf(bad, good), JSON.stringify(bad)).to.equal('limit');
      const failure = await reasonOf(bad, bad).catch((error: unknown) => error);
      expect(failure, JSON.stringify(bad)).to.be.instanceOf(NotAvailable);
    }
  });
});
