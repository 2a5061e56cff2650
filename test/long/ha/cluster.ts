/**
 * The cluster of `deploy/cluster`, all its machines as processes of this one: etcd, Patroni and PostgreSQL on db1 to db3; HAProxy, PgBouncer
 * and the service on service1 to service3; HAProxy in front. It runs on the files that operators copy; 10.0.0.x becomes 127.x.
 */
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import {
  chownSync,
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { once } from 'node:events';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { ROOT } from '../../../scripts/command.ts';
import { systemUser } from '../../../service/database/embedded/system-user.ts';
import { temporaryFolder } from '../../service/harness.ts';
import { pause } from '../../waiting.ts';
import { type Cut, Links } from './links.ts';

const exec = promisify(execFile);

const DEPLOY = join(ROOT, 'deploy/cluster');
const POSTGRES = '/usr/lib/postgresql';
const PROGRAMS = { patroni: 'patroni', etcd: 'etcd-server', pgbouncer: 'pgbouncer', haproxy: 'haproxy' };
const PATH = `${process.env['PATH']}${delimiter}/usr/sbin`;

export const DATABASES = ['db1', 'db2', 'db3'] as const;
export const SERVICES = ['service1', 'service2', 'service3'] as const;
export type DatabaseMachine = (typeof DATABASES)[number];
export type ServiceMachine = (typeof SERVICES)[number];
type Machine = DatabaseMachine | ServiceMachine | 'front';

/** Last part of the addresses in `deploy/cluster`. */
const HOST: Record<Machine, number> = {
  front: 10,
  db1: 21,
  db2: 22,
  db3: 23,
  service1: 31,
  service2: 32,
  service3: 33,
};

/** What is not installed, and how to install it. */
export function missing(): string | false {
  const found = (program: string): boolean =>
    PATH.split(delimiter).some((folder) => existsSync(join(folder, program)));
  const lacking = Object.entries(PROGRAMS)
    .filter(([program]) => !found(program))
    .map(([, name]) => name);
  if (!existsSync(POSTGRES)) lacking.push('postgresql');
  if (lacking.length === 0) return false;
  return `not installed: apt-get install --no-install-recommends ${lacking.join(' ')}`;
}

function postgresFolder(): string {
  const [newest] = readdirSync(POSTGRES).sort((a, b) => Number(b) - Number(a));
  return join(POSTGRES, newest!, 'bin');
}

/** Puts what is of this machine in place of what is of the operator's. */
function adapted(text: string, places: Record<string, string>): string {
  let result = text;
  for (const [from, to] of Object.entries(places)) {
    if (!result.includes(from)) throw new Error(`${from} is not in the configuration`);
    result = result.replaceAll(from, to);
  }
  return result;
}

function settingsOf(text: string): Record<string, string> {
  const lines = text.split('\n').filter((line) => /^\w+=/.test(line));
  return Object.fromEntries(lines.map((line) => line.split(/=(.*)/s).slice(0, 2) as [string, string]));
}

interface Member {
  name: DatabaseMachine;
  role: string;
  state: string;
}

export interface Started {
  child: ChildProcess;
  end(signal?: NodeJS.Signals): Promise<void>;
}

export class Cluster {
  readonly folder = temporaryFolder();
  /** Where every machine keeps its WAL, and where backups are. */
  readonly archive = join(this.folder, 'archive');
  readonly backups = join(this.folder, 'backups');
  readonly bin = postgresFolder();
  readonly #net = `127.${randomInt(16, 250)}`;
  readonly #links = new Links((machine) => this.#processesOf(machine));
  readonly #running = new Map<string, Started>();
  readonly #passwords: Record<string, string> = Object.fromEntries(
    ['patroni', 'superuser', 'replicator', 'rewind', 'carabiner'].map((name) => [
      `change-me-${name}`,
      randomBytes(12).toString('hex'),
    ]),
  );
  #user: { uid?: number; gid?: number } = {};

  static async start(): Promise<Cluster> {
    const cluster = new Cluster();
    try {
      await cluster.#start();
      return cluster;
    } catch (error) {
      await cluster.stop();
      throw error;
    }
  }

  /** How other machines reach it. */
  address(machine: Machine): string {
    return `${this.#net}.0.${HOST[machine]}`;
  }

  /** Where its own processes listen. */
  inside(machine: Machine): string {
    return `${this.#net}.1.${HOST[machine]}`;
  }

  get front(): string {
    return `http://${this.inside('front')}:8443`;
  }

  databaseUrl(machine: ServiceMachine): string {
    return `postgres://carabiner:${this.#passwords['change-me-carabiner']}@${this.inside(machine)}:6432/carabiner`;
  }

  async #start(): Promise<void> {
    this.#user = await systemUser();
    this.#reap();
    for (const name of ['archive', 'backups', 'scripts', 'log', ...Object.keys(HOST)]) this.#makeFolder(name);
    for (const name of ['archive-wal', 'create-database', 'base-backup', 'restore'])
      cpSync(join(DEPLOY, name), join(this.folder, 'scripts', name));
    this.#write('scripts/database-password', this.#passwords['change-me-carabiner']!);
    for (const machine of DATABASES)
      for (const port of [2379, 2380, 5432, 8008])
        await this.#links.open(machine, port, {
          address: this.address(machine),
          behind: this.inside(machine),
        });
    for (const machine of DATABASES) this.startEtcd(machine);
    for (const machine of DATABASES) this.startPatroni(machine);
    for (const machine of SERVICES) {
      this.#startDatabaseProxy(machine);
      this.startPooler(machine);
    }
    this.#startFront();
    await this.whole();
  }

  #makeFolder(name: string): void {
    const path = join(this.folder, name);
    mkdirSync(path, { mode: 0o700 });
    this.#own(path);
  }

  #own(path: string): void {
    if (this.#user.uid !== undefined) chownSync(path, this.#user.uid, this.#user.gid!);
  }

  #write(name: string, text: string): string {
    const path = join(this.folder, name);
    writeFileSync(path, text, { mode: 0o600 });
    this.#own(path);
    return path;
  }

  /** A file of `deploy/cluster` with the addresses of this machine. `listens`: lines that name where it listens itself. */
  #template(name: string, listens?: RegExp): string {
    const lines = readFileSync(join(DEPLOY, name), 'utf8').split('\n');
    return lines
      .map((line) => line.replaceAll('10.0.0.', `${this.#net}.${listens?.test(line) ? 1 : 0}.`))
      .join('\n');
  }

  /** PostgreSQL is no child of ours, and would outlive a test that is killed. */
  #reap(): void {
    const script = `tail --pid=${process.pid} -f /dev/null
      for file in "$0"/db*/data/postmaster.pid; do test -e "$file" && kill -9 "$(head -n 1 "$file")"; done
      test -n "$HA_KEEP" || rm -rf "$0"`;
    spawn('sh', ['-c', script, this.folder], { detached: true, stdio: 'ignore' }).unref();
  }

  #spawn(name: string, machine: Machine, command: string[], env: Record<string, string> = {}): Started {
    const log = openSync(join(this.folder, 'log', name), 'a');
    // It ends with us.
    const child = spawn('setpriv', ['--pdeathsig', 'KILL', ...command], {
      ...this.#user,
      cwd: join(this.folder, machine),
      env: { PATH: `${this.bin}:${PATH}`, HOME: join(this.folder, machine), ...env },
      stdio: ['ignore', log, log],
      detached: true,
    });
    closeSync(log);
    const started: Started = {
      child,
      async end(signal = 'SIGKILL') {
        if (child.exitCode !== null || child.signalCode !== null) return;
        const ended = once(child, 'exit');
        child.kill(signal);
        await ended;
      },
    };
    this.#running.set(name, started);
    return started;
  }

  #process(name: string): Started {
    const started = this.#running.get(name);
    if (!started) throw new Error(`${name} was not started`);
    return started;
  }

  startEtcd(machine: DatabaseMachine): void {
    const own = settingsOf(this.#template('etcd.env', /LISTEN/));
    for (const [key, value] of Object.entries(own))
      if (key.endsWith('URLS')) own[key] = value.replace(`.${HOST.db1}:`, `.${HOST[machine]}:`);
    this.#spawn(`etcd-${machine}`, machine, ['etcd'], {
      ...own,
      ETCD_NAME: machine,
      ETCD_DATA_DIR: join(this.folder, machine, 'etcd'),
      ETCD_LOG_LEVEL: 'warn',
    });
  }

  startPatroni(machine: DatabaseMachine): void {
    const own = join(this.folder, machine);
    const { 'change-me-carabiner': _, ...passwords } = this.#passwords;
    const text = adapted(this.#template('patroni.yml'), {
      ...passwords,
      '/srv/carabiner/deploy/cluster/': `${join(this.folder, 'scripts')}/`,
      '/srv/wal-archive/db1': join(this.archive, machine),
      '/usr/lib/postgresql/15/bin': this.bin,
      '/var/lib/postgresql/15/carabiner': join(own, 'data'),
      '/var/lib/postgresql/pgpass': join(own, 'pgpass'),
      '/run/postgresql': own,
    });
    const env = settingsOf(this.#template('patroni.env', /LISTEN/));
    for (const [key, value] of Object.entries(env))
      env[key] = value.replace(`.${HOST.db1}:`, `.${HOST[machine]}:`);
    this.#spawn(`patroni-${machine}`, machine, ['patroni', this.#write(`${machine}/patroni.yml`, text)], {
      ...env,
      PATRONI_NAME: machine,
      SERVICE_PASSWORD_FILE: join(this.folder, 'scripts/database-password'),
    });
  }

  #startDatabaseProxy(machine: ServiceMachine): void {
    const text = adapted(this.#template('haproxy-database.cfg'), {
      '127.0.0.1:': `${this.inside(machine)}:`,
    });
    const path = this.#write(`${machine}/haproxy.cfg`, text);
    this.#spawn(`haproxy-${machine}`, machine, ['haproxy', '-db', '-f', path]);
  }

  startPooler(machine: ServiceMachine): void {
    const users = this.#write(
      `${machine}/userlist.txt`,
      `"carabiner" "${this.#passwords['change-me-carabiner']}"\n`,
    );
    const text = adapted(this.#template('pgbouncer.ini'), {
      '127.0.0.1': this.inside(machine),
      '/etc/pgbouncer/userlist.txt': users,
      '/run/postgresql': join(this.folder, machine),
    });
    const path = this.#write(`${machine}/pgbouncer.ini`, text);
    this.#spawn(`pgbouncer-${machine}`, machine, ['pgbouncer', path]);
  }

  #startFront(): void {
    const text = adapted(this.#template('haproxy-front.cfg', /bind|server (service|frame)/), {
      ':443 ssl crt /etc/haproxy/certificates/ alpn h2,http/1.1': ':8443',
    });
    const path = this.#write('front/haproxy.cfg', text);
    this.#spawn('haproxy-front', 'front', ['haproxy', '-db', '-f', path]);
  }

  /** Settings of the service on a machine: those that `deploy/cluster` has. */
  serviceSettings(machine: ServiceMachine): Record<string, string> {
    const own = settingsOf(this.#template('service.env', /SERVICE_HOST|METRICS_HOST/));
    return {
      ...own,
      SERVICE_HOST: this.inside(machine),
      METRICS_HOST: this.inside(machine),
      DATABASE_URL: this.databaseUrl(machine),
      TRUST_PROXY: '127.0.0.1',
    };
  }

  async #ask(machine: DatabaseMachine, path: string): Promise<Response | undefined> {
    const url = `http://${this.inside(machine)}:8008${path}`;
    // oxlint-disable-next-line carabiner/waits -- one look of many, and who is cut off never answers
    return fetch(url, { signal: AbortSignal.timeout(2000) }).catch(() => undefined);
  }

  /** Undefined while there is none. */
  async primary(): Promise<DatabaseMachine | undefined> {
    const answers = await Promise.all(DATABASES.map((machine) => this.#ask(machine, '/primary')));
    return DATABASES[answers.findIndex((answer) => answer?.status === 200)];
  }

  /** As the primary knows it: a replica that was cut off still takes itself for it. */
  async synchronous(): Promise<DatabaseMachine | undefined> {
    return (await this.#members()).find(({ role }) => role === 'sync_standby')?.name;
  }

  /** Empty while there is no primary. */
  async #members(): Promise<Member[]> {
    const primary = await this.primary();
    const answer = primary && (await this.#ask(primary, '/cluster'));
    return answer?.ok ? ((await answer.json()) as { members: Member[] }).members : [];
  }

  /** Waits for another primary than `old`; returns it. */
  async nextPrimary(old: DatabaseMachine | undefined, ms = 90_000): Promise<DatabaseMachine> {
    for (const until = Date.now() + ms; ; await pause(100)) {
      const now = await this.primary();
      if (now !== undefined && now !== old) return now;
      if (Date.now() > until) throw new Error(`No primary after ${ms / 1000} s:\n${this.tails()}`);
    }
  }

  /** Waits until every database runs, one of them as the synchronous replica, and every service machine reaches the primary. */
  async whole(ms = 120_000): Promise<void> {
    for (const until = Date.now() + ms; ; await pause(250)) {
      const members = await this.#members();
      const roles = members
        .filter(({ state }) => /^(running|streaming)$/.test(state))
        .map(({ role }) => role);
      if (roles.length === 3 && roles.includes('sync_standby') && (await this.#streaming()) === 2) return;
      if (Date.now() > until)
        throw new Error(`The cluster is not whole: ${JSON.stringify(members)}\n${this.tails()}`);
    }
  }

  /** Replicas that follow the primary now: what Patroni knows may be some seconds old. */
  async #streaming(): Promise<number> {
    const primary = await this.primary();
    if (primary === undefined) return 0;
    const client = new pg.Client({ connectionString: this.superuserUrl(primary) });
    client.on('error', () => {});
    try {
      await client.connect();
      const { rows } = await client.query<{ count: number }>(
        `select count(*)::integer as count from pg_stat_replication where state = 'streaming'`,
      );
      return rows[0]!.count;
    } catch {
      return 0;
    } finally {
      await client.end().catch(() => {});
    }
  }

  /** PostgreSQL is a child of none of the others. */
  #processesOf(machine: string): number[] {
    const names = [...this.#running.keys()].filter((name) => name.endsWith(`-${machine}`));
    const pids = names.flatMap((name) => this.#running.get(name)!.child.pid ?? []);
    return existsSync(join(this.folder, machine, 'data/postmaster.pid'))
      ? [...pids, this.#postmaster(machine as DatabaseMachine)]
      : pids;
  }

  /** Ends a machine's Patroni and PostgreSQL as a power cut does. */
  async crash(machine: DatabaseMachine): Promise<void> {
    const pid = this.#postmaster(machine);
    const ending = this.#process(`patroni-${machine}`).end();
    const etcd = this.#process(`etcd-${machine}`).end();
    killAll(pid);
    await Promise.all([ending, etcd]);
  }

  crashPostgres(machine: DatabaseMachine): void {
    killAll(this.#postmaster(machine));
  }

  crashPatroni(machine: DatabaseMachine): Promise<void> {
    return this.#process(`patroni-${machine}`).end();
  }

  endEtcd(machine: DatabaseMachine): Promise<void> {
    return this.#process(`etcd-${machine}`).end();
  }

  endPooler(machine: ServiceMachine): Promise<void> {
    return this.#process(`pgbouncer-${machine}`).end('SIGTERM');
  }

  #postmaster(machine: DatabaseMachine): number {
    return Number(readFileSync(join(this.folder, machine, 'data/postmaster.pid'), 'utf8').split('\n')[0]);
  }

  cut(cut: Cut): void {
    this.#links.cut(cut);
  }

  mend(): void {
    this.#links.mend();
  }

  /** As the operator types it, without asking back. */
  async patronictl(...args: string[]): Promise<string> {
    const config = join(this.folder, 'db1/patroni.yml');
    const env = { PATH, HOME: this.folder, LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8' };
    return (await exec('patronictl', ['-c', config, ...args], { env })).stdout;
  }

  /** A script of `deploy/cluster`, as the user of PostgreSQL. */
  async script(name: string, args: string[], env: Record<string, string> = {}): Promise<string> {
    const path = `${this.bin}:${PATH}`;
    const options = { ...this.#user, cwd: this.backups, env: { PATH: path, HOME: this.folder, ...env } };
    return (await exec(join(this.folder, 'scripts', name), args, options)).stdout.trim();
  }

  /** For `base-backup`. */
  replication(machine: DatabaseMachine): { url: string; env: Record<string, string> } {
    const url = `host=${this.address(machine)} port=5432 user=replicator dbname=postgres`;
    return { url, env: { PGPASSWORD: this.#passwords['change-me-replicator']! } };
  }

  superuserUrl(machine: DatabaseMachine): string {
    return `postgres://postgres:${this.#passwords['change-me-superuser']}@${this.address(machine)}:5432/carabiner`;
  }

  /** PostgreSQL alone on a data folder, without Patroni; returns the service's URL of its database. */
  async startRestored(folder: string): Promise<string> {
    const port = 5499;
    const [host, behind] = [this.address('front'), this.inside('front')];
    await this.#links.open('front', port, { address: host, behind });
    const options = { listen_addresses: behind, port, unix_socket_directories: this.backups };
    const flags = Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const settings = `--config-file=${join(folder, 'restored.conf')}`;
    this.#spawn('postgres-restored', 'front', [join(this.bin, 'postgres'), '-D', folder, settings, ...flags]);
    return `postgres://carabiner:${this.#passwords['change-me-carabiner']}@${host}:${port}/carabiner`;
  }

  tails(): string {
    const log = join(this.folder, 'log');
    return readdirSync(log)
      .map((name) => `── ${name}\n${readFileSync(join(log, name), 'utf8').slice(-1500)}`)
      .join('\n');
  }

  log(name: string): string {
    return readFileSync(join(this.folder, 'log', name), 'utf8');
  }

  async stop(): Promise<void> {
    const pids = DATABASES.flatMap((machine) => {
      const file = join(this.folder, machine, 'data/postmaster.pid');
      return existsSync(file) ? [Number(readFileSync(file, 'utf8').split('\n')[0])] : [];
    });
    const ending = [...this.#running.values()].map((one) => one.end());
    for (const pid of pids) killAll(pid);
    await Promise.all(ending);
    this.#links.close();
    await pause(500);
    if (process.env['HA_KEEP'] === undefined) rmSync(this.folder, { recursive: true, force: true });
    else console.log(`kept: ${this.folder}`);
  }
}

/** A postmaster and its children, at once. */
function killAll(pid: number): void {
  try {
    const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' });
    for (const one of [pid, ...children.split('\n').filter(Boolean).map(Number)]) {
      try {
        process.kill(one, 'SIGKILL');
      } catch {
        // Ended with the others.
      }
    }
  } catch {
    // Ended before.
  }
}
