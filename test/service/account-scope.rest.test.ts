/** Rows and their accounts: every table names one, older rows get theirs while the previous release runs on, and row-level security holds. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { Kysely, Migrator, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { ACCOUNT_COLUMNS, SHARED_TABLES } from '../../service/database/account-scope.ts';
import { findReceivingWallets } from '../../service/checkout/wallet-payments/receiving-wallets.ts';
import { runningCluster } from '../../service/database/embedded/cluster.ts';
import { migrate, MIGRATIONS } from '../../service/database/migrate.ts';
import type { Schema } from '../../service/database/schema.ts';
import { DEADLINE_MS, poll } from '../waiting.ts';
import { startTested, type Tested } from './harness.ts';
import { installRowSecurity } from './row-security.ts';

let service: Tested;
const name = `accounts_${randomUUID().replaceAll('-', '')}`;
let connection: pg.PoolConfig;
let db: Kysely<Schema>;
before(async () => {
  service = await startTested();
  const { config } = service;
  connection = config.databaseUrl
    ? { connectionString: Object.assign(new URL(config.databaseUrl), { pathname: `/${name}` }).href }
    : { ...(await runningCluster(config.dataFolder))!, database: name };
  await sql`create database ${sql.id(name)}`.execute(service.service.db);
  const pool = new pg.Pool({ ...connection, max: 2 });
  // The database is dropped under connections that are about to close.
  pool.on('error', () => {});
  db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
});
after(async () => {
  await db.destroy();
  await sql`drop database ${sql.id(name)} with (force)`.execute(service.service.db);
  await service.close();
});

async function migrateTo(migration: string): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(MIGRATIONS) } });
  assert.equal((await migrator.migrateTo(migration)).error, undefined);
}

const run = (text: string) => sql.raw(text).execute(db);

/** A wallet with its rows, as processes before migration 023 write them. */
async function writeWallet(id: string, owner: string, ownPin: boolean): Promise<void> {
  await run(`insert into wallets (id, owner_id, application_id, wallet_type, secret_type, address, is_primary)
    values ('${id}', '${owner}', 'shop', 'WHITE_LABEL', 'ETHEREUM', '${id}', false)`);
  await run(`insert into pins (id, salt, cost, share, master_version, by_pin, by_recovery_code)
    values ('${ownPin ? id : owner}', '', '{}', '', 1, '', '')`);
  await run(`insert into wallet_secrets (wallet_id, pin_id, data_key, private_key)
    values ('${id}', '${ownPin ? id : owner}', '', '')`);
  await run(`insert into transactions (id, wallet_id, secret_type, network, hash, raw, request, claims, state)
    values ('of ${id}', '${id}', 'ETHEREUM', 'n', '${id}', '', '', '', 'sent')`);
}

async function accountsIn(table: string, key: string): Promise<Record<string, string>> {
  const { rows } = await sql<{ key: string; owner_id: string }>`
    select ${sql.id(key)} as key, owner_id from ${sql.table(table)}`.execute(db);
  return Object.fromEntries(rows.map((row) => [row.key, row.owner_id]));
}

test('rows of 0.1.0 and of the previous migration get their account, and so do those that the previous release goes on writing', async () => {
  await migrateTo('007-merchants');
  await run(`insert into accounts (id, issuer, subject, application)
    values ('shop', 'i', 'shop', true), ('user', 'i', 'user', false)`);
  await writeWallet('of-shop', 'shop', true);
  await writeWallet('of-user', 'user', false);
  await run(`insert into checkout_sessions (id, page_id, application_id, provider, livemode, url, line_items, currency,
    amount_subtotal, amount_total, success_url, cancel_url, status, payment_status, expires_at)
    values ('cs', 'page', 'shop', 'test', false, '', '[]', 'EUR', 1, 1, '', '', 'open', 'unpaid', now())`);
  await run(`insert into checkout_payments (id, session_id, attempt, state, brand, last4, customer_details)
    values ('pi', 'cs', 'a', 'paid', '', '', '{}')`);
  await migrateTo('021-refunds');
  await run(`insert into wallet_sessions (id, wallet_id, application_id, token_hash, share, master_version, data_key, pin_mark,
    transactions, created_at, expires_at) values ('ws', 'of-shop', 'shop', '', '', 1, '', '', 1, now(), now())`);
  await run(`insert into wallet_session_limits (session_id, asset, amount) values ('ws', '', 1)`);
  await run(`insert into arrivals (id, wallet_id, place, secret_type, network, hash, state, effect, dust, settled, created_at)
    values ('ar', 'of-user', '', 'ETHEREUM', '', '', 'sent', '', false, false, now())`);
  await run(`insert into arrival_looks (wallet_id, looked_at) values ('of-user', now())`);
  await run(`insert into held_transactions (id, wallet_id, client_id, approvers, fixed_hash, draft, draft_hash, maximum_fee,
    created_at, expires_at) values ('ht', 'of-user', 'shop', '{}', '', '', '', 1, now(), now())`);
  await run(`insert into wallet_watches (wallet_id, network, recipient) values ('of-user', 'n', '')`);
  await run(`insert into deposits (network, transaction_hash, place, wallet_id, block_number, block_hash, symbol, decimals, amount)
    values ('n', 'h', '', 'of-user', 1, '', '', 0, 1)`);
  await run(`insert into held_approvals (held_id, client_id, created_at) values ('ht', 'shop', now())`);

  await migrate(db);
  await writeWallet('later', 'shop', true);
  await run(`update transactions set state = 'confirmed' where id = 'of of-user'`);

  const wallets = { 'of-shop': 'shop', 'of-user': 'user', later: 'shop' };
  assert.deepEqual(await accountsIn('pins', 'id'), { 'of-shop': 'shop', user: 'user', later: 'shop' });
  assert.deepEqual(await accountsIn('wallet_secrets', 'wallet_id'), wallets);
  assert.deepEqual(await accountsIn('transactions', 'wallet_id'), wallets);
  assert.deepEqual(await accountsIn('wallet_session_limits', 'session_id'), { ws: 'shop' });
  assert.deepEqual(await accountsIn('arrivals', 'id'), { ar: 'user' });
  assert.deepEqual(await accountsIn('arrival_looks', 'wallet_id'), { 'of-user': 'user' });
  assert.deepEqual(await accountsIn('held_transactions', 'id'), { ht: 'user' });
  assert.deepEqual(await accountsIn('held_approvals', 'held_id'), { ht: 'user' });
  assert.deepEqual(await accountsIn('checkout_payments', 'id'), { pi: 'shop' });
  assert.deepEqual(await accountsIn('wallet_watches', 'wallet_id'), { 'of-user': 'user' });
  assert.deepEqual(await accountsIn('deposits', 'wallet_id'), { 'of-user': 'user' });
});

test('every table names the account of its rows, or is listed with the reason why it does not', async () => {
  const { rows: tables } = await sql<{ name: string }>`select tablename as name from pg_tables
    where schemaname = 'public' and tablename not like 'kysely%'`.execute(db);
  const listed = { ...ACCOUNT_COLUMNS, ...SHARED_TABLES };
  assert.deepEqual(
    tables.map((table) => table.name).sort(),
    Object.keys(listed).sort(),
    'Name the account of a new table in service/database/account-scope.ts.',
  );
  for (const [table, column] of Object.entries(ACCOUNT_COLUMNS)) {
    const { rows } = await sql<{ sure: boolean }>`select attnotnull or exists (select from pg_constraint c
        where c.conrelid = a.attrelid and conname = ${`${table}_account`} and convalidated) as sure
      from pg_attribute a where attrelid = ${table}::regclass and attname = ${column}`.execute(db);
    assert.deepEqual(rows, [{ sure: true }], `${table}.${column}`);
  }
});

test('row-level security shows the rows of one account, and none to work that names no account', async () => {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    await installRowSecurity(client);
    const as = (account: string) =>
      client.query(
        `select set_config('role', 'carabiner_account', false), set_config('app.account', $1, false)`,
        [account],
      );
    await as('user');
    assert.deepEqual((await client.query('select id from wallets')).rows, [{ id: 'of-user' }]);
    assert.equal(
      (await client.query(`update transactions set checks = 1 where wallet_id = 'of-shop'`)).rowCount,
      0,
    );
    const theft = `insert into arrival_looks (wallet_id, owner_id, looked_at) values ('of-shop', 'shop', now())`;
    await assert.rejects(client.query(theft), /row-level security/);
    await as('');
    for (const table of Object.keys(ACCOUNT_COLUMNS)) {
      const isEmpty = (await sql`select from ${sql.table(table)} limit 1`.execute(db)).rows.length === 0;
      if (!isEmpty) await assert.rejects(client.query(`select from ${table}`), /did not say/, table);
    }
  } finally {
    await client.end();
  }
});

test('what counts, is watched and was read on default networks still does once wallets are on others', async () => {
  await run('drop schema public cascade; create schema public');
  await migrateTo('026-checkout-scopes');
  await run(`insert into accounts (id, issuer, subject, application) values ('shop', 'i', 'shop', true)`);
  await run(`insert into clients (id, name, scopes) values ('shop', 'Shop', '{view:wallets}')`);
  await writeWallet('w', 'shop', true);
  const spend = (asset: string) =>
    run(`insert into policy_spends (subject, asset, transaction_id, raw, first_id, spent_at)
      values ('client:shop', '${asset}', 'of w', 5, 'of w', now())`);
  const watch = (network: string) =>
    run(
      `insert into wallet_watches (wallet_id, network, recipient) values ('w', '${network}', '') on conflict do nothing`,
    );
  const look = () =>
    run(`insert into arrival_looks as l (wallet_id, looked_at, position) values ('w', now(), 7)
      on conflict (wallet_id) do update set looked_at = excluded.looked_at`);
  await spend('ETHEREUM');
  await watch('n');
  await look();

  await migrate(db);
  // As processes of the previous release go on writing.
  await spend('ETHEREUM:0x1');
  await watch('n');
  await look();
  await watch('other');
  const { rows: spends } = await sql`select network, by_default, raw::int from policy_spends`.execute(db);
  const spent = { network: null, by_default: true, raw: 5 };
  assert.deepEqual(spends, [spent, spent]);
  const { rows: watches } = await sql`select network from wallet_watches order by network`.execute(db);
  assert.deepEqual(watches, [{ network: 'n' }, { network: 'other' }]);
  const { rows: looks } = await sql`select position::int from arrival_looks`.execute(db);
  assert.deepEqual(looks, [{ position: 7 }]);
  const { rows: clients } = await sql`select networks from clients`.execute(db);
  assert.deepEqual(clients, [{ networks: null }]);
});

test('the one receiving wallet of before is the first of several, and processes of before go on setting it', async () => {
  await run('drop schema public cascade; create schema public');
  await migrateTo('031-price-basis');
  await run(`insert into accounts (id, issuer, subject, application) values ('shop', 'i', 'shop', true)`);
  const set = (network: string, confirmations: number) =>
    run(`insert into receiving_wallets (application_id, secret_type, network, token_address, address, confirmations)
      values ('shop', 'TRON', '${network}', '', 'T1', ${confirmations})
      on conflict (application_id) do update set network = excluded.network, address = excluded.address,
        confirmations = excluded.confirmations`);
  await set('tron', 20);

  await migrate(db);
  const list = async () =>
    (await findReceivingWallets(db, 'shop')).map(({ network, confirmations, tolerance, created_at }) => {
      assert.ok(created_at instanceof Date);
      return [network, confirmations, tolerance].join(' ');
    });
  assert.deepEqual(await list(), ['tron 20 0']);
  const further = ['ae', 'other'].map((network) => ({
    secret_type: 'AETERNITY',
    network,
    token_address: '',
    address: 'ak_1',
    confirmations: 3,
    tolerance: 50,
    created_at: '2026-11-28T00:00:00.000Z',
  }));
  await run(`update receiving_wallets set further = '${JSON.stringify(further)}'`);
  assert.deepEqual(await list(), ['tron 20 0', 'ae 3 50', 'other 3 50']);
  await set('ae', 5);
  assert.deepEqual(await list(), ['ae 5 0', 'other 3 50']);
  // They do not know of keys, and may put an address in place of one.
  await run(`insert into receiving_keys (id, application_id, secret_type, network, identity, fingerprint, addresses, sealed, master_version,
    max_gap) values ('rk', 'shop', 'BITCOIN', 'btc', '', '', '{}', '', 1, 200)`);
  await run(`update receiving_wallets set address = '', key_id = 'rk'`);
  const keyOfFirst = async () => (await findReceivingWallets(db, 'shop'))[0]!.key_id;
  assert.equal(await keyOfFirst(), 'rk');
  await set('tron', 20);
  assert.equal(await keyOfFirst(), null);
});

test('a migration that would have to wait for a transaction holds up nobody meanwhile', async () => {
  await run('drop schema public cascade; create schema public');
  await migrateTo('021-refunds');
  const [busy, reader] = [new pg.Client(connection), new pg.Client(connection)];
  await Promise.all([busy.connect(), reader.connect()]);
  try {
    await busy.query('begin; lock table transactions in access share mode');
    let migrated = false;
    const migrating = migrate(db).then(() => (migrated = true));
    const isWaiting = async (): Promise<boolean> =>
      (
        await sql`select from pg_locks where not granted and locktype = 'relation'`.execute(
          service.service.db,
        )
      ).rows.length > 0;
    await poll(isWaiting, 'the migration');
    // Behind the migration, until that gives up.
    await reader.query(`set lock_timeout = ${DEADLINE_MS}; select from transactions`);
    assert.equal(migrated, false);
    await busy.query('commit');
    await migrating;
  } finally {
    await Promise.all([busy.end(), reader.end()]);
  }
});
