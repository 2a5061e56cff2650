/** A service for tests, on a free port. Its database is embedded, in a temporary folder; with TEST_DATABASE_URL, a new one on that server. */
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import pg from 'pg';
import type { TokenResponse } from '../../src/api/token.ts';
import type { Scope } from '../../src/api/scopes.ts';
import { createClient } from '../../service/auth/clients.ts';
import { readConfig, type ServiceConfig } from '../../service/config.ts';
import { type RunningService, type StartOptions, startService } from '../../service/server.ts';
import { openDatabase } from '../../service/database/database.ts';
import { DEADLINE_MS } from '../waiting.ts';
import './limits.ts';
import { checkLog, keepFilesOut, newLog, watchWire } from './logs.ts';
import { asService, installRowSecurity, ROW_SECURITY } from './row-security.ts';

const SERVER = process.env['TEST_DATABASE_URL'];
/** A database on that server that is copied for each test file: migrating an empty one takes 0.3 s longer. */
const SOURCE = process.env['TEST_DATABASE_SOURCE'];
/** A data folder that is copied for each embedded database: initialising one takes seconds. */
const TEMPLATE = process.env['TEST_DATABASE_TEMPLATE'];

/** A folder that the user postgres can enter, too: the tests may run as root. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'carabiner-test-'));
  chmodSync(folder, 0o755);
  return folder;
}

/** `DATA_DIR` of a service in this folder, with a database that is ready, if `npm test` has prepared one. */
export function dataIn(folder: string): string {
  const data = join(folder, 'data');
  copyTemplate(data);
  return data;
}

function copyTemplate(data: string): void {
  // Keeps owners: when we run as root, PostgreSQL runs as another user.
  if (TEMPLATE && !existsSync(data)) execFileSync('cp', ['-a', TEMPLATE, data]);
}

async function onServer(work: (client: pg.Client) => Promise<unknown>, url = SERVER!): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await work(client).finally(() => client.end());
}

export interface Tested extends RunningService {
  /** Every line that the service logged. */
  log: string[];
  folder: string;
  config: ServiceConfig;
  client(scopes?: readonly Scope[]): Promise<{ id: string; secret: string }>;
  /** The token response of a new client. */
  tokens(scopes?: readonly Scope[]): Promise<TokenResponse>;
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
}

export const TOKEN_PATH = '/auth/realms/main/protocol/openid-connect/token';

export async function startTested(
  settings: Partial<ServiceConfig> = {},
  options: StartOptions = {},
): Promise<Tested> {
  const folder = temporaryFolder();
  const database = `test_${randomUUID().replaceAll('-', '')}`;
  if (SERVER)
    await onServer((client) => client.query(`create database ${database} template ${SOURCE ?? 'template1'}`));
  const databaseUrl = SERVER && Object.assign(new URL(SERVER), { pathname: `/${database}` }).href;
  const defaults = readConfig({
    SERVICE_PORT: '0',
    DATA_DIR: join(folder, 'data'),
    LOG_LEVEL: 'trace',
    RATE_LIMIT: '0',
    TOKEN_RATE_LIMIT: '0',
  });
  if (SERVER)
    await import('../../service/keys/file-keys.ts').then(({ fileKeys }) =>
      fileKeys(defaults.masterKeyFile, { create: true }),
    );
  const config: ServiceConfig = { ...defaults, databaseUrl, ...settings };
  if (!config.databaseUrl) copyTemplate(config.dataFolder);
  const log = newLog();
  if (ROW_SECURITY && config.databaseUrl) {
    await (await openDatabase(config, { debug: () => {}, warn: () => {} })).close();
    await onServer(installRowSecurity, config.databaseUrl);
  }
  const running = await asService(() =>
    startService(config, { logTo: log, connectMs: DEADLINE_MS, ...options }),
  );
  watchWire(running.app.server);
  keepFilesOut(config);
  const tested: Tested = {
    ...running,
    log: log.lines,
    folder,
    config,
    client: (scopes = ['view:wallets', 'view:profile']) =>
      createClient(running.service.db, { name: 'test', scopes }),
    async tokens(scopes) {
      const { id, secret } = await tested.client(scopes);
      const body = { grant_type: 'client_credentials', client_id: id, client_secret: secret };
      return (await (await tested.post(TOKEN_PATH, body)).json()) as TokenResponse;
    },
    get: (path, headers = {}) => fetch(running.url + path, { headers }),
    post: (path, body, headers = {}) =>
      fetch(running.url + path, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...headers },
        body: JSON.stringify(body),
      }),
    async close() {
      await running.close();
      if (SERVER) await onServer((client) => client.query(`drop database ${database} with (force)`));
      rmSync(folder, { recursive: true, force: true });
      checkLog(log);
    },
  };
  return tested;
}

/** The query of a list's next page, by the answer's headers. */
export function nextPage(headers: Headers): string | undefined {
  return /^<(\?.*)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1];
}

export function bearer(token: string): Record<string, string> {
  return { Authorization: `Bearer ${token}` };
}

/** For calls that take a client's secret. */
export function basic({ id, secret }: { id: string; secret: string }): Record<string, string> {
  return { Authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` };
}

export interface Provider {
  issuer: string;
  /** Requests for its keys so far. */
  keyRequests: number;
  /** A token signed by the provider; claims override the defaults, undefined omits one. */
  sign(claims?: Record<string, unknown>, header?: Record<string, unknown>): Promise<string>;
  publicJwk: Record<string, unknown>;
  close(): void;
}

/** An identity provider: discovery, keys, and tokens. */
export async function startProvider(audience = 'shop'): Promise<Provider> {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
  const publicJwk = { ...(await exportJWK(publicKey)), kid: 'provider-key', alg: 'RS256', use: 'sig' };
  const server: Server = createServer((request, response) => {
    const keys = request.url === '/keys';
    if (keys) provider.keyRequests++;
    response.setHeader('Content-Type', 'application/json');
    response.end(
      JSON.stringify(
        keys ? { keys: [publicJwk] } : { issuer: provider.issuer, jwks_uri: `${provider.issuer}/keys` },
      ),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const provider: Provider = {
    issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    keyRequests: 0,
    publicJwk,
    sign(claims = {}, header = {}) {
      const now = Math.floor(Date.now() / 1000);
      const defaults = { iss: provider.issuer, sub: 'user-1', aud: audience, iat: now, exp: now + 300 };
      return new SignJWT({ ...defaults, ...claims })
        .setProtectedHeader({ alg: 'RS256', kid: 'provider-key', ...header })
        .sign(privateKey);
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
  return provider;
}
