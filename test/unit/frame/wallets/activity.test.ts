import { expect } from '@open-wc/testing';
import type { SentTransaction } from '../../../../src/api/transaction.ts';
import type { Draft } from '../../../../src/chains/terms.ts';
import type { Amount } from '../../../../src/chains/coin.ts';
import type { Network } from '../../../../src/chains/network.ts';
import type { Summary } from '../../../../src/chains/approval/summary.ts';
import { ActivityView } from '../../../../src/frame/wallets/activity-view.ts';
import { activityCsv } from '../../../../src/frame/wallets/activity-csv.ts';
import {
  type Entry,
  entriesOf,
  networkNameOf,
  type SentEntry,
  wordOf,
} from '../../../../src/frame/wallets/activity-entries.ts';
import {
  type Filter,
  filtered,
  NO_FILTER,
  sitesIn,
  tokensIn,
  yearsIn,
} from '../../../../src/frame/wallets/activity-filter.ts';
import { hideBalances } from '../../../../src/frame/ui/hidden-balances.ts';
import { TransactionView } from '../../../../src/frame/wallets/transaction-view.ts';
import type { ActivityRecord, ReceivedRecord, SignatureRecord } from '../../../../src/wallets/types.ts';
import { speak } from '../../../../src/base/languages.ts';
import { frame } from '../../../../src/locales/frame.ts';
import { speakEnglish } from '../../pseudo.ts';
import { addressIn, deepAll, MAIN_WALLET as wallet, named, RECIPIENT, show, visible } from '../scene.ts';
import { checkScenes } from '../scenes.ts';

const ADDRESS = wallet.address;
const SENDER = '0x2546BcD3c84621e976D8185a91A922aE77ECEc30';
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const NOW = new Date(2026, 10, 21, 11, 30).getTime();

const ether = (tenths: number): Amount => ({ symbol: 'ETH', decimals: 18, raw: BigInt(tenths) * 10n ** 17n });
const dollars = (cents: number): Amount => ({
  symbol: 'DUSD',
  decimals: 18,
  raw: BigInt(cents) * 10n ** 16n,
  token: '0x00000000000000000000000000000000000d05d0',
});

const summary = (more: Partial<Summary> = {}): Summary => ({
  kind: 'transfer',
  networkName: 'Ethereum',
  amount: ether(5),
  from: ADDRESS,
  to: RECIPIENT,
  fee: {
    expected: { ...ether(0), raw: 252n * 10n ** 12n },
    maximum: { ...ether(0), raw: 420n * 10n ** 12n },
  },
  total: ether(5),
  balance: ether(12),
  nonce: 18,
  warnings: [],
  ...more,
});

let count = 0;
const record = (more: Partial<ActivityRecord> = {}): ActivityRecord => ({
  hash: `0x${String(++count).padStart(64, '0')}`,
  walletId: 'main',
  secretType: 'ETHEREUM',
  origin: 'https://shop.example',
  at: NOW - 10 * MINUTE,
  state: 'confirmed',
  summary: summary(),
  raw: '0x02',
  ...more,
});
const received = (more: Partial<ReceivedRecord> = {}): ReceivedRecord => ({
  id: `0x${String(++count).padStart(64, 'a')}:0`,
  hash: `0x${String(count).padStart(64, 'a')}`,
  from: SENDER,
  amount: ether(20),
  at: NOW - 60 * MINUTE,
  ...more,
});

const swap = {
  orderType: 'SELL' as const,
  input: ether(5),
  output: dollars(99_100),
  recipient: ADDRESS,
  deadline: 0n,
};
const waiting = record({
  state: 'pending',
  at: NOW - 4 * MINUTE,
  draft: {} as Draft,
  worth: { value: 612.5, currency: 'USD' },
});
const signedIn: SignatureRecord = {
  id: 'https://shop.example request-1',
  walletId: 'main',
  origin: 'https://shop.example',
  at: NOW - DAY - 60 * MINUTE,
  kind: 'sign-in',
};

const STORY = {
  records: [
    waiting,
    record({
      summary: summary({ kind: 'call', amount: ether(0), to: RECIPIENT, exchange: 'Northway', swap }),
      got: dollars(99_601).raw,
    }),
    record({
      at: NOW - DAY,
      summary: summary({ kind: 'approval', amount: dollars(50_000), exchange: 'Openbook' }),
    }),
    record({ at: NOW - DAY - MINUTE, state: 'failed', fee: 21n }),
    record({ at: NOW - DAY - 2 * MINUTE, state: 'failed', expired: true }),
    record({ at: NOW - DAY - 3 * MINUTE, state: 'failed', replacedBy: '0x2' }),
    record({ at: NOW - DAY - 4 * MINUTE, state: 'failed', replacedBy: '0xcancel', replacedTo: 'cancel' }),
    record({
      at: NOW - DAY - 4 * MINUTE,
      hash: '0xcancel',
      summary: summary({ to: ADDRESS, amount: ether(0) }),
    }),
    record({ at: NOW - 400 * DAY, summary: summary({ to: null, kind: 'creation', amount: ether(0) }) }),
  ],
  received: [
    received({ worth: { value: 4900, currency: 'USD' } }),
    received({ at: undefined, from: undefined }),
  ],
  dust: [
    received({ dust: true, amount: { ...dollars(0), raw: 1n } }),
    received({ dust: true, amount: { raw: 5n, decimals: null, symbol: '0xbad0…0001', token: RECIPIENT } }),
  ],
};

const SERVED: SentTransaction[] = (['confirmed', 'pending', 'unknown'] as const).map((status, i) => ({
  transactionHash: `0x${'7'.repeat(62)}0${i}`,
  secretType: 'ETHEREUM',
  network: 'local',
  status,
  createdAt: new Date(NOW - (20 + i) * MINUTE).toISOString(),
}));

const local: Network = {
  id: 'local',
  secretType: 'ETHEREUM',
  name: 'Local Ethereum',
  kind: 'local',
  nodes: [],
  explorer: 'https://explorer.example/tx/',
  tokens: [],
};
const base: Network = { ...local, id: 'base', name: 'Base', explorer: 'https://base.example/tx/' };
const networkById = (id = 'local') => [local, base].find((one) => one.id === id);

const entries = (): Entry[] => entriesOf(STORY.records, [...STORY.received, ...STORY.dust], [signedIn], NOW);
const names = new Map([[RECIPIENT.toLowerCase(), 'Ada']]);

const list = (all: readonly Entry[] = entries()): ActivityView =>
  Object.assign(new ActivityView(), { wallet, entries: all, names, now: NOW });
const one = (entry: Entry, more: Partial<TransactionView> = {}): TransactionView =>
  Object.assign(new TransactionView(), {
    entry,
    wallet,
    names,
    now: NOW,
    explorer: 'https://explorer.example/tx/',
    replaceable: true,
    ...more,
  });
const entryOf = (found: ActivityRecord | ReceivedRecord): Entry =>
  ('summary' in found ? entriesOf([found], [], [], NOW) : entriesOf([], [found], [], NOW))[0]!;

checkScenes('activity', {
  'of many kinds': { view: () => list() },
  'of what another device sent': {
    view: () => list(entriesOf([waiting], [], [signedIn], NOW, SERVED, networkById)),
  },
  'of all wallets, with filters': {
    view: () =>
      Object.assign(
        list(
          entries().map((entry) => ({
            ...entry,
            wallet,
            note: entry.type === 'sent' ? 'Rent of May' : undefined,
          })),
        ),
        {
          wallets: [wallet, { ...wallet, id: 'other', alias: 'Savings' }],
          scope: '',
          networks: [local, base],
        },
      ),
    act: (view) => named<HTMLElement>(view, 'Filter').click(),
  },
  'without anything': { view: () => list([]) },
  'of a transaction that waits': { view: () => one(entryOf(waiting)) },
  'of a swap': { view: () => one(entryOf(STORY.records[1]!)) },
  'of a failure': { view: () => one(entryOf(STORY.records[3]!)) },
  'of coins that were only seen': {
    view: () =>
      one(entryOf(received({ hash: undefined, from: undefined, block: 7, seenSince: NOW - 2 * DAY }))),
  },
  'of what came': { view: () => one(entryOf(STORY.received[0]!)) },
});

async function rowsOf(view: ActivityView): Promise<string[]> {
  await show(view);
  return deepAll<HTMLElement>(view, '.event').map((row) => row.textContent!.replace(/\s+/g, ' ').trim());
}

describe('the list of what happened', () => {
  it('tells direction, counterpart, amount and what it was worth then, by day', async () => {
    const view = list();
    const rows = await rowsOf(view);
    const find = (text: string): string => rows.find((row) => row.includes(text)) ?? '';
    expect(find('Ada')).to.match(/^Sending Waiting 4 min to Ada · .* −0.5 ETH ?\$612\.50$/);
    expect(find('2546')).to.match(/^Received from 0x2546…Ec30 · .* \+2 ETH ?\$4,900\.00$/);
    expect(find('→'))
      .to.include('Swapped')
      .and.to.include('0.5 ETH → 996.01 DUSD')
      .and.to.include('Northway');
    expect(find('Openbook')).to.match(/^Spending limit Openbook · 500 DUSD/);
    expect(find('Signed in')).to.include('shop.example');
    const days = deepAll(view, '.sect').map((day) => day.textContent!.trim());
    expect(days[0]).to.equal('Today');
    expect(
      days.some((day) => day.includes('2025')),
      'another year',
    ).to.equal(true);
  });

  it('marks for a moment the row of what comes while it is on screen', async () => {
    const view = list();
    const { settle } = await show(view);
    expect(deepAll(view, '.new')).to.have.length(0);
    view.entries = [...entriesOf([], [received({ at: NOW + MINUTE })], [], NOW), ...entries()];
    view.now = NOW + 2 * MINUTE;
    await settle();
    expect(deepAll(view, '.new').map((row) => row.textContent!.includes('Received'))).to.deep.equal([true]);
  });

  it('has a word only for what is not simply done', async () => {
    const rows = await rowsOf(list());
    const tags = deepAll(document.body, '.event .tag').map((tag) => tag.textContent!.trim());
    expect(tags).to.deep.equal(['Waiting', 'Waiting 4 min', 'Failed', 'Failed', 'Replaced', 'Cancelled']);
    expect(rows.filter((row) => row.includes('fee spent'))).to.have.length(1);
    expect(rows.filter((row) => row.includes('expired, nothing spent'))).to.have.length(1);
    expect(rows.filter((row) => row.includes('Cancellation'))).to.have.length(1);
  });

  it('keeps next to nothing, and tokens of strangers, apart, and repeats none of their names', async () => {
    const view = list();
    await rowsOf(view);
    const [hidden] = deepAll<HTMLDetailsElement>(view, 'details');
    expect(hidden!.open).to.equal(false);
    expect(hidden!.querySelector('summary')!.textContent).to.equal('Hidden (2)');
    expect(hidden!.textContent).to.include('Unknown token').and.to.not.include('bad0');
    expect(deepAll(view, '.event')).to.have.length(14);
    expect(hidden!.querySelectorAll('.event')).to.have.length(2);
  });

  it('tells of a swap what was promised at least, until it is known', async () => {
    const rows = await rowsOf(list([entryOf({ ...STORY.records[1]!, got: undefined, state: 'pending' })]));
    expect(rows[0]).to.include('0.5 ETH → at least 991 DUSD');
  });

  it('counts what a swap brought only once', () => {
    const [, swapped] = STORY.records;
    expect(entriesOf([swapped!], [received({ hash: swapped!.hash })], [], NOW)).to.have.length(1);
  });

  it('says of coins that only the balance tells of when they were seen, and nothing of a sender', async () => {
    const seen = received({ hash: undefined, from: undefined, block: 7, seenSince: NOW - DAY });
    const rows = await rowsOf(list([entryOf(seen)]));
    expect(rows[0]).to.match(/^Received seen \S*:30.* \+2 ETH$/);
    const view = one(entryOf(seen));
    await show(view);
    expect(visible(view)).to.include('The balance rose by this since').and.include('Seen');
    expect(deepAll(view, '.hash')).to.have.length(0);
    expect(deepAll(view, '.party .k').map(({ textContent }) => textContent)).to.deep.equal(['To']);
    const paid = one(entryOf(received({ hash: undefined, from: undefined, block: 7 })));
    await show(paid);
    expect(visible(paid)).to.include('A contract or the network itself paid it');
  });

  it('counts coins only once where they are a token, too', () => {
    const token: Amount = { ...ether(20), token: RECIPIENT };
    const log = received({ amount: token, at: NOW - MINUTE });
    const count = (...all: ReceivedRecord[]): number => entriesOf([], all, [], NOW).length;
    const coins = received({ hash: log.hash, block: 7 });
    expect(count(log, coins)).to.equal(1);
    expect(count(log, { ...coins, amount: ether(21) })).to.equal(2);
    expect(count(log, received({ block: 7 }))).to.equal(2);
    const seen = received({ hash: undefined, block: 7, at: NOW, seenSince: NOW - 5 * MINUTE });
    expect(count(log, seen)).to.equal(1);
    expect(count(log, { ...seen, amount: ether(21) })).to.equal(2);
    expect(count(log, { ...seen, network: 'base' })).to.equal(2);
    expect(count({ ...log, at: NOW - DAY }, seen)).to.equal(2);
  });

  it('lists what another device sent, as the service tells it, and nothing twice', async () => {
    const hash = (end: string): string => `0x${end.padStart(64, '7')}`;
    const sent = (end: string, more: Partial<SentTransaction>): SentTransaction => ({
      transactionHash: hash(end),
      secretType: 'ETHEREUM',
      network: 'local',
      status: 'confirmed',
      createdAt: new Date(NOW - 20 * MINUTE).toISOString(),
      ...more,
    });
    const served = [
      sent('a1', { status: 'pending' }),
      sent('b2', {}),
      sent('c3', { status: 'failed', reason: 'replaced' }),
      sent('d4', { status: 'unknown' }),
      sent('0', { transactionHash: waiting.hash, status: 'pending' }),
    ];
    const change = received({ hash: hash('b2') });
    const view = list(entriesOf([waiting], [change], [], NOW, served, networkById));
    const rows = await rowsOf(view);
    expect(rows).to.have.length(5);
    expect(rows[1]).to.match(/^Sent from elsewhere Waiting 20 min 0x7777…77a1 · /);
    expect(rows[2]).to.match(/^Sent from elsewhere 0x7777…77b2 · /);
    expect(rows[3]).to.include('Replaced');
    expect(rows[4]).to.include('Failed');
    const [link] = deepAll<HTMLAnchorElement>(view, 'a.event');
    expect(link!.href).to.equal(`https://explorer.example/tx/${hash('a1')}`);
    expect([link!.target, link!.rel]).to.deep.equal(['_blank', 'noopener noreferrer']);
    view.entries = entriesOf([waiting], [change], [], NOW, served);
    await view.updateComplete;
    expect(deepAll(view, 'a.event')).to.have.length(0);
  });

  it('names the network of each where the wallet is on several, and shows those of one', async () => {
    const there = record({ network: 'base', at: NOW - MINUTE });
    const all = [record(), there, record({ network: 'custom', at: NOW - 20 * MINUTE })];
    const came = received({ network: 'base' });
    // It says what it is called in networks.json, which has lost it.
    expect(
      entriesOf([], [received({ network: 'zora' })], [], NOW, [], networkById).map(networkNameOf),
    ).to.deep.equal(['zora']);
    const view = list(entriesOf(all, [came], [signedIn], NOW, [], networkById));
    view.networks = [local, base];
    const rows = await rowsOf(view);
    expect(rows.map((row) => /Local Ethereum|Base|Ethereum/.exec(row)?.[0])).to.deep.equal([
      'Base',
      'Local Ethereum',
      'Ethereum',
      'Base',
      undefined,
    ]);
    const filter = named<HTMLSelectElement>(view, 'Network');
    expect(filter.options[0]!.text).to.equal('All networks');
    filter.value = 'base';
    filter.dispatchEvent(new Event('change'));
    await view.updateComplete;
    expect(deepAll(view, '.event')).to.have.length(2);
    view.networks = [local];
    await view.updateComplete;
    expect(deepAll(view, 'select')).to.have.length(0);
  });

  it('draws what came first, and the rest when asked', async () => {
    const many = Array.from({ length: 60 }, (_, i) => record({ at: NOW - i * MINUTE }));
    const view = list(entriesOf(many, [], [], NOW));
    expect(await rowsOf(view)).to.have.length(50);
    deepAll<HTMLElement>(view, '.btn.text')[0]!.click();
    await view.updateComplete;
    expect(deepAll(view, '.event')).to.have.length(60);
  });
});

describe('a search of what happened', () => {
  const find = (change: Partial<Filter>, all = entries()): string[] =>
    filtered(all, { ...NO_FILTER, ...change }, names, NOW).map((entry) => wordOf(entry));

  it('finds every word, in names, addresses, sites, amounts and hashes', () => {
    expect(find({ text: 'ada waiting' })).to.deep.equal([]);
    expect(find({ text: 'ADA 0.5' }).length).to.be.greaterThan(1);
    expect(find({ text: ' northway ' })).to.deep.equal(['Swapped']);
    expect(find({ text: SENDER })).to.include('Received');
    expect(find({ text: waiting.hash })).to.deep.equal(['Sending']);
    expect(find({ text: 'signed shop.example' })).to.deep.equal(['Signed in']);
    expect(find({ text: 'rent' }, [{ ...entryOf(waiting), note: 'Rent of May' }])).to.deep.equal(['Sending']);
  });

  it('is narrowed by direction, token, site and time', () => {
    expect(new Set(find({ direction: 'in' }))).to.deep.equal(new Set(['Received', 'Receiving']));
    expect(find({ direction: 'swap' })).to.deep.equal(['Swapped']);
    expect(find({ direction: 'other' })).to.include.members(['Signed in', 'Spending limit', 'Cancellation']);
    expect(find({ direction: 'out' }))
      .to.include('Sending')
      .and.not.include('Swapped');
    expect(tokensIn(entries())).to.deep.equal(['DUSD', 'ETH']);
    expect(find({ token: 'DUSD' })).to.include.members(['Swapped', 'Spending limit']);
    expect(sitesIn(entries())).to.deep.equal(['https://shop.example']);
    expect(find({ site: 'https://shop.example' }))
      .to.include('Signed in')
      .and.not.include('Received');
    expect(yearsIn(entries())).to.deep.equal(['2026', '2025']);
    expect(find({ time: '2025' })).to.deep.equal(['New contract']);
    expect(find({ time: '30 days' })).to.not.include('New contract');
    expect(find({ time: '2026' }))
      .to.include('Sending')
      .and.not.include('New contract');
  });

  it('is made in the list, which says how many it shows, and exports those', async () => {
    const view = list();
    await show(view);
    const search = named<HTMLInputElement>(view, 'Search the activity');
    search.value = 'northway';
    search.dispatchEvent(new Event('input'));
    named<HTMLElement>(view, 'Filter').click();
    await view.updateComplete;
    expect(deepAll(view, '.event')).to.have.length(1);
    expect(deepAll(view, '[role=status]')[0]!.textContent).to.equal('1 of 14');
    const direction = named<HTMLSelectElement>(view, 'Direction');
    direction.value = 'in';
    direction.dispatchEvent(new Event('change'));
    await view.updateComplete;
    expect(deepAll(view, '.event')).to.have.length(0);
    direction.value = '';
    direction.dispatchEvent(new Event('change'));
    await view.updateComplete;
    const exported: Entry[][] = [];
    view.addEventListener('cbf-export', (event) => exported.push((event as CustomEvent).detail.entries));
    named<HTMLElement>(view, 'Export as CSV').click();
    expect(exported.map((some) => some.map(wordOf))).to.deep.equal([['Swapped']]);
  });

  it('tells no amounts while balances are hidden', async () => {
    hideBalances(true);
    try {
      const rows = await rowsOf(list());
      expect(rows.join(' ')).to.not.match(/\$|ETH|DUSD →|→/);
      expect(rows.find((row) => row.startsWith('Sending'))).to.include('••••hidden');
      const view = one(entryOf(STORY.received[0]!));
      await show(view);
      expect(deepAll(view, 'h1')[0]!.textContent).to.equal('Received');
      expect(visible(view)).to.not.include('$').and.not.include('2 ETH');
    } finally {
      hideBalances(false);
    }
  });

  it('is over all wallets, each named, if the user wants', async () => {
    const other = { ...wallet, id: 'other', alias: 'Savings', secretType: 'BITCOIN' as const };
    const both = [
      { ...entryOf(waiting), wallet },
      { ...entryOf(STORY.received[0]!), wallet: other },
    ];
    const view = Object.assign(list(both), { wallets: [wallet, other], scope: '' });
    const rows = await rowsOf(view);
    expect(rows[0]).to.include('Main wallet');
    expect(rows[1]).to.include('Savings');
    const scopes: string[] = [];
    view.addEventListener('cbf-scope', (event) => scopes.push((event as CustomEvent).detail.id));
    const choice = named<HTMLSelectElement>(view, 'Wallet');
    expect([...choice.options].map(({ text }) => text)).to.deep.equal([
      'All wallets',
      'Main wallet · Ethereum · 0x71C7…976F',
      'Savings · Bitcoin · 0x71C7…976F',
    ]);
    choice.value = 'other';
    choice.dispatchEvent(new Event('change'));
    expect(scopes).to.deep.equal(['other']);
  });
});

describe('the activity as a table', () => {
  /** Cells by column, of each row. */
  const tableOf = (...some: Entry[]): Record<string, string>[] => {
    const text = activityCsv(some, names);
    expect(text.startsWith('\uFEFF"date"')).to.equal(true);
    const [head, ...rows] = text
      .slice(1)
      .split('\r\n')
      .slice(0, -1)
      .map((line) => line.slice(1, -1).split('","'));
    return rows.map((cells) => Object.fromEntries(cells.map((cell, i) => [head![i]!, cell])));
  };

  it('has ISO dates, exact amounts, and values of the time', () => {
    const fee = 210n * 10n ** 12n;
    const sent = record({
      fee,
      feeWorth: { value: 1, currency: 'USD' },
      worth: { value: 612.5, currency: 'USD' },
    });
    const [row] = tableOf({ ...entryOf(sent), wallet, note: 'Rent' });
    expect(row).to.include({
      date: new Date(NOW - 10 * MINUTE).toISOString(),
      wallet: 'Main wallet',
      wallet_address: ADDRESS,
      chain: 'ETHEREUM',
      network: 'Ethereum',
      type: 'transfer',
      status: 'done',
      sent_amount: '0.5',
      sent_token: 'ETH',
      received_amount: '',
      fee_amount: '0.00021',
      fee_token: 'ETH',
      value: '612.5',
      fee_value: '0.5',
      currency: 'USD',
      to: RECIPIENT,
      name: 'Ada',
      site: 'https://shop.example',
      transaction: sent.hash,
      note: 'Rent',
    });
    const tiny = received({ amount: { ...ether(0), raw: 123_456_789_012_345_678_901n } });
    expect(tableOf(entryOf(tiny))[0]).to.include({
      type: 'received',
      received_amount: '123.456789012345678901',
      from: SENDER,
      value: '',
    });
  });

  it('has both sides of a swap as far as they are known, and nothing that did not move', () => {
    const [, swapped, , failure] = STORY.records;
    expect(tableOf(entryOf(swapped!))[0]).to.include({
      type: 'swap',
      sent_amount: '0.5',
      received_amount: '996.01',
      received_token: 'DUSD',
    });
    expect(tableOf(entryOf({ ...swapped!, got: undefined }))[0]).to.include({ received_amount: '' });
    expect(tableOf(entryOf(failure!))[0]).to.include({ status: 'failed', sent_amount: '' });
    const [unknown] = tableOf(entryOf(STORY.dust[1]!));
    expect(unknown).to.include({ received_amount: '5', received_token: `smallest units of ${RECIPIENT}` });
    expect(tableOf(...entries()).map(({ type }) => type)).to.include.members([
      'signature: sign-in',
      'cancellation',
    ]);
  });

  it('has no cell that a spreadsheet takes for a formula, or for two', () => {
    for (const evil of ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '＝1']) {
      const text = activityCsv([{ ...entryOf(waiting), note: evil }], new Map());
      expect(text).to.include(`,"'${evil}",""\r\n`);
    }
    const text = activityCsv([{ ...entryOf(waiting), note: 'say "hi", =1' }], new Map());
    expect(text).to.include(',"say ""hi"", =1",""\r\n');
    const named = activityCsv([entryOf(waiting)], new Map([[RECIPIENT.toLowerCase(), '=HYPERLINK("x")']]));
    expect(named).to.include(`"'=HYPERLINK(""x"")"`);
  });
});

describe('one transaction', () => {
  it('keeps Back above a transaction on the smallest phones', async () => {
    const view = one(entryOf(STORY.received[0]!));
    await show(view, 'light', 320, 544);
    const [head, effect] = ['.view-head', '.effect'].map((part) => deepAll(view, part)[0]!);
    expect(head!.getBoundingClientRect().bottom).to.be.below(effect!.getBoundingClientRect().top);
  });

  it('is told whole: who, who asked, when, at what fee', async () => {
    const view = one(entryOf(waiting));
    await show(view);
    const text = visible(view);
    expect(deepAll(view, 'h1')[0]!.textContent).to.equal('Sending 0.5 ETH');
    // Its leading zeros are an element of their own.
    for (const word of ['Ada', 'shop.example', '0.000420 ETH', '18', '$612.50', 'Waiting 4 min'])
      expect(text.replaceAll('\n', '')).to.include(word);
    expect(addressIn(view).textContent).to.equal(RECIPIENT);
    const link = deepAll<HTMLAnchorElement>(view, 'a')[0]!;
    expect(link.href).to.equal(`https://explorer.example/tx/${waiting.hash}`);
    expect(link.rel).to.include('noreferrer');
  });

  it('has a title that is a sentence in a language that puts the verb last, too', async () => {
    const limit = record({ summary: summary({ kind: 'approval', amount: dollars(50_000) }) });
    const call = record({
      summary: summary({ kind: 'call', call: { name: 'deposit', arguments: [], data: '0x' } }),
    });
    const titles = async (): Promise<string[]> => {
      const found = [record(), waiting, received(), received({ at: undefined }), limit, call];
      const shown: string[] = [];
      for (const entry of found) {
        const view = one(entryOf(entry));
        await show(view);
        shown.push(deepAll(view, 'h1')[0]!.textContent!);
      }
      return shown;
    };
    expect(await titles()).to.deep.equal([
      'Sent 0.5 ETH',
      'Sending 0.5 ETH',
      'Received 2 ETH',
      'Receiving 2 ETH',
      'Spending limit of 500 DUSD',
      'deposit with 0.5 ETH',
    ]);
    await speak(['ja'], frame);
    try {
      expect(await titles()).to.deep.equal([
        '0.5 ETHを送金しました',
        '0.5 ETHを送信中',
        '2 ETHを受け取りました',
        '2 ETHを受け取り中',
        '500 DUSDの使用上限',
        'deposit（0.5 ETHを含む）',
      ]);
    } finally {
      speakEnglish();
    }
  });

  /** Its parties and facts, a line each. */
  const drawn = async (found: ActivityRecord): Promise<string> => {
    const view = one(entryOf(found));
    await show(view);
    const rows = deepAll(view, '.party, .kv > div');
    return rows.map((row) => row.textContent!.replace(/\s+/g, ' ').trim()).join('\n');
  };

  it('has the value of its fee on that day: of the highest while it waits, of what was paid after', async () => {
    const feeWorth = { value: 1.03, currency: 'USD' };
    expect(await drawn({ ...waiting, feeWorth })).to.match(/Fee at most\s*0\.000420 ETH\s*\$1\.03/);
    const paid = record({ fee: 210n * 10n ** 12n, feeWorth });
    expect(await drawn(paid)).to.match(/Fee paid\s*0\.00021 ETH\s*\$0\.52/);
    expect(await drawn(record({ fee: 210n * 10n ** 12n }))).not.to.include('$');
  });

  it('names the exchange of a swap beside its address, and the wallet', async () => {
    const call = { kind: 'call', amount: ether(0), exchange: 'Northway', swap } as const;
    const alone = await drawn(record({ summary: summary({ ...call, to: SENDER }) }));
    expect(alone)
      .to.match(/Exchange\s*Northway/)
      .and.match(/From\s*Main wallet\s*0x71C7…976F/);
    const limit = { kind: 'approval', amount: ether(5), to: SENDER, exchange: 'Northway' } as const;
    const list = summary({ kind: 'call', parts: [limit, { ...call, to: SENDER }] });
    expect((await drawn(record({ summary: list }))).match(/Northway/g)?.length).to.equal(1);
  });

  it('can be sped up or cancelled while it waits, where the chain can do it', async () => {
    const buttons = async (view: TransactionView): Promise<string[]> => {
      await show(view);
      return deepAll(view, '.foot button').map((button) => button.textContent!.trim());
    };
    expect(await buttons(one(entryOf(waiting)))).to.deep.equal(['Cancel transaction', 'Speed up']);
    expect(await buttons(one(entryOf(waiting), { replaceable: false }))).to.deep.equal([]);
    expect(await buttons(one(entryOf({ ...waiting, replacedBy: '0x2' })))).to.deep.equal([]);
    expect(await buttons(one(entryOf({ ...waiting, state: 'confirmed' })))).to.deep.equal([]);
    const lost = one(entryOf({ ...waiting, state: 'unknown' }), { replaceable: false });
    expect(await buttons(lost)).to.deep.equal(['Send again']);
    expect(visible(lost)).to.include('not on the network');
  });

  it('has a note where one can be kept', async () => {
    const view = one({ ...(entryOf(waiting) as SentEntry), note: 'Rent' });
    await show(view);
    const field = named<HTMLInputElement>(view, 'Note');
    expect(field.value).to.equal('Rent');
    const texts: string[] = [];
    view.addEventListener('cbf-note', (event) => texts.push((event as CustomEvent).detail.text));
    field.value = 'Rent of May';
    field.dispatchEvent(new Event('change'));
    expect(texts).to.deep.equal(['Rent of May']);
    const without = one(entryOf(waiting));
    await show(without);
    expect(deepAll(without, 'input')).to.have.length(0);
    expect(await rowsOf(list([{ ...entryOf(waiting), note: 'Rent' }]))).to.match(/Rent/);
  });

  it('that expired is in no explorer', async () => {
    const view = one(entryOf(STORY.records[4]!));
    await show(view);
    expect(deepAll(view, 'a')).to.have.length(0);
  });
});
