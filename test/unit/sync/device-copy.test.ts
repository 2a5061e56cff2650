import { expect } from '@open-wc/testing';
import { HDKey } from '@scure/bip32';
import { computeAddress } from 'ethers/transaction';
import { hexlify } from 'ethers/utils';
import {
  type Content,
  liveIn,
  merge,
  questionsIn,
  readContent,
  walletKeyOf,
  withEntry,
  withoutEntry,
  writeContent,
} from '../../../src/sync/content.ts';
import { DeviceCopy, restoreCopy } from '../../../src/sync/device-copy.ts';
import { openDatabase, MIGRATIONS } from '../../../src/wallets/database.ts';
import { OpenVault } from '../../../src/wallets/open-vault.ts';
import type { Unlocked } from '../../../src/wallets/types.ts';
import { cheapHash, dump, failure, OTHER, PHRASE, PIN, setup } from '../wallets/setup.ts';

const options = {
  chain: async () => ({
    deriveKey: async (seed: Uint8Array, index: number) =>
      HDKey.fromMasterSeed(seed).derive(`m/44'/60'/0'/0/${index}`).privateKey!,
    address: (key: Uint8Array) => computeAddress(hexlify(key)),
  }),
  hashPin: cheapHash,
  cost: { memory: 8, iterations: 1, parallelism: 1 },
};
const IMPORTED = new Uint8Array(32).fill(7);

/** A browser with a vault of this phrase, and its side of the copy. */
async function browser(phrase = PHRASE) {
  const { vault, database } = await setup();
  const open = await vault.restore(phrase, PIN);
  const copy = new DeviceCopy(await openDatabase(database), options);
  return { vault, database, open, copy, content: () => copy.contentOf(OpenVault.of(open)) };
}

/** An empty browser. */
async function empty() {
  const { vault, database } = await setup();
  return { vault, database, db: await openDatabase(database) };
}

const adopt = (copy: DeviceCopy, open: Unlocked, merged: Content, local: Content) =>
  copy.adopt(OpenVault.of(open), merged, local);

describe('the copy of a vault', () => {
  it('restores an empty browser: wallets, keys, names, recipients, under a vault key of its own', async () => {
    const { vault, open, content } = await browser();
    const own = await vault.createWallet(open, 'ETHEREUM', 'Savings');
    const imported = await vault.importWallet(open, 'ETHEREUM', IMPORTED, 'Old one');
    await vault.makePrimary(imported.id);
    await vault.setArchived(own.id, true);
    const book = await vault.recipientBook();
    await book.save({ secretType: 'ETHEREUM', address: '0xAb', name: 'Ann' });
    const copied = readContent(writeContent(await content()));

    const there = await empty();
    const restored = await restoreCopy(there.db, options, copied, { pin: '7777' });
    restored.close();
    expect(await there.vault.state()).to.include({ exists: true, pin: true, backedUp: true });
    const again = await there.vault.unlock('7777');
    expect((await there.vault.phrase(again)).join(' ')).to.equal(PHRASE);
    const both = async (from: typeof vault) => [
      ...(await from.wallets()),
      ...(await from.wallets({ archived: true })),
    ];
    expect(await both(there.vault)).to.deep.equal(await both(vault));
    expect(await again.key(own.id)).to.deep.equal(await open.key(own.id));
    expect(await again.key(imported.id)).to.deep.equal(IMPORTED);
    expect(await there.vault.recipients()).to.deep.equal(await vault.recipients());
    const next = await new DeviceCopy(there.db, options).contentOf(OpenVault.of(again));
    expect(next.entries, 'nothing counts as changed').to.deep.equal(copied.entries);
  });

  it('says nothing is backed up until the words are confirmed', async () => {
    const { vault, database } = await setup();
    const open = await vault.create(PIN);
    const copy = new DeviceCopy(await openDatabase(database), options);
    const content = await copy.contentOf(OpenVault.of(open));
    const there = await empty();
    (await restoreCopy(there.db, options, content, { pin: PIN })).close();
    expect((await there.vault.state()).backedUp).to.equal(false);
    expect(await failure(restoreCopy(there.db, options, content, { pin: PIN }))).to.include({
      code: 'request.conflict',
    });
  });

  it('stamps what changed, and only that, also after a crash before it was written', async () => {
    const { vault, open, content } = await browser();
    const wallet = await vault.createWallet(open, 'ETHEREUM', 'One');
    const key = walletKeyOf({ ...wallet, network: wallet.network });
    const first = await content();
    expect(await content()).to.deep.equal(first);
    await vault.rename(wallet.id, 'Two');
    const second = await content();
    expect(second.entries[key]!.value!.stamp.counter).to.equal(2);
    await vault.rename(wallet.id, 'One');
    expect((await content()).entries[key]!.value!.stamp.counter).to.equal(3);
    expect(liveIn(merge(second, await content()), 'wallet').get(key)!.alias).to.equal('One');
  });

  it('brings two devices of one seed together, though each made the same wallet', async () => {
    const [a, b] = [await browser(), await browser()];
    const one = await a.vault.createWallet(a.open, 'ETHEREUM', 'Mine');
    const same = await b.vault.createWallet(b.open, 'ETHEREUM', 'Mine, too');
    expect(same.address).to.equal(one.address);
    await a.vault.importWallet(a.open, 'ETHEREUM', IMPORTED, 'Imported');
    const [ca, cb] = [await a.content(), await b.content()];
    const merged = merge(ca, cb);
    const news = await adopt(b.copy, b.open, merged, cb);
    expect(news).to.deep.include({ skipped: [], questions: new Map() });
    expect(news.added).to.have.length(1);
    await adopt(a.copy, a.open, merged, ca);
    const names = async (from: typeof a) => (await from.vault.wallets()).map(({ alias }) => alias).sort();
    expect(await names(a)).to.deep.equal(await names(b));
    expect(
      (await b.vault.wallets()).find(({ id }) => id === same.id),
      'sites know this id',
    ).to.not.equal(undefined);
    expect((await b.vault.wallets()).filter(({ primary }) => primary)).to.have.length(1);
    const [later, latest] = [await a.content(), await b.content()];
    expect(merge(later, latest).entries).to.deep.equal(latest.entries);
  });

  it('keeps a change that the user makes meanwhile', async () => {
    const [a, b] = [await browser(), await browser()];
    const wallet = await a.vault.createWallet(a.open, 'ETHEREUM', 'One');
    await adopt(b.copy, b.open, await a.content(), await b.content());
    await b.vault.rename(wallet.id, 'From B');
    const [ca, cb] = [await a.content(), await b.content()];
    await a.vault.rename(wallet.id, 'Meanwhile');
    await adopt(a.copy, a.open, merge(ca, cb), ca);
    expect((await a.vault.wallet(wallet.id))!.alias).to.equal('Meanwhile');
    expect([...liveIn(merge(await a.content(), cb), 'wallet').values()][0]!.alias).to.equal('Meanwhile');
  });

  it('removes recipients on both devices, and no wallet because it is absent', async () => {
    const [a, b] = [await browser(), await browser()];
    const book = await a.vault.recipientBook();
    await book.save({ secretType: 'ETHEREUM', address: '0xAb', name: 'Ann' });
    await a.vault.createWallet(a.open, 'ETHEREUM');
    await adopt(b.copy, b.open, await a.content(), await b.content());
    expect(await b.vault.recipients()).to.have.length(1);
    await book.remove('ETHEREUM', '0xAb');
    const db = await openDatabase(a.database);
    await db.write(['wallets'], async (tx) => void tx.objectStore('wallets').clear());
    const [ca, cb] = [await a.content(), await b.content()];
    const merged = merge(ca, cb);
    await adopt(b.copy, b.open, merged, cb);
    await adopt(a.copy, a.open, merged, ca);
    expect(await b.vault.recipients()).to.deep.equal([]);
    expect(await a.vault.wallets(), 'came back').to.have.length(1);
  });

  it('asks before an imported key goes, and keeps it meanwhile', async () => {
    const { vault, open, copy, content } = await browser();
    const imported = await vault.importWallet(open, 'ETHEREUM', IMPORTED);
    const local = await content();
    const [key] = [...liveIn(local, 'wallet').keys()];
    const { questions } = await adopt(
      copy,
      open,
      merge(local, withoutEntry(local, key!, 'elsewhere')),
      local,
    );
    expect([...questions.keys()]).to.deep.equal([key]);
    expect(await open.key(imported.id)).to.deep.equal(IMPORTED);
    expect([...questionsIn(await content()).keys()], 'no answer is no edit').to.deep.equal([key]);
  });

  it('leaves alone what this version cannot hold', async () => {
    const { vault, open, copy, content } = await browser();
    const local = await content();
    const strange = {
      id: 'x',
      secretType: 'NEWCHAIN',
      address: 'n1',
      alias: 'New',
      primary: false,
      archived: false,
      index: 0,
      createdAt: 1,
    };
    let merged = withEntry(local, 'wallet NEWCHAIN n1 ', strange, 'q');
    merged = withEntry(
      merged,
      'wallet ETHEREUM 0x01 ',
      { ...strange, id: 'y', secretType: 'ETHEREUM', address: '0x01' },
      'q',
    );
    const { skipped } = await adopt(copy, open, merged, local);
    expect(skipped).to.have.length(2);
    expect(await vault.wallets()).to.deep.equal([]);
    expect((await content()).entries).to.deep.equal(merged.entries);
  });

  it('of another seed is never mixed in', async () => {
    const [a, b] = [await browser(), await browser(OTHER)];
    const before = await dump(b.database);
    const wallets = before['wallets'];
    const error = await failure(adopt(b.copy, b.open, await a.content(), await b.content()));
    expect(error).to.include({ code: 'copy.other-wallet' });
    expect((await dump(b.database))['wallets']).to.deep.equal(wallets);
  });

  it('is stored here only under the vault key', async () => {
    const { vault, open, database, content } = await browser();
    await vault.importWallet(open, 'ETHEREUM', IMPORTED);
    await content();
    const { sync } = await dump(database);
    expect(sync!.map(({ key }) => key)).to.have.members(['base', 'device']);
    const { data } = sync!.find(({ key }) => key === 'base')!.value as { data: Uint8Array };
    for (const secret of [IMPORTED, new Uint8Array(16).fill(0x7f)])
      expect(String(data)).not.to.contain(String(secret));
  });

  it('has its place in a database of an older version, empty at first', async () => {
    const { vault, database } = await setup();
    const name = `${database}-old`;
    const old = await openDatabase(name, MIGRATIONS.slice(0, 5));
    await old.write(
      ['links'],
      async (tx) => void tx.objectStore('links').put({ origin: 'https://a.example', walletIds: [] }),
    );
    await openDatabase(name);
    const stored = await dump(name);
    expect(stored['sync']).to.deep.equal([]);
    expect(stored['links']).to.have.length(1);
    indexedDB.deleteDatabase(name);
    expect(await vault.wallets()).to.deep.equal([]);
  });
});
