import { expect } from '@open-wc/testing';
import { dump, failure, PIN, setup, WRONG } from './setup.ts';

/** An authenticator with one credential and a PRF, as the browser hands its answers over. */
class Authenticator {
  secret = crypto.getRandomValues(new Uint8Array(32));
  id = crypto.getRandomValues(new Uint8Array(16));
  asked: { create: PublicKeyCredentialCreationOptions[]; get: PublicKeyCredentialRequestOptions[] } = {
    create: [],
    get: [],
  };
  /** `late`: says at creation only that it can. `none`: has no PRF. `cancel`: the user closes the prompt. */
  mode: 'at once' | 'late' | 'none' | 'cancel' = 'at once';

  async answer(first: BufferSource, creating: boolean): Promise<Credential> {
    if (this.mode === 'cancel') throw new DOMException('', 'NotAllowedError');
    const key = await crypto.subtle.importKey('raw', this.secret, { name: 'HMAC', hash: 'SHA-256' }, false, [
      'sign',
    ]);
    const result = await crypto.subtle.sign('HMAC', key, first);
    const prf =
      this.mode === 'none'
        ? {}
        : {
            prf: {
              ...(creating && { enabled: true }),
              ...((this.mode === 'at once' || !creating) && { results: { first: result } }),
            },
          };
    return {
      rawId: this.id.slice().buffer,
      response: { getTransports: () => ['internal'] },
      getClientExtensionResults: () => prf,
    } as unknown as Credential;
  }

  plug(): () => void {
    const { create, get } = CredentialsContainer.prototype;
    CredentialsContainer.prototype.create = async (options) => {
      this.asked.create.push(options!.publicKey!);
      return this.answer(options!.publicKey!.extensions!.prf!.eval!.first, true);
    };
    CredentialsContainer.prototype.get = async (options) => {
      this.asked.get.push(options!.publicKey!);
      return this.answer(options!.publicKey!.extensions!.prf!.eval!.first, false);
    };
    return () => Object.assign(CredentialsContainer.prototype, { create, get });
  }
}

describe('a passkey', () => {
  let authenticator: Authenticator;
  let unplug: () => void;
  beforeEach(() => {
    authenticator = new Authenticator();
    unplug = authenticator.plug();
  });
  afterEach(() => unplug());

  it('opens the vault without PIN and without argon2', async () => {
    const { vault, again, runs } = await setup();
    const open = await vault.create(PIN);
    const wallet = await vault.createWallet(open, 'ETHEREUM');
    await vault.addPasskey(open);
    expect(authenticator.asked.create[0]!.authenticatorSelection).to.include({
      userVerification: 'required',
    });
    const later = await again();
    expect((await later.state()).passkey).to.equal(true);
    runs();
    const unlocked = await later.unlockWithPasskey();
    expect(runs()).to.equal(0);
    expect(await unlocked.key(wallet.id)).to.deep.equal(await open.key(wallet.id));
    const [asked] = authenticator.asked.get;
    expect(asked).to.include({ userVerification: 'required' });
    expect(new Uint8Array(asked!.allowCredentials![0]!.id as ArrayBuffer)).to.deep.equal(authenticator.id);
  });

  it('that answers its secret only when asked again is asked again', async () => {
    authenticator.mode = 'late';
    const { vault } = await setup();
    await vault.addPasskey(await vault.create(PIN));
    expect(authenticator.asked.get).to.have.length(1);
    (await vault.unlockWithPasskey()).close();
  });

  it('without PRF is refused, and nothing is kept', async () => {
    authenticator.mode = 'none';
    const { vault } = await setup();
    const error = await failure(vault.addPasskey(await vault.create(PIN)));
    expect(error).to.include({ code: 'wallet.secret.internal-error' });
    expect((await vault.state()).passkey).to.equal(false);
  });

  it('that the user does not use is a rejection', async () => {
    const { vault } = await setup();
    const open = await vault.create(PIN);
    authenticator.mode = 'cancel';
    expect(await failure(vault.addPasskey(open))).to.include({ code: 'user.rejected' });
    expect(await failure(vault.unlockWithPasskey())).to.include({ code: 'wallet.secret.not-found' });
  });

  it('of another authenticator does not open the vault', async () => {
    const { vault } = await setup();
    await vault.addPasskey(await vault.create(PIN));
    authenticator.secret = crypto.getRandomValues(new Uint8Array(32));
    expect(await failure(vault.unlockWithPasskey())).to.include({ code: 'wallet.decrypt.internal-error' });
  });

  it('opens while PINs are locked, and leaves their count', async () => {
    const { vault } = await setup();
    await vault.addPasskey(await vault.create(PIN));
    for (let i = 0; i < 5; i++) await failure(vault.unlock(WRONG));
    (await vault.unlockWithPasskey()).close();
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
    expect(await failure(vault.unlockWithPasskey())).to.include({ code: 'wallet.secret.not-found' });
    (await vault.unlock(PIN)).close();
  });
});
