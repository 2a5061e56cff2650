import { expect } from '@open-wc/testing';
import fc from 'fast-check';
import { payloads } from '../../../../src/chains/tron/payload.ts';
import { type ConnectError, RequestInvalidError } from '../../../../src/base/errors.ts';
import { ASSET, TO, TOKEN } from './fake-tron.ts';
import { issuesOf, textOf, titleOf } from '../payload-issues.ts';

const HEX = '41521ea197907927725ef36d70f25f850d1659c7c7';
const INT64 = 2n ** 63n;

const VALID = {
  TRX_TRANSACTION: { type: 'TRX_TRANSACTION', walletId: 'w-1', to: TO, value: 1 },
  TRC10_TRANSACTION: { type: 'TRC10_TRANSACTION', walletId: 'w-1', to: TO, value: 1, token: ASSET },
  TRON_CONTRACT_EXECUTION: {
    type: 'TRON_CONTRACT_EXECUTION',
    walletId: 'w-1',
    to: TOKEN,
    functionName: 'set',
    inputs: [{ type: 'uint256', value: '5' }],
  },
  TRANSFER: { type: 'TRANSFER', secretType: 'TRON', walletId: 'w-1', to: TO, value: 0.5 },
  GAS_TRANSFER: { type: 'GAS_TRANSFER', secretType: 'TRON', walletId: 'w-1', to: TO, value: 0.5 },
  TOKEN_TRANSFER: {
    type: 'TOKEN_TRANSFER',
    secretType: 'TRON',
    walletId: 'w-1',
    to: TO,
    value: 0.5,
    tokenAddress: TOKEN,
  },
  CONTRACT_EXECUTION: {
    type: 'CONTRACT_EXECUTION',
    secretType: 'TRON',
    walletId: 'w-1',
    to: TOKEN,
    functionName: 'set',
    inputs: [{ type: 'uint256', value: '5' }],
  },
} as const;
type Type = keyof typeof VALID;
const TYPES = Object.keys(VALID) as Type[];

/** The same with `memo` in place of `data`. */
const memoFor = (fields: object) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name === 'data' ? 'memo' : name, value]));

type Accepted = [change: object, answer: object];
const COMMON: Accepted[] = [
  [{ pincode: '1234' }, {}],
  [{ pincode: '123456' }, {}],
  [{ pincode: null, network: null }, {}],
  [{ walletId: 'other' }, { walletId: 'other' }],
  [{ to: HEX }, { to: TO }],
  [{ surplus: undefined }, {}],
];
const SUN: Accepted[] = [
  [{ value: 0 }, { value: 0n }],
  [{ value: 1e15 }, { value: 10n ** 15n }],
  [{ value: '9223372036854775807' }, { value: INT64 - 1n }],
  [{ value: 5n }, { value: 5n }],
];
const MEMOS: Accepted[] = [
  [{ data: null }, {}],
  [{ data: '' }, { data: '0x' }],
  [{ data: '0xABcd' }, { data: '0xabcd' }],
  [{ data: 'Grüße' }, { data: '0x4772c3bcc39f65' }],
];
const TOKEN_MEMOS = MEMOS.map(([change, answer]): Accepted => [memoFor(change), memoFor(answer)]);
const BODY: Accepted[] = [...COMMON, [{ alias: null }, {}], [{ alias: 'Rent' }, { alias: 'Rent' }]];
const DECIMAL: Accepted[] = [
  [{ value: '1.5' }, { value: '1.5' }],
  [{ value: 1e-6 }, { value: '0.000001' }],
  [{ value: 3n }, { value: '3' }],
  [{ to: ' anna@example.com ' }, { to: 'anna@example.com' }],
];
const CALL: Accepted[] = [
  [{ value: 5 }, { value: 5n }],
  [{ value: null }, {}],
  [{ inputs: [] }, { inputs: [] }],
  ...(
    [
      ['address', TO],
      ['address', HEX],
      ['address[]', `["${TO}","${HEX}"]`],
      ['address[2]', [TO, HEX]],
      ['(address,bool)[]', [[TO, true]]],
      ['uint256[]', '["1","2"]'],
      ['bytes32', `0x${'00'.repeat(32)}`],
      ['string', ''],
    ] as [string, unknown][]
  ).map(([type, value]): Accepted => [{ inputs: [{ type, value }] }, { inputs: [{ type, value }] }]),
];

/** Changes to a valid request, and the resulting changes in the parsed one. */
const ACCEPTED: Record<Type, Accepted[]> = {
  TRX_TRANSACTION: [...COMMON, ...SUN, ...MEMOS],
  TRC10_TRANSACTION: [
    ...COMMON,
    ...SUN,
    ...TOKEN_MEMOS,
    [{ data: 'ignored' }, {}],
    [{ token: TOKEN }, { token: TOKEN }],
    [{ token: HEX }, { token: TO }],
    [
      { token: TOKEN, value: INT64 },
      { token: TOKEN, value: INT64 },
    ],
    [
      { token: TOKEN, value: 2n ** 256n - 1n },
      { token: TOKEN, value: 2n ** 256n - 1n },
    ],
  ],
  TRON_CONTRACT_EXECUTION: [...COMMON, ...CALL, ...TOKEN_MEMOS],
  TRANSFER: [...BODY, ...DECIMAL, ...MEMOS],
  GAS_TRANSFER: [...BODY, ...DECIMAL],
  TOKEN_TRANSFER: [
    ...BODY,
    ...DECIMAL,
    [{ tokenAddress: ASSET }, { tokenAddress: ASSET }],
    ...TOKEN_MEMOS,
    [{ tokenId: null, data: 'ignored' }, {}],
  ],
  CONTRACT_EXECUTION: [...BODY, ...CALL, ...TOKEN_MEMOS],
};

type Refused = [change: object, path: string, message: RegExp];
const BAD_TO: Refused[] = [
  [{ to: undefined }, 'to', /required/],
  [{ to: null }, 'to', /required/],
  [{ to: 5 }, 'to', /address as text/],
  [{ to: 'x' }, 'to', /not a Tron address/],
  [{ to: `${TO.slice(0, -1)}b` }, 'to', /wrong checksum/],
  [{ to: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' }, 'to', /Ethereum, GoChain or VeChain/],
  [{ to: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4' }, 'to', /a Bitcoin address/],
  [{ to: 'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9' }, 'to', /a Litecoin address/],
  [{ to: '' }, 'to', /required/],
  [{ to: `42${HEX.slice(2)}` }, 'to', /not a Tron address/],
  [{ to: 'ak_2a1j2Mk9YSmC1gioUq4PWRm3bsv887MbuRVwyv4KaUGoR1eiKi' }, 'to', /an Aeternity address/],
];
const BAD_COMMON: Refused[] = [
  ...BAD_TO,
  [{ walletId: undefined }, 'walletId', /required/],
  [{ walletId: '' }, 'walletId', /required/],
  [{ walletId: 5 }, 'walletId', /text/],
  [{ walletId: 'w'.repeat(65) }, 'walletId', /64 characters/],
  [{ pincode: '123' }, 'pincode', /4 to 6 digits/],
  [{ pincode: '1234567' }, 'pincode', /4 to 6 digits/],
  [{ pincode: 1234 }, 'pincode', /4 to 6 digits/],
  [{ network: { name: 'x', nodeUrl: 'https://x.example' } }, 'network', /only supported for Ethereum/],
  [{ colour: 'red' }, 'colour', /not a field/],
  [{ gas: 21000 }, 'gas', /not a field/],
];
const BAD_SMALLEST: Refused[] = [
  [{ value: -1 }, 'value', /negative/],
  [{ value: 0.5 }, 'value', /whole number/],
  [{ value: Number.NaN }, 'value', /NaN/],
  [{ value: Infinity }, 'value', /finite/],
  [{ value: Number('1234567890123456800') }, 'value', /not exact/],
  [{ value: '1e6' }, 'value', /exponent/],
  [{ value: '0x10' }, 'value', /decimal digits/],
  [{ value: {} }, 'value', /must be a number/],
];
const BAD_SUN: Refused[] = [...BAD_SMALLEST, [{ value: INT64 }, 'value', /too large/]];
const NO_VALUE: Refused = [{ value: undefined }, 'value', /required/];
const BAD_MEMO: Refused[] = [
  [{ data: 5 }, 'data', /must be text/],
  [{ data: '0xabc' }, 'data', /odd/],
  [{ data: '0xzz' }, 'data', /not hex/],
  [{ data: '\ud83c' }, 'data', /half/],
  [{ data: `0x${'00'.repeat(128 * 1024 + 1)}` }, 'data', /longer than/],
];
const BAD_TOKEN_MEMO = BAD_MEMO.map(([change, , message]): Refused => [memoFor(change), 'memo', message]);
const BAD_DECIMAL: Refused[] = [
  NO_VALUE,
  [{ value: -1 }, 'value', /negative/],
  [{ value: '1e6' }, 'value', /exponent/],
  [{ value: 'one' }, 'value', /decimal number/],
  [{ value: null }, 'value', /must be a number/],
  [{ value: Number.NaN }, 'value', /NaN/],
  [{ value: Infinity }, 'value', /finite/],
  [{ value: '9'.repeat(341) }, 'value', /too long/],
];
const BAD_COINS: Refused[] = [
  ...BAD_DECIMAL,
  [{ value: '0.1234567' }, 'value', /at most 6 digits after the point, has 7/],
  [{ value: '9223372036854.775808' }, 'value', /below 2\^63 sun/],
];
const BAD_BODY: Refused[] = [
  ...BAD_COMMON,
  [{ secretType: undefined }, 'secretType', /must be TRON/],
  [{ secretType: 'VECHAIN' }, 'secretType', /must be TRON/],
  [{ alias: 5 }, 'alias', /text/],
  [{ alias: 'a'.repeat(257) }, 'alias', /256 characters/],
];
const BAD_TOKEN = (field: string): Refused[] => [
  [{ [field]: undefined }, field, /required/],
  [{ [field]: '' }, field, /required/],
  [{ [field]: 1002000 }, field, /text/],
  [{ [field]: '0123' }, field, /id of a TRC-10 token/],
  [{ [field]: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' }, field, /Ethereum, GoChain or VeChain/],
  [{ [field]: `${TOKEN.slice(0, -1)}u` }, field, /wrong checksum/],
];
const BAD_CALL: Refused[] = [
  ...BAD_SUN,
  [{ functionName: undefined }, 'functionName', /required/],
  [{ functionName: 'set(uint256)' }, 'functionName', /name of a function alone/],
  [{ functionName: 'f'.repeat(257) }, 'functionName', /256 characters/],
  [{ inputs: Array(65).fill({ type: 'bool', value: true }) }, 'inputs', /64/],
  [{ inputs: undefined }, 'inputs', /a list/],
  [{ inputs: 'x' }, 'inputs', /a list/],
  [{ inputs: [{ type: 'uint7', value: '1' }] }, 'inputs.0.type', /Solidity type/],
  [{ inputs: [{ type: 'trcToken', value: '1' }] }, 'inputs.0.type', /Solidity type/],
  [{ inputs: [{ type: 'uint8', value: '256' }] }, 'inputs.0.value', /out of range/],
  [{ inputs: [{ type: 'address', value: 'x' }] }, 'inputs.0.value', /not a Tron address/],
  [
    { inputs: [{ type: 'address', value: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' }] },
    'inputs.0.value',
    /not a Tron one/,
  ],
  [{ inputs: [{ type: 'address[]', value: [TO, 'x'] }] }, 'inputs.0.value', /not a Tron address/],
  [{ inputs: [{ type: 'address[]', value: 'x' }] }, 'inputs.0.value', /JSON list/],
  [{ inputs: [{ type: '(address,bool)', value: [TO] }] }, 'inputs.0.value', /2 items/],
  [{ inputs: [{ type: '(address,bool)', value: [TO, true, 1] }] }, 'inputs.0.value', /2 items/],
  [{ inputs: [{ type: 'uint256' }] }, 'inputs.0.value', /required/],
  [{ inputs: [{ type: 'bool', value: true, name: 'x' }] }, 'inputs.0.name', /not a field/],
];

const REFUSED: Record<Type, Refused[]> = {
  TRX_TRANSACTION: [
    ...BAD_COMMON,
    ...BAD_SUN,
    NO_VALUE,
    ...BAD_MEMO,
    [{ to: 'anna@example.com' }, 'to', /is an e-mail address/],
    [{ token: ASSET }, 'token', /not a field/],
    [{ memo: 'x' }, 'memo', /not a field of this request; did you mean data/],
  ],
  TRC10_TRANSACTION: [
    ...BAD_COMMON,
    ...BAD_SUN,
    NO_VALUE,
    ...BAD_TOKEN('token'),
    ...BAD_TOKEN_MEMO,
    [{ token: TOKEN, value: 2n ** 256n }, 'value', /256 bits/],
    [{ tokenAddress: TOKEN }, 'tokenAddress', /not a field/],
  ],
  TRON_CONTRACT_EXECUTION: [
    ...BAD_COMMON,
    ...BAD_CALL,
    ...BAD_TOKEN_MEMO,
    [{ data: '0x' }, 'data', /not a field/],
  ],
  TRANSFER: [...BAD_BODY, ...BAD_COINS, ...BAD_MEMO],
  GAS_TRANSFER: [...BAD_BODY, ...BAD_COINS, [{ data: 'x' }, 'data', /not a field/]],
  TOKEN_TRANSFER: [
    ...BAD_BODY,
    ...BAD_DECIMAL,
    ...BAD_TOKEN('tokenAddress'),
    ...BAD_TOKEN_MEMO,
    [{ tokenId: '7' }, 'tokenId', /only for tokens inside an ERC-1155/],
  ],
  CONTRACT_EXECUTION: [...BAD_BODY, ...BAD_CALL, ...BAD_TOKEN_MEMO],
};

describe('Tron payloads', () => {
  for (const type of TYPES)
    describe(type, () => {
      for (const [change, answer] of ACCEPTED[type])
        it(`takes ${titleOf(change)}`, () => {
          const clean = payloads.parse({ ...VALID[type], ...change });
          const base = payloads.parse(VALID[type]);
          expect(textOf(clean)).to.equal(textOf({ ...base, ...answer }));
          expect(textOf(payloads.parse(clean)), 'parsing twice changes nothing').to.equal(textOf(clean));
        });
      for (const [change, path, message] of REFUSED[type])
        it(`refuses ${titleOf(change)}`, () => {
          const issues = issuesOf({ ...VALID[type], ...change }, payloads.parse);
          expect(issues.map((i) => i.path)).to.deep.equal([path]);
          expect(issues[0]!.message).to.match(message);
        });
    });

  it('refuses anything that is not a request of this chain', () => {
    for (const value of [undefined, null, 5, [], {}, { type: 'ETH_TRANSACTION' }, { type: 'constructor' }])
      expect(['type', '']).to.include(issuesOf(value, payloads.parse)[0]!.path);
  });

  it('says that Tron has no NFT_TRANSFER', () => {
    let error: ConnectError | undefined;
    try {
      payloads.parse({ type: 'NFT_TRANSFER', secretType: 'TRON', walletId: 'w' });
    } catch (thrown) {
      error = thrown as ConnectError;
    }
    expect(error?.code).to.equal('chain.not-supported');
  });

  it('turns the transfer action into the body it means', () => {
    const { type: _, ...transfer } = VALID.TRANSFER;
    expect(payloads.parseTransfer(transfer).type).to.equal('TRANSFER');
    for (const tokenAddress of [TOKEN, ASSET])
      expect(payloads.parseTransfer({ ...transfer, tokenAddress, data: 'x' }).type).to.equal(
        'TOKEN_TRANSFER',
      );
    expect(issuesOf({ ...transfer, value: '-1' }, payloads.parseTransfer)[0]!.path).to.equal('value');
  });

  it('answers a request or request.invalid for any input at all', () => {
    const names = ['walletId', 'to', 'value', 'data', 'token', 'tokenAddress', 'inputs', '__proto__'];
    fc.assert(
      fc.property(
        fc.constantFrom(...TYPES),
        fc.dictionary(fc.constantFrom(...names), fc.anything()),
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
});
