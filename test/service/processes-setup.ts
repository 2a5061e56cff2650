/** Services as separate processes, which share a database or are killed, and an application that pays from its wallet. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createClient } from '../../service/auth/clients.ts';
import { Custody } from '../../service/custody/custody.ts';
import { type Database, joinDatabase } from '../../service/database/database.ts';
import { fileKeys } from '../../service/keys/file-keys.ts';
import { poll } from '../waiting.ts';
import { PIN, QUICK } from './custody-setup.ts';
import { bearer, TOKEN_PATH } from './harness.ts';
import { logOf } from './logs.ts';
import { program } from './programs.ts';

const ROOT = resolve(import.meta.dirname, '../..');

export interface ServiceProcess {
  child: ChildProcess;
  url: string;
}

/** `npm run service` with these settings, of the project in `root`. */
export function startProcess(settings: Record<string, string>, root = ROOT): Promise<ServiceProcess> {
  const script = root === ROOT ? program('main') : ['--import', 'tsx', 'service/main.ts'];
  const child = spawn(process.execPath, script, {
    cwd: root,
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      SERVICE_PORT: '0',
      RATE_LIMIT: '0',
      TOKEN_RATE_LIMIT: '0',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  logOf(child);
  let words = '';
  return new Promise((done, fail) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const url = /"url":"([^"]+)".*service is ready/.exec(text)?.[1];
      if (url) done({ child, url });
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => (words += text));
    child.once('close', () => fail(new Error(words || 'The service ended.')));
  });
}

/** Joins the built-in database of a service that runs on this folder, or did. */
export async function inDatabase<T>(dataFolder: string, work: (db: Database) => Promise<T>): Promise<T> {
  const settings = { databaseUrl: undefined, databaseConnections: 2, dataFolder };
  const joined = await joinDatabase(settings, { debug: () => {}, warn: () => {} });
  return work(joined.db).finally(() => joined.close());
}

export async function end({ child }: ServiceProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, 'close');
  child.kill(signal);
  await closed;
}

/** Ends the leases that processes left which were killed before that time, as half a minute would. Those of living processes are newer. */
export async function endLeases(
  db: Database,
  table: 'deliveries' | 'wallet_lanes',
  { killedAt, leaseMs }: { killedAt: number; leaseMs: number },
): Promise<void> {
  await db
    .updateTable(table)
    .set({ leased_until: new Date() })
    .where('leased_until', '<=', new Date(killedAt + leaseMs))
    .execute();
}

/** As if the time had passed until the service next looks at each transaction. */
export async function lookNow(db: Database): Promise<void> {
  await db
    .updateTable('transactions')
    .set({ next_check_at: new Date() })
    .where('next_check_at', 'is not', null)
    .execute();
}

export interface Application {
  id: string;
  secret: string;
  wallet: { id: string; address: string };
}

/** Its wallet's PIN is cheap to check: these tests are about what happens afterwards. */
export async function createApplication(db: Database, masterKeyFile: string): Promise<Application> {
  const client = await createClient(db, {
    name: 'shop',
    scopes: ['view:wallets', 'whitelabel', 'sign:wallets', 'checkout', 'webhooks'],
  });
  const custody = new Custody(db, await fileKeys(masterKeyFile, { create: false }), { cost: QUICK });
  const { wallet } = await custody.createWallet({
    ownerId: client.id,
    applicationId: client.id,
    walletType: 'WHITE_LABEL',
    secretType: 'ETHEREUM',
    kind: 'local',
    pin: PIN,
    pinOf: 'wallet',
  });
  return { ...client, wallet: { id: wallet.id, address: wallet.address } };
}

export async function tokenAt(
  url: string,
  { id, secret }: Omit<Application, 'wallet'>,
): Promise<Record<string, string>> {
  const response = await careful(() =>
    fetch(url + TOKEN_PATH, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ grant_type: 'client_credentials', client_id: id, client_secret: secret }),
    }),
  );
  return bearer(((await response.json()) as { access_token: string }).access_token);
}

export interface Answer {
  status: number;
  body: { transactionHash?: string; id?: string; code?: string; detail?: string };
}

/** Like a client that repeats a request after an answer with `Retry-After`. */
export function careful(ask: () => Promise<Response>): Promise<Response> {
  return poll(async () => {
    const response = await ask();
    if (!response.headers.has('retry-after')) return response;
    await response.arrayBuffer();
    return undefined;
  }, 'an answer without Retry-After');
}

/** With the same idempotency key each time. */
export async function post(
  at: { url: string; token: Record<string, string> },
  path: string,
  body: object,
  key: string,
): Promise<Answer> {
  const response = await careful(() =>
    fetch(at.url + path, {
      method: 'POST',
      headers: { ...at.token, 'Content-Type': 'application/json', 'Idempotency-Key': key },
      body: JSON.stringify({ pincode: PIN, ...body }),
    }),
  );
  return { status: response.status, body: (await response.json()) as Answer['body'] };
}

export function payment(wallet: { id: string }, to: string, value: number | bigint): object {
  return { type: 'ETH_TRANSACTION', walletId: wallet.id, to, value: String(value) };
}
