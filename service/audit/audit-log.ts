/**
 * Who changed the limits on spending, and what was refused, approved and exported. Each row carries a MAC under the master key over itself
 * and the row before it: nobody without that key can add, change or remove one unnoticed. Rows cut off at the end are detected by comparing
 * with a head recorded elsewhere, as the service does in its process log.
 */
import { type Selectable, sql, type Transaction } from 'kysely';
import type { Database } from '../database/database.ts';
import type { AuditLog, Schema } from '../database/schema.ts';
import type { KeyProvider } from '../keys/key-provider.ts';

/** docs/policies.md says when each is written. */
export const AUDIT_ACTIONS = [
  'policy.set',
  'policy.withdrawn',
  'policy.refused',
  'transaction.signed',
  'transaction.held',
  'transaction.approved',
  'data.signed',
  'session.opened',
  'session.used',
  'session.ended',
  'key.exported',
  'pin.set',
  'pin.changed',
  'pin.recovered',
  'recovery-code.renewed',
  'passkey.added',
  'passkey.removed',
  'client.created',
  'client.revoked',
  'client.verified',
  'client.networks',
  'secret.created',
  'secret.revoked',
  'webhook.created',
  'webhook.deleted',
  'receiving-wallet.set',
  'receiving-wallet.removed',
  'database.restored',
  'database.accepted',
] as const;

export type AuditAction = (typeof AUDIT_ACTIONS)[number];

export interface AuditEntry {
  /** Id of a client or of an account, or `command`. */
  actor: string;
  action: AuditAction;
  /** `wallet:<id>`, or another id. */
  subject: string;
  /** Plain data without secrets. */
  details: object;
}

export interface AuditHead {
  position: number;
  /** In hex. */
  mac: string;
}

/** The MAC before the first row. */
const BEGINNING = '';

/**
 * Adds a row. Call it last in the transaction: until that ends, nobody else can add a row. The row is committed with the transaction's
 * other changes, or not at all.
 */
export async function audit(tx: Transaction<Schema>, keys: KeyProvider, entry: AuditEntry): Promise<void> {
  const version = await keys.current();
  // Takes the log's advisory lock, 7265016, which nothing else may use.
  const { rows } = await sql<{ position: string | null; mac: Buffer | null; at: Date }>`
    select position, mac, at from audit_tail()`.execute(tx);
  const { position: last, mac: before, at } = rows[0]!;
  const { details, ...named } = entry;
  const row = { ...named, at, position: Number(last ?? 0) + 1, details: JSON.stringify(details) };
  const mac = await keys.mac(labelOf(row, before ? before.toString('hex') : BEGINNING), version);
  await tx
    .insertInto('audit_log')
    .values({ ...row, master_version: version, mac: Buffer.from(mac) })
    .execute();
}

/**
 * Adds a row in its own transaction, after something that returns what is shown only once: that is returned even if the row cannot be
 * written, which is then in the process log.
 */
export async function noteDone(
  { db, keys }: { db: Database; keys: KeyProvider },
  log: { error(fields: object, message: string): void },
  entry: AuditEntry,
): Promise<void> {
  try {
    await db.transaction().execute((tx) => audit(tx, keys, entry));
  } catch (error) {
    log.error({ err: error, action: entry.action, subject: entry.subject }, 'not in the audit log');
  }
}

type Labelled = Pick<AuditLog, 'actor' | 'action' | 'subject' | 'details' | 'at'> & { position: number };

function labelOf({ position, at, actor, action, subject, details }: Labelled, before: string): string {
  return JSON.stringify(['audit', position, before, at.toISOString(), actor, action, subject, details]);
}

/** Undefined while the log is empty. */
export async function auditHead(db: Database): Promise<AuditHead | undefined> {
  const row = await db
    .selectFrom('audit_log')
    .select(['position', 'mac'])
    .orderBy('position', 'desc')
    .executeTakeFirst();
  return row && { position: Number(row.position), mac: row.mac.toString('hex') };
}

export interface Verified {
  /** How many were verified. */
  rows: number;
  head: AuditHead | undefined;
  /** What is wrong; empty if the log is unchanged. */
  problems: string[];
}

const BATCH = 500;

/**
 * `noted`: heads recorded elsewhere, which must be in the chain. `after`: a head up to which the log was verified before; earlier rows are not
 * read. Stops at the first row that does not match: later rows prove nothing.
 */
export async function verifyAudit(
  db: Database,
  keys: KeyProvider,
  { noted = [], after }: { noted?: readonly AuditHead[]; after?: AuditHead | undefined } = {},
): Promise<Verified> {
  if (after) {
    const problem = await problemAt(db, after);
    if (problem) return { rows: 0, head: undefined, problems: [problem] };
  }
  let head = after;
  const problems: string[] = [];
  const missing = new Map(noted.map((one) => [one.position, one.mac]));
  for (let more = true; more && problems.length === 0; ) {
    const rows = await db
      .selectFrom('audit_log')
      .selectAll()
      .where('position', '>', String(head?.position ?? 0))
      .orderBy('position')
      .limit(BATCH)
      .execute();
    more = rows.length === BATCH;
    for (const row of rows) {
      const problem = await problemOf(row, head, keys);
      if (problem) {
        problems.push(problem);
        break;
      }
      head = { position: Number(row.position), mac: row.mac.toString('hex') };
      const seen = missing.get(head.position);
      if (seen !== undefined && seen !== head.mac)
        problems.push(
          `Row ${head.position} is not the one that was recorded: the log was rewritten from there or earlier.`,
        );
      missing.delete(head.position);
    }
  }
  if (problems.length === 0)
    for (const position of missing.keys())
      problems.push(`Row ${position} was recorded and is gone: the log ends with ${head?.position ?? 0}.`);
  return { rows: (head?.position ?? 0) - (after?.position ?? 0), head, problems };
}

async function problemAt(db: Database, { position, mac }: AuditHead): Promise<string | undefined> {
  const row = await db
    .selectFrom('audit_log')
    .select('mac')
    .where('position', '=', String(position))
    .executeTakeFirst();
  if (!row) return `Row ${position} was verified before and is gone.`;
  return row.mac.toString('hex') === mac
    ? undefined
    : `Row ${position} is not the one that was verified before.`;
}

async function problemOf(
  { position, master_version, mac, ...row }: Omit<AuditLog, 'position'> & { position: string },
  head: AuditHead | undefined,
  keys: KeyProvider,
): Promise<string | undefined> {
  const expected = (head?.position ?? 0) + 1;
  if (Number(position) !== expected) return `Row ${expected} is missing: ${position} comes next.`;
  const label = labelOf({ ...row, position: expected }, head?.mac ?? BEGINNING);
  const right = Buffer.from(await keys.mac(label, master_version));
  return right.equals(mac) ? undefined : `Row ${position} is not as it was written.`;
}

/** The last rows, oldest first. */
export async function listAudit(db: Database, last: number): Promise<Selectable<AuditLog>[]> {
  const rows = await db.selectFrom('audit_log').selectAll().orderBy('position', 'desc').limit(last).execute();
  return rows.toReversed();
}
