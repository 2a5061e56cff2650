import { expect } from '@open-wc/testing';
import type { CallWords } from '../../../src/chains/approval/summary.ts';
import { type AbiValue, encodeCall } from '../../../src/chains/contracts/abi.ts';
import { readDescriptor } from '../../../src/chains/descriptors/descriptor.ts';
import { type DescribedCall, wordsOf } from '../../../src/chains/descriptors/words.ts';
import { parseNetworks } from '../../../src/chains/nodes/networks.ts';

const POOL = `0x${'70'.repeat(20)}`;
const USDC = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
const OTHER = '0x6B175474E89094C44Da98b954EedeAC495271d0F';
const ME = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F';
const NETWORK = parseNetworks({
  networks: [
    {
      id: 'ethereum',
      secretType: 'ETHEREUM',
      name: 'Ethereum',
      kind: 'mainnet',
      chainId: 1,
      nodes: ['https://node.example'],
      tokens: [{ address: USDC, symbol: 'USDC', name: 'USD Coin', decimals: 6 }],
    },
  ],
}).networks[0]!;
const MAX = 2n ** 256n - 1n;

const place = { chainId: 1, address: POOL };
const call = (data: string, more: Partial<DescribedCall> = {}): DescribedCall => ({
  ...place,
  network: NETWORK,
  from: ME,
  value: 0n,
  data,
  ...more,
});

type Json = Record<string, unknown>;
/** A file of ERC-7730 with one function. */
const file = (signature: string, format: Json, more: Json = {}): string =>
  JSON.stringify({
    context: { contract: { deployments: [{ chainId: 1, address: POOL }] } },
    metadata: {
      owner: 'Pool Labs',
      constants: { max: `0x${MAX.toString(16)}`, coin: `0x${'ee'.repeat(20)}` },
      enums: { mode: { 1: 'stable', 2: 'variable' } },
    },
    display: { formats: { [signature]: format } },
    ...more,
  });

const BORROW = 'borrow(address asset, uint256 amount, uint256 mode, address onBehalfOf)';
const fields = [
  {
    path: 'amount',
    format: 'tokenAmount',
    label: 'Amount to borrow',
    params: { tokenPath: 'asset', threshold: '$.metadata.constants.max', message: 'All' },
  },
  { path: '#.mode', format: 'enum', label: 'Rate', params: { $ref: '$.metadata.enums.mode' } },
  { path: 'onBehalfOf', format: 'addressName', label: 'Debtor' },
];
const borrow = (asset: string, amount: bigint, mode: bigint): string =>
  encodeCall('borrow', ['address', 'uint256', 'uint256', 'address'], [asset, amount, mode, ME]);

/** `label: value`, one a line. */
const told = (words: CallWords | undefined): string[] =>
  (words?.fields ?? []).map(({ label, text, address, amount, time, note }) =>
    [
      `${label}: ${text ?? address ?? time ?? `${amount!.raw} ${amount!.decimals} ${amount!.symbol}`}`,
      ...(note === undefined ? [] : [note]),
    ].join(' | '),
  );

/** One parameter `x` in one format. */
const one = (type: string, value: AbiValue, format: Json, more: Partial<DescribedCall> = {}): string[] =>
  told(
    wordsOf(
      file(`f(${type} x)`, { fields: [{ path: 'x', label: 'X', ...format }] }),
      call(encodeCall('f', [type], [value]), more),
    ),
  );

describe('the words of a descriptor', () => {
  it('put a call into the operator’s labels, amounts by listed decimals only', () => {
    const text = file(BORROW, { intent: 'Borrow', fields });
    const words = wordsOf(text, call(borrow(USDC, 1_500_000n, 2n)))!;
    expect([words.owner, words.name, words.intent]).to.deep.equal(['Pool Labs', 'borrow', 'Borrow']);
    expect(told(words)).to.deep.equal([
      'Amount to borrow: 1500000 6 USDC',
      'Rate: variable (2)',
      `Debtor: ${ME}`,
    ]);
    expect(words.arguments.map(({ name, value }) => `${name} ${value}`)).to.deep.equal([
      `asset ${USDC}`,
      'amount 1500000',
      'mode 2',
      `onBehalfOf ${ME}`,
    ]);
    expect(told(wordsOf(text, call(borrow(OTHER, 5n, 7n))))).to.deep.equal([
      'Amount to borrow: 5 null 0x6B17…1d0F',
      'Rate: 7',
      `Debtor: ${ME}`,
    ]);
  });

  it('never stand in place of a large amount', () => {
    const [amount] = told(wordsOf(file(BORROW, { fields }), call(borrow(USDC, MAX, 1n))));
    expect(amount).to.equal(`Amount to borrow: ${MAX} 6 USDC | All`);
  });

  it('know the formats for numbers, dates and the coin', () => {
    expect(one('uint256', 5n * 10n ** 17n, { format: 'amount' })).to.deep.equal([
      'X: 500000000000000000 18 ETH',
    ]);
    expect(
      one('uint64', 1_700_000_000n, { format: 'date', params: { encoding: 'timestamp' } }),
    ).to.deep.equal(['X: 1700000000']);
    expect(one('uint256', 93_784n, { format: 'duration' })).to.deep.equal(['X: 26:03:04']);
    expect(one('uint256', MAX, { format: 'duration' })).to.deep.equal([`X: ${MAX}`]);
    expect(one('uint256', 3000n, { format: 'unit', params: { base: '%', decimals: 4 } })).to.deep.equal([
      'X: 0.3 %',
    ]);
    expect(one('int256', -7n, { format: 'amount' })).to.deep.equal(['X: -7']);
    expect(one('bool', true, {})).to.deep.equal(['X: true']);
    expect(one('bytes', '0xabcd', { format: 'calldata' })).to.deep.equal(['X: 0xabcd']);
    expect(one('uint256', 1n, { path: '@.value', format: 'amount' }, { value: 9n })).to.deep.equal([
      'X: 9 18 ETH',
    ]);
    const coin = {
      format: 'tokenAmount',
      params: { token: '$.metadata.constants.coin', nativeCurrencyAddress: ['$.metadata.constants.coin'] },
    };
    expect(one('uint256', 8n, coin)).to.deep.equal(['X: 8 18 ETH']);
  });

  it('follow paths into tuples, lists and bytes', () => {
    const text = file('swap((address token, uint256 sum)[] orders, bytes path, uint256[] limits)', {
      fields: [
        {
          path: 'orders.[]',
          fields: [{ path: 'sum', label: 'Sum', format: 'tokenAmount', params: { tokenPath: 'token' } }],
        },
        { path: 'orders.[-1].token', label: 'Last' },
        { path: 'path.[0:20]', label: 'First', format: 'addressName' },
        { path: 'limits', label: 'Limit' },
        { path: 'limits.[9]', label: 'None' },
      ],
    });
    const types = ['(address,uint256)[]', 'bytes', 'uint256[]'];
    const values = [
      [
        [USDC, 1n],
        [OTHER, 2n],
      ],
      `${USDC.toLowerCase()}0001f4`,
      [3n, 4n],
    ];
    expect(told(wordsOf(text, call(encodeCall('swap', types, values))))).to.deep.equal([
      'Sum: 1 6 USDC',
      'Sum: 2 null 0x6B17…1d0F',
      `Last: ${OTHER}`,
      `First: ${USDC}`,
      'Limit: 3',
      'Limit: 4',
    ]);
  });

  it('come from an ABI, too, under its own names', () => {
    const abi = JSON.stringify([
      { type: 'event', name: 'Done' },
      {
        type: 'function',
        name: 'poke',
        inputs: [{ name: 'at', type: 'tuple[]', components: [{ name: 'x', type: 'uint8' }] }],
      },
    ]);
    const words = wordsOf(abi, call(encodeCall('poke', ['(uint8)[]'], [[[7n]]])))!;
    expect([words.name, words.intent, words.arguments]).to.deep.equal([
      'poke',
      undefined,
      [{ name: 'at', type: '(uint8)[]', value: '[[7]]' }],
    ]);
    expect(wordsOf(abi, call(encodeCall('prod', [], [])))).to.equal(undefined);
  });

  it('are not used for another chain or contract than the file names', () => {
    const text = file(BORROW, { fields });
    const data = borrow(USDC, 1n, 1n);
    expect(() => wordsOf(text, call(data, { chainId: 10 }))).to.throw('is not for');
    expect(() => wordsOf(text, call(data, { address: OTHER }))).to.throw('is not for');
  });

  it('need a call that is exactly what the function takes', () => {
    const text = file(BORROW, { fields });
    const data = borrow(USDC, 1n, 1n);
    for (const wrong of [
      data.slice(0, 10),
      data.slice(0, -2),
      `${data}00`,
      data.replace('0x', '0x1').slice(0, data.length),
      `${data.slice(0, 10)}ff${data.slice(12)}`,
    ])
      expect(wordsOf(text, call(wrong)), wrong).to.equal(undefined);
    const long = file('f(bytes x)', {});
    expect(wordsOf(long, call(encodeCall('f', ['bytes'], [`0x${'00'.repeat(40_000)}`])))).to.equal(undefined);
  });

  it('survive lists that claim more than the data holds, and show few of many values', () => {
    const text = file('f(uint256[] x)', {
      fields: [
        { path: 'x.[]', label: 'X' },
        { path: 'x', label: 'Y' },
      ],
    });
    const word = (n: bigint) => n.toString(16).padStart(64, '0');
    const head = encodeCall('f', ['uint256[]'], [[]]).slice(0, 10);
    for (const length of [1n, 2n ** 32n, MAX]) {
      expect(wordsOf(text, call(`${head}${word(32n)}${word(length)}`))).to.equal(undefined);
      expect(wordsOf(text, call(`${head}${word(length)}${word(1n)}`))).to.equal(undefined);
    }
    const many = Array.from({ length: 500 }, (_, i) => BigInt(i));
    const words = wordsOf(text, call(encodeCall('f', ['uint256[]'], [many])))!;
    expect(words.fields).to.have.length(20);
    expect(words.arguments[0]!.value.length).to.be.below(1700);
  });

  it('lose what could pass for something else, and are short', () => {
    const text = file(
      'f(string x)',
      {
        intent: `Claim \u202ereward\u202c <b>now</b> at evil.example ${'!'.repeat(200)}`,
        fields: [{ path: 'x', label: `A\u200b${'b'.repeat(90)}` }],
      },
      { metadata: { owner: `Po\u2066ol “Labs” https://evil.example` } },
    );
    const words = wordsOf(text, call(encodeCall('f', ['string'], ['see\u202e evil.example'])))!;
    const all = [words.owner, words.intent, words.fields[0]!.label, words.fields[0]!.text].join();
    expect(all).to.not.match(/[\p{C}\u202e\u2066\u200b]|evil\.example|“/u);
    expect(words.intent!.length).to.be.below(90);
    expect(words.fields[0]!.label.length).to.be.below(50);
  });

  it('are refused where the file is wrong, with what is wrong', () => {
    const wrong: [string, string][] = [
      ['nothing', 'is not JSON'],
      ['{}', 'see context, display'],
      ['{"context":{"eip712":{}},"display":{"formats":{}}}', 'see context.contract'],
      [file('f(uint256 x)', {}, { includes: './other.json' }), 'includes another file'],
      [file('f(uint257 x)', {}), '“f(uint257 x)” has a parameter that is not of the ABI: uint257'],
      [file('f(uint8[0][99999999] x)', {}), 'a list of an impossible length'],
      [file('f(uint8[5000] x)', {}), 'a list of an impossible length'],
      [file('f(uint256 x', {}), 'is not a function with its parameters'],
      [file('0x12345678', {}), 'is a selector'],
      [file('f(uint256 x)', { fields: [{ path: 'y' }] }), 'has no “y”'],
      [file('f(uint256 x)', { fields: [{ path: 'x.[0]' }] }), 'has no “x.[0]”'],
      [file('f(uint256 x)', { fields: [{ path: 'x]' }] }), 'has a path that cannot be read'],
      [
        file('f(uint256 x)', { fields: [{ path: 'x', format: 'enum' }] }),
        'refers to an enum that is not in the file',
      ],
      [file('f(uint256 x)', { fields: [{ $ref: '$.display.definitions.no' }] }), 'refers to'],
      [
        file('f(uint256 x)', { fields: Array.from({ length: 41 }, () => ({ path: 'x' })) }),
        'more than 40 fields',
      ],
      [`[{"type":"function","name":"f"},{"type":"function","name":"f"}]`, 'describes f (0x26121ff0) twice'],
    ];
    for (const [text, why] of wrong) expect(() => readDescriptor(text, place), why).to.throw(why);
    let deep = '(uint8 x)';
    for (let i = 0; i < 20; i += 1) deep = `(${deep} x)`;
    expect(() => readDescriptor(file(`f(${deep} x)`, {}), place)).to.throw('too many to read');
    const wide = Array.from({ length: 101 }, (_, i) => `uint8 a${i}`).join(', ');
    expect(() => readDescriptor(file(`f(${wide})`, {}), place)).to.throw('more than 100 parameters');
  });
});
