import assert from 'node:assert/strict';
import { join, relative } from 'node:path';
import { filesBelow } from '../../scripts/build.ts';
import { ROOT, run } from '../../scripts/command.ts';

const MINUTE = 60_000;

/** Runs every unit test in an engine, or those of one folder; `npm test` does in Chromium. Throws an error that names what failed. */
export async function unitTestsPass(engine: string, minutes: number, folder = ''): Promise<void> {
  const files = filesBelow(join(ROOT, 'test/unit', folder))
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => relative(ROOT, file));
  const { code, output } = await run('wtr', folder ? ['--files', ...files] : [], {
    timeout: minutes * MINUTE,
    env: { ENGINE: engine },
    onLine: () => {},
  });
  const [said] = /^unit: .*$/m.exec(output) ?? [];
  console.log(`${engine}${folder && `, ${folder}`}: ${said}`);
  const failed = output.split('\n').filter((line) => line.startsWith('unit failed: '));
  assert.equal(code, 0, failed.join('\n') || output.slice(-2000));
}
