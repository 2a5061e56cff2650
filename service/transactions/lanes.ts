/**
 * What a wallet signs on one network is signed one after the other; what it signs on another does not wait for that, and shares neither
 * nonces nor coins with it. A lane is a wallet on a network. Two entries of `networks.json` may be the same network, and a node that a
 * request names may be of any: they are told apart by their chain id, or their genesis.
 */
import type { JsonRpc } from '../../src/chains/evm/json-rpc.ts';
import type { Network } from '../../src/chains/network.ts';
import { isCustom } from '../../src/chains/nodes/networks.ts';
import type { SecretType } from '../../src/chains/secret-type.ts';
import type { Node } from '../../src/chains/terms.ts';
import type { Database } from '../database/database.ts';
import type { WalletRow } from '../database/schema.ts';
import type { ServiceNetworks } from '../networks/service-networks.ts';
import type { StoredTransaction } from './journal.ts';

type LaneWallet = Pick<WalletRow, 'id' | 'secret_type' | 'network'>;

export interface Lane {
  /** Of the lock. */
  id: string;
  /** The ids under which its transactions are stored, but for those that went to a node of a request. */
  networks: readonly string[];
}

/** `network`: its id, or `custom` with the chain id that its node has. */
export function laneOf(
  networks: ServiceNetworks,
  wallet: LaneWallet,
  { network, chainId }: { network: string; chainId: number | undefined },
): Lane {
  const all = networks.file.networks;
  const named = all.find(({ id }) => id === network);
  const same = all
    .filter((one) => one.secretType === wallet.secret_type)
    .filter((one) => (named ? isSame(one, named) : one.chainId !== undefined && one.chainId === chainId))
    .map(({ id }) => id);
  const ids = same.length > 0 ? same : [network];
  const own = networks.idOf(wallet);
  // On its default network a wallet has the lock that releases with one lock for each wallet take.
  const isOwn = own !== undefined && ids.includes(own);
  return { id: isOwn ? wallet.id : `${wallet.id} ${ids[0]}`, networks: ids };
}

function isSame(a: Network, b: Network): boolean {
  const [one, other] = [a.chainId ?? a.genesis, b.chainId ?? b.genesis];
  return a === b || (one !== undefined && one === other);
}

/** The lane of what is about to be signed. Asks a node that a request names for its chain id, if the request does not say. */
export async function laneOn(networks: ServiceNetworks, wallet: LaneWallet, node: Node): Promise<Lane> {
  const { network } = node;
  const isUnknown = isCustom(network) && network.chainId === undefined;
  const chainId = isUnknown ? Number(await (node as JsonRpc).call('eth_chainId')) : network.chainId;
  return laneOf(networks, wallet, { network: network.id, chainId });
}

/** The lane of what was signed. */
export async function laneOfEntry(
  db: Database,
  networks: ServiceNetworks,
  { wallet_id, network, claims }: Pick<StoredTransaction, 'wallet_id' | 'network' | 'claims'>,
): Promise<Lane> {
  const wallet: { id: string; secret_type: SecretType; network: string | null } = await db
    .selectFrom('wallets')
    .select(['id', 'secret_type', 'network'])
    .where('id', '=', wallet_id)
    .executeTakeFirstOrThrow();
  return laneOf(networks, wallet, { network, chainId: claims.chainId });
}
