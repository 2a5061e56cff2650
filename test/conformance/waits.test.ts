/** The lint rule about waits refuses what is right on one machine only, and nothing else. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { ROOT } from '../../scripts/command.ts';

const folder = mkdtempSync(join(tmpdir(), 'carabiner-waits-'));
after(() => rmSync(folder, { recursive: true, force: true }));

interface Found {
  diagnostics: { message: string; labels: { span: { line: number } }[] }[];
}

/** The lines at which the rule finds something, each once. */
async function found(lines: readonly string[]): Promise<string[]> {
  const file = join(folder, 'lines.ts');
  const config = join(folder, 'oxlintrc.json');
  writeFileSync(file, lines.join('\n'));
  writeFileSync(
    config,
    JSON.stringify({
      jsPlugins: [join(ROOT, 'scripts/lint/waits.mjs')],
      categories: { correctness: 'off' },
      rules: { 'carabiner/waits': 'error' },
    }),
  );
  const { stdout } = await promisify(execFile)(
    join(ROOT, 'node_modules/.bin/oxlint'),
    ['-c', config, '--format', 'json', file],
    { cwd: folder },
  ).catch((error: unknown) => error as { stdout: string });
  const { diagnostics } = JSON.parse(stdout) as Found;
  for (const { message } of diagnostics) assert.match(message, /test\/waiting\.ts/);
  const at = diagnostics.map(({ labels }) => labels[0]!.span.line);
  return [...new Set(at)].sort((a, b) => a - b).map((line) => lines[line - 1]!);
}

const BAD = [
  "import { setTimeout as sleep } from 'node:timers/promises';",
  "import timers from 'timers';",
  "import { expect, waitUntil } from '@open-wc/testing';",
  "const lazy = await import('node:timers/promises');",
  'await new Promise((resolve) => setTimeout(resolve, 20));',
  'setInterval(look, 100);',
  'window.setTimeout(look);',
  "globalThis['setInterval'](look, 5);",
  'await page.waitForTimeout(50);',
  'await button.click({ timeout: 2000 });',
  "await run('npm', [], { timeout: 5 * 60_000 });",
  "await run('npm', [], { 'timeout': 1 });",
  'const MINUTE = 60_000; connect({ connectionTimeoutMillis: 5 * MINUTE });',
  'const timeout = 300; ask({ timeout });',
  'connect({ timeoutMs: 1500, idle_timeout: 7 });',
  'function ask(timeout = 200) {}',
  'class Client { requestTimeout = 10_000; }',
  'server.requestTimeout = 1000;',
  'context.setDefaultTimeout(30_000);',
  'context.setDefaultNavigationTimeout(5 * MINUTE);',
  'fetch(url, { signal: AbortSignal.timeout(2000) });',
  'it("is slow", function () { this.timeout(60_000); });',
];

const GOOD = [
  "import { DEADLINE_MS, pause, poll, within } from './waiting.ts';",
  "import { expect, fixture } from '@open-wc/testing';",
  'await pause(20);',
  "await poll(() => done, 'the end');",
  'await button.click({ timeout: DEADLINE_MS });',
  "await run('npm', [], { timeout: 5 * DEADLINE_MS });",
  'context.setDefaultTimeout(DEADLINE_MS);',
  'fetch(url, { signal: AbortSignal.timeout(DEADLINE_MS) });',
  'new JsonRpcProvider(url, 1, { staticNetwork: true, cacheTimeout: -1 });',
  'const real = { set: window.setTimeout, clear: window.clearTimeout };',
  'window.setTimeout = (work) => held.push(work);',
  'clearTimeout(timer);',
  'clock.after(300, work);',
  'connect({ retries: 3, pollMs: 20 });',
];

test('the rule about waits finds every sleep and every fixed limit', async () => {
  assert.deepEqual(await found(BAD), BAD);
});

test('the rule about waits leaves the waits of test/waiting.ts and clocks alone', async () => {
  assert.deepEqual(await found(GOOD), []);
});

test('the rule about waits is for all tests, but the waits themselves and the clocks', () => {
  const { overrides } = JSON.parse(readFileSync(join(ROOT, '.oxlintrc.json'), 'utf8')) as {
    overrides: { files: string[]; rules: Record<string, string> }[];
  };
  const about = overrides.filter(({ rules }) => rules['carabiner/waits']);
  assert.deepEqual(
    about.map(({ files, rules }) => [rules['carabiner/waits'], ...files]),
    [
      ['error', 'test/**'],
      ['off', 'test/waiting.ts', 'test/unit/clock.ts'],
    ],
  );
});
