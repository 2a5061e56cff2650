/** `createConnect`: only what a page needs before its first request. The rest is loaded then. */
import type { Wallet } from '../api/wallet.ts';
import {
  askEmbedding,
  asksToEmbed,
  chooseSurface,
  type Embedding,
  NOT_EMBEDDED,
  surfaceFacts,
} from '../channel/choose-surface.ts';
import type { Pending } from '../channel/messages.ts';
import { claimedWindows, popup, windowMark, windowSurface } from '../channel/popup.ts';
import type { Surface } from '../channel/surface.ts';
import type { Limit } from '../base/clock.ts';
import type { Ask } from '../base/actions.ts';
import { ConnectError, FrameUnreachableError } from '../base/errors.ts';
import { announce, rdnsOf } from '../provider/announce.ts';
import { lazyProvider } from '../provider/lazy-provider.ts';
import type { EthereumProvider, ProviderChain } from '../provider/types.ts';
import { warn } from '../base/warn.ts';
import { defaultFrame } from './default-connect.ts';
import { frameUrl } from './frame-url.ts';
import type { Engine } from './engine.ts';
import { ASK_METHODS, methodsOf, READ_METHODS, type ReadMethod } from './methods.ts';
import { speakToPage } from './page-language.ts';
import { plain } from './plain.ts';
import type { Connect, ConnectOptions } from './types.ts';

/** A window that has lost its page says so at least once a second, later in a busy browser. */
const LOST_MS = 1500;
/** A window waits this long for its page. */
const WAITS_MS = 10_000;

/**
 * ```ts
 * const connect = createConnect({ frame: 'https://connect.example' });
 * const [wallet] = await connect.linkWallets();
 * const { transactionHash } = await connect.transfer({ walletId: wallet.id, to, value: '0.25', secretType: 'ETHEREUM' });
 * ```
 *
 * Does nothing on a server; in a browser, nothing until it is called, unless this page has linked wallets or an unanswered request.
 */
export function createConnect(options: ConnectOptions = {}): Connect {
  // Without a prototype: what a script has put on `Object.prototype` is not an option.
  const settings: ConnectOptions = Object.assign(Object.create(null), options);
  const frame = settings.frame ?? defaultFrame();
  if (frame !== undefined) settings.frame = frame;
  const lazy = new LazyConnect(settings);
  lazy.start();
  return {
    ...methodsOf(ASK_METHODS, (name) => lazy.show(name)),
    ...methodsOf([...READ_METHODS, 'preload'], (name) => lazy.passOn(name)),
    wallets: () => lazy.wallets(),
    pending: (take) => lazy.pending(take),
    onPending: (listener) => lazy.listen((on) => on.onPending(listener)),
    onReplaced: (listener) => lazy.listen((on) => on.onReplaced(listener)),
    onWallets: (listener) => lazy.onWallets(listener),
    destroy: () => lazy.destroy(),
    provider: (of) => lazy.provider(of),
    get getAccessToken() {
      return settings.getAccessToken;
    },
    set getAccessToken(answer) {
      Object.assign(settings, { getAccessToken: answer });
    },
  };
}

/** Loads the engine for the first call that needs it. */
class LazyConnect {
  readonly #settings: ConnectOptions;
  /** The wallet's page. If undefined, the first call reports what is wrong. */
  readonly #url: URL | undefined;
  readonly #window: WalletWindow | undefined;
  readonly #embedding: Embedding;
  readonly #record: StoredRecord;
  readonly #providers: Partial<Record<ProviderChain, EthereumProvider>> = {};
  readonly #ended = new AbortController();
  #engine: Engine | undefined;
  #loading: Promise<Engine> | undefined;
  /** Texts in another language, for a page without elements. */
  #texts: Promise<void> | undefined;
  /** What to run once the engine is loaded. */
  readonly #wishes: ((engine: Engine) => void)[] = [];

  constructor(settings: ConnectOptions) {
    const url = frameUrl(settings);
    this.#settings = settings;
    this.#url = url;
    this.#window = url && new WalletWindow(url);
    this.#record = new StoredRecord(url);
    // Asked immediately, so that the answer is known at the first click.
    this.#embedding = url && asksToEmbed(surfaceFacts(url, settings)) ? askEmbedding(url) : NOT_EMBEDDED;
  }

  start(): void {
    const url = this.#url;
    const { announce: announced } = this.#settings;
    if (url && announced)
      try {
        announce((of) => this.provider(of), announced, url, this.#ended.signal);
      } catch (error) {
        reportError(error);
      }
    const load = () => this.#load().catch(() => {});
    if (this.#record.isOfUse) load();
    // Another tab of this site links its first wallet.
    if (url) addEventListener('storage', ({ key }) => key === this.#record.key && load());
    this.#window?.listen();
  }

  /** An action that shows the wallet. */
  show(method: Ask): (...all: unknown[]) => Promise<unknown> {
    return (...all) => (this.#engine ? run(this.#engine, method, all) : this.#open(method, all));
  }

  /** A popup cannot wait for the engine, so it opens ahead of it. */
  async #open(method: Ask, [request, ...rest]: unknown[]): Promise<unknown> {
    // A copy: the page may change its object while the engine loads.
    const all = [plain(request), ...rest];
    // A cross-origin isolated page cannot talk to a window anyway, so waiting loses nothing.
    if (this.#url && window.crossOriginIsolated) await this.#embedding.known;
    // Where nothing is linked yet, linking begins with a dialog of the page, whose buttons open the window.
    // Where an external wallet is linked, the request may be for that one: only the engine, loaded with the
    // page, knows.
    const opensNow =
      !this.#record.has('external') && (method !== 'linkWallets' || this.#record.has('wallets'));
    if (this.#url && opensNow && this.#surface() === 'popup') this.#window!.openEarly();
    const engine = await this.#load();
    await this.#texts;
    const answer = run(engine, method, all);
    this.#window?.closeUnused();
    return answer;
  }

  passOn(method: ReadMethod | 'preload'): (...all: unknown[]) => Promise<unknown> {
    return (...all) => this.#use((on) => run(on, method, all));
  }

  async wallets(): Promise<Wallet[]> {
    return this.#engine || this.#record.isOfUse ? this.#use((on) => on.wallets()) : [];
  }

  async pending(take?: (pending: Pending) => boolean): Promise<Pending[]> {
    const isOwed = this.#engine !== undefined || (await this.#record.isOwed());
    return isOwed ? this.#use((on) => on.pending(take)) : [];
  }

  onWallets(listener: (wallets: Wallet[]) => void): () => void {
    const { isOfUse } = this.#record;
    return this.listen((on) => {
      // Linked in another tab, before there was an engine to notice.
      if (!isOfUse && this.#record.isOfUse) on.wallets().then(listener, () => {});
      return on.onWallets(listener);
    });
  }

  /** A listener, added once there is something to hear. */
  readonly listen = (add: (engine: Engine) => (() => void) | void): (() => void) => {
    let undo: (() => void) | void;
    let undone = false;
    const wish = (on: Engine) => {
      if (!undone) undo = add(on);
    };
    if (this.#engine) wish(this.#engine);
    else this.#wishes.push(wish);
    return () => {
      undone = true;
      undo?.();
    };
  };

  provider({ chain = 'ETHEREUM' }: { chain?: ProviderChain } = {}): EthereumProvider {
    return (this.#providers[chain] ??= lazyProvider(
      async () => (await this.#load()).openProvider(chain),
      this.listen,
      this.#url && rdnsOf(this.#url, chain, this.#settings.announce),
    ));
  }

  destroy(): void {
    this.#ended.abort();
    this.listen((on) => on.destroy());
  }

  /** Synchronously where possible: a popup opens, and a bad request is refused, within the caller's own turn. */
  #use<R>(call: (engine: Engine) => R | Promise<R>): Promise<R> {
    return this.#engine ? Promise.resolve(call(this.#engine)) : this.#load().then(call);
  }

  #load(): Promise<Engine> {
    if (this.#loading) return this.#loading;
    const loading = this.#import().then(
      ({ openConnect }) => this.#started(openConnect),
      (cause: unknown) => {
        if (cause instanceof ConnectError) throw cause;
        this.#loading = undefined;
        this.#window?.closeEarly();
        throw new FrameUnreachableError(`The wallet could not be loaded. Try again. ${cause}`);
      },
    );
    this.#loading = loading;
    loading.catch(warn);
    return loading;
  }

  #import(): Promise<typeof import('./engine.ts')> {
    return this.#url
      ? import('./engine.ts')
      : import('./config-error.ts').then((it) => it.refuse(this.#settings));
  }

  #started(openConnect: typeof import('./engine.ts').openConnect): Engine {
    this.#texts = speakToPage(this.#settings.locale);
    const { name } = this.#window!;
    const engine = openConnect(this.#settings, {
      url: this.#url!,
      name,
      popup: () => this.#window!.open(),
      surface: () => this.#surface(),
      embedding: this.#embedding,
    });
    this.#engine = engine;
    for (const wish of this.#wishes) wish(engine);
    return engine;
  }

  #surface(): 'iframe' | 'popup' {
    return chooseSurface({ ...surfaceFacts(this.#url!, this.#settings), listed: this.#embedding.listed });
  }
}

function run(engine: Engine, method: Ask | ReadMethod | 'preload', all: unknown[]): Promise<unknown> {
  return (engine[method] as (...all: unknown[]) => Promise<unknown>)(...all);
}

/** The wallet's window. A popup opens only in the user's click, which the engine may miss. */
class WalletWindow {
  readonly name: string;
  readonly #url: URL;
  /** The name that the tab's previous page left. */
  readonly #leftName: string | undefined;
  readonly #born = performance.now();
  /** Opened in the user's click, while the engine was still loading; null if it was blocked. */
  #early: Surface | null | undefined;
  /** A wallet window left open by the tab's previous page, of whatever site, and when it last announced itself. */
  #lost: Window | undefined;
  #lostAt = 0;
  /** A window that existed before the click. */
  #earlier: unknown;

  constructor(url: URL) {
    this.#url = url;
    this.#leftName = leftName(url.origin);
    // A unique name, so that two connects of a page do not share a window.
    this.name = this.#leftName ?? `carabiner-${Math.random()}`;
  }

  listen(): void {
    addEventListener('message', ({ origin, source, data }) => {
      const win = source as Window | null;
      if (origin !== this.#url.origin || data?.type !== 'carabiner:ready' || win?.opener !== window) return;
      this.#lost = win;
      this.#lostAt = performance.now();
    });
  }

  open(): Surface | null {
    const early = this.#early;
    this.#early = undefined;
    if (early) return early;
    const lost = this.#lostWindow();
    return lost ? windowSurface(lost) : this.#openNamed();
  }

  openEarly(): void {
    if (this.#early !== undefined) return;
    const lost = this.#lostWindow();
    if (lost) lost.focus();
    else this.#early = this.open();
  }

  closeEarly(): void {
    this.#early?.close();
    this.#early = undefined;
  }

  /** Closes what no request took: it was refused before it needed a window. */
  closeUnused(): void {
    if (this.#early?.window === this.#earlier) this.#early = undefined;
    this.closeEarly();
  }

  /** In a page's first moments its window may not have been heard from yet: then it is found by its name. */
  #openNamed(): Surface | null {
    const { href } = this.#url;
    if (!this.#leftName || performance.now() - this.#born > LOST_MS) return popup(href, this.name);
    return popup(href, this.name, (win) => {
      this.#earlier = win;
      win.focus();
      // It has given up on its page, or is no longer the wallet's.
      setTimeout(
        () => this.#lost !== win && !win.closed && win.location.replace(href),
        LOST_MS,
        'limit' satisfies Limit,
      );
    });
  }

  #lostWindow(): Window | undefined {
    const lost = this.#lost;
    return lost && !lost.closed && !claimedWindows.has(lost) && performance.now() - this.#lostAt < LOST_MS
      ? lost
      : undefined;
  }
}

/** What the page has stored, read without the code that writes it. */
class StoredRecord {
  readonly key: string;

  constructor(readonly url: URL | undefined) {
    this.key = `carabiner:${url?.origin}`;
  }

  has(what: string): boolean {
    try {
      return Object.keys(JSON.parse(localStorage.getItem(this.key)!)[what]).length > 0;
    } catch {
      return false;
    }
  }

  /** Whether it has linked wallets, or unanswered requests. */
  get isOfUse(): boolean {
    return !!this.url && ['wallets', 'external', 'undelivered'].some((what) => this.has(what));
  }

  /** The browser may have been killed before writing the record; request ids are also in a database, which is durable. */
  async isOwed(): Promise<boolean> {
    if (this.isOfUse) return true;
    // In a page without an origin, Chromium also rejects a promise of `databases()` that nobody holds.
    if (!this.url) return false;
    try {
      return (await indexedDB.databases()).some(({ name }) => name === this.key);
    } catch {
      return false;
    }
  }
}

/** The name left by the previous page, while its window waits. */
function leftName(frameOrigin: string): string | undefined {
  const [name, at] = windowMark(frameOrigin)?.split(' ') ?? [];
  if (at === undefined) return undefined;
  windowMark(frameOrigin, '1');
  return Date.now() - Number(at) < WAITS_MS ? name : undefined;
}
