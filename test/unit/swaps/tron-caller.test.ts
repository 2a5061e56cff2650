import { expect } from '@open-wc/testing';
import { encodeCall } from '../../../src/chains/contracts/abi.ts';
import { fromEvm, toEvm } from '../../../src/chains/tron/address.ts';
import { readsProgram } from '../../../src/chains/tron/reads.ts';
import type { ConnectError } from '../../../src/base/errors.ts';
import { tronCaller, tronRequest } from '../../../src/swaps/tron-caller.ts';
import { BLOCK_TIME, fakeTron, FROM, hexText, TO, TOKEN, word } from '../chains/tron/fake-tron.ts';

const [ME, CONTRACT, OTHER] = [FROM, TOKEN, TO].map(toEvm) as [string, string, string];
const read = (data: string) => ({ to: CONTRACT, data });
const step = { to: CONTRACT, data: '0x00', value: 5n };
/** What the program answers: each answer behind its length and 1, 0 for none. */
const packed = (...answers: (string | undefined)[]) =>
  answers.map((answer) => (answer === undefined ? word(0) : word(answer.length / 2 + 1) + answer)).join('');

interface Asked {
  contract_address?: string;
  data: string;
  call_value?: number;
}
const answered = (output: string) => ({ result: { result: true }, constant_result: [output] });
const node = (answer: (asked: Asked) => object) => fakeTron({ triggerconstantcontract: answer });
const reasonOf = (work: Promise<unknown>): Promise<ConnectError> =>
  work.then(
    () => expect.fail('did not reject'),
    (error: ConnectError) => error,
  );

describe('calls of contracts on Tron', () => {
  it('go to the node in one request for a hundred, and those without an answer are undefined', async () => {
    const tron = node(({ contract_address, data }) =>
      contract_address === undefined
        ? answered(
            packed(
              ...Array.from({ length: data.split('0102aabb').length - 1 }, (_, i) =>
                i === 1 ? undefined : i === 2 ? '' : word(i),
              ),
            ),
          )
        : expect.fail(`${contract_address} was asked alone`),
    );
    const answers = await tronCaller(tron.node).read(Array.from({ length: 150 }, () => read('0x0102aabb')));
    expect(answers.length).to.equal(150);
    expect(answers.slice(0, 4)).to.deep.equal([`0x${word(0)}`, undefined, undefined, `0x${word(3)}`]);
    expect(answers[100]).to.equal(`0x${word(0)}`);
    expect(tron.asked.filter(({ path }) => path === 'triggerconstantcontract').length).to.equal(2);
    expect(tron.node.rounds).to.equal(1);
  });

  it('are made one by one where the node runs no programs, or answers something else', async () => {
    for (const odd of [
      {
        result: {
          code: 'CONTRACT_VALIDATE_ERROR',
          message: hexText('No contract or not a valid smart contract'),
        },
      },
      answered(packed(word(1))),
      answered(`${packed(word(1), word(2))}00`),
      answered('ff'),
    ]) {
      const tron = node(({ contract_address, data }) =>
        contract_address === undefined ? odd : answered(data === '01' ? '' : word(7)),
      );
      expect(await tronCaller(tron.node).read([read('0x01'), read('0x02')])).to.deep.equal([
        undefined,
        `0x${word(7)}`,
      ]);
    }
  });

  it('have the data, the contract and the length of each call in the program', () => {
    const program = readsProgram([read('0x0a0b0c'), { to: OTHER, data: '0x' }]);
    // Two bytes to begin with, 75 for each call, three to end with.
    expect(program.length).to.equal(2 + 2 * (2 + 75 * 2 + 3 + 3));
    expect(program.endsWith('6000f30a0b0c')).to.equal(true);
    for (const { to } of [{ to: CONTRACT }, { to: OTHER }])
      expect(program).to.include(`73${to.slice(2).toLowerCase()}`);
  });

  it('say what a call returns, and why one fails', async () => {
    const asked: Asked[] = [];
    const fine = node((body) => (asked.push(body), answered(word(1))));
    expect(await tronCaller(fine.node).attempt(ME, step)).to.deep.equal({ data: `0x${word(1)}` });
    expect(asked[0]).to.include({ call_value: 5, data: '00' });
    const reverts = node(() => ({
      ...answered(`08c379a0${word(32)}${word(2)}${hexText('no').padEnd(64, '0')}`),
      transaction: { ret: [{ ret: 'FAILED' }] },
    }));
    expect(await tronCaller(reverts.node).attempt(ME, step)).to.deep.equal({ failed: 'no' });
    const none = node(() => ({ result: { message: hexText('this node does not support constant') } }));
    expect((await reasonOf(tronCaller(none.node).attempt(ME, step))).code).to.equal('node.unreachable');
  });

  it('are tried one at a time, and say when the balance is too low', async () => {
    const fine = node(() => answered(word(1)));
    const caller = tronCaller(fine.node);
    expect(caller.runsSequences).to.equal(false);
    expect(await caller.trial(ME, [step])).to.deep.equal([{ data: `0x${word(1)}` }]);
    expect(await caller.trial(ME, [step, step])).to.equal(undefined);
    const short = node(() => ({
      result: {
        code: 'CONTRACT_VALIDATE_ERROR',
        message: hexText('Validate InternalTransfer error, balance is not sufficient.'),
      },
    }));
    const error = await reasonOf(tronCaller(short.node).trial(ME, [step]));
    expect(error.code).to.equal('transaction.insufficient-funds');
  });

  it('cost the price of energy, and the time is the newest block’s', async () => {
    const caller = tronCaller(fakeTron().node);
    expect(await caller.gasPrice()).to.equal(210n);
    expect(await caller.now()).to.equal(Math.floor(BLOCK_TIME / 1000));
  });
});

describe('a call as a request of Tron', () => {
  it('names the function, and has Tron’s addresses in its arguments', () => {
    const types = ['uint256', 'address[]', 'address', 'uint256'];
    const data = encodeCall('swapExactETHForTokens', types, [7n, [CONTRACT, OTHER], ME, 1_800_000_000n]);
    expect(tronRequest('w', { to: OTHER, value: 3n, data })).to.deep.equal({
      type: 'TRON_CONTRACT_EXECUTION',
      walletId: 'w',
      to: TO,
      value: '3',
      functionName: 'swapExactETHForTokens',
      inputs: [
        { type: 'uint256', value: '7' },
        { type: 'address[]', value: JSON.stringify([TOKEN, TO]) },
        { type: 'address', value: FROM },
        { type: 'uint256', value: '1800000000' },
      ],
    });
  });

  it('is none for bytes that the wallet could not read, or that say more than they should', () => {
    for (const data of ['0x12345678', `${encodeCall('approve', ['address', 'uint256'], [ME, 1n])}00`])
      expect(() => tronRequest('w', { to: fromEvm(ME), value: 0n, data })).to.throw('is not among');
  });
});
