import { expect } from '@open-wc/testing';
import type { Amount } from '../../../../../src/chains/chain.ts';
import type { CallEffect, Summary, Warning } from '../../../../../src/chains/approval/summary.ts';
import { RECIPIENT, until, world } from '../../world.ts';

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
      [{ kind: 'allow', amount: usdc(1n), unlimited: true, to: RECIPIENT }, ['Lets take', 'Unlimited USDC']],
      [{ kind: 'allow', amount: usdc(0n), to: RECIPIENT }, ['Lets take no more']],
      [
        { kind: 'allow', amount: item, to: RECIPIENT, until: 0n },
        ['1 TICKET #7', 'in this transaction only'],
      ],
      [{ kind: 'allow-all', amount: item, to: RECIPIENT }, ['every TICKET #7, now and later']],
      [{ kind: 'control', contract: CONTRACT, to: RECIPIENT }, ['Gives control', CONTRACT, RECIPIENT]],
      [{ kind: 'foreign-code', contract: SAFE, to: RECIPIENT }, ['Runs code of', RECIPIENT, 'as', SAFE]],
      [{ kind: 'pay', amount: usdc(7_000_000n) }, ['Pays at most', '7 USDC']],
      [{ kind: 'receive', amount: usdc(6_000_000n) }, ['Asks for at least', '6 USDC']],
      [
        { kind: 'pass-on', amount: usdc(0n), share: '0.25 %', to: RECIPIENT },
        ['Passes on', '0.25 % of its USDC'],
      ],
      [{ kind: 'call', contract: CONTRACT, name: 'claim' }, ['Calls', 'claim', CONTRACT]],
    ];
    const text = plain(await drawn({ effects: effects.map(([effect]) => effect) }));
    for (const words of effects.flatMap(([, found]) => found)) expect(text).to.include(plain(words));
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
