/** `npm run service:psql`, with a program in psql's place that prints what it was started with. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { ROOT } from '../../scripts/command.ts';
import { type Cluster, startCluster } from '../../service/database/embedded/cluster.ts';
import { dataIn, temporaryFolder } from './harness.ts';
import { program } from './programs.ts';

const folder = temporaryFolder();
const data = dataIn(folder);
let cluster: Cluster;
before(async () => {
  writeFileSync(join(folder, 'psql'), '#!/bin/sh\necho "$@"\nenv\nexit 3\n', { mode: 0o755 });
  cluster = await startCluster(data, () => {});
});
after(async () => {
  await cluster.stop();
  rmSync(folder, { recursive: true, force: true });
});

function psql(env: NodeJS.ProcessEnv, ...args: string[]) {
  return spawnSync(process.execPath, [...program('commands/psql'), ...args], {
    cwd: ROOT,
    encoding: 'utf8',
    env: { PATH: `${folder}:${process.env['PATH']}`, DATA_DIR: data, ...env },
  });
}

describe('npm run service:psql', () => {
  it('connects psql to the built-in database, to read, and keeps the password off the command line', () => {
    const { status, stdout, stderr } = psql({ VAULT_TOKEN: 'of-the-service' }, '--command', 'select 1');
    assert.equal(status, 3, stderr);
    const [args, ...env] = stdout.trim().split('\n');
    assert.equal(args, '--command select 1');
    const password = readFileSync(join(data, 'postgres-password'), 'utf8').trim();
    for (const line of [
      `PGPORT=${cluster.connection.port}`,
      'PGDATABASE=carabiner',
      `PGPASSWORD=${password}`,
      'PGOPTIONS=-c default_transaction_read_only=on',
    ])
      assert.ok(env.includes(line), line.split('=', 1)[0]);
    assert.doesNotMatch(stdout, /of-the-service/);
  });

  it('may write when it is told to', () => {
    const { stdout } = psql({}, '--write', '--tuples-only');
    assert.match(stdout, /^--tuples-only\n/);
    assert.doesNotMatch(stdout, /read_only/);
  });

  it('says what is missing', () => {
    const other = psql({ DATA_DIR: join(folder, 'none') });
    assert.equal(other.status, 1);
    assert.match(other.stderr, /none has no database/);
    const bare = psql({ PATH: '/nowhere' });
    assert.match(bare.stderr, /no psql on the PATH.*apt-get install postgresql-client/);
    const own = psql({ DATABASE_URL: 'postgres://db.example/x', MASTER_KEY_FILE: '/nowhere' });
    assert.match(own.stderr, /DATABASE_URL names a PostgreSQL of your own/);
  });
});
