import { expect } from '@open-wc/testing';
import * as z from 'zod/mini';
import { Wallet } from '../../../src/api/wallet.ts';
import { speak } from '../../../src/base/languages.ts';
import { frame } from '../../../src/locales/frame.ts';
import { speakEnglish } from '../pseudo.ts';
import { loadChain } from '../../../src/chains/index.ts';
import type { ActivityRecord, HeldWallet, Unlocked, Vault } from '../../../src/wallets/types.ts';
import { dump, failure, PHRASE, PIN, plantTwin, setup, type Setup } from './setup.ts';

const sentBy = ({ id, address }: HeldWallet, hash: string): ActivityRecord => ({
  hash,
  walletId: id,
  secretType: 'ETHEREUM',
  origin: 'https://shop.example',
  at: 1,
  state: 'pending',
  summary: { type: 'x', from: address, to: address } as unknown as ActivityRecord['summary'],
  raw: '0x',
});

describe('wallets in the vault', () => {
  let made: Setup;
  let vault: Vault;
  let unlocked: Unlocked;
  beforeEach(async () => {
    made = await setup();
    vault = made.vault;
    unlocked = await vault.restore(PHRASE, PIN);
  });

  it('have the shape of the API, their own key and a name', async () => {
    const wallet = await vault.createWallet(unlocked, 'ETHEREUM');
    expect(wallet).to.deep.equal({ ...Wallet.parse(wallet), network: undefined, imported: false });
    expect(wallet).to.deep.include({
      walletType: 'BROWSER',
      secretType: 'ETHEREUM',
      createdAt: [2026, 11, 21, 11, 30, 5, 250_000_000],
      archived: false,
      alias: 'Main wallet',
      primary: true,
      hasCustomPin: false,
      status: 'ACTIVE',
    });
    expect(wallet.id).to.match(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(await unlocked.key(wallet.id)).to.have.length(32);
    expect(await vault.wallet(wallet.id)).to.deep.equal(wallet);
    expect(await vault.wallet('nobody')).to.equal(undefined);
  });

  it('of Ethereum are those that BIP-44 gives', async () => {
    const real = await setup({ chain: loadChain });
    const open = await real.vault.restore(
      'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about',
      PIN,
    );
    // m/44'/60'/0'/0/0 and /1 of BIP-39's first vector with an empty passphrase, as ethers and hardware wallets show them.
    expect((await real.vault.createWallet(open, 'ETHEREUM')).address).to.equal(
      '0x9858EfFD232B4033E47d90003D41EC34EcaEda94',
    );
    expect((await real.vault.createWallet(open, 'ETHEREUM')).address).to.equal(
      '0x6Fac4D18c912343BF86fa7049364Dd4E424Ab9C0',
    );
  });

  it('are numbered by name, and one is primary', async () => {
    const [a, b] = [
      await vault.createWallet(unlocked, 'ETHEREUM'),
      await vault.createWallet(unlocked, 'ETHEREUM'),
    ];
    const named = await vault.createWallet(unlocked, 'ETHEREUM', '  Savings ');
    const go = await vault.importWallet(unlocked, 'GOCHAIN', await unlocked.key(a.id));
    expect([a.alias, b.alias, named.alias, go.alias]).to.deep.equal([
      'Main wallet',
      'Wallet 2',
      'Savings',
      'Wallet 4',
    ]);
    expect([a.primary, b.primary, named.primary, go.primary]).to.deep.equal([true, false, false, true]);
    await vault.makePrimary(named.id);
    const now = await vault.wallets({ secretType: 'ETHEREUM' });
    expect(now.map(({ primary }) => primary)).to.deep.equal([true, false, false]);
    expect(now[0]!.id).to.equal(named.id);
    expect((await vault.wallet(go.id))!.primary).to.equal(true);
  });

  it('are listed as the user has moved them, after the primary one and before those made since, whatever is used', async () => {
    const made = ['A', 'B', 'C', 'D'];
    for (const alias of made) await vault.createWallet(unlocked, 'ETHEREUM', alias);
    const other = await vault.createWallet(unlocked, 'VECHAIN', 'Other chain');
    const ids = new Map((await vault.wallets()).map(({ alias, id }) => [alias, id]));
    const order = async () =>
      (await vault.wallets({ secretType: 'ETHEREUM' })).map(({ alias }) => alias).join('');
    const before = await order();
    expect(before[0]).to.equal('A');
    const [, second, third, last] = [...before];
    await vault.move(ids.get(last!)!, -1);
    expect(await order()).to.equal(`A${second}${last}${third}`);
    await vault.move(ids.get(last!)!, -1);
    // There is no place above it but the primary one's, none below the last, and none for the only one of a chain.
    for (const [id, by] of [
      [ids.get(last!)!, -1],
      [ids.get('A')!, 1],
      [ids.get(third!)!, 1],
      [other.id, 1],
    ] as const)
      await vault.move(id, by);
    expect(await order()).to.equal(`A${last}${second}${third}`);
    await vault.createWallet(unlocked, 'ETHEREUM', 'E');
    expect(await order()).to.equal(`A${last}${second}${third}E`);
    await vault.makePrimary(ids.get(third!)!);
    await vault.setLinked('https://shop.example', [...ids.values()]);
    const linked = (await vault.linked('https://shop.example')).filter(
      ({ secretType }) => secretType === 'ETHEREUM',
    );
    expect(linked.map(({ alias }) => alias).join('')).to.equal(`${third}${last}${second}A`);
  });

  it('are named in the user’s language when they are made, and keep that name in another', async () => {
    await speak(['de'], frame);
    try {
      await vault.createWallet(unlocked, 'ETHEREUM');
      await vault.createWallet(unlocked, 'ETHEREUM');
    } finally {
      speakEnglish();
    }
    const third = await vault.createWallet(unlocked, 'ETHEREUM');
    const names = (await vault.wallets()).map(({ alias }) => alias);
    expect(names).to.have.members(['Hauptwallet', 'Wallet 2', 'Wallet 3']);
    expect(third.alias).to.equal('Wallet 3');
  });

  it('are derived at different indexes, also from two tabs at once', async () => {
    const other = await made.again();
    const open = await other.unlock(PIN);
    const all = await Promise.all([
      vault.createWallet(unlocked, 'ETHEREUM'),
      other.createWallet(open, 'ETHEREUM'),
      vault.createWallet(unlocked, 'ETHEREUM'),
      other.createWallet(open, 'ETHEREUM'),
    ]);
    expect(new Set(all.map(({ address }) => address)).size).to.equal(4);
    expect(new Set(all.map(({ alias }) => alias)).size).to.equal(4);
    expect(all.filter(({ primary }) => primary)).to.have.length(1);
  });

  it('can be imported, once', async () => {
    const key = new Uint8Array(32).fill(7);
    const wallet = await vault.importWallet(unlocked, 'ETHEREUM', key, 'Old');
    expect(key[0], 'the caller’s bytes are the caller’s').to.equal(7);
    expect(await unlocked.key(wallet.id)).to.deep.equal(key);
    const again = await failure(vault.importWallet(unlocked, 'ETHEREUM', key));
    expect(again).to.include({ code: 'request.conflict' });
    expect(again['details']).to.deep.equal({ walletId: wallet.id, alias: wallet.alias, archived: false });
  });

  it('of several networks of a chain have each another address: it is theirs on all networks', async () => {
    const [live, test] = [
      { id: 'ethereum', kind: 'mainnet', first: true } as const,
      { id: 'ethereum-sepolia', kind: 'testnet', first: false } as const,
    ];
    const old = await vault.createWallet(unlocked, 'ETHEREUM');
    const second = await vault.createWallet(unlocked, 'ETHEREUM', undefined, live);
    const other = await vault.createWallet(unlocked, 'ETHEREUM', undefined, test);
    expect([old.network, second.network, other.network]).to.deep.equal([undefined, live.id, test.id]);
    expect(new Set([old, second, other].map(({ address }) => address)).size).to.equal(3);
    const key = await unlocked.key(old.id);
    for (const home of [live, test])
      expect(
        await failure(vault.importWallet(unlocked, 'ETHEREUM', key, undefined, home)),
        home.id,
      ).to.include({ code: 'request.conflict' });
    const go = await vault.importWallet(unlocked, 'GOCHAIN', key);
    expect(go.address).to.equal(old.address);
  });

  it('are read once for all questions about one of them', async () => {
    const wallet = await vault.createWallet(unlocked, 'ETHEREUM');
    const { getAll } = IDBObjectStore.prototype;
    let reads = 0;
    IDBObjectStore.prototype.getAll = function (...of) {
      if (this.name === 'wallets') reads++;
      return getAll.apply(this, of);
    };
    try {
      for (let turn = 0; turn < 3; turn++) {
        await vault.activity.list(wallet.id);
        await (await vault.history()).received(wallet.id);
      }
      expect(reads).to.equal(1);
    } finally {
      IDBObjectStore.prototype.getAll = getAll;
    }
    const later = await vault.createWallet(unlocked, 'ETHEREUM');
    await vault.activity.put(sentBy(later, '0xb'));
    expect((await vault.activity.list(later.id)).map(({ hash }) => hash)).to.deep.equal(['0xb']);
  });

  describe('that an older version made for each network, at one address', () => {
    let first: HeldWallet;
    let twin: HeldWallet;
    beforeEach(async () => {
      first = await vault.createWallet(unlocked, 'ETHEREUM');
      twin = await plantTwin(made.database, first.id, { network: 'base', alias: 'Wallet 2' });
      await vault.createWallet(unlocked, 'ETHEREUM', 'Another');
    });

    it('are one wallet, which sites may know by any of its ids', async () => {
      expect((await vault.wallets()).map(({ id, alias }) => [id, alias])).to.deep.equal([
        [first.id, 'Main wallet'],
        [(await vault.wallets())[1]!.id, 'Another'],
      ]);
      await vault.link('https://shop.example', [twin.id]);
      expect(await vault.linked('https://shop.example')).to.have.length(1);
      expect(await vault.wallet(twin.id)).to.include({ address: first.address, network: 'base' });
      expect(await unlocked.key(first.id)).to.have.length(32);
    });

    it('are named, archived and made primary as one', async () => {
      await vault.rename(first.id, 'Savings');
      expect(await vault.wallet(twin.id)).to.include({ alias: 'Savings' });
      await vault.setArchived(first.id, true);
      expect(await vault.wallet(twin.id)).to.include({ archived: true });
      expect((await vault.wallets({ archived: true })).map(({ id }) => id)).to.deep.equal([first.id]);
      await vault.setArchived(first.id, false);
      await vault.makePrimary(first.id);
      expect((await vault.wallets()).map(({ primary }) => primary)).to.deep.equal([true, false]);
      expect(await vault.wallet(twin.id)).to.include({ primary: false });
    });

    it('go on with what came to each of them', async () => {
      const history = await vault.history();
      const came = (id: string, at: number) => ({
        id,
        hash: id,
        from: `0x${id}`,
        amount: { raw: 5n, decimals: 18, symbol: 'ETH' },
        at,
      });
      await history.addReceived(twin.id, { items: [came('a', 1)], cursor: 7 });
      await history.addSignature({ id: 's', walletId: twin.id, origin: 'x', at: 1, kind: 'text' });
      expect(await history.cursor(first.id, 'base')).to.equal(7);
      await history.addReceived(first.id, { items: [came('b', 2)], cursor: 8 }, 'base');
      expect((await history.received(first.id)).map(({ id, network }) => [id, network])).to.deep.equal([
        ['b', 'base'],
        ['a', 'base'],
      ]);
      expect(await vault.activity.senders(first.id)).to.have.members(['0xa', '0xb']);
      expect(await history.signatures(first.id)).to.have.length(1);
    });

    it('have one back-up state, activity and unsent requests', async () => {
      expect([...(await vault.unsaved()).keys()]).to.not.include(twin.id);
      await vault.activity.put(sentBy(twin, '0x01'));
      await vault.activity.put({ ...sentBy(first, '0x02'), network: 'ethereum' });
      expect(
        (await vault.activity.list(first.id)).map(({ hash, network }) => [hash, network]),
      ).to.have.deep.members([
        ['0x01', 'base'],
        ['0x02', 'ethereum'],
      ]);
    });
  });

  it('of Bitcoin and Litecoin have the addresses of their network', async () => {
    const real = await setup({ chain: loadChain });
    const open = await real.vault.restore(PHRASE, PIN);
    const key = new Uint8Array(32).fill(7);
    for (const [secretType, ...forms] of [
      ['BITCOIN', 'bc1q', 'tb1q', 'bcrt1q'],
      ['LITECOIN', 'ltc1q', 'tltc1q', 'rltc1q'],
    ] as const)
      for (const [i, kind] of (['mainnet', 'testnet', 'local'] as const).entries()) {
        const home = { id: kind, kind, first: i === 0 };
        const made = await real.vault.createWallet(open, secretType, undefined, home);
        const imported = await real.vault.importWallet(open, secretType, key, undefined, home);
        for (const { address } of [made, imported])
          expect(address.startsWith(`${forms[i]}`), address).to.equal(true);
      }
    expect(await real.vault.wallets()).to.have.length(12);
  });

  it('skip an index whose key was imported before', async () => {
    const probe = await setup();
    const open = await probe.vault.restore(PHRASE, PIN);
    const [first, second] = [
      await probe.vault.createWallet(open, 'ETHEREUM'),
      await probe.vault.createWallet(open, 'ETHEREUM'),
    ];
    await vault.importWallet(unlocked, 'ETHEREUM', await open.key(first.id));
    expect((await vault.createWallet(unlocked, 'ETHEREUM')).address).to.equal(second.address);
  });

  it('are renamed, but not to nothing and not with hidden characters', async () => {
    const { id } = await vault.createWallet(unlocked, 'ETHEREUM');
    await vault.rename(id, ' Travel ');
    expect((await vault.wallet(id))!.alias).to.equal('Travel');
    for (const bad of ['', '   ', 'a'.repeat(65), 'evil\u202etxt', 'two\nlines'])
      expect(await failure(vault.rename(id, bad)), JSON.stringify(bad)).to.include({
        code: 'request.invalid',
      });
    expect(await failure(vault.rename('nobody', 'x'))).to.include({ code: 'wallet.forbidden' });
  });

  it('leave lists and sites when archived, pass on being primary, and can be brought back', async () => {
    const a = await vault.createWallet(unlocked, 'ETHEREUM');
    await made.clock.pass(1000);
    const b = await vault.createWallet(unlocked, 'ETHEREUM');
    await vault.link('https://shop.example', [a.id, b.id]);
    await vault.setArchived(a.id, true);
    expect((await vault.wallets()).map(({ id, primary }) => [id, primary])).to.deep.equal([[b.id, true]]);
    expect(await vault.wallet(a.id)).to.include({ archived: true, status: 'ARCHIVED', primary: false });
    expect((await vault.wallets({ archived: true })).map(({ id }) => id)).to.deep.equal([a.id]);
    expect((await vault.linked('https://shop.example')).map(({ id }) => id)).to.deep.equal([b.id]);
    expect(await failure(vault.makePrimary(a.id))).to.include({ code: 'wallet.archived' });
    await vault.setArchived(b.id, true);
    expect(await vault.wallets()).to.deep.equal([]);
    await vault.setArchived(a.id, false);
    expect(await vault.wallet(a.id)).to.include({ primary: true, status: 'ACTIVE' });
    expect((await vault.linked('https://shop.example')).map(({ id }) => id)).to.deep.equal([a.id]);
  });

  it('are seen by a site only while linked to it', async () => {
    const [a, b] = [
      await vault.createWallet(unlocked, 'ETHEREUM'),
      await vault.createWallet(unlocked, 'ETHEREUM'),
    ];
    const ids = async (origin: string) => (await vault.linked(origin)).map(({ id }) => id).sort();
    expect(await ids('https://a.example')).to.deep.equal([]);
    await vault.link('https://a.example', [a.id]);
    await vault.link('https://a.example', [a.id, b.id]);
    expect(await ids('https://a.example')).to.deep.equal([a.id, b.id].sort());
    expect(await ids('https://b.example')).to.deep.equal([]);
    await vault.unlink('https://a.example', a.id);
    expect(await ids('https://a.example')).to.deep.equal([b.id]);
    await vault.setLinked('https://a.example', [a.id, 'nobody']);
    expect(await ids('https://a.example')).to.deep.equal([a.id]);
    await vault.setLinked('https://a.example', []);
    expect(await ids('https://a.example')).to.deep.equal([]);
  });

  it('have a site’s networks with their links, one per chain, until none is left', async () => {
    const site = 'https://a.example';
    const [a, b] = [
      await vault.createWallet(unlocked, 'ETHEREUM'),
      await vault.createWallet(unlocked, 'ETHEREUM'),
    ];
    const networks = async () => (await vault.linkNetworks(site)).map(({ id }) => id);
    expect(await networks()).to.deep.equal([]);
    await vault.setLinked(site, [a.id], { secretType: 'ETHEREUM', id: 'base' });
    await vault.setLinked(site, [a.id], { secretType: 'TRON', id: 'nile' });
    await vault.setLinked(site, [a.id], { secretType: 'ETHEREUM', id: 'polygon' });
    expect(await networks()).to.deep.equal(['nile', 'polygon']);
    expect(await vault.linkNetworks('https://b.example')).to.deep.equal([]);
    await vault.setLinked(site, [a.id]);
    await vault.link(site, [b.id]);
    await vault.unlink(site, a.id);
    expect(await networks()).to.deep.equal(['nile', 'polygon']);
    await vault.unlink(site, b.id);
    await vault.link(site, [b.id]);
    expect(await networks()).to.deep.equal([]);
  });

  it('are linked as older and newer versions wrote it', async () => {
    const site = 'https://a.example';
    const { id } = await vault.createWallet(unlocked, 'ETHEREUM');
    const row = async () => (await dump(made.database))['links']?.[0]?.value as Record<string, unknown>;
    await vault.link(site, [id]);
    const since = made.clock.date();
    expect(await row(), 'what 0.1.0 writes, and when').to.deep.equal({
      origin: site,
      walletIds: [id],
      since,
    });
    expect(await vault.linkNetworks(site)).to.deep.equal([]);
    const later = [{ secretType: 'SOLANA', id: 'solana' }];
    await vault.setLinked(site, [id], later[0]);
    expect(await row()).to.deep.equal({ origin: site, walletIds: [id], since, networks: later });
    expect((await vault.linked(site)).map((wallet) => wallet.id)).to.deep.equal([id]);
    // As 0.1.0 reads it.
    const record = z.object({ origin: z.string(), walletIds: z.array(z.string()) });
    expect(record.parse(await row())).to.deep.equal({ origin: site, walletIds: [id] });
  });
});
