/** What the requests of every EVM chain accept and refuse, field by field. */
import type { EvmProfile } from '../../../../src/chains/evm/profile.ts';

const TO = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
export const TOKEN = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';
const TRON = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8';
const FOREIGN: [string, RegExp][] = [
  [TRON, /a Tron address/],
  ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', /a Bitcoin address/],
  ['ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9', /a Litecoin address/],
  ['ak_2a1j2Mk9YSmC1gioUq4PWRm3bsv887MbuRVwyv4KaUGoR1eiKi', /an Aeternity address/],
];

/** Changes to a valid request, and the resulting changes in the parsed one. */
export type Accepted = [change: object, answer: object];
/** Changes to a valid request, the path that the issue names, and its message. */
export type Refused = [change: object, path: string, message: RegExp];

const valid = ({ secretType, coinRequest, tokenRequest }: EvmProfile) => ({
  coin: { type: coinRequest, walletId: 'w-1', to: TO, value: 1 },
  token: {
    type: tokenRequest,
    walletId: 'w-1',
    to: TO,
    value: 1,
    tokenAddress: TOKEN,
  },
  TRANSFER: { type: 'TRANSFER', secretType, walletId: 'w-1', to: TO, value: 0.5 },
  GAS_TRANSFER: { type: 'GAS_TRANSFER', secretType, walletId: 'w-1', to: TO, value: 0.5 },
  TOKEN_TRANSFER: {
    type: 'TOKEN_TRANSFER',
    secretType,
    walletId: 'w-1',
    to: TO,
    value: 0.5,
    tokenAddress: TOKEN,
  },
  NFT_TRANSFER: {
    type: 'NFT_TRANSFER',
    secretType,
    walletId: 'w-1',
    to: TO,
    tokenAddress: TOKEN,
    tokenId: 7,
  },
  CONTRACT_EXECUTION: {
    type: 'CONTRACT_EXECUTION',
    secretType,
    walletId: 'w-1',
    to: TO,
    functionName: 'set',
    inputs: [{ type: 'uint256', value: '5' }],
  },
});
export type Kind = keyof ReturnType<typeof valid>;

const SLOT = `0x${'ab'.repeat(32)}`;

const gasFields = (least: bigint): Accepted[] => [
  [{ gas: 0 }, { gas: 0n }],
  [{ gas: '21000' }, { gas: 21000n }],
  [{ gas: null, gasPrice: null, nonce: null, network: null, pincode: null }, {}],
  [{ gasPrice: 3e12 }, { gasPrice: 3_000_000_000_000n }],
  [{ gasPrice: least }, { gasPrice: least }],
  ...(least > 1n
    ? []
    : ([
        [
          { maxFeePerGas: 9, maxPriorityFeePerGas: 0 },
          { maxFeePerGas: 9n, maxPriorityFeePerGas: 0n },
        ],
        [
          {
            accessList: [{ address: TO.toLowerCase(), storageKeys: [SLOT.toUpperCase().replace('X', 'x')] }],
          },
          { accessList: [{ address: TO, storageKeys: [SLOT] }] },
        ],
        [{ accessList: null, maxFeePerGas: null, maxPriorityFeePerGas: null }, {}],
      ] as Accepted[])),
  [{ nonce: 0 }, { nonce: 0 }],
  [{ nonce: '12' }, { nonce: 12 }],
];
const COMMON: Accepted[] = [
  [{ pincode: '1234' }, {}],
  [{ pincode: '123456' }, {}],
  [{ walletId: 'other' }, { walletId: 'other' }],
  [{ surplus: undefined }, {}],
];

const accepted = (least: bigint): Record<Kind, Accepted[]> => ({
  coin: [
    ...COMMON,
    ...gasFields(least),
    [{ value: 0 }, { value: 0n }],
    [{ value: 1e18 }, { value: 10n ** 18n }],
    [{ value: '123456789012345680000' }, { value: 123456789012345680000n }],
    [{ to: TO.toLowerCase() }, { to: TO }],
    [{ data: '0xABCD' }, { data: '0xabcd' }],
    [{ data: '' }, { data: '0x' }],
    [{ data: null }, {}],
    [
      { to: null, data: '0x60' },
      { to: undefined, data: '0x60' },
    ],
    [
      { to: undefined, data: '0x60' },
      { to: undefined, data: '0x60' },
    ],
  ],
  token: [...COMMON, ...gasFields(least), [{ value: '5' }, { value: 5n }]],
  TRANSFER: [
    ...COMMON,
    [{ value: '1.5' }, { value: '1.5' }],
    [{ value: 1e-7 }, { value: '0.0000001' }],
    [{ value: 3n }, { value: '3' }],
    [{ to: 'anna@example.com' }, { to: 'anna@example.com' }],
    [{ alias: 'Rent' }, { alias: 'Rent' }],
    [{ alias: null, data: null }, {}],
    [{ data: '0x01' }, { data: '0x01' }],
  ],
  GAS_TRANSFER: [...COMMON, [{ value: '0.1' }, { value: '0.1' }]],
  TOKEN_TRANSFER: [
    ...COMMON,
    [
      { tokenId: '340282366920938463463374607431768211456' },
      { tokenId: '340282366920938463463374607431768211456' },
    ],
    [{ tokenId: 7 }, { tokenId: '7' }],
    [{ data: '0x01' }, {}],
  ],
  NFT_TRANSFER: [...COMMON, [{ from: TOKEN }, { from: TOKEN }], [{ tokenId: '0' }, { tokenId: '0' }]],
  CONTRACT_EXECUTION: [
    ...COMMON,
    [{ value: 5 }, { value: 5n }],
    [{ inputs: [] }, { inputs: [] }],
    ...(
      [
        ['uint256[]', '["1","2"]'],
        ['uint256[2]', ['1', '2']],
        ['(address,bool)', `["${TO}","true"]`],
        ['(uint8,string)[]', [['1', 'a']]],
        ['bytes32', `0x${'00'.repeat(32)}`],
        ['bytes', '0x'],
        ['int8', '-128'],
        ['string', ''],
        ['bool', false],
      ] as [string, unknown][]
    ).map(([type, value]): Accepted => [{ inputs: [{ type, value }] }, { inputs: [{ type, value }] }]),
  ],
});

const BAD_COMMON: Refused[] = [
  [{ walletId: undefined }, 'walletId', /required/],
  [{ walletId: '' }, 'walletId', /required/],
  [{ walletId: 5 }, 'walletId', /text/],
  [{ walletId: 'w'.repeat(65) }, 'walletId', /64 characters/],
  [{ pincode: '123' }, 'pincode', /4 to 6 digits/],
  [{ pincode: '1234567' }, 'pincode', /4 to 6 digits/],
  [{ pincode: 1234 }, 'pincode', /4 to 6 digits/],
  [{ pincode: 'abcd' }, 'pincode', /4 to 6 digits/],
  [{ colour: 'red' }, 'colour', /not a field/],
];
const badAddress = (field: string): Refused[] => [
  [{ [field]: undefined }, field, /required/],
  [{ [field]: '' }, field, /required/],
  [{ [field]: 5 }, field, /address as text/],
  [{ [field]: ` ${TO}` }, field, /not an? (Ethereum|GoChain) address/],
  [{ [field]: '0x12' }, field, /has 2 hex digits/],
  [{ [field]: TO.slice(2) }, field, /begin with 0x/],
  [{ [field]: TO.replace('A', 'a') }, field, /checksum/],
  ...FOREIGN.map(([address, message]): Refused => [{ [field]: address }, field, message]),
];
const badSmallest = (field: string): Refused[] => [
  [{ [field]: -1 }, field, /negative/],
  [{ [field]: '-1' }, field, /negative/],
  [{ [field]: 1.5 }, field, /whole/],
  [{ [field]: Number.NaN }, field, /NaN/],
  [{ [field]: Number.POSITIVE_INFINITY }, field, /finite/],
  [{ [field]: '1e18' }, field, /exponent/],
  [{ [field]: '0x10' }, field, /decimal/],
  [{ [field]: {} }, field, /number/],
  [{ [field]: 123456789012345680000 }, field, /exact/],
  [{ [field]: true }, field, /number/],
  [{ [field]: [1] }, field, /number/],
];
const BAD_ON_GOCHAIN: Refused[] = [
  [{ maxFeePerGas: 1 }, 'maxFeePerGas', /not known to GoChain.*use gasPrice/],
  [{ maxPriorityFeePerGas: 1 }, 'maxPriorityFeePerGas', /not known to GoChain/],
  [{ accessList: [] }, 'accessList', /not known to GoChain/],
];
const BAD_PRICES: Refused[] = [
  ...badSmallest('maxFeePerGas'),
  ...badSmallest('maxPriorityFeePerGas'),
  [{ maxFeePerGas: 0 }, 'maxFeePerGas', /greater than 0/],
  [{ maxFeePerGas: 1.5 }, 'maxFeePerGas', /of wei: 1.5 gwei is 1500000000/],
  [{ maxFeePerGas: 1, maxPriorityFeePerGas: 2 }, 'maxPriorityFeePerGas', /not be more than maxFeePerGas/],
  [{ gasPrice: 1, maxFeePerGas: 2 }, 'gasPrice', /does not go with maxFeePerGas/],
  [{ gasPrice: 1, accessList: [] }, 'gasPrice', /does not go with accessList/],
  [{ accessList: [{ address: TO }] }, 'accessList.0.storageKeys', /list/],
  [{ accessList: [{ address: 'x', storageKeys: [] }] }, 'accessList.0.address', /not an Ethereum address/],
  [{ accessList: [{ address: TO, storageKeys: ['0x00'] }] }, 'accessList.0.storageKeys.0', /64 hex digits/],
];
const badGas = (least: bigint): Refused[] => [
  ...badSmallest('gas'),
  ...badSmallest('gasPrice'),
  ...badSmallest('nonce'),
  [{ gas: 20999 }, 'gas', /21000/],
  [{ gas: 10n ** 30n }, 'gas', /more gas/],
  [{ gasPrice: 0 }, 'gasPrice', /greater than 0/],
  ...(least > 1n ? [[{ gasPrice: least - 1n }, 'gasPrice', /at least 2000000000000 wei/] as Refused] : []),
  [{ gasPrice: 1n << 256n }, 'gasPrice', /256 bits/],
  ...(least > 1n ? BAD_ON_GOCHAIN : BAD_PRICES),
  [{ nonce: 2n ** 53n }, 'nonce', /too large/],
];
const BAD_VALUE: Refused[] = [
  ...badSmallest('value'),
  [{ value: undefined }, 'value', /required/],
  [{ value: null }, 'value', /number/],
  [{ value: 1n << 256n }, 'value', /256 bits/],
];
const BAD_DECIMAL: Refused[] = [
  [{ value: undefined }, 'value', /required/],
  [{ value: -0.1 }, 'value', /negative/],
  [{ value: '1,5' }, 'value', /decimal/],
  [{ value: '1e3' }, 'value', /exponent/],
  [{ value: Number.NaN }, 'value', /NaN/],
  [{ value: Number.POSITIVE_INFINITY }, 'value', /finite/],
  [{ value: {} }, 'value', /number/],
  [{ value: null }, 'value', /number/],
  [{ value: '9'.repeat(341) }, 'value', /too long/],
];
const BAD_COINS: Refused[] = [
  ...BAD_DECIMAL,
  [{ value: '0.1234567890123456789' }, 'value', /at most 18 digits after the point, has 19/],
  [{ value: 1e-19 }, 'value', /at most 18 digits/],
  [{ value: 10n ** 60n }, 'value', /256 bits/],
];
const BAD_DATA: Refused[] = [
  [{ data: 'abcd' }, 'data', /0x/],
  [{ data: '0xabc' }, 'data', /odd/],
  [{ data: '0xzz' }, 'data', /not hex/],
  [{ data: 5 }, 'data', /hex text/],
  [{ data: `0x${'00'.repeat(200_000)}` }, 'data', /longer/],
];
const BAD_BODY: Refused[] = [
  ...BAD_COMMON,
  [{ secretType: 'BITCOIN' }, 'secretType', /must be (ETHEREUM|GOCHAIN)/],
  [{ secretType: undefined }, 'secretType', /must be/],
  [{ secretType: 5 }, 'secretType', /must be/],
  [{ alias: 5 }, 'alias', /text/],
  [{ alias: 'a'.repeat(257) }, 'alias', /256 characters/],
  [{ gasPrice: 5 }, 'gasPrice', /not a field/],
  [{ gas: 21000 }, 'gas', /not a field/],
  [{ nonce: 1 }, 'nonce', /not a field/],
];

const badTokenId: Refused[] = [
  [{ tokenId: 1.5 }, 'tokenId', /exact|whole/],
  [{ tokenId: 2 ** 60 }, 'tokenId', /decimal string/],
  [{ tokenId: '-1' }, 'tokenId', /negative/],
  [{ tokenId: '7a' }, 'tokenId', /decimal/],
  [{ tokenId: {} }, 'tokenId', /number/],
  [{ tokenId: 1n << 256n }, 'tokenId', /256 bits/],
];

const refused = (least: bigint): Record<Kind, Refused[]> => ({
  coin: [
    ...BAD_COMMON,
    ...badGas(least),
    ...BAD_VALUE,
    ...BAD_DATA,
    ...badAddress('to').slice(2),
    [{ to: undefined }, 'to', /required.*contract creation/],
    [{ to: null }, 'to', /contract creation/],
    [{ to: null, data: '0x' }, 'to', /contract creation/],
    [{ to: '' }, 'to', /required/],
    [{ to: 'anna@example.com' }, 'to', /is an e-mail address/],
    [{ tokenAddress: TOKEN }, 'tokenAddress', /not a field/],
  ],
  token: [
    ...BAD_COMMON,
    ...badGas(least),
    ...BAD_VALUE,
    ...badAddress('to'),
    ...badAddress('tokenAddress'),
    [{ to: 'anna@example.com' }, 'to', /is an e-mail address/],
    [{ data: '0x00' }, 'data', /not a field/],
  ],
  TRANSFER: [
    ...BAD_BODY,
    ...BAD_COINS,
    ...BAD_DATA,
    ...badAddress('to'),
    [{ tokenAddress: TOKEN }, 'tokenAddress', /not a field/],
  ],
  GAS_TRANSFER: [...BAD_BODY, ...BAD_COINS, ...badAddress('to'), [{ data: '0x' }, 'data', /not a field/]],
  TOKEN_TRANSFER: [
    ...BAD_BODY,
    ...BAD_DECIMAL,
    ...badAddress('to'),
    ...badAddress('tokenAddress'),
    ...badTokenId,
  ],
  NFT_TRANSFER: [
    ...BAD_BODY,
    ...badAddress('to'),
    ...badAddress('tokenAddress'),
    ...badAddress('from').slice(1),
    ...badTokenId,
    [{ tokenId: undefined }, 'tokenId', /required/],
    [{ tokenId: null }, 'tokenId', /decimal string/],
    [{ value: 1 }, 'value', /not a field/],
  ],
  CONTRACT_EXECUTION: [
    ...BAD_BODY,
    ...badSmallest('value'),
    ...badAddress('to'),
    [{ functionName: '' }, 'functionName', /required/],
    [{ functionName: 'set(uint256)' }, 'functionName', /alone/],
    [{ functionName: undefined }, 'functionName', /required/],
    [{ functionName: 5 }, 'functionName', /text/],
    [{ functionName: 'f'.repeat(257) }, 'functionName', /256 characters/],
    [{ value: 1n << 256n }, 'value', /256 bits/],
    [{ data: '0x' }, 'data', /not a field/],
    [{ inputs: undefined }, 'inputs', /list/],
    [{ inputs: 'x' }, 'inputs', /list/],
    [{ inputs: Array(65).fill({ type: 'bool', value: true }) }, 'inputs', /64/],
    [{ inputs: [{ type: 'uint257', value: '1' }] }, 'inputs.0.type', /Solidity/],
    [{ inputs: [{ type: 'tuple', value: '1' }] }, 'inputs.0.type', /Solidity/],
    [{ inputs: [{ value: '1' }] }, 'inputs.0.type', /Solidity/],
    [{ inputs: [{ type: 'uint8', value: '256' }] }, 'inputs.0.value', /range/],
    [{ inputs: [{ type: 'uint8' }] }, 'inputs.0.value', /required/],
    [{ inputs: [{ type: 'uint256', value: '1.5' }] }, 'inputs.0.value', /decimal string/],
    [{ inputs: [{ type: 'address', value: TRON }] }, 'inputs.0.value', /Tron/],
    [{ inputs: [{ type: 'bool', value: 'yes' }] }, 'inputs.0.value', /true or false/],
    [{ inputs: [{ type: 'bytes4', value: '0x00' }] }, 'inputs.0.value', /4 bytes/],
    [{ inputs: [{ type: 'uint256[2]', value: '[1]' }] }, 'inputs.0.value', /2 items/],
    [{ inputs: [{ type: 'uint256[]', value: '1' }] }, 'inputs.0.value', /JSON list/],
    [{ inputs: [{ type: 'uint256', value: '1', name: 'x' }] }, 'inputs.0.name', /not a field/],
    [{ inputs: [5] }, 'inputs.0', /object/],
  ],
});

export interface Cases {
  valid: Record<Kind, { type: string } & Record<string, unknown>>;
  accepted: Record<Kind, Accepted[]>;
  refused: Record<Kind, Refused[]>;
}

export function casesOf(profile: EvmProfile): Cases {
  const least = profile.minGasPrice || 1n;
  return { valid: valid(profile), accepted: accepted(least), refused: refused(least) };
}
