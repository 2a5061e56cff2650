/**
 * The files `*.long.test.ts` of each suite: more chains, faults and generated requests of what the other commands try once. `SUITES=service`
 * selects some.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run } from '../../scripts/command.ts';
import { type SuiteName, testFiles } from '../../scripts/testing/suites.ts';
import { DEADLINE_MS } from '../waiting.ts';

const SUITES = (process.env['SUITES'] ?? 'conformance service e2e').split(' ') as SuiteName[];

for (const suite of SUITES)
  test(suite, async () => {
    const { code, timedOut } = await run(
      'node',
      ['--import', 'tsx', 'scripts/test.ts', suite, ...testFiles(suite, 'long')],
      { timeout: 12 * DEADLINE_MS },
    );
    assert.ok(!timedOut, 'in time');
    assert.equal(code, 0);
  });
