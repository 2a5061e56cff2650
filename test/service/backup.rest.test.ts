/** `npm run service:backup`: beside a running service, checked, and after a kill. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import type pg from 'pg';
import { CopyOut } from '../../service/backup/copying.ts';
import { loadBackup } from '../../service/backup/load.ts';
import { fileKeys } from '../../service/keys/file-keys.ts';
import { poll } from '../waiting.ts';
import { commandOn } from './command-setup.ts';
import { startTested, type Tested } from './harness.ts';
import { program } from './programs.ts';

let service: Tested;
let folder: string;
before(async () => {
  service = await startTested();
  folder = join(service.folder, 'back-ups');
  mkdirSync(folder);
  // Nearly every character that COPY writes in another way, and an end of rows among them.
  await service.client();
  await service.service.db.updateTable('clients').set({ name: 'a\n\\.\n\tb\\N\r "é' }).execute();
});
after(() => service.close());

const backup = commandOn('backup', () => service.config);
const made = (): string[] => readdirSync(folder);

test('a back-up of a running service is one file, of its owner only, without master key, password or PIN', async () => {
  const path = join(folder, 'one.backup');
  const { code, out, err } = await backup(path);
  assert.equal(code, 0, err);
  assert.match(out, /one\.backup: \d+ tables, \d+ rows, \d+ bytes\. It was loaded into an empty PostgreSQL/);
  assert.match(out, /master key \(.*master-key\.json\) is not in it.*keep a copy elsewhere/);
  assert.equal(statSync(path).mode & 0o777, 0o600);
  const text = gunzipSync(readFileSync(path)).toString();
  const { keys } = JSON.parse(readFileSync(service.config.masterKeyFile, 'utf8')) as {
    keys: Record<string, string>;
  };
  const password = readFileSync(join(service.config.dataFolder, 'postgres-password'), 'utf8').trim();
  for (const secret of [...Object.values(keys), password])
    assert.equal(`${text}${out}${err}`.includes(secret), false);
  assert.deepEqual(made(), ['one.backup']);
  assert.deepEqual(
    readdirSync(service.config.dataFolder).filter((name) => name.startsWith('check-')),
    [],
  );
  assert.match((await backup(path)).err, /exists already/);
});

test('in a folder, only the newest are kept', async () => {
  for (const day of ['01', '02', '03'])
    writeFileSync(join(folder, `carabiner-2026-01-${day}T00-00-00Z.backup`), '');
  const { code, out, err } = await backup(folder, '--keep', '2');
  assert.equal(code, 0, err);
  assert.match(out, /2026-01-01T00-00-00Z\.backup is removed: 2 are kept/);
  const names = made().filter((name) => name.startsWith('carabiner-'));
  assert.equal(names.length, 2);
  assert.equal(names[0], 'carabiner-2026-01-03T00-00-00Z.backup');
});

test('a cut, changed or foreign file is not taken for a back-up', async () => {
  const path = join(folder, 'whole.backup');
  assert.equal((await backup(path)).code, 0);
  const { masterKeyFile } = service.config;
  const keys = await fileKeys(masterKeyFile, { create: false });
  const load = (file: string, own = keys) => loadBackup(file, own, join(service.folder, 'loaded'));
  const whole = readFileSync(path);
  const cut = join(folder, 'cut');
  writeFileSync(cut, whole.subarray(0, whole.length / 2));
  await assert.rejects(load(cut), /is not a back-up of the service, or it was cut off/);
  const text = gunzipSync(whole).toString();
  writeFileSync(cut, gzipSync(text.slice(0, text.lastIndexOf('{"seal"'))));
  await assert.rejects(load(cut), /cut off/);
  writeFileSync(cut, gzipSync(text.replace(/view:profile/, 'view:wallets')));
  await assert.rejects(load(cut), /is not as it was|was changed after it was made/);
  writeFileSync(
    cut,
    gzipSync(text.replace(/"migrations":\["001-accounts"/, '"migrations":["001-accounts","999-later"')),
  );
  await assert.rejects(load(cut), /made by a newer version of the service \(999-later\)/);
  writeFileSync(cut, 'Hello');
  await assert.rejects(load(cut), /is not a back-up/);
  const other = await fileKeys(join(service.folder, 'other-key.json'), { create: true });
  await assert.rejects(load(path, other), /made with another master key/);
  const { cluster, rows } = await load(path);
  await cluster.stop();
  assert.ok(rows > 0);
});

test('what a kill leaves is removed by the next back-up, which says so', async () => {
  const { dataFolder } = service.config;
  const started = spawn(process.execPath, [...program('commands/backup'), join(folder, 'killed.backup')], {
    env: { PATH: process.env['PATH'], DATA_DIR: dataFolder },
    stdio: 'ignore',
  });
  const check = join(dataFolder, `check-${started.pid}`);
  await poll(() => existsSync(join(check, 'postgres/postmaster.pid')), 'the check');
  started.kill('SIGKILL');
  await once(started, 'exit');
  assert.deepEqual(
    made().filter((name) => name.startsWith('killed')),
    [`killed.backup.part-${started.pid}`],
  );
  const { code, err } = await backup(join(folder, 'next.backup'));
  assert.equal(code, 0, err);
  assert.match(err, /An earlier back-up was cut off: killed\.backup\.part-\d+ is removed/);
  assert.match(err, /The check of an earlier back-up was cut off: check-\d+ is removed/);
  assert.equal(existsSync(check), false);
  assert.deepEqual(
    made().filter((name) => name.startsWith('killed')),
    [],
  );
});

test('a connection goes on after rows that came faster than they were read', async () => {
  const socket = {
    isPaused: false,
    pause: () => (socket.isPaused = true),
    resume: () => (socket.isPaused = false),
  };
  const rows = new CopyOut('copy clients to stdout');
  rows.submit({ query: () => {}, stream: socket } as unknown as pg.Connection);
  // All of it in one packet.
  rows.handleCopyData({ chunk: Buffer.alloc(100_000) });
  assert.ok(socket.isPaused);
  rows.handleReadyForQuery();
  let bytes = 0;
  for await (const chunk of rows) bytes += (chunk as Buffer).length;
  assert.deepEqual([bytes, socket.isPaused], [100_000, false]);
});

test('it says what it cannot do', async () => {
  const external = commandOn('backup', () => service.config, {
    DATABASE_URL: 'postgres://localhost/none',
    MASTER_KEY_FILE: service.config.masterKeyFile,
  });
  assert.match((await external(folder)).err, /back that up with its tools, such as pg_dump or pgBackRest/);
  assert.match((await backup(join(folder, 'none/file'))).err, /There is no folder/);
  assert.match((await backup(join(folder, 'file'), '--keep', '2')).err, /--keep needs a folder/);
  assert.match((await backup()).err, /Usage/);
  const empty = join(service.folder, 'empty');
  mkdirSync(empty);
  writeFileSync(join(empty, 'master-key.json'), readFileSync(service.config.masterKeyFile));
  const elsewhere = commandOn('backup', () => ({ ...service.config, dataFolder: empty }));
  assert.match((await elsewhere(folder)).err, /empty has no database/);
  rmSync(empty, { recursive: true });
});
