/** docs/quick-start-service.md: its programs, taken from the page and run beside the demo. */
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { type Demo, startDemo } from '../../demo/start.ts';
import { ROOT } from '../../scripts/command.ts';

import { DEADLINE_MS } from '../waiting.ts';
import { dataIn, temporaryFolder } from './harness.ts';
import { newLog } from './logs.ts';
import { codeIn, openShell, type Shell } from './shell-walk.ts';

const PAGE = 'quick-start-service.md';
const folder = temporaryFolder();
/** Below the project, so that its packages are found. */
const programs = join(ROOT, `.cache/quick-start-${process.pid}`);
let demo: Demo;
let shell: Shell;
let credentials: NodeJS.ProcessEnv;

const here = (code: string): string =>
  code.replaceAll('http://localhost:4001', demo.service!.url).replaceAll('http://localhost:5173', demo.demo);

before(async () => {
  const settings = { DATA_DIR: dataIn(folder), LOG_LEVEL: 'trace' };
  demo = await startDemo({ chains: ['ETHEREUM'], service: settings, logTo: newLog() });
  mkdirSync(programs, { recursive: true });
  shell = openShell(settings);
  await shell.run(codeIn(PAGE, '## A client').join('\n'));
  const [CLIENT_ID, CLIENT_SECRET] = (await shell.run('echo "$CLIENT_ID $CLIENT_SECRET"')).trim().split(' ');
  credentials = { CLIENT_ID, CLIENT_SECRET };
});
after(async () => {
  await shell?.close();
  await demo?.close();
  for (const each of [folder, programs]) rmSync(each, { recursive: true, force: true });
});

async function run(command: string, args: string[]): Promise<string> {
  const env = { ...process.env, ...credentials };
  const { stdout } = await promisify(execFile)(command, args, { cwd: ROOT, env, timeout: DEADLINE_MS });
  return stdout;
}

/** What each language prints. */
function check(printed: string): void {
  assert.match(
    printed,
    /^wallet 0x[0-9a-fA-F]{40}\nbalance \d+(\.\d+)?\ntransfer confirmed\nwebhook payment\.cancelled\n$/,
  );
  assert.ok(!printed.includes(credentials['CLIENT_SECRET']!));
}

describe('the quick start', () => {
  test('runs in Node, with carabiner/service as the package has it', async () => {
    const [code = ''] = codeIn(PAGE, '## Node', 'js');
    const file = join(programs, 'quick-start.mjs');
    writeFileSync(file, here(code));
    check(await run(process.execPath, [file]));
  });

  test('runs in Python', async (context) => {
    if (spawnSync('python3', ['--version']).status !== 0)
      return context.skip('There is no python3 on this machine.');
    const [code = ''] = codeIn(PAGE, '## Python', 'python');
    const file = join(programs, 'quick_start.py');
    writeFileSync(file, here(code));
    check(await run('python3', ['-B', file]));
  });

  test('runs in a shell with curl', async (context) => {
    if (spawnSync('openssl', ['version']).status !== 0)
      return context.skip('There is no openssl on this machine.');
    check(await shell.run(here(codeIn(PAGE, '## curl').join('\n'))));
  });
});
