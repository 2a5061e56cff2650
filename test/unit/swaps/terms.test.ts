import { expect } from '@open-wc/testing';
import fc from 'fast-check';
import type { Network } from '../../../src/chains/network.ts';
import { encodeCall } from '../../../src/chains/contracts/abi.ts';
import { checksum } from '../../../src/chains/contracts/evm-address.ts';
import { listedToken } from '../../../src/chains/contracts/listed-token.ts';
import { fromEvm } from '../../../src/chains/tron/address.ts';
import { type ExchangeEntry, readEntries } from '../../../src/swaps/entry.ts';
import type { Exchange, PlannedSwap } from '../../../src/swaps/exchange.ts';
import { exchangeAt, readTerms } from '../../../src/swaps/terms.ts';
import { exchangeOf as uniswapV2 } from '../../../src/swaps/exchanges/uniswap-v2/exchange.ts';
import { exchangeOf as uniswapV3 } from '../../../src/swaps/exchanges/uniswap-v3/exchange.ts';

const at = (digit: string) => checksum(`0x${digit.repeat(40)}`);
const [WETH, USDC, DAI, ROUTER, ROUTER3, ME, OTHER] = [...'abcde12'].map(at) as [
  string,
  string,
  string,
  string,
  string,
  string,
  string,
];
const COIN = { symbol: 'ETH', decimals: 18 };

const V2 = {
  kind: 'uniswap-v2',
  name: 'Uniswap V2',
  factory: OTHER,
  router: ROUTER,
  wrapped: WETH,
  bases: [],
  fee: 0.3,
} as const;
const V3 = {
  kind: 'uniswap-v3',
  name: 'Uniswap V3',
  factory: OTHER,
  router: ROUTER3,
  quoter: OTHER,
  wrapped: WETH,
  bases: [],
  fees: [0.3],
} as const;
const NETWORK: Network = {
  id: 'local',
  secretType: 'ETHEREUM',
  name: 'Local',
  kind: 'local',
  chainId: 31337,
  nodes: ['http://node.invalid'],
  tokens: [{ address: USDC, symbol: 'USDC', name: 'Dollar', decimals: 6, logo: '' }],
  exchanges: [V2, V3],
};

const tokens = ['', USDC, DAI];
const symbols: Record<string, [string, number | null]> = {
  '': ['ETH', 18],
  [USDC]: ['USDC', 6],
  [DAI]: [`${DAI.slice(0, 6)}…${DAI.slice(-4)}`, null],
};

function order(
  changes: Partial<PlannedSwap> & { fromAddress?: string; toAddress?: string; over?: string } = {},
): PlannedSwap {
  const { fromAddress = '', toAddress = USDC, over, ...rest } = changes;
  const asset = (address: string) => ({ address, symbol: 'X', decimals: 18 });
  const contract = (address: string) => (address || WETH).toLowerCase();
  const path = [contract(fromAddress), ...(over ? [over.toLowerCase()] : []), contract(toAddress)];
  return {
    from: asset(fromAddress),
    to: asset(toAddress),
    orderType: 'SELL',
    amount: 10n ** 18n,
    limit: 1_802_110_000n,
    recipient: ME,
    deadline: 1_800_000_000,
    route: { path, fees: path.slice(1).map(() => 3000) },
    ...rest,
  };
}

const EXCHANGES: [string, Exchange, ExchangeEntry][] = [
  ['V2', uniswapV2(V2 as never, new Map()), V2 as never],
  [
    'V2 with fees of transfers',
    uniswapV2(V2 as never, new Map([[USDC.toLowerCase(), 10_000n]])),
    V2 as never,
  ],
  ['V3', uniswapV3(V3 as never, new Map()), V3 as never],
];

describe('what a router call means', () => {
  for (const [name, exchange, entry] of EXCHANGES)
    it(`is read back from what is built for ${name}, whatever the order`, async () => {
      const uint = fc.bigInt({ min: 1n, max: (1n << 112n) - 1n });
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(
            ...tokens.flatMap((a) => tokens.filter((b) => a !== b).map((b) => [a, b] as const)),
          ),
          fc.boolean(),
          uint,
          uint,
          fc.constantFrom(ME, OTHER),
          fc.integer({ min: 1, max: 2 ** 40 }),
          fc.constantFrom(undefined, at('3')),
          async ([fromAddress, toAddress], sell, amount, limit, recipient, deadline, over) => {
            // Tokens with a transfer fee can only be sold.
            const orderType = sell || name.includes('fees') ? 'SELL' : 'BUY';
            const built = exchange.build(
              order({
                fromAddress,
                toAddress,
                orderType,
                amount,
                limit,
                recipient,
                deadline,
                ...(over && { over }),
              }),
            );
            const read = (await readTerms(entry, built, NETWORK, COIN))!;
            const [input, output] = orderType === 'SELL' ? [amount, limit] : [limit, amount];
            const shown = (side: typeof read.input) =>
              [side.raw, side.symbol, side.decimals, side.token].join(' ');
            const wanted = (raw: bigint, address: string) =>
              [raw, ...symbols[address]!, address || undefined].join(' ');
            expect(read.orderType).to.equal(orderType);
            expect(shown(read.input)).to.equal(wanted(input, fromAddress));
            expect(shown(read.output)).to.equal(wanted(output, toAddress));
            expect(read.recipient).to.equal(recipient);
            expect(read.deadline === BigInt(deadline)).to.equal(true);
          },
        ),
        { numRuns: 200 },
      );
    });

  const v3 = (name: string, params: unknown[], value = 0n) => ({
    to: ROUTER3,
    value,
    data: encodeCall(
      name,
      [
        name.endsWith('Single')
          ? '(address,address,uint24,address,uint256,uint256,uint256,uint160)'
          : '(bytes,address,uint256,uint256,uint256)',
      ],
      [params as never],
    ),
  });
  const multicall = (datas: string[], value = 0n) => ({
    to: ROUTER3,
    value,
    data: encodeCall('multicall', ['bytes[]'], [datas]),
  });
  const NOBODY = `0x${'0'.repeat(40)}`;
  const single = (
    over: Partial<Record<'recipient' | 'edge' | 'to', unknown>> = {},
    from = USDC,
    value = 0n,
  ) =>
    v3(
      'exactInputSingle',
      [from, over.to ?? WETH, 3000n, over.recipient ?? ME, 1n, 5n, 4n, over.edge ?? 0n],
      value,
    );
  const unwrap = (recipient = ME, least = 4n) =>
    encodeCall('unwrapWETH9', ['uint256', 'address'], [least, recipient]);
  const refund = encodeCall('refundETH', [], []);
  const buy = v3('exactOutputSingle', [WETH, USDC, 3000n, ME, 1n, 5n, 9n, 0n]).data;

  /** A call that could end differently must not be called a swap. */
  const ODD: Record<string, { to: string; value: bigint; data: string }> = {
    'a price at which it stops half-way': single({ edge: 1n }),
    'an output that stays with the router': single({ recipient: ROUTER3 }),
    'an output that stays with the zero address': single({ recipient: NOBODY }),
    'an unwrapping of nothing': multicall([single().data, unwrap()]),
    'an unwrapping of another token': multicall([single({ to: DAI, recipient: NOBODY }).data, unwrap()]),
    'a second swap in the same call': multicall([single().data, single().data]),
    'another call besides': multicall([
      single().data,
      encodeCall('sweepToken', ['address', 'uint256', 'address'], [USDC, 0n, OTHER]),
    ]),
    'two unwrappings': multicall([single({ recipient: NOBODY }).data, unwrap(), unwrap(OTHER)]),
    'coins beside a token': single({}, USDC, 1n),
    'more coins than it swaps': single({ to: USDC }, WETH, 6n),
    'fewer coins than it swaps': single({ to: USDC }, WETH, 4n),
    'change that is not asked back': multicall([buy], 9n),
    'a call without a deadline': {
      to: ROUTER3,
      value: 0n,
      data: encodeCall(
        'exactInputSingle',
        ['(address,address,uint24,address,uint256,uint256,uint160)'],
        [[USDC, WETH, 3000n, ME, 5n, 4n, 0n]],
      ),
    },
    'a path that ends within a token': v3('exactInput', [`0x${'ab'.repeat(44)}`, ME, 1n, 5n, 4n]),
    'nothing known': { to: ROUTER3, value: 0n, data: '0xdeadbeef' },
  };
  for (const [name, call] of Object.entries(ODD))
    it(`is not told of ${name}`, async () =>
      expect(await readTerms(V3 as never, call, NETWORK, COIN)).to.equal(undefined));

  it('requests change back if the output is bought with coins', async () => {
    const read = (await readTerms(V3 as never, multicall([buy, refund], 9n), NETWORK, COIN))!;
    expect([read.input.raw, read.input.symbol, read.output.raw].join(' ')).to.equal('9 ETH 5');
  });

  it('believes the stricter of two minimums', async () => {
    const call = multicall([single({ recipient: NOBODY }).data, unwrap(OTHER, 7n)]);
    const read = (await readTerms(V3 as never, call, NETWORK, COIN))!;
    expect([read.output.raw, read.output.symbol, read.recipient].join(' ')).to.equal(`7 ETH ${OTHER}`);
  });

  const v2 = (name: string, types: string[], values: unknown[], value = 0n) => ({
    to: ROUTER,
    value,
    data: encodeCall(name, types, values as never),
  });
  const SIX = ['uint256', 'uint256', 'address[]', 'address', 'uint256'];
  const FIVE = ['uint256', 'address[]', 'address', 'uint256'];
  it('is not read from invalid V2 calls', async () => {
    for (const call of [
      v2('swapExactTokensForTokens', SIX, [5n, 4n, [USDC, DAI], ME, 1n], 1n),
      v2('swapExactTokensForTokens', SIX, [5n, 4n, [USDC], ME, 1n]),
      v2('swapExactETHForTokens', FIVE, [4n, [USDC, DAI], ME, 1n], 1n),
      v2('swapExactTokensForETH', SIX, [5n, 4n, [USDC, DAI], ME, 1n]),
      v2('swapExactTokensForTokens', SIX.slice(0, 4), [5n, 4n, [USDC, DAI], ME]),
      v2(
        'addLiquidityETH',
        ['address', 'uint256', 'uint256', 'uint256', 'address', 'uint256'],
        [USDC, 1n, 1n, 1n, ME, 1n],
      ),
    ])
      expect(await readTerms(V2 as never, call, NETWORK, COIN)).to.equal(undefined);
  });

  it('is of routers that the operator lists only', () => {
    expect(exchangeAt(NETWORK, ROUTER.toLowerCase())?.name).to.equal('Uniswap V2');
    expect(exchangeAt(NETWORK, OTHER)).to.equal(undefined);
    expect(exchangeAt({ ...NETWORK, exchanges: undefined as never }, ROUTER)).to.equal(undefined);
  });
});

describe('a swap on Tron', () => {
  const [WTRX, USDT, SUNSWAP, ALICE, BOB] = [WETH, USDC, ROUTER, ME, OTHER].map(fromEvm) as [
    string,
    string,
    string,
    string,
    string,
  ];
  const TRX = { symbol: 'TRX', decimals: 6 };
  const entry = { ...V2, name: 'SunSwap V2', factory: BOB, router: SUNSWAP, wrapped: WTRX };
  const TRON: Network = {
    ...NETWORK,
    id: 'tron',
    secretType: 'TRON',
    tokens: [{ ...NETWORK.tokens[0]!, address: USDT, symbol: 'USDT' }],
    exchanges: [entry],
  };
  const built = (changes: Parameters<typeof order>[0]) => ({
    ...uniswapV2(V2 as never, new Map()).build(order(changes)),
    to: SUNSWAP,
  });

  it('is read from its bytes, with Tron’s addresses', async () => {
    const sale = (await readTerms(entry as never, built({}), TRON, TRX))!;
    expect(sale.input).to.deep.equal({ raw: 10n ** 18n, ...TRX });
    expect(sale.output).to.deep.equal({ raw: 1_802_110_000n, decimals: 6, symbol: 'USDT', token: USDT });
    expect(sale.recipient).to.equal(ALICE);
    const unlisted = built({ fromAddress: DAI, toAddress: '', recipient: OTHER });
    const purchase = (await readTerms(entry as never, unlisted, TRON, TRX))!;
    expect(purchase.input.token).to.equal(fromEvm(DAI));
    expect(purchase.input.decimals).to.equal(null);
    expect(purchase.output).to.deep.equal({ raw: 1_802_110_000n, ...TRX });
    expect(purchase.recipient).to.equal(BOB);
  });

  it('is none through a router that is not listed, nor one that differs only by case', () => {
    expect(exchangeAt(TRON, SUNSWAP)?.name).to.equal('SunSwap V2');
    expect(exchangeAt(TRON, ALICE)).to.equal(undefined);
    expect(exchangeAt(TRON, SUNSWAP.toLowerCase())).to.equal(undefined);
  });

  it('has the contracts of its chain alone', () => {
    for (const [secretType, wrong] of [
      ['TRON', { ...entry, wrapped: WETH }],
      ['TRON', { ...entry, bases: [USDT, USDC] }],
      ['ETHEREUM', { ...V2, router: SUNSWAP }],
    ] as const) {
      const { issues } = readEntries({ secretType, exchanges: [wrong] });
      expect(issues.length, JSON.stringify(wrong)).to.equal(1);
      expect(issues[0]!.path).to.match(/^exchanges\.0\.(wrapped|bases\.1|router)$/);
    }
    expect(readEntries(TRON).issues).to.deep.equal([]);
  });

  it('knows listed tokens by their exact address', () => {
    expect(listedToken(TRON.tokens, USDT)?.symbol).to.equal('USDT');
    expect(listedToken(TRON.tokens, USDT.toLowerCase())).to.equal(undefined);
    expect(listedToken(NETWORK.tokens, USDC.toLowerCase())?.symbol).to.equal('USDC');
  });
});
