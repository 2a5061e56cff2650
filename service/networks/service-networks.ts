/** The networks of the service's `networks.json`. */
import type { Chain } from '../../src/chains/chain.ts';
import type { Node, NodeOptions } from '../../src/chains/terms.ts';
import { loadChain } from './chains.ts';
import { systemClock } from '../../src/base/clock.ts';
import type { Network, NetworkKind, Networks } from '../../src/chains/network.ts';
import { networkOf, usableNetworks } from '../../src/chains/nodes/networks.ts';
import type { SecretType } from '../../src/chains/secret-type.ts';
import { ConnectError } from '../../src/base/errors.ts';
import type { ThorchainEntry } from '../../src/swaps/cross-chain/thorchain/entry.ts';
import { ThorNodes } from '../../src/swaps/cross-chain/thorchain/nodes.ts';
import { crossChainOf } from '../../src/swaps/index.ts';
import { restingFetch } from './resting-nodes.ts';
import type { WalletRow } from '../database/schema.ts';

/** A chain and the client of one of its networks. */
export interface Reach {
  chain: Chain;
  node: Node;
}

const KEPT_MS = 60_000;
/** As JSON. What anybody puts into a block of Ethereum may fill ten MiB of it, which are written as twice as many. */
const LARGEST_BLOCK = 32 * 1024 * 1024;
const BLOCK_MS = 15_000;

/** A wallet names its network by its id in the file; without one it is on the chain's first network that has nodes. */
export class ServiceNetworks {
  /** A client remembers which of its nodes answer. It is cached only for a while, because a node that was down comes back. */
  readonly #clients = new Map<string, { node: Node; until: number }>();

  readonly #exchangeNodes = new Map<string, ThorNodes>();

  readonly #fetch = restingFetch((url) => this.#nodeOf(url));

  #file: Networks;

  constructor(file: Networks) {
    this.#file = file;
  }

  get file(): Networks {
    return this.#file;
  }

  /** Replaces the networks by the same ones with other tokens. */
  use(file: Networks): void {
    this.#file = file;
    this.#clients.clear();
  }

  /** Whether a wallet of the chain, on the network with this id, has a node. */
  has(secretType: SecretType, id: string | null = null): boolean {
    const usable = usableNetworks(this.file, secretType);
    return id === null ? usable.length > 0 : usable.some((network) => network.id === id);
  }

  /** The kind of network that addresses are written for; `mainnet` when the chain has no network here. Throws `chain.not-supported`. */
  kindOf(secretType: SecretType, id: string | null = null): NetworkKind {
    return this.has(secretType) ? this.#network(secretType, id).kind : 'mainnet';
  }

  /** Id of the network that a wallet is on; undefined when the service has none. */
  idOf({ secret_type: secretType, network }: Pick<WalletRow, 'secret_type' | 'network'>): string | undefined {
    return this.has(secretType, network) ? this.#network(secretType, network).id : undefined;
  }

  /** Throws `wallet.balance.not.supported.yet` when no node is configured. */
  async reach(secretType: SecretType, id: string | null = null): Promise<Reach> {
    const chain = await loadChain(secretType);
    if (!this.has(secretType, id))
      throw new ConnectError(
        'wallet.balance.not.supported.yet',
        `The service has no node for ${id === null ? secretType : `the network “${id}”`}. Its operator adds one to networks.json.`,
        { secretType, ...(id === null ? {} : { network: id }) },
      );
    return { chain, node: this.#client(chain, this.#network(secretType, id), {}) };
  }

  /** Exchanges between chains, of which there is none by default. */
  crossChain(): ReturnType<typeof crossChainOf> {
    return crossChainOf(this.file, { clock: systemClock, fetch: this.#fetch });
  }

  /** Its nodes, which remember who answers. */
  nodesOf(entry: ThorchainEntry): ThorNodes {
    const key = JSON.stringify(entry.nodes);
    const nodes =
      this.#exchangeNodes.get(key) ?? new ThorNodes(entry, { clock: systemClock, fetch: this.#fetch });
    this.#exchangeNodes.set(key, nodes);
    return nodes;
  }

  /** For whole blocks, which may be large. Throws as `reach` does. */
  async reachBlocks(secretType: SecretType, id: string): Promise<Node> {
    const { chain, node } = await this.reach(secretType, id);
    return this.#client(chain, node.network, { largest: LARGEST_BLOCK, timeout: BLOCK_MS });
  }

  #client(chain: Chain, network: Network, options: Pick<NodeOptions, 'largest' | 'timeout'>): Node {
    const key = JSON.stringify([network.id, options]);
    const kept = this.#clients.get(key);
    if (kept && Date.now() < kept.until) return kept.node;
    const node = chain.node(network, { ...options, fetch: this.#fetch });
    this.#clients.set(key, { node, until: Date.now() + KEPT_MS });
    return node;
  }

  /** The node's URL in `networks.json`; of an exchange between chains, its origin. */
  #nodeOf(url: string): string {
    const nodes = this.#file.networks.flatMap((network) => network.nodes);
    return nodes.find((node) => url.startsWith(node)) ?? new URL(url).origin;
  }

  #network(secretType: SecretType, id: string | null): Network {
    return networkOf(this.file, { secretType, ...(id === null ? {} : { network: id }) });
  }
}
