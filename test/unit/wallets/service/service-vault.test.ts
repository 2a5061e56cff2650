import { expect } from '@open-wc/testing';
import type { PasskeyAnswer } from '../../../../src/api/passkey.ts';
import { fromBase64Url, toBase64Url } from '../../../../src/base/base64.ts';
import type { Asking, HeldWallet, Signer, Vault } from '../../../../src/wallets/types.ts';
import type { Chain } from '../../../../src/chains/chain.ts';
import type { Draft, ParsedSigning } from '../../../../src/chains/terms.ts';
import type { Intent } from '../../../../src/wallets/passkey-intent.ts';
import { withService } from '../../../../src/wallets/service/with-service.ts';
import { Authenticator } from '../authenticator.ts';
import { dump, failure, PIN, setup, type Setup } from '../setup.ts';
import { CODE, FakeService, NEXT_CODE, serviceWallet, URL_OF_SERVICE } from './fake-service.ts';

const SITE = 'https://shop.example';
const DRAFT = { secretType: 'ETHEREUM', from: '0x5', nonce: 3, value: 10n ** 21n } as unknown as Draft;

const asking = (calls: string[] = []): Asking => ({
  id: 'request-1',
  begin: async (draft) => void calls.push(`begin ${draft}`),
  drop: async () => void calls.push('drop'),
  lost: async () => void calls.push('lost'),
});

describe('the vault with the wallet service', () => {
  let made: Setup;
  let service: FakeService;
  let vault: Vault;
  const open = (): Promise<Vault> =>
    withService(made.vault, {
      url: URL_OF_SERVICE,
      origin: SITE,
      accessToken: service.accessToken,
      fetch: service.fetch,
      database: made.database,
      pauses: [0],
    });
  beforeEach(async () => {
    made = await setup();
    service = new FakeService();
    service.wallets = [serviceWallet('theirs'), serviceWallet('first', { primary: true })];
    service.links.add('theirs');
    service.pin = PIN;
    const unlocked = await made.vault.create(PIN);
    await made.vault.createWallet(unlocked, 'ETHEREUM', 'Mine');
    unlocked.close();
    vault = await open();
    await enrol();
    service.calls.length = service.tokens.length = 0;
    vault = await open();
  });
  const enrol = (): Promise<void> => vault.service!.enrol(PIN, CODE);

  it('has the wallets of both, the browser’s first', async () => {
    expect((await vault.wallets()).map(({ alias }) => alias)).to.deep.equal(['Mine', 'first', 'theirs']);
    expect((await vault.linked(SITE)).map(({ id }) => id)).to.deep.equal(['theirs']);
    expect((await vault.linked(SITE, true, 'first')).length).to.equal(0);
    expect((await vault.wallet('first'))?.walletType).to.equal('THREEWAY_SHARED');
    expect(service.to('/api/wallets')).to.have.length(1);
  });

  it('has all 2,500 wallets of a user, however many pages they take', async () => {
    for (let n = 0; n < 2498; n++) service.wallets.push(serviceWallet(`many-${n}`));
    await vault.service!.reload();
    expect((await vault.wallets()).length).to.equal(2501);
    expect(service.to('/api/wallets')).to.have.length(3);
  });

  it('has one primary wallet in a list: the browser’s, until the user chooses one of the service', async () => {
    const primary = async () =>
      (await vault.wallets()).filter((wallet) => wallet.primary).map(({ alias }) => alias);
    await vault.setLinked(SITE, ['first']);
    expect(await primary()).to.deep.equal(['Mine']);
    expect((await vault.linked(SITE)).map((wallet) => wallet.primary)).to.deep.equal([false]);
    await vault.makePrimary('first');
    expect(await primary()).to.deep.equal(['first']);
    expect((await vault.linked(SITE)).map((wallet) => wallet.primary)).to.deep.equal([true]);
    const mine = (await vault.wallets()).find(({ alias }) => alias === 'Mine');
    await vault.makePrimary(mine!.id);
    expect(await primary()).to.deep.equal(['Mine']);
  });

  it('keeps consent for its wallets at the service, and for the browser’s in the browser', async () => {
    const [mine] = await made.vault.wallets();
    await vault.setLinked(SITE, [mine!.id, 'first']);
    expect([...service.links]).to.deep.equal(['first']);
    expect((await made.vault.linked(SITE)).map(({ id }) => id)).to.deep.equal([mine!.id]);
    await vault.link(SITE, ['theirs']);
    await vault.unlink(SITE, 'first');
    expect([...service.links]).to.deep.equal(['theirs']);
    expect((await vault.linked(SITE)).map(({ id }) => id)).to.deep.equal([mine!.id, 'theirs']);
  });

  it('remembers a site’s network for its wallets, too, as long as one of them is linked', async () => {
    const base = { secretType: 'ETHEREUM', id: 'base' };
    await vault.setLinked(SITE, ['first', 'theirs'], base);
    await vault.unlink(SITE, 'first');
    expect(await vault.linkNetworks(SITE)).to.deep.equal([base]);
    expect((await vault.linked(SITE)).map(({ id }) => id)).to.deep.equal(['theirs']);
    await vault.unlink(SITE, 'theirs');
    expect(await vault.linkNetworks(SITE)).to.deep.equal([]);
  });

  it('does not treat service wallets as the user’s own before the device is enrolled', async () => {
    service.devices.clear();
    vault = await open();
    expect((await vault.wallets()).map(({ alias }) => alias)).to.deep.equal(['Mine']);
    expect((await vault.wallets({ now: true })).map(({ alias }) => alias)).to.deep.equal(['Mine']);
    expect(await vault.linked(SITE)).to.have.length(0);
    expect(await vault.linked(SITE, true, 'theirs')).to.have.length(0);
    expect((await vault.service!.elsewhere()).map(({ id }) => id)).to.have.members(['theirs', 'first']);
    const [mine] = await made.vault.wallets();
    await vault.setLinked(SITE, [mine!.id]);
    expect([...service.links]).to.deep.equal(['theirs'], 'what is not seen here is not unlinked');
    await enrol();
    expect((await vault.linked(SITE)).map(({ alias }) => alias)).to.deep.equal(['Mine', 'theirs']);
    expect(await vault.service!.elsewhere()).to.have.length(0);
  });

  it('changes no consent for a device that was removed meanwhile', async () => {
    await vault.wallets();
    service.devices.clear();
    const [mine] = await made.vault.wallets();
    expect((await failure(vault.setLinked(SITE, [mine!.id])))['code']).to.equal('device.unknown');
    expect(await made.vault.linked(SITE)).to.have.length(0);
    expect([...service.links]).to.deep.equal(['theirs']);
  });

  it('proves each spending call with one non-extractable key', async () => {
    vault = await open();
    await vault.rename('first', 'Renamed');
    const devices = service.calls.flatMap(({ device }) => device ?? []);
    expect(devices.length).to.be.greaterThan(2);
    expect(new Set(devices).size).to.equal(1);
    expect(service.to('/api/links').every(({ device }) => device)).to.equal(true);
    const kept = (await dump(made.database))['vault']!.find(({ key }) => String(key).startsWith('device'));
    const { privateKey } = kept!.value as CryptoKeyPair;
    expect(privateKey.extractable).to.equal(false);
    expect((await failure(crypto.subtle.exportKey('jwk', privateKey))).name).to.equal('InvalidAccessError');
  });

  it('makes one key when two tabs begin together', async () => {
    const [one, other] = await Promise.all([open(), open()]);
    await Promise.all([one.service!.account(), other.service!.account()]);
    expect(new Set(service.calls.flatMap(({ device }) => device ?? [])).size).to.equal(1);
  });

  it('renews an expired token once, and goes on', async () => {
    await vault.wallets();
    service.expired.add('token-1');
    await vault.service!.reload();
    expect(service.tokens).to.deep.equal([false, true]);
    expect(await vault.service!.trouble()).to.equal(undefined);
    expect((await vault.wallets()).length).to.equal(3);
  });

  it('says that the page has no token, and asks again the next time', async () => {
    let out = true;
    vault = await withService(made.vault, {
      url: URL_OF_SERVICE,
      origin: SITE,
      accessToken: async (expired) => {
        if (out) throw Object.assign(new Error('Signed out'), {});
        return service.accessToken(expired);
      },
      fetch: service.fetch,
      database: made.database,
    });
    expect((await vault.wallets()).map(({ alias }) => alias)).to.deep.equal(['Mine']);
    expect(await vault.service!.trouble()).not.to.equal(undefined);
    out = false;
    await vault.service!.reload();
    expect((await vault.wallets()).length).to.equal(3);
  });

  it('goes on with the browser’s wallets while the service is down', async () => {
    service.down = true;
    expect((await vault.wallets()).map(({ alias }) => alias)).to.deep.equal(['Mine']);
    expect((await vault.service!.trouble())?.code).to.equal('service.unreachable');
    const [mine] = await made.vault.wallets();
    await vault.setLinked(SITE, [mine!.id]);
    await vault.unlink(SITE, mine!.id);
    await vault.setLinked(SITE, [mine!.id]);
    expect((await failure(vault.unlink(SITE, 'theirs')))['code']).to.equal('service.unreachable');
    service.down = false;
    await vault.service!.reload();
    expect((await vault.linked(SITE)).map(({ alias }) => alias)).to.deep.equal(['Mine', 'theirs']);
  });

  it('gives up on a service that never answers', async () => {
    vault = await withService(made.vault, {
      url: URL_OF_SERVICE,
      origin: SITE,
      accessToken: service.accessToken,
      fetch: (_url, init) =>
        new Promise((_, reject) =>
          init!.signal!.addEventListener('abort', () => reject(init!.signal!.reason as Error)),
        ),
      database: made.database,
      readMs: 20,
    });
    expect((await vault.wallets()).length).to.equal(1);
    expect((await vault.service!.trouble())?.code).to.equal('service.unreachable');
  });

  it('has the draft signed by the service, and does not keep the PIN', async () => {
    const [wallet] = await vault.linked(SITE);
    const calls: string[] = [];
    const signer = await vault.holder(wallet!).unlock(PIN);
    const signed = await signer.sign(wallet!, {} as Chain, DRAFT, async () => asking(calls));
    const [call] = service.to('/api/transactions/approved');
    expect(call!.body).to.deep.equal({
      walletId: 'theirs',
      pincode: PIN,
      draft: '{"secretType":"ETHEREUM","from":"0x5","nonce":3,"value":{"$n":"1000000000000000000000"}}',
    });
    expect(call!.key).to.equal('request-1');
    expect(signed!.hash).to.equal([...service.signed.values()][0]!.transactionHash);
    expect(calls).to.deep.equal([`begin ${String(call!.body['draft'])}`]);
    signer.close();
    const late = await failure(signer.sign(wallet!, {} as Chain, DRAFT, async () => asking()));
    expect(late['code']).to.equal('internal.error');
  });

  it('retries under the same key when an answer got lost, and signs once', async () => {
    service.loses['/api/transactions/approved'] = 3;
    const [wallet] = await vault.linked(SITE);
    const calls: string[] = [];
    const signer = await vault.holder(wallet!).unlock(PIN);
    await signer.sign(wallet!, {} as Chain, DRAFT, async () => asking(calls));
    expect(calls.map((call) => call.split(' ')[0])).to.deep.equal(['begin', 'lost', 'lost']);
    expect(service.to('/api/transactions/approved').map(({ key }) => key)).to.deep.equal(
      Array(4).fill('request-1'),
    );
    expect(service.signed.size).to.equal(1);
  });

  it('removes its record when the service refuses', async () => {
    const [wallet] = await vault.linked(SITE);
    const calls: string[] = [];
    const sign = async (pin: string) =>
      (await vault.holder(wallet!).unlock(pin)).sign(wallet!, {} as Chain, DRAFT, async () => asking(calls));
    const wrong = await failure(sign('0000'));
    expect(wrong['code']).to.equal('pincode.wrong');
    expect(wrong['details']).to.deep.include({ attemptsLeft: 4 });
    expect(calls.at(-1)).to.equal('drop');
    service.fails['/api/transactions/approved'] = {
      status: 409,
      code: 'request.conflict',
      details: { reason: 'draft' },
    };
    expect(await sign(PIN)).to.equal(undefined);
    expect(calls.at(-1)).to.equal('drop');
  });

  it('reports a lock that began elsewhere', async () => {
    service.locked = { retryAfter: 900 };
    await vault.service!.reload();
    const [wallet] = await vault.linked(SITE);
    const { lockedUntil, recovery } = await vault.holder(wallet!).state();
    expect(Math.round((lockedUntil! - Date.now()) / 60_000)).to.equal(15);
    expect(recovery).to.deep.equal({});
    expect((await made.vault.state()).lockedUntil).to.equal(null);
  });

  it('accepts an application’s own token: its wallets, nothing to enrol, nothing to create', async () => {
    service.isApplication = true;
    service.wallets = [serviceWallet('app', { walletType: 'WHITE_LABEL', hasCustomPin: true })];
    vault = await open();
    expect(await vault.service!.account()).to.equal(undefined);
    const [, app] = await vault.wallets();
    expect((await vault.holder(app!).state()).enrolled).to.equal(true);
    await vault.link(SITE, ['app']);
    expect((await vault.linked(SITE)).map(({ id }) => id)).to.include('app');
  });
});

describe('an account of the wallet service with a passkey', () => {
  const APPROVED = '/api/transactions/approved';
  let made: Setup;
  let service: FakeService;
  let device: Authenticator;
  let unplug: () => void;
  let vault: Vault;
  let wallet: HeldWallet;
  const open = (): Promise<Vault> =>
    withService(made.vault, {
      url: URL_OF_SERVICE,
      origin: SITE,
      accessToken: service.accessToken,
      fetch: service.fetch,
      database: made.database,
      pauses: [],
    });
  const sign = async (signer: Signer, more: Partial<Asking> = {}, calls: string[] = []) =>
    signer.sign(wallet, {} as Chain, DRAFT, async () => ({ ...asking(calls), ...more }));
  const byPasskey = (): Promise<Signer> => vault.holder(wallet).unlockWithPasskey({} as Intent);

  beforeEach(async () => {
    made = await setup();
    device = new Authenticator();
    unplug = device.plug();
    service = new FakeService();
    service.credentialId = device.name;
    service.wallets = [serviceWallet('theirs', { primary: true })];
    service.links.add('theirs');
    service.pin = PIN;
    vault = await open();
    await vault.service!.enrol(PIN, CODE);
    await vault.service!.addPasskey(PIN);
    [wallet] = (await vault.linked(SITE)) as [HeldWallet];
    service.calls.length = 0;
  });
  afterEach(() => unplug());

  it('approves with the passkey alone, which answers to exactly what is asked', async () => {
    expect(await vault.holder(wallet).state()).to.deep.include({ passkey: true, pin: false });
    expect((await sign(await byPasskey()))!.hash).to.match(/^0x/);
    const [call] = service.to(APPROVED);
    expect(call!.body).to.have.keys(['walletId', 'draft', 'passkey']);
    expect((call!.body['passkey'] as PasskeyAnswer).secret).to.equal(service.secret);
    // Another one of the same kind is asked again.
    const data = { data: '0x01' } as ParsedSigning;
    await (await byPasskey()).signData(wallet, {} as Chain, data, { id: 'request-2', network: 'base' });
    expect(service.calls.at(-1)!.body).to.deep.include({ ...data, network: 'base' });
    expect(await (await byPasskey()).exportKey(wallet, {} as Chain, 'mainnet')).to.equal('0xkey');
    expect(device.asked.get).to.have.length(3);
  });

  it('never sends what the passkey’s PRF gives, only what is derived from it', async () => {
    const deviceSecret = await crypto.subtle.importKey(
      'raw',
      device.secret,
      { name: 'HMAC', hash: 'SHA-256' },
      false,
      ['sign'],
    );
    const { salt } = service.passkey!;
    const prf = new Uint8Array(await crypto.subtle.sign('HMAC', deviceSecret, fromBase64Url(salt)));
    await sign(await byPasskey());
    expect(JSON.stringify(service.calls)).not.to.contain(toBase64Url(prf));
    const hkdf = await crypto.subtle.importKey('raw', prf, 'HKDF', false, ['deriveBits']);
    const info = new TextEncoder().encode('carabiner service passkey');
    const derived = await crypto.subtle.deriveBits(
      { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info },
      hkdf,
      256,
    );
    expect(service.secret).to.equal(toBase64Url(new Uint8Array(derived)));
  });

  it('asks for nothing when its dialog is closed, and writes nothing down', async () => {
    device.mode = 'cancel';
    const calls: string[] = [];
    expect((await failure(sign(await byPasskey(), {}, calls)))['code']).to.equal('user.rejected');
    expect(service.to(APPROVED)).to.have.length(0);
    expect(calls).to.deep.equal([]);
  });

  it('signs nothing that got old while the dialog was open', async () => {
    expect(await sign(await byPasskey(), { fresh: () => false })).to.equal(undefined);
    expect(service.to(APPROVED)).to.have.length(0);
  });

  it('asks it again after an answer got lost, and keeps the record if it is not used then', async () => {
    service.loses[APPROVED] = 1;
    const calls: string[] = [];
    let lost = 0;
    const signed = await sign(
      await byPasskey(),
      {
        lost: async () => {
          device.mode = lost++ ? 'at once' : 'cancel';
        },
      },
      calls,
    );
    expect(signed!.hash).to.match(/^0x/);
    expect(lost, 'the closed dialog is no answer of the service').to.equal(2);
    expect(calls.map((call) => call.split(' ')[0])).to.deep.equal(['begin']);
    expect(service.signed.size).to.equal(1);
    const [first, second] = service.to(APPROVED).map(({ body }) => body['passkey'] as PasskeyAnswer);
    expect(first!.nonce).not.to.equal(second!.nonce);
  });

  it('takes a wallet’s own PIN beside the passkey', async () => {
    await vault.service!.setOwnPin(wallet, undefined, '4826');
    wallet = (await vault.wallet('theirs'))!;
    expect(await vault.holder(wallet).state()).to.deep.include({ passkey: false, pin: true });
    await sign(await vault.holder(wallet).unlock('4826'));
    const { body } = service.to(APPROVED)[0]!;
    expect(body['pincode']).to.equal('4826');
    expect((body['passkey'] as PasskeyAnswer).secret).to.equal(undefined);
  });

  it('is noticed when another device added it', async () => {
    const added = service.passkey;
    service.passkey = undefined;
    vault = await open();
    [wallet] = (await vault.linked(SITE)) as [HeldWallet];
    const signer = await vault.holder(wallet).unlock(PIN);
    service.passkey = added;
    expect((await failure(sign(signer)))['code']).to.equal('passkey.required');
    await sign(signer);
    const [, again] = service.to(APPROVED);
    expect(again!.body['passkey']).not.to.equal(undefined);
  });

  it('changes PIN and recovery code, and lets another device sign', async () => {
    await vault.service!.changePin(undefined, '482615');
    expect(service.pin).to.equal('482615');
    expect(await vault.service!.renewCode(undefined)).to.equal(NEXT_CODE);
    service.devices.clear();
    await vault.service!.enrol(undefined, NEXT_CODE);
    expect((await vault.service!.account())!.enrolled).to.equal(true);
    expect(service.to('/api/pincode')[0]!.body).not.to.have.property('pincode');
  });

  it('is removed by itself, or by the recovery code once it is lost', async () => {
    await vault.service!.removePasskey();
    expect((await vault.holder(wallet).state()).pin).to.equal(true);
    await vault.service!.addPasskey(PIN);
    device.mode = 'cancel';
    expect((await failure(vault.service!.removePasskey()))['code']).to.equal('user.rejected');
    expect((await failure(vault.service!.removePasskey(NEXT_CODE)))['code']).to.equal('request.invalid');
    await vault.service!.removePasskey(CODE);
    await sign(await vault.holder(wallet).unlock(PIN));
    expect(service.signed.size).to.equal(1);
  });

  it('is taken back from the device where the service refuses it, and kept where only the answer is lost', async () => {
    await vault.service!.removePasskey();
    expect((await failure(vault.service!.addPasskey('0000')))['code']).to.equal('pincode.wrong');
    expect(device.dropped).to.deep.equal([device.name]);
    service.loses['/api/passkey'] = 1;
    await vault.service!.addPasskey(PIN);
    expect(device.dropped).to.have.length(1);
    expect((await vault.holder(wallet).state()).passkey).to.equal(true);
  });
});
