/**
 * Other people's tools, against a service that runs here: each reads `/openapi.json`, or calls the service as its users would, and prints
 * what it counted. They are installed into `.cache/api-tools`, in these versions; one that cannot be is skipped. `TOOLS=prism,svix` runs
 * those alone.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { type LocalEthereum, startEthereum } from '../../demo/networks/ethereum.ts';
import type { OpenApi, Operation } from '../../service/http/openapi.ts';
import { SCOPES } from '../../src/api/scopes.ts';
import { ROOT, run } from '../../scripts/command.ts';
import { PIN } from '../service/custody-setup.ts';
import { bearer, startTested, type Tested, TOKEN_PATH } from '../service/harness.ts';
import { API_KEY, LOOPBACK, newSession, recordEvent, startReceiver } from '../service/webhooks-setup.ts';
import { poll } from '../waiting.ts';

const NPM = {
  '@redocly/cli': '2.77.0',
  'openapi-typescript': '7.13.0',
  'openid-client': '6.9.0',
  svix: '2.5.0',
  // Later ones need Node 24.
  '@stoplight/prism-cli': '5.14.2',
};
const PYTHON = { schemathesis: '4.32.5', 'datamodel-code-generator': '0.89.0', pydantic: '2.14.4' };

const TOOLS = process.env['TOOLS']?.split(',');
const OWN = join(import.meta.dirname, 'api-tools');
const FOLDER = join(ROOT, '.cache/api-tools');
const NPM_FOLDER = join(FOLDER, 'npm');
const PYTHON_FOLDER = join(FOLDER, 'python');
const DOCUMENT = join(FOLDER, 'openapi.json');

let ethereum: LocalEthereum;
let service: Tested;
let document: OpenApi;
let client: { id: string; secret: string };
let token: string;

before(async () => {
  mkdirSync(NPM_FOLDER, { recursive: true });
  ethereum = await startEthereum({ port: 0 });
  service = await startTested({
    networks: { customNodes: true, reported: [], networks: [ethereum.network] },
    outboundRanges: LOOPBACK,
    accessTokenSeconds: 7200,
  });
  client = await service.client(SCOPES.filter((scope) => scope !== 'manage:policies'));
  const body = { grant_type: 'client_credentials', client_id: client.id, client_secret: client.secret };
  const answer = await service.post(TOKEN_PATH, body);
  ({ access_token: token } = (await answer.json()) as { access_token: string });
  document = (await (await service.get('/openapi.json')).json()) as OpenApi;
  writeFileSync(DOCUMENT, JSON.stringify(document));
});
after(async () => {
  await service?.close();
  await ethereum?.close();
});

interface Heard {
  code: number;
  /** Its standard output. */
  output: string;
  /** With its standard error. */
  text: string;
}

/** What a program printed. */
async function heard(command: string, args: string[], env: NodeJS.ProcessEnv = {}): Promise<Heard> {
  const lines: string[] = [];
  const keep = (line: string): void => void lines.push(line);
  const { code, output } = await run(command, args, { cwd: FOLDER, env, onLine: keep, onErrorLine: keep });
  return { code, output, text: lines.join('\n') };
}

const pinned = (versions: Record<string, string>, by: string): string[] =>
  Object.entries(versions).map(([name, version]) => `${name}${by}${version}`);

/** Installs once for each list of versions. Returns why it could not. */
async function install(
  mark: string,
  list: string[],
  steps: [string, string[]][],
): Promise<string | undefined> {
  const done = join(FOLDER, mark);
  if (existsSync(done) && readFileSync(done, 'utf8') === list.join('\n')) return undefined;
  for (const [command, args] of steps) {
    const { code, text } = await heard(command, args);
    if (code !== 0) return `${command} ${args.join(' ')} failed: ${text.split('\n').at(-1)}`;
  }
  writeFileSync(done, list.join('\n'));
  return undefined;
}

const installing = {
  npm: (list = pinned(NPM, '@')) =>
    install('npm.txt', list, [
      ['npm', ['install', '--prefix', NPM_FOLDER, '--no-audit', '--no-fund', '--ignore-scripts', ...list]],
    ]),
  python: (list = pinned(PYTHON, '==')) =>
    install('python.txt', list, [
      ['python3', ['-m', 'venv', PYTHON_FOLDER]],
      [join(PYTHON_FOLDER, 'bin/pip'), ['install', '--quiet', ...list]],
    ]),
};
const installed: Partial<Record<keyof typeof installing, Promise<string | undefined>>> = {};

/** `work` returns the figures. */
function tool(name: string, from: keyof typeof installing, work: () => Promise<string>): void {
  test(name, { skip: TOOLS !== undefined && !TOOLS.includes(name) && 'not in TOOLS' }, async (t) => {
    const missing = await (installed[from] ??= installing[from]());
    if (missing)
      return t.skip(
        `it needs ${from === 'npm' ? 'npm' : 'python3 with venv and pip'} and their registry: ${missing}`,
      );
    console.log(`${name}: ${await work()}`);
  });
}

const npmBin = (name: string): string => join(NPM_FOLDER, 'node_modules/.bin', name);
const pythonBin = (name: string): string => join(PYTHON_FOLDER, 'bin', name);
const npmModule = (path: string): Promise<unknown> =>
  import(pathToFileURL(join(NPM_FOLDER, 'node_modules', path)).href);

tool('redocly', 'npm', async () => {
  const args = [
    'lint',
    DOCUMENT,
    '--config',
    join(OWN, 'redocly.yaml'),
    '--format',
    'json',
    '--max-problems',
    '1000',
  ];
  const { output } = await heard(npmBin('redocly'), args, { REDOCLY_TELEMETRY: 'off' });
  const { totals, problems } = JSON.parse(output) as {
    totals: { errors: number; warnings: number };
    problems: { ruleId: string; message: string }[];
  };
  assert.deepEqual(
    problems.map(({ ruleId, message }) => `${ruleId}: ${message}`),
    [],
  );
  return `${totals.errors} errors, ${totals.warnings} warnings`;
});

tool('openapi-typescript', 'npm', async () => {
  const types = join(FOLDER, 'types.ts');
  const made = await heard(npmBin('openapi-typescript'), [DOCUMENT, '--output', types]);
  assert.equal(made.code, 0, made.text);
  const use = join(FOLDER, 'use.ts');
  writeFileSync(
    use,
    `import type { components, operations } from './types.ts';
type Body = operations['executeTransaction']['requestBody']['content']['application/json'];
export const sent: Body = { type: 'BTC_TRANSACTION', walletId: 'w', to: 'bc1q', value: 1 };
// @ts-expect-error A payment in bitcoin has no gas.
export const wrong: components['schemas']['ExecuteRequestBtcTransaction'] = { ...sent, type: 'BTC_TRANSACTION', gas: 1 };
`,
  );
  const strict = [
    '--strict',
    '--noEmit',
    '--ignoreConfig',
    '--allowImportingTsExtensions',
    '--module',
    'esnext',
  ];
  const checked = await heard('tsc', [...strict, '--moduleResolution', 'bundler', use]);
  assert.equal(checked.code, 0, checked.text);
  return `${readFileSync(types, 'utf8').split('\n').length} lines of types, which tsc --strict takes`;
});

tool('pydantic', 'python', async () => {
  const models = join(FOLDER, 'models.py');
  const args = ['--input', DOCUMENT, '--input-file-type', 'openapi', '--output', models];
  const made = await heard(pythonBin('datamodel-codegen'), [
    ...args,
    '--output-model-type',
    'pydantic_v2.BaseModel',
  ]);
  assert.equal(made.code, 0, made.text);
  const env = { OPENAPI: DOCUMENT, PYTHONPATH: FOLDER };
  const { code, output, text } = await heard(pythonBin('python'), [join(OWN, 'read_examples.py')], env);
  assert.equal(code, 0, text);
  return output.trim();
});

/** All that say what an answer must be, and that a valid request is refused only for what the document says. */
const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
  'missing_required_header',
  'unsupported_method',
  'allow_header_conformance',
  'ignored_auth',
  'refusal_is_explained',
];

tool('schemathesis', 'python', async () => {
  const { url } = service;
  const order = { walletType: 'WHITE_LABEL', pincode: PIN, secretType: 'ETHEREUM' };
  assert.equal((await service.post('/api/wallets', order, bearer(token))).status, 201);
  const { code, text } = await heard(
    pythonBin('schemathesis'),
    [
      ['run', DOCUMENT, '--url', url, '--header', `Authorization: Bearer ${token}`],
      ['--checks', CHECKS.join(','), '--phases', 'examples,coverage,fuzzing', '--max-examples', '20'],
      ['--seed', '4001', '--continue-on-failure', '--no-color', '--request-timeout', '60'],
    ].flat(),
    { OPENAPI: DOCUMENT, PYTHONPATH: OWN, SCHEMATHESIS_HOOKS: 'explained' },
  );
  writeFileSync(join(FOLDER, 'schemathesis.txt'), text);
  assert.equal(code, 0, text.slice(text.indexOf('FAILURES'), text.indexOf('SUMMARY')));
  return `${/(\d+) generated[^\n]*/.exec(text)![0]}, ${/Tested: (\d+)/.exec(text)![1]} calls, no 5xx`;
});

interface OpenidClient {
  discovery(
    issuer: URL,
    id: string,
    metadata: undefined,
    authentication: unknown,
    options: { execute: unknown[] },
  ): Promise<unknown>;
  clientCredentialsGrant(
    config: unknown,
    parameters?: object,
  ): Promise<{ access_token: string; expires_in: number }>;
  ClientSecretBasic(secret: string): unknown;
  ClientSecretPost(secret: string): unknown;
  allowInsecureRequests: unknown;
}

tool('openid-client', 'npm', async () => {
  const openid = (await npmModule('openid-client/build/index.js')) as OpenidClient;
  const execute = [openid.allowInsecureRequests];
  const issuer = new URL('/auth/realms/main', service.url);
  const configured = (authentication: unknown) =>
    openid.discovery(issuer, client.id, undefined, authentication, { execute });
  const scope = 'view:profile view:wallets';
  let grants = 0;
  for (const [authenticate, refusal] of [
    [openid.ClientSecretBasic, { code: 'OAUTH_WWW_AUTHENTICATE_CHALLENGE', status: 401 }],
    [openid.ClientSecretPost, { error: 'invalid_client', status: 401 }],
  ] as const) {
    const config = await configured(authenticate(client.secret));
    const granted = await openid.clientCredentialsGrant(config, { scope });
    grants++;
    assert.equal(granted.expires_in, 7200);
    const profile = await service.get('/api/profile', bearer(granted.access_token));
    assert.equal(profile.status, 200);
    const wrong = await configured(authenticate('cbs_wrong'));
    await assert.rejects(openid.clientCredentialsGrant(wrong), refusal);
    const tooMuch = openid.clientCredentialsGrant(config, { scope: 'no:such' });
    await assert.rejects(tooMuch, { error: 'invalid_scope' });
  }
  return `${grants} grants by discovery (Basic and in the body), 4 refusals read`;
});

interface Svix {
  Webhook: new (secret: string) => { verify(body: string, headers: Record<string, string>): unknown };
}

tool('svix', 'npm', async () => {
  const { Webhook } = (await npmModule('svix/dist/index.mjs')) as Svix;
  const receiver = await startReceiver();
  try {
    const order = { url: receiver.url, application: 'PAY', authenticationMethod: API_KEY };
    const webhook = (await (await service.post('/webhooks', order, bearer(token))).json()) as {
      signingSecret: string;
    };
    const session = await newSession(service.service.db, client.id);
    await recordEvent(service.service.db, session);
    await poll(() => receiver.arrived.length > 0, 'the event');
    const [{ headers, body }] = receiver.arrived as [(typeof receiver.arrived)[number]];
    const verifier = new Webhook(webhook.signingSecret);
    const sent = headers as Record<string, string>;
    verifier.verify(body, sent);
    const wrong = [
      () => verifier.verify(body.replace('succeeded', 'declined'), sent),
      () => verifier.verify(body, { ...sent, 'webhook-id': 'evt_other' }),
      () => verifier.verify(body, { ...sent, 'webhook-timestamp': '1700000000' }),
    ];
    for (const attempt of wrong) assert.throws(attempt);
    return `1 event verified, ${wrong.length} changed ones refused`;
  } finally {
    await receiver.close();
  }
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Prism in one of its forms, until `work` is done. */
async function withPrism<T>(args: string[], work: (url: string) => Promise<T>): Promise<T> {
  const port = await freePort();
  const child: ChildProcess = spawn(
    npmBin('prism'),
    [...args.slice(0, 1), '--port', String(port), '--host', '127.0.0.1', ...args.slice(1)],
    { cwd: FOLDER, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let text = '';
  for (const stream of [child.stdout!, child.stderr!])
    stream.on('data', (part: Buffer) => (text += String(part)));
  const ended = once(child, 'exit');
  try {
    await poll(() => {
      assert.equal(child.exitCode, null, text);
      return text.includes('Prism is listening');
    }, 'Prism');
    return await work(`http://127.0.0.1:${port}`);
  } finally {
    child.kill();
    await ended;
  }
}

/** The call as its examples show it. */
function exampleOf(method: string, path: string, { parameters, requestBody, security }: Operation) {
  const valueOf = (name: string) =>
    encodeURIComponent(parameters.find((one) => one.name === name)?.example ?? 'main');
  const query = parameters.filter((one) => one.in === 'query' && one.required);
  const { 'application/json': json } = requestBody?.content ?? {};
  const isBasic = security.some((one) => one['client']);
  const basic = `Basic ${Buffer.from(`${client.id}:${client.secret}`).toString('base64')}`;
  const init = {
    method: method.toUpperCase(),
    headers: {
      Authorization: isBasic ? basic : `Bearer ${token}`,
      ...(json ? { 'Content-Type': 'application/json' } : {}),
      ...(parameters.some(({ name }) => name === 'Idempotency-Key')
        ? { 'Idempotency-Key': 'order-4711' }
        : {}),
    },
    ...(json ? { body: JSON.stringify(json.example) } : {}),
  };
  const filled = path.replaceAll(/\{([\w-]+)\}/g, (_, name: string) => valueOf(name));
  return { path: `${filled}?${query.map(({ name }) => `${name}=${valueOf(name)}`).join('&')}`, init };
}

tool('prism', 'npm', async () => {
  const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { requestBody }]) => !requestBody?.content['multipart/form-data'])
      .map(([method, operation]) => ({ operation, ...exampleOf(method, path, operation) })),
  );
  const statusOf = ({ responses }: Operation) =>
    Number(Object.keys(responses).find((one) => one !== 'default'));
  await withPrism(['mock', '--errors', DOCUMENT], async (url) => {
    for (const { operation, path, init } of calls) {
      const answer = await fetch(url + path, init);
      assert.equal(answer.status, statusOf(operation), `${operation.operationId}: ${await answer.text()}`);
    }
  });
  const statuses: Record<string, number> = {};
  await withPrism(['proxy', DOCUMENT, service.url], async (url) => {
    for (const { operation, path, init } of calls) {
      const { status, headers } = await fetch(url + path, init);
      const violations = headers.get('sl-violations') ?? '[]';
      assert.equal(violations, '[]', `${operation.operationId} ${status}`);
      const kind = `${String(status)[0]}xx`;
      statuses[kind] = (statuses[kind] ?? 0) + 1;
    }
  });
  const told = Object.entries(statuses).map(([kind, count]) => `${count} × ${kind}`);
  return `${calls.length} examples answered by the mock, and by the service without a violation (${told.join(', ')})`;
});
