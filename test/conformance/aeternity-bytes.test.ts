/** Aeternity's spends, keys and signatures, compared with those of the official SDK. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  AccountMnemonicFactory,
  buildTx,
  buildTxHash,
  encode,
  Encoding,
  MemoryAccount,
  Tag,
} from '@aeternity/aepp-sdk';
import { mnemonicToSeedSync } from '@scure/bip39';
import fc from 'fast-check';
import type { AeternityDraft } from '../../src/chains/aeternity/draft.ts';
import { chain } from '../../src/chains/aeternity/index.ts';
import { payloads } from '../../src/chains/aeternity/payload.ts';
import { feeAt, type Spend } from '../../src/chains/aeternity/spend.ts';
import { hexOf } from '../../src/base/bytes.ts';
import { CASES } from './cases.ts';
import { ANY_CHARACTER } from '../any-character.ts';

const PHRASE = 'eye quarter chapter suit cruel scrub verify stuff volume control learn dust';
const GWEI = 10n ** 9n;

const accounts = await Promise.all(
  [1, 2, 3, 4].map(async (n) => {
    const key = new Uint8Array(32).fill(n * 60);
    return {
      key,
      address: await chain.address(key),
      sdk: new MemoryAccount(chain.exportKey(key) as `sk_${string}`),
    };
  }),
);

const account = fc.constantFrom(...accounts);
const amount = fc.oneof(fc.bigInt(0n, 300n), fc.bigInt(0n, 10n ** 30n));
const payload = fc.oneof(
  { weight: 30, arbitrary: fc.constant('0x') },
  { weight: 30, arbitrary: fc.uint8Array({ maxLength: 80 }).map(hexOf) },
  { weight: 30, arbitrary: fc.uint8Array({ minLength: 200, maxLength: 600 }).map(hexOf) },
  {
    weight: 30,
    arbitrary: fc
      .string({ unit: ANY_CHARACTER, maxLength: 100 })
      .map((text) => hexOf(new TextEncoder().encode(text))),
  },
  // Lengths at which RLP writes one more byte of length, and the most that a request may have.
  {
    weight: 4,
    arbitrary: fc.constantFrom(55, 56, 255, 256).map((length) => hexOf(new Uint8Array(length).fill(97))),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom(65_535, 65_536, 131_072)
      .map((length) => hexOf(new Uint8Array(length).fill(97))),
  },
);
const spends = fc.record({
  sender: account,
  recipient: account,
  amount,
  ttl: fc.oneof(fc.constant(0), fc.nat(), fc.maxSafeNat()),
  nonce: fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 2 ** 40 })),
  payload,
  networkId: fc.constantFrom('ae_mainnet', 'ae_uat', 'ae_dev'),
  more: fc.oneof(fc.constant(0n), fc.bigInt(0n, 10n ** 18n)),
});

function sdkSpend({ from, to, amount, ttl, nonce, payload }: Omit<Spend, 'fee'>, fee?: bigint) {
  return buildTx({
    tag: Tag.SpendTx,
    senderId: from as `ak_${string}`,
    recipientId: to as `ak_${string}`,
    amount: amount.toString(),
    ttl,
    nonce,
    payload: encode(Buffer.from(payload.slice(2), 'hex'), Encoding.Bytearray),
    ...(fee === undefined ? {} : { fee: fee.toString() }),
  });
}

describe('Aeternity beside the official SDK', () => {
  it(`signs ${CASES} random spends to the same bytes`, async () => {
    await fc.assert(
      fc.asyncProperty(spends, async ({ sender, recipient, more, networkId, ...rest }) => {
        const unpaid = { from: sender.address, to: recipient.address, ...rest };
        const fee = feeAt(GWEI, unpaid, more);
        const draft = { ...unpaid, fee, networkId } as unknown as AeternityDraft;
        const signed = await chain.sign(draft, sender.key);
        const expected = await sender.sdk.signTransaction(sdkSpend(unpaid, fee), { networkId });
        assert.equal(signed.raw, expected);
        assert.equal(signed.hash, buildTxHash(expected));
      }),
      { numRuns: CASES },
    );
  });

  it('asks the same minimum fee as the SDK computes by default', () => {
    fc.assert(
      fc.property(spends, ({ sender, recipient, ...rest }) => {
        const unpaid = { from: sender.address, to: recipient.address, ...rest };
        assert.equal(sdkSpend(unpaid), sdkSpend(unpaid, feeAt(GWEI, unpaid)));
      }),
      { numRuns: 200 },
    );
  });

  it('has the same addresses and secrets for 100 random keys', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 32, maxLength: 32 }), async (key) => {
        const sdk = new MemoryAccount(encode(Buffer.from(key), Encoding.AccountSecretKey));
        const address = await chain.address(key);
        assert.equal(address, sdk.address);
        assert.equal(chain.exportKey(key), sdk.secretKey);
        assert.deepEqual(await chain.importKey(sdk.secretKey), Uint8Array.from(key));
        assert.ok(chain.isAddress(address));
        const request = { type: 'AE_TRANSACTION', walletId: 'w', to: address, value: 1 };
        assert.equal(payloads.parse(request)['to'], address);
      }),
      { numRuns: 100 },
    );
  });

  it('derives the same wallets from a recovery phrase', async () => {
    const factory = new AccountMnemonicFactory(PHRASE);
    const seed = mnemonicToSeedSync(PHRASE);
    for (const index of [0, 1, 7, 2 ** 31 - 1]) {
      const sdk = await factory.initialize(index);
      assert.equal(await chain.address(await chain.deriveKey(seed, index)), sdk.address);
    }
  });
});
