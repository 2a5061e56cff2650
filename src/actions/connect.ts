/** `createConnect`: only what a page needs before its first request. The rest is loaded then. */
import {
  askEmbedding,
  asksToEmbed,
  chooseSurface,
  NOT_EMBEDDED,
  surfaceFacts,
} from '../channel/choose-surface.ts';
import { claimed, popup, windowMark, windowSurface } from '../channel/popup.ts';
import type { Surface } from '../channel/surface.ts';
import type { Limit } from '../base/clock.ts';
import type { Ask } from '../base/actions.ts';
import { ConnectError, FrameUnreachableError } from '../base/errors.ts';
import { announce, rdnsOf } from '../provider/announce.ts';
import { lazyProvider } from '../provider/lazy-provider.ts';
import type { EthereumProvider, ProviderChain } from '../provider/types.ts';
import { warn } from '../base/warn.ts';
import { defaultFrame } from './default-connect.ts';
import type { Engine } from './engine.ts';
import { frameUrl } from './frame-url.ts';
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
  let engine: Engine | undefined;
  let loading: Promise<Engine> | undefined;
  /** Texts in another language, for a page without elements. */
  let texts: Promise<void> | undefined;
  /** Opened in the user's click, while the engine was still loading; null if it was blocked. */
  let early: Surface | null | undefined;
  /** What to run once the engine is loaded. */
  const wishes: ((engine: Engine) => void)[] = [];
  // If undefined, the first call reports what is wrong.
  const url = frameUrl(settings);

  const born = performance.now();
  const left = url && leftName(url.origin);
  // A unique name, so that two connects of a page do not share a window.
  const name = left ?? `carabiner-${Math.random()}`;

  // Asked immediately, so that the answer is known at the first click.
  const embedding = url && asksToEmbed(surfaceFacts(url, settings)) ? askEmbedding(url) : NOT_EMBEDDED;
  function surface(): 'iframe' | 'popup' {
    return chooseSurface({ ...surfaceFacts(url!, settings), listed: embedding.listed });
  }

  /** A wallet window left open by the tab's previous page, of whatever site, and when it last announced itself. */
  let lost: Window | undefined;
  let lostAt = 0;
  function lostWindow(): Window | undefined {
    return lost && !lost.closed && !claimed.has(lost) && performance.now() - lostAt < LOST_MS
      ? lost
      : undefined;
  }

  /** A window that existed before the click. */
  let found: unknown;

  function openPopup(): Surface | null {
    const taken = early;
    early = undefined;
    const heard = taken ? undefined : lostWindow();
    return taken ?? (heard ? windowSurface(heard) : openNamed());
  }

  /** In a page's first moments its window may not have been heard from yet: then it is found by its name. */
  function openNamed(): Surface | null {
    if (!left || performance.now() - born > LOST_MS) return popup(url!.href, name);
    return popup(url!.href, name, (win) => {
      found = win;
      win.focus();
      // It has given up on its page, or is no longer the wallet's.
      setTimeout(
        () => lost !== win && !win.closed && win.location.replace(url!.href),
        LOST_MS,
        'limit' satisfies Limit,
      );
    });
  }

  function load(): Promise<Engine> {
    if (loading) return loading;
    loading = (
      url ? import('./engine.ts') : import('./config-error.ts').then((it) => it.refuse(settings))
    ).then(
      ({ openConnect }) => {
        texts = speakToPage(settings.locale);
        engine = openConnect(settings, { url: url!, name, popup: openPopup, surface, embedding });
        for (const wish of wishes) wish(engine);
        return engine;
      },
      (cause: unknown) => {
        if (cause instanceof ConnectError) throw cause;
        loading = undefined;
        early?.close();
        early = undefined;
        throw new FrameUnreachableError(`The wallet could not be loaded. Try again. ${cause}`);
      },
    );
    loading.catch(warn);
    return loading;
  }

  /** Synchronously where possible: a popup opens, and a bad request is refused, within the caller's own turn. */
  function use<R>(call: (engine: Engine) => R | Promise<R>): Promise<R> {
    return engine ? Promise.resolve(call(engine)) : load().then(call);
  }

  /** An action that shows the wallet. A popup cannot wait for the engine, so it opens ahead of it. */
  function show<M extends Ask>(method: M): Connect[M] {
    const run = (on: Engine, all: unknown[]) =>
      (on[method] as (...all: unknown[]) => Promise<unknown>)(...all);
    async function open(request: unknown, ...rest: unknown[]) {
      // A copy: the page may change its object while the engine loads.
      const all = [plain(request), ...rest];
      // A cross-origin isolated page cannot talk to a window anyway, so waiting loses nothing.
      if (url && window.crossOriginIsolated) await embedding.known;
      // Where nothing is linked yet, linking begins with a dialog of the page, whose buttons open the window.
      // Where an external wallet is linked, the request may be for that one: only the engine, loaded with the
      // page, knows.
      const opensNow = !kept('external') && (method !== 'linkWallets' || kept('wallets'));
      if (url && opensNow && early === undefined && surface() === 'popup') {
        const left = lostWindow();
        if (left) left.focus();
        else early = openPopup();
      }
      const on = await load();
      await texts;
      const answer = run(on, all);
      // The request was refused before it needed a window.
      if (early?.window !== found) early?.close();
      early = undefined;
      return answer;
    }
    return ((...all: [unknown]) => (engine ? run(engine, all) : open(...all))) as Connect[M];
  }

  const storageKey = `carabiner:${url?.origin}`;
  /** Whether the page's own record has linked wallets, or unanswered requests. */
  function kept(what: string): boolean {
    try {
      return Object.keys(JSON.parse(localStorage.getItem(storageKey)!)[what]).length > 0;
    } catch {
      return false;
    }
  }
  const remembers = () => url && ['wallets', 'external', 'undelivered'].some(kept);

  /** The browser may have been killed before writing the record; request ids are also in a database, which is durable. */
  async function isOwed(): Promise<boolean> {
    if (engine || remembers()) return true;
    // In a page without an origin, Chromium also rejects a promise of `databases()` that nobody holds.
    if (!url) return false;
    try {
      return (await indexedDB.databases()).some(({ name: each }) => each === storageKey);
    } catch {
      return false;
    }
  }

  /** A listener, added once there is something to hear. */
  function listen(add: (engine: Engine) => (() => void) | void): () => void {
    let undo: (() => void) | void;
    let undone = false;
    const wish = (on: Engine) => {
      if (!undone) undo = add(on);
    };
    if (engine) wish(engine);
    else wishes.push(wish);
    return () => {
      undone = true;
      undo?.();
    };
  }

  const providers: Partial<Record<ProviderChain, EthereumProvider>> = {};
  function provider({ chain = 'ETHEREUM' }: { chain?: ProviderChain } = {}): EthereumProvider {
    return (providers[chain] ??= lazyProvider(
      async () => (await load()).openProvider(chain),
      listen,
      url && rdnsOf(url, chain, settings.announce),
    ));
  }

  const ended = new AbortController();
  if (url && settings.announce)
    try {
      announce(provider, settings.announce, url, ended.signal);
    } catch (error) {
      reportError(error);
    }

  if (remembers()) load().catch(() => {});
  // Another tab of this site links its first wallet.
  if (url) {
    addEventListener('storage', ({ key }) => key === storageKey && load().catch(() => {}));
    addEventListener('message', ({ origin, source, data }) => {
      const win = source as Window | null;
      if (origin !== url.origin || data?.type !== 'carabiner:ready' || win?.opener !== window) return;
      lost = win;
      lostAt = performance.now();
    });
  }

  const passOn =
    (name: ReadMethod | 'preload') =>
    (...all: unknown[]) =>
      use((on) => (on[name] as (...all: unknown[]) => Promise<unknown>)(...all));

  return {
    ...methodsOf(ASK_METHODS, show),
    ...methodsOf([...READ_METHODS, 'preload'], passOn),
    wallets: async () => (engine || remembers() ? use((on) => on.wallets()) : []),
    pending: async (...all) => ((await isOwed()) ? use((on) => on.pending(...all)) : []),
    onPending: (listener) => listen((on) => on.onPending(listener)),
    onReplaced: (listener) => listen((on) => on.onReplaced(listener)),
    destroy() {
      ended.abort();
      listen((on) => on.destroy());
    },
    onWallets(listener) {
      const known = remembers();
      return listen((on) => {
        // Linked in another tab, before there was an engine to notice.
        if (!known && remembers()) on.wallets().then(listener, () => {});
        return on.onWallets(listener);
      });
    },
    provider,
    get getAccessToken() {
      return settings.getAccessToken;
    },
    set getAccessToken(answer) {
      Object.assign(settings, { getAccessToken: answer });
    },
  };
}

/** The name left by the previous page, while its window waits. */
function leftName(frameOrigin: string): string | undefined {
  const [name, at] = windowMark(frameOrigin)?.split(' ') ?? [];
  if (at === undefined) return undefined;
  windowMark(frameOrigin, '1');
  return Date.now() - Number(at) < WAITS_MS ? name : undefined;
}
