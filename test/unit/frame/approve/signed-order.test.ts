import { expect } from '@open-wc/testing';
import type { SignedOrder } from '../../../../src/api/signed-order.ts';
import type { Summary } from '../../../../src/chains/approval/summary.ts';
import type { Network, Networks } from '../../../../src/chains/network.ts';
import { readOrder, withOrder } from '../../../../src/frame/approve/signed-order.ts';
import { TestClock } from '../../clock.ts';

const SERVICE = 'https://service.example';
const ISSUER = `${SERVICE}/auth/realms/main`;
const PAGE = 'https://pay.example';
const NOW = 1_800_000_000_000;
const TO = '0x9cB4706e20A18E59a48ffa7616d700A3891e1861';
const TOKEN = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const networks = { service: SERVICE } as unknown as Networks;
const network = { id: 'ethereum-local', chainId: 31337 } as Network;

const ORDER: SignedOrder = {
  iss: ISSUER,
  exp: NOW / 1000 + 600,
  jti: 'wq_1',
  session: 'cs_1',
  account: 'shop',
  merchant: 'Fernhill Outfitters',
  origins: [PAGE, 'https://shop.example'],
  secretType: 'ETHEREUM',
  network: network.id,
  chainId: 31337,
  token: TOKEN,
  to: TO,
  amount: '31000000',
  total: 3100,
  currency: 'USD',
  reference: 'A-1042',
  items: 2,
};
const SUMMARY = {
  kind: 'transfer',
  chainId: 31337,
  to: TO.toLowerCase(),
  amount: { raw: 31_000_000n, decimals: 6, symbol: 'USDC', token: TOKEN },
  warnings: [],
} as unknown as Summary;

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
const encode = (value: unknown): string => base64url(new TextEncoder().encode(JSON.stringify(value)));

let pair: CryptoKeyPair;
let keys: unknown;
let asked: string[];
const realFetch = window.fetch;

async function sign(order: object, header: object = {}, key = pair.privateKey): Promise<string> {
  const head = encode({ alg: 'ES256', typ: 'checkout-payment+jwt', kid: 'k1', ...header });
  const body = encode(order);
  const bytes = new TextEncoder().encode(`${head}.${body}`);
  return `${head}.${body}.${base64url(new Uint8Array(await crypto.subtle.sign(algorithm, key, bytes)))}`;
}

before(async () => {
  pair = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
});
beforeEach(async () => {
  keys = { keys: [{ ...(await crypto.subtle.exportKey('jwk', pair.publicKey)), kid: 'k1' }] };
  asked = [];
  window.fetch = ((url: string) => {
    asked.push(String(url));
    return Promise.resolve(
      keys === undefined ? new Response('', { status: 503 }) : new Response(JSON.stringify(keys)),
    );
  }) as typeof fetch;
});
afterEach(() => {
  window.fetch = realFetch;
});

async function shown(
  order: object,
  { summary = SUMMARY, origin = PAGE, jws }: { summary?: Summary; origin?: string; jws?: string } = {},
): Promise<Summary> {
  const read = await readOrder({ networks, clock: new TestClock() }, jws ?? (await sign(order)));
  return withOrder(summary, read, { network, secretType: 'ETHEREUM' }, { origin, now: NOW });
}

describe('a signed order', () => {
  it('is unchecked where the service does not answer in time', async () => {
    window.fetch = ((_url: string, { signal }: RequestInit = {}) =>
      new Promise((_, reject) => signal!.addEventListener('abort', reject))) as typeof fetch;
    const clock = new TestClock();
    const read = readOrder({ networks, clock }, await sign(ORDER));
    await clock.pass(5000);
    expect(await read).to.deep.equal({ state: 'unchecked' });
  });

  it('names the merchant, the total and the reference if everything signed matches', async () => {
    for (const origin of ORDER.origins)
      expect((await shown(ORDER, { origin })).order).to.deep.equal({
        state: 'signed',
        merchant: 'Fernhill Outfitters',
        total: 3100,
        currency: 'USD',
        reference: 'A-1042',
        items: 2,
        expires: NOW + 600_000,
      });
    expect(asked[0]).to.equal(`${ISSUER}/protocol/openid-connect/certs`);
  });

  it('has no number of an order that has only the id of its session', async () => {
    const { order } = await shown({ ...ORDER, reference: ORDER.session }, { origin: PAGE });
    expect(order?.state === 'signed' && order.reference).to.equal(undefined);
  });

  const wrong: [string, Partial<SignedOrder>, Partial<Summary>, string][] = [
    ['another amount', { amount: '310000000' }, {}, 'amount'],
    ['another token', { token: TO }, {}, 'amount'],
    ['the coin instead of a token', { token: null }, {}, 'amount'],
    ['another recipient', { to: TOKEN }, {}, 'recipient'],
    ['a call instead of a transfer', {}, { kind: 'call' }, 'recipient'],
    ['several clauses', {}, { parts: [] }, 'recipient'],
    ['another chain', { secretType: 'GOCHAIN' }, {}, 'network'],
    ['another network', { network: 'ethereum-sepolia' }, {}, 'network'],
    ['another chain id', { chainId: 1 }, {}, 'network'],
    ['a price that holds no more', { exp: NOW / 1000 }, {}, 'expired'],
  ];
  for (const [what, change, summary, reason] of wrong)
    it(`must not be paid when it is for ${what}`, async () => {
      const { order } = await shown({ ...ORDER, ...change }, { summary: { ...SUMMARY, ...summary } });
      expect(order).to.deep.include({ state: 'wrong', reason });
    });

  it('shows what was signed instead, as far as it can be compared', async () => {
    const { order } = await shown({ ...ORDER, amount: '310000000' });
    expect(order).to.deep.include({
      reference: 'A-1042',
      signed: { to: TO, amount: { ...SUMMARY.amount, raw: 310_000_000n } },
    });
    const other = await shown({ ...ORDER, token: null });
    expect(other.order).to.deep.include({ signed: { to: TO } });
  });

  it('names no merchant for a page that may not ask, and says so', async () => {
    const { order, warnings } = await shown(ORDER, { origin: 'https://pay.example.evil' });
    expect(order).to.deep.equal({ state: 'unsigned' });
    expect(warnings.map(({ code }) => code)).to.deep.equal(['order-unsigned']);
  });

  it('names no merchant while its keys cannot be read, or if the wallet has no service', async () => {
    keys = undefined;
    expect((await shown(ORDER)).order).to.deep.equal({ state: 'unsigned' });
    keys = { keys: 'none' };
    expect((await shown(ORDER)).order).to.deep.equal({ state: 'unsigned' });
    const read = await readOrder({ networks: {} as Networks, clock: new TestClock() }, await sign(ORDER));
    expect(read.state).to.equal('unchecked');
  });

  it('must not be paid when its signature is wrong', async () => {
    const other = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
    const changed = (await sign(ORDER)).split('.');
    changed[1] = encode({ ...ORDER, merchant: 'Somebody else' });
    for (const jws of [
      await sign(ORDER, {}, other.privateKey),
      await sign(ORDER, { kid: 'k2' }),
      changed.join('.'),
    ])
      expect((await shown(ORDER, { jws })).order).to.deep.equal({ state: 'wrong', reason: 'signature' });
  });

  it('must be from the wallet’s own service: no other keys are fetched', async () => {
    for (const iss of [
      'https://evil.example/auth/realms/main',
      `${SERVICE}.evil.example/auth/realms/main`,
      `${SERVICE}/uploads/auth/realms/main`,
      `${ISSUER}/../../../uploads/icon`,
      `${ISSUER}?x=`,
    ])
      expect((await shown({ ...ORDER, iss })).order).to.deep.equal({ state: 'wrong', reason: 'signature' });
    expect(asked).to.deep.equal([]);
  });

  it('is refused if it is not one: another kind of token, another algorithm, critical extensions, missing fields, no JSON', async () => {
    const { merchant: _, ...nameless } = ORDER;
    for (const jws of [
      await sign(ORDER, { typ: 'at+jwt' }),
      await sign(ORDER, { alg: 'none' }),
      await sign(ORDER, { crit: ['b64'], b64: true }),
      await sign(ORDER, { crit: ['exp'], exp: 1 }),
      await sign(ORDER, { crit: [] }),
      await sign(nameless),
      'a.b.c',
      '%.%.%',
    ]) {
      const error = await readOrder({ networks, clock: new TestClock() }, jws).catch((e) => e);
      expect(error.issues?.[0]?.path, jws).to.equal('order');
    }
  });
});
