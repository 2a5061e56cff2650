import { type Kysely, sql } from 'kysely';

/** Gives up rather than wait for a long transaction, with everything else queued behind it; `migrate` tries again. */
const LOCK_MS = 500;

/** Where the account of a row that does not name it is to be found: in tables that have named it from the start. */
const OWNERS = {
  pins: 'select coalesce((select owner_id from wallets where id = new.id), new.id)',
  wallet_secrets: 'select owner_id from wallets where id = new.wallet_id',
  wallet_session_limits: 'select application_id from wallet_sessions where id = new.session_id',
  transactions: 'select owner_id from wallets where id = new.wallet_id',
  arrivals: 'select owner_id from wallets where id = new.wallet_id',
  arrival_looks: 'select owner_id from wallets where id = new.wallet_id',
  held_transactions: 'select owner_id from wallets where id = new.wallet_id',
  held_approvals:
    'select w.owner_id from held_transactions h join wallets w on w.id = h.wallet_id where h.id = new.held_id',
  checkout_payments: 'select application_id from checkout_sessions where id = new.session_id',
  wallet_watches: 'select owner_id from wallets where id = new.wallet_id',
  deposits: 'select owner_id from wallets where id = new.wallet_id',
};

/**
 * Every row of a user or an application names its account, in a column that no query of the previous release can mistake for another one.
 * Nothing here reads a table: existing rows get their account from `fillAccounts` afterwards, and those that processes of the previous
 * release write get it from the triggers.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`select set_config('lock_timeout', ${`${LOCK_MS}ms`}, true)`.execute(db);
  for (const [table, owner] of Object.entries(OWNERS)) {
    const name = sql.id(`${table}_account`);
    for (const statement of [
      sql`alter table ${sql.table(table)} add column owner_id text,
        add constraint ${name} check (owner_id is not null) not valid`,
      sql`create function ${name}() returns trigger language plpgsql as $$
        begin new.owner_id := (${sql.raw(owner)}); return new; end $$`,
      sql`create trigger ${name} before insert or update on ${sql.table(table)}
        for each row when (new.owner_id is null) execute function ${name}()`,
    ])
      await statement.execute(db);
  }
}
