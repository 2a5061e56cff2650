import { expect } from '@open-wc/testing';
import { failure, dump, setup } from './setup.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);
const utf16 = (text: string) => new Uint8Array(Uint16Array.from(text, (c) => c.charCodeAt(0)).buffer);
const hex = (data: Uint8Array) => Array.from(data, (b) => b.toString(16).padStart(2, '0')).join('');

/** The forms in which a secret might be stored, at any offset in base64. */
function spellings(secret: Uint8Array): Uint8Array[] {
  const base64 = [0, 1, 2].map((shift) =>
    btoa(String.fromCharCode(...new Uint8Array(shift), ...secret)).slice(shift && shift + 1, -4),
  );
  const texts = [hex(secret), hex(secret).toUpperCase(), secret.join(','), ...base64];
  texts.push(...base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')));
  return [secret, secret.slice().reverse(), ...texts.flatMap((text) => [utf8(text), utf16(text)])];
}

/** Every string and byte array in a value, as bytes. */
function leaves(value: unknown): Uint8Array[] {
  if (ArrayBuffer.isView(value)) return [new Uint8Array(value.buffer, value.byteOffset, value.byteLength)];
  if (value instanceof ArrayBuffer) return [new Uint8Array(value)];
  if (value instanceof CryptoKey) return [];
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([name, field]) => [utf8(name), ...leaves(field)]);
  return [utf8(String(value))];
}

function contains(hay: Uint8Array, needle: Uint8Array): boolean {
  return hay.some((_, i) => needle.every((byte, j) => hay[i + j] === byte));
}

describe('what is stored', () => {
  const pin = '739164';

  it('holds neither PIN, phrase, seed nor a private key, in any spelling', async () => {
    const { vault, database } = await setup();
    const open = await vault.create(pin);
    const wallet = await vault.createWallet(open, 'ETHEREUM');
    const imported = await vault.importWallet(open, 'ETHEREUM', crypto.getRandomValues(new Uint8Array(32)));
    await failure(vault.unlock('000000'));
    await vault.changePin(pin, '573918');
    const words = await vault.phrase(open);
    const { entropyOf, seedOf } = await import('../../../src/wallets/phrase.ts');
    const entropy = entropyOf(words.join(' '));
    const secrets: Record<string, Uint8Array[]> = {
      pin: [utf8(pin), utf16(pin), utf8('573918'), utf16('573918'), Uint8Array.from(pin, Number)],
      phrase: [utf8(words.slice(0, 2).join(' ')), utf8(words.slice(0, 2).join(',')), utf16(words.join(' '))],
      entropy: spellings(entropy),
      seed: spellings(await seedOf(entropy)),
      key: spellings(await open.key(wallet.id)),
      imported: spellings(await open.key(imported.id)),
    };
    const stored = [...leaves(await dump(database)), ...leaves({ ...localStorage })];
    expect(stored.length).to.be.greaterThan(50);
    expect(stored.some((leaf) => contains(leaf, utf8(wallet.address)))).to.equal(true);
    for (const [name, needles] of Object.entries(secrets))
      for (const needle of needles)
        expect(
          stored.some((leaf) => contains(leaf, needle)),
          name,
        ).to.equal(false);
  });

  it('has a device key that scripts cannot read', async () => {
    const { vault, database } = await setup();
    await vault.create(pin);
    const { vault: rows } = await dump(database);
    const { deviceKey } = rows!.find(({ key }) => key === 'vault')!.value as { deviceKey: CryptoKey };
    expect(deviceKey.extractable).to.equal(false);
    expect(deviceKey.usages).to.deep.equal(['sign']);
    for (const format of ['raw', 'jwk'] as const)
      expect(await failure(crypto.subtle.exportKey(format, deviceKey))).to.include({
        name: 'InvalidAccessError',
      });
  });

  it('opens with no other browser’s device key, though the PIN is right', async () => {
    const a = await setup();
    await a.vault.create(pin);
    const { vault: rows } = await dump(a.database);
    const record = rows!.find(({ key }) => key === 'vault')!.value as { deviceKey: CryptoKey };
    const { rawOpen } = await import('./setup.ts');
    const db = await rawOpen(a.database);
    const deviceKey = await crypto.subtle.generateKey({ name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
    const tx = db.transaction('vault', 'readwrite');
    tx.objectStore('vault').put({ ...record, deviceKey }, 'vault');
    await new Promise((resolve) => {
      tx.oncomplete = resolve;
    });
    db.close();
    expect(await failure(a.vault.unlock(pin))).to.include({ code: 'pincode.wrong' });
  });

  it('is fresh at each sealing: no IV and no salt is reused', async () => {
    const { vault, database } = await setup();
    const open = await vault.create(pin);
    for (let i = 0; i < 5; i++) await vault.createWallet(open, 'ETHEREUM');
    const ivs = leaves(await dump(database))
      .filter(({ length }) => length === 12)
      .map(hex);
    expect(ivs.length).to.be.greaterThan(7);
    const before = (await dump(database))['vault']!.find(({ key }) => key === 'vault')!.value as {
      pin: { salt: Uint8Array };
    };
    await vault.changePin(pin, pin);
    const after = (await dump(database))['vault']!.find(({ key }) => key === 'vault')!.value as typeof before;
    expect(after.pin.salt).not.to.deep.equal(before.pin.salt);
  });
});
