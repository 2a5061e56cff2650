/** Keeping an encrypted copy: the offer, what is written afterwards, and its place in Settings. */
import { expect } from '@open-wc/testing';
import { poll } from '../../../waiting.ts';
import { deepAll } from '../scene.ts';
import { NETWORKS, until } from '../world.ts';
import { settled } from '../../../../src/wallets/database.ts';
import { OwnPage } from '../../../../src/frame/own/own-page.ts';
import type { VaultRecord } from '../../../../src/wallets/records.ts';
import { rawOpen } from '../../wallets/setup.ts';
import { copyWorld, keep, keepInSettings, keeps, openSettings, withPasskey, written } from './copy-world.ts';

const OFFER = 'Keep an encrypted copy?';
/** What follows when a wallet was made. */
const NEXT = 'Back up before you receive';

describe('an encrypted copy', () => {
  it('is offered when a passkey is made, with nothing preset, and kept after one more touch', async () => {
    const w = await copyWorld({ wallets: 0 });
    w.ask('manageWallets', { chain: 'ETHEREUM' });
    await w.press('Create wallet');
    await w.press('Continue with passkey');
    await w.title(OFFER);
    expect(w.server.requests).to.have.length(0);
    const answers = deepAll<HTMLButtonElement>(w.shell, 'footer button');
    expect(answers.map(({ textContent }) => textContent!.trim())).to.deep.equal([
      'Keep an encrypted copy',
      'Not now',
    ]);
    expect(new Set(answers.map(({ className }) => className)).size, 'they look the same').to.equal(1);
    expect(answers.some((each) => each.matches(':focus, [data-start]'))).to.equal(false);
    await w.press('Keep an encrypted copy');
    await keeps(w);
    await w.title(NEXT);
    expect(w.authenticator.asked.create).to.have.length(1);
    expect(w.authenticator.asked.get).to.have.length(1);
    expect(w.authenticator.asked.get[0]!.allowCredentials).to.deep.equal([]);
  });

  it('is not kept after Not now, and the wallet is there', async () => {
    const w = await copyWorld({ wallets: 0 });
    w.ask('manageWallets', { chain: 'ETHEREUM' });
    await w.press('Create wallet');
    await w.press('Continue with passkey');
    await w.title(OFFER);
    await w.press('Not now');
    await w.title(NEXT);
    expect(w.server.requests).to.have.length(0);
    expect(await w.vault.wallets()).to.have.length(1);
  });

  it('is not offered without a wallet service, or for a passkey that no other browser finds', async () => {
    for (const without of ['service', 'discoverable']) {
      const w = await copyWorld({ wallets: 0, ...(without === 'service' && { networks: NETWORKS }) });
      w.authenticator.discoverable = without === 'service';
      w.ask('manageWallets', { chain: 'ETHEREUM' });
      await w.press('Create wallet');
      await w.press('Continue with passkey');
      await w.title(NEXT);
      expect(w.server.requests).to.have.length(0);
    }
  });

  it('is not offered where the service keeps none', async () => {
    const w = await copyWorld({ wallets: 0 });
    const { fetch: real } = globalThis;
    globalThis.fetch = async (...of) =>
      String(of[0]).endsWith('/sync') ? new Response(null, { status: 404 }) : real(...of);
    w.ask('manageWallets', { chain: 'ETHEREUM' });
    await w.press('Create wallet');
    await w.press('Continue with passkey');
    await w.title(NEXT);
    globalThis.fetch = real;
  });

  it('is refused by a passkey that gives another secret the second time', async () => {
    const w = await copyWorld({ wallets: 0 });
    w.ask('manageWallets', { chain: 'ETHEREUM' });
    await w.press('Create wallet');
    await w.press('Continue with passkey');
    await w.title(OFFER);
    w.authenticator.secret = w.authenticator.secret.toReversed();
    await w.press('Keep an encrypted copy');
    await until(() => w.text().includes('This passkey cannot open a copy.'));
    expect(w.server.requests).to.have.length(0);
    await w.press('Not now');
    await w.title(NEXT);
  });

  it('is kept in Settings by one touch of a passkey that is there already', async () => {
    const w = await copyWorld({ wallets: 0 });
    await withPasskey(w);
    await openSettings(w);
    await w.press('Show encrypted copy');
    await w.title(OFFER);
    await w.press('Keep an encrypted copy');
    await keeps(w);
    await w.press('Show encrypted copy');
    await w.title('Encrypted copy');
    expect(w.authenticator.asked.get).to.have.length(1);
    expect(w.text()).to.include('Last written').and.not.include('not in it yet');
  });

  it('is kept with a passkey of 0.1.0, once it was found without its id', async () => {
    const w = await copyWorld({ wallets: 0 });
    await withPasskey(w);
    const db = await rawOpen(w.setup.database);
    const store = db.transaction('vault', 'readwrite').objectStore('vault');
    const record: VaultRecord = await settled(store.get('vault'));
    delete record.passkey!.discoverable;
    delete record.passkey!.publicKey;
    await settled(store.put(record, 'vault'));
    db.close();
    await keep(w);
    expect(w.authenticator.asked.get.map(({ allowCredentials }) => allowCredentials!.length)).to.deep.equal([
      1, 0,
    ]);
    const other = await copyWorld({ wallets: 0, origin: location.origin }, w);
    void new OwnPage(other.frame).run();
    await other.press('Use my passkey');
    await other.press('Continue with passkey');
    await poll(async () => (await other.vault.wallets()).length === 1, 'its wallet');
  });

  it('gets a new wallet while the user goes on', async () => {
    const w = await copyWorld({ wallets: 0 });
    await withPasskey(w);
    await keep(w);
    expect(written(w)).to.equal(1);
    await w.press('Create wallet');
    await w.press('Continue with passkey');
    await until(() => written(w) === 2, 'the copy to have it');
    expect(await w.vault.wallets()).to.have.length(2);
  });

  it('waits with a new name for the next unlock, says so in Settings, and remembers what went wrong', async () => {
    const w = await copyWorld({ wallets: 0 });
    await withPasskey(w);
    await keepInSettings(w);
    const [wallet] = await w.vault.wallets();
    await w.vault.rename(wallet!.id, 'Savings');
    await w.press('Back');
    await w.press('Settings');
    await until(() => w.text().includes('The last changes are not in it'), 'what is missing');
    await w.press('Show encrypted copy');
    w.server.lie = () => Response.error();
    await w.press('Update now');
    await until(() => w.text().includes('The wallet service does not answer.'), 'what went wrong');
    await w.press('Back');
    await until(() => w.text().includes('Something went wrong'), 'the same in Settings');
    await w.press('Show encrypted copy');
    w.server.lie = undefined;
    await w.press('Update now');
    await until(() => written(w) === 2, 'the copy to have it');
    await until(() => !w.text().includes('does not answer'), 'the end of the warning');
    await w.press('Back');
    await until(() => /Encrypted copy Written/.test(w.text()), 'its date');
  });

  it('is removed from the server after consent, and the wallet stays', async () => {
    const w = await copyWorld({ wallets: 0 });
    await withPasskey(w);
    await keepInSettings(w);
    await w.press('Show encrypted copy');
    await w.press('Turn off');
    await w.title('Turn off the encrypted copy?');
    await w.press('Turn off');
    await w.title('Settings');
    expect([...w.server.objects.values()].map((object) => object[6])).to.deep.equal([1, 1]);
    expect(w.text()).to.include('Not kept');
    expect(await w.vault.wallets()).to.have.length(1);
  });
});
