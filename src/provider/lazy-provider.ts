/** The part of a provider that a page needs before its first request. */
import { PROVIDER_MARK } from '../base/provider-mark.ts';
import type { EthereumProvider } from './types.ts';

/**
 * `open` is called at the first request. Listeners wait until the wallet's code is loaded for any reason:
 * `soon` calls back then. `rdns` marks it, except on a server.
 */
export function lazyProvider(
  open: () => Promise<EthereumProvider>,
  soon: (hear: () => void) => void,
  rdns: string | undefined,
): EthereumProvider {
  let opening: Promise<EthereumProvider> | undefined;
  const load = () =>
    (opening ??= open().catch(({ message, code }) => {
      opening = undefined;
      throw Object.assign(new Error(message), { code: 4900, data: { code } });
    }));
  const later =
    (name: 'on' | 'removeListener'): EthereumProvider['on'] =>
    (event, listener) => {
      soon(
        () =>
          void load().then(
            (it) => it[name](event, listener),
            () => {},
          ),
      );
      return provider;
    };
  const provider: EthereumProvider = {
    request: async (asked) => (await load()).request(asked),
    on: later('on'),
    removeListener: later('removeListener'),
  };
  return Object.defineProperty(provider, PROVIDER_MARK, { value: rdns });
}
