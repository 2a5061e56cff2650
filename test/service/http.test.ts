import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { serve } from '../../service/http/serve.ts';
import { AREAS } from '../../service/server.ts';
import type { Area } from '../../service/service.ts';
import { Problem } from '../../src/api/problem.ts';
import type { Route } from '../../src/api/route.ts';
import { listNonFungibles, readTransactionStatus } from '../../src/api/routes.ts';
import { poll } from '../waiting.ts';
import { basic, bearer, startTested, type Tested, TOKEN_PATH } from './harness.ts';

/** Beside the real ones: a route that fails, one whose answer is unlike its contract, and one that answers when it is told to. */
const breaking = { ...listNonFungibles, path: '/trouble/{walletId}' } as const satisfies Route;
const unlike = { ...readTransactionStatus, path: '/unlike/{hash}' } as const satisfies Route;
const slow = { ...readTransactionStatus, path: '/slow/{hash}' } as const satisfies Route;

let enter = (): void => {};
let leave = (): void => {};
const entered = new Promise<void>((done) => (enter = done));
const left = new Promise<void>((done) => (leave = done));

const trouble: Area = (app) => {
  serve(app, breaking, () => {
    throw new Error('the password of the database is hunter2');
  });
  serve(app, unlike, ({ params, query }) => {
    const answer = {
      transactionHash: params.hash,
      secretType: query.secretType,
      status: 'pending' as const,
      mined: null,
    };
    return params.hash === 'more'
      ? Object.assign(answer, { pin: '123456' })
      : { ...answer, mined: '123456' as never };
  });
  serve(app, slow, async ({ params, query }) => {
    enter();
    await left;
    return {
      transactionHash: params.hash,
      secretType: query.secretType,
      status: 'pending' as const,
      mined: null,
    };
  });
};

/** How long the overloaded service waits for a connection to its database. */
const CONNECT_MS = 1000;

let service: Tested;
let token: string;
let secrets: string[];

before(async () => {
  service = await startTested(
    { corsOrigins: ['https://connect.example'], bodyLimit: 4096 },
    { areas: [...AREAS, trouble] },
  );
  const answer = await service.tokens();
  token = answer.access_token;
  secrets = [token, answer.refresh_token];
});
after(() => service.close());

async function problem(response: Response): Promise<Problem> {
  assert.match(response.headers.get('content-type')!, /^application\/problem\+json/);
  const body = Problem.parse(await response.json());
  assert.equal(body.status, response.status);
  assert.equal(body.instance, response.headers.get('x-request-id'));
  assert.equal(body.type, `${service.url}/docs#${body.code}`);
  return body;
}

async function codeOf(response: Response): Promise<string> {
  const { status, code } = await problem(response);
  return `${status} ${code}`;
}

/** The response to `text` on a raw connection. */
function raw(text: string): Promise<string> {
  const { hostname, port } = new URL(service.url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(text));
    let answer = '';
    socket.setEncoding('utf8').on('data', (data: string) => {
      answer += data;
    });
    socket.once('end', () => resolve(answer)).once('error', reject);
  });
}

test('every error is problem+json with a code', async () => {
  const json = { 'Content-Type': 'application/json' };
  const post = (body: string, headers: Record<string, string> = json) =>
    fetch(`${service.url}/auth/exchange`, { method: 'POST', headers, body });
  assert.equal(await codeOf(await service.get('/nothing')), '404 request.not-found');
  assert.equal(await codeOf(await service.get('/api/nothing/at/all')), '404 request.not-found');
  assert.equal(await codeOf(await post('{"clientId":')), '400 request.invalid');
  assert.equal(await codeOf(await post('')), '400 request.invalid');
  assert.equal(await codeOf(await post('{"__proto__":{"a":1}}')), '400 request.invalid');
  assert.equal(await codeOf(await post('<a/>', { 'Content-Type': 'text/xml' })), '415 request.media-type');
  assert.equal(await codeOf(await post('a', { 'Content-Type': 'text/plain' })), '415 request.media-type');
  assert.equal(await codeOf(await post(`"${'a'.repeat(5000)}"`)), '413 request.too-large');
  const deep = await problem(await post('['.repeat(500) + ']'.repeat(500)));
  assert.equal(deep.detail, 'The body is nested deeper than 64 levels.');
  const method = await fetch(`${service.url}/api/profile`, { method: 'DELETE' });
  assert.equal(method.headers.get('allow'), 'GET, HEAD, OPTIONS');
  assert.equal(await codeOf(method), '405 request.method-not-allowed');
  const undecodable = await service.get('/api/wallets/%E0%A4%A');
  assert.equal(Problem.parse(await undecodable.json()).code, 'request.invalid');
  for (const text of ['nonsense\r\n\r\n', `GET / HTTP/1.1\r\nA: ${'a'.repeat(20_000)}\r\n\r\n`]) {
    const answer = await raw(text);
    assert.match(answer, /^HTTP\/1\.1 4\d\d /);
    Problem.parse(JSON.parse(answer.split('\r\n\r\n')[1]!));
  }
});

test('a method that a path does not have is 405 with those it has, whatever the body; one that no path has is 405 or 501', async () => {
  const call = (method: string, path: string, head = '') =>
    raw(`${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${head ? `${head}\r\n{"a` : '\r\n'}`);
  const said = async (method: string, path: string, head?: string) => {
    const answer = await call(method, path, head);
    const { code } = JSON.parse(answer.split('\r\n\r\n')[1]!) as Problem;
    return `${answer.slice(9, 12)} ${/^allow: (.*)$/im.exec(answer)?.[1]?.trim() ?? '-'} ${code}`;
  };
  const notAllowed = 'request.method-not-allowed';
  assert.equal(await said('TRACE', '/api/wallets'), `405 GET, HEAD, POST, OPTIONS ${notAllowed}`);
  const json = 'Content-Type: application/json\r\nContent-Length: 3\r\n';
  assert.equal(await said('DELETE', '/api/profile', json), `405 GET, HEAD, OPTIONS ${notAllowed}`);
  // `import` is no wallet's id.
  for (const method of ['GET', 'DELETE', 'PATCH'])
    assert.equal(await said(method, '/api/wallets/import'), `405 POST, OPTIONS ${notAllowed}`);
  for (const [method, path] of [
    ['FOO', '/health'],
    ['CONNECT', 'example.com:443'],
  ] as const)
    assert.equal(await said(method, path), `501 - ${notAllowed}`);
  assert.match(await call('OPTIONS', '*'), /^HTTP\/1\.1 204 /);
});

test('two Host or Authorization headers are refused, as a proxy may have read the other one', async () => {
  for (const head of [
    'Host: a\r\nhost: b',
    'Host: a\r\nAuthorization: Bearer a\r\nAuthorization: Bearer b',
  ]) {
    const answer = await raw(`GET /api/profile HTTP/1.1\r\n${head}\r\nConnection: close\r\n\r\n`);
    assert.match(answer, /^HTTP\/1\.1 400 /);
    assert.equal(Problem.parse(JSON.parse(answer.split('\r\n\r\n')[1]!)).code, 'request.invalid');
  }
});

test('every invalid field is named', async () => {
  const response = await service.post('/auth/exchange', { clientId: 7, idpToken: '', extra: true });
  const { code, issues } = await problem(response);
  assert.equal(code, 'request.invalid');
  assert.deepEqual(issues, [
    { path: 'clientId', message: 'must be a string' },
    {
      path: 'identityProvider',
      message: 'must be the name of an identity provider, or an object with its name',
    },
    { path: 'idpToken', message: 'must not be empty' },
    { path: 'extra', message: 'is not a field of this request; leave it out' },
  ]);
  const status = await service.get('/slow/0x1?secretType=DOGE&x=1', bearer(token));
  assert.deepEqual(
    (await problem(status)).issues?.map(({ path }) => path),
    ['secretType', 'x'],
  );
});

test('a number that JSON would change is refused at its field', async () => {
  const { access_token: signing } = await service.tokens(['sign:wallets']);
  const post = (path: string, body: string) =>
    fetch(service.url + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...bearer(signing) },
      body,
    });
  const payment = (value: string) =>
    `{"type":"ETH_TRANSACTION","walletId":"none","to":"0x${'1'.repeat(40)}","value":${value}}`;
  const refusal = (path: string, double: string) => [
    { path, message: `would be read as ${double}: a JSON number keeps about 16 digits. Send it as text` },
  ];
  for (const [value, double] of [
    ['9007199254740993', '9007199254740992'],
    ['0.1234567890123456789', '0.12345678901234568'],
    ['1E400', 'Infinity'],
  ] as const) {
    const { status, code, issues } = await problem(await post('/api/transactions/estimate', payment(value)));
    assert.deepEqual([status, code, issues], [400, 'request.invalid', refusal('value', double)]);
  }
  const batch = `{"walletId":"none","pincode":"739154","transactionRequests":[${payment('1')},${payment('9007199254740993')}]}`;
  assert.deepEqual(
    (await problem(await post('/api/transactions/batch', batch))).issues,
    refusal('transactionRequests.1.value', '9007199254740992'),
  );
  // What the double is exactly, and text, get as far as the wallet.
  for (const value of ['1000000000000000000', '1e18', '"9007199254740993"'])
    assert.equal(
      await codeOf(await post('/api/transactions/estimate', payment(value))),
      '403 wallet.forbidden',
      value,
    );
});

test('internal errors are not disclosed, but can be found in the log', async () => {
  const response = await service.get('/trouble/abc', bearer(token));
  const text = await response.clone().text();
  assert.equal(await codeOf(response), '500 internal.error');
  assert.doesNotMatch(text, /hunter2|stack/);
  const id = response.headers.get('x-request-id')!;
  assert.ok(service.log.some((line) => line.includes(id) && line.includes('request failed')));
});

test('a field that is not in the contract is not sent', async () => {
  const response = await service.get('/unlike/more?secretType=ETHEREUM', bearer(token));
  assert.deepEqual(await response.json(), {
    transactionHash: 'more',
    secretType: 'ETHEREUM',
    status: 'pending',
    mined: null,
  });
});

test('an answer that breaks its contract is not sent', async () => {
  const response = await service.get('/unlike/wrong?secretType=ETHEREUM', bearer(token));
  const text = await response.clone().text();
  assert.equal(await codeOf(response), '500 internal.error');
  assert.doesNotMatch(text, /123456/);
  const reason = 'the answer of GET /unlike/:hash breaks its contract';
  assert.ok(service.log.some((line) => line.includes(reason)));
});

test('a valid request id is adopted', async () => {
  const id = async (given: string) =>
    (await service.get('/health', { 'X-Request-Id': given })).headers.get('x-request-id');
  assert.equal(await id('order-12345678'), 'order-12345678');
  assert.notEqual(await id('no <b>id</b>'), 'no <b>id</b>');
});

test('only configured origins may read responses', async () => {
  const from = async (origin: string) =>
    (await service.get('/api/profile', { Origin: origin })).headers.get('access-control-allow-origin');
  assert.equal(await from('https://connect.example'), 'https://connect.example');
  assert.equal(await from('https://evil.example'), null);
  const preflight = await fetch(`${service.url}/api/profile`, {
    method: 'OPTIONS',
    headers: {
      Origin: 'https://connect.example',
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'authorization,idempotency-key,dpop',
    },
  });
  assert.equal(preflight.status, 204);
  assert.match(preflight.headers.get('access-control-allow-headers')!, /DPoP/);
});

test('OPTIONS lists the methods of a path', async () => {
  const options = (path: string, headers: Record<string, string> = {}) =>
    fetch(service.url + path, { method: 'OPTIONS', headers });
  const allowed = async (path: string) => {
    const { status, headers } = await options(path);
    return `${status} ${headers.get('allow')}`;
  };
  assert.equal(await allowed('/api/wallets'), '204 GET, HEAD, POST, OPTIONS');
  assert.equal(await allowed('/api/wallets/one?x=1'), '204 GET, HEAD, PATCH, OPTIONS');
  assert.equal(await allowed('/health'), '204 GET, HEAD, OPTIONS');
  assert.equal(await codeOf(await options('/nothing')), '404 request.not-found');
  const stranger = await options('/health', { Origin: 'https://evil.example' });
  assert.equal(stranger.headers.get('access-control-allow-origin'), null);
  // Without this, a page could not read the 404.
  const preflight = { Origin: 'https://connect.example', 'Access-Control-Request-Method': 'POST' };
  assert.equal((await options('/nothing', preflight)).status, 204);
});

test('a body that is not UTF-8 is refused, as JSON and as a form', async () => {
  const post = (type: string, parts: (string | number[])[]) =>
    fetch(`${service.url}${TOKEN_PATH}`, {
      method: 'POST',
      headers: { 'Content-Type': type },
      body: Buffer.concat(parts.map((part) => Buffer.from(part as string))),
    });
  const said = async (response: Response) => {
    const { error_description: detail } = (await response.json()) as { error_description: string };
    return `${response.status} ${detail}`;
  };
  const json = (...parts: (string | number[])[]) => post('application/json', parts);
  const form = (...parts: (string | number[])[]) => post('application/x-www-form-urlencoded', parts);
  assert.match(await said(await json('{"client_id":"', [0xff], '"}')), /^400 .*not UTF-8/);
  assert.match(await said(await json('{"client_id":"', [0xed, 0xa0, 0x80], '"}')), /^400 .*not UTF-8/);
  assert.match(await said(await form('client_id=', [0xc3])), /^400 .*not UTF-8/);
  assert.match(await said(await form('client_id=%c3%28')), /^400 .*encodes no UTF-8/);
  // The same in UTF-8 is accepted.
  const wrong = /^40[01] .*(unknown|required|grant_type)/;
  assert.match(
    await said(await json('{"grant_type":"client_credentials","client_id":"é","client_secret":"x"}')),
    wrong,
  );
  assert.match(
    await said(await form('grant_type=client_credentials&client_id=%c3%a9+x&client_secret=a=b')),
    wrong,
  );
  assert.match(await said(await form('client_id=a&client_id=b')), /^400 .*client_id/);
});

test('responses cannot be framed, sniffed or cached', async () => {
  const { headers } = await service.get('/api/profile', bearer(token));
  assert.equal(headers.get('cache-control'), 'no-store');
  assert.equal(headers.get('x-content-type-options'), 'nosniff');
  assert.equal(headers.get('content-security-policy'), "default-src 'none'; frame-ancestors 'none'");
  assert.equal(headers.get('referrer-policy'), 'no-referrer');
});

test('the reference lists every code and every call, with no script but its own', async () => {
  const response = await service.get('/docs');
  const page = await response.text();
  assert.equal(
    response.headers.get('content-security-policy'),
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  );
  assert.deepEqual(page.match(/<script[^>]*>/g), ['<script type="module" src="/docs/try-it.js">']);
  assert.doesNotMatch(page.replaceAll(/<pre>.*?<\/pre>/gs, ''), /<style|style=|https?:\/\/|\son\w+=/);
  for (const { path } of service.app.served) assert.ok(page.includes(path), path);
  assert.ok(page.includes('id="wallet.forbidden"'));
  assert.equal((await service.get('/docs/style.css')).status, 200);
  assert.match((await service.get('/docs/try-it.js')).headers.get('content-type')!, /^text\/javascript/);
});

test('health and metrics describe the service, without paths of wallets', async () => {
  assert.deepEqual(await (await service.get('/health')).json(), { status: 'ok', database: 'ok' });
  await service.get('/trouble/very-secret-id', bearer(token));
  const metrics = await (await service.get('/metrics')).text();
  assert.match(
    metrics,
    /http_request_duration_seconds_count\{method="GET",route="\/trouble\/:walletId",status="500"\}/,
  );
  assert.doesNotMatch(metrics, /very-secret-id/);
});

test('token requests are rate-limited per address', async () => {
  const limited = await startTested({ tokenRateLimit: 3, rateLimit: 8 });
  try {
    const statuses: number[] = [];
    for (let n = 0; n < 5; n++) statuses.push((await limited.post(TOKEN_PATH, {})).status);
    assert.deepEqual(statuses, [400, 400, 400, 429, 429]);
    const last = await limited.post(TOKEN_PATH, {});
    assert.equal(((await last.json()) as { error: string }).error, 'temporarily_unavailable');
    assert.ok(Number(last.headers.get('retry-after')) > 0);
    for (const path of ['/api/profile', '/nothing']) {
      for (let n = 0; n < 8; n++) await limited.get(path);
      const { code, details } = Problem.parse(await (await limited.get(path)).json());
      assert.equal(code, 'request.rate-limited', path);
      assert.ok((details?.['retryAfter'] as number) > 0);
    }
  } finally {
    await limited.close();
  }
});

test('a stop finishes pending requests and accepts no new ones', async () => {
  const stopping = await startTested({}, { areas: [...AREAS, trouble] });
  const { access_token } = await stopping.tokens();
  const under = stopping.get('/slow/0x1?secretType=ETHEREUM', bearer(access_token));
  await entered;
  let isClosed = false;
  const closed = stopping.close().then(() => (isClosed = true));
  await poll(
    () =>
      stopping.get('/health', { Connection: 'close' }).then(
        () => false,
        () => true,
      ),
    'the end of new connections',
  );
  assert.equal(isClosed, false);
  leave();
  const response = await under;
  assert.equal(response.status, 200);
  assert.equal(((await response.json()) as { status: string }).status, 'pending');
  await closed;
  await assert.rejects(stopping.get('/health'));
});

test('the log has no token, secret or PIN, whatever goes wrong', async () => {
  const { id, secret } = await service.client(['view:profile']);
  secrets.push(secret, '739154', 'idp-token-value');
  await service.post(TOKEN_PATH, { grant_type: 'client_credentials', client_id: id, client_secret: secret });
  await service.post(TOKEN_PATH, { grant_type: 'x', client_id: id, client_secret: secret });
  await service.post('/auth/exchange', { clientId: id, identityProvider: 'x', idpToken: 'idp-token-value' });
  for (const credentials of [basic({ id, secret }), basic({ id, secret: `${secret}x` })]) {
    secrets.push(credentials['Authorization']!.slice('Basic '.length));
    await service.get('/api/client/secrets', credentials);
  }
  await service.post('/api/wallets', { pincode: '739154' }, bearer(token));
  await service.get(`/api/profile?access_token=${token}`, bearer(token));
  await service.get('/api/profile', { Authorization: `Bearer ${token}x` });
  service.app.log.error({ pincode: '739154', body: { client_secret: secret } }, 'a careless line');
  const log = service.log.join('');
  assert.ok(service.log.length > 20);
  for (const each of secrets) assert.equal(log.includes(each), false);
  // Header and claims of a token identify it, too.
  assert.equal(log.includes(token.split('.')[1]!), false);
});

test('an overloaded service says so, and when to retry', async () => {
  const overloaded = await startTested({}, { connectMs: CONNECT_MS });
  const { access_token } = await poll(
    () =>
      overloaded.tokens().then(
        (answer) => ('access_token' in answer ? answer : undefined),
        () => undefined,
      ),
    'a token of the service with little patience',
  );
  const read = () => overloaded.get('/api/profile', bearer(access_token));
  let release = (): void => {};
  let taken = 0;
  const held = new Promise<void>((resolve) => (release = resolve));
  const { config, service: running } = overloaded;
  const hold = () =>
    running.db.connection().execute(() => {
      taken++;
      return held;
    });
  const all = Array.from({ length: config.databaseConnections }, hold);
  await poll(() => taken === all.length, 'every connection');
  try {
    const response = await read();
    assert.equal(response.headers.get('retry-after'), '1');
    const { status, code } = Problem.parse(await response.json());
    assert.deepEqual([status, code], [503, 'service.unreachable']);
  } finally {
    release();
    await Promise.all(all);
  }
  await poll(async () => (await read()).status === 200, 'an answer');
  await overloaded.close();
});
