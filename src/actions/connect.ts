/** `createConnect`: only what a page needs before its first request. The rest is loaded then. */
import type { Wallet } from '../api/wallet.ts';
import {
  askEmbedding,
  asksToEmbed,
  chooseSurface,
  type Embedding,
  NOT_EMBEDDED,
  type Place,
  surfaceFacts,
} from '../channel/choose-surface.ts';
import type { Pending } from '../channel/messages.ts';
import type { Arrival } from '../channel/redirect.ts';
import { ConnectError, FrameUnreachableError } from '../base/errors.ts';
import { announce, rdnsOf } from '../provider/announce.ts';
import { lazyProvider } from '../provider/lazy-provider.ts';
import type { EthereumProvider, ProviderChain } from '../provider/types.ts';
import { warn } from '../base/warn.ts';
import { defaultFrame } from './default-connect.ts';
import { frameUrl } from './frame-url.ts';
import type { Engine } from './engine.ts';
import { ASK_METHODS, type AskMethod, methodsOf, READ_METHODS, type ReadMethod } from './methods.ts';
import { speakToPage } from './page-language.ts';
import { plain } from './plain.ts';
import { StoredRecord } from './stored-record.ts';
import type { Connect, ConnectOptions } from './types.ts';
import { WalletWindow } from './wallet-window.ts';

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
    get walletPage() {
      return lazy.walletPage;
    },
    get getAccessToken() {
      return settings.getAccessToken;
    },
    set getAccessToken(answer) {
      Object.assign(settings, { getAccessToken: answer });
    },
  };
}

/** What a wallet has sent this page in its address. Which of the page's wallets that was, only their own connects can tell. */
let arrival: Arrival | undefined;

/** The address keeps none of it. */
function clearAddress(): void {
  const { hash, href } = location;
  if (!/^#carabiner-[ac]/.test(hash)) return;
  // In full: a page may have a `<base>` on another origin.
  history.replaceState(history.state, '', href.slice(0, -hash.length));
  arrival = { fragment: hash, letters: new Map() };
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
  #arrival: Arrival | undefined;
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

  /** In the parent of the folder of the page for sites. */
  get walletPage(): string | undefined {
    return this.#url && new URL('..', this.#url).href;
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
    if (url) clearAddress();
    if (this.#settings.surface === 'redirect') this.#arrival = arrival;
    if (this.#record.isOfUse || this.#arrival) load();
    // Another tab of this site links its first wallet.
    if (url) addEventListener('storage', ({ key }) => key === this.#record.key && load());
    this.#window?.listen();
  }

  /** An action that shows the wallet. */
  show(method: AskMethod): (...all: unknown[]) => Promise<unknown> {
    return (...all) => (this.#engine ? run(this.#engine, method, all) : this.#open(method, all));
  }

  /** A popup cannot wait for the engine, so it opens ahead of it. */
  async #open(method: AskMethod, [request, ...rest]: unknown[]): Promise<unknown> {
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
      arrival: this.#arrival,
      embedding: this.#embedding,
    });
    this.#engine = engine;
    for (const wish of this.#wishes) wish(engine);
    return engine;
  }

  #surface(): Place {
    return chooseSurface({ ...surfaceFacts(this.#url!, this.#settings), listed: this.#embedding.listed });
  }
}

function run(engine: Engine, method: AskMethod | ReadMethod | 'preload', all: unknown[]): Promise<unknown> {
  return (engine[method] as (...all: unknown[]) => Promise<unknown>)(...all);
}
