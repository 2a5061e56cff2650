/** Concurrent rows of an account share one statement, and none fails for another. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { batchedInsert } from '../../service/database/batched-insert.ts';
import { ConnectError } from '../../src/base/errors.ts';

/** A table that stores each batch on `next`. */
function table(refuse: (rows: string[]) => unknown = () => undefined) {
  const statements: string[] = [];
  const stored: string[] = [];
  const pending: (() => void)[] = [];
  const store = batchedInsert<string>(
    (account, rows) =>
      new Promise((done, fail) => {
        statements.push(`${account}: ${rows.join(' ')}`);
        pending.push(() => {
          const error = refuse(rows);
          if (error) return fail(error as Error);
          stored.push(...rows);
          done(undefined);
        });
      }),
  );
  const next = async (): Promise<void> => {
    pending.shift()!();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { store, next, statements, stored };
}

test('a row that comes alone goes at once; those that come meanwhile go together', async () => {
  const { store, next, statements, stored } = table();
  const rows = ['1', '2', '3'].map((row) => store('shop', row));
  assert.deepEqual(statements, ['shop: 1']);
  await next();
  assert.deepEqual(statements, ['shop: 1', 'shop: 2 3']);
  await next();
  await Promise.all(rows);
  assert.deepEqual(stored, ['1', '2', '3']);
  void store('shop', '4');
  assert.equal(statements.at(-1), 'shop: 4');
});

test('accounts neither share a statement nor wait for each other', () => {
  const { store, statements } = table();
  void store('shop', '1');
  void store('other', '2');
  assert.deepEqual(statements, ['shop: 1', 'other: 2']);
});

test('a statement has at most a hundred rows', async () => {
  const { store, next, statements } = table();
  for (let row = 0; row < 202; row++) void store('shop', String(row));
  await next();
  await next();
  assert.deepEqual(
    statements.map((text) => text.split(' ').length - 1),
    [1, 100, 100],
  );
});

test('a row that the database refuses fails alone', async () => {
  const { store, next, stored } = table((rows) => rows.includes('bad') && new Error('refused'));
  const rows = ['1', '2', 'bad', '3'].map((row) => store('shop', row).catch((error: Error) => error.message));
  for (let statement = 0; statement < 5; statement++) await next();
  assert.deepEqual(await Promise.all(rows), [undefined, undefined, 'refused', undefined]);
  assert.deepEqual(stored, ['1', '2', '3']);
});

test('when the database is away all rows of a statement fail, and none is sent again', async () => {
  const away = new ConnectError('service.unreachable', 'away', { retryAfter: 2 });
  const { store, next, statements } = table((rows) => rows.length > 1 && away);
  const rows = ['1', '2', '3'].map((row) => store('shop', row).catch((error: ConnectError) => error.code));
  await next();
  await next();
  assert.deepEqual(await Promise.all(rows), [undefined, 'service.unreachable', 'service.unreachable']);
  assert.deepEqual(statements, ['shop: 1', 'shop: 2 3']);
});
