/** The page's dialog for a wallet elsewhere. The client is a fake; the real one is in test/conformance/external-walletconnect.rest.test.ts. */
import { expect } from '@open-wc/testing';
import decodeQR from 'qr/decode.js';
import type { Context } from '../../../src/actions/context.ts';
import { resumeExternal } from '../../../src/actions/link-external.ts';
import { linkWallets, unlink } from '../../../src/actions/linked-wallets.ts';
import type { ConnectOptions } from '../../../src/actions/types.ts';
import { hostRecord } from '../../../src/channel/host-record.ts';
import type { Session } from '../../../src/external/walletconnect-client.ts';
import { TestClock } from '../clock.ts';
import { failure, until } from './page.ts';

const FRAME = 'https://pairing.example';
const PROJECT = '0123456789abcdef0123456789abcdef';
const ADDRESS = '0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063';
const OTHER = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F';
const TRON = 'THTR75o8xXAgCTQqpiot2AFRAjvW1tSbVV';
const TRON_GENESIS = '00000000000000001ebf88508a03865c71d452e25f4d51194196a1d22b6653dc';

describe('a wallet elsewhere (WalletConnect)', () => {
  let clock: TestClock;
  let context: Context;
  let ended: AbortController;
  /** For each code that was shown, the wallet's answer. */
  let proposals: { uri: string; approve: (session: Session) => void; reject: (error: unknown) => void }[];
  let unreachable: boolean;
  let disconnected: string[];
  let answered: (() => void)[];
  /** The client's listeners of the last session. */
  let heard: Map<string, (event: unknown) => void>;

  const session = (accounts: string[], name = 'Phone wallet'): Session => ({
    topic: 'a topic',
    namespaces: { eip155: { accounts, methods: ['personal_sign'], events: [] } },
    peer: { metadata: { name } },
  });

  async function init(options: Record<string, unknown>) {
    const sessions: Session[] = [];
    heard = new Map();
    const own = heard;
    expect(options).to.deep.include({ projectId: PROJECT, telemetryEnabled: false, logger: 'silent' });
    return {
      async connect() {
        if (unreachable) return new Promise(() => {});
        const uri = `wc:${String(proposals.length).repeat(64)}@2?expiryTimestamp=${clock.date() / 1000 + 300}&symKey=${'f'.repeat(64)}`;
        const approval = new Promise<Session>((resolve, reject) =>
          proposals.push({ uri, approve: resolve, reject }),
        );
        return { uri, approval: async () => (sessions.push(await approval), approval) };
      },
      async disconnect({ topic }: { topic: string }) {
        disconnected.push(topic);
        sessions.length = 0;
      },
      session: { getAll: () => sessions },
      on: (event: string, listener: (event: unknown) => void) => own.set(event, listener),
      core: {
        relayer: {
          on: (event: string, listener: () => void) => event === 'relayer_message' && answered.push(listener),
          publish: async () => {},
          transportClose: async () => {},
        },
        heartbeat: { stop() {} },
        verify: {},
      },
    };
  }

  const networks: Record<string, object[]> = {
    ETHEREUM: [
      { id: 'ethereum', chainId: 1, name: 'Ethereum', kind: 'mainnet' },
      { id: 'optimism', chainId: 10, name: 'Optimism', kind: 'mainnet' },
      { id: 'sepolia', chainId: 11155111, name: 'Sepolia', kind: 'testnet' },
    ],
    TRON: [{ id: 'tron', genesis: TRON_GENESIS, name: 'Tron', kind: 'mainnet' }],
  };
  function open(walletConnect?: ConnectOptions['walletConnect']): void {
    context = {
      host: {
        read: async (_: string, { secretType }: { secretType: 'ETHEREUM' }) => ({
          result: { networks: networks[secretType] ?? [], customNodes: false },
        }),
      },
      record: hostRecord(FRAME, clock),
      payloads: new Map(),
      clock,
      url: new URL(`${FRAME}/frame/`),
      options: { theme: 'light', walletConnect },
      ended,
    } as unknown as Context;
  }

  beforeEach(() => {
    localStorage.clear();
    clock = new TestClock();
    ended = new AbortController();
    [proposals, disconnected, answered, unreachable] = [[], [], [], false];
    open({ projectId: PROJECT, client: async () => ({ SignClient: { init } }) });
  });
  afterEach(() => {
    ended.abort();
    context.record.destroy();
    localStorage.clear();
    expect(document.querySelectorAll('body > div')).to.have.length(0);
  });

  const chooser = () => until(() => document.body.querySelector(':scope > div:last-of-type')?.shadowRoot);
  const button = async (label: string) => {
    const root = await chooser();
    return until(() =>
      [...root.querySelectorAll<HTMLButtonElement>('button:not([hidden])')].find(
        (it) => (it.ariaLabel ?? it.textContent) === label,
      ),
    );
  };
  const press = async (label: string) => (await button(label)).click();
  const said = async (words: string) => {
    const root = await chooser();
    await until(() => root.querySelector('.live')?.textContent === words);
  };
  async function scan(
    wish: object = { secretTypes: ['ETHEREUM'] },
  ): Promise<{ linking: Promise<unknown[]>; root: ShadowRoot }> {
    const linking = linkWallets(context, wish, {});
    await press('WalletConnect');
    await said('Waiting for your wallet');
    return { linking, root: await chooser() };
  }

  it('is offered only with a project id, in the options or on the script tag', async () => {
    const offers = async () => {
      const linking = linkWallets(context, {}, {});
      const text = (await chooser()).textContent!;
      await press('Close');
      await linking;
      return text.includes('WalletConnect');
    };
    expect(await offers()).to.equal(true);
    open();
    expect(await offers()).to.equal(false);
    const script = document.createElement('script');
    script.dataset['walletConnect'] = PROJECT;
    document.head.append(script);
    expect(await offers()).to.equal(true);
    script.remove();
    const linking = linkWallets(context, { secretTypes: ['LITECOIN'] }, {});
    expect((await chooser()).textContent).not.to.include('WalletConnect');
    await press('Close');
    await linking;
  });

  it('shows a code with its address, and links what the wallet approves, under that wallet’s name', async () => {
    const { linking, root } = await scan();
    const [{ uri, approve }] = proposals as [(typeof proposals)[0]];
    const drawing = root.querySelector('svg.qr')!;
    expect(drawing.ariaLabel).to.equal('Code for your wallet app');
    expect(await read(drawing)).to.equal(uri);
    expect(getComputedStyle(root.querySelector('a')!).display).to.equal('none');
    answered[0]!();
    await said('Your wallet has answered');
    expect(root.querySelector('svg.qr')).to.equal(null);
    approve(session([`eip155:1:${ADDRESS.toLowerCase()}`]));
    const [wallet] = (await linking) as Record<string, unknown>[];
    expect(wallet).to.deep.include({
      address: ADDRESS,
      secretType: 'ETHEREUM',
      network: 'ethereum',
      alias: 'Phone wallet',
      walletType: 'EXTERNAL',
    });

    await unlink(context, wallet!['id'] as string, {});
    await until(() => disconnected.length);
    expect(disconnected).to.deep.equal(['a topic']);
    expect(localStorage.getItem(`carabiner:walletconnect:${FRAME}`)).to.equal(null);
  });

  it('opens an app on the phone itself, within the tap, and again with each request', async () => {
    const { matchMedia } = window;
    window.matchMedia = (query) => ({ ...matchMedia(query), matches: query.includes('coarse') });
    const stored = () =>
      (
        JSON.parse(localStorage.getItem(`carabiner:walletconnect:${FRAME}`)!) as {
          entries: Record<string, unknown>;
        }
      ).entries['WALLETCONNECT_DEEPLINK_CHOICE'];
    const open = async (name: string, answer: Session) => {
      const { linking, root } = await scan();
      const links = [...root.querySelectorAll<HTMLAnchorElement>('a:not([hidden])')];
      const link = links.find(({ textContent }) => textContent === name);
      link?.addEventListener('click', (event) => event.preventDefault());
      link?.click();
      const { uri, approve } = proposals.at(-1)!;
      approve(answer);
      await linking;
      return { links, link, uri };
    };
    try {
      const { links, link, uri } = await open('MetaMask', session([`eip155:1:${ADDRESS}`]));
      expect(links.map(({ textContent }) => textContent)).to.deep.equal([
        'Open a wallet app',
        'MetaMask',
        'Trust Wallet',
        'OKX Wallet',
        'TokenPocket',
      ]);
      expect(links[0]!.href).to.equal(uri);
      expect([link!.href, link!.target]).to.deep.equal([
        `https://metamask.app.link/wc?uri=${encodeURIComponent(uri)}`,
        '_blank',
      ]);
      expect(stored()).to.deep.equal({ href: 'https://metamask.app.link' });
      const named = session([`eip155:1:${ADDRESS}`]);
      const says = (redirect: object) => ({ ...named, peer: { metadata: { name: 'Phone', redirect } } });
      await open('Open a wallet app', says({ universal: 'javascript://%0aalert(1)', native: 'phone://' }));
      expect(stored()).to.deep.equal({ href: 'phone://' });
      // The code was scanned by another device.
      await open('nothing', says({ native: 'phone://' }));
      expect(stored()).to.equal(undefined);
    } finally {
      window.matchMedia = matchMedia;
    }
  });

  it('follows the chain and the accounts of its user, each chain by itself', async () => {
    const accounts = [1, 10, 11155111].map((id) => `eip155:${id}:${ADDRESS}`);
    const both = (own: string[]): Session => ({
      ...session([...own, ...own.map((each) => each.replace(ADDRESS, OTHER))]),
      namespaces: {
        eip155: { accounts: own, methods: [], events: [] },
        tron: { accounts: [`tron:0x2b6653dc:${TRON}`], methods: [], events: [] },
      },
    });
    const { linking } = await scan({ secretTypes: ['ETHEREUM', 'TRON'] });
    const first = both(accounts);
    proposals[0]!.approve(first);
    await linking;
    const shown = () => context.record.wallets().map(({ address, network }) => `${network} ${address}`);
    expect(shown()).to.have.members([`ethereum ${ADDRESS}`, `tron ${TRON}`]);
    let told = 0;
    context.record.onWallets(() => told++);
    const tell = (name: string, data: unknown, chainId: string) =>
      heard.get('session_event')!({ topic: 'a topic', params: { event: { name, data }, chainId } });
    tell('chainChanged', 10, 'eip155:10');
    await until(() => shown().includes(`optimism ${ADDRESS}`));
    expect(told).to.equal(1);
    // Never between real and test coins.
    tell('chainChanged', '0xaa36a7', 'eip155:11155111');
    tell('chainChanged', '0x1', 'eip155:1');
    await until(() => shown().includes(`ethereum ${ADDRESS}`));
    expect(told).to.equal(2);

    first.namespaces['eip155']!.accounts = [`eip155:1:${OTHER}`];
    heard.get('session_update')!({});
    await until(() => shown().includes(`ethereum ${OTHER}`));
    expect(shown()).to.have.members([`ethereum ${OTHER}`, `tron ${TRON}`]);
    first.namespaces['tron']!.accounts = [];
    heard.get('session_update')!({});
    await until(() => shown().length === 1);
    expect(shown()).to.deep.equal([`ethereum ${OTHER}`]);
  });

  it('stays on the network that the page wanted', async () => {
    const { linking } = await scan({ secretTypes: ['ETHEREUM'], network: 'ethereum' });
    const on = (address: string) => [1, 10].map((id) => `eip155:${id}:${address}`);
    const approved = session([...on(ADDRESS), ...on(OTHER)]);
    proposals[0]!.approve(approved);
    await linking;
    const tell = (name: string, data: unknown) =>
      heard.get('session_event')!({ params: { event: { name, data }, chainId: 'eip155:10' } });
    tell('chainChanged', 10);
    // What is told later is done later.
    tell('accountsChanged', [OTHER]);
    await until(() => context.record.wallets().length === 1);
    approved.namespaces['eip155']!.accounts = on(ADDRESS);
    heard.get('session_update')!({});
    await until(() => context.record.wallets()[0]!.address === ADDRESS);
    expect(context.record.wallets()[0]!.network).to.equal('ethereum');
  });

  it('stays in reach of the connect that offers it, when another one of the page does not', async () => {
    const { linking } = await scan();
    proposals[0]!.approve(session([`eip155:1:${ADDRESS}`]));
    await linking;
    const offering = context;
    open();
    const looking = resumeExternal(context);
    await until(() => clock.waiting > 0);
    await clock.pass(1000);
    await looking;
    const statuses = () => [offering, context].map(({ record }) => record.wallets()[0]!.status);
    expect(statuses()).to.deep.equal(['ACTIVE', 'UNAVAILABLE']);
    context.record.destroy();

    // The next load of the page, before anything was looked for.
    open({ projectId: PROJECT, client: async () => ({ SignClient: { init } }) });
    expect(statuses()).to.deep.equal(['ACTIVE', 'ACTIVE']);
    offering.record.destroy();
  });

  it('makes a new code after one expired or was rejected, and ignores answers to the old one', async () => {
    const { linking, root } = await scan();
    await clock.pass(300_000);
    await said('This code has expired.');
    expect(root.querySelector('svg.qr')).to.equal(null);
    proposals[0]!.approve(session([`eip155:1:${ADDRESS}`]));
    await press('New code');
    await until(() => proposals.length === 2);
    await said('Waiting for your wallet');
    proposals[1]!.reject({ code: 5000, message: 'User rejected.' });
    await said('Nothing was linked there.');
    await press('New code');
    await until(() => proposals.length === 3);
    proposals[2]!.approve(session([`eip155:5:${ADDRESS}`]));
    await said('Your wallet offered no network that this site uses.');
    await press('Back');
    await press('Close');
    expect(await linking).to.deep.equal([]);
    expect(context.record.wallets()).to.deep.equal([]);
  });

  it('says if its relay cannot be reached', async () => {
    unreachable = true;
    const linking = linkWallets(context, {}, {});
    await press('WalletConnect');
    await said('Preparing the code');
    expect((await button('Copy')).disabled).to.equal(true);
    await until(() => clock.waiting > 0);
    await clock.pass(20_000);
    await said('WalletConnect cannot be reached now. Try again in a moment.');
    await press('Close');
    await linking;
  });

  it('copies its address, or shows it if the browser denies the clipboard', async () => {
    const { linking, root } = await scan();
    const { uri } = proposals[0]!;
    const texts: string[] = [];
    let denied = false;
    const clipboard = Object.getOwnPropertyDescriptor(Navigator.prototype, 'clipboard')!;
    const writeText = async (text: string) => {
      if (denied) throw new Error('denied');
      texts.push(text);
    };
    Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText } });
    try {
      await press('Copy');
      await button('Copied');
      await clock.pass(2000);
      expect(texts).to.deep.equal([uri]);
      denied = true;
      await press('Copy');
      await until(() => root.querySelector('.uri:not([hidden])')?.textContent === uri);
    } finally {
      Object.defineProperty(Navigator.prototype, 'clipboard', clipboard);
      Reflect.deleteProperty(navigator, 'clipboard');
    }
    await press('Close');
    await linking;
  });

  it('says what is wrong if the page has no client', async () => {
    open({ projectId: PROJECT, client: async () => ({}) });
    const linking = linkWallets(context, {}, {});
    await press('WalletConnect');
    await said('This wallet cannot be linked here.');
    await press('Close');
    await linking;
    const { loadOthers } = await import('../../../src/actions/linked-wallets.ts');
    const [found] = (await loadOthers(context)).othersFor(context, {});
    const wallet = await found!.open({ clock, linked: () => [], rpc: (it) => context.host.read('rpc', it) });
    const pairing = { show() {}, answered() {}, signal: ended.signal };
    const error = await failure(wallet.link({ secretTypes: ['ETHEREUM'] }, pairing));
    expect(error.details['issues']).to.have.nested.property('0.path', 'walletConnect.client');
  });
});

/** As a camera does. */
async function read(drawing: Element): Promise<string> {
  const [, , size] = drawing.getAttribute('viewBox')!.split(' ').map(Number) as [0, 0, number, number];
  const scale = 8;
  const canvas = new OffscreenCanvas(size * scale, size * scale);
  const paint = canvas.getContext('2d')!;
  paint.fillStyle = '#fff';
  paint.fillRect(0, 0, canvas.width, canvas.height);
  paint.scale(scale, scale);
  paint.fillStyle = '#000';
  paint.fill(new Path2D(drawing.querySelector('path')!.getAttribute('d')!));
  return decodeQR(paint.getImageData(0, 0, canvas.width, canvas.height));
}
