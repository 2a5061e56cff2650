/**
 * The versions of Node that we promise: `npm ci`, `npm start`, and on the newer ones the suites that Node runs; `npm test` runs them on the
 * version that it finds. npm has Node itself as a package for each platform. `VERSIONS=22,24` runs those alone, `START_ONLY=1` without the
 * suites.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { before, describe, test } from 'node:test';
import { ROOT, run } from '../../scripts/command.ts';
import { within } from '../waiting.ts';
import { temporaryFolder } from '../service/harness.ts';
import { DEADLINE_MS } from '../waiting.ts';

/** The oldest that package.json allows, and the newest of each that the Node project maintains. */
const VERSIONS = ['20.19.0', '22.23.3', '24.21.0'];
const wanted = process.env['VERSIONS']?.split(',');

/** Parts of `npm test` that run in Node alone. */
const SUITES = ['conformance', 'service'];

/** Its folder of programs. */
async function install(version: string): Promise<string> {
  const folder = join(ROOT, '.cache/node-versions', version);
  const name = `node-${process.platform}-${process.arch}`;
  const bin = join(folder, 'node_modules', name, 'bin');
  if (!existsSync(join(bin, 'node'))) {
    mkdirSync(folder, { recursive: true });
    const args = [
      'install',
      '--prefix',
      folder,
      '--no-save',
      '--no-audit',
      '--no-fund',
      `${name}@${version}`,
    ];
    const { code } = await run('npm', args, { timeout: 3 * DEADLINE_MS });
    assert.equal(code, 0, `npm could not install ${name}@${version}`);
  }
  return bin;
}

for (const version of VERSIONS.filter((one) => !wanted || wanted.includes(one.split('.')[0]!)))
  describe(`Node ${version}`, () => {
    let env: NodeJS.ProcessEnv;
    before(async () => {
      const path = `${await install(version)}${delimiter}${process.env['PATH']}`;
      // A build in the process that started us leaves `production`, with which npm installs half.
      env = { PATH: path, NODE_ENV: 'development' };
      const { output } = await run('node', ['--version'], { timeout: DEADLINE_MS, env, onLine: () => {} });
      assert.equal(output.trim(), `v${version}`);
    });

    test('npm ci installs everything', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'carabiner-install-'));
      try {
        mkdirSync(join(folder, 'service'));
        for (const file of ['package.json', 'package-lock.json', 'service/package.json'])
          copyFileSync(join(ROOT, file), join(folder, file));
        const args = ['ci', '--no-audit', '--no-fund', '--engine-strict'];
        const { code } = await run('npm', args, { timeout: 4 * DEADLINE_MS, env, cwd: folder });
        assert.equal(code, 0);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    });

    test('npm start answers on every origin', async () => {
      const folder = temporaryFolder();
      const ports = [
        'DEMO',
        'FRAME',
        'SERVICE',
        'THORCHAIN',
        'DOCS',
        'ETHEREUM',
        'GOCHAIN',
        'VECHAIN',
        'TRON',
        'AETERNITY',
      ];
      const child = spawn('npm', ['start'], {
        cwd: ROOT,
        env: {
          ...process.env,
          ...env,
          ...Object.fromEntries([...ports, 'BITCOIN', 'LITECOIN'].map((name) => [`${name}_PORT`, '0'])),
          DATA_DIR: join(folder, 'data'),
        },
        stdio: ['ignore', 'pipe', 'inherit'],
        detached: true,
      });
      try {
        const urls: Record<string, string> = {};
        const ready = (async (): Promise<boolean> => {
          for await (const line of createInterface(child.stdout)) {
            const [, name, url] = /^(\w+) (http\S+)$/.exec(line) ?? [];
            if (name && url) urls[name] = url;
            if (line === 'ready') return true;
          }
          return false;
        })();
        assert.ok(await within(ready, 'npm start'), 'npm start ended before it was ready');
        for (const name of [
          'demo',
          'frame',
          'service',
          'ethereum',
          'bitcoin',
          'tron',
          'vechain',
          'aeternity',
        ])
          assert.ok(urls[name], `npm start did not name ${name}`);
        for (const page of [urls['demo']!, `${urls['frame']}/connect.js`, `${urls['service']}/health`]) {
          const answer = await fetch(page);
          assert.equal(answer.status, 200, page);
        }
      } finally {
        // npm keeps the signal to itself; the output closes with the last of what it started.
        const ended = once(child, 'close');
        if (child.exitCode === null) process.kill(-child.pid!, 'SIGTERM');
        if (!child.stdout.closed) await within(ended, 'the end of npm start');
        rmSync(folder, { recursive: true, force: true });
      }
    });

    for (const suite of version.startsWith('20.') || process.env['START_ONLY'] ? [] : SUITES)
      test(`the ${suite} tests pass`, async () => {
        const args = ['--import', 'tsx', 'scripts/test.ts', suite];
        // A suite ends itself after 30 minutes, and then says which file took too long.
        const { code, output } = await run('node', args, {
          timeout: 16 * DEADLINE_MS,
          env,
          onLine: () => {},
        });
        assert.equal(code, 0, output.slice(output.lastIndexOf('── failed')).slice(-4000));
      });
  });
