import { expect } from '@open-wc/testing';
import fc from 'fast-check';
import {
  confirmRemoval,
  type Content,
  type CopiedWallet,
  type Entry,
  keepEntry,
  liveIn,
  merge,
  questionsIn,
  readContent,
  walletKeyOf,
  withEntry,
  withoutEntry,
  writeContent,
} from '../../../src/sync/content.ts';
import { failure } from '../wallets/setup.ts';

const SEED = new Uint8Array(16).fill(0x7f);
const EMPTY: Content = { version: 1, seed: SEED, createdAt: 5, backedUp: false, entries: {} };
const OWN: CopiedWallet = {
  id: 'a',
  secretType: 'ETHEREUM',
  address: '0x01',
  alias: 'Main',
  network: 'ethereum',
  primary: true,
  archived: false,
  index: 0,
  createdAt: 5,
};
const IMPORTED: CopiedWallet = {
  ...OWN,
  id: 'b',
  address: '0x02',
  index: null,
  key: new Uint8Array(32).fill(9),
};
const KEY = walletKeyOf(OWN) as 'wallet ';
const IMPORTED_KEY = walletKeyOf(IMPORTED) as 'wallet ';

const stamps = fc.record({ counter: fc.integer({ min: 1, max: 4 }), device: fc.constantFrom('p', 'q', 'r') });
const entries = fc.record(
  {
    value: fc.record({
      stamp: stamps,
      data: fc.record({ alias: fc.constantFrom('x', 'y'), index: fc.constantFrom(null, 0) }),
    }),
    removed: stamps,
    gone: stamps,
  },
  { requiredKeys: [] },
);
const contents: fc.Arbitrary<Content> = fc.record({
  version: fc.constant(1 as const),
  seed: fc.constant(SEED),
  createdAt: fc.integer({ min: 1, max: 3 }),
  backedUp: fc.boolean(),
  entries: fc.dictionary(
    fc.constantFrom('wallet 1', 'wallet 2', 'recipient 1', 'later 1'),
    entries,
  ) as fc.Arbitrary<Record<string, Entry>>,
});

describe('contents of two devices', () => {
  it('merge into the same, in any order, any number of times', () => {
    fc.assert(
      fc.property(contents, contents, contents, (a, b, c) => {
        expect(merge(a, b)).to.deep.equal(merge(b, a));
        expect(merge(merge(a, b), c)).to.deep.equal(merge(a, merge(b, c)));
        expect(merge(merge(a, b), b)).to.deep.equal(merge(a, b));
      }),
      { numRuns: 500 },
    );
  });

  it('keep every wallet of both', () => {
    const a = withEntry(EMPTY, KEY, OWN, 'p');
    const b = withEntry(EMPTY, IMPORTED_KEY, IMPORTED, 'q');
    expect([...liveIn(merge(a, b), 'wallet').values()]).to.have.deep.members([OWN, IMPORTED]);
  });

  it('take the later of two edits, whatever the clocks say', () => {
    const base = withEntry(EMPTY, KEY, OWN, 'p');
    const early = withEntry(base, KEY, { ...OWN, alias: 'Early' }, 'z');
    const late = withEntry(
      withEntry(base, KEY, { ...OWN, alias: 'Draft' }, 'a'),
      KEY,
      { ...OWN, alias: 'Late' },
      'a',
    );
    expect(liveIn(merge(early, late), 'wallet').get(KEY)!.alias).to.equal('Late');
    const tie = withEntry(base, KEY, { ...OWN, alias: 'Tie' }, 'a');
    expect(liveIn(merge(early, tie), 'wallet').get(KEY)!.alias, 'the device decides').to.equal('Early');
  });

  it('delete what was removed after its last edit, and nothing edited later', () => {
    const recipient = { secretType: 'ETHEREUM', key: '0x1', address: '0x1', name: 'Ann' };
    const key = 'recipient ETHEREUM 0x1' as const;
    const base = withEntry(EMPTY, key, recipient, 'p');
    const removed = withoutEntry(base, key, 'q');
    expect(JSON.stringify(removed), 'nothing of it is kept').not.to.contain('Ann');
    expect(liveIn(merge(base, removed), 'recipient').size).to.equal(0);
    const edited = withEntry(withEntry(base, key, recipient, 'p'), key, { ...recipient, name: 'Anna' }, 'p');
    expect(liveIn(merge(edited, removed), 'recipient').get(key)!.name).to.equal('Anna');
  });

  it('never delete an imported key unasked: it is a question until somebody answers', () => {
    const base = withEntry(EMPTY, IMPORTED_KEY, IMPORTED, 'p');
    const merged = merge(base, withoutEntry(base, IMPORTED_KEY, 'q'));
    expect(liveIn(merged, 'wallet').size).to.equal(0);
    expect(questionsIn(merged).get(IMPORTED_KEY)).to.deep.equal(IMPORTED);
    const kept = merge(merged, keepEntry(merged, IMPORTED_KEY, 'p'));
    expect(liveIn(kept, 'wallet').get(IMPORTED_KEY)).to.deep.equal(IMPORTED);
    expect(questionsIn(kept).size).to.equal(0);
    const confirmed = merge(merged, confirmRemoval(merged, IMPORTED_KEY, 'p'));
    expect([liveIn(confirmed, 'wallet').size, questionsIn(confirmed).size]).to.deep.equal([0, 0]);
    expect(confirmed.entries[IMPORTED_KEY]!.value).to.equal(undefined);
    const derived = withoutEntry(withEntry(EMPTY, KEY, OWN, 'p'), KEY, 'p');
    expect(questionsIn(derived).size, 'the words bring the others back').to.equal(0);
  });

  it('of different seeds are never mixed', async () => {
    const other = { ...EMPTY, seed: new Uint8Array(16) };
    expect(await failure((async () => merge(EMPTY, other))())).to.include({ code: 'copy.other-wallet' });
  });
});

describe('a content', () => {
  const read = async (content: unknown) => readContent(writeContent(content as Content));

  it('is read as it was written, with what later versions add', async () => {
    const passkey = {
      id: new Uint8Array([1, 2]),
      transports: ['internal'],
      name: 'Carabiner wallet',
      publicKey: { alg: -7, spki: new Uint8Array([3]) },
      slot: { sign: SEED.slice(), open: SEED.slice(), commitment: SEED.slice() },
    };
    for (const name of ['sign', 'open', 'commitment'] as const)
      passkey.slot[name] = new Uint8Array(32).fill(4);
    let content = withEntry(EMPTY, KEY, { ...OWN, colour: 'red' } as CopiedWallet, 'p');
    content = withEntry(content, IMPORTED_KEY, IMPORTED, 'p');
    content = withEntry(content, 'passkey AQI', passkey, 'p');
    content = withEntry(content, 'later x' as 'wallet ', { unknown: [1] } as unknown as CopiedWallet, 'p');
    expect(await read(content)).to.deep.equal(content);
  });

  it('that is not one is refused, without a word of it', async () => {
    const stamp = { counter: 1, device: 'p' };
    const wallet = (data: object) => ({ ...EMPTY, entries: { [KEY]: { value: { stamp, data } } } });
    const bad: unknown[] = [
      { ...EMPTY, seed: new Uint8Array(8) },
      { ...EMPTY, seed: 'words' },
      { ...EMPTY, version: 0 },
      { ...EMPTY, entries: { nothing: {} } },
      { ...EMPTY, entries: { [KEY]: { gone: { ...stamp, counter: 2 ** 41 } } } },
      { ...EMPTY, entries: { [KEY]: { gone: { ...stamp, counter: 0 } } } },
      wallet({ ...OWN, index: 'x' }),
      wallet({ ...IMPORTED, key: 'secret' }),
      null,
    ];
    for (const content of bad) {
      const error = await failure(read(content));
      expect(error, JSON.stringify(content)).to.include({ code: 'copy.damaged' });
      expect(String(error)).not.to.match(/words|secret|0x/);
    }
    for (const bytes of [new Uint8Array(), new Uint8Array([255]), new TextEncoder().encode('{')])
      expect(await failure((async () => readContent(bytes))())).to.include({ code: 'copy.damaged' });
    expect(await failure(read({ ...EMPTY, version: 2 }))).to.include({ code: 'copy.version' });
  });
});
