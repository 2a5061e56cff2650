import { expect } from '@open-wc/testing';
import {
  chainOfAddress,
  foreignAddress,
  HEX_CHAINS,
} from '../../../../src/chains/requests/foreign-address.ts';
import type { SecretType } from '../../../../src/chains/secret-type.ts';

/** Published examples: BIP-173, BIP-350, BIP-49, developers.tron.network, docs.aeternity.com, Bitcoin's and Litecoin's own wikis. */
const ADDRESSES: { [chain in SecretType]?: string[] } = {
  AETERNITY: [
    'ak_2a1j2Mk9YSmC1gioUq4PWRm3bsv887MbuRVwyv4KaUGoR1eiKi',
    'ct_2GP6hRx3mNzyGu8eERqSeV3jnHJ4xjpbMSNsuqABmXwGLKKMjN',
  ],
  BITCOIN: [
    '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2',
    '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy',
    'mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn',
    '2Mww8dCYPUpKHofjgcXcBCEGmniw9CoaiD2',
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4',
    'tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7',
    'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0',
    'bcrt1q6z64a43mjgkcq0ul2znwneq3spghrlau9slefp',
  ],
  LITECOIN: [
    'LQTpS3VaYTjCr4s9Y1t5zbeY26zevf7Fb3',
    'MJKxrwsLtNkkAKiYcjVyN2DpzmjjmRcRsF',
    'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9',
    'tltc1qw508d6qejxtdg4y5r3zarvary0c5xw7klfsuq0',
    'rltc1qw508d6qejxtdg4y5r3zarvary0c5xw7k3swtre',
  ],
  TRON: ['TNPeeaaFB7K9cmo4uQpcU32zGK8G1NYqeL', '418840e6c55b9ada326d211d818c34a994aeced808'],
};

describe('addresses by their form', () => {
  for (const [chain, addresses] of Object.entries(ADDRESSES))
    for (const address of addresses)
      it(`${chain}: ${address}`, () => expect(chainOfAddress(address)).to.equal(chain));

  it('answers nothing for what three chains share, and for what no chain has', () => {
    for (const text of [
      '',
      '0x8ba1f109551bD432803012645Ac136ddd64DBA72',
      '8ba1f109551bD432803012645Ac136ddd64DBA72',
      'satoshi@example.org',
      'vitalik.eth',
      'Tron',
      'TNPeeaaFB7K9cmo4uQpcU32zGK8G1NYqe0',
      'bc1QW508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
      'ak_',
    ])
      expect(chainOfAddress(text), text).to.equal(undefined);
  });

  it('names the mix-up, and only a mix-up', () => {
    const [tron] = ADDRESSES.TRON!;
    expect(foreignAddress(tron!, 'ETHEREUM')).to.equal('is a Tron address, not an Ethereum one');
    expect(foreignAddress(ADDRESSES.AETERNITY![0]!, 'TRON')).to.equal(
      'is an Aeternity address, not a Tron one',
    );
    expect(foreignAddress(tron!, 'TRON')).to.equal(undefined);
    const hex = '0x8ba1f109551bD432803012645Ac136ddd64DBA72';
    expect(foreignAddress(hex, 'TRON')).to.equal(
      'is an Ethereum, GoChain or VeChain address, not a Tron one',
    );
    for (const text of ['nobody', '0x1234']) expect(foreignAddress(text, 'TRON')).to.equal(undefined);
    for (const own of HEX_CHAINS) expect(foreignAddress(hex, own)).to.equal(undefined);
  });
});
