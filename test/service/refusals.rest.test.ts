/** Invalid tokens on every call that needs one; the calls come from the server's route table, so none is missed. */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, test } from 'node:test';
import { decodeJwt, decodeProtectedHeader, exportSPKI, importJWK, SignJWT } from 'jose';
import { revokeClient } from '../../service/auth/clients.ts';
import type { OpenApi } from '../../service/http/openapi.ts';
import { Problem } from '../../src/api/problem.ts';
import type { Route } from '../../src/api/route.ts';
import { SCOPES, type Scope } from '../../src/api/scopes.ts';
import { pause } from '../waiting.ts';
import { OTHER_PIN, PIN, QUICK } from './custody-setup.ts';
import { bearer, startTested, type Tested } from './harness.ts';

let service: Tested;
let document: OpenApi;
let routes: Route[];
/** Every scope but the one that no client has together with `sign:wallets`. */
const SPENDER: Scope[] = SCOPES.filter((scope) => scope !== 'manage:policies');

/** Token of a client with them. */
let token: string;
/** A wallet of this client. */
let walletId: string;

before(async () => {
  service = await startTested({}, { pins: { cost: QUICK } });
  routes = service.app.served.filter(({ scopes }) => scopes);
  document = (await (await service.get('/openapi.json')).json()) as OpenApi;
  token = (await service.tokens(SPENDER)).access_token;
  const order = { walletType: 'WHITE_LABEL', secretType: 'ETHEREUM', pincode: PIN };
  walletId = ((await (await service.post('/api/wallets', order, bearer(token))).json()) as { id: string }).id;
});
after(() => service.close());

type JsonSchema = Record<string, unknown>;

/** Valid values by field. */
function field(name: string, wallet: string): unknown {
  const address = '0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063';
  const known: Record<string, unknown> = {
    id: wallet,
    walletId: wallet,
    walletIds: [wallet],
    pincode: PIN,
    next: OTHER_PIN,
    recoveryCode: 'ABCD-EFGH-JKMN-PQRS-TVWX-YZ01-2345-6789',
    secretType: 'ETHEREUM',
    fromSecretType: 'ETHEREUM',
    toSecretType: 'ETHEREUM',
    type: 'ETH_TRANSACTION',
    to: address,
    value: '1',
    amount: '1',
    data: '0x00',
    email: 'ann@shop.example',
    origin: 'https://shop.example',
    draft: '{}',
    token: address,
    hash: `0x${'0'.repeat(64)}`,
    thumbprint: 'A'.repeat(43),
  };
  return known[name];
}

function sample(given: JsonSchema, name: string, wallet: string): unknown {
  const ref = (given['$ref'] as string | undefined)?.split('/').at(-1);
  const schema = ref ? (document.components.schemas[ref] as JsonSchema) : given;
  const options = (schema['oneOf'] ?? schema['anyOf']) as JsonSchema[] | undefined;
  const fits = schema['enum'] as unknown[] | undefined;
  const usual = field(name, wallet);
  if ('const' in schema) return schema['const'];
  if (fits) return fits.includes(usual) ? usual : fits[0];
  if (usual !== undefined) return usual;
  if (options) return sample(options[0]!, name, wallet);
  if (schema['type'] === 'array')
    return Array.from({ length: (schema['minItems'] as number | undefined) ?? 0 }, () =>
      sample(schema['items'] as JsonSchema, '', wallet),
    );
  if (schema['type'] !== 'object')
    return { boolean: true, integer: 1, number: 1 }[schema['type'] as string] ?? 'x';
  const properties = (schema['properties'] ?? {}) as Record<string, JsonSchema>;
  const required = new Set((schema['required'] ?? []) as string[]);
  const wanted = Object.entries(properties).filter(([key]) => required.has(key) || key === 'walletId');
  return Object.fromEntries([
    // An open schema: the chain defines the rest.
    ...(schema['additionalProperties'] === false
      ? []
      : [
          ['to', field('to', wallet)],
          ['value', '1'],
        ]),
    ...wanted.map(([key, of]) => [key, sample(of, key, wallet)]),
  ]);
}

interface Sent {
  url: string;
  init: RequestInit;
  /** Whether it concerns one wallet. */
  wallet: boolean;
}

/** A valid request for the route, for the wallet if it concerns one. */
function request(route: Route, authorization: Record<string, string>, wallet = walletId): Sent {
  const { parameters, requestBody } = document.paths[route.path]![route.method.toLowerCase()]!;
  const query = new URLSearchParams();
  let path = route.path;
  for (const { name, in: place, required, schema } of parameters) {
    const value = () => String(sample(schema as JsonSchema, name, wallet));
    if (place === 'path') path = path.replace(`{${name}}`, encodeURIComponent(value()));
    else if (place === 'query' && required) query.set(name, value());
  }
  const schema = requestBody?.content['application/json']?.schema as JsonSchema | undefined;
  const body = schema && sample(schema, '', wallet);
  return {
    url: `${service.url}${path}?${query}`,
    init: {
      method: route.method,
      headers: {
        ...authorization,
        ...(body ? { 'Content-Type': 'application/json' } : {}),
        ...(route.idempotencyKey === 'required' ? { 'Idempotency-Key': 'one' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    },
    wallet: /\{(id|walletId)\}/.test(route.path) || Object.hasOwn(body ?? {}, 'walletId'),
  };
}

const name = ({ method, path }: Route): string => `${method} ${path}`;

/** Status and code, after checking that the response discloses none of the secrets. */
async function refusal({ url, init }: Sent, secrets: string[]): Promise<string> {
  const response = await fetch(url, init);
  const text = await response.text();
  const what = `${init.method} ${url}: ${response.status} ${text}`;
  assert.match(response.headers.get('content-type') ?? '', /^application\/problem\+json/, what);
  const problem = Problem.parse(JSON.parse(text));
  const known = ['type', 'title', 'status', 'detail', 'instance', 'code', 'details'];
  assert.deepEqual(
    Object.keys(JSON.parse(text) as object).filter((key) => !known.includes(key)),
    [],
    what,
  );
  // A forger could learn from it what is wrong with a token.
  assert.doesNotMatch(problem.detail, /signature|audience|issuer|alg|kid|jose|claim|revoked/i, what);
  if (problem.code !== 'token.scope') assert.equal(problem.details, undefined, what);
  const everything = text + JSON.stringify([...response.headers]);
  for (const secret of secrets.filter((each) => each.length > 3))
    assert.ok(!everything.includes(secret), what);
  assert.equal(response.headers.get('set-cookie'), null);
  assert.equal(response.headers.get('cache-control'), 'no-store', what);
  if (response.status === 401) assert.match(response.headers.get('www-authenticate') ?? '', /^Bearer/, what);
  return `${response.status} ${problem.code}`;
}

async function wrongTokens(): Promise<[string, string | undefined, string][]> {
  const good = await service.tokens(SPENDER);
  const claims = decodeJwt(good.access_token);
  const header = decodeProtectedHeader(good.access_token);
  const own = await service.service.signingKeys.current();
  const now = Math.floor(Date.now() / 1000);
  const signed = (change: Record<string, unknown>) =>
    new SignJWT({ ...claims, ...change }).setProtectedHeader(header as never).sign(own.key);
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const [jwk] = await service.service.signingKeys.published();
  const publicKey = await exportSPKI((await importJWK(jwk!, 'ES256')) as CryptoKey);
  const hmac = `${part({ alg: 'HS256', typ: 'at+jwt', kid: own.id })}.${part(claims)}`;
  const revoked = await service.tokens(SPENDER);
  // It was valid, and its verification is cached.
  const before = await service.get('/api/profile', bearer(revoked.access_token));
  assert.equal(before.status, 200);
  await revokeClient(service.service.db, decodeJwt(revoked.access_token).sub!);
  await pause(1100);
  const invalid = '401 token.invalid';
  return [
    ['none', undefined, '401 token.missing'],
    ['malformed', `${good.access_token.slice(0, 40)}..`, invalid],
    ['expired', await signed({ exp: now - 1 }), '401 token.expired'],
    ['other issuer', await signed({ iss: 'https://other.example' }), invalid],
    ['other audience', await signed({ aud: 'account' }), invalid],
    ['alg none', `${part({ alg: 'none', typ: 'at+jwt' })}.${part(claims)}.`, invalid],
    [
      'HS256 with the public key',
      `${hmac}.${createHmac('sha256', publicKey).update(hmac).digest('base64url')}`,
      invalid,
    ],
    ['revoked client', revoked.access_token, invalid],
    ['refresh token', good.refresh_token, invalid],
  ];
}

test('every call refuses every kind of invalid token, without saying why', async () => {
  assert.ok(routes.length >= 12);
  for (const [kind, wrong, expected] of await wrongTokens())
    for (const route of routes) {
      const sent = request(route, wrong === undefined ? {} : bearer(wrong));
      const secrets = [walletId, PIN, ...(wrong?.split('.') ?? [])];
      assert.equal(await refusal(sent, secrets), expected, `${kind}: ${name(route)}`);
      if (route.method !== 'GET') continue;
      const head = await fetch(sent.url, { ...sent.init, method: 'HEAD' });
      assert.equal(head.status, Number(expected.slice(0, 3)), `${kind}: HEAD ${route.path}`);
    }
});

test('every call refuses a token without its scope, and names the scope', async () => {
  for (const route of routes) {
    const others = SPENDER.filter((scope) => !(route.scopes as readonly Scope[]).includes(scope));
    const { access_token: lesser } = await service.tokens(others);
    const sent = request(route, bearer(lesser));
    assert.equal(await refusal(sent, [walletId, PIN, ...lesser.split('.')]), '403 token.scope', name(route));
  }
});

test("another client's wallet is refused by every call just like one that does not exist", async () => {
  const { access_token: stranger } = await service.tokens(SPENDER);
  const nobodys = '00000000-0000-4000-8000-000000000000';
  let count = 0;
  for (const route of routes) {
    const [theirs, missing] = [walletId, nobodys].map((id) => request(route, bearer(stranger), id));
    // The back office sees every wallet; receivers of events and checkout sessions, asked for first, have ids of their own.
    const isFirst = !/^\/((api\/)?webhooks|checkout\/sessions)\//.test(route.path);
    if (!theirs!.wallet || route.area === 'Policies' || !isFirst) continue;
    count++;
    for (const sent of [theirs!, missing!])
      assert.equal(await refusal(sent, [walletId, nobodys, PIN]), '403 wallet.forbidden', name(route));
  }
  assert.ok(count >= 8);
});
