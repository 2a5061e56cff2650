import { expect } from '@open-wc/testing';
import type { Summary } from '../../../../src/chains/approval/summary.ts';
import { isNobody, NOBODY } from '../../../../src/chains/contracts/calls.ts';
import { fromEvm } from '../../../../src/chains/tron/address.ts';
import { chain as tron } from '../../../../src/chains/tron/index.ts';
import { payloads } from '../../../../src/chains/tron/payload.ts';
import { fakeTron, FROM, hexText, TO, TOKEN, word } from './fake-tron.ts';
import { fromPage } from '../from-page.ts';

const chain = fromPage(tron, payloads);

const PLAY = fromEvm(`0x${'71'.repeat(20)}`);
const MAX = (1n << 256n) - 1n;

/** `PLAY` is a collection, and every token has an allowance of 40. */
const triggerconstantcontract = ({
  data,
  contract_address: to,
}: {
  data: string;
  contract_address: string;
}) => {
  const answer = data.startsWith('01ffc9a7')
    ? word(data.startsWith('01ffc9a780ac58cd') && to.endsWith('71'.repeat(20)) ? 1 : 0)
    : data.startsWith('dd62ed3e')
      ? word(40)
      : data.startsWith('95d89b41')
        ? `${word(32)}${word(4)}${hexText('PLAY').padEnd(64, '0')}`
        : word(9_000_000);
  return {
    result: { result: true },
    energy_used: 10_000,
    constant_result: [answer],
    transaction: { ret: [{}] },
  };
};
async function summaryOf(to: string, functionName: string, ...inputs: { type: string; value: unknown }[]) {
  return paying(undefined, to, functionName, ...inputs);
}
async function paying(
  value: string | undefined,
  to: string,
  functionName: string,
  ...inputs: { type: string; value: unknown }[]
) {
  const getaccount = ({ address }: { address: string }) =>
    address === FROM ? { address, balance: 100_000_000 } : { address, type: 'Contract' };
  const { node } = fakeTron({ triggerconstantcontract, getaccount });
  const call = { to, functionName, inputs, ...(value !== undefined && { value }) };
  const request = { type: 'CONTRACT_EXECUTION', secretType: 'TRON', walletId: 'w', ...call };
  const known = { used: [TO, TOKEN, PLAY], own: [], reported: [] };
  const draft = await chain.prepare(request, FROM, node, known);
  return { ...(await chain.describe(draft)), rounds: node.rounds };
}
const dangers = ({ warnings }: Summary) => warnings.filter(({ tick }) => tick).map(({ code }) => code);
const shown = ({ amount }: { amount?: { raw: bigint; symbol: string } | undefined }) =>
  `${amount?.raw} ${amount?.symbol}`;
const spender = { type: 'address', value: TO };
const amount = (value: bigint) => ({ type: 'uint256', value: value.toString() });

describe('what an approval of Tron’s calls says', () => {
  it('shows the total with the existing allowance', async () => {
    for (const name of ['increaseApproval', 'increaseAllowance']) {
      const summary = await summaryOf(TOKEN, name, spender, amount(5n));
      expect(summary.kind).to.equal('approval');
      expect(shown(summary)).to.equal('45 USDT');
      expect(summary.to).to.equal(TO);
      expect(summary.rounds <= 2).to.equal(true);
    }
    const unlimited = await summaryOf(TOKEN, 'increaseApproval', spender, amount(MAX - 40n));
    expect(dangers(unlimited)).to.deep.equal(['unlimited-approval']);
    expect(unlimited.warnings[0]!.params!['spender']).to.equal(TO);
  });

  it('adds up what one spender may take of a token', async () => {
    // 9 USDT are held.
    const more = `0x39509351${'11'.repeat(20).padStart(64, '0')}${word(6_000_000)}`;
    const of = async (...calls: string[]) =>
      dangers(await summaryOf(TOKEN, 'multicall', { type: 'bytes[]', value: JSON.stringify(calls) }));
    expect(await of(more)).to.deep.equal([]);
    expect(await of(more, more)).to.include('all-you-hold');
  });

  it('draws an approval of an item as one item, including number 0', async () => {
    const summary = await summaryOf(PLAY, 'approve', spender, amount(0n));
    expect(shown(summary)).to.equal('1 PLAY #0');
    expect(dangers(summary)).to.deep.equal(['nft-approval']);
    const none = await summaryOf(PLAY, 'approve', { type: 'address', value: fromEvm(NOBODY) }, amount(7n));
    expect(dangers(none), 'nobody may take it any more').to.deep.equal([]);
    expect(isNobody(fromEvm(NOBODY))).to.equal(true);
  });

  it('surfaces what inner calls give away, with Tron addresses', async () => {
    const approve = `0x095ea7b3${'11'.repeat(20).padStart(64, '0')}${MAX.toString(16)}`;
    const summary = await summaryOf(TOKEN, 'multicall', {
      type: 'bytes[]',
      value: JSON.stringify([approve]),
    });
    expect(dangers(summary)).to.deep.equal(['unlimited-approval']);
    expect(shown(summary.warnings[0]!)).to.equal(`${MAX} USDT`);
    const other = fromEvm(`0x${'11'.repeat(20)}`);
    expect(summary.warnings[0]!.params).to.deep.equal({ token: TOKEN, spender: other });
    expect(summary.effects).to.deep.equal([
      {
        kind: 'allow',
        amount: { raw: MAX, decimals: 6, symbol: 'USDT', token: TOKEN },
        unlimited: true,
        to: other,
      },
    ]);
    const unreadable = await summaryOf(TOKEN, 'multicall', { type: 'bytes[]', value: '["0xdeadbeef"]' });
    expect(dangers(unreadable)).to.deep.equal(['unknown-call']);
  });

  it('warns of coins that no step uses, which the contract keeps', async () => {
    const none = { type: 'bytes[]', value: '[]' };
    const [warning] = (await paying('5', PLAY, 'multicall', none)).warnings;
    expect([warning!.code, warning!.params]).to.deep.equal(['nothing-back', { address: PLAY }]);
    expect(dangers(await summaryOf(PLAY, 'multicall', none))).to.deep.equal([]);
  });
});
