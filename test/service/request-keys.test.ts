/** Which requests count as the same under one `Idempotency-Key`, and that keys of older versions still do. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, test } from 'node:test';
import { Kysely, Migrator, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { runningCluster } from '../../service/database/embedded/cluster.ts';
import { MIGRATIONS } from '../../service/database/migrate.ts';
import type { Schema } from '../../service/database/schema.ts';
import { findAnswered, findSessionId, Fingerprint } from '../../service/idempotency/request-keys.ts';
import { startTested, type Tested } from './harness.ts';

let service: Tested;
before(async () => {
  service = await startTested();
});
after(() => service.close());

const PAYMENT = { type: 'ETH_TRANSACTION', walletId: 'till', to: '0x1', value: '1' };
const same = (one: object, other: object) =>
  new Fingerprint('execute', one).isThatOf(new Fingerprint('execute', other).digest);

test('a field that is null is a field that is left out, at any depth', () => {
  assert.ok(same(PAYMENT, { ...PAYMENT, data: null }));
  assert.ok(same({ data: null, ...PAYMENT }, { ...PAYMENT, nonce: null, network: undefined }));
  assert.ok(
    same(
      { clauses: [{ to: '0x1', data: null }], network: { nodeUrl: 'a' } },
      {
        network: { chainId: null, nodeUrl: 'a' },
        clauses: [{ to: '0x1' }],
      },
    ),
  );
  for (const other of [
    { ...PAYMENT, data: '' },
    { ...PAYMENT, value: 1 },
    { ...PAYMENT, data: 'null' },
    { ...PAYMENT, clauses: [] },
    { ...PAYMENT, clauses: [null] },
  ])
    assert.equal(same(PAYMENT, other), false, JSON.stringify(other));
  assert.equal(same({ inputs: [null, 1] }, { inputs: [1] }), false);
  assert.equal(new Fingerprint('sign', PAYMENT).isThatOf(new Fingerprint('execute', PAYMENT).digest), false);
});

test('keys of a database of 0.1.0 still belong to their requests', async () => {
  const { config } = service;
  const connection = config.databaseUrl
    ? { connectionString: config.databaseUrl }
    : (await runningCluster(config.dataFolder))!;
  await sql`create schema keys_of_old`.execute(service.service.db);
  const pool = new pg.Pool({ ...connection, options: '-c search_path=keys_of_old', max: 2 });
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  try {
    const provider = { getMigrations: () => Promise.resolve(MIGRATIONS) };
    const migrator = new Migrator({ db, provider, migrationTableSchema: 'keys_of_old' });
    assert.equal((await migrator.migrateTo('007-merchants')).error, undefined);
    // As 0.1.0 wrote them: it hashed nulls.
    const digest = (text: string) => createHash('sha256').update(text).digest();
    const plain = digest('execute {"to":"0x1","type":"ETH_TRANSACTION","value":"1","walletId":"till"}');
    const nulls = digest(
      'execute {"data":null,"to":"0x1","type":"ETH_TRANSACTION","value":"1","walletId":"till"}',
    );
    const session = digest('checkout {"client_reference_id":null,"mode":"payment"}');
    await sql`insert into accounts (id, issuer, subject, application) values ('shop', 'i', 'shop', true)`.execute(
      db,
    );
    await sql`insert into wallets (id, owner_id, application_id, wallet_type, secret_type, address, is_primary)
      values ('till', 'shop', 'shop', 'WHITE_LABEL', 'ETHEREUM', '0x2', false)`.execute(db);
    await sql`insert into transactions (id, wallet_id, secret_type, network, hash, raw, request, claims, state)
      values ('t1', 'till', 'ETHEREUM', 'n', '0xabc', '', '', '', 'sent')`.execute(db);
    await sql`insert into checkout_sessions (id, page_id, application_id, provider, livemode, url, line_items, currency,
      amount_subtotal, amount_total, success_url, cancel_url, status, payment_status, expires_at)
      values ('cs', 'page', 'shop', 'test', false, '', '[]', 'EUR', 1, 1, '', '', 'open', 'unpaid', now())`.execute(
      db,
    );
    await sql`insert into request_keys (account_id, key, fingerprint, transaction_id, session_id)
      values ('shop', 'plain', ${plain}, 't1', null), ('shop', 'nulls', ${nulls}, 't1', null),
        ('shop', 'session', ${session}, null, 'cs')`.execute(db);
    assert.equal((await migrator.migrateToLatest()).error, undefined);

    const asked = (key: string, operation: string, request: object) => ({
      accountId: 'shop',
      key,
      fingerprint: new Fingerprint(operation, request),
    });
    const hash = async (key: string, request: object) =>
      (await findAnswered(db, asked(key, 'execute', request)))?.hash;
    const conflict = { code: 'request.conflict' };
    assert.equal(await hash('plain', PAYMENT), '0xabc');
    assert.equal(await hash('plain', { ...PAYMENT, data: null }), '0xabc');
    assert.equal(await hash('nulls', { ...PAYMENT, data: null }), '0xabc');
    // Only its digest is known, which another set of nulls does not give.
    await assert.rejects(hash('nulls', PAYMENT), conflict);
    await assert.rejects(hash('nulls', { ...PAYMENT, data: null, value: '2' }), conflict);
    await assert.rejects(hash('plain', { ...PAYMENT, data: '0x' }), conflict);
    const order = { mode: 'payment', client_reference_id: null };
    assert.equal(await findSessionId(db, asked('session', 'checkout', order)), 'cs');
  } finally {
    await db.destroy();
  }
});
