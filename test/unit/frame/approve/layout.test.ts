/** What a frame of each size shows at once, for every kind of approval. A new kind is a row of `KINDS`. */
import { expect } from '@open-wc/testing';
import type { Wallet } from '../../../../src/api/wallet.ts';
import type { Amount, SigningSummary, Summary, Warning } from '../../../../src/chains/chain.ts';
import type { FrameView } from '../../../../src/frame/ui/view.ts';
import { ApproveView } from '../../../../src/frame/approve/approve-view.ts';
import * as certificateDrawing from '../../../../src/frame/approve/drawing/certificate-drawing.ts';
import * as signInDrawing from '../../../../src/frame/approve/drawing/sign-in-drawing.ts';
import { SignatureView } from '../../../../src/frame/approve/signature-view.ts';
import '../../../../src/frame/approve/drawing/swap-drawing.ts';
import { CHAIN_SCENES } from '../chain-scenes.ts';
import { TestClock } from '../../clock.ts';
import { onTouchScreen } from '../../targets.ts';
import { deepAll, named, RECIPIENT, type Scene, show } from '../scene.ts';

/** A dialog, a small phone, and 200 % zoom of a 1280 × 900 window (two columns) and of a popup. */
const SIZES: [width: number, height: number][] = [
  [400, 640],
  [360, 640],
  [640, 450],
  [320, 480],
];

const ADDRESS = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F';
const ROUTER = '0x66a9893cC07D91D95644AEDD05D03f95e1dBA8Af';
const wei = (raw: bigint): Amount => ({ raw, symbol: 'ETH', decimals: 18 });
const usdc = (raw: bigint): Amount => ({ raw, symbol: 'USDC', decimals: 6, token: ROUTER });
const wallet = { ...CHAIN_SCENES['ethereum']!.wallet, address: ADDRESS, alias: 'Main wallet' } as Wallet;

const plain: Summary = {
  kind: 'transfer',
  networkName: 'Ethereum',
  amount: wei(25n * 10n ** 16n),
  from: ADDRESS,
  to: RECIPIENT,
  fee: { expected: wei(252n * 10n ** 12n), maximum: wei(420n * 10n ** 12n) },
  total: wei(250420n * 10n ** 12n),
  balance: wei(1284n * 10n ** 15n),
  warnings: [],
};
const onlyFee = { total: plain.fee.maximum };
const caution = (code: Warning['code']): Warning => ({ code, level: 'caution', params: {} });
const danger = (code: Warning['code'], amount?: Amount): Warning => ({
  code,
  level: 'danger',
  tick: true,
  params: {},
  amount,
});
const data = (name: string | null, bytes = 324) => ({ name, arguments: [], data: `0x${'ab'.repeat(bytes)}` });
const approval: Summary = {
  ...plain,
  ...onlyFee,
  kind: 'approval',
  amount: usdc(500_000_000n),
  contract: ROUTER,
  call: data('approve', 68),
};

interface Kind {
  view: () => FrameView;
  /** Several recipients: those not in view have to be scrolled to. */
  many?: true;
}

const approve = (summary: Summary, more: Partial<ApproveView> = {}): Kind => ({
  view: () => Object.assign(new ApproveView(), { summary, wallet, own: [wallet], armed: true, ...more }),
});
const certificate = {
  kind: 'certificate',
  purpose: 'agreement',
  text: 'I agree to the rules of the harbour.',
  domain: 'shop.example',
} as const;
const DRAWINGS = { 'sign-in': signInDrawing, certificate: certificateDrawing } as const;
const sign = (summary: SigningSummary): Kind => ({
  view: () =>
    Object.assign(new SignatureView(), {
      summary,
      draws: DRAWINGS[summary.kind as keyof typeof DRAWINGS],
      wallet,
      own: [wallet],
      site: 'shop.example',
      networkName: 'Ethereum',
      armed: true,
    }),
});

const KINDS: Record<string, Kind> = {
  ...Object.fromEntries(
    Object.entries(CHAIN_SCENES).map(([name, { wallet: own, summary, heading = '' }]) => [
      name,
      {
        ...approve(summary, { wallet: own, own: [own], secretType: own.secretType, heading }),
        ...(summary.parts && { many: true as const }),
      },
    ]),
  ),
  'a coin, with two cautions': approve({
    ...plain,
    warnings: [caution('first-recipient'), caution('not-backed-up')],
  }),
  'a coin to a reported address': approve({ ...plain, warnings: [danger('reported-address')] }),
  'a coin, by a passkey': approve({ ...plain, warnings: [caution('first-recipient')] }, { passkey: true }),
  'a token': approve({
    ...plain,
    ...onlyFee,
    amount: usdc(250_000_000n),
    contract: ROUTER,
    warnings: [caution('first-recipient')],
  }),
  'an unknown token': approve({
    ...plain,
    ...onlyFee,
    amount: { ...usdc(250_000_000n), decimals: null },
    contract: ROUTER,
    warnings: [caution('unlisted-token'), caution('first-recipient')],
  }),
  'an amount with many digits': approve({ ...plain, amount: wei(993_009000026973107811n) }),
  'a limited allowance': approve({ ...approval, warnings: [caution('spending-limit')] }),
  'an unlimited allowance': approve(
    {
      ...approval,
      unlimited: true,
      amount: usdc(2n ** 256n - 1n),
      warnings: [danger('unlimited-approval', usdc(2n ** 256n - 1n)), caution('first-contract')],
    },
    { held: usdc(812_400_000n) },
  ),
  'an item': approve({
    ...plain,
    ...onlyFee,
    amount: { raw: 1n, decimals: 0, symbol: 'TICKET #214', token: ROUTER },
    contract: ROUTER,
    warnings: [caution('first-recipient')],
  }),
  'a swap': approve({
    ...plain,
    kind: 'call',
    exchange: 'Northway Router',
    to: ROUTER,
    call: data('swapExactETHForTokens'),
    changes: [
      { amount: plain.amount, direction: 'out' },
      { amount: usdc(997_998_000n), direction: 'in' },
    ],
    according: 'node.example',
    swap: {
      orderType: 'SELL',
      input: plain.amount,
      output: usdc(993_009_000n),
      recipient: ADDRESS,
      deadline: 1_795_255_455n,
    },
    warnings: [caution('first-contract')],
  }),
  'a call': approve({ ...plain, kind: 'call', to: ROUTER, call: data('deposit', 4) }),
  'a call that nobody can read': approve({
    ...plain,
    ...onlyFee,
    kind: 'call',
    amount: wei(0n),
    to: ROUTER,
    call: data(null),
    warnings: [danger('unknown-call'), { code: 'will-fail', level: 'danger', tick: true, params: {} }],
  }),
  'a new contract': approve({
    ...plain,
    ...onlyFee,
    kind: 'creation',
    amount: wei(0n),
    to: null,
    call: data(null),
    warnings: [caution('contract-creation')],
  }),
  'a message': sign({ kind: 'text', text: 'shop.example asks you to sign in.\n\nNonce: 4f19c2', hex: '0x' }),
  'a sign-in elsewhere, on a chain of other accounts': sign({
    kind: 'sign-in',
    text: 'bank.example wants you to sign in with your Bitcoin account:\nbc1q',
    hex: '0x',
    mismatches: [{ what: 'domain', named: 'bank.example', actual: 'https://shop.example' }],
  }),
  'a certificate': sign(certificate),
  'a certificate whose text signs in elsewhere': sign({
    ...certificate,
    mismatches: [{ what: 'domain', named: 'bank.example', actual: 'https://shop.example' }],
  }),
  'bytes that nobody can read': sign({ kind: 'blind', hex: `0x${'1c'.repeat(32)}`, reason: 'hash' }),
  'a raw transaction': sign({ kind: 'transaction', summary: plain }),
};

/** Entirely inside the window, and not clipped by any ancestor. */
function inView(element: Element): boolean {
  const box = element.getBoundingClientRect();
  if (box.width < 4 || box.height < 4) return false;
  let [top, bottom, left, right] = [0, innerHeight, 0, innerWidth];
  for (
    let at: Element | null = element;
    at;
    at = at.parentElement ?? ((at.getRootNode() as ShadowRoot).host || null)
  ) {
    if (at === element || getComputedStyle(at).overflow === 'visible') continue;
    const clip = at.getBoundingClientRect();
    if (getComputedStyle(at).display === 'contents') continue;
    [top, bottom] = [Math.max(top, clip.top), Math.min(bottom, clip.bottom)];
    [left, right] = [Math.max(left, clip.left), Math.min(right, clip.right)];
  }
  return box.top >= top - 1 && box.bottom <= bottom + 1 && box.left >= left - 1 && box.right <= right + 1;
}

/** What has to be visible at once, by name. */
function wanted({ view }: Scene<FrameView>): [name: string, element: Element | undefined][] {
  const one = (selector: string): Element | undefined => deepAll(view, selector)[0];
  const danger = one('.alert.danger');
  return [
    ['amount', one('.effect h1')],
    ...deepAll(view, '.party.must [data-seen="to"]').map((to): [string, Element] => ['recipient', to]),
    ['total', one('.sum .total')],
    ...(danger ? [['danger', one('.tick') ?? danger.querySelector('b')!] as [string, Element]] : []),
    ['PIN or passkey', one('cbf-pin-field') ?? one('[aria-label="Approve with passkey"]')],
    ['Approve', one('.actions .primary, .actions .danger')],
    ['Reject', one('.actions .secondary')],
  ];
}

for (const [width, height] of SIZES)
  describe(`at ${width} × ${height}`, () => {
    for (const [name, { view, many }] of Object.entries(KINDS))
      it(`${name}: amount, recipient, total, worst danger and PIN are on screen at once`, async () => {
        const scene = await show(view(), 'light', width, height);
        for (const [part, element] of wanted(scene)) {
          if (many && part === 'recipient') continue;
          expect(element, part).to.be.instanceOf(Element);
          expect(inView(element!), part).to.equal(true);
        }
        const foot = scene.view.shadowRoot!.querySelector('.foot')!;
        expect(foot.scrollHeight, 'the footer never scrolls').to.be.at.most(foot.clientHeight + 1);
      });

    it('the open pad, and above it amount, recipient and total', async () => {
      const scene = await show(KINDS['a coin, with two cautions']!.view(), 'light', width, height);
      deepAll<HTMLElement>(scene.view, '[aria-label="Show PIN pad"]')[0]!.click();
      await import('../../../../src/frame/ui/pin-pad.ts');
      await scene.settle();
      const keys = deepAll(scene.view, '[aria-label="PIN pad"] button');
      expect(keys).to.have.length(12);
      for (const key of keys) expect(inView(key), key.textContent!).to.equal(true);
      for (const [part, element] of wanted(scene)) expect(inView(element!), part).to.equal(true);
    });
  });

describe('on a touch screen', () => {
  onTouchScreen();
  const keys = (view: FrameView): HTMLElement[] => deepAll(view, '[aria-label="PIN pad"] button');
  const shown = async (kind: Kind, width = 360, height = 640): Promise<Scene<FrameView>> => {
    await import('../../../../src/frame/ui/pin-pad.ts');
    const scene = await show(kind.view(), 'light', width, height);
    await scene.settle();
    return scene;
  };

  for (const [width, height] of [
    [360, 640],
    [320, 544],
  ] as const)
    for (const [name, kind] of Object.entries(KINDS).filter(
      ([, { view, many }]) => !many && view() instanceof ApproveView,
    ))
      it(`${name}: the pad is open from the start, and above it amount, recipient and total, at ${width} × ${height}`, async () => {
        const scene = await shown(kind, width, height);
        if (name === 'a coin, by a passkey') return expect(keys(scene.view)).to.have.length(0);
        // What has to be ticked is read first.
        const tick = deepAll<HTMLInputElement>(scene.view, '.tick input')[0];
        if (tick) {
          expect(keys(scene.view)).to.have.length(0);
          tick.click();
          await scene.settle();
        }
        expect(keys(scene.view)).to.have.length(12);
        for (const key of keys(scene.view)) expect(inView(key), key.textContent!).to.equal(true);
        for (const [part, element] of wanted(scene)) {
          // It was read before the tick, and beside a tick and a pad there is no room for it in every font.
          if (tick && width < 360 && part === 'recipient') continue;
          expect(inView(element!), part).to.equal(true);
        }
      });

  it('leads to what is out of view from the end of the body, and never lies over the amount', async () => {
    const { view, settle } = await shown(KINDS['vechain token clauses']!, 320, 544);
    await settle();
    const pill = deepAll(view, '.pill')[0]!.getBoundingClientRect();
    expect(pill.top).to.be.at.least(deepAll(view, '.effect')[0]!.getBoundingClientRect().bottom);
  });

  it('leaves a message its room until it was read', async () => {
    const clock = new TestClock();
    const { view: make } = KINDS['a message']!;
    const { view, settle } = await shown({ view: () => Object.assign(make(), { clock }) });
    expect(keys(view)).to.have.length(0);
    await clock.pass(400);
    await settle();
    expect(keys(view)).to.have.length(12);
  });

  it('shows the cautions that the pad folds, by one press on their number', async () => {
    const { view, settle } = await shown(KINDS['a coin, with two cautions']!);
    const texts = (): HTMLElement[] =>
      deepAll<HTMLElement>(view, '.note').filter((note) => note.checkVisibility());
    expect(texts()).to.have.length(0);
    named(view, '2 cautions').click();
    await settle();
    expect(texts()).to.have.length(2);
    expect(keys(view)).to.have.length(0);
  });

  it('stays closed for who closes it', async () => {
    const { view, settle } = await shown(KINDS['a token']!);
    named(view, 'Hide PIN pad').click();
    await settle();
    expect(keys(view)).to.have.length(0);
  });
});

it('has Use passkey beside Clear at 320 px, where the row of an open pad has no room for it', async () => {
  await import('../../../../src/frame/ui/pin-pad.ts');
  for (const [width, place] of [
    [320, 'CBF-PIN-PAD'],
    [360, 'CBF-PIN-ROW'],
  ] as const) {
    const { view, settle } = await show(
      Object.assign(new ApproveView(), { summary: plain, wallet, own: [wallet], armed: true, passkey: true }),
      'light',
      width,
      544,
    );
    named(view, 'Use PIN').click();
    await settle();
    named(view, 'Show PIN pad').click();
    await settle();
    const shown = deepAll<HTMLElement>(view, '[aria-label="Use passkey"]').filter((one) =>
      one.checkVisibility(),
    );
    expect(shown.map((one) => (one.getRootNode() as ShadowRoot).host.tagName)).to.deep.equal([place]);
    expect(shown[0]!.getBoundingClientRect().width).to.be.at.least(44);
    let used = 0;
    view.shadowRoot!.addEventListener('cbf-passkey', () => used++);
    shown[0]!.click();
    expect(used).to.equal(1);
  }
});

describe('an approval that waits for the node', () => {
  for (const [width, height] of SIZES)
    for (const passkey of [false, true])
      it(`does not move its header, its PIN or its buttons when the answer comes, at ${width} × ${height}${passkey ? ', by passkey' : ''}`, async () => {
        const view = Object.assign(new ApproveView(), { wallet, own: [wallet], armed: true, passkey });
        const { shell, settle } = await show(view, 'light', width, height);
        const places = (): unknown =>
          deepAll(shell, 'header, .foot, .foot button, cbf-pin-row').map((each) =>
            each.getBoundingClientRect().toJSON(),
          );
        const before = places();
        view.summary = plain;
        await settle();
        expect(deepAll(view, '.effect h1')).to.have.length(1);
        expect(places()).to.deep.equal(before);
      });

  it('draws its skeleton after 200 ms, and then for 300 ms, so that it never flashes', async () => {
    for (const [waited, held] of [
      [200, 0],
      [201, 299],
      [499, 1],
      [500, 0],
    ] as const) {
      const clock = new TestClock();
      const view = Object.assign(new ApproveView(), { clock, wallet, own: [wallet] });
      const { settle } = await show(view);
      const drawn = (): boolean => deepAll(view, '.effect h1').length === 1;
      const skeleton = deepAll<HTMLElement>(view, '.bones .skel');
      expect(skeleton.map((bone) => getComputedStyle(bone).animationDelay.split(',')[0])).to.deep.equal(
        skeleton.map(() => '0.2s'),
      );
      await clock.pass(waited);
      view.summary = plain;
      await settle();
      expect(drawn(), `after ${waited} ms`).to.equal(held === 0);
      await clock.pass(held);
      await settle();
      expect(drawn(), `${held} ms later`).to.equal(true);
    }
  });
});
