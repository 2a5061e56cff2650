/** An approval of each chain, as its `describe` returns it. */
import type { Wallet } from '../../../src/api/wallet.ts';
import type { Amount } from '../../../src/chains/coin.ts';
import type { Part, Summary } from '../../../src/chains/approval/summary.ts';
import type { SecretType } from '../../../src/chains/secret-type.ts';
import { MAIN_WALLET } from './scene.ts';

export interface ChainScene {
  wallet: Wallet;
  summary: Summary;
  heading?: string;
}

const ADDRESSES: Record<SecretType, [own: string, other: string]> = {
  BITCOIN: ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2'],
  LITECOIN: [
    'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9',
    'ltc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qmu8tk5',
  ],
  ETHEREUM: ['0x71C7656EC7ab88b098defB751B7401B5f6d8976F', '0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063'],
  GOCHAIN: ['0x71C7656EC7ab88b098defB751B7401B5f6d8976F', '0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063'],
  VECHAIN: ['0x71C7656EC7ab88b098defB751B7401B5f6d8976F', '0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063'],
  TRON: ['TJRabPrwbZy45sbavfcjinPJC18kjpRTv8', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'],
  AETERNITY: [
    'ak_2swhLkgBPeeADxVTAVCJnZLY5NZtCFiM93JxsEaMuC59euuFRQ',
    'ak_fUq2NesPXcYZ1CcqBcGC3StpdnQw3iVxMA3YSeCNAwfN4myQk',
  ],
};
const TOKEN = '0x66a9893cC07D91D95644AEDD05D03f95e1dBA8Af';
const COINS: Record<SecretType, Pick<Amount, 'symbol' | 'decimals'>> = {
  BITCOIN: { symbol: 'BTC', decimals: 8 },
  LITECOIN: { symbol: 'LTC', decimals: 8 },
  ETHEREUM: { symbol: 'ETH', decimals: 18 },
  GOCHAIN: { symbol: 'GO', decimals: 18 },
  VECHAIN: { symbol: 'VET', decimals: 18 },
  TRON: { symbol: 'TRX', decimals: 6 },
  AETERNITY: { symbol: 'AE', decimals: 18 },
};

function walletOf(secretType: SecretType): Wallet {
  return { ...MAIN_WALLET, secretType, address: ADDRESSES[secretType][0] };
}

/** A transfer of `value` with a fee, plus what else a scene has. */
function scene(
  secretType: SecretType,
  networkName: string,
  value: bigint,
  fee: [expected: bigint, maximum: bigint],
  more: (coin: (raw: bigint) => Amount) => Partial<Summary> = () => ({}),
): ChainScene {
  const coin = (raw: bigint): Amount => ({ raw, ...COINS[secretType] });
  const [own, other] = ADDRESSES[secretType];
  return {
    wallet: walletOf(secretType),
    summary: {
      kind: 'transfer',
      networkName,
      amount: coin(value),
      from: own,
      to: other,
      fee: { expected: coin(fee[0]), maximum: coin(fee[1]) },
      total: coin(value + fee[1]),
      balance: coin(value * 5n),
      warnings: [],
      ...more(coin),
    },
  };
}

const VTHO = '0x0000000000000000000000000000456E65726779';
const vtho = (raw: bigint): Amount => ({ raw, symbol: 'VTHO', decimals: 18, token: VTHO });
const vthoFee = { expected: vtho(21n * 10n ** 16n), maximum: vtho(42n * 10n ** 16n) };
const vet = (raw: bigint): Amount => ({ raw, ...COINS.VECHAIN });
const [, MERCHANT] = ADDRESSES.VECHAIN;
const GAS = [
  { code: 'gas', value: '121000' },
  { code: 'gas-price', amount: vtho(10n ** 13n) },
  { code: 'expires', value: '2026-11-21T15:24:00.000Z' },
] as const;

const PAY: Part = { kind: 'transfer', amount: vet(25n * 10n ** 17n), to: MERCHANT };
const TIP: Part = {
  kind: 'transfer',
  amount: vtho(5n * 10n ** 18n),
  to: TOKEN,
  contract: VTHO,
};
const ALLOW: Part = {
  kind: 'approval',
  amount: { raw: 2n ** 256n - 1n, symbol: 'DEMO', decimals: 6, token: TOKEN },
  unlimited: true,
  to: MERCHANT,
  contract: TOKEN,
  call: {
    name: 'approve',
    data: `0x095ea7b3${'0'.repeat(128)}`,
    arguments: [{ name: 'spender', type: 'address', value: MERCHANT }],
  },
};

export const CHAIN_SCENES: Record<string, ChainScene> = {
  bitcoin: scene('BITCOIN', 'Bitcoin', 250_000n, [1_410n, 1_410n], (coin) => ({
    facts: [
      { code: 'fee-rate', value: '10 sat/vB' },
      { code: 'size', value: '141' },
      { code: 'inputs', value: '1' },
      { code: 'change', amount: coin(1_032_590n) },
    ],
  })),
  'bitcoin sweep': {
    ...scene('BITCOIN', 'Bitcoin', 98_100n, [1_900n, 1_900n], () => ({
      from: ADDRESSES.BITCOIN[1],
      to: ADDRESSES.BITCOIN[0],
      facts: [
        { code: 'fee-rate', value: '10 sat/vB' },
        { code: 'size', value: '190' },
        { code: 'inputs', value: '1' },
      ],
    })),
    heading: 'Move coins here',
  },
  'litecoin speed-up': {
    ...scene('LITECOIN', 'Litecoin', 250_000_000n, [4_230n, 4_230n], (coin) => ({
      facts: [
        { code: 'fee-rate', value: '20.04 sat/vB' },
        { code: 'size', value: '211' },
        { code: 'inputs', value: '2' },
        { code: 'change', amount: coin(31_000_000n) },
      ],
      warnings: [{ code: 'replaces-pending', level: 'caution' }],
    })),
    heading: 'Speed up transaction',
  },
  gochain: scene('GOCHAIN', 'GoChain', 10n ** 18n, [42n * 10n ** 15n, 42n * 10n ** 15n], () => ({
    chainId: 60,
  })),
  ethereum: scene('ETHEREUM', 'Ethereum', 25n * 10n ** 16n, [252n * 10n ** 12n, 42n * 10n ** 13n], () => ({
    chainId: 1,
  })),
  vechain: scene('VECHAIN', 'VeChain', 25n * 10n ** 17n, [0n, 0n], () => ({ fee: vthoFee, facts: [...GAS] })),
  'raw ethereum with an access list': scene('ETHEREUM', 'Ethereum', 0n, [0n, 0n], () => ({
    chainId: 1,
    facts: [
      { code: 'access-list', value: `${MERCHANT} 0x${'01'.repeat(32)} 0x${'02'.repeat(32)}` },
      { code: 'access-list', value: TOKEN },
    ],
  })),
  'raw vechain that waits': scene('VECHAIN', 'VeChain', 25n * 10n ** 17n, [0n, 0n], () => ({
    fee: vthoFee,
    facts: [{ code: 'depends-on', value: `0x${'7c'.repeat(32)}` }, ...GAS],
  })),
  'vechain token': scene('VECHAIN', 'VeChain', 0n, [0n, 0n], () => ({
    amount: TIP.amount,
    contract: VTHO,
    fee: vthoFee,
    facts: [...GAS],
    total: vtho(TIP.amount.raw + vthoFee.maximum.raw),
    balance: vtho(10n ** 19n),
  })),
  'vechain token clauses': scene('VECHAIN', 'VeChain', 0n, [0n, 0n], () => ({
    amount: vtho(2n * TIP.amount.raw),
    parts: [TIP, { ...TIP, to: MERCHANT }],
    fee: vthoFee,
    facts: [...GAS],
    total: vtho(2n * TIP.amount.raw + vthoFee.maximum.raw),
    balance: vtho(10n ** 20n),
  })),
  'vechain coins and tokens': scene('VECHAIN', 'VeChain', 0n, [0n, 0n], () => ({
    parts: [PAY, TIP],
    fee: vthoFee,
    facts: [...GAS],
    total: PAY.amount,
    balance: vet(10n ** 19n),
  })),
  'vechain clauses with a sum': scene('VECHAIN', 'VeChain', 75n * 10n ** 17n, [0n, 0n], () => ({
    fee: vthoFee,
    parts: [PAY, { ...PAY, to: TOKEN }, { ...PAY, to: '0x0F872421Dc479F3c11eDd89512731814D0598dB5' }],
    facts: [...GAS],
    warnings: [{ code: 'first-recipient', level: 'caution', params: { address: TOKEN } }],
  })),
  'vechain clauses that differ': scene('VECHAIN', 'VeChain', 0n, [0n, 0n], () => ({
    kind: 'call',
    amount: vet(0n),
    parts: [PAY, TIP, ALLOW],
    fee: { expected: vtho(0n), maximum: vtho(0n) },
    total: vet(25n * 10n ** 17n),
    balance: vet(10n ** 19n),
    facts: [{ code: 'sponsor', value: 'sponsor.vechain.energy' }, ...GAS],
    warnings: [
      {
        code: 'unlimited-approval',
        level: 'danger',
        tick: true,
        params: { token: ALLOW.amount.token!, spender: MERCHANT },
        amount: ALLOW.amount,
      },
      { code: 'will-fail', level: 'danger', params: { reason: 'not enough DEMO', clause: '3' } },
      { code: 'reported-address', level: 'danger', tick: true, params: { address: TOKEN } },
    ],
  })),
  tron: scene('TRON', 'Tron', 2_500_000n, [1_367_000n, 1_367_000n], (coin) => ({
    facts: [
      { code: 'memo', value: 'Order 4711\nThank you' },
      { code: 'bandwidth', value: '268', amount: coin(267_000n) },
      { code: 'activation', amount: coin(1_100_000n) },
      { code: 'expires', value: '2026-11-21T15:24:00.000Z' },
    ],
    warnings: [{ code: 'first-recipient', level: 'caution', params: {} }],
  })),
  'tron token': scene('TRON', 'Tron', 0n, [13_845_000n, 30_000_000n], (coin) => ({
    amount: { raw: 5_000_000n, symbol: 'USDT', decimals: 6, token: ADDRESSES.TRON[1] },
    to: 'TPL66VK2gCXNCD7EJg9pgJRfqcRazjhUZY',
    contract: ADDRESSES.TRON[1],
    balance: coin(90_000_000n),
    call: {
      name: 'transfer',
      data: `0xa9059cbb${'0'.repeat(128)}`,
      arguments: [{ name: 'to', type: 'address', value: 'TPL66VK2gCXNCD7EJg9pgJRfqcRazjhUZY' }],
    },
    facts: [
      { code: 'bandwidth', value: '345', amount: coin(0n) },
      { code: 'energy', value: '65000', amount: coin(13_500_000n) },
      { code: 'fee-limit', amount: coin(30_000_000n) },
      { code: 'expires', value: '2026-11-21T15:24:00.000Z' },
    ],
  })),
  aeternity: scene('AETERNITY', 'Aeternity', 3n * 10n ** 18n, [17n * 10n ** 12n, 17n * 10n ** 12n], () => ({
    facts: [
      // "gift" followed by a right-to-left override.
      { code: 'memo', value: '0x67696674e280ae21' },
      { code: 'expires', value: '1094210' },
    ],
  })),
};
