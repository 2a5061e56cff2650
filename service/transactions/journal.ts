/**
 * Every transaction that a wallet signs is stored here before a node sees it: after any crash its bytes and its hash are known,
 * and sending it again is harmless, because it is the same transaction. The nonces and coins of open transactions count as used, whether nodes know
 * the transactions yet or not.
 */
import { randomUUID } from 'node:crypto';
import { sql, type Transaction } from 'kysely';
import { draftFromJson, draftToJson } from '../../src/api/draft-json.ts';
import type { Draft, Mined, Signed, TransactionState } from '../../src/chains/terms.ts';
import type { Claims } from '../../src/chains/approval/claims.ts';
import type { Network } from '../../src/chains/network.ts';
import type { NetworkChoice } from '../../src/chains/nodes/networks.ts';
import type { SecretType } from '../../src/chains/secret-type.ts';
import { type ConnectError, fromWire, type WireError } from '../../src/base/errors.ts';
import type { Database } from '../database/database.ts';
import type { Schema, TransactionRow } from '../database/schema.ts';
import { type KeyedRequest, takeKey } from '../idempotency/request-keys.ts';
import type { StoredSwap } from '../../src/swaps/cross-chain/sent-swap.ts';
import type { Effect } from './effects.ts';

export type StoredTransaction = Omit<
  TransactionRow,
  'claims' | 'custom_node' | 'error' | 'draft' | 'effect'
> & {
  claims: Claims;
  customNode: NetworkChoice | undefined;
  error: ConnectError | undefined;
};

export interface NewTransaction {
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
  /** If the chain can replace it. */
  draft: Draft | undefined;
  effect: Effect | undefined;
  /** The exchange between chains that it begins. */
  swap: StoredSwap | undefined;
  /** Id of the entry that it is meant to replace. */
  replaces: string | undefined;
}

/** Seconds that the process that signed has for sending, before others take over. */
const SENDING = 30;
/** How far a node may be behind the one that reported a block. */
const BEHIND = '2 minutes';
/** Seconds between two checks, doubled each time. */
const FIRST_WAIT = 15;
const LONGEST_WAIT = 3600;

/** The columns of a `StoredTransaction`, without those that only replacements and the history need. */
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
  'mined_block',
  'confirmations',
] as const satisfies (keyof TransactionRow)[];

/** The columns of an `OpenTransaction`. */
const OPEN_COLUMNS = [
  'id',
  'network',
  'custom_node',
  'hash',
  'claims',
  'state',
  'mined_block',
] as const satisfies (keyof TransactionRow)[];

/** A busy wallet has hundreds of them, which are read for each of its transactions: so without their bytes and requests. */
export type OpenTransaction = Pick<
  StoredTransaction,
  'id' | 'network' | 'customNode' | 'hash' | 'claims' | 'state' | 'mined_block'
>;

function parsed<R extends Pick<TransactionRow, 'custom_node' | 'claims'>>(row: R) {
  const { custom_node: customNode, claims, ...rest } = row;
  return {
    ...rest,
    claims: draftFromJson(claims) as Claims,
    customNode: customNode === null ? undefined : (JSON.parse(customNode) as NetworkChoice),
  };
}

export function entryOf(row: Pick<TransactionRow, (typeof COLUMNS)[number]>): StoredTransaction {
  const { error, ...rest } = parsed(row);
  return { ...rest, error: error === null ? undefined : fromWire(JSON.parse(error) as WireError) };
}

/** Of the network only the id is stored: the rest includes every token that the operator lists. */
function storedDraft({ network, ...draft }: Draft): string {
  return draftToJson({ ...draft, network: { id: network.id } });
}

/** The draft as it was signed, on `network`. Undefined if none was stored: the chain cannot replace it, or an older version signed it. */
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
  entry: NewTransaction,
  keyedRequest: KeyedRequest,
  batch?: KeyedRequest,
): Promise<StoredTransaction | undefined> {
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
  if (entry.swap)
    await tx
      .insertInto('cross_chain_swaps')
      .values({
        transaction_id: row.id,
        owner_id: entry.ownerId,
        swap: JSON.stringify(entry.swap),
        next_look_at: sql<Date>`clock_timestamp()`,
      })
      .execute();
  await takeKey(tx, keyedRequest, row.id);
  if (batch) await takeKey(tx, batch, null);
  return entryOf(row);
}

/**
 * Transactions whose nonce or coins count as used on these networks, or may on the node that a request named, oldest first: including those
 * just reported in a block, which another node may not have yet.
 */
export async function openEntries(
  db: Database,
  walletId: string,
  networks: readonly string[],
): Promise<OpenTransaction[]> {
  const rows = await db
    .selectFrom('transactions')
    .select(OPEN_COLUMNS)
    .where('wallet_id', '=', walletId)
    .where('network', 'in', [...networks, 'custom'])
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
  return rows.map(parsed);
}

/** The status that callers get for each state. */
export const STATES: Readonly<Record<StoredTransaction['state'], TransactionState>> = {
  signed: 'pending',
  sent: 'pending',
  confirmed: 'confirmed',
  failed: 'failed',
  expired: 'failed',
  refused: 'failed',
  replaced: 'failed',
  dropped: 'unknown',
};

export function statesOf(status: TransactionState): StoredTransaction['state'][] {
  return (Object.keys(STATES) as StoredTransaction['state'][]).filter((state) => STATES[state] === status);
}

/** Whether it may still become another state. */
export function isOpen({ state }: Pick<StoredTransaction, 'state'>): boolean {
  return state === 'signed' || state === 'sent';
}

/** Whether no block is known to have it. */
export function isWaiting(entry: Pick<StoredTransaction, 'state' | 'mined_block'>): boolean {
  return isOpen(entry) && entry.mined_block === null;
}

export async function readEntry(db: Database, id: string): Promise<StoredTransaction> {
  return entryOf(
    await db.selectFrom('transactions').select(COLUMNS).where('id', '=', id).executeTakeFirstOrThrow(),
  );
}

/** A node has it, and no block. */
export async function setSent(db: Database, { id }: StoredTransaction): Promise<void> {
  await db
    .updateTable('transactions')
    .set({ ...SENT, mined_block: null, confirmations: null, checks: 0, next_check_at: after(0) })
    .where('id', '=', id)
    .where((is) =>
      is.or([
        is('state', '=', 'signed'),
        is.and([is('state', '=', 'sent'), is('mined_block', 'is not', null)]),
      ]),
    )
    .execute();
}

/** A block has it, which a reorganisation may still remove. */
export async function setMined(
  db: Database,
  entry: StoredTransaction,
  { block, confirmations }: Mined,
): Promise<void> {
  const checks = Number(entry.mined_block) === block ? entry.checks + 1 : 0;
  await db
    .updateTable('transactions')
    .set({ ...SENT, mined_block: block, confirmations, checks, next_check_at: after(Math.min(checks, 2)) })
    .where('id', '=', entry.id)
    .where('state', 'in', ['signed', 'sent'])
    .execute();
}

const SENT = { state: 'sent', sent_at: sql<Date>`coalesce(sent_at, clock_timestamp())` } as const;

/** The transactions that take one another's place, this one among them. */
export const kinOfOne = (id: string) => sql`with recursive kin(id, replaces) as (
    select id, replaces from transactions where id = ${id}
    union
    select t.id, t.replaces from transactions t join kin on t.id = kin.replaces or t.replaces = kin.id
  )`;

export interface Kin {
  id: string;
  state: StoredTransaction['state'];
  effect: Effect | null;
}

export async function kinOf(db: Database, id: string): Promise<Kin[]> {
  const { rows } = await sql<Omit<Kin, 'effect'> & { effect: string | null }>`${kinOfOne(id)}
    select id, state, effect from transactions where id in (select id from kin)`.execute(db);
  return rows.map(({ effect, ...row }) => ({
    ...row,
    effect: effect === null ? null : (JSON.parse(effect) as Effect),
  }));
}

/** Nothing is known yet; the next check comes after a longer pause. */
export async function lookLater(db: Database, { id, checks }: StoredTransaction): Promise<void> {
  await db
    .updateTable('transactions')
    .set({ checks: checks + 1, next_check_at: after(checks + 1) })
    .where('id', '=', id)
    .where('state', 'in', ['signed', 'sent'])
    .execute();
}

/** Claims entries that are due, or all that are `unsent`; no other process gets them within the next minute. */
export async function takeDue(db: Database, limit: number, unsent = false): Promise<StoredTransaction[]> {
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
