/** `createConnect`, as little of it as a page needs before its first request: the rest is loaded then. */
import { asksToEmbed, chooseSurface, surfaceFacts } from '../channel/choose-surface.ts';
import { askEmbedding, NOT_EMBEDDED } from '../channel/embedding.ts';
import { claimed, popup, windowSurface } from '../channel/popup.ts';
import type { Surface } from '../channel/surface.ts';
import { FrameUnreachableError } from '../errors.ts';
import { lazyProvider } from '../provider/lazy-provider.ts';
import type { EthereumProvider, ProviderChain } from '../provider/types.ts';
import { defaultFrame } from './default-connect.ts';
import type { Engine } from './engine.ts';
import { frameUrl } from './frame-url.ts';
import { plain } from './plain.ts';
import type { Connect, ConnectOptions } from './types.ts';

/** A window that has lost its page says so at least once a second, and a busy browser lets it be late. */
const LOST_MS = 1500;

type Showing =
  | 'linkWallets'
  | 'manageWallets'
  | 'chooseRecipient'
  | 'transfer'
  | 'execute'
  | 'executeAll'
  | 'sign'
  | 'resume';

/**
 * ```ts
 * const connect = createConnect({ frame: 'https://connect.example' });
 * const [wallet] = await connect.linkWallets();
 * const { transactionHash } = await connect.transfer({ walletId: wallet.id, to, value: '0.25', secretType: 'ETHEREUM' });
 * ```
 *
 * Does nothing on a server. In a browser it does nothing until it is called, unless this page has linked wallets or is owed an answer.
 */
export function createConnect(options: ConnectOptions = {}): Connect {
  // Without a prototype: what some script has put on `Object.prototype` is no option.
  const settings: ConnectOptions = Object.assign(Object.create(null), options);
  const frame = settings.frame ?? defaultFrame();
  if (frame !== undefined) settings.frame = frame;
  let engine: Engine | undefined;
  let loading: Promise<Engine> | undefined;
  /** Opened in the user's click, while the engine was still on its way; null when that was blocked. */
  let early: Surface | null | undefined;
  /** What to do with the engine once it is there. */
  const wishes: ((engine: Engine) => void)[] = [];
  // A name of its own, so that two connects of a page do not share a window.
  const name = `carabiner-${Math.random().toString(36).slice(2)}`;

  let url: URL | undefined;
  try {
    url = frameUrl(settings);
  } catch {
    // The first call says what is wrong.
  }

  // Asked at once, for the first click.
  const embedding = url && asksToEmbed(surfaceFacts(url, settings)) ? askEmbedding(url) : NOT_EMBEDDED;
  function surface(): 'iframe' | 'popup' {
    return chooseSurface({ ...surfaceFacts(url!, settings), listed: embedding.listed });
  }

  /** A window of the wallet that the page before this one in the tab, of whatever site, has left open; and when it last said so. */
  let lost: Window | undefined;
  let lostAt = 0;
  function lostWindow(): Window | undefined {
    return lost && !lost.closed && !claimed.has(lost) && performance.now() - lostAt < LOST_MS
      ? lost
      : undefined;
  }

  function openPopup(): Surface | null {
    const taken = early;
    early = undefined;
    const left = taken ? undefined : lostWindow();
    return taken ?? (left ? windowSurface(left) : popup(url!.href, name));
  }

  function load(): Promise<Engine> {
    return (loading ??= import('./engine.ts').then(
      ({ openConnect }) => {
        engine = openConnect(settings, { popup: openPopup, surface, embedding });
        for (const wish of wishes) wish(engine);
        return engine;
      },
      (cause: unknown) => {
        loading = undefined;
        early?.close();
        early = undefined;
        throw new FrameUnreachableError('The wallet’s code could not be loaded. Try again.', {
          cause: String(cause),
        });
      },
    ));
  }

  /** Now, when it can be: a popup opens, and a bad request is refused, within the caller's own turn. */
  function use<R>(call: (engine: Engine) => R | Promise<R>): Promise<R> {
    return engine ? Promise.resolve(call(engine)) : load().then(call);
  }

  /** An action that shows the wallet. A popup cannot wait for the engine, so it opens ahead of it. */
  function show<M extends Showing>(method: M): Connect[M] {
    const run = (on: Engine, all: unknown[]) =>
      (on[method] as (...all: unknown[]) => Promise<unknown>)(...all);
    async function open(request: unknown, ...rest: unknown[]) {
      // What the page asked for now, whatever it does to its object while the engine loads.
      const all = [plain(request), ...rest];
      // Where nothing is linked yet, linking begins with a dialog of the page, whose buttons open the window.
      const opensNow = method !== 'linkWallets' || hasLinked();
      if (url && opensNow && early === undefined && surface() === 'popup') {
        const left = lostWindow();
        if (left) left.focus();
        else early = openPopup();
      }
      const answer = run(await load(), all);
      // It was refused before it needed a window.
      early?.close();
      early = undefined;
      return answer;
    }
    return ((...all: [unknown]) => (engine ? run(engine, all) : open(...all))) as Connect[M];
  }

  const storageKey = `carabiner:${url?.origin}`;
  function remembers(): boolean {
    try {
      return !!url && localStorage.getItem(storageKey) !== null;
    } catch {
      return false;
    }
  }

  function hasLinked(): boolean {
    try {
      return JSON.parse(localStorage.getItem(storageKey)!).wallets.length > 0;
    } catch {
      return false;
    }
  }

  /** The record may have died with the browser before it was written; the ids of requests are in a database, which does not. */
  async function isOwed(): Promise<boolean> {
    if (engine || remembers()) return true;
    try {
      return (await indexedDB.databases()).some(({ name: each }) => each === storageKey);
    } catch {
      return false;
    }
  }

  /** A listener that is added when there is something to hear. */
  function listen(add: (engine: Engine) => () => void): () => void {
    let undo: (() => void) | undefined;
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
      (hear) => void listen(() => (hear(), () => {})),
    ));
  }

  const ended = new AbortController();
  const { announce } = settings;
  if (url && announce)
    void import('../provider/announce.ts').then((it) => it.announce(provider, announce, url, ended.signal));

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

  return {
    linkWallets: show('linkWallets'),
    manageWallets: show('manageWallets'),
    chooseRecipient: show('chooseRecipient'),
    transfer: show('transfer'),
    execute: show('execute'),
    executeAll: show('executeAll'),
    sign: show('sign'),
    resume: show('resume'),
    build: (...all) => use((on) => on.build(...all)),
    prices: (...all) => use((on) => on.prices(...all)),
    swapPairs: (...all) => use((on) => on.swapPairs(...all)),
    swapRates: (...all) => use((on) => on.swapRates(...all)),
    createSwap: (...all) => use((on) => on.createSwap(...all)),
    swapOutcome: (...all) => use((on) => on.swapOutcome(...all)),
    wallets: () => (engine || remembers() ? use((on) => on.wallets()) : Promise.resolve([])),
    wallet: (...all) => use((on) => on.wallet(...all)),
    balance: (...all) => use((on) => on.balance(...all)),
    tokenBalances: (...all) => use((on) => on.tokenBalances(...all)),
    tokenBalance: (...all) => use((on) => on.tokenBalance(...all)),
    maxSpendable: (...all) => use((on) => on.maxSpendable(...all)),
    nonFungibles: (...all) => use((on) => on.nonFungibles(...all)),
    unlink: (...all) => use((on) => on.unlink(...all)),
    pending: async (...all) => ((await isOwed()) ? use((on) => on.pending(...all)) : []),
    onPending: (listener) => listen((on) => on.onPending(listener)),
    transactionStatus: (...all) => use((on) => on.transactionStatus(...all)),
    transactionUrl: (...all) => use((on) => on.transactionUrl(...all)),
    destroy() {
      ended.abort();
      if (engine) engine.destroy();
      else wishes.push((on) => on.destroy());
    },
    onWallets(listener) {
      const known = remembers();
      return listen((on) => {
        // Linked in another tab, before there was an engine to notice.
        if (!known && remembers()) on.wallets().then(listener, () => {});
        return on.onWallets(listener);
      });
    },
    preload: (...all) => use((on) => on.preload(...all)),
    provider,
    profile: (...all) => use((on) => on.profile(...all)),
    get getAccessToken() {
      return settings.getAccessToken;
    },
    set getAccessToken(answer) {
      if (answer) settings.getAccessToken = answer;
      else delete settings.getAccessToken;
    },
  };
}
