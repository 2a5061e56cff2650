/** Ethereum wallets sign the same bytes as viem. */
import { it } from 'node:test';
import fc from 'fast-check';
import { sameBytes } from './evm-bytes.ts';
import { CASES } from './cases.ts';
import { ethereum as chain } from '../families.ts';

const anyChain = fc.oneof(fc.constantFrom(1, 127, 128, 11155111), fc.integer({ min: 1, max: 2 ** 40 }));

for (const type of [0, 2] as const)
  it(`signs ${CASES} transactions of type ${type} to the bytes of viem`, () =>
    sameBytes(chain, type, anyChain));
