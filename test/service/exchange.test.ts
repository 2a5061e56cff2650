import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { decodeJwt, generateKeyPair, SignJWT } from 'jose';
import { readConfig } from '../../service/config.ts';
import { Problem } from '../../src/api/problem.ts';
import { Profile, TokenResponse } from '../../src/api/token.ts';
import { bearer, type Provider, startProvider, startTested, type Tested } from './harness.ts';

let service: Tested;
let provider: Provider;
let second: Provider;
let legacy: Provider;
let clientId: string;

before(async () => {
  [provider, second, legacy] = await Promise.all([startProvider(), startProvider(), startProvider()]);
  const { identityProviders, trustedIssuers } = readConfig({
    IDENTITY_PROVIDERS: JSON.stringify([
      { name: 'google', issuer: provider.issuer, audience: 'shop', trustEmail: true, maxAge: 600 },
      { name: 'doubted', issuer: provider.issuer, audience: 'shop' },
      { name: 'other', issuer: second.issuer, audience: 'shop', clients: ['nobody'] },
      { name: 'gone', issuer: 'http://127.0.0.1:1', audience: 'shop' },
    ]),
    TRUSTED_ISSUERS: JSON.stringify([
      {
        issuer: second.issuer,
        audience: 'wallets',
        applicationClaim: 'client_id',
        scopeClaim: 'access.scopes',
      },
      { issuer: legacy.issuer, audience: 'wallets', legacyCheckout: true },
    ]),
  });
  service = await startTested({ identityProviders, trustedIssuers });
  clientId = (await service.client()).id;
});
after(async () => {
  await service.close();
  provider.close();
  second.close();
  legacy.close();
});

async function exchange(idpToken: unknown, fields: Record<string, unknown> = {}): Promise<Response> {
  return service.post('/auth/exchange', { clientId, identityProvider: 'google', idpToken, ...fields });
}

async function good(response: Response): Promise<TokenResponse> {
  const text = await response.text();
  assert.equal(response.status, 200, text);
  return TokenResponse.parse(JSON.parse(text));
}

async function refused(response: Response): Promise<string> {
  const { code, issues } = Problem.parse(await response.json());
  return [response.status, code, ...(issues ?? []).map(({ path }) => path)].join(' ');
}

test('a provider’s token is exchanged for a user’s token, however the provider is named', async () => {
  const claims = {
    email: 'Ada@Example.com',
    email_verified: true,
    preferred_username: 'ada',
    given_name: 'Ada',
    family_name: 'Lovelace',
  };
  const first = await good(await exchange(await provider.sign(claims)));
  assert.equal(first.scope, 'view:wallets sign:wallets view:profile email profile');
  const again = await good(
    await exchange(await provider.sign(claims), { identityProvider: { name: 'google' } }),
  );
  const userId = decodeJwt(first.access_token).sub!;
  assert.equal(decodeJwt(again.access_token).sub, userId);
  assert.equal(decodeJwt(first.access_token)['client_id'], clientId);
  const response = await service.get('/api/profile', bearer(first.access_token));
  assert.deepEqual(Profile.parse(await response.json()), {
    userId,
    hasMasterPin: false,
    username: 'ada',
    email: 'Ada@Example.com',
    firstName: 'Ada',
    lastName: 'Lovelace',
  });
  const row = await service.service.db
    .selectFrom('accounts')
    .select('verified_email')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  assert.equal(row.verified_email, 'ada@example.com');
});

test('an account is identified by issuer and subject, never by e-mail', async () => {
  const email = { email: 'same@example.com', email_verified: true };
  const one = await good(await exchange(await provider.sign({ sub: 'a', ...email })));
  const two = await good(await exchange(await provider.sign({ sub: 'b', ...email })));
  assert.notEqual(decodeJwt(one.access_token).sub, decodeJwt(two.access_token).sub);
  const unverified = await good(await exchange(await provider.sign({ sub: 'c', email: 'x@example.com' })));
  const row = await service.service.db
    .selectFrom('accounts')
    .select(['email', 'verified_email'])
    .where('id', '=', decodeJwt(unverified.access_token).sub!)
    .executeTakeFirstOrThrow();
  assert.deepEqual(row, { email: 'x@example.com', verified_email: null });
});

test('an e-mail is kept if a later token omits it, and dropped if one contradicts it', async () => {
  const stored = async (claims: Record<string, unknown>, identityProvider = 'google') => {
    const idpToken = await provider.sign({ sub: 'grace', ...claims });
    const { access_token } = await good(await exchange(idpToken, { identityProvider }));
    const row = await service.service.db
      .selectFrom('accounts')
      .select(['email', 'verified_email'])
      .where('id', '=', decodeJwt(access_token).sub!)
      .executeTakeFirstOrThrow();
    return [row.email, row.verified_email];
  };
  const both = ['Grace@example.com', 'grace@example.com'];
  assert.deepEqual(await stored({ email: 'Grace@example.com', email_verified: true }), both);
  assert.deepEqual(await stored({}), both);
  assert.deepEqual(await stored({ email: 'new@example.com', email_verified: false }), [
    'new@example.com',
    null,
  ]);
  assert.deepEqual(await stored({}), ['new@example.com', null]);
  assert.deepEqual(await stored({ email: 'Grace@example.com', email_verified: true }), both);
  assert.deepEqual(await stored({ email_verified: false }), ['Grace@example.com', null]);
  assert.deepEqual(await stored({ email: 'Grace@example.com', email_verified: true }), both);
  assert.deepEqual(await stored({ email_verified: 'false' }), ['Grace@example.com', null]);
  assert.deepEqual(await stored({ email: 'Grace@example.com', email_verified: 'true' }), both);
  assert.deepEqual(await stored({ email: 'Grace@example.com', email_verified: 'yes' }), [
    'Grace@example.com',
    null,
  ]);
  assert.deepEqual(await stored({ email: 'Grace@example.com', email_verified: true }), both);
  assert.deepEqual(await stored({}, 'doubted'), ['Grace@example.com', null], 'no longer trusted');
  assert.deepEqual(await stored({ email: null }), [null, null]);
});

test('invalid provider tokens are refused', async () => {
  const now = Math.floor(Date.now() / 1000);
  const stranger = await generateKeyPair('RS256');
  const [, body] = (await provider.sign()).split('.');
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const hmac = new SignJWT(decodeJwt(await provider.sign()))
    .setProtectedHeader({ alg: 'HS256', kid: 'provider-key' })
    .sign(new TextEncoder().encode(JSON.stringify(provider.publicJwk)));
  const foreign = new SignJWT(decodeJwt(await provider.sign()))
    .setProtectedHeader({ alg: 'RS256', kid: 'provider-key' })
    .sign(stranger.privateKey);
  const { access_token } = await service.tokens();
  const invalid = '401 token.invalid';
  const cases: [string, string, string][] = [
    ['other audience', await provider.sign({ aud: 'another-shop' }), invalid],
    ['other issuer', await provider.sign({ iss: 'https://evil.example' }), invalid],
    ['another known issuer', await second.sign(), invalid],
    ['expired', await provider.sign({ iat: now - 500, exp: now - 100 }), '401 token.expired'],
    ['too old', await provider.sign({ iat: now - 3600, exp: now + 3600 }), '401 token.expired'],
    ['no subject', await provider.sign({ sub: undefined }), invalid],
    ['an empty subject', await provider.sign({ sub: '' }), invalid],
    ['a subject with a NUL', await provider.sign({ sub: 'a\0b' }), invalid],
    ['no issue time', await provider.sign({ iat: undefined }), invalid],
    ['no expiry', await provider.sign({ exp: undefined }), invalid],
    ['issued in the future', await provider.sign({ iat: now + 600, exp: now + 900 }), invalid],
    ['issued for another party', await provider.sign({ aud: ['shop', 'evil'], azp: 'evil' }), invalid],
    ['unknown key id', await provider.sign({}, { kid: 'unknown' }), invalid],
    ['a critical extension', await provider.sign({}, { crit: ['b64'], b64: true }), invalid],
    ['another key', await foreign, invalid],
    ['alg none', `${part({ alg: 'none' })}.${body}.`, invalid],
    ['HS256 with the public key', await hmac, invalid],
    ['one of our own tokens', access_token, invalid],
    ['not a token', 'abc', invalid],
  ];
  for (const [what, token, expected] of cases)
    assert.equal(await refused(await exchange(token)), expected, what);
});

test('names of providers and clients are looked up, not trusted', async () => {
  const token = await provider.sign();
  const cases: [string, Record<string, unknown>][] = [
    ['400 request.invalid identityProvider', { identityProvider: '__proto__' }],
    ['400 request.invalid identityProvider', { identityProvider: 'constructor' }],
    ['400 request.invalid identityProvider', { identityProvider: { name: 'toString' } }],
    ['400 request.invalid identityProvider', { identityProvider: { issuer: provider.issuer } }],
    ['400 request.invalid identityProvider', { identityProvider: 7 }],
    ['400 request.invalid clientId', { clientId: 'unknown' }],
    ['400 request.invalid clientId', { identityProvider: 'other' }],
    ['400 request.invalid idpToken', { idpToken: {} }],
    ['400 request.invalid jwks', { jwks: provider.publicJwk }],
    ['502 identity-provider.unreachable', { identityProvider: 'gone' }],
  ];
  for (const [expected, fields] of cases)
    assert.equal(await refused(await exchange(token, fields)), expected);
});

test('the keys of a provider are fetched once', () => {
  // Two configuration entries refer to it.
  assert.equal(provider.keyRequests, 2);
});

test('concurrent sign-ins of one user get one account', async () => {
  const answers = await Promise.all(
    Array.from({ length: 8 }, async () => good(await exchange(await provider.sign({ sub: 'together' })))),
  );
  assert.equal(new Set(answers.map(({ access_token }) => decodeJwt(access_token).sub)).size, 1);
});

test('tokens of a trusted issuer are accepted as configured', async () => {
  const claims = { aud: 'wallets', azp: 'shop-backend', access: { scopes: ['view:profile'] } };
  const profile = async (token: string) => {
    const response = await service.get('/api/profile', bearer(token));
    return response.ok ? Profile.parse(await response.json()).userId : refused(response);
  };
  const user = await profile(await second.sign(claims));
  assert.equal(await profile(await second.sign(claims)), user);
  const application = await profile(await second.sign({ ...claims, client_id: 'shop-backend' }));
  assert.notEqual(application, user);
  assert.match(application, /^[0-9a-f-]{36}$/);
  assert.equal(await profile(await second.sign({ ...claims, access: {} })), '403 token.scope');
  assert.equal(await profile(await second.sign({ ...claims, aud: 'shop' })), '401 token.invalid');
  assert.equal(await profile(await second.sign({ ...claims, azp: undefined })), '401 token.invalid');
  assert.equal(await profile(await provider.sign(claims)), '401 token.invalid');
  const now = Math.floor(Date.now() / 1000);
  assert.equal(await profile(await second.sign({ ...claims, iat: now + 10 })), user);
  const ahead = await second.sign({ ...claims, iat: now + 3600, exp: now + 7200 });
  assert.equal(await profile(ahead), '401 token.invalid', 'issued in the future');
});

test('an application of a trusted issuer needs the scopes of checkout, unless the issuer is from before them', async () => {
  const claims = { aud: 'wallets', azp: 'shop', sub: 'shop', scope: 'view:profile', access: { scopes: [] } };
  const outcomes = async (token: string): Promise<string[]> =>
    Promise.all(
      ['/checkout/sessions', '/webhooks', '/account/settings/receiving-wallet', '/api/wallets'].map(
        async (path) => {
          const response = await service.get(path, bearer(token));
          return response.ok ? '200' : refused(response);
        },
      ),
    );
  const needed = '403 token.scope';
  assert.deepEqual(
    await outcomes(await second.sign({ ...claims, client_id: 'shop' })),
    Array(4).fill(needed),
  );
  const few = { ...claims, client_id: 'shop', access: { scopes: ['checkout'] } };
  assert.deepEqual(await outcomes(await second.sign(few)), ['200', needed, needed, needed]);
  assert.deepEqual(await outcomes(await legacy.sign(claims)), [
    '200',
    '200',
    '404 request.not-found',
    needed,
  ]);
  assert.deepEqual(await outcomes(await legacy.sign({ ...claims, sub: 'user' })), Array(4).fill(needed));
  const warnings = service.log.filter((line) => line.includes('legacyCheckout'));
  assert.equal(warnings.length, 1);
  assert.ok(warnings[0]!.includes(JSON.stringify(legacy.issuer)));
});
