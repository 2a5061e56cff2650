/** Every byte of our transactions compared with VeChain's own SDK: unsigned bytes, signatures, ids, and what it parses. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { Address, HexUInt, Secp256k1, Transaction, type TransactionBody } from '@vechain/sdk-core';
import fc from 'fast-check';
import { address } from '../../src/chains/evm/transaction.ts';
import type { VechainDraft } from '../../src/chains/vechain/draft.ts';
import {
  type Body,
  idOf,
  intrinsicGas,
  isDynamic,
  lastBlock,
  lastBlockOf,
  overSize,
  parseUnsigned,
  serialize,
  signingHash,
} from '../../src/chains/vechain/envelope.ts';
import { sign } from '../../src/chains/vechain/transaction.ts';
import { CASES } from './cases.ts';

/** Made once: deriving a key for every run would take most of the time. */
const KEYS = fc
  .sample(fc.uint8Array({ minLength: 32, maxLength: 32 }), { numRuns: 20, seed: 1 })
  .map((key) => {
    key[0] = 1;
    return { key: Uint8Array.from(key), address: address(Uint8Array.from(key)) };
  });

const hex = (bytes: Uint8Array) => `0x${Buffer.from(bytes).toString('hex')}`;
const bytes = (min: number, max: number) => fc.uint8Array({ minLength: min, maxLength: max }).map(hex);
/** Of one byte repeated: drawing each would take most of the time. */
const longBytes = (min: number, max: number) =>
  fc
    .tuple(fc.integer({ min, max }), fc.nat(255))
    .map(([length, byte]) => hex(new Uint8Array(length).fill(byte)));
const uint = (bits: bigint) =>
  fc.oneof(fc.constant(0n), fc.bigInt(0n, 300n), fc.bigInt(0n, (1n << bits) - 1n));
const clauseOf = (data: fc.Arbitrary<string>) =>
  fc.record({ to: fc.option(bytes(20, 20), { freq: 10 }), value: uint(256n), data });
const clause = clauseOf(bytes(0, 100));
/** Mostly few and short; up to 50, and to one that no node takes any more. */
const clauses = fc.oneof(
  { weight: 90, arbitrary: fc.array(clause, { minLength: 1, maxLength: 5 }) },
  { weight: 9, arbitrary: fc.array(clause, { minLength: 6, maxLength: 50 }) },
  { weight: 1, arbitrary: fc.tuple(clauseOf(longBytes(60_000, 66_000))) },
);
const common = {
  chainTag: fc.nat(255),
  blockRef: bytes(8, 8),
  expiration: fc.oneof(fc.nat(300), fc.nat(2 ** 32 - 1)),
  clauses,
  gas: uint(64n),
  dependsOn: fc.option(bytes(32, 32)),
  nonce: uint(64n),
};
type Unsponsored = Omit<Body, 'delegated'>;
const legacy: fc.Arbitrary<Unsponsored> = fc.record({ ...common, gasPriceCoef: fc.nat(255) });
const dynamic: fc.Arbitrary<Unsponsored> = fc.record({
  ...common,
  maxPriorityFeePerGas: uint(128n),
  maxFeePerGas: uint(128n),
});

const quantity = (value: bigint) => `0x${value.toString(16)}`;

function sdkBody(body: Body): TransactionBody {
  return {
    chainTag: body.chainTag,
    blockRef: body.blockRef,
    expiration: body.expiration,
    clauses: body.clauses.map(({ to, value, data }) => ({ to, value: quantity(value), data })),
    ...(isDynamic(body)
      ? {
          maxFeePerGas: quantity(body.maxFeePerGas!),
          maxPriorityFeePerGas: quantity(body.maxPriorityFeePerGas!),
        }
      : { gasPriceCoef: body.gasPriceCoef! }),
    gas: quantity(body.gas),
    dependsOn: body.dependsOn,
    nonce: quantity(body.nonce),
    ...(body.delegated ? { reserved: { features: 1 } } : {}),
  };
}

const draftOf = (body: Body, from: string, sponsor?: string) =>
  ({ ...body, from, ...(sponsor ? { sponsor: { host: '', signature: sponsor } } : {}) }) as VechainDraft;

async function check(body: Body, origin: (typeof KEYS)[number], payer: (typeof KEYS)[number]): Promise<void> {
  const theirs = Transaction.of(sdkBody(body));
  const unsigned = serialize(body);
  assert.equal(unsigned, hex(theirs.encoded));

  const hash = signingHash(unsigned);
  assert.equal(hex(hash), theirs.getTransactionHash().toString());
  const id = theirs.getTransactionHash(Address.of(origin.address)).toString();
  assert.equal(idOf(hash, origin.address), id);
  const expected = body.delegated
    ? theirs.signAsSenderAndGasPayer(origin.key, payer.key)
    : theirs.sign(origin.key);
  const sponsor = body.delegated ? hex(expected.signature!.slice(65)) : undefined;
  const signed = await sign(draftOf(body, origin.address, sponsor), origin.key);
  assert.equal(signed.raw, hex(expected.encoded));
  assert.equal(signed.hash, id);
  assert.equal(lastBlockOf(signed.raw), lastBlock(body));
  assert.equal(overSize(body), expected.encoded.length - 64 * 1024);
}

const key = fc.constantFrom(...KEYS);
const pair = fc.tuple(key, key).filter(([one, other]) => one !== other);

for (const [name, form, delegated] of [
  ['legacy', legacy, false],
  ['legacy, sponsored', legacy, true],
  ['dynamic fee', dynamic, false],
  ['dynamic fee, sponsored', dynamic, true],
] as const)
  test(`${CASES} random transactions are the SDK's, byte for byte: ${name}`, async () => {
    await fc.assert(
      fc.asyncProperty(form, pair, (body, [origin, payer]) => check({ ...body, delegated }, origin, payer)),
      { numRuns: CASES },
    );
  });

test('the SDK reads who sends and who pays', async () => {
  const [origin, payer] = KEYS as [(typeof KEYS)[number], (typeof KEYS)[number]];
  for (const body of fc.sample(fc.oneof(legacy, dynamic), { numRuns: 20, seed: 2 })) {
    const unsigned = serialize({ ...body, delegated: true });
    const asked = idOf(signingHash(unsigned), origin.address);
    const sponsor = hex(Secp256k1.sign(HexUInt.of(asked).bytes, payer.key));
    const { raw, hash } = await sign(
      draftOf({ ...body, delegated: true }, origin.address, sponsor),
      origin.key,
    );
    const read = Transaction.decode(HexUInt.of(raw).bytes, true);
    assert.equal(read.id.toString(), hash);
    assert.equal(read.origin.toString(), origin.address);
    assert.equal(read.gasPayer.toString(), payer.address);
  }
});

test('reads back what it writes, and nothing in another form', () => {
  fc.assert(
    fc.property(fc.oneof(legacy, dynamic), fc.boolean(), (body, delegated) => {
      const tip = body.maxPriorityFeePerGas;
      fc.pre(tip === undefined || tip <= body.maxFeePerGas!);
      const unsigned = serialize({ ...body, delegated });
      const read = parseUnsigned(unsigned)!;
      assert.equal(serialize(read), unsigned);
      assert.equal(read.delegated, delegated);
      assert.equal(parseUnsigned(`${unsigned}00`), undefined);
      assert.equal(parseUnsigned(unsigned.slice(0, -2)), undefined);
    }),
    { numRuns: CASES },
  );
});

test('counts the gas before any code runs as the SDK does', () => {
  fc.assert(
    fc.property(clauses, (clauses) => {
      const theirs = Transaction.intrinsicGas(
        clauses.map(({ to, value, data }) => ({ to, value: quantity(value), data })),
      );
      assert.equal(intrinsicGas(clauses), theirs.wei);
    }),
    { numRuns: CASES },
  );
});
