/** The embedded database: as root and as another user, one service at a time, and after a kill. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { decodeJwt } from 'jose';
import { type DatabaseSettings, joinDatabase, openDatabase } from '../../service/database/database.ts';
import { closedFolder } from '../../service/database/embedded/system-user.ts';
import { migrate } from '../../service/database/migrate.ts';
import { pause, poll } from '../waiting.ts';
import { dataIn, type Provider, startProvider, temporaryFolder } from './harness.ts';
import { logOf } from './logs.ts';
import { program } from './programs.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const quiet = { debug: () => {}, warn: () => {} };
const isRoot = process.getuid?.() === 0;

const folders: string[] = [];
let provider: Provider;
before(async () => {
  provider = await startProvider();
});
after(() => {
  provider.close();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** `fresh`: in a folder that has no database yet, which takes seconds to make. */
function settings({ fresh = false } = {}): DatabaseSettings {
  const folder = temporaryFolder();
  folders.push(folder);
  const dataFolder = fresh ? join(folder, 'data') : dataIn(folder);
  return { databaseUrl: undefined, databaseConnections: 3, dataFolder };
}

function postmasterOf({ dataFolder }: DatabaseSettings): number {
  return Number(readFileSync(join(dataFolder, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]);
}

interface Started {
  child: ChildProcess;
  url: string;
}

interface Failed {
  words: string;
}

/** `npm run service` as a separate process. */
function start(dataFolder: string, user: { uid?: number; gid?: number } = {}): Promise<Started | Failed> {
  const child = spawn(process.execPath, program('main'), {
    ...user,
    cwd: ROOT,
    env: {
      PATH: process.env['PATH'],
      HOME: dataFolder,
      DATA_DIR: dataFolder,
      SERVICE_PORT: '0',
      IDENTITY_PROVIDERS: JSON.stringify([{ name: 'idp', issuer: provider.issuer, audience: 'shop' }]),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  logOf(child);
  let words = '';
  return new Promise((done) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const url = /"url":"([^"]+)".*service is ready/.exec(text)?.[1];
      if (url) done({ child, url });
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      words += text;
    });
    child.once('close', () => done({ words }));
  });
}

async function started(dataFolder: string, user?: { uid: number; gid: number }): Promise<Started> {
  const result = await start(dataFolder, user);
  assert.ok('url' in result, 'words' in result ? result.words : '');
  return result;
}

function exit(child: ChildProcess): Promise<number | null> {
  return child.exitCode === null && child.signalCode === null
    ? new Promise((done) => child.once('exit', (code) => done(code)))
    : Promise.resolve(child.exitCode);
}

test('migrations run once, from any number of processes', async () => {
  const at = settings();
  const { db, close } = await openDatabase(at, quiet);
  const others = await Promise.all([1, 2, 3].map(() => joinDatabase(at, quiet)));
  await Promise.all(others.map((other) => migrate(other.db)));
  const applied = await db
    .selectFrom('kysely_migration' as never)
    .selectAll()
    .execute();
  assert.ok(applied.length >= 1);
  // A database of a newer version is not touched.
  await db
    .insertInto('kysely_migration' as never)
    .values({ name: '999-later', timestamp: new Date().toISOString() } as never)
    .execute();
  await assert.rejects(migrate(db), /newer version/);
  await Promise.all(others.map((other) => other.close()));
  await close();
});

test('only its own user can read the data, and PostgreSQL never runs as root', async () => {
  const at = settings({ fresh: true });
  const { close } = await openDatabase(at, quiet);
  assert.equal(statSync(join(at.dataFolder, 'postgres')).mode & 0o077, 0);
  assert.equal(statSync(join(at.dataFolder, 'postgres-password')).mode & 0o077, 0);
  if (existsSync('/proc')) assert.notEqual(statSync(`/proc/${postmasterOf(at)}`).uid, 0);
  await close();
  assert.equal(existsSync(join(at.dataFolder, 'postgres/postmaster.pid')), false);
});

test('a stale lock file whose process id was reused does not prevent a start', async () => {
  const at = settings();
  await (await openDatabase(at, quiet)).close();
  const lock = join(at.dataFolder, 'postgres/postmaster.pid');
  writeFileSync(
    lock,
    `${process.pid}\n${join(at.dataFolder, 'postgres')}\n1\n5432\n\n127.0.0.1\n0 0\nready\n`,
  );
  if (isRoot) chownSync(lock, statSync(join(at.dataFolder, 'postgres')).uid, -1);
  await (await openDatabase(at, quiet)).close();
});

test('a folder that the user postgres cannot enter is refused with the reason', {
  skip: !isRoot,
}, async () => {
  const at = settings();
  const closed = join(at.dataFolder, '..', 'closed');
  mkdirSync(closed, { mode: 0o700 });
  await assert.rejects(
    openDatabase({ ...at, dataFolder: join(closed, 'data') }, quiet),
    /closed is closed to the system's user postgres.*Set DATA_DIR/,
  );
  assert.equal(closedFolder('/tmp/x', {}), undefined);
});

test('an ordinary user can run the service', { skip: !isRoot }, async () => {
  const folder = temporaryFolder();
  folders.push(folder);
  const nobody = { uid: 65_534, gid: 65_534 };
  chownSync(folder, nobody.uid, nobody.gid);
  const { child, url } = await started(join(folder, 'data'), nobody);
  assert.equal((await fetch(`${url}/health`)).status, 200);
  assert.equal(statSync(join(folder, 'data/postgres')).uid, nobody.uid);
  const second = await start(join(folder, 'data'), nobody);
  assert.match('words' in second ? second.words : '', /is used by another service \(process \d+\)/);
  child.kill('SIGTERM');
  assert.equal(await exit(child), 0);
});

test('a second start on the folder is refused; after a kill -9 nothing acknowledged is lost', async () => {
  const at = settings();
  let { child, url } = await started(at.dataFolder);
  const second = await start(at.dataFolder);
  assert.ok('words' in second);
  assert.match(second.words, /is used by another service \(process \d+\)\. Stop it, or set DATA_DIR/);

  const joined = await joinDatabase(at, quiet);
  const { createClient } = await import('../../service/auth/clients.ts');
  const client = await createClient(joined.db, { name: 'shop', scopes: ['view:profile'] });
  await joined.close();
  const users = new Map<string, string>();
  const signIn = async (sub: string): Promise<string> => {
    const response = await fetch(`${url}/auth/exchange`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({
        clientId: client.id,
        identityProvider: 'idp',
        idpToken: await provider.sign({ sub }),
      }),
    });
    return decodeJwt(((await response.json()) as { access_token: string }).access_token).sub!;
  };
  let running = true;
  const load = async (name: string): Promise<void> => {
    for (let n = 0; running; n++) {
      const sub = `${name}-${n}`;
      const id = await signIn(sub).catch(() => undefined);
      if (id) users.set(sub, id);
    }
  };
  for (const everything of [false, true]) {
    running = true;
    const loads = ['a', 'b', 'c'].map((name) => load(`${name}${everything}`));
    const enough = users.size + 10;
    await poll(() => users.size >= enough, 'users');
    await pause(Math.random() * 300);
    const postmaster = postmasterOf(at);
    child.kill('SIGKILL');
    if (everything) process.kill(postmaster, 'SIGKILL');
    running = false;
    await Promise.all(loads);
    await exit(child);
    ({ child, url } = await started(at.dataFolder));
    assert.notEqual(postmasterOf(at), postmaster);
  }
  for (const [sub, id] of [...users].slice(-40)) assert.equal(await signIn(sub), id);
  child.kill('SIGTERM');
  assert.equal(await exit(child), 0);
});
