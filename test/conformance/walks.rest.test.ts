/** What a screen reader meets in each flow is as in `test/walks`. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { before, test } from 'node:test';
import { fileOf, FLOWS, REFRESH, walkAll } from '../../scripts/walks.ts';

let walks: Map<string, string>;
before(async () => {
  walks = await walkAll();
});

for (const flow of Object.keys(FLOWS))
  test(`a screen reader meets in "${flow}" what it met before, or: ${REFRESH}`, () => {
    assert.equal(walks.get(flow), readFileSync(fileOf(flow), 'utf8'));
  });

test('no text is of a flow that is gone', () => {
  const names = Object.keys(FLOWS).map((flow) => `${flow}.txt`);
  assert.deepEqual(readdirSync(dirname(fileOf('link'))).sort(), names.sort());
});
