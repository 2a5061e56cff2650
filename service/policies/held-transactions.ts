/**
 * Transactions that a second client has to approve. It approves every signed field except those that go stale: nonce, block reference,
 * lifetime, and the price, which has a ceiling. The PIN is not kept: after the approval, the first client repeats its request.
 */
import { createHash, randomUUID } from 'node:crypto';
import { sql, type Transaction } from 'kysely';
import type { HeldQuery, HeldTransaction } from '../../src/api/policy.ts';
import { canonical } from '../../src/base/canonical.ts';
import type { Outflow } from '../../src/chains/outflow.ts';
import { invalid } from '../../src/chains/requests/payloads.ts';
import type { SecretType } from '../../src/chains/secret-type.ts';
import { ConnectError } from '../../src/base/errors.ts';
import { audit } from '../audit/audit-log.ts';
import type { Database } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import { type Page, readPage } from '../http/paging.ts';
import type { KeyProvider } from '../keys/key-provider.ts';
import { type InForce, policiesInForce, subjectsOf } from './policy-store.ts';

const HOURS = 24;
/** How many may wait for one wallet: whoever has the client's secret and the PIN could fill the table. */
const MAX = 100;
/** By which factor the fee may rise until it is approved. */
const FEE_ROOM = 2n;
/** Clauses of a transaction are nested three levels deep. */
const DEPTH = 8;

export interface FrozenDraft {
  secretType: SecretType;
  network: string;
  walletId: string;
  from: string;
  outflow: Outflow;
}

/** Equal for drafts with the same effect. */
export function fixedHash({ secretType, network, walletId, from, outflow }: FrozenDraft): Buffer {
  const text = canonical({ secretType, network, walletId, from, ...outflow.fixed }, DEPTH);
  return createHash('sha256').update(text).digest();
}

/** Writes numbers as decimal text. */
function textOf({ outflow, ...place }: FrozenDraft, maximumFee: bigint): string {
  const { fixed, fee } = outflow;
  const draft = { ...place, ...fixed, maximumFee: { raw: maximumFee, token: fee.token } };
  return JSON.stringify(draft, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
}

interface Candidate {
  id: string;
  /** Who could approve it when it was held. */
  approvers: string[];
  approvedBy: string[];
}

/**
 * Held transactions with this draft's effect that are unused, or were used last by one of `replaced`: transactions of which only one can
 * take effect, or this one. Oldest first.
 */
export async function findHeld(
  tx: Transaction<Schema>,
  draft: FrozenDraft,
  clientId: string,
  replaced: readonly string[],
): Promise<Candidate[]> {
  const rows = await tx
    .selectFrom('held_transactions')
    .select(['id', 'approvers'])
    .where('wallet_id', '=', draft.walletId)
    .where('client_id', '=', clientId)
    .where('fixed_hash', '=', fixedHash(draft))
    .where('maximum_fee', '>=', String(draft.outflow.fee.raw))
    .where('expires_at', '>', sql<Date>`clock_timestamp()`)
    .where((is) =>
      is.or([
        is('transaction_id', 'is', null),
        ...(replaced.length ? [is('transaction_id', 'in', [...replaced])] : []),
      ]),
    )
    .orderBy('created_at')
    .execute();
  const approved = await approversOf(
    tx,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({ ...row, approvedBy: approved.get(row.id)! }));
}

/** By the id of what is held. Clients that have been revoked since do not count. */
async function approversOf(db: Database, ids: readonly string[]): Promise<Map<string, string[]>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('held_approvals')
    .leftJoin('clients', 'clients.id', 'held_approvals.client_id')
    .select(['held_approvals.held_id', 'held_approvals.client_id'])
    .where('held_id', 'in', ids)
    .where('clients.revoked_at', 'is', null)
    .orderBy('held_approvals.created_at')
    .execute();
  const clients = new Map<string, string[]>(ids.map((id) => [id, []]));
  for (const { held_id, client_id } of rows) clients.get(held_id)!.push(client_id);
  return clients;
}

/** Marks the approval as used. */
export async function useHeld(tx: Transaction<Schema>, id: string, transactionId: string): Promise<void> {
  await tx
    .updateTable('held_transactions')
    .set({ transaction_id: transactionId })
    .where('id', '=', id)
    .execute();
}

export interface Holding {
  /** The wallet's owner. */
  ownerId: string;
  draft: FrozenDraft;
  clientId: string;
  approvers: readonly string[];
}

/** Holds it for 24 hours. Throws `request.rate-limited` if too many wait. */
export async function hold(
  tx: Transaction<Schema>,
  keys: KeyProvider,
  { ownerId, draft, clientId, approvers }: Holding,
): Promise<string> {
  const { waiting } = await tx
    .selectFrom('held_transactions')
    .select(({ fn }) => fn.countAll<string>().as('waiting'))
    .where('wallet_id', '=', draft.walletId)
    .where('transaction_id', 'is', null)
    .where('expires_at', '>', sql<Date>`clock_timestamp()`)
    .executeTakeFirstOrThrow();
  if (Number(waiting) >= MAX)
    throw new ConnectError(
      'request.rate-limited',
      `${MAX} transactions of this wallet wait for an approval. Have them approved, or wait until they expire.`,
    );
  const id = randomUUID();
  const maximumFee = draft.outflow.fee.raw * FEE_ROOM;
  const text = textOf(draft, maximumFee);
  const draftHash = createHash('sha256').update(text).digest('hex');
  await tx
    .insertInto('held_transactions')
    .values({
      id,
      wallet_id: draft.walletId,
      owner_id: ownerId,
      client_id: clientId,
      approvers: [...approvers],
      fixed_hash: fixedHash(draft),
      draft: text,
      draft_hash: draftHash,
      maximum_fee: String(maximumFee),
      created_at: sql<Date>`clock_timestamp()`,
      expires_at: sql<Date>`clock_timestamp() + make_interval(hours => ${HOURS})`,
    })
    .execute();
  const subject = `wallet:${draft.walletId}`;
  await audit(tx, keys, { actor: clientId, action: 'transaction.held', subject, details: { id, draftHash } });
  return id;
}

/** Transactions that the client may approve, oldest first. */
export async function listHeld(
  db: Database,
  clientId: string,
  { walletId, ...query }: HeldQuery,
): Promise<Page<HeldTransaction>> {
  // A draft may have 200,000 characters.
  const order = { at: 'created_at', id: 'id', first: 'oldest', atOnce: 5 } as const;
  let waiting = waitingFor(db, clientId);
  if (walletId !== undefined) waiting = waiting.where('wallet_id', '=', walletId);
  const { rows, next } = await readPage(['held', clientId, walletId], query, waiting, order);
  return { rows: await answersOf(db, rows), next };
}

function waitingFor(db: Database, clientId: string) {
  return db
    .selectFrom('held_transactions')
    .select(['id', 'wallet_id', 'owner_id', 'client_id', 'draft', 'draft_hash', 'created_at', 'expires_at'])
    .where(sql<boolean>`${clientId} = any(approvers)`)
    .where('client_id', '<>', clientId)
    .where('transaction_id', 'is', null)
    .where('expires_at', '>', sql<Date>`clock_timestamp()`);
}

type Waiting = NonNullable<Awaited<ReturnType<ReturnType<typeof waitingFor>['executeTakeFirst']>>>;

async function answersOf(db: Database, rows: readonly Waiting[]): Promise<HeldTransaction[]> {
  const approvers = await approversOf(
    db,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({
    id: row.id,
    walletId: row.wallet_id,
    clientId: row.client_id,
    draft: row.draft,
    draftHash: row.draft_hash,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    approvedBy: approvers.get(row.id)!,
  }));
}

/**
 * Approves the transaction with this hash. Throws `request.not-found` if it is over, unknown, or not for this client to approve, and
 * `request.invalid` at `draftHash`.
 */
export async function approve(
  db: Database,
  keys: KeyProvider,
  clientId: string,
  { id, draftHash }: { id: string; draftHash: string },
): Promise<HeldTransaction> {
  return db.transaction().execute(async (tx) => {
    const row = await waitingFor(tx, clientId).where('id', '=', id).forUpdate().executeTakeFirst();
    if (!row || !(await mayApprove(tx, row, clientId)))
      throw new ConnectError(
        'request.not-found',
        'No such transaction waits for an approval by this client.',
      );
    if (row.draft_hash !== draftHash)
      throw invalid('draftHash', 'is of another draft: read the transaction again');
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('held_approvals')
      .values({
        held_id: id,
        owner_id: row.owner_id,
        client_id: clientId,
        created_at: sql<Date>`clock_timestamp()`,
      })
      .onConflict((is) => is.doNothing())
      .executeTakeFirst();
    const [answer] = await answersOf(tx, [row]);
    if (numInsertedOrUpdatedRows === 1n)
      await audit(tx, keys, {
        actor: clientId,
        action: 'transaction.approved',
        subject: `wallet:${row.wallet_id}`,
        details: { id, draftHash },
      });
    return answer!;
  });
}

/** By the current policies: clients removed since it was held cannot approve. */
async function mayApprove(tx: Transaction<Schema>, { wallet_id, client_id }: Waiting, clientId: string) {
  const wallet = await tx
    .selectFrom('wallets')
    .select(['id', 'application_id'])
    .where('id', '=', wallet_id)
    .executeTakeFirstOrThrow();
  const policies = await policiesInForce(tx, subjectsOf(wallet, client_id));
  return policies.some((policy) => isApprover(policy, clientId));
}

export function isApprover({ rules }: InForce, clientId: string): boolean {
  return rules.fourEyes?.approvers.includes(clientId) ?? false;
}
