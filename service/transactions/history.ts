/** What the service signed for a wallet, and what arrived there, page by page. */
import { sql } from 'kysely';
import type { HistoryEntry, HistoryQuery, TransactionDetails } from '../../src/api/history.ts';
import type { Network } from '../../src/chains/network.ts';
import { CARDS, type SecretType } from '../../src/chains/secret-type.ts';
import { ConnectError } from '../../src/errors.ts';
import type { Database } from '../database/database.ts';
import type { TransactionRow } from '../database/schema.ts';
import { type Page, readPage } from '../http/paging.ts';
import type { Principal } from '../http/principal.ts';
import type { Service } from '../service.ts';
import { visibleTo } from '../wallets/stored-wallets.ts';
import { type Effect, gasCoinOf, moneyOf } from './effects.ts';
import { entryOf } from './journal.ts';
import { hashOf, STATES, stateOf } from './status.ts';

/** Newest first. */
export async function historyPage(
  { db, networks }: Pick<Service, 'db' | 'networks'>,
  walletId: string,
  { direction = 'out', ...asked }: HistoryQuery,
): Promise<Page<HistoryEntry>> {
  const order = { at: 'created_at', id: 'id', first: 'newest' } as const;
  const listed =
    direction === 'out'
      ? sentIn(db)
      : direction === 'in'
        ? arrivedIn(db)
        : sentIn(db).unionAll(arrivedIn(db));
  const entries = db.selectFrom(listed.as('entries')).selectAll().where('wallet_id', '=', walletId);
  const list = direction === 'out' ? ['transactions', walletId] : ['transactions', walletId, direction];
  const { rows, next } = await readPage(list, asked, entries, order);
  return { rows: rows.map((row) => answerOf(row, networks.file.networks)), next };
}

/** Throws `request.invalid` at `hash`, and `request.not-found`. */
export async function readDetails(
  service: Pick<Service, 'db' | 'networks' | 'outbound'>,
  principal: Principal,
  secretType: SecretType,
  given: string,
): Promise<TransactionDetails> {
  const { db, networks } = service;
  const hash = hashOf(secretType, given);
  const visible = visibleTo(db, principal).clearSelect().select('wallets.id');
  const find = () =>
    db
      .selectFrom(sentIn(db).unionAll(arrivedIn(db)).as('entries'))
      .selectAll()
      .where('hash', '=', hash)
      .where('secret_type', '=', secretType)
      .where('wallet_id', 'in', visible)
      .orderBy('direction', 'desc')
      // The same bytes may have been refused earlier.
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .execute();
  const found = await find();
  const [first] = found;
  if (!first)
    throw new ConnectError(
      'request.not-found',
      'None of your wallets has signed a transaction of this hash here, and none is known to have received anything with it.',
    );
  const status = first.direction === 'out' ? await lookAt(service, first.id) : STATES[first.state];
  const entries = (await find()).map((row) => ({
    ...answerOf(row, networks.file.networks),
    walletId: row.wallet_id,
  }));
  return { transactionHash: hash, secretType, status, entries };
}

async function lookAt(
  service: Pick<Service, 'db' | 'networks' | 'outbound'>,
  id: string,
): Promise<HistoryEntry['status']> {
  const row = await service.db
    .selectFrom('transactions')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return stateOf(service, entryOf(row));
}

interface Row {
  id: string;
  wallet_id: string;
  direction: 'out' | 'in';
  hash: string;
  secret_type: SecretType;
  network: string;
  state: TransactionRow['state'];
  created_at: Date;
  effect: string | null;
  fee: string | null;
  dust: boolean;
  replaces: string | null;
  replaced_by: string | null;
}

function sentIn(db: Database) {
  return db
    .selectFrom('transactions as t')
    .select([
      'id',
      'wallet_id',
      sql<Row['direction']>`'out'`.as('direction'),
      'hash',
      'secret_type',
      'network',
    ])
    .select(['state', 'created_at', 'effect', 'fee', sql<boolean>`false`.as('dust')])
    .select([
      sql<string | null>`(select r.hash from transactions r where r.id = t.replaces)`.as('replaces'),
      sql<string | null>`(select s.hash from transactions s where s.replaces = t.id and s.state <> 'refused'
        order by s.created_at desc limit 1)`.as('replaced_by'),
    ])
    .$castTo<Row>();
}

function arrivedIn(db: Database) {
  return db
    .selectFrom('arrivals')
    .select([
      'id',
      'wallet_id',
      sql<Row['direction']>`'in'`.as('direction'),
      'hash',
      'secret_type',
      'network',
    ])
    .select(['state', 'created_at', 'effect', sql<string | null>`null`.as('fee'), 'dust'])
    .select([sql<string | null>`null`.as('replaces'), sql<string | null>`null`.as('replaced_by')])
    .$castTo<Row>();
}

function answerOf(row: Row, networks: readonly Network[]): HistoryEntry {
  const { hash, secret_type: secretType, network, direction, state, created_at } = row;
  return {
    transactionHash: hash,
    secretType,
    network,
    direction,
    status: STATES[state],
    ...(state === 'expired' || state === 'refused' || state === 'replaced' ? { reason: state } : {}),
    createdAt: created_at.toISOString(),
    ...effectIn(row, networks.find(({ id }) => id === network)?.tokens ?? []),
    ...(row.replaces === null ? {} : { replaces: row.replaces }),
    ...(row.replaced_by === null ? {} : { replacedBy: row.replaced_by }),
    ...(row.dust ? { dust: true as const } : {}),
  };
}

function effectIn({ effect, fee, secret_type }: Row, tokens: Network['tokens']): Partial<HistoryEntry> {
  if (effect === null) return {};
  const { kind, from, to, contract, amount, parts, maximumFee, nonce } = JSON.parse(effect) as Effect;
  const { coin } = CARDS[secret_type];
  const gas = (raw: string) => moneyOf({ raw }, gasCoinOf(secret_type), []);
  return {
    kind,
    ...(from === undefined ? {} : { from }),
    to,
    ...(contract === undefined ? {} : { contract }),
    amount: moneyOf(amount, coin, tokens),
    ...(parts && {
      parts: parts.map((part) => ({ ...part, amount: moneyOf(part.amount, coin, tokens) })),
    }),
    ...(maximumFee !== undefined && {
      fee: { maximum: gas(maximumFee), ...(fee !== null && { paid: gas(fee) }) },
    }),
    ...(nonce === undefined ? {} : { nonce }),
  };
}
