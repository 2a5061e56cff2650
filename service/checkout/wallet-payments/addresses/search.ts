/** Looks again at a session's own address, whose blocks are not searched any more. */
import { ConnectError } from '../../../../src/base/errors.ts';
import type { Node } from '../../../../src/chains/terms.ts';
import { nonsense } from '../../../../src/chains/nodes/http.ts';
import type { Database } from '../../../database/database.ts';
import type { CursorRow, PaymentAddressRow, SessionRow } from '../../../database/schema.ts';
import type { Service } from '../../../service.ts';
import { outputReaderOf } from '../chains/reader-of.ts';
import type { OutputReader } from '../chains/utxo-reader.ts';
import { openCursor } from '../cursors.ts';
import type { WalletPaymentSettings } from '../wallet-payment-settings.ts';
import { recordOutputs } from './record-outputs.ts';

type Searching = Pick<Service, 'db' | 'networks'> & { settings: WalletPaymentSettings };

/** From here on the address is searched for again for some days. Throws `request.not-found`, `node.unreachable`. */
export async function searchAgain({ db, networks, settings }: Searching, session: SessionRow): Promise<void> {
  const addresses = await db
    .selectFrom('payment_addresses as address')
    .innerJoin('receiving_keys as key', 'key.id', 'address.key_id')
    .selectAll('address')
    .select('key.secret_type')
    .where('address.session_id', '=', session.id)
    .execute();
  if (addresses.length === 0)
    throw new ConnectError('request.not-found', 'The session has no address of its own.');
  for (const { secret_type, ...address } of addresses) {
    const reader = outputReaderOf(secret_type)!;
    const node = await networks.reachBlocks(secret_type, address.network);
    const head = await reader.readBlock(node, 'latest');
    if (!head) throw nonsense('the newest block');
    const until = new Date(Date.now() + settings.watchMs);
    await db
      .updateTable('payment_addresses')
      .set((is) => ({ watched_until: is.fn('greatest', ['watched_until', is.val(until)]) }))
      .where('key_id', '=', address.key_id)
      .where('address_index', '=', address.address_index)
      .execute();
    const cursor = await laneOf(db, address.network);
    // Until it is there, what comes now is in no block that will be read.
    await openCursor(db, { network: address.network, token_address: '', secret_type }, head);
    await recordPast({ db, node, reader, settings }, address, cursor);
  }
}

/** Undefined while no block is read. */
async function laneOf(db: Database, network: string): Promise<CursorRow | undefined> {
  return db
    .selectFrom('wallet_lanes')
    .selectAll()
    .where('network', '=', network)
    .where('token_address', '=', '')
    .where('next_look_at', 'is not', null)
    .executeTakeFirst();
}

interface Past {
  db: Database;
  node: Node;
  reader: OutputReader;
  settings: WalletPaymentSettings;
}

/** The node only names blocks: what counts is what is in them. */
async function recordPast(
  { db, node, reader, settings }: Past,
  address: PaymentAddressRow,
  cursor: CursorRow | undefined,
): Promise<void> {
  const readUntil = cursor?.read_until.getTime() ?? Date.now();
  const numbers = await reader.blocksWith(node, address.address);
  for (const number of numbers.sort((a, b) => a - b)) {
    const contents = await reader.blockOutputs(node, number);
    if (!contents) continue;
    const { block, outputs } = contents;
    const transfers = reader.transfersOf(node, block, outputs, address);
    await recordOutputs(db, address, { block, readUntil, clockMs: reader.clockMs }, transfers, settings);
  }
}
