import { expect } from '@open-wc/testing';
import { keccak256 } from 'ethers/crypto';
import type { ConnectError } from '../../../../src/base/errors.ts';
import { decode } from '../../../../src/chains/contracts/abi.ts';
import { loadChain } from '../../../../src/chains/index.ts';
import { Networks } from '../../../../src/chains/network.ts';
import type { SecretType } from '../../../../src/chains/secret-type.ts';
import type { NodeReader } from '../../../../src/frame/frame.ts';
import { create, pairs, rates } from '../../../../src/frame/reads/swaps.ts';
import { readCallOrder } from '../../../../src/swaps/cross-chain/thorchain/terms.ts';
import { createSwap, crossChainOf, type ReachOf, swapPairs, swapRates } from '../../../../src/swaps/index.ts';
import { type Asked, fakeNode, QUIET, type Answers as RpcAnswers } from '../../chains/fake-node.ts';
import {
  type Answers,
  type Body,
  clock,
  DEPTHS,
  Network,
  ROUTER,
  TO_BTC,
  TO_ETH,
  VAULTS,
} from './thor-network.ts';

const USDC = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
const USDT = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
const TRON_USDT = `TRON.USDT-${USDT.toUpperCase()}`;
const OLD_ROUTER = `0x${'0d'.repeat(20)}`;
const CODE = '0x60016001';
const FROM: Record<string, string> = {
  BITCOIN: TO_BTC,
  LITECOIN: 'ltc1qp0esmcpjymjahn3aptwtpf82axyq2g36kzgrng',
  ETHEREUM: TO_ETH,
  TRON: 'TMazs4f2ybMjGf7WXAx4uiRf2T7XtMC6qt',
};

const token = (address: string, symbol: string) => ({ address, symbol, name: symbol, decimals: 6 });
const network = (id: string, secretType: string, more: object = {}) => ({
  id,
  secretType,
  name: id,
  kind: 'mainnet',
  nodes: [`https://${id}.example`],
  ...more,
});
const NETWORKS = [
  network('bitcoin', 'BITCOIN'),
  network('litecoin', 'LITECOIN'),
  network('ethereum', 'ETHEREUM', { chainId: 31337, tokens: [token(USDC, 'USDC')] }),
  network('tron', 'TRON', { genesis: `0x${'1'.repeat(64)}`, tokens: [token(USDT, 'USDT')] }),
  network('vechain', 'VECHAIN', { genesis: `0x${'2'.repeat(64)}` }),
];
const ENTRY = {
  kind: 'thorchain',
  name: 'THORChain',
  nodes: ['one.example', 'other.example'].map((host) => ({ url: `https://${host}`, operator: host })),
  routers: [ROUTER, OLD_ROUTER].map((address) => ({
    network: 'ethereum',
    address,
    codeHash: keccak256(CODE),
  })),
  assets: [
    { network: 'bitcoin', name: 'BTC.BTC' },
    { network: 'litecoin', name: 'LTC.LTC' },
    { network: 'ethereum', name: 'ETH.ETH' },
    { network: 'ethereum', token: USDC, name: `ETH.USDC-${USDC.toUpperCase()}` },
    { network: 'tron', name: 'TRON.TRX' },
    { network: 'tron', token: USDT, name: TRON_USDT },
  ],
};

/** A wallet's networks, THORChain at two nodes, and Ethereum at one. */
class Desk {
  readonly thor = new Network();
  /** Of what has code on Ethereum. */
  readonly codes: Record<string, string> = { [ROUTER.toLowerCase()]: CODE };
  /** By spender, in USDC's smallest units. */
  readonly allowances: Record<string, bigint> = {};
  /** Whether the token takes only an allowance of 0 while there is another. */
  isUsdtLike = false;
  readonly ethereum: RpcAnswers = {
    ...QUIET,
    eth_getCode: ({ params: [address] }: Asked) => this.codes[String(address).toLowerCase()] ?? '0x',
    eth_call: ({ params: [call] }: Asked) => this.#call((call as { data: string }).data),
  };
  readonly file: Networks;

  constructor({ crossChain = [ENTRY] as object[], kind = 'mainnet' } = {}) {
    this.file = Networks.parse({ networks: NETWORKS.map((each) => ({ ...each, kind })), crossChain });
    this.thor.each(({ pools }) => pools.push({ ...pools[3], asset: TRON_USDT, decimals: 6 }));
    DEPTHS[TRON_USDT] = DEPTHS['TRON.TRX']!;
  }

  #call(data: string): unknown {
    const word = (value: bigint): string => `0x${value.toString(16).padStart(64, '0')}`;
    switch (data.slice(0, 10)) {
      case '0xdd62ed3e':
        return word(this.allowances[`0x${data.slice(-40)}`] ?? 0n);
      case '0x70a08231':
        return word(10n ** 12n);
      case '0x095ea7b3':
        return this.isUsdtLike ? new Error('execution reverted') : word(1n);
      default:
        return new Error('execution reverted');
    }
  }

  readonly reachOf: ReachOf = async (secretType, id) => {
    const there = this.file.networks.find((each) => (id ? each.id === id : each.secretType === secretType));
    if (!there) return undefined;
    const chain = await loadChain(secretType);
    const node = secretType === 'ETHEREUM' ? fakeNode(this.ethereum, there).node : chain.node(there);
    return { chain, node };
  };

  exchanges() {
    return crossChainOf(this.file, { clock, fetch: (input) => this.thor.fetch(input) });
  }

  async rates(query: object) {
    const body = { orderType: 'SELL', amount: '1', fromToken: '', toToken: '', ...query };
    return swapRates(body as never, this.reachOf, { crossChain: await this.exchanges() });
  }

  async create(swap: { from: SecretType; to: SecretType } & Body) {
    const { from, to, recipient = FROM[to], ...more } = swap;
    const body = {
      walletId: 'w',
      destinationWalletId: 'd',
      fromSecretType: from,
      toSecretType: to,
      fromToken: '',
      toToken: '',
      orderType: 'SELL',
      inputAmount: '1',
      exchange: 'THORChain',
      ...more,
    };
    const parties = { from: FROM[from]!, to: String(recipient) };
    return createSwap(body as never, parties, this.reachOf, await this.exchanges());
  }
}

/** `code reason` or `code path` of an error. */
async function failure(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    const { code, details } = error as ConnectError<'request.invalid'> & { details: { reason?: string } };
    return `${code} ${details.issues?.map(({ path }) => path) ?? details.reason ?? ''}`.trim();
  }
  return 'created';
}

const BTC_TO_ETH = { from: 'BITCOIN', to: 'ETHEREUM' } as const;
const ETH_TO_BTC = { from: 'ETHEREUM', to: 'BITCOIN' } as const;
const USDC_TO_BTC = { ...ETH_TO_BTC, fromToken: USDC, inputAmount: '5000' } as const;

describe('pairs and rates between chains', () => {
  it('pairs lead from the wallet’s chain to the others, and ask nobody', async () => {
    const desk = new Desk();
    const offered = await swapPairs((await desk.reachOf('BITCOIN'))!, await desk.exchanges());
    expect(offered.map(({ from, to }) => `${from.symbol} ${to.secretType} ${to.symbol}`)).to.deep.equal([
      'BTC LITECOIN LTC',
      'BTC ETHEREUM ETH',
      'BTC ETHEREUM USDC',
      'BTC TRON TRX',
      'BTC TRON USDT',
    ]);
    const fromTron = await swapPairs((await desk.reachOf('TRON'))!, await desk.exchanges());
    expect(fromTron).to.deep.include({
      from: { secretType: 'TRON', symbol: 'USDT', tokenAddress: USDT },
      to: { secretType: 'BITCOIN', symbol: 'BTC', tokenAddress: '' },
    });
    expect(fromTron.filter(({ to }) => to.secretType === 'TRON')).to.deep.equal([]);
    expect(await swapPairs((await desk.reachOf('VECHAIN'))!, await desk.exchanges())).to.deep.equal([]);
    expect(desk.thor.asked).to.deep.equal([]);
  });

  it('a rate tells fees, time, the least output and what a refund costs', async () => {
    const desk = new Desk();
    const { exchangeRates, bestRate, noRates } = await desk.rates({
      fromSecretType: 'BITCOIN',
      toSecretType: 'ETHEREUM',
      slippage: 1,
    });
    expect(noRates).to.equal(undefined);
    const [rate] = exchangeRates;
    expect(bestRate).to.equal(rate);
    const { crossChain, rawOutputAmount, ...rest } = rate!;
    const output = BigInt(rawOutputAmount!);
    expect(rest).to.deep.include({ exchange: 'THORChain', inputAmount: 1, slippage: 1, outputDecimals: 18 });
    expect(rest.networkFee).to.equal(undefined);
    expect(crossChain!.seconds).to.equal(666);
    const minimum = BigInt(crossChain!.rawMinimumOutput);
    expect(minimum <= (output * 99n) / 100n && minimum > (output * 989n) / 1000n).to.equal(true);
    expect(crossChain!.outboundFee).to.deep.equal({
      symbol: 'ETH',
      decimals: 18,
      amount: 0.0004,
      rawAmount: '400000000000000',
    });
    expect(crossChain!.refundFee).to.deep.equal({
      symbol: 'BTC',
      decimals: 8,
      amount: 0.0004,
      rawAmount: '40000',
    });
    // What the amount itself does to the price, and the fees of the pools, are about the depth that it takes.
    expect(crossChain!.liquidityFee.symbol).to.equal('ETH');
    expect(rest.fee).to.be.within(0.2, 0.3);
    expect(rest.priceImpact).to.be.within(0.2, 0.3);
  });

  it('a rate from Ethereum has the network’s fee, and is asked for without a recipient', async () => {
    const desk = new Desk();
    const { bestRate } = await desk.rates({ fromSecretType: 'ETHEREUM', toSecretType: 'BITCOIN' });
    expect(bestRate!.networkFee!.symbol).to.equal('ETH');
    expect(bestRate!.crossChain!.outboundFee.symbol).to.equal('BTC');
  });

  it('nothing is offered to buy, or where nothing is listed', async () => {
    const desk = new Desk();
    const query = { fromSecretType: 'BITCOIN', toSecretType: 'ETHEREUM' };
    const bought = await desk.rates({ ...query, orderType: 'BUY' });
    expect(bought.noRates!.map(({ code }) => code)).to.deep.equal(['swap.thorchain.sell-only']);
    const unlisted = await desk.rates({ ...query, toToken: `0x${'5'.repeat(40)}` });
    expect(unlisted.noRates!.map(({ code }) => code)).to.deep.equal(['swap.thorchain.exchange-not-found']);
    const nothing = { exchangeRates: [], bestRate: null };
    expect(await desk.rates({ ...query, toSecretType: 'VECHAIN' })).to.deep.equal(nothing);
    expect(await desk.rates({ ...query, toSecretType: 'NEO' })).to.deep.equal(nothing);
    const off = new Desk({ crossChain: [] });
    expect(await off.rates(query)).to.deep.equal(nothing);
    expect(await failure(off.create(BTC_TO_ETH))).to.equal('swap.no-exchange-found');
    expect(desk.thor.asked).to.deep.equal([]);
  });

  it('what is not available now is listed with the reason', async () => {
    const desk = new Desk();
    desk.thor.each(({ pools }) => Object.assign(pools[2]!, { status: 'Staged' }));
    const { exchangeRates, noRates } = await desk.rates({
      fromSecretType: 'BITCOIN',
      toSecretType: 'ETHEREUM',
    });
    expect(exchangeRates).to.deep.equal([]);
    expect(noRates).to.deep.equal([
      {
        exchange: 'THORChain',
        code: 'swap.thorchain.unavailable',
        message: 'The pool of ETH.ETH takes no swaps now.',
        details: { reason: 'pool' },
      },
    ]);
  });
});

describe('the requests to nodes of THORChain', () => {
  it('are few: 4 or 1 for a rate, as many and 8 for a creation', async () => {
    const desk = new Desk();
    const { asked } = desk.thor;
    const during = async (work: () => Promise<unknown>): Promise<number> => {
      const before = asked.length;
      await work();
      return asked.length - before;
    };
    const query = { fromSecretType: 'BITCOIN', toSecretType: 'ETHEREUM' };
    expect(await during(() => desk.rates(query))).to.equal(4);
    expect(await during(() => desk.rates(query))).to.equal(1);
    expect(await during(() => desk.create(BTC_TO_ETH))).to.equal(9);
    await clock.pass(10_000);
    expect(await during(() => desk.create(BTC_TO_ETH))).to.equal(12);
  });
});

describe('the wallet in the browser', () => {
  it('answers a page by the exchanges of its own networks.json', async () => {
    const desk = new Desk();
    const frame = { networks: desk.file, clock, chain: loadChain } as unknown as NodeReader;
    const offered = await pairs(frame, { secretType: 'LITECOIN' });
    expect(offered.map(({ to }) => to.symbol)).to.deep.equal(['BTC', 'ETH', 'USDC', 'TRX', 'USDT']);
    const sides = { fromSecretType: 'LITECOIN', toSecretType: 'BITCOIN', orderType: 'BUY' };
    const { noRates } = await rates(frame, { query: { ...sides, amount: '1' } });
    expect(noRates!.map(({ code }) => code)).to.deep.equal(['swap.thorchain.sell-only']);
    const body = { ...sides, walletId: 'w', orderType: 'SELL', inputAmount: '1', exchange: 'THORChain' };
    const parties = { address: FROM['LITECOIN']!, recipient: FROM['LITECOIN']! };
    expect(await failure(create(frame, { body, ...parties }))).to.equal(
      'request.invalid destinationWalletId',
    );
  });
});

describe('creating a swap between chains', () => {
  it('for too little says how much is enough', async () => {
    const desk = new Desk();
    desk.thor.each((answers) => changeQuote(answers, { recommended_min_amount_in: '150000001' }));
    const { noRates } = await desk.rates({ fromSecretType: 'BITCOIN', toSecretType: 'ETHEREUM' });
    expect(noRates![0]!.message).to.match(/at least 1\.50000001 BTC\.$/);
  });

  it('is one payment with the memo on Bitcoin, Litecoin and Tron', async () => {
    const desk = new Desk();
    const [bitcoin, ...more] = await desk.create(BTC_TO_ETH);
    expect(more).to.deep.equal([]);
    const { data, ...payment } = bitcoin as unknown as Record<string, string>;
    expect(payment).to.deep.include({ type: 'BTC_TRANSACTION', to: VAULTS['BTC'], value: '100000000' });
    expect(data).to.match(new RegExp(`^=:e:${TO_ETH}:\\d+$`));
    const [litecoin] = await desk.create({ from: 'LITECOIN', to: 'TRON' });
    expect(litecoin).to.deep.include({ type: 'LTC_TRANSACTION', to: VAULTS['LTC'] });
    expect((litecoin as Body)['data']).to.match(/^=:tr:TMazs4f2ybMjGf7WXAx4uiRf2T7XtMC6qt:\d+$/);
    const [tron] = await desk.create({ from: 'TRON', to: 'BITCOIN', inputAmount: '100000' });
    expect(tron).to.deep.include({ type: 'TRX_TRANSACTION', to: VAULTS['TRON'], value: '100000000000' });
    expect((tron as Body)['data']).to.match(/^=:b:bc1q/);
    const [usdt] = await desk.create({ from: 'TRON', to: 'BITCOIN', fromToken: USDT, inputAmount: '100000' });
    expect(usdt).to.deep.include({
      type: 'TRC10_TRANSACTION',
      to: VAULTS['TRON'],
      token: USDT,
      value: '100000000000',
    });
    expect((usdt as Body)['memo']).to.match(/^=:b:bc1q/);
  });

  it('is a deposit through the listed router on Ethereum, which its own reader reads back', async () => {
    const desk = new Desk();
    const requests = await desk.create({ ...ETH_TO_BTC, inputAmount: '1.5' });
    expect(requests).to.have.length(1);
    const { to, value, data } = requests[0] as unknown as Record<string, string>;
    expect([to, value]).to.deep.equal([ROUTER, '1500000000000000000']);
    const order = readCallOrder({ to: to!, value: BigInt(value!), data: data! }, desk.file.networks[2]!, [
      ENTRY as never,
    ])!;
    expect(order).to.deep.include({ exchange: 'THORChain', router: ROUTER });
    expect(order.vault.toLowerCase()).to.equal(VAULTS['ETH']);
    expect(order.memo).to.deep.include({ asset: 'BTC.BTC', recipient: TO_BTC });
    expect(order.expiry).to.equal(BigInt(clock.date() / 1000 + 900));
  });

  it('a node cannot have a deposit wait longer than a quarter of an hour', async () => {
    const desk = new Desk();
    desk.thor.each((answers) => changeQuote(answers, { expiry: 4_000_000_000 }));
    const [request] = await desk.create(ETH_TO_BTC);
    const { data } = request as unknown as { data: string };
    const [, , , , expiry] = decode(
      ['address', 'address', 'uint256', 'string', 'uint256'],
      `0x${data.slice(10)}`,
    );
    expect(expiry).to.equal(BigInt(clock.date() / 1000 + 900));
  });

  /** The amounts that USDC is approved for, in order, by the last digits of the spender. */
  async function approvalsOf(desk: Desk): Promise<string[]> {
    const requests = (await desk.create(USDC_TO_BTC)) as unknown as Record<string, string>[];
    const deposit = requests.at(-1)!;
    expect([deposit['to'], deposit['value']]).to.deep.equal([ROUTER, '0']);
    return requests.slice(0, -1).map(({ to, data }) => {
      expect(to).to.equal(USDC);
      const [spender, amount] = decode(['address', 'uint256'], `0x${data!.slice(10)}`) as [string, bigint];
      return `${spender.toLowerCase() === ROUTER.toLowerCase() ? 'router' : 'old'} ${amount}`;
    });
  }

  it('a token is approved for exactly its amount, whatever was approved before', async () => {
    const desk = new Desk();
    const at = ROUTER.toLowerCase();
    expect(await approvalsOf(desk)).to.deep.equal(['router 5000000000']);
    desk.allowances[at] = 5_000_000_000n;
    expect(await approvalsOf(desk)).to.deep.equal([]);
    desk.allowances[at] = 2n ** 255n;
    expect(await approvalsOf(desk)).to.deep.equal(['router 5000000000']);
    desk.isUsdtLike = true;
    expect(await approvalsOf(desk)).to.deep.equal(['router 0', 'router 5000000000']);
  });

  it('an allowance left at an older router is taken back first', async () => {
    const desk = new Desk();
    desk.allowances[OLD_ROUTER] = 7n;
    expect(await approvalsOf(desk)).to.deep.equal(['old 0', 'router 5000000000']);
  });

  it('the limit is that of the rate that was seen, rounded up, whatever a node writes', async () => {
    const desk = new Desk();
    const { bestRate } = await desk.rates({ fromSecretType: 'BITCOIN', toSecretType: 'ETHEREUM' });
    const seen = BigInt(bestRate!.rawOutputAmount!);
    desk.thor.each((answers) => changeQuote(answers, { memo: `=:e:${TO_ETH}:0` }));
    const limitOf = async (more: object): Promise<bigint> => {
      const [request] = await desk.create({ ...BTC_TO_ETH, ...more });
      return BigInt((request as unknown as { data: string }).data.split(':').at(-1)!);
    };
    const outputAmount = (raw: bigint) =>
      `${raw / 10n ** 18n}.${(raw % 10n ** 18n).toString().padStart(18, '0')}`;
    expect(await limitOf({})).to.equal(((seen / 10n ** 10n) * 995n) / 1000n);
    expect(await limitOf({ outputAmount: outputAmount(seen), slippage: 0 })).to.equal(seen / 10n ** 10n);
    const lower = seen - 15n * 10n ** 9n;
    expect(await limitOf({ outputAmount: outputAmount(lower), slippage: 0 })).to.equal(
      seen / 10n ** 10n - 1n,
    );
    const higher = desk.create({ ...BTC_TO_ETH, outputAmount: outputAmount(seen + 1n), slippage: 0 });
    expect(await failure(higher)).to.equal('swap.thorchain.get-price.failed moved');
  });

  it('no part of an amount is lost on the way', async () => {
    const desk = new Desk();
    const inputAmount = '1.000000001';
    expect(await failure(desk.create({ ...ETH_TO_BTC, inputAmount }))).to.equal(
      'request.invalid inputAmount',
    );
    const query = { fromSecretType: 'ETHEREUM', toSecretType: 'BITCOIN', amount: inputAmount };
    expect(await failure(desk.rates(query))).to.equal('request.invalid amount');
    expect(desk.thor.asked).to.deep.equal([]);
    expect(await failure(desk.create({ ...ETH_TO_BTC, inputAmount: '1.00000001' }))).to.equal('created');
  });

  it('what is asked wrongly is named', async () => {
    const desk = new Desk();
    const problems: [more: Body, problem: string][] = [
      [{ destinationWalletId: undefined }, 'request.invalid destinationWalletId'],
      [{ recipient: '0x12' }, 'request.invalid destinationWalletId'],
      [{ inputAmount: undefined }, 'request.invalid inputAmount'],
      [{ inputAmount: '0' }, 'request.invalid inputAmount'],
      [{ outputAmount: 'x' }, 'request.invalid outputAmount'],
      [{ orderType: 'BUY', outputAmount: '1' }, 'swap.thorchain.sell-only'],
      [{ exchange: 'Uniswap V2' }, 'swap.no-exchange-found'],
      [{ toToken: `0x${'5'.repeat(40)}` }, 'swap.thorchain.exchange-not-found'],
    ];
    for (const [more, problem] of problems)
      expect(await failure(desk.create({ ...BTC_TO_ETH, ...more })), JSON.stringify(more)).to.equal(problem);
    const poor = desk.create({ ...USDC_TO_BTC, inputAmount: '2000000' });
    expect(await failure(poor)).to.equal('transaction.insufficient-funds');
    // Bitcoin's addresses tell the network.
    const testnet = new Desk({ kind: 'testnet' });
    expect(await failure(testnet.create(ETH_TO_BTC))).to.equal('request.invalid destinationWalletId');
  });
});

function changeQuote(answers: Answers, change: Body): void {
  const { quote } = answers;
  answers.quote = (question) => {
    const { status, body } = quote(question);
    return { status, body: { ...(body as Body), ...change } };
  };
}

describe('creating a swap between chains is refused', () => {
  const inboundOf = ({ inbound_addresses: all }: Answers, chain: string): Body =>
    all.find((each) => each.chain === chain)!;
  const other = `0x${'1'.repeat(40)}`;

  /** What the second node alone says, or both. */
  const faults: [name: string, fault: (desk: Desk) => unknown, reason: string, swap?: typeof ETH_TO_BTC][] = [
    [
      'nodes that name different vaults',
      (desk) => Object.assign(inboundOf(second(desk), 'BTC'), { address: 'bc1qother' }),
      'nodes-differ',
    ],
    [
      'the source halted',
      (desk) => Object.assign(inboundOf(second(desk), 'BTC'), { halted: true }),
      'halted',
    ],
    [
      'the destination halted',
      (desk) => Object.assign(inboundOf(second(desk), 'ETH'), { halted: true }),
      'halted',
    ],
    [
      'trading paused',
      (desk) => Object.assign(inboundOf(second(desk), 'ETH'), { global_trading_paused: true }),
      'halted',
    ],
    [
      'nothing signed on the destination',
      (desk) => Object.assign(second(desk).mimir, { HALTSIGNINGETH: 1 }),
      'signing-halted',
    ],
    [
      'a node that stands still',
      (desk) =>
        Object.assign(second(desk).block.header, { time: new Date(clock.date() - 60_000).toISOString() }),
      'node-behind',
    ],
    [
      'a single node',
      (desk) => (desk.thor.faults['other.example'] = () => new Response('', { status: 503 })),
      'nodes',
    ],
    [
      'answers of 20 s ago',
      (desk) => (desk.thor.faults['other.example'] = () => clock.pass(20_001)),
      'answers-old',
    ],
    [
      'a vault that is not active',
      (desk) => desk.thor.each((a) => Object.assign(a['vaults/asgard'][1]!, { status: 'RetiringVault' })),
      'vault',
    ],
    [
      'a vault that is no address',
      (desk) =>
        desk.thor.each((a) => {
          Object.assign(inboundOf(a, 'BTC'), { address: 'bc1qother' });
          (a['vaults/asgard'][1]!['addresses'] as Body[])[0]!['address'] = 'bc1qother';
          changeQuote(a, { inbound_address: 'bc1qother' });
        }),
      'vault',
    ],
    [
      'too little',
      (desk) => desk.thor.each((a) => changeQuote(a, { recommended_min_amount_in: '100000001' })),
      'below-minimum',
    ],
    [
      'dust',
      (desk) => desk.thor.each((a) => Object.assign(inboundOf(a, 'BTC'), { dust_threshold: '100000000' })),
      'dust',
    ],
    [
      'another price',
      (desk) => desk.thor.each((a) => changeQuote(a, { expected_amount_out: '99999999999' })),
      'price-differs',
    ],
    [
      'a memo of another recipient',
      (desk) => desk.thor.each((a) => changeQuote(a, { memo: `=:e:${other}:1` })),
      'memo',
    ],
    [
      'another code of the router',
      (desk) => (desk.codes[ROUTER.toLowerCase()] = '0x6002'),
      'router',
      ETH_TO_BTC,
    ],
    ['no code of the router', (desk) => delete desk.codes[ROUTER.toLowerCase()], 'router', ETH_TO_BTC],
    [
      'a router that is not listed',
      (desk) =>
        desk.thor.each((a) => {
          Object.assign(inboundOf(a, 'ETH'), { router: other });
          changeQuote(a, { router: other });
        }),
      'router',
      ETH_TO_BTC,
    ],
    [
      'a sender with code',
      (desk) => (desk.codes[TO_ETH.toLowerCase()] = `0xef0100${'11'.repeat(20)}`),
      'contract',
      ETH_TO_BTC,
    ],
    ['a recipient with code', (desk) => (desk.codes[TO_ETH.toLowerCase()] = CODE), 'contract'],
    [
      'a deposit that would revert',
      (desk) =>
        (desk.ethereum['eth_simulateV1'] = [
          { calls: [{ status: '0x0', returnData: '0x', error: { message: 'execution reverted' } }] },
        ]),
      'router',
      ETH_TO_BTC,
    ],
    [
      'an Ethereum node that takes longer than answers count',
      (desk) => (desk.ethereum['eth_simulateV1'] = () => void clock.pass(20_001)),
      'answers-old',
      ETH_TO_BTC,
    ],
  ];
  const second = ({ thor }: Desk): Answers => thor.answers['other.example']!;

  for (const [name, fault, reason, swap] of faults)
    it(`at ${name}`, async () => {
      const desk = new Desk();
      fault(desk);
      expect(await failure(desk.create(swap ?? BTC_TO_ETH))).to.equal(`swap.thorchain.unavailable ${reason}`);
    });

  it('if the order was swapped since the rate', async () => {
    const desk = new Desk();
    const { bestRate } = await desk.rates({ fromSecretType: 'BITCOIN', toSecretType: 'ETHEREUM' });
    desk.thor.each((answers) => changeQuote(answers, { memo: `=:ETH.USDC:${TO_ETH}` }));
    const created = desk.create({ ...BTC_TO_ETH, outputAmount: bestRate!.outputAmount });
    expect(await failure(created)).to.equal('swap.thorchain.unavailable memo');
  });

  it('if the pools have moved past the slippage since the rate', async () => {
    const desk = new Desk();
    const { bestRate } = await desk.rates({ fromSecretType: 'BITCOIN', toSecretType: 'ETHEREUM' });
    desk.thor.each(({ pools }) => Object.assign(pools[2]!, { balance_asset: '2300000000000' }));
    const created = desk.create({ ...BTC_TO_ETH, outputAmount: bestRate!.outputAmount });
    expect(await failure(created)).to.equal('swap.thorchain.get-price.failed moved');
  });
});
