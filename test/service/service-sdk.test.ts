/** `carabiner/service` against the service, with answers that get lost, come late or refuse. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { inspect } from 'node:util';
import { readConfig } from '../../service/config.ts';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import {
  InvalidRequestError,
  PincodeWrongError,
  RateLimitedError,
  ServiceClient,
  ServiceError,
  type ServiceOptions,
  TokenError,
  UnavailableError,
  WalletForbiddenError,
} from '../../src/service-sdk/index.ts';
import { TestClock } from '../unit/clock.ts';
import { DEADLINE_MS } from '../waiting.ts';
import { HASTY_MS } from './limits.ts';
import { PIN, QUICK } from './custody-setup.ts';
import { startTested, type Tested, TOKEN_PATH } from './harness.ts';

let service: Tested;
let client: { id: string; secret: string };

before(async () => {
  service = await startTested({}, { pins: { cost: QUICK } });
  client = await service.client(['view:wallets', 'view:profile', 'whitelabel', 'sign:wallets']);
});
after(() => service.close());

/** Waits of a minute pass at once, and are noted. */
function impatient(waits: number[] = []): Clock {
  return {
    ...systemClock,
    after(milliseconds, work) {
      // Not the limit of an attempt.
      if (milliseconds >= 30_000) return systemClock.after(milliseconds, work);
      waits.push(milliseconds);
      return systemClock.after(0, work);
    },
  };
}

interface Asked {
  method: string;
  path: string;
  headers: Headers;
  body: string;
}

/** A `fetch` that notes every request, and may do something else than send it. */
function recorded(
  other: (asked: Asked, send: () => Promise<Response>) => Promise<Response> = (_, send) => send(),
) {
  const asked: Asked[] = [];
  const ask = (async (url: string, init: RequestInit) => {
    const { pathname, search } = new URL(url);
    const one = {
      method: init.method!,
      path: pathname + search,
      headers: new Headers(init.headers),
      body: String(init.body),
    };
    asked.push(one);
    return other(one, () => fetch(url, init));
  }) as typeof fetch;
  return { fetch: ask, asked, calls: () => asked.filter(({ path }) => path !== TOKEN_PATH) };
}

function sdk(options: Partial<ServiceOptions> = {}): ServiceClient {
  return new ServiceClient({
    url: service.url,
    clientId: client.id,
    clientSecret: client.secret,
    clock: impatient(),
    ...options,
  });
}

const order = (identifier?: string) =>
  ({
    walletType: 'WHITE_LABEL',
    secretType: 'ETHEREUM',
    pincode: PIN,
    ...(identifier ? { identifier } : {}),
  }) as const;

async function thrown(work: Promise<unknown>): Promise<ServiceError> {
  const error: unknown = await work.then(
    () => assert.fail('it answered'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof ServiceError, inspect(error));
  const text = inspect(error, { depth: 9, showHidden: true }) + JSON.stringify(error);
  for (const secret of [client.secret, PIN, 'eyJ'])
    assert.ok(!text.includes(secret), 'a secret is in the error');
  return error;
}

const lost = async (_: Asked, send: () => Promise<Response>): Promise<Response> => {
  await send();
  throw Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNRESET' } });
};

function refusal(
  status: number,
  code: string,
  headers: Record<string, string> = {},
  details?: object,
): Response {
  const body = {
    type: '',
    title: '',
    status,
    detail: 'No.',
    instance: 'one',
    code,
    ...(details ? { details } : {}),
  };
  return new Response(JSON.stringify(body), { status, headers: { 'X-Request-Id': 'one', ...headers } });
}

const tokenAnswer = (expires_in: number, access_token = 'a-token'): Response =>
  Response.json({
    access_token,
    expires_in,
    refresh_expires_in: 0,
    refresh_token: '',
    token_type: 'bearer',
    'not-before-policy': 0,
    session_state: '',
    scope: '',
  });

describe('the token', () => {
  test('is requested once for calls that begin together, and kept', async () => {
    const { fetch: ask, asked } = recorded();
    const own = sdk({ fetch: ask });
    await Promise.all([own.profile.read(), own.profile.read(), own.wallets.list().all()]);
    await own.profile.read();
    assert.equal(asked.filter(({ path }) => path === TOKEN_PATH).length, 1);
  });

  test('is renewed a minute before it expires, with the secret that is valid then', async () => {
    const clock = new TestClock();
    const secrets = ['first', 'second'];
    const { fetch: ask, asked } = recorded(async ({ path }) =>
      path === TOKEN_PATH ? tokenAnswer(1800) : Response.json([]),
    );
    const own = sdk({ fetch: ask, clock, clientSecret: () => secrets.shift()! });
    const read = (): Promise<unknown> => own.wallets.list().all();
    await read();
    await clock.pass(1_739_000);
    await read();
    const tokens = () => asked.filter(({ path }) => path === TOKEN_PATH).map(({ body }) => body);
    assert.equal(tokens().length, 1);
    await clock.pass(2000);
    await read();
    assert.match(tokens()[1]!, /"client_secret":"second"/);
  });

  test('is renewed once when the service refuses it, also for a call that is never repeated', async () => {
    let tokens = 0;
    const { fetch: ask, calls } = recorded(async ({ path, headers }, send) => {
      if (path === TOKEN_PATH && ++tokens === 1) return tokenAnswer(1800, 'e30.e30.none');
      assert.doesNotMatch(headers.get('Authorization') ?? '', /undefined/);
      return send();
    });
    const own = sdk({ fetch: ask });
    assert.equal((await own.profile.read()).hasMasterPin, false);
    assert.equal(calls().length, 2);
    const never = recorded(async ({ path }) =>
      path === TOKEN_PATH ? tokenAnswer(1800) : refusal(401, 'token.invalid'),
    );
    const error = await thrown(sdk({ fetch: never.fetch }).wallets.update('one', { alias: 'x' }));
    assert.ok(error instanceof TokenError);
    assert.equal(never.calls().length, 2);
  });

  test('does not end for the others when one caller gives up', async () => {
    const stop = new AbortController();
    let answer = (): void => {};
    const { fetch: ask } = recorded(async ({ path }, send) => {
      if (path === TOKEN_PATH) await new Promise<void>((done) => (answer = done));
      return send();
    });
    const own = sdk({ fetch: ask });
    const first = own.profile.read({ signal: stop.signal });
    const second = own.profile.read();
    stop.abort(new Error('enough'));
    await assert.rejects(first, /enough/);
    answer();
    assert.equal((await second).hasMasterPin, false);
  });

  test('is not sent where the service takes the client’s secret, which is changed without one', async () => {
    const own = await service.client(['view:profile']);
    const { fetch: ask, asked } = recorded();
    let secret = own.secret;
    const client = sdk({ fetch: ask, clientId: own.id, clientSecret: () => secret });
    const made = await client.clientSecrets.create();
    const [first] = await client.clientSecrets.list().all();
    ({ secret } = made);
    await client.clientSecrets.revoke(first!.id);
    const error = await thrown(client.clientSecrets.revoke(made.id));
    assert.equal(error.code, 'request.conflict');
    assert.ok(asked.every(({ headers }) => headers.get('Authorization')!.startsWith('Basic ')));
    secret = own.secret;
    const refused = await thrown(client.clientSecrets.create());
    assert.ok(refused instanceof TokenError);
    assert.deepEqual([refused.code, refused.details], ['token.invalid', { reason: 'invalid_client' }]);
    const odd = recorded(async () => Response.json([]));
    await sdk({ fetch: odd.fetch, clientId: 'a:b', clientSecret: 'c d%+é' }).clientSecrets.list().all();
    const [, both] = odd.asked[0]!.headers.get('Authorization')!.split(' ');
    // RFC 6749 section 2.3.1.
    assert.equal(Buffer.from(both!, 'base64').toString(), 'a%3Ab:c%20d%25%2B%C3%A9');
  });

  test('is refused with the reason of the token endpoint, and no secret in the error', async () => {
    const error = await thrown(sdk({ clientSecret: 'cbs_wrong' }).profile.read());
    assert.ok(error instanceof TokenError);
    assert.equal(error.details.reason, 'invalid_client');
    assert.equal(error.status, 401);
    assert.doesNotMatch(inspect(error), /cbs_wrong/);
  });
});

describe('repeating', () => {
  const held = (): Promise<string[]> =>
    service.service.db
      .selectFrom('wallets')
      .select('id')
      .execute()
      .then((rows) => rows.map(({ id }) => id));

  test('a wallet whose answer was lost is made once, under the key that its call made', async () => {
    let times = 0;
    const { fetch: ask, calls } = recorded((asked, send) =>
      asked.path === '/api/wallets' && ++times <= 2 ? lost(asked, send) : send(),
    );
    const before = await held();
    const wallet = await sdk({ fetch: ask }).wallets.create(order());
    const made = (await held()).filter((id) => !before.includes(id));
    assert.deepEqual(made, [wallet.id]);
    const keys = calls().map(({ headers }) => headers.get('Idempotency-Key'));
    assert.equal(keys.length, 3);
    assert.equal(new Set(keys).size, 1);
    assert.match(keys[0]!, /^[0-9a-f-]{36}$/);
  });

  test('every call has another key, unless the caller names it', async () => {
    const { fetch: ask, calls } = recorded();
    const own = sdk({ fetch: ask });
    const [one, two] = [await own.wallets.create(order()), await own.wallets.create(order())];
    assert.notEqual(one.id, two.id);
    const [three, four] = [1, 2].map(() => own.wallets.create(order(), { idempotencyKey: 'order-4711' }));
    assert.equal((await three!).id, (await four!).id);
    const keys = calls().map(({ headers }) => headers.get('Idempotency-Key'));
    assert.notEqual(keys[0], keys[1]);
    assert.deepEqual(keys.slice(2), ['order-4711', 'order-4711']);
  });

  test('a call that takes no key is sent once, whatever happens to it', async () => {
    const { id } = await sdk().wallets.create(order());
    const { fetch: ask, calls } = recorded((asked, send) =>
      asked.method === 'PATCH' ? lost(asked, send) : send(),
    );
    const error = await thrown(sdk({ fetch: ask }).wallets.update(id, { alias: 'Till' }));
    assert.ok(error instanceof UnavailableError);
    assert.equal(error.details['reason'], 'ECONNRESET');
    assert.equal(calls().length, 1);
    assert.equal((await sdk().wallets.read(id)).alias, 'Till');
  });

  test('waits longer each time, partly at random, and at most as often as it may', async () => {
    const waits: number[] = [];
    const { fetch: ask, calls } = recorded(async ({ path }, send) =>
      path === TOKEN_PATH ? send() : refusal(503, 'service.unreachable'),
    );
    const error = await thrown(
      sdk({ fetch: ask, clock: impatient(waits), random: () => 0.5, retries: 7 }).profile.read(),
    );
    assert.ok(error instanceof UnavailableError);
    assert.equal(error.status, 503);
    assert.equal(error.requestId, 'one');
    assert.equal(calls().length, 8);
    assert.deepEqual(waits, [187.5, 375, 750, 1500, 3000, 6000, 6000]);
  });

  test('waits as long as Retry-After says, and not at all for what is too long', async () => {
    const waits: number[] = [];
    const after = ['7', '31'];
    const { fetch: ask, calls } = recorded(async ({ path }, send) =>
      path === TOKEN_PATH ? send() : refusal(429, 'request.rate-limited', { 'Retry-After': after.shift()! }),
    );
    const own = sdk({ fetch: ask, clock: impatient(waits), random: () => 0.1 });
    const error = await thrown(own.wallets.create(order()));
    assert.ok(error instanceof RateLimitedError);
    assert.equal(error.details.retryAfter, 31);
    assert.deepEqual([calls().length, waits], [2, [7025]]);
  });

  test('a key that another process still works on is asked for again; one of another request is a conflict', async () => {
    const details: (object | undefined)[] = [undefined, { field: 'alias' }];
    let times = 0;
    const { fetch: ask, calls } = recorded(async (asked, send) => {
      if (asked.path === TOKEN_PATH) return send();
      if (++times === 1) throw new TypeError('terminated');
      return refusal(409, 'request.conflict', {}, details.shift());
    });
    assert.equal((await thrown(sdk({ fetch: ask }).wallets.create(order()))).code, 'request.conflict');
    assert.equal(calls().length, 3);
    const own = sdk();
    await own.wallets.create({ ...order(), alias: 'A' }, { idempotencyKey: 'taken' });
    const other = recorded();
    const error = await thrown(
      sdk({ fetch: other.fetch }).wallets.create({ ...order(), alias: 'B' }, { idempotencyKey: 'taken' }),
    );
    assert.equal(error.code, 'request.conflict');
    assert.equal(other.calls().length, 1);
  });

  test('an answer that is not the contract’s is no reason to repeat anything', async () => {
    const { fetch: ask, calls } = recorded(async ({ path }, send) =>
      path === TOKEN_PATH ? send() : Response.json({ id: 7 }),
    );
    const error = await thrown(sdk({ fetch: ask }).wallets.create(order()));
    assert.deepEqual(
      [error.code, (error.details as { reason: string }).reason],
      ['service.unreachable', 'answer'],
    );
    assert.equal(calls().length, 1);
  });
});

describe('time', () => {
  test('an attempt ends when its time is over, and a cut connection at once', async () => {
    const hanging = createServer((request, response) => {
      if (request.url === TOKEN_PATH) {
        response.writeHead(200, { 'Content-Type': 'application/json' });
        void tokenAnswer(1800)
          .text()
          .then((text) => response.end(text));
      } else if (request.method === 'GET') arrived();
      else request.socket.destroy();
    });
    await new Promise<void>((done) => hanging.listen(0, '127.0.0.1', done));
    let arrived = (): void => {};
    const waiting = new Promise<void>((done) => (arrived = done));
    const url = `http://127.0.0.1:${(hanging.address() as AddressInfo).port}`;
    const clock = new TestClock();
    const own = sdk({ url, clock, retries: 0 });
    try {
      const late = thrown(own.profile.read({ timeout: HASTY_MS }));
      await waiting;
      await clock.pass(HASTY_MS);
      const error = await late;
      assert.equal((error.details as { reason: string }).reason, 'timeout');
      assert.ok(error.message.includes(`did not answer GET /api/profile within ${HASTY_MS} ms`));
      const cut = await thrown(own.wallets.create(order()));
      assert.ok(cut instanceof UnavailableError);
      assert.equal(cut.status, undefined);
      assert.equal(clock.waiting, 0, 'a timer is left');
    } finally {
      hanging.closeAllConnections();
      hanging.close();
    }
  });

  test('a signal ends the wait before a repetition, with its reason', async () => {
    const clock = new TestClock();
    const stop = new AbortController();
    const { fetch: ask } = recorded(async ({ path }) =>
      path === TOKEN_PATH ? tokenAnswer(1800) : refusal(503, 'service.unreachable'),
    );
    const reading = sdk({ fetch: ask, clock }).profile.read({ signal: stop.signal });
    while (clock.waiting !== 1) await new Promise((done) => setImmediate(done));
    stop.abort(new Error('shutting down'));
    await assert.rejects(reading, /shutting down/);
    await assert.rejects(sdk().profile.read({ signal: AbortSignal.abort() }), { name: 'AbortError' });
  });
});

describe('answers and errors', () => {
  test('a list is read page by page as it is used, with its filters', async () => {
    const shop = await service.client(['view:wallets', 'whitelabel']);
    const { fetch: ask, calls } = recorded();
    const own = sdk({ clientId: shop.id, clientSecret: shop.secret, fetch: ask });
    for (let n = 0; n < 5; n++) await own.wallets.create(order(`till-${n}`));
    const list = own.wallets.list({ secretType: 'ETHEREUM', limit: 2 });
    const names = (await list.all()).map(({ identifier }) => identifier);
    assert.deepEqual(names, ['till-0', 'till-1', 'till-2', 'till-3', 'till-4']);
    const sizes: number[] = [];
    for await (const page of list.pages()) sizes.push(page.length);
    assert.deepEqual(sizes, [2, 2, 1]);
    const inside: string[] = [];
    for await (const outer of list) for await (const { id } of list) inside.push(`${outer.id} ${id}`);
    assert.equal(new Set(inside).size, 25, 'loops over the same list disturb each other');
    assert.deepEqual(await Promise.all([list.all(), list.all()]), [await list.all(), await list.all()]);
    const before = calls().length;
    for await (const { identifier } of list) if (identifier === 'till-1') break;
    assert.equal(calls().length - before, 1, 'pages that nobody used were read');
    assert.ok(
      calls()
        .filter(({ method }) => method === 'GET')
        .every(({ path }) => /limit=2.*|secretType=ETHEREUM/.test(path)),
    );
  });

  test('a list whose pages begin again ends in an error', async () => {
    const { fetch: ask } = recorded(async ({ path }) =>
      path === TOKEN_PATH
        ? tokenAnswer(1800)
        : Response.json([], { headers: { Link: '<?cursor=same>; rel="next"' } }),
    );
    const error = await thrown(sdk({ fetch: ask }).wallets.list().all());
    assert.match(error.message, /GET \/api\/wallets with the same page again/);
  });

  test('balances of tokens that could not be read are named beside those that could', async () => {
    const dollar = {
      tokenAddress: '0xA0b8',
      rawBalance: '5',
      balance: 5,
      decimals: 0,
      symbol: 'DUSD',
      logo: '',
      type: 'ERC_20',
      transferable: true,
    };
    const partial: (string | undefined)[] = ['0x6B17, 0xdAC1', '0x6B17', undefined];
    const { fetch: ask, calls } = recorded(async ({ path }) => {
      if (path === TOKEN_PATH) return tokenAnswer(1800);
      const unread = partial.shift();
      return Response.json([dollar], {
        headers: unread === undefined ? {} : { 'Carabiner-Partial': unread },
      });
    });
    const read = () => sdk({ fetch: ask }).wallets.tokenBalances('one');
    assert.deepEqual(await read(), { balances: [dollar], unread: ['0x6B17', '0xdAC1'] });
    assert.deepEqual((await read()).unread, ['0x6B17']);
    assert.deepEqual((await read()).unread, []);
    assert.ok(calls().every(({ path }) => path === '/api/wallets/one/balance/tokens?partial=true'));
  });

  test('an error is of its code’s class, with its details, status and the id in the service’s log', async () => {
    const own = sdk();
    const { id } = await own.wallets.create(order());
    const wrong = await thrown(own.wallets.exportKey(id, { pincode: '840265' }));
    assert.ok(wrong instanceof PincodeWrongError);
    assert.ok(wrong.details.attemptsLeft > 0);
    assert.equal(wrong.status, 403);
    assert.ok(service.log.some((line) => line.includes(wrong.requestId!)));
    assert.ok((await thrown(own.wallets.read('nobodys'))) instanceof WalletForbiddenError);
    const invalid = await thrown(own.wallets.create({ ...order(), secretType: 'DOGE' as 'ETHEREUM' }));
    assert.ok(invalid instanceof InvalidRequestError);
    assert.deepEqual(
      invalid.details.issues.map(({ path }) => path),
      ['secretType'],
    );
    const scope = await thrown(own.policies.list().all());
    assert.deepEqual(scope.code === 'token.scope' && scope.details.scopes, ['manage:policies']);
  });

  test('an id cannot lead to another call', async () => {
    const { fetch: ask, asked } = recorded();
    for (const id of ['..', '.', ''])
      assert.ok((await thrown(sdk({ fetch: ask }).wallets.balance(id))) instanceof InvalidRequestError);
    assert.equal(asked.filter(({ path }) => path !== TOKEN_PATH).length, 0);
    assert.ok((await thrown(sdk().wallets.read('a/../b'))) instanceof WalletForbiddenError);
  });

  test('the caller is told of each answer, of refusals and of those that are retried, too', async () => {
    const told: { status: number; requestId: string | undefined }[] = [];
    const options = { onAnswer: (answer: (typeof told)[number]) => void told.push(answer) };
    await sdk().profile.read(options);
    const { requestId } = await thrown(sdk().wallets.read('nobody', options));
    assert.deepEqual(
      told.map(({ status }) => status),
      [200, 403],
    );
    assert.equal(told[1]!.requestId, requestId);
    for (const one of told) assert.ok(service.log.some((line) => line.includes(one.requestId!)));
    const answers = [503, 200];
    const { fetch: ask } = recorded(async ({ path }, send) => {
      const status = path === TOKEN_PATH ? 200 : answers.shift();
      return status === 503 ? refusal(503, 'service.unreachable') : send();
    });
    told.length = 0;
    await sdk({ fetch: ask }).profile.read(options);
    assert.deepEqual(
      told.map(({ status }) => status),
      [503, 200],
    );
    await assert.rejects(
      sdk().profile.read({
        onAnswer: () => {
          throw new Error('the log is full');
        },
      }),
      /the log is full/,
    );
  });

  test('a key that no header can carry is named, and nothing is sent', async () => {
    const { fetch: ask, calls } = recorded();
    for (const idempotencyKey of ['', 'order 7', 'order\n7', 'Auftrag-ü', '注文7', 'x'.repeat(129)]) {
      const error = await thrown(sdk({ fetch: ask }).wallets.create(order(), { idempotencyKey }));
      assert.ok(error instanceof InvalidRequestError, `${idempotencyKey}: ${error.message}`);
      assert.equal(error.details.issues[0]!.path, 'Idempotency-Key');
    }
    assert.equal(calls().length, 0);
  });

  test('a time limit may be as long as one likes, and settings that are no numbers are refused', async () => {
    await sdk({ timeout: Number.POSITIVE_INFINITY, clock: systemClock }).profile.read();
    await sdk().profile.read({ timeout: DEADLINE_MS * 1e7 });
    for (const timeout of [Number.NaN, 0]) assert.throws(() => sdk({ timeout }), TypeError);
    for (const retries of [Number.NaN, -1]) assert.throws(() => sdk({ retries }), TypeError);
    await assert.rejects(sdk().profile.read({ timeout: Number.NaN }), TypeError);
  });

  test('checkout may have another base URL, and icons are sent as a form', async () => {
    const { fetch: ask, asked } = recorded(async ({ path }) =>
      path === TOKEN_PATH ? tokenAnswer(1800) : Response.json({}),
    );
    const urls: string[] = [];
    const own = sdk({
      url: 'https://wallets.example/',
      checkoutUrl: 'https://pay.example/base/',
      fetch: (url, init) => (urls.push(url as string), ask(url, init)),
    });
    await own.receivingWallet.delete();
    assert.equal(urls.at(-1), 'https://pay.example/base/account/settings/receiving-wallet');
    await thrown(own.wallets.read('one'));
    assert.equal(urls.at(-1), 'https://wallets.example/api/wallets/one');
    await thrown(own.branding.uploadIcon(new Blob(['x']), 'shop.png'));
    assert.equal(asked.at(-1)!.body, '[object FormData]');
    assert.equal(asked.at(-1)!.headers.get('Content-Type'), null);
  });

  test('printing the client shows no secret, and a page gets none', async () => {
    const own = sdk();
    await own.profile.read();
    const text = inspect(own, { depth: 9, showHidden: true }) + JSON.stringify(own);
    for (const secret of [client.secret, client.id, 'eyJ']) assert.ok(!text.includes(secret));
    const page = globalThis as { document?: unknown };
    page.document = {};
    try {
      assert.throws(() => sdk(), /belongs on a server/);
    } finally {
      delete page.document;
    }
    for (const url of [
      'service.example',
      'localhost:4001',
      'ftp://service.example',
      'https://service.example/?a=b',
    ])
      assert.throws(() => sdk({ url }), /The URL of the service is invalid/, url);
  });

  test('the realm is the service’s own without a setting', async () => {
    const { fetch: ask, asked } = recorded();
    await sdk({ fetch: ask }).profile.read();
    assert.match(asked[0]!.path, new RegExp(`^/auth/realms/${readConfig({}).realm}/`));
  });

  test('a signal that ended before the call leaves no failure that nobody hears of', async () => {
    const unheard: unknown[] = [];
    const note = (reason: unknown): void => void unheard.push(reason);
    process.on('unhandledRejection', note);
    const own = sdk({ clientSecret: 'cbs_wrong' });
    await assert.rejects(own.profile.read({ signal: AbortSignal.abort(new Error('enough')) }), /enough/);
    await thrown(own.profile.read());
    process.off('unhandledRejection', note);
    assert.deepEqual(unheard, []);
  });
});
