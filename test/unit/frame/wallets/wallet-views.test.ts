import { expect } from '@open-wc/testing';
import type { Wallet } from '../../../../src/api/wallet.ts';
import type { Network, NetworkKind } from '../../../../src/chains/network.ts';
import type { SecretType } from '../../../../src/chains/secret-type.ts';
import { ConnectError } from '../../../../src/base/errors.ts';
import type { FrameView } from '../../../../src/frame/ui/view.ts';
import type { Holdings } from '../../../../src/frame/wallets/holdings.ts';
import type { Holding } from '../../../../src/frame/wallets/balances.ts';
import { ChooseNetworkView } from '../../../../src/frame/set-up/choose-network-flow.ts';
import { networkQuestion } from '../../../../src/frame/wallets/link-flow.ts';
import { removeQuestion } from '../../../../src/frame/service/devices-flow.ts';
import { DevicesView } from '../../../../src/frame/service/devices-flow.ts';
import { ownPinQuestion } from '../../../../src/frame/service/own-pin.ts';
import { OwnPinView } from '../../../../src/frame/service/own-pin.ts';
import {
  archiveQuestion,
  combineQuestion,
  type MoveState,
  RenameView,
  sweepQuestion,
} from '../../../../src/frame/wallets/wallet-questions.ts';
import { ExportView, PrivateKeyView } from '../../../../src/frame/wallets/export-view.ts';
import { ImportView } from '../../../../src/frame/set-up/import-view.ts';
import { LinkView } from '../../../../src/frame/wallets/link-view.ts';
import { ManageView } from '../../../../src/frame/wallets/manage-view.ts';
import { SwapView } from '../../../../src/frame/wallets/swap-view.ts';
import { ReceiveView } from '../../../../src/frame/wallets/receive-view.ts';
import { PortfolioView } from '../../../../src/frame/wallets/portfolio-view.ts';
import { TestClock } from '../../clock.ts';
import { ownAddress } from '../../../../src/frame/settings/own-address-flow.ts';
import { type Backups, SettingsView, waysBack } from '../../../../src/frame/settings/settings-view.ts';
import { addressIn, deepAll, focused, MAIN_WALLET as main, named, RECIPIENT, show } from '../scene.ts';
import { crossChainRates } from '../../../../src/testing/index.ts';
import { poll } from '../../../waiting.ts';
import { checkScenes, type Scenes } from '../scenes.ts';
import decodeQR from 'qr/decode.js';

const site = 'shop.example';
const BTC = { symbol: 'BTC', decimals: 8 };
/** BIP-173's P2WPKH example, and the P2PKH address of the same key. */
const BECH32 = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const P2PKH = '1BgGZ9tcN4rm9KBzDn7KprQz87SZ26SAMH';
const AE = 'ak_2swhLkgBPeeADxVTAVCJnZLY5NZtCFiM93JxsEaMuC59euuFRQ';

const network = (secretType: SecretType, kind: NetworkKind, name: string): Network => ({
  id: name,
  secretType,
  name,
  kind,
  nodes: ['https://node.invalid'],
  tokens: [],
});
const mainnet = network('ETHEREUM', 'mainnet', 'Ethereum mainnet');
const sepolia = network('ETHEREUM', 'testnet', 'Ethereum Sepolia');

const vault: Wallet = { ...main, id: 'vault', alias: 'Vault', address: RECIPIENT, primary: false };
const gone: Wallet = { ...vault, id: 'gone', alias: 'Old test wallet' };
const bitcoin: Wallet = { ...main, secretType: 'BITCOIN', alias: 'Bitcoin wallet', address: BECH32 };
const holding = (raw: bigint, symbol = 'ETH') => ({ coin: { symbol, decimals: 18, raw } });
const served: Wallet = { ...vault, id: 'served', alias: 'Savings', walletType: 'THREEWAY_SHARED' };
const devices = [true, false].map((own, i) => ({ own, thumbprint: `${i}`, createdAt: 1.7e12 + i * 1e10 }));
const balances = new Map<string, Holding>([
  ['main', holding(1284n * 10n ** 15n)],
  [
    'vault',
    { ...holding(24n * 10n ** 19n, 'VET'), gas: { symbol: 'VTHO', decimals: 18, raw: 17n * 10n ** 17n } },
  ],
]);
const networks = new Map([
  ['main', mainnet],
  ['vault', sepolia],
]);

const manage = (more: Partial<ManageView> = {}): ManageView =>
  Object.assign(new ManageView(), {
    site,
    wallets: [main, vault, gone],
    networks,
    balances,
    unsaved: new Map([['vault', 'key']]),
    armed: true,
    ...more,
  });
const receive = (wallet: Wallet, on: Network, coins: string, more: Partial<ReceiveView> = {}): ReceiveView =>
  Object.assign(new ReceiveView(), { wallet, network: on, coins, ...more });
const importing = (secretType: SecretType, more: Partial<ImportView> = {}): ImportView =>
  Object.assign(new ImportView(), { secretType, kinds: ['key'], ...more });
const sweep = () => sweepQuestion(bitcoin, P2PKH, { ...BTC, raw: 1_250_000n });
const failed = <V extends { state: MoveState }>(view: V, error: ConnectError): V =>
  Object.assign(view, { state: { error } });
const link = (more: Partial<LinkView> = {}): LinkView =>
  Object.assign(new LinkView(), { site, networks, balances, armed: true, ...more });

const worth = (_on: Network, { symbol, raw }: { symbol: string; raw: bigint }) =>
  symbol === 'WAX' ? undefined : { value: Number(raw) / 1e15, currency: 'USD', at: 1.8e12 };
const held = (symbol: string, name: string, raw: bigint, more = {}) => ({
  amount: { token: `0x${'c1'.repeat(20)}`, symbol, decimals: 18, raw },
  network: mainnet,
  name,
  logo: '',
  ...more,
});
const HOLDINGS = {
  failed: [],
  held: [
    {
      amount: { symbol: 'ETH', decimals: 18, raw: 1_284_031_997_000_000_000n },
      network: mainnet,
      name: '',
      logo: '',
    },
    held('USDC', 'USD Coin', 812_400_000_000_000_000_000n),
    held('DUSD', 'Demo Dollars of a bank with a long name', 993_009_000_026_973_107_811n),
    held('WAX', '', 25_000_000n * 10n ** 18n, { unknown: true }),
    held('0xc1c1…c1c1', '', 10n ** 18n, { unknown: true, imitates: 'USDC' }),
    held('LINK', '', 10n ** 50n, { unknown: true, unclear: true }),
  ],
};
const TODAY = {
  failed: [],
  held: [
    HOLDINGS.held[0]!,
    held('USDC', 'USD Coin', 812_400_000_000_000_000_000n),
    held('DUSD', 'Demo Dollar', 250n * 10n ** 18n),
  ],
};
const portfolio = (more: Partial<PortfolioView> = {}): PortfolioView =>
  Object.assign(new PortfolioView(), {
    wallet: main,
    wallets: [main, vault],
    networks,
    ownNetworks: [mainnet],
    holdings: new Map([[mainnet.id, HOLDINGS]]),
    prices: { currency: 'USD', worth },
    ...more,
  });
const base = network('ETHEREUM', 'mainnet', 'Base, a network with a long name');
const onSeveral = (more: Partial<PortfolioView> = {}): PortfolioView =>
  portfolio({
    ownNetworks: [mainnet, base, sepolia, network('ETHEREUM', 'mainnet', 'Polygon')],
    holdings: new Map<string, Holdings>([
      [mainnet.id, HOLDINGS],
      [base.id, { held: HOLDINGS.held.map((one) => ({ ...one, network: base })), failed: ['tokens'] }],
      [sepolia.id, { held: [], failed: ['coins', 'tokens'] }],
    ]),
    ...more,
  });
const ITEMS = [
  {
    network: mainnet,
    name: 'Ticket #214',
    number: '214',
    collection: 'Harbour Tickets',
    picture: 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7',
    contract: `0x${'aa'.repeat(20)}`,
    tokenId: '214',
  },
  {
    network: mainnet,
    name: '',
    number: '\u2066123456…7890\u2069',
    collection: 'A collection with a name that is long',
    contract: `0x${'bb'.repeat(20)}`,
    tokenId: '12345678901234567890',
  },
];
const choice = (wallet: Wallet, on: Network) => ({ wallet, networks: [on] });
const TEST_CHOICES = [
  choice(main, mainnet),
  choice(bitcoin, network('BITCOIN', 'mainnet', 'Bitcoin mainnet')),
  choice(
    { ...main, secretType: 'AETERNITY', id: 'ae' },
    network('AETERNITY', 'mainnet', 'Aeternity mainnet'),
  ),
  choice({ ...main, secretType: 'VECHAIN', id: 'vet' }, network('VECHAIN', 'mainnet', 'VeChain mainnet')),
];

const SCENES: Scenes = {
  portfolio: { view: () => portfolio() },
  'portfolio, with prices of today': {
    view: () =>
      portfolio({
        holdings: new Map([[mainnet.id, TODAY]]),
        prices: {
          currency: 'USD',
          worth: (_, { symbol, raw, decimals }) => ({
            value: (Number(raw) / 10 ** decimals!) * (symbol === 'ETH' ? 2450 : 1),
            currency: 'USD',
            at: Date.now(),
          }),
        },
      }),
  },
  'portfolio, all wallets on the wallet’s own page': {
    view: () =>
      onSeveral({
        home: true,
        all: true,
        unsaved: ['phrase'],
        kept: false,
        holdings: new Map([
          [mainnet.id, { ...HOLDINGS, held: HOLDINGS.held.map((one) => ({ ...one, wallet: main })) }],
        ]),
      }),
  },
  'use on another device': { view: () => ownAddress('https://connect.example.com/', backups(), true) },
  'use on another device, with each way': {
    view: () =>
      ownAddress(
        'https://connect.example.com/',
        backups({ backedUp: true, savedFile: true, copy: KEPT }),
        false,
      ),
  },
  'portfolio, hidden ones shown': {
    view: () => portfolio({ prices: undefined }),
    act: (view) => named(view, 'Hidden (2)').click(),
  },
  'portfolio, several networks': { view: () => onSeveral() },
  'portfolio, several networks, NFTs': {
    view: () => onSeveral({ items: new Map([[base.id, ITEMS]]), lost: new Set([sepolia.id]) }),
    act: (view) => named(view, 'NFTs').click(),
  },
  'portfolio, reading': { view: () => portfolio({ holdings: new Map() }) },
  'portfolio, nothing read': {
    view: () =>
      portfolio({
        holdings: new Map([[mainnet.id, { held: [], failed: ['coins', 'tokens'] }]]),
        wallets: [main],
      }),
  },
  'portfolio, wallets': {
    view: () => portfolio(),
    act: (view) => deepAll<HTMLElement>(view, '.chosen > button')[0]!.click(),
  },
  'portfolio, NFTs': {
    view: () => portfolio({ items: new Map([[mainnet.id, ITEMS]]), source: 'service.example' }),
    act: (view) => named(view, 'NFTs').click(),
  },
  'portfolio, pictures': {
    view: () => portfolio({ items: new Map([[mainnet.id, ITEMS]]), pictures: true }),
    act: (view) => named(view, 'NFTs').click(),
  },
  'portfolio, no NFTs': {
    view: () => portfolio({ items: new Map([[mainnet.id, []]]) }),
    act: (view) => named(view, 'NFTs').click(),
  },
  link: {
    view: () => link({ wallets: [main, vault, gone], chosen: new Set(['main']), missing: ['BITCOIN'] }),
  },
  'link, chains without a wallet': {
    view: () => link({ wallets: [main], missing: ['BITCOIN', 'TRON', 'VECHAIN'] }),
  },
  'link without wallets': { view: () => link() },
  manage: {
    view: () =>
      manage({
        archived: [{ ...vault, id: 'archived', alias: 'Gifts' }],
        linked: new Set(['main', 'vault']),
        undo: vault,
      }),
  },
  'manage, menu open': {
    view: () => manage({ sweepable: new Set(['vault']) }),
    act: (view) => named(view, 'More for Vault').click(),
  },
  'manage, coins on other networks': {
    view: () => {
      const some = (name: string) => ({
        network: network('ETHEREUM', 'mainnet', name),
        amount: holding(10n ** 18n).coin,
      });
      const coinsElsewhere = new Map([
        ['main', [some('BNB Smart Chain')]],
        ['vault', [some('Base'), some('OP Mainnet')]],
      ]);
      const empty = new Map([...balances, ['main', holding(0n)]]);
      return manage({ coinsElsewhere, balances: empty, shown: 2 });
    },
  },
  'manage, none': { view: () => manage({ wallets: [], unsaved: new Map() }) },
  'choose a network': {
    view: () => Object.assign(new ChooseNetworkView(), { networks: [mainnet, sepolia], chosen: mainnet }),
  },
  receive: { view: () => receive(main, mainnet, 'ETH') },
  'receive, several networks, an amount, arrived': {
    view: () =>
      receive(main, mainnet, 'ETH', {
        choices: TEST_CHOICES,
        share: async () => {},
        arrived: { amount: { symbol: 'ETH', decimals: 18, raw: 25n * 10n ** 16n }, network: mainnet },
      }),
    act: (view) => deepAll<HTMLElement>(view, 'summary')[0]!.click(),
  },
  'receive on several networks of one wallet': {
    view: () => receive(main, mainnet, 'ETH', { places: [mainnet, sepolia] }),
    act: (view) => deepAll<HTMLElement>(view, 'summary')[0]!.click(),
  },
  'receive on a test network, not backed up': {
    view: () => receive(vault, sepolia, 'ETH', { unsaved: 'phrase' }),
  },
  'receive bitcoin': {
    view: () => receive(bitcoin, network('BITCOIN', 'mainnet', 'Bitcoin mainnet'), 'BTC'),
  },
  'receive aeternity': {
    view: () =>
      receive(
        { ...main, secretType: 'AETERNITY', address: AE, alias: 'A name of thirty-two characters.' },
        network('AETERNITY', 'local', 'Local Aeternity'),
        'AE',
        { unsaved: 'key' },
      ),
  },
  'import a WIF key, several networks': {
    view: () =>
      importing('BITCOIN', {
        networks: [
          network('BITCOIN', 'mainnet', 'Bitcoin mainnet'),
          network('BITCOIN', 'testnet', 'Bitcoin testnet'),
        ],
        error: 'A character of this key is mistyped or missing. Check each one.',
      }),
  },
  'sweep offer': { view: () => sweep() },
  'sweep offer, failed': {
    view: () =>
      failed(
        sweep(),
        new ConnectError('transaction.insufficient-funds', 'The coins do not pay their own fee.'),
      ),
  },
  'combine offer': { view: () => combineQuestion(bitcoin, 1234) },
  'combine offer, failed': {
    view: () =>
      failed(
        combineQuestion(bitcoin, 150),
        new ConnectError(
          'transaction.insufficient-funds',
          'The coins are worth less than the fee that moving them takes.',
        ),
      ),
  },
  devices: { view: () => Object.assign(new DevicesView(), { devices }) },
  'devices, service down': {
    view: () => Object.assign(new DevicesView(), { devices, trouble: 'unreachable' }),
  },
  'remove a device': {
    view: () => removeQuestion({ device: devices[1]!, index: 1 }),
  },
  'remove this browser': {
    view: () => removeQuestion({ device: devices[0]!, index: 0 }),
  },
  'own PIN, none yet': { view: () => ownPinQuestion(served) },
  'own PIN': {
    view: () => Object.assign(new OwnPinView(), { wallet: { ...served, hasCustomPin: true } }),
  },
  'use another network': { view: () => networkQuestion('shop.example', base, [vault]) },
  'use a test network, with several wallets': {
    view: () => networkQuestion('shop.example', sepolia, [vault, vault]),
  },
  rename: { view: () => Object.assign(new RenameView(), { wallet: vault }) },
  'export, before': { view: () => Object.assign(new ExportView(), { wallet: vault, armed: true }) },
  'export, shown': {
    view: () => Object.assign(new PrivateKeyView(), { alias: 'Vault', key: '4c'.repeat(32) }),
  },
  archive: {
    view: () => archiveQuestion(vault, balances.get('vault')),
  },
};

const swap = (): SwapView => {
  const coin = { secretType: 'ETHEREUM', symbol: 'ETH', tokenAddress: '' } as const;
  const token = { secretType: 'ETHEREUM', symbol: 'USDC', tokenAddress: `0x${'a'.repeat(40)}` } as const;
  const never = (): Promise<never> => new Promise(() => {});
  const view = Object.assign(new SwapView(), {
    linked: [main, { ...main, id: 'second', alias: 'A wallet with a name that is as long as names may be' }],
    network: mainnet.id,
    places: [mainnet, { ...mainnet, id: 'base', name: 'Base' }],
    current: {
      balance: never,
      tokenBalances: never,
      tokenBalance: never,
      maxSpendable: never,
      swapRates: never,
      createSwap: never,
      preload: never,
      swapPairs: async () => [
        { from: coin, to: token },
        { from: token, to: coin },
      ],
    },
  });
  view.from(main);
  return view;
};
SCENES['swap'] = { view: swap };

const savings: Wallet = { ...bitcoin, id: 'savings', alias: 'Savings' };
/** To Bitcoin, by an exchange between chains. `linked`: the user's wallets. */
const swapAcross = (linked: readonly Wallet[]): SwapView => {
  const ether = { secretType: 'ETHEREUM', symbol: 'ETH', tokenAddress: '' } as const;
  const bitcoins = { ...ether, secretType: 'BITCOIN', symbol: 'BTC' } as const;
  const live = network('BITCOIN', 'mainnet', 'Bitcoin');
  const never = (): Promise<never> => new Promise(() => {});
  const view = Object.assign(new SwapView(), {
    linked,
    network: mainnet.id,
    places: [mainnet, live],
    // As attributes of the panel: where it starts.
    toSecretType: 'BITCOIN',
    amount: '1',
    current: {
      balance: never,
      tokenBalances: never,
      tokenBalance: never,
      maxSpendable: never,
      networks: async () => [mainnet],
      swapRates: async (query: object) => crossChainRates({ query }, '0.03'),
      createSwap: never,
      preload: never,
      swapPairs: async () => [
        { from: ether, to: bitcoins },
        { from: ether, to: { ...ether, symbol: 'USDC', tokenAddress: `0x${'a'.repeat(40)}` } },
      ],
    },
  });
  view.from(main);
  return view;
};
const says = (words: string) => (view: FrameView) =>
  poll(() => view.shadowRoot!.textContent!.includes(words), words).then(() => {});
SCENES['swap to another chain'] = {
  view: () => swapAcross([main, savings]),
  act: says('Validators of THORChain'),
};
SCENES['swap to another chain, without a wallet there'] = {
  view: () => swapAcross([main]),
  act: says('You need a Bitcoin wallet'),
};

checkScenes('wallet views', SCENES);

const text = (view: FrameView): string => view.shadowRoot!.textContent!.replace(/\s+/g, ' ');

describe('a wallet’s network', () => {
  it('is marked if it is not a live one, or gone', async () => {
    const { view } = await show(manage());
    const tags = deepAll<HTMLElement>(view, '.rows > li').map((row) =>
      [...row.querySelectorAll('.tag')].map((tag) => tag.textContent),
    );
    expect(tags).to.deep.equal([['Primary'], ['Testnet', 'Not backed up'], ['Unavailable']]);
    expect(named<HTMLButtonElement>(view, 'Use on this site: Old test wallet').disabled).to.equal(true);
  });

  it('being gone leaves what needs no node', async () => {
    const { view } = await show(manage());
    named(view, 'More for Old test wallet').click();
    await view.updateComplete;
    expect(deepAll(view, '[role=menuitem]').map((item) => item.textContent)).to.deep.equal([
      'Rename',
      'Copy address',
      'Make Old test wallet primary',
      'Move up',
      'Export',
      'Archive',
    ]);
  });

  it('is chosen by keyboard, the default first', async () => {
    const { view } = await show(
      Object.assign(new ChooseNetworkView(), { networks: [mainnet, sepolia], chosen: mainnet }),
    );
    const radios = deepAll<HTMLInputElement>(view, 'input');
    expect(focused()).to.equal(radios[0]);
    expect(radios.map(({ checked }) => checked)).to.deep.equal([true, false]);
    radios[1]!.click();
    expect(view.chosen).to.equal(sepolia);
  });
});

describe('with wide fonts, at 360 pixels', () => {
  /** All views inherit their font from here. */
  async function wide(view: ManageView): Promise<ManageView> {
    const { shell, settle } = await show(view, 'light', 360);
    shell.style.setProperty('--cb-font', 'monospace');
    shell.style.setProperty('--cb-font-size', '16.5px');
    await settle();
    return view;
  }
  const lines = (element: Element): number => {
    const range = document.createRange();
    range.selectNodeContents(element);
    return new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom))).size;
  };

  it('button labels and short addresses stay on one line', async () => {
    const view = await wide(manage({ linked: new Set(['main', 'vault']) }));
    for (const name of ['Import wallet', 'Create wallet'])
      expect(lines(named(view, name).querySelector('span')!), name).to.equal(1);
    const addresses = deepAll(view, '.addr');
    expect(addresses.length).to.equal(3);
    for (const address of addresses) expect(lines(address), address.textContent).to.equal(1);
    const body = view.shadowRoot!.querySelector('.body')!;
    expect(body.scrollWidth).to.be.at.most(body.clientWidth);
  });

  it('a wallet’s marks are not stacked in a column', async () => {
    const view = await wide(manage({ linked: new Set(['vault']) }));
    const tops = deepAll(view, '.rows > li:nth-child(2) .tag').map((tag) => tag.getBoundingClientRect().top);
    expect(tops.length).to.equal(3);
    expect(new Set(tops.slice(1)).size).to.equal(1);
  });
});

describe('a wallet’s row', () => {
  it('opens the wallet wherever it is pressed but at its buttons, which have words', async () => {
    const { view } = await show(manage());
    const [row] = deepAll<HTMLElement>(view, '.rows > li');
    const at = (part: Element): string | null => {
      const { left, top, width, height } = part.getBoundingClientRect();
      const hit = view.shadowRoot!.elementFromPoint(left + width / 2, top + height / 2);
      return hit!.closest('button')!.getAttribute('aria-label');
    };
    for (const part of ['.strong', '.addr', '.held', '.tag']) {
      const shown = row!.querySelector(part)!;
      expect(at(shown), part).to.equal('Open Main wallet');
    }
    const use = named(view, 'Use on this site: Main wallet');
    expect([at(use), use.textContent!.trim()]).to.deep.equal([
      'Use on this site: Main wallet',
      'Use on this site',
    ]);
    expect(at(named(view, 'More for Main wallet'))).to.equal('More for Main wallet');
  });

  it('has the view’s only filled button, with the first wallet; without one, that makes a wallet', async () => {
    const filled = ({ view }: { view: ManageView }): string[] =>
      deepAll(view, '.primary').map((one) => one.getAttribute('aria-label') ?? one.textContent!.trim());
    expect(filled(await show(manage()))).to.deep.equal(['Use on this site: Main wallet']);
    expect(filled(await show(manage({ wallets: [], archived: [] })))).to.deep.equal(['Create wallet']);
  });

  it('has no use for a site on the wallet’s own page', async () => {
    const { view } = await show(manage({ site: '' }));
    expect(() => named(view, 'Use on this site: Main wallet')).to.throw();
    named(view, 'Back');
  });
});

describe('an open menu', () => {
  it('stays open while balances and marks arrive', async () => {
    const { view, settle } = await show(manage({ balances: new Map(), unsaved: new Map() }));
    named(view, 'More for Vault').click();
    await settle();
    const held = focused();
    Object.assign(view, {
      balances,
      wallets: [main, vault, gone],
      sweepable: new Set(['vault']),
      unsaved: new Map([['vault', 'key']]),
      linked: new Set(['vault']),
    });
    await settle();
    expect(deepAll(view, '[role=menu]').length).to.equal(1);
    expect(focused() === held).to.equal(true);
  });

  it('closes when the focus goes elsewhere in the wallet', async () => {
    const { view, settle } = await show(manage());
    named(view, 'More for Vault').click();
    await settle();
    named(view, 'Create wallet').focus();
    await settle();
    expect(deepAll(view, '[role=menu]').length).to.equal(0);
  });
});

describe('a wallet’s balance', () => {
  it('is shown in the coin, and in the coin for fees if that is another', async () => {
    const { view } = await show(manage());
    const held = deepAll<HTMLElement>(view, '.held').map((one) =>
      [...one.children].map((line) => line.textContent),
    );
    expect(held).to.deep.equal([['1.284 ETH'], ['240 VET', '1.7 VTHO']]);
  });
});

/** What a camera sees: the code drawn in black on white, eight pixels per module. */
async function scan(view: FrameView): Promise<string> {
  const svg = deepAll<SVGSVGElement>((await show(view)).view, 'svg.qr')[0]!;
  const size = svg.viewBox.baseVal.width * 8;
  const copy = svg.cloneNode(true) as SVGSVGElement;
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('width', String(size));
  copy.setAttribute('height', String(size));
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`;
  await image.decode();
  const context = new OffscreenCanvas(size, size).getContext('2d')!;
  context.drawImage(image, 0, 0);
  const { data, width, height } = context.getImageData(0, 0, size, size);
  return decodeQR({ data, width, height });
}

const KEPT = { writtenAt: Date.UTC(2026, 10, 2), isCurrent: true, problem: undefined };

function backups(of: Partial<Backups> = {}): Backups {
  return { backedUp: false, savedFile: false, copy: undefined, ...of };
}

describe('Use on another device', () => {
  it('has a code of the address of the wallet’s own page, and of nothing else', async () => {
    const url = 'https://connect.example/';
    expect(await scan(ownAddress(url, backups(), true))).to.equal(url);
    const { view } = await show(ownAddress(url, backups(), true));
    expect(text(view)).to.include('connect.example').and.include('holds no secret');
    expect(deepAll<HTMLAnchorElement>(view, 'a')[0]!.rel).to.equal('noopener noreferrer');
    const { view: there } = await show(ownAddress(url, backups(), false));
    expect(deepAll(there, 'a')).to.have.length(0);
  });

  it('names what brings this wallet there, as the table in Settings does, and nothing that the user has not', async () => {
    const named = async (of: Partial<Backups>): Promise<string[]> => {
      const { view } = await show(ownAddress('https://connect.example/', backups(of), false));
      return deepAll(view, 'li').map((each) => each.textContent!.replace(/\s+/g, ' ').trim());
    };
    expect(await named({})).to.deep.equal([]);
    for (const copy of [undefined, 'off'] as const) {
      const { view } = await show(ownAddress('https://connect.example/', backups({ copy }), false));
      expect(text(view).includes('keep an encrypted copy')).to.equal(copy === 'off');
    }
    expect(await named({ backedUp: true })).to.deep.equal(['12 words Checked']);
    expect(await named({ savedFile: true, copy: 'off' })).to.deep.equal(['Back-up file Saved']);
    expect(await named({ copy: KEPT })).to.deep.equal(['Encrypted copy Your passkey opens it']);
    expect(await named({ copy: { ...KEPT, problem: 'copy.removed' } })).to.deep.equal([]);
    for (const of of [{}, { backedUp: true, savedFile: true, copy: KEPT }]) {
      const settings = Object.assign(new SettingsView(), { clock: new TestClock(), browser: true, ...of });
      const { view } = await show(settings);
      const heads = deepAll(view, '.ways tbody th').map((each) => each.textContent!);
      const all = waysBack(backups(of)).map(({ name, state }) => name + state);
      expect(heads.slice(0, all.length)).to.deep.equal(all);
    }
  });
});

describe('receiving', () => {
  for (const theme of ['light', 'dark'] as const)
    it(`shows a code that scanners read, dark on white, ${theme}`, async () => {
      const { view } = await show(receive(main, mainnet, 'ETH'), theme);
      const [ground, modules] = deepAll<SVGElement>(view, 'svg.qr > *');
      expect(getComputedStyle(ground!).fill).to.equal('rgb(255, 255, 255)');
      expect(getComputedStyle(modules!).fill).to.equal('rgb(0, 0, 0)');
    });

  it('encodes the plain address, or the URI if wallets expect one', async () => {
    expect(await scan(receive(main, mainnet, 'ETH'))).to.equal(main.address);
    const ae = { ...main, secretType: 'AETERNITY' as const, address: AE };
    expect(await scan(receive(ae, network('AETERNITY', 'mainnet', 'Aeternity'), 'AE'))).to.equal(AE);
    expect(
      await scan(receive(bitcoin, network('BITCOIN', 'mainnet', 'Bitcoin mainnet'), 'BTC')),
      'BIP-21, upper case as BIP-173 has it for QR codes',
    ).to.equal(`BITCOIN:${BECH32.toUpperCase()}`);
  });

  it('says what may be sent, on which network', async () => {
    const { view } = await show(receive(vault, sepolia, 'ETH', { unsaved: 'phrase' }));
    expect(text(view)).to.include('Send only ETH and tokens on Ethereum Sepolia to this address.');
    expect(text(view)).to.include('Testnet').and.include('Not backed up').and.include('12 words');
    expect(addressIn(view).textContent).to.equal(RECIPIENT);
    const btc = await show(receive(bitcoin, network('BITCOIN', 'mainnet', 'Bitcoin mainnet'), 'BTC'));
    expect(text(btc.view)).to.include('Send only BTC on Bitcoin mainnet to this address.');
  });

  it('copies the address and says so', async () => {
    const copied: string[] = [];
    const write = navigator.clipboard.writeText;
    navigator.clipboard.writeText = async (one) => void copied.push(one);
    try {
      const { view, said, settle } = await show(receive(main, mainnet, 'ETH'));
      named(view, 'Copy address').click();
      await settle();
      expect(copied).to.deep.equal([main.address]);
      expect(said).to.include('Address copied');
      named(view, 'Address copied');
    } finally {
      navigator.clipboard.writeText = write;
    }
  });
});

describe('importing', () => {
  it('says what each chain’s keys look like', async () => {
    for (const [secretType, words] of [
      ['BITCOIN', 'begins with K or L'],
      ['LITECOIN', 'begins with T'],
      ['AETERNITY', 'begins with sk_'],
      ['TRON', '64 hex digits'],
    ] as const)
      expect(text((await show(importing(secretType))).view)).to.include(words);
    const networks = [network('BITCOIN', 'testnet', 'Bitcoin testnet')];
    expect(text((await show(importing('BITCOIN', { networks }))).view)).to.include('begins with c');
  });
});
