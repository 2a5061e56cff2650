import { expect } from '@open-wc/testing';
import { HDKey } from '@scure/bip32';
import bip32 from '../../vectors/bip32.vectors.json';

const bytes = (hex: string) => Uint8Array.from(hex.match(/../g)!, (pair) => Number.parseInt(pair, 16));

describe('BIP-32, by the library that wallets are derived with', () => {
  it('derives the published keys', () => {
    for (const v of bip32.vectors) {
      const derived = HDKey.fromMasterSeed(bytes(v.seed)).derive(v.path.replace(/[hH]/g, "'"));
      expect(derived.privateExtendedKey, `${v.path} of ${v.seed}`).to.equal(v.xprv);
    }
  });
});
