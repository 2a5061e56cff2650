/** The typed client that the frame uses, against the service. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { decodeJwt, decodeProtectedHeader, SignJWT } from 'jose';
import { serve } from '../../service/http/serve.ts';
import { AREAS } from '../../service/server.ts';
import type { Area } from '../../service/service.ts';
import { apiClient } from '../../src/api/client.ts';
import type { Route } from '../../src/api/route.ts';
import {
  createSignature,
  listNonFungibles,
  listWallets,
  readProfile,
  renewRecoveryCode,
} from '../../src/api/routes.ts';
import { ConnectError, RequestInvalidError } from '../../src/base/errors.ts';
import { startTested, type Tested } from './harness.ts';

let service: Tested;
let token: string;
let expired: string;
const seen: Record<string, unknown>[] = [];

/** Routes that record what reached them. */
const reading = { ...listNonFungibles, path: '/reading/{walletId}' } as const satisfies Route;
const signing = { ...createSignature, path: '/signing' } as const satisfies Route;
const absent = { ...readProfile, path: '/absent' } as const satisfies Route;

const area: Area = (app) => {
  serve(app, reading, ({ params, query }) => {
    seen.push({ ...params, ...query });
    return [];
  });
  serve(app, signing, ({ idempotencyKey, request }) => {
    seen.push({ idempotencyKey, dpop: request.headers['dpop'] });
    return { success: true as const, result: { r: '0x', s: '0x', v: '0x', signature: '0x' } };
  });
};

before(async () => {
  service = await startTested({}, { areas: [...AREAS, area] });
  token = (await service.tokens(['view:profile', 'view:wallets', 'sign:wallets'])).access_token;
  const { key } = await service.service.signingKeys.current();
  expired = await new SignJWT({ ...decodeJwt(token), exp: 1 })
    .setProtectedHeader(decodeProtectedHeader(token) as { alg: string })
    .sign(key);
});
after(() => service.close());

async function codeOf(call: Promise<unknown>): Promise<string> {
  const error = await call.then(
    () => assert.fail('it answered'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof ConnectError, String(error));
  return error.code;
}

test('an expired token is renewed once, and the call is repeated', async () => {
  const refusals: (string | undefined)[] = [];
  const client = apiClient({
    url: `${service.url}/`,
    getAccessToken(refused) {
      refusals.push(refused);
      return Promise.resolve(refused ? token : expired);
    },
  });
  assert.equal((await client.call(readProfile, {})).hasMasterPin, false);
  assert.deepEqual(refusals, [undefined, expired]);
  let times = 0;
  const hopeless = apiClient({
    url: service.url,
    getAccessToken: () => {
      times++;
      return Promise.resolve(expired);
    },
  });
  assert.equal(await codeOf(hopeless.call(readProfile, {})), 'token.expired');
  assert.equal(times, 2);
});

test('errors are those of the host API, with the invalid fields', async () => {
  const client = apiClient({ url: service.url, getAccessToken: () => Promise.resolve(token) });
  const wrong = { params: { walletId: 'w' }, query: { 'contract-addresses': '' } };
  const error: unknown = await client.call(reading, wrong).catch((reason: unknown) => reason);
  assert.ok(error instanceof RequestInvalidError);
  assert.deepEqual(
    error.issues.map(({ path }) => path),
    ['contract-addresses'],
  );
  assert.equal(await codeOf(apiClient({ url: service.url }).call(readProfile, {})), 'token.missing');
  assert.equal(await codeOf(client.call(absent, {})), 'request.not-found');
});

test('parameters, repeated query parameters, idempotency keys and proofs arrive intact', async () => {
  const client = apiClient({ url: service.url, getAccessToken: () => Promise.resolve(token) });
  await client.call(reading, {
    params: { walletId: 'a/b c' },
    query: { 'contract-addresses': ['0x1', '0x2'] },
  });
  assert.deepEqual(seen.at(-1), { walletId: 'a/b c', 'contract-addresses': ['0x1', '0x2'] });
  const body = { type: 'ETHEREUM_RAW', walletId: 'w', data: '0x00', pincode: '739154' };
  const prove = ({ method, url, accessToken }: { method: string; url: string; accessToken: string }) =>
    Promise.resolve(`${method} ${url} ${accessToken.length}`);
  await client.call(signing, { body }, { idempotencyKey: 'key-1', prove });
  assert.deepEqual(seen.at(-1), {
    idempotencyKey: 'key-1',
    dpop: `POST ${service.url}/signing ${token.length}`,
  });
});

test('if the local clock is wrong, a new proof uses the service’s clock', async () => {
  const known: number[] = [];
  let clock = 3600;
  const client = apiClient({
    url: service.url,
    getAccessToken: () => Promise.resolve(token),
    fetch: () => {
      const now = Math.floor(Date.now() / 1000) + clock;
      const isRight = Math.abs(known.at(-1)! - now) < 60;
      const problem = {
        type: '',
        title: '',
        status: 401,
        detail: '',
        instance: '',
        code: 'device.proof.invalid',
      };
      const body = isRight ? { recoveryCode: 'x' } : { ...problem, details: { now } };
      return Promise.resolve(new Response(JSON.stringify(body), { status: isRight ? 200 : 401 }));
    },
  });
  const prove = ({ now }: { now: number }) => Promise.resolve(String(known.push(now)));
  const call = () => client.call(renewRecoveryCode, { body: { pincode: '739154' } }, { prove });
  await call();
  assert.equal(known.length, 2);
  await call();
  assert.equal(known.length, 3, 'it is remembered');
  clock = 0;
  await call();
  assert.equal(known.length, 5, 'the clock was set');
  clock = Number.NaN;
  assert.equal(await codeOf(call()), 'device.proof.invalid');
  assert.equal(known.length, 6);
});

test('a list whose pages repeat ends in an error instead of never', async () => {
  const asked: string[] = [];
  const client = apiClient({
    url: service.url,
    fetch: (url) => {
      // The third page names the second as its next one.
      const cursor = asked.push(String(url)) % 2 ? 'second' : 'third';
      const headers = { Link: `<?cursor=${cursor}>; rel="next"` };
      assert.ok(asked.length < 10, 'it goes on asking');
      return Promise.resolve(new Response('[]', { headers }));
    },
  });
  const list = client.call(listWallets, { query: {} });
  await assert.rejects(list, {
    code: 'service.unreachable',
    message: /answered GET \/api\/wallets with the same page again/,
  });
  assert.equal(asked.length, 3);
});

test('anything that is not the service, or does not respond, is service.unreachable', async () => {
  assert.equal(
    await codeOf(apiClient({ url: 'http://127.0.0.1:1' }).call(readProfile, {})),
    'service.unreachable',
  );
  const answers = (status: number, body: string) =>
    apiClient({ url: service.url, fetch: () => Promise.resolve(new Response(body, { status })) });
  assert.equal(await codeOf(answers(502, '<html>').call(readProfile, {})), 'service.unreachable');
  assert.equal(await codeOf(answers(200, '{"userId":7}').call(readProfile, {})), 'service.unreachable');
  const aborted = apiClient({ url: service.url }).call(readProfile, {}, { signal: AbortSignal.abort() });
  await assert.rejects(aborted, { name: 'AbortError' });
});
