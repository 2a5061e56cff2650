/** Random transactions of an EVM chain, signed by us and by viem. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { keccak256 } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { evmChain } from '../../src/chains/evm/index.ts';
import type { EvmDraft } from '../../src/chains/evm/draft.ts';
import { sizeOf } from '../../src/chains/evm/raw-transaction.ts';
import { bytesOf } from '../../src/base/bytes.ts';
import { CASES } from './cases.ts';

type Hex = `0x${string}`;

/** Made once: deriving a public key costs as much as a signature. */
const KEYS = ['11', '7e', 'ac', 'fe'].map((byte) => {
  const key: Hex = `0x${byte.repeat(32)}`;
  return { bytes: bytesOf(key), viem: privateKeyToAccount(key) };
});

const bytes = (size: { minLength?: number; maxLength: number }) =>
  fc.uint8Array(size).map((b): Hex => `0x${Buffer.from(b).toString('hex')}`);
/** Edge cases of RLP's short forms, and any other value. */
const uint = (bits: bigint) =>
  fc.oneof(fc.constantFrom(0n, 1n, 127n, 128n, 255n, 256n), fc.bigInt(0n, (1n << bits) - 1n));

const Fields = fc.record({
  key: fc.constantFrom(...KEYS),
  nonce: fc.oneof(fc.constantFrom(0, 127, 128), fc.maxSafeNat()),
  gas: uint(64n),
  price: uint(128n),
  tip: uint(128n),
  to: fc.option(bytes({ minLength: 20, maxLength: 20 })),
  value: uint(256n),
  data: fc.oneof(
    { weight: 25, arbitrary: bytes({ maxLength: 60 }) },
    { weight: 25, arbitrary: bytes({ maxLength: 400 }) },
    // Up to what no node takes any more.
    {
      weight: 1,
      arbitrary: fc
        .oneof(
          fc.constantFrom(55, 56, 255, 256, 32_600, 65_535, 65_536),
          fc.integer({ min: 1000, max: 131_072 }),
        )
        .map((length): Hex => `0x${'61'.repeat(length)}`),
    },
  ),
});

/** `CASES` transactions of `type` on any of `chainIds`. */
export async function sameBytes(
  chain: ReturnType<typeof evmChain>,
  type: 0 | 2,
  chainIds: fc.Arbitrary<number>,
): Promise<void> {
  for (const key of KEYS) assert.equal(chain.address(key.bytes), key.viem.address);
  await fc.assert(
    fc.asyncProperty(Fields, chainIds, async ({ key, price, tip, to, gas, ...rest }, chainId) => {
      const fields = { ...rest, chainId, to };
      const dynamic = { maxFeePerGas: price + tip, maxPriorityFeePerGas: tip };
      const prices = type ? dynamic : { gasPrice: price };
      const draft = { ...fields, ...prices, type, gas, from: key.viem.address } as unknown as EvmDraft;
      const { raw, hash } = await chain.sign(draft, key.bytes);
      assert.equal(hash, keccak256(raw as Hex));
      // Of the size that is compared with what nodes take; numbers of a signature are seldom shorter than 32 bytes.
      const spare = sizeOf(draft) - (raw.length - 2) / 2;
      assert.ok(Math.abs(spare) <= 12, `${spare} bytes`);
      const viem = type
        ? key.viem.signTransaction({ ...fields, ...dynamic, type: 'eip1559', gas })
        : key.viem.signTransaction({ ...fields, gasPrice: price, type: 'legacy', gas });
      assert.equal(raw, await viem);
    }),
    { numRuns: CASES },
  );
}
