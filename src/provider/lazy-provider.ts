/** As much of a provider as a page needs before it is asked for something. */
import type { Emit, EthereumProvider, ProviderRequest } from './types.ts';

export interface OpenProvider {
  request(asked: ProviderRequest): Promise<unknown>;
}

/** `open` is called at the first request; `soon` calls back once there may be something to hear. */
export function lazyProvider(
  open: (emit: Emit) => Promise<OpenProvider>,
  soon: (start: () => void) => void,
): EthereumProvider {
  const listeners: Record<string, Set<(value: never) => void>> = Object.create(null);
  let opened: Promise<OpenProvider> | undefined;
  const emit: Emit = (event, value) => {
    for (const listener of listeners[event] ?? []) queueMicrotask(() => listener(value as never));
  };
  const load = () =>
    (opened ??= open(emit).catch((cause: Error & { code?: string }) => {
      opened = undefined;
      throw Object.assign(new Error(cause.message, { cause }), { code: 4900, data: { code: cause.code } });
    }));
  const provider: EthereumProvider = {
    request: async (asked) => (await load()).request(asked),
    on(event, listener) {
      if (!Object.keys(listeners).length) soon(() => void load().catch(() => {}));
      (listeners[event] ??= new Set()).add(listener);
      return provider;
    },
    removeListener(event, listener) {
      listeners[event]?.delete(listener);
      return provider;
    },
  };
  return provider;
}
