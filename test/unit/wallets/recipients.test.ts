import { expect } from '@open-wc/testing';
import type { Summary } from '../../../src/chains/approval/summary.ts';
import type { Vault } from '../../../src/wallets/types.ts';
import { openDatabase, settled, MIGRATIONS } from '../../../src/wallets/database.ts';
import { failure, PIN, setup } from './setup.ts';

const ADA = '0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063';
const BOB = '0xa0Bc7A14202670CF9871454aBF75612F20ab9720';

async function withWallet() {
  const made = await setup();
  const unlocked = await made.vault.create(PIN);
  const wallet = await made.vault.createWallet(unlocked, 'ETHEREUM');
  unlocked.close();
  const list = async () => (await made.vault.recipientBook()).list('ETHEREUM', await made.vault.wallets());
  return { ...made, wallet, list };
}

async function pay(
  vault: Vault,
  walletId: string,
  to: string,
  more: Partial<Summary> = {},
  state = 'confirmed',
) {
  const summary = { kind: 'transfer', to, ...more } as Summary;
  const hash = crypto.randomUUID();
  await vault.activity.put({
    hash,
    walletId,
    secretType: 'ETHEREUM',
    origin: 'https://shop.example',
    at: 1000,
    state: state as 'confirmed',
    summary,
    raw: '',
  });
}

describe('the address book', () => {
  it('takes no more than 500, but still renames one of them', async () => {
    const { database, vault } = await withWallet();
    const db = await openDatabase(database);
    await db.write(['recipients'], async (tx) => {
      const store = tx.objectStore('recipients');
      for (let i = 0; i < 500; i++) {
        const key = `0x${String(i).padStart(40, '0')}`;
        await settled(store.put({ secretType: 'ETHEREUM', key, address: key, name: `N ${i}` }));
      }
    });
    const book = await vault.recipientBook();
    const one = { secretType: 'ETHEREUM', address: ADA, name: 'Ada' } as const;
    expect((await failure(book.save(one))).message).to.include('500');
    await book.save({ ...one, address: `0x${'0'.repeat(40)}`, name: 'Ada' });
    expect((await vault.recipients()).map(({ name }) => name)).to.include('Ada');
  });

  it('keeps names by chain, also in another tab, and opens without a PIN', async () => {
    const { vault, again } = await withWallet();
    const book = await vault.recipientBook();
    await book.save({ secretType: 'ETHEREUM', address: ADA, name: 'Ada' });
    await book.save({ secretType: 'VECHAIN', address: ADA, name: 'Ada’s VET' });
    await book.save({ secretType: 'ETHEREUM', address: ADA.toLowerCase(), name: ' Ada L. ' });
    const stored = await (await again()).recipients();
    expect(stored.map(({ secretType, name }) => [secretType, name])).to.deep.equal([
      ['ETHEREUM', 'Ada L.'],
      ['VECHAIN', 'Ada’s VET'],
    ]);
    await book.remove('ETHEREUM', ADA);
    expect(await vault.recipients()).to.have.length(1);
  });

  it('takes no name that could pass for another', async () => {
    const { vault } = await withWallet();
    const book = await vault.recipientBook();
    for (const name of ['', '  ', 'A\u202eda', 'A\u0000', 'x'.repeat(65)]) {
      const error = await failure(book.save({ secretType: 'ETHEREUM', address: ADA, name }));
      expect(error, JSON.stringify(name)).to.include({ code: 'request.invalid' });
    }
    expect(await vault.recipients()).to.deep.equal([]);
  });

  it('counts payments that are in a block, and nothing else', async () => {
    const { vault, wallet, list } = await withWallet();
    await (await vault.recipientBook()).save({ secretType: 'ETHEREUM', address: ADA, name: 'Ada' });
    await pay(vault, wallet.id, ADA.toLowerCase());
    await pay(vault, wallet.id, ADA);
    await pay(vault, wallet.id, ADA, {}, 'pending');
    await pay(vault, wallet.id, BOB, { kind: 'call' });
    expect(await list()).to.deep.equal([
      { address: ADA, name: 'Ada', own: false, times: 2, last: 1000, networks: [undefined] },
      { address: wallet.address, name: 'Main wallet', own: true, times: 0, last: 0, networks: [] },
    ]);
    await pay(vault, wallet.id, BOB);
    expect((await list()).at(-1)).to.deep.equal({
      address: BOB,
      name: '',
      own: false,
      times: 1,
      last: 1000,
      networks: [undefined],
    });
  });

  it('leaves out what is damaged', async () => {
    const { vault, database, list } = await withWallet();
    const db = await openDatabase(database);
    await db.write(['recipients'], (tx) =>
      settled(tx.objectStore('recipients').put({ secretType: 'ETHEREUM', key: 'x', address: 7 })),
    );
    expect((await list()).map(({ name }) => name)).to.deep.equal(['Main wallet']);
    expect(await vault.recipients()).to.have.length(1);
  });

  it('is added to a vault of an older version, which keeps what it has', async () => {
    const name = `carabiner-${crypto.randomUUID()}`;
    const old = await openDatabase(name, MIGRATIONS.slice(0, 3));
    await old.write(['links'], (tx) =>
      settled(tx.objectStore('links').put({ origin: 'https://a.example', walletIds: ['x'] })),
    );
    const now = await openDatabase(name);
    expect(
      await now.read(['recipients'], (tx) => settled(tx.objectStore('recipients').getAll())),
    ).to.deep.equal([]);
    expect(await now.read(['links'], (tx) => settled(tx.objectStore('links').getAll()))).to.have.length(1);
    indexedDB.deleteDatabase(name);
  });
});
