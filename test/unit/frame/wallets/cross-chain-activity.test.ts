/** Swaps between chains in the activity: one entry each, followed from what was stored before the coins were sent. */
import { expect } from '@open-wc/testing';
import type { CrossChainSwap } from '../../../../src/api/history.ts';
import type { Summary } from '../../../../src/chains/approval/summary.ts';
import type { Amount } from '../../../../src/chains/coin.ts';
import type { Network } from '../../../../src/chains/network.ts';
import type { NodeReader } from '../../../../src/frame/frame.ts';
import {
  entriesOf,
  pairText,
  stateOf,
  swapOf,
  wordOf,
} from '../../../../src/frame/wallets/activity-entries.ts';
import { withoutPayouts } from '../../../../src/frame/wallets/activity-flow.ts';
import { activityCsv } from '../../../../src/frame/wallets/activity-csv.ts';
import { stateTag } from '../../../../src/frame/wallets/activity-list.ts';
import { followOne, swapBy, updateSwaps } from '../../../../src/frame/wallets/cross-chain-updates.ts';
import { SentView } from '../../../../src/frame/approve/outcome/sent-view.ts';
import { readStoredSwap, swapAnswer } from '../../../../src/swaps/cross-chain/sent-swap.ts';
import { TransactionView } from '../../../../src/frame/wallets/transaction-view.ts';
import { amountText } from '../../../../src/frame/ui/amount.ts';
import { openActivity } from '../../../../src/wallets/activity.ts';
import { openDatabase } from '../../../../src/wallets/database.ts';
import type { ActivityRecord, ReceivedRecord } from '../../../../src/wallets/types.ts';
import { TestClock } from '../../clock.ts';
import { deepAll, MAIN_WALLET as wallet, show, visible } from '../scene.ts';
import { checkScenes } from '../scenes.ts';

const HASH = 'ab'.repeat(32);
const OUT = `0x${'cd'.repeat(32)}`;
const BACK = 'ef'.repeat(32);
const ALICE = '0x5615E8AB93b9d695b6d4d6545f7792aA59e1069a';
const SENDER = 'bc1qatt33ste4xywa97skmt9tmxwnpzrvqszwpm6pu';
const bitcoins = (raw: bigint): Amount => ({ symbol: 'BTC', decimals: 8, raw });
const ether = (raw: bigint): Amount => ({ symbol: 'ETH', decimals: 18, raw });
const NOW = 1_800_000_000_000;

const network = (id: string, secretType: Network['secretType']): Network => ({
  id,
  secretType,
  name: id === 'bitcoin' ? 'Bitcoin' : 'Ethereum',
  kind: 'mainnet',
  nodes: ['https://node.example'],
  explorer: `https://${id}.example/tx/`,
  tokens: [],
});
const NETWORKS = [network('bitcoin', 'BITCOIN'), network('ethereum', 'ETHEREUM')];
const CROSS_CHAIN = [
  {
    kind: 'thorchain',
    name: 'THORChain',
    nodes: ['one.example', 'other.test'].map((host) => ({ url: `https://${host}`, operator: host })),
    routers: [{ network: 'ethereum', address: `0x${'d3'.repeat(20)}`, codeHash: `0x${'0'.repeat(64)}` }],
    assets: [
      { network: 'bitcoin', name: 'BTC.BTC' },
      { network: 'ethereum', name: 'ETH.ETH' },
    ],
  },
];

const summary: Summary = {
  kind: 'transfer',
  networkName: 'Bitcoin',
  amount: bitcoins(1_000_000n),
  from: SENDER,
  to: 'bc1qvault',
  exchange: 'THORChain',
  swap: {
    orderType: 'SELL',
    input: bitcoins(1_000_000n),
    output: ether(2n * 10n ** 17n),
    recipient: ALICE,
  },
  crossChain: {
    exchange: 'THORChain',
    input: bitcoins(1_000_000n),
    vault: 'bc1qvault',
    memo: `=:e:${ALICE}:20000000`,
    outlook: {
      secretType: 'ETHEREUM',
      network: 'ethereum',
      networkName: 'Ethereum',
      recipient: ALICE,
      expected: ether(21n * 10n ** 16n),
      minimum: ether(2n * 10n ** 17n),
      liquidityFee: ether(1n),
      outboundFee: ether(1n),
      refundFee: bitcoins(1n),
      seconds: 600,
    },
  },
  fee: { expected: bitcoins(100n), maximum: bitcoins(100n) },
  total: bitcoins(1_000_100n),
  balance: bitcoins(9_000_000n),
  warnings: [],
};
const record = (more: Partial<ActivityRecord> = {}): ActivityRecord => ({
  hash: HASH,
  walletId: 'main',
  secretType: 'BITCOIN',
  network: 'bitcoin',
  origin: 'https://shop.example',
  at: NOW,
  state: 'confirmed',
  summary,
  raw: '02',
  ...more,
});
const money = (raw: bigint, symbol: string, decimals: number): CrossChainSwap['input'] => ({
  value: '1',
  raw: `${raw}`,
  symbol,
  decimals,
});
const PAYOUT = {
  transactionHash: OUT,
  secretType: 'ETHEREUM' as const,
  network: 'ethereum',
  amount: money(205n * 10n ** 15n, 'ETH', 18),
};
const REFUND = {
  transactionHash: BACK,
  secretType: 'BITCOIN' as const,
  network: 'bitcoin',
  amount: money(900_000n, 'BTC', 8),
};
const at = (news: Partial<CrossChainSwap>, more: Partial<ActivityRecord> = {}): ActivityRecord =>
  record({ crossChain: { ...swapBy(record())!, ...news }, ...more });

const entryOf = (one: ActivityRecord) =>
  entriesOf([one], [], [], NOW, [], (id) => NETWORKS.find((each) => each.id === id))[0] as Extract<
    ReturnType<typeof entriesOf>[number],
    { type: 'sent' }
  >;
const tagOf = (one: ActivityRecord, now = NOW): string => {
  const { values = [] } = stateTag(entryOf(one), now) as { values?: unknown[] };
  return String(values[0] ?? '');
};
const drawn = (one: ActivityRecord, now = NOW): TransactionView =>
  Object.assign(new TransactionView(), {
    entry: entryOf(one),
    wallet,
    explorer: NETWORKS[0]!.explorer,
    networkNamed: (id: string) => NETWORKS.find((each) => each.id === id),
    now,
  });
checkScenes('swaps between chains', {
  'that take longer': { view: () => drawn(at({ stage: 'paying-out' }), NOW + 1_800_001) },
  'of which a part came back': {
    view: () => drawn(at({ stage: 'part-refunded', payouts: [PAYOUT], refunds: [REFUND] })),
  },
  'that were just sent': {
    view: () =>
      Object.assign(new SentView(), {
        who: 'THORChain',
        swap: summary.swap,
        underway: 'THORChain has seen block 2 of 3.',
        hash: HASH,
      }),
  },
});

const textOf = async (view: TransactionView): Promise<string> => {
  await show(view);
  return visible(view).replace(/\s+/g, ' ');
};

describe('a swap between chains in the activity', () => {
  it('has a tag for how far it is, and is done only once it is paid out', () => {
    const minutes = NOW + 4 * 60_000;
    expect(tagOf(record(), minutes)).to.equal('Waiting 4 min');
    expect(tagOf(at({ stage: 'confirming', confirmations: { seen: 2, needed: 3 } }))).to.equal(
      'Block 2 of 3',
    );
    expect(tagOf(at({ stage: 'swapping' }))).to.equal('Swapping');
    expect(tagOf(at({ stage: 'paying-out' }))).to.equal('Being paid out');
    expect(wordOf(entryOf(at({ stage: 'paying-out' })))).to.equal('Swapping');
    const paid = entryOf(at({ stage: 'paid', payouts: [PAYOUT] }, { got: 205n * 10n ** 15n }));
    expect([stateOf(paid), wordOf(paid)]).to.deep.equal(['final', 'Swapped']);
    expect(pairText(swapOf(paid)!, paid.record.got, amountText)).to.equal('0.01 BTC → 0.205 ETH');
    expect(tagOf(at({ stage: 'refunded', refunds: [REFUND] }))).to.equal('Came back');
    const part = at({ stage: 'part-refunded', payouts: [PAYOUT], refunds: [REFUND] });
    expect(tagOf(part)).to.equal('A part came back');
    // Its own transaction failed: nothing was sent.
    expect(stateOf(entryOf(record({ state: 'failed' })))).to.equal('failed');
  });

  it('takes longer after three times its estimate', () => {
    const late = NOW + 1_800_001;
    expect(tagOf(record(), NOW + 1_800_000)).to.equal('Waiting 30 min');
    expect(tagOf(record(), late)).to.equal('Takes longer');
    expect(stateOf(entryOf(at({ stage: 'refunded' })))).to.equal('returned');
  });

  it('is one entry, with what was paid out and what came back', () => {
    const received = (hash: string): ReceivedRecord => ({ id: hash, hash, amount: ether(1n), at: NOW });
    const all = entriesOf(
      [at({ stage: 'part-refunded', payouts: [PAYOUT], refunds: [REFUND] })],
      [received(OUT), received(BACK), received('0x01')],
      [],
      NOW,
    );
    expect(withoutPayouts(all).map(({ id }) => id)).to.have.members([HASH, '0x01']);
  });

  it('shows both hashes, the exact receipt, the recipient in full, and each explorer', async () => {
    const view = drawn(at({ stage: 'paid', payouts: [PAYOUT] }, { got: 205n * 10n ** 15n }));
    const text = await textOf(view);
    for (const word of ['It was paid out.', 'Received', '0.205 ETH', 'Receives it on Ethereum', 'THORChain'])
      expect(text).to.include(word);
    expect(text.replaceAll(' ', '')).to.include(ALICE);
    const links = deepAll<HTMLAnchorElement>(view, 'a').map(({ href }) => href);
    expect(links).to.deep.equal([`https://ethereum.example/tx/${OUT}`, `https://bitcoin.example/tx/${HASH}`]);
  });

  it('says what came back', async () => {
    const text = await textOf(drawn(at({ stage: 'refunded', refunds: [REFUND] })));
    expect(text).to.include('It was not swapped. The coins came back, less a fee.');
    expect(text).to.match(/Came back \S+ 0.009 BTC/);
  });

  it('says why it came back, where a node told', async () => {
    const words = {
      limit: 'The price moved past your limit.',
      halted: 'Trading was halted.',
      pool: 'THORChain did not trade one of the assets.',
      order: 'THORChain did not accept the order.',
      vault: 'THORChain no longer used the address that the coins went to.',
    } as const;
    for (const [reason, sentence] of Object.entries(words) as [keyof typeof words, string][])
      expect(await textOf(drawn(at({ stage: 'refunded', refunds: [REFUND], reason })))).to.include(
        `The coins came back, less a fee. ${sentence}`,
      );
  });

  it('says how many parts came back, where a node told', async () => {
    const part = (more: Partial<CrossChainSwap> = {}): TransactionView =>
      drawn(at({ stage: 'part-refunded', payouts: [PAYOUT], refunds: [REFUND], ...more }));
    const parts = { returned: 4, all: 5 };
    expect(await textOf(part({ parts, reason: 'limit' }))).to.include(
      'A part was swapped, and the rest came back, each less a fee. Parts that came back: 4 of 5. The price moved past your limit.',
    );
    expect(await textOf(part())).not.to.include('Parts that');
  });

  it('links both explorers where it takes longer, and nobody else', async () => {
    const view = drawn(at({ stage: 'paying-out' }), NOW + 1_800_001);
    expect(await textOf(view)).to.include('It takes longer than usual');
    expect(deepAll<HTMLAnchorElement>(view, '.note a').map(({ href }) => href)).to.deep.equal([
      `https://bitcoin.example/tx/${HASH}`,
      'https://ethereum.example/',
    ]);
  });

  it('is told by the service, too, where another device began it', () => {
    const sent = {
      transactionHash: HASH,
      secretType: 'BITCOIN' as const,
      network: 'bitcoin',
      status: 'confirmed' as const,
      createdAt: new Date(NOW).toISOString(),
    };
    const told = (news?: Partial<CrossChainSwap>) => {
      const swap = news && { ...swapAnswer(swapBy(record())!), ...news };
      return entriesOf([], [], [], NOW, [{ ...sent, ...(swap && { swap }) }])[0]!;
    };
    expect(wordOf(told())).to.equal('Sent from elsewhere');
    const swapping = told({ stage: 'swapping' });
    expect([wordOf(swapping), stateOf(swapping)]).to.deep.equal(['Swapping', 'waiting']);
    const paid = told({ stage: 'paid', payouts: [PAYOUT] });
    expect([wordOf(paid), stateOf(paid)]).to.deep.equal(['Swapped', 'final']);
    expect(wordOf(told({ stage: 'refunded', refunds: [REFUND] }))).to.equal('Came back');
  });

  it('has in the exported table what came back, where nothing was paid out', () => {
    const cells = (one: ActivityRecord): string => activityCsv([entryOf(one)], new Map());
    const refunded = cells(at({ stage: 'refunded', refunds: [REFUND], reason: 'halted' }));
    expect(refunded).to.include('"0.01","BTC","","0.009","BTC"');
    expect(refunded).to.include(',"return_reason"\r\n').and.to.include(',"halted"\r\n');
    const paid = at({ stage: 'paid', payouts: [PAYOUT] }, { got: 205n * 10n ** 15n });
    expect(cells(paid)).to.include('"0.01","BTC","","0.205","ETH"');
  });

  it('leaves what a later version stored as it is', async () => {
    const later = record({ crossChain: { version: 2, stage: 'teleported' } as never });
    expect(swapBy(later)).to.equal(undefined);
    expect(tagOf(later, NOW + 60_000)).to.equal('Waiting 1 min');
    expect(await textOf(drawn(later))).to.include('has not seen the coins yet');
  });
});

describe('following swaps between chains', () => {
  const UNKNOWN = { stages: { inbound_observed: { started: false, final_count: 0, completed: false } } };
  const paid = {
    out_txs: [
      {
        id: OUT.slice(2).toUpperCase(),
        chain: 'ETH',
        to_address: ALICE,
        coins: [{ asset: 'ETH.ETH', amount: '20500000' }],
        memo: `OUT:${HASH.toUpperCase()}`,
      },
    ],
    stages: { inbound_observed: { started: true, completed: true } },
  };
  const refunded = {
    out_txs: [
      {
        id: BACK.toUpperCase(),
        chain: 'BTC',
        to_address: SENDER,
        coins: [{ asset: 'BTC.BTC', amount: '900000' }],
        memo: `REFUND:${HASH.toUpperCase()}`,
      },
    ],
    stages: { inbound_observed: { started: true, completed: true } },
  };
  /** By path without its query, what every node answers there. */
  const told = {
    [`/thorchain/tx/details/${HASH.toUpperCase()}`]: { finalised_height: 7 },
    '/thorchain/block': {
      header: { height: 7 },
      end_block_events: [
        { type: 'refund', id: HASH.toUpperCase(), code: '108', reason: 'trading is halted' },
      ],
    },
  };
  const original = globalThis.fetch;
  let answers: Record<string, unknown>;
  let asked: string[];
  let clock: TestClock;
  let name: string;

  beforeEach(() => {
    answers = { 'one.example': UNKNOWN, 'other.test': UNKNOWN };
    asked = [];
    clock = new TestClock(NOW);
    name = `cross-chain-${crypto.randomUUID()}`;
    globalThis.fetch = async (input) => {
      const { host, pathname } = new URL(String(input));
      asked.push(pathname);
      return new Response(JSON.stringify(answers[pathname] ?? answers[host]));
    };
  });
  afterEach(() => {
    globalThis.fetch = original;
    indexedDB.deleteDatabase(name);
  });

  /** As a page that was loaded again has them: from what is on disk alone. */
  async function loaded() {
    const activity = openActivity(await openDatabase(name));
    const networks = { networks: NETWORKS, crossChain: CROSS_CHAIN };
    const frame = {
      networks,
      clock,
      chain: () => Promise.reject(new Error('no chain')),
    } as unknown as NodeReader;
    return {
      activity,
      frame,
      look: async () => updateSwaps(frame, { activity }, await activity.list('main')),
    };
  }

  it('goes on after a reload, from what was stored before the coins were sent', async () => {
    const first = await loaded();
    // Never known to be sent.
    await first.activity.put(record({ state: 'unknown', draft: undefined }));
    await first.look();
    expect((await first.activity.get(HASH))!.crossChain).to.equal(undefined);
    answers = { 'one.example': paid, 'other.test': paid };
    const next = await loaded();
    await next.activity.setState(HASH, 'confirmed');
    await next.look();
    const { crossChain, got, state } = (await next.activity.get(HASH))!;
    expect(crossChain).to.deep.include({ version: 1, stage: 'paid', recipient: ALICE });
    expect(crossChain!.payouts[0]).to.deep.include({ transactionHash: OUT, network: 'ethereum' });
    expect([got, state]).to.deep.equal([205n * 10n ** 15n, 'confirmed']);
    const requests = asked.length;
    await (await loaded()).look();
    expect(asked, 'it has ended').to.have.length(requests);
  });

  it('asks nobody before its time, of what failed, or of what another version stored', async () => {
    const { activity, look } = await loaded();
    await activity.put(record());
    await look();
    await look();
    expect(asked).to.have.length(2);
    await clock.pass(10_000);
    await look();
    expect(asked).to.have.length(4);
    await clock.pass(10_000);
    await look();
    expect(asked, 'ever less often').to.have.length(4);
    await activity.put(record({ state: 'failed' }));
    await clock.pass(600_000);
    await look();
    await activity.put(record({ crossChain: { version: 2 } as never }));
    await look();
    expect(asked).to.have.length(4);
  });

  it('keeps what it knew while nodes do not answer, or only one says that it is over', async () => {
    const { activity, look } = await loaded();
    await activity.put(at({ stage: 'confirming', confirmations: { seen: 1, needed: 3 } }));
    answers = {};
    await look();
    expect((await activity.get(HASH))!.crossChain!.confirmations).to.deep.equal({ seen: 1, needed: 3 });
    answers = { 'one.example': paid };
    await clock.pass(10_000);
    await look();
    const { crossChain, got } = (await activity.get(HASH))!;
    expect([crossChain!.stage, got]).to.deep.equal(['paying-out', undefined]);
  });

  it('shows a refund at once, and its reason once a node tells', async () => {
    const { activity, frame, look } = await loaded();
    await activity.put(record());
    answers = { 'one.example': refunded, 'other.test': refunded };
    await look();
    const { crossChain } = (await activity.get(HASH))!;
    expect([crossChain!.stage, crossChain!.refunds.length]).to.deep.equal(['refunded', 1]);
    expect(crossChain).not.to.have.property('reason');
    // The nodes do not say, then they do.
    await clock.pass(10_000);
    await look();
    expect((await activity.get(HASH))!.crossChain).to.deep.equal(crossChain);
    Object.assign(answers, told);
    await clock.pass(15_000);
    await look();
    expect((await activity.get(HASH))!.crossChain).to.deep.equal({ ...crossChain, reason: 'halted' });
    const requests = asked.length;
    const news: string[] = [];
    const stop = await followOne(frame, { activity }, HASH, ({ underway }) => news.push(underway));
    stop();
    expect(news[0]).to.equal('It was not swapped. The coins came back, less a fee. Trading was halted.');
    await clock.pass(600_000);
    await look();
    expect(asked).to.have.length(requests);
  });

  it('keeps how many parts came back, as a node tells it with the reason', async () => {
    const { activity, look } = await loaded();
    await activity.put(at({ stage: 'part-refunded', payouts: [PAYOUT], refunds: [REFUND] }));
    const { header, end_block_events: events } = told['/thorchain/block'];
    const end = {
      type: 'streaming_swap',
      tx_id: HASH.toUpperCase(),
      quantity: '5',
      failed_swaps: '4, 5',
      failed_swap_reasons: 'trading is halted\n trading is halted',
    };
    Object.assign(answers, told, { '/thorchain/block': { header, end_block_events: [...events, end] } });
    await look();
    const { crossChain } = (await activity.get(HASH))!;
    expect(crossChain).to.deep.include({ reason: 'halted', parts: { returned: 2, all: 5 } });
    expect(readStoredSwap(crossChain)).to.deep.equal(crossChain);
  });

  it('gives up on a reason after ten looks, and does not begin with one that is a day old', async () => {
    const { activity, look } = await loaded();
    await activity.put(at({ stage: 'refunded', refunds: [REFUND] }));
    for (let i = 0; i < 15; i++) {
      await look();
      await clock.pass(300_000);
    }
    expect(asked.filter((path) => path.includes('/tx/details/'))).to.have.length(20);
    const { activity: later, look: lookLater } = await loaded();
    await later.put(at({ stage: 'refunded', refunds: [REFUND] }, { at: clock.date() - 86_400_001 }));
    const requests = asked.length;
    await lookLater();
    expect(asked).to.have.length(requests);
  });

  it('reads what was stored before there were reasons', () => {
    const stored = JSON.parse(
      JSON.stringify(at({ stage: 'refunded', refunds: [REFUND] }).crossChain),
    ) as object;
    expect(stored).not.to.have.property('reason');
    expect(readStoredSwap(stored)).to.deep.equal(stored);
    expect(readStoredSwap({ ...stored, reason: 'limit' })).to.deep.include({ reason: 'limit' });
  });

  it('shows after sending how far it is, until the user leaves', async () => {
    const { activity, frame } = await loaded();
    await activity.put(record());
    const news: { underway: string; got?: Amount }[] = [];
    const stop = await followOne(frame, { activity }, HASH, (one) => news.push(one));
    expect(news).to.deep.equal([{ underway: 'THORChain has not seen the coins yet.' }]);
    stop();
    answers = { 'one.example': paid, 'other.test': paid };
    const done = new Promise<Amount | undefined>((resolve) => {
      void followOne(frame, { activity }, HASH, ({ got }) => got && resolve(got));
      void clock.pass(30_000);
    });
    await clock.pass(30_000);
    expect((await done)?.raw).to.equal(205n * 10n ** 15n);
    expect(news).to.have.length(1);
  });
});
