/** A wallet without frame, window, keys or network: its calls are checked as the real ones are, and answered by a script. */
import { type Engine, engineOf } from '../actions/engine.ts';
import { preload } from '../actions/preload.ts';
import { record } from '../actions/arguments.ts';
import { remember } from '../actions/linked-wallets.ts';
import type { Context } from '../actions/context.ts';
import type { Connect } from '../actions/types.ts';
import type { Wallet } from '../api/wallet.ts';
import { systemClock } from '../base/clock.ts';
import type { Pending, Replaced } from '../channel/messages.ts';
import { lazyProvider } from '../provider/lazy-provider.ts';
import type { EthereumProvider, ProviderChain } from '../provider/types.ts';
import { FakeHost } from './fake-host.ts';
import { MemoryRecord } from './memory-record.ts';
import { checkedWallets } from './results.ts';
import type { FakeRequest, FakeWalletOptions, Script } from './script.ts';

let count = 0;

export class FakeWallet {
  /** For `<connect-provider>`, an element, wagmi's connector, or code that takes a connect. */
  readonly connect: Connect;
  readonly #host: FakeHost;
  readonly #context: Context;
  readonly #options: FakeWalletOptions;

  constructor(options: FakeWalletOptions) {
    completeDom();
    this.#options = { ...options };
    const memory = new MemoryRecord(checkedWallets('linked', options.linked ?? []));
    this.#host = new FakeHost(this.#options, memory);
    this.#context = {
      host: this.#host,
      record: memory,
      reachesVault: async () => false,
      payloads: new Map(),
      clock: systemClock,
      options: { external: 'off' },
      url: new URL(`https://fake-wallet-${(count += 1)}.example/frame/`),
      ended: new AbortController(),
      pendingListeners: new Set(),
      replacedListeners: new Set(),
    };
    this.connect = connectOf(this.#context);
  }

  /** Every request that reached the wallet, in order; those that were refused before are not among them. */
  get requests(): readonly FakeRequest[] {
    return this.#host.requests;
  }

  /** Changes the script: for requests that come from now on. */
  script(answers: Script): void {
    Object.assign(this.#options, answers);
  }

  /** The user links wallets, as if in another tab. */
  link(...wallets: Wallet[]): void {
    remember(this.#context, checkedWallets('link', wallets));
  }

  /** The user unlinks one. */
  unlink(walletId: string): void {
    this.#context.record.change((it) => {
      it.wallets = it.wallets.filter(({ id }) => id !== walletId);
    });
  }

  /** A block has a transaction, or never will. */
  settle(transactionHash: string, state: 'confirmed' | 'failed'): void {
    this.#host.settle(transactionHash, state);
  }

  /** An answer arrives that an earlier load of the page missed. */
  deliver(pending: Pending): void {
    const takers = [...this.#context.pendingListeners].filter((listener) => listener(pending) !== false);
    if (!takers.length) this.#host.arrive(pending);
  }

  /** The user speeds up or cancels a transaction after it was sent. */
  replace(replaced: Replaced): void {
    for (const listener of this.#context.replacedListeners) listener(replaced);
  }
}

function connectOf(context: Context): Connect {
  const engine = engineOf(context);
  const own: Pick<Engine, 'linkWallets' | 'preload'> = {
    // Without the page's own dialog, which would offer the browser's other wallets.
    async linkWallets(params, options) {
      const { external: _, ...own } = record(params ?? {}, []);
      return remember(context, await context.host.approve('linkWallets', own, options));
    },
    preload: (secretType) => preload(context, secretType),
  };
  Object.assign(engine, own);
  const providers: Partial<Record<ProviderChain, EthereumProvider>> = {};
  return Object.assign(engine, {
    provider: ({ chain = 'ETHEREUM' }: { chain?: ProviderChain } = {}) =>
      (providers[chain] ??= lazyProvider(
        () => engine.openProvider(chain),
        (hear) => hear(),
        undefined,
      )),
  });
}

/** Adds what the elements call and jsdom lacks. A browser has all of it. */
function completeDom(): void {
  if (typeof window === 'undefined') return;
  if (typeof HTMLDialogElement === 'function') {
    const dialog = HTMLDialogElement.prototype;
    dialog.showModal ??= function () {
      this.open = true;
    };
    dialog.close ??= function () {
      this.open = false;
      this.dispatchEvent(new Event('close'));
    };
  }
  window.matchMedia ??= (media) =>
    Object.assign(new EventTarget(), { media, matches: false, onchange: null }) as MediaQueryList;
}
