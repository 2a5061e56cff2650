import { expect } from '@open-wc/testing';
import { checksum } from '../../../../src/chains/contracts/evm-address.ts';
import { findCoins } from '../../../../src/chains/evm/incoming-coins.ts';
import { JsonRpc } from '../../../../src/chains/evm/json-rpc.ts';
import type { CoinArrival, CoinLook, CoinsFound } from '../../../../src/chains/nodes/incoming.ts';
import { type Asked, answerOf, type Answers, NETWORK } from '../fake-node.ts';

const ME = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F';
const SENDER = '0x2546BcD3c84621e976D8185a91A922aE77ECEc30';
const ETH = 10n ** 18n;
/** What a transfer costs here. */
const FEE = 21_000n * 10n ** 9n;
const hex = (number: number | bigint): string => `0x${number.toString(16)}`;
const hashOf = (kind: string, number: number): string => `0x${kind}${hex(number).slice(2).padStart(62, '0')}`;

interface Payment {
  from: string;
  to: string;
  value: bigint;
  failed?: boolean;
}

/** A chain of which one account is known, a second per block. */
class Ledger {
  readonly blocks: {
    hash: string;
    balance: bigint;
    nonce: number;
    payments: (Payment & { hash: string })[];
  }[] = [];
  code = '0x';
  #count = 0;
  readonly #fork: string;

  constructor(fork = 'b0') {
    this.#fork = fork;
    this.mine();
  }

  get head(): number {
    return this.blocks.length - 1;
  }

  /** `quietly`: what contracts pay. */
  mine(payments: Payment[] = [], quietly = 0n): void {
    let { balance, nonce } = this.blocks.at(-1) ?? { balance: 0n, nonce: 0 };
    for (const { from, to, value, failed } of payments) {
      if (to === ME && !failed) balance += value;
      if (from === ME) balance -= FEE + (failed ? 0n : value);
      if (from === ME) nonce++;
    }
    this.blocks.push({
      hash: hashOf(this.#fork, this.blocks.length),
      balance: balance + quietly,
      nonce,
      payments: payments.map((payment) => ({ ...payment, hash: hashOf(`7${this.#fork[0]}`, ++this.#count) })),
    });
  }

  skip(blocks: number): void {
    for (let i = 0; i < blocks; i++) this.mine();
  }

  /** Without the last blocks. */
  forked(depth: number, fork: string): Ledger {
    const other = new Ledger(fork);
    other.blocks.splice(0, 1, ...this.blocks.slice(0, -depth));
    return other;
  }

  answers(more: Answers = {}): Answers {
    const at = (tag: string) => this.blocks[Number(tag)] ?? new Error('header not found');
    const of = (tag: string, read: (block: Ledger['blocks'][number]) => unknown) => {
      const block = at(tag);
      return block instanceof Error ? block : read(block);
    };
    const paymentOf = (hash: string) =>
      this.blocks
        .flatMap((block) => block.payments.map((one) => ({ block, one })))
        .find(({ one }) => one.hash === hash);
    return {
      eth_chainId: '0x7a69',
      eth_blockNumber: () => hex(this.head),
      eth_getCode: () => this.code,
      eth_getBalance: ({ params: [, tag] }: Asked) => of(tag, ({ balance }) => hex(balance)),
      eth_getTransactionCount: ({ params: [, tag] }: Asked) => of(tag, ({ nonce }) => hex(nonce)),
      eth_getBlockByNumber: ({ params: [tag, whole] }: Asked) =>
        of(tag, ({ hash, payments }) => ({
          hash,
          number: tag,
          timestamp: hex(1_700_000_000 + Number(tag)),
          transactions: payments.map((one) =>
            whole
              ? {
                  hash: one.hash,
                  from: one.from.toLowerCase(),
                  to: one.to.toLowerCase(),
                  value: hex(one.value),
                }
              : one.hash,
          ),
        })),
      eth_getTransactionReceipt: ({ params: [hash] }: Asked) => {
        const { block, one } = paymentOf(hash)!;
        return {
          transactionHash: hash,
          blockHash: block.hash,
          status: one.failed ? '0x0' : '0x1',
          gasUsed: hex(21_000),
          effectiveGasPrice: hex(10n ** 9n),
        };
      },
      ...more,
    };
  }
}

/** Nodes, each with its own answers; `null` is one that does not answer. */
function nodesOf(each: readonly (Answers | null)[], confirmations = 1) {
  const calls: string[] = [];
  const urls = each.map((_, i) => `http://node-${i}.example/`);
  const node = new JsonRpc(
    { ...NETWORK, nodes: urls, confirmations },
    {
      fetch: async (url, init) => {
        const answers = each[urls.indexOf(String(url))];
        if (!answers) throw new TypeError('Failed to fetch');
        const body = JSON.parse(String(init?.body)) as Asked | Asked[];
        calls.push(...[body].flat().map(({ method }) => method));
        const answer = Array.isArray(body)
          ? body.map((call) => answerOf(call, answers))
          : answerOf(body, answers);
        return new Response(JSON.stringify(answer), { headers: { 'content-type': 'application/json' } });
      },
    },
  );
  return { node, calls };
}

const NOTHING = (): undefined => undefined;

/** `1 ETH from 0x…, 0x71…` or `1 ETH, seen since …`. */
const short = ({ amount, from, hash, at, seenSince }: CoinArrival): string => {
  const by = from ? ` from ${from}` : '';
  const how = seenSince === undefined ? (hash?.slice(0, 4) ?? 'no hash') : 'seen';
  return `${Number(amount.raw) / 1e18}${by}, ${how}, block ${at / 1000 - 1_700_000_000}`;
};

describe('coins that came to an account of Ethereum', () => {
  let ledger: Ledger;
  beforeEach(() => {
    ledger = new Ledger();
    ledger.mine([{ from: SENDER, to: ME, value: 5n * ETH }]);
  });

  const look = (
    looks: readonly CoinLook[] = [],
    spent: Parameters<typeof findCoins>[3] = NOTHING,
    ...nodes: (Answers | null)[]
  ): Promise<CoinsFound> =>
    findCoins(ME, nodesOf(nodes.length ? nodes : [ledger.answers()]).node, looks, spent);
  const fails = async (finding: Promise<unknown>): Promise<void> => {
    const outcome = await finding.catch((error: Error) => error);
    expect(outcome).to.be.instanceOf(Error).with.property('code', 'node.unreachable');
  };

  it('are not told of the time before the first look', async () => {
    const { items, looks } = await look();
    expect(items).to.deep.equal([]);
    expect(looks).to.deep.equal([
      {
        block: 1,
        hash: hashOf('b0', 1),
        time: 1_700_000_001_000,
        balance: 5n * ETH,
        nonce: 0,
      },
    ]);
  });

  it('are found with hash and sender among the blocks since', async () => {
    const { looks } = await look();
    ledger.skip(40);
    ledger.mine([{ from: SENDER, to: ME, value: ETH }]);
    ledger.skip(100);
    ledger.mine([
      { from: SENDER, to: SENDER, value: ETH },
      { from: SENDER, to: ME, value: 2n * ETH },
    ]);
    ledger.skip(3);
    const found = await look(looks);
    const items = found.items.sort((a, b) => a.block - b.block);
    expect(items.map(short)).to.deep.equal([
      `1 from ${checksum(SENDER)}, 0x7b, block 42`,
      `2 from ${checksum(SENDER)}, 0x7b, block 143`,
    ]);
    expect(found.looks.map(({ block }) => block)).to.deep.equal([1, 146]);
    expect(await look(found.looks)).to.deep.equal({ items: [], looks: found.looks });
  });

  it('never count what the account sent, or what its fee took', async () => {
    const { looks } = await look();
    ledger.mine([{ from: ME, to: SENDER, value: ETH }]);
    ledger.mine([
      { from: ME, to: SENDER, value: ETH, failed: true },
      { from: SENDER, to: ME, value: ETH, failed: true },
    ]);
    ledger.mine([{ from: ME, to: ME, value: ETH }]);
    expect((await look(looks)).items).to.deep.equal([]);
    // Beside its own in one block.
    ledger.mine([
      { from: ME, to: SENDER, value: ETH },
      { from: SENDER, to: ME, value: 3n * ETH },
    ]);
    expect((await look(looks)).items.map((one) => one.amount.raw)).to.deep.equal([3n * ETH]);
  });

  it('leave to a swap of its own what that brought', async () => {
    const { looks } = await look();
    ledger.mine([{ from: ME, to: SENDER, value: 0n }], 4n * ETH);
    expect((await look(looks)).items).to.deep.equal([]);
  });

  it('are told without a sender where a contract paid them', async () => {
    const { looks } = await look();
    ledger.mine([{ from: SENDER, to: SENDER, value: 0n }], 4n * ETH);
    expect((await look(looks)).items.map(short)).to.deep.equal(['4, no hash, block 2']);
    // Code can spend and be paid in ways of its own.
    ledger.code = '0xef0100';
    expect((await look(looks)).items).to.deep.equal([]);
  });

  it('are told in one sum, as seen, where nodes have no balances of that time', async () => {
    const { looks } = await look();
    ledger.mine([{ from: SENDER, to: ME, value: 5n * ETH }]);
    ledger.skip(20);
    ledger.mine([{ from: SENDER, to: ME, value: 5n * ETH }]);
    ledger.skip(7);
    const pruned = ledger.answers({
      eth_getBalance: ({ params: [, tag] }: Asked) =>
        Number(tag) === ledger.head ? hex(ledger.blocks.at(-1)!.balance) : new Error('missing trie node'),
    });
    const found = await look(looks, NOTHING, pruned);
    expect(found.items.map(short)).to.deep.equal(['10, seen, block 30']);
    expect(found.items[0]!.seenSince).to.equal(1_700_000_001_000);
    expect(found.looks.at(-1)!.block).to.equal(30);
  });

  it('are told in one sum after a longer time, with few requests', async () => {
    const { looks } = await look();
    ledger.mine([{ from: SENDER, to: ME, value: ETH }]);
    ledger.skip(10_001);
    const { node, calls } = nodesOf([ledger.answers()]);
    expect((await findCoins(ME, node, looks, NOTHING)).items.map(short)).to.deep.equal([
      '1, seen, block 10003',
    ]);
    expect(calls.length).to.be.below(10);
  });

  it('are searched for with a limited number of requests, however many came', async () => {
    const { looks } = await look();
    for (let i = 0; i < 60; i++) {
      ledger.mine([{ from: SENDER, to: ME, value: ETH }]);
      ledger.skip(20);
    }
    const { node, calls } = nodesOf([ledger.answers()]);
    expect((await findCoins(ME, node, looks, NOTHING)).items.map(short)).to.deep.equal([
      '60, seen, block 1261',
    ]);
    expect(calls.filter((method) => method === 'eth_getBalance').length).to.be.at.most(65);
    expect(calls).to.not.include('eth_getTransactionReceipt');
  });

  it('are a sum less what its own transactions cost, if that is known', async () => {
    const { looks } = await look();
    ledger.mine([{ from: ME, to: SENDER, value: ETH }]);
    ledger.mine([{ from: SENDER, to: ME, value: 3n * ETH }]);
    ledger.skip(700);
    const pruned = ledger.answers({
      eth_getTransactionCount: ({ params: [, tag] }: Asked) =>
        Number(tag) === ledger.head ? '0x1' : new Error('missing trie node'),
    });
    const asked: [number, number][] = [];
    const cost = (first: number, end: number): bigint => {
      asked.push([first, end]);
      return ETH + FEE;
    };
    expect((await look(looks, cost, pruned)).items.map(short)).to.deep.equal(['3, seen, block 703']);
    expect(asked).to.deep.equal([[0, 1]]);
    // Unknown for now: the next look may know.
    ledger.blocks.splice(600);
    const unknown = await look(looks, NOTHING, pruned);
    expect([unknown.items, unknown.looks]).to.deep.equal([[], looks]);
    // For good: then nothing is claimed.
    ledger.skip(200);
    const late = await look(looks, NOTHING, pruned);
    expect([late.items.length, late.looks.at(-1)!.block]).to.deep.equal([0, ledger.head]);
  });

  it('wait for their confirmations', async () => {
    ledger.skip(2);
    const careful = (): Promise<CoinsFound> => {
      const { node } = nodesOf([ledger.answers()], 3);
      return findCoins(ME, node, looks, NOTHING);
    };
    let looks: readonly CoinLook[] = [];
    looks = (await careful()).looks;
    expect(looks.at(-1)!.block).to.equal(1);
    ledger.mine([{ from: SENDER, to: ME, value: ETH }]);
    ledger.mine();
    expect((await careful()).items).to.deep.equal([]);
    ledger.mine();
    expect((await careful()).items).to.have.length(1);
  });

  it('of blocks that a reorganisation removed are taken back, and found where they are now', async () => {
    const first = await look();
    ledger.skip(5);
    ledger.mine([{ from: SENDER, to: ME, value: ETH }]);
    const second = await look(first.looks);
    expect(second.items).to.have.length(1);
    ledger = ledger.forked(3, 'c0');
    ledger.skip(3);
    ledger.mine([{ from: SENDER, to: ME, value: 2n * ETH }]);
    const third = await look(second.looks);
    expect(third.validTo).to.equal(1);
    expect(third.items.map(short)).to.deep.equal([`2 from ${checksum(SENDER)}, 0x7c, block 8`]);
    expect(third.looks.map(({ hash }) => hash.slice(0, 4))).to.deep.equal(['0xb0', '0xc0']);
  });

  it('need the word of two nodes, where there are two', async () => {
    const { looks } = await look();
    ledger.mine([{ from: SENDER, to: ME, value: ETH }]);
    const lying = ledger.answers({ eth_getBalance: hex(100n * ETH) });
    await fails(look(looks, NOTHING, ledger.answers(), lying));
    await fails(look(looks, NOTHING, lying, ledger.answers()));
    await fails(look(looks, NOTHING, ledger.answers(), null));
    expect((await look(looks, NOTHING, ledger.answers(), null, ledger.answers())).items).to.have.length(1);
    // Agreed on the sum, but not on who paid it.
    const renamed = ledger.answers({
      eth_getTransactionReceipt: ({ params: [hash] }: Asked) => ({ transactionHash: hash, blockHash: '0x1' }),
    });
    expect((await look(looks, NOTHING, ledger.answers(), renamed)).items.map(short)).to.deep.equal([
      '1, seen, block 2',
    ]);
  });

  it('are not believed of a node that contradicts itself', async () => {
    const { looks } = await look();
    ledger.skip(9);
    const nonsense: Answers[] = [
      { eth_getBalance: 'ten' },
      { eth_getTransactionCount: {} },
      { eth_getCode: null },
      { eth_getBlockByNumber: null },
      { eth_getBlockByNumber: { hash: '0x1', number: '0xa', timestamp: '0x1' } },
      { eth_getBlockByNumber: { hash: hashOf('b0', 1), number: '0x1', timestamp: '0x1' } },
      { eth_blockNumber: 'latest' },
      { eth_blockNumber: '0xffffffffffffffff' },
      { eth_getBalance: new Error('over the limit') },
    ];
    for (const more of nonsense) await fails(look(looks, NOTHING, ledger.answers(more)));
    // A balance for a moment only: no block has the payment.
    const blink = ledger.answers({
      eth_getBalance: ({ params: [, tag] }: Asked) => hex(Number(tag) === 5 ? 50n * ETH : 5n * ETH),
      eth_getTransactionCount: ({ params: [, tag] }: Asked) => hex(Number(tag) === 10 ? 1 : 0),
    });
    expect((await look(looks, NOTHING, blink)).items).to.deep.equal([]);
    // A nonce that goes back.
    const { looks: later } = await look(looks, NOTHING, ledger.answers({ eth_getTransactionCount: '0x4' }));
    ledger.mine();
    await fails(look(later));
  });

  it('that are next to nothing are marked', async () => {
    const { looks } = await look();
    ledger.mine([{ from: SENDER, to: ME, value: 1n }]);
    expect((await look(looks)).items[0]!.dust).to.equal(true);
  });
});
