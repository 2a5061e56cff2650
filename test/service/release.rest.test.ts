/** `npm run release`: the archive, unpacked beside production packages alone, is a service and a wallet's origin. */
import assert from 'node:assert/strict';
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { filesBelow } from '../../scripts/build.ts';
import { ROOT } from '../../scripts/command.ts';
import { pack } from '../../scripts/release.ts';
import { DEADLINE_MS, within } from '../waiting.ts';
import { linkPackages, type Unpacked, unpackArchive } from './archive-setup.ts';
import { bearer, temporaryFolder, TOKEN_PATH } from './harness.ts';

/** Installed, without what installing leaves behind. */
const MOST_BYTES = 200e6;

const folder = temporaryFolder();
const children: ChildProcess[] = [];
let unpacked: Unpacked;
let release: Unpacked['release'];
let home: string;

/** Answers the match in its output, and the seconds until then. */
async function start(
  script: string,
  settings: NodeJS.ProcessEnv,
  sign: RegExp,
): Promise<{ child: ChildProcess; url: string; seconds: number }> {
  const began = performance.now();
  const child = spawn(process.execPath, [script], {
    cwd: home,
    env: { PATH: process.env['PATH'], NODE_ENV: 'production', ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const ready = new Promise<string>((done, fail) => {
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (more: string) => {
      text += more;
      const [, url] = sign.exec(text) ?? [];
      if (url) done(url);
    });
    child.once('close', () => fail(new Error(`${script} ended: ${text}`)));
  });
  const url = await within(ready, script);
  return { child, url, seconds: (performance.now() - began) / 1000 };
}

async function end(child: ChildProcess): Promise<void> {
  const closed = once(child, 'close');
  child.kill('SIGTERM');
  const [code] = (await within(closed, 'the end')) as [number];
  assert.equal(code, 0);
}

before(async () => {
  unpacked = await unpackArchive(folder);
  ({ release, home } = unpacked);
});
after(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

describe('the archive of npm run release', () => {
  it('has the same bytes when it is made again', async () => {
    const again = await pack(join(folder, 'again'));
    assert.equal(again.sha256, release.sha256);
    execFileSync('sha256sum', ['--check', '--strict', `${release.folder}.tar.gz.sha256`], { cwd: folder });
  });

  it('has no TypeScript, no test tool, and no secret that an operator put into deploy/', async () => {
    const files = filesBelow(home).map((file) => file.slice(home.length + 1));
    assert.deepEqual(
      files.filter((file) =>
        /\.ts$|\.map$|^(test|demo|bench|scripts|node_modules)\/|networks\.json$/.test(file),
      ),
      [],
    );
    const { scripts, dependencies } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
      dependencies: Record<string, string>;
    };
    for (const [name, script] of Object.entries(scripts)) {
      const [, file = ''] = /^exec node (service\/[\w/-]+\.js)$/.exec(script) ?? [];
      assert.ok(files.includes(file), `${name}: ${script}`);
    }
    for (const name of ['tsx', 'esbuild', 'typescript', 'playwright-core', 'lit'])
      assert.ok(!Object.hasOwn(dependencies, name), name);
    const secret = join(ROOT, 'deploy/one-machine/master-key.json');
    writeFileSync(secret, '{}', { flag: 'wx' });
    try {
      assert.equal((await pack(join(folder, 'again'))).sha256, release.sha256);
    } finally {
      rmSync(secret);
    }
  });

  it('starts with production packages alone, makes a client and a wallet, and serves the wallet', async (t) => {
    const bytes = linkPackages(unpacked);
    t.diagnostic(`installed: ${(bytes / 1e6).toFixed(0)} MB`);
    assert.ok(bytes < MOST_BYTES, `${bytes} bytes`);
    const settings = { DATA_DIR: join(folder, 'data'), SERVICE_PORT: '0' };
    const sign = /"url":"([^"]+)".*service is ready/;
    const first = await start('service/main.js', settings, sign);
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [
        'service/commands/client.js',
        'create',
        '--name',
        'shop',
        '--json',
        '--scope',
        'view:wallets whitelabel',
      ],
      { cwd: home, env: { PATH: process.env['PATH'], ...settings }, timeout: DEADLINE_MS },
    );
    const { client_id, client_secret } = JSON.parse(stdout) as Record<string, string>;
    const post = async (path: string, body: object, headers = {}): Promise<Record<string, string>> => {
      const answer = await fetch(first.url + path, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...headers },
        body: JSON.stringify(body),
      });
      assert.ok(answer.ok, `${path}: ${answer.status}`);
      return (await answer.json()) as Record<string, string>;
    };
    const { access_token } = await post(TOKEN_PATH, {
      grant_type: 'client_credentials',
      client_id,
      client_secret,
    });
    const wallet = { walletType: 'WHITE_LABEL', secretType: 'ETHEREUM', pincode: '739154' };
    const { address } = await post('/api/wallets', wallet, bearer(access_token!));
    assert.match(address!, /^0x[0-9a-fA-F]{40}$/);
    await end(first.child);

    const second = await start('service/main.js', settings, sign);
    await end(second.child);
    t.diagnostic(
      `ready after ${first.seconds.toFixed(1)} s with a new database, ${second.seconds.toFixed(1)} s with the same again`,
    );

    const networks = join(folder, 'networks.json');
    writeFileSync(networks, '{ "presets": ["ethereum"] }');
    const frame = await start('service/frame.js', { NETWORKS: networks, FRAME_PORT: '0' }, /^frame (\S+)$/m);
    for (const path of ['/wallet/', '/connect.js', '/networks.json'])
      assert.equal((await fetch(frame.url + path)).status, 200, path);
    await end(frame.child);
  });
});
