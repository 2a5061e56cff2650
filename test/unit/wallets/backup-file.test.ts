import { expect } from '@open-wc/testing';
import { Authenticator } from './authenticator.ts';
import v1 from './backup-v1.json' with { type: 'json' };
import { failure, OTHER, PHRASE, PIN, setup } from './setup.ts';

const NEW_PIN = '7391';

/** A vault of two wallets, one of them imported, and its file. */
async function saved(byPasskey = false) {
  const { vault } = await setup();
  const open = byPasskey ? await vault.restoreWithPasskey(PHRASE) : await vault.restore(PHRASE, PIN);
  const own = await vault.createWallet(open, 'ETHEREUM');
  const key = crypto.getRandomValues(new Uint8Array(32));
  const imported = await vault.importWallet(open, 'ETHEREUM', key, 'Savings');
  const keys = [await open.key(own.id), await open.key(imported.id)];
  const { text: file, confirm } = await vault.backUp(open);
  open.close();
  return { vault, file, confirm, wallets: [own, imported], keys };
}

describe('the back-up file', () => {
  it('brings every wallet back in an emptied profile, by the words, with a new PIN', async () => {
    const { file, wallets, keys } = await saved();
    const { vault } = await setup();
    (await vault.restoreFile(file, { phrase: PHRASE, pin: NEW_PIN })).close();
    expect(await vault.wallets()).to.have.deep.members(wallets);
    expect(await failure(vault.unlock(PIN))).to.include({ code: 'pincode.wrong' });
    const open = await vault.unlock(NEW_PIN);
    expect(await Promise.all(wallets.map(({ id }) => open.key(id)))).to.deep.equal(keys);
    expect((await vault.phrase(open)).join(' ')).to.equal(PHRASE);
    expect((await vault.createWallet(open, 'ETHEREUM')).address, 'the next place in the seed').not.to.equal(
      wallets[0]!.address,
    );
    expect((await vault.state()).backedUp).to.equal(true);
  });

  it('brings them back by the passkey, without a word', async () => {
    const authenticator = new Authenticator();
    const unplug = authenticator.plug();
    try {
      const { file, wallets, keys } = await saved(true);
      const { vault } = await setup();
      const open = await vault.restoreFile(file, 'passkey');
      expect(await Promise.all(wallets.map(({ id }) => open.key(id)))).to.deep.equal(keys);
      expect(await vault.state()).to.include({ passkey: true, pin: false });
      authenticator.secret = crypto.getRandomValues(new Uint8Array(32));
      const other = await setup();
      const error = await failure(other.vault.restoreFile(file, 'passkey'));
      expect(error).to.include({ code: 'request.invalid' });
      expect((await other.vault.state()).exists).to.equal(false);
    } finally {
      unplug();
    }
  });

  it('counts as a back-up once the user has it, while the words or the passkey open it', async () => {
    const authenticator = new Authenticator();
    const unplug = authenticator.plug();
    try {
      const { vault } = await setup();
      const open = await vault.createWithPasskey();
      const { id: own } = await vault.createWallet(open, 'ETHEREUM');
      const key = crypto.getRandomValues(new Uint8Array(32));
      const { id: imported } = await vault.importWallet(open, 'ETHEREUM', key);
      const { confirm } = await vault.backUp(open);
      const left = async () => Object.fromEntries(await vault.unsaved());
      expect(await left(), 'only written').to.deep.equal({ [own]: 'phrase', [imported]: 'key' });
      await confirm();
      expect(await left()).to.deep.equal({});
      authenticator.id = crypto.getRandomValues(new Uint8Array(16));
      await vault.addPasskey(open);
      open.close();
      expect(await left(), 'another passkey').to.deep.equal({ [own]: 'phrase', [imported]: 'key' });
      await vault.confirmBackup();
      expect(await left(), 'the words open it').to.deep.equal({});
    } finally {
      unplug();
    }
  });

  it('holds no wallet that was imported after it', async () => {
    const { vault, confirm } = await saved();
    await confirm();
    const open = await vault.unlock(PIN);
    const later = await vault.importWallet(open, 'ETHEREUM', crypto.getRandomValues(new Uint8Array(32)));
    open.close();
    expect(Object.fromEntries(await vault.unsaved())).to.deep.equal({ [later.id]: 'key' });
  });

  it('brings the address book back', async () => {
    const { vault, wallets } = await saved();
    const lena = { secretType: 'ETHEREUM', address: wallets[0]!.address, name: 'Lena' } as const;
    await (await vault.recipientBook()).save(lena);
    const open = await vault.unlock(PIN);
    const { text } = await vault.backUp(open);
    open.close();
    expect(text, 'nobody reads it without the words').not.to.include('Lena');
    const { vault: next } = await setup();
    (await next.restoreFile(text, { phrase: PHRASE, pin: NEW_PIN })).close();
    const [recipient, ...more] = await next.recipients();
    expect(recipient).to.include(lena);
    expect(more).to.deep.equal([]);
  });

  it('of version 0.1.0, which has no address book, brings its wallets back', async () => {
    const { vault } = await setup();
    const by = { phrase: PHRASE, pin: NEW_PIN };
    (await vault.restoreFile(JSON.stringify(v1.file), by)).close();
    const wallets = (await vault.wallets()).map(({ alias, address }) => ({ alias, address }));
    expect(wallets).to.have.deep.members(v1.wallets);
    expect(await vault.recipients()).to.deep.equal([]);
    // What was made as one version does not open as another.
    const { vault: other } = await setup();
    const error = await failure(other.restoreFile(JSON.stringify({ ...v1.file, version: 2 }), by));
    expect(error.message).to.match(/^file: .*damaged/);
  });

  it('shows nobody an address, a name or a PIN’s wrap', async () => {
    const { file, wallets } = await saved();
    for (const { address, alias, id } of wallets)
      for (const text of [address, alias, id]) expect(file).not.to.include(text);
    expect(Object.keys(JSON.parse(file)).sort()).to.deep.equal(['contents', 'format', 'phrase', 'version']);
  });

  it('is refused with other words, changed, newer, or where there is a wallet, and nothing is made', async () => {
    const { file, vault: own } = await saved();
    const by = { phrase: PHRASE, pin: NEW_PIN };
    const parts = JSON.parse(file) as { contents: { data: { bytes: string } }; version: number };
    const { bytes } = parts.contents.data;
    const changed = structuredClone(parts);
    changed.contents.data.bytes = (bytes.startsWith('A') ? 'B' : 'A') + bytes.slice(1);
    const { vault } = await setup();
    const cases: [string, typeof by | 'passkey', RegExp][] = [
      [file, { ...by, phrase: OTHER }, /^phrase: .*another wallet/],
      [JSON.stringify(changed), by, /^file: .*damaged/],
      [JSON.stringify({ ...parts, version: 3 }), by, /^file: .*newer version/],
      ['{}', by, /^file: /],
      ['no JSON', by, /^file: /],
      [file, 'passkey', /^file: .*passkey/],
    ];
    for (const [text, way, message] of cases) {
      const error = await failure(vault.restoreFile(text, way));
      expect(error.message).to.match(message);
      expect((await vault.state()).exists).to.equal(false);
    }
    expect(await failure(own.restoreFile(file, by))).to.include({ code: 'request.conflict' });
  });
});
