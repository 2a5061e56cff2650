/** Every view in every look has a picture, in languages with other scripts too, and axe finds nothing in any. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run } from '../../scripts/command.ts';

test('every view can be looked at, in every look, without a finding of axe', async () => {
  const env = { GALLERY_LOCALES: 'en,ar,ja' };
  const { code } = await run('npm', ['run', 'gallery'], { timeout: 38 * 60_000, env });
  assert.equal(code, 0);
});
