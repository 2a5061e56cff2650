/**
 * Addresses that sessions were given after the back-up are not in the database: given again, one of two customers would pay for the other.
 * So every receiving key goes on beyond them.
 */
import { restOf } from '../../../src/chains/nodes/rest.ts';
import type { Database } from '../../database/database.ts';
import type { ReceivingKeyRow } from '../../database/schema.ts';
import type { KeyProvider } from '../../keys/key-provider.ts';
import type { ServiceNetworks } from '../../networks/service-networks.ts';
import type { MovedKey } from '../../restored/accept.ts';
import { deriveAddress } from './derive-addresses.ts';
import { openKey } from './sealed-keys.ts';

/** Addresses after the last one that is known to be used that sessions may have been given, and not paid. */
export const SKIPPED = 20;
/** The chain is searched until so many addresses in a row were never paid. */
const LOOK_AHEAD = 100;

/** Asks nodes, and changes nothing. Retired keys, too: they may be set again. */
export async function moveKeys(
  db: Database,
  keys: KeyProvider,
  networks: ServiceNetworks,
): Promise<MovedKey[]> {
  const rows = await db.selectFrom('receiving_keys').selectAll().orderBy('id').execute();
  const moved: MovedKey[] = [];
  for (const row of rows) {
    const { id, network, next_index: next, paid_index: paid } = row;
    const key = { id, network };
    try {
      const last = await lastUsed(row, keys, networks);
      moved.push({ ...key, next: Math.max(next, (last ?? -1) + 1) + SKIPPED, paid: last ?? paid });
    } catch (error) {
      moved.push({ ...key, next: next + SKIPPED, paid, why: (error as Error).message });
    }
  }
  return moved;
}

/** The highest index from the next one on whose address has a transaction; undefined: none. */
async function lastUsed(
  row: ReceivingKeyRow,
  keys: KeyProvider,
  networks: ServiceNetworks,
): Promise<number | undefined> {
  const network = networks.file.networks.find(({ id }) => id === row.network);
  if (!network) throw new Error(`${row.network} is not in networks.json any more.`);
  const key = await openKey(keys, row);
  const rest = restOf(await networks.reachBlocks(row.secret_type, network.id));
  let last: number | undefined;
  for (let index = row.next_index; index < (last ?? row.next_index - 1) + 1 + LOOK_AHEAD; index++) {
    const { address } = deriveAddress(key, index, { secretType: row.secret_type, kind: network.kind });
    const transactions = await rest.get<unknown[]>(`/address/${address}/txs`);
    if (transactions.length > 0) last = index;
  }
  return last;
}
