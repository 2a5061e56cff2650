/** GoChain wallets sign the same bytes as viem, for its chain ids. */
import { it } from 'node:test';
import fc from 'fast-check';
import { sameBytes } from './evm-bytes.ts';
import { CASES } from './cases.ts';
import { gochain as chain } from '../families.ts';

it(`signs ${CASES} transactions to the bytes of viem`, () => sameBytes(chain, 0, fc.constantFrom(60, 31337)));
