/**
 * One browser, a local Ethereum and any other chains a test needs, the built frame, and pages on several origins. Tests find controls only
 * by their accessible names.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { JsonRpcProvider, type TransactionReceipt } from 'ethers';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type ElementHandle,
  type Frame,
  type FrameLocator,
  type Locator,
  type Page,
} from 'playwright-core';
import { type LocalEthereum, startEthereum } from '../../demo/networks/ethereum.ts';
import type { RunningThorchain } from '../../demo/networks/thorchain/index.ts';
import { demoNetworks } from '../../demo/networks/networks.ts';
import type { LocalNetwork } from '../../demo/networks/local-network.ts';
import { closeAll, startNetworks } from '../../demo/networks/start-networks.ts';
import { type Call, type NodeProxy, type Reply, startNodeProxy } from '../../demo/networks/node-proxy.ts';
import { startFrameServer } from '../../service/frame-server.ts';
import type { Wallet } from '../../src/api/wallet.ts';
import type { Connect } from '../../src/actions/types.ts';
import { parseUnits } from '../../src/base/amount.ts';
import type { Network, Networks } from '../../src/chains/network.ts';
import type { SecretType } from '../../src/chains/secret-type.ts';
import { DEADLINE_MS, pause, poll, within } from '../waiting.ts';
import { type Hosts, startHosts } from './hosts.ts';
import { patient, patientHere } from './patience.ts';
import { browserKind, launchOptions, place, seedScript, sharedAnvil } from './places.ts';
import type { Seed } from './seed.ts';
import { EVERY_VARIANT } from './variants.ts';

export const PIN = '739154';
/** Two-digit expiry year of a valid card. */
export const CARD_YEAR = String(new Date().getFullYear() + 3).slice(-2);
patientHere();

const DIST = resolve(import.meta.dirname, '../../dist');
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

type Where = 'iframe' | 'popup';

/** Where tests run of what dialog and window share: in one of them; in both by `npm run test:long hostile variants`. */
export function surfaces(one: Where): readonly Where[] {
  return EVERY_VARIANT ? ['iframe', 'popup'] : [one];
}

export interface Held {
  raw: string;
  release(): void;
  /** Cuts this connection and the browser's retries, until `release`. */
  drop(): void;
}

/** A node whose answers and failures a test controls. */
export interface TestNode extends Pick<NodeProxy, 'url' | 'requests'> {
  down: boolean;
  /** False answers, by method. */
  lies: Map<string, (call: Call, truth: unknown) => unknown>;
  /** Resolves when the next raw transaction arrives; it is forwarded to the chain on `release`. */
  hold(): Promise<Held>;
  /** Raw transactions received, released or not. */
  sent(): string[];
  close(): Promise<void>;
}

export async function startTestNode(target: string): Promise<TestNode> {
  const lies: TestNode['lies'] = new Map();
  let onHold: ((held: Held) => void) | undefined;
  const dropped = new Set<string>();
  const proxy = await startNodeProxy({
    target,
    port: 0,
    before: (calls) => {
      const call = calls.find(({ method }) => method === 'eth_sendRawTransaction');
      const raw = String(call?.params?.[0]);
      if (dropped.has(raw)) throw new Error('dropped');
      const tell = onHold;
      if (!call || !tell) return;
      onHold = undefined;
      return new Promise((forward, cut) =>
        tell({
          raw,
          release() {
            dropped.delete(raw);
            forward();
          },
          drop() {
            dropped.add(raw);
            cut(new Error('dropped'));
          },
        }),
      );
    },
    alter: (call, reply): Reply => {
      const lie = lies.get(call.method);
      return lie ? { id: reply.id, result: lie(call, reply.result) } : reply;
    },
  });
  return Object.assign(proxy, {
    lies,
    hold: () => within(new Promise<Held>((held) => (onHold = held)), 'a signed transaction at the node'),
    sent: () =>
      proxy.requests
        .flat()
        .filter(({ method }) => method === 'eth_sendRawTransaction')
        .map(({ params }) => String(params?.[0])),
  });
}

/** The browser of this process's place, or a new one. Closing a shared one ends only this connection and its profiles. */
export async function launch(): Promise<Browser> {
  const browser = (await place())?.browser;
  return browser
    ? chromium.connect(browser, { timeout: DEADLINE_MS })
    : chromium.launch(launchOptions(browserKind()));
}

/** A separate browser with a persistent profile. */
export async function launchProfile(folder: string): Promise<BrowserContext> {
  const context = await chromium.launchPersistentContext(folder, {
    ...launchOptions('whole'),
    viewport: { width: 1000, height: 800 },
  });
  return settled(context);
}

/** The browser's main process: it has this profile, and no `--type`, unlike its child processes. */
function processOf(profile: string): number {
  for (const name of readdirSync('/proc'))
    if (/^\d+$/.test(name))
      try {
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0');
        if (
          command.includes(`--user-data-dir=${profile}`) &&
          !command.some((part) => part.startsWith('--type='))
        )
          return Number(name);
      } catch {
        // The process has exited in the meantime.
      }
  throw new Error('The browser process was not found.');
}

/** Ends it at once (SIGKILL), whatever it has not written yet. */
export async function killBrowser(context: BrowserContext, profile: string): Promise<void> {
  const gone = new Promise((resolve) => context.once('close', resolve));
  process.kill(processOf(profile), 'SIGKILL');
  await within(gone, 'the end of the browser');
}

export interface ProfileOptions extends BrowserContextOptions {
  /** The product's own limits end what takes too long: for tests of these limits. */
  impatient?: boolean;
}

/** A new browser profile. Nothing moves in it: colours in mid-transition are not the design's. */
export async function newProfile(
  browser: Browser,
  { impatient, ...options }: ProfileOptions = {},
): Promise<BrowserContext> {
  const context = await browser.newContext({ locale: 'en-US', reducedMotion: 'reduce', ...options });
  return settled(context, impatient);
}

async function settled(context: BrowserContext, impatient = false): Promise<BrowserContext> {
  context.setDefaultTimeout(DEADLINE_MS);
  context.setDefaultNavigationTimeout(DEADLINE_MS);
  if (!impatient) await patient(context);
  return context;
}

export interface World {
  browser: Browser;
  ethereum: LocalEthereum;
  /** The chain itself, bypassing every proxy. */
  chain: JsonRpcProvider;
  node: TestNode;
  /** The running local networks, by chain. */
  local: { [S in SecretType]?: LocalNetwork };
  /** Where it was asked for. */
  thorchain: RunningThorchain | undefined;
  /** Base URL of the frame's origin. */
  frame: string;
  hosts: Hosts;
  /** Waits for the receipt of a transaction that is mined or about to be. */
  receipt(hash: string): Promise<TransactionReceipt>;
  /** Allows pages of `origin` to embed the wallet, too. */
  embedOn(origin: string): void;
  /** Allows pages of `origin` to ask by redirect. */
  redirectOn(origin: string): void;
  /** Makes the wallet trust orders signed by this service, or by none. */
  vouchedBy(service: string | undefined): void;
  /** A page in a fresh browser profile. */
  visit(where: 'iframe' | 'popup', path?: string, options?: VisitOptions): Promise<Visitor>;
  close(): Promise<void>;
}

export interface VisitOptions extends ProfileOptions {
  /** Called with the URL of every request, from the first page on. */
  onRequest?: (url: string) => void;
}

export interface WorldOptions {
  /** Blocks that a transaction of Ethereum needs: 1, unless given. */
  confirmations?: number;
  /** A registrable domain: the frame, and the pages that are same-site with it, are on its subdomains. */
  site?: string;
  /** Chains besides Ethereum. Those that cannot run here are skipped. */
  chains?: readonly SecretType[];
  /** Exchanges with pools on Ethereum. */
  exchanges?: boolean;
  /** The demo's THORChain between the local networks, with a block each second. */
  thorchain?: boolean;
  /** `fiat` of `networks.json`. */
  fiat?: unknown;
  /** Further networks, after the local ones. */
  networks?: readonly Network[];
}

export async function openWorld({
  site,
  chains = [],
  exchanges,
  thorchain: hasThorchain,
  fiat,
  confirmations,
  networks: further = [],
}: WorldOptions = {}): Promise<World> {
  const [ethereum, others] = await within(
    Promise.all([
      startEthereum({ port: 0, anvil: await sharedAnvil() }),
      startNetworks({ ports: {}, chains, onAnswer: () => {}, onMissing: () => {} }),
    ]),
    'the local networks',
  );
  if (exchanges) await (await import('../../demo/networks/exchanges/index.ts')).addExchanges(ethereum);
  const front = hasThorchain
    ? await (await import('../../demo/networks/thorchain/index.ts')).startThorchain({
        networks: [ethereum, ...others],
        port: 0,
        every: 1000,
      })
    : undefined;
  const node = await startTestNode(ethereum.node.url);
  const all = [
    { ...ethereum.network, nodes: [node.url], ...(confirmations && { confirmations }) },
    ...others.map(({ network }) => network),
    ...further,
  ];
  let networks: Networks = {
    ...demoNetworks(...all),
    ...(site && { site }),
    ...(fiat !== undefined && { fiat }),
    ...(front && { crossChain: [front.entry] }),
  };
  const server = await startFrameServer({ dist: DIST, networks: () => networks, port: 0 });
  const frame = site ? server.url.replace('localhost', `wallet.${site}`) : server.url;
  const hosts = await startHosts(frame, site && `www.${site}`);
  networks = { ...networks, embed: [hosts.sameSite] };
  const browser = await launch();
  const chain = new JsonRpcProvider(ethereum.node.url, undefined, { cacheTimeout: -1, batchMaxCount: 1 });
  const world: World = {
    browser,
    ethereum,
    chain,
    node,
    local: Object.fromEntries([ethereum, ...others].map((each) => [each.network.secretType, each])),
    thorchain: await front?.running(),
    frame,
    hosts,
    // ethers' own wait checks only when a block arrives, and the next block comes with the next transaction.
    receipt: (hash) =>
      poll(async () => (await chain.getTransactionReceipt(hash)) ?? undefined, `the receipt of ${hash}`),
    embedOn(origin) {
      networks = { ...networks, embed: [...(networks.embed ?? []), origin] };
    },
    redirectOn(origin) {
      networks = { ...networks, redirects: [...(networks.redirects ?? []), origin] };
    },
    vouchedBy(service) {
      const { service: _, ...others } = networks;
      networks = service === undefined ? others : { ...others, service };
    },
    async visit(where, path = '/', { onRequest, ...options } = {}) {
      const context = await newProfile(browser, { viewport: { width: 1000, height: 800 }, ...options });
      // With a listener, Playwright reports every request of every page.
      if (onRequest) context.on('request', (request) => onRequest(request.url()));
      const visitor = new Visitor(world, context, await context.newPage(), where);
      await visitor.open(path);
      return visitor;
    },
    async close() {
      chain.destroy();
      const rest = { close: () => closeAll(others) };
      const parts = { browser, hosts, server, ...(front && { front }), node, ethereum, rest };
      for (const [name, part] of Object.entries(parts)) await within(part.close(), `the end of: ${name}`);
    },
  };
  return world;
}

/** Ends the minute for which the wallet remembers a withdrawn request, or one for which digits of a PIN were typed. */
export async function passMinute(page: Page, frame: string): Promise<void> {
  const inside = await insider(page.context(), frame);
  await forget(inside);
  await within(inside.close(), 'the end of a window');
  // Chromium renders a background page once every two seconds, and every click waits for that.
  await page.bringToFront();
}

/** A page of the frame's origin, without scripts. */
async function insider(context: BrowserContext, frame: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${frame}/networks.json`);
  return page;
}

/** The number of wallets that ask something: one at most has the turn. */
function showing(insider: Page): Promise<number> {
  return evaluateIn(insider)(async () => {
    const { held = [] } = await navigator.locks.query();
    return held.filter(({ name }) => name === 'carabiner:turn').length;
  });
}

async function forget(insider: Page): Promise<void> {
  await evaluateIn(insider)(async () => {
    // What a closing wallet has written may still be on its way here: each question takes the same way and back.
    for (let looks = 0; looks < 3; looks++) {
      await navigator.locks.query();
      for (const key of Object.keys(localStorage))
        if (key === 'carabiner:asked') localStorage.removeItem(key);
    }
  });
}

/** Waits until the page knows whether it may embed the wallet: an earlier click would open a window. */
export async function knowsPlace(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    performance
      .getEntriesByType('resource')
      .some(
        (entry) => entry.name.endsWith('/embed.json') && (entry as PerformanceResourceTiming).responseEnd > 0,
      ),
  );
}

export interface Answer<T> {
  value?: T;
  error?: {
    code: string;
    message: string;
    details: Record<string, unknown>;
    issues?: { path: string; message: string }[];
  };
}

export interface HostEvent {
  type: string;
  action: string;
  stage?: string;
  result?: unknown;
  code?: string;
  on: string;
}

/** Opens the wallet in the page's window, or in a new one if the page no longer has one. */
export async function openingIn(
  page: Page,
  last: () => Page | undefined,
  act: () => Promise<unknown>,
): Promise<WalletView> {
  const before = last();
  if (!before) {
    const [popup] = await Promise.all([page.waitForEvent('popup'), act()]);
    return new WalletView(popup);
  }
  await act();
  return poll(async () => {
    const popup = last();
    if (!popup) return undefined;
    const view = new WalletView(popup);
    return popup !== before || !(await view.rests()) ? view : undefined;
  }, 'the request in a window');
}

/** A user with their own browser profile, on a page. */
export class Visitor {
  /** Policy violations and uncaught errors of any page or frame. */
  readonly complaints: string[] = [];
  #insider: Page | undefined;
  #window: Page | undefined;

  constructor(
    readonly world: World,
    readonly context: BrowserContext,
    readonly page: Page,
    readonly where: 'iframe' | 'popup',
  ) {
    context.on('console', (message) => {
      const text = message.text();
      if (/Content.Security.Policy|Trusted/i.test(text)) this.complaints.push(text);
    });
    page.on('popup', (popup) => (this.#window = popup));
    context.on('weberror', (thrown) => this.complaints.push(String(thrown.error().stack)));
  }

  /** The same user in another tab. */
  async another(where: 'iframe' | 'popup', path = '/'): Promise<Visitor> {
    const visitor = new Visitor(this.world, this.context, await this.context.newPage(), where);
    await visitor.open(path);
    return visitor;
  }

  get evaluate(): Page['evaluate'] {
    return evaluateIn(this.page);
  }

  get origin(): string {
    return this.where === 'iframe' ? this.world.hosts.sameSite : this.world.hosts.crossSite;
  }

  async open(path = '/'): Promise<void> {
    // Chromium draws a page behind another once every two seconds, which the wallet takes for something that covers it.
    await this.page.bringToFront();
    await this.page.goto(this.origin + path);
    await this.ready();
  }

  async ready(): Promise<void> {
    await this.page.waitForFunction(() => window.hostReady);
    // `<manage-wallets>` moves its button when its view is loaded.
    const wallet = this.page.locator('manage-wallets').getByRole('listitem');
    if (await this.page.locator('manage-wallets').count())
      await this.page
        .getByText(/^No \w+ wallet yet$/)
        .or(wallet)
        .first()
        .waitFor();
  }

  async reload(): Promise<void> {
    await this.page.reload();
    await this.ready();
  }

  /** The page with the existing wallets, as if just opened; whatever a test left open is closed. `/` has the elements. */
  async startAgain(path = '/plain'): Promise<void> {
    let wasOpen = false;
    for (const page of this.context.pages())
      if (page !== this.page && page !== this.#insider) {
        wasOpen = true;
        await within(page.close(), 'the end of a window');
      }
    const inside = await this.#inside();
    if (!wasOpen && this.#isAtRest(path) && (await showing(inside)) === 0) {
      await forget(inside);
      await this.evaluate(() => void window.events.splice(0));
      return;
    }
    // While a page unloads, the wallet records what it showed, in another process than the insider's.
    await this.page.goto('about:blank');
    await poll(async () => (await showing(inside)) === 0, 'the end of every wallet');
    await this.open(path);
    await forget(inside);
  }

  /**
   * Whether the page waits for a click: it has no element, which would keep what it showed, and no frame except the one that reads. Opening
   * it again would cost a third of most attempts.
   */
  #isAtRest(path: string): boolean {
    const [main, ...others] = this.page.frames();
    return (
      this.where === 'iframe' &&
      path === '/plain' &&
      main!.url() === this.origin + path &&
      others.every((frame) => frame.url().startsWith(`${this.world.frame}/read/`))
    );
  }

  passMinute(): Promise<void> {
    return passMinute(this.page, this.world.frame);
  }

  async close(): Promise<void> {
    await within(this.context.close(), 'the end of a browser profile');
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }

  /** Runs something that opens the wallet, and returns its view. */
  async opening(act: () => Promise<unknown>): Promise<WalletView> {
    if (this.where === 'iframe') {
      await act();
      return this.iframe();
    }
    return openingIn(this.page, () => this.window, act);
  }

  /** The wallet's window that the page opened last, while it is open. */
  get window(): Page | undefined {
    return this.#window?.isClosed() ? undefined : this.#window;
  }

  /** The same for a page without a linked wallet, which first asks how to begin. */
  async linking(act: () => Promise<unknown>): Promise<WalletView> {
    await act();
    return this.opening(() => this.button('I have one').click());
  }

  /** The wallet in this page's dialog. */
  iframe(): WalletView {
    return new WalletView(this.page.locator('dialog[open] iframe').contentFrame(), this.page);
  }

  /** Runs `call` in the page within a real click. `answer()` returns its outcome. */
  async run<A>(call: (connect: Connect, argument: A) => unknown, argument?: A): Promise<void> {
    await this.evaluate(
      `window.next = () => (${call.toString()})(window.connect, ${JSON.stringify(argument) ?? 'undefined'})`,
    );
    await this.button('Run').click();
  }

  /** Opens the wallet with `run`. */
  ask<A>(call: (connect: Connect, argument: A) => unknown, argument?: A): Promise<WalletView> {
    return this.opening(() => this.run(call, argument));
  }

  /** How the promise of the last `run` settled. */
  answer<T>(): Promise<Answer<T>> {
    const answer = this.page.evaluate(() => window.answer) as Promise<Answer<T>>;
    return within(answer, 'the end of the request').catch(async (error: Error) => {
      const frames = this.context.pages().flatMap((page) => page.frames());
      const shown = await Promise.all(frames.map((frame) => shownIn(frame).catch(() => 'nothing')));
      throw new Error(`${error.message}; on screen: ${shown.join(' || ')}`);
    });
  }

  events(): Promise<HostEvent[]> {
    return this.evaluate(() => window.events);
  }

  wallets(): Promise<Wallet[]> {
    return this.evaluate(() => window.connect.wallets());
  }

  /** A linked wallet that opens with the PIN, as after first use. `first-transfer` tests creating one by hand. */
  async createWallet(secretType: SecretType = 'ETHEREUM', others = 0, network?: Network): Promise<Wallet> {
    const { id, kind } = network ?? this.world.local[secretType]!.network;
    const home = { id, kind, first: !network };
    const seed: Seed = { pin: PIN, site: this.origin, secretType, home, others };
    const inside = await this.#inside();
    await inside.evaluate(await seedScript());
    const wallet = await evaluateIn(inside)((given) => window.plant(given), seed);
    await this.evaluate(
      ([key, value]) => {
        localStorage.setItem(key, value);
        // As if another tab of the site had stored it.
        dispatchEvent(new StorageEvent('storage', { key }));
      },
      [`carabiner:${this.world.frame}`, JSON.stringify({ wallets: [wallet] })] as const,
    );
    return wallet;
  }

  /** A page of the frame's origin. It stays open: navigating the visitor's page there and back would start two processes each time. */
  async #inside(): Promise<Page> {
    if (!this.#insider) {
      this.#insider = await insider(this.context, this.world.frame);
      await this.page.bringToFront();
    }
    return this.#insider;
  }

  /** Waits until the page has received this event. */
  async event(type: HostEvent['type'], action?: string): Promise<void> {
    await this.page.waitForFunction(
      ([wanted, by]) => window.events.some((event) => event.type === wanted && (!by || event.action === by)),
      [type, action] as const,
    );
  }

  /** A linked wallet with 10 ether and 1000 DUSD. */
  async wealthyWallet(): Promise<Wallet> {
    const wallet = await this.createWallet();
    await this.world.ethereum.give('ETH', wallet.address);
    await this.world.ethereum.give('DUSD', wallet.address);
    return wallet;
  }

  /** Everything that this page could read: its storage, its DOM, and what `/patched` intercepted. */
  everythingThePageSees(): Promise<string> {
    return this.evaluate(() => {
      const roots: (Document | ShadowRoot)[] = [document];
      const text: string[] = [JSON.stringify({ ...localStorage }), JSON.stringify({ ...sessionStorage })];
      for (const root of roots) {
        for (const element of root.querySelectorAll('*'))
          if (element.shadowRoot) roots.push(element.shadowRoot);
        text.push(root instanceof Document ? root.documentElement.outerHTML : root.innerHTML);
      }
      const { kept = [], events } = window as unknown as { kept?: string[]; events: unknown[] };
      return [...text, ...kept, JSON.stringify(events)].join('\n');
    });
  }
}

/** What views of the wallet say when a press was a consent. */
const CONSENTS = ['cbf-approve', 'cbf-passkey-approve', 'cbf-link', 'cbf-use', 'cbf-show'];

/** The button over an approval that leads to what has not been seen. */
export const PILL = /^(Show recipient \d+|Show the amount|Show the network|Show the warnings|Next page)$/;

/** What a test that waits in vain has before it. */
async function shownIn(root: Pick<Frame, 'getByRole'>): Promise<string> {
  const texts = (['heading', 'button', 'alert'] as const).map((role) => root.getByRole(role).allInnerTexts());
  return (await Promise.all(texts)).flat().join(' | ');
}

/** The wallet, wherever it is shown. */
export class WalletView {
  constructor(
    readonly root: Page | FrameLocator,
    /** The page around an iframe. */
    readonly host?: Page,
  ) {}

  get popup(): Page {
    assert.ok(!this.host, 'the wallet is in an iframe, not in a window');
    return this.root as Page;
  }

  async frame(): Promise<Frame> {
    if (!this.host) return this.popup.mainFrame();
    const element = await (this.root as FrameLocator).owner().elementHandle();
    const frame = await element?.contentFrame();
    assert.ok(frame, 'no frame');
    return frame;
  }

  button(name: string | RegExp): Locator {
    return this.root.getByRole('button', { name, exact: true });
  }

  heading(name: string | RegExp): Locator {
    return this.root.getByRole('heading', { name, exact: true });
  }

  /** Present while a request awaits approval. */
  approval(): Locator {
    return this.root.getByRole('button', { name: /^Approve( with passkey)?$/ });
  }

  text(text: string | RegExp): Locator {
    return this.root.getByText(text);
  }

  /** The groups in which an address is drawn in full, beside its text. */
  address(address: string): Locator {
    return this.root.getByText(address, { exact: true }).locator('xpath=following-sibling::*').first();
  }

  box(name: string | RegExp): Locator {
    return this.root.getByRole('textbox', { name, exact: true });
  }

  async type(name: string, text: string): Promise<void> {
    await this.takes(name);
    const box = this.box(name);
    await box.focus();
    await box.pressSequentially(text);
  }

  /** Waits until the field takes input: at first, a request in an open window takes no PIN. */
  async takes(name: string): Promise<void> {
    await poll(
      () =>
        this.box(name).evaluate((input) => {
          if (input.matches(':disabled')) return false;
          for (let at: Node | null = input; at; at = at instanceof ShadowRoot ? at.host : at.parentNode)
            if (at instanceof HTMLElement && at.inert) return false;
          return true;
        }),
      `${name} that takes input`,
    ).catch(async (error: Error) => {
      throw new Error(`${error.message}; on screen: ${await shownIn(this.root).catch(() => 'nothing')}`);
    });
  }

  async firstUse(pin = PIN): Promise<void> {
    await this.choosePin(pin);
    await this.button('Remind me later').waitFor();
    await this.#keepsItsHeight();
    await this.press('Remind me later');
    await this.leaveAddress();
  }

  /** A new wallet shows its address; by then the page has its result. */
  async leaveAddress(): Promise<void> {
    // In a browser that may evict storage, the wallet offers a back-up first, once a day.
    await this.heading(/^(Receive |Back up before you receive)/).waitFor();
    if (await this.heading('Back up before you receive').count()) await this.press('Remind me later');
    await this.heading(/^Receive /).waitFor();
    await this.leave('Done');
  }

  /** Clicks a button of a view that has just been drawn, once its iframe has stopped growing. */
  async clickAtRest(name: string): Promise<void> {
    await this.button(name).waitFor();
    await this.#keepsItsHeight();
    await this.button(name).click();
  }

  /** First use, up to the back-up. */
  async choosePin(pin = PIN): Promise<void> {
    await this.clickAtRest('Create wallet');
    await this.enterPin(pin);
    await this.button('Continue').click();
    await this.enterPin(pin, 'Confirm PIN');
    await this.button('Continue').click();
  }

  /** Creates the first wallet and links it to the page that asked for one. */
  async firstLink(pin = PIN): Promise<void> {
    await this.enterPin(pin);
    await this.button('Continue').click();
    await this.enterPin(pin, 'Confirm PIN');
    await this.button('Continue').click();
    await this.leave('Link wallets');
  }

  /** The recovery phrase on the back-up view. */
  async words(): Promise<string[]> {
    await this.button('Show words').click();
    const list = this.root.getByRole('list', { name: 'Your 12 words' });
    const words = (await list.getByRole('listitem').allInnerTexts()).map((item) =>
      item.replace(/\d+|\s/g, ''),
    );
    assert.equal(words.length, 12);
    return words;
  }

  /** Types the requested words. */
  async confirmWords(words: string[]): Promise<void> {
    await this.heading('Check your copy').waitFor();
    for (let position = 1; position <= 12; position++) {
      const box = this.box(`Word ${position}`);
      if (await box.count()) await box.fill(words[position - 1]!);
    }
    await this.press('Finish');
  }

  /** The number in a row of amounts: `0.25` from `0.25 ETH`. */
  async figure(term: string): Promise<string> {
    const has = (this.host ?? this.popup).locator('dt').getByText(term, { exact: true });
    const row = this.root.locator('dl > div').filter({ has });
    const shown = row.locator('dd bdi').first();
    // An amount with omitted digits has all of them in its title.
    const text = (await shown.getAttribute('title')) ?? (await shown.innerText());
    return text.split(' ')[0]!.replaceAll(',', '');
  }

  /** Scrolls to everything out of view, until the wallet allows approval. `show` uses the button that does so, by default by a click. */
  async seeAll(show = (pill: ElementHandle): Promise<void> => pill.click()): Promise<void> {
    await poll(async () => {
      const why = await this.approval().getAttribute('data-text');
      if (!why || why === 'Enter your PIN' || why === 'Tick the box first') return true;
      const [pill] = await this.button(PILL).elementHandles();
      if (!pill) return false;
      // It disappears by itself once its target has been seen: then there is nothing to press any more.
      await show(pill).catch(async (error: unknown) => {
        if (await pill.evaluate((button) => button.isConnected)) throw error;
      });
      // Anything in view for a shorter time does not count as seen.
      await pause(400);
      return false;
    }, 'everything that has to be seen');
  }

  /** Like `seeAll`, as far as buttons lead: what keeps an approval from being approved may be something else. */
  async scrollOn(): Promise<void> {
    if (await this.button(PILL).count()) await this.seeAll();
  }

  /**
   * Types a PIN until the field has as many digits; it holds bullets. Where the focus came back with the first digit, the wallet takes none
   * for 800 ms, and where it left the frame meanwhile, the digits are cleared: a person types again.
   */
  async enterPin(pin = PIN, name = 'PIN'): Promise<void> {
    const box = this.box(name);
    await poll(async () => {
      for (const _ of await box.inputValue()) await box.press('Backspace');
      await this.type(name, pin);
      return (await box.inputValue()).length === pin.length;
    }, `the whole ${name}`);
  }

  async approve(pin = PIN): Promise<void> {
    await this.enterPin(pin);
    await this.scrollOn();
    await this.consent('Approve');
  }

  /**
   * Presses a button that consents, until the wallet takes it: a press while something covers the view, or when it has just moved, counts
   * for nothing, and a person presses again.
   */
  async consent(name: string | RegExp, act = (): Promise<void> => this.press(name)): Promise<void> {
    for (let counts = false; !counts; ) {
      const heard = await this.button(name)
        .last()
        .evaluateHandle(({ ownerDocument }, types) => {
          const events: string[] = [];
          for (const type of types) ownerDocument.addEventListener(type, () => events.push(type), true);
          return events;
        }, CONSENTS);
      await act();
      // A wallet that is gone has taken it.
      counts = await within(
        heard.evaluate((events) => events.length > 0),
        `what became of ${name}`,
      ).catch(() => true);
    }
  }

  /**
   * Approves what is on screen and waits until it is sent. Returns the fee paid in smallest units, which must not exceed the fee shown.
   * `meanwhile` runs after the approval.
   */
  async pay(decimals: number, meanwhile = async (): Promise<unknown> => undefined): Promise<bigint> {
    const most = parseUnits(await this.figure('Maximum fee'), decimals);
    await this.approve();
    await meanwhile();
    await this.sent();
    const paid = parseUnits(await this.figure('Fee paid'), decimals);
    assert.ok(paid > 0n && paid <= most, `paid ${paid}, but at most ${most} was shown`);
    return paid;
  }

  /**
   * Input that may close the wallet: in about half of these cases Chromium never acknowledges it. Then a locator's click fails after its
   * time-out, and `mouse` and `keyboard` wait for ever.
   */
  async input(handled: Promise<unknown>): Promise<void> {
    const gone = this.gone();
    gone.catch(() => {});
    // Or Playwright reports that the target of the click is gone.
    const done = handled.catch((error: Error) => {
      if (!/closed|detached/.test(error.message)) throw error;
      return gone;
    });
    done.catch(() => {});
    await Promise.race([done, gone]);
  }

  /** Clicks a button that may close the wallet. */
  press(name: string | RegExp): Promise<void> {
    // A button of the same name in the header comes first.
    return this.input(this.button(name).last().click());
  }

  /** Leaves the wallet with this button. */
  async leave(name: string | RegExp): Promise<void> {
    await this.#keepsItsHeight();
    await (name === 'Link wallets' ? this.consent(name) : this.press(name));
    await this.gone();
  }

  /** For some 50 ms after an iframe has grown, Chromium sends presses there to the page instead. */
  async #keepsItsHeight(): Promise<void> {
    const iframe = this.host?.locator('dialog[open] iframe');
    await iframe?.evaluate(
      (element) =>
        new Promise<void>((resolve) => {
          let height = 0;
          let since = 0;
          const look = (now: number): void => {
            const { clientHeight } = element;
            if (clientHeight !== height) [height, since] = [clientHeight, now];
            if (now - since > 100) resolve();
            else requestAnimationFrame(look);
          };
          requestAnimationFrame(look);
        }),
    );
  }

  /** Waits until a block contains what was sent. In a window that stays open, the title has the amount. */
  sent(): Promise<void> {
    return this.heading(/^(Sent|Paid|Swapped|Cancelled)( |$)/).waitFor();
  }

  /** Leaves the result, in a window that stays open for the site. */
  async done(): Promise<void> {
    // Until then, "Back to" shows the site, and the window goes on with the transaction.
    await this.heading(/^(Sending|Cancelling)( |$)/).waitFor({ state: 'hidden' });
    await this.leave(/^(Done|Back to .+)$/);
  }

  /** Whether a consent was taken and is being carried out. False in a wallet that is gone. */
  async isBusy(): Promise<boolean> {
    const [element] = this.host ? await (this.root as FrameLocator).owner().elementHandles() : [];
    const frame = this.host ? await element?.contentFrame() : this.popup.mainFrame();
    if (!frame) return false;
    const busy = evaluateIn(frame)(() => {
      const roots: (Document | ShadowRoot)[] = [document];
      for (const root of roots)
        for (const element of root.querySelectorAll<HTMLElement & { busy?: boolean }>('*')) {
          if (element.shadowRoot) roots.push(element.shadowRoot);
          if (element.busy) return true;
        }
      return false;
    });
    return busy.catch((error: unknown) => {
      if (!/closed|detached|destroyed/.test(String(error))) throw error;
      return false;
    });
  }

  /**
   * Stops the clock by which the wallet counts how long it was in sight, so that what is done next comes at once, however slow the machine
   * is. Returns a function that lets it go on.
   */
  async stopClock(): Promise<() => Promise<void>> {
    const frame = await this.frame();
    await evaluateIn(frame)(() => {
      const { now: realDate } = Date;
      const [now, date] = [performance.now(), realDate()];
      performance.now = () => now;
      Date.now = () => date;
      const goOn = (): void => {
        // Then it is the prototype's again.
        Reflect.deleteProperty(performance, 'now');
        Date.now = realDate;
      };
      Object.assign(globalThis, { goOn });
    });
    return () => evaluateIn(frame)(() => (globalThis as unknown as { goOn: () => void }).goOn());
  }

  /** Has no time-out end that the wallet starts from now on. Returns a function that lets those go on which still count. */
  async holdTimers(): Promise<() => Promise<void>> {
    const frame = await this.frame();
    await evaluateIn(frame)(() => {
      const { setTimeout: start, clearTimeout: stop } = globalThis;
      const held = new Map<unknown, () => void>();
      let last = 0;
      const hold = (...timer: Parameters<typeof setTimeout>): number => {
        held.set(--last, () => void start(...timer));
        return last;
      };
      const letGo = (id: number | undefined): void => {
        if (!held.delete(id)) stop(id);
      };
      const release = (): void => {
        Object.assign(globalThis, { setTimeout: start, clearTimeout: stop });
        for (const begin of held.values()) begin();
      };
      Object.assign(globalThis, { setTimeout: hold, clearTimeout: letGo, release });
    });
    return () => evaluateIn(frame)(() => (globalThis as unknown as { release: () => void }).release());
  }

  /** Closes the wallet with the button in its header. */
  async close(): Promise<void> {
    await this.button('Close').first().click();
  }

  /** Ids of the axe rules that this view violates. */
  async axe(): Promise<string[]> {
    return axe(await this.frame());
  }

  async gone(): Promise<void> {
    if (this.host) await (this.root as FrameLocator).owner().waitFor({ state: 'detached' });
    else await poll(async () => this.popup.isClosed() || (await this.rests()), 'the end of a view');
  }

  /** Whether its window is open and waits for the site. */
  async rests(): Promise<boolean> {
    const title = this.heading(/^Waiting for |was closed$/);
    return !this.popup.isClosed() && (await title.count().catch(() => 0)) > 0;
  }
}

/** Like `evaluate` of a page or frame, with a time-out. */
export function evaluateIn(where: Page | Frame): Page['evaluate'] {
  return ((work: () => unknown, argument: unknown) =>
    within(where.evaluate(work, argument), `the page's result of ${work}`)) as Page['evaluate'];
}

/** Removes the wallet without warning. */
export async function kill(view: WalletView): Promise<void> {
  if (view.host) await view.host.locator('dialog[open] iframe').evaluateAll(([frame]) => frame?.remove());
  else await within(view.popup.close(), 'the end of a window');
}

export async function axe(where: Frame | Page): Promise<string[]> {
  // Half a megabyte, so only once per document.
  if (!(await evaluateIn(where)(() => 'axe' in globalThis))) await within(where.evaluate(AXE), 'axe');
  const found = where.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: typeof import('axe-core') };
    // Colours in mid-transition are not the design's.
    const roots: (Document | ShadowRoot)[] = [document];
    for (const root of roots) {
      for (const { shadowRoot } of root.querySelectorAll('*')) if (shadowRoot) roots.push(shadowRoot);
      for (const animation of root.getAnimations())
        if (animation instanceof CSSTransition) animation.finish();
    }
    const { violations } = await axe.run(document, { resultTypes: ['violations'] });
    return violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html, target }) => `${target} ${html}`).join(' | ')}`,
    );
  });
  return within(found, 'the axe report');
}
