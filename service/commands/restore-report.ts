/** What `service:restore -- report` prints. */
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import type { WaitingRestore } from '../restored/accept.ts';
import type { Comparison, Difference } from '../restored/compare.ts';

export async function reportOf(
  db: Database,
  { backupAt, restoredAt }: WaitingRestore,
  { wallets, differences }: Comparison,
): Promise<string> {
  const missing = differences.filter(({ count }) => count !== null);
  const unknown = differences.filter(({ count }) => count === null);
  return [
    `The back-up is of ${backupAt.toISOString()}, and was restored on ${restoredAt.toISOString()}.`,
    `${wallets} wallets were compared with their networks.`,
    missing.length > 0
      ? 'The chains have transactions that the back-up had not:'
      : 'The chains have no transaction of them that the back-up had not.',
    ...missing.flatMap(linesOf),
    ...(unknown.length > 0 ? ['Not known:', ...unknown.flatMap(linesOf)] : []),
    ...(await waitingIn(db)),
    'Not in the back-up, and not on a chain: wallets that were made since, and their keys; what was revoked, removed, changed or locked since, such as clients, secrets, policies, devices, passkeys and PINs.',
  ].join('\n');
}

function linesOf({ walletId, address, network, count, transactions, why }: Difference): string[] {
  const what = count === null ? `cannot be compared: ${why}` : `${count}`;
  return [
    `  ${network}  ${address}  wallet ${walletId}  ${what}`,
    ...transactions.map(({ hash, effects }) => `    ${hash}  ${short(effects)}`),
    ...(count !== null && count > transactions.length
      ? [`    ${count - transactions.length} of them were not found`]
      : []),
  ];
}

/** Recipient, amount in smallest units, data. */
function short(effects: readonly string[]): string {
  const [first = '', ...others] = effects.map((effect) =>
    effect.length > 90 ? `${effect.slice(0, 90)}…` : effect,
  );
  return others.length > 0 ? `${first} and ${others.length} more` : first;
}

/** What the service does as soon as it is accepted. */
async function waitingIn(db: Database): Promise<string[]> {
  const { rows } = await sql<{ what: string; count: number }>`
    select 'transactions that the back-up has and no node may have' as what, count(*)::integer as count
      from transactions where state = 'signed'
    union all select 'deliveries of events', count(*)::integer from deliveries where next_attempt_at is not null
    union all select 'refunds whose outcome is not known', count(*)::integer from refunds where state = 'pending'
    union all select 'checkout sessions that are open', count(*)::integer from checkout_sessions where status = 'open'
    union all select 'receiving wallets, which are read again from where the back-up was', count(*)::integer from receiving_wallets
    union all select 'keys of receiving wallets, of which the next sessions get addresses beyond those that are used and 20 more', count(*)::integer
      from receiving_keys
    `.execute(db);
  const some = rows.filter(({ count }) => count > 0);
  return some.length > 0
    ? ['The service goes on with:', ...some.map(({ what, count }) => `  ${count} ${what}`)]
    : [];
}
