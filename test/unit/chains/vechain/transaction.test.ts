import { expect } from '@open-wc/testing';
import type { Known } from '../../../../src/chains/terms.ts';
import type { Summary, WarningCode } from '../../../../src/chains/approval/summary.ts';
import { encodeCall } from '../../../../src/chains/contracts/abi.ts';
import { checksum } from '../../../../src/chains/contracts/evm-address.ts';
import { bytesOf } from '../../../../src/base/bytes.ts';
import type { Network } from '../../../../src/chains/network.ts';
import { VTHO } from '../../../../src/chains/vechain/draft.ts';
import { intrinsicGas, serialize } from '../../../../src/chains/vechain/envelope.ts';
import { chain as vechain } from '../../../../src/chains/vechain/index.ts';
import { nodeOf } from '../../../../src/chains/vechain/node.ts';
import { restOf } from '../../../../src/chains/nodes/rest.ts';
import { payloads } from '../../../../src/chains/vechain/payload.ts';
import type { ConnectError, RequestInvalidError } from '../../../../src/base/errors.ts';
import {
  type Answers,
  type Call,
  fakeNode,
  NETWORK,
  output,
  QUIET,
  Refusal,
  simulated,
  word,
} from './fake-thor.ts';
import { fromPage } from '../from-page.ts';

const chain = fromPage(vechain, payloads);

const KEY = bytesOf('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80');
const ME = chain.address(KEY);
const TO = checksum(`0x${'11'.repeat(20)}`);
const TOKEN = checksum(`0x${'70'.repeat(20)}`);
const SPENDER = checksum(`0x${'5e'.repeat(20)}`);
const NOBODY: Known = { used: [], own: [], reported: [] };
const LISTED: Network = {
  ...NETWORK,
  tokens: [{ address: TOKEN, symbol: 'PLAY', name: 'Play', decimals: 6, logo: '' }],
};
const VET = 10n ** 18n;

const vet = (clauses: object[], more: object = {}) => ({
  type: 'VET_TRANSACTION',
  walletId: 'w',
  clauses,
  ...more,
});
const callOf = (name: string, types: string[], values: never[]) => encodeCall(name, types, values);
const approve = (amount: bigint) =>
  vet([
    { to: TOKEN, amount: 0, data: callOf('approve', ['address', 'uint256'], [SPENDER, amount] as never[]) },
  ]);

async function prepare(
  request: object,
  {
    answers = {},
    network = NETWORK,
    known = NOBODY,
  }: { answers?: Answers; network?: Network; known?: Known } = {},
) {
  const fake = fakeNode({ ...QUIET, ...answers }, network);
  const draft = await chain.prepare(request as never, ME, fake.node, known);
  return { ...fake, draft };
}
async function summaryOf(...args: Parameters<typeof prepare>): Promise<Summary> {
  return await chain.describe((await prepare(...args)).draft);
}
const warning = ({ warnings }: Summary, code: WarningCode) => warnings.find((w) => w.code === code);

async function failure(work: Promise<unknown>): Promise<ConnectError> {
  return work.then(
    () => expect.fail('did not reject'),
    (error: ConnectError) => error,
  );
}

describe('preparing a VeChain transaction', () => {
  it('fills every default from one round', async () => {
    const { draft, node, requests } = await prepare(vet([{ to: TO, amount: 5 }]));
    expect(node.rounds).to.equal(1);
    expect(requests.filter((r) => r === 'GET /blocks/0').length).to.equal(1);
    expect(draft.chainTag).to.equal(0x4a);
    expect(draft.blockRef).to.equal('0x000003e8cdcdcdcd');
    expect(draft.expiration).to.equal(120);
    expect(draft.gas.toString()).to.equal('21000');
    expect(String(draft.maxPriorityFeePerGas)).to.equal('500000000000');
    expect(String(draft.maxFeePerGas)).to.equal('20500000000000');
    expect(draft.facts.expires).to.equal(new Date(1_700_001_200_000).toISOString());
    expect(JSON.stringify(structuredClone(draft), (_, v) => (typeof v === 'bigint' ? `${v}` : v))).to.contain(
      TO,
    );
  });

  it('draws a new nonce for each draft', async () => {
    const [one, other] = await Promise.all([
      prepare(vet([{ to: TO, amount: 5 }])),
      prepare(vet([{ to: TO, amount: 5 }])),
    ]);
    expect(one.draft.nonce === other.draft.nonce).to.equal(false);
  });

  it('adds 15,000 gas and a fifth to what calls use', async () => {
    const { draft } = await prepare(vet([{ to: TO, amount: 0, data: '0x01' }]));
    expect(draft.gas).to.equal(((21_000n + 68n + 20_000n + 15_000n) * 6n) / 5n + 1n);
  });

  it('keeps its expiration from an old block reference', async () => {
    const { draft } = await prepare(vet([{ to: TO, amount: 5 }], { blockRef: '0x000003de00000000' }));
    expect(draft.expiration).to.equal(130);
  });

  it('takes the legacy form where blocks have no base fee, at the price that the network keeps', async () => {
    const best = { ...(QUIET['GET /blocks/best'] as object), baseFeePerGas: undefined };
    const { draft } = await prepare(vet([{ to: TO, amount: 5 }]), {
      answers: { 'GET /blocks/best': best, 'GET /fees/priority': new Refusal(404, '404 page not found') },
    });
    expect(draft.gasPriceCoef).to.equal(0);
    expect(draft.facts.gasPrice).to.equal(10n ** 15n);
  });

  it('simulates the clauses for their gas first, then twice with exactly the fields that will be signed', async () => {
    const calls: Call[] = [];
    const { requests, draft } = await prepare(vet([{ to: TO, amount: 5, data: '0xabcd' }]), {
      answers: {
        'POST /accounts/*': (call: Call) => {
          calls.push(call);
          return simulated(call);
        },
      },
    });
    const clauses = [{ to: TO, value: '0x5', data: '0xabcd' }];
    const caller = ME.toLowerCase();
    const runs = calls.filter((call) => call.caller === caller);
    const full = {
      caller,
      clauses,
      gas: Number(draft.gas - intrinsicGas(draft.clauses)),
      gasPrice: draft.facts.gasPrice.toString(),
      gasPayer: caller,
      blockRef: draft.blockRef,
      expiration: draft.expiration,
    };
    expect(runs).to.deep.equal([{ caller, clauses }, full, full]);
    const revisions = requests.flatMap((r) => /^POST .*revision=(.*)/.exec(r)?.[1] ?? []);
    expect(revisions.slice(-2)).to.deep.equal(['next', 'best']);
  });

  it('warns where the two trial runs come to different ends, and where the node refuses them', async () => {
    const paid = (amount: bigint) => ({
      transfers: [{ sender: TOKEN, recipient: ME, amount: `0x${amount.toString(16)}` }],
      gasUsed: 20_000,
    });
    const tried = async (...ends: unknown[]) => {
      let run = 0;
      const trials = (call: Call & { gas?: number }) => {
        if (call.caller !== ME.toLowerCase()) return simulated(call);
        return call.gas === undefined ? [output(paid(1n))] : (ends[run++] ?? ends[0]);
      };
      const data = callOf('stake', ['uint256'], [1n] as never[]);
      const summary = await summaryOf(vet([{ to: TOKEN, amount: 0, data }]), {
        answers: { 'POST /accounts/*': trials },
      });
      return [summary, summary.warnings.map(({ code, tick }) => (tick ? `!${code}` : code))] as const;
    };
    const [, differs] = await tried([output(paid(100n))], [output(paid(98n))]);
    expect(differs).to.include('!trial-differs');
    const [near, same] = await tried([output(paid(1000n))], [output(paid(995n))]);
    expect(same).not.to.include('!trial-differs');
    expect(near.changes).to.deep.equal([
      { direction: 'in', amount: { raw: 995n, symbol: 'VET', decimals: 18 }, worse: true, canDiffer: true },
    ]);
    const [, refused] = await tried(new Refusal(403, 'gas: exceeds limit'));
    expect(refused).to.include('!simulation-unavailable');
    expect(refused).not.to.include('will-fail');
  });

  it('does not know e-mail addresses', async () => {
    const request = { type: 'TRANSFER', secretType: 'VECHAIN', walletId: 'w', to: 'a@b.example', value: 1 };
    expect((await failure(prepare(request))).code).to.equal('recipient.unknown');
  });

  it('does not take invalid node answers for numbers', async () => {
    for (const answers of [
      { 'GET /accounts': { balance: '12', energy: '0x0' } },
      { 'GET /accounts': null },
      { 'GET /blocks/best': null },
      { 'GET /blocks/best': { id: '0x12' } },
      { 'POST /accounts/*': [{ gasUsed: -1 }] },
      { 'POST /accounts/*': {} },
      { 'GET /accounts': new Refusal(400, 'address: invalid length') },
    ] as Answers[])
      expect((await failure(prepare(vet([{ to: TO, amount: 5 }]), { answers }))).code).to.equal(
        'node.unreachable',
      );
  });
});

describe('what a VeChain transaction costs', () => {
  const block = (more: object) => ({
    'GET /blocks/best': { ...(QUIET['GET /blocks/best'] as object), ...more },
  });

  it('is counted at the base fee of the next block, as thor computes it', async () => {
    const tip = 500_000_000_000n;
    const expected = async (baseFee: bigint, gasUsed: number) => {
      const answers = block({ baseFeePerGas: `0x${baseFee.toString(16)}`, gasUsed });
      const { draft } = await prepare(vet([{ to: TO, amount: 5 }]), { answers });
      const summary = await chain.describe(draft);
      // At most what it was: twice the base fee of the newest block.
      expect(draft.maxFeePerGas).to.equal(2n * baseFee + tip);
      expect(summary.fee.maximum.raw).to.equal(21_000n * (2n * baseFee + tip));
      return summary.fee.expected.raw / 21_000n - tip;
    };
    // The target is 30 of 40 million gas: a full block adds a third of an eighth, an empty one takes an eighth off.
    expect(await expected(24n * 10n ** 12n, 40_000_000)).to.equal(25n * 10n ** 12n);
    expect(await expected(24n * 10n ** 12n, 30_000_000)).to.equal(24n * 10n ** 12n);
    expect(await expected(24n * 10n ** 12n, 0)).to.equal(21n * 10n ** 12n);
    expect(await expected(10n ** 13n, 0), 'never below 10^13').to.equal(10n ** 13n);
    expect(await expected(10n ** 13n, 30_000_001)).to.equal(10n ** 13n + 41_666n);
  });

  it('is too high if the wallet holds enough for the newest block but not for the next', async () => {
    const baseFee = 24n * 10n ** 12n;
    const needed = 21_000n * (25n * 10n ** 12n + 500_000_000_000n);
    const short = async (energy: bigint) =>
      (
        await summaryOf(vet([{ to: TO, amount: 5 }]), {
          answers: {
            ...block({ baseFeePerGas: `0x${baseFee.toString(16)}`, gasUsed: 40_000_000 }),
            'GET /accounts': { balance: '0xde0b6b3a7640000', energy: `0x${energy.toString(16)}` },
          },
        })
      ).shortOf?.amount.raw;
    expect(await short(needed)).to.equal(undefined);
    expect(await short(needed - 1n)).to.equal(1n);
  });

  it('is refused with a price that the next block does not accept', async () => {
    const answers = block({ baseFeePerGas: '0x9184e72a000', gasUsed: 40_000_000 });
    const legacy = await failure(
      prepare(vet([{ to: TO, amount: 5 }], { gasPriceCoef: 0 }), {
        answers: {
          ...answers,
          'POST /accounts/*': (call: Call) =>
            call.clauses.map(() => output({ data: word(10n ** 13n), gasUsed: 0 })),
        },
      }),
    );
    expect(legacy.message).to.contain('blocks ask for 10416666666666');
  });
});

describe('a VeChain transaction whose gas somebody else pays by credit', () => {
  const PLAN = checksum(`0x${'c0'.repeat(20)}`);
  const SPONSOR = checksum(`0x${'5a'.repeat(20)}`);
  /** Gas of `call`, at the price of the next block. */
  const COST = 67_282n * 10_500_000_000_000n;
  const call = (...to: string[]) => vet(to.map((one) => ({ to: one, amount: 0, data: '0x01' })));

  interface Plan {
    credit: bigint;
    sponsor?: string;
    isSponsor?: boolean;
    held?: Record<string, bigint>;
  }
  /** The Prototype contract of a node, where the wallet holds nothing. */
  const plan = ({ credit, sponsor, isSponsor = true, held = {} }: Plan, seen: Call[] = []): Answers => ({
    'GET /accounts': { balance: '0x0', energy: '0x0', hasCode: false },
    'POST /accounts/*': (asked: Call & { gasPayer?: string }) => {
      seen.push(asked);
      return asked.clauses.map(({ to, data }, i) => {
        const about = `0x${data.slice(34, 74)}`;
        const user = `0x${data.slice(98, 138)}`;
        if (data.startsWith('0xc9c4fc41'))
          return output({
            data: word(about === PLAN.toLowerCase() && user === ME.toLowerCase() ? credit : 0n),
          });
        if (data.startsWith('0x23d8c7db')) return output({ data: word(BigInt(sponsor ?? 0)) });
        if (data.startsWith('0xd87333ac')) return output({ data: word(isSponsor ? 1 : 0) });
        if (to === VTHO.address && data.startsWith('0x70a08231'))
          return output({ data: word(held[checksum(about)] ?? 0n) });
        return simulated({ ...asked, clauses: [asked.clauses[i]!] })[0];
      });
    },
  });
  const paidBy = ({ facts }: Summary) => facts?.find(({ code }) => code === 'sponsor')?.value;

  it('is the contract’s to pay, which the approval says, in two rounds', async () => {
    const seen: Call[] = [];
    const answers = plan({ credit: COST, held: { [PLAN]: COST } }, seen);
    const { draft, node } = await prepare(call(PLAN), { answers });
    expect(draft.gas * draft.facts.gasPrice).to.equal(COST);
    expect(node.rounds).to.equal(2);
    const summary = await chain.describe(draft);
    expect(summary.shortOf).to.equal(undefined);
    expect(paidBy(summary)).to.equal(PLAN);
    expect(summary.fee.expected.raw).to.equal(0n);
    expect(summary.fee.maximum.raw, 'the wallet’s own where the credit ends before').to.equal(
      draft.gas * draft.maxFeePerGas!,
    );
    const tried = seen.filter((asked) => 'gasPayer' in asked) as { gasPayer?: string }[];
    expect(tried.map(({ gasPayer }) => gasPayer)).to.deep.equal([PLAN.toLowerCase(), PLAN.toLowerCase()]);
  });

  it('is asked for as the ABI writes it', async () => {
    const seen: Call[] = [];
    await prepare(call(PLAN), { answers: plan({ credit: COST, sponsor: SPONSOR }, seen) });
    const asked = seen.flatMap(({ clauses }) => clauses.map(({ data }) => data));
    const key = `0x${'626173652d6761732d7072696365'.padStart(64, '0')}`;
    expect(asked).to.include.members([
      callOf('userCredit', ['address', 'address'], [PLAN, ME] as never[]),
      callOf('currentSponsor', ['address'], [PLAN] as never[]),
      callOf('isSponsor', ['address', 'address'], [PLAN, SPONSOR] as never[]),
      callOf('get', ['bytes32'], [key] as never[]),
    ]);
  });

  it('is its sponsor’s where that can pay, else the contract’s', async () => {
    const seen = async (given: Plan) => {
      const { draft, node } = await prepare(call(PLAN), { answers: plan(given) });
      expect(node.rounds).to.equal(2);
      return paidBy(await chain.describe(draft));
    };
    const both = { [PLAN]: COST, [SPONSOR]: COST };
    expect(await seen({ credit: COST, sponsor: SPONSOR, held: both })).to.equal(SPONSOR);
    expect(await seen({ credit: COST, sponsor: SPONSOR, held: { [SPONSOR]: COST } })).to.equal(SPONSOR);
    const poor = { [PLAN]: COST, [SPONSOR]: COST - 1n };
    expect(await seen({ credit: COST, sponsor: SPONSOR, held: poor })).to.equal(PLAN);
    expect(await seen({ credit: COST, sponsor: SPONSOR, isSponsor: false, held: both })).to.equal(PLAN);
  });

  it('is the wallet’s own where credit or VTHO are too little, or the clauses go to several', async () => {
    const short = async (request: object, given: Plan) => {
      const summary = await summaryOf(request, { answers: plan(given) });
      expect(paidBy(summary)).to.equal(undefined);
      return summary.shortOf?.need;
    };
    expect(await short(call(PLAN), { credit: COST - 1n, held: { [PLAN]: COST } })).to.equal(COST);
    expect(await short(call(PLAN), { credit: COST, held: { [PLAN]: COST - 1n } })).to.equal(COST);
    expect(await short(call(PLAN, TO), { credit: 10n ** 20n, held: { [PLAN]: 10n ** 20n } })).to.not.equal(
      undefined,
    );
    const several = await summaryOf(call(PLAN, PLAN.toLowerCase()), {
      answers: plan({ credit: 10n ** 20n, held: { [PLAN]: 10n ** 20n } }),
    });
    expect(paidBy(several)).to.equal(PLAN);
  });
});

describe('the size of a VeChain transaction', () => {
  const over = (error: ConnectError) => (error as RequestInvalidError).issues[0]!;
  const data = (bytes: number) => `0x${'61'.repeat(bytes)}`;

  it('is at most 64 KiB with its signature, at the field that makes it longer', async () => {
    const asked = (bytes: number) =>
      vet([{ to: TO, amount: 5, data: data(bytes) }], { nonce: '0xffffffffffffffff' });
    const { draft } = await prepare(asked(60_000));
    const { raw } = await chain.sign(draft, KEY);
    const left = 64 * 1024 - (raw.length - 2) / 2;
    const { draft: full } = await prepare(asked(60_000 + left - 4));
    const size = ((await chain.sign(full, KEY)).raw.length - 2) / 2;
    const most = 60_000 + left - 4 + (64 * 1024 - size);
    await prepare(asked(most));
    const error = await failure(prepare(asked(most + 1)));
    expect(error.code).to.equal('request.invalid');
    expect(over(error)).to.deep.equal({
      path: 'clauses',
      message: 'is too long: the network takes 65536 bytes of transaction, and this is 1 over',
    });
    const transfer = { type: 'TRANSFER', secretType: 'VECHAIN', walletId: 'w', to: TO, value: '1' };
    expect(over(await failure(prepare({ ...transfer, data: data(66_000) }))).path).to.equal('data');
    const execution = {
      type: 'CONTRACT_EXECUTION',
      secretType: 'VECHAIN',
      walletId: 'w',
      to: TO,
      functionName: 'write',
      inputs: [{ type: 'bytes', value: data(66_000) }],
    };
    expect(over(await failure(prepare(execution))).path).to.equal('inputs');
  });
});

describe('describing a VeChain transaction', () => {
  it('shows the sum of clauses of one asset, and none of several', async () => {
    const same = await summaryOf(
      {
        type: 'VECHAIN_VIP180_TRANSACTION',
        walletId: 'w',
        clauses: [1, 2, 3].map((amount) => ({ to: TO, amount, tokenAddress: TOKEN })),
      },
      { network: LISTED },
    );
    expect(`${same.amount.raw} ${same.amount.symbol} ${same.amount.decimals}`).to.equal('6 PLAY 6');
    expect(same.kind).to.equal('transfer');
    expect(same.contract).to.equal(TOKEN);
    expect(same.total.raw).to.equal(0n);
    const mixed = await summaryOf(
      vet([
        { to: TO, amount: VET / 2n },
        {
          to: VTHO.address,
          amount: 0,
          data: callOf('transfer', ['address', 'uint256'], [TO, 7n] as never[]),
        },
      ]),
    );
    expect(`${mixed.amount.raw} ${mixed.amount.symbol}`).to.equal('0 VET');
    expect(mixed.total.raw).to.equal(VET / 2n);
    expect(mixed.parts!.map(({ amount }) => `${amount.raw} ${amount.symbol}`).join()).to.equal(
      `${VET / 2n} VET,7 VTHO`,
    );
  });

  it('totals amount and fee where both are VTHO', async () => {
    const data = callOf('transfer', ['address', 'uint256'], [TO, 7n] as never[]);
    const { amount, fee, total, balance } = await summaryOf(vet([{ to: VTHO.address, amount: 0, data }]));
    expect(`${amount.raw} ${amount.symbol}`).to.equal('7 VTHO');
    expect(`${total.raw} ${total.symbol}`).to.equal(`${7n + fee.maximum.raw} VTHO`);
    expect(balance.symbol).to.equal('VTHO');
    expect(new Set([amount.token, fee.maximum.token, total.token])).to.deep.equal(new Set([VTHO.address]));
  });

  it('pays the fee in VTHO, whatever moves', async () => {
    const { fee, facts, balance } = await summaryOf(vet([{ to: TO, amount: 5 }]));
    expect(`${fee.maximum.raw} ${fee.maximum.symbol}`).to.equal(`${21_000n * 20_500_000_000_000n} VTHO`);
    expect(fee.expected.raw).to.equal(21_000n * 10_500_000_000_000n);
    expect(balance.symbol).to.equal('VET');
    expect(facts!.map(({ code }) => code).join()).to.equal('gas,gas-price,expires');
  });

  it('draws approvals and calls as such', async () => {
    const limit = await summaryOf(approve(5_000_000n), { network: LISTED });
    expect([limit.kind, limit.to, limit.contract].join()).to.equal(['approval', SPENDER, TOKEN].join());
    expect(warning(limit, 'spending-limit')!.amount).to.deep.equal(limit.amount);
    const endless = await summaryOf(approve((1n << 256n) - 1n), { network: LISTED });
    expect(endless.unlimited).to.equal(true);
    expect(warning(endless, 'unlimited-approval')!.tick).to.equal(true);
    const unknown = await summaryOf(vet([{ to: TOKEN, amount: 3, data: '0xdeadbeef' }]));
    expect([unknown.kind, unknown.call!.name, String(unknown.amount.raw)].join()).to.equal('call,,3');
    expect(warning(unknown, 'unknown-call')?.tick).to.equal(true);
  });

  it('shows what the trial run moved', async () => {
    const transfer = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
    const moved = output({
      gasUsed: 9,
      transfers: [{ sender: ME.toLowerCase(), recipient: TOKEN.toLowerCase(), amount: '0x3' }],
      events: [
        {
          address: TOKEN.toLowerCase(),
          topics: [transfer, word(BigInt(TOKEN)), word(BigInt(ME))],
          data: word(250),
        },
        { address: TOKEN.toLowerCase(), topics: [transfer, word(1), word(BigInt(ME))], data: '0x' },
      ],
    });
    const { changes, according } = await summaryOf(vet([{ to: TOKEN, amount: 3, data: '0xdeadbeef' }]), {
      network: LISTED,
      answers: {
        'POST /accounts/*': (call: Call) => (call.caller === ME.toLowerCase() ? [moved] : simulated(call)),
      },
    });
    expect(
      changes!.map(({ direction, amount }) => `${direction} ${amount.raw} ${amount.symbol}`).join(),
    ).to.equal('out 3 VET,in 250 PLAY');
    expect(according).to.equal('one.example');
  });

  it('says which clause would fail, and why', async () => {
    const reverted = output({
      reverted: true,
      vmError: 'execution reverted',
      data: `0x08c379a0${word(32).slice(2)}${word(6).slice(2)}${'6e6f7420796574'.slice(0, 12).padEnd(64, '0')}`,
    });
    const summary = await summaryOf(
      vet([
        { to: TO, amount: 1 },
        { to: TOKEN, amount: 0, data: '0xdeadbeef' },
        { to: TO, amount: 1 },
      ]),
      {
        answers: {
          'POST /accounts/*': (call: Call) =>
            call.caller === ME.toLowerCase() ? [output(), reverted] : simulated(call),
        },
      },
    );
    const { reason, clause } = warning(summary, 'will-fail')!.params!;
    expect(`${clause}: ${reason}`).to.equal('2: not ye');
  });

  it('warns about a token that returns false, and about data that nobody reads', async () => {
    const answerFalse = (call: Call) =>
      call.caller === ME.toLowerCase() ? [output({ data: word(0), gasUsed: 30_000 })] : simulated(call);
    const token = {
      type: 'VECHAIN_VIP180_TRANSACTION',
      walletId: 'w',
      clauses: [{ to: TO, amount: 1, tokenAddress: TOKEN }],
    };
    const lies = await summaryOf(token, { answers: { 'POST /accounts/*': answerFalse } });
    expect(warning(lies, 'will-fail')!.params!['reason']).to.contain('false');
    const nothing = (call: Call) => (call.caller === ME.toLowerCase() ? [output()] : simulated(call));
    const empty = await summaryOf(token, { answers: { 'POST /accounts/*': nothing } });
    expect(warning(empty, 'no-code')!.tick).to.equal(true);
  });

  it('warns once about data for an account without code', async () => {
    const idle = ({ clauses }: Call) => clauses.map(() => output());
    const clause = { to: TO, amount: 1, data: '0x68656c6c6f' };
    const { warnings } = await summaryOf(vet([clause, clause]), { answers: { 'POST /accounts/*': idle } });
    expect(warnings.map(({ code, level }) => `${code} ${level}`).join()).to.equal(
      'unknown-call danger,no-code caution',
    );
    expect(warnings[0]!.params).to.deep.equal({ address: TO, clause: '1, 2' });
  });

  it('warns about recipients', async () => {
    const twin = `${TO.slice(0, 10)}${'2'.repeat(28)}${TO.slice(-4)}`;
    const clauses = [
      { to: TO, amount: 1 },
      { to: TOKEN, amount: 1 },
      { to: TO, amount: 1 },
    ];
    const summary = await summaryOf(vet(clauses), {
      network: LISTED,
      known: { used: [twin], own: [], reported: [TO.toLowerCase()] },
    });
    expect(summary.warnings.map(({ code }) => code).join()).to.equal(
      'reported-address,resembles-known,recipient-is-token,first-recipient,first-recipient',
    );
    const known = await summaryOf(vet([{ to: TO, amount: 1 }]), { known: { ...NOBODY, used: [TO] } });
    expect(known.warnings.length).to.equal(0);
  });

  it('warns if nobody could spend it again, and about a fee far above the usual one', async () => {
    const zero = `0x${'0'.repeat(40)}`;
    const known = { ...NOBODY, used: [zero] };
    const { warnings } = await summaryOf(vet([{ to: zero, amount: 1 }]), { known });
    expect(warnings.map(({ code, tick }) => `${code}${tick}`).join()).to.equal('burn-addresstrue');
    const dear = vet([{ to: TO, amount: 5 }], { gas: 210_000 });
    expect(warning(await summaryOf(dear), 'fee-share')!.params!['times']).to.equal('19');
  });

  it('asks for a tick above the fee ceiling', async () => {
    const network = { ...NETWORK, feeCeiling: '1000' };
    expect(warning(await summaryOf(vet([{ to: TO, amount: 1 }]), { network }), 'fee-ceiling')!.tick).to.equal(
      true,
    );
  });

  it('never scales by an unlisted token’s own decimals, nor shows a name that is taken', async () => {
    const token = {
      type: 'VECHAIN_VIP180_TRANSACTION',
      walletId: 'w',
      clauses: [{ to: TO, amount: 1, tokenAddress: TOKEN }],
    };
    const { amount, warnings } = await summaryOf(token);
    expect(amount).to.include({ decimals: null, claimedDecimals: 6, symbol: 'PLAY' });
    expect(warnings.some(({ code }) => code === 'unlisted-token')).to.equal(true);
    const other = { ...LISTED, tokens: [{ ...LISTED.tokens[0]!, address: SPENDER }] };
    expect((await summaryOf(token, { network: other })).amount.symbol).to.equal('0x7070…7070');
  });
});

describe('a VeChain node with invalid answers', () => {
  it('is reported, whatever the answer is about', async () => {
    const best = QUIET['GET /blocks/best'] as object;
    for (const [name, answers] of Object.entries<Answers>({
      time: { 'GET /blocks/best': { ...best, timestamp: Number.MAX_SAFE_INTEGER } },
      negative: { 'GET /blocks/best': { ...best, gasLimit: -1 } },
      balance: { 'GET /accounts': { balance: '-0x1', energy: '0x0' } },
      list: { 'GET /accounts': [] },
      price: { 'GET /fees/priority': { maxPriorityFeePerGas: 1 } },
      trial: { 'POST /accounts/*': { length: 1 } },
    }))
      expect((await failure(prepare(vet([{ to: TO, amount: 5 }]), { answers }))).code, name).to.equal(
        'node.unreachable',
      );
  });

  it('shows no changes from a log that cannot be read', async () => {
    const data = callOf('stake', ['uint256'], [1n] as never[]);
    for (const events of [[null], [{}], [{ topics: [1] }], 'x']) {
      const answers = {
        'POST /accounts/*': (call: Call) => simulated(call).map((o) => ({ ...(o as object), events })),
      };
      const { changes } = await summaryOf(vet([{ to: TOKEN, amount: 0, data }]), { answers });
      expect(changes?.length ?? 0, JSON.stringify(events)).to.equal(0);
    }
  });
});

describe('what became of a VeChain transaction', () => {
  const HASH = `0x${'77'.repeat(32)}`;
  const receiptOf = (answers: Answers, raw?: string) =>
    chain.receipt(HASH, fakeNode({ ...QUIET, 'GET /transactions': null, ...answers }).node, raw);
  const mined = {
    reverted: false,
    gasPayer: '0xa',
    paid: '0x10',
    meta: { txOrigin: '0xa', blockNumber: 1000 },
  };
  const waits = { blockRef: '0x000003e800000000', expiration: 10 };

  it('says which tokens arrived', async () => {
    const to = `0x${'0'.repeat(24)}${'cd'.repeat(20)}`;
    const topics = ['0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef', to, to];
    const events = [{ address: `0x${'ab'.repeat(20)}`, topics, data: `0x${'2a'.padStart(64, '0')}` }];
    const outputs = [{ events }, { events: [] }];
    const { arrivals } = await receiptOf({ [`GET /transactions/${HASH}/receipt`]: { ...mined, outputs } });
    const both = `0x${'cd'.repeat(20)}`;
    expect(arrivals).to.deep.equal([{ token: `0x${'ab'.repeat(20)}`, from: both, to: both, raw: 42n }]);
  });

  it('is known after one round', async () => {
    const path = `GET /transactions/${HASH}`;
    const state = async (answers: Answers, raw?: string) => {
      const { state, fee } = await receiptOf(answers, raw);
      return `${state} ${fee}`;
    };
    expect(await state({})).to.equal('unknown undefined');
    expect(await state({ [`${path}/receipt`]: mined })).to.equal('confirmed 16');
    expect(await state({ [`${path}/receipt`]: { ...mined, reverted: true } })).to.equal('failed 16');
    expect(await state({ [`${path}/receipt`]: { ...mined, gasPayer: '0xb' } })).to.equal('confirmed 0');
    const pending = { [`${path}/receipt`]: null, [path]: waits };
    expect(await state(pending)).to.equal('pending undefined');
    const late = {
      'GET /blocks/best': { ...(QUIET['GET /blocks/best'] as object), id: `0x000003f9${'cd'.repeat(28)}` },
    };
    expect(await state({ ...late, ...pending })).to.equal('failed undefined');
    // Nodes drop expired transactions: only the bytes show that it is over.
    expect(await state(late)).to.equal('unknown undefined');
    const { draft } = await prepare(
      vet([{ to: TO, amount: 5 }], { blockRef: waits.blockRef, expiration: 10 }),
    );
    const { raw } = await chain.sign(draft, KEY);
    expect(await state(late, raw)).to.equal('failed undefined');
    expect(await state({}, raw)).to.equal('unknown undefined');
    // A proxy’s word for the one node, and the block of another.
    const proxy = { [`${path}/receipt`]: new Refusal(404, 'not found') };
    const { http } = restOf(fakeNode({ ...QUIET, 'GET /transactions': null, ...late }).node);
    const { http: bad } = restOf(fakeNode({ ...QUIET, 'GET /transactions': null, ...late, ...proxy }).node);
    const network = { ...NETWORK, nodes: ['http://one.example', 'http://two.example'] };
    const node = nodeOf(network, {
      fetch: (url, init) => (String(url).includes('one.example') ? bad : http).fetch!(url, init),
    });
    expect((await chain.receipt(HASH, node, raw)).state).to.equal('unknown');
  });

  it('is sent, and refused in the node’s words', async () => {
    const { draft } = await prepare(vet([{ to: TO, amount: 5 }]));
    const signed = await chain.sign(draft, KEY);
    const at = `GET /transactions/${signed.hash}`;
    const send = (answer: unknown, found: unknown = null) =>
      chain.broadcast(
        signed,
        fakeNode({
          ...QUIET,
          'POST /transactions': answer,
          [`${at}/receipt`]: found,
          [at]: null,
        }).node,
      );
    expect(await send({ id: signed.hash })).to.equal(signed.hash);
    expect(await send(new Refusal(403, 'tx rejected: known tx'))).to.equal(signed.hash);
    const refused = await failure(send(new Refusal(403, 'tx rejected: expired')));
    expect([refused.code, refused.details['reason']].join()).to.equal(
      'transaction.refused,tx rejected: expired',
    );
    const meta = { txOrigin: TO, blockNumber: 1000 };
    const inBlock = { reverted: false, gasPayer: TO, paid: '0x0', meta, outputs: [] };
    expect(await send(new Refusal(403, 'tx rejected: expired'), inBlock)).to.equal(signed.hash);
    const short = await failure(send(new Refusal(403, 'tx rejected: insufficient energy')));
    expect(short.code).to.equal('transaction.insufficient-funds');
  });
});

describe('VeChain transactions that wait for another', () => {
  it('name it, and show it', async () => {
    const dependsOn = `0x${'7C'.repeat(32)}`;
    const request = vet([{ to: TO, amount: 5 }], { dependsOn });
    expect((await prepare(request)).draft.dependsOn).to.equal(dependsOn.toLowerCase());
    const { facts } = await summaryOf(request);
    expect(facts?.find(({ code }) => code === 'depends-on')?.value).to.equal(dependsOn.toLowerCase());
    for (const wrong of ['0x7c', 'soon', 5, `${dependsOn}00`]) {
      const error = await prepare(vet([{ to: TO, amount: 5 }], { dependsOn: wrong })).catch((e) => e);
      expect(error.issues?.[0].path).to.equal('dependsOn');
    }
  });
});

describe('a raw VeChain transaction that is to be signed', () => {
  it('shows the transaction that it waits for', async () => {
    const { draft, node } = await prepare(vet([{ to: TO, amount: 5 }]));
    const told = async (dependsOn: string | null): Promise<unknown> => {
      const data = serialize({ ...draft, dependsOn });
      const request = { type: 'VECHAIN_TRANSACTION', walletId: 'w', data, prefix: false };
      const shown = await chain.describeSigning(request, ME, node, NOBODY);
      if (shown.kind !== 'transaction') throw new Error(shown.kind);
      return shown.summary.facts?.find(({ code }) => code === 'depends-on')?.value;
    };
    expect(await told(`0x${'7c'.repeat(32)}`)).to.equal(`0x${'7c'.repeat(32)}`);
    expect(await told(null)).to.equal(undefined);
  });
});

describe('a message of VeChain that is to be signed', () => {
  it('is taken for a hash if it has the size of one', async () => {
    const { node } = fakeNode(QUIET, LISTED);
    const of = async (bytes: number) => {
      const request = { type: 'VECHAIN_TRANSACTION', walletId: 'w', data: `0x${'41'.repeat(bytes)}` };
      return chain.describeSigning(request, ME, node, NOBODY);
    };
    expect(await of(32)).to.include({ kind: 'blind', reason: 'hash' });
    for (const bytes of [31, 33]) expect(await of(bytes)).to.include({ kind: 'text' });
  });
});

describe('VeChain balances', () => {
  it('list VTHO among the tokens, once', async () => {
    const own = { ...VTHO, address: VTHO.address.toLowerCase(), symbol: 'FAKE', decimals: 2 };
    const { node } = fakeNode(QUIET, { ...LISTED, tokens: [own, ...LISTED.tokens] });
    expect(node.network.tokens.map(({ symbol, decimals }) => `${symbol} ${decimals}`).join()).to.equal(
      'VTHO 18,PLAY 6',
    );
    const balances = await chain.tokenBalances(ME, node.network.tokens, node);
    expect(balances.map(({ symbol }) => symbol).join()).to.equal('VTHO,PLAY');
  });

  it('are of VET, with VTHO for gas', async () => {
    const { rawBalance, symbol, rawGasBalance, gasSymbol, gasBalance } = await chain.balance(
      ME,
      fakeNode(QUIET).node,
    );
    expect([rawBalance, symbol, rawGasBalance, gasSymbol, gasBalance].join()).to.equal(
      [VET, 'VET', 100n * VET, 'VTHO', 100].join(),
    );
  });

  it('of tokens are read together, and past one that fails', async () => {
    const tokens = [TO, TOKEN, SPENDER].map((address) => ({ ...LISTED.tokens[0]!, address }));
    const { node, requests } = fakeNode({
      ...QUIET,
      'POST /accounts/*': ({ clauses }: Call) => {
        const bad = clauses.findIndex(({ to }) => to === TOKEN);
        const answers = clauses.map((_, i) => output(i === bad ? { reverted: true } : { data: word(5) }));
        return bad < 0 ? answers : answers.slice(0, bad + 1);
      },
    });
    const balances = await chain.tokenBalances(ME, tokens, node);
    expect(balances.map(({ rawBalance, type }) => `${rawBalance} ${type}`).join()).to.equal(
      '5 VIP180,0 VIP180,5 VIP180',
    );
    expect(requests.filter((r) => r.startsWith('POST')).length).to.equal(2);
    expect((await chain.tokenBalances(ME, [], node)).length).to.equal(0);
  });
});
