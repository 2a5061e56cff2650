import { expect } from '@open-wc/testing';
import fc from 'fast-check';
import { payloads } from '../../../../src/chains/vechain/payload.ts';
import { ConnectError, RequestInvalidError } from '../../../../src/base/errors.ts';
import { issuesOf, textOf, titleOf } from '../payload-issues.ts';

const TO = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const TOKEN = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';
const REF = '0x00000000aabbccdd';

const base = { walletId: 'w-1' };
const body = { ...base, secretType: 'VECHAIN', to: TO, value: 0.5 };
const VALID = {
  VET_TRANSACTION: { ...base, clauses: [{ to: TO, amount: 1 }] },
  VTHO_TRANSACTION: { ...base, clauses: [{ to: TO, amount: 1 }] },
  VECHAIN_VIP180_TRANSACTION: { ...base, clauses: [{ to: TO, amount: 1, tokenAddress: TOKEN }] },
  TRANSFER: body,
  GAS_TRANSFER: body,
  TOKEN_TRANSFER: { ...body, tokenAddress: TOKEN },
  CONTRACT_EXECUTION: {
    ...base,
    secretType: 'VECHAIN',
    to: TO,
    functionName: 'set',
    inputs: [{ type: 'uint256', value: '5' }],
  },
} as const;
type Type = keyof typeof VALID;
const TYPES = Object.keys(VALID) as Type[];

/** Changes to a valid request, and the resulting changes in the parsed one. */
type Accepted = [change: object, answer: object];
/** Changes to a valid request, the path that the issue names, and its message. */
type Refused = [change: object, path: string, message: RegExp];

const clauseOf = (type: Type) => (VALID[type] as { clauses: readonly object[] }).clauses[0]!;
/** Changes to the only clause. */
const inClause = (type: Type, cases: Refused[]): Refused[] =>
  cases.map(([change, path, message]) => [
    { clauses: [{ ...clauseOf(type), ...change }] },
    `clauses.0.${path}`,
    message,
  ]);

const COMMON: Accepted[] = [
  [{ pincode: '1234' }, {}],
  [{ pincode: null, network: null }, {}],
  [{ walletId: 'other' }, { walletId: 'other' }],
  [{ surplus: undefined }, {}],
];
const NATIVE: Accepted[] = [
  ...COMMON,
  [{ blockRef: null, chainTag: null, expiration: null, gas: null, gasPriceCoef: null, nonce: null }, {}],
  [{ blockRef: REF.toUpperCase().replace('X', 'x') }, { blockRef: REF }],
  [{ chainTag: 74 }, { chainTag: 74 }],
  [{ chainTag: '0x4a' }, { chainTag: 74 }],
  [{ chainTag: '255' }, { chainTag: 255 }],
  [{ expiration: 0 }, { expiration: 0 }],
  [{ expiration: 4_294_967_295 }, { expiration: 4_294_967_295 }],
  [{ gas: 21_000 }, { gas: 21_000n }],
  [{ gas: '1' }, { gas: 1n }],
  [{ gasPriceCoef: 0 }, { gasPriceCoef: 0 }],
  [{ gasPriceCoef: 255 }, { gasPriceCoef: 255 }],
  [{ nonce: '0' }, { nonce: '0x0' }],
  [{ nonce: '12345678' }, { nonce: '0xbc614e' }],
  [{ nonce: '0x00FF' }, { nonce: '0xff' }],
  [{ nonce: '18446744073709551615' }, { nonce: '0xffffffffffffffff' }],
];
const amounts = (type: Type): Accepted[] =>
  (
    [
      [{ amount: 0 }, { amount: 0n }],
      [{ amount: 1e18 }, { amount: 10n ** 18n }],
      [{ amount: '123456789012345680000' }, { amount: 123456789012345680000n }],
      [{ to: TO.toLowerCase() }, {}],
    ] as Accepted[]
  ).map(([change, answer]) => [
    { clauses: [clauseOf(type), { ...clauseOf(type), ...change }] },
    {
      clauses: [
        { ...clauseOf(type), amount: 1n },
        { ...clauseOf(type), amount: 1n, ...answer },
      ],
    },
  ]);
const data = (given: unknown, answer?: string): Accepted => [
  { clauses: [{ to: TO, amount: 1, data: given }] },
  { clauses: [{ to: TO, amount: 1n, ...(answer && { data: answer }) }] },
];

const ACCEPTED: Record<Type, Accepted[]> = {
  VET_TRANSACTION: [
    ...NATIVE,
    ...amounts('VET_TRANSACTION'),
    data('0xABCD', '0xabcd'),
    data('', '0x'),
    data(null),
  ],
  VTHO_TRANSACTION: [...NATIVE, ...amounts('VTHO_TRANSACTION')],
  VECHAIN_VIP180_TRANSACTION: [...NATIVE, ...amounts('VECHAIN_VIP180_TRANSACTION')],
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
  TOKEN_TRANSFER: [...COMMON, [{ data: '0x01' }, {}], [{ tokenId: null }, {}]],
  CONTRACT_EXECUTION: [
    ...COMMON,
    [{ value: 5 }, { value: 5n }],
    [{ inputs: [] }, { inputs: [] }],
    [
      { inputs: [{ type: 'address[]', value: `["${TO}"]` }] },
      { inputs: [{ type: 'address[]', value: `["${TO}"]` }] },
    ],
  ],
};

const FOREIGN: [string, RegExp][] = [
  ['TJRabPrwbZy45sbavfcjinPJC18kjpRTv8', /is a Tron address, not a VeChain one/],
  ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', /a Bitcoin address/],
  ['ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9', /a Litecoin address/],
  ['ak_2a1j2Mk9YSmC1gioUq4PWRm3bsv887MbuRVwyv4KaUGoR1eiKi', /an Aeternity address/],
];
const badAddress = (name: string): Refused[] => [
  [{ [name]: undefined }, name, /required/],
  [{ [name]: null }, name, /required/],
  [{ [name]: '' }, name, /required/],
  [{ [name]: 5 }, name, /address as text/],
  [{ [name]: '0x12' }, name, /has 2 hex digits/],
  [{ [name]: TO.slice(2) }, name, /begin with 0x/],
  [{ [name]: TO.replace('A', 'a') }, name, /checksum/],
  ...FOREIGN.map(([address, message]): Refused => [{ [name]: address }, name, message]),
];
const badNumber = (name: string): Refused[] => [
  [{ [name]: -1 }, name, /negative/],
  [{ [name]: '-1' }, name, /negative/],
  [{ [name]: 1.5 }, name, /whole/],
  [{ [name]: Number.NaN }, name, /NaN/],
  [{ [name]: Number.POSITIVE_INFINITY }, name, /finite/],
  [{ [name]: '1e18' }, name, /exponent/],
  [{ [name]: {} }, name, /number/],
  [{ [name]: true }, name, /number/],
];
const badAmount = (name: string): Refused[] => [
  ...badNumber(name),
  [{ [name]: undefined }, name, /required/],
  [{ [name]: null }, name, /number/],
  [{ [name]: '0x10' }, name, /decimal/],
  [{ [name]: 123456789012345680000 }, name, /exact/],
  [{ [name]: 1n << 256n }, name, /256 bits/],
];
const BAD_DATA: Refused[] = [
  [{ data: 'abcd' }, 'data', /0x/],
  [{ data: '0xabc' }, 'data', /odd/],
  [{ data: '0xzz' }, 'data', /not hex/],
  [{ data: 5 }, 'data', /hex text/],
  [{ data: `0x${'00'.repeat(200_000)}` }, 'data', /longer/],
];
const BAD_COMMON: Refused[] = [
  [{ walletId: undefined }, 'walletId', /required/],
  [{ walletId: '' }, 'walletId', /required/],
  [{ walletId: 5 }, 'walletId', /text/],
  [{ walletId: 'w'.repeat(65) }, 'walletId', /64 characters/],
  [{ pincode: '123' }, 'pincode', /4 to 6 digits/],
  [{ pincode: 1234 }, 'pincode', /4 to 6 digits/],
  [{ network: { name: 'n', nodeUrl: 'https://node.example/' } }, 'network', /only supported for Ethereum/],
  [{ colour: 'red' }, 'colour', /not a field/],
];
const badNative = (type: Type): Refused[] => [
  ...BAD_COMMON,
  [{ blockRef: '0x' }, 'blockRef', /8 bytes/],
  [{ blockRef: '0xfee1dead' }, 'blockRef', /16 hex digits, has 8/],
  [{ blockRef: `${REF}00` }, 'blockRef', /has 18/],
  [{ blockRef: 5 }, 'blockRef', /hex text/],
  [{ blockRef: REF.slice(2) }, 'blockRef', /0x/],
  ...badNumber('chainTag'),
  [{ chainTag: 256 }, 'chainTag', /255/],
  [{ chainTag: '0x4a4a' }, 'chainTag', /decimal/],
  ...badNumber('expiration'),
  [{ expiration: 4_294_967_296 }, 'expiration', /32 bits/],
  ...badNumber('gas'),
  [{ gas: 0 }, 'gas', /greater than 0/],
  [{ gas: 16_777_217 }, 'gas', /16777216/],
  ...badNumber('gasPriceCoef'),
  [{ gasPriceCoef: 256 }, 'gasPriceCoef', /255/],
  ...badNumber('nonce'),
  [{ nonce: '0x10000000000000000' }, 'nonce', /8 bytes/],
  [{ nonce: '18446744073709551616' }, 'nonce', /8 bytes/],
  [{ nonce: '0x' }, 'nonce', /decimal/],
  [{ clauses: undefined }, 'clauses', /must be a list/],
  [{ clauses: null }, 'clauses', /must be a list/],
  [{ clauses: {} }, 'clauses', /must be a list/],
  [{ clauses: [] }, 'clauses', /at least one/],
  [{ clauses: Array.from({ length: 501 }, () => clauseOf(type)) }, 'clauses', /at most 500/],
  [{ clauses: [null] }, 'clauses.0', /an object/],
  [{ clauses: [clauseOf(type), { ...clauseOf(type), to: 'x' }] }, 'clauses.1.to', /VeChain address/],
  ...inClause(type, [...badAddress('to'), ...badAmount('amount'), [{ value: 1 }, 'value', /not a field/]]),
];
const BAD_DECIMAL: Refused[] = [
  [{ value: undefined }, 'value', /required/],
  [{ value: -0.1 }, 'value', /negative/],
  [{ value: '1,5' }, 'value', /decimal/],
  [{ value: '1e3' }, 'value', /exponent/],
  [{ value: Number.NaN }, 'value', /NaN/],
  [{ value: null }, 'value', /number/],
  [{ value: '9'.repeat(341) }, 'value', /too long/],
];
const BAD_COINS: Refused[] = [
  ...BAD_DECIMAL,
  [{ value: '0.1234567890123456789' }, 'value', /at most 18 digits after the point, has 19/],
  [{ value: 10n ** 60n }, 'value', /256 bits/],
];
const BAD_BODY: Refused[] = [
  ...BAD_COMMON,
  ...badAddress('to'),
  [{ secretType: 'ETHEREUM' }, 'secretType', /VECHAIN/],
  [{ secretType: undefined }, 'secretType', /VECHAIN/],
  [{ alias: 5 }, 'alias', /text/],
  [{ alias: 'a'.repeat(257) }, 'alias', /256/],
];

const REFUSED: Record<Type, Refused[]> = {
  VET_TRANSACTION: [
    ...badNative('VET_TRANSACTION'),
    ...inClause('VET_TRANSACTION', [...BAD_DATA, [{ tokenAddress: TOKEN }, 'tokenAddress', /not a field/]]),
  ],
  VTHO_TRANSACTION: [
    ...badNative('VTHO_TRANSACTION'),
    ...inClause('VTHO_TRANSACTION', [[{ data: '0x01' }, 'data', /not a field/]]),
  ],
  VECHAIN_VIP180_TRANSACTION: [
    ...badNative('VECHAIN_VIP180_TRANSACTION'),
    ...inClause('VECHAIN_VIP180_TRANSACTION', [
      ...badAddress('tokenAddress'),
      [{ data: '0x01' }, 'data', /not a field/],
    ]),
  ],
  TRANSFER: [
    ...BAD_BODY,
    ...BAD_COINS,
    ...BAD_DATA,
    [{ tokenAddress: TOKEN }, 'tokenAddress', /not a field/],
  ],
  GAS_TRANSFER: [...BAD_BODY, ...BAD_COINS, [{ data: '0x01' }, 'data', /not a field/]],
  TOKEN_TRANSFER: [
    ...BAD_BODY,
    ...BAD_DECIMAL,
    ...badAddress('tokenAddress'),
    [{ tokenId: 7 }, 'tokenId', /ERC-1155/],
  ],
  CONTRACT_EXECUTION: [
    ...BAD_BODY,
    [{ to: 'anna@example.com' }, 'to', /is an e-mail address/],
    ...badAmount('value').filter(([change]) => Object.values(change)[0] != null),
    [{ functionName: undefined }, 'functionName', /required/],
    [{ functionName: 'set(uint256)' }, 'functionName', /name of a function alone/],
    [{ inputs: undefined }, 'inputs', /must be a list/],
    [{ inputs: [{ type: 'uint257', value: '1' }] }, 'inputs.0.type', /Solidity type/],
    [{ inputs: [{ type: 'uint8', value: '256' }] }, 'inputs.0.value', /out of range/],
    [{ inputs: [{ type: 'uint8' }] }, 'inputs.0.value', /required/],
    [{ inputs: [{ type: 'address', value: FOREIGN[0]![0] }] }, 'inputs.0.value', /a Tron address/],
    [{ inputs: [{ type: 'uint8', value: '1', name: 'x' }] }, 'inputs.0.name', /not a field/],
  ],
};

describe('VeChain requests', () => {
  for (const type of TYPES)
    describe(type, () => {
      const plain = payloads.parse({ type, ...VALID[type] });
      for (const [change, answer] of ACCEPTED[type])
        it(`takes ${titleOf(change)}`, () => {
          const clean = payloads.parse({ type, ...VALID[type], ...change });
          expect(textOf(clean)).to.equal(textOf({ ...plain, ...answer }));
          expect(textOf(payloads.parse(clean)), 'parsing twice changes nothing').to.equal(textOf(clean));
        });
      for (const [change, path, message] of REFUSED[type])
        it(`refuses ${titleOf(change)}`, () => {
          const issues = issuesOf({ type, ...VALID[type], ...change }, payloads.parse);
          expect(issues.map((i) => i.path)).to.deep.equal([path]);
          expect(issues[0]!.message).to.match(message);
        });
    });

  it('names every bad field at once', () => {
    const issues = issuesOf(
      { type: 'VET_TRANSACTION', walletId: '', gas: 1.5, more: 1, clauses: [{ to: 'x', amount: -1 }] },
      payloads.parse,
    );
    expect(issues.map((i) => i.path).sort()).to.deep.equal([
      'clauses.0.amount',
      'clauses.0.to',
      'gas',
      'more',
      'walletId',
    ]);
  });

  it('refuses anything that is not a request of this chain', () => {
    for (const value of [undefined, null, 5, [], {}, { type: 'ETH_TRANSACTION' }, { type: 'constructor' }])
      expect(['type', '']).to.include(issuesOf(value, payloads.parse)[0]!.path);
  });

  it('does not move NFTs', () => {
    const request = { type: 'NFT_TRANSFER', ...body, tokenAddress: TOKEN, tokenId: 7 };
    expect(() => payloads.parse(request))
      .to.throw(ConnectError)
      .with.property('code', 'chain.not-supported');
  });

  it('turns the transfer action into the body it means', () => {
    expect(payloads.parseTransfer(body).type).to.equal('TRANSFER');
    expect(payloads.parseTransfer({ ...body, tokenAddress: null }).type).to.equal('TRANSFER');
    expect(payloads.parseTransfer({ ...body, tokenAddress: TOKEN, data: '0x12' }).type).to.equal(
      'TOKEN_TRANSFER',
    );
  });

  it('answers a request or request.invalid for any input at all', () => {
    const fields = [
      'walletId',
      'to',
      'value',
      'blockRef',
      'chainTag',
      'gas',
      'nonce',
      'clauses',
      'inputs',
      '__proto__',
    ];
    fc.assert(
      fc.property(
        fc.constantFrom(...TYPES),
        fc.dictionary(fc.constantFrom(...fields), fc.anything()),
        (type, change) => {
          try {
            payloads.parse({ ...VALID[type], ...change, type });
          } catch (error) {
            expect(error).to.be.instanceOf(RequestInvalidError);
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  describe('signatures', () => {
    const raw = { type: 'VECHAIN_TRANSACTION', walletId: 'w', data: '0x616263' };
    it('prefix and hash default to true', () => {
      expect(payloads.parseSigning(raw)).to.deep.equal({ ...raw, prefix: true, hash: true });
      expect(payloads.parseSigning({ ...raw, prefix: false, hash: null, pincode: '1234' })).to.deep.equal({
        ...raw,
        prefix: false,
        hash: true,
      });
      expect(payloads.parseSigning({ ...raw, hash: false }), 'ignored with prefix').to.include({
        prefix: true,
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
      [{ type: 'ETHEREUM_RAW' }, 'type', /one of/],
      [{ prefix: false, hash: false }, 'hash', /must be true/],
    ] as Refused[])
      it(`refuses ${titleOf(change)}`, () => {
        const issues = issuesOf({ ...raw, ...change }, payloads.parseSigning);
        expect(issues.map((i) => i.path)).to.deep.equal([path]);
        expect(issues[0]!.message).to.match(message);
      });
  });
});
