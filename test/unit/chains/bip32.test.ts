import { expect } from '@open-wc/testing';
import { HDKey } from '@scure/bip32';
import fc from 'fast-check';
import { extendedKey, HARDENED } from '../../../src/chains/bip32.ts';
import bip32 from '../../vectors/bip32.vectors.json';

const bytes = (hex: string) => Uint8Array.from(hex.match(/../g)!, (pair) => Number.parseInt(pair, 16));

describe('BIP-32', () => {
  it('derives the published keys', async () => {
    for (const v of bip32.vectors) {
      const indices = v.path
        .split('/')
        .slice(1)
        .map((part) => Number.parseInt(part, 10) + (/['hH]$/.test(part) ? HARDENED : 0));
      const { privateKey, chainCode } = HDKey.fromExtendedKey(v.xprv);
      const derived = await extendedKey(bytes(v.seed), indices);
      expect(derived, `${v.path} of ${v.seed}`).to.deep.equal({
        key: new Uint8Array(privateKey!),
        chainCode: new Uint8Array(chainCode!),
      });
    }
  });

  it('derives what another implementation does', async () => {
    const index = fc.oneof(fc.constantFrom(0, HARDENED - 1, HARDENED, 2 ** 32 - 1), fc.nat(2 ** 32 - 1));
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ minLength: 16, maxLength: 64 }),
        fc.array(index, { maxLength: 5 }),
        async (seed, path) => {
          let theirs = HDKey.fromMasterSeed(seed);
          for (const at of path) theirs = theirs.deriveChild(at);
          const { key, chainCode } = await extendedKey(seed, path);
          expect([key, chainCode]).to.deep.equal([
            new Uint8Array(theirs.privateKey!),
            new Uint8Array(theirs.chainCode!),
          ]);
        },
      ),
      { numRuns: 100 },
    );
  });
});
