/** `carabiner/wagmi`: a connector for wagmi 3. It imports only types from wagmi, so it adds none of wagmi's code to the page. */
import type { CreateConnectorFn } from '@wagmi/core';
import { PROVIDER_MARK } from './base/provider-mark.ts';
import type { EthereumProvider, ProviderChain } from './provider/types.ts';

export interface CarabinerParameters {
  /** The result of `createConnect`, or the `connect` of `connect.js`. */
  connect: { provider(options: { chain?: ProviderChain }): EthereumProvider };
  chain?: ProviderChain;
  /** As a list of wallets shows it. */
  name?: string;
  /** Its picture: a URL or a `data:` URI. */
  icon?: string;
  /** Of the wallet as the page announces it (EIP-6963), which wagmi then lists once. Default: that of `connect`. */
  rdns?: string;
}

type Address = `0x${string}`;
type Switch = NonNullable<ReturnType<CreateConnectorFn>['switchChain']>;

/**
 * ```ts
 * const config = createConfig({ chains: [mainnet], connectors: [carabiner({ connect })], transports: { [mainnet.id]: http() } });
 * ```
 *
 * Wallets that are already linked connect without opening the wallet. Disconnecting leaves them linked, because other parts of the page
 * may use them; `connect.unlink()` unlinks them.
 */
export function carabiner(parameters: CarabinerParameters): CreateConnectorFn<EthereumProvider> {
  const { connect, chain = 'ETHEREUM', name = 'Carabiner', icon } = parameters;
  const id = chain === 'GOCHAIN' ? 'carabiner.gochain' : 'carabiner';

  return ({ chains, emitter, storage }) => {
    const provider: EthereumProvider & { [PROVIDER_MARK]?: string } = connect.provider({ chain });
    const { rdns = provider[PROVIDER_MARK] } = parameters;
    let listens = false;

    const getAccounts = async (): Promise<Address[]> => provider.request({ method: 'eth_accounts' });
    const getChainId = async (): Promise<number> => Number(await provider.request({ method: 'eth_chainId' }));

    function onAccountsChanged(accounts: string[]): void {
      if (accounts.length) emitter.emit('change', { accounts: accounts as Address[] });
      else onDisconnect();
    }
    function onChainChanged(chainId: string): void {
      emitter.emit('change', { chainId: Number(chainId) });
    }
    function onDisconnect(error?: Error & { code?: number }): void {
      // No node answers: the wallet is still there.
      if (error?.code === 1013) return;
      listen(false);
      emitter.emit('disconnect');
    }
    function listen(on: boolean): void {
      if (on === listens) return;
      listens = on;
      const set = on ? provider.on : provider.removeListener;
      set('accountsChanged', onAccountsChanged);
      set('chainChanged', onChainChanged);
      set('disconnect', onDisconnect);
    }

    const switchChain: Switch = async ({ chainId, addEthereumChainParameter }) => {
      const found = chains.find((each) => each.id === chainId);
      if (!found) throw new Error(`The chain ${chainId} is not in wagmi's config.`);
      const hex = `0x${chainId.toString(16)}`;
      const go = () => provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: hex }] });
      await go().catch(async (error: { code?: number }) => {
        if (error.code !== 4902) throw error;
        const { name: chainName, nativeCurrency, rpcUrls } = found;
        const urls = rpcUrls.default.http.slice(0, 1);
        const added = {
          chainName,
          nativeCurrency,
          rpcUrls: urls,
          ...addEthereumChainParameter,
          chainId: hex,
        };
        await provider.request({ method: 'wallet_addEthereumChain', params: [added] });
        await go();
      });
      emitter.emit('change', { chainId });
      return found;
    };

    return {
      id,
      name,
      icon,
      rdns,
      type: 'carabiner',
      async connect({ chainId, isReconnecting, withCapabilities } = {}) {
        const accounts: Address[] = isReconnecting
          ? await getAccounts()
          : await provider.request({ method: 'eth_requestAccounts' });
        let current = await getChainId();
        if (chainId !== undefined && chainId !== current) {
          await switchChain({ chainId });
          current = chainId;
        }
        listen(true);
        await storage?.removeItem(`${id}.disconnected`);
        const shown = chainId === undefined ? accounts : await getAccounts();
        return {
          accounts: (withCapabilities
            ? shown.map((address) => ({ address, capabilities: {} }))
            : shown) as never,
          chainId: current,
        };
      },
      async disconnect() {
        listen(false);
        await storage?.setItem(`${id}.disconnected`, true);
      },
      getAccounts,
      getChainId,
      getProvider: async () => provider,
      async isAuthorized() {
        if (await storage?.getItem(`${id}.disconnected`)) return false;
        return (await getAccounts()).length > 0;
      },
      switchChain,
      onAccountsChanged,
      onChainChanged,
      onDisconnect,
    };
  };
}
