/** What the service signed for a wallet, and what arrived there, page by page. */
import type {
  HistoryEntry,
  HistoryQuery,
  TransactionDetails,
  TransactionQuery,
} from '../../src/api/history.ts';
import { ConnectError } from '../../src/base/errors.ts';
import { type Page, readPage } from '../http/paging.ts';
import type { Principal } from '../http/principal.ts';
import type { Service } from '../service.ts';
import { visibleTo } from '../wallets/stored-wallets.ts';
import { arrivedIn, entryAnswer, sentIn } from './history-entry.ts';
import { entryOf, STATES, statesOf } from './journal.ts';
import { hashOf, stateOf } from './status.ts';

/** A page of a wallet's history, newest first. */
export async function historyPage(
  { db, networks }: Pick<Service, 'db' | 'networks'>,
  walletId: string,
  { direction = 'out', status, network, createdAfter, ...page }: HistoryQuery,
): Promise<Page<HistoryEntry>> {
  const order = { at: 'created_at', id: 'id', first: 'newest' } as const;
  const listed =
    direction === 'out'
      ? sentIn(db)
      : direction === 'in'
        ? arrivedIn(db)
        : sentIn(db).unionAll(arrivedIn(db));
  let entries = db.selectFrom(listed.as('entries')).selectAll().where('wallet_id', '=', walletId);
  if (status !== undefined) entries = entries.where('state', 'in', statesOf(status));
  if (network !== undefined) entries = entries.where('network', '=', network);
  if (createdAfter !== undefined) entries = entries.where('created_at', '>', new Date(createdAfter));
  const filters = [direction === 'out' ? undefined : direction, status, createdAfter];
  const list = ['transactions', walletId, ...filters.filter((each) => each !== undefined)];
  if (network !== undefined) list.push(`on ${network}`);
  const { rows, next } = await readPage(list, page, entries, order);
  return { rows: rows.map((row) => entryAnswer(row, networks.file.networks)), next };
}

/** Throws `request.invalid` at `hash`, and `request.not-found`. */
export async function readDetails(
  service: Pick<Service, 'db' | 'networks' | 'outbound' | 'events' | 'restored'>,
  principal: Principal,
  { secretType, network }: TransactionQuery,
  hashText: string,
): Promise<TransactionDetails> {
  const { db, networks } = service;
  const hash = hashOf(secretType, hashText);
  const visible = visibleTo(db, principal).clearSelect().select('wallets.id');
  const find = () =>
    db
      .selectFrom(sentIn(db).unionAll(arrivedIn(db)).as('entries'))
      .selectAll()
      .where('hash', '=', hash)
      .where('secret_type', '=', secretType)
      .$if(network !== undefined, (query) => query.where('network', '=', network!))
      .where('wallet_id', 'in', visible)
      .orderBy('direction', 'desc')
      // The same bytes may have been refused earlier.
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .execute();
  const rows = await find();
  const [first] = rows;
  if (!first)
    throw new ConnectError(
      'request.not-found',
      'None of your wallets has signed a transaction of this hash here, and none is known to have received anything with it.',
    );
  const now = first.direction === 'out' ? await lookAt(service, first.id) : undefined;
  const entries = (await find()).map((row) => ({
    ...entryAnswer(row, networks.file.networks),
    walletId: row.wallet_id,
  }));
  const { status, mined } = now ?? { status: STATES[first.state], mined: null };
  return { transactionHash: hash, secretType, status, mined, entries };
}

async function lookAt(
  service: Pick<Service, 'db' | 'networks' | 'outbound' | 'events' | 'restored'>,
  id: string,
) {
  const row = await service.db
    .selectFrom('transactions')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return stateOf(service, entryOf(row));
}
