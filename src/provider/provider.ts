/**
 * A linked wallet as an EIP-1193 provider. Each method is one of the calls that a page could make itself: the
 * wallet's approval is the same, whoever asked.
 */
import { NODE_METHODS } from '../channel/node-methods.ts';
import { Events } from './events.ts';
import { fieldsOf, hexOf, listOf, noMethod, textOf } from './params.ts';
import {
  getPermissions,
  requestAccounts,
  requestPermissions,
  revokePermissions,
  switchChain,
} from './permissions.ts';
import { CODE, invalidParam, ProviderRpcError, toRpcError } from './rpc-error.ts';
import { type ProviderSettings, Session } from './session.ts';
import { ecRecover, personalSign, SIGNATURES, signTypedData } from './signing.ts';
import { sendTransaction } from './transaction.ts';
import type { EthereumProvider, ProviderEvents, ProviderRequest } from './types.ts';

/** Few pages send calls in batches, add networks or tokens. */
const calls = () => import('./calls.ts');
const additions = () => import('./additions.ts');

const METHODS: Record<string, (session: Session, params: unknown) => Promise<unknown>> = {
  eth_accounts: (session) => session.accounts(),
  eth_requestAccounts: requestAccounts,
  eth_coinbase: async (session) => (await session.accounts())[0] ?? null,
  eth_chainId: async (session) => hexOf((await session.current()).chainId),
  net_version: async (session) => String((await session.current()).chainId),
  wallet_requestPermissions: requestPermissions,
  wallet_getPermissions: getPermissions,
  wallet_revokePermissions: revokePermissions,
  personal_sign: personalSign,
  personal_ecRecover: ecRecover,
  eth_signTypedData_v4: signTypedData,
  eth_sendTransaction: sendTransaction,
  wallet_switchEthereumChain: switchChain,
  wallet_addEthereumChain: async (...call) => (await additions()).addChain(...call),
  wallet_watchAsset: async (...call) => (await additions()).watchAsset(...call),
  wallet_getCapabilities: async (...call) => (await calls()).getCapabilities(...call),
  wallet_sendCalls: async (...call) => (await calls()).sendCalls(...call),
  wallet_getCallsStatus: async (...call) => (await calls()).getCallsStatus(...call),
  wallet_showCallsStatus: async (...call) => (await calls()).showCallsStatus(...call),
  // Clients try this if `eth_sendTransaction` failed: with this code they report the first failure.
  wallet_sendTransaction: () => Promise.reject(noMethod('wallet_sendTransaction', CODE.noMethod)),
};

/** Throws for a chain that has no providers. */
export function openProvider(settings: ProviderSettings): EthereumProvider {
  if (!Object.hasOwn(SIGNATURES, settings.chain)) throw invalidParam('chain', 'must be ETHEREUM or GOCHAIN');
  return new Provider(settings);
}

class Provider implements EthereumProvider {
  readonly #ended: AbortSignal;
  readonly #events: Events;
  readonly #session: Session;

  constructor(settings: ProviderSettings) {
    const { host, ended } = settings;
    this.#ended = ended;
    this.#events = new Events(ended);
    this.#session = new Session(settings, this.#events);
    const report = (): void => void this.#session.report().catch(() => {});
    ended.addEventListener('abort', host.onWallets(report));
    report();
  }

  async request(request: ProviderRequest): Promise<unknown> {
    if (this.#ended.aborted)
      throw new ProviderRpcError(CODE.disconnected, 'This connect was destroyed. Make a new one.');
    const fields = fieldsOf(request, 'the request');
    const method = textOf(fields['method'], 'method', 100);
    try {
      return await this.#answer(method, fields['params']);
    } catch (error) {
      throw toRpcError(error);
    }
  }

  on<E extends keyof ProviderEvents>(event: E, listener: (value: ProviderEvents[E]) => void): this {
    this.#events.on(event, listener);
    return this;
  }

  removeListener<E extends keyof ProviderEvents>(
    event: E,
    listener: (value: ProviderEvents[E]) => void,
  ): this {
    this.#events.off(event, listener);
    return this;
  }

  async #answer(method: string, params: unknown): Promise<unknown> {
    const session = this.#session;
    if (Object.hasOwn(METHODS, method)) return METHODS[method]!(session, params);
    if (!(NODE_METHODS as readonly string[]).includes(method)) throw noMethod(method);
    return session.networks.read(await session.current(), method, listOf(params ?? [], [], 0));
  }
}
