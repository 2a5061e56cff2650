/** A frame with real parts except at its ends: the page that asks, the chain, and the guard's observer. */
import { fixture, html } from '@open-wc/testing';
import { setViewport } from '@web/test-runner-commands';
import type { Wallet } from '../../../src/api/wallet.ts';
import type { Chain } from '../../../src/chains/chain.ts';
import type { ChainRequest, Draft, Signed, Arrival, TransactionState } from '../../../src/chains/terms.ts';
import type { Summary } from '../../../src/chains/approval/summary.ts';
import type { Networks } from '../../../src/chains/network.ts';
import { worsened } from '../../../src/chains/contracts/trial-runs.ts';
import { loadPayloads } from '../../../src/chains/index.ts';
import type { Replaced } from '../../../src/channel/messages.ts';
import type { HostLink, HostRequest } from '../../../src/channel/link.ts';
import type { Action } from '../../../src/base/actions.ts';
import { ConnectError } from '../../../src/base/errors.ts';
import { serve } from '../../../src/frame/dispatch.ts';
import type { Frame } from '../../../src/frame/frame.ts';
import { SendingView } from '../../../src/frame/approve/outcome/sending-view.ts';
import { type ShellFrame, Stage } from '../../../src/frame/shell/stage.ts';
import type { Guard, GuardState } from '../../../src/frame/shell/guard.ts';
import { Replacements } from '../../../src/frame/shell/replacements.ts';
import { Turn } from '../../../src/frame/shell/turn.ts';
import type { Shell } from '../../../src/frame/shell/shell.ts';
import { withService } from '../../../src/wallets/service/with-service.ts';
import type { Vault } from '../../../src/wallets/types.ts';
import { poll } from '../../waiting.ts';
import { TestClock } from '../clock.ts';
import { frame as nextFrame } from '../turns.ts';
import { type FakeService, URL_OF_SERVICE } from '../wallets/service/fake-service.ts';
import { PIN, type Setup, setup } from '../wallets/setup.ts';
import { deepAll, named, type } from './scene.ts';

const payloads = await loadPayloads('ETHEREUM');

export const ORIGIN = 'https://shop.example';
export const RECIPIENT = '0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063';
export { PIN };

export const NETWORKS: Networks = {
  customNodes: false,
  reported: [],
  networks: [
    {
      id: 'local',
      secretType: 'ETHEREUM',
      name: 'Local Ethereum',
      kind: 'local',
      chainId: 31337,
      nodes: ['http://node.invalid'],
      explorer: 'https://explorer.example/tx/',
      tokens: [],
    },
  ],
};

const ETH = { decimals: 18, symbol: 'ETH' };
export const ether = (tenths: number) => ({ ...ETH, raw: BigInt(tenths) * 10n ** 17n });

interface TestDraft extends Draft {
  request: ChainRequest;
  nonce: number;
  maximum: bigint;
}

/** A chain with answers under the test's control. */
export class FakeChain {
  maximum = 420n * 10n ** 12n;
  nonce = 0;
  summary: Partial<Summary> = {};
  prepared = 0;
  signed: { request: ChainRequest; nonce: number }[] = [];
  /** The drafts that were signed, as passed in. */
  drafts: Draft[] = [];
  /** What its drafts have in place of the request's. */
  signs: object = {};
  /** Keys as passed in, to check that they are overwritten. */
  keys: Uint8Array[] = [];
  broadcasts: Signed[] = [];
  clock: TestClock | undefined;
  known = new Map<string, TransactionState>();
  /** How often a receipt was asked for. */
  receipts = 0;
  /** Of every transaction in a block; undefined: the node does not say. */
  confirmations: number | undefined;
  /** In every receipt. */
  arrivals: Arrival[] = [];
  /** Hashes of transactions that expired before a block took them. */
  expired = new Set<string>();
  failPrepare: Error | undefined;
  failBroadcast: Error | undefined;
  /** What it is sent is in a block at once; else it stays pending. */
  mines = true;
  signing: Awaited<ReturnType<NonNullable<Chain['describeSigning']>>> = {
    kind: 'text',
    text: 'Sign in',
    hex: '0x5369676e20696e',
  };

  describe(draft: TestDraft): Summary {
    return {
      kind: 'transfer',
      networkName: 'Local Ethereum',
      chainId: 31337,
      amount: ether(2),
      from: draft.from,
      to: RECIPIENT,
      fee: { expected: { ...ETH, raw: draft.maximum / 2n }, maximum: { ...ETH, raw: draft.maximum } },
      total: { ...ETH, raw: ether(2).raw + draft.maximum },
      balance: ether(12),
      nonce: draft.nonce,
      warnings: [],
      ...this.summary,
    };
  }

  readonly chain: Chain = fakeChain(this);
}

function fakeChain(fake: FakeChain): Chain {
  return {
    secretType: 'ETHEREUM',
    coin: ETH,
    gasCoin: ETH,
    slip44: 60,
    isAddress: (text: string) => /^0x[0-9a-f]{40}$/i.test(text),
    address: (key: Uint8Array) => `0x${hex(key.subarray(0, 20))}`,
    deriveKey: async (seed: Uint8Array, index: number) => seed.slice(index, index + 32),
    importKey: async (text: string) =>
      Uint8Array.from(text.replace(/^0x/, '').match(/../g)!, (b) => parseInt(b, 16)),
    exportKey: hex,
    node: (network: Networks['networks'][number]) => ({ network, host: 'node.invalid', rounds: 0 }),
    async prepare(
      request: ChainRequest,
      from: string,
      node: { network: TestDraft['network'] },
    ): Promise<TestDraft> {
      fake.prepared++;
      if (fake.failPrepare) throw fake.failPrepare;
      const { nonce, maximum, signs } = fake;
      const { to = null, data = '0x' } = request;
      const call = { to, value: 0n, data };
      return {
        secretType: 'ETHEREUM',
        network: node.network,
        from,
        request,
        nonce,
        maximum,
        ...call,
        ...signs,
      };
    },
    describe: (draft: TestDraft) => fake.describe(draft),
    async sign(draft: TestDraft, key: Uint8Array): Promise<Signed> {
      fake.keys.push(key);
      fake.signed.push({ request: draft.request, nonce: draft.nonce });
      fake.drafts.push(draft);
      const hash = `0x${String(fake.signed.length).padStart(64, '0')}`;
      return { raw: `0x02${hash.slice(2)}`, hash };
    },
    async broadcast(signed: Signed): Promise<string> {
      // The network takes a moment to know a transaction.
      await fake.clock?.pass(1);
      fake.broadcasts.push(signed);
      if (fake.failBroadcast) throw fake.failBroadcast;
      fake.known.set(signed.hash, fake.mines ? 'confirmed' : 'pending');
      fake.nonce++;
      return signed.hash;
    },
    worsened,
    status: async (hash: string) => fake.known.get(hash) ?? 'unknown',
    async receipt(hash: string) {
      fake.receipts++;
      if (fake.expired.has(hash)) return { state: 'failed', expired: true };
      return {
        state: fake.known.get(hash) ?? 'unknown',
        ...(fake.confirmations && { mined: { block: 100, confirmations: fake.confirmations } }),
        fee: 252_000n,
        arrivals: fake.arrivals,
      };
    },
    balance: async () => ({
      available: true,
      secretType: 'ETHEREUM',
      balance: 1.2,
      gasBalance: 1.2,
      symbol: 'ETH',
      gasSymbol: 'ETH',
      rawBalance: '1200000000000000000',
      rawGasBalance: '1200000000000000000',
      decimals: 18,
    }),
    tokenBalances: async (_address: string, tokens: { address: string; symbol: string }[]) =>
      tokens.map(({ address, symbol }) => ({
        tokenAddress: address,
        symbol,
        rawBalance: '812400000',
        balance: 812.4,
        decimals: 6,
        logo: '',
        type: 'ERC20',
        transferable: true,
      })),
    replace: async (draft: TestDraft, how: string) => ({
      ...draft,
      maximum: draft.maximum * 2n,
      request: { ...draft.request, how },
    }),
    describeSigning: async () => fake.signing,
    async signData(_request: unknown, key: Uint8Array) {
      fake.keys.push(key);
      fake.signed.push({ request: { type: 'sign', walletId: '' }, nonce: 0 });
      return { r: '0x01', s: '0x02', v: '0x1b', signature: '0x01021b' };
    },
  } as unknown as Chain;
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (b) => b.toString(16).padStart(2, '0')).join('');
}

/** One request of the page, and the answers it got. */
export class Asked {
  readonly progress: string[] = [];
  readonly abort = new AbortController();
  result: unknown;
  error: ConnectError | undefined;
  settled = false;
  readonly request: HostRequest;

  constructor(action: Action, params: unknown, id: string) {
    this.request = {
      id,
      action,
      params,
      signal: this.abort.signal,
      progress: (stage) => this.progress.push(stage),
      resolve: (result) => {
        if (!this.settled) this.result = result;
        this.settled = true;
      },
      reject: (error) => {
        if (!this.settled) this.error = error as ConnectError;
        this.settled = true;
      },
    };
  }
}

export interface World {
  frame: ShellFrame;
  shell: Shell;
  chain: FakeChain;
  vault: Vault;
  setup: Setup;
  clock: TestClock;
  link: HostLink & {
    closed: number;
    fronts: number;
    forsaken: number;
    windows: string[];
    sent: Wallet[][];
    networks: unknown[];
    replaced: Replaced[];
  };
  guard: { state: GuardState; allowed: boolean; change(state: GuardState): void };
  /** A wallet linked to the page, if the world has one. */
  wallet: Wallet;
  ask(action: Action, params?: unknown, id?: string): Asked;
  transfer(id?: string): Asked;
  /** The element with this accessible name, once it is there and enabled. */
  find<E extends HTMLElement>(name: string): Promise<E>;
  press(name: string): Promise<void>;
  pin(digits?: string, label?: string): Promise<void>;
  approve(pin?: string): Promise<void>;
  title(text: string): Promise<void>;
  /** Waits for an approval, whether its parts have been seen or not. */
  approval(): Promise<void>;
  /** Waits until everything that has to be seen was in view for long enough. */
  seen(): Promise<void>;
  /** Waits until the network has the transaction, and the wallet asks for its receipt. */
  confirming(): Promise<void>;
  /** Waits until the frame asks to be closed. */
  closed(): Promise<void>;
  text(): string;
}

let last = 0;

export function until<T>(find: () => T | undefined | null | false, what = ''): Promise<T> {
  return poll(() => find() || undefined, what || String(find));
}

/**
 * `wallets`: how many the vault has; the first is linked to the page. `chains` replace the fake one. `service`: the page provides its
 * access tokens.
 */
export async function world({
  wallets = 1,
  origin = ORIGIN,
  /** Undecided: the frame finds out by itself. */
  approvesHere = true as boolean | 'undecided',
  surface = 'popup' as 'popup' | 'iframe',
  theme = 'light' as 'light' | 'dark',
  networks = NETWORKS,
  chains = undefined as Frame['chain'] | undefined,
  service = undefined as FakeService | undefined,
  /** What the wallet remembers about this site, shared by successive documents. */
  remembered = undefined as Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> | undefined,
  /** By default no other window has it. */
  turn = new Turn(origin, null),
  /** What its window remembers. */
  ofWindow = undefined as Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> | undefined,
} = {}): Promise<World> {
  const chain = new FakeChain();
  const loadChain = chains ?? (async () => chain.chain);
  const made = await setup({ chain: loadChain });
  const { vault } = made;
  if (wallets) {
    const unlocked = await vault.create(PIN);
    for (let i = 0; i < wallets; i++) {
      const { id } = await vault.createWallet(unlocked, 'ETHEREUM');
      if (!i) await vault.link(origin, [id]);
    }
    unlocked.close();
    await vault.confirmBackup();
  }
  const box = await fixture<HTMLElement>(
    html`<div><cbf-shell .origin=${origin} .theme=${theme} .closable=${true}></cbf-shell></div>`,
  );
  // In view, whatever else the page has: an approval needs to be visible.
  await setViewport({ width: 400, height: 640 });
  box.style.cssText = 'position: fixed; inset: 0';
  const shell = box.querySelector('cbf-shell') as Shell;
  const guard = {
    clock: made.clock,
    state: 'clear' as GuardState,
    allowed: true,
    onChange: (() => {}) as (state: GuardState) => void,
    watch() {},
    restart() {},
    stop() {},
    allows: (_event: Event, ready = true) => ready && guard.allowed && guard.state === 'clear',
    change(state: GuardState) {
      guard.state = state;
      guard.onChange(state);
    },
  };
  const link: World['link'] = {
    origin,
    surface,
    mode: 'approve',
    locale: undefined,
    tokens: service !== undefined,
    accessToken: async (expired) => service!.accessToken(expired),
    unlinked: [],
    onRequest: () => {},
    onAck: () => {},
    onGone: () => {},
    onBack: () => {},
    sheet: false,
    onSheet: () => {},
    tellHeight: () => {},
    sendWallets(list, elsewhere) {
      link.sent.push(list);
      link.networks.push(elsewhere);
    },
    sendReplaced: (list) => void link.replaced.push(...list),
    openWindow: (id) => void link.windows.push(id),
    undelivered: false,
    front: () => void link.fronts++,
    forsake: () => void link.forsaken++,
    fronts: 0,
    forsaken: 0,
    close: () => void link.closed++,
    closed: 0,
    windows: [],
    sent: [],
    networks: [],
    replaced: [],
  };
  const clock = made.clock;
  chain.clock = clock;
  // The service's locks are measured by the page's own date.
  if (service) clock.setDate(Date.now());
  const stage = new Stage(shell, guard as unknown as Guard, link);
  const used = service
    ? await withService(vault, {
        url: URL_OF_SERVICE,
        origin,
        accessToken: (expired) => link.accessToken(expired),
        fetch: service.fetch,
        database: made.database,
        pauses: [],
      })
    : vault;
  const parts: ShellFrame = {
    link,
    networks,
    clock,
    stage,
    vault: async () => used,
    chain: loadChain,
    payloads: async () => payloads,
  };
  const isOwn = origin === location.origin;
  const frame = isOwn ? (await import('../../../src/frame/own/own-page.ts')).adopting(parts) : parts;
  const storage = new Map<string, string>();
  const replacements = new Replacements({
    origin,
    clock,
    storage: remembered ?? {
      getItem: (key) => storage.get(key) ?? null,
      setItem: (key, text) => void storage.set(key, text),
      removeItem: (key) => void storage.delete(key),
    },
    window: ofWindow,
  });
  shell.addEventListener('cbf-pin-input', () => replacements.renew());
  serve(frame, turn, replacements, approvesHere === 'undecided' ? undefined : approvesHere);

  const root = (): Element => shell;
  const there = <E extends HTMLElement>(name: string): E | undefined => {
    try {
      return named<E>(root(), name);
    } catch {
      return undefined;
    }
  };
  /** The reason why Approve is disabled. */
  const reason = (): string | undefined => deepAll(root(), '#why')[0]?.textContent ?? undefined;
  const enabled = <E extends HTMLElement>(name: string): E | undefined => {
    const found = there<E>(name);
    const off =
      (found as unknown as HTMLButtonElement)?.disabled || found?.getAttribute('aria-disabled') === 'true';
    return off ? undefined : found;
  };
  const self: World = {
    frame,
    shell,
    chain,
    vault,
    setup: made,
    clock,
    link,
    guard,
    wallet: (await vault.wallets())[0]!,
    ask(action, params, id = `request-${++last}`) {
      const asked = new Asked(action, params ?? {}, id);
      link.onRequest(asked.request);
      return asked;
    },
    transfer(id) {
      return self.ask(
        'transfer',
        { walletId: self.wallet.id, secretType: 'ETHEREUM', to: RECIPIENT, value: '0.2' },
        id,
      );
    },
    async find(name) {
      if (name === 'Approve') await self.seen();
      return until(() => enabled(name), name);
    },
    async press(name) {
      (await self.find(name)).click();
    },
    async pin(digits = PIN, label = 'PIN') {
      type(await self.find<HTMLInputElement>(label), digits);
    },
    async seen() {
      const button = (): unknown => there('Approve') ?? there('Approve with passkey');
      await until(() => button() && reason() !== 'Checking balance and fee', 'the figures');
      const waits = (): boolean => /^(Just arrived|See |Read )/.test(reason() ?? '');
      // What is in view is known with the next frame, so these are steps and not time.
      for (let look = 0; waits() && look < 100; look++) {
        await clock.pass(300);
        // Scroll on like a reader to what is not in view.
        deepAll<HTMLElement>(root(), '.pill')[0]?.click();
        await nextFrame();
      }
    },
    async approval() {
      await until(() => there('Approve') ?? there('Approve with passkey'), 'something to approve');
    },
    async approve(pin = PIN) {
      await self.pin(pin);
      await self.press('Approve');
    },
    async title(text) {
      await until(
        () => deepAll(root(), 'h1').some((h1) => h1.textContent?.replace(/\s+/g, ' ').trim() === text),
        text,
      );
    },
    async confirming() {
      await until(() => {
        const view = frame.stage.screen?.view;
        return view instanceof SendingView && view.stage === 'confirming';
      }, 'the network to have it');
    },
    async closed() {
      const look = async (): Promise<boolean> => {
        if (!link.closed) await clock.pass(100);
        return link.closed > 0;
      };
      await poll(look, 'the frame to ask to be closed');
    },
    // Isolates are not seen.
    text: () =>
      words(root())
        .replace(/[\u2068\u2069]/g, '')
        .replace(/\s+/g, ' '),
  };
  return self;
}

/** All text on screen, through shadow roots. */
function words(node: Node): string {
  if (node.nodeType === Node.TEXT_NODE) return node.textContent ?? '';
  const children = [...((node as Element).shadowRoot?.childNodes ?? []), ...node.childNodes];
  const inside = children.map(words).join('');
  return node instanceof HTMLElement && getComputedStyle(node).display !== 'inline' ? ` ${inside} ` : inside;
}

export const settled = (asked: Asked): Promise<boolean> => until(() => asked.settled, 'an answer');

export const unreachable = (): ConnectError => new ConnectError('node.unreachable', 'No node answers.');
