/** The wallet service as it is deployed: a separate process, with its own database in a temporary folder. */
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT } from '../scripts/command.ts';
import { createClient } from '../service/auth/clients.ts';
import { readConfig } from '../service/config.ts';
import { type Database, joinDatabase } from '../service/database/database.ts';
import { runningCluster } from '../service/database/embedded/cluster.ts';
import type { Scope } from '../src/api/scopes.ts';
import type { TokenResponse } from '../src/api/token.ts';

export interface BenchProcess {
  url: string;
  /** CPU seconds so far, resident bytes now, and the delay of the event loop since the last call, in seconds. */
  usage(): Promise<{ cpu: number; memory: number; lag: number; lagP99: number }>;
  child: ChildProcess;
  close(): Promise<void>;
}

export interface BenchService extends BenchProcess {
  db: Database;
  /** `iss` of its tokens. */
  issuer: string;
  databaseUrl: string;
  /** For files; deleted with the service. */
  folder: string;
  /** A new application with its own token. */
  client(scopes: readonly Scope[]): Promise<{ id: string; secret: string; token: string }>;
}

/** Writes its log to a file, as in production; `url` is from the first line that has one. */
export async function startProcess(
  script: string,
  logFile: string,
  env: Record<string, string>,
): Promise<BenchProcess> {
  const out = openSync(logFile, 'w');
  const child = spawn(process.execPath, ['--import', 'tsx', script], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', out, 'inherit'],
  });
  closeSync(out);
  const ended = new Promise<void>((done) => child.once('exit', () => done()));
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  for (;;) {
    const [, url] = /"url":"([^"]+)"/.exec(readFileSync(logFile, 'utf8')) ?? [];
    if (url)
      return {
        url,
        child,
        async usage() {
          const text = await (await fetch(`${url}/metrics`)).text();
          return {
            cpu: metric(text, 'process_cpu_seconds_total'),
            memory: metric(text, 'process_resident_memory_bytes'),
            lag: delay(metric(text, 'nodejs_eventloop_lag_max_seconds')),
            lagP99: delay(metric(text, 'nodejs_eventloop_lag_p99_seconds')),
          };
        },
        async close() {
          child.kill('SIGTERM');
          await ended;
          process.off('exit', kill);
        },
      };
    if (child.exitCode !== null) throw new Error(`${script} ended before it was ready`);
    await sleep(50);
  }
}

/** Node.js looks every 10 ms and counts these too: an idle process has a "lag" of 10 ms. */
function delay(lag: number): number {
  return Math.max(0, lag - 0.01);
}

/** NaN if the metric is missing. */
function metric(text: string, name: string): number {
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
}

/** Each process has its own URL here, and so tokens of its own. */
export async function tokenAt(url: string, { id, secret }: { id: string; secret: string }): Promise<string> {
  const answer = await fetch(`${url}/auth/realms/main/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'client_credentials', client_id: id, client_secret: secret }),
  });
  return ((await answer.json()) as TokenResponse).access_token;
}

export async function startBenchService(env: Record<string, string> = {}): Promise<BenchService> {
  const folder = mkdtempSync(join(tmpdir(), 'carabiner-bench-'));
  chmodSync(folder, 0o755);
  const all = { SERVICE_PORT: '0', DATA_DIR: join(folder, 'data'), RATE_LIMIT: '10000000', ...env };
  const started = await startProcess('service/main.ts', join(folder, 'log'), all);
  // An address, so that no name is resolved.
  const url = started.url.replace('localhost', '127.0.0.1');
  const quiet = { debug: () => {}, warn: () => {} };
  const { db, close } = await joinDatabase(readConfig(all), quiet);
  const { port, user, password, database } = (await runningCluster(all.DATA_DIR))!;
  return {
    ...started,
    url,
    issuer: `${started.url}/auth/realms/main`,
    db,
    folder,
    databaseUrl: `postgres://${user}:${password as string}@127.0.0.1:${port}/${database}`,
    async client(scopes) {
      const { id, secret } = await createClient(db, { name: 'bench', scopes });
      return { id, secret, token: await tokenAt(url, { id, secret }) };
    },
    async close() {
      await close();
      await started.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
