import { expect } from '@open-wc/testing';
import { AbiCoder } from 'ethers/abi';
import type { Known } from '../../../../src/chains/chain.ts';
import type { Summary } from '../../../../src/chains/approval/summary.ts';
import { type AbiValue, encodeCall } from '../../../../src/chains/abi/coder.ts';
import { readCall } from '../../../../src/chains/call-reading/inner-calls.ts';
import { checksum } from '../../../../src/chains/contracts/evm-address.ts';
import { chain as ethereum } from '../../../../src/chains/ethereum/index.ts';
import type { Network } from '../../../../src/chains/network.ts';
import { type Answers, type Asked, NETWORK, QUIET, fakeNode } from '../fake-node.ts';
import { callData as data } from '../evm/call-data.ts';
import { payloads } from '../../../../src/chains/ethereum/payload.ts';
import { fromPage } from '../from-page.ts';

const chain = fromPage(ethereum, payloads);

const at = (byte: string) => checksum(`0x${byte.repeat(20)}`);
const ME = at('a1');
const TO = at('11');
const TOKEN = at('70');
const PLAY = at('71');
const SPENDER = at('5e');
const CALLED = at('c3');
const MAX = (1n << 256n) - 1n;
const LISTED: Network = {
  ...NETWORK,
  tokens: [{ address: TOKEN, symbol: 'USDC', name: 'USD Coin', decimals: 6, logo: '' }],
};
const KNOWN: Known = { used: [TO, SPENDER, TOKEN, PLAY, CALLED], own: [], reported: [] };

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
): Promise<Summary & { rounds: number }> {
  const { node: client, requests } = fakeNode(node(answers), network);
  const request = { type: 'ETH_TRANSACTION', walletId: 'w', to, value: value.toString(), data: input };
  const draft = await chain.prepare(request, ME, client, KNOWN);
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
        asked.startsWith('0x95d89b41') ? text('PLAY') : `0x${word(1)}`,
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
        readCall(CALLED, data('multicall(bytes[])', calls), ME, [wrapped]).deeds.map(({ effect }) => effect);
      expect(read(PLAY).at(-1)).to.deep.equal({ kind: 'receive', to: ME, amount: 9n, rest: true });
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
});
