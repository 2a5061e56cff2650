/** The public API changes only on purpose: its list is compared with the code. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { undocumentedAttributes } from '../../scripts/api/elements.ts';
import { readTypes } from '../../scripts/api/types.ts';
import { API_FILE, apiSurface } from '../../scripts/api.ts';

test('docs/api-surface.md lists the public API as it is', async () => {
  const now = await apiSurface();
  if (now === readFileSync(API_FILE, 'utf8')) return;
  const { stdout } = spawnSync('diff', ['-U2', API_FILE, '-'], { input: now, encoding: 'utf8' });
  assert.fail(
    `The public API changed. If that is meant, run \`npm run api\` and commit the file.\n${stdout}`,
  );
});

test('the comment of an element’s class names its attributes', () => {
  assert.deepEqual(undocumentedAttributes(readTypes()), []);
});
