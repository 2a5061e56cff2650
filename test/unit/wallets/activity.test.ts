import { expect } from '@open-wc/testing';
import type { Draft } from '../../../src/chains/terms.ts';
import type { Amount } from '../../../src/chains/coin.ts';
import type { Summary } from '../../../src/chains/approval/summary.ts';
import type { ActivityRecord, Vault } from '../../../src/wallets/types.ts';
import { setup } from './setup.ts';

const amount: Amount = { raw: 1n, decimals: 18, symbol: 'ETH' };
const summary = (to: string | null, contract?: string): Summary => ({
  kind: 'transfer',
  networkName: 'Local',
  amount,
  from: '0xme',
  to,
  contract,
  fee: { expected: amount, maximum: amount },
  total: amount,
  balance: amount,
  warnings: [],
});

const record = (hash: string, more: Partial<ActivityRecord> = {}): ActivityRecord => ({
  hash,
  walletId: 'w',
  secretType: 'ETHEREUM',
  origin: 'https://shop.example',
  at: 1,
  state: 'pending',
  summary: summary('0xto'),
  draft: { secretType: 'ETHEREUM', from: '0xme' } as Draft,
  raw: '0x02',
  ...more,
});

describe('activity', () => {
  let vault: Vault;
  const state = async (hash: string) => (await vault.activity.get(hash))?.state;
  beforeEach(async () => {
    ({ vault } = await setup());
  });

  it('is listed by wallet, newest first, exact amounts included', async () => {
    await vault.activity.put(record('a', { at: 1 }));
    await vault.activity.put(record('b', { at: 3 }));
    await vault.activity.put(record('c', { at: 2, walletId: 'other' }));
    expect((await vault.activity.list('w')).map(({ hash }) => hash)).to.deep.equal(['b', 'a']);
    expect((await vault.activity.get('a'))!.summary.amount.raw).to.equal(1n);
    expect(await vault.activity.get('x')).to.equal(undefined);
  });

  it('knows the addresses a wallet has sent to or called', async () => {
    await vault.activity.put(record('a', { summary: summary('0x1', '0xtoken') }));
    await vault.activity.put(record('b', { summary: summary('0x1') }));
    await vault.activity.put(record('c', { summary: summary(null) }));
    await vault.activity.put(record('d', { walletId: 'other', summary: summary('0x2') }));
    expect(await vault.activity.used('w')).to.deep.equal(['0x1', '0xtoken']);
    expect(await vault.activity.used('new')).to.deep.equal([]);
    const part = { kind: 'transfer' as const, amount, to: '0x3', contract: '0xother' };
    const parts = [{ ...part, to: '0x1' }, part];
    await vault.activity.put(record('e', { walletId: 'v', summary: { ...summary('0x1'), parts } }));
    expect(await vault.activity.used('v')).to.deep.equal(['0x1', '0xother', '0x3']);
  });

  it('drops what is needed to replace a transaction once it is final', async () => {
    await vault.activity.put(record('a'));
    await vault.activity.setState('a', 'unknown');
    expect((await vault.activity.get('a'))!.draft).not.to.equal(undefined);
    await vault.activity.setState('a', 'confirmed');
    expect(await vault.activity.get('a')).not.to.have.property('draft');
    await vault.activity.setState('nobody', 'confirmed');
  });

  it('stays as the network decided, whatever a slower answer says', async () => {
    for (const hash of ['a', 'b']) await vault.activity.put(record(hash));
    await vault.activity.setState('a', 'confirmed');
    await vault.activity.setState('a', 'pending', 'b');
    expect(await vault.activity.get('a')).to.include({ state: 'confirmed', replacedBy: 'b' });
    await vault.activity.setState('b', 'failed');
    await vault.activity.setReceipt('b', { state: 'unknown' });
    expect(await state('b')).to.equal('failed');
    await vault.activity.setState('b', 'confirmed');
    expect(await state('b'), 'a node had it after all').to.equal('confirmed');
    await vault.activity.setState('b', 'failed');
    expect(await state('b'), 'another one did not take it').to.equal('confirmed');
  });

  it('of replaced transactions ends when one of them is in a block', async () => {
    for (const hash of ['a', 'b', 'c', 'd']) await vault.activity.put(record(hash));
    await vault.activity.setState('a', 'pending', 'b');
    await vault.activity.setState('b', 'pending', 'c');
    expect((await vault.activity.get('a'))!.replacedBy).to.equal('b');
    await vault.activity.setState('c', 'confirmed');
    expect([await state('a'), await state('b'), await state('c'), await state('d')]).to.deep.equal([
      'failed',
      'failed',
      'confirmed',
      'pending',
    ]);
  });

  it('of a transaction mined before its replacement ends the replacement', async () => {
    for (const hash of ['a', 'b']) await vault.activity.put(record(hash));
    await vault.activity.setState('a', 'pending', 'b');
    await vault.activity.setState('a', 'confirmed');
    expect([await state('a'), await state('b')]).to.deep.equal(['confirmed', 'failed']);
    await vault.activity.setState('b', 'failed');
    expect(await state('a')).to.equal('confirmed');
  });

  it('keeps a transaction’s fee, and whether it expired', async () => {
    for (const hash of ['a', 'b']) await vault.activity.put(record(hash));
    const arrivals = [{ token: '0x1', from: '0x3', to: '0x2', raw: 3n }];
    await vault.activity.setReceipt('a', { state: 'confirmed', fee: 21n, arrivals });
    expect(await vault.activity.get('a'), 'its logs are not kept').not.to.have.property('arrivals');
    await vault.activity.setReceipt('b', { state: 'failed', expired: true });
    expect((await vault.activity.get('a'))?.fee === 21n).to.equal(true);
    expect((await vault.activity.get('b'))?.expired).to.equal(true);
  });

  it('of an expired transaction leaves its replacement alone', async () => {
    for (const hash of ['a', 'b']) await vault.activity.put(record(hash));
    await vault.activity.setState('a', 'pending', 'b');
    await vault.activity.setReceipt('a', { state: 'failed', expired: true });
    expect([await state('a'), await state('b')]).to.deep.equal(['failed', 'pending']);
  });

  it('that was given up for its replacement leaves the replacement alone', async () => {
    for (const hash of ['a', 'b']) await vault.activity.put(record(hash));
    await vault.activity.setState('a', 'failed', 'b');
    expect([await state('a'), await state('b')]).to.deep.equal(['failed', 'pending']);
  });
});

describe('settings', () => {
  it('remember the theme, readable at once', async () => {
    const { vault, again, database } = await setup();
    expect(vault.settings.theme()).to.equal('auto');
    await vault.settings.setTheme('dark');
    expect(vault.settings.theme()).to.equal('dark');
    expect((await again()).settings.theme()).to.equal('dark');
    localStorage.setItem(`${database}:theme`, 'pink');
    expect(vault.settings.theme()).to.equal('auto');
    localStorage.removeItem(`${database}:theme`);
  });
});
