/** The implementation of the host API. */
import { type Clock, systemClock } from '../base/clock.ts';
import { fromWire } from '../base/errors.ts';
import { type Context, openContext, type Opening } from './context.ts';
import { chooseRecipient, execute, executeAll, resume, sign, transfer } from './requests.ts';
import { linkWallets, manageWallets, unlink } from './wallets.ts';
import { linkedWallet } from './linked-wallet.ts';
import { loadOthers } from './load-others.ts';
import { checkedOptions } from './arguments.ts';
import { preload } from './preload.ts';
import type { EthereumProvider, ProviderChain, ProviderHost } from '../provider/types.ts';
import type { CallOptions, Connect, ConnectOptions, SignParams } from './types.ts';

/** Few pages swap. */
const swaps = () => import('./swaps.ts');
const nodeReads = () => import('./reads.ts');

// Re-exported, so that they get no files of their own, which every first request would wait for.
export { fromWire, systemClock, linkedWallet };

export interface Engine extends Omit<Connect, 'provider'> {
  openProvider(chain: ProviderChain): Promise<EthereumProvider>;
}

/** The connect that does the work; `createConnect` loads it on demand. Throws when the options can never work. */
export function openConnect(options: ConnectOptions, opening: Opening, clock: Clock = systemClock): Engine {
  return engineOf(openContext(options, opening, clock), options);
}

/** The calls of a page, whoever is at the other end of the context's wire. */
export function engineOf(context: Context, options: ConnectOptions): Engine {
  const { clock } = context;

  /** Runs synchronously, because a popup opens only inside the user's gesture; every failure is a rejection. */
  function call<R>(given: CallOptions | undefined, run: (options: CallOptions) => Promise<R>): Promise<R> {
    try {
      const options = checkedOptions(given);
      const { onProgress } = options;
      options.onProgress = (progress) => {
        onProgress?.(progress);
        if (progress.transactionHash) context.record.renew();
      };
      return run(options);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  const engine: Engine = {
    linkWallets: (params, o) => call(o, (rest) => linkWallets(context, params, rest)),
    manageWallets: (params, o) => call(o, (rest) => manageWallets(context, params, rest)),
    chooseRecipient: (params, o) => call(o, (rest) => chooseRecipient(context, params, rest)),
    transfer: (params, o) => call(o, (rest) => transfer(context, params, rest)),
    execute: (request, o) => call(o, (rest) => execute(context, request, rest)),
    executeAll: (requests, o) => call(o, (rest) => executeAll(context, requests, rest)),
    // The result's type follows from the request's `type`.
    sign: ((params, o) => call(o, (rest) => sign(context, params, rest))) as Connect['sign'],
    build: (body, o) => call(o, async (rest) => (await nodeReads()).build(context, body, rest)),
    prices: (id, currency, o) =>
      call(o, async (rest) => (await nodeReads()).prices(context, options, id, currency, rest)),
    swapPairs: (id, o) => call(o, async (rest) => (await swaps()).swapPairs(context, id, rest)),
    swapRates: (query, o) => call(o, async (rest) => (await swaps()).swapRates(context, query, rest)),
    createSwap: (body, o) => call(o, async (rest) => (await swaps()).createSwap(context, body, rest)),
    swapOutcome: (hash, of, o) =>
      call(o, async (rest) => (await swaps()).swapOutcome(context, hash, of, rest)),
    wallets: () => Promise.resolve(context.record.wallets()),
    wallet: (id, o) => call(o, async (rest) => (await nodeReads()).wallet(context, id, rest)),
    balance: (id, o) => call(o, async (rest) => (await nodeReads()).balance(context, id, rest)),
    tokenBalances: (id, o) => call(o, async (rest) => (await nodeReads()).tokenBalances(context, id, rest)),
    maxSpendable: (id, to, o) =>
      call(o, async (rest) => (await nodeReads()).maxSpendable(context, id, to, rest)),
    nonFungibles: (id, contracts, o) =>
      call(o, async (rest) => (await nodeReads()).nonFungibles(context, id, contracts, rest)),
    tokenBalance: (id, token, o) =>
      call(o, async (rest) => (await nodeReads()).tokenBalance(context, id, token, rest)),
    unlink: (id, o) => call(o, (rest) => unlink(context, id, rest)),
    pending: (take) => context.host.pending(take),
    onPending(listener) {
      context.pendingListeners.add(listener);
      return () => context.pendingListeners.delete(listener);
    },
    resume: (requestId, o) => call(o, (rest) => resume(context, requestId, rest)),
    onReplaced(listener) {
      context.replacedListeners.add(listener);
      return () => context.replacedListeners.delete(listener);
    },
    transactionStatus: (hash, secretType, o) =>
      call(o, async (rest) => (await nodeReads()).transactionStatus(context, hash, secretType, rest)),
    transactionUrl: (hash, id, o) =>
      call(o, async (rest) => (await swaps()).transactionUrl(context, hash, id, rest)),
    destroy() {
      context.ended.abort();
      context.host.destroy();
      context.record.destroy();
    },
    onWallets: (listener) => context.record.onWallets(listener),
    profile: (o) => call(o, async (rest) => (await nodeReads()).profile(context, options, rest)),
    preload: (secretType) =>
      call(undefined, async () =>
        secretType ? preload(context, secretType) : void (await loadOthers(context)).othersFor(context, {}),
      ),
    async openProvider(chain) {
      const { openProvider } = await import('../provider/provider.ts');
      const host: ProviderHost = {
        ...engine,
        rpc: (params) => context.host.read('rpc', params),
        // The provider names the type of its chain.
        signRaw: (params, o) => call(o, (rest) => sign(context, params as SignParams, rest)),
      };
      const { origin } = context.url;
      const { theme } = options;
      return openProvider({ host, chain, origin, theme, clock, ended: context.ended.signal });
    },
  };
  if (Object.keys(context.record.read().external).length) loadOthers(context).catch(() => {});
  return engine;
}
