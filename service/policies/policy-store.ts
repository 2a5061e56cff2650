/**
 * Policies in the database. A new one applies at once, and earlier ones apply too until the delay is over. So tightening takes effect at
 * once, and loosening later, without code that distinguishes the two.
 */
import { randomUUID } from 'node:crypto';
import { type Selectable, sql, type Transaction } from 'kysely';
import type { PoliciesQuery, Policy, PolicyParams, StoredPolicy } from '../../src/api/policy.ts';
import type { Networks } from '../../src/chains/network.ts';
import { invalid } from '../../src/chains/requests/payloads.ts';
import { ConnectError } from '../../src/base/errors.ts';
import { type AuditAction, audit } from '../audit/audit-log.ts';
import { conflict } from '../custody/wallet-errors.ts';
import { acrossAccounts } from '../database/account-scope.ts';
import type { Database } from '../database/database.ts';
import type { Policies as PoliciesTable, Schema } from '../database/schema.ts';
import { type Page, readPage } from '../http/paging.ts';
import { inSlices } from '../http/slices.ts';
import type { KeyProvider } from '../keys/key-provider.ts';
import { checkNetworks, isEmpty, type Rules, rulesOf } from './rules.ts';

/** The first half of its advisory locks. Nothing else may use this number. */
const POLICY_LOCK = 7_265_015;

export type Row = Selectable<PoliciesTable>;

export interface InForce {
  subject: string;
  rules: Rules;
}

export interface Writer {
  keys: KeyProvider;
  /** Id of a client, or `command`. */
  actor: string;
  delayHours: number;
}

/** Who sets a policy, and the networks that it may name. */
export interface PolicyWriter extends Writer {
  networks: Networks;
}

export function subjectOf({ of, id }: PolicyParams): string {
  return `${of}:${id}`;
}

/** Whose policies apply to a wallet's transactions: its own, those of the requesting client, and those of the client that created it. */
export function subjectsOf(wallet: { id: string; application_id: string }, clientId: string): string[] {
  const clients = new Set([clientId, wallet.application_id]);
  return [`wallet:${wallet.id}`, ...[...clients].map((id) => `client:${id}`)].sort();
}

/** By the row's id: rows never change except for their end. Undefined for a policy without rules. */
const compiled = new Map<string, Promise<Rules | undefined>>();
/** Characters of the policies in it, at most about 16 MB. */
let kept = 0;
const MAX_KEPT = 16_000_000;

async function compile({ id, rules: text }: Row): Promise<Rules | undefined> {
  const cached = compiled.get(id);
  if (cached) return cached;
  const policy = JSON.parse(text) as Policy;
  const rules = isEmpty(policy) ? Promise.resolve(undefined) : rulesOf(policy);
  if (kept + text.length > MAX_KEPT) {
    compiled.clear();
    kept = 0;
  }
  kept += text.length;
  compiled.set(id, rules);
  // The next payment tries again.
  rules.catch(() => compiled.delete(id));
  return rules;
}

/**
 * The policies that apply now. Until the transaction ends, none of them changes, none is added, and with `toCount` nobody else counts
 * against them.
 */
export async function policiesInForce(
  tx: Transaction<Schema>,
  subjects: readonly string[],
  { toCount = false } = {},
): Promise<InForce[]> {
  await sql`select pg_advisory_xact_lock_shared(${POLICY_LOCK}, hashtext(subject))
    from unnest(${sql.val([...subjects])}::text[]) as subject`.execute(tx);
  const rows = await held(tx, subjects)
    .$if(toCount, (query) => query.forUpdate())
    .execute();
  const policies = await Promise.all(
    rows.map(async (row) => ({ subject: row.subject, rules: await compile(row) })),
  );
  return policies.filter((policy): policy is InForce => policy.rules !== undefined);
}

function held(db: Database, subjects: readonly string[]) {
  return db
    .selectFrom('policies')
    .select(['id', 'subject', 'rules', 'written_by', 'created_at', 'ends_at'])
    .where('subject', 'in', [...subjects])
    .where(sql<boolean>`(ends_at is null or ends_at > clock_timestamp())`)
    .orderBy('subject')
    .orderBy('created_at')
    .orderBy('id');
}

/** Characters of a policy as JSON. Each process reads a new one before the next payment under it. */
const MAX_LENGTH = 100_000;

/** Throws `request.invalid` at the longest rule of a policy that is too long. */
function assertFits(policy: Policy): void {
  const lengths = Object.entries(policy).map(
    ([rule, value]) => [rule, JSON.stringify(value)?.length ?? 0] as const,
  );
  if (lengths.reduce((total, [, length]) => total + length, 0) <= MAX_LENGTH) return;
  const [[longest]] = lengths.toSorted(([, a], [, b]) => b - a) as [[string, number]];
  throw invalid(
    longest,
    `is too long: the rules of a policy may have ${MAX_LENGTH} characters of JSON in all`,
  );
}

/** Throws `request.not-found` if there is no such client or wallet, and `request.invalid` at a rule that cannot be right. */
export async function putPolicy(
  db: Database,
  whose: PolicyParams,
  policy: Policy,
  { networks, ...writer }: PolicyWriter,
): Promise<StoredPolicy> {
  assertFits(policy);
  checkNetworks(policy, networks);
  await rulesOf(policy, networks);
  await checkSubject(db, whose);
  return db.transaction().execute(async (tx) => {
    await lock(tx, whose);
    return write(tx, whose, policy, { ...writer, action: 'policy.set' });
  });
}

/** Sets the previous one again, so that what the newest loosens never takes effect. Throws `request.conflict` if the newest applies alone already. */
export async function withdrawPolicy(
  db: Database,
  whose: PolicyParams,
  writer: Writer,
): Promise<StoredPolicy> {
  return db.transaction().execute(async (tx) => {
    await lock(tx, whose);
    const before = (await held(tx, [subjectOf(whose)]).execute()).at(-2);
    if (!before) throw conflict('Nothing is pending: the policy already applies alone. Set another one.');
    return write(tx, whose, JSON.parse(before.rules) as Policy, { ...writer, action: 'policy.withdrawn' });
  });
}

/** Throws `request.not-found` if none was ever set. */
export async function readPolicy(db: Database, whose: PolicyParams): Promise<StoredPolicy> {
  const rows = await held(db, [subjectOf(whose)]).execute();
  if (rows.length === 0) throw new ConnectError('request.not-found', `This ${whose.of} has no policy.`);
  return answerOf(rows);
}

/** Policies of a list that are read at a time. */
const PIECE = 10;

/** Lists policies, the oldest first. */
export async function listPolicies(
  db: Database,
  { of, ...query }: PoliciesQuery,
): Promise<Page<StoredPolicy>> {
  let newest = db.selectFrom('policies').select(['id', 'subject', 'created_at']).where('ends_at', 'is', null);
  if (of !== undefined) newest = newest.where('subject', 'like', `${subjectOf({ of, id: '' })}%`);
  const order = { at: 'created_at', id: 'id', first: 'oldest' } as const;
  const { rows, next } = await readPage(['policies', of], query, newest, order);
  // A policy may be long: reading all of them at once would block other requests.
  const answers: StoredPolicy[] = [];
  for (let at = 0; at < rows.length; at += PIECE) {
    const subjects = rows.slice(at, at + PIECE).map(({ subject }) => subject);
    const all = await held(db, subjects).execute();
    const each = await inSlices(subjects, (slice) =>
      slice.map((subject) => answerOf(all.filter((row) => row.subject === subject))),
    );
    answers.push(...each.flat());
  }
  return { rows: answers, next };
}

async function lock(tx: Transaction<Schema>, whose: PolicyParams): Promise<void> {
  await sql`select pg_advisory_xact_lock(${POLICY_LOCK}, hashtext(${subjectOf(whose)}))`.execute(tx);
}

async function checkSubject(db: Database, { of, id }: PolicyParams): Promise<void> {
  const query =
    of === 'wallet'
      ? db.selectFrom('wallets').select('id').where('id', '=', id)
      : db.selectFrom('accounts').select('id').where('id', '=', id).where('application', '=', true);
  if (await acrossAccounts('policies', () => query.executeTakeFirst())) return;
  throw new ConnectError('request.not-found', `There is no ${of} ${id}.`);
}

async function write(
  tx: Transaction<Schema>,
  whose: PolicyParams,
  policy: Policy,
  { keys, actor, delayHours, action }: Writer & { action: AuditAction },
): Promise<StoredPolicy> {
  const subject = subjectOf(whose);
  const rules = JSON.stringify(policy);
  await tx
    .updateTable('policies')
    .set({ ends_at: sql<Date>`clock_timestamp() + make_interval(hours => ${delayHours}::integer)` })
    .where('subject', '=', subject)
    .where('ends_at', 'is', null)
    .execute();
  await tx
    .insertInto('policies')
    .values({
      id: randomUUID(),
      subject,
      rules,
      written_by: actor,
      created_at: sql<Date>`clock_timestamp()`,
      ends_at: null,
    })
    .execute();
  const stored = answerOf(await held(tx, [subject]).execute());
  await audit(tx, keys, { actor, action, subject, details: { policy, delayHours } });
  return stored;
}

/** `rows`: the policies of one subject, oldest first. */
function answerOf(rows: readonly Row[]): StoredPolicy {
  const newest = rows.at(-1)!;
  const [of, id] = newest.subject.split(/:(.*)/s) as [PolicyParams['of'], string];
  const partsOf = ({ rules, created_at, written_by }: Row) => ({
    policy: JSON.parse(rules) as Policy,
    since: created_at.toISOString(),
    writtenBy: written_by,
  });
  return {
    of,
    id,
    ...partsOf(newest),
    earlier: rows.slice(0, -1).map((row) => ({ ...partsOf(row), until: row.ends_at!.toISOString() })),
  };
}
