import { expect } from '@open-wc/testing';
import { openDatabase, settled, MIGRATIONS } from '../../../src/wallets/database.ts';
import { storedLanguage } from '../../../src/wallets/first-paint.ts';
import { dump, failure, PHRASE, PIN, rawOpen, setup } from './setup.ts';
import v1 from './v1.json' with { type: 'json' };

const restore: (() => void)[] = [];
afterEach(() => {
  for (const undo of restore.splice(0).reverse()) undo();
});

/** Replaces a method of a browser object until the end of the test. */
function stub<T extends object, K extends keyof T>(owner: T, name: K, make: (was: T[K]) => T[K]): void {
  const was = owner[name];
  owner[name] = make(was);
  restore.push(() => {
    owner[name] = was;
  });
}

const names: string[] = [];
const fresh = () => {
  const name = `carabiner-${crypto.randomUUID()}`;
  names.push(name);
  return name;
};
after(() => {
  for (const name of names) indexedDB.deleteDatabase(name);
});

describe('storage', () => {
  it('that is denied is an error that says what to do', async () => {
    for (const name of ['SecurityError', 'UnknownError', 'InvalidStateError']) {
      stub(IDBFactory.prototype, 'open', () => () => {
        throw new DOMException('The user denied permission to access the database.', name);
      });
      const error = await failure(setup());
      expect(error).to.include({ code: 'storage.unavailable' });
      expect(error['details']).to.deep.equal({ reason: 'denied', name });
      expect(error['shortMessage']).to.contain('Allow cookies and site data');
    }
  });

  it('that is full is noticed before anything is created', async () => {
    const { vault, database, runs } = await setup();
    stub(IDBObjectStore.prototype, 'put', () => () => {
      throw new DOMException('', 'QuotaExceededError');
    });
    for (const making of [vault.create(PIN), vault.restore(PHRASE, PIN)]) {
      const error = await failure(making);
      expect(error).to.include({ code: 'storage.unavailable' });
      expect((error['details'] as { reason: string }).reason).to.equal('full');
    }
    expect(runs(), 'not even a PIN was hashed').to.equal(0);
    expect((await dump(database))['vault']).to.deep.equal([]);
  });

  it('that loses what it stored is not trusted', async () => {
    const { vault, database } = await setup();
    stub(
      IDBObjectStore.prototype,
      'get',
      () =>
        function (this: IDBObjectStore) {
          return this.getKey('nothing') as IDBRequest;
        },
    );
    expect(await failure(vault.create(PIN))).to.include({ code: 'storage.unavailable' });
    for (const undo of restore.splice(0).reverse()) undo();
    expect((await dump(database))['vault'], 'the probe is taken away').to.deep.equal([]);
  });

  it('is asked to keep the vault when one is made', async function () {
    // WebKitGTK promises nothing.
    if (!navigator.storage) this.skip();
    let requests = 0;
    stub(navigator.storage, 'persist', () => async () => {
      requests++;
      return false;
    });
    const { vault } = await setup();
    expect(requests).to.equal(0);
    (await vault.create(PIN)).close();
    expect(requests).to.equal(1);
  });

  it('is written through to the disk, every time', async () => {
    const modes: [string, unknown][] = [];
    stub(
      IDBDatabase.prototype,
      'transaction',
      (was) =>
        function (this: IDBDatabase, stores, mode, options) {
          modes.push([mode ?? 'readonly', options?.durability]);
          return was.call(this, stores, mode, options);
        },
    );
    const { vault } = await setup();
    const open = await vault.create(PIN);
    const { id } = await vault.createWallet(open, 'ETHEREUM');
    await vault.journal.put({
      origin: 'https://shop.example',
      requestId: 'request-0001',
      action: 'transfer',
      walletId: id,
      params: {},
      state: 'signed',
      signed: [],
      networkId: 'n',
    });
    const writes = modes.filter(([mode]) => mode === 'readwrite');
    expect(writes.length).to.be.greaterThan(4);
    expect(new Set(writes.map(([, durability]) => durability))).to.deep.equal(new Set(['strict']));
  });

  it('of version 1 opens: PIN, phrase, wallets, links, journal and count are there', async () => {
    const { vault, database, again } = await setup();
    await write(database, v1);
    const later = await again();
    expect(await later.state()).to.include({ exists: true, backedUp: true, wrongPins: 1 });
    const open = await later.unlock('4821');
    const wallets = await later.wallets();
    expect(wallets.map(({ address, alias }) => [address, alias])).to.deep.equal([
      ['0x58A57ed9d8d624cBD12e2C467D34787555bB1b25', 'Ethereum wallet'],
      ['0x4a62316623ad457F02cDC5D997deD67a383EC569', 'Imported'],
    ]);
    expect(await open.key(wallets[1]!.id)).to.deep.equal(new Uint8Array(32).fill(7));
    expect((await later.phrase(open)).join(' ')).to.equal(PHRASE);
    const third = await later.createWallet(open, 'ETHEREUM', 'Third');
    const names = async () => (await later.wallets()).map(({ alias }) => alias);
    expect(await names(), 'by last use').to.deep.equal(['Ethereum wallet', 'Imported', 'Third']);
    await later.move(third.id, -1);
    expect(await names(), 'as the user moved them').to.deep.equal(['Ethereum wallet', 'Third', 'Imported']);
    expect(await later.linked('https://shop.example')).to.have.length(2);
    expect(await later.journal.unsent()).to.have.length(1);
    expect(
      await later.journal.find('https://shop.example', 'request-0001', 'transfer', {
        value: 15n,
        to: '0x00',
      }),
    ).to.include({ state: 'signed' });
    const [sent] = await later.activity.list(wallets[0]!.id);
    expect(sent).to.include({ walletId: wallets[0]!.id }).and.not.have.property('worth');
    const history = await later.history();
    expect(await history.received(wallets[0]!.id), 'it knew of nothing that came').to.deep.equal([]);
    expect(await later.activity.senders(wallets[0]!.id)).to.deep.equal([]);
    expect(await history.coinLooks(wallets[0]!.id)).to.deep.equal([]);
    await history.setNote(wallets[0]!.id, sent!.hash, 'Rent');
    expect([...(await history.notes(wallets[0]!.id))!]).to.deep.equal([[sent!.hash, 'Rent']]);
    (await vault.restore(PHRASE, '9999')).close();
    (await later.unlock('9999')).close();
  });

  it('is migrated step by step, keeping what is there', async () => {
    const name = fresh();
    const old = await openDatabase(name, MIGRATIONS.slice(0, 1));
    await old.write(['links'], (tx) =>
      settled(tx.objectStore('links').put({ origin: 'https://a.example', walletIds: ['x'] })),
    );
    const ran: number[] = [];
    const steps = [
      ...MIGRATIONS,
      (_: IDBDatabase, tx: IDBTransaction) => {
        ran.push(2);
        tx.objectStore('links').createIndex('later', 'origin');
      },
      () => void ran.push(3),
    ];
    const now = await openDatabase(name, steps);
    expect(ran).to.deep.equal([2, 3]);
    const links = await now.read(['links'], (tx) =>
      settled(tx.objectStore('links').index('later').getAll('https://a.example')),
    );
    expect(links).to.deep.equal([{ origin: 'https://a.example', walletIds: ['x'] }]);
    const history = await now.read(['history'], (tx) =>
      settled(tx.objectStore('history').index('walletId').getAll('x')),
    );
    expect(history, 'is there for wallets that had none').to.deep.equal([]);
    await openDatabase(name, steps);
    expect(ran, 'once').to.deep.equal([2, 3]);

    const stale = await failure(old.read(['links'], (tx) => settled(tx.objectStore('links').getAll())));
    expect(stale).to.include({ code: 'storage.unavailable' });
    expect((stale['details'] as { reason: string }).reason).to.equal('newer');
    expect(stale['shortMessage']).to.contain('Reload the page');
  });

  it('whose upgrade fails half-way stays as it was', async () => {
    const name = fresh();
    await openDatabase(name);
    const broken = [
      ...MIGRATIONS,
      (db: IDBDatabase) => {
        db.deleteObjectStore('wallets');
        throw new Error('a bug in a migration');
      },
    ];
    expect((await failure(openDatabase(name, broken))).message).to.equal('a bug in a migration');
    const db = await rawOpen(name);
    expect(db.version).to.equal(MIGRATIONS.length);
    expect([...db.objectStoreNames]).to.include('wallets');
    db.close();
  });

  it('that another tab holds at the old version says to close that tab', async () => {
    const name = fresh();
    await openDatabase(name);
    const stubborn = await rawOpen(name);
    stub(window, 'setTimeout', (was) => ((work: () => void) => was(work, 0)) as typeof setTimeout);
    const error = await failure(openDatabase(name, [...MIGRATIONS, () => undefined]));
    expect(error).to.include({ code: 'storage.unavailable' });
    expect(error['details']).to.deep.equal({ reason: 'blocked' });
    stubborn.close();
  });

  it('that the user deletes while it is open is empty afterwards, and works', async () => {
    const { vault, database } = await setup();
    (await vault.create(PIN)).close();
    await new Promise((resolve) => {
      indexedDB.deleteDatabase(database).onsuccess = resolve;
    });
    expect((await vault.state()).exists).to.equal(false);
    (await vault.create(PIN)).close();
    expect((await vault.state()).exists).to.equal(true);
  });

  it('that was tampered with is reported, not used', async () => {
    const { vault, database } = await setup();
    (await vault.create(PIN)).close();
    await write(database, { vault: [{ key: 'vault', value: { createdAt: 1 } }] });
    expect(await failure(vault.unlock(PIN))).to.include({ code: 'wallet.secret.internal-error' });
    expect(await failure(vault.create(PIN))).to.include({ code: 'wallet.secret.internal-error' });
  });
});

describe('changes', () => {
  it('are announced to every tab', async () => {
    const { vault, again } = await setup();
    const other = await again();
    const heard: string[] = [];
    const both = new Promise<void>((resolve) => {
      const note = (tab: string) => (areas: readonly string[]) => {
        if (!areas.includes('links')) return;
        heard.push(tab);
        if (heard.length === 2) resolve();
      };
      vault.onChange(note('here'));
      other.onChange(note('there'));
    });
    await vault.link('https://shop.example', ['x']);
    await both;
    expect(heard).to.deep.equal(['here', 'there']);
  });

  it('are no longer announced after the undo', async () => {
    const { vault } = await setup();
    let heard = 0;
    const undo = vault.onChange(() => heard++);
    await vault.settings.setTheme('dark');
    undo();
    await vault.settings.setTheme('auto');
    expect(heard).to.equal(1);
  });

  it('keeps the language that its user chose; a wallet of before has none and follows the site', async () => {
    const { vault, database } = await setup();
    expect(vault.settings.language()).to.equal('');
    vault.settings.setLanguage('ar');
    expect(vault.settings.language()).to.equal('ar');
    expect(storedLanguage(database)).to.equal('ar');
  });
});

/** Writes a dump (see v1.json) into a database, replacing rows with the same keys. */
async function write(database: string, rows: object): Promise<void> {
  const decoded = (await decode(rows)) as Record<string, { key: IDBValidKey; value: unknown }[] | string>;
  const db = await rawOpen(database);
  const tx = db.transaction(db.objectStoreNames, 'readwrite');
  for (const [name, all] of Object.entries(decoded)) {
    if (typeof all === 'string') continue;
    const store = tx.objectStore(name);
    for (const { key, value } of all) store.put(value, store.keyPath === null ? key : undefined);
  }
  await new Promise((resolve, reject) => {
    tx.oncomplete = resolve;
    tx.onabort = () => reject(tx.error);
  });
  db.close();
}

async function decode(value: unknown): Promise<unknown> {
  if (Array.isArray(value)) return Promise.all(value.map(decode));
  if (typeof value !== 'object' || value === null) return value;
  const { $bytes, $hmac, $bigint } = value as Record<string, string | undefined>;
  if ($bytes !== undefined) return bytes($bytes);
  if ($bigint !== undefined) return BigInt($bigint);
  if ($hmac !== undefined)
    return crypto.subtle.importKey('raw', bytes($hmac), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  return Object.fromEntries(
    await Promise.all(Object.entries(value).map(async ([name, field]) => [name, await decode(field)])),
  );
}

function bytes(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
