import { expect } from '@open-wc/testing';
import { encodeCall } from '../../../src/chains/evm/abi.ts';
import { readLabel, unlistedLabel } from '../../../src/chains/token-facts.ts';

const ADDRESS = `0x${'ab'.repeat(20)}`;
const SHORT = '0xabab…abab';
const TRUSTED = [{ symbol: 'ETH' }, { symbol: 'USDC' }, { symbol: 'LINK' }];

/** What a contract answers for a text. */
const answer = (text: string) => `0x${encodeCall('f', ['string'], [text]).slice(10)}`;

describe('the label of a token that nobody lists', () => {
  it('is its own where it is clear', () => {
    for (const symbol of ['PLAY', 'stETH', 'USDC.e', '$DOG', 'A+B'])
      expect(unlistedLabel(symbol, ADDRESS, TRUSTED)).to.equal(symbol);
  });

  it('is its address where it could be taken for a trusted one, or for digits of the amount', () => {
    for (const symbol of [
      'USDC',
      'usdc',
      'Eth',
      'L1NK',
      'IINK',
      '|ink',
      'ЕТН',
      'USDС',
      '000',
      '0ETH',
      '',
      undefined,
    ])
      expect(unlistedLabel(symbol, ADDRESS, TRUSTED), symbol).to.equal(SHORT);
    expect(unlistedLabel(undefined, '1002000', TRUSTED)).to.equal('#1002000');
  });

  it('is read from text and from 32 bytes, without what cannot be seen', () => {
    expect(readLabel(answer('PLAY'))).to.equal('PLAY');
    expect(readLabel(`0x${'4d4b52'.padEnd(64, '0')}`)).to.equal('MKR');
    expect(readLabel(answer('PL\u202eAY\u200b \n'))).to.equal('PLAY');
    expect(readLabel(answer('x'.repeat(300)))).to.equal('x'.repeat(24));
    for (const nonsense of [undefined, '0x', '0x12', `0x${'ff'.repeat(64)}`, `0x${'00'.repeat(32)}`])
      expect(readLabel(nonsense), nonsense).to.equal('');
  });
});
