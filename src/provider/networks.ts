/** The networks of a provider's chain, which of them the page has switched to, and reads from their nodes. */
import type { NetworkKind } from '../chains/network.ts';
import type { ChainNetworks, NODE_METHODS } from '../channel/node-methods.ts';
import type { Events } from './events.ts';
import { hexOf } from './params.ts';
import { CODE, ProviderRpcError, toRpcError } from './rpc-error.ts';
import type { Store } from './store.ts';
import type { CustomNode } from './transaction.ts';
import type { ProviderChain, ProviderHost } from './types.ts';

export interface EvmNetwork {
  id: string;
  chainId: number;
  name: string;
  /** Absent if the page named the node. */
  kind?: NetworkKind;
  /** Set if the page named the node. */
  custom?: CustomNode;
}

export class Networks {
  /** The wallet's own. */
  #listed: Promise<ChainNetworks> | undefined;
  /** Those that the page added: for this page alone, and only while it lives. */
  readonly #added: EvmNetwork[] = [];
  /** Id of the network that the page switched to. */
  #chosen: string | undefined;

  constructor(
    private readonly chain: ProviderChain,
    private readonly host: Pick<ProviderHost, 'rpc'>,
    private readonly store: Store,
    private readonly events: Events,
  ) {
    this.#chosen = store.read().network;
  }

  get chosen(): string | undefined {
    return this.#chosen;
  }

  listed(): Promise<ChainNetworks> {
    return (this.#listed ??= this.#list().catch((error: unknown) => {
      this.#listed = undefined;
      throw toRpcError(error);
    }));
  }

  async all(): Promise<EvmNetwork[]> {
    return [...(await this.listed()).networks, ...this.#added];
  }

  async byChainId(chainId: number): Promise<EvmNetwork | undefined> {
    return (await this.all()).find((network) => network.chainId === chainId);
  }

  add(custom: CustomNode): void {
    this.#added.push({ id: `custom ${custom.chainId}`, chainId: custom.chainId, name: custom.name, custom });
  }

  /** Whether the user need not be asked: both hold real money, and the page has used both. */
  isUsual(from: EvmNetwork, to: EvmNetwork): boolean {
    const { used } = this.store.read();
    return from.kind === 'mainnet' && to.kind === 'mainnet' && used.includes(to.id);
  }

  /** The user has agreed to them. */
  noteUsed(...networks: readonly EvmNetwork[]): void {
    this.store.change((contents) => {
      const mainnets = networks.flatMap(({ id, kind }) => (kind === 'mainnet' ? id : []));
      contents.used = [...new Set([...contents.used, ...mainnets])];
    });
  }

  choose({ id, custom }: EvmNetwork): void {
    this.#chosen = id;
    this.store.change((contents) => {
      if (!custom) contents.network = id;
    });
  }

  /** Asks the network's nodes. */
  async read(
    { id, chainId, custom }: EvmNetwork,
    method: string,
    params: readonly unknown[],
  ): Promise<unknown> {
    try {
      const answer = await this.host.rpc({
        secretType: this.chain,
        ...(custom ? { custom } : { network: id }),
        method: method as (typeof NODE_METHODS)[number],
        params: [...params],
      });
      this.events.connected(hexOf(chainId));
      return resultOf(answer);
    } catch (error) {
      const failure = toRpcError(error, (path) => path.replace(/^params\.(\d+)/, 'params[$1]'));
      if (failure.code === CODE.chainDisconnected) this.events.disconnected();
      throw failure;
    }
  }

  async #list(): Promise<ChainNetworks> {
    const answer = await this.host.rpc({ secretType: this.chain, method: 'carabiner_networks', params: [] });
    const listed = resultOf(answer) as ChainNetworks;
    if (listed.networks.length) return listed;
    throw new ProviderRpcError(CODE.unsupported, `This wallet has no node for ${this.chain}.`);
  }
}

function resultOf(answer: Awaited<ReturnType<ProviderHost['rpc']>>): unknown {
  if ('result' in answer) return answer.result;
  const { code, message, data } = answer.error;
  throw new ProviderRpcError(code, message, data);
}
