/** Validation of the checkout calls, field by field, and who may make them. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { CHECKOUT_SCOPES } from '../../src/api/scopes.ts';
import type { Problem } from '../../src/api/problem.ts';
import { openShop, order, type Shop } from './checkout-setup.ts';
import { bearer, startProvider, startTested, type Provider, type Tested } from './harness.ts';

let tested: Tested;
let shop: Shop;
let provider: Provider;

before(async () => {
  provider = await startProvider();
  tested = await startTested({
    identityProviders: [
      {
        name: 'shop',
        issuer: provider.issuer,
        jwksUri: `${provider.issuer}/keys`,
        audience: 'shop',
        algorithms: ['RS256'],
        trustEmail: false,
        maxAge: 3600,
      },
    ],
  });
  shop = await openShop(tested);
});
after(async () => {
  await tested.close();
  provider.close();
});

const count = async (): Promise<number> =>
  Number(
    (
      await tested.service.db
        .selectFrom('checkout_sessions')
        .select((is) => is.fn.countAll<string>().as('count'))
        .executeTakeFirstOrThrow()
    ).count,
  );

/** An order whose first line item has other values; undefined omits one. */
function item(changes: Record<string, unknown>, priceData: Record<string, unknown> = {}): object {
  const price_data = {
    product_data: { name: 'Mug' },
    unit_amount: 1250,
    currency: 'EUR',
    ...priceData,
  };
  return order({ line_items: [{ price_data, quantity: 1, ...changes }] });
}

const LINE = 'line_items.0';
const PRICE = `${LINE}.price_data`;
const item2 = { price_data: { product_data: { name: 'B' }, unit_amount: 1, currency: 'USD' }, quantity: 1 };
const euros = { price_data: { product_data: { name: 'A' }, unit_amount: 1, currency: 'EUR' }, quantity: 1 };

const BAD: [path: string, name: string, body: unknown][] = [
  ...['line_items', 'success_url', 'cancel_url'].map((field): [string, string, unknown] => [
    field,
    'missing',
    order({ [field]: undefined }),
  ]),
  ...['line_items', 'success_url', 'cancel_url', 'mode'].flatMap((field): [string, string, unknown][] => [
    [field, 'null', order({ [field]: null })],
    [field, 'a number', order({ [field]: 7 })],
    [field, 'an object', order({ [field]: {} })],
    [field, 'empty', order({ [field]: field === 'line_items' ? [] : '' })],
  ]),
  ['line_items', '101 of them', order({ line_items: Array.from({ length: 101 }, () => euros) })],
  [LINE, 'null', order({ line_items: [null] })],
  [PRICE, 'missing', item({ price_data: undefined })],
  [`${PRICE}.product_data`, 'missing', item({}, { product_data: undefined })],
  [`${PRICE}.product_data.name`, 'missing', item({}, { product_data: {} })],
  [`${PRICE}.product_data.name`, 'empty', item({}, { product_data: { name: '' } })],
  [`${PRICE}.product_data.name`, 'long', item({}, { product_data: { name: 'x'.repeat(257) } })],
  [`${PRICE}.product_data.name`, 'with NUL', item({}, { product_data: { name: 'a\u0000b' } })],
  [
    `${PRICE}.product_data.images`,
    'with an unknown field',
    item({}, { product_data: { name: 'a', images: [] } }),
  ],
  ...[undefined, null, -1, 12.5, '1250', 1e13, Number.MAX_SAFE_INTEGER + 1, true].map(
    (unit_amount): [string, string, unknown] => [
      `${PRICE}.unit_amount`,
      String(unit_amount),
      item({}, { unit_amount }),
    ],
  ),
  ...[undefined, null, 'eur', 'EU', 'EURO', 'ZZZ', '', 978, '€'].map(
    (currency): [string, string, unknown] => [`${PRICE}.currency`, String(currency), item({}, { currency })],
  ),
  ...[null, 0, -1, 1.5, '1', 1_000_000].map((quantity): [string, string, unknown] => [
    `${LINE}.quantity`,
    String(quantity),
    item({ quantity }),
  ]),
  [`${PRICE}.recurring`, 'with an unknown field', item({}, { recurring: {} })],
  [`${LINE}.tax_rates`, 'with an unknown field', item({ tax_rates: [] })],
  ['line_items.1.price_data.currency', 'another currency', order({ line_items: [euros, item2] })],
  ['line_items', 'with too large a total', item({ quantity: 999_999 }, { unit_amount: 999_999_999_999 })],
  ...['success_url', 'cancel_url'].flatMap((field): [string, string, unknown][] =>
    [
      'shop.example',
      '//shop.example',
      'ftp://shop.example/',
      'javascript:alert(1)',
      'https://',
      'https://shop.example/a b',
      'https://shop.example/\nx',
      ' https://shop.example/',
      'https://shop.example@evil.example/',
      'https://shop.example:pay@evil.example/',
      'https:///shop.example@evil.example/',
      'https://@evil.example/',
      'https://evil.example\\@shop.example/',
      'https://shop.example/\\@evil.example',
      'https://shop.example/\u202Emoc.live',
      'https://sh\u00ADop.example/',
      'https://shop.example/\u200B',
      `https://shop.example/${'x'.repeat(2048)}`,
    ].map((url) => [field, url.slice(0, 40), order({ [field]: url })]),
  ),
  ...['subscription', 'setup', 'PAYMENT'].map((mode): [string, string, unknown] => [
    'mode',
    mode,
    order({ mode }),
  ]),
  ['customer', 'text', order({ customer: 'c' })],
  ['customer.id', 'empty', order({ customer: { id: '' } })],
  ['customer.id', 'a number', order({ customer: { id: 7 } })],
  ['customer.id', 'long', order({ customer: { id: 'x'.repeat(256) } })],
  ['locale', 'an unknown field', order({ locale: 'de' })],
  ['', 'a list', []],
];

test('an invalid field is refused by its name, and nothing is stored', async () => {
  for (const [path, name, body] of BAD) {
    const response = await tested.post('/checkout/sessions', body, shop.headers);
    const problem = (await response.json()) as Problem;
    assert.deepEqual([response.status, problem.code], [400, 'request.invalid'], `${path} ${name}`);
    assert.ok(
      problem.issues!.some((issue) => issue.path === path),
      `${path} ${name}: ${JSON.stringify(problem.issues)}`,
    );
  }
  assert.equal(await count(), 0);
});

test('what is wrong with a name in metadata is said', async () => {
  for (const [key, message] of [
    ['k'.repeat(41), 'its name must have at most 40 characters'],
    ['', 'its name must not be empty'],
    ['a\u0000', 'its name must not have control characters'],
  ] as const) {
    const body = order({ metadata: { [key]: 'web' } });
    const response = await tested.post('/checkout/sessions', body, shop.headers);
    const { issues } = (await response.json()) as Problem;
    assert.deepEqual(issues, [{ path: `metadata.${key}`, message }]);
  }
});

test('unusual but valid input is stored verbatim', async () => {
  const name = `Çay “☕” <b>&amp;</b> ${'x'.repeat(200)}`;
  const body = order({
    line_items: [
      { price_data: { product_data: { name }, unit_amount: 333_333_333, currency: 'JPY' }, quantity: 3000 },
    ],
    success_url: 'HTTPS://Shop.Example:8443/@mugs?a=%20b&for=me@shop.example#c',
    cancel_url: 'http://localhost/',
    customer: { id: 'ü'.repeat(255) },
  });
  const session = await shop.create(body);
  assert.equal(session.amount_total, 999_999_999_000);
  assert.equal(session.currency, 'jpy');
  assert.equal(session.success_url, body['success_url']);
  assert.equal(session.cancel_url, body['cancel_url']);
  assert.equal(session.customer, 'ü'.repeat(255));
  assert.deepEqual(await shop.read(session.id), session);
});

test('an order is one of each item, to be paid once, if nothing else is said', async () => {
  const price_data = { product_data: { name: 'Mug' }, unit_amount: 1250, currency: 'EUR' };
  const session = await shop.create(order({ mode: undefined, line_items: [{ price_data }] }));
  assert.equal(session.amount_total, 1250);
  assert.equal(session.mode, 'payment');
});

test('a session needs no customer', async () => {
  for (const customer of [undefined, null, {}, { id: null }])
    assert.equal((await shop.create(order({ customer }))).customer, null);
});

test('an invalid Idempotency-Key is refused', async () => {
  for (const key of ['a b', 'x'.repeat(129)]) {
    const response = await tested.post('/checkout/sessions', order(), {
      ...shop.headers,
      'Idempotency-Key': key,
    });
    assert.equal(response.status, 400);
    assert.equal(((await response.json()) as Problem).issues![0]!.path, 'Idempotency-Key');
  }
});

test("another application's session is indistinguishable from one that does not exist", async () => {
  const { id } = await shop.create();
  const other = await openShop(tested);
  const problems = await Promise.all(
    [id, `cs_test_${'x'.repeat(43)}`, 'nothing', '%00'].map(async (sessionId) => {
      const response = await tested.get(`/checkout/sessions/${sessionId}`, other.headers);
      const { code, detail } = (await response.json()) as Problem;
      return `${response.status} ${code} ${detail}`;
    }),
  );
  assert.equal(problems[0], problems[1]);
  assert.equal(problems[0], problems[2]);
  assert.match(problems[0]!, /^404 checkout\.session\.unknown /);
  assert.match(problems[3]!, /^400 /);
});

test('only the application itself may call', async () => {
  const calls: [string, RequestInit][] = [
    ['/checkout/sessions', { method: 'POST', body: JSON.stringify(order()) }],
    ['/checkout/sessions/x', {}],
    ['/test-dashboard', {}],
    ['/stripe-dashboard', {}],
  ];
  const { secret, id } = await tested.client(CHECKOUT_SCOPES);
  const own = await tested.post('/auth/realms/main/protocol/openid-connect/token', {
    grant_type: 'client_credentials',
    client_id: id,
    client_secret: secret,
  });
  const { access_token: application } = (await own.json()) as { access_token: string };
  const exchanged = await tested.post('/auth/exchange', {
    clientId: id,
    identityProvider: 'shop',
    idpToken: await provider.sign(),
  });
  const { access_token: user } = (await exchanged.json()) as { access_token: string };
  assert.ok(user);
  for (const [path, init] of calls) {
    const status = async (headers: Record<string, string>): Promise<string> => {
      const response = await fetch(tested.url + path, {
        ...init,
        headers: { 'Content-Type': 'application/json', ...headers },
      });
      const { code = 'none' } = (await response.json()) as Partial<Problem>;
      return `${response.status} ${code}`;
    };
    assert.equal(await status({}), '401 token.missing', path);
    assert.equal(await status(bearer('a.b.c')), '401 token.invalid', path);
    assert.equal(await status(bearer(user)), '403 token.scope', path);
    assert.doesNotMatch(await status(bearer(application)), /^40[13]/, path);
  }
});
