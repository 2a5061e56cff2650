import { expect } from '@open-wc/testing';
import type { SigningSummary } from '../../../../src/chains/chain.ts';
import type { Summary, WarningCode } from '../../../../src/chains/approval/summary.ts';
import type { Network } from '../../../../src/chains/network.ts';
import type { FrameView } from '../../../../src/frame/ui/view.ts';
import { ApproveView } from '../../../../src/frame/approve/approve-view.ts';
import type { Frame } from '../../../../src/frame/frame.ts';
import { ListView } from '../../../../src/frame/approve/list-view.ts';
import { networkNote } from '../../../../src/frame/approve/other-network.ts';
import { ApprovalDrawing } from '../../../../src/frame/approve/drawing/approve-drawing.ts';
import { signInDrawing } from '../../../../src/frame/approve/drawing/sign-in-drawing.ts';
import { beSheet } from '../../../../src/frame/shell/sheet.ts';
import { SignatureView } from '../../../../src/frame/approve/signature-view.ts';
import { warningText, worstFirst } from '../../../../src/frame/approve/drawing/warnings.ts';
import '../../../../src/frame/approve/drawing/words-drawing.ts';
import { ReplaceView } from '../../../../src/frame/wallets/replace-view.ts';
import type { Vault } from '../../../../src/wallets/types.ts';
import { TestClock } from '../../clock.ts';
import { drawingOf } from './drawing/drawing-of.ts';
import {
  addressIn,
  deepAll,
  focused,
  MAIN_WALLET as wallet,
  named,
  RECIPIENT,
  show,
  visible,
} from '../scene.ts';
import { checkScenes, type Scenes } from '../scenes.ts';

const ADDRESS = wallet.address;
const ROUTER = '0x66a9893cC07D91D95644AEDD05D03f95e1dBA8Af';
const ETH = { symbol: 'ETH', decimals: 18 };
const wei = (raw: bigint) => ({ ...ETH, raw });

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
const usdc = { symbol: 'USDC', decimals: 6, token: ROUTER };
const call: Summary = {
  ...plain,
  kind: 'call',
  amount: { ...usdc, raw: 500_000_000n },
  to: ROUTER,
  according: 'node.example',
  changes: [
    { amount: { ...usdc, raw: 500_000_000n }, direction: 'out' },
    { amount: wei(203506n * 10n ** 12n), direction: 'in' },
  ],
  call: {
    name: 'swapExactTokensForETH',
    data: `0x18cbafe5${'0'.repeat(512)}`,
    arguments: [
      { name: 'amountIn', type: 'uint256', value: '500000000', amount: { ...usdc, raw: 500_000_000n } },
      { name: 'to', type: 'address', value: ADDRESS },
      { name: 'router', type: 'address', value: ROUTER },
      { name: 'deadline', type: 'uint256', value: '1795255455' },
    ],
  },
  warnings: [{ code: 'first-contract', level: 'caution' }],
};
const btc = { symbol: 'BTC', decimals: 8, raw: 10_000_000n };
const eth = (raw: bigint) => ({ ...ETH, raw: raw * 10n ** 15n });
const VAULT = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';
const betweenChains: Summary = {
  ...plain,
  networkName: 'Bitcoin',
  amount: btc,
  to: VAULT,
  exchange: 'THORChain',
  swap: { orderType: 'SELL', input: btc, output: eth(2710n), recipient: RECIPIENT },
  crossChain: {
    exchange: 'THORChain',
    input: btc,
    vault: VAULT,
    memo: `=:e:${RECIPIENT}:271000000`,
    outlook: {
      secretType: 'ETHEREUM',
      network: 'ethereum',
      networkName: 'Ethereum',
      recipient: RECIPIENT,
      expected: eth(2725n),
      minimum: eth(2710n),
      liquidityFee: eth(3n),
      outboundFee: eth(1n),
      refundFee: { ...btc, raw: 40_000n },
      seconds: 660,
    },
  },
  facts: [{ code: 'memo', value: `=:e:${RECIPIENT}:271000000` }],
  warnings: [
    { code: 'swap-recipient', level: 'danger', tick: true, params: { address: RECIPIENT } },
    { code: 'order-streaming', level: 'danger', tick: true },
    { code: 'order-high-limit', level: 'caution' },
  ],
};
const unlimited: Summary = {
  ...plain,
  kind: 'approval',
  unlimited: true,
  contract: ROUTER,
  amount: { ...usdc, raw: 2n ** 256n - 1n },
  warnings: [
    { code: 'reported-address', level: 'danger', tick: true },
    { code: 'unlimited-approval', level: 'danger', tick: true, amount: { ...usdc, raw: 2n ** 256n - 1n } },
    { code: 'first-recipient', level: 'caution' },
    { code: 'not-backed-up', level: 'caution' },
  ],
};
const short: Summary = {
  ...plain,
  shortOf: { amount: wei(0n), need: plain.total.raw, have: 118n * 10n ** 15n },
};

const crowded: Summary = {
  ...short,
  warnings: [
    {
      code: 'many-coins',
      level: 'danger',
      params: { coins: '300', atOnce: '100' },
      amount: wei(99n * 10n ** 15n),
    },
  ],
};

const unlisted = { raw: 1_500_000n, decimals: null, claimedDecimals: 6, symbol: 'TST', token: ROUTER };
const unlistedToken: Summary = {
  ...plain,
  amount: unlisted,
  contract: ROUTER,
  changes: [{ amount: unlisted, direction: 'out' }],
  warnings: [{ code: 'unlisted-token', level: 'caution', params: { symbol: 'TST' } }],
};
const inWords: Summary = {
  ...plain,
  kind: 'call',
  amount: wei(0n),
  to: ROUTER,
  call: {
    name: null,
    data: `0x2f6a1c3b${'0'.repeat(192)}`,
    arguments: [],
    words: {
      owner: 'Harbour Labs',
      name: 'claimReward',
      intent: 'Claim a reward',
      fields: [
        { label: 'Goes to', address: RECIPIENT },
        { label: 'Reward', amount: { ...usdc, raw: 12_500_000n } },
        { label: 'Bonus', amount: unlisted },
        { label: 'Not before', time: 1_795_255_455n },
      ],
      arguments: [
        { name: 'to', type: 'address', value: RECIPIENT },
        { name: 'reward', type: 'uint256', value: '12500000' },
      ],
    },
  },
  warnings: [{ code: 'unknown-call', level: 'danger', tick: true }],
};

const approve =
  (summary: Summary | undefined, more: Partial<ApproveView> = {}) =>
  (): FrameView =>
    Object.assign(new ApproveView(), {
      drawing: summary && drawingOf(summary),
      wallet,
      own: [wallet],
      armed: true,
      ...more,
    });
const listed: Network = {
  id: 'live',
  secretType: 'ETHEREUM',
  name: 'Ethereum mainnet',
  kind: 'mainnet',
  nodes: [],
  tokens: [],
};
/** The site's last approval was on Ethereum. */
const fromEthereum = await networkNote(
  {
    link: { origin: 'https://shop.example' },
    networks: { networks: [listed], reported: [], customNodes: false },
  } as unknown as Frame,
  { journal: { last: async () => ({ networkId: listed.id }) } } as unknown as Vault,
  { ...listed, id: 'base', name: 'Base' },
);
const signature =
  (summary: SigningSummary, more: object = {}) =>
  (): FrameView =>
    Object.assign(new SignatureView(), {
      summary,
      wallet,
      own: [wallet],
      site: 'shop.example',
      networkName: 'Ethereum',
      armed: true,
      ...more,
    });

const signIn = {
  kind: 'sign-in',
  text: 'shop.example wants you to sign in with your Ethereum account:',
  hex: '0x',
  message: {
    domain: 'shop.example',
    address: wallet.address,
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

const SCENES: Scenes = {
  'approve, before the node answered': { view: approve(undefined) },
  'approve a transfer': { view: approve(plain) },
  'approve on another network than last time': {
    view: approve({ ...plain, networkName: 'Base' }, { networkNote: fromEthereum }),
  },
  'sign on another network than last time': {
    view: signature(
      { kind: 'text', text: 'Hello', hex: '0x48656c6c6f' },
      { networkName: 'Base', networkNote: fromEthereum },
    ),
  },
  'approve with the pad open': { view: approve(plain), act: (view) => named(view, 'Show PIN pad').click() },
  'approve a call': { view: approve(call, { step: { index: 0, of: 2 } }) },
  'approve a swap between chains': { view: approve(betweenChains, { secretType: 'BITCOIN' }) },
  'approve a danger': {
    view: approve(unlimited, {
      limit: { allowed: unlimited.amount.raw, held: { ...usdc, raw: 812_400_000n } },
    }),
  },
  'approve a new contract': {
    view: approve({
      ...plain,
      kind: 'creation',
      to: null,
      call: { name: null, arguments: [], data: '0x6001' },
    }),
  },
  'approve a token that nobody lists': { view: approve(unlistedToken) },
  'approve a call in an operator’s words': {
    view: approve(inWords),
    act: (view) => deepAll(view, 'cbf-call-words')[0]!.scrollIntoView(),
  },
  'speed up or cancel': {
    view: () =>
      Object.assign(new ReplaceView(), {
        drawing: drawingOf(plain),
        wallet,
        own: [wallet],
        armed: true,
        heading: 'Speed up transaction',
        approved: { ...plain.fee.maximum, raw: plain.fee.maximum.raw / 2n },
        takesBack: 'Cancel 0.25 ETH',
      }),
  },
  'approve without the funds': { view: approve(short) },
  'approve with too many coins': { view: approve(crowded) },
  'approve after a wrong PIN': {
    view: approve(plain, { pinError: 'Wrong PIN. 3 attempts left.', passkey: true }),
  },
  'sign a message': {
    view: signature({
      kind: 'text',
      text: 'shop.example asks you to sign in.\n\nNonce:\u202e 4f19c2',
      hex: '0x',
    }),
  },
  'sign in': { view: signature(signIn, { draws: signInDrawing }) },
  'sign in elsewhere': {
    view: signature(
      {
        ...signIn,
        mismatches: [{ what: 'domain', named: 'bank.example', actual: 'https://shop.example' }],
      },
      { draws: signInDrawing },
    ),
  },
  'sign blindly': { view: signature({ kind: 'blind', hex: `0x${'1c'.repeat(80)}`, reason: 'bytes' }) },
  'sign a raw transaction': { view: signature({ kind: 'transaction', summary: call }) },
  list: {
    view: () =>
      Object.assign(new ListView(), {
        site: 'shop.example',
        items: [
          { wallet, summary: unlimited },
          { wallet, summary: call },
          { wallet, summary: undefined },
        ],
      }),
  },
};

checkScenes('approvals', SCENES);

function rows(root: Element, selector: string): string[] {
  return deepAll(root, selector).map((row) =>
    [...row.children].map((cell) => cell.textContent!.replace(/\s+/g, ' ').trim()).join(' '),
  );
}

describe('an approval', () => {
  it('says what it does, to whom and at what cost, the recipient in full', async () => {
    const { shell } = await show(approve(plain)());
    expect(deepAll(shell, 'h1')[0]!.textContent).to.equal('Send 0.25 ETH');
    expect(addressIn(shell).textContent).to.equal(RECIPIENT);
    const parts = deepAll(shell, '.party .k').map((k) => k.textContent);
    expect(parts).to.deep.equal(['To', 'From']);
    expect(rows(shell, '.body .kv:not(details .kv) > div')).to.deep.equal([
      'Expected fee 0.000252 ETH',
      'Maximum fee 0.000420 ETH',
      'Main wallet after this 1.03358 ETH',
    ]);
    expect(rows(shell, 'details:not([open]) .kv > div')).to.deep.equal([
      'Amount in wei 250000000000000000',
      'Maximum fee in wei 420000000000000',
    ]);
    expect(rows(shell, '.sum > div')).to.deep.equal([
      'Send 0.25 ETH fee at most 0.000420',
      'Total at most 0.250420 ETH',
    ]);
  });

  it('is heard, too: effect, recipient and total are said when it is complete, and describe the PIN field', async () => {
    const scene = await show(approve(undefined, { clock: new TestClock() })() as ApproveView);
    const { view, said, settle } = scene;
    const says = (total: string): string => `Send 0.25 ETH. To ${RECIPIENT}. Total at most ${total} ETH`;
    const heard = (): string[] => said.map((text) => text.replace(/[\u2068\u2069]/g, ''));
    const described = (): string =>
      named(view, 'PIN')
        .getAttribute('aria-description')!
        .replace(/[\u2068\u2069]/g, '');
    view.drawing = await ApprovalDrawing.load(plain);
    await settle();
    expect(heard().at(-1)).to.equal(says('0.250420'));
    expect(described()).to.equal(says('0.250420'));
    said.length = 0;
    view.changed = new Set(['fee']);
    view.drawing = await ApprovalDrawing.load({ ...plain });
    await settle();
    expect(heard(), 'a renewal below what was promised').to.deep.equal(['Updated. Maximum fee 0.00042 ETH']);
    view.drawing = await ApprovalDrawing.load({ ...plain, total: wei(260420n * 10n ** 12n) });
    view.startOver('The fee went up. Check it and enter your PIN again.');
    await settle();
    expect(heard().at(-1)).to.equal(says('0.260420'));
    expect(described()).to.equal(`The fee went up. Check it and enter your PIN again. ${says('0.260420')}`);
  });

  it('is heard with what is at risk, to whom a swap goes, and every digit', async () => {
    const { said } = await show(
      approve(unlimited, {
        limit: { allowed: unlimited.amount.raw, held: { ...usdc, raw: 812_400_000n } },
      })(),
    );
    expect(said.at(-1)!.replace(/[\u2068\u2069]/g, ''))
      .to.include('Allow unlimited USDC')
      .and.include(`Who may take it Reported address ${RECIPIENT}`)
      .and.include('At risk all USDC');
    const long = await show(approve({ ...plain, amount: wei(993_009000026973107811n) })());
    expect(long.said.at(-1)).to.include('993.009000026973107811 ETH');
  });

  it('is a list of terms, and the recipient is text', async () => {
    const { view } = await show(approve(plain)());
    const [to, from] = deepAll(view, 'dl.to > div');
    expect(to!.querySelector('dt')!.textContent).to.equal('To');
    expect(to!.querySelector('dd .sr')!.textContent).to.equal(RECIPIENT);
    expect(from!.querySelector('dt')!.textContent).to.equal('From');
  });

  it('shows the worst danger in full, the others and every caution on one line, and needs one tick', async () => {
    const { shell } = await show(approve(unlimited)());
    expect(deepAll(shell, '.body > .alert b').map((b) => b.textContent)).to.deep.equal(['Reported address']);
    expect(deepAll(shell, '.note.danger summary .grow')[0]!.textContent).to.include(
      'could take all your USDC',
    );
    expect(deepAll<HTMLDetailsElement>(shell, '.notes > details').map(({ open }) => open)).to.deep.equal([
      false,
      false,
    ]);
    expect(deepAll(shell, '.tag.bad')[0]!.textContent).to.equal('Reported address');
    expect(deepAll(shell, '.foot .tick')).to.have.length(1);
    expect(named(shell, 'Show the first of 2 risks').dataset['text']).to.equal('1 of 2');
  });

  it('has three cautions on a line each, and the rest behind one', async () => {
    const codes = ['first-recipient', 'not-backed-up', 'replaces-pending', 'fee-ceiling'] as const;
    const warnings = codes.map((code) => ({ code, level: 'caution' as const }));
    const { shell } = await show(approve({ ...plain, warnings })());
    const titles = deepAll(shell, '.notes > details > summary .grow').map((title) => title.textContent);
    expect(titles).to.deep.equal([
      'First time sending to this address',
      'This wallet is not backed up',
      '2 more',
    ]);
  });

  it('keeps effect, full recipient and a count of cautions while the pad is open', async () => {
    const warnings = unlimited.warnings.filter(({ level }) => level === 'caution');
    const scene = await show(approve({ ...plain, warnings })());
    named(scene.view, 'Show PIN pad').click();
    await scene.settle();
    const body = deepAll<HTMLElement>(scene.view, '.body')[0]!;
    const text = body.innerText.replace(/\s+/g, ' ');
    expect(text).to.include('Send 0.25 ETH').and.include('2 cautions').and.not.include('Expected fee');
    expect(addressIn(scene.shell).getBoundingClientRect().height).to.be.greaterThan(20);
    expect(body.scrollHeight).to.be.at.most(body.clientHeight);
    // WebKit does not look into the shell's own styles for the name of what views are fitted to.
    expect(scene.shell.style.containerName).to.equal('frame');
  });

  it('keeps them in sight above the pad on the sheet of a small phone', async () => {
    const warnings = unlimited.warnings.filter(({ level }) => level === 'caution');
    // The longest address of all chains.
    const taproot = 'bc1p5d7rjq7g6rdk2yhzks9smlaqtedr4dekq08ge8ztwac72sfr9rusxg3297';
    const longest = approve(
      { ...plain, to: taproot, warnings },
      { secretType: 'BITCOIN', heading: '$612.50' },
    );
    // A swap has terms below its effect, and a name above the address.
    const terms = 'for at least 993.009 DUSD by Uniswap V3';
    const swapped = approve({ ...plain, exchange: 'Uniswap V3', warnings }, { heading: terms });
    for (const view of [longest(), swapped()]) {
      const scene = await show(view, 'light', 360, 616);
      beSheet(scene.shell, { sheet: true, tellHeight() {} });
      named(scene.view, 'Show PIN pad').click();
      await scene.settle();
      const body = deepAll<HTMLElement>(scene.view, '.body')[0]!;
      expect(named(scene.view, '2 cautions').getBoundingClientRect().height).to.be.at.least(36);
      expect(body.scrollHeight).to.be.at.most(body.clientHeight);
    }
  });

  it('says whose simulation it is', async () => {
    const { shell } = await show(approve(call)());
    expect(deepAll(shell, '.sect')[0]!.textContent).to.include('according to node.example');
    expect(deepAll(shell, '.call .kv dd')[1]!.textContent).to.equal('Main wallet (you)');
  });

  for (const [host, name] of [
    ['127.0.0.1:8545', 'a test run on this device'],
    ['localhost:8545', 'a test run on this device'],
    ['10.0.4.2:8545', 'a node of Ethereum'],
    ['[fd00::2]:8545', 'a node of Ethereum'],
    ['rpc.example:8545', 'rpc.example'],
  ])
    it(`calls the node at ${host} “${name}”`, async () => {
      const { shell } = await show(approve({ ...call, according: host! })());
      expect(deepAll(shell, '.sect')[0]!.textContent).to.match(new RegExp(`according to ${name}$`));
    });

  it('puts a danger above a lack of funds', async () => {
    const reported = { code: 'reported-address', level: 'danger', params: { address: RECIPIENT } } as const;
    const shortOf = { amount: wei(0n), need: plain.total.raw, have: 1n };
    const { shell } = await show(approve({ ...plain, shortOf, warnings: [reported] })());
    expect(deepAll(shell, '.alert b')[0]!.textContent).to.equal('Reported address');
    expect(deepAll(shell, '.note.danger summary')[0]!.textContent!.trim()).to.equal('Not enough ETH');
  });

  describe('while the user types the PIN, and the node answers', () => {
    // The skeleton stands for as long as the clock says: a busy machine would make it stay.
    const waiting = async (more: Partial<ApproveView> = {}) => {
      const scene = await show(approve(undefined, { clock: new TestClock(), ...more })() as ApproveView);
      const pin = (): HTMLInputElement => deepAll<HTMLInputElement>(scene.view, 'input').at(-1)!;
      pin().focus();
      return { ...scene, pin };
    };

    it('leaves the focus where the user put it, whatever there is to be careful about', async () => {
      const { view, pin, settle } = await waiting();
      view.drawing = await ApprovalDrawing.load(call);
      await settle();
      expect(visible(view)).to.include('First time with this contract');
      expect(focused()).to.equal(pin());
    });

    it('moves the focus to the effect for a danger, which has to be read before', async () => {
      for (const padOpen of [false, true]) {
        const { view, pin, settle } = await waiting();
        if (padOpen) named(view, 'Show PIN pad').click();
        await settle();
        pin().focus();
        view.drawing = await ApprovalDrawing.load(unlimited);
        await settle();
        expect(focused()?.localName).to.equal('h1');
      }
    });

    it('moves it there for a request that replaced another', async () => {
      const { view, settle } = await waiting({ takesFocus: false });
      view.drawing = await ApprovalDrawing.load(call);
      await settle();
      expect(focused()?.localName).to.equal('h1');
    });

    it('takes no focus back for its title once it is drawn', async () => {
      const { view, pin, settle } = await waiting();
      const { parentNode } = view;
      view.remove();
      view.drawing = await ApprovalDrawing.load(call);
      parentNode!.append(view);
      pin().focus();
      await settle();
      expect(focused()).to.equal(pin());
    });
  });

  it('never gives Approve the first focus', async () => {
    for (const { view } of Object.values(SCENES)) {
      const { shell } = await show(view());
      let at = shell.shadowRoot!.activeElement;
      while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
      expect(at?.matches('.primary, .danger') ?? false).to.equal(false);
    }
  });

  it('says what can be sent where there is enough, in more coins than one payment spends', async () => {
    const { view } = await show(approve(crowded)());
    const shown = visible(view);
    expect(shown)
      .to.include('Too many small coins for one payment')
      .and.include('You can send up to \u20680.099 ETH\u2069 now');
    expect(shown).to.include('“Manage wallets”');
    expect(shown).to.not.include('Not enough');
    expect(deepAll<HTMLButtonElement>(view, '.primary').every((button) => button.disabled)).to.equal(true);
    expect(drawingOf(crowded).obstacle).to.equal('Too many small coins');
  });

  it('has a text for each warning, dangers first', async () => {
    const codes: WarningCode[] = [
      'first-contract',
      'resembles-known',
      'custom-node-live',
      'fee-ceiling',
      'nonce-gap',
      'approval-for-all',
    ];
    for (const code of codes) {
      const { title, text } = warningText({ code, level: 'danger' }, plain);
      expect(title.length).to.be.greaterThan(5);
      expect(text).to.match(/\.$/);
    }
    expect(
      worstFirst([
        { code: 'nonce-gap', level: 'caution' },
        { code: 'no-code', level: 'danger' },
      ])[0]!.code,
    ).to.equal('no-code');
  });
});
