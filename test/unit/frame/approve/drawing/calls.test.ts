import { expect } from '@open-wc/testing';
import type { Amount } from '../../../../../src/chains/coin.ts';
import type {
  BalanceChange,
  CallEffect,
  Summary,
  Warning,
} from '../../../../../src/chains/approval/summary.ts';
import { deepAll, named } from '../../scene.ts';
import { ether, RECIPIENT, until, world, type World } from '../../world.ts';

const CONTRACT = '0x66a9893cC07D91D95644AEDD05D03f95e1dBA8Af';
const SAFE = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F';
const usdc = (raw: bigint): Amount => ({ raw, decimals: 6, symbol: 'USDC', token: CONTRACT });
const item: Amount = { raw: 1n, decimals: 0, symbol: 'TICKET #7', token: CONTRACT };
const plain = (text: string): string => text.replace(/\s+/g, '');

async function drawn(more: Partial<Summary>): Promise<string> {
  const w = await world();
  w.chain.summary = {
    kind: 'call',
    to: CONTRACT,
    call: { name: 'multicall', arguments: [], data: '0xac9650d8' },
    ...more,
  };
  w.transfer();
  await until(() => w.text().includes('multicall'));
  return w.text();
}
const danger = (code: Warning['code'], params: Record<string, string>, amount?: Amount): Warning => ({
  code,
  level: 'danger',
  tick: true,
  params,
  amount,
});

describe('an approval of a call', () => {
  it('lists what it does, with full amounts and full addresses', async () => {
    const effects: [CallEffect, string[]][] = [
      [
        { kind: 'send', amount: usdc(5_000_000n), to: RECIPIENT, by: SAFE },
        ['Sends', '5 USDC', RECIPIENT, SAFE],
      ],
      [
        { kind: 'allow', amount: usdc(1n), unlimited: true, to: RECIPIENT },
        ['Allows taking', 'Unlimited USDC'],
      ],
      [{ kind: 'allow', amount: usdc(0n), to: RECIPIENT }, ['No longer allows taking']],
      [
        { kind: 'allow', amount: item, to: RECIPIENT, until: 0n },
        ['1 TICKET #7', 'in this transaction only'],
      ],
      [{ kind: 'allow-all', amount: item, to: RECIPIENT }, ['every TICKET #7, now and later']],
      [{ kind: 'control', contract: CONTRACT, to: RECIPIENT }, ['Gives control', CONTRACT, RECIPIENT]],
      [{ kind: 'foreign-code', contract: SAFE, to: RECIPIENT }, ['Runs code of', RECIPIENT, 'as', SAFE]],
      [{ kind: 'pay', amount: usdc(7_000_000n) }, ['Pays at most', '7 USDC']],
      [{ kind: 'receive', amount: usdc(6_000_000n) }, ['Asks for at least', '6 USDC']],
      [{ kind: 'receive', to: RECIPIENT }, ['Asks for something', RECIPIENT]],
      [
        { kind: 'pass-on', amount: usdc(0n), share: '0.25 %', to: RECIPIENT },
        ['Passes on', '0.25 % of its USDC'],
      ],
      [{ kind: 'call', contract: CONTRACT, name: 'claim' }, ['Calls', 'claim', CONTRACT]],
    ];
    const text = plain(await drawn({ effects: effects.map(([effect]) => effect) }));
    for (const words of effects.flatMap(([, found]) => found)) expect(text).to.include(plain(words));
  });

  it('shows what an unlisted token says of its decimals, only beside the smallest units and never in the total', async () => {
    const odd: Amount = {
      raw: 1_500_000n,
      decimals: null,
      claimedDecimals: 6,
      symbol: 'TST',
      token: CONTRACT,
    };
    const [units, claim] = ['1,500,000 smallest units of TST', '1.5 TST, as the token itself says'];
    const effects: CallEffect[] = [
      { kind: 'send', amount: odd, to: RECIPIENT },
      { kind: 'allow', amount: odd, unlimited: true, to: RECIPIENT },
    ];
    const places: Partial<Summary>[] = [
      { kind: 'transfer', amount: odd, to: RECIPIENT, contract: CONTRACT },
      { effects },
      { changes: [{ amount: odd, direction: 'out' }] },
      { parts: [{ kind: 'transfer', amount: odd, to: RECIPIENT, contract: CONTRACT }] },
    ];
    for (const place of places) {
      const text = await drawn(place);
      expect(text).to.include(units);
      expect(text).to.include(claim);
      expect(/Total at most (.*?) PIN/.exec(text)![1]).to.not.include('the token itself');
    }
    for (const amount of [
      { ...odd, claimedDecimals: undefined },
      { ...odd, decimals: 0 },
      { ...odd, raw: 0n },
    ])
      expect(await drawn({ kind: 'transfer', amount, to: RECIPIENT })).to.not.include('the token itself');
  });

  it('words each danger by what it is about, and needs a tick for it', async () => {
    const text = await drawn({
      warnings: [
        danger('unknown-call', { address: CONTRACT }),
        danger('nft-approval', { token: CONTRACT, spender: RECIPIENT }, item),
        danger('control-given', { contract: CONTRACT, address: RECIPIENT }),
        danger('foreign-code', { contract: SAFE, address: RECIPIENT }),
        danger('inner-transfer', { address: RECIPIENT }, usdc(5_000_000n)),
        danger('nothing-back', { address: RECIPIENT }),
      ],
    });
    for (const words of [
      'You cannot read this call',
      'It could move anything this wallet lets it move.',
      'I understand the risk of a call I cannot read',
    ])
      expect(text).to.include(words);
  });

  it('words who else gets something of a trade, and a fee as a caution without a tick', async () => {
    const text = await drawn({
      warnings: [
        danger('swap-recipient', { address: RECIPIENT }),
        danger('no-plain-swap', { name: 'Uniswap V3' }),
        danger('simulation-unavailable', {}),
        { code: 'trade-fee', level: 'caution', params: { address: SAFE, share: '0.25 %' } },
      ],
    });
    for (const words of [
      'Somebody else receives what you buy',
      `It goes to ${RECIPIENT}, which is not one of your wallets.`,
      'This is not one plain swap',
      'It asks Uniswap V3 for something else, or for more.',
      'Balance changes are not known',
      'Fee to 0x71C7…976F, 0.25 %',
      `${SAFE} gets 0.25 % of what this brings.`,
    ])
      expect(text).to.include(words);
    const untried = await drawn({ warnings: [danger('simulation-unavailable', {})] });
    expect(untried).to.include('I understand the risk: nobody knows what this moves');
  });

  const fee: Amount = { raw: 420n * 10n ** 12n, decimals: 18, symbol: 'ETH' };
  const totals: [string, Partial<Summary>, string][] = [
    ['of a router', { amount: usdc(1_000_000_000n), leaving: [usdc(1_000_000_000n)] }, '1,000 USDC'],
    ['of several payments', { leaving: [usdc(5_000_000n), usdc(4_000_000n)] }, '9 USDC'],
    ['of tokens and an item', { leaving: [usdc(5_000_000n), item] }, '5 USDC + #7'],
    [
      'of clauses',
      {
        parts: [
          { kind: 'call', amount: fee, to: CONTRACT, leaving: [usdc(5_000_000n)] },
          { kind: 'transfer', amount: usdc(2_000_000n), to: RECIPIENT, contract: CONTRACT },
        ],
      },
      '7 USDC',
    ],
  ];
  for (const [name, more, total] of totals)
    it(`counts what leaves by the call in the total: ${name}`, async () => {
      const amount = { ...fee, raw: 0n };
      const text = await drawn({ amount, total: fee, ...more });
      expect(text).to.include(`Total at most ${total} + 0.000420 ETH`);
    });

  it('needs the total to be seen again when another amount leaves', async () => {
    const what = async (sum: bigint): Promise<string | undefined> => {
      const w = await world();
      w.chain.summary = { kind: 'call', to: CONTRACT, leaving: [usdc(sum)] };
      w.transfer();
      const total = await until(() => deepAll<HTMLElement>(w.shell, '.sum[data-seen=total]')[0]);
      return total.dataset['what'];
    };
    expect(await what(5_000_000n)).to.not.equal(await what(6_000_000n));
  });

  describe('with balance changes', () => {
    const changes = (direction: 'in' | 'out', count: number): BalanceChange[] =>
      Array.from({ length: count }, (_, i) => ({
        direction,
        amount: { ...usdc(5_000_000n), symbol: `T${i}`, token: `0x${String(i).repeat(40)}` },
      }));
    async function approving(more: Partial<Summary>): Promise<World> {
      const w = await world();
      w.chain.summary = { kind: 'call', to: CONTRACT, ...more };
      w.transfer();
      await until(() => w.text().includes('Balance change'));
      return w;
    }
    const pill = (w: World) => deepAll(w.shell, '.pill')[0]?.textContent?.trim();

    it('needs each that leaves to be seen where the total says less, and none that arrives', async () => {
      const leaves = await approving({ changes: changes('out', 9) });
      await until(() => pill(leaves) === 'Show the amount', 'what was not seen');
      await leaves.clock.pass(300);
      const why = () => deepAll(leaves.shell, '#why')[0]?.textContent;
      await until(() => why() === 'See the amount first', 'the reason');
      await leaves.seen();
      expect(why()).to.equal('Enter your PIN');
      const out = changes('out', 9);
      for (const more of [
        { changes: changes('in', 9) },
        { changes: out, leaving: out.map(({ amount }) => amount) },
        { changes: [{ direction: 'out' as const, amount: ether(2) }, ...changes('in', 8)] },
      ]) {
        const w = await approving(more);
        await until(() => pill(w) === 'Show recipient 1', 'the recipient');
      }
    });

    it('has what leaves before what arrives', async () => {
      const w = await approving({ changes: [...changes('in', 1), ...changes('out', 1)] });
      const rows = deepAll(w.shell, '.delta .figure').map((row) => row.textContent!.trim());
      expect(rows).to.deep.equal(['−5', '+5']);
    });

    it('clears the PIN and says so when a trial turns around', async () => {
      const w = await approving({ changes: changes('in', 1) });
      await w.seen();
      await w.pin();
      w.chain.summary = { ...w.chain.summary, changes: changes('out', 1) };
      await w.clock.pass(20_000);
      await until(() => w.text().includes('The amount changed. Check it and enter your PIN again.'));
      expect(named<HTMLInputElement>(w.shell, 'PIN').value).to.equal('');
      expect(w.text()).to.include('−5');
    });
  });

  it('says which clause a danger is of', async () => {
    const text = await drawn({
      warnings: [
        danger('unlimited-approval', { token: CONTRACT, spender: RECIPIENT, clause: '3' }, usdc(1n)),
        danger('foreign-code', { contract: SAFE, address: RECIPIENT, clause: '2, 4' }),
      ],
    });
    expect(text).to.include('Clause 3: This contract could take all your USDC');
    expect(text).to.include('Clauses 2, 4: Foreign code takes over an account');
  });
});
