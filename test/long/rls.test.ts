/** The service's tests under row-level security: work for one account touches no row of another, but for the exceptions that are listed. */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { run } from '../../scripts/command.ts';
import { ACROSS_ACCOUNTS } from '../../service/database/account-scope.ts';
import { DEADLINE_MS } from '../waiting.ts';

test('the service passes its tests with rows of one account in sight, and needs every exception that is listed', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'carabiner-rls-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const used = join(folder, 'used');
  const { code } = await run(process.execPath, ['--import', 'tsx', 'scripts/test.ts', 'row-security'], {
    timeout: 15 * DEADLINE_MS,
    env: { ROW_SECURITY_USED: used },
    onLine: (line) => console.log(line),
  });
  assert.equal(code, 0);
  const names = new Set(existsSync(used) ? readFileSync(used, 'utf8').trim().split('\n') : []);
  assert.deepEqual(
    Object.keys(ACROSS_ACCOUNTS).filter((name) => !names.has(name)),
    [],
    'No test needs these exceptions: take them out of service/database/account-scope.ts.',
  );
});
