/** Runs end-to-end tests in dialog and window, and in every form. */
import assert from 'node:assert/strict';
import { run } from '../../scripts/command.ts';
import { DEADLINE_MS } from '../waiting.ts';

/** Fails if one does. `names` are of files in `test/e2e`, without `.test.ts`. */
export async function runEveryVariant(names: readonly string[]): Promise<void> {
  const { code, timedOut } = await run(
    'node',
    ['--import', 'tsx', 'scripts/test.ts', 'e2e', ...names.map((name) => `test/e2e/${name}.test.ts`)],
    { timeout: 18 * DEADLINE_MS, env: { EVERY_VARIANT: 'yes' } },
  );
  assert.ok(!timedOut, 'in time');
  assert.equal(code, 0);
}
