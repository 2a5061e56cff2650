/** Statements are prepared, and a migration under a running process breaks none. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import type { Database } from '../../service/database/database.ts';
import { statementNames } from '../../service/database/prepared.ts';
import { startTested, type Tested } from './harness.ts';

let tested: Tested;

before(async () => {
  tested = await startTested();
});
after(() => tested?.close());

/** On one connection: each prepares for itself. */
const onOne = (work: (db: Database) => Promise<void>) => tested.service.db.connection().execute(work);

test('a statement is prepared from the second time on', () =>
  onOne(async (db) => {
    const read = () => db.selectFrom('wallets').select('id').where('alias', '=', 'prepared').execute();
    const uses = async (): Promise<number> => {
      const { rows } = await sql<{ uses: number }>`
      select (generic_plans + custom_plans)::int as uses from pg_prepared_statements
      where statement like '%"alias" = $1%'`.execute(db);
      return rows[0]?.uses ?? 0;
    };
    await read();
    assert.equal(await uses(), 0);
    for (let n = 0; n < 3; n++) await read();
    assert.equal(await uses(), 3);
  }));

test('a column that a migration adds breaks no statement of a running process', () =>
  onOne(async (db) => {
    const named = () => db.selectFrom('clients').select(['id', 'name']).where('name', '=', 'x').execute();
    const whole = () => db.selectFrom('clients').selectAll().where('name', '=', 'x').execute();
    for (let n = 0; n < 3; n++) await Promise.all([named(), whole()]);
    await sql`alter table clients add column later text`.execute(db);
    await Promise.all([named(), whole()]);
  }));

test('texts beyond the limit, and those that ask for every column, are not prepared', () => {
  const nameOf = statementNames(2);
  const twice = (text: string) => [nameOf(text), nameOf(text)][1];
  for (const text of ['select * from a', 'select "a".* from a', 'insert into a values ($1) returning *'])
    assert.equal(twice(text), undefined, text);
  assert.ok(twice('select count(*) from a where b = $1'));
  assert.ok(twice('select b from a where b = $1'));
  assert.equal(twice('select c from a where b = $1'), undefined);
  assert.ok(nameOf('select b from a where b = $1'));
});
