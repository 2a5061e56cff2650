/** `carabiner/chains` with arbitrary input from untyped callers: it answers, or fails with an error of its own. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { REPORTED } from '../../demo/networks/networks.ts';
import {
  loadChain,
  loadPayloads,
  type Network,
  SECRET_TYPES,
  type SecretType,
} from '../../src/chains/index.ts';
import { NATIVE_TYPES, SIGNATURE_TYPES } from '../../src/chains/transaction-types.ts';
import { ConnectError } from '../../src/base/errors.ts';
import { CASES } from './cases.ts';
import { ANY_CHARACTER } from '../any-character.ts';

type Body = Record<string, unknown>;

const BUILD_TYPES = ['TRANSFER', 'GAS_TRANSFER', 'TOKEN_TRANSFER', 'NFT_TRANSFER', 'CONTRACT_EXECUTION'];
const realFetch = globalThis.fetch;

before(() => {
  // No node can be reached.
  globalThis.fetch = () => Promise.reject(new TypeError('fetch failed'));
});
after(() => {
  globalThis.fetch = realFetch;
});

/** Fields of every type, with values that fit one or another, so that many requests get past the schema. */
function usual(secretType: SecretType, type: string): Body {
  const to = REPORTED[secretType]!;
  const call = {
    functionName: 'transfer',
    inputs: [
      { type: 'address', value: to },
      { type: 'uint256[2]', value: '[1,2]' },
    ],
  };
  const all: Body = {
    type,
    walletId: 'wallet-1',
    pincode: null,
    secretType,
    to,
    value: '0.01',
    alias: 'Rent',
    network: null,
  };
  if (Object.hasOwn(SIGNATURE_TYPES, type))
    return { type, walletId: 'wallet-1', data: '0x68656c6c6f', prefix: true, hash: null };
  if (type === 'CONTRACT_EXECUTION') Object.assign(all, call, { value: 1 });
  if (type === 'TOKEN_TRANSFER') all['tokenAddress'] = to;
  if (type === 'NFT_TRANSFER')
    Object.assign(all, { tokenAddress: to, tokenId: '7', from: to, value: undefined });
  if (BUILD_TYPES.includes(type)) return all;
  const native: Body = { type, walletId: 'wallet-1', pincode: null, to, value: '100000' };
  if (secretType !== 'VECHAIN')
    return {
      ...native,
      ...(/ERC20|GO20/.test(type) && { tokenAddress: to }),
      ...(type.startsWith('TRC10') && { token: to }),
      ...(type.startsWith('TRON') && call),
    };
  const clause = { to, amount: '5', ...(type.startsWith('VECHAIN') && { tokenAddress: to }) };
  return { type, walletId: 'wallet-1', clauses: [clause, clause], gas: '21000', nonce: '0x1' };
}

const ITS_OWN = new TypeError('a getter of the caller');

function throws(): never {
  throw ITS_OWN;
}

/** fast-check must not print it: that would throw, too. */
const THROWS = Object.defineProperty({ [fc.toStringMethod]: () => 'throws' }, 'value', {
  get: throws,
  enumerable: true,
});

const odd = fc.oneof(
  fc.anything({
    withBigInt: true,
    withBoxedValues: true,
    withDate: true,
    withMap: true,
    withNullPrototype: true,
    withObjectString: true,
    withSet: true,
    withSparseArray: true,
    withTypedArray: true,
  }),
  fc.string({ unit: ANY_CHARACTER }),
  fc.constantFrom<unknown>(
    '',
    '0x',
    '\u{d800}',
    '-1',
    '1e5',
    ' 1',
    '9'.repeat(400),
    `0x${'ff'.repeat(200_000)}`,
    Number.NaN,
    -0,
    Number.MAX_VALUE,
    2n ** 300n,
    -1n,
    Symbol('odd'),
    () => '1',
    Object.create(null),
    { toString: null },
    { toJSON: throws },
    THROWS,
    new Proxy(THROWS, { ownKeys: throws }),
    Array(2 ** 32 - 1),
    Array(2000).fill({}),
    [[[[[[]]]]]],
    new Date(Number.NaN),
  ),
  fc.constantFrom(...BUILD_TYPES, ...SECRET_TYPES, ...Object.values(REPORTED), 'ann@example.com', 'NEO'),
);

/** A request with a few fields, at any depth, replaced. */
const mutated = fc
  .record({
    secretType: fc.constantFrom(...SECRET_TYPES),
    chosen: fc.nat(),
    changes: fc.array(
      fc.record({
        path: fc.array(fc.nat({ max: 20 }), { minLength: 1, maxLength: 4 }),
        value: odd,
        name: fc.option(
          fc.constantFrom('__proto__', 'constructor', 'toString', 'data', 'from', 'tokenId', 'colour'),
        ),
      }),
      { maxLength: 3 },
    ),
  })
  .map(({ secretType, chosen, changes }) => {
    const types = [
      ...BUILD_TYPES,
      ...[NATIVE_TYPES, SIGNATURE_TYPES].flatMap((table) =>
        Object.keys(table).filter((type) => table[type] === secretType),
      ),
    ];
    const request = owned(structuredClone(usual(secretType, types[chosen % types.length]!)));
    for (const change of changes) alter(request, change);
    return { secretType, request: request as unknown };
  });

interface Change {
  path: number[];
  value: unknown;
  name: string | null;
}

/** Descends only into the original request. */
function alter(request: Body, { path: [step = 0, ...deeper], value, name }: Change): void {
  const keys = Object.keys(request);
  const key = keys[step % keys.length]!;
  const inside = Object.getOwnPropertyDescriptor(request, key)?.value as unknown;
  if (deeper.length > 0 && own.has(inside as object)) alter(inside as Body, { path: deeper, value, name });
  else if (name === null) request[key] = value;
  else Object.defineProperty(request, name, { value, enumerable: true, configurable: true, writable: true });
}

/** Objects created by this file, not by a caller. */
const own = new WeakSet<object>();

function owned<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  own.add(value);
  Object.values(value).forEach(owned);
  return value;
}

const anything = fc.oneof(
  { weight: 5, arbitrary: mutated },
  { weight: 1, arbitrary: fc.record({ secretType: fc.constantFrom(...SECRET_TYPES), request: odd }) },
);

/** Fails on errors that are not the library's, and on its internal errors. */
async function typed(what: string, work: () => unknown): Promise<unknown> {
  try {
    return await work();
  } catch (error) {
    const isTyped = error instanceof ConnectError && error.code !== 'internal.error';
    const isMistake = isTyped && error.code === 'request.invalid' && error.cause !== undefined;
    if (!isTyped || (isMistake && error.cause !== ITS_OWN))
      throw new Error(`${what} let another error out: ${(error as Error).stack}`, { cause: error });
    // It can be sent to a page.
    JSON.stringify(error.details);
    return undefined;
  }
}

function networkOf(secretType: SecretType): Network {
  const genesis = secretType === 'AETERNITY' ? 'ae_local' : `0x${'00'.repeat(32)}`;
  return {
    id: 'local',
    secretType,
    name: 'Local',
    kind: 'local',
    ...(['ETHEREUM', 'GOCHAIN'].includes(secretType) ? { chainId: 31337 } : { genesis }),
    nodes: ['http://node.example'],
    tokens: [],
  };
}

test('a request of any shape is parsed, or refused with a message', async () => {
  await fc.assert(
    fc.asyncProperty(anything, odd, async ({ secretType, request }, other) => {
      const [chain, payloads] = await Promise.all([loadChain(secretType), loadPayloads(secretType)]);
      const from = REPORTED[secretType]!;
      const node = chain.node(networkOf(secretType));
      const asked = request as Parameters<typeof chain.prepare>[0];
      await typed('parse', () => payloads.parse(request));
      await typed('parseTransfer', () => payloads.parseTransfer(request));
      await typed('parseSigning', () => payloads.parseSigning(request));
      await typed('prepare', () => chain.prepare(asked, from, node, undefined as never));
      await typed('build', () => chain.build(asked, from, node));
      await typed('describeSigning', () =>
        chain.describeSigning?.(request as never, from, node, undefined as never),
      );
      await typed('signData', () => chain.signData?.(request as never, new Uint8Array(32).fill(7)));
      await typed('isAddress', () => assert.equal(typeof chain.isAddress(other as string), 'boolean'));
      for (const load of [loadChain, loadPayloads])
        await typed(load.name, async () => load(other as SecretType));
    }),
    { numRuns: CASES, endOnFailure: true },
  );
});

test('invalid secret types, addresses and records have their own error, or none', async () => {
  for (const secretType of [Object.create(null), undefined, Symbol('ETHEREUM'), ['ETHEREUM'], 'toString']) {
    const code = secretType === undefined ? 'request.invalid' : 'chain.not-supported';
    await assert.rejects(loadChain(secretType), { code });
    await assert.rejects(loadPayloads(secretType), { code });
  }
  for (const secretType of SECRET_TYPES) {
    const chain = await loadChain(secretType);
    const address = REPORTED[secretType]!;
    assert.equal(chain.isAddress(address), true);
    for (const text of [undefined, null, 7, [address], Symbol('a')])
      assert.equal(chain.isAddress(text as never), false, secretType);
    const node = chain.node(networkOf(secretType));
    const payloads = await loadPayloads(secretType);
    const body = { type: 'TRANSFER', secretType, walletId: 'w', to: address, value: '0.01' };
    const prepared = (request: unknown) =>
      chain.prepare(request as Parameters<typeof chain.prepare>[0], address, node, undefined as never);
    await assert.rejects(prepared(payloads.parse(body)), { code: 'node.unreachable' });
    await assert.rejects(prepared({ ...body, value: Symbol('1') }), { code: 'request.invalid' });
    await assert.rejects(prepared(undefined), { code: 'request.invalid' });
    // A sparse list, and one longer than any transaction.
    for (const value of [Array(2), Array(2 ** 32 - 1)]) {
      const list = { type: 'uint8[]', value };
      const call = { ...body, type: 'CONTRACT_EXECUTION', functionName: 'f', inputs: [list] };
      await assert.rejects(prepared(call), (error) => error instanceof ConnectError);
    }
    const bare = Object.assign(Object.create(null), {
      type: 'NFT_TRANSFER',
      secretType: Object.create(null),
    });
    await assert.rejects(prepared(bare), (error) => error instanceof ConnectError);
  }
});
