import { expect } from '@open-wc/testing';
import type { Chain } from '../../../../src/chains/chain.ts';
import type { Node } from '../../../../src/chains/terms.ts';
import { watchIncoming } from '../../../../src/frame/wallets/receive-flow.ts';
import { TestClock } from '../../clock.ts';
import type { NonFungible, Wallet } from '../../../../src/api/wallet.ts';
import { paymentUri, ReceiveView } from '../../../../src/frame/wallets/receive-view.ts';
import { pictureOf } from '../../../../src/frame/wallets/nfts.ts';
import { writeAmountsIn } from '../../../../src/ui/amount-text.ts';
import { deepAll, named, show, type } from '../scene.ts';
import { NETWORKS, PIN, until, world, type World } from '../world.ts';

const [network] = NETWORKS.networks;
const ADDRESS = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F';
const BECH32 = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';

async function receiving(): Promise<World> {
  const w = await world();
  w.ask('manageWallets', { chain: 'ETHEREUM' });
  await w.press(`More for ${w.wallet.alias}`);
  await w.press('Receive');
  await w.title('Receive ETH');
  return w;
}

/** The wallet has so much, in tenths of an ether, from now on. */
function has(w: World, tenths: bigint): void {
  const { balance } = w.chain.chain;
  w.chain.chain.balance = async (...of) => ({
    ...(await balance(...of)),
    rawBalance: `${tenths * 10n ** 17n}`,
  });
}

/** Second by second, so that each look has its answer before the next. */
async function twoLooks(clock: TestClock): Promise<void> {
  for (let second = 0; second < 16; second++) await clock.pass(1000);
}

const visibility = (state: 'hidden' | 'visible'): void => {
  Object.defineProperty(document, 'hidden', { configurable: true, value: state === 'hidden' });
  document.dispatchEvent(new Event('visibilitychange'));
};

describe('while an address is on screen', () => {
  afterEach(() => Reflect.deleteProperty(document, 'hidden'));

  it('it says what arrives, and not what was there or what leaves', async () => {
    const w = await receiving();
    expect(w.text()).to.include('Watching for incoming funds');
    has(w, 10n);
    await twoLooks(w.clock);
    has(w, 13n);
    await twoLooks(w.clock);
    await until(() => w.text().includes('Received 0.3 ETH'), 'what arrived');
  });

  const ETH = { symbol: 'ETH', decimals: 18 };
  const token = { address: ADDRESS, symbol: 'USDC', name: 'USD Coin', decimals: 6, logo: '' };
  /** What is told of what a node says look by look, the last for ever: of the coin, or of the token, undefined where it does not answer. */
  async function told(coins: string[], tokens: (string | undefined)[] = []): Promise<bigint[]> {
    const node = { network: { ...network!, tokens: tokens.length ? [token] : [] } } as unknown as Node;
    const next = <T>(list: T[]): T => (list.length > 1 ? list.shift()! : list[0]!);
    const clock = new TestClock();
    const chain = {
      coin: ETH,
      gasCoin: ETH,
      balance: async () => ({ rawBalance: next(coins) }),
      tokenBalances: async () => {
        const rawBalance = next(tokens);
        return rawBalance ? [{ tokenAddress: ADDRESS, rawBalance }] : [];
      },
    } as unknown as Chain;
    const arrived: bigint[] = [];
    const stop = watchIncoming({ chain, node, address: ADDRESS, clock }, ({ raw }) => arrived.push(raw));
    for (let look = 0; look < 10; look++) await twoLooks(clock);
    stop();
    return arrived;
  }

  it('what came while a token did not answer is said once it does', async () => {
    expect(await told(['0'], ['5000000', undefined, '7000000'])).to.deep.equal([2_000_000n]);
  });

  it('it says nothing twice, and of nothing that left, where one node is behind another', async () => {
    expect(await told(['50', '100', '50']), 'sent just before').to.deep.equal([]);
    expect(await told(['100', '150', '100', '150', '150', '100', '150', '150'])).to.deep.equal([50n]);
    expect(await told(['100', '50', '50', '80', '80']), 'came after some had left').to.deep.equal([30n]);
    expect(await told(['100', '150', '180', '180']), 'came one after the other').to.deep.equal([50n, 30n]);
  });

  it('nothing is asked while the wallet is hidden, or once the view is left', async () => {
    const w = await receiving();
    let asked = 0;
    const { balance } = w.chain.chain;
    w.chain.chain.balance = async (...of) => {
      asked++;
      return balance(...of);
    };
    visibility('hidden');
    await w.clock.pass(60_000);
    expect(asked).to.equal(0);
    visibility('visible');
    expect(asked).to.equal(1);
    const waiting = w.clock.waiting;
    await w.press('Done');
    await w.title('Ethereum wallets');
    expect(w.clock.waiting).to.equal(waiting - 1);
  });
});

describe('an amount that is asked for', () => {
  const view = (more: Partial<ReceiveView> = {}): ReceiveView =>
    Object.assign(new ReceiveView(), {
      wallet: { id: 'a', alias: 'Main', address: ADDRESS, secretType: 'ETHEREUM' } as Wallet,
      network: network!,
      coins: 'ETH',
      ...more,
    });
  beforeEach(() => writeAmountsIn('en-US'));
  afterEach(() => writeAmountsIn());

  it('is in the code and in what is shared; anything else is refused', async () => {
    const shared: ShareData[] = [];
    const share = async (data: ShareData) => void shared.push(data);
    const { view: shown, settle } = await show(view({ share }));
    deepAll<HTMLElement>(shown, 'summary')[0]!.click();
    await settle();
    named(shown, 'Share').click();
    const field = named<HTMLInputElement>(shown, 'Amount in ETH');
    const plain = deepAll(shown, '.qr path')[0]!.getAttribute('d');
    type(field, '0.25');
    await settle();
    expect(deepAll(shown, '.qr path')[0]!.getAttribute('d')).not.to.equal(plain);
    expect(deepAll(shown, '.code p')[0]!.textContent).to.equal('0.25 ETH');
    named(shown, 'Share').click();
    expect(shared).to.deep.equal([
      { text: ADDRESS },
      { text: `ethereum:${ADDRESS}@31337?value=250000000000000000` },
    ]);
    for (const wrong of ['x', '-1', '0', '1e5', '0.0000000000000000001']) {
      type(field, wrong);
      await settle();
      expect(field.getAttribute('aria-invalid'), wrong).to.equal('true');
      expect(deepAll(shown, '.qr path')[0]!.getAttribute('d')).to.equal(plain);
    }
  });

  it('is typed as where an amount is sent: by the language, and a thousand or one is asked about', async () => {
    writeAmountsIn('en-US');
    try {
      const { view: shown, settle } = await show(view({}));
      deepAll<HTMLElement>(shown, 'summary')[0]!.click();
      await settle();
      const field = named<HTMLInputElement>(shown, 'Amount in ETH');
      const says = async (text: string): Promise<string> => {
        type(field, text);
        await settle();
        return deepAll(shown, '.ask .err, .code p')[0]!.textContent!.trim();
      };
      expect(await says('1,234')).to.equal('1234 or 1.234?');
      expect(await says('1,234.5')).to.equal('1,234.5 ETH');
      expect(await says('1.234')).to.equal('1.234 ETH');
      expect(await says('0,5')).to.equal('0.5 ETH');
    } finally {
      writeAmountsIn();
    }
  });

  it('is offered where the chain’s wallets read one', async () => {
    const wallet = { id: 'a', alias: 'Main', address: 'T', secretType: 'TRON' } as Wallet;
    const { view: tron } = await show(view({ wallet }));
    expect(deepAll(tron, 'details.ask')).to.have.length(0);
  });

  it('is written as BIP-21 and EIP-681 have it', () => {
    const bitcoin = { secretType: 'BITCOIN' as const };
    expect(paymentUri(bitcoin, BECH32, 2_500_000n)).to.equal(`bitcoin:${BECH32}?amount=0.025`);
    expect(paymentUri(bitcoin, BECH32)).to.equal(`BITCOIN:${BECH32.toUpperCase()}`);
    expect(paymentUri({ secretType: 'ETHEREUM', chainId: 1 }, ADDRESS, 5n)).to.equal(
      `ethereum:${ADDRESS}@1?value=5`,
    );
    expect(paymentUri({ secretType: 'TRON' }, 'T', 5n)).to.equal('T');
  });
});

it('the address of a wallet is good on all of its networks, and another wallet’s is not offered for them', async () => {
  const second = { ...network!, id: 'second', name: 'Second Ethereum' };
  const live = { ...network!, id: 'live', name: 'Ethereum mainnet', kind: 'mainnet' as const };
  const w = await world({ networks: { ...NETWORKS, networks: [network!, second, live] } });
  const unlocked = await w.vault.unlock(PIN);
  for (const { id, kind } of [second, live])
    await w.vault.createWallet(unlocked, 'ETHEREUM', id, { id, kind, first: false });
  unlocked.close();
  w.ask('manageWallets', { chain: 'ETHEREUM' });
  await w.press(`More for ${w.wallet.alias}`);
  await w.press('Receive');
  await w.title('Receive ETH');
  expect(deepAll(w.shell, '.seg input')).to.deep.equal([]);
  expect(w.text()).to.include(
    'Send only ETH and tokens on Local Ethereum, Second Ethereum, Ethereum mainnet to this address.',
  );
  expect(deepAll(w.shell, '.groups')).to.have.length(1);
});

describe('a wallet on several networks', () => {
  const base = { ...network!, id: 'base', name: 'Base', chainId: 8453 };
  const live = { ...network!, id: 'live', name: 'Ethereum mainnet', kind: 'mainnet' as const };

  async function receivingOn(): Promise<World> {
    const w = await world({ networks: { ...NETWORKS, networks: [network!, base, live] } });
    w.ask('manageWallets', { chain: 'ETHEREUM' });
    await w.press(`More for ${w.wallet.alias}`);
    await w.press('Receive');
    await w.title('Receive ETH');
    return w;
  }

  it('asks for an amount on the one that is chosen', async () => {
    const w = await receivingOn();
    const view = deepAll<ReceiveView>(w.shell, 'cbf-receive')[0]!;
    const shared: ShareData[] = [];
    view.share = async (data) => void shared.push(data);
    deepAll<HTMLElement>(w.shell, 'summary')[0]!.click();
    type(await w.find<HTMLInputElement>('Amount in ETH'), '0.25');
    await w.press('Share');
    const select = await w.find<HTMLSelectElement>('Network to be paid on');
    expect([...select.options].map(({ text }) => text)).to.deep.equal([
      'Local Ethereum',
      'Base',
      'Ethereum mainnet',
    ]);
    select.value = 'base';
    select.dispatchEvent(new Event('change'));
    await until(() => view.network.id === 'base', 'the other network');
    await view.updateComplete;
    await w.press('Share');
    expect(shared.map(({ text }) => text)).to.deep.equal([
      `ethereum:${w.wallet.address}@31337?value=250000000000000000`,
      `ethereum:${w.wallet.address}@8453?value=250000000000000000`,
    ]);
  });

  it('says what arrives on each of the same kind, and where', async () => {
    const w = await receivingOn();
    const asked = new Set<string>();
    const { balance } = w.chain.chain;
    const has = (raw: bigint): void => {
      w.chain.chain.balance = async (address, node) => {
        asked.add(node.network.id);
        const held = await balance(address, node);
        return node.network.id === 'base' ? { ...held, rawBalance: String(raw) } : held;
      };
    };
    has(10n ** 18n);
    await twoLooks(w.clock);
    has(13n * 10n ** 17n);
    await twoLooks(w.clock);
    await until(() => w.text().includes('Received 0.3 ETH on Base'), 'what arrived');
    expect([...asked]).to.have.members(['local', 'base']);
  });
});

it('a picture comes from the source of networks.json or from the contract, and from nowhere else', () => {
  const item = (imageUrl: string) =>
    ({ imageUrl, tokenId: '7', contract: { address: '0xaa' } }) as unknown as NonFungible;
  const source = 'https://service.example/pictures/';
  expect(pictureOf(item('https://tracker.example/7.png'), source, 'a/b')).to.equal(`${source}a%2Fb/0xaa/7`);
  expect(pictureOf(item('https://tracker.example/7.png'), undefined, 'main')).to.equal(undefined);
  expect(pictureOf(item('data:image/png;base64,AA=='), undefined, 'main')).to.equal(
    'data:image/png;base64,AA==',
  );
  expect(pictureOf(item('data:text/html,x'), undefined, 'main')).to.equal(undefined);
});
