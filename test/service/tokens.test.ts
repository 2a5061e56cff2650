import assert from 'node:assert/strict';
import { createHmac, generateKeyPairSync } from 'node:crypto';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { decodeJwt, decodeProtectedHeader, exportSPKI, generateKeyPair, importJWK, SignJWT } from 'jose';
import { revokeClient } from '../../service/auth/clients.ts';
import { SigningKeys } from '../../service/auth/signing-keys.ts';
import { SCOPES_CLAIM } from '../../service/auth/token-issuer.ts';
import { fileKeys } from '../../service/keys/file-keys.ts';
import { Problem } from '../../src/api/problem.ts';
import { OAuthError, TokenResponse } from '../../src/api/token.ts';
import { pause } from '../waiting.ts';
import { commandOn } from './command-setup.ts';
import { bearer, startTested, type Tested, TOKEN_PATH } from './harness.ts';

/** In seconds. */
const HOUR = 3600;

let service: Tested;
const now = Date.now.bind(Date);
before(async () => {
  // Its watch over the clock keeps the real one, which a test sets.
  service = await startTested({}, { clocks: { now, steady: () => performance.now() } });
});
after(() => service.close());

function form(
  fields: Record<string, string> | string,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(service.url + TOKEN_PATH, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
    body: typeof fields === 'string' ? fields : new URLSearchParams(fields),
  });
}

async function refusal(response: Response): Promise<string> {
  assert.equal(response.headers.get('cache-control'), 'no-store');
  return `${response.status} ${OAuthError.parse(await response.json()).error}`;
}

const credentials = { grant_type: 'client_credentials' };

test('a client gets the full token response, by form, by JSON and by HTTP Basic', async () => {
  const { id, secret } = await service.client(['view:wallets', 'whitelabel']);
  const body = { ...credentials, client_id: id, client_secret: secret };
  const basic = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
  for (const response of [
    await form(body),
    await service.post(TOKEN_PATH, body),
    await form(credentials, { Authorization: basic }),
  ]) {
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('cache-control'), 'no-store');
    const token = TokenResponse.parse(await response.json());
    assert.equal(token.expires_in, 1800);
    assert.equal(token.refresh_expires_in, 3_456_000);
    assert.equal(token.token_type, 'bearer');
    assert.equal(token.scope, 'view:wallets whitelabel');
    assert.match(token.session_state, /^[0-9a-f-]{36}$/);
    assert.equal(decodeProtectedHeader(token.access_token).typ, 'at+jwt');
    const claims = decodeJwt(token.access_token);
    assert.equal(claims.aud, 'carabiner-api');
    assert.equal(claims.sub, id);
    assert.equal(claims.exp! - claims.iat!, 1800);
  }
});

test('a client may request fewer scopes, never more', async () => {
  const { id, secret } = await service.client(['view:wallets', 'whitelabel']);
  const body = { ...credentials, client_id: id, client_secret: secret };
  const granted = async (scope: string): Promise<string> => {
    const { scope: answered, access_token } = TokenResponse.parse(
      await (await form({ ...body, scope })).json(),
    );
    assert.equal(decodeJwt(access_token)['scope'], answered);
    return answered;
  };
  assert.equal(await granted('whitelabel'), 'whitelabel');
  assert.equal(await granted(' whitelabel  whitelabel '), 'whitelabel');
  // As if it were absent (RFC 6749 section 3.1).
  assert.equal(await granted(''), 'view:wallets whitelabel');
  for (const scope of [
    'whitelabel sign:wallets',
    'whitelabel unknown',
    'Whitelabel',
    'white',
    ' ',
    '\t',
    '\n',
    '\u00a0',
    'whitelabel\tview:wallets',
    'whitelabel,view:wallets',
    'whitelabel\u00a0view:wallets',
    '*',
    '__proto__',
    'length',
  ])
    assert.equal(await refusal(await form({ ...body, scope })), '400 invalid_scope', JSON.stringify(scope));
  for (const scope of [null, ['whitelabel'], {}, 0])
    assert.equal(await refusal(await service.post(TOKEN_PATH, { ...body, scope })), '400 invalid_request');
  const twice = `${new URLSearchParams(body)}&scope=whitelabel&scope=view:wallets`;
  assert.equal(await refusal(await form(twice)), '400 invalid_request');
});

test('the token endpoint’s errors follow RFC 6749', async () => {
  const { id, secret } = await service.client();
  const good = { ...credentials, client_id: id, client_secret: secret };
  const basic = (text: string) => ({ Authorization: `Basic ${Buffer.from(text).toString('base64')}` });
  const cases: [string, Promise<Response>][] = [
    ['400 invalid_request', form({ client_id: id, client_secret: secret })],
    ['400 unsupported_grant_type', form({ ...good, grant_type: 'password' })],
    ['400 unsupported_grant_type', form({ ...good, grant_type: 'refresh_token' })],
    ['400 invalid_request', form({ ...credentials, client_id: id })],
    ['401 invalid_client', form({ ...good, client_secret: `${secret}x` })],
    ['401 invalid_client', form({ ...good, client_id: 'nobody' })],
    ['401 invalid_client', form({ ...good, client_id: 'no\0body' })],
    ['401 invalid_client', form(credentials, basic(`${id}:wrong`))],
    ['401 invalid_client', form(credentials, basic('nothing'))],
    ['400 invalid_request', form(good, basic(`${id}:${secret}`))],
    ['400 invalid_request', form(`${new URLSearchParams(good)}&client_id=${id}`)],
    ['400 invalid_request', service.post(TOKEN_PATH, [])],
    ['404 invalid_request', service.post(TOKEN_PATH.replace('main', 'other'), good)],
  ];
  for (const [expected, response] of cases) assert.equal(await refusal(await response), expected);
  const wrong = await form(credentials, basic(`${id}:wrong`));
  assert.match(wrong.headers.get('www-authenticate')!, /^Basic /);
});

test('discovery leads to the keys that verify a token', async () => {
  const { access_token } = await service.tokens();
  const issuer = decodeJwt(access_token).iss!;
  const discovery = (await (await fetch(`${issuer}/.well-known/openid-configuration`)).json()) as Record<
    string,
    string
  >;
  assert.equal(discovery['issuer'], issuer);
  assert.equal(discovery['token_endpoint'], service.url + TOKEN_PATH);
  const { keys } = (await (await fetch(discovery['jwks_uri']!)).json()) as { keys: Record<string, string>[] };
  const key = keys.find(({ kid }) => kid === decodeProtectedHeader(access_token).kid)!;
  assert.equal(key['d'], undefined);
  assert.ok(await importJWK(key, 'ES256'));
});

async function profile(headers: Record<string, string>): Promise<string> {
  const response = await service.get('/api/profile', headers);
  if (response.ok) return '200';
  const text = await response.text();
  const { code, detail } = Problem.parse(JSON.parse(text));
  assert.ok(response.headers.get('www-authenticate')?.startsWith('Bearer'), code);
  // The reason would help only a forger.
  assert.doesNotMatch(text, /signature|audience|issuer|alg|kid|jose|stack/i, detail);
  return `${response.status} ${code}`;
}

test('every kind of invalid token is refused, without saying why', async () => {
  const good = await service.tokens();
  const claims = decodeJwt(good.access_token);
  const header = decodeProtectedHeader(good.access_token);
  const own = await service.service.signingKeys.current();
  const now = Math.floor(Date.now() / 1000);
  const signed = (
    change: Record<string, unknown>,
    head: Record<string, unknown> = {},
    key: CryptoKey = own.key,
  ) => new SignJWT({ ...claims, ...change }).setProtectedHeader({ ...header, ...head } as never).sign(key);
  const stranger = await generateKeyPair('ES256');
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const publicKey = await exportSPKI(
    (await importJWK((await service.service.signingKeys.published())[0]!, 'ES256')) as CryptoKey,
  );
  const hmacInput = `${part({ alg: 'HS256', typ: 'at+jwt', kid: own.id })}.${part(claims)}`;
  const [head, , signature] = good.access_token.split('.');
  const invalid = '401 token.invalid';
  const cases: [string, string, string][] = [
    ['not a token', 'abc', invalid],
    ['three empty parts', 'a.b.c', invalid],
    ['expired', await signed({ exp: now - 1 }), '401 token.expired'],
    ['other issuer', await signed({ iss: 'https://other.example' }), invalid],
    ['no issuer', await signed({ iss: undefined }), invalid],
    ['other audience', await signed({ aud: 'account' }), invalid],
    ['alg none', `${part({ alg: 'none', typ: 'at+jwt' })}.${part(claims)}.`, invalid],
    [
      'HS256 with the public key',
      `${hmacInput}.${createHmac('sha256', publicKey).update(hmacInput).digest('base64url')}`,
      invalid,
    ],
    ['another key with our key id', await signed({}, {}, stranger.privateKey), invalid],
    ['unknown key id', await signed({}, { kid: 'unknown' }), invalid],
    ['changed claims', `${head}.${part({ ...claims, scope: 'use:all-wallets' })}.${signature}`, invalid],
    ['no expiry', await signed({ exp: undefined }), invalid],
    ['another type', await signed({}, { typ: 'JWT' }), invalid],
    ['a critical extension', await signed({}, { crit: ['b64'], b64: true }), invalid],
    ['the refresh token', good.refresh_token, invalid],
  ];
  assert.equal(await profile(bearer(good.access_token)), '200');
  assert.equal(await profile({}), '401 token.missing');
  assert.equal(await profile({ Authorization: 'Basic YTpi' }), '401 token.missing');
  for (const [what, token, expected] of cases) assert.equal(await profile(bearer(token)), expected, what);
});

test('a token without the required scope is refused, naming the scope', async () => {
  const { access_token } = await service.tokens(['view:wallets']);
  const response = await service.get('/api/profile', bearer(access_token));
  assert.equal(response.status, 403);
  assert.equal(
    response.headers.get('www-authenticate'),
    'Bearer error="insufficient_scope", scope="view:profile"',
  );
  const problem = Problem.parse(await response.json());
  assert.equal(problem.code, 'token.scope');
  assert.deepEqual(problem.details, { scopes: ['view:profile'] });
});

test('a token of an earlier release asks for a new one where it had no scope, and is no more than its scopes', async () => {
  const { access_token } = await service.tokens(['view:profile']);
  const { id, key } = await service.service.signingKeys.current();
  const { [SCOPES_CLAIM]: version, ...claims } = decodeJwt(access_token);
  assert.ok(version);
  const old = await new SignJWT(claims)
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: id })
    .sign(key);
  const code = async (token: string): Promise<string> => {
    const response = await service.get('/checkout/sessions', bearer(token));
    return `${response.status} ${Problem.parse(await response.json()).code}`;
  };
  assert.equal(await profile(bearer(old)), '200');
  assert.equal(await code(old), '401 token.expired');
  assert.equal(await code(access_token), '403 token.scope');
});

test('a revoked client gets no token, and its tokens are refused within a second', async () => {
  const { id, secret } = await service.client();
  const body = { ...credentials, client_id: id, client_secret: secret };
  const { access_token } = TokenResponse.parse(await (await form(body)).json());
  assert.equal(await profile(bearer(access_token)), '200');
  assert.ok(await revokeClient(service.service.db, id));
  await pause(1000);
  assert.equal(await profile(bearer(access_token)), '401 token.invalid');
  assert.equal(await refusal(await form(body)), '401 invalid_client');
});

test('an accepted token is refused once it has expired', async (t) => {
  const { access_token } = await service.tokens();
  const { id, key } = await service.service.signingKeys.current();
  const exp = Math.floor(now() / 1000) + HOUR;
  const short = await new SignJWT({ ...decodeJwt(access_token), exp })
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: id })
    .sign(key);
  assert.equal(await profile(bearer(short)), '200');
  t.mock.timers.enable({ apis: ['Date'], now: exp * 1000 + 1 });
  assert.equal(await profile(bearer(short)), '401 token.expired');
});

test('signing keys rotate: tokens of the old one stay valid, unless it is forgotten', async () => {
  const { signingKeys } = service.service;
  const old = (await service.tokens()).access_token;
  await signingKeys.rotate({ forget: false });
  const next = (await service.tokens()).access_token;
  assert.notEqual(decodeProtectedHeader(next).kid, decodeProtectedHeader(old).kid);
  assert.equal(await profile(bearer(old)), '200');
  assert.equal(await profile(bearer(next)), '200');
  assert.equal((await signingKeys.published()).length, 2);
  await signingKeys.rotate({ forget: true });
  assert.equal(await profile(bearer(next)), '401 token.invalid');
  assert.equal((await signingKeys.published()).length, 1);
});

test('a signing key is due for rotation after its lifetime, and the next is published before it signs', async () => {
  const { db, signingKeys } = service.service;
  const before = await signingKeys.current();
  await db
    .updateTable('signing_keys')
    .set({ created_at: new Date(Date.now() - 31 * 86_400_000) })
    .execute();
  const others = [1, 2, 3].map(
    () => new SigningKeys(db, service.service.keys, { signingKeyDays: 30, tokenSeconds: 1800 }),
  );
  // Several processes notice it concurrently.
  const current = await Promise.all(others.map((keys) => keys.current()));
  assert.deepEqual(new Set(current.map(({ id }) => id)), new Set([before.id]));
  assert.equal((await others[0]!.published()).length, 2);
});

test('a different master key is detected', async () => {
  const other = await fileKeys(join(service.folder, 'other.json'), { create: true });
  const keys = new SigningKeys(service.service.db, other, { signingKeyDays: 30, tokenSeconds: 1800 });
  await assert.rejects(keys.current(), /master key .* is not the one/);
});

test('signing keys are stored encrypted', async () => {
  const rows = await service.service.db.selectFrom('signing_keys').selectAll().execute();
  assert.ok(rows.length > 0);
  const shape = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({
    type: 'pkcs8',
    format: 'der',
  });
  for (const { wrapped, public_jwk } of rows) {
    assert.equal('d' in (public_jwk as object), false);
    assert.equal(wrapped.includes('PRIVATE KEY'), false);
    assert.equal(wrapped.includes(shape.subarray(0, 20)), false);
  }
});

// Last: the service of the other tests reads its keys again only after half a minute.
test('the command makes a new signing key beside the running service, and forgets the others if it is told to', async () => {
  const command = commandOn('signing-keys', () => service.config);
  const keys = async () => {
    const { db } = service.service;
    const rows = await db.selectFrom('signing_keys').select(['id', 'retired_at']).execute();
    return rows.filter(({ retired_at }) => retired_at === null).map(({ id }) => id);
  };
  const [old] = await keys();
  assert.ok(old);
  assert.equal((await command('rotate')).code, 0);
  const [next, ...others] = await keys();
  assert.notEqual(next, old);
  assert.deepEqual(others, []);
  // A process reads the keys again after half a minute; another one knows the new key at once.
  const anotherProcess = () =>
    new SigningKeys(service.service.db, service.service.keys, { signingKeyDays: 30, tokenSeconds: 1800 });
  const other = anotherProcess();
  assert.equal((await other.current()).id, next);
  assert.ok(await other.verificationKey(old));
  const { code, out } = await command('rotate', '--forget');
  assert.equal(code, 0);
  assert.match(out, /refused within half a minute/);
  const last = anotherProcess();
  assert.equal(await last.verificationKey(old), undefined);
  assert.equal(await last.verificationKey(next!), undefined);
  assert.deepEqual(
    (await last.published()).map((key) => key.kid),
    await keys(),
  );
  for (const wrong of [[], ['list'], ['rotate', '--all'], ['rotate', 'now']])
    assert.match((await command(...wrong)).err, /^Usage:/);
});
