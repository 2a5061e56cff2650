import { expect } from '@open-wc/testing';
import type { Asking, Vault } from '../../../../src/wallets/types.ts';
import type { Chain, Draft } from '../../../../src/chains/chain.ts';
import { withService } from '../../../../src/wallets/service/index.ts';
import { dump, failure, PIN, setup, type Setup } from '../setup.ts';
import { CODE, FakeService, serviceWallet, URL_OF_SERVICE } from './fake-service.ts';

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
