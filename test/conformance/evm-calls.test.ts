/** Contract calls are encoded to the same bytes as viem's, and decoded alike. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { decodeAbiParameters, encodeAbiParameters, parseAbiParameters, toFunctionSelector } from 'viem';
import { type AbiValue, decode, encodeCall } from '../../src/chains/contracts/abi.ts';
import { checksum } from '../../src/chains/contracts/evm-address.ts';
import { CASES } from './cases.ts';

type Typed = [type: string, value: AbiValue];

const hex = (length: { minLength?: number; maxLength: number }) =>
  fc.uint8Array(length).map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`);
const size = fc.integer({ min: 1, max: 32 });

const elementary: fc.Arbitrary<Typed> = fc.oneof(
  hex({ minLength: 20, maxLength: 20 }).map((bytes): Typed => ['address', checksum(bytes)]),
  fc.boolean().map((value): Typed => ['bool', value]),
  fc.string({ unit: 'grapheme', maxLength: 70 }).map((value): Typed => ['string', value]),
  hex({ maxLength: 70 }).map((value): Typed => ['bytes', value]),
  size.chain((n) => hex({ minLength: n, maxLength: n }).map((value): Typed => [`bytes${n}`, value])),
  size.chain((n) => fc.bigInt(0n, (1n << BigInt(n * 8)) - 1n).map((value): Typed => [`uint${n * 8}`, value])),
  size.chain((n) => {
    const half = 1n << BigInt(n * 8 - 1);
    return fc.bigInt(-half, half - 1n).map((value): Typed => [`int${n * 8}`, value]);
  }),
);

const typed = fc.letrec<{ value: Typed }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    elementary,
    fc
      .array(tie('value'), { minLength: 1, maxLength: 4 })
      .map((parts): Typed => [`(${parts.map(([type]) => type).join(',')})`, parts.map(([, value]) => value)]),
    fc
      .tuple(tie('value'), fc.integer({ min: 0, max: 3 }), fc.boolean())
      .map(
        ([[type, value], length, fixed]): Typed => [
          `${type}[${fixed ? length + 1 : ''}]`,
          Array.from({ length: fixed ? length + 1 : length }, () => value),
        ],
      ),
  ),
})).value;

/** viem returns small integers as numbers. */
const plain = (value: unknown): unknown =>
  Array.isArray(value) ? value.map(plain) : typeof value === 'number' ? BigInt(value) : value;

it(`encodes ${CASES} calls to the bytes of viem, and reads them`, () => {
  fc.assert(
    fc.property(fc.array(typed, { minLength: 1, maxLength: 4 }), (given) => {
      const types = given.map(([type]) => type);
      const parameters = parseAbiParameters(types.join(','));
      const theirs = encodeAbiParameters(
        parameters,
        given.map(([, value]) => value),
      );
      const ours = encodeCall(
        'f',
        types,
        given.map(([, value]) => value),
      );
      assert.equal(ours, toFunctionSelector(`f(${types.join(',')})`) + theirs.slice(2));
      assert.deepEqual(decode(types, theirs), plain(decodeAbiParameters(parameters, theirs)));
    }),
    { numRuns: CASES },
  );
});
