import { expect } from '@open-wc/testing';
import type { Wallet } from '../../../src/api/wallet.ts';
import type { Chain } from '../../../src/chains/chain.ts';
import type { Draft, ParsedSigning } from '../../../src/chains/terms.ts';
import { toBase64Url } from '../../../src/base/base64.ts';
import { RS256 } from '../../../src/wallets/assertion.ts';
import { openDatabase, settled, MIGRATIONS } from '../../../src/wallets/database.ts';
import { COPY_INPUT, copySecretOf, findPasskey, unlockWithPasskey } from '../../../src/wallets/passkey.ts';
import { challengeOf, type Intent } from '../../../src/wallets/passkey-intent.ts';
import { readVault, type VaultRecord } from '../../../src/wallets/records.ts';
import { type Answer, Authenticator } from './authenticator.ts';
import { dump, failure, PHRASE, PIN, rawOpen, setup, WRONG } from './setup.ts';

const OPEN: Intent = {
  action: 'open',
  walletId: '',
  origin: location.origin,
  chain: '',
  requestId: 'request-0001',
  content: null,
};

/** Returns what it was given, in place of a signature. */
const chain = {
  sign: async (draft: Draft) => ({ raw: '0x', hash: JSON.stringify(draft) }),
  signData: async (request: ParsedSigning) => ({ signature: JSON.stringify(request) }),
  exportKey: () => 'the key',
} as unknown as Chain;
const nobody = (): never => {
  throw new Error('The vault asks nobody.');
};

let authenticator: Authenticator;
let unplug: () => void;
beforeEach(() => {
  authenticator = new Authenticator();
  unplug = authenticator.plug();
});
afterEach(() => unplug());

describe('a passkey', () => {
  it('opens the vault without PIN and without argon2', async () => {
    const { vault, again, runs } = await setup();
    const open = await vault.create(PIN);
    const wallet = await vault.createWallet(open, 'ETHEREUM');
    await vault.addPasskey(open);
    expect(authenticator.asked.create[0]!.authenticatorSelection).to.include({
      userVerification: 'required',
    });
    const later = await again();
    expect(await later.state()).to.include({ passkey: true, pin: true });
    runs();
    const unlocked = await later.unlockWithPasskey(OPEN);
    expect(runs()).to.equal(0);
    expect(await unlocked.key(wallet.id)).to.deep.equal(await open.key(wallet.id));
    const [request] = authenticator.asked.get;
    expect(request).to.include({ userVerification: 'required' });
    expect(new Uint8Array(request!.allowCredentials![0]!.id as ArrayBuffer)).to.deep.equal(authenticator.id);
  });

  it('can be found in another browser, has the day in its name, and is made once on a device', async () => {
    const { vault, database } = await setup();
    const open = await vault.createWithPasskey();
    await vault.addPasskey(open);
    const [first, second] = authenticator.asked.create;
    expect(first!.authenticatorSelection).to.include({ residentKey: 'required' });
    expect(first!.user.name).to.equal('Carabiner wallet · 2026-11-21');
    expect(first!.excludeCredentials).to.deep.equal([]);
    expect(second!.excludeCredentials).to.deep.equal([{ type: 'public-key', id: authenticator.id }]);
    expect(second!.user.id).not.to.deep.equal(first!.user.id);
    const { passkey } = await readVault(await openDatabase(database));
    expect(passkey!.discoverable).to.equal(true);
  });

  it('that is not discoverable, as the browser says, opens this browser’s wallet as before', async () => {
    authenticator.discoverable = false;
    const { vault, database } = await setup();
    (await vault.createWithPasskey()).close();
    const { passkey } = await readVault(await openDatabase(database));
    expect(passkey!.discoverable).to.equal(false);
    (await vault.unlockWithPasskey(OPEN)).close();
  });

  it('is taken back when its user has gone back meanwhile, and opens nothing', async () => {
    const { vault } = await setup();
    const gone = AbortSignal.abort();
    await failure(vault.createWithPasskey(gone));
    expect((await vault.state()).exists).to.equal(false);
    const open = await vault.create(PIN);
    await failure(vault.addPasskey(open, gone));
    expect((await vault.state()).passkey).to.equal(false);
    expect(authenticator.dropped).to.have.length(2);
  });

  it('that returns its secret only when asked again is asked again', async () => {
    authenticator.mode = 'late';
    const { vault } = await setup();
    await vault.addPasskey(await vault.create(PIN));
    expect(authenticator.asked.get).to.have.length(1);
    (await vault.unlockWithPasskey(OPEN)).close();
  });

  it('without PRF is refused, nothing is kept, and the password manager is told to forget it', async () => {
    authenticator.mode = 'none';
    const { vault } = await setup();
    const error = await failure(vault.addPasskey(await vault.create(PIN)));
    expect(error).to.include({ code: 'wallet.secret.internal-error' });
    expect((await vault.state()).passkey).to.equal(false);
    expect(authenticator.dropped).to.deep.equal([authenticator.name]);
  });

  it('that the user declines is a rejection', async () => {
    const { vault } = await setup();
    const open = await vault.create(PIN);
    authenticator.mode = 'cancel';
    expect(await failure(vault.addPasskey(open))).to.include({ code: 'user.rejected' });
    expect(await failure(vault.unlockWithPasskey(OPEN))).to.include({ code: 'wallet.secret.not-found' });
  });

  it('of another authenticator does not open the vault', async () => {
    const { vault } = await setup();
    await vault.addPasskey(await vault.create(PIN));
    authenticator.secret = crypto.getRandomValues(new Uint8Array(32));
    expect(await failure(vault.unlockWithPasskey(OPEN))).to.include({
      code: 'wallet.decrypt.internal-error',
    });
  });

  it('opens while PINs are locked, and does not reset their count', async () => {
    const { vault } = await setup();
    await vault.addPasskey(await vault.create(PIN));
    for (let i = 0; i < 5; i++) await failure(vault.unlock(WRONG));
    (await vault.unlockWithPasskey(OPEN)).close();
    expect((await vault.state()).wrongPins).to.equal(5);
    expect(await failure(vault.unlock(PIN))).to.include({ code: 'pincode.locked' });
  });

  it('can be removed, and its secret is not stored', async () => {
    const { vault, database } = await setup();
    await vault.addPasskey(await vault.create(PIN));
    const stored = JSON.stringify(await dump(database), (_, value: unknown) =>
      value instanceof Uint8Array ? [...value] : value,
    );
    expect(stored).to.contain(JSON.stringify([...authenticator.id]));
    expect(stored).not.to.contain(JSON.stringify([...authenticator.secret]).slice(1, -1));
    await vault.removePasskey();
    expect((await vault.state()).passkey).to.equal(false);
    expect(authenticator.dropped).to.deep.equal([authenticator.name]);
    expect(await failure(vault.unlockWithPasskey(OPEN))).to.include({ code: 'wallet.secret.not-found' });
    (await vault.unlock(PIN)).close();
  });
});

describe('the secret of the encrypted copy', () => {
  /** The PRF's output for the constant input, by the authenticator's own key. */
  async function expected(input = COPY_INPUT) {
    const { secret } = authenticator;
    const key = await crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, [
      'sign',
    ]);
    return new Uint8Array(await crypto.subtle.sign('HMAC', key, input));
  }
  const place = { origin: location.origin, rpId: location.hostname, topOrigin: undefined };

  it('comes in the touch that opens the vault, also from a passkey that was made without it', async () => {
    const { vault, database } = await setup();
    (await vault.createWithPasskey()).close();
    const db = await openDatabase(database);
    const open = await unlockWithPasskey(db, OPEN);
    const { bytes, isFresh } = copySecretOf(open)!;
    expect(bytes).to.deep.equal(await expected());
    expect(isFresh).to.equal(false);
    expect(authenticator.asked.get).to.have.length(1);
    expect(JSON.stringify(await dump(database))).not.to.contain(JSON.stringify([...bytes]).slice(1, -1));
    open.close();
    expect(bytes, 'overwritten when it is closed').to.deep.equal(new Uint8Array(32));
    expect(copySecretOf(open)).to.equal(undefined);
  });

  it('comes with a passkey that is made, as one that has not been given twice', async () => {
    const { vault } = await setup();
    const open = await vault.createWithPasskey();
    expect(copySecretOf(open)).to.deep.equal({ bytes: await expected(), isFresh: true });
    open.close();
  });

  it('is not asked for when a request is approved', async () => {
    const { vault } = await setup();
    (await vault.createWithPasskey()).close();
    const open = await vault.unlockWithPasskey({ ...OPEN, action: 'sign' });
    expect(authenticator.asked.get[0]!.extensions!.prf!.eval).to.have.keys(['first']);
    expect(copySecretOf(open)).to.equal(undefined);
    open.close();
  });

  it('is missing from an authenticator that answers one input only, which opens the vault all the same', async () => {
    const { vault } = await setup();
    (await vault.createWithPasskey()).close();
    authenticator.mode = 'first only';
    const open = await vault.unlockWithPasskey(OPEN);
    expect(copySecretOf(open)).to.equal(undefined);
    open.close();
  });

  it('comes from a passkey that a new browser finds, which knows none', async () => {
    const { id, copySecret, salt, secret } = await findPasskey(place);
    expect({ id, copySecret }).to.deep.equal({ id: authenticator.id, copySecret: await expected() });
    expect(secret).to.deep.equal(await expected(salt));
    expect(authenticator.asked.get[0]!.allowCredentials).to.deep.equal([]);
    expect(authenticator.dropped).to.deep.equal([]);
  });

  it('is not taken from an answer for another site, or without verification of the user', async () => {
    authenticator.alter = ({ data }) => (data[0]! ^= 1);
    expect((await failure(findPasskey(place)))['details']).to.include({ check: 'rp' });
    authenticator.alter = ({ data }) => (data[32]! &= ~0x04);
    expect((await failure(findPasskey(place)))['details']).to.include({ check: 'verified' });
  });

  it('is waited for until the user leaves', async () => {
    const leaving = new AbortController();
    authenticator.during = () => new Promise(() => {});
    const answer = failure(findPasskey(place, leaving.signal));
    leaving.abort();
    expect(await answer).to.include({ code: 'user.rejected' });
  });
});

describe('a wallet that was made with a passkey', () => {
  it('has no PIN, and opens', async () => {
    const { vault, again, runs } = await setup();
    const open = await vault.createWithPasskey();
    const wallet = await vault.createWallet(open, 'ETHEREUM');
    const key = await open.key(wallet.id);
    open.close();
    expect(runs()).to.equal(0);
    const later = await again();
    expect(await later.state()).to.include({ exists: true, backedUp: false, passkey: true, pin: false });
    const unlocked = await later.unlockWithPasskey(OPEN);
    expect(await unlocked.key(wallet.id)).to.deep.equal(key);
    expect(await later.phrase(unlocked)).to.have.length(12);
  });

  it('knows no PIN, and counts none', async () => {
    const { vault } = await setup();
    (await vault.createWithPasskey()).close();
    for (let i = 0; i < 6; i++)
      expect(await failure(vault.unlock(PIN))).to.include({ code: 'wallet.secret.not-found' });
    expect(await vault.state()).to.include({ wrongPins: 0, lockedUntil: null });
  });

  it('is not made without PRF: nothing is kept, and a PIN makes it', async () => {
    authenticator.mode = 'none';
    const { vault, database } = await setup();
    const error = await failure(vault.createWithPasskey());
    expect(error).to.include({ code: 'wallet.secret.internal-error' });
    expect(error['details']).to.deep.equal({ reason: 'passkey' });
    expect((await dump(database))['vault']).to.deep.equal([]);
    expect(authenticator.dropped).to.deep.equal([authenticator.name]);
    (await vault.create(PIN)).close();
    expect(await vault.state()).to.include({ exists: true, passkey: false, pin: true });
  });

  it('is not created if the user rejects', async () => {
    authenticator.mode = 'cancel';
    const { vault } = await setup();
    expect(await failure(vault.createWithPasskey())).to.include({ code: 'user.rejected' });
    expect((await vault.state()).exists).to.equal(false);
  });

  it('does not replace another, whose passkey stays', async () => {
    const { vault } = await setup();
    (await vault.create(PIN)).close();
    expect(await failure(vault.createWithPasskey())).to.include({ code: 'request.conflict' });
    expect(await failure(vault.restoreWithPasskey(PHRASE))).to.include({ code: 'request.conflict' });
    expect(authenticator.asked.create).to.deep.equal([]);
  });

  it('leaves no passkey behind when another tab was faster', async () => {
    const { vault, again } = await setup();
    const other = await again();
    authenticator.mode = 'late';
    authenticator.during = async () => (await other.create(PIN)).close();
    expect(await failure(vault.createWithPasskey())).to.include({ code: 'request.conflict' });
    expect(authenticator.dropped).to.deep.equal([authenticator.name]);
    expect(await vault.state()).to.include({ passkey: false, pin: true });
  });

  it('gets a PIN when the user chooses one, and may lose the passkey then', async () => {
    const { vault } = await setup();
    (await vault.createWithPasskey()).close();
    expect(await failure(vault.removePasskey())).to.include({ code: 'request.conflict' });
    expect(authenticator.dropped).to.deep.equal([]);
    const unlocked = await vault.unlockWithPasskey(OPEN);
    await vault.choosePin(unlocked, PIN);
    expect(await failure(vault.choosePin(unlocked, WRONG))).to.include({ code: 'request.conflict' });
    (await vault.unlock(PIN)).close();
    await vault.removePasskey();
    expect(await vault.state()).to.include({ passkey: false, pin: true });
  });

  it('comes from 12 words, and opens by them with a PIN when the passkey is lost', async () => {
    const { vault } = await setup();
    (await vault.restoreWithPasskey(PHRASE)).close();
    expect(await vault.state()).to.include({ backedUp: true, passkey: true, pin: false });
    (await vault.restore(PHRASE, PIN)).close();
    (await vault.unlock(PIN)).close();
    expect((await vault.state()).passkey).to.equal(true);
  });
});

describe('what a passkey answers is checked before it opens anything:', () => {
  const foreign = { ...OPEN, requestId: 'request-0002' };
  const wrong: Record<string, { check: string; make: (answer: Answer) => unknown }> = {
    'a registration in place of an assertion': {
      check: 'type',
      make: ({ client }) => (client['type'] = 'webauthn.create'),
    },
    'client data that is no JSON': { check: 'type', make: (answer) => (answer.text = '{') },
    'client data that is no object': { check: 'type', make: (answer) => (answer.text = 'null') },
    'a challenge of another request': {
      check: 'challenge',
      make: ({ client }) => (client['challenge'] = 'AAAA'),
    },
    'no challenge': { check: 'challenge', make: ({ client }) => delete client['challenge'] },
    'another origin': { check: 'origin', make: ({ client }) => (client['origin'] = 'https://evil.example') },
    'a page around that is not there': { check: 'top', make: ({ client }) => (client['crossOrigin'] = true) },
    'the name of a page around that is not there': {
      check: 'top',
      make: ({ client }) => (client['topOrigin'] = 'https://evil.example'),
    },
    'another relying party': { check: 'rp', make: ({ data }) => (data[0]! ^= 1) },
    'nobody present': { check: 'present', make: ({ data }) => (data[32]! &= ~0x01) },
    'nobody verified': { check: 'verified', make: ({ data }) => (data[32]! &= ~0x04) },
    'another credential': { check: 'id', make: ({ id }) => (id[0]! ^= 1) },
  };
  for (const [name, { check, make }] of Object.entries(wrong))
    it(name, async () => {
      const { vault } = await setup();
      (await vault.createWithPasskey()).close();
      authenticator.alter = make;
      const error = await failure(vault.unlockWithPasskey(OPEN));
      expect(error).to.include({ code: 'wallet.secret.internal-error' });
      expect(error['details']).to.deep.equal({ reason: 'passkey', check });
      authenticator.alter = () => {};
      (await vault.unlockWithPasskey(OPEN)).close();
    });

  for (const [name, alg] of [
    ['ES256', -7],
    ['RS256', RS256],
  ] as const) {
    it(`a signature of another key, ${name}`, async () => {
      authenticator.alg = alg;
      const { vault } = await setup();
      (await vault.createWithPasskey()).close();
      (await vault.unlockWithPasskey(OPEN)).close();
      authenticator.signsWithAnother = true;
      expect((await failure(vault.unlockWithPasskey(OPEN)))['details']).to.deep.equal({
        reason: 'passkey',
        check: 'signature',
      });
    });

    it(`a signature with a byte changed, ${name}`, async () => {
      authenticator.alg = alg;
      const { vault } = await setup();
      (await vault.createWithPasskey()).close();
      authenticator.spoil = (signature) => signature.with(-1, signature.at(-1)! ^ 1);
      expect((await failure(vault.unlockWithPasskey(OPEN)))['details']).to.include({ check: 'signature' });
    });
  }

  it('a signature that is not DER, or goes on after its end', async () => {
    const { vault } = await setup();
    (await vault.createWithPasskey()).close();
    const broken: ((signature: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>)[] = [
      () => new Uint8Array(),
      () => new Uint8Array(64).fill(1),
      (der) => new Uint8Array([...der, 0]),
      (der) => new Uint8Array([...der, 0]).with(1, der[1]! + 1),
      (der) => der.with(1, der[1]! + 1),
      (der) => der.with(3, 127),
      (der) => der.with(2, 3),
    ];
    for (const spoil of broken) {
      authenticator.spoil = spoil;
      expect((await failure(vault.unlockWithPasskey(OPEN)))['details']).to.include({ check: 'signature' });
    }
  });

  it('a replayed answer to an older challenge', async () => {
    const { vault } = await setup();
    (await vault.createWithPasskey()).close();
    const before = toBase64Url(await challengeOf(foreign));
    authenticator.alter = ({ client }) => (client['challenge'] = before);
    expect((await failure(vault.unlockWithPasskey(OPEN)))['details']).to.include({ check: 'challenge' });
    (await vault.unlockWithPasskey(foreign)).close();
  });

  it('a challenge that was changed in flight', async () => {
    const { vault } = await setup();
    (await vault.createWithPasskey()).close();
    authenticator.during = ({ challenge }) => void ((challenge as Uint8Array)[0]! ^= 1);
    expect((await failure(vault.unlockWithPasskey(OPEN)))['details']).to.include({ check: 'challenge' });
  });

  it('in a dialog of a page: the page around', async () => {
    const place = { rpId: location.hostname, origin: location.origin, topOrigin: 'https://shop.example' };
    const { vault } = await setup({ place });
    (await vault.createWithPasskey()).close();
    const answers: [Record<string, unknown>, boolean][] = [
      [{ crossOrigin: true, topOrigin: 'https://shop.example' }, true],
      // Browsers that do not report `topOrigin`.
      [{ crossOrigin: true }, true],
      [{ crossOrigin: true, topOrigin: 'https://evil.example' }, false],
      [{ crossOrigin: false }, false],
      [{ crossOrigin: undefined }, false],
    ];
    for (const [client, fits] of answers) {
      authenticator.alter = (answer) => Object.assign(answer.client, client);
      const opening = vault.unlockWithPasskey(OPEN);
      if (fits) (await opening).close();
      else expect((await failure(opening))['details']).to.include({ check: 'top' });
    }
  });
});

describe('a vault that a passkey opened', () => {
  const draft = () => ({ to: '0x00', data: new Uint8Array([1, 2]), value: 1n }) as unknown as Draft;
  const intent: Omit<Intent, 'content' | 'action'> = {
    walletId: '',
    origin: 'https://shop.example',
    chain: 'ETHEREUM mainnet 1',
    requestId: 'request-0001',
  };

  async function opened(action: Intent['action'], content: unknown) {
    const { vault } = await setup();
    const made = await vault.createWithPasskey();
    const wallet: Wallet = await vault.createWallet(made, 'ETHEREUM');
    const other: Wallet = await vault.createWallet(made, 'ETHEREUM');
    const open = await vault.unlockWithPasskey({ ...intent, action, walletId: wallet.id, content });
    return { open, wallet, other };
  }
  const REFUSED = { reason: 'passkey', check: 'content' };

  it('signs the draft that was approved', async () => {
    // Not the same object: the content counts.
    const { open, wallet } = await opened('send', draft());
    const signed = await open.sign(
      wallet,
      { ...chain, sign: async () => ({ raw: '0x01', hash: '0x02' }) },
      draft(),
      nobody,
    );
    expect(signed).to.deep.equal({ raw: '0x01', hash: '0x02' });
  });

  it('does not sign a draft with a byte changed meanwhile', async () => {
    const frozen = draft();
    const { open, wallet } = await opened('send', frozen);
    (frozen as unknown as { data: Uint8Array }).data[1] = 3;
    expect((await failure(open.sign(wallet, chain, frozen, nobody)))['details']).to.deep.equal(REFUSED);
  });

  it('does not sign for another wallet, or anything else than it was opened for', async () => {
    const { open, wallet, other } = await opened('send', draft());
    const request = { type: 'ETHEREUM_RAW', walletId: wallet.id, data: '0x00' } as unknown as ParsedSigning;
    for (const refused of [
      open.sign(other, chain, draft(), nobody),
      open.signData(wallet, chain, request, { id: 'request-0001' }),
      open.exportKey(wallet, chain, 'mainnet'),
    ])
      expect((await failure(refused))['details']).to.deep.equal(REFUSED);
  });

  it('signs the message that was approved, and no other', async () => {
    const request = { type: 'ETHEREUM_RAW', walletId: 'w', data: '0x48656c6c6f' } as unknown as ParsedSigning;
    const { open, wallet } = await opened('sign', request);
    expect(await open.signData(wallet, chain, { ...request }, { id: 'request-0001' })).to.have.property(
      'signature',
    );
    const changed = { ...request, data: '0x48656c6c6e' } as unknown as ParsedSigning;
    expect(
      (await failure(open.signData(wallet, chain, changed, { id: 'request-0001' })))['details'],
    ).to.deep.equal(REFUSED);
  });

  it('exports the key only if that was approved', async () => {
    const { open, wallet } = await opened('export', null);
    expect(await open.exportKey(wallet, chain, 'mainnet')).to.equal('the key');
    const lists = await opened('open', null);
    expect((await failure(lists.open.exportKey(lists.wallet, chain, 'mainnet')))['details']).to.deep.equal(
      REFUSED,
    );
  });
});

describe('a passkey that version 0.1.0 made', () => {
  /** With the database and record of that version: schema version 2, without a public key. */
  async function old() {
    const made = await setup();
    const open = await made.vault.create(PIN);
    await made.vault.addPasskey(open);
    const rows = (await dump(made.database))['vault']!;
    const record = rows.find(({ key }) => key === 'vault')!.value as VaultRecord;
    delete record.passkey!.publicKey;
    const later = await setup();
    await new Promise((resolve) => {
      indexedDB.deleteDatabase(later.database).onsuccess = resolve;
    });
    const before = await openDatabase(later.database, MIGRATIONS.slice(0, 2));
    await before.write(['vault'], (tx) => settled(tx.objectStore('vault').put(record, 'vault')));
    return later;
  }

  it('still opens the vault, though its public key is unknown', async () => {
    const { again } = await old();
    authenticator.signsWithAnother = true;
    const vault = await again();
    expect(await vault.state()).to.include({ passkey: true, pin: true });
    (await vault.unlockWithPasskey(OPEN)).close();
    authenticator.alter = ({ client }) => (client['challenge'] = 'AAAA');
    expect((await failure(vault.unlockWithPasskey(OPEN)))['details']).to.include({ check: 'challenge' });
  });

  it('has its signature checked once it is created again', async () => {
    const { again } = await old();
    const vault = await again();
    await vault.removePasskey();
    await vault.addPasskey(await vault.unlock(PIN));
    (await vault.unlockWithPasskey(OPEN)).close();
    authenticator.signsWithAnother = true;
    expect((await failure(vault.unlockWithPasskey(OPEN)))['details']).to.include({ check: 'signature' });
  });

  it('is in a database that its own version no longer opens, once a wallet may have no PIN', async () => {
    const { database } = await setup();
    const db = await rawOpen(database);
    expect(db.version).to.equal(MIGRATIONS.length);
    db.close();
    const error = await failure(openDatabase(database, MIGRATIONS.slice(0, 2)));
    expect(error).to.include({ code: 'storage.unavailable' });
  });
});
