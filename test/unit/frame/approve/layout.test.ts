/**
 * What a frame of each size shows at once, for every kind of approval. A new kind is a row of `KINDS`: without one, the type check or the
 * first tests below name it.
 */
import '../../../../src/frame/approve/drawing/limit-field.ts';
import { expect } from '@open-wc/testing';
import type { Wallet } from '../../../../src/api/wallet.ts';
import type { Deed, SigningWarning, Term, TypedField } from '../../../../src/chains/approval/signing.ts';
import type { SigningSummary } from '../../../../src/chains/chain.ts';
import type { Amount } from '../../../../src/chains/coin.ts';
import type { CallEffect, PaidOrder, Summary, Warning } from '../../../../src/chains/approval/summary.ts';
import { NATIVE_TYPES, SIGNATURE_TYPES } from '../../../../src/chains/transaction-types.ts';
import type { FrameView } from '../../../../src/frame/ui/view.ts';
import { ApproveView } from '../../../../src/frame/approve/approve-view.ts';
import { ApprovalDrawing } from '../../../../src/frame/approve/drawing/approve-drawing.ts';
import { drawingOf } from './drawing/drawing-of.ts';
import { certificateDrawing, signInDrawing } from '../../../../src/frame/approve/drawing/sign-in-drawing.ts';
import { typedDrawing } from '../../../../src/frame/approve/drawing/typed-drawing.ts';
import { SignatureView } from '../../../../src/frame/approve/signature-view.ts';
import { ReplaceView } from '../../../../src/frame/wallets/replace-view.ts';
import { CHAIN_SCENES } from '../chain-scenes.ts';
import { TestClock } from '../../clock.ts';
import { poll } from '../../../waiting.ts';
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
const DIGEST = `0x${'d1'.repeat(32)}`;
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
  view: () => ApproveView | SignatureView;
  /** Several recipients: those not in view have to be scrolled to. */
  many?: true;
  /** It cannot be approved, only closed. */
  refused?: true;
}

const approve = (summary: Summary, more: Partial<ApproveView> = {}): Kind => ({
  view: () =>
    Object.assign(new ApproveView(), {
      drawing: drawingOf(summary),
      wallet,
      own: [wallet],
      armed: true,
      ...more,
    }),
});
const replacing = (choice: ReplaceView['drawnFor'], summary: Summary): Kind => ({
  view: () =>
    Object.assign(new ReplaceView(), {
      drawing: drawingOf(summary),
      wallet,
      own: [wallet],
      armed: true,
      heading: choice === 'cancel' ? 'Cancel transaction' : 'Speed up transaction',
      choice,
      drawnFor: choice,
      approved: { ...plain.fee.maximum, raw: plain.fee.maximum.raw / 2n },
      takesBack: 'Cancel 0.25 ETH to 0x8f3C…A063',
    }),
});
/** A call that does all of `effects`. */
const multicall = (...effects: CallEffect[]): Kind => ({
  ...approve({ ...plain, kind: 'call', to: ROUTER, call: data('multicall'), effects }),
  many: true,
});
const ordered = (order: PaidOrder, ...warnings: Warning[]): Kind =>
  approve({ ...plain, ...onlyFee, amount: usdc(31_000_000n), contract: ROUTER, order, warnings });
const certificate = {
  kind: 'certificate',
  purpose: 'agreement',
  text: 'I agree to the rules of the harbour.',
  domain: 'shop.example',
} as const;
const DRAWINGS = {
  'sign-in': signInDrawing,
  certificate: certificateDrawing,
  typed: typedDrawing,
} as const;
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

const PERMIT: TypedField[] = [
  { name: 'owner', type: 'address', value: ADDRESS },
  { name: 'spender', type: 'address', value: RECIPIENT },
  { name: 'value', type: 'uint256', value: 2n ** 256n - 1n },
];
const ENDS: Term = { code: 'limit-ends', time: 1_795_255_455n };
interface Typed {
  deed?: Deed | undefined;
  warnings?: SigningWarning[];
  terms?: Term[];
  message?: TypedField[];
}
const typedOf = ({ deed, warnings = [], terms = [], message = PERMIT }: Typed): Kind =>
  sign({
    kind: 'typed',
    deed,
    terms,
    primaryType: 'Permit',
    domain: [
      { name: 'name', type: 'string', value: 'USD Coin' },
      { name: 'chainId', type: 'uint256', value: 1n },
      { name: 'verifyingContract', type: 'address', value: ROUTER },
    ],
    message,
    names: {},
    digests: { digest: DIGEST, domainHash: DIGEST, messageHash: DIGEST },
    warnings,
  });
const typed = (deed: Deed | undefined, ...warnings: SigningWarning[]): Kind =>
  typedOf({ deed, warnings, terms: deed ? [{ code: 'token', address: ROUTER }, ENDS] : [] });
const limit = { amount: usdc(250_000_000n) };
const ticket = { amount: { raw: 1n, decimals: 0, symbol: 'TICKET #214', token: ROUTER } };
const manyFields = (count: number): TypedField[] =>
  Array.from({ length: count }, (_, i) => ({ name: `field${i}`, type: 'string', value: 'x'.repeat(i * 20) }));
const endless = { amount: usdc(2n ** 256n - 1n), unlimited: true };
const signIn = {
  kind: 'sign-in',
  text: 'shop.example wants you to sign in with your Ethereum account:',
  hex: '0x',
  message: {
    domain: 'shop.example',
    address: ADDRESS,
    statement: 'Welcome back to the harbour.',
    uri: 'https://shop.example/login',
    chainId: '1',
    nonce: '4f19c2d0',
    issuedAt: '2026-11-21T10:04:00Z',
    expirationTime: '2026-11-22T10:04:00Z',
    resources: [],
  },
  mismatches: [],
} as const satisfies SigningSummary;

/** The second in smallest units, because nobody knows its decimals. */
const MANY = Array.from({ length: 3 }, (_, i) => ({
  ...usdc(250_000_000n),
  symbol: `TOKEN${i}`,
  decimals: i === 1 ? null : 6,
  token: `0x${String(i).repeat(40)}`,
}));

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
    amount: { ...usdc(250_000_000n), decimals: null, claimedDecimals: 6 },
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
    { limit: { allowed: 2n ** 256n - 1n, held: usdc(812_400_000n), need: 40_000_000n } },
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
  'a coin to somebody in the address book': approve({ ...plain, known: 'Ada Lovelace' }),
  'a coin to an e-mail address': approve(plain, { email: 'ada@analytical-engines.example' }),
  'a coin from a wallet of the service': approve(plain, {
    wallet: { ...wallet, walletType: 'THREEWAY_SHARED', hasCustomPin: true },
  }),
  'the second of three': approve(plain, { step: { index: 1, of: 3 } }),
  'coins combined': approve({ ...plain, to: ADDRESS }, { heading: 'Combine coins' }),
  'a speed-up': replacing('speed-up', plain),
  'a cancellation': replacing('cancel', { ...plain, ...onlyFee, amount: wei(0n), to: ADDRESS }),
  'several of an item': approve({
    ...plain,
    ...onlyFee,
    amount: { raw: 3n, decimals: 0, symbol: 'TICKET #214', token: ROUTER },
    contract: ROUTER,
  }),
  'every item of a collection': approve({
    ...approval,
    amount: { raw: 1n, decimals: 0, symbol: 'TICKET', token: ROUTER },
    warnings: [danger('approval-for-all', { raw: 1n, decimals: 0, symbol: 'TICKET', token: ROUTER })],
  }),
  'an order that the service signed': ordered({
    state: 'signed',
    merchant: 'Fernhill Outfitters',
    total: 3100,
    currency: 'USD',
    reference: 'A-1042',
    items: 2,
    expires: 1_800_000_000_000,
  }),
  'an order that nobody signed': ordered({ state: 'unsigned' }, caution('order-unsigned')),
  'an order with a wrong signature': { ...ordered({ state: 'wrong', reason: 'signature' }), refused: true },
  'calls that pay for something': multicall(
    { kind: 'allow', amount: usdc(250_000_000n), to: RECIPIENT, contract: ROUTER },
    { kind: 'pay', amount: usdc(250_000_000n) },
    { kind: 'receive', amount: wei(10n ** 17n) },
    { kind: 'pass-on', share: '0.25 %', amount: usdc(0n), to: RECIPIENT },
  ),
  'calls that give things away': multicall(
    { kind: 'send', amount: usdc(250_000_000n), to: RECIPIENT },
    { kind: 'allow-all', amount: { raw: 1n, decimals: 0, symbol: 'TICKET', token: ROUTER }, to: RECIPIENT },
    { kind: 'control', contract: ROUTER, to: RECIPIENT },
    { kind: 'foreign-code', contract: ROUTER, to: RECIPIENT },
    { kind: 'call', contract: ROUTER, name: 'deposit' },
  ),
  'a call that sends many tokens': {
    ...approve({
      ...plain,
      ...onlyFee,
      kind: 'call',
      amount: wei(0n),
      to: ROUTER,
      call: data('multicall'),
      leaving: MANY,
      changes: MANY.map((amount) => ({ amount, direction: 'out' })),
      effects: MANY.map((amount) => ({ kind: 'send', amount, to: RECIPIENT })),
      warnings: MANY.map((amount) => danger('inner-transfer', amount)),
    }),
    many: true,
  },
  'a sign-in': sign(signIn),
  'a sign-in elsewhere': sign({
    ...signIn,
    mismatches: [{ what: 'domain', named: 'bank.example', actual: 'https://shop.example' }],
  }),
  'a permit': typed(
    { kind: 'allow', amounts: [limit], to: RECIPIENT, until: 1_795_255_455n },
    { code: 'gives-limit', level: 'caution', params: { spender: RECIPIENT }, limit },
  ),
  'an unlimited permit without end': typed(
    { kind: 'allow', amounts: [endless], to: RECIPIENT, until: 'never' },
    { code: 'unlimited', level: 'danger', params: { spender: RECIPIENT }, limit: endless },
    { code: 'no-end', level: 'danger' },
  ),
  'a permit taken back': typed({ kind: 'revoke', amounts: [limit], to: RECIPIENT }),
  'a permit to take once': typed(
    { kind: 'take', amounts: [limit], to: RECIPIENT },
    { code: 'spender-decides', level: 'caution', params: { spender: RECIPIENT } },
  ),
  'a payment by signature': typed({ kind: 'pay', amounts: [limit], to: RECIPIENT }),
  'an order of a market': typedOf({
    deed: { kind: 'trade', amounts: [ticket], gets: [wei(10n ** 17n)], until: 1_795_255_455n },
    terms: [
      { code: 'gives', limit: ticket },
      { code: 'gets', address: ADDRESS, limit: { amount: wei(10n ** 17n) } },
      { code: 'others-get', address: RECIPIENT, limit: { amount: wei(25n * 10n ** 14n) } },
      { code: 'others-get', address: ROUTER, limit: { amount: wei(5n * 10n ** 15n) } },
      { code: 'sign-before', time: 1_795_255_455n },
      { code: 'contract', address: ROUTER },
    ],
  }),
  'several orders of a market': {
    ...typedOf({
      deed: {
        kind: 'trade',
        amounts: [limit],
        gets: [wei(10n ** 17n)],
        until: 1_795_255_455n,
        orders: 2,
      },
      terms: [
        ...[1, 2].flatMap((number): Term[] => [
          { code: 'order', number, of: 2 },
          { code: 'gives', limit },
          { code: 'gets', address: ADDRESS, limit: { amount: wei(10n ** 17n) } },
        ]),
        { code: 'sign-before', time: 1_795_255_455n },
      ],
      warnings: [
        { code: 'no-price', level: 'danger' },
        { code: 'each-alone', level: 'danger', params: { count: '2' } },
      ],
    }),
    many: true,
  },
  'a permission to act': typed(
    { kind: 'act', amounts: [], to: RECIPIENT, until: 1_795_255_455n },
    { code: 'acts-for-you', level: 'danger', params: { spender: RECIPIENT } },
  ),
  'a permission taken back': typed({ kind: 'revoke', amounts: [], to: RECIPIENT }),
  'a permission to borrow': typed(
    { kind: 'borrow', amounts: [limit], to: RECIPIENT },
    { code: 'debt', level: 'danger', params: { spender: RECIPIENT }, limit },
  ),
  'permits of several tokens': typedOf({
    deed: { kind: 'allow', amounts: [limit, endless, limit], to: RECIPIENT, until: 1_795_255_455n },
    terms: [
      ...[limit, endless, limit].flatMap((each): Term[] => [
        { code: 'token', address: ROUTER },
        { code: 'limit', limit: each },
        ENDS,
      ]),
      { code: 'sign-before', time: 1_795_255_455n },
    ],
    warnings: [
      { code: 'unlimited', level: 'danger', params: { spender: RECIPIENT }, limit: endless },
      { code: 'gives-limit', level: 'caution', params: { spender: RECIPIENT }, limit },
    ],
  }),
  'a transaction of a Safe': typed(
    { kind: 'safe', amounts: [], to: RECIPIENT },
    { code: 'delegatecall', level: 'danger', params: { address: RECIPIENT } },
  ),
  'a call that others send': typed({ kind: 'relay', amounts: [], to: RECIPIENT }),
  'a transfer that others send': typedOf({
    deed: { kind: 'relay', does: 'pay', amounts: [limit], to: RECIPIENT },
    terms: [
      { code: 'receiver', address: ROUTER },
      { code: 'call', call: data('transfer', 68) },
    ],
    warnings: [{ code: 'sends', level: 'danger', limit, params: { address: RECIPIENT } }],
  }),
  'several calls that others send': {
    ...typedOf({
      deed: { kind: 'relay', amounts: [limit, ticket], to: ROUTER },
      terms: [
        { code: 'receiver', address: ROUTER },
        {
          code: 'call',
          call: data('multicall'),
          effects: [
            { kind: 'send', amount: limit.amount, to: RECIPIENT },
            { kind: 'send', amount: ticket.amount, to: ROUTER },
          ],
        },
      ],
      warnings: [
        { code: 'sends', level: 'danger', limit, params: { address: RECIPIENT } },
        { code: 'sends', level: 'danger', limit: ticket, params: { address: ROUTER } },
      ],
    }),
    many: true,
  },
  'terms that nobody can read': typedOf({
    deed: { kind: 'take', amounts: [limit], to: RECIPIENT },
    terms: [{ code: 'token', address: ROUTER }, ENDS, { code: 'witness', fields: manyFields(12) }],
    warnings: [{ code: 'unknown-witness', level: 'danger' }],
  }),
  'a long form that is not known': typedOf({
    message: manyFields(24),
    warnings: [{ code: 'unknown-form', level: 'danger' }],
  }),
  'typed data of an unknown form': typed(undefined, { code: 'unknown-form', level: 'caution' }),
};

/** Which rows draw the requests of each type. */
const BY_TYPE: Record<string, readonly string[]> = {
  ETH_TRANSACTION: ['ethereum', 'a call', 'a new contract'],
  ETHEREUM_ERC20_TRANSACTION: ['a token'],
  GO_TRANSACTION: ['gochain', 'a call'],
  GOCHAIN_GO20_TRANSACTION: ['a token'],
  VET_TRANSACTION: ['vechain', 'vechain clauses with a sum', 'vechain clauses that differ'],
  VTHO_TRANSACTION: ['vechain token'],
  VECHAIN_VIP180_TRANSACTION: ['vechain token', 'vechain token clauses'],
  BTC_TRANSACTION: ['bitcoin'],
  LTC_TRANSACTION: ['litecoin speed-up'],
  TRX_TRANSACTION: ['tron'],
  TRC10_TRANSACTION: ['tron token'],
  TRON_CONTRACT_EXECUTION: ['tron token', 'a call'],
  AE_TRANSACTION: ['aeternity'],
  ETHEREUM_TRANSACTION: ['a message', 'a raw transaction', 'raw ethereum with an access list'],
  ETHEREUM_RAW: ['a message', 'bytes that nobody can read', 'a sign-in'],
  ETHEREUM_TYPED_DATA: ['a permit', 'typed data of an unknown form'],
  GOCHAIN_TRANSACTION: ['a message', 'a raw transaction'],
  GOCHAIN_RAW: ['a message', 'bytes that nobody can read', 'a sign-in'],
  GOCHAIN_TYPED_DATA: ['a permit', 'typed data of an unknown form'],
  VECHAIN_TRANSACTION: ['a message', 'raw vechain that waits'],
  VECHAIN_CERTIFICATE: ['a certificate'],
  BITCOIN_MESSAGE: ['a message', 'a sign-in elsewhere, on a chain of other accounts'],
  LITECOIN_MESSAGE: ['a message', 'a sign-in elsewhere, on a chain of other accounts'],
  TRON_MESSAGE: ['a message', 'a sign-in elsewhere, on a chain of other accounts'],
  AETERNITY_MESSAGE: ['a message', 'a sign-in elsewhere, on a chain of other accounts'],
};

/** Every member of the unions that approvals are made of: one that is added does not compile here until it is named. */
const SUMMARIES: Record<Summary['kind'], true> = {
  transfer: true,
  approval: true,
  call: true,
  creation: true,
};
const SIGNATURES: Record<SigningSummary['kind'], true> = {
  text: true,
  blind: true,
  transaction: true,
  typed: true,
  'sign-in': true,
  certificate: true,
};
const DEEDS: Record<Deed['kind'], true> = {
  allow: true,
  revoke: true,
  take: true,
  pay: true,
  act: true,
  borrow: true,
  trade: true,
  safe: true,
  relay: true,
};
const EFFECTS: Record<CallEffect['kind'], true> = {
  send: true,
  allow: true,
  'allow-all': true,
  control: true,
  'foreign-code': true,
  pay: true,
  receive: true,
  'pass-on': true,
  call: true,
};
const ORDERS: Record<PaidOrder['state'], true> = { signed: true, unsigned: true, wrong: true };

/** Gives the view time to be seen, and answers what Approve still asks for. */
async function whyNot(
  { view, settle }: Pick<Scene<FrameView>, 'view' | 'settle'>,
  clock: TestClock,
): Promise<string | undefined> {
  // The browser reports what is in view after it has drawn it.
  await settle();
  await clock.pass(400);
  await settle();
  return deepAll(view, '#why')[0]?.textContent ?? undefined;
}

describe('the rows of this test', () => {
  const views = Object.values(KINDS).map(({ view }) => view());
  const summaries = views.flatMap((view) => (view instanceof ApproveView ? [view.summary!] : []));
  const signatures = views.flatMap((view) => (view instanceof SignatureView ? [view.summary] : []));

  for (const [what, all, drawn] of [
    ['transactions', SUMMARIES, summaries.map(({ kind }) => kind)],
    ['signatures', SIGNATURES, signatures.map(({ kind }) => kind)],
    ['typed data', DEEDS, signatures.map((each) => each.kind === 'typed' && each.deed?.kind)],
    ['calls', EFFECTS, summaries.flatMap(({ effects = [] }) => effects.map(({ kind }) => kind))],
    ['orders of a checkout', ORDERS, summaries.map(({ order }) => order?.state)],
  ] as const)
    it(`have every kind of ${what}`, () => {
      expect(drawn).to.include.members(Object.keys(all));
    });

  it('have every type of request of every chain', () => {
    expect(Object.keys(BY_TYPE)).to.have.members(Object.keys({ ...NATIVE_TYPES, ...SIGNATURE_TYPES }));
    for (const name of Object.values(BY_TYPE).flat()) expect(KINDS).to.have.property(name);
  });
});

describe('an approval', () => {
  const text = async (view: ApproveView): Promise<string> => {
    await show(view);
    const lines = (): string[] =>
      deepAll(view, '*')
        .filter((element) => !element.children.length && element.localName !== 'style')
        .map((element) => element.textContent!.trim());
    // It has to be in sight for a moment.
    await poll(() => !lines().includes('Just arrived'), 'the approval to be seen');
    // The ends of long texts come with their own frames: parts of a row that are not drawn yet are empty.
    return lines().filter(Boolean).join('\n');
  };
  for (const [name, { view }] of Object.entries(KINDS)) {
    const whole = view();
    if (!(whole instanceof ApproveView)) continue;
    it(`${name}: loads all that draws it`, async () => {
      const loaded = view() as ApproveView;
      loaded.drawing = await ApprovalDrawing.load(whole.summary!);
      expect(await text(loaded)).to.equal(await text(whole));
    });
  }
});

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
    ...deepAll(view, '.delta[data-seen]').map((row): [string, Element] => ['what leaves', row]),
    ['total', one('.sum .total')],
    ...(danger ? [['danger', one('.tick') ?? danger.querySelector('b')!] as [string, Element]] : []),
    ['PIN or passkey', one('cbf-pin-field') ?? one('[aria-label="Approve with passkey"]')],
    ['Approve', one('.actions .primary, .actions .danger')],
    ['Reject', one('.actions .secondary')],
  ];
}

/** What has to be visible of one that cannot be approved. */
function wantedRefused({ view }: Scene<FrameView>): [name: string, element: Element | undefined][] {
  const one = (selector: string): Element | undefined => deepAll(view, selector)[0];
  return [
    ['amount', one('.effect h1')],
    ['why not', one('.alert.danger b')],
    ['Close', one('.foot .secondary')],
  ];
}

for (const [width, height] of SIZES)
  describe(`at ${width} × ${height}`, () => {
    for (const [name, { view, many, refused }] of Object.entries(KINDS))
      it(`${name}: amount, recipient, total, worst danger and PIN are on screen at once`, async () => {
        const scene = await show<FrameView>(view(), 'light', width, height);
        for (const [part, element] of refused ? wantedRefused(scene) : wanted(scene)) {
          if (many && (part === 'recipient' || part === 'what leaves')) continue;
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

describe('the order of a request', () => {
  for (const name of ['a token', 'a permit', 'an unlimited allowance', 'a permit to take once'])
    it(`${name}: effect, danger, parties, cautions`, async () => {
      const { view } = await show<FrameView>(KINDS[name]!.view(), 'light', 400, 640);
      const order = ['.effect', '.alert.danger', '.to', '.notes'].flatMap((one) =>
        deepAll(view, one).slice(0, 1),
      );
      expect(order.length).to.be.at.least(3);
      const tops = order.map((one) => one.getBoundingClientRect().top);
      expect(tops).to.deep.equal([...tops].sort((a, b) => a - b));
    });

  it('draws no second line at the upper edge of a card', async () => {
    const { view } = await show<FrameView>(KINDS['a swap']!.view(), 'light', 400, 640);
    const firsts = deepAll(view, '.card .kv > div:first-child, .card > :first-child');
    expect(firsts.length).to.be.at.least(2);
    for (const first of firsts) expect(getComputedStyle(first).borderTopWidth).to.equal('0px');
  });

  it('keeps a long number of an order inside its card', async () => {
    const order: PaidOrder = {
      state: 'signed',
      merchant: 'Fernhill Outfitters',
      total: 3100,
      currency: 'USD',
      reference: `cs_test_${'o7be'.repeat(15)}`,
      items: 2,
      expires: 1_800_000_000_000,
    };
    for (const width of [400, 320]) {
      const { view } = await show<FrameView>(ordered(order).view(), 'light', width, 640);
      const body = deepAll(view, '.body')[0]!;
      expect(body.scrollWidth).to.be.at.most(body.clientWidth);
      const value = deepAll(view, '.party dd').find(({ textContent }) => textContent!.includes('cs_test'))!;
      expect(value.scrollWidth).to.be.at.most(value.clientWidth);
    }
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
      ([, { view, many, refused }]) => !many && !refused && view() instanceof ApproveView,
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

describe('typed data that is not in view at once', () => {
  for (const [name, first, parts] of [
    ['permits of several tokens', 'See the warnings first', ['effect', 'effect', 'effect', 'effect', 'to']],
    ['an order of a market', 'See the amount first', ['effect', 'effect', 'effect', 'to', 'to', 'to']],
    [
      'several calls that others send',
      'See the amount first',
      ['effect', 'effect', 'effect', 'to', 'to', 'to'],
    ],
    ['terms that nobody can read', 'Read to the end first', ['effect', 'end', 'to']],
    ['a long form that is not known', 'Read to the end first', ['effect', 'end']],
  ] as const)
    it(`${name}: says so, and cannot be approved before it was`, async () => {
      const clock = new TestClock();
      const made = Object.assign(KINDS[name]!.view(), { clock });
      const { view, settle } = await show(made, 'light', 320, 480);
      const look = () => whyNot({ view, settle }, clock);
      await look();
      expect(await look()).to.equal(first);
      const marked = deepAll<HTMLElement>(view, '.body [data-seen]:not([data-seen="warning"])').map(
        ({ dataset }) => dataset['seen'],
      );
      expect([...new Set(marked)].sort()).to.deep.equal([...new Set(parts)].sort());
      expect(marked.filter((kind) => kind !== 'end').sort()).to.deep.equal(
        parts.filter((kind) => kind !== 'end').sort(),
      );
      let presses = 0;
      for (; deepAll(view, '.pill').length; presses++) {
        expect(presses, 'it comes to an end').to.be.below(100);
        deepAll<HTMLElement>(view, '.pill')[0]!.click();
        await look();
      }
      expect(presses).to.be.above(0);
      expect(await look()).to.be.oneOf(['Tick the box first', 'Enter your PIN']);
    });

  it('a permit of one token, which the heading names, is in view at once', async () => {
    const clock = new TestClock();
    const made = Object.assign(KINDS['a permit']!.view(), { clock });
    const { view, settle } = await show(made, 'light', 400, 640);
    expect(await whyNot({ view, settle }, clock)).to.equal('Enter your PIN');
  });
});

it('cannot be approved before every recipient was on screen', async () => {
  const clock = new TestClock();
  const made = Object.assign(KINDS['vechain clauses with a sum']!.view(), { clock });
  const { view, settle } = await show(made, 'light', 320, 480);
  const look = () => whyNot({ view, settle }, clock);
  expect(await look()).to.equal('See every recipient first');
  for (const to of deepAll(view, '[data-seen="to"]')) {
    to.scrollIntoView({ block: 'center' });
    await look();
  }
  expect(await look()).to.equal('Enter your PIN');
});

it('has Use passkey beside Clear at 320 px, where the row of an open pad has no room for it', async () => {
  await import('../../../../src/frame/ui/pin-pad.ts');
  for (const [width, place] of [
    [320, 'CBF-PIN-PAD'],
    [360, 'CBF-PIN-ROW'],
  ] as const) {
    const { view, settle } = await show(
      Object.assign(new ApproveView(), {
        drawing: drawingOf(plain),
        wallet,
        own: [wallet],
        armed: true,
        passkey: true,
      }),
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
        const clock = new TestClock();
        const view = Object.assign(new ApproveView(), { clock, wallet, own: [wallet], armed: true, passkey });
        const { shell, settle } = await show(view, 'light', width, height);
        const places = (): unknown =>
          deepAll(shell, 'header, .foot, .foot button, cbf-pin-row').map((each) =>
            each.getBoundingClientRect().toJSON(),
          );
        const before = places();
        view.drawing = await ApprovalDrawing.load(plain);
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
      view.drawing = await ApprovalDrawing.load(plain);
      await settle();
      expect(drawn(), `after ${waited} ms`).to.equal(held === 0);
      await clock.pass(held);
      await settle();
      expect(drawn(), `${held} ms later`).to.equal(true);
    }
  });
});

describe('in a window too small for everything at once', () => {
  const main = (view: FrameView): HTMLElement => deepAll<HTMLElement>(view, '.actions .btn')[1]!;
  const reason = (view: FrameView): string | undefined => deepAll(view, '#why')[0]?.textContent ?? undefined;
  const start = async (name: string, width: number, height: number) => {
    const clock = new TestClock();
    const made = Object.assign(KINDS[name]!.view(), { clock, phase: 'look' as const });
    const scene = await show<ApproveView | SignatureView>(made, 'light', width, height);
    const look = async (): Promise<void> => {
      await scene.settle();
      await clock.pass(400);
      await scene.settle();
    };
    await look();
    return { ...scene, look };
  };
  /** Presses the main button until it leads to the PIN, and returns the names it had. */
  const readOn = async ({ view, look }: Awaited<ReturnType<typeof start>>): Promise<string[]> => {
    const names: string[] = [];
    while (view.phase === 'look' && names.length < 60) {
      names.push(main(view).getAttribute('aria-label')!);
      expect(deepAll(view, 'cbf-pin-field'), 'no PIN before everything was seen').to.have.length(0);
      if (reason(view) === 'Tick the box first') deepAll<HTMLInputElement>(view, '.tick input')[0]!.click();
      else main(view).click();
      await look();
    }
    return names;
  };

  for (const [name, width, height, passes] of [
    ['a coin, with two cautions', 320, 231, ['Show the warnings']],
    ['a coin, by a passkey', 600, 240, []],
    ['an unlimited allowance', 320, 256, ['Show the warnings']],
    ['vechain token clauses', 320, 231, ['Show recipient 2']],
    ['a swap', 420, 240, []],
    ['a message', 320, 231, ['Next page']],
  ] as const)
    it(`${name}: effect, recipients, total and warnings have to be seen, then comes the PIN below a line, at ${width} × ${height}`, async () => {
      const scene = await start(name, width, height);
      const { view } = scene;
      for (const button of deepAll(view, '.actions .btn')) expect(inView(button)).to.equal(true);
      const total = deepAll<HTMLElement>(view, '.sum')[0]!;
      expect(total.closest('.body')).to.not.equal(null);
      const names = await readOn(scene);
      expect(names).to.include.members([...passes, 'Continue']);
      expect(view.phase).to.equal('pin');
      const brief = deepAll<HTMLElement>(view, '.brief')[0]!;
      for (const part of [brief, ...deepAll(view, 'cbf-pin-field, .actions .btn')])
        expect(inView(part), part.className).to.equal(true);
      expect(brief.innerText.length).to.be.greaterThan(15);
      expect(main(view).getAttribute('aria-label')).to.match(/^Approve/);
      const foot = view.shadowRoot!.querySelector('.foot')!;
      expect(foot.scrollHeight).to.be.at.most(foot.clientHeight + 1);
    });

  it('sums it up with a short recipient, leads back, and starts over when what is asked changes', async () => {
    const scene = await start('a coin, with two cautions', 320, 231);
    const view = scene.view as ApproveView;
    await readOn(scene);
    const brief = deepAll<HTMLElement>(view, '.brief > span')[0]!;
    expect(brief.innerText.replace(/[\u2068\u2069]/g, '')).to.equal(
      'Send 0.25 ETH. To 0x8f3C…A063. Total at most 0.250420 ETH',
    );
    named(view, 'Back').click();
    await scene.look();
    expect([view.phase, reason(view)]).to.deep.equal(['look', undefined]);
    await readOn(scene);
    expect(view.phase).to.equal('pin');
    view.drawing = drawingOf({ ...view.summary!, to: ROUTER });
    await scene.look();
    expect(view.phase).to.equal('look');
    expect(main(view).getAttribute('aria-label')).to.not.equal('Approve');
  });

  it('cannot be approved by a press meant for Continue', async () => {
    const scene = await start('a coin, by a passkey', 320, 231);
    const { view } = scene;
    const asked: (boolean | undefined)[] = [];
    view.allows = (_event, ready) => {
      asked.push(ready);
      return ready ?? true;
    };
    let approved = 0;
    view.addEventListener('cbf-passkey-approve', () => approved++);
    await readOn(scene);
    expect(
      asked.every((ready) => ready === false),
      'each restarts the dwell',
    ).to.equal(true);
    expect(approved).to.equal(0);
  });
});
