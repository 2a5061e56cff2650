import { expect } from '@open-wc/testing';
import { AbiCoder } from 'ethers/abi';
import type { Known } from '../../../../src/chains/terms.ts';
import type { Summary, WarningCode } from '../../../../src/chains/approval/summary.ts';
import { encodeCall } from '../../../../src/chains/contracts/abi.ts';
import { address, sign } from '../../../../src/chains/evm/transaction.ts';
import { bytesOf } from '../../../../src/base/bytes.ts';
import { checksum } from '../../../../src/chains/contracts/evm-address.ts';
import type { EvmDraft as EthereumDraft } from '../../../../src/chains/evm/draft.ts';
import type { Network } from '../../../../src/chains/network.ts';
import { networkFor } from '../../../../src/chains/nodes/network-choice.ts';
import { parseNetworks } from '../../../../src/chains/nodes/networks.ts';
import eip155 from '../../../vectors/eip155.vectors.json';
import published from '../../../vectors/eth-transactions.vectors.json';
import { type Answers, type Asked, NETWORK, QUIET, fakeNode } from '../fake-node.ts';
import { fromPage } from '../from-page.ts';
import { ethereum, ethereumPayloads as payloads } from '../../../families.ts';

const chain = fromPage(ethereum, payloads);

const KEY = bytesOf('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80');
const ME = address(KEY);
const TO = `0x${'11'.repeat(20)}`;
const TOKEN = checksum(`0x${'70'.repeat(20)}`);
const SPENDER = checksum(`0x${'5e'.repeat(20)}`);
const NOBODY: Known = { used: [], own: [], reported: [] };
const LISTED: Network = {
  ...NETWORK,
  tokens: [{ address: TOKEN, symbol: 'USDC', name: 'USD Coin', decimals: 6, logo: '' }],
};
const word = (n: bigint | number) => `0x${BigInt(n).toString(16).padStart(64, '0')}`;
const text = (value: string) => AbiCoder.defaultAbiCoder().encode(['string'], [value]);

/** A node where every address has code and `TOKEN` is a token. */
const contract = (more: Answers = {}): Answers => ({
  ...QUIET,
  eth_getCode: '0x60',
  eth_estimateGas: '0xc350',
  eth_call: ({ params: [{ data = '0x' }] }: Asked) =>
    data.startsWith('0x70a08231')
      ? word(1_000_000_000)
      : data.startsWith('0x313ce567')
        ? word(6)
        : data.startsWith('0x95d89b41')
          ? text('PLAY')
          : word(1),
  ...more,
});

/** The oracle of the OP Stack; without an operator's fee before the upgrade that has it. */
const opStack = (l1: bigint, operator?: bigint): Answers => ({
  eth_call({ params: [{ to, data }] }: Asked) {
    if (to !== '0x420000000000000000000000000000000000000F') return '0x';
    if (data.startsWith('0x49948e0e')) return word(l1);
    return operator === undefined ? new Error('execution reverted') : word(operator);
  },
});

/** Large enough for the fee to be small in comparison. */
const SENT = 10n ** 16n;
const native = (change: object) => ({
  type: 'ETH_TRANSACTION',
  walletId: 'w',
  to: TO,
  value: SENT,
  ...change,
});
const call = (data: string, change: object = {}) => native({ to: TOKEN, value: 0, data, ...change });
const approve = (amount: bigint) => encodeCall('approve', ['address', 'uint256'], [SPENDER, amount]);

async function summaryOf(
  request: { type: string; walletId: string } & Record<string, unknown>,
  answers: Answers = QUIET,
  known = NOBODY,
  network: Network = NETWORK,
): Promise<Summary & { draft: EthereumDraft; requests: string[][] }> {
  const { node, requests } = fakeNode(answers, network);
  const draft = await chain.prepare(request, ME, node, known);
  expect(structuredClone(draft), 'drafts travel and are stored').to.deep.equal(draft);
  return { ...(await chain.describe(draft)), draft, requests };
}

const draftWith = (fields: Partial<EthereumDraft>): EthereumDraft => ({
  secretType: 'ETHEREUM',
  network: NETWORK,
  from: ME,
  chainId: 1,
  type: 2,
  nonce: 0,
  gas: 0n,
  to: null,
  value: 0n,
  data: '0x',
  facts: {} as EthereumDraft['facts'],
  ...fields,
});

describe('Ethereum transactions', () => {
  it('EIP-155: signs the published example to the published bytes', async () => {
    const v = eip155.vectors[0] as {
      nonce: number;
      gasPrice: string;
      gasLimit: string;
      to: string;
      value: string;
      privateKey: string;
      signedTx: string;
    };
    const { raw } = await sign(
      draftWith({
        from: chain.address(bytesOf(v.privateKey)),
        type: 0,
        nonce: v.nonce,
        gasPrice: BigInt(v.gasPrice),
        gas: BigInt(v.gasLimit),
        to: v.to,
        value: BigInt(v.value),
      }),
      bytesOf(v.privateKey),
    );
    expect(raw).to.equal(v.signedTx);
  });

  it('EIP-155 and EIP-1559: signs the published transactions to the published bytes', async () => {
    for (const v of published.vectors) {
      const t = v.transaction as Record<string, string | number | undefined>;
      const key = bytesOf(v.privateKey);
      const common = {
        from: chain.address(key),
        chainId: Number(t['chainId']),
        nonce: Number(t['nonce'] ?? 0),
        gas: BigInt(t['gasLimit'] ?? 0),
        to: (t['to'] as string | undefined) ?? null,
        value: BigInt(t['value'] ?? 0),
        data: (t['data'] as string | undefined) ?? '0x',
      };
      const legacy = await sign(draftWith({ ...common, type: 0, gasPrice: BigInt(t['gasPrice'] ?? 0) }), key);
      expect(legacy.raw, v.name).to.equal(v.signedEip155);
      const dynamic = await sign(
        draftWith({
          ...common,
          maxFeePerGas: BigInt(t['maxFeePerGas'] ?? 0),
          maxPriorityFeePerGas: BigInt(t['maxPriorityFeePerGas'] ?? 0),
        }),
        key,
      );
      expect(dynamic.raw, v.name).to.equal(v.signedLondon);
    }
  });

  it('fills in every default from one round of the node', async () => {
    const { draft, requests, ...summary } = await summaryOf(native({}));
    expect(requests).to.have.length(1);
    expect(draft).to.include({ type: 2, nonce: 5, gas: 21000n, chainId: 31337 });
    expect(draft.maxFeePerGas).to.equal(3_000_000_000n);
    expect(summary.kind).to.equal('transfer');
    expect(summary.networkName).to.equal('Local Ethereum');
    expect(summary.fee.expected.raw).to.equal(21000n * 2_000_000_000n);
    expect(summary.fee.maximum.raw).to.equal(21000n * 3_000_000_000n);
    expect(summary.total.raw).to.equal(SENT + 21000n * 3_000_000_000n);
    expect(summary.shortOf).to.equal(undefined);
  });

  it('is of type 0 when a gas price is given, or where blocks have no base fee', async () => {
    const given = await summaryOf(native({ gasPrice: 7, gas: 30000, nonce: 6 }));
    expect(given.draft).to.include({ type: 0, gasPrice: 7n, gas: 30000n, nonce: 6 });
    const { eth_feeHistory: _, eth_maxPriorityFeePerGas: __, ...old } = QUIET;
    const legacy = await summaryOf(native({}), old);
    expect(legacy.draft).to.include({ type: 0, gasPrice: 2_000_000_000n });
  });

  it('has two prices where the base fee is 0, and one where the latest block has none', async () => {
    const block = { number: '0x10', timestamp: '0x1', miner: TO };
    const zeros = { baseFeePerGas: ['0x0', '0x0'], reward: [['0x0']] };
    const free = {
      ...QUIET,
      eth_feeHistory: zeros,
      eth_getBlockByNumber: { ...block, baseFeePerGas: '0x0' },
    };
    const { draft } = await summaryOf(native({}), free);
    expect(draft).to.include({ type: 2, maxFeePerGas: 1_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n });
    const unanswered = { ...free, eth_maxPriorityFeePerGas: undefined };
    expect((await summaryOf(native({}), unanswered)).draft.maxFeePerGas, 'not 0').to.equal(1_000_000_000n);
    const nothing = await summaryOf(native({}), { ...free, eth_maxPriorityFeePerGas: '0x0' });
    expect(nothing.draft, 'the node says so').to.include({ type: 2, maxFeePerGas: 0n });
    const faster = await chain.replace(nothing.draft, 'speed-up', fakeNode(free).node);
    expect(faster.maxFeePerGas).to.equal(1_000_000_000n);
    const still = { ...free, eth_maxPriorityFeePerGas: '0x0' };
    expect((await chain.replace(nothing.draft, 'speed-up', fakeNode(still).node)).maxFeePerGas).to.equal(1n);
    const old = await summaryOf(native({}), { ...free, eth_getBlockByNumber: block });
    expect(old.draft).to.include({ type: 0, gasPrice: 2_000_000_000n });
    const quiet = { ...QUIET, eth_feeHistory: undefined };
    const known = { ...quiet, eth_getBlockByNumber: { ...block, baseFeePerGas: '0x3b9aca00' } };
    expect((await summaryOf(native({}), known)).draft).to.include({ type: 2, maxFeePerGas: 3_000_000_000n });
  });

  describe('on a network with a lowest tip', () => {
    const LEAST = 25_000_000_000n;
    const polygon: Network = { ...NETWORK, coin: { symbol: 'POL' }, minTip: String(LEAST) };
    const prepared = (change: object = {}) => summaryOf(native(change), QUIET, NOBODY, polygon);

    it('pay it if the node suggests less, and what the node suggests if that is more', async () => {
      const { draft } = await prepared();
      expect(draft).to.include({ maxPriorityFeePerGas: LEAST, maxFeePerGas: 2_000_000_000n + LEAST });
      const more = { ...QUIET, eth_maxPriorityFeePerGas: '0x6fc23ac00' };
      const dear = await summaryOf(native({}), more, NOBODY, polygon);
      expect(dear.draft.maxPriorityFeePerGas).to.equal(30_000_000_000n);
      const { eth_feeHistory: _, eth_maxPriorityFeePerGas: __, ...old } = QUIET;
      const legacy = await summaryOf(native({}), old, NOBODY, polygon);
      expect(legacy.draft).to.include({ type: 0, gasPrice: LEAST });
    });

    it('are replaced with it, and it is reserved', async () => {
      const { draft } = await summaryOf(native({ maxPriorityFeePerGas: 1 }));
      const { node } = fakeNode({ ...QUIET, eth_call: '0x' }, polygon);
      for (const how of ['speed-up', 'cancel'] as const)
        expect((await chain.replace(draft, how, node)).maxPriorityFeePerGas, how).to.equal(LEAST);
      const first = await summaryOf(native({ gasPrice: 1_000_000_000 }));
      expect((await chain.replace(first.draft, 'speed-up', node)).gasPrice).to.equal(LEAST + 1_000_000_000n);
      expect(await chain.maxSpendable(ME, TO, node)).to.equal(
        10n ** 18n - (21_000n * (2_000_000_000n + LEAST) * 5n) / 4n,
      );
    });

    it('refuse a requested price that no node takes, by its field', async () => {
      for (const field of ['gasPrice', 'maxFeePerGas', 'maxPriorityFeePerGas']) {
        const error = await prepared({ [field]: String(LEAST - 1n) }).catch((e) => e);
        expect(error.issues).to.deep.equal([
          {
            path: field,
            message: 'must be at least 25000000000 wei on this network; leave it out for the current price',
          },
        ]);
        await prepared({ [field]: String(LEAST) });
      }
    });

    it('show its coin, and no token under its name', async () => {
      const { amount, fee, total, balance } = await prepared();
      expect([amount, fee.expected, fee.maximum, total, balance].map(({ symbol }) => symbol)).to.deep.equal(
        Array(5).fill('POL'),
      );
      const { node } = fakeNode(contract({ eth_call: text('POL') }), polygon);
      expect(await chain.balance(ME, node)).to.include({ symbol: 'POL', gasSymbol: 'POL', decimals: 18 });
      const transfer = call(encodeCall('transfer', ['address', 'uint256'], [TO, 5n]));
      const like = contract({
        eth_call: ({ params: [{ data = '0x' }] }: Asked) =>
          data.startsWith('0x95d89b41') ? text('POL') : word(7),
      });
      expect((await summaryOf(transfer, like, NOBODY, polygon)).amount.symbol).to.not.equal('POL');
      const fake = await chain.token(TOKEN, fakeNode(like, polygon).node);
      expect(fake.symbol, 'of an unlisted token').to.not.equal('POL');
      const wei = {
        type: 'TRANSFER',
        secretType: 'ETHEREUM',
        walletId: 'w',
        to: TO,
        value: `1${'0'.repeat(21)}`,
      };
      const error = await chain.prepare(wei, ME, node, NOBODY).catch((e) => e);
      expect(error.issues[0].message).to.match(/^is in POL, /);
    });
  });

  it('sends all but the fee, and still can after two full blocks', async () => {
    const balance = 10n ** 18n;
    const most = (answers: Answers, to?: string, data?: string) =>
      chain.maxSpendable!(ME, to, fakeNode(answers).node, data);
    const answers = { ...QUIET, eth_getBalance: `0x${balance.toString(16)}` };
    const l2 = (fee: bigint) => ({ ...answers, ...opStack(fee, 0n) });
    expect(await most({ ...answers, eth_call: '0x' }, TO)).to.equal(
      balance - (21_000n * 3_000_000_000n * 5n) / 4n,
    );
    // What an approval of it counts, and a quarter.
    expect(await most(l2(1_000_000n))).to.equal(
      balance - ((21_000n * 3_000_000_000n + 1_250_000n) * 5n + 3n) / 4n,
    );
    expect(await most({ ...l2(0n), eth_getCode: '0x6000', eth_estimateGas: '0x7530' }, TO)).to.equal(
      balance - (36_000n * 3_000_000_000n * 5n) / 4n,
    );
    // Arbitrum's nodes count publishing in the gas.
    expect(await most({ ...answers, eth_call: '0x', eth_estimateGas: '0x7530' }, TO)).to.equal(
      balance - (36_000n * 3_000_000_000n * 5n) / 4n,
    );
    expect(await most({ ...l2(0n), eth_getBalance: '0x10' }, TO)).to.equal(0n);
    const byData = ({ params: [{ data = '0x' }] }: Asked) => `0x${(21_000 + 8 * data.length).toString(16)}`;
    const withData = (21_032n * 6n + 4n) / 5n;
    expect(await most({ ...l2(0n), eth_estimateGas: byData }, TO, '0x01')).to.equal(
      balance - (withData * 3_000_000_000n * 5n + 3n) / 4n,
    );
    const { node } = fakeNode({ ...answers, eth_call: '0x' });
    await chain.maxSpendable!(ME, TO, node);
    expect(node.rounds).to.equal(1);
  });

  it('asks a layer-2 network for the fee of a transfer’s length, as the ABI writes it', async () => {
    const asked: string[] = [];
    const eth_call = ({ params: [{ data }] }: Asked) => {
      asked.push(data);
      return word(1n);
    };
    await chain.maxSpendable!(ME, TO, fakeNode({ ...QUIET, eth_call }).node);
    await chain.maxSpendable!(ME, TO, fakeNode({ ...QUIET, eth_call }).node, '0x1234');
    const withData = asked.splice(2)[0]!;
    expect(withData).to.equal(encodeCall('getL1Fee', ['bytes'], [`0x${asked[0]!.slice(-256)}1234`]));
    const transfer = `0x${asked[0]!.slice(-256)}`;
    expect(asked).to.deep.equal([
      encodeCall('getL1Fee', ['bytes'], [transfer]),
      encodeCall('getOperatorFee', ['uint256'], [21_000n]),
    ]);
    asked.length = 0;
    const data = `0x12345678${'00'.repeat(40)}`;
    const accessList = [{ address: TOKEN, storageKeys: [word(7)] }];
    await summaryOf(native({ data, accessList }), { ...QUIET, eth_call });
    const sent = `${transfer}${data.slice(2)}${TOKEN.slice(2).toLowerCase()}${word(7).slice(2)}`;
    expect(asked).to.include(encodeCall('getL1Fee', ['bytes'], [sent]));
  });

  describe('on a network of the OP Stack', () => {
    const L1 = 4_000_000_000_000n;
    const OPERATOR = 7n;
    const GAS = 21_000n * 3_000_000_000n;
    const MAXIMUM = GAS + (L1 * 5n) / 4n + OPERATOR;

    it('count what it charges besides gas, in the fee, the total, what is missing and what is reserved', async () => {
      const { draft, requests, ...summary } = await summaryOf(native({}), {
        ...QUIET,
        ...opStack(L1, OPERATOR),
      });
      expect(summary.fee.expected.raw).to.equal(21_000n * 2_000_000_000n + L1 + OPERATOR);
      expect(summary.fee.maximum.raw).to.equal(MAXIMUM);
      expect(summary.total.raw).to.equal(SENT + MAXIMUM);
      expect(chain.claims!(draft)['cost']).to.equal(SENT + MAXIMUM);
      expect(requests).to.have.length(2);
      expect(summary.shortOf).to.equal(undefined);
      const held = SENT + MAXIMUM - 1n;
      const { shortOf } = await summaryOf(native({}), {
        ...QUIET,
        ...opStack(L1, OPERATOR),
        eth_getBalance: `0x${held.toString(16)}`,
      });
      expect(shortOf).to.deep.include({ need: SENT + MAXIMUM, have: held });
    });

    it('have no operator’s fee before the network knows one', async () => {
      const { fee } = await summaryOf(native({}), { ...QUIET, ...opStack(L1) });
      expect(fee.expected.raw).to.equal(21_000n * 2_000_000_000n + L1);
    });

    it('are not called expensive for it', async () => {
      const dear = { ...QUIET, ...opStack(10n ** 14n, 0n) };
      const { warnings } = await summaryOf(native({ value: 10n ** 17n }), dear);
      expect(warnings.map(({ code }) => code)).to.not.include('fee-share');
    });

    it('keep a promised fee while what is charged rises by less than a quarter', async () => {
      const promised = async (l1: bigint) => {
        const { draft } = await summaryOf(native({}), { ...QUIET, ...opStack(l1, OPERATOR) });
        const kept = ethereum.within!(draft, MAXIMUM);
        return kept && { price: kept.maxFeePerGas, maximum: (await chain.describe(kept)).fee.maximum.raw };
      };
      expect(await promised(L1)).to.equal(undefined);
      expect(await promised((L1 * 5n) / 4n)).to.deep.equal({ price: 3_000_000_000n, maximum: MAXIMUM });
      // Then the price gives way.
      const { price, maximum } = (await promised(L1 * 2n))!;
      expect(price! < 3_000_000_000n).to.equal(true);
      expect(maximum <= MAXIMUM && maximum > MAXIMUM - 21_000n).to.equal(true);
      expect(await promised(L1 * 20n)).to.equal(undefined);
    });

    it('are replaced at what it charges by then', async () => {
      const { draft } = await summaryOf(native({}), { ...QUIET, ...opStack(L1, OPERATOR) });
      const { node } = fakeNode({ ...QUIET, ...opStack(L1 * 2n, OPERATOR) });
      for (const how of ['speed-up', 'cancel'] as const) {
        const replaced = await chain.replace(draft, how, node);
        const { fee } = await chain.describe(replaced);
        expect(fee.maximum.raw).to.equal(21_000n * replaced.maxFeePerGas! + (L1 * 5n) / 2n + OPERATOR);
      }
    });
  });

  describe('without an estimate of its gas', () => {
    const REFUSED = { ...QUIET, eth_estimateGas: new Error('insufficient funds for transfer') };
    const interfaceAnswers = (answer: unknown) => ({
      ...REFUSED,
      eth_call: ({ params: [{ to }] }: Asked) => (to === `0x${'c8'.padStart(40, '0')}` ? answer : '0x'),
    });
    const gas = async (answers: Answers, network = NETWORK) =>
      (await summaryOf(native({}), answers, NOBODY, network)).draft.gas;

    it('a transfer has 21,000 where the network charges no more', async () => {
      expect(await gas(REFUSED)).to.equal(21_000n);
      expect(await gas(interfaceAnswers('0x'))).to.equal(21_000n);
      expect(await gas({ ...QUIET, eth_estimateGas: undefined, eth_call: '0x' })).to.equal(21_000n);
    });

    it('one on Arbitrum has what its publication on Ethereum costs, too', async () => {
      const components = `${word(9_000n)}${word(1n).slice(2)}${word(2n).slice(2)}`;
      expect(await gas(interfaceAnswers(components))).to.equal((30_000n * 6n) / 5n);
      const asked: unknown[] = [];
      await gas({
        ...REFUSED,
        eth_call({ params: [{ to, data }] }: Asked) {
          if (to === `0x${'c8'.padStart(40, '0')}`) asked.push(data);
          return '0x';
        },
      });
      expect(asked).to.deep.equal([
        encodeCall('gasEstimateL1Component', ['address', 'bool', 'bytes'], [TO, false, '0x']),
      ]);
    });

    it('nor has one on Arbitrum 21,000 if its node does not say', async () => {
      for (const chainId of [42161, 42170, 421614])
        for (const answers of [REFUSED, interfaceAnswers('0x'), interfaceAnswers(new Error('busy'))])
          expect(
            await gas({ ...answers, eth_chainId: `0x${chainId.toString(16)}` }, { ...NETWORK, chainId }),
          ).to.equal(360_000n);
      expect(await gas(interfaceAnswers(new Error('not allowed here')))).to.equal(360_000n);
    });

    it('nor can all be sent as if it had', async () => {
      const arbitrum = { ...NETWORK, chainId: 42161 };
      const { node } = fakeNode({ ...REFUSED, eth_chainId: '0xa4b1' }, arbitrum);
      expect(await chain.maxSpendable!(ME, TO, node)).to.equal(
        10n ** 18n - (360_000n * 3_000_000_000n * 5n) / 4n,
      );
    });

    it('a cancellation has what it needs', async () => {
      const { draft } = await summaryOf(native({ nonce: 5 }));
      const { node } = fakeNode({ ...QUIET, eth_estimateGas: '0x7530' });
      expect((await chain.replace(draft, 'cancel', node)).gas).to.equal(36_000n);
    });
  });

  it('pays the two prices that were requested', async () => {
    const prices = async (fields: object) => {
      const { draft } = await summaryOf(native(fields));
      return [draft.type, draft.maxFeePerGas, draft.maxPriorityFeePerGas, draft.facts.gasPrice].join();
    };
    // Blocks ask for 1 gwei, and the node proposes a tip of 1.
    expect(await prices({ maxFeePerGas: 9e9, maxPriorityFeePerGas: 2e9 })).to.equal(
      '2,9000000000,2000000000,3000000000',
    );
    expect(await prices({ maxFeePerGas: 9e9 })).to.equal('2,9000000000,1000000000,2000000000');
    expect(await prices({ maxFeePerGas: 5e8 })).to.equal('2,500000000,500000000,500000000');
    expect(await prices({ maxPriorityFeePerGas: 5e9 })).to.equal('2,7000000000,5000000000,6000000000');
    const { eth_feeHistory: _, ...old } = QUIET;
    for (const field of [{ maxFeePerGas: 9e9 }, { maxPriorityFeePerGas: 1 }, { accessList: [] }]) {
      const error = await summaryOf(native(field), old).catch((e) => e);
      expect(error.issues?.[0].path).to.equal(Object.keys(field)[0]);
    }
  });

  it('declares what it will use, simulates it that way, and shows it', async () => {
    const slot = `0x${'0a'.repeat(32)}`;
    const accessList = [{ address: TOKEN.toLowerCase(), storageKeys: [slot] }];
    const asked: unknown[] = [];
    const answers = {
      ...QUIET,
      eth_estimateGas: ({ params }: Asked) => {
        asked.push((params[0] as { accessList?: unknown }).accessList);
        return '0x7530';
      },
    };
    const { draft, facts, requests } = await summaryOf(native({ accessList, data: '0x12345678' }), answers);
    expect(draft).to.deep.include({ type: 2, gas: 36_000n, accessList: [[TOKEN, [slot]]] });
    expect(facts).to.deep.equal([{ code: 'access-list', value: `${TOKEN} ${slot}` }]);
    expect(asked).to.deep.equal([[{ address: TOKEN, storageKeys: [slot] }]]);
    expect(requests.length).to.be.above(1);
    const plain = await summaryOf(native({ accessList }), answers);
    expect(plain.draft.gas, 'more than a transfer without').to.equal(36_000n);
    const cancelled = await chain.replace!(draft, 'cancel', fakeNode(QUIET).node);
    expect([cancelled.gas, cancelled.accessList]).to.deep.equal([21_000n, undefined]);
  });

  it('takes two rounds for a token, whether or not its decimals have to be asked', async () => {
    const body = {
      type: 'TOKEN_TRANSFER',
      secretType: 'ETHEREUM',
      walletId: 'w',
      to: TO,
      value: '1.5',
      tokenAddress: TOKEN,
    };
    const unlisted = await summaryOf(body, contract());
    expect(unlisted.requests).to.have.length(2);
    expect(unlisted.amount).to.deep.equal({
      raw: 1500000n,
      decimals: null,
      claimedDecimals: 6,
      symbol: 'PLAY',
      token: TOKEN,
    });
    const listed = await summaryOf(body, contract({ eth_call: word(1_000_000_000) }), NOBODY, LISTED);
    expect(listed.requests).to.have.length(2);
    expect(listed.amount).to.deep.equal({ raw: 1500000n, decimals: 6, symbol: 'USDC', token: TOKEN });
    const error = await summaryOf({ ...body, value: '0.1234567' }, contract()).catch((e) => e);
    expect(error.issues[0]).to.deep.include({ path: 'value' });
    const none = await summaryOf(body, { ...QUIET, eth_call: '0x' }).catch((e) => e);
    expect(none.issues[0]).to.deep.include({ path: 'tokenAddress' });
  });

  it('never takes a listed token’s decimals from the node, nor lets a contract borrow a listed name', async () => {
    const lie = contract({
      eth_call: ({ params: [{ data }] }: Asked) => (data.startsWith('0x95d89b41') ? text('usdc') : word(0)),
    });
    const erc20 = {
      type: 'ETHEREUM_ERC20_TRANSACTION',
      walletId: 'w',
      to: TO,
      value: 1500000,
      tokenAddress: TOKEN,
    };
    expect((await summaryOf(erc20, lie, NOBODY, LISTED)).amount).to.deep.include({
      decimals: 6,
      symbol: 'USDC',
    });
    const other = checksum(`0x${'71'.repeat(20)}`);
    expect((await summaryOf({ ...erc20, tokenAddress: other }, lie, NOBODY, LISTED)).amount).to.deep.include({
      decimals: null,
      symbol: `${other.slice(0, 6)}…${other.slice(-4)}`,
    });
  });

  it('reports a shortage of coin or token instead of failing', async () => {
    const poor = await summaryOf(native({ value: 10n ** 18n }), {
      ...QUIET,
      eth_estimateGas: new Error('insufficient funds for transfer'),
    });
    expect(poor.shortOf).to.deep.include({ need: 10n ** 18n + 21000n * 3_000_000_000n, have: 10n ** 18n });
    expect(poor.warnings.map((w) => w.code)).to.not.include('will-fail');
    const erc20 = {
      type: 'ETHEREUM_ERC20_TRANSACTION',
      walletId: 'w',
      to: TO,
      value: 2_000_000_000,
      tokenAddress: TOKEN,
    };
    const tokens = await summaryOf(
      erc20,
      contract({ eth_estimateGas: new Error('execution reverted') }),
      NOBODY,
      LISTED,
    );
    expect(tokens.shortOf).to.deep.include({ need: 2_000_000_000n, have: 1_000_000_000n });
    expect(tokens.shortOf!.amount.symbol).to.equal('USDC');
  });

  it('shows what a simulation moves, and where it was run', async () => {
    const topic = (a: string) => word(BigInt(a));
    const logs = [
      {
        address: TOKEN,
        topics: ['0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef', topic(ME), topic(TO)],
        data: word(500),
      },
      {
        address: `0x${'ee'.repeat(20)}`,
        topics: ['0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef', topic(TO), topic(ME)],
        data: word(7),
      },
    ];
    const simulated = contract({
      eth_simulateV1: [{ calls: [{ status: '0x1', gasUsed: '0x5208', returnData: word(1), logs }] }],
    });
    const summary = await summaryOf(call('0x12345678'), simulated, NOBODY, LISTED);
    expect(summary.according).to.equal('one.example');
    expect(summary.changes).to.deep.equal([
      { direction: 'in', amount: { raw: 7n, symbol: 'ETH', decimals: 18 }, canDiffer: true },
      { direction: 'out', amount: { raw: 500n, decimals: 6, symbol: 'USDC', token: TOKEN } },
    ]);
    const reverted = contract({
      eth_simulateV1: [
        {
          calls: [
            {
              status: '0x0',
              gasUsed: '0x5208',
              returnData: '0x',
              error: { message: 'execution reverted', data: `0x08c379a0${text('paused').slice(2)}` },
            },
          ],
        },
      ],
    });
    const failing = await summaryOf(call('0x12345678'), reverted);
    expect(failing.warnings.find((w) => w.code === 'will-fail')?.params).to.deep.equal({ reason: 'paused' });
  });

  for (const [limit, code] of [
    [(1n << 256n) - 1n, 'unlimited-approval'],
    [7n, 'spending-limit'],
  ] as const)
    it(`takes the token of ${code} from the call, whatever coins go with it`, async () => {
      const { warnings, amount } = await summaryOf(
        call(approve(limit), { value: 1 }),
        contract(),
        NOBODY,
        LISTED,
      );
      expect(amount.symbol).to.equal('ETH');
      expect(warnings.find((w) => w.code === code)!.amount).to.deep.equal({
        raw: limit,
        decimals: 6,
        symbol: 'USDC',
        token: TOKEN,
      });
    });

  it('keeps what an unlisted token says of its decimals out of all but its own amount', async () => {
    const says = (decimals: string): Answers =>
      contract({
        eth_call: ({ params: [{ data = '0x' }] }: Asked) =>
          data.startsWith('0x313ce567') ? decimals : data.startsWith('0x70a08231') ? word(9) : text('PLAY'),
      });
    const send = call(encodeCall('transfer', ['address', 'uint256'], [TO, 1_500_000n]));
    const { amount, total, shortOf, warnings } = await summaryOf(send, says(word(6)), used);
    expect(amount).to.include({ raw: 1_500_000n, decimals: null, claimedDecimals: 6 });
    expect([total.symbol, shortOf]).to.deep.equal(['ETH', undefined]);
    expect(warnings.map(({ code }) => code)).to.include('unlisted-token');
    expect((await summaryOf(send, says(word(36)), used)).amount.claimedDecimals).to.equal(36);
    for (const nonsense of [word(37), word(255), '0x', '0x06', `0x${'f'.repeat(64)}`])
      expect((await summaryOf(send, says(nonsense), used)).amount).to.not.have.property('claimedDecimals');
    expect((await summaryOf(send, says(word(6)), used, LISTED)).amount).to.not.have.property(
      'claimedDecimals',
    );
  });

  it('calls a token that imitates a listed one by its address', async () => {
    const fake = `0x${'fa'.repeat(20)}`;
    const { warnings, amount } = await summaryOf(
      native({ to: fake, value: 0, data: encodeCall('transfer', ['address', 'uint256'], [TO, 5n]) }),
      contract({ eth_call: text('US\u200bDС.') }),
      NOBODY,
      LISTED,
    );
    expect(amount).to.include({ symbol: '0xFafa…FaFA', decimals: null });
    expect(warnings.find((w) => w.code === 'unlisted-token')!.params).to.include({ imitates: 'USDC' });
  });

  const used: Known = { ...NOBODY, used: [TO, SPENDER, TOKEN] };
  const twin = `0x1111${'22'.repeat(16)}1111`;
  const at = (digits: string) => `0x${digits.padStart(40, '0')}`;
  const ZERO = at('');
  const simulated = {
    eth_simulateV1: [{ calls: [{ status: '0x1', gasUsed: '0x5208', returnData: word(1), logs: [] }] }],
  };
  const open = parseNetworks({ customNodes: true, networks: [{ ...LISTED }] });
  const custom = (chainId: number, name: string) =>
    networkFor(
      open,
      { secretType: 'ETHEREUM' },
      { name, nodeUrl: 'https://site.example/', chainId },
      undefined,
    );
  for (const [name, codes, request, answers, known, network] of [
    ['a plain transfer to a known address', [], native({}), QUIET, used],
    ['a first transfer', ['first-recipient'], native({}), QUIET, NOBODY],
    [
      'a look-alike of a known address',
      ['!resembles-known', 'first-recipient'],
      native({ to: twin }),
      QUIET,
      used,
    ],
    [
      'a look-alike by three digits of each end',
      ['resembles-known', 'first-recipient'],
      native({ to: `0x1112${'22'.repeat(16)}2111` }),
      QUIET,
      used,
    ],
    [
      'likeness by fewer digits',
      ['first-recipient'],
      native({ to: `0x1122${'22'.repeat(16)}2111` }),
      QUIET,
      used,
    ],
    ['zero as recipient', ['!burn-address', 'first-recipient'], native({ to: ZERO }), QUIET, used],
    [
      'a precompiled contract as recipient',
      ['!burn-address', 'first-recipient'],
      native({ to: at('100') }),
      QUIET,
      used,
    ],
    [
      'coins that go with a call to one',
      ['!unknown-call', '!burn-address', 'will-fail', 'no-code'],
      native({ to: at('a'), data: '0xdeadbeef' }),
      QUIET,
      used,
    ],
    [
      'tokens to zero',
      ['!burn-address', 'first-recipient'],
      call(encodeCall('transfer', ['address', 'uint256'], [ZERO, 5n])),
      contract(),
      used,
      LISTED,
    ],
    [
      'a fee of more than a fifth of the amount',
      ['fee-share'],
      native({ value: 3n * 10n ** 14n }),
      QUIET,
      used,
    ],
    [
      'a fee of more than a fifth of the coins that go with a call',
      ['spending-limit', 'fee-share', 'simulation-unavailable'],
      call(approve(5n), { value: 3n * 10n ** 14n }),
      contract(),
      used,
      LISTED,
    ],
    [
      'a fee of less than that',
      ['spending-limit', 'simulation-unavailable'],
      call(approve(5n), { value: 3n * 10n ** 16n }),
      contract(),
      used,
      LISTED,
    ],
    [
      'coins that go with tokens: neither is all that is sent',
      ['!inner-transfer', 'simulation-unavailable'],
      call(encodeCall('transfer', ['address', 'uint256'], [TO, 5n]), { value: 1n }),
      contract(),
      used,
      LISTED,
    ],
    ['a fee of a fifth of the amount', [], native({ value: 21_000n * 3_000_000_000n * 5n }), QUIET, used],
    [
      'a fee of over five times what the network asks',
      ['fee-share'],
      native({ value: 0, gasPrice: 10_000_000_001n + 2_000_000_000n }),
      QUIET,
      used,
    ],
    [
      'a look-alike of an own address',
      ['!resembles-known', 'first-recipient'],
      native({ to: twin }),
      QUIET,
      { ...NOBODY, own: [TO] },
    ],
    ['a reported address', ['!reported-address'], native({}), QUIET, { ...used, reported: [TO] }],
    ['coins to a token contract', ['!recipient-is-token'], native({ to: TOKEN }), contract(), used, LISTED],
    [
      'tokens to their own contract',
      ['!recipient-is-token'],
      call(encodeCall('transfer', ['address', 'uint256'], [TOKEN, 5n])),
      contract(),
      used,
      LISTED,
    ],
    [
      'a listed token',
      [],
      call(encodeCall('transfer', ['address', 'uint256'], [TO, 5n])),
      contract(),
      used,
      LISTED,
    ],
    [
      'an unlisted token',
      ['unlisted-token'],
      call(encodeCall('transfer', ['address', 'uint256'], [TO, 5n])),
      contract(),
      used,
    ],
    [
      'an NFT of an unlisted collection',
      [],
      call(encodeCall('safeTransferFrom', ['address', 'address', 'uint256'], [ME, TO, 7n])),
      contract(),
      used,
    ],
    [
      'an item of an unlisted ERC-1155 collection',
      [],
      call(
        encodeCall(
          'safeTransferFrom',
          ['address', 'address', 'uint256', 'uint256', 'bytes'],
          [ME, TO, 7n, 2n, '0x'],
        ),
      ),
      contract(),
      used,
    ],
    [
      'an approval of an unlisted token',
      ['spending-limit', 'unlisted-token'],
      call(approve(5n)),
      contract(),
      used,
    ],
    [
      'a token call to an address without code',
      ['!no-code'],
      call(encodeCall('transfer', ['address', 'uint256'], [TO, 5n])),
      contract({ eth_getCode: '0x' }),
      used,
      LISTED,
    ],
    [
      'data to an address without code',
      ['!unknown-call', 'no-code'],
      native({ data: '0x12345678' }),
      { ...QUIET, eth_call: '0x' },
      used,
    ],
    [
      'an unlimited approval',
      ['!unlimited-approval'],
      call(approve((1n << 256n) - 1n)),
      contract(),
      used,
      LISTED,
    ],
    [
      'the largest limit of 96-bit tokens',
      ['!unlimited-approval'],
      call(approve((1n << 96n) - 1n)),
      contract(),
      used,
      LISTED,
    ],
    [
      'a limit above all that there is of the token',
      ['!unlimited-approval'],
      call(approve(2_000_000_000n)),
      contract({
        eth_call: ({ params: [{ data = '0x' }] }: Asked) =>
          data.startsWith('0x18160ddd') ? word(1_999_999_999) : word(1_000_000_000),
      }),
      used,
      LISTED,
    ],
    [
      'a limit of all that there is, and of a supply that cannot be',
      ['spending-limit'],
      call(approve(999_999_999n)),
      contract({
        eth_call: ({ params: [{ data = '0x' }] }: Asked) =>
          data.startsWith('0x18160ddd') ? word(999_999_998) : word(1_000_000_000),
      }),
      used,
      LISTED,
    ],
    ['a limited approval', ['spending-limit'], call(approve(500_000_000n)), contract(), used, LISTED],
    [
      'a first approval',
      ['spending-limit', 'first-contract'],
      call(approve(5n)),
      contract(),
      { ...used, used: [] },
      LISTED,
    ],
    ['a revocation', [], call(approve(0n)), contract(), used, LISTED],
    [
      'an approval for all',
      ['!approval-for-all'],
      call(encodeCall('setApprovalForAll', ['address', 'bool'], [SPENDER, true])),
      contract(),
      used,
    ],
    ['an unknown call', ['!unknown-call'], call('0x12345678'), contract(simulated), used],
    [
      'an unknown call without simulation',
      ['!unknown-call', 'simulation-unavailable'],
      call('0x12345678'),
      contract(),
      used,
    ],
    [
      'a first call of a contract',
      ['first-contract'],
      call(encodeCall('deposit', [], [])),
      contract(simulated),
      NOBODY,
    ],
    [
      'a contract creation',
      ['contract-creation'],
      native({ to: null, data: '0x60' }),
      {
        ...QUIET,
        eth_estimateGas: '0xffff',
        eth_simulateV1: [{ calls: [{ status: '0x1', gasUsed: '0xffff', returnData: '0x', logs: [] }] }],
      },
      used,
    ],
    [
      'a contract creation that can only be called',
      ['contract-creation', 'simulation-unavailable'],
      native({ to: null, data: '0x60' }),
      // Code that begins like the reason of a failure is code all the same.
      { ...QUIET, eth_estimateGas: '0xffff', eth_call: `0x08c379a0${word(32).slice(2)}` },
      used,
    ],
    [
      'a contract creation that fails with the gas and the fees that it will have',
      ['will-fail', 'contract-creation'],
      native({ to: null, data: '0x60' }),
      { ...QUIET, eth_estimateGas: '0xffff', eth_call: new Error('execution reverted: no') },
      used,
    ],
    [
      'a call that reverts',
      ['will-fail'],
      call(encodeCall('deposit', [], [])),
      contract({ ...simulated, eth_estimateGas: new Error('execution reverted: no') }),
      used,
    ],
    [
      'a token that answers false',
      ['will-fail'],
      call(encodeCall('transfer', ['address', 'uint256'], [TO, 5n])),
      contract({
        eth_call: ({ params: [{ data }] }: Asked) => (data.startsWith('0x70a08231') ? word(9) : word(0)),
      }),
      used,
      LISTED,
    ],
    [
      'too little gas given',
      ['will-fail'],
      call(encodeCall('deposit', [], []), { gas: 21000 }),
      contract(simulated),
      used,
    ],
    ['an absurd gas price', ['!fee-ceiling'], native({ gasPrice: 10n ** 13n, value: 0 }), QUIET, used],
    [
      'an absurd fee by the node',
      ['!fee-ceiling'],
      native({ value: 0 }),
      { ...QUIET, eth_maxPriorityFeePerGas: '0x9184e72a000' },
      used,
    ],
    [
      'a fee over the operator’s ceiling',
      ['!fee-ceiling'],
      native({}),
      QUIET,
      used,
      { ...NETWORK, feeCeiling: '1000' },
    ],
    [
      'a nonce that is waiting',
      ['replaces-pending'],
      native({ nonce: 4 }),
      { ...QUIET, eth_getTransactionCount: ({ params }: Asked) => (params[1] === 'latest' ? '0x4' : '0x5') },
      used,
    ],
    ['a nonce too far ahead', ['nonce-gap'], native({ nonce: 9 }), QUIET, used],
    ['a node of the site', ['custom-node'], native({}), QUIET, used, custom(31337, 'Play')],
    [
      'a node of the site for a network that nobody knows',
      ['!custom-node-live'],
      native({}),
      { ...QUIET, eth_chainId: '0x98967f' },
      used,
      custom(9_999_999, 'Ethereum Sepolia test network'),
    ],
    [
      'a node of the site for a live network',
      ['!custom-node-live'],
      native({}),
      { ...QUIET, eth_chainId: '0x1' },
      used,
      custom(1, 'Test network'),
    ],
  ] as [string, string[], ReturnType<typeof native>, Answers, Known, Network?][])
    it(`warns about ${name}: ${codes.join(', ') || 'nothing'}`, async () => {
      const { warnings } = await summaryOf(request, answers, known, network);
      expect(warnings.map((w) => (w.tick ? `!${w.code}` : w.code))).to.deep.equal(codes);
      for (const w of warnings) {
        const danger: WarningCode[] = ['will-fail'];
        expect(w.level).to.equal(w.tick || danger.includes(w.code) ? 'danger' : 'caution');
      }
    });

  it('names a network by its chain id, whatever the site calls it', async () => {
    const live = await summaryOf(
      native({}),
      { ...QUIET, eth_chainId: '0x1' },
      NOBODY,
      custom(1, 'Test network'),
    );
    expect(live.networkName).to.equal('Ethereum mainnet');
    expect(live.draft.custom).to.deep.equal({ name: 'Test network', host: 'site.example' });
    expect(live.warnings[0]!.params).to.deep.equal({
      name: 'Test network',
      host: 'site.example',
      network: 'Ethereum mainnet',
    });
    const unknown = await summaryOf(
      native({}),
      { ...QUIET, eth_chainId: '0x3039' },
      NOBODY,
      custom(12345, 'Ethereum mainnet'),
    );
    expect(unknown.networkName).to.equal('Chain 12345');
  });

  it('refuses a chain id that is not the node’s own', async () => {
    const error = await summaryOf(native({}), QUIET, NOBODY, custom(1, 'x')).catch((e) => e);
    expect(error.code).to.equal('request.invalid');
    expect(error.issues).to.deep.equal([
      { path: 'network.chainId', message: 'is 1, but the node answers for chain id 31337' },
    ]);
    const own = await summaryOf(native({}), { ...QUIET, eth_chainId: '0x1' }).catch((e) => e);
    expect(own.code).to.equal('node.unreachable');
    expect(own.details.reason).to.equal('chain-id');
  });

  it('refuses a nonce that was used', async () => {
    const error = await summaryOf(native({ nonce: 4 })).catch((e) => e);
    expect(error.issues).to.deep.equal([{ path: 'nonce', message: 'was used already; the next one is 5' }]);
  });

  it('never trusts the shape of a node’s answer', async () => {
    for (const method of ['eth_getTransactionCount', 'eth_gasPrice', 'eth_getBalance', 'eth_getCode'])
      for (const answer of ['', 'five', null, {}, -1, '0x', `0x${'f'.repeat(65)}`]) {
        if (method === 'eth_getCode' && answer === '0x') continue;
        const error = await summaryOf(native({}), { ...QUIET, [method]: answer }).catch((e) => e);
        expect(error.code, `${method} ${answer}`).to.equal('node.unreachable');
      }
    for (const answer of ['five', null, { baseFeePerGas: 'x' }, [], 7])
      for (const method of [
        'eth_feeHistory',
        'eth_maxPriorityFeePerGas',
        'eth_estimateGas',
        'eth_simulateV1',
        'eth_call',
      ])
        await summaryOf(native({ data: '0x12345678' }), { ...QUIET, [method]: answer }).catch((e) =>
          expect(e.code, `${method} ${answer}`).to.equal('node.unreachable'),
        );
  });

  it('outbids itself to speed up and to cancel', async () => {
    const { draft } = await summaryOf(native({ nonce: 5 }));
    const { node } = fakeNode(QUIET);
    const faster = await chain.replace(draft, 'speed-up', node);
    expect(faster).to.deep.include({ nonce: 5, to: draft.to, value: SENT });
    for (const field of ['maxFeePerGas', 'maxPriorityFeePerGas'] as const)
      expect(faster[field]! * 10n >= draft[field]! * 11n).to.equal(true);
    const cancelled = await chain.replace(draft, 'cancel', node);
    expect(cancelled).to.deep.include({ nonce: 5, to: ME, value: 0n, data: '0x', gas: 21000n });
    const late = fakeNode({ ...QUIET, eth_getTransactionCount: '0x6' });
    expect((await chain.replace(draft, 'cancel', late.node).catch((e) => e)).code).to.equal(
      'transaction.refused',
    );
  });

  it('words a refusal of the network, and counts a known transaction as sent', async () => {
    const signed = { raw: '0x00', hash: '0xhash' };
    const send = (message: string, more: Answers = {}) =>
      chain
        .broadcast(signed, fakeNode({ ...QUIET, ...more, eth_sendRawTransaction: new Error(message) }).node)
        .catch((e) => e);
    for (const words of [
      'already known',
      'ALREADY_EXISTS: already known',
      'existing txn with same hash',
      'existing tx with same hash',
      'INTERNAL_ERROR: existing tx with same hash',
      'transaction already imported',
      'known transaction: abc',
      'known tx: 0xabc',
      'AlreadyKnown',
    ])
      expect(await send(words), words).to.equal('0xhash');
    for (const words of [
      'insufficient funds for gas * price + value: balance 1, tx cost 2, overshot 1',
      'Insufficient funds for gas * price + value',
    ])
      expect(await send(words)).to.deep.include({ code: 'transaction.insufficient-funds' });
    for (const words of [
      'nonce too low: next nonce 5, tx nonce 4',
      'replacement transaction underpriced',
      'could not replace existing tx',
      'max fee per gas less than block base fee',
      'intrinsic gas too low',
      'exceeds block gas limit',
      'transaction type not supported',
      'unknown transaction type',
      'max priority fee per gas higher than max fee per gas',
      'invalid chain id for signer',
      'InvalidTxChainId: Expected 1, got 5.',
    ]) {
      const error = await send(words);
      expect(error.code, words).to.equal('transaction.refused');
      expect(error.details.reason).to.equal(words);
    }
    expect(
      await send('nonce too low', { eth_getTransactionByHash: { hash: '0xhash' } }),
      'it was mined meanwhile',
    ).to.equal('0xhash');
  });

  it('builds native requests', async () => {
    const body = { secretType: 'ETHEREUM', walletId: 'w', to: TO, value: '1.5' };
    const build = (change: object) =>
      chain.build({ ...body, ...change } as never, ME, fakeNode(contract(), LISTED).node);
    expect(await build({ type: 'TRANSFER' })).to.deep.equal({
      type: 'ETH_TRANSACTION',
      walletId: 'w',
      to: TO,
      value: '1500000000000000000',
    });
    expect((await build({ type: 'GAS_TRANSFER' })).type).to.equal('ETH_TRANSACTION');
    expect(await build({ type: 'TOKEN_TRANSFER', tokenAddress: TOKEN })).to.deep.equal({
      type: 'ETHEREUM_ERC20_TRANSACTION',
      walletId: 'w',
      to: TO,
      value: '1500000',
      tokenAddress: TOKEN,
    });
    expect(
      await build({ type: 'TOKEN_TRANSFER', tokenAddress: TOKEN, tokenId: 7, value: 2 }),
    ).to.deep.include({
      type: 'ETH_TRANSACTION',
      to: TOKEN,
      value: '0',
      data: encodeCall(
        'safeTransferFrom',
        ['address', 'address', 'uint256', 'uint256', 'bytes'],
        [ME, TO, 7n, 2n, '0x'],
      ),
    });
    expect(
      await build({ type: 'NFT_TRANSFER', value: undefined, tokenAddress: TOKEN, tokenId: 7 }),
    ).to.deep.include({
      to: TOKEN,
      data: encodeCall('safeTransferFrom', ['address', 'address', 'uint256'], [ME, TO, 7n]),
    });
    expect(
      await build({
        type: 'CONTRACT_EXECUTION',
        value: 5,
        functionName: 'set',
        inputs: [{ type: 'uint256', value: '5' }],
      }),
    ).to.deep.equal({
      type: 'ETH_TRANSACTION',
      walletId: 'w',
      to: TO,
      value: '5',
      data: encodeCall('set', ['uint256'], [5n]),
    });
    const built = await build({ type: 'TRANSFER' });
    expect((await summaryOf(built)).amount.raw, 'what was built can be executed').to.equal(15n * 10n ** 17n);
    const email = await build({ type: 'TRANSFER', to: 'anna@example.com' }).catch((e) => e);
    expect(email.code).to.equal('recipient.unknown');
  });

  it('reads balances in the shapes of the API', async () => {
    const { node, requests } = fakeNode(contract(), LISTED);
    expect(await chain.balance(ME, node)).to.deep.equal({
      available: true,
      secretType: 'ETHEREUM',
      balance: 1,
      gasBalance: 1,
      symbol: 'ETH',
      gasSymbol: 'ETH',
      rawBalance: '1000000000000000000',
      rawGasBalance: '1000000000000000000',
      decimals: 18,
    });
    const unlisted = await chain.token(checksum(`0x${'71'.repeat(20)}`), node);
    expect(unlisted).to.deep.include({ symbol: 'PLAY', decimals: 6 });
    const before = requests.length;
    const balances = await chain.tokenBalances(ME, [...LISTED.tokens, unlisted], node);
    expect(requests.length - before).to.equal(1);
    expect(balances[0]).to.deep.include({
      symbol: 'USDC',
      rawBalance: '1000000000',
      balance: 1000,
      type: 'ERC20',
      transferable: true,
    });
  });

  it('reports the state of a transaction', async () => {
    const state = (answers: Answers) => chain.status('0xhash', fakeNode({ ...QUIET, ...answers }).node);
    const none = { eth_getTransactionReceipt: null, eth_getTransactionByHash: null };
    expect(
      await state({ ...none, eth_getTransactionReceipt: { status: '0x1', blockNumber: '0x5' } }),
    ).to.equal('confirmed');
    expect(
      await state({ ...none, eth_getTransactionReceipt: { status: '0x0', blockNumber: '0x5' } }),
    ).to.equal('failed');
    expect(await state({ ...none, eth_getTransactionByHash: {} })).to.equal('pending');
    expect(await state(none)).to.equal('unknown');
    for (const nonsense of ['ok', true, 1, []]) {
      const error = await state({ ...none, eth_getTransactionReceipt: nonsense }).catch((e) => e);
      expect(error.code, String(nonsense)).to.equal('node.unreachable');
    }
  });

  it('reports which tokens arrived, by the logs, and none that are numbered or no log', async () => {
    const arrived = async (mined: object) =>
      (
        await chain.receipt(
          '0xhash',
          fakeNode({ ...QUIET, eth_getTransactionReceipt: mined, eth_getTransactionByHash: {} }).node,
        )
      ).arrivals;
    const word = (digits: string) => `0x${digits.padStart(64, '0')}`;
    const address = `0x${'Ab'.repeat(20)}`;
    const topics = [
      '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
      word('1'),
      word('cd'.repeat(20)),
    ];
    const log = { address, topics, data: word('2a') };
    const from = `0x${'1'.padStart(40, '0')}`;
    const arrival = { token: address.toLowerCase(), from, to: `0x${'cd'.repeat(20)}`, raw: 42n };
    const others = [
      null,
      'log',
      { ...log, topics: [...topics, word('1')] },
      { ...log, topics: [word('5'), ...topics.slice(1)] },
      { ...log, data: '0x2a' },
      { ...log, address: 7 },
    ];
    expect(await arrived({ status: '0x1', blockNumber: '0x5', logs: [log, ...others] })).to.deep.equal([
      arrival,
    ]);
    expect(await arrived({ status: '0x1', blockNumber: '0x5', logs: 'many' })).to.deep.equal([]);
    expect(await arrived({ status: '0x0', blockNumber: '0x5', logs: [log] })).to.equal(undefined);
  });

  it('reports the fee that was paid, if the node does', async () => {
    const paid = async (mined: object | null) =>
      (
        await chain.receipt(
          '0xhash',
          fakeNode({ ...QUIET, eth_getTransactionReceipt: mined, eth_getTransactionByHash: {} }).node,
        )
      ).fee;
    const mined = { status: '0x1', blockNumber: '0x5', gasUsed: '0x5208', effectiveGasPrice: '0x3b9aca01' };
    expect(await paid(mined)).to.equal(21_000n * 1_000_000_001n);
    expect(await paid({ ...mined, status: '0x0' }), 'a failure costs too').to.equal(21_000n * 1_000_000_001n);
    expect(await paid({ ...mined, l1Fee: '0x7' })).to.equal(21_000n * 1_000_000_001n + 7n);
    expect(await paid({ status: '0x1', blockNumber: '0x5', gasUsed: '0x5208' })).to.equal(undefined);
    expect(await paid({ ...mined, gasUsed: 'many' })).to.equal(undefined);
    expect(await paid(null)).to.equal(undefined);
  });
});
