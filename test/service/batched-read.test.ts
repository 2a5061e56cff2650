/** Concurrent reads share one query, and each gets its own row. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { batchedRead } from '../../service/database/batched-read.ts';

interface Row {
  id: string;
  value: number;
}

function table(rows: Row[]) {
  const queries: string[][] = [];
  const read = batchedRead(
    async (keys) => {
      queries.push(keys);
      return rows.filter(({ id }) => keys.includes(id)).reverse();
    },
    ({ id }) => id,
  );
  return { queries, read };
}

test('concurrent reads are one query, with each key once', async () => {
  const { queries, read } = table([
    { id: 'a', value: 1 },
    { id: 'b', value: 2 },
  ]);
  const found = await Promise.all(['b', 'nobody', 'a', 'b'].map(read));
  assert.deepEqual(
    found.map((row) => row?.value),
    [2, undefined, 1, 2],
  );
  assert.deepEqual(queries, [['b', 'nobody', 'a']]);
});

test('a later read queries again: nothing is cached', async () => {
  const rows = [{ id: 'a', value: 1 }];
  const { queries, read } = table(rows);
  assert.equal((await read('a'))?.value, 1);
  rows[0] = { id: 'a', value: 2 };
  assert.equal((await read('a'))?.value, 2);
  assert.equal(queries.length, 2);
});

test('a query has at most a hundred keys', async () => {
  const rows = Array.from({ length: 250 }, (_, n) => ({ id: `${n}`, value: n }));
  const { queries, read } = table(rows);
  const found = await Promise.all(rows.map(({ id }) => read(id)));
  assert.deepEqual(
    found.map((row) => row?.value),
    rows.map(({ value }) => value),
  );
  assert.deepEqual(
    queries.map(({ length }) => length),
    [100, 100, 50],
  );
});

test('a failed query fails all of its reads, and no later one', async () => {
  let down = true;
  const read = batchedRead<Row>(
    async (keys) => {
      if (down) throw new Error('the database is gone');
      return keys.map((id) => ({ id, value: 1 }));
    },
    ({ id }) => id,
  );
  const both = await Promise.allSettled([read('a'), read('b')]);
  assert.deepEqual(
    both.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  down = false;
  assert.equal((await read('a'))?.value, 1);
});
