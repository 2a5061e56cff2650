import { expect } from '@open-wc/testing';
import fc from 'fast-check';
import { payloads } from '../../../../src/chains/ethereum/payload.ts';
import { RequestInvalidError } from '../../../../src/errors.ts';

const TO = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const TOKEN = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';
const TRON = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8';
const network = { name: 'Test', nodeUrl: 'https://node.example/', chainId: 5 };

const VALID = {
  ETH_TRANSACTION: { type: 'ETH_TRANSACTION', walletId: 'w-1', to: TO, value: 1 },
  ETHEREUM_ERC20_TRANSACTION: {
    type: 'ETHEREUM_ERC20_TRANSACTION',
    walletId: 'w-1',
    to: TO,
    value: 1,
    tokenAddress: TOKEN,
  },
  TRANSFER: { type: 'TRANSFER', secretType: 'ETHEREUM', walletId: 'w-1', to: TO, value: 0.5 },
  GAS_TRANSFER: { type: 'GAS_TRANSFER', secretType: 'ETHEREUM', walletId: 'w-1', to: TO, value: 0.5 },
  TOKEN_TRANSFER: {
    type: 'TOKEN_TRANSFER',
    secretType: 'ETHEREUM',
    walletId: 'w-1',
    to: TO,
    value: 0.5,
    tokenAddress: TOKEN,
  },
  NFT_TRANSFER: {
    type: 'NFT_TRANSFER',
    secretType: 'ETHEREUM',
    walletId: 'w-1',
    to: TO,
    tokenAddress: TOKEN,
    tokenId: 7,
  },
  CONTRACT_EXECUTION: {
    type: 'CONTRACT_EXECUTION',
    secretType: 'ETHEREUM',
    walletId: 'w-1',
    to: TO,
    functionName: 'set',
    inputs: [{ type: 'uint256', value: '5' }],
  },
} as const;
type Type = keyof typeof VALID;

const GAS_FIELDS: [object, object][] = [
  [{ gas: 0 }, { gas: 0n }],
  [{ gas: '21000' }, { gas: 21000n }],
  [{ gas: null, gasPrice: null, nonce: null, network: null, pincode: null }, {}],
  [{ gasPrice: 1e9 }, { gasPrice: 1_000_000_000n }],
  [{ gasPrice: 1n }, { gasPrice: 1n }],
  [{ nonce: 0 }, { nonce: 0 }],
  [{ nonce: '12' }, { nonce: 12 }],
];
const NETWORKS: [object, object][] = [
  [{ network }, { network }],
  [
    { network: { ...network, chainId: null } },
    { network: { name: 'Test', nodeUrl: 'https://node.example/', chainId: undefined } },
  ],
];
const COMMON: [object, object][] = [
  [{ pincode: '1234' }, {}],
  [{ pincode: '123456' }, {}],
  [{ walletId: 'other' }, { walletId: 'other' }],
  [{ surplus: undefined }, {}],
];

/** Changes to a valid request, and what they change in the answer. */
const ACCEPTED: Record<Type, [object, object][]> = {
  ETH_TRANSACTION: [
    ...COMMON,
    ...GAS_FIELDS,
    ...NETWORKS,
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
  ETHEREUM_ERC20_TRANSACTION: [...COMMON, ...GAS_FIELDS, ...NETWORKS, [{ value: '5' }, { value: 5n }]],
  TRANSFER: [
    ...COMMON,
    ...NETWORKS,
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
    ).map(([type, value]): [object, object] => [
      { inputs: [{ type, value }] },
      { inputs: [{ type, value }] },
    ]),
  ],
};

const BAD_COMMON: [object, string, RegExp][] = [
  [{ walletId: undefined }, 'walletId', /required/],
  [{ walletId: '' }, 'walletId', /required/],
  [{ walletId: 5 }, 'walletId', /text/],
  [{ pincode: '123' }, 'pincode', /4 to 6 digits/],
  [{ pincode: '1234567' }, 'pincode', /4 to 6 digits/],
  [{ pincode: 1234 }, 'pincode', /4 to 6 digits/],
  [{ pincode: 'abcd' }, 'pincode', /4 to 6 digits/],
  [{ colour: 'red' }, 'colour', /not a field/],
  [{ network: 'mainnet' }, 'network', /object/],
  [{ network: { ...network, name: '' } }, 'network.name', /required/],
  [{ network: { name: 'x' } }, 'network.nodeUrl', /required/],
  [{ network: { ...network, nodeUrl: 'ftp://x' } }, 'network.nodeUrl', /http/],
  [{ network: { ...network, nodeUrl: 'https://a:b@x' } }, 'network.nodeUrl', /password/],
  [{ network: { ...network, chainId: -1 } }, 'network.chainId', /negative/],
  [{ network: { ...network, chainId: 0 } }, 'network.chainId', /chain id/],
  [{ network: { ...network, chainId: 1.5 } }, 'network.chainId', /whole/],
  [{ network: { ...network, kind: 'x' } }, 'network.kind', /not a field/],
];
const badAddress = (field: string): [object, string, RegExp][] => [
  [{ [field]: undefined }, field, /required/],
  [{ [field]: '' }, field, /required/],
  [{ [field]: 5 }, field, /address as text/],
  [{ [field]: '0x12' }, field, /has 2 hex digits/],
  [{ [field]: TO.slice(2) }, field, /begin with 0x/],
  [{ [field]: TO.replace('A', 'a') }, field, /checksum/],
  [{ [field]: TRON }, field, /Tron address/],
];
const badSmallest = (field: string): [object, string, RegExp][] => [
  [{ [field]: -1 }, field, /negative/],
  [{ [field]: '-1' }, field, /negative/],
  [{ [field]: 1.5 }, field, /whole/],
  [{ [field]: Number.NaN }, field, /NaN/],
  [{ [field]: Number.POSITIVE_INFINITY }, field, /finite/],
  [{ [field]: '1e18' }, field, /exponent/],
  [{ [field]: '0x10' }, field, /decimal/],
  [{ [field]: {} }, field, /number/],
  [{ [field]: 123456789012345680000 }, field, /exact/],
];
const BAD_GAS: [object, string, RegExp][] = [
  ...badSmallest('gas'),
  ...badSmallest('gasPrice'),
  ...badSmallest('nonce'),
  [{ gas: 20999 }, 'gas', /21000/],
  [{ gas: 10n ** 30n }, 'gas', /more gas/],
  [{ gasPrice: 0 }, 'gasPrice', /greater than 0/],
  [{ gasPrice: 1n << 256n }, 'gasPrice', /256 bits/],
  [{ nonce: 2n ** 53n }, 'nonce', /too large/],
];
const BAD_VALUE: [object, string, RegExp][] = [
  ...badSmallest('value'),
  [{ value: undefined }, 'value', /required/],
  [{ value: null }, 'value', /number/],
  [{ value: 1n << 256n }, 'value', /256 bits/],
];
const BAD_DECIMAL: [object, string, RegExp][] = [
  [{ value: undefined }, 'value', /required/],
  [{ value: -0.1 }, 'value', /negative/],
  [{ value: '1,5' }, 'value', /decimal/],
  [{ value: '1e3' }, 'value', /exponent/],
  [{ value: Number.NaN }, 'value', /NaN/],
];
const BAD_DATA: [object, string, RegExp][] = [
  [{ data: 'abcd' }, 'data', /0x/],
  [{ data: '0xabc' }, 'data', /odd/],
  [{ data: '0xzz' }, 'data', /not hex/],
  [{ data: 5 }, 'data', /hex text/],
  [{ data: `0x${'00'.repeat(200_000)}` }, 'data', /longer/],
];
const BAD_BODY: [object, string, RegExp][] = [
  ...BAD_COMMON,
  [{ secretType: 'BITCOIN' }, 'secretType', /ETHEREUM/],
  [{ secretType: undefined }, 'secretType', /ETHEREUM/],
  [{ gasPrice: 5 }, 'gasPrice', /not a field/],
];

/** Changes to a valid request, the path that is named, and the message. */
const REFUSED: Record<Type, [object, string, RegExp][]> = {
  ETH_TRANSACTION: [
    ...BAD_COMMON,
    ...BAD_GAS,
    ...BAD_VALUE,
    ...BAD_DATA,
    ...badAddress('to').slice(2),
    [{ to: undefined }, 'to', /required.*contract creation/],
    [{ to: null }, 'to', /contract creation/],
    [{ to: null, data: '0x' }, 'to', /contract creation/],
    [{ to: '' }, 'to', /required/],
    [{ to: 'anna@example.com' }, 'to', /not an Ethereum address/],
    [{ tokenAddress: TOKEN }, 'tokenAddress', /not a field/],
  ],
  ETHEREUM_ERC20_TRANSACTION: [
    ...BAD_COMMON,
    ...BAD_GAS,
    ...BAD_VALUE,
    ...badAddress('to'),
    ...badAddress('tokenAddress'),
    [{ data: '0x00' }, 'data', /not a field/],
  ],
  TRANSFER: [
    ...BAD_BODY,
    ...BAD_DECIMAL,
    ...BAD_DATA,
    ...badAddress('to'),
    [{ alias: 5 }, 'alias', /text/],
    [{ tokenAddress: TOKEN }, 'tokenAddress', /not a field/],
  ],
  GAS_TRANSFER: [...BAD_BODY, ...BAD_DECIMAL, ...badAddress('to'), [{ data: '0x' }, 'data', /not a field/]],
  TOKEN_TRANSFER: [
    ...BAD_BODY,
    ...BAD_DECIMAL,
    ...badAddress('to'),
    ...badAddress('tokenAddress'),
    [{ tokenId: 1.5 }, 'tokenId', /exact|whole/],
    [{ tokenId: 2 ** 60 }, 'tokenId', /decimal string/],
  ],
  NFT_TRANSFER: [
    ...BAD_BODY,
    ...badAddress('to'),
    ...badAddress('tokenAddress'),
    ...badAddress('from').slice(1),
    [{ tokenId: undefined }, 'tokenId', /required/],
    [{ tokenId: 2 ** 60 }, 'tokenId', /decimal string/],
    [{ tokenId: '-1' }, 'tokenId', /negative/],
    [{ value: 1 }, 'value', /not a field/],
  ],
  CONTRACT_EXECUTION: [
    ...BAD_BODY,
    ...badSmallest('value'),
    ...badAddress('to'),
    [{ functionName: '' }, 'functionName', /required/],
    [{ functionName: 'set(uint256)' }, 'functionName', /alone/],
    [{ functionName: undefined }, 'functionName', /required/],
    [{ inputs: undefined }, 'inputs', /list/],
    [{ inputs: 'x' }, 'inputs', /list/],
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
};

function issuesOf(
  request: unknown,
  parse: (request: unknown) => unknown = payloads.parse,
): { path: string; message: string }[] {
  try {
    parse(request);
  } catch (error) {
    expect(error, String(error)).to.be.instanceOf(RequestInvalidError);
    return (error as RequestInvalidError).issues;
  }
  throw new Error('was not refused');
}

const show = (value: unknown) =>
  JSON.stringify(value, (_, v) =>
    typeof v === 'bigint'
      ? `${v}n`
      : typeof v === 'number' && !Number.isFinite(v)
        ? String(v)
        : v === undefined
          ? 'undefined'
          : v,
  )?.slice(0, 90);

describe('Ethereum payloads', () => {
  for (const type of Object.keys(VALID) as Type[]) {
    describe(type, () => {
      const base = payloads.parse(VALID[type]);
      for (const [change, expected] of ACCEPTED[type])
        it(`takes ${show(change)}`, () => {
          const clean = payloads.parse({ ...VALID[type], ...change });
          const wanted = Object.fromEntries(
            Object.entries({ ...base, ...expected }).filter(([, v]) => v !== undefined),
          );
          expect(clean).to.deep.equal(wanted);
          expect(payloads.parse(clean), 'parsing twice changes nothing').to.deep.equal(clean);
        });
      for (const [change, path, message] of REFUSED[type])
        it(`refuses ${show(change)}`, () => {
          const issues = issuesOf({ ...VALID[type], ...change });
          expect(issues.map((i) => i.path)).to.deep.equal([path]);
          expect(issues[0]!.message).to.match(message);
        });
    });
  }

  it('names every bad field at once', () => {
    const issues = issuesOf({ type: 'ETH_TRANSACTION', walletId: '', to: 'x', value: -1, gas: 1.5, more: 1 });
    expect(issues.map((i) => i.path).sort()).to.deep.equal(['gas', 'more', 'to', 'value', 'walletId']);
  });

  it('refuses what is no request of this chain', () => {
    for (const value of [
      undefined,
      null,
      5,
      'ETH_TRANSACTION',
      [],
      {},
      { type: 'BTC_TRANSACTION' },
      { type: 'constructor' },
    ])
      expect(['type', '']).to.include(issuesOf(value)[0]!.path);
  });

  it('turns the transfer action into the body it means', () => {
    const { type: _, ...transfer } = VALID.TRANSFER;
    expect(payloads.parseTransfer(transfer).type).to.equal('TRANSFER');
    expect(payloads.parseTransfer({ ...transfer, tokenAddress: null }).type).to.equal('TRANSFER');
    expect(payloads.parseTransfer({ ...transfer, tokenAddress: TOKEN, data: '0x12' }).type).to.equal(
      'TOKEN_TRANSFER',
    );
    expect(issuesOf({ ...transfer, value: '-1' }, payloads.parseTransfer)[0]!.path).to.equal('value');
  });

  it('answers a request or request.invalid for any input at all', () => {
    const types = fc.constantFrom(...Object.keys(VALID));
    fc.assert(
      fc.property(
        types,
        fc.dictionary(
          fc.constantFrom(
            'walletId',
            'to',
            'value',
            'data',
            'gas',
            'nonce',
            'network',
            'inputs',
            'tokenId',
            '__proto__',
          ),
          fc.anything(),
        ),
        (type, change) => {
          try {
            payloads.parse({ ...VALID[type as Type], ...change, type });
          } catch (error) {
            expect(error).to.be.instanceOf(RequestInvalidError);
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  describe('signatures', () => {
    const raw = { type: 'ETHEREUM_RAW', walletId: 'w', data: '0x616263' };
    it('prefix and hash default to true', () => {
      expect(payloads.parseSigning(raw)).to.deep.equal({ ...raw, prefix: true, hash: true });
      expect(payloads.parseSigning({ ...raw, prefix: false, hash: null, pincode: '1234' })).to.deep.equal({
        ...raw,
        prefix: false,
        hash: true,
      });
    });
    for (const [change, path, message] of [
      [{ data: undefined }, 'data', /required/],
      [{ data: 'abc' }, 'data', /0x/],
      [{ data: '0xabc' }, 'data', /odd/],
      [{ prefix: 'yes' }, 'prefix', /true or false/],
      [{ hash: 1 }, 'hash', /true or false/],
      [{ walletId: undefined }, 'walletId', /required/],
      [{ pincode: '1' }, 'pincode', /4 to 6/],
      [{ extra: 1 }, 'extra', /not a field/],
      [{ type: 'VECHAIN_TRANSACTION' }, 'type', /one of/],
      [{ prefix: false, hash: false }, 'data', /32 bytes.*has 3/],
      [{ type: 'ETHEREUM_TRANSACTION', prefix: false, hash: false }, 'hash', /must be true/],
    ] as [object, string, RegExp][])
      it(`refuses ${show(change)}`, () => {
        const issues = issuesOf({ ...raw, ...change }, payloads.parseSigning);
        expect(issues.map((i) => i.path)).to.deep.equal([path]);
        expect(issues[0]!.message).to.match(message);
      });
  });
});
