import { expect } from '@open-wc/testing';
import type { SecretType } from '../../../src/chains/secret-type.ts';
import { recipientCheck } from '../../../src/ui/recipient-check.ts';

const HEX = '0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063';
/** An address of each chain, from the sources that `foreign-address.test.ts` names. */
const ADDRESSES: Record<SecretType, string> = {
  AETERNITY: 'ak_2a1j2Mk9YSmC1gioUq4PWRm3bsv887MbuRVwyv4KaUGoR1eiKi',
  BITCOIN: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
  ETHEREUM: HEX,
  GOCHAIN: HEX,
  LITECOIN: 'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9',
  TRON: 'TNPeeaaFB7K9cmo4uQpcU32zGK8G1NYqeL',
  VECHAIN: HEX,
};

describe('a recipient', () => {
  for (const [name, address] of Object.entries(ADDRESSES)) {
    const secretType = name as SecretType;

    it(`of ${name} is told from every other chain’s, and from a mistyped one`, async () => {
      const { error, hint } = await recipientCheck(secretType);
      expect(error(address)).to.equal(undefined);
      expect(hint(address)?.good).to.equal(true);
      expect(error('lena@example.org')).to.equal(undefined);
      expect(hint('lena@example.org')?.good).to.equal(false);
      for (const [other, foreign] of Object.entries(ADDRESSES))
        if (foreign !== address)
          expect(error(foreign), other).to.match(/^This is (an? \w+|not an? \w+) address\./);
      expect(error(`${address.slice(0, -1)}${address.endsWith('q') ? 'p' : 'q'}`)).to.be.a('string');
      expect(hint('nobody')).to.equal(undefined);
    });
  }
});
