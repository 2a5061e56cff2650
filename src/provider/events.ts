/** What a provider reports to the page: changes of its network and accounts, and whether nodes answer. */
import { CODE, ProviderRpcError } from './rpc-error.ts';
import type { ProviderEvents } from './types.ts';

export class Events {
  readonly #listeners = new Map<string, Set<(value: never) => void>>();
  readonly #ended: AbortSignal;
  /** The last report. */
  #reported: { chainId: string; accounts: string } | undefined;
  /** False after no node has answered. */
  #isConnected = true;

  /** `ended`: aborted by `connect.destroy()`. */
  constructor(ended: AbortSignal) {
    this.#ended = ended;
    ended.addEventListener('abort', () =>
      this.#emit('disconnect', new ProviderRpcError(CODE.disconnected, 'The page ended its connect.')),
    );
  }

  on<E extends keyof ProviderEvents>(event: E, listener: (value: ProviderEvents[E]) => void): void {
    this.#listeners.set(event, (this.#listeners.get(event) ?? new Set()).add(listener));
  }

  off<E extends keyof ProviderEvents>(event: E, listener: (value: ProviderEvents[E]) => void): void {
    this.#listeners.get(event)?.delete(listener);
  }

  /** Reports what has changed since the last report: the network before its accounts. */
  report(chainId: string, accounts: string[]): void {
    const now = { chainId, accounts: accounts.join() };
    const before = this.#reported;
    this.#reported = now;
    // The initial state is not a change: wagmi would connect by itself.
    if (!before) return;
    if (before.chainId !== now.chainId) this.#emit('chainChanged', chainId);
    if (!before.accounts && now.accounts) this.#emit('connect', { chainId });
    if (before.accounts !== now.accounts) this.#emit('accountsChanged', accounts);
  }

  connected(chainId: string): void {
    if (this.#isConnected || this.#ended.aborted) return;
    this.#isConnected = true;
    this.#emit('connect', { chainId });
  }

  /** With the code for "try again later", after which clients keep the accounts. */
  disconnected(): void {
    if (!this.#isConnected) return;
    this.#isConnected = false;
    this.#emit('disconnect', new ProviderRpcError(1013, 'No node of the network answers.'));
  }

  /** A throwing listener is not our problem. */
  #emit<E extends keyof ProviderEvents>(event: E, value: ProviderEvents[E]): void {
    for (const listener of this.#listeners.get(event) ?? []) queueMicrotask(() => listener(value as never));
  }
}
