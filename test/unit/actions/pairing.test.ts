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

describe('a wallet elsewhere (WalletConnect)', () => {
  let clock: TestClock;
  let context: Context;
  let ended: AbortController;
  /** For each code that was shown, the wallet's answer. */
  let proposals: { uri: string; approve: (session: Session) => void; reject: (error: unknown) => void }[];
  let unreachable: boolean;
  let disconnected: string[];
  let answered: (() => void)[];

  const session = (accounts: string[], name = 'Phone wallet'): Session => ({
    topic: 'a topic',
    namespaces: { eip155: { accounts, methods: ['personal_sign'], events: [] } },
    peer: { metadata: { name } },
  });

  async function init(options: Record<string, unknown>) {
    const sessions: Session[] = [];
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
      on() {},
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

  const networks = { ETHEREUM: [{ id: 'ethereum', chainId: 1, name: 'Ethereum' }], GOCHAIN: [] };
  function open(walletConnect?: ConnectOptions['walletConnect']): void {
    context = {
      host: {
        read: async (_: string, { secretType }: { secretType: 'ETHEREUM' }) => ({
          result: { networks: networks[secretType], customNodes: false },
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
  async function scan(): Promise<{ linking: Promise<unknown[]>; root: ShadowRoot }> {
    const linking = linkWallets(context, { secretTypes: ['ETHEREUM'] }, {});
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
    const linking = linkWallets(context, { secretTypes: ['BITCOIN'] }, {});
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
