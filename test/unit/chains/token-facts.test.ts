import { expect } from '@open-wc/testing';
import { encodeCall } from '../../../src/chains/contracts/abi.ts';
import { readLabel, unlistedLabel } from '../../../src/chains/contracts/token-facts.ts';

const ADDRESS = `0x${'ab'.repeat(20)}`;
const SHORT = '0xabab…abab';
const TRUSTED = [
  { symbol: 'ETH' },
  { symbol: 'USDC', name: 'USD Coin' },
  { symbol: 'LINK' },
  { symbol: 'DUSD', name: 'Demo Dollar' },
  { symbol: 'DAI', name: '' },
];

/** A contract's ABI-encoded answer for a text. */
const answer = (text: string) => `0x${encodeCall('f', ['string'], [text]).slice(10)}`;

describe('the label of a token that nobody lists', () => {
  it('is its own if it is unambiguous', () => {
    for (const symbol of ['PLAY', 'stETH', 'INK', '$DOG', 'A+B', 'UNI-V2', 'WETH', 'USDT'])
      expect(unlistedLabel(symbol, ADDRESS, TRUSTED)).to.deep.equal({ symbol });
    // Three letters in another order, or words that contain a short name, are no imitation.
    for (const symbol of ['DIA', 'AETHER', 'ELECTRON', 'CUSD', 'DOLLAR'])
      expect(unlistedLabel(symbol, ADDRESS, TRUSTED)).to.deep.equal({ symbol });
  });

  for (const [trusted, symbols] of Object.entries({
    USDC: [
      'USDC',
      'usdc',
      'USDС',
      'UЅDC',
      'ＵＳＤＣ',
      'USDÇ',
      'U\u200bSDC',
      'USDCC',
      'USDC\u{e0041}',
      'UDSC',
      'USCD',
      'SUDC',
      'UDSC.e',
      'USDCoin',
      'usd-coin',
    ],
    LINK: ['L1NK', 'IINK', '|ink', 'LINK🔗', 'LNIK', 'L1KN'],
    DUSD: [
      'DU5D',
      'DUSD.',
      ' DUSD ',
      'D.U.S.D',
      'DUSD2',
      '2DUSD',
      'DUSD-v2',
      '(DUSD)',
      'DUSD.e',
      'aDUSD',
      'DUSDx',
      'DSUD',
      'DemoDollar',
    ],
    ETH: ['Eth', 'ЕТН', '0ETH', 'EETHH', 'ETH.', 'ETH-2', 'E\u00adTH', 'ΕΤΗ', 'EHT', 'TEH'],
    TRX: ['TRX', 'TRX.', 'ТRХ', 'TXR'],
    BTC: ['ВТС', 'B T C', '8TC', 'BCT'],
    VTHO: ['VHTO'],
    Ether: ['Ether', 'ETHER', 'Еther', 'Ether.e'],
    Bitcoin: ['Bitcoin', 'B1TC0IN', 'bitcoin2'],
    Ethereum: ['Ethereum'],
    Tron: ['TRON', 'Tron-v2'],
    VeThor: ['VeThor'],
  }))
    it(`is its address where it equals, resembles or decorates ${trusted}, which it is told to imitate`, () => {
      for (const symbol of symbols)
        expect(unlistedLabel(symbol, ADDRESS, TRUSTED), symbol).to.deep.equal({
          symbol: SHORT,
          imitates: trusted,
        });
    });

  it('is its address if it could be taken for digits of the amount, for words or for a web address', () => {
    for (const symbol of [
      '000',
      '0x12',
      '',
      undefined,
      'Play money',
      'claim.io',
      '“A”',
      'A"',
      'X'.repeat(16),
    ])
      expect(unlistedLabel(symbol, ADDRESS, TRUSTED), symbol).to.deep.equal({ symbol: SHORT });
    expect(unlistedLabel(undefined, '1002000', TRUSTED).symbol).to.equal('#1002000');
  });

  it('is read from text and from 32 bytes, without invisible characters', async () => {
    expect(await readLabel(answer('PLAY'))).to.equal('PLAY');
    expect(await readLabel(`0x${'4d4b52'.padEnd(64, '0')}`)).to.equal('MKR');
    expect(await readLabel(answer('PL\u202eAY\u200b\u2800\u3164 \n'))).to.equal('PLAY');
    expect(await readLabel(answer('x'.repeat(300)))).to.equal('x'.repeat(24));
    for (const nonsense of [undefined, '0x', '0x12', `0x${'ff'.repeat(64)}`, `0x${'00'.repeat(32)}`])
      expect(await readLabel(nonsense), nonsense).to.equal('');
  });
});
