import { expect } from '@open-wc/testing';
import { payloads } from '../../../../src/chains/aeternity/payload.ts';
import type { ConnectError } from '../../../../src/base/errors.ts';
import { issuesOf, textOf, titleOf } from '../payload-issues.ts';

const TO = 'ak_2p5878zbFhxnrm7meL7TmqwtvBaqcBddyp5eGzZbovZ5FeVfcw';
const TRON = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8';
const MEMO = '0x48656c6c6f'; // Hello

const VALID = {
  AE_TRANSACTION: { type: 'AE_TRANSACTION', walletId: 'w-1', to: TO, value: 1 },
  TRANSFER: { type: 'TRANSFER', secretType: 'AETERNITY', walletId: 'w-1', to: TO, value: 0.5 },
  GAS_TRANSFER: { type: 'GAS_TRANSFER', secretType: 'AETERNITY', walletId: 'w-1', to: TO, value: 0.5 },
} as const;
type Type = keyof typeof VALID;

const COMMON: [object, object][] = [
  [{ pincode: '1234' }, {}],
  [{ pincode: '123456' }, {}],
  [{ pincode: null, network: null }, {}],
  [{ walletId: 'other' }, { walletId: 'other' }],
  [{ surplus: undefined }, {}],
];
const MEMOS: [object, object][] = [
  [{ data: null }, {}],
  [{ data: '' }, { data: '0x' }],
  [{ data: '0x' }, { data: '0x' }],
  [{ data: 'Hello' }, { data: MEMO }],
  [{ data: '0x48656C6C6F' }, { data: MEMO }],
  [{ data: 'ä' }, { data: '0xc3a4' }],
  [{ data: `0x${'00'.repeat(128 * 1024)}` }, { data: `0x${'00'.repeat(128 * 1024)}` }],
];
const BODY: [object, object][] = [
  ...COMMON,
  [{ alias: null }, {}],
  [{ alias: 'Shop' }, { alias: 'Shop' }],
  [{ value: '0.000000000000000001' }, { value: '0.000000000000000001' }],
  [{ value: 1e-7 }, { value: '0.0000001' }],
  [{ value: 3n }, { value: '3' }],
  [{ to: ' someone@example.com ' }, { to: 'someone@example.com' }],
];

/** Changes to a valid request, and the resulting changes in the parsed one. */
const ACCEPTED: Record<Type, [object, object][]> = {
  AE_TRANSACTION: [
    ...COMMON,
    ...MEMOS,
    [{ value: 0 }, { value: 0n }],
    [{ value: 1e18 }, { value: 10n ** 18n }],
    [{ value: '123456789012345680000' }, { value: 123456789012345680000n }],
    [{ value: 5n }, { value: 5n }],
    [{ fee: null, ttl: null, nonce: null }, {}],
    [{ fee: '16820000000000' }, { fee: 16_820_000_000_000n }],
    [{ fee: 2e13 }, { fee: 20_000_000_000_000n }],
    [{ ttl: 0 }, { ttl: 0 }],
    [{ ttl: '1234567' }, { ttl: 1_234_567 }],
    [{ nonce: 1 }, { nonce: 1 }],
    [{ nonce: 12n }, { nonce: 12 }],
  ],
  TRANSFER: [...BODY, ...MEMOS],
  GAS_TRANSFER: BODY,
};

const BAD_ADDRESSES: [unknown, RegExp][] = [
  [undefined, /is required/],
  [null, /is required/],
  ['', /is required/],
  [5, /must be an address/],
  [`${TO.slice(0, -1)}x`, /wrong checksum/],
  [TO.replace('ak_', 'ct_'), /is a contract/],
  [TRON, /is a Tron address, not an Aeternity one/],
  ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', /is a Bitcoin address/],
  ['ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9', /is a Litecoin address/],
  ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', /Ethereum, GoChain or VeChain/],
];
const BAD_AMOUNTS: [unknown, RegExp][] = [
  [undefined, /is required/],
  [null, /must be a number/],
  [-1, /negative/],
  ['-1', /negative/],
  [Number.NaN, /NaN/],
  [Number.POSITIVE_INFINITY, /finite/],
  ['1e18', /exponent/],
  ['0x10', /decimal (digits|number)/],
  [true, /must be a number/],
  [{}, /must be a number/],
];
const BAD_SMALLEST: [unknown, RegExp][] = [
  [0.5, /whole number/],
  ['1.5', /whole number/],
  [123456789012345680000, /not exact/],
  [(1n << 256n).toString(), /too large/],
];
const BAD_MEMOS: [unknown, RegExp][] = [
  [5, /must be text/],
  ['0x1', /odd number/],
  ['0xzz', /not hex/],
  ['\ud800', /half a character/],
  [`0x${'00'.repeat(128 * 1024 + 1)}`, /longer than/],
];
const at = (field: string, cases: [unknown, RegExp][]): [object, string, RegExp][] =>
  cases.map(([value, words]) => [{ [field]: value }, field, words]);
const given = (cases: [unknown, RegExp][]) => cases.filter(([value]) => value != null);

const COMMON_BAD: [object, string, RegExp][] = [
  ...at('walletId', [
    [undefined, /is required/],
    ['', /is required/],
    [5, /must be text/],
    ['x'.repeat(65), /at most 64/],
  ]),
  ...at('pincode', [
    [1234, /4 to 6 digits/],
    ['123', /4 to 6 digits/],
    ['1234567', /4 to 6 digits/],
    ['12a4', /4 to 6 digits/],
  ]),
  ...at('network', [[{ name: 'x', nodeUrl: 'https://node.example' }, /only supported for Ethereum/]]),
  ...at('to', BAD_ADDRESSES),
  ...at('value', BAD_AMOUNTS),
  [{ surplus: 1 }, 'surplus', /is not a field/],
  [{ tokenAddress: TO }, 'tokenAddress', /is not a field/],
];
const BODY_BAD: [object, string, RegExp][] = [
  ...COMMON_BAD,
  ...at('secretType', [
    [undefined, /must be AETERNITY/],
    ['TRON', /must be AETERNITY/],
  ]),
  ...at('value', [
    ['0.1234567890123456789', /at most 18 digits after the point, has 19/],
    [10n ** 60n, /256 bits/],
    ['9'.repeat(341), /too long/],
  ]),
  ...at('alias', [
    [5, /must be text/],
    ['x'.repeat(257), /at most 256/],
  ]),
];

const REFUSED: Record<Type, [object, string, RegExp][]> = {
  AE_TRANSACTION: [
    [{ to: 'shop.chain' }, 'to', /or a name/],
    ...COMMON_BAD,
    ...at('value', BAD_SMALLEST),
    ...at('data', BAD_MEMOS),
    ...at('fee', [...given(BAD_AMOUNTS), ...BAD_SMALLEST]),
    ...at('ttl', [...given(BAD_AMOUNTS), ...BAD_SMALLEST, [2n ** 53n, /must be a block height/]]),
    ...at('nonce', [
      ...given(BAD_AMOUNTS),
      ...BAD_SMALLEST,
      [0, /at least 1/],
      [2n ** 53n, /must be a nonce/],
    ]),
    ...at('to', [['someone@example.com', /is an e-mail address/]]),
  ],
  TRANSFER: [...BODY_BAD, ...at('data', BAD_MEMOS), [{ fee: 1 }, 'fee', /is not a field/]],
  GAS_TRANSFER: [...BODY_BAD, [{ data: 'Hello' }, 'data', /is not a field/]],
};

for (const type of Object.keys(VALID) as Type[]) {
  describe(`${type} of Aeternity`, () => {
    const base = payloads.parse(VALID[type]);

    it('accepts every form of its fields, and its own answer', () => {
      for (const [change, expected] of ACCEPTED[type]) {
        const answer = payloads.parse({ ...VALID[type], ...change });
        expect(textOf(answer), titleOf(change)).to.equal(textOf({ ...base, ...expected }));
        expect(textOf(payloads.parse(answer))).to.equal(textOf(answer));
      }
    });

    it('names the field that is wrong', () => {
      for (const [change, path, words] of REFUSED[type]) {
        const issues = issuesOf({ ...VALID[type], ...change }, payloads.parse);
        const about = `${path} ${titleOf(change)}`;
        expect(issues.map((i) => i.path).join(), about).to.equal(path);
        expect(issues[0]!.message, about).to.match(words);
      }
    });
  });
}

describe('Aeternity requests', () => {
  it('takes the transfer action', () => {
    const { type: _, ...params } = VALID.TRANSFER;
    expect(payloads.parseTransfer({ ...params, tokenAddress: null, data: 'Hello' })).to.deep.equal({
      type: 'TRANSFER',
      secretType: 'AETERNITY',
      walletId: 'w-1',
      to: TO,
      value: '0.5',
      data: MEMO,
    });
  });

  it('refuses tokens and calls as not supported', () => {
    const { type: _, ...params } = VALID.TRANSFER;
    const attempts = [
      () => payloads.parseTransfer({ ...params, tokenAddress: TO.replace('ak_', 'ct_') }),
      ...['TOKEN_TRANSFER', 'NFT_TRANSFER', 'CONTRACT_EXECUTION'].map(
        (type) => () => payloads.parse({ ...params, type }),
      ),
    ];
    for (const attempt of attempts) {
      let code = '';
      try {
        attempt();
      } catch (error) {
        code = (error as ConnectError).code;
      }
      expect(code).to.equal('chain.not-supported');
    }
  });

  it('refuses anything that is not a request of the chain', () => {
    for (const request of [null, 5, [], {}, { type: 'ETH_TRANSACTION' }, { type: 'toString' }])
      expect(issuesOf(request, payloads.parse)).to.have.length(1);
    expect(issuesOf({ type: 'AE_TRANSACTION' }, payloads.parseSigning)[0]!.path).to.equal('type');
  });
});
