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
type MarkedProvider = EthereumProvider & { [PROVIDER_MARK]?: string };
type Config = Parameters<CreateConnectorFn<EthereumProvider>>[0];
type Chain = Config['chains'][number];
type Wagmi = ReturnType<CreateConnectorFn<EthereumProvider>>;
type SwitchOptions = Parameters<NonNullable<Wagmi['switchChain']>>[0];
/** Of `connect`, whose own type depends on `withCapabilities`. */
interface ConnectOptions {
  chainId?: number | undefined;
  isReconnecting?: boolean | undefined;
  withCapabilities?: boolean | undefined;
}

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

  return (config) => {
    const provider: MarkedProvider = connect.provider({ chain });
    const connector = new Connector(id, provider, config);
    return {
      id,
      name,
      icon,
      rdns: parameters.rdns ?? provider[PROVIDER_MARK],
      type: 'carabiner',
      connect: (options) => connector.connect(options) as never,
      disconnect: () => connector.disconnect(),
      getAccounts: () => connector.accounts(),
      getChainId: () => connector.chainId(),
      getProvider: async () => provider,
      isAuthorized: () => connector.isAuthorized(),
      switchChain: (options) => connector.switchChain(options),
      onAccountsChanged: connector.onAccountsChanged,
      onChainChanged: connector.onChainChanged,
      onDisconnect: connector.onDisconnect,
    };
  };
}

class Connector {
  readonly #id: string;
  readonly #provider: EthereumProvider;
  readonly #config: Config;
  #isListening = false;

  constructor(id: string, provider: EthereumProvider, config: Config) {
    this.#id = id;
    this.#provider = provider;
    this.#config = config;
  }

  async connect({ chainId, isReconnecting, withCapabilities }: ConnectOptions = {}): Promise<unknown> {
    const accounts: Address[] = isReconnecting
      ? await this.accounts()
      : await this.#provider.request({ method: 'eth_requestAccounts' });
    let current = await this.chainId();
    if (chainId !== undefined && chainId !== current) {
      await this.switchChain({ chainId });
      current = chainId;
    }
    this.#listen(true);
    await this.#config.storage?.removeItem(`${this.#id}.disconnected`);
    const addresses = chainId === undefined ? accounts : await this.accounts();
    return {
      accounts: withCapabilities ? addresses.map((address) => ({ address, capabilities: {} })) : addresses,
      chainId: current,
    };
  }

  async disconnect(): Promise<void> {
    this.#listen(false);
    await this.#config.storage?.setItem(`${this.#id}.disconnected`, true);
  }

  async isAuthorized(): Promise<boolean> {
    if (await this.#config.storage?.getItem(`${this.#id}.disconnected`)) return false;
    return (await this.accounts()).length > 0;
  }

  async accounts(): Promise<Address[]> {
    return this.#provider.request({ method: 'eth_accounts' });
  }

  async chainId(): Promise<number> {
    return Number(await this.#provider.request({ method: 'eth_chainId' }));
  }

  async switchChain({ chainId, addEthereumChainParameter }: SwitchOptions): Promise<Chain> {
    const chain = this.#config.chains.find((each) => each.id === chainId);
    if (!chain) throw new Error(`The chain ${chainId} is not in wagmi's config.`);
    const hex = `0x${chainId.toString(16)}`;
    const go = () =>
      this.#provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: hex }] });
    await go().catch(async (error: { code?: number }) => {
      if (error.code !== 4902) throw error;
      await this.#addChain(chain, { ...addEthereumChainParameter, chainId: hex });
      await go();
    });
    this.#config.emitter.emit('change', { chainId });
    return chain;
  }

  async #addChain({ name, nativeCurrency, rpcUrls }: Chain, own: object): Promise<void> {
    const usual = { chainName: name, nativeCurrency, rpcUrls: rpcUrls.default.http.slice(0, 1) };
    await this.#provider.request({ method: 'wallet_addEthereumChain', params: [{ ...usual, ...own }] });
  }

  #listen(on: boolean): void {
    if (on === this.#isListening) return;
    this.#isListening = on;
    const set = on ? this.#provider.on : this.#provider.removeListener;
    set('accountsChanged', this.onAccountsChanged);
    set('chainChanged', this.onChainChanged);
    set('disconnect', this.onDisconnect);
  }

  readonly onAccountsChanged = (accounts: string[]): void => {
    if (accounts.length) this.#config.emitter.emit('change', { accounts: accounts as Address[] });
    else this.onDisconnect();
  };

  readonly onChainChanged = (chainId: string): void => {
    this.#config.emitter.emit('change', { chainId: Number(chainId) });
  };

  readonly onDisconnect = (error?: Error & { code?: number }): void => {
    // No node answers: the wallet is still there.
    if (error?.code === 1013) return;
    this.#listen(false);
    this.#config.emitter.emit('disconnect');
  };
}
