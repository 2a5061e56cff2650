import { expect } from '@open-wc/testing';
import type { Chain } from '../../../../src/chains/chain.ts';
import type { Draft, Node } from '../../../../src/chains/terms.ts';
import type { Amount } from '../../../../src/chains/coin.ts';
import type { BalanceChange, Summary, Warning } from '../../../../src/chains/approval/summary.ts';
import { worsened } from '../../../../src/chains/contracts/trial-runs.ts';
import { chain as vechain } from '../../../../src/chains/vechain/index.ts';
import { ConnectError } from '../../../../src/base/errors.ts';
import { type Drawn, Drafts, newsIn } from '../../../../src/frame/approve/drafts.ts';
import { TestClock } from '../../clock.ts';
import { ethereum, gochain } from '../../../families.ts';

const wei = (raw: bigint, symbol = 'ETH'): Amount => ({ raw, decimals: 18, symbol });
const TO = '0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063';
const OTHER = '0x66a9893cC07D91D95644AEDD05D03f95e1dBA8Af';
/** `+100 DUSD`, `-1000 DUSD`. */
const moves = (...texts: string[]): { changes: BalanceChange[] } => ({
  changes: texts.map((text) => {
    const [sum = '', symbol = ''] = text.split(' ');
    const raw = BigInt(sum) < 0n ? -BigInt(sum) : BigInt(sum);
    return {
      direction: sum.startsWith('-') ? 'out' : 'in',
      amount: { ...wei(raw, symbol), ...(symbol !== 'ETH' && { token: `0x${symbol}` }) },
    };
  }),
});
const danger = (address = TO): Warning => ({
  code: 'reported-address',
  level: 'danger',
  tick: true,
  params: { address },
});

function summaryOf(fee: bigint, more: Partial<Summary> = {}): Summary {
  return {
    kind: 'transfer',
    networkName: 'Ethereum',
    amount: wei(1000n),
    from: OTHER,
    to: TO,
    fee: { expected: wei(fee / 2n), maximum: wei(fee) },
    total: wei(1000n + fee),
    balance: wei(5000n),
    warnings: [],
    ...more,
  };
}

interface TestDraft extends Draft {
  fee: bigint;
}

interface TestDrawing {
  summary: Summary;
}

/** A node whose answers the test gives, one by one. */
class Scene {
  readonly clock = new TestClock();
  readonly asked: ((fee: bigint | Error) => void)[] = [];
  readonly drawn: { drawn: Drawn<TestDrawing>; changed: string[]; news: string | undefined }[] = [];
  more: Partial<Summary> = {};
  lowest = 0n;
  readonly drafts: Drafts<TestDrawing>;
  /** What every drawing waits for. */
  load: () => Promise<void> = async () => {};

  constructor() {
    const chain = {
      within: (draft: TestDraft, maximum: bigint) =>
        draft.fee > maximum && maximum >= this.lowest ? { ...draft, fee: maximum } : undefined,
      worsened,
    } as unknown as Chain;
    this.drafts = new Drafts({
      chain,
      node: {} as Node,
      clock: this.clock,
      make: () =>
        new Promise((resolve, reject) =>
          this.asked.push((fee) => (fee instanceof Error ? reject(fee) : resolve({ fee } as TestDraft))),
        ),
      describe: async (draft) => summaryOf((draft as TestDraft).fee, this.more),
      draw: async (summary) => {
        await this.load();
        return { summary };
      },
    });
    this.drafts.onDrawn = (drawn, changed, news) =>
      void this.drawn.push({ drawn, changed: [...changed], news });
    this.drafts.start();
  }

  async answer(fee: bigint | Error, which = this.asked.length - 1): Promise<void> {
    this.asked[which]!(fee);
    for (let i = 0; i < 10; i++) await Promise.resolve();
  }

  get last() {
    return this.drawn.at(-1)!;
  }
}

describe('drafts', () => {
  it('keep the total that was promised first while a new draft costs less, and clear nothing', async () => {
    const scene = new Scene();
    await scene.answer(400n);
    await scene.clock.pass(20_000);
    await scene.answer(300n);
    expect(scene.last.news).to.equal(undefined);
    expect(scene.last.drawn.drawing.summary.total.raw).to.equal(1400n);
    expect(scene.last.drawn.drawing.summary.fee.maximum.raw).to.equal(400n);
    expect(
      scene.last.drawn.drawing.summary.fee.expected.raw,
      'what it will probably cost is told anew',
    ).to.equal(150n);
    expect((scene.last.drawn.draft as TestDraft).fee, 'what is signed never costs more').to.equal(300n);
  });

  it('cap a new draft at that total if blocks still take it', async () => {
    const scene = new Scene();
    scene.lowest = 350n;
    await scene.answer(400n);
    await scene.clock.pass(20_000);
    await scene.answer(450n);
    expect(scene.last.news).to.equal(undefined);
    expect((scene.last.drawn.draft as TestDraft).fee).to.equal(400n);
    expect(scene.last.drawn.drawing.summary.total.raw).to.equal(1400n);
  });

  it('report a total above it, which is the promise from then on', async () => {
    const scene = new Scene();
    scene.lowest = 410n;
    await scene.answer(400n);
    await scene.clock.pass(20_000);
    await scene.answer(450n);
    expect(scene.last.news).to.equal('total');
    expect(scene.last.drawn.drawing.summary.total.raw).to.equal(1450n);
    await scene.clock.pass(20_000);
    await scene.answer(430n);
    expect(scene.last.news).to.equal(undefined);
    expect(scene.last.drawn.drawing.summary.total.raw).to.equal(1450n);
  });

  it('keep what a trial moved as it was shown first, so that it cannot get worse little by little', async () => {
    const scene = new Scene();
    scene.more = moves('+1000 DUSD');
    await scene.answer(400n);
    for (const [sum, news] of [
      ['+995 DUSD', undefined],
      ['+990 DUSD', undefined],
      ['+989 DUSD', 'amount'],
    ] as const) {
      await scene.clock.pass(20_000);
      scene.more = moves(sum);
      await scene.answer(400n);
      expect(scene.last.news, sum).to.equal(news);
      const [shown] = scene.last.drawn.drawing.summary.changes!;
      expect(shown!.amount.raw).to.equal(news ? 989n : 1000n);
    }
  });

  it('never replace what is being approved', async () => {
    const scene = new Scene();
    await scene.answer(400n);
    await scene.clock.pass(20_000);
    scene.drafts.freeze();
    await scene.answer(300n);
    expect(scene.drawn).to.have.length(1);
    expect((scene.drafts.current!.draft as TestDraft).fee).to.equal(400n);
    await scene.clock.pass(60_000);
    expect(scene.asked, 'nor ask for another').to.have.length(2);
    scene.drafts.thaw();
    expect(scene.asked, 'an old one is renewed at once').to.have.length(3);
  });

  it('never replace what is being approved by one that was still loading what draws it', async () => {
    const scene = new Scene();
    await scene.answer(400n);
    let loaded!: () => void;
    scene.load = () => new Promise((resolve) => (loaded = resolve));
    await scene.clock.pass(20_000);
    await scene.answer(300n);
    scene.drafts.freeze();
    loaded();
    for (let i = 0; i < 10; i++) await Promise.resolve();
    expect(scene.drawn).to.have.length(1);
    expect((scene.drafts.current!.draft as TestDraft).fee).to.equal(400n);
  });

  it('are asked for again by the user where what draws one does not load, and none that was shown stands in for it', async () => {
    for (const shown of [false, true]) {
      const scene = new Scene();
      let broken: unknown;
      void scene.drafts.broken.then((what) => (broken = what));
      if (shown) {
        await scene.answer(400n);
        await scene.clock.pass(20_000);
      }
      scene.load = () => Promise.reject(new TypeError('Failed to fetch dynamically imported module'));
      await scene.answer(300n);
      for (let i = 0; i < 10; i++) await Promise.resolve();
      expect(broken).to.deep.equal({ type: 'unreachable' });
      expect(scene.drawn).to.have.length(shown ? 1 : 0);
    }
  });

  it('never replace an answer by an older one that comes late', async () => {
    const scene = new Scene();
    await scene.answer(400n);
    void scene.drafts.renew();
    void scene.drafts.renew();
    await scene.answer(200n, 2);
    await scene.answer(300n, 1);
    expect((scene.drafts.current!.draft as TestDraft).fee).to.equal(200n);
  });

  it('say that no node answers once the draft on screen is over a minute old', async () => {
    const scene = new Scene();
    const error = new ConnectError('node.unreachable', '');
    let broken: unknown;
    void scene.drafts.broken.then((what) => (broken = what));
    await scene.answer(400n);
    for (let i = 0; i < 4; i++) {
      expect(broken).to.equal(undefined);
      await scene.clock.pass(20_000);
      await scene.answer(error);
    }
    expect(broken).to.deep.equal({ type: 'unreachable', error });
  });
});

describe('what is news in another draft', () => {
  const before = summaryOf(400n);
  const cases: [string, Partial<Summary>, string | undefined][] = [
    ['nothing in the same', {}, undefined],
    ['another amount', { amount: wei(1001n) }, 'amount'],
    ['an allowance without limit', { unlimited: true }, 'amount'],
    ['another unit', { amount: wei(1000n, 'WETH') }, 'amount'],
    ['another call', { call: { name: null, arguments: [], data: '0x01' } }, 'amount'],
    ['another recipient', { to: OTHER }, 'recipient'],
    [
      'another recipient of one clause',
      { parts: [{ kind: 'transfer', amount: wei(1n), to: OTHER }] },
      'amount',
    ],
    ['a danger', { warnings: [danger()] }, 'danger'],
    ['a caution is none', { warnings: [{ code: 'first-recipient', level: 'caution' }] }, undefined],
    ['a higher total', { total: wei(1401n) }, 'total'],
    ['a higher fee in another coin', { fee: { expected: wei(1n), maximum: wei(401n) } }, 'total'],
    ['a lower total is none', { total: wei(1399n) }, undefined],
    ['another wallet', { from: TO }, 'total'],
  ];
  for (const [name, more, news] of cases)
    it(name, () => expect(newsIn(before, { ...before, ...more }, { worsened })).to.equal(news));

  const trials: [string, string[], string[], string | undefined][] = [
    ['a trial that pays instead of getting', ['+100 DUSD'], ['-1000 DUSD'], 'amount'],
    ['one that gets less', ['-10 ETH', '+100 DUSD'], ['-10 ETH', '+98 DUSD'], 'amount'],
    ['one that pays more', ['-1000 ETH'], ['-1011 ETH'], 'amount'],
    ['one that takes something else', ['-1 ETH'], ['-1 DUSD'], 'amount'],
    ['one that also takes something else', ['-1 ETH'], ['-1 ETH', '-1 DUSD'], 'amount'],
    ['one that no longer brings what it brought', ['-1 ETH', '+1 DUSD'], ['-1 ETH'], 'amount'],
    ['one that is worse by 1 % is none', ['-1000 ETH', '+1000 DUSD'], ['-1010 ETH', '+990 DUSD'], undefined],
    ['one that is better is none', ['-1000 ETH', '+1000 DUSD'], ['-1 ETH', '+9000 DUSD'], undefined],
    ['the same in another order is none', ['-1 ETH', '+1 DUSD'], ['+1 DUSD', '-1 ETH'], undefined],
  ];
  for (const [name, one, other, news] of trials)
    it(name, () =>
      expect(
        newsIn({ ...before, ...moves(...one) }, { ...before, ...moves(...other) }, { worsened }),
      ).to.equal(news),
    );

  for (const chain of [ethereum, gochain, vechain])
    it(`a trial on ${chain.secretType} that pays instead of getting`, () => {
      const after = { ...before, ...moves('-100 DUSD') };
      expect(newsIn({ ...before, ...moves('+100 DUSD') }, after, chain)).to.equal('amount');
    });

  it('the same danger about somebody else', () => {
    const dangerous = { ...before, warnings: [danger()] };
    expect(newsIn(dangerous, { ...before, warnings: [danger(OTHER)] }, {})).to.equal('danger');
    expect(newsIn(dangerous, dangerous, {})).to.equal(undefined);
  });
});
