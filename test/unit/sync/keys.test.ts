import { expect } from '@open-wc/testing';
import { bytesOf, hexDigits } from '../../../src/base/bytes.ts';
import { OpeningKey, openWith, sealTo } from '../../../src/sync/hpke.ts';
import { isSignedBy, objectId, slotKeys, vaultKeys } from '../../../src/sync/keys.ts';
import hpke from '../../vectors/hpke.vectors.json' with { type: 'json' };
import { failure } from '../wallets/setup.ts';

const RP = 'wallet.example';
const bytes = (digits: string) => bytesOf(`0x${digits}`);
const fill = (byte: number) => new Uint8Array(32).fill(byte);

describe('HPKE', () => {
  for (const vector of hpke.vectors) {
    it('gives the published figures of its suite, both ways', async () => {
      const [info, aad] = [bytes(vector.info), bytes(vector.aad)];
      const sealed = await sealTo(bytes(vector.pkRm), info, aad, bytes(vector.pt), bytes(vector.skEm));
      expect(hexDigits(sealed.enc)).to.equal(vector.enc);
      expect(hexDigits(sealed.ciphertext)).to.equal(vector.ct);
      const key = await OpeningKey.from(bytes(vector.skRm));
      expect(hexDigits(key.publicKey)).to.equal(vector.pkRm);
      const envelope = { enc: bytes(vector.enc), ciphertext: bytes(vector.ct) };
      expect(hexDigits(await openWith(key, info, aad, envelope))).to.equal(vector.pt);
      await failure(openWith(key, aad, aad, envelope));
      await failure(openWith(key, info, info, envelope));
      await failure(openWith(await OpeningKey.from(fill(1)), info, aad, envelope));
    });
  }

  it('refuses points that give the same secret with every key', async () => {
    const key = await OpeningKey.from(fill(1));
    await failure(key.agree(new Uint8Array(32)));
    await failure(sealTo(Uint8Array.of(1, ...new Uint8Array(31)), fill(0), fill(0), fill(0)));
  });

  it('says so in a browser without X25519', async () => {
    const { importKey } = crypto.subtle;
    crypto.subtle.importKey = () => Promise.reject(new DOMException('', 'NotSupportedError'));
    try {
      expect(await failure(OpeningKey.from(fill(1)))).to.include({ code: 'copy.unsupported' });
    } finally {
      crypto.subtle.importKey = importKey;
    }
  });
});

describe('the keys of the copy', () => {
  it('are those that HKDF of Web Cryptography derives, each for its own use', async () => {
    const prf = fill(7);
    const salt = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(RP));
    const base = await crypto.subtle.importKey('raw', prf, 'HKDF', false, ['deriveBits']);
    const derived = async (info: string) =>
      new Uint8Array(
        await crypto.subtle.deriveBits(
          { name: 'HKDF', hash: 'SHA-256', salt, info: new TextEncoder().encode(info) },
          base,
          256,
        ),
      );
    const slot = await slotKeys(prf, RP);
    expect(slot.commitment).to.deep.equal(await derived('slot commit'));
    expect(slot.opening.publicKey).to.deep.equal(
      (await OpeningKey.from(await derived('slot open'))).publicKey,
    );
    const { getPublicKeyAsync } = await import('@noble/ed25519');
    expect(slot.signer.publicKey).to.deep.equal(
      new Uint8Array(await getPublicKeyAsync(await derived('slot sign'))),
    );
    const vault = await vaultKeys(prf, RP);
    expect(vault.commitment).to.deep.equal(await derived('vault commit'));
    expect(vault.signer.publicKey).to.deep.equal(
      new Uint8Array(await getPublicKeyAsync(await derived('vault sign'))),
    );
    const iv = new Uint8Array(12);
    const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, vault.sealing, prf);
    const key = await crypto.subtle.importKey('raw', await derived('vault seal'), 'AES-GCM', false, [
      'decrypt',
    ]);
    expect(new Uint8Array(await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, key, sealed))).to.deep.equal(
      prf,
    );
    expect(prf, 'is its owner’s to overwrite').to.deep.equal(fill(7));
  });

  it('differ by site and by passkey, and take 32 bytes only', async () => {
    const publicKeys = await Promise.all(
      [slotKeys(fill(7), RP), slotKeys(fill(7), 'other.example'), slotKeys(fill(8), RP)].map(async (keys) =>
        hexDigits((await keys).signer.publicKey),
      ),
    );
    expect(new Set(publicKeys).size).to.equal(3);
    expect(await failure(slotKeys(new Uint8Array(16), RP))).to.be.instanceOf(TypeError);
  });

  it('sign what only their public key verifies, until they are closed', async () => {
    const { signer } = await slotKeys(fill(7), RP);
    const message = fill(3);
    const signature = await signer.sign(message);
    expect(await isSignedBy(signer.publicKey, message, signature)).to.equal(true);
    expect(await isSignedBy(signer.publicKey, fill(4), signature)).to.equal(false);
    expect(await isSignedBy(fill(255), message, signature), 'no point').to.equal(false);
    signer.close();
    expect(await isSignedBy(signer.publicKey, message, await signer.sign(message))).to.equal(false);
  });

  it('name an object by kind and owner', () => {
    expect(objectId('slot', fill(1))).to.have.length(32);
    expect(objectId('slot', fill(1))).not.to.deep.equal(objectId('vault', fill(1)));
    expect(objectId('slot', fill(1))).not.to.deep.equal(objectId('slot', fill(2)));
  });
});
