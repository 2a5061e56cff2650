/** Compares the wallets of a restored database with what the chains have had since the back-up. */
import { draftFromJson } from '../../src/api/draft-json.ts';
import { ConnectError } from '../../src/base/errors.ts';
import type { Claims } from '../../src/chains/approval/claims.ts';
import type { Network } from '../../src/chains/network.ts';
import { networksOf, usableNetworks } from '../../src/chains/nodes/networks.ts';
import { CHAIN_NAMES, type SecretType } from '../../src/chains/secret-type.ts';
import type { Database } from '../database/database.ts';
import type { ServiceNetworks } from '../networks/service-networks.ts';
import { compareAeternity } from './chains/aeternity.ts';
import { compareEvm } from './chains/evm.ts';
import { compareTron } from './chains/tron.ts';
import { compareUtxo } from './chains/utxo.ts';
import { compareVechain } from './chains/vechain.ts';
import type { Compare, Comparer, KnownTransaction, Missing } from './missing.ts';

/** On a chain without one, nothing is known of what is missing. */
const COMPARERS: Readonly<Partial<Record<SecretType, Comparer>>> = {
  AETERNITY: compareAeternity,
  BITCOIN: compareUtxo,
  ETHEREUM: compareEvm,
  GOCHAIN: compareEvm,
  LITECOIN: compareUtxo,
  TRON: compareTron,
  VECHAIN: compareVechain,
};

const PAGE = 500;
const AT_ONCE = 8;

export interface Difference extends Missing {
  walletId: string;
  ownerId: string;
  address: string;
  secretType: SecretType;
  /** Its id. */
  network: string;
}

export interface Comparison {
  /** How many wallets, each on all of its networks. */
  wallets: number;
  /** Wallets on networks where something is missing, or where that is not known. */
  differences: Difference[];
}

type ComparedWallet = Awaited<ReturnType<typeof readWallets>>[number];

/** Asks nodes, and changes nothing. A network that does not answer is one where nothing is known. */
export async function compareWithChains(
  db: Database,
  networks: ServiceNetworks,
  backupAt: Date,
): Promise<Comparison> {
  const byNetwork = new Map<string, Promise<Compare>>();
  const comparerOn = (network: Network): Promise<Compare> => {
    const comparer = byNetwork.get(network.id) ?? openOn(networks, network, backupAt);
    byNetwork.set(network.id, comparer);
    return comparer;
  };
  const comparison: Comparison = { wallets: 0, differences: [] };
  for (let after = ''; ; ) {
    const wallets = await readWallets(db, after);
    if (wallets.length === 0) return comparison;
    comparison.wallets += wallets.length;
    after = wallets.at(-1)!.id;
    for (let at = 0; at < wallets.length; at += AT_ONCE) {
      const some = wallets.slice(at, at + AT_ONCE);
      const all = await Promise.all(some.map((wallet) => compareWallet(db, networks, wallet, comparerOn)));
      comparison.differences.push(...all.flat());
    }
  }
}

function readWallets(db: Database, after: string) {
  return db
    .selectFrom('wallets')
    .select(['id', 'owner_id', 'address', 'secret_type', 'network'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(PAGE)
    .execute();
}

async function openOn(
  networks: ServiceNetworks,
  { id, secretType }: Network,
  backupAt: Date,
): Promise<Compare> {
  const comparer = COMPARERS[secretType];
  if (!comparer) {
    const message = `Transactions of ${CHAIN_NAMES[secretType]} cannot be compared with a back-up.`;
    throw new ConnectError('chain.not-supported', message, { secretType });
  }
  return comparer(await networks.reachBlocks(secretType, id), backupAt.getTime());
}

async function compareWallet(
  db: Database,
  { file }: ServiceNetworks,
  wallet: ComparedWallet,
  comparerOn: (network: Network) => Promise<Compare>,
): Promise<Difference[]> {
  const { id: walletId, owner_id: ownerId, address, secret_type: secretType } = wallet;
  const home = { secretType, network: wallet.network ?? undefined };
  const differences: Difference[] = [];
  for (const network of networksOf(file, home)) {
    const same = usableNetworks(file, secretType).filter((one) => isSame(one, network));
    const missing = await compareOn(db, wallet, same, () => comparerOn(network));
    if (missing.count !== 0)
      differences.push({ ...missing, walletId, ownerId, address, secretType, network: network.id });
  }
  return differences;
}

/** Two entries of `networks.json` may be one network. */
function isSame(a: Network, b: Network): boolean {
  const [one, other] = [a.chainId ?? a.genesis, b.chainId ?? b.genesis];
  return a.id === b.id || (one !== undefined && one === other);
}

async function compareOn(
  db: Database,
  { id, address }: ComparedWallet,
  same: readonly Network[],
  open: () => Promise<Compare>,
): Promise<Missing> {
  try {
    const compare = await open();
    return await compare(address, await knownOf(db, id, same));
  } catch (error) {
    return { count: null, transactions: [], why: (error as Error).message };
  }
}

async function knownOf(
  db: Database,
  walletId: string,
  same: readonly Network[],
): Promise<KnownTransaction[]> {
  const rows = await db
    .selectFrom('transactions')
    .select(['hash', 'state', 'claims'])
    .where('wallet_id', '=', walletId)
    .where('network', 'in', [...same.map(({ id }) => id), 'custom'])
    .execute();
  return rows.map(({ claims, ...row }) => ({ ...row, claims: draftFromJson(claims) as Claims }));
}
