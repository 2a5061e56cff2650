/**
 * The service under row-level security, by `npm run test:long rls`: its connections have a role that sees the rows of one account, the one
 * that the work at hand says it is for (`service/database/account-scope.ts`). Work that says nothing sees no account's rows: it fails. The
 * tests' own queries see everything.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { channel } from 'node:diagnostics_channel';
import { appendFileSync } from 'node:fs';
import pg from 'pg';
import {
  ACCOUNT_COLUMNS,
  type AccountScope,
  ACROSS_ACCOUNTS,
  type AcrossAccounts,
  SCOPE_CHANNEL,
} from '../../service/database/account-scope.ts';

export const ROW_SECURITY = process.env['ROW_SECURITY'] === '1';
/** A file that gets the name of each exception that was used. */
const USED = process.env['ROW_SECURITY_USED'];

const ROLE = 'carabiner_account';
const used = new Set<AcrossAccounts>();

/** Of the service, but for no account yet; undefined in the tests themselves. */
const NO_ACCOUNT = { account: '' };
const scope = new AsyncLocalStorage<AccountScope>();

/** Everything that `work` starts belongs to the service. */
export function asService<T>(work: () => T): T {
  return ROW_SECURITY ? scope.run(NO_ACCOUNT, work) : work();
}

function note(across: AcrossAccounts): void {
  if (!(across in ACROSS_ACCOUNTS)) throw new Error(`${across} is no exception of account-scope.ts.`);
  if (used.has(across)) return;
  used.add(across);
  if (USED) appendFileSync(USED, `${across}\n`);
}

/** What the connection may see until it goes back to the pool. */
async function restrict(client: pg.PoolClient): Promise<void> {
  const now = scope.getStore();
  if (now && 'across' in now) note(now.across);
  const account = now && 'account' in now ? now.account : undefined;
  await client.query(`select set_config('role', $1, false), set_config('app.account', $2, false)`, [
    account === undefined ? 'none' : ROLE,
    account ?? '',
  ]);
}

if (ROW_SECURITY) {
  // Others' services, the demo's for example, have databases without these policies.
  channel(SCOPE_CHANNEL).bindStore(scope as AsyncLocalStorage<unknown>, (data) => scope.getStore() && data);
  // `Pool.connect` without a callback, which is how the service calls it.
  const { prototype } = pg.Pool as unknown as { prototype: { connect(): Promise<pg.PoolClient> } };
  const connect = prototype.connect;
  prototype.connect = async function (this: pg.Pool) {
    const client = await connect.call(this);
    await restrict(client).catch((error: unknown) => {
      client.release(true);
      throw error;
    });
    return client;
  };
}

/** In a database that is migrated, by its owner. */
export async function installRowSecurity(owner: pg.Client): Promise<void> {
  await owner.query(
    `do $$ begin create role ${ROLE}; exception when duplicate_object or unique_violation then null; end $$`,
  );
  await owner.query(`create or replace function app_account() returns text language plpgsql stable as $$ begin
    if coalesce(current_setting('app.account', true), '') = '' then
      raise exception 'this work did not say for which account it is';
    end if;
    return current_setting('app.account');
  end $$`);
  const { rows } = await owner.query<{ name: string }>(`select current_database() as name`);
  await owner.query(`grant temporary on database ${rows[0]!.name} to ${ROLE}`);
  await owner.query(`grant select, insert, update, delete on all tables in schema public to ${ROLE}`);
  for (const [table, column] of Object.entries(ACCOUNT_COLUMNS)) {
    await owner.query(`alter table ${table} enable row level security`);
    // Several services of a test may have one database.
    await owner.query(`drop policy if exists own_rows on ${table}`);
    await owner.query(`create policy own_rows on ${table} using (${column} = app_account())`);
  }
}
