import { expect } from '@open-wc/testing';
import { AbiCoder } from 'ethers/abi';
import type { Known } from '../../../../src/chains/terms.ts';
import type { Summary } from '../../../../src/chains/approval/summary.ts';
import { type AbiValue, encodeCall } from '../../../../src/chains/contracts/abi.ts';
import { readCall } from '../../../../src/chains/call-reading/inner-calls.ts';
import { checksum } from '../../../../src/chains/contracts/evm-address.ts';
import type { Network } from '../../../../src/chains/network.ts';
import { type Answers, type Asked, NETWORK, QUIET, fakeNode } from '../fake-node.ts';
import { callData as data } from '../evm/call-data.ts';
import { fromPage } from '../from-page.ts';
import { ethereum, ethereumPayloads as payloads } from '../../../families.ts';

const chain = fromPage(ethereum, payloads);

const at = (byte: string) => checksum(`0x${byte.repeat(20)}`);
const ME = at('a1');
const TO = at('11');
const TOKEN = at('70');
const PLAY = at('71');
const SPENDER = at('5e');
const CALLED = at('c3');
const SAFE = at('5a');
const OTHER = at('b2');
const MAX = (1n << 256n) - 1n;
const LISTED: Network = {
  ...NETWORK,
  tokens: [{ address: TOKEN, symbol: 'USDC', name: 'USD Coin', decimals: 6, logo: '' }],
};
const KNOWN: Known = { used: [TO, SPENDER, TOKEN, PLAY, CALLED, SAFE], own: [], reported: [] };

const word = (n: bigint | number) => BigInt(n).toString(16).padStart(64, '0');
const text = (value: string) => AbiCoder.defaultAbiCoder().encode(['string'], [value]);

/** A node where every address has code, `PLAY` is an unlisted token, and an allowance of 40 exists. */
function node({ item = false, ...more }: Answers & { item?: boolean } = {}): Answers {
  return {
    ...QUIET,
    eth_getCode: '0x60',
    eth_estimateGas: '0xc350',
    eth_call: ({ params: [{ data: asked }] }: Asked) => {
      const is = (selector: string) => asked.startsWith(selector);
      if (is('0x01ffc9a7')) return `0x${word(item && is('0x01ffc9a780ac58cd') ? 1 : 0)}`;
      if (is('0xdd62ed3e')) return `0x${word(40)}`;
      if (is('0x70a08231')) return `0x${word(1_000_000_000)}`;
      if (is('0x95d89b41')) return text('PLAY');
      return `0x${word(1)}`;
    },
    ...more,
  };
}

async function summaryOf(
  to: string,
  input: string,
  answers: Answers & { item?: boolean } = {},
  value = 0n,
  network = LISTED,
  known = KNOWN,
): Promise<Summary & { rounds: number }> {
  const { node: client, requests } = fakeNode(node(answers), network);
  const request = { type: 'ETH_TRANSACTION', walletId: 'w', to, value: value.toString(), data: input };
  const draft = await chain.prepare(request, ME, client, known);
  expect(structuredClone(draft), 'drafts travel and are stored').to.deep.equal(draft);
  expect(await chain.describe(draft), 'the same draft is drawn the same').to.deep.equal(
    await chain.describe(draft),
  );
  return { ...(await chain.describe(draft)), rounds: requests.length };
}
const ticks = ({ warnings }: Summary): string[] =>
  warnings.filter(({ tick }) => tick).map(({ code }) => code);
const codes = ({ warnings }: Summary): string[] => warnings.map(({ code }) => code);
const shown = ({ amount }: { amount?: { raw: bigint; symbol: string } | undefined }) =>
  amount && `${amount.raw} ${amount.symbol}`;

describe('what an approval of a call says', () => {
  it('draws an approval of an item as one item, including number 0', async () => {
    for (const id of [0n, 7n]) {
      const summary = await summaryOf(PLAY, data('approve(address,uint256)', SPENDER, id), { item: true });
      expect(summary.kind).to.equal('approval');
      expect(shown(summary)).to.equal(`1 PLAY #${id}`);
      expect(summary.amount.decimals).to.equal(0);
      expect(summary.to).to.equal(SPENDER);
      expect(ticks(summary)).to.deep.equal(['nft-approval']);
      expect(shown(summary.warnings[0]!)).to.equal(`1 PLAY #${id}`);
      expect(summary.rounds <= 2).to.equal(true);
    }
    const taken = await summaryOf(PLAY, data('approve(address,uint256)', at('00'), 7n), { item: true });
    expect(ticks(taken), 'nobody may take it any more').to.deep.equal([]);
    const moved = await summaryOf(PLAY, data('transferFrom(address,address,uint256)', ME, TO, 7n), {
      item: true,
    });
    expect(moved.kind).to.equal('transfer');
    expect(shown(moved)).to.equal('1 PLAY #7');
  });

  describe('of a collection from before ERC-165', () => {
    const own = ({ params: [{ data: asked }] }: Asked) =>
      asked.startsWith('0x95d89b41')
        ? text('CK')
        : asked.startsWith('0x6352211e')
          ? `0x${word(BigInt(ME))}`
          : asked.startsWith('0x01ffc9a7')
            ? `0x${word(0)}`
            : `0x${word(9)}`;

    it('knows items by their owner', async () => {
      const kitty = await summaryOf(PLAY, data('approve(address,uint256)', SPENDER, 7n), { eth_call: own });
      expect(shown(kitty)).to.equal('1 CK #7');
      expect(ticks(kitty)).to.deep.equal(['nft-approval']);
      // Its `transfer` takes an id as well.
      const given = await summaryOf(PLAY, data('transfer(address,uint256)', TO, 7n), { eth_call: own });
      expect(shown(given)).to.equal('1 CK #7');
    });

    it('knows items by the operator’s list', async () => {
      const listed = { ...LISTED, nonFungibles: [{ address: PLAY.toLowerCase() }] };
      const approval = data('approve(address,uint256)', SPENDER, 7n);
      expect(ticks(await summaryOf(PLAY, approval, {}, 0n, listed))).to.deep.equal(['nft-approval']);
      expect(ticks(await summaryOf(PLAY, approval))).to.deep.equal([]);
    });
  });

  it('warns the same of every function that lets somebody take a token', async () => {
    const person = { eth_getCode: ({ params: [asked] }: Asked) => (asked === TO ? '0x' : '0x60') };
    const all = 1_000_000_000n;
    for (const [signature, ...rest] of [
      ['approve(address,uint256)'],
      ['approveAndCall(address,uint256,bytes)', '0x'],
      ['increaseAllowance(address,uint256)'],
      ['increaseApproval(address,uint256)'],
    ] as const) {
      const of = async (spender: string, amount: bigint) =>
        ticks(await summaryOf(TOKEN, data(signature, spender, amount, ...rest), person));
      expect(await of(SPENDER, 5n), signature).to.deep.equal([]);
      expect(await of(SPENDER, all), signature).to.deep.equal(['all-you-hold']);
      expect(await of(TO, 5n), signature).to.deep.equal(['spender-is-account']);
      expect(await of(TO, all), signature).to.deep.equal(['all-you-hold', 'spender-is-account']);
      const wrapped = data('multicall(bytes[])', [data(signature, TO, all, ...rest)]);
      expect(
        ticks(await summaryOf(TOKEN, wrapped, person)),
        `${signature} in a multicall`,
      ).to.include.members(['all-you-hold', 'spender-is-account']);
    }
    const permit2 = data('approve(address,address,uint160,uint48)', TOKEN, TO, all, 2_000_000_000n);
    expect(ticks(await summaryOf(CALLED, permit2, person))).to.include.members([
      'all-you-hold',
      'spender-is-account',
    ]);
  });

  it('adds up what several spenders may take of a token', async () => {
    const half = (spender: string) => data('approve(address,uint256)', spender, 600_000_000n);
    const many = (...calls: string[]) => summaryOf(TOKEN, data('multicall(bytes[])', calls));
    expect(ticks(await many(half(SPENDER), half(SPENDER)))).to.not.include('all-you-hold');
    expect(ticks(await many(half(SPENDER), half(TO)))).to.include('all-you-hold');
  });

  it('adds up what one spender may take of a token', async () => {
    const many = (...calls: string[]) => summaryOf(TOKEN, data('multicall(bytes[])', calls));
    const more = data('increaseAllowance(address,uint256)', SPENDER, 600_000_000n);
    const less = data('decreaseAllowance(address,uint256)', SPENDER, 600_000_000n);
    const set = (amount: bigint) => data('approve(address,uint256)', SPENDER, amount);
    const raised = await many(set(600_000_000n), more);
    expect(ticks(raised)).to.deep.equal(['all-you-hold']);
    expect(raised.effects!.map(shown), 'as it will be').to.deep.equal(['600000000 USDC', '1200000000 USDC']);
    const twice = await many(more, more);
    expect(ticks(twice)).to.deep.equal(['all-you-hold']);
    expect(twice.effects!.map(shown)).to.deep.equal(['600000040 USDC', '1200000040 USDC']);
    expect(ticks(await many(set(600_000_000n), more, less))).to.deep.equal([]);
    // Where somebody else acts in between, all that was allowed may be gone before it is allowed again.
    const acts = data('castVote(uint256,uint8)', 1n, 1n);
    expect(ticks(await many(set(600_000_000n), acts, set(600_000_000n)))).to.deep.equal(['all-you-hold']);
    expect(ticks(await many(set(600_000_000n), acts, set(0n)))).to.deep.equal([]);
  });

  it('adds up what is allowed by a token and by Permit2, but not what Permit2 takes for others', async () => {
    const half = 600_000_000n;
    const permit2 = [
      CALLED,
      data('approve(address,address,uint160,uint48)', TOKEN, SPENDER, half, 2_000_000_000n),
    ];
    const allow = (spender: string) => [TOKEN, data('approve(address,uint256)', spender, half)];
    const batch = (...calls: string[][]) =>
      summaryOf(
        SAFE,
        data(
          'executeBatch(address[],bytes[])',
          calls.map(([to]) => to!),
          calls.map(([, input]) => input!),
        ),
      );
    expect(ticks(await batch(allow(SPENDER), permit2))).to.include('all-you-hold');
    expect(ticks(await batch(allow(CALLED), permit2))).to.deep.equal([]);
  });

  it('compares with what is left after what the transaction sends, or what it brings where nothing was held', async () => {
    const half = 500_000_000n;
    const send = data('transfer(address,uint256)', TO, half);
    const allow = (amount: bigint) => data('approve(address,uint256)', SPENDER, amount);
    const batch = (...calls: string[]) => summaryOf(TOKEN, data('multicall(bytes[])', calls));
    const both = await batch(send, allow(half));
    expect(ticks(both)).to.include('all-you-hold');
    expect(shown(both.warnings.find(({ code }) => code === 'all-you-hold')!)).to.equal('500000000 USDC');
    expect(ticks(await batch(send, allow(half - 1n)))).to.not.include('all-you-hold');
    const brought = async (amount: bigint) => {
      const logs = [
        {
          address: TOKEN,
          topics: [
            '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
            `0x${word(BigInt(SPENDER))}`,
            `0x${word(BigInt(ME))}`,
          ],
          data: `0x${word(half)}`,
        },
      ];
      const asked = node().eth_call as (asked: Asked) => string;
      return ticks(
        await summaryOf(
          CALLED,
          data('multicall(bytes[])', [
            data('withdraw(uint256)', half),
            data('approve(address,address,uint160,uint48)', TOKEN, SPENDER, amount, 2_000_000_000n),
          ]),
          {
            eth_call: (call: Asked) => {
              const { data: question } = call.params[0];
              if (question.startsWith('0x70a08231')) return `0x${word(0)}`;
              return question.startsWith('0x18160ddd') ? `0x${word(10n ** 15n)}` : asked(call);
            },
            eth_simulateV1: [{ calls: [{ status: '0x1', gasUsed: '0x1', logs }] }],
          },
        ),
      );
    };
    expect(await brought(half)).to.deep.equal(['all-you-hold']);
    expect(await brought(half - 1n)).to.deep.equal([]);
  });

  it('compares what a Safe or smart account allows with what it holds itself', async () => {
    const asked = node().eth_call as (asked: Asked) => string;
    const ofSafe = (data: string) => data.toLowerCase().includes(SAFE.slice(2).toLowerCase());
    const answers = {
      eth_call: (call: Asked) => {
        const { data } = call.params[0];
        // The Safe holds 5,000 and allows 7; the wallet holds 1,000 and allows 40.
        if (data.startsWith('0x70a08231') && ofSafe(data)) return `0x${word(5_000_000_000n)}`;
        if (data.startsWith('0xdd62ed3e') && ofSafe(data)) return `0x${word(7)}`;
        return data.startsWith('0x18160ddd') ? `0x${word(10n ** 15n)}` : asked(call);
      },
    };
    const zero = at('00');
    for (const wrap of [
      (to: string, input: string) =>
        data(
          'execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)',
          to,
          0n,
          input,
          0n,
          0n,
          0n,
          0n,
          zero,
          zero,
          '0x',
        ),
      (to: string, input: string) => data('execute(address,uint256,bytes)', to, 0n, input),
    ]) {
      const of = (input: string) => summaryOf(SAFE, wrap(TOKEN, input), answers);
      const allow = (amount: bigint) => data('approve(address,uint256)', SPENDER, amount);
      const all = await of(allow(5_000_000_000n));
      expect(ticks(all)).to.deep.equal(['all-you-hold']);
      expect(all.rounds <= 2).to.equal(true);
      expect(ticks(await of(allow(1_000_000_000n))), 'all that the wallet holds').to.deep.equal([]);
      const more = await of(data('increaseAllowance(address,uint256)', SPENDER, 5n));
      expect(more.effects!.map(shown)).to.deep.equal(['12 USDC']);
    }
  });

  it('cannot read what a token hands on to a contract that acts at once', async () => {
    const bytes = '0xdeadbeef';
    for (const [to, of] of [
      [TOKEN, (more: string) => data('transferAndCall(address,uint256,bytes)', SPENDER, 0n, more)],
      [TOKEN, (more: string) => data('approveAndCall(address,uint256,bytes)', SPENDER, 5n, more)],
      [
        PLAY,
        (more: string) => data('safeTransferFrom(address,address,uint256,bytes)', ME, SPENDER, 7n, more),
      ],
      [
        PLAY,
        (more: string) =>
          data('safeTransferFrom(address,address,uint256,uint256,bytes)', ME, SPENDER, 7n, 0n, more),
      ],
      [
        PLAY,
        (more: string) =>
          data(
            'safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)',
            ME,
            SPENDER,
            [7n],
            [1n],
            more,
          ),
      ],
    ] as [string, (more: string) => string][]) {
      expect(ticks(await summaryOf(to, of(bytes)))).to.include('unknown-call');
      expect(ticks(await summaryOf(SAFE, data('multicall(bytes[])', [of(bytes)])))).to.include(
        'unknown-call',
      );
      for (const none of ['0x', '0x00']) expect(ticks(await summaryOf(to, of(none)))).to.deep.equal([]);
    }
  });

  it('takes all that there is of a token for unlimited', async () => {
    const asked = node().eth_call as (asked: Asked) => string;
    const answers = {
      eth_call: (call: Asked) => {
        const { data } = call.params[0];
        if (data.startsWith('0x70a08231')) return `0x${word(0)}`;
        return data.startsWith('0x18160ddd') ? `0x${word(100)}` : asked(call);
      },
    };
    const of = async (amount: bigint) =>
      ticks(await summaryOf(TOKEN, data('approve(address,uint256)', SPENDER, amount), answers));
    expect(await of(100n)).to.deep.equal(['unlimited-approval']);
    expect(await of(99n)).to.deep.equal([]);
  });

  it('is a danger to use an allowance of another own wallet, or to bring its permit', async () => {
    const known: Known = { ...KNOWN, own: [OTHER] };
    const of = async (input: string, own = known) =>
      ticks(await summaryOf(TOKEN, input, {}, 0n, LISTED, own));
    const taken = data('transferFrom(address,address,uint256)', OTHER, TO, 5n);
    expect(await of(taken)).to.deep.equal(['inner-transfer']);
    expect(await of(taken, KNOWN), 'of a stranger').to.deep.equal([]);
    const permit = (amount: bigint) =>
      data(
        'permit(address,address,uint256,uint256,uint8,bytes32,bytes32)',
        OTHER,
        SPENDER,
        amount,
        1n,
        27n,
        `0x${word(1)}`,
        `0x${word(1)}`,
      );
    expect(await of(permit(MAX))).to.deep.equal(['unlimited-approval']);
    expect(await of(permit(1_000_000_000n)), 'all that it holds').to.deep.equal(['all-you-hold']);
    expect(await of(permit(MAX), KNOWN)).to.deep.equal([]);
  });

  it('is a danger to send tokens to a contract of a listed exchange', async () => {
    const exchanges = [{ kind: 'uniswap-v3', name: 'Openbook', router: CALLED, wrapped: PLAY }];
    const network = { ...LISTED, exchanges };
    const of = async (to: string) =>
      ticks(await summaryOf(TOKEN, data('transfer(address,uint256)', to, 5n), {}, 0n, network));
    expect(await of(CALLED)).to.deep.equal(['recipient-is-exchange']);
    expect(await of(PLAY)).to.deep.equal([]);
    const paid = await summaryOf(
      SAFE,
      data('execute(address,uint256,bytes)', CALLED, 5n, '0x'),
      {},
      0n,
      network,
    );
    expect(ticks(paid), 'coins that a call sends on').to.deep.equal(['inner-transfer']);
  });

  it('is a danger for more tokens than are looked at', async () => {
    const calls = (count: number) =>
      Array.from({ length: count }, (_, i) => [
        checksum(`0x${(i + 1).toString(16).padStart(2, '0').repeat(20)}`),
        data('approve(address,uint256)', SPENDER, 5n),
      ]);
    const aggregate = (count: number) =>
      summaryOf(CALLED, data('aggregate((address,bytes)[])', calls(count)));
    expect(ticks(await aggregate(20))).to.not.include('too-many-tokens');
    expect(ticks(await aggregate(21))).to.include('too-many-tokens');
  });

  it('does not take a contract that claims every interface for a collection', async () => {
    const summary = await summaryOf(PLAY, data('approve(address,uint256)', SPENDER, 1n), {
      eth_call: ({ params: [{ data: asked }] }: Asked) =>
        asked.startsWith('0x95d89b41') ? text('PLAY') : `0x${word(asked.startsWith('0x18160ddd') ? 100 : 1)}`,
    });
    expect(codes(summary)).to.include('spending-limit');
  });

  it('shows the total with the existing allowance, in the same round', async () => {
    for (const [signature, by, sum] of [
      ['increaseAllowance(address,uint256)', 5n, 45n],
      ['increaseApproval(address,uint256)', 5n, 45n],
      ['decreaseAllowance(address,uint256)', 15n, 25n],
      ['decreaseApproval(address,uint256)', 99n, 0n],
    ] as const) {
      const summary = await summaryOf(TOKEN, data(signature, SPENDER, by));
      expect(summary.kind).to.equal('approval');
      expect(shown(summary), signature).to.equal(`${sum} USDC`);
      expect(codes(summary).includes('spending-limit'), signature).to.equal(sum > 0n);
      expect(summary.rounds <= 2).to.equal(true);
    }
    const unlimited = await summaryOf(TOKEN, data('increaseAllowance(address,uint256)', SPENDER, MAX - 40n));
    expect(ticks(unlimited)).to.deep.equal(['unlimited-approval']);
    const unknown = await summaryOf(TOKEN, data('increaseAllowance(address,uint256)', SPENDER, 5n), {
      eth_call: new Error('execution reverted'),
    });
    const warning = unknown.warnings.find(({ code }) => code === 'spending-limit')!;
    expect(warning.params).to.deep.include({ more: 'more' });
  });

  it('surfaces what inner calls give away, with token and amount of each', async () => {
    const inner = [
      data('approve(address,uint256)', SPENDER, MAX),
      data('transfer(address,uint256)', TO, 5_000_000n),
      data('setApprovalForAll(address,bool)', SPENDER, true),
      data('transferOwnership(address)', TO),
    ];
    const summary = await summaryOf(TOKEN, data('multicall(bytes[])', inner));
    expect(ticks(summary)).to.deep.equal([
      'unlimited-approval',
      'inner-transfer',
      'approval-for-all',
      'control-given',
    ]);
    expect(summary.warnings.map(shown).slice(0, 3)).to.deep.equal([`${MAX} USDC`, '5000000 USDC', '0 USDC']);
    expect(summary.kind).to.equal('call');
    expect(summary.effects!.map(({ kind }) => kind)).to.deep.equal(['allow', 'send', 'allow-all', 'control']);
    expect(summary.rounds <= 2).to.equal(true);
  });

  it('reports a call that sends coins besides moving tokens', async () => {
    const approve = await summaryOf(TOKEN, data('approve(address,uint256)', SPENDER, MAX), {}, 1n);
    expect(shown(approve)).to.equal('1 ETH');
    expect(ticks(approve)).to.deep.equal(['unlimited-approval']);
    expect(shown(approve.warnings[0]!)).to.equal(`${MAX} USDC`);
    const transfer = await summaryOf(TOKEN, data('transfer(address,uint256)', TO, 5_000_000n), {}, 1n);
    expect(ticks(transfer)).to.deep.equal(['inner-transfer']);
    expect(transfer.effects!.map(shown)).to.deep.equal(['5000000 USDC']);
  });

  it('needs a tick for a call it cannot decode, whatever the node says about the address', async () => {
    for (const answers of [{}, { eth_getCode: '0x' }]) {
      const summary = await summaryOf(CALLED, '0xdeadbeef', answers);
      expect(ticks(summary)).to.include('unknown-call');
      expect(summary.call!.name).to.equal(null);
    }
    const inner = await summaryOf(CALLED, data('multicall(bytes[])', ['0xdeadbeef']));
    expect(ticks(inner)).to.deep.equal(['unknown-call']);
    expect(inner.warnings[0]!.params).to.deep.equal({ address: CALLED });
  });

  it('does not warn about allowances that somebody else signed', async () => {
    const permit = (owner: string) =>
      data(
        'permit(address,address,uint256,uint256,uint8,bytes32,bytes32)',
        owner,
        SPENDER,
        MAX,
        0n,
        27n,
        `0x${word(1)}`,
        `0x${word(2)}`,
      );
    expect(ticks(await summaryOf(TOKEN, permit(TO)))).to.deep.equal([]);
    expect(ticks(await summaryOf(TOKEN, permit(ME)))).to.deep.equal(['unlimited-approval']);
  });

  it('reports a Safe’s delegatecall as foreign code, and its module as control', async () => {
    const safe = (to: string, input: string, operation: bigint) =>
      data(
        'execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)',
        to,
        0n,
        input,
        operation,
        0n,
        0n,
        0n,
        at('00'),
        at('00'),
        '0x',
      );
    const foreign = await summaryOf(CALLED, safe(TO, data('transfer(address,uint256)', TO, 1n), 1n));
    expect(ticks(foreign)).to.deep.equal(['foreign-code']);
    expect(foreign.warnings[0]!.params).to.deep.equal({ contract: CALLED, address: TO });
    const module = await summaryOf(CALLED, safe(CALLED, data('enableModule(address)', SPENDER), 0n));
    expect(ticks(module)).to.deep.equal(['control-given']);
  });

  it('warns where a trade gives and nothing comes back', async () => {
    const input = (types: string[], values: AbiValue[]) => `0x${encodeCall('f', types, values).slice(10)}`;
    const path = `${TOKEN}000bb8${PLAY.slice(2)}`.toLowerCase();
    const swap = (recipient: string, least: bigint, command = '00') =>
      data('execute(bytes,bytes[])', `0x${command}`, [
        input(
          ['address', 'uint256', 'uint256', 'bytes', 'bool'],
          [recipient, 100_000_000n, least, path, true],
        ),
      ]);
    const sender = checksum(`0x${'0'.repeat(39)}1`);
    const fair = await summaryOf(CALLED, swap(sender, 9n));
    expect(ticks(fair)).to.deep.equal([]);
    expect(shown(fair), 'the headline is what is paid').to.equal('100000000 USDC');
    expect(fair.effects!.map(({ kind }) => kind)).to.deep.equal(['pay', 'receive']);
    expect(ticks(await summaryOf(CALLED, swap(sender, 0n)))).to.deep.equal(['nothing-back']);
    const failing = await summaryOf(CALLED, swap(sender, 9n, '80'));
    expect(ticks(failing), 'a step that may fail').to.include('unknown-call');
    const other = await summaryOf(CALLED, swap(TO, 9n));
    expect(ticks(other)).to.deep.equal(['nothing-back']);
    expect(other.warnings[0]!.params).to.deep.equal({ address: TO });
  });

  describe('leaves the wallet in a call, beside the coins:', () => {
    const input = (types: string[], values: AbiValue[]) => `0x${encodeCall('f', types, values).slice(10)}`;
    const swap = (amount: bigint) =>
      input(
        ['address', 'uint256', 'uint256', 'bytes', 'bool'],
        [ME, amount, 1n, `${TOKEN}000bb8${PLAY.slice(2)}`.toLowerCase(), true],
      );
    const moved = (from: string, to: string, token: string, amount: bigint) => [from, to, amount, token];
    const batch = (...details: AbiValue[]) =>
      data('transferFrom((address,address,uint160,address)[])', details);
    const send = data('transfer(address,uint256)', TO, 5n);
    const cases: [string, string, string, string[], bigint?][] = [
      ['nothing', CALLED, data('claim()'), []],
      ['a router’s pay', CALLED, data('execute(bytes,bytes[])', '0x00', [swap(9n)]), ['9 USDC']],
      [
        'each pay',
        CALLED,
        data('execute(bytes,bytes[])', '0x0000', [swap(9n), swap(1n)]),
        ['9 USDC', '1 USDC'],
      ],
      [
        'every token of a Permit2 batch',
        CALLED,
        batch(moved(ME, TO, TOKEN, 5n), moved(ME, SPENDER, PLAY, 7n)),
        ['5 USDC', '7 PLAY'],
      ],
      [
        'not what others send, nor what comes back',
        CALLED,
        batch(moved(TO, ME, TOKEN, 5n), moved(ME, ME, TOKEN, 5n)),
        [],
      ],
      ['what a multicall sends', TOKEN, data('multicall(bytes[])', [send, send]), ['5 USDC', '5 USDC']],
      ['what goes with coins', TOKEN, send, ['5 USDC'], 1n],
      [
        'an item in a batch',
        PLAY,
        data('multicall(bytes[])', [data('safeTransferFrom(address,address,uint256)', ME, TO, 3n)]),
        ['1 PLAY #3'],
      ],
      [
        'not what a contract sends in its own name',
        CALLED,
        data('aggregate((address,bytes)[])', [[TOKEN, send]]),
        [],
      ],
      [
        'nothing by an allowance',
        TOKEN,
        data('multicall(bytes[])', [data('approve(address,uint256)', TO, 5n)]),
        [],
      ],
    ];
    for (const [name, to, bytes, wanted, value] of cases)
      it(name, async () => {
        const { kind, leaving = [] } = await summaryOf(to, bytes, {}, value);
        expect(kind).to.equal('call');
        expect(leaving.map((amount) => shown({ amount }))).to.deep.equal(wanted);
      });

    it('none apart from the headline’s own', async () => {
      expect((await summaryOf(TOKEN, send)).leaving).to.equal(undefined);
    });
  });

  it('does not take an order that asks for nothing in return for a plain transfer', async () => {
    const ITEM = '(uint8,address,uint256,uint256,uint256)';
    const order = (offer: AbiValue[]) =>
      encodeCall(
        'fulfillOrder',
        [
          `((address,address,${ITEM}[],(uint8,address,uint256,uint256,uint256,address)[],uint8,uint256,uint256,bytes32,uint256,bytes32,uint256),bytes)`,
          'bytes32',
        ],
        [
          [
            [
              SPENDER,
              at('00'),
              offer,
              [[1n, TOKEN, 0n, 9n, 9n, SPENDER]],
              0n,
              0n,
              1n,
              `0x${word(0)}`,
              0n,
              `0x${word(0)}`,
              1n,
            ],
            '0x',
          ],
          `0x${word(0)}`,
        ],
      );
    const nothing = await summaryOf(CALLED, order([]));
    expect(nothing.leaving!.map((amount) => shown({ amount }))).to.deep.equal(['9 USDC']);
    expect(nothing.kind).to.equal('call');
    expect(ticks(nothing)).to.deep.equal(['inner-transfer', 'nothing-back']);
    expect(nothing.effects!.map(({ kind }) => kind)).to.deep.equal(['send']);
    expect(ticks(await summaryOf(CALLED, order([[2n, PLAY, 7n, 1n, 1n]])))).to.deep.equal(['inner-transfer']);
    const inside = await summaryOf(CALLED, data('multicall(bytes[])', [order([])]));
    expect(ticks(inside)).to.deep.equal(['inner-transfer', 'nothing-back']);
  });

  it('warns about coins for a promise, unless a simulation returns something listed', async () => {
    const simulated: Answers = { eth_simulateV1: [{ calls: [{ status: '0x1', gasUsed: '0x1', logs: [] }] }] };
    const claim = data('claim()');
    expect(ticks(await summaryOf(CALLED, claim, simulated, 10n))).to.deep.equal(['nothing-back']);
    expect(ticks(await summaryOf(CALLED, claim, simulated))).to.deep.equal([]);
    expect(ticks(await summaryOf(CALLED, data('securityUpdate()'), simulated, 10n))).to.deep.equal([
      'nothing-back',
    ]);
  });

  it('needs a tick where neither the arguments nor a simulation tell what moves', async () => {
    expect(ticks(await summaryOf(CALLED, data('claim()')))).to.deep.equal(['simulation-unavailable']);
    const swap = data('swapExactETHForTokens(uint256,address[],address,uint256)', 9n, [PLAY, TOKEN], ME, 1n);
    const told = await summaryOf(CALLED, swap, {}, 10n);
    expect(ticks(told)).to.deep.equal([]);
    expect(codes(told)).to.include('simulation-unavailable');
    const vote = await summaryOf(CALLED, data('castVote(uint256,uint8)', 1n, 1n));
    expect(ticks(vote)).to.deep.equal([]);
  });

  describe('what a swap asks for', () => {
    const single = (recipient: string, amount: bigint) =>
      data('exactInputSingle((address,address,uint24,address,uint256,uint256,uint256,uint160))', [
        TOKEN,
        PLAY,
        3000n,
        recipient,
        1n,
        amount,
        9n,
        0n,
      ]);
    const strangers = ({ warnings }: Summary) =>
      warnings.filter(({ tick }) => tick).map(({ code, params }) => `${code} ${params?.['address']}`);
    const NOBODY = at('00');

    it('is a danger for each stranger who gets it, whatever the wallet gets', async () => {
      const split = data('multicall(bytes[])', [single(ME, 1n), single(TO, 999n), single(SPENDER, 5n)]);
      const summary = await summaryOf(CALLED, split);
      expect(strangers(summary)).to.deep.equal([`swap-recipient ${TO}`, `swap-recipient ${SPENDER}`]);
      expect(summary.effects!.map(({ kind, to }) => [kind, to])).to.deep.equal([
        ['pay', undefined],
        ['receive', undefined],
        ['pay', undefined],
        ['receive', TO],
        ['pay', undefined],
        ['receive', SPENDER],
      ]);
      expect(
        strangers(await summaryOf(CALLED, data('multicall(bytes[])', [single(TO, 999n)]))),
      ).to.deep.equal([`nothing-back ${TO}`]);
    });

    it('is no danger for another wallet of the user’s', async () => {
      const { node: client } = fakeNode(node(), LISTED);
      const request = {
        type: 'ETH_TRANSACTION',
        walletId: 'w',
        to: CALLED,
        value: '0',
        data: single(TO, 5n),
      };
      const draft = await chain.prepare(request, ME, client, { ...KNOWN, own: [ME, TO] });
      expect(ticks(await chain.describe(draft))).to.deep.equal([]);
    });

    it('is one swap with what takes it from the router, and is lost where nothing does', async () => {
      const swap = single(NOBODY, 100n);
      const unwrap = (recipient: string) => data('unwrapWETH9(uint256,address)', 9n, recipient);
      const whole = await summaryOf(
        CALLED,
        data('multicall(bytes[])', [swap, unwrap(ME), data('refundETH()')]),
      );
      expect(ticks(whole)).to.deep.equal([]);
      expect(whole.effects!.map(({ kind, amount }) => [kind, amount && shown({ amount })])).to.deep.equal([
        ['pay', '100 USDC'],
        ['receive', '9 ETH'],
        ['call', undefined],
      ]);
      const others = await summaryOf(CALLED, data('multicall(bytes[])', [swap, unwrap(TO)]));
      expect(strangers(others)).to.deep.equal([`nothing-back ${TO}`]);
      const left = await summaryOf(CALLED, data('multicall(bytes[])', [single(ME, 1n), swap]));
      expect(strangers(left), 'anybody can take it there').to.deep.equal([`swap-recipient ${CALLED}`]);
      const sweep = data('sweepToken(address,uint256,address)', TOKEN, 1n, ME);
      const other = await summaryOf(CALLED, data('multicall(bytes[])', [swap, sweep]));
      expect(strangers(other), 'of another token').to.deep.equal([`swap-recipient ${CALLED}`]);
      const nothing = data('multicall(bytes[])', [swap, data('unwrapWETH9(uint256,address)', 0n, ME)]);
      expect(ticks(await summaryOf(CALLED, nothing)), 'nothing is sure').to.deep.equal(['nothing-back']);
    });

    it('is unwrapped only if it is the wrapped coin of a listed exchange', () => {
      const calls = [single(NOBODY, 100n), data('unwrapWETH9(uint256,address)', 0n, ME)];
      const read = (wrapped: string) =>
        readCall(CALLED, data('multicall(bytes[])', calls), ME, { wrapped: [wrapped] }).deeds.map(
          ({ effect }) => effect,
        );
      expect(read(PLAY).at(-1)).to.deep.include({ kind: 'receive', to: ME, amount: 9n });
      expect(read(TOKEN)[1]).to.deep.include({ kind: 'receive', to: CALLED, token: PLAY });
    });

    it('is less a fee of 1 % at most, and a danger above', async () => {
      const withFee = (...shares: bigint[]) =>
        data('multicall(bytes[])', [
          single(NOBODY, 100n),
          ...shares.map((share) =>
            data('unwrapWETH9WithFee(uint256,address,uint256,address)', 9n, ME, share, TO),
          ),
        ]);
      const fair = await summaryOf(CALLED, withFee(25n));
      expect(ticks(fair)).to.deep.equal([]);
      const fee = fair.warnings.find(({ code }) => code === 'trade-fee')!;
      expect([fee.level, fee.params]).to.deep.equal(['caution', { address: TO, share: '0.25 %' }]);
      expect(strangers(await summaryOf(CALLED, withFee(100n)))).to.deep.equal([]);
      expect(strangers(await summaryOf(CALLED, withFee(101n)))).to.deep.equal([`swap-recipient ${TO}`]);
      expect(new Set(strangers(await summaryOf(CALLED, withFee(60n, 60n)))), 'together').to.deep.equal(
        new Set([`swap-recipient ${TO}`]),
      );
    });

    it('counts a fee of the router’s commands by what the wallet gets', async () => {
      const input = (types: string[], values: AbiValue[]) => `0x${encodeCall('f', types, values).slice(10)}`;
      const path = `${TOKEN}000bb8${PLAY.slice(2)}`.toLowerCase();
      const router = checksum(`0x${'0'.repeat(39)}2`);
      const run = (leg: string, of: AbiValue[], least = 1000n) =>
        summaryOf(
          CALLED,
          data('execute(bytes,bytes[])', `0x00${leg}04`, [
            input(['address', 'uint256', 'uint256', 'bytes', 'bool'], [router, 100n, 0n, path, true]),
            input(['address', 'address', 'uint256'], of),
            input(['address', 'address', 'uint256'], [PLAY, ME, least]),
          ]),
        );
      expect(strangers(await run('06', [PLAY, TO, 25n]))).to.deep.equal([]);
      expect(strangers(await run('06', [PLAY, TO, 9000n]))).to.deep.equal([`swap-recipient ${TO}`]);
      expect(strangers(await run('05', [PLAY, TO, 10n]))).to.deep.equal([]);
      expect(strangers(await run('05', [PLAY, TO, 11n]))).to.deep.equal([`swap-recipient ${TO}`]);
      expect(strangers(await run('05', [PLAY, TO, 10n], 1n))).to.deep.equal([`swap-recipient ${TO}`]);
      expect(strangers(await run('04', [PLAY, TO, 1n])), 'all of it').to.include(`swap-recipient ${TO}`);
      expect(strangers(await run('05', [NOBODY, TO, 1n])), 'coins').to.deep.equal([`swap-recipient ${TO}`]);
    });
  });

  describe('what a contract keeps of a call', () => {
    const WRAPPED = at('72');
    const exchange: Network = { ...LISTED, exchanges: [{ kind: 'uniswap-v3', wrapped: WRAPPED }] as never };
    const number = (n: number) => checksum(`0x${n.toString(16).padStart(40, '0')}`);
    const [COIN, CALLER, ROUTER] = [number(0), number(1), number(2)];
    const ALL = 1n << 255n;
    const many = (...calls: string[]) => data('multicall(bytes[])', calls);
    const path = (one: string, other: string) => `${one}000bb8${other.slice(2)}`.toLowerCase();
    const input = (types: string[], values: AbiValue[]) => `0x${encodeCall('f', types, values).slice(10)}`;
    const step = {
      v3: (to: string, amount: bigint, least: bigint, way: string, isUsers = false) =>
        [
          '00',
          input(['address', 'uint256', 'uint256', 'bytes', 'bool'], [to, amount, least, way, isUsers]),
        ] as const,
      exactOut: (to: string, amount: bigint, most: bigint, way: string) =>
        [
          '01',
          input(['address', 'uint256', 'uint256', 'bytes', 'bool'], [to, amount, most, way, false]),
        ] as const,
      v2: (to: string, amount: bigint, way: string[], isUsers = false) =>
        [
          '08',
          input(['address', 'uint256', 'uint256', 'address[]', 'bool'], [to, amount, 1n, way, isUsers]),
        ] as const,
      permit2: (to: string, token: string, amount: bigint) =>
        ['02', input(['address', 'address', 'uint160'], [token, to, amount])] as const,
      batch: (to: string, token: string, amount: bigint) =>
        ['0d', input(['(address,address,uint160,address)[]'], [[[ME, to, amount, token]]])] as const,
      sweep: (token: string, to: string, least: bigint) =>
        ['04', input(['address', 'address', 'uint256'], [token, to, least])] as const,
      transfer: (token: string, to: string, amount: bigint) =>
        ['05', input(['address', 'address', 'uint256'], [token, to, amount])] as const,
      wrap: (to: string, amount: bigint) => ['0b', input(['address', 'uint256'], [to, amount])] as const,
      unwrap: (to: string, least: bigint) => ['0c', input(['address', 'uint256'], [to, least])] as const,
    };
    const run = (...steps: (readonly [string, string])[]) =>
      data(
        'execute(bytes,bytes[])',
        `0x${steps.map(([code]) => code).join('')}`,
        steps.map(([, bytes]) => bytes),
      );
    const SINGLE = '(address,address,uint24,address,uint256,uint256,uint256,uint160)';
    const single = (
      way: [string, string],
      to: string,
      exact: bigint,
      bound: bigint,
      more: { out?: true; price?: bigint } = {},
    ) =>
      data(`exact${more.out ? 'Output' : 'Input'}Single(${SINGLE})`, [
        ...way,
        3000n,
        to,
        1n,
        exact,
        bound,
        more.price ?? 0n,
      ]);
    const refund = data('refundETH()');
    const unwrap = (least: bigint) => data('unwrapWETH9(uint256,address)', least, ME);
    const valued = (...calls: AbiValue[][]) => data('aggregate3Value((address,bool,uint256,bytes)[])', calls);
    /** 100 of the token for at least 90 of the wrapped coin, which stay in the router. */
    const KEPT = step.v3(ROUTER, 100n, 90n, path(TOKEN, WRAPPED), true);
    const buys = (amount: bigint) => step.v3(CALLER, amount, 1n, path(WRAPPED, PLAY));
    const sells = (amount: bigint) => step.v3(CALLER, amount, 1n, path(TOKEN, PLAY));

    /** With the amount that stays there. */
    const kept: [name: string, input: string, left: string, value?: bigint][] = [
      ['all but a unit, used by a swap', run(KEPT, buys(1n)), '89'],
      ['less than a swap used, but over 1 %', run(KEPT, buys(89n)), '1'],
      ['all but an exact output', run(KEPT, step.exactOut(CALLER, 1n, 90n, path(PLAY, WRAPPED))), '90'],
      ['all, where a pair is said to have been paid', run(KEPT, step.v2(CALLER, 0n, [WRAPPED, PLAY])), '90'],
      ['all, where 0 is paid', run(KEPT, step.v2(CALLER, 0n, [WRAPPED, PLAY], true)), '90'],
      [
        'all, where 0 moves to it',
        run(KEPT, step.permit2(ROUTER, WRAPPED, 0n), step.sweep(PLAY, CALLER, 1n)),
        '90',
      ],
      [
        'all, where 0 is passed on',
        run(KEPT, step.transfer(WRAPPED, ME, 0n), step.sweep(PLAY, CALLER, 1n)),
        '90',
      ],
      ['all that it sends to itself', run(KEPT, step.sweep(WRAPPED, ROUTER, 1n), buys(1n)), '89'],
      ['all but what another coin takes', run(KEPT, step.sweep(COIN, CALLER, 1n)), '90'],
      [
        'of a swap that may bring nothing',
        run(step.v3(ROUTER, 100n, 0n, path(TOKEN, WRAPPED), true), buys(1n)),
        '0',
      ],
      ['of tokens that were moved to it', run(step.permit2(ROUTER, TOKEN, 100n), sells(1n)), '99'],
      ['of tokens that were moved in a batch', run(step.batch(ROUTER, TOKEN, 100n), sells(1n)), '99'],
      [
        'of tokens, where another is swept',
        run(step.permit2(ROUTER, TOKEN, 100n), step.sweep(PLAY, CALLER, 1n)),
        '100',
      ],
      ['of a plan in a plan', run(KEPT, ['21', input(['bytes', 'bytes[]'], ['0x00', [buys(1n)[1]]])]), '89'],
      ['another token than the unwrapped', many(single([TOKEN, PLAY], COIN, 100n, 90n), unwrap(1n)), '90'],
      ['coins for no call', valued(), '500', 500n],
      ['coins for no step', many(), '500', 500n],
      ['coins for a step that moves none', many(data('castVote(uint256,uint8)', 1n, 1n)), '500', 500n],
      ['coins of a call that moves none', data('aggregate((address,bytes)[])', [[TO, refund]]), '500', 500n],
      [
        'coins that a call without them promises to swap',
        valued([TO, true, 0n, single([WRAPPED, TOKEN], ME, 500n, 9n)]),
        '500',
        500n,
      ],
      ['coins beside a swap of a few', single([WRAPPED, TOKEN], ME, 10n, 1n), '490', 500n],
      [
        'coins beside a swap of more, which takes tokens',
        single([WRAPPED, TOKEN], ME, 501n, 1n),
        '500',
        500n,
      ],
      ['coins beside a swap of tokens', single([TOKEN, WRAPPED], ME, 500n, 1n), '500', 500n],
      [
        'coins beside a swap that ends at a price',
        single([WRAPPED, TOKEN], ME, 500n, 1n, { price: 7n }),
        '500',
        500n,
      ],
      ['coins for an exact output', single([WRAPPED, TOKEN], ME, 1n, 500n, { out: true }), '500', 500n],
      ['coins that it wraps', run(step.wrap(ROUTER, 500n), buys(10n)), '490', 500n],
      ['coins that it does not wrap', run(step.wrap(ROUTER, 10n), buys(10n)), '490', 500n],
      [
        'coins where tokens are swapped',
        run(step.v3(CALLER, 500n, 1n, path(WRAPPED, TOKEN), true)),
        '500',
        500n,
      ],
    ];
    for (const [name, bytes, left, value] of kept)
      it(`is a danger: ${name}`, async () => {
        const summary = await summaryOf(CALLED, bytes, {}, value, exchange);
        const { code, params } = summary.warnings.find(({ tick }) => tick)!;
        expect(['swap-recipient', 'nothing-back']).to.include(code);
        expect(params).to.deep.equal({ address: CALLED });
        const rest = summary.effects!.filter(({ kind, to }) => kind === 'receive' && to === CALLED);
        expect(rest.map((one) => shown(one)!.split(' ')[0])).to.deep.equal([left]);
      });

    it('is a danger also where no exchange is listed', async () => {
      const bytes = many(single([TOKEN, PLAY], COIN, 100n, 90n), unwrap(1n));
      expect(ticks(await summaryOf(CALLED, bytes))).to.deep.equal(['swap-recipient']);
      expect(ticks(await summaryOf(CALLED, run(step.wrap(ROUTER, 500n), buys(10n)), {}, 500n))).to.deep.equal(
        ['swap-recipient'],
      );
    });

    const honest: [name: string, input: string, value?: bigint][] = [
      [
        'wraps, unwraps and sweeps',
        run(
          step.v3(ROUTER, 100n, 0n, path(TOKEN, WRAPPED), true),
          step.unwrap(ROUTER, 1n),
          step.sweep(COIN, CALLER, 9n),
        ),
      ],
      ['uses all in two parts', run(KEPT, buys(45n), buys(45n))],
      [
        'rounds',
        run(step.v3(ROUTER, 100n, 1000n, path(TOKEN, WRAPPED), true), buys(333n), buys(333n), buys(333n)),
      ],
      ['uses all by its balance', run(step.v3(ROUTER, 100n, 0n, path(TOKEN, WRAPPED), true), buys(ALL))],
      ['swaps what was moved to it', run(step.permit2(ROUTER, TOKEN, 100n), sells(100n))],
      [
        'sends back what it does not need',
        run(step.permit2(ROUTER, TOKEN, 100n), sells(1n), step.sweep(TOKEN, CALLER, 0n)),
      ],
      ['wraps and swaps coins', run(step.wrap(ROUTER, 500n), buys(500n)), 500n],
      ['wraps and swaps all coins', run(step.wrap(ROUTER, ALL), buys(ALL)), 500n],
      [
        'unwraps what an exact output leaves',
        run(
          step.wrap(ROUTER, 500n),
          step.exactOut(CALLER, 1n, 500n, path(PLAY, WRAPPED)),
          step.unwrap(CALLER, 0n),
        ),
        500n,
      ],
      ['takes a fee from coins', run(step.transfer(COIN, TO, 5n), step.wrap(ROUTER, 495n), buys(495n)), 500n],
      ['unwraps', many(single([TOKEN, WRAPPED], COIN, 100n, 90n), unwrap(0n))],
      ['swaps the coins sent', single([WRAPPED, TOKEN], ME, 500n, 1n), 500n],
      [
        'refunds what an exact output leaves',
        many(single([WRAPPED, TOKEN], ME, 1n, 500n, { out: true }), refund),
        500n,
      ],
      [
        'refunds what a price leaves',
        many(single([WRAPPED, TOKEN], ME, 500n, 1n, { price: 7n }), refund),
        500n,
      ],
      ['refunds', refund, 500n],
      [
        'swaps coins by itself',
        data('swapExactETHForTokens(uint256,address[],address,uint256)', 9n, [WRAPPED, TOKEN], ME, 1n),
        500n,
      ],
      [
        'adds liquidity and refunds by itself',
        data('addLiquidityETH(address,uint256,uint256,uint256,address,uint256)', TOKEN, 5n, 0n, 0n, ME, 1n),
        500n,
      ],
      ['makes an item for coins', data('mint(address,uint256)', ME, 1n), 500n],
      [
        'makes items for coins in a list',
        many(data('mint(address,uint256)', ME, 1n), data('mint(address,uint256)', ME, 2n)),
        500n,
      ],
    ];
    for (const [name, bytes, value] of honest)
      it(`is none where it ${name}`, async () => {
        expect(ticks(await summaryOf(CALLED, bytes, {}, value, exchange))).to.deep.equal([]);
      });

    it('is none where coins are deposited', async () => {
      const simulated: Answers = {
        eth_simulateV1: [{ calls: [{ status: '0x1', gasUsed: '0x1', logs: [] }] }],
      };
      for (const bytes of [data('deposit()'), many(data('deposit()'))])
        expect(ticks(await summaryOf(WRAPPED, bytes, simulated, 500n, exchange))).to.deep.equal([]);
    });

    it('is the router’s own if a router names it by 0', async () => {
      // SwapRouter02: an amount of 0 is all that it holds.
      const second = (way: [string, string], to: string, exact: bigint, least: bigint) =>
        data('exactInputSingle((address,address,uint24,address,uint256,uint256,uint160))', [
          ...way,
          3000n,
          to,
          exact,
          least,
          0n,
        ]);
      const bytes = (amount: bigint) =>
        many(second([TOKEN, WRAPPED], ROUTER, 100n, 90n), second([WRAPPED, PLAY], ME, amount, 1n));
      expect(ticks(await summaryOf(CALLED, bytes(0n), {}, 0n, exchange))).to.deep.equal([]);
      expect(ticks(await summaryOf(CALLED, bytes(1n), {}, 0n, exchange))).to.deep.equal(['swap-recipient']);
      const first = many(single([TOKEN, WRAPPED], COIN, 100n, 90n), single([WRAPPED, PLAY], ME, 0n, 1n));
      expect(ticks(await summaryOf(CALLED, first, {}, 0n, exchange)), 'not SwapRouter').to.deep.equal([
        'swap-recipient',
      ]);
    });
  });

  it('measures a fee by what the same contract brings', async () => {
    const input = (types: string[], values: AbiValue[]) => `0x${encodeCall('f', types, values).slice(10)}`;
    const router = checksum(`0x${'0'.repeat(39)}2`);
    const swap = input(
      ['address', 'uint256', 'uint256', 'bytes', 'bool'],
      [router, 100n, 90n, `${TOKEN}000bb8${PLAY.slice(2)}`.toLowerCase(), true],
    );
    const pay = (token: string, to: string, amount: bigint) =>
      input(['address', 'address', 'uint256'], [token, to, amount]);
    const trade = data('execute(bytes,bytes[])', '0x000504', [
      swap,
      pay(PLAY, TO, 80n),
      pay(PLAY, CALLED, 1n),
    ]);
    const promise = data(
      'swapExactTokensForTokens(uint256,uint256,address[],address,uint256)',
      1n,
      10n ** 9n,
      [TOKEN, PLAY],
      CALLED,
      1n,
    );
    const batch = data('executeBatch((address,uint256,bytes)[])', [
      [at('d4'), 0n, trade],
      [SPENDER, 0n, promise],
    ]);
    const { warnings } = await summaryOf(CALLED, batch);
    expect(
      warnings.filter(({ tick }) => tick).map(({ code, params }) => `${code} ${params?.['address']}`),
    ).to.deep.equal([`swap-recipient ${TO}`]);
  });

  it('takes a share in a pool with an unlisted token at any rate for nothing', async () => {
    const tokens = (other: string, ...least: [bigint, bigint]) =>
      data(
        'addLiquidity(address,address,uint256,uint256,uint256,uint256,address,uint256)',
        TOKEN,
        other,
        100n,
        1n,
        ...least,
        ME,
        1n,
      );
    const coins = (token: string, ...least: [bigint, bigint]) =>
      data('addLiquidityETH(address,uint256,uint256,uint256,address,uint256)', token, 100n, ...least, ME, 1n);
    const second = { ...LISTED.tokens[0]!, address: at('72') };
    const both = { ...LISTED, tokens: [...LISTED.tokens, second] };
    for (const [bytes, wanted] of [
      [tokens(PLAY, 0n, 0n), ['nothing-back']],
      [tokens(PLAY, 99n, 0n), []],
      [tokens(second.address, 0n, 0n), []],
      [coins(PLAY, 0n, 0n), ['nothing-back']],
      [coins(PLAY, 0n, 1n), []],
      [coins(TOKEN, 0n, 0n), []],
    ] as const)
      expect(
        ticks(
          await summaryOf(
            CALLED,
            bytes,
            {},
            10n * BigInt(bytes.startsWith(coins(TOKEN, 0n, 0n).slice(0, 10))),
            both,
          ),
        ),
      ).to.deep.equal(wanted);
  });
});
