/** The reference of the service has everything that somebody who calls it needs, for each call. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { CODES } from '../../service/http/codes.ts';
import { type OpenApi, openApi, type Operation } from '../../service/http/openapi.ts';
import { portablePattern } from '../../service/http/published-schemas.ts';
import { ROUTE_NOTES } from '../../src/api/notes/route-notes.ts';
import { contractDocument } from '../../scripts/api/routes.ts';
import { ROOT } from '../../scripts/command.ts';
import { dashboardRoute } from '../../src/api/checkout.ts';
import * as contract from '../../src/api/routes.ts';
import type { Route } from '../../src/api/route.ts';

let document: OpenApi;
let ajv: Ajv2020;
let operations: { path: string; method: string; operation: Operation; route: Route }[];

before(async () => {
  document = await contractDocument();
  ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    formats: { password: true, binary: true, email: true, 'date-time': true },
  });
  ajv.addSchema(document, 'service');
  const routes = contract as unknown as Record<string, Route>;
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      path,
      method,
      operation,
      route: routes[operation.operationId]!,
    })),
  );
});

/** What is wrong with a value, by the schema at a place of the document. */
function misfits(place: string[], value: unknown): string | undefined {
  const pointer = place
    .map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
    .join('/');
  return ajv.validate({ $ref: `service#/${pointer}` }, value) ? undefined : ajv.errorsText();
}

const WHERE = 'add it to the file of its area in src/api/notes';

test('every call has an example of its parameters, its body and its answer, and its own errors', () => {
  const missing = operations.flatMap(({ operation, route }) => {
    const { operationId, parameters, requestBody, responses } = operation;
    const note = ROUTE_NOTES[operationId];
    if (!note) return [`${operationId} has no note: ${WHERE} with errors, params, query, body and answer`];
    const bodies = Object.values(requestBody?.content ?? {});
    const [success] = Object.values(responses[String(route.status)]!.content);
    return [
      ...parameters
        .filter((one) => one.in === 'path' || (one.in === 'query' && one.required))
        .filter(({ example }) => example === undefined)
        .map(
          ({ name, in: place }) =>
            `${operationId} has no example of ${name}: ${WHERE} in ${place === 'path' ? 'params' : 'query'}`,
        ),
      ...(bodies.every((one) => 'example' in one)
        ? []
        : [`${operationId} has no example of its body: ${WHERE}`]),
      ...(success && 'example' in success ? [] : [`${operationId} has no example of its answer: ${WHERE}`]),
      ...(note.errors.length ? [] : [`${operationId} names no error of its own: ${WHERE}`]),
    ];
  });
  assert.deepEqual(missing, []);
});

test('every note is of a call, and names errors and fields that there are', () => {
  for (const [name, { errors, params = {}, query = {} }] of Object.entries(ROUTE_NOTES)) {
    const found = operations.find(({ operation }) => operation.operationId === name);
    assert.ok(found, `${name} is no call`);
    for (const code of errors) assert.ok(Object.hasOwn(CODES, code), `${name}: there is no code ${code}`);
    const twice = errors.filter((code, index) => errors.indexOf(code) !== index);
    assert.deepEqual(twice, [], `${name} names an error twice`);
    for (const [place, names] of Object.entries({ path: Object.keys(params), query: Object.keys(query) }))
      for (const field of names)
        assert.ok(
          found.operation.parameters.some((one) => one.in === place && one.name === field),
          `${name} has no ${place} parameter ${field}`,
        );
  }
});

test('every example fits its schema, as the service checks it', () => {
  const wrong = operations.flatMap(({ path, method, operation, route }) => {
    const place = ['paths', path, method];
    const note = ROUTE_NOTES[operation.operationId];
    const checks: [string, string | undefined][] = [];
    for (const [part, schema, value] of [
      ['params', route.params, note?.params],
      ['query', route.query, note?.query],
      ['body', route.body, note?.body],
    ] as const)
      if (schema && value !== undefined)
        checks.push([
          part,
          schema
            .safeParse(value)
            .error?.issues.map(({ message, path: at }) => `${at.join('.')} ${message}`)
            .join('; '),
        ]);
    for (const [type, { example }] of Object.entries(operation.requestBody?.content ?? {}))
      if (type === 'application/json')
        checks.push(['body', misfits([...place, 'requestBody', 'content', type, 'schema'], example)]);
    for (const [status, { content }] of Object.entries(operation.responses))
      for (const [type, { example }] of Object.entries(content))
        if (example !== undefined)
          checks.push([
            'answer',
            misfits([...place, 'responses', status, 'content', type, 'schema'], example),
          ]);
    return checks.flatMap(([part, why]) => (why ? [`${operation.operationId} ${part}: ${why}`] : []));
  });
  assert.deepEqual(wrong, []);
});

test('answers’ examples have no field that the contract does not know', () => {
  for (const { operation, route } of operations) {
    const { answer } = ROUTE_NOTES[operation.operationId] ?? {};
    if (answer !== undefined)
      assert.deepEqual(route.answer.safeParse(answer).data, answer, operation.operationId);
  }
});

test('every error of a call has an example by its code, in the form in which it is answered', () => {
  for (const { operation } of operations) {
    const [type, { examples = {} }] = Object.entries(operation.responses['default']!.content)[0]!;
    for (const code of ROUTE_NOTES[operation.operationId]?.errors ?? [])
      if (type === 'application/problem+json') assert.ok(examples[code], `${operation.operationId}: ${code}`);
    assert.ok(Object.keys(examples).length > 2, operation.operationId);
    for (const example of Object.values(examples))
      if ('value' in example)
        assert.equal(misfits(['components', 'schemas', 'OAuthError'], example.value), undefined);
      else
        assert.ok(Object.hasOwn(document.components.examples, example.$ref.split('/').at(-1)!), example.$ref);
  }
  for (const [code, example] of Object.entries(document.components.examples)) {
    const { value } = example as { value: { code: string; status: number } };
    assert.equal(misfits(['components', 'schemas', 'ProblemDetails'], value), undefined, code);
    assert.equal(value.status, CODES[code]!.status);
  }
});

/** What a call can answer by how its route is described. */
function commonCodes(route: Route): string[] {
  const { scopes, clientSecret, params, query, body, file, idempotencyKey, proof, passkey } = route;
  return [
    ...(scopes
      ? ['token.missing', 'token.expired', 'token.invalid', 'token.scope', 'identity-provider.unreachable']
      : []),
    ...(clientSecret ? ['token.invalid'] : []),
    ...(params || query || body || idempotencyKey ? ['request.invalid'] : []),
    ...(body || file ? ['request.media-type', 'request.too-large'] : []),
    ...(idempotencyKey || passkey ? ['request.conflict'] : []),
    ...(proof ? ['device.proof.invalid'] : []),
    ...(proof === 'enrolled' ? ['device.unknown'] : []),
    ...(passkey ? ['passkey.invalid'] : []),
    ...(passkey === 'required' ? ['passkey.required'] : []),
  ];
}

test('what a call answers because it takes a token, a body, a key or a proof is among its errors', () => {
  for (const { operation, route } of operations) {
    const [type, { examples = {} }] = Object.entries(operation.responses['default']!.content)[0]!;
    if (type !== 'application/problem+json') continue;
    for (const code of commonCodes(route)) assert.ok(examples[code], `${operation.operationId}: ${code}`);
  }
});

const STORED_SECRET = [
  'wallet.secret.not-found',
  'wallet.secret.internal-error',
  'wallet.decrypt.internal-error',
];
const BY_PIN = ['pincode.wrong', 'pincode.locked', 'request.conflict', ...STORED_SECRET];
const SIGNING = [...BY_PIN, 'wallet.archived', 'policy.refused', 'chain.not-supported', 'node.unreachable'];
const SENDING = [...SIGNING, 'transaction.insufficient-funds', 'transaction.refused'];
const ENCRYPTING = [...STORED_SECRET, 'wallet.encrypt.internal-error'];

/** What handlers throw, by call, beyond what its route says. */
const THROWN: Record<string, readonly string[]> = {
  executeTransaction: [...SENDING, 'wallet.session.ended', 'wallet.session.limit'],
  executeApproved: SENDING,
  speedUpTransaction: [...SENDING, 'request.not-found'],
  cancelTransaction: [...SENDING, 'request.not-found'],
  createRefund: [...SENDING, 'wallet.session.ended', 'wallet.session.limit'],
  // What one of its transactions fails with is in the answer.
  executeBatch: [...BY_PIN, 'wallet.archived', 'chain.not-supported'],
  createSignature: SIGNING,
  exportWallet: [...BY_PIN, 'wallet.archived', 'policy.refused'],
  openSpendingSession: [...BY_PIN, 'wallet.archived', 'chain.not-supported', 'node.unreachable'],
  buildTransaction: ['wallet.archived', 'recipient.unknown', 'chain.not-supported', 'node.unreachable'],
  createWallet: [...BY_PIN, ...ENCRYPTING],
  importWallet: [...BY_PIN, ...ENCRYPTING],
  setOwnPincode: [...BY_PIN, ...ENCRYPTING, 'wallet.archived'],
  changePincode: [...BY_PIN, ...ENCRYPTING],
  recoverPincode: [...ENCRYPTING, 'request.conflict', 'device.unknown'],
  renewRecoveryCode: BY_PIN,
  enrolDevice: BY_PIN,
  addPasskey: [...BY_PIN, 'passkey.invalid'],
  removePasskey: STORED_SECRET,
  // A session whose time is over is ended first, also at its provider.
  readSession: ['checkout.session.unknown', 'checkout.provider.unreachable'],
  readPayPage: ['checkout.session.unknown', 'checkout.provider.unreachable'],
  extendPage: ['checkout.session.complete', 'checkout.session.expired', 'checkout.provider.unreachable'],
  cancelPayment: ['checkout.payment.pending', 'checkout.provider.unreachable'],
  completeOrder: [
    'request.conflict',
    'checkout.session.complete',
    'checkout.session.expired',
    'checkout.provider.unreachable',
  ],
  quoteWalletPayment: ['checkout.wallet.no-price', 'checkout.provider.unreachable'],
  tellWalletPayment: [
    'checkout.session.complete',
    'checkout.session.expired',
    'checkout.wallet.unavailable',
    'checkout.provider.unreachable',
  ],
};

for (const [name, codes] of Object.entries(THROWN))
  test(`what the handler of ${name} throws is among its errors`, () => {
    const { errors } = ROUTE_NOTES[name]!;
    assert.deepEqual(
      codes.filter((code) => !errors.includes(code)),
      [],
    );
  });

test('the dashboard of any payment provider has an example, and its own error', () => {
  const route = dashboardRoute('acme');
  const { paths } = openApi([route], new Map(), '', []);
  const { responses } = paths['/acme-dashboard']!['get']!;
  const { example } = Object.values(responses['200']!.content)[0]!;
  assert.deepEqual(route.answer.safeParse(example).data, example);
  assert.ok(Object.values(responses['default']!.content)[0]!.examples!['request.not-found']);
});

test('fields that hold a secret are marked as such, and nothing else is', () => {
  const marked = new Set<string>();
  const look = (value: unknown, name = ''): void => {
    if (typeof value !== 'object' || value === null) return;
    if ((value as { format?: string }).format === 'password') marked.add(name);
    for (const [key, inner] of Object.entries(value)) look(inner, Array.isArray(value) ? name : key);
  };
  look(document);
  assert.deepEqual([...marked].toSorted(), [
    'apiKey',
    'client_secret',
    'idpToken',
    'key',
    'next',
    'password',
    'pincode',
    'recoveryCode',
    'secret',
    'securityCode',
    'session',
  ]);
  const { parameters } = document.paths['/checkout/wallet-payments']!['get']!;
  assert.equal(parameters.find(({ name }) => name === 'session')?.schema.format, undefined);
});

/** Every value of a key in the document, examples aside. */
function valuesOf(key: string): unknown[] {
  const values: unknown[] = [];
  const look = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [name, inner] of Object.entries(value)) {
      if (name === key) values.push(inner);
      if (!/^examples?$/.test(name)) look(inner);
    }
  };
  look(document);
  return values;
}

test('patterns are those that Python and Rust read as JavaScript does', () => {
  const patterns = new Set(valuesOf('pattern').filter((one) => typeof one === 'string'));
  assert.ok(patterns.size > 20);
  for (const pattern of patterns) {
    assert.doesNotMatch(pattern, /\\[pPdDwWbB]|\[\^?\]|\(\?[<=!]/);
    assert.doesNotThrow(() => new RegExp(pattern, 'u'), pattern);
  }
});

test('a published pattern matches what the service takes, half characters aside', () => {
  for (const source of [
    '^[^\\p{Cc}\\p{Surrogate}]*$',
    '^(?:[^\\p{Cc}\\p{Surrogate}]|[\\n\\r\\t])*$',
    '^\\P{Cc}+$',
    '^[\\w-]{1,3}$',
    '^\\d[^]$',
  ]) {
    const [own, portable] = [source, portablePattern(source)].map((text) => new RegExp(text, 'u'));
    for (let code = 0; code < 0x11000; code++) {
      if (code >= 0xd800 && code < 0xe000) continue;
      const text = String.fromCodePoint(code);
      for (const one of [text, `1${text}`])
        assert.equal(portable!.test(one), own!.test(one), `${source} ${code}`);
    }
  }
});

test('every call says whether it takes a token, and public ones that they take none', () => {
  for (const { operation, route } of operations)
    assert.equal(
      operation.security.length > 0,
      Boolean(route.scopes ?? route.clientSecret),
      operation.operationId,
    );
});

test('the options of a union have names, by which its discriminator finds them', () => {
  const { schemas } = document.components;
  const unions = Object.values(schemas).filter(({ oneOf }) => oneOf);
  assert.equal(valuesOf('oneOf').length, unions.length);
  for (const { oneOf, discriminator } of unions as {
    oneOf: { $ref: string }[];
    discriminator: { propertyName: string; mapping: Record<string, string> };
  }[]) {
    const { propertyName, mapping } = discriminator;
    assert.deepEqual(
      Object.values(mapping),
      oneOf.map(({ $ref }) => $ref),
    );
    for (const [value, ref] of Object.entries(mapping)) {
      const { properties, required } = schemas[ref.split('/').at(-1)!]!;
      assert.deepEqual((properties![propertyName] as { const: string }).const, value);
      assert.ok(required!.includes(propertyName));
    }
  }
});

test('the document is valid OpenAPI 3.1, and every schema in it valid JSON Schema', () => {
  const text = readFileSync(join(ROOT, 'test/vectors/openapi-3.1.schema.json'), 'utf8');
  // Ajv takes the anchor for the root; the schemas themselves are checked below.
  const schema = JSON.parse(text.replaceAll('"$dynamicRef": "#meta"', '"$ref": "#/$defs/schema"')) as object;
  const validator = new Ajv2020({ strict: false, validateFormats: false });
  const served = JSON.parse(
    JSON.stringify({ ...document, servers: [{ url: 'https://service.example' }] }),
  ) as OpenApi;
  assert.ok(validator.validate(schema, served), validator.errorsText());
  for (const [name, one] of Object.entries(served.components.schemas))
    assert.ok(validator.validateSchema(one), `${name}: ${validator.errorsText()}`);
  const names = operations.map(({ operation }) => operation.operationId);
  assert.equal(new Set(names).size, names.length);
});
