/**
 * Every transaction that a wallet signs is stored here before a node sees it: after any crash its bytes and its hash are known,
 * and sending it again is harmless, because it is the same transaction. The nonces and coins of open transactions count as used, whether nodes know
 * the transactions yet or not.
 */
import { randomUUID } from 'node:crypto';
import { sql, type Transaction } from 'kysely';
import { draftFromJson, draftToJson } from '../../src/api/draft-json.ts';
import type { Draft, Signed } from '../../src/chains/chain.ts';
import type { Claims } from '../../src/chains/approval/claims.ts';
import type { Network } from '../../src/chains/network.ts';
import type { NetworkChoice } from '../../src/chains/nodes/networks.ts';
import type { SecretType } from '../../src/chains/secret-type.ts';
import { type ConnectError, toWire, type WireError } from '../../src/errors.ts';
import { fromWire } from '../../src/from-wire.ts';
import type { Database } from '../database/database.ts';
import type { Schema, TransactionRow } from '../database/schema.ts';
import { type KeyedRequest, takeKey } from '../idempotency/request-keys.ts';
import type { Effect } from './effects.ts';

export type Entry = Omit<TransactionRow, 'claims' | 'custom_node' | 'error' | 'draft' | 'effect'> & {
  claims: Claims;
  customNode: NetworkChoice | undefined;
  error: ConnectError | undefined;
};

export interface NewEntry {
  walletId: string;
  /** Of the wallet. */
  ownerId: string;
  secretType: SecretType;
  networkId: string;
  customNode: NetworkChoice | undefined;
  signed: Signed;
  /** JSON, without the PIN. */
  request: string;
  claims: Claims;
  /** Where the chain can replace it. */
  draft: Draft | undefined;
  effect: Effect | undefined;
  /** Id of the entry whose place it is to take. */
  replaces: string | undefined;
}

/** Seconds that the process that signed has for sending, before others take over. */
const SENDING = 30;
/** How far a node may be behind the one that reported a block. */
const BEHIND = '2 minutes';
/** Seconds between two checks, doubled each time. */
const FIRST_WAIT = 15;
const LONGEST_WAIT = 3600;

/** Of an `Entry`: without what only a replacement and the history need. */
const COLUMNS = [
  'id',
  'wallet_id',
  'owner_id',
  'secret_type',
  'network',
  'custom_node',
  'hash',
  'raw',
  'request',
  'claims',
  'state',
  'error',
  'checks',
  'next_check_at',
  'created_at',
  'sent_at',
  'settled_at',
  'fee',
  'replaces',
] as const satisfies (keyof TransactionRow)[];

export function entryOf(row: Pick<TransactionRow, (typeof COLUMNS)[number]>): Entry {
  const { custom_node: customNode, claims, error, ...rest } = row;
  return {
    ...rest,
    claims: draftFromJson(claims) as Claims,
    customNode: customNode === null ? undefined : (JSON.parse(customNode) as NetworkChoice),
    error: error === null ? undefined : fromWire(JSON.parse(error) as WireError),
  };
}

/** The network is left out but for its id: it has every token that the operator lists. */
function storedDraft({ network, ...draft }: Draft): string {
  return draftToJson({ ...draft, network: { id: network.id } });
}

/** As it was signed, on `network`. Undefined where none was stored: the chain replaces none, or an older version signed it. */
export async function readDraft(db: Database, id: string, network: Network): Promise<Draft | undefined> {
  const { draft } = await db
    .selectFrom('transactions')
    .select('draft')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return draft === null ? undefined : { ...(draftFromJson(draft) as Draft), network };
}

/**
 * Undefined when the same bytes were already signed for another request. `batch`: the request that it is a part of. Throws
 * `request.conflict`, see `takeKey`.
 */
export async function addEntry(
  tx: Transaction<Schema>,
  entry: NewEntry,
  asked: KeyedRequest,
  batch?: KeyedRequest,
): Promise<Entry | undefined> {
  const { customNode, signed } = entry;
  const row = await tx
    .insertInto('transactions')
    .values({
      id: randomUUID(),
      wallet_id: entry.walletId,
      owner_id: entry.ownerId,
      secret_type: entry.secretType,
      network: entry.networkId,
      custom_node: customNode ? JSON.stringify(customNode) : null,
      hash: signed.hash,
      raw: signed.raw,
      request: entry.request,
      claims: draftToJson(entry.claims),
      draft: entry.draft ? storedDraft(entry.draft) : null,
      effect: entry.effect ? JSON.stringify(entry.effect) : null,
      replaces: entry.replaces ?? null,
      state: 'signed',
      next_check_at: sql<Date>`clock_timestamp() + make_interval(secs => ${SENDING})`,
    })
    .onConflict((is) => is.doNothing())
    .returning(COLUMNS)
    .executeTakeFirst();
  if (!row) return undefined;
  await takeKey(tx, asked, row.id);
  if (batch) await takeKey(tx, batch, null);
  return entryOf(row);
}

/** Transactions whose nonce or coins count as used, oldest first: including those just reported in a block, which another node may not have yet. */
export async function openEntries(db: Database, walletId: string): Promise<Entry[]> {
  const rows = await db
    .selectFrom('transactions')
    .select(COLUMNS)
    .where('wallet_id', '=', walletId)
    .where((is) =>
      is.or([
        is('state', 'in', ['signed', 'sent']),
        is.and([
          is('state', 'in', ['confirmed', 'failed']),
          is('settled_at', '>', sql<Date>`clock_timestamp() - ${BEHIND}::interval`),
        ]),
      ]),
    )
    .orderBy('created_at')
    .execute();
  return rows.map(entryOf);
}

export function isWaiting({ state }: Entry): boolean {
  return state === 'signed' || state === 'sent';
}

export async function readEntry(db: Database, id: string): Promise<Entry> {
  return entryOf(
    await db.selectFrom('transactions').select(COLUMNS).where('id', '=', id).executeTakeFirstOrThrow(),
  );
}

/** A node has it. */
export async function setSent(db: Database, { id }: Entry): Promise<void> {
  await db
    .updateTable('transactions')
    .set({ state: 'sent', sent_at: sql<Date>`clock_timestamp()`, checks: 0, next_check_at: after(0) })
    .where('id', '=', id)
    .where('state', '=', 'signed')
    .execute();
}

/**
 * A transaction in a block stays so. Of two processes with different news, the first is believed: `entry` is as it was read. `error` is
 * the error for the caller, `fee` what it cost in the end.
 */
export async function settle(
  db: Database,
  entry: Entry,
  state: Exclude<Entry['state'], 'signed' | 'sent'>,
  { error, fee }: { error?: ConnectError; fee?: bigint | undefined } = {},
): Promise<void> {
  const isDecided = state === 'confirmed' || state === 'failed' || state === 'expired';
  await db
    .updateTable('transactions')
    .set({
      state,
      error: error ? JSON.stringify(toWire(error)) : null,
      ...(fee === undefined ? {} : { fee: String(fee) }),
      settled_at: sql<Date>`clock_timestamp()`,
      next_check_at: null,
      // Nothing takes its place any more.
      draft: null,
    })
    .where('id', '=', entry.id)
    .where('state', 'in', isDecided ? ['signed', 'sent'] : [entry.state])
    .execute();
}

/** Of transactions that take one another's place a block has one: the others will be in none. */
export async function settleRivals(db: Database, { id }: Entry): Promise<void> {
  await sql`with recursive kin(id, replaces) as (
      select id, replaces from transactions where id = ${id}
      union
      select t.id, t.replaces from transactions t join kin on t.id = kin.replaces or t.replaces = kin.id
    )
    update transactions set state = 'replaced', settled_at = clock_timestamp(), next_check_at = null, draft = null
    where id in (select id from kin) and id <> ${id} and state in ('signed', 'sent')`.execute(db);
}

/** Nothing is known yet; the next check comes after a longer pause. */
export async function lookLater(db: Database, { id, checks }: Entry): Promise<void> {
  await db
    .updateTable('transactions')
    .set({ checks: checks + 1, next_check_at: after(checks + 1) })
    .where('id', '=', id)
    .where('state', 'in', ['signed', 'sent'])
    .execute();
}

/** Claims entries that are due, or all that are `unsent`; no other process gets them within the next minute. */
export async function takeDue(db: Database, limit: number, unsent = false): Promise<Entry[]> {
  const rows = await db
    .updateTable('transactions')
    .set({ next_check_at: sql<Date>`clock_timestamp() + interval '1 minute'` })
    .where('id', 'in', (from) =>
      from
        .selectFrom('transactions')
        .select('id')
        .where('next_check_at', 'is not', null)
        .where(unsent ? sql<boolean>`state = 'signed'` : sql<boolean>`next_check_at <= clock_timestamp()`)
        .orderBy('next_check_at')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .returning(COLUMNS)
    .execute();
  return rows.map(entryOf);
}

function after(checks: number) {
  const seconds = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** Math.min(checks, 16));
  return sql<Date>`clock_timestamp() + make_interval(secs => ${seconds})`;
}
