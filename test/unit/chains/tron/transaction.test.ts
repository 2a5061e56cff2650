import { expect } from '@open-wc/testing';
import type { ChainRequest, Known } from '../../../../src/chains/terms.ts';
import type { Summary } from '../../../../src/chains/approval/summary.ts';
import { encodeCall } from '../../../../src/chains/contracts/abi.ts';
import type { Network } from '../../../../src/chains/network.ts';
import { toEvm } from '../../../../src/chains/tron/address.ts';
import { chain as tron, type TronDraft } from '../../../../src/chains/tron/index.ts';
import { payloads } from '../../../../src/chains/tron/payload.ts';
import type { ConnectError, RequestInvalidError } from '../../../../src/base/errors.ts';
import {
  type Answers,
  ASSET,
  BLOCK_TIME,
  fakeTron,
  FROM,
  GENESIS,
  hexAddress,
  hexText,
  LISTED,
  NETWORK,
  PARAMETERS,
  QUIET,
  TO,
  TOKEN,
  word,
} from './fake-tron.ts';
import { fromPage } from '../from-page.ts';

const chain = fromPage(tron, payloads);

const NOBODY: Known = { used: [], own: [], reported: [] };
const KNOWN: Known = { used: [TO, TOKEN], own: [], reported: [] };
const KEY = Uint8Array.from({ length: 32 }, () => 7);
const trx = (fields: object = {}): ChainRequest => ({
  type: 'TRX_TRANSACTION',
  walletId: 'w',
  to: TO,
  value: 1_000_000,
  ...fields,
});
const token = (fields: object = {}): ChainRequest => ({
  type: 'TRC10_TRANSACTION',
  walletId: 'w',
  to: TO,
  value: 5,
  token: TOKEN,
  ...fields,
});
const call = (functionName: string, ...inputs: [type: string, value: unknown][]): ChainRequest => ({
  type: 'TRON_CONTRACT_EXECUTION',
  walletId: 'w',
  to: TOKEN,
  functionName,
  inputs: inputs.map(([type, value]) => ({ type, value })),
});

async function prepared(
  request: ChainRequest,
  answers: Answers = {},
  { known = KNOWN, network = LISTED }: { known?: Known; network?: Network } = {},
) {
  const { node, asked } = fakeTron(answers, network);
  const draft = structuredClone(await chain.prepare(request, FROM, node, known));
  return { draft, summary: await chain.describe(draft), rounds: node.rounds, asked };
}
const codes = ({ warnings }: Summary) =>
  warnings.map(({ code, level }) => (level === 'danger' ? `!${code}` : code));
const fact = ({ facts }: Summary, code: string) => facts?.find((f) => f.code === code);
const shown = (f: ReturnType<typeof fact>) => `${f?.value} ${f?.amount?.raw}`;
const resources = (fields: object) => ({ getaccountresource: fields });
const parameters = (changes: Record<string, number>) => ({
  getchainparameters: {
    chainParameter: Object.entries({ ...PARAMETERS, ...changes }).map(([key, value]) => ({
      key,
      ...(value ? { value } : {}),
    })),
  },
});
const accounts = (found: Record<string, object>): Answers => ({
  getaccount: (body: { address: string }) =>
    found[body.address] ?? (QUIET['getaccount'] as (b: typeof body) => object)(body),
});
const trial = (fields: object): Answers => ({
  triggerconstantcontract: (body: { data: string }) =>
    body.data.startsWith('70a08231')
      ? (QUIET['triggerconstantcontract'] as (b: typeof body) => object)(body)
      : { result: { result: true }, energy_used: 10_000, constant_result: [word(1)], ...fields },
});

async function errorOf(promise: Promise<unknown>): Promise<ConnectError> {
  return promise.then(
    () => {
      throw new Error('was not refused');
    },
    (error: ConnectError) => error,
  );
}

describe('Tron: the maximum that can be sent', () => {
  const most = (answers: Answers, to?: string, memo?: string) =>
    chain.maxSpendable(FROM, to, fakeTron({ ...QUIET, ...answers }).node, memo);
  const free = resources({ freeNetLimit: 600 });
  const none = resources({ freeNetLimit: 10 });

  it('is all TRX except what is burned', async () => {
    expect(await most(free, TO)).to.equal(100_000_000n);
    const { draft } = await prepared(trx(), none);
    expect(draft.facts.costs.bandwidthFee > 0n).to.equal(true);
    const sent = await most(none, TO);
    expect(sent <= 100_000_000n - draft.facts.costs.bandwidthFee).to.equal(true);
    expect(sent > 99_700_000n - draft.facts.costs.bandwidthFee).to.equal(true);
    expect((await prepared(trx({ value: sent }), none)).summary.shortOf).to.equal(undefined);
    const all = (await prepared(trx({ value: 100_000_000 }), free)).summary;
    expect([all.shortOf, codes(all)]).to.deep.equal([undefined, []]);
  });

  it('leaves what a memo costs, with its bytes', async () => {
    const sent = await most(none, TO, '0x4869');
    const { summary, draft } = await prepared(trx({ value: sent, data: '0x4869' }), none);
    expect(summary.shortOf).to.equal(undefined);
    const { memoFee, bandwidthFee } = draft.facts.costs;
    expect(memoFee).to.equal(1_000_000n);
    // The amount takes fewer bytes than the balance may.
    expect(100_000_000n - sent - memoFee - bandwidthFee <= 3_000n).to.equal(true);
    expect(await most(free, TO, '0x4869')).to.equal(99_000_000n);
  });

  it('leaves the cost of a new account, also if the recipient is not known', async () => {
    const unknown = { ...free, ...accounts({ [TO]: {} }) };
    expect(await most(unknown, TO)).to.equal(98_900_000n);
    expect(await most(free)).to.equal(98_900_000n);
    expect(await most(accounts({ [FROM]: { address: FROM, balance: 5 } }))).to.equal(0n);
  });
});

describe('Tron: a fee limit from the site', () => {
  const token = (feeLimit: unknown, more: object = {}) => ({
    type: 'TRC10_TRANSACTION',
    walletId: 'w',
    to: TO,
    value: 1,
    token: TOKEN,
    feeLimit,
    ...more,
  });

  it('is signed and shown as given', async () => {
    const { draft, summary } = await prepared(token('5000000'), trial({}));
    expect(draft.feeLimit).to.equal(5_000_000n);
    expect(fact(summary, 'fee-limit')?.amount?.raw).to.equal(5_000_000n);
    expect(codes(summary)).not.to.include('!will-fail');
    expect((await prepared(token(null), trial({}))).draft.feeLimit).to.equal(2_625_000n);
  });

  it('says when it is too low for the call', async () => {
    // 10,000 energy at 210 sun.
    const { draft } = await prepared(token(2_099_999), trial({}));
    expect(draft.facts.willFail).to.equal('it needs 10000 energy, more than its fee limit pays for');
  });

  for (const [request, message] of [
    [token(0), /greater than 0/],
    [token(0.5), /whole number of sun: 0.5 TRX is 500000/],
    [token(15_000_000_001), /at most 15000000000 sun/],
    [token(1, { token: ASSET }), /is for calls of contracts/],
  ] as const)
    it(`is refused: ${message}`, async () => {
      const error = (await errorOf(prepared(request))) as RequestInvalidError;
      expect(error.issues[0]!.path).to.equal('feeLimit');
      expect(error.issues[0]!.message).to.match(message);
    });
});

describe('Tron: preparing', () => {
  it('builds on the newest block, and is valid for ten minutes from it', async () => {
    const { draft, rounds, asked } = await prepared(trx());
    expect([draft.refBlockBytes, draft.refBlockHash]).to.deep.equal(['0x266b', '0xf6b6d392f654dc2e']);
    expect(draft.expiration).to.equal(BLOCK_TIME + 600_000);
    expect(rounds).to.equal(1);
    expect(asked.map(({ path }) => path).sort()).to.deep.equal([
      'getaccount',
      'getaccount',
      'getaccountresource',
      'getblock',
      'getchainparameters',
      'getnowblock',
    ]);
  });

  it('never makes two identical ones', async () => {
    const [one, two] = [await prepared(trx()), await prepared(trx())];
    const from = chain.address(KEY);
    const signed = (draft: TronDraft) => chain.sign({ ...draft, from }, KEY);
    const [first, second] = [await signed(one.draft), await signed(two.draft)];
    expect(first.hash).to.not.equal(second.hash);
    expect(first.hash).to.match(/^[0-9a-f]{64}$/);
    expect((await signed(one.draft)).raw).to.equal(first.raw);
  });

  it('needs a second round only for the decimals of an unlisted token', async () => {
    const body = {
      type: 'TOKEN_TRANSFER',
      secretType: 'TRON',
      walletId: 'w',
      to: TO,
      value: '1.5',
      tokenAddress: TOKEN,
    };
    const decimals = {
      triggerconstantcontract: () => ({ result: { result: true }, constant_result: [word(6)] }),
    };
    expect((await prepared(body)).rounds).to.equal(1);
    const { rounds, draft } = await prepared(body, decimals, { network: NETWORK });
    expect(rounds).to.equal(2);
    expect(draft.facts.token).to.include({ decimals: null, claimedDecimals: 6 });
    expect(draft.contract.kind === 'call' && draft.contract.data).to.equal(
      encodeCall('transfer', ['address', 'uint256'], [toEvm(TO), 1_500_000n]),
    );
  });

  for (const [name, request, answers, path] of [
    [
      'a token that is no contract',
      { type: 'TOKEN_TRANSFER', secretType: 'TRON', walletId: 'w', to: TO, value: 1, tokenAddress: TO },
      {
        triggerconstantcontract: {
          result: { code: 'CONTRACT_VALIDATE_ERROR', message: hexText('Smart contract is not exist.') },
        },
      },
      'tokenAddress',
    ],
    ['a TRC-10 token that is not there', token({ token: '999' }), { getassetissuebyid: {} }, 'token'],
    [
      'more digits than the coin has',
      { type: 'TRANSFER', secretType: 'TRON', walletId: 'w', to: TO, value: '0.0000001' },
      {},
      'value',
    ],
    [
      'more coins than there can be',
      { type: 'TRANSFER', secretType: 'TRON', walletId: 'w', to: TO, value: '9223372036855' },
      {},
      'value',
    ],
  ] as [string, ChainRequest, Answers, string][])
    it(`refuses ${name}`, async () => {
      const error = (await errorOf(prepared(request, answers))) as RequestInvalidError;
      expect(error.issues?.[0]?.path, error.message).to.equal(path);
    });

  it('asks for a wallet’s address if nobody has the e-mail address', async () => {
    const body = { type: 'TRANSFER', secretType: 'TRON', walletId: 'w', to: 'anna@example.com', value: 1 };
    expect((await errorOf(prepared(body))).code).to.equal('recipient.unknown');
  });

  it('builds native requests', async () => {
    const { node } = fakeTron();
    const base = { secretType: 'TRON', walletId: 'w', to: TO };
    const built = async (fields: object) =>
      chain.build({ ...base, ...fields } as unknown as ChainRequest, FROM, node);
    expect(await built({ type: 'TRANSFER', value: 1.5, data: 'hi' })).to.deep.equal({
      type: 'TRX_TRANSACTION',
      walletId: 'w',
      to: TO,
      value: '1500000',
      data: '0x6869',
    });
    expect(await built({ type: 'TOKEN_TRANSFER', value: 1.5, tokenAddress: ASSET })).to.deep.equal({
      type: 'TRC10_TRANSACTION',
      walletId: 'w',
      to: TO,
      value: '1500000',
      token: ASSET,
    });
    const noted = await built({ type: 'TOKEN_TRANSFER', value: 1.5, tokenAddress: TOKEN, memo: 'hi' });
    expect(noted).to.include({ type: 'TRC10_TRANSACTION', token: TOKEN, memo: '0x6869' });
    const inputs = [{ type: 'address', value: TO }];
    const call = await built({
      type: 'CONTRACT_EXECUTION',
      to: TOKEN,
      value: 3,
      functionName: 'run',
      inputs,
    });
    expect(call).to.deep.equal({
      type: 'TRON_CONTRACT_EXECUTION',
      walletId: 'w',
      to: TOKEN,
      value: '3',
      functionName: 'run',
      inputs,
    });
  });
});

describe('Tron: what it costs', () => {
  it('is nothing while the free bandwidth lasts', async () => {
    const { summary } = await prepared(trx());
    const { value, amount } = fact(summary, 'bandwidth')!;
    expect([Number(value) > 250, amount?.raw.toString()]).to.deep.equal([true, '0']);
    expect(summary.fee.expected.raw.toString()).to.equal('0');
  });

  it('is at most the price of every byte, whatever bandwidth a node says the account has', async () => {
    for (const own of [{ freeNetLimit: 600 }, { NetLimit: 10 ** 12 }, {}]) {
      const { summary } = await prepared(trx(), resources(own));
      const bytes = BigInt(fact(summary, 'bandwidth')!.value!);
      expect(summary.fee.maximum.raw).to.equal(bytes * 1000n);
      expect(summary.total.raw).to.equal(1_000_000n + bytes * 1000n);
    }
  });

  it('is at most the whole fee limit, whatever energy a node says the account has', async () => {
    for (const EnergyLimit of [0, 11_000, 10 ** 12]) {
      const { summary, draft } = await prepared(
        call('transfer', ['address', TO], ['uint256', '5']),
        resources({ freeNetLimit: 600, EnergyLimit }),
      );
      const bytes = draft.facts.costs.bandwidth * 1000n;
      expect(draft.feeLimit).to.equal(2_625_000n);
      expect(summary.fee.maximum.raw).to.equal(draft.feeLimit + bytes);
      expect(summary.total.raw).to.equal(draft.feeLimit + bytes);
    }
  });

  it('is at most the bytes of a long memo, if somebody else creates the recipient’s account first', async () => {
    const long = trx({ data: `0x${'61'.repeat(800)}` });
    const { summary, draft } = await prepared(long, accounts({ [TO]: {} }));
    expect(summary.fee.maximum.raw).to.equal(1_000_000n + 1_100_000n);
    const { summary: dear } = await prepared(long, {
      ...accounts({ [TO]: {} }),
      ...parameters({ getTransactionFee: 2000 }),
    });
    expect(dear.fee.maximum.raw).to.equal(1_000_000n + draft.facts.costs.bandwidth * 2000n);
    expect(dear.fee.expected.raw).to.equal(1_000_000n + 1_100_000n);
  });

  it('is not missing where the account’s own resources pay, as nodes accept it', async () => {
    const { draft, summary } = await prepared(call('transfer', ['address', TO], ['uint256', '5']), {
      ...accounts({ [FROM]: { balance: 0 } }),
      ...resources({ freeNetLimit: 600, EnergyLimit: 12_500 }),
    });
    expect(draft.feeLimit > summary.balance.raw).to.equal(true);
    expect([summary.shortOf, codes(summary)]).to.deep.equal([undefined, []]);
    const short = await prepared(call('transfer', ['address', TO], ['uint256', '5']), {
      ...accounts({ [FROM]: { balance: 0 } }),
      ...resources({ freeNetLimit: 600, EnergyLimit: 12_499 }),
    });
    expect(short.summary.shortOf?.amount.raw).to.equal(210n);
  });

  it('is a price for every byte when no resource covers all of them', async () => {
    const { summary } = await prepared(
      trx(),
      resources({ freeNetLimit: 600, freeNetUsed: 500, NetLimit: 200 }),
    );
    const { value, amount } = fact(summary, 'bandwidth')!;
    expect(amount?.raw.toString()).to.equal((BigInt(value!) * 1000n).toString());
    expect(summary.fee.expected.raw.toString()).to.equal(amount?.raw.toString());
  });

  it('counts a memo', async () => {
    const { summary } = await prepared(trx({ data: 'Thanks' }));
    expect(fact(summary, 'memo')?.value).to.equal('Thanks');
    expect(summary.fee.expected.raw.toString()).to.equal('1000000');
    const free = await prepared(trx({ data: 'Thanks' }), parameters({ getMemoFee: 0 }));
    expect(free.summary.fee.expected.raw.toString()).to.equal('0');
    expect(summary.fee.maximum.raw - free.summary.fee.maximum.raw).to.equal(1_000_000n);
  });

  it('counts, shows and keeps the memo of a token and of a call', async () => {
    const body = { type: 'TOKEN_TRANSFER', secretType: 'TRON', walletId: 'w', to: TO, value: 1 };
    for (const request of [
      token(),
      token({ token: ASSET }),
      call('transfer', ['address', TO], ['uint256', '5']),
      { ...body, tokenAddress: TOKEN },
    ]) {
      const { draft, summary } = await prepared({ ...request, memo: 'Order 7' } as ChainRequest);
      const plain = await prepared(request);
      expect(draft.memo).to.equal(`0x${hexText('Order 7')}`);
      expect(fact(summary, 'memo')?.value).to.equal('Order 7');
      // A tag, a length and seven bytes.
      expect(draft.facts.costs.bandwidth - plain.draft.facts.costs.bandwidth).to.equal(9n);
      const more = summary.fee.expected.raw - plain.summary.fee.expected.raw;
      expect(more).to.equal(1_000_000n);
      expect(summary.fee.maximum.raw - plain.summary.fee.maximum.raw).to.equal(1_009_000n);
    }
  });

  it('shows a memo that is not text, or hides something, as bytes', async () => {
    for (const memo of ['0xff00', `0x${hexText('a\u202eb')}`])
      expect(fact((await prepared(trx({ data: memo }))).summary, 'memo')?.value).to.equal(memo);
  });

  for (const [name, own, fee] of [
    ['by burning, free bandwidth or not', { freeNetLimit: 600 }, '1100000'],
    ['with staked bandwidth', { freeNetLimit: 600, NetLimit: 600 }, '1000000'],
  ] as const)
    it(`makes the recipient’s account ${name}`, async () => {
      const { summary } = await prepared(trx(), { ...accounts({ [TO]: {} }), ...resources(own) });
      expect(fact(summary, 'activation')?.amount?.raw.toString()).to.equal(fee);
      expect(summary.fee.expected.raw.toString()).to.equal(fee);
      expect(summary.fee.maximum.raw.toString()).to.equal('1100000');
    });

  it('is energy for a call: what it took, plus at most a quarter', async () => {
    const { summary, draft } = await prepared(token());
    expect(draft.feeLimit.toString()).to.equal('2625000');
    expect(shown(fact(summary, 'energy'))).to.equal('10000 2100000');
    expect(shown(fact(summary, 'fee-limit'))).to.equal('undefined 2625000');
    expect(summary.fee.expected.raw.toString()).to.equal('2100000');
    expect(summary.fee.maximum.raw).to.equal(2_625_000n + draft.facts.costs.bandwidth * 1000n);
    expect(fact(summary, 'activation')).to.equal(undefined);
  });

  it('is less if the contract’s creator pays part of the energy, and the approval says who', async () => {
    const made = (fields: object, left = 1_000_000) => ({
      getcontract: {
        origin_address: hexAddress(TO),
        consume_user_resource_percent: 30,
        origin_energy_limit: 1_000_000,
        ...fields,
      },
      getaccountresource: ({ address }: { address: string }) =>
        address === TO ? { EnergyLimit: left + 500, EnergyUsed: 500 } : { freeNetLimit: 600 },
    });
    const seen = async (answers: Answers) => {
      const { summary, draft, rounds } = await prepared(token(), answers);
      const { expected, maximum } = summary.fee;
      const energy = maximum.raw - draft.facts.costs.bandwidth * 1000n;
      const payer = fact(summary, 'energy-payer')?.value;
      expect(rounds).to.equal(payer ? 2 : 1);
      return [fact(summary, 'energy')?.value, expected.raw, energy, draft.feeLimit, payer].map(String);
    };
    // Who can pay for all of it signs for all of it: the deployer may run out of energy before.
    expect(await seen(made({}))).to.deep.equal(['3000', '630000', '2625000', '2625000', TO]);
    // What the node leaves out is 0: the caller pays nothing.
    expect((await seen(made({ consume_user_resource_percent: undefined })))[1]).to.equal('0');
    expect((await seen(made({ origin_energy_limit: 1000 })))[0]).to.equal('9000');
    expect((await seen(made({}, 2000)))[0]).to.equal('8000');
    const alone = ['10000', '2100000', '2625000', '2625000', 'undefined'];
    expect(await seen(made({ consume_user_resource_percent: 100 }))).to.deep.equal(alone);
    expect(await seen(made({ origin_energy_limit: undefined }))).to.deep.equal(alone);
    expect(await seen(made({ origin_address: hexAddress(FROM) }))).to.deep.equal(alone);
    const nothingLeft = await prepared(token(), made({}, 0));
    expect(fact(nothingLeft.summary, 'energy-payer')).to.equal(undefined);
    expect(fact(nothingLeft.summary, 'energy')?.value).to.equal('10000');
  });

  it('accepts a wallet that can only pay its own part of the energy, with a limit of that part', async () => {
    const made = (balance: number, percent?: number) => ({
      ...accounts({ [FROM]: { balance } }),
      getcontract: {
        origin_address: hexAddress(TO),
        ...(percent && { consume_user_resource_percent: percent }),
        origin_energy_limit: 1_000_000,
      },
      getaccountresource: ({ address }: { address: string }) =>
        address === TO ? { EnergyLimit: 1_000_000 } : { freeNetLimit: 600 },
    });
    const nothing = await prepared(token(), made(0));
    const limit = ({ draft, summary }: typeof nothing) =>
      [draft.feeLimit, summary.fee.maximum.raw - draft.facts.costs.bandwidth * 1000n].map(String);
    expect(limit(nothing)).to.deep.equal(['0', '0']);
    expect(nothing.summary.shortOf).to.equal(undefined);
    expect(codes(nothing.summary)).to.deep.equal([]);
    // 30 % of 12,500 energy.
    const part = await prepared(token(), made(787_500, 30));
    expect(limit(part)).to.deep.equal(['787500', '787500']);
    expect(part.summary.shortOf).to.equal(undefined);
    const short = await prepared(token(), made(787_499, 30));
    expect(short.summary.shortOf?.amount.raw.toString()).to.equal('1');
  });

  it('simulates a call with all digits of its value, as a number', async () => {
    for (const value of ['9007199254740993', '9223372036854775807', '1']) {
      const { asked, draft } = await prepared({ ...call('deposit'), value });
      const [tried] = asked.filter(
        ({ path, body }) => path === 'triggerconstantcontract' && 'call_value' in body,
      );
      expect(tried!.text).to.match(new RegExp(`"call_value":${value}[,}]`));
      expect(draft.contract).to.include({ value: BigInt(value) });
    }
  });

  it('reads the contract’s creator in the round for decimals, if there is one', async () => {
    const asked = { type: 'TOKEN_TRANSFER', secretType: 'TRON', to: TO, value: '5', tokenAddress: TOKEN };
    const { rounds, summary } = await prepared(
      { walletId: 'w', ...asked },
      {
        getcontract: { origin_address: hexAddress(TO), origin_energy_limit: 1_000_000 },
        getaccountresource: { freeNetLimit: 600, EnergyLimit: 500_000 },
        triggerconstantcontract: () => ({
          result: { result: true },
          energy_used: 10_000,
          constant_result: [word(6)],
          transaction: { ret: [{}] },
        }),
      },
      { network: NETWORK },
    );
    expect(rounds).to.equal(2);
    expect(fact(summary, 'energy-payer')?.value).to.equal(TO);
  });

  it('refuses a transaction too large to activate an account, before approval', async () => {
    const nobody = accounts({ [TO]: {} });
    const memo = (bytes: number) => trx({ data: `0x${'61'.repeat(bytes)}` });
    const { draft } = await prepared(memo(700), nobody);
    const signed = await chain.sign({ ...draft, from: await chain.address(KEY, 'local') }, KEY);
    // As java-tron counts: 65 less than the bytes that are sent.
    const left = 1000 - ((signed.raw.length - 2) / 2 - 65);
    await prepared(memo(700 + left), nobody);
    const refused = async (...asked: Parameters<typeof prepared>): Promise<RequestInvalidError> =>
      prepared(...asked).then(
        () => expect.fail('was taken'),
        (error: RequestInvalidError) => error,
      );
    const { code, issues } = await refused(memo(701 + left), nobody);
    expect([code, issues[0]!.path]).to.deep.equal(['request.invalid', 'data']);
    expect(issues[0]!.message).to.match(/takes 1000 bytes .* 1 over/);
    const voted = await refused(memo(700), {
      ...nobody,
      ...parameters({ getMaxCreateAccountTxSize: 500 }),
    });
    expect(voted.issues[0]!.message).to.contain('takes 500 bytes');
    await prepared(memo(5000));
  });

  it('counts the account’s own energy, which the fee limit caps too', async () => {
    const own = resources({ freeNetLimit: 600, EnergyLimit: 12_000, EnergyUsed: 1000 });
    const { summary, draft } = await prepared(token(), own);
    expect(draft.feeLimit.toString()).to.equal('2625000');
    expect(summary.fee.expected.raw).to.equal(0n);
    // 1,500 of the 12,500 that the limit allows.
    expect(draft.facts.costs.maxEnergyFee).to.equal(315_000n);
  });

  it('asks for a tick by the limit that is signed, whatever energy a node says the account has', async () => {
    const answers = {
      getaccountresource: { freeNetLimit: 600, EnergyLimit: 10 ** 12 },
      triggerconstantcontract: {
        result: { result: true },
        energy_used: 5_000_000,
        constant_result: [word(1)],
        transaction: { ret: [{}] },
      },
    };
    const { draft, summary } = await prepared(token(), answers);
    expect(summary.fee.expected.raw).to.equal(0n);
    expect(draft.feeLimit).to.equal(1_312_500_000n);
    const warning = summary.warnings.find(({ code }) => code === 'fee-ceiling');
    expect([warning?.tick, warning?.amount?.raw]).to.deep.equal([true, summary.fee.maximum.raw]);
    expect(warning?.amount?.raw).to.equal(draft.feeLimit + draft.facts.costs.bandwidth * 1000n);
  });

  it('stays below what the network allows', async () => {
    const { draft, summary } = await prepared(token(), trial({ energy_used: 80_000_000 }));
    expect(draft.feeLimit.toString()).to.equal('15000000000');
    expect(codes(summary)).to.include.members(['!fee-ceiling']);
    expect(draft.facts.willFail).to.match(/80000000 energy/);
  });

  it('assumes a figure if the node runs no simulations', async () => {
    const no = { code: 'CONTRACT_VALIDATE_ERROR', message: hexText('this node does not support constant') };
    const { summary } = await prepared(token(), { triggerconstantcontract: { result: no } });
    expect(fact(summary, 'energy')?.value).to.equal('200000');
    expect(codes(summary)).to.not.include('!will-fail');
  });
});

describe('Tron: what the approval says', () => {
  it('names the token of a transfer as the operator lists it', async () => {
    for (const [request, symbol, contract] of [
      [token(), 'USDT', TOKEN],
      [token({ token: ASSET }), 'BTT', undefined],
    ] as const) {
      const { summary } = await prepared(request);
      expect([summary.kind, summary.amount.symbol, summary.amount.decimals, summary.to]).to.deep.equal([
        'transfer',
        symbol,
        6,
        TO,
      ]);
      expect(summary.contract).to.equal(contract);
      expect(summary.total.raw.toString()).to.equal(summary.fee.maximum.raw.toString());
    }
  });

  it('shows only raw amounts of other tokens, and no name that a listed one has', async () => {
    const asset = { id: '1002001', name: hexText('x'), abbr: hexText('usdt'), precision: 6 };
    const { summary } = await prepared(token({ token: '1002001' }), { getassetissuebyid: asset });
    expect(summary.amount).to.include({
      decimals: null,
      claimedDecimals: 6,
      symbol: '#1002001',
      token: '1002001',
    });
    expect(codes(summary)).to.include('unlisted-token');
    const symbol = encodeCall('x', ['string'], ['FREE']).slice(10);
    const other = await prepared(
      token(),
      { triggerconstantcontract: { result: { result: true }, constant_result: [symbol] } },
      { network: NETWORK },
    );
    expect([other.summary.amount.decimals, other.summary.amount.symbol]).to.deep.equal([null, 'FREE']);
  });

  it('decodes calls with Tron’s addresses', async () => {
    const { summary } = await prepared(call('approve', ['address', TO], ['uint256', '5']));
    expect([summary.kind, summary.to, summary.contract]).to.deep.equal(['approval', TO, TOKEN]);
    expect(summary.call?.arguments.map(({ name, value }) => `${name} ${value}`)).to.deep.equal([
      `spender ${TO}`,
      'amount 5',
    ]);
    const swap = await prepared(
      call(
        'swapExactTokensForTokens',
        ['uint256', '1'],
        ['uint256', '2'],
        ['address[]', [TOKEN, TO]],
        ['address', FROM],
        ['uint256', '3'],
      ),
    );
    expect(swap.summary.call?.arguments[2]?.value).to.equal(`[${TOKEN}, ${TO}]`);
  });

  it('says what is missing', async () => {
    for (const [request, answers, missing] of [
      [trx({ value: 200_000_000 }), {}, '100000000 TRX'],
      [trx({ value: 100_000_000 }), resources({}), /^2\d{5} TRX$/],
      [token({ value: 10_000_000 }), {}, '1000000 USDT'],
      [token({ token: ASSET, value: 6_000_000 }), {}, '1000000 BTT'],
      [trx(), accounts({ [FROM]: {} }), '1000000 TRX'],
    ] as [ChainRequest, Answers, string | RegExp][]) {
      const { shortOf } = (await prepared(request, answers)).summary;
      const text = `${shortOf?.amount.raw} ${shortOf?.amount.symbol}`;
      if (typeof missing === 'string') expect(text).to.equal(missing);
      else expect(text).to.match(missing);
    }
  });

  const twin = 'THTR7AAAAAAAAAAAAAAAAAAAAAAAAASbVV';
  for (const [name, wanted, request, answers, options] of [
    ['a transfer to a known address', [], trx(), {}, {}],
    ['a first transfer', ['first-recipient'], trx(), {}, { known: NOBODY }],
    [
      'a reported address',
      ['!reported-address'],
      trx(),
      {},
      { known: { ...KNOWN, reported: [TO.toLowerCase()] } },
    ],
    ['coins to a listed token', ['!recipient-is-token', '!will-fail'], trx({ to: TOKEN }), {}, {}],
    ['nothing', ['!will-fail'], trx({ value: 0 }), {}, {}],
    [
      'the account of zeros',
      ['!burn-address', 'first-recipient'],
      trx({ to: 'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb' }),
      {},
      {},
    ],
    ['itself', ['!will-fail', 'first-recipient'], trx({ to: FROM }), {}, {}],
    ['a fee of over a fifth of the amount', ['fee-share'], trx(), resources({}), {}],
    ['no fee that free bandwidth is expected to save', [], trx({ value: 1 }), {}, {}],
    ['no fee that staked energy is expected to save', [], token(), resources({ EnergyLimit: 20_000 }), {}],
    [
      'a fee of over a fifth of the coins that go with a call',
      ['!spender-is-account', 'spending-limit', 'fee-share', 'simulation-unavailable'],
      { ...call('approve', ['address', TO], ['uint256', '5']), value: 1_000_000 },
      {},
      {},
    ],
    ['tokens to their contract', ['!recipient-is-token'], token({ to: TOKEN }), {}, {}],
    [
      'no contract',
      ['!no-code', 'first-recipient'],
      token({ token: TO, to: FROM }),
      {},
      { network: NETWORK, only: true },
    ],
    [
      'an approval without end',
      ['!unlimited-approval', '!spender-is-account'],
      call('approve', ['address', TO], ['uint256', (2n ** 256n - 1n).toString()]),
      {},
      {},
    ],
    [
      'a limit above all that there is of the token',
      ['!unlimited-approval', '!spender-is-account'],
      call('approve', ['address', TO], ['uint256', '6']),
      {
        triggerconstantcontract: ({ data }: { data: string }) => ({
          result: { result: true },
          energy_used: 10_000,
          constant_result: [word(data.startsWith('18160ddd') ? 5 : 1)],
        }),
      },
      {},
    ],
    [
      'an approval for a person',
      ['!spender-is-account', 'spending-limit'],
      call('approve', ['address', TO], ['uint256', '5']),
      {},
      {},
    ],
    [
      'an approval for a contract',
      ['spending-limit'],
      call('approve', ['address', TO], ['uint256', '5']),
      accounts({ [TO]: { address: TO, type: 'Contract' } }),
      {},
    ],
    [
      'an approval of all that is held',
      ['!all-you-hold', '!spender-is-account', 'spending-limit'],
      call('approve', ['address', TO], ['uint256', '9000000']),
      {},
      {},
    ],
    [
      'an approval for all',
      ['!approval-for-all'],
      call('setApprovalForAll', ['address', TO], ['bool', true]),
      {},
      {},
    ],
    ['an unknown function', ['!unknown-call', 'simulation-unavailable'], call('whatever'), {}, {}],
    ['a token that answers false, as USDT does', [], token(), trial({ constant_result: [word(0)] }), {}],
    ['a token that answers nothing', [], token(), trial({ constant_result: [''] }), {}],
  ] as [string, string[], ChainRequest, Answers, { known?: Known; network?: Network; only?: boolean }][])
    it(`warns of ${name}: ${wanted.join(', ') || 'nothing'}`, async () => {
      const { summary } = await prepared(request, answers, options);
      const found = codes(summary);
      if (options.only) expect(found).to.include.members(wanted);
      else expect(found).to.deep.equal(wanted);
    });

  it('warns of a look-alike, and names the known address as it is written', async () => {
    const { summary } = await prepared(trx(), {}, { known: { ...NOBODY, used: [twin] } });
    const warning = summary.warnings.find(({ code }) => code === 'resembles-known');
    expect(warning?.params).to.deep.equal({ address: TO, known: twin });
  });

  it('says why a call would fail, in its contract’s words', async () => {
    const reason = encodeCall('Error', ['string'], ['paused']).slice(2);
    const failed = {
      result: { result: true, message: hexText('REVERT opcode executed') },
      constant_result: [reason],
      transaction: { ret: [{ ret: 'FAILED' }] },
    };
    const reasonOf = async (answers: Answers) =>
      (await prepared(token(), answers)).summary.warnings.find(({ code }) => code === 'will-fail')?.params?.[
        'reason'
      ];
    expect(await reasonOf(trial(failed))).to.equal('paused');
    expect(await reasonOf(trial({ ...failed, constant_result: [''] }))).to.equal('REVERT opcode executed');
    expect(
      await reasonOf(trial({ result: { code: 'OTHER_ERROR', message: hexText('class x : y') } })),
    ).to.equal('class x : y');
  });

  it('reads accounts and tokens whose names would break a node’s answers', async () => {
    // What java-tron makes of such a name where it is asked for text.
    const raw = (visible: boolean, name: string, rest: string) =>
      `{"account_name":"${visible ? name : hexText(name)}","abbr":"${visible ? name : hexText(name)}",${rest}}`;
    for (const name of ['line\nbreak', 'a\\', '\u0000']) {
      const { summary } = await prepared(token({ token: '1002001' }), {
        getaccount: ({ visible, address }: { visible: boolean; address: string }) =>
          raw(visible, name, `"address":"${hexAddress(address)}","balance":100000000`),
        getassetissuebyid: ({ visible }: { visible: boolean }) => raw(visible, name, '"id":"1002001"'),
      });
      expect(summary.balance.raw.toString()).to.equal('100000000');
    }
  });

  it('knows when the wallet’s key was replaced', async () => {
    const owner_permission = { threshold: 1, keys: [{ address: hexAddress(TO), weight: 1 }] };
    const { summary } = await prepared(trx(), accounts({ [FROM]: { balance: 1e8, owner_permission } }));
    expect(codes(summary)).to.deep.equal(['!will-fail']);
  });
});

describe('Tron: nodes', () => {
  const signed = { raw: '0x1234', hash: 'ab'.repeat(32) };
  const refusal = (code: string, message: string) => ({ broadcasthex: { result: false, code, message } });

  it('sends the bytes, to every node', async () => {
    const network = { ...LISTED, nodes: ['http://one.example', 'http://two.example'] };
    const { node, asked } = fakeTron({ broadcasthex: { result: true, txid: signed.hash } }, network);
    expect(await chain.broadcast(signed, node)).to.equal(signed.hash);
    expect(asked.map(({ body, host }) => `${host} ${body.transaction}`)).to.deep.equal([
      'one.example 1234',
      'two.example 1234',
    ]);
  });

  for (const [name, answers, code, reason] of [
    [
      'signature',
      refusal('SIGERROR', 'Validate signature error: sig error'),
      'transaction.refused',
      'Validate signature error: sig error',
    ],
    [
      'hex words',
      refusal('TAPOS_ERROR', hexText('Tapos check error.')),
      'transaction.refused',
      'Tapos check error.',
    ],
    [
      'no balance',
      refusal(
        'CONTRACT_VALIDATE_ERROR',
        'Contract validate error : Validate TransferContract error, balance is not sufficient.',
      ),
      'transaction.insufficient-funds',
      'Contract validate error : Validate TransferContract error, balance is not sufficient.',
    ],
    [
      'no bandwidth',
      refusal('BANDWITH_ERROR', hexText('Account resource insufficient error.')),
      'transaction.insufficient-funds',
      'Account resource insufficient error.',
    ],
    [
      'expired',
      refusal('TRANSACTION_EXPIRATION_ERROR', 'Transaction expired'),
      'transaction.refused',
      'Transaction expired',
    ],
    [
      'given before, and nowhere',
      refusal('DUP_TRANSACTION_ERROR', 'Transaction already exists.'),
      'node.unreachable',
      'Transaction already exists.',
    ],
    [
      'an exception',
      { broadcasthex: { Error: 'class com.google.protobuf.InvalidProtocolBufferException : broken' } },
      'transaction.refused',
      'broken',
    ],
    ['busy', refusal('SERVER_BUSY', 'Server busy.'), 'node.unreachable', 'Server busy.'],
    [
      'no capacity',
      { broadcasthex: { Error: 'class java.lang.IllegalAccessException : lack of computing resources' } },
      'node.unreachable',
      'network',
    ],
    ['no JSON', { broadcasthex: '<html>' }, 'node.unreachable', 'network'],
  ] as [string, Answers, string, string][])
    it(`words a refusal: ${name}`, async () => {
      const error = await errorOf(chain.broadcast(signed, fakeTron(answers).node));
      expect([error.code, error.details['reason']]).to.deep.equal([code, reason]);
    });

  it('counts a transaction that the network already has as sent', async () => {
    for (const [code, found] of [
      ['DUP_TRANSACTION_ERROR', { gettransactionfrompending: { txID: signed.hash } }],
      ['TRANSACTION_EXPIRATION_ERROR', { gettransactionbyid: { txID: signed.hash } }],
      ['TAPOS_ERROR', { gettransactionbyid: { txID: signed.hash } }],
    ] as const) {
      const { node } = fakeTron({ ...refusal(code, 'no'), ...found });
      expect(await chain.broadcast(signed, node)).to.equal(signed.hash);
    }
  });

  const id = signed.hash;
  for (const [name, answers, state, fee] of [
    ['nowhere', {}, 'unknown', undefined],
    ['in the pool', { gettransactionfrompending: { txID: id } }, 'pending', undefined],
    ['in a block, without its receipt yet', { gettransactionbyid: { txID: id } }, 'pending', undefined],
    [
      'free of charge',
      { gettransactioninfobyid: { id, blockNumber: 1, receipt: { net_usage: 5 } } },
      'confirmed',
      0n,
    ],
    ['a call', { gettransactioninfobyid: { id, fee: 7, receipt: { result: 'SUCCESS' } } }, 'confirmed', 7n],
    [
      'reverted',
      { gettransactioninfobyid: { id, fee: 7, result: 'FAILED', receipt: { result: 'REVERT' } } },
      'failed',
      7n,
    ],
    [
      'out of energy',
      { gettransactioninfobyid: { id, fee: 9, receipt: { result: 'OUT_OF_ENERGY' } } },
      'failed',
      9n,
    ],
  ] as [string, Answers, string, bigint | undefined][])
    it(`knows what became of one: ${name}`, async () => {
      const { node } = fakeTron(answers);
      const receipt = await chain.receipt(id, node);
      expect([receipt.state, String(receipt.fee)]).to.deep.equal([state, String(fee)]);
      expect(node.rounds).to.equal(1);
    });

  it('reports blocks if a node does not show pending transactions', async () => {
    const hidden = { gettransactionfrompending: new Response('', { status: 404 }) };
    const mined = { gettransactioninfobyid: { id, receipt: {} } };
    expect(await chain.status(id, fakeTron({ ...hidden, ...mined }).node)).to.equal('confirmed');
    expect(await chain.status(id, fakeTron(hidden).node)).to.equal('unknown');
  });

  it('counts a transaction in no block a minute after it expired as failed, and one in a block never', async () => {
    const { draft } = await prepared(trx());
    const { raw, hash } = await chain.sign({ ...draft, from: chain.address(KEY) }, KEY);
    const later = (seconds: number) => ({
      getnowblock: {
        blockID: GENESIS,
        block_header: { raw_data: { timestamp: draft.expiration + seconds * 1000 } },
      },
    });
    const state = (answers: Answers, wire?: string) => chain.status(hash, fakeTron(answers).node, wire);
    expect(await state(later(30), raw)).to.equal('unknown');
    expect(await state(later(61), raw)).to.equal('failed');
    expect(await state(later(61))).to.equal('unknown');
    expect(await state({ ...later(61), gettransactionbyid: { txID: hash } }, raw)).to.equal('pending');
    const proxy = (_: unknown, host: string) =>
      host === 'one.example' ? { message: 'no Route matched' } : {};
    const two = { ...LISTED, nodes: ['http://one.example', 'http://two.example'] };
    const { node } = fakeTron({ ...later(61), gettransactioninfobyid: proxy }, two);
    expect(await chain.status(hash, node, raw), 'the head of another node').to.equal('unknown');
  });

  it('reads balances; an account that does not exist has none', async () => {
    const { node, asked } = fakeTron();
    expect((await chain.balance(FROM, node)).rawBalance).to.equal('100000000');
    const held = await chain.tokenBalances(FROM, LISTED.tokens, node);
    expect(
      held.map(({ symbol, rawBalance, balance, type }) => `${symbol} ${rawBalance} ${balance} ${type}`),
    ).to.deep.equal(['USDT 9000000 9 TRC20', 'BTT 5000000 5 TRC10']);
    expect(asked.filter(({ path }) => path === 'getblock').length).to.equal(1);
    const empty = fakeTron(accounts({ [FROM]: {} })).node;
    expect((await chain.balance(FROM, empty)).rawBalance).to.equal('0');
    expect((await chain.tokenBalances(FROM, [LISTED.tokens[1]!], empty))[0]!.rawBalance).to.equal('0');
  });

  it('keeps numbers beyond 2^53 exact', async () => {
    const text = `{"address":"${hexAddress(FROM)}","balance":9007199254740993}`;
    const { node } = fakeTron({ getaccount: text });
    expect((await chain.balance(FROM, node)).rawBalance).to.equal('9007199254740993');
  });

  it('goes to the next node when one has no capacity, no history, or a limit', async () => {
    const network = { ...LISTED, nodes: ['http://one.example', 'http://two.example'] };
    for (const bad of [
      { Error: 'class java.lang.IllegalAccessException : lack of computing resources' },
      'this API is closed because this node is a lite fullnode',
      new Response('{"Error":"The key exceeds the frequency limit(15), …"}', { status: 403 }),
      new Response('', { status: 429 }),
    ]) {
      const { node } = fakeTron(
        { getaccount: (_: unknown, host: string) => (host === 'one.example' ? bad : { balance: 5 }) },
        network,
      );
      expect((await chain.balance(FROM, node)).rawBalance).to.equal('5');
      expect(node.host).to.equal('two.example');
    }
  });

  it('does not trust invalid answers', async () => {
    for (const [request, answers] of [
      [trx(), { getnowblock: {} }],
      [trx(), { getnowblock: { blockID: 'x', block_header: { raw_data: {} } } }],
      [
        trx(),
        { getnowblock: { blockID: 'ab'.repeat(32), block_header: { raw_data: { timestamp: 2 ** 53 - 1 } } } },
      ],
      [trx(), { getaccount: { balance: -1 } }],
      [trx(), { getaccount: [] }],
      [trx(), { getchainparameters: {} }],
      [token({ token: '999' }), { getassetissuebyid: { id: '999', precision: 77 } }],
    ] as [ChainRequest, Answers][])
      expect((await errorOf(prepared(request, answers))).code).to.equal('node.unreachable');
  });

  it('uses no node of another network', async () => {
    const error = await errorOf(prepared(trx(), { getblock: { blockID: '00'.repeat(32) } }));
    expect([error.code, error.details['reason']]).to.deep.equal(['node.unreachable', 'network-id']);
  });
});
