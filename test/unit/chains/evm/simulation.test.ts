import { expect } from '@open-wc/testing';
import { AbiCoder, id } from 'ethers';
import type { Known } from '../../../../src/chains/terms.ts';
import type { Summary } from '../../../../src/chains/approval/summary.ts';
import { checksum } from '../../../../src/chains/contracts/evm-address.ts';
import { type Answers, type Asked, QUIET, fakeNode } from '../fake-node.ts';
import { fromPage } from '../from-page.ts';
import { ethereum, ethereumPayloads as payloads } from '../../../families.ts';

const chain = fromPage(ethereum, payloads);

const ME = `0x${'aa'.repeat(20)}`;
const DAPP = `0x${'d0'.repeat(20)}`;
const COLLECTION = `0x${'c0'.repeat(20)}`;
const OTHER = `0x${'07'.repeat(20)}`;
const COIN = `0x${'ee'.repeat(20)}`;
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const SINGLE = id('TransferSingle(address,address,address,uint256,uint256)');
const BATCH = id('TransferBatch(address,address,address,uint256[],uint256[])');
const ETH = 10n ** 18n;
const word = (n: bigint | string) => `0x${BigInt(n).toString(16).padStart(64, '0')}`;

interface Log {
  address: string;
  topics: string[];
  data: string;
}
const move = (address: string, from: string, to: string, amount: bigint, ...id: bigint[]): Log => ({
  address,
  topics: [TRANSFER, word(from), word(to), ...id.map(word)],
  data: id.length ? '0x' : word(amount),
});
/** ERC-1155's events: of one kind of item, and of several. */
const single = (address: string, from: string, to: string, id: bigint, amount: bigint): Log => ({
  address,
  topics: [SINGLE, word(DAPP), word(from), word(to)],
  data: word(id) + word(amount).slice(2),
});
const batch = (address: string, from: string, to: string, ids: bigint[], amounts: bigint[]): Log => ({
  address,
  topics: [BATCH, word(DAPP), word(from), word(to)],
  data: AbiCoder.defaultAbiCoder().encode(['uint256[]', 'uint256[]'], [ids, amounts]),
});
const ran = (...logs: Log[]) => [{ calls: [{ status: '0x1', gasUsed: '0xc350', returnData: '0x', logs }] }];
const reverts = [
  { calls: [{ status: '0x0', gasUsed: '0xc350', returnData: '0x', error: { message: 'no' } }] },
];
const refuses = (code: number, message: string) => Object.assign(new Error(message), { code });

const HEAD = { number: '0x64', timestamp: '0x6a000000', miner: `0x${'b1'.repeat(20)}` };
const USED: Known = { used: [DAPP], own: [], reported: [] };

interface Asking {
  summary: Summary;
  trials: { call: Record<string, string>; block: Record<string, string>; validation: boolean }[];
}

/** A call of DAPP; `one` and `other` are the results of the first and the second simulation. */
async function tried(one: unknown, other: unknown = one, known = USED, more: Answers = {}): Promise<Asking> {
  const trials: Asking['trials'] = [];
  const { node } = fakeNode({
    ...QUIET,
    eth_getCode: '0x60',
    eth_estimateGas: '0xc350',
    eth_call: '0x',
    eth_getBlockByNumber: HEAD,
    eth_simulateV1({ params: [{ blockStateCalls, validation, traceTransfers }] }: Asked) {
      const [{ calls, blockOverrides }] = blockStateCalls;
      expect(traceTransfers).to.equal(true);
      trials.push({ call: calls[0], block: blockOverrides, validation });
      return trials.length === 1 ? one : other;
    },
    ...more,
  });
  const request = { type: 'ETH_TRANSACTION', walletId: 'w', to: DAPP, value: 5, data: '0xd0e30db0' };
  return { summary: await chain.describe(await chain.prepare(request, ME, node, known)), trials };
}

const rows = ({ changes }: Summary) =>
  changes!.map(({ direction, amount: { raw, symbol } }) =>
    [direction, raw, ...(symbol.match(/#.*/) ?? [])].join(' '),
  );
const codes = ({ warnings }: Summary) => warnings.map(({ code, tick }) => (tick ? `!${code}` : code));

describe('trial runs', () => {
  it('have every field of the transaction that will be signed, and are validated', async () => {
    const { trials } = await tried(ran());
    expect(trials).to.have.length(2);
    for (const { call, validation } of trials) {
      expect(validation).to.equal(true);
      expect(call).to.deep.equal({
        from: ME,
        to: checksum(DAPP),
        value: '0x5',
        data: '0xd0e30db0',
        nonce: '0x5',
        gas: `0x${((50_000n * 6n + 4n) / 5n).toString(16)}`,
        maxFeePerGas: `0x${3_000_000_000n.toString(16)}`,
        maxPriorityFeePerGas: `0x${1_000_000_000n.toString(16)}`,
      });
    }
  });

  it('run in two blocks that have nothing in common, whose base fee the transaction can pay', async () => {
    const { trials } = await tried(ran());
    const [one, other] = trials.map(({ block }) => block);
    const fields = ['baseFeePerGas', 'feeRecipient', 'number', 'time', 'prevRandao'];
    expect(one).to.have.all.keys(fields);
    expect(other).to.have.all.keys(fields);
    for (const field of fields) expect(one![field], field).not.to.equal(other![field]);
    expect(one!['feeRecipient']).to.equal(HEAD.miner);
    expect(BigInt(one!['number']!)).to.equal(101n);
    expect(BigInt(other!['number']!)).to.equal(104n);
    expect(BigInt(one!['time']!) >= BigInt(HEAD.timestamp) + 12n).to.equal(true);
    expect(Number(BigInt(other!['time']!) - BigInt(one!['time']!)) % 2, 'odd and even').to.equal(1);
    expect(BigInt(other!['baseFeePerGas']!) <= 3_000_000_000n - 1_000_000_000n).to.equal(true);
  });

  const paid = move(COIN, ME, DAPP, 5n);
  const cases: [string, unknown, unknown][] = [
    ['one fails and the other does not', ran(), reverts],
    ['an asset moves in one alone', ran(paid), ran(paid, move(COLLECTION, ME, DAPP, 0n, 7n))],
    [
      'another item of a collection moves',
      ran(move(COLLECTION, ME, DAPP, 0n, 7n)),
      ran(move(COLLECTION, ME, DAPP, 0n, 8n)),
    ],
    [
      'another item comes back for the one that is given',
      ran(move(COLLECTION, ME, DAPP, 0n, 7n), move(COLLECTION, DAPP, ME, 0n, 8n)),
      ran(move(COLLECTION, ME, DAPP, 0n, 7n), move(COLLECTION, DAPP, ME, 0n, 9n)),
    ],
    [
      'an item is swapped for another in one alone',
      ran(),
      ran(move(COLLECTION, ME, DAPP, 0n, 7n), move(COLLECTION, DAPP, ME, 0n, 8n)),
    ],
    ['an ERC-1155 item moves in one alone', ran(), ran(single(COLLECTION, ME, DAPP, 7n, 1n))],
    [
      'a batch of ERC-1155 items has another amount',
      ran(batch(COLLECTION, ME, DAPP, [7n, 8n], [1n, 2n])),
      ran(batch(COLLECTION, ME, DAPP, [7n, 8n], [1n, 3n])),
    ],
    ['the direction differs', ran(move(COIN, DAPP, ME, ETH)), ran(move(COIN, ME, DAPP, ETH))],
    ['the recipient differs', ran(move(COIN, ME, DAPP, ETH)), ran(move(COIN, ME, OTHER, ETH))],
    [
      'an amount differs by more than 1 %',
      ran(move(COIN, DAPP, ME, ETH)),
      ran(move(COIN, DAPP, ME, (ETH * 989n) / 1000n)),
    ],
  ];
  for (const [what, one, other] of cases)
    it(`are a danger to tick where ${what}, and draw no balance change`, async () => {
      for (const [first, second] of [
        [one, other],
        [other, one],
      ]) {
        const { summary } = await tried(first, second);
        expect(codes(summary)).to.include('!trial-differs');
        expect(codes(summary)).not.to.include('will-fail');
        expect(summary.changes).to.equal(undefined);
      }
    });

  it('count items of a collection, and no smallest units', async () => {
    const { summary } = await tried(
      ran(move(COLLECTION, ME, DAPP, 0n, 7n), move(COLLECTION, ME, DAPP, 0n, 8n)),
    );
    expect(summary.changes).to.have.length(1);
    expect(summary.changes![0]!.amount).to.include({ raw: 2n, decimals: 0 });
    const mixed = await tried(ran(move(COLLECTION, ME, DAPP, 0n, 7n), move(COLLECTION, ME, DAPP, 5n)));
    expect(rows(mixed.summary)).to.deep.equal(['out 1 #7', 'out 5']);
    expect(mixed.summary.changes![1]!.amount.decimals).to.equal(null);
  });

  it('show that an item is given for another one of its collection', async () => {
    const swapped = ran(move(COLLECTION, ME, DAPP, 0n, 1n), move(COLLECTION, DAPP, ME, 0n, 2n));
    expect(rows((await tried(swapped)).summary)).to.deep.equal(['out 1 #1', 'in 1 #2']);
    const back = ran(move(COLLECTION, ME, DAPP, 0n, 1n), move(COLLECTION, DAPP, ME, 0n, 1n));
    expect(rows((await tried(back)).summary)).to.deep.equal([]);
  });

  it('count items of ERC-1155, one by one and in batches', async () => {
    const moved = async (...logs: Log[]) => rows((await tried(ran(...logs))).summary);
    expect(await moved(single(COLLECTION, ME, DAPP, 7n, 3n))).to.deep.equal(['out 3 #7']);
    expect(await moved(single(COLLECTION, DAPP, OTHER, 7n, 3n))).to.deep.equal([]);
    expect(await moved(batch(COLLECTION, DAPP, ME, [7n], [40n]))).to.deep.equal(['in 40 #7']);
    expect(
      await moved(
        batch(COLLECTION, ME, DAPP, [7n, 8n], [2n, 1n]),
        single(COLLECTION, DAPP, ME, 8n, 1n),
        single(COLLECTION, DAPP, ME, 9n, 5n),
        single(COLLECTION, DAPP, ME, 10n, 1n),
      ),
    ).to.deep.equal(['out 2 #7', 'in 6']);
    const large = single(COLLECTION, DAPP, ME, 2n ** 256n - 1n, 1n);
    expect(await moved(large)).to.deep.equal(['in 1 #11579…39935']);
  });

  it('skip events that are not written as ERC-1155 says', async () => {
    const { topics, data } = batch(COLLECTION, ME, DAPP, [7n], [1n]);
    for (const [other, wrong] of [
      [topics, `${data}00`],
      [topics, data.slice(0, -64)],
      [topics, '0x'],
      [[SINGLE, ...topics.slice(1)], word(7n)],
      [topics.slice(0, 3), data],
    ] as const)
      expect(
        rows((await tried(ran({ address: COLLECTION, topics: [...other], data: wrong }))).summary),
      ).to.deep.equal([]);
  });

  it('draw the worse figure where they nearly agree', async () => {
    const [low, high] = [(ETH * 995n) / 1000n, ETH];
    const amount = (raw: bigint) => ({ raw, symbol: 'ETH', decimals: 18 });
    const gain = await tried(ran(move(COIN, DAPP, ME, high)), ran(move(COIN, DAPP, ME, low)));
    expect(gain.summary.changes).to.deep.equal([{ direction: 'in', amount: amount(low), worse: true }]);
    const loss = await tried(ran(move(COIN, ME, DAPP, low)), ran(move(COIN, ME, DAPP, high)));
    expect(loss.summary.changes).to.deep.equal([{ direction: 'out', amount: amount(high), worse: true }]);
    expect(codes(loss.summary)).not.to.include('!trial-differs');
  });

  it('never promise a gain from a contract that the wallet has not used', async () => {
    const answer = ran(move(COIN, DAPP, ME, ETH), move(COLLECTION, ME, DAPP, 0n, 7n));
    const stranger = await tried(answer, answer, { ...USED, used: [] });
    expect(stranger.summary.changes!.map(({ canDiffer }) => canDiffer)).to.deep.equal([true, undefined]);
    const familiar = await tried(answer);
    expect(familiar.summary.changes!.map(({ canDiffer }) => canDiffer)).to.deep.equal([undefined, undefined]);
  });

  for (const [what, refusal] of [
    ['its nonce', refuses(-38011, 'nonce too high')],
    ['the base fee', refuses(-38012, 'max fee per gas less than block base fee')],
    ['a reason of its own', refuses(-32603, 'internal error')],
  ] as const)
    it(`could not be made when the node refuses for ${what}: that is no failure, and not calm`, async () => {
      for (const [one, other] of [
        [refusal, ran()],
        [ran(), refusal],
      ]) {
        const { summary } = await tried(one, other, USED, { eth_estimateGas: refusal });
        expect(codes(summary)).not.to.include('will-fail');
        expect(summary.warnings.find(({ code }) => code === 'simulation-unavailable')?.params).to.deep.equal({
          reason: 'refused',
        });
        expect(summary.changes).to.equal(undefined);
      }
    });

  it('fall back to a call with the transaction’s own fee on a node without them', async () => {
    let asked: Record<string, string> | undefined;
    const { summary } = await tried(undefined, undefined, USED, {
      eth_simulateV1: undefined,
      eth_call({ params: [call] }: Asked) {
        asked = call;
        return '0x';
      },
    });
    expect(asked).to.include({ maxFeePerGas: `0x${3_000_000_000n.toString(16)}`, gas: '0xea60' });
    expect(codes(summary)).to.include('!simulation-unavailable');
  });
});
