import { expect } from '@open-wc/testing';
import { COST, failure, hashPin, OTHER, PHRASE, PIN, setup, WRONG } from './setup.ts';

describe('the browser vault', () => {
  it('is made with a PIN, and opens with it after a reload', async () => {
    const { vault, again } = await setup();
    expect(await vault.state()).to.deep.equal({
      exists: false,
      backedUp: false,
      wrongPins: 0,
      lockedUntil: null,
      passkey: false,
      pin: false,
      pinChangedAt: undefined,
    });
    (await vault.create(PIN)).close();
    const later = await again();
    expect(await later.state()).to.include({ exists: true, backedUp: false });
    const unlocked = await later.unlock(PIN);
    expect(await later.phrase(unlocked)).to.have.length(12);
    await later.confirmBackup();
    expect((await vault.state()).backedUp).to.equal(true);
  });

  it('opens at the real cost, with exactly one run of argon2, in a worker', async () => {
    const costs: unknown[] = [];
    const { vault } = await setup({
      cost: COST,
      hashPin: (pin, salt, cost) => {
        costs.push(cost);
        return hashPin(pin, salt, cost);
      },
    });
    (await vault.create(PIN)).close();
    expect(costs.splice(0)).to.deep.equal([{ memory: 64 * 1024, iterations: 3, parallelism: 1 }]);
    (await vault.unlock(PIN)).close();
    expect(costs).to.have.length(1);
    expect(await failure(vault.unlock(WRONG))).to.include({ code: 'pincode.wrong' });
  });

  it('hashes PINs as RFC 9106 says', async () => {
    // The vector of section 5.3 has a secret and associated data, which PINs have not. This one is from phc-winner-argon2's test.c (CC0),
    // version 0x13: argon2id t=2 m=256 KiB p=1, "password", "somesalt".
    const hash = await hashPin('password', new TextEncoder().encode('somesalt'), {
      memory: 256,
      iterations: 2,
      parallelism: 1,
    });
    expect(Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('')).to.equal(
      '9dfeb910e80bad0311fee20f9c0e2b12c17987b4cac90c2ef54d5b3021c68bfe',
    );
  });

  it('makes and changes nothing for a user who went back while the PIN was hashed', async () => {
    const { vault } = await setup();
    const gone = AbortSignal.abort();
    await failure(vault.create(PIN, gone));
    await failure(vault.restore(PHRASE, PIN, gone));
    expect((await vault.state()).exists).to.equal(false);
    (await vault.restore(PHRASE, PIN)).close();
    await failure(vault.changePin(PIN, '9999', gone));
    await failure(vault.restore(PHRASE, '9999', gone));
    (await vault.unlock(PIN)).close();
  });

  it('is created once: a second vault is a conflict, also from two tabs at once', async () => {
    const { vault, again } = await setup();
    const other = await again();
    const made = await Promise.allSettled([vault.create(PIN), other.create('9999')]);
    const refused = made.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []));
    expect(refused).to.deep.equal(['request.conflict']);
    expect(await failure(vault.create(PIN))).to.include({ code: 'request.conflict' });
  });

  it('takes PINs of 4 to 6 digits only', async () => {
    const { vault } = await setup();
    for (const pin of ['', '123', '1234567', '12a4', '12 4', '١٢٣٤', ' 1234', '1234\n'])
      expect(await failure(vault.create(pin)), JSON.stringify(pin)).to.include({ code: 'request.invalid' });
    expect((await vault.state()).exists).to.equal(false);
  });

  it('says when there is none yet', async () => {
    const { vault } = await setup();
    expect(await failure(vault.unlock(PIN))).to.include({ code: 'wallet.secret.not-found' });
    expect((await vault.state()).wrongPins).to.equal(0);
  });

  it('changes its PIN, with the current one', async () => {
    const { vault, runs, clock } = await setup();
    (await vault.create(PIN)).close();
    runs();
    expect(await failure(vault.changePin(WRONG, '55555'))).to.include({ code: 'pincode.wrong' });
    expect(await failure(vault.changePin(PIN, '55'))).to.include({ code: 'request.invalid' });
    runs();
    expect((await vault.state()).pinChangedAt).to.equal(undefined);
    await vault.changePin(PIN, '555555');
    expect(runs()).to.equal(2);
    expect((await vault.state()).pinChangedAt).to.equal(clock.date());
    expect(await failure(vault.unlock(PIN))).to.include({ code: 'pincode.wrong' });
    (await vault.unlock('555555')).close();
    expect((await vault.state()).wrongPins).to.equal(0);
  });

  it('knows its own phrase, without a PIN and without opening', async () => {
    const { vault } = await setup();
    (await vault.restore(PHRASE, PIN)).close();
    expect(await vault.ownsPhrase(PHRASE)).to.equal(true);
    expect(await vault.ownsPhrase(OTHER)).to.equal(false);
    expect(await failure(vault.ownsPhrase('twelve words'))).to.include({ code: 'request.invalid' });
    (await vault.unlock(PIN)).close();
  });

  it('reports what is not backed up: the phrase covers all but imported keys', async () => {
    const { vault } = await setup();
    const unlocked = await vault.create(PIN);
    const own = await vault.createWallet(unlocked, 'ETHEREUM');
    const imported = await vault.importWallet(unlocked, 'ETHEREUM', new Uint8Array(32).fill(7));
    expect([...(await vault.unsaved())]).to.have.deep.members([
      [own.id, 'phrase'],
      [imported.id, 'key'],
    ]);
    await vault.confirmBackup();
    expect([...(await vault.unsaved())]).to.deep.equal([[imported.id, 'key']]);
    await vault.confirmExport(imported.id);
    expect((await vault.unsaved()).size).to.equal(0);
    unlocked.close();
  });

  it('is restored from its phrase in an empty browser, with the same addresses', async () => {
    const first = await setup();
    const unlocked = await first.vault.restore(PHRASE, PIN);
    expect(await first.vault.state()).to.include({ exists: true, backedUp: true });
    expect(await first.vault.phrase(unlocked)).to.deep.equal(PHRASE.split(' '));
    const made = [
      await first.vault.createWallet(unlocked, 'ETHEREUM'),
      await first.vault.createWallet(unlocked, 'ETHEREUM'),
    ];
    const second = await setup();
    const restored = await second.vault.restore(PHRASE.toUpperCase(), '7777');
    expect((await second.vault.createWallet(restored, 'ETHEREUM')).address).to.equal(made[0]!.address);
    expect((await second.vault.createWallet(restored, 'ETHEREUM')).address).to.equal(made[1]!.address);
  });

  it('opens with its own phrase and a new PIN, keeping wallets and links', async () => {
    const { vault, again } = await setup();
    const unlocked = await vault.create(PIN);
    const phrase = (await vault.phrase(unlocked)).join('\n');
    const wallet = await vault.createWallet(unlocked, 'ETHEREUM');
    const key = await unlocked.key(wallet.id);
    await vault.link('https://shop.example', [wallet.id]);
    const later = await again();
    expect(await failure(later.restore(OTHER, '6666'))).to.include({ code: 'request.invalid' });
    (await later.unlock(PIN)).close();
    const open = await later.restore(phrase, '6666');
    expect(await open.key(wallet.id)).to.deep.equal(key);
    expect((await later.linked('https://shop.example')).map(({ id }) => id)).to.deep.equal([wallet.id]);
    expect(await failure(later.unlock(PIN))).to.include({ code: 'pincode.wrong' });
    (await later.unlock('6666')).close();
  });

  it('names the position of a bad word, and never a word, in the error', async () => {
    const { vault } = await setup();
    const error = await failure(vault.restore(PHRASE.replace('sausage', 'sausag'), PIN));
    expect(error['issues']).to.deep.equal([{ path: 'phrase.5', message: 'word 6 is not in the word list' }]);
    expect(JSON.stringify(error['details']) + error.message).not.to.match(/sausag|legal|winner/);
    const swapped = await failure(vault.restore(PHRASE.replace('legal winner', 'winner legal'), PIN));
    expect(swapped.message).to.contain('do not belong together');
    expect((await vault.state()).exists).to.equal(false);
  });

  it('forgets its key when closed', async () => {
    const { vault } = await setup();
    const unlocked = await vault.create(PIN);
    const wallet = await vault.createWallet(unlocked, 'ETHEREUM');
    unlocked.close();
    expect(await failure(unlocked.key(wallet.id))).to.include({ code: 'internal.error' });
    expect(await failure(vault.phrase(unlocked))).to.include({ code: 'internal.error' });
  });

  it('does not open one wallet’s stored key as another’s', async () => {
    const { vault, database } = await setup();
    const unlocked = await vault.create(PIN);
    const a = await vault.createWallet(unlocked, 'ETHEREUM');
    const b = await vault.createWallet(unlocked, 'ETHEREUM');
    const { rawOpen } = await import('./setup.ts');
    const db = await rawOpen(database);
    await new Promise<void>((resolve) => {
      const tx = db.transaction('wallets', 'readwrite');
      const store = tx.objectStore('wallets');
      store.get(a.id).onsuccess = ({ target }) => {
        const from = (target as IDBRequest).result;
        store.get(b.id).onsuccess = (event) => {
          store.put({ ...(event.target as IDBRequest).result, key: from.key });
        };
      };
      tx.oncomplete = () => resolve();
    });
    db.close();
    expect(await failure(unlocked.key(b.id))).to.include({ code: 'wallet.decrypt.internal-error' });
    expect(await failure(unlocked.key('nobody'))).to.include({ code: 'wallet.secret.not-found' });
  });
});
