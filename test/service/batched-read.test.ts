/** Reads that come together are one query, and each gets its own row. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { batchedRead } from '../../service/database/batched-read.ts';

interface Row {
  id: string;
  value: number;
}

function table(rows: Row[]) {
  const asked: string[][] = [];
  const read = batchedRead(
    async (keys) => {
      asked.push(keys);
      return rows.filter(({ id }) => keys.includes(id)).reverse();
    },
    ({ id }) => id,
  );
  return { asked, read };
}

test('what is read at the same time is one query, each key in it once', async () => {
  const { asked, read } = table([
    { id: 'a', value: 1 },
    { id: 'b', value: 2 },
  ]);
  const found = await Promise.all(['b', 'nobody', 'a', 'b'].map(read));
  assert.deepEqual(
    found.map((row) => row?.value),
    [2, undefined, 1, 2],
  );
  assert.deepEqual(asked, [['b', 'nobody', 'a']]);
});

test('a later read asks again: nothing is kept', async () => {
  const rows = [{ id: 'a', value: 1 }];
  const { asked, read } = table(rows);
  assert.equal((await read('a'))?.value, 1);
  rows[0] = { id: 'a', value: 2 };
  assert.equal((await read('a'))?.value, 2);
  assert.equal(asked.length, 2);
});

test('a query takes a hundred keys', async () => {
  const rows = Array.from({ length: 250 }, (_, n) => ({ id: `${n}`, value: n }));
  const { asked, read } = table(rows);
  const found = await Promise.all(rows.map(({ id }) => read(id)));
  assert.deepEqual(
    found.map((row) => row?.value),
    rows.map(({ value }) => value),
  );
  assert.deepEqual(
    asked.map(({ length }) => length),
    [100, 100, 50],
  );
});

test('a query that fails fails for everybody who was on it, and for nobody after', async () => {
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
