/** The implementation of the host API. */
import { type Clock, systemClock } from '../base/clock.ts';
import { fromWire } from '../base/errors.ts';
import { type Context, openContext, type Opening } from './context.ts';
import { REQUESTS } from './requests.ts';
import { linkWallets, manageWallets, unlink } from './linked-wallets.ts';
import { linkedWallet, loadOthers } from './linked-wallets.ts';
import {
  ASK_METHODS,
  type AskMethod,
  type Method,
  methodsOf,
  READ_METHODS,
  type ReadMethod,
} from './methods.ts';
import { checkedOptions } from './arguments.ts';
import { preload } from './preload.ts';
import type { EthereumProvider, ProviderChain, ProviderHost } from '../provider/types.ts';
import type { CallOptions, Connect, ConnectOptions, SignParams } from './types.ts';

// Re-exported, so that they get no files of their own, which every first request would wait for.
export { fromWire, systemClock, linkedWallet };

export interface Engine extends Omit<Connect, 'provider'> {
  openProvider(chain: ProviderChain): Promise<EthereumProvider>;
}

/** What stands before a method's options. */
type Before<M extends Method> =
  Required<Parameters<Connect[M]>> extends [...infer All, CallOptions] ? All : never;
type Implementations<M extends Method> = {
  [Name in M]: (context: Context, ...all: [...Before<Name>, CallOptions]) => ReturnType<Connect[Name]>;
};

/** They run within the caller's own turn: a window opens only then, and the page forgets a wallet immediately. */
const AT_ONCE = {
  ...REQUESTS,
  linkWallets,
  manageWallets,
  unlink,
} satisfies Implementations<AskMethod | 'unlink'>;

const reads = (): Promise<Implementations<Exclude<ReadMethod, 'unlink'>>> => import('./reads.ts');

/** How many arguments stand before the options, if not one. */
const COUNTS: { [M in Method as Before<M>['length'] extends 1 ? never : M]: Before<M>['length'] } = {
  profile: 0,
  tokenBalance: 2,
  maxSpendable: 2,
  nonFungibles: 2,
  transactionStatus: 2,
  transactionUrl: 2,
  prices: 2,
  swapOutcome: 2,
};

/** The connect that does the work; `createConnect` loads it on demand. Throws when the options can never work. */
export function openConnect(options: ConnectOptions, opening: Opening, clock: Clock = systemClock): Engine {
  return engineOf(openContext(options, opening, clock));
}

/** The calls of a page, whoever is at the other end of the context's wire. */
export function engineOf(context: Context): Engine {
  const { clock, host, record } = context;

  const call = (name: Method, all: unknown[]): Promise<unknown> => {
    // A script of the page may have added to `Object.prototype`.
    const count = Object.hasOwn(COUNTS, name) ? COUNTS[name as keyof typeof COUNTS] : 1;
    const options = optionsOf(context, all[count] as CallOptions | undefined);
    all.length = count;
    const run = (of: object) =>
      (of as Record<Method, (...all: unknown[]) => Promise<unknown>>)[name](context, ...all, options);
    return Object.hasOwn(AT_ONCE, name) ? run(AT_ONCE) : reads().then(run);
  };
  /** Every failure is a rejection. */
  const method =
    (name: Method) =>
    (...all: unknown[]) => {
      try {
        return call(name, all);
      } catch (error) {
        return Promise.reject(error);
      }
    };

  const engine: Engine = {
    ...methodsOf([...ASK_METHODS, ...READ_METHODS], method),
    wallets: () => Promise.resolve(record.wallets()),
    pending: (take) => host.pending(take),
    onPending: (listener) => subscribed(context.pendingListeners, listener),
    onReplaced: (listener) => subscribed(context.replacedListeners, listener),
    onWallets: (listener) => record.onWallets(listener),
    destroy() {
      context.ended.abort();
      host.destroy();
      record.destroy();
    },
    async preload(secretType) {
      if (secretType) await preload(context, secretType);
      else (await loadOthers(context)).othersFor(context, {});
    },
    async openProvider(chain) {
      const { openProvider } = await import('../provider/provider.ts');
      const providerHost: ProviderHost = {
        ...engine,
        rpc: (params) => host.read('rpc', params),
        // The provider names the type of its chain.
        signRaw: (params, options) => engine.sign(params as SignParams, options),
        useNetwork: (params, options) => host.approve('useNetwork', params, options),
        transactionUrl: (hash, network) => host.read('transactionUrl', { secretType: chain, network, hash }),
      };
      const { origin } = context.url;
      const { theme } = context.options;
      return openProvider({ host: providerHost, chain, origin, theme, clock, ended: context.ended.signal });
    },
  };
  if (Object.keys(record.read().external).length) loadOthers(context).catch(() => {});
  return engine;
}

/** A transaction of the page changes its wallets' balances. */
function optionsOf({ record }: Context, given: CallOptions | undefined): CallOptions {
  const options = checkedOptions(given);
  const { onProgress } = options;
  options.onProgress = (progress) => {
    onProgress?.(progress);
    if (progress.transactionHash) record.renew();
  };
  return options;
}

function subscribed<Listener>(listeners: Set<Listener>, listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
