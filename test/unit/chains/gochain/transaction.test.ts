import { expect } from '@open-wc/testing';
import { AbiCoder } from 'ethers/abi';
import { Transaction } from 'ethers/transaction';
import type { Known } from '../../../../src/chains/terms.ts';
import type { Summary } from '../../../../src/chains/approval/summary.ts';
import { checksum } from '../../../../src/chains/contracts/evm-address.ts';
import type { EvmDraft } from '../../../../src/chains/evm/draft.ts';
import { bytesOf } from '../../../../src/base/bytes.ts';
import type { Network } from '../../../../src/chains/network.ts';
import { networkFor } from '../../../../src/chains/nodes/network-choice.ts';
import { parseNetworks } from '../../../../src/chains/nodes/networks.ts';
import { type Answers, type Asked, fakeNode } from '../fake-node.ts';
import { fromPage } from '../from-page.ts';
import { gochain, gochainPayloads as payloads } from '../../../families.ts';

const chain = fromPage(gochain, payloads);

const KEY = bytesOf('0x4646464646464646464646464646464646464646464646464646464646464646');
const ME = chain.address(KEY);
const TO = `0x${'11'.repeat(20)}`;
const TOKEN = checksum(`0x${'70'.repeat(20)}`);
const FLOOR = 2_000_000_000_000n;
const USED: Known = { used: [TO, TOKEN], own: [], reported: [] };
const NETWORK: Network = {
  id: 'gochain',
  secretType: 'GOCHAIN',
  name: 'GoChain',
  kind: 'mainnet',
  chainId: 60,
  nodes: ['http://one.example'],
  tokens: [{ address: TOKEN, symbol: 'PLAY', name: 'Play', decimals: 6, logo: '' }],
};
const hex = (value: bigint) => `0x${value.toString(16)}`;
const word = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`;
const reverted = (reason: string) =>
  `0x08c379a0${AbiCoder.defaultAbiCoder().encode(['string'], [reason]).slice(2)}`;

/** Answers of a GoChain node: methods of later forks are errors of its own. */
const NODE: Answers = {
  eth_chainId: '0x3c',
  eth_getTransactionCount: '0x5',
  eth_gasPrice: hex(FLOOR),
  eth_getBalance: hex(10n ** 18n),
  eth_getCode: '0x',
  eth_estimateGas: '0x5208',
  eth_call: '0x',
};
const withToken = (call: unknown): Answers => ({
  ...NODE,
  eth_getCode: '0x60',
  eth_estimateGas: '0xc350',
  eth_call: ({ params: [{ data }] }: Asked) => (data.startsWith('0x70a08231') ? word(9_000_000n) : call),
});

const request = (change: object = {}) => ({
  type: 'GO_TRANSACTION',
  walletId: 'w',
  to: TO,
  value: 10n ** 18n,
  ...change,
});
const tokens = (change: object = {}) =>
  request({ type: 'GOCHAIN_GO20_TRANSACTION', tokenAddress: TOKEN, value: 5, ...change });

async function summaryOf(
  asked: ReturnType<typeof request>,
  answers: Answers = NODE,
  network = NETWORK,
): Promise<Summary & { draft: EvmDraft; methods: string[] }> {
  const { node, requests } = fakeNode(answers, network);
  const draft = await chain.prepare(asked, ME, node, USED);
  expect(structuredClone(draft), 'drafts travel and are stored').to.deep.equal(draft);
  return { ...(await chain.describe(draft)), draft, methods: requests.flat() };
}

const codes = ({ warnings }: Summary) => warnings.map(({ code }) => code);

describe('GoChain transactions', () => {
  it('are of type 0 at the price of the node, from one round', async () => {
    const { draft, methods, ...summary } = await summaryOf(request());
    expect(draft).to.include({ secretType: 'GOCHAIN', type: 0, chainId: 60, nonce: 5, gas: 21000n });
    expect(draft.gasPrice).to.equal(FLOOR);
    expect(methods).to.not.include.members(['eth_feeHistory']);
    expect(methods).to.not.include.members(['eth_maxPriorityFeePerGas']);
    expect(summary.fee.maximum).to.deep.equal({ raw: 21000n * FLOOR, symbol: 'GO', decimals: 18 });
    expect(summary.networkName).to.equal('GoChain');
    expect(codes(summary)).to.deep.equal([]);
    const dear = await summaryOf(request(), { ...NODE, eth_gasPrice: hex(3n * FLOOR) });
    expect(dear.draft.gasPrice).to.equal(3n * FLOOR);
  });

  it('never pay less than 2000 gwei, whatever the node asks', async () => {
    const { draft } = await summaryOf(request(), { ...NODE, eth_gasPrice: '0x1' });
    expect(draft.gasPrice).to.equal(FLOOR);
    const given = await summaryOf(request({ gasPrice: String(FLOOR + 1n) }));
    expect(given.draft.gasPrice).to.equal(FLOOR + 1n);
  });

  it('are signed for the chain id', async () => {
    const { draft } = await summaryOf(request());
    const { raw, hash } = await chain.sign(draft, KEY);
    const read = Transaction.from(raw);
    expect([read.type, Number(read.chainId), read.from, read.hash]).to.deep.equal([0, 60, ME, hash]);
  });

  it('have at most 32 KiB, which is reported at the field that makes them longer', async () => {
    const asked = (bytes: number) => request({ data: `0x${'61'.repeat(bytes)}`, gas: 2_000_000 });
    const { draft } = await summaryOf(asked(30_000));
    const { raw } = await chain.sign(draft, KEY);
    // Room is left for a chain id whose `v` takes two bytes more.
    const most = 30_000 + 32 * 1024 - (raw.length - 2) / 2 - 1;
    await summaryOf(asked(most));
    const error = await summaryOf(asked(most + 1)).catch((e) => e);
    expect(error.issues).to.deep.equal([
      {
        path: 'data',
        message: 'is too long: the network takes 32768 bytes of transaction, and this is 1 over',
      },
    ]);
    const execution = {
      type: 'CONTRACT_EXECUTION',
      secretType: 'GOCHAIN',
      functionName: 'write',
      inputs: [{ type: 'bytes', value: `0x${'61'.repeat(33_000)}` }],
    };
    expect((await summaryOf(request(execution)).catch((e) => e)).issues[0].path).to.equal('inputs');
  });

  it('replace one another by a higher price', async () => {
    const { draft } = await summaryOf(request());
    const faster = await chain.replace(draft, 'speed-up', fakeNode(NODE, NETWORK).node);
    expect(faster.type).to.equal(0);
    expect(faster.gasPrice! * 10n >= FLOOR * 11n).to.equal(true);
    const cancelled = await chain.replace(faster, 'cancel', fakeNode(NODE, NETWORK).node);
    expect(cancelled).to.include({ nonce: 5, to: ME, value: 0n, data: '0x' });
    expect(cancelled.gasPrice! * 10n >= faster.gasPrice! * 11n).to.equal(true);
  });

  it('warn about an absurd fee at 10 GO, or where the operator says; below, about one that is far from usual', async () => {
    const price = (gas: number) => request({ gas, gasPrice: String(FLOOR * 100n) });
    expect(codes(await summaryOf(price(50_000), { ...NODE, eth_getBalance: hex(10n ** 20n) }))).to.deep.equal(
      ['fee-share'],
    );
    expect(codes(await summaryOf(price(50_001)))).to.include('fee-ceiling');
    const own = await summaryOf(request(), NODE, { ...NETWORK, feeCeiling: '1000' });
    expect(codes(own)).to.deep.equal(['fee-ceiling']);
  });

  it('of a token name it, and say why they will fail though a revert is an answer', async () => {
    const good = await summaryOf(tokens(), withToken(word(1n)));
    expect(good.amount).to.deep.equal({ raw: 5n, decimals: 6, symbol: 'PLAY', token: TOKEN });
    expect(codes(good)).to.deep.equal([]);
    const bad = await summaryOf(tokens(), withToken(reverted('paused')));
    expect(bad.warnings).to.deep.equal([
      { code: 'will-fail', level: 'danger', params: { reason: 'paused' } },
    ]);
    const silent = await summaryOf(tokens(), {
      ...withToken('0x'),
      eth_estimateGas: new Error('gas required exceeds allowance or always failing transaction'),
    });
    expect(codes(silent)).to.deep.equal(['will-fail']);
  });

  it('never take a revert for a token’s balance, decimals or name', async () => {
    const reverts = { ...NODE, eth_getCode: '0x60', eth_call: reverted('not a token') };
    const { node } = fakeNode(reverts, { ...NETWORK, tokens: [] });
    const error = await chain.token(TOKEN, node).catch((e) => e);
    expect(error.code).to.equal('request.invalid');
    const [held] = await chain.tokenBalances(ME, NETWORK.tokens, node);
    expect(held!.rawBalance).to.equal('0');
    const { draft } = await summaryOf(tokens(), reverts, { ...NETWORK, tokens: [] });
    expect(draft.facts.token).to.include({ symbol: '0x7070…7070', decimals: null });
  });

  it('are on the wallet’s own network alone', async () => {
    const { draft, ...summary } = await summaryOf(request());
    expect(draft.custom).to.equal(undefined);
    expect(summary.chainId).to.equal(60);
    const networks = parseNetworks({ customNodes: true, networks: [NETWORK] });
    expect(() =>
      networkFor(
        networks,
        { secretType: 'GOCHAIN' },
        { name: 'x', nodeUrl: 'https://node.example/' },
        undefined,
      ),
    ).to.throw('only supported for ETHEREUM');
    const other = await summaryOf(request(), { ...NODE, eth_chainId: '0x1' }).catch((e) => e);
    expect([other.code, other.details.reason]).to.deep.equal(['node.unreachable', 'chain-id']);
  });

  it('report the fee that was paid, by the transaction’s price', async () => {
    const { node } = fakeNode(
      {
        ...NODE,
        eth_getTransactionReceipt: { status: '0x1', blockNumber: '0x5', gasUsed: '0x5208' },
        eth_getTransactionByHash: { gasPrice: hex(FLOOR) },
      },
      NETWORK,
    );
    expect(await chain.receipt('0xhash', node)).to.deep.equal({
      state: 'confirmed',
      mined: { block: 5, confirmations: 1 },
      fee: 21000n * FLOOR,
      arrivals: [],
    });
  });

  it('are built from the bodies of the API', async () => {
    const body = { secretType: 'GOCHAIN', walletId: 'w', to: TO, value: '1.5' };
    const build = (change: object) =>
      chain.build({ ...body, ...change } as never, ME, fakeNode(withToken(word(1n)), NETWORK).node);
    const coins = { type: 'GO_TRANSACTION', walletId: 'w', to: TO, value: '1500000000000000000' };
    expect(await build({ type: 'TRANSFER' })).to.deep.equal(coins);
    expect(await build({ type: 'GAS_TRANSFER' })).to.deep.equal(coins);
    expect(await build({ type: 'TOKEN_TRANSFER', tokenAddress: TOKEN })).to.deep.equal({
      type: 'GOCHAIN_GO20_TRANSACTION',
      walletId: 'w',
      to: TO,
      value: '1500000',
      tokenAddress: TOKEN,
    });
    for (const change of [
      { type: 'NFT_TRANSFER', value: undefined, tokenAddress: TOKEN, tokenId: 7 },
      { type: 'TOKEN_TRANSFER', value: 2, tokenAddress: TOKEN, tokenId: 7 },
      { type: 'CONTRACT_EXECUTION', value: 5, functionName: 'set', inputs: [] },
    ])
      expect((await build(change)).type).to.equal('GO_TRANSACTION');
  });

  it('refuse amounts with too many digits or bits, and unknown people', async () => {
    const body = { type: 'TRANSFER', secretType: 'GOCHAIN' };
    for (const [change, message] of [
      [{ value: `0.${'1'.repeat(19)}` }, /18 digits/],
      [{ value: '9'.repeat(70) }, /256 bits/],
      [{ type: 'TOKEN_TRANSFER', tokenAddress: TOKEN, value: '0.0000001' }, /6 digits/],
      [{ type: 'TOKEN_TRANSFER', tokenAddress: TOKEN, tokenId: 7, value: '1.5' }, /whole/],
    ] as const) {
      const error = await summaryOf(request({ ...body, ...change })).catch((e) => e);
      expect(error.issues[0].path).to.equal('value');
      expect(error.issues[0].message).to.match(message);
    }
    const email = await summaryOf(request({ ...body, to: 'anna@example.com' })).catch((e) => e);
    expect(email.code).to.equal('recipient.unknown');
  });

  it('balances come in the shapes of the API', async () => {
    const { node } = fakeNode(withToken(word(1n)), NETWORK);
    expect(await chain.balance(ME, node)).to.deep.include({
      secretType: 'GOCHAIN',
      symbol: 'GO',
      gasSymbol: 'GO',
      balance: 1,
      rawBalance: '1000000000000000000',
      decimals: 18,
    });
    const [held] = await chain.tokenBalances(ME, NETWORK.tokens, node);
    expect(held).to.deep.include({ type: 'GO20', symbol: 'PLAY', rawBalance: '9000000', balance: 9 });
  });
});

describe('GoChain signatures', () => {
  const sign = (change: object) => ({ type: 'GOCHAIN_RAW', walletId: 'w', data: '0x616263', ...change });
  const show = (asked: ReturnType<typeof sign>) =>
    chain.describeSigning(asked, ME, fakeNode(NODE, NETWORK).node, USED);
  const unsigned = (fields: object) =>
    Transaction.from({ chainId: 60, to: TO, value: 5n, gasLimit: 21000n, nonce: 5, ...fields })
      .unsignedSerialized;

  it('draw a type 0 transaction as one, and sign its hash', async () => {
    const data = unsigned({ type: 0, gasPrice: FLOOR });
    const asked = sign({ type: 'GOCHAIN_TRANSACTION', data, prefix: false });
    const shown = await show(asked);
    expect(shown.kind).to.equal('transaction');
    const { r, s, v } = await chain.signData(asked, KEY);
    const signed = Transaction.from(data);
    signed.signature = { r, s, v: Number(v) };
    expect(signed.from).to.equal(ME);
  });

  it('refuse what GoChain does not know: type 2, and another chain', async () => {
    for (const [fields, message] of [
      [
        { type: 2, maxFeePerGas: FLOOR, maxPriorityFeePerGas: 1n },
        /GoChain transaction of type 0; .*GOCHAIN_RAW/,
      ],
      [{ type: 1, gasPrice: FLOOR }, /of type 0/],
      [{ type: 0, gasPrice: FLOOR, chainId: 1 }, /is for chain id 1, but the wallet is on 60/],
    ] as const) {
      const asked = sign({ type: 'GOCHAIN_TRANSACTION', data: unsigned(fields), prefix: false });
      const error = await show(asked).catch((e) => e);
      expect(error.issues[0].path).to.equal('data');
      expect(error.issues[0].message).to.match(message);
    }
  });

  it('show text as text', async () => {
    expect(await show(sign({}))).to.deep.equal({ kind: 'text', text: 'abc', hex: '0x616263' });
  });
});
