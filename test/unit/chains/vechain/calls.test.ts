import { expect } from '@open-wc/testing';
import type { Known } from '../../../../src/chains/terms.ts';
import type { Summary } from '../../../../src/chains/approval/summary.ts';
import { encodeCall } from '../../../../src/chains/contracts/abi.ts';
import { checksum } from '../../../../src/chains/contracts/evm-address.ts';
import type { Network } from '../../../../src/chains/network.ts';
import { VTHO } from '../../../../src/chains/vechain/draft.ts';
import { chain as vechain } from '../../../../src/chains/vechain/index.ts';
import { payloads } from '../../../../src/chains/vechain/payload.ts';
import { type Call, fakeNode, NETWORK, output, QUIET, simulated, word } from './fake-thor.ts';
import { callData as data } from '../evm/call-data.ts';
import { fromPage } from '../from-page.ts';

const chain = fromPage(vechain, payloads);

const at = (byte: string) => checksum(`0x${byte.repeat(20)}`);
const ME = at('a1');
const TO = at('11');
const TOKEN = at('70');
const PLAY = at('71');
const SPENDER = at('5e');
const MAX = (1n << 256n) - 1n;
const LISTED: Network = {
  ...NETWORK,
  tokens: [{ address: TOKEN, symbol: 'USDT', name: 'Tether', decimals: 6, logo: '' }],
};
const KNOWN: Known = { used: [TO, SPENDER, TOKEN, PLAY], own: [], reported: [] };

/** `PLAY` is a collection, and every token has an allowance of 40. */
const answers = (body: Call): unknown[] =>
  body.clauses.flatMap((clause) => {
    const { to, data: asked } = clause;
    if (asked.startsWith('0x01ffc9a7')) {
      const yes = to === PLAY && asked.startsWith('0x01ffc9a780ac58cd');
      return output({ data: word(yes ? 1 : 0), gasUsed: 500 });
    }
    if (asked.startsWith('0xdd62ed3e')) return output({ data: word(40), gasUsed: 500 });
    return simulated({ ...body, clauses: [clause] });
  });

interface Clause {
  to: string;
  data: string;
  amount?: number;
}

const summaryOf = (...clauses: Clause[]) => summaryOn(LISTED, ...clauses);

async function summaryOn(network: Network, ...clauses: Clause[]) {
  const { draft, node } = await prepared(network, ...clauses);
  return { ...(await chain.describe(draft)), rounds: node.rounds };
}

async function prepared(network: Network, ...clauses: Clause[]) {
  const contract = { balance: '0x0', energy: '0x0', hasCode: true };
  const { node } = fakeNode(
    { ...QUIET, 'POST /accounts/*': answers, [`GET /accounts/${SPENDER.toLowerCase()}`]: contract },
    network,
  );
  const request = {
    type: 'VET_TRANSACTION',
    walletId: 'w',
    clauses: clauses.map((clause) => ({ amount: 0, ...clause })),
  };
  return { draft: await chain.prepare(request, ME, node, KNOWN), node };
}
const dangers = ({ warnings }: Summary) =>
  warnings
    .filter(({ tick }) => tick)
    .map(({ code, params }) => [code, params?.['clause']].filter(Boolean).join(' '));
const shown = ({ amount }: { amount?: { raw: bigint; symbol: string } | undefined }) =>
  `${amount?.raw} ${amount?.symbol}`;
const approve = (amount: bigint) => data('approve(address,uint256)', SPENDER, amount);
const pay = { to: TOKEN, data: data('transfer(address,uint256)', TO, 5n) };

describe('what an approval of VeChain’s clauses says', () => {
  it('surfaces the danger of each clause, and says which clause it is', async () => {
    const summary = await summaryOf(
      pay,
      { to: TOKEN, data: approve(MAX) },
      { to: PLAY, data: data('setApprovalForAll(address,bool)', SPENDER, true) },
      { to: PLAY, data: '0xdeadbeef' },
      { to: TOKEN, data: data('multicall(bytes[])', [data('transferOwnership(address)', TO)]) },
    );
    expect(dangers(summary)).to.have.members([
      'unlimited-approval 2',
      'approval-for-all 3',
      'unknown-call 4',
      'control-given 5',
    ]);
    expect(shown(summary.warnings.find(({ code }) => code === 'unlimited-approval')!)).to.equal(
      `${MAX} USDT`,
    );
    expect(summary.parts![4]!.effects).to.deep.equal([{ kind: 'control', contract: TOKEN, to: TO }]);
    expect(summary.parts![1]!.effects).to.equal(undefined);
    expect(summary.rounds <= 2).to.equal(true);
  });

  it('says once what several clauses do, with each of their numbers', async () => {
    const twice = { to: TOKEN, data: approve(MAX) };
    expect(dangers(await summaryOf(twice, pay, twice))).to.deep.equal(['unlimited-approval 1, 3']);
  });

  it('compares what all clauses allow together with what is held, and says who is a person', async () => {
    const half = 600_000_000n;
    const allow = (spender: string, amount: bigint) => ({
      to: TOKEN,
      data: data('approve(address,uint256)', spender, amount),
    });
    // 1,000 USDT are held.
    expect(dangers(await summaryOf(allow(SPENDER, half), pay))).to.deep.equal([]);
    expect(dangers(await summaryOf(allow(SPENDER, half), allow(SPENDER, half)))).to.deep.equal([]);
    expect(dangers(await summaryOf(allow(SPENDER, half), allow(TO, half)))).to.deep.equal([
      'all-you-hold 1',
      'all-you-hold 2',
      'spender-is-account 2',
    ]);
    const stake = { to: SPENDER, data: data('delegate(address)', SPENDER) };
    expect(dangers(await summaryOf(allow(SPENDER, half), stake, allow(SPENDER, half)))).to.deep.equal([
      'all-you-hold 1, 3',
    ]);
    const coins = { to: SPENDER, data: '0x', amount: 1 };
    expect(dangers(await summaryOf(allow(SPENDER, half), coins, allow(SPENDER, half)))).to.deep.equal([
      'all-you-hold 1, 3',
    ]);
    // As of raw bytes to sign: a constructor runs at once, and its contract can be the spender.
    const { draft } = await prepared(LISTED, allow(SPENDER, half), pay, allow(SPENDER, half));
    const created = { to: null, value: 0n, data: '0x6000' };
    const creates = { ...draft, clauses: draft.clauses.with(1, created) };
    expect(dangers(await chain.describe(creates))).to.include('all-you-hold 1, 3');
    const more = { to: TOKEN, data: data('increaseAllowance(address,uint256)', SPENDER, half) };
    const raised = await summaryOf(allow(SPENDER, half), more);
    expect(dangers(raised)).to.deep.equal(['all-you-hold 1, 2']);
    expect(raised.parts!.map(shown), 'as it will be').to.deep.equal(['600000000 USDT', '1200000000 USDT']);
    const sent = { to: TOKEN, data: data('transfer(address,uint256)', TO, 400_000_000n) };
    expect(dangers(await summaryOf(sent, allow(SPENDER, half)))).to.deep.equal(['all-you-hold 2']);
    expect(dangers(await summaryOf(allow(TO, 10n ** 9n)))).to.deep.equal([
      'all-you-hold',
      'spender-is-account',
    ]);
  });

  it('is a danger to send tokens to a contract of a listed exchange', async () => {
    const sent = { to: TOKEN, data: data('transfer(address,uint256)', SPENDER, 5n) };
    expect(dangers(await summaryOf(sent))).to.deep.equal([]);
    const exchanges = [{ kind: 'uniswap-v2', name: 'Openbook', router: SPENDER }];
    expect(dangers(await summaryOn({ ...LISTED, exchanges }, sent))).to.deep.equal(['recipient-is-exchange']);
  });

  it('totals what each clause pays or sends by calls inside it', async () => {
    const moved = (to: string) => [ME, to, 5n, TOKEN];
    const batch = data('transferFrom((address,address,uint160,address)[])', [moved(TO), moved(SPENDER)]);
    const { parts } = await summaryOf(pay, { to: SPENDER, data: batch });
    expect(parts!.map(({ leaving }) => leaving?.map((amount) => shown({ amount })))).to.deep.equal([
      undefined,
      ['5 USDT', '5 USDT'],
    ]);
  });

  it('warns of a fee of over a fifth of the VTHO that a call pays', async () => {
    const path = `${VTHO.address}000bb8${TOKEN.slice(2)}`.toLowerCase();
    const swap = (amount: bigint) => {
      const types = ['address', 'uint256', 'uint256', 'bytes', 'bool'];
      const input = `0x${encodeCall('f', types, [ME, amount, 1n, path, true]).slice(10)}`;
      return { to: SPENDER, data: data('execute(bytes,bytes[])', '0x00', [input]) };
    };
    const warned = async (amount: bigint) =>
      (await summaryOf(swap(amount))).warnings.some(({ code }) => code === 'fee-share');
    expect(await warned(10n ** 18n)).to.equal(true);
    expect(await warned(10n ** 21n)).to.equal(false);
  });

  it('says in which clause a contract keeps coins that no step uses', async () => {
    const empty = { to: SPENDER, data: data('multicall(bytes[])', []) };
    expect(dangers(await summaryOf(pay, { ...empty, amount: 5 }))).to.deep.equal(['nothing-back 2']);
    expect(dangers(await summaryOf(pay, empty))).to.deep.equal([]);
  });

  it('names no clause if there is only one', async () => {
    expect(dangers(await summaryOf({ to: TOKEN, data: approve(MAX) }))).to.deep.equal(['unlimited-approval']);
  });

  it('shows the total with the existing allowance, for VTHO too', async () => {
    for (const to of [TOKEN, VTHO.address]) {
      const summary = await summaryOf({ to, data: data('increaseApproval(address,uint256)', SPENDER, 5n) });
      expect(summary.kind).to.equal('approval');
      expect(summary.amount.raw).to.equal(45n);
    }
  });

  it('draws an approval of an item as one item, including number 0', async () => {
    const summary = await summaryOf({ to: PLAY, data: approve(0n) });
    expect(shown(summary)).to.equal('1 PLAY #0');
    expect(dangers(summary)).to.deep.equal(['nft-approval']);
  });
});
