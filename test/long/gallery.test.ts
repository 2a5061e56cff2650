/** Every view in every look has a picture, and axe finds nothing in any. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run } from '../../scripts/command.ts';

test('every view can be looked at, in every look, without a finding of axe', async () => {
  const { code } = await run('npm', ['run', 'gallery'], { timeout: 35 * 60_000 });
  assert.equal(code, 0);
});
