/** The networks that the service works on: those of its `networks.json`. */
import type { Chain, Node } from '../src/chains/chain.ts';
import { loadChain } from '../src/chains/index.ts';
import type { NetworkKind, Networks } from '../src/chains/network.ts';
import { networkOf, usableNetworks } from '../src/chains/networks.ts';
import type { SecretType } from '../src/chains/secret-type.ts';
import { ConnectError } from '../src/errors.ts';

/** A chain with the client of its network. */
export interface Reach {
  chain: Chain;
  node: Node;
}

const KEPT_MS = 60_000;

/** Service wallets are on the first network of their chain that has nodes. */
export class ServiceNetworks {
  /** A client remembers which of its nodes answers, and how. It is kept for a while only: a node that was away comes back. */
  readonly #clients = new Map<SecretType, { node: Node; until: number }>();

  constructor(readonly file: Networks) {}

  has(secretType: SecretType): boolean {
    return usableNetworks(this.file, secretType).length > 0;
  }

  /** What addresses are written for; without a network, those of the live one. */
  kindOf(secretType: SecretType): NetworkKind {
    return this.has(secretType) ? networkOf(this.file, { secretType }).kind : 'mainnet';
  }

  /** Throws `wallet.balance.not.supported.yet` where no node is configured. */
  async reach(secretType: SecretType): Promise<Reach> {
    const chain = await loadChain(secretType);
    if (!this.has(secretType))
      throw new ConnectError(
        'wallet.balance.not.supported.yet',
        `The service has no node for ${secretType}. Its operator adds one to networks.json.`,
        { secretType },
      );
    const kept = this.#clients.get(secretType);
    if (kept && Date.now() < kept.until) return { chain, node: kept.node };
    const node = chain.node(networkOf(this.file, { secretType }));
    this.#clients.set(secretType, { node, until: Date.now() + KEPT_MS });
    return { chain, node };
  }
}
