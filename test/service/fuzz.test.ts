import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import type { OpenApi, Operation } from '../../service/http/openapi.ts';
import { serve } from '../../service/http/serve.ts';
import { AREAS } from '../../service/server.ts';
import type { Area } from '../../service/service.ts';
import type { Route } from '../../src/api/route.ts';
import * as contract from '../../src/api/routes.ts';
import { SCOPES } from '../../src/api/scopes.ts';
import { ConnectError } from '../../src/errors.ts';
import { PIN } from './custody-setup.ts';
import { bearer, type Tested, TOKEN_PATH } from './harness.ts';
import { startUsers, type User, type UsersTest } from './users-setup.ts';

const RUNS = 40;
/** No answer takes that long, however busy the machine is. */
const HANG_MS = 30_000;

let at: UsersTest;
let service: Tested;
let document: OpenApi;
let ajv: Ajv2020;
/** Of an application with every scope. */
let token: string;
/** With a device that is enrolled. */
let user: User;
/** Wallets of both. */
let wallets: string[];

/** The rest of the contract: checked like any call, then refused. */
const rest: Area = (app) => {
  for (const route of Object.values(contract) as Route[])
    if (!app.served.includes(route))
      serve(app, route, () => {
        throw new ConnectError('wallet.forbidden', 'There is no such wallet.');
      });
};

before(async () => {
  at = await startUsers({}, { areas: [...AREAS, rest] });
  ({ service } = at);
  token = (await service.tokens([...SCOPES])).access_token;
  user = await at.user();
  const order = { walletType: 'WHITE_LABEL', secretType: 'ETHEREUM', pincode: PIN };
  const made = await at.call<{ id: string }>(token, 'POST', '/api/wallets', order);
  wallets = [(await user.wallet()).id, made.body.id];
  document = (await (await service.get('/openapi.json')).json()) as OpenApi;
  ajv = new Ajv2020({ strict: false, allErrors: false });
  ajv.addSchema(document, 'service');
});
after(() => at.close());

/** Whether a value fits the schema at a JSON pointer of the document. */
function fits(pointer: string[], value: unknown): boolean {
  const path = pointer
    .map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
    .join('/');
  return ajv.validate({ $ref: `service#/${path}` }, value) as boolean;
}

const strange = fc.oneof(
  fc.constantFrom(
    null,
    '',
    '\0',
    '\ud800',
    'ｅ𝔵𝕒‮',
    '__proto__',
    '../../etc/passwd',
    "'; drop table accounts; --",
    'a'.repeat(9000),
    -1,
    1e308,
    2 ** 53,
    0.1,
    true,
    [],
    {},
    Array.from({ length: 300 }, () => 'x'),
  ),
  fc.jsonValue({ maxDepth: 6 }),
  fc.string({ unit: 'binary' }),
);

type JsonSchema = Record<string, unknown>;

function resolve(schema: JsonSchema): JsonSchema {
  const name = (schema['$ref'] as string | undefined)?.split('/').at(-1);
  return name ? (document.components.schemas[name] as JsonSchema) : schema;
}

/** Values that nearly fit; in fields that lead on, mostly some that do. */
function near(given: JsonSchema, name = ''): fc.Arbitrary<unknown> {
  const schema = resolve(given);
  const rest = (): fc.Arbitrary<unknown> => nearType(schema);
  if (/^(walletId|id|destinationWalletId)$/.test(name))
    return fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...wallets) }, { weight: 1, arbitrary: rest() });
  if (/^(pincode|next)$/.test(name))
    return fc.oneof({ weight: 4, arbitrary: fc.constant(PIN) }, { weight: 1, arbitrary: rest() });
  return rest();
}

function nearType(schema: JsonSchema): fc.Arbitrary<unknown> {
  const options = (schema['oneOf'] ?? schema['anyOf']) as JsonSchema[] | undefined;
  if (options) return fc.oneof(...options.map((option) => near(option)));
  if ('const' in schema) return fc.constant(schema['const']);
  if (schema['enum']) return fc.constantFrom(...(schema['enum'] as unknown[]));
  switch (schema['type']) {
    case 'object': {
      const fields = Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>);
      const usual = fc.record(
        Object.fromEntries(
          fields.map(([name, of]) => [
            name,
            fc.oneof({ weight: 8, arbitrary: near(of, name) }, { weight: 1, arbitrary: strange }),
          ]),
        ),
        { requiredKeys: [] },
      );
      const more = fc.dictionary(fc.string({ unit: 'binary', maxLength: 12 }), strange, { maxKeys: 2 });
      return fc
        .tuple(usual, fc.oneof({ weight: 4, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: more }))
        .map(([one, other]) => ({ ...other, ...one }));
    }
    case 'array':
      return fc.array(near((schema['items'] ?? {}) as JsonSchema), { maxLength: 4 });
    case 'string':
      return fc.oneof(
        fc.constantFrom('1', 'abc', '0x00', 'a@b.example', 'https://shop.example'),
        fc.string({ unit: 'grapheme', maxLength: 80 }),
      );
    case 'number':
    case 'integer':
      return fc.oneof(fc.integer(), fc.double());
    case 'boolean':
      return fc.boolean();
    default:
      return strange;
  }
}

function text(value: unknown): string {
  return typeof value === 'string' ? value.replaceAll(/\p{Surrogate}/gu, '?') : JSON.stringify(value);
}

interface Sent {
  url: string;
  init: RequestInit & { headers: Headers };
  /** A user's token, with the proof that the call may need; else the application's. */
  byUser: boolean;
  /** Instead of a good one. */
  proof: string | undefined;
}

function requests(method: string, path: string, operation: Operation): fc.Arbitrary<Sent> {
  const parameters = fc.record(
    Object.fromEntries(
      operation.parameters.map(({ name, schema }) => [
        name,
        name === 'realm'
          ? fc.constantFrom('main', 'main', 'x\0')
          : fc.oneof(near(schema as JsonSchema, name), strange),
      ]),
    ),
  );
  const schema = operation.requestBody?.content['application/json']?.schema as JsonSchema | undefined;
  const body = schema
    ? fc.oneof({ weight: 5, arbitrary: near(schema) }, { weight: 1, arbitrary: strange })
    : fc.constant(undefined);
  const header = (good: fc.Arbitrary<string | undefined>) =>
    fc.oneof({ weight: 6, arbitrary: good }, { weight: 1, arbitrary: fc.string({ maxLength: 200 }) });
  const proof = header(fc.constant(undefined));
  const key = header(fc.option(fc.uuid(), { nil: undefined }));
  return fc
    .tuple(parameters, body, fc.boolean(), proof, key)
    .map(([values, sent, byUser, junk, idempotencyKey]) => {
      const places = (place: string) =>
        operation.parameters.filter((each) => each.in === place).map(({ name }) => name);
      const url = path.replaceAll(
        /\{(\w+)\}/g,
        (_, name: string) => encodeURIComponent(text(values[name])) || '%20',
      );
      const query = new URLSearchParams(places('query').map((name) => [name, text(values[name])]));
      const headers = new Headers(bearer(byUser ? user.token : token));
      if (idempotencyKey) headers.set('Idempotency-Key', idempotencyKey);
      if (sent !== undefined) headers.set('Content-Type', 'application/json');
      if (path === TOKEN_PATH.replace('main', '{realm}')) headers.delete('Authorization');
      return {
        url: `${service.url}${url}?${query}`,
        init: { method, headers, ...(sent === undefined ? {} : { body: JSON.stringify(sent) }) },
        byUser,
        proof: junk,
      };
    });
}

test('no request that the contract suggests breaks the service, and every answer has its form', async () => {
  const seen: Record<number, number> = {};
  for (const [path, methods] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(methods)) {
      const samples = fc.sample(requests(method.toUpperCase(), path, operation), {
        numRuns: RUNS,
        seed: 4001,
      });
      await Promise.all(
        samples.map(async ({ url, init, byUser, proof }) => {
          if (byUser && operation.parameters.some((each) => each.name === 'DPoP')) {
            const proven = { method: init.method!, url: url.split('?', 1)[0]!, accessToken: user.token };
            init.headers.set('DPoP', proof ?? (await user.device.prove(proven)));
          }
          const response = await fetch(url, { ...init, signal: AbortSignal.timeout(HANG_MS) });
          const body: unknown = await response.json();
          const what = `${method} ${url} ${String(init.body)} → ${response.status} ${JSON.stringify(body)}`;
          assert.ok(response.status < 500, what);
          seen[response.status] = (seen[response.status] ?? 0) + 1;
          const type = response.headers.get('content-type')!.split(';')[0]!;
          // A path that cannot be routed belongs to no operation.
          if (response.status === 404 && type === 'application/problem+json') return;
          const status = response.ok ? String(response.status) : 'default';
          const pointer = ['paths', path, method, 'responses', status, 'content', type, 'schema'];
          assert.ok(fits(pointer, body), `${what}\n${ajv.errorsText()}`);
        }),
      );
    }
  // The generator reaches the handlers, too.
  assert.ok(seen[403]! > 30, JSON.stringify(seen));
  assert.ok(seen[400]! > 100, JSON.stringify(seen));
});

test('the contract suggests no schema that is not there', () => {
  const names = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(
    ([, name]) => name!,
  );
  assert.deepEqual([...new Set(names)].sort(), Object.keys(document.components.schemas).sort());
  assert.equal(document.openapi, '3.1.0');
});

test('every answer so far fits what openapi.json says', async () => {
  for (const [path, route] of [
    ['/api/profile', '/api/profile'],
    ['/auth/realms/main/protocol/openid-connect/certs', '/auth/realms/{realm}/protocol/openid-connect/certs'],
    [
      '/auth/realms/main/.well-known/openid-configuration',
      '/auth/realms/{realm}/.well-known/openid-configuration',
    ],
  ] as const) {
    const response = await service.get(path, bearer(token));
    assert.equal(response.status, 200);
    const pointer = ['paths', route, 'get', 'responses', '200', 'content', 'application/json', 'schema'];
    assert.ok(fits(pointer, await response.json()), `${path}: ${ajv.errorsText()}`);
  }
});
