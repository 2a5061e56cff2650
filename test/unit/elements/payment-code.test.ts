import { expect } from '@open-wc/testing';
import { paymentUri } from '../../../src/frame/wallets/receive-view.ts';
import { type Place, readCode } from '../../../src/ui/payment-code.ts';

const ADA = '0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063';
const TOKEN = '0xdAC17F958D2ee523a2206206994597C13D831ec7';
const ETHEREUM: Place = { secretType: 'ETHEREUM', name: 'Ethereum', chainId: 1 };
const GOCHAIN: Place = { secretType: 'GOCHAIN', name: 'GoChain', chainId: 60 };
const BITCOIN: Place = { secretType: 'BITCOIN', name: 'Bitcoin' };
const TRON: Place = { secretType: 'TRON', name: 'Tron' };
const BC = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';

async function why(code: string, place: Place): Promise<string> {
  const found = await readCode(code, place);
  return 'why' in found ? found.why : `a payment to ${found.to}`;
}

describe('a scanned code', () => {
  for (const [what, code, place, payment] of [
    ['an address alone', ADA.toLowerCase(), ETHEREUM, { to: ADA }],
    ['a name', 'ada.eth', ETHEREUM, { to: 'ada.eth' }],
    [
      'BIP-21 with an amount',
      `bitcoin:${BC}?amount=0.0015&label=Lunch`,
      BITCOIN,
      { to: BC, value: '0.0015' },
    ],
    [
      'BIP-321 with names in any case',
      `bitcoin:${BC}?AMOUNT=0.0015&Label=A?`,
      BITCOIN,
      { to: BC, value: '0.0015' },
    ],
    [
      'BIP-321 without an address before the parameters',
      `bitcoin:?bc=${BC}&amount=1.5`,
      BITCOIN,
      { to: BC, value: '1.5' },
    ],
    [
      'BIP-321 in upper case, for QR codes',
      `BITCOIN:?LIGHTNING=LNBC1&BC=${BC.toUpperCase()}`,
      BITCOIN,
      { to: BC },
    ],
    ['BIP-21 in upper case', `BITCOIN:${BC.toUpperCase()}`, BITCOIN, { to: BC }],
    ['ERC-681 in wei', `ethereum:${ADA}@1?value=2.014e18`, ETHEREUM, { to: ADA, value: '2.014' }],
    [
      'ERC-681 for a token',
      `ethereum:pay-${TOKEN}@1/transfer?address=${ADA}&uint256=1e6`,
      ETHEREUM,
      { to: ADA, token: TOKEN, raw: 1_000_000n },
    ],
    [
      'what this wallet’s own Receive asks for on GoChain',
      paymentUri(GOCHAIN, ADA, 2_014_000_000_000_000_000n),
      GOCHAIN,
      { to: ADA, value: '2.014' },
    ],
    [
      'a payment on Tron',
      'tron:TNPeeaaFB7K9cmo4uQpcU32zGK8G1NYqeL?amount=5',
      TRON,
      { to: 'TNPeeaaFB7K9cmo4uQpcU32zGK8G1NYqeL', value: '5' },
    ],
  ] as const)
    it(`of ${what} fills the form`, async () => {
      expect(await readCode(code, place)).to.deep.equal(payment);
    });

  for (const [what, code, place, reason] of [
    ['another chain', `bitcoin:${BC}`, ETHEREUM, 'This code is for Bitcoin. This wallet is on Ethereum.'],
    ['another chain’s bare address', BC, ETHEREUM, 'This code is for Bitcoin. This wallet is on Ethereum.'],
    [
      'Ethereum, in a GoChain wallet',
      `ethereum:${ADA}?value=1e18`,
      GOCHAIN,
      'This code is for Ethereum. This wallet is on GoChain.',
    ],
    [
      'another network',
      `ethereum:${ADA}@137`,
      ETHEREUM,
      'This code is for the network with chain ID 137. This wallet is on Ethereum.',
    ],
    [
      'another network where none is known',
      `ethereum:${ADA}@137`,
      { secretType: 'ETHEREUM', name: 'Ethereum' },
      'This code is for the network with chain ID 137. This wallet is on Ethereum.',
    ],
    [
      'a contract call',
      `ethereum:${TOKEN}@1/approve?address=${ADA}&uint256=1`,
      ETHEREUM,
      'This code asks for more than a payment.',
    ],
    [
      'what a BIP-21 wallet must know',
      `bitcoin:${BC}?req-somethingyoudontunderstand=50`,
      BITCOIN,
      'This code asks for more than a payment.',
    ],
    [
      'the same in upper case',
      `BITCOIN:${BC.toUpperCase()}?REQ-SOMETHING=50`,
      BITCOIN,
      'This code asks for more than a payment.',
    ],
    ['two amounts', `bitcoin:${BC}?amount=1&Amount=2`, BITCOIN, 'This code asks for more than a payment.'],
    ['two labels', `bitcoin:${BC}?label=a&label=b`, BITCOIN, 'This code asks for more than a payment.'],
    ['lightning alone', 'bitcoin:?lightning=lnbc1', BITCOIN, 'This code holds no Bitcoin address.'],
    ['two values', `ethereum:${ADA}?value=1e18&value=1`, ETHEREUM, 'This code asks for more than a payment.'],
    ['half a wei', `ethereum:${ADA}?value=1.5`, ETHEREUM, 'The amount in this code cannot be right.'],
    [
      'an amount that is none',
      `bitcoin:${BC}?amount=-1`,
      BITCOIN,
      'The amount in this code cannot be right.',
    ],
    ['a mistyped address', `bitcoin:${BC.slice(0, -1)}q`, BITCOIN, 'This code holds no Bitcoin address.'],
    ['a page', 'https://shop.example/pay', ETHEREUM, 'This code holds no address.'],
    ['a novel', 'x'.repeat(2000), ETHEREUM, 'This code holds no address.'],
  ] as const)
    it(`for ${what} is refused by name`, async () => {
      expect(await why(code, place)).to.equal(reason);
    });
});
