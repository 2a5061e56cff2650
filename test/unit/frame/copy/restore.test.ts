/**
 * "Use my passkey": what another browser kept is found, shown and adopted on the wallet's own page, to which the views of sites lead, and a wallet
 * that is here already is never mixed with another.
 */
import { expect } from '@open-wc/testing';
import { KeptCopy } from '../../../../src/sync/kept-copy.ts';
import { OwnPage } from '../../../../src/frame/own/own-page.ts';
import { poll } from '../../../waiting.ts';
import { Authenticator } from '../../wallets/authenticator.ts';
import { deepAll } from '../scene.ts';
import { type Asked, ORIGIN, until } from '../world.ts';
import { copyWorld, type CopyWorld, keeping, openSettings, withPasskey, written } from './copy-world.ts';

const FOUND = 'Are these your wallets?';
const LED = 'Use your passkey in your wallet’s own window';

/** Another browser with the same passkey and server. */
const newBrowser = (w: CopyWorld, origin = location.origin): Promise<CopyWorld> =>
  copyWorld({ wallets: 0, origin }, w);

/** The wallet's own page there. */
async function ownPage(w: CopyWorld): Promise<{ closed: number }> {
  const closings = { closed: 0 };
  const page = Object.assign(new OwnPage(w.frame), { leave: () => void closings.closed++ });
  void page.run();
  return closings;
}

const copyIn = async (w: CopyWorld): Promise<KeptCopy> =>
  new KeptCopy(await w.vault.parts(), { url: 'https://copies.example', clock: w.clock });

/** As the wallet's own page does in another window. */
async function restoreElsewhere(w: CopyWorld): Promise<void> {
  const copy = await copyIn(w);
  const theirs = await copy.find();
  (await copy.restore(theirs)).close();
  theirs.close();
}

describe('a copy of another browser', () => {
  it('is opened by one touch, shown before anything is adopted, and opens the wallet from then on', async () => {
    const old = await keeping();
    const [wallet] = await old.vault.wallets();
    const w = await newBrowser(old);
    const touches = w.authenticator.asked.get.length;
    const page = await ownPage(w);
    await w.press('Use my passkey');
    await w.title(FOUND);
    expect(w.text())
      .to.match(/Copy of .* · 1 wallet in it/)
      .and.include(wallet!.alias);
    expect(deepAll(w.shell, '.sr').some((each) => each.textContent === wallet!.address)).to.equal(true);
    expect((await w.vault.state()).exists, 'nothing is adopted yet').to.equal(false);
    await w.press('Continue with passkey');
    await w.title('Your wallet');
    expect((await w.vault.wallets()).map(({ address }) => address)).to.deep.equal([wallet!.address]);
    expect(page.closed, 'the user came by herself').to.equal(0);
    expect(w.authenticator.asked.get.length - touches).to.equal(1);
    expect(w.authenticator.asked.create, 'no other passkey is made').to.have.length(1);
    expect(await w.vault.state()).to.include({ exists: true, passkey: true, pin: false, backedUp: false });
    const open = await w.vault.unlock('4821').catch((error: Error) => error.message);
    expect(open).to.include('Use your passkey');
  });

  it('is opened by a PIN, too, if the user chooses one', async () => {
    const w = await newBrowser(await keeping());
    await ownPage(w);
    await w.press('Use my passkey');
    await w.title(FOUND);
    await w.press('Choose a PIN');
    for (const label of ['PIN', 'Confirm PIN']) {
      await w.pin('739154', label);
      await w.press('Continue');
    }
    await w.title('Your wallet');
    expect(await w.vault.state()).to.include({ passkey: true, pin: true });
    (await w.vault.unlock('739154')).close();
  });

  it('leaves nothing behind on Back, at each step', async () => {
    const w = await newBrowser(await keeping());
    await ownPage(w);
    w.authenticator.mode = 'cancel';
    await w.press('Use my passkey');
    await until(() => w.text().includes('No passkey was used.'), 'the reason');
    await w.press('Back');
    await w.title('Set up your wallet');
    w.authenticator.mode = 'at once';
    await w.press('Use my passkey');
    await w.title(FOUND);
    await w.press('Choose a PIN');
    await w.title('Choose a PIN');
    await w.press('Back');
    await w.title(FOUND);
    await w.press('Back');
    await w.title('Set up your wallet');
    expect((await w.vault.state()).exists).to.equal(false);
    expect(w.authenticator.dropped, 'no look-up drops a passkey').to.deep.equal([]);
  });

  it('is offered to whoever has a wallet, and not without a service or beside a wallet', async () => {
    const w = await copyWorld({ wallets: 0 });
    w.ask('linkWallets', { secretTypes: ['ETHEREUM'], newWallet: 'import' });
    await w.title('Set up your wallet');
    const names = deepAll(w.shell, '.choice :is(button, a)').map((each) => each.getAttribute('aria-label'));
    expect(names).to.deep.equal(['Use my passkey', 'Import wallet']);
    for (const of of [{ networks: (await import('../world.ts')).NETWORKS, wallets: 0 }, { wallets: 0 }]) {
      const other = await copyWorld(of);
      if (of.networks === undefined) await withPasskey(other);
      other.ask('linkWallets', { secretTypes: ['ETHEREUM'], newWallet: 'import' });
      await until(() => /Import wallet|Link your wallets/.test(other.text()), 'the next view');
      expect(deepAll(other.shell, '.choice :is(button, a)')).to.have.length(0);
    }
  });

  it('that the server does not have, or says it removed, deletes nothing', async () => {
    const old = await keeping();
    const w = await newBrowser(old);
    await ownPage(w);
    w.server.lie = () =>
      new Response('{}', { status: 404, headers: { 'Content-Type': 'application/problem+json' } });
    await w.press('Use my passkey');
    await until(() => w.text().includes('has no copy for this passkey. Nothing in this browser was deleted'));
    expect(w.text(), 'what else there is').to.include('go back and use the 12 words or the file');
    expect(w.authenticator.dropped).to.deep.equal([]);
    w.server.lie = undefined;
    await w.press('Use my passkey');
    await w.title(FOUND);
  });
});

describe('a site’s request, in a browser without a wallet', () => {
  const asks: [name: string, ask: (w: CopyWorld) => Asked][] = [
    ['linkWallets', (w) => w.ask('linkWallets', { secretTypes: ['ETHEREUM'], newWallet: 'import' })],
    ['manageWallets', (w) => w.ask('manageWallets', { chain: 'ETHEREUM' })],
  ];

  async function led(ask: (w: CopyWorld) => Asked) {
    const old = await keeping();
    const [wallet] = await old.vault.wallets();
    const w = await newBrowser(old, ORIGIN);
    // The window of the link, which this test is not about.
    w.shell.addEventListener('click', (event) => event.preventDefault());
    const task = ask(w);
    const link = await w.find<HTMLAnchorElement>('Use my passkey');
    expect([link.target, link.rel]).to.deep.equal(['_blank', 'noopener noreferrer']);
    expect(link.href).to.equal(new URL('../', location.href).href);
    const touches = w.authenticator.asked.get.length;
    link.click();
    await w.title(LED);
    expect(w.authenticator.asked.get, 'no passkey is asked for').to.have.length(touches);
    return { old, w, task, wallet: wallet! };
  }

  for (const [name, ask] of asks)
    it(`leads to the wallet’s own page, which adopts the copy and closes; then it goes on: ${name}`, async () => {
      const { old, w, task, wallet } = await led(ask);
      const own = await newBrowser(old);
      const page = await ownPage(own);
      await own.title(FOUND);
      await own.press('Continue with passkey');
      await until(() => page.closed === 1, 'the own page to close');
      expect((await w.vault.state()).exists, 'this request adopts nothing').to.equal(false);

      await restoreElsewhere(w);
      if (name === 'linkWallets') await w.title('Link your wallets to shop.example?');
      else await w.title('Ethereum wallets');
      expect(await w.vault.linked(ORIGIN), 'no site sees them yet').to.deep.equal([]);
      expect(task.settled).to.equal(false);
      await w.press(name === 'linkWallets' ? 'Link wallets' : `Use on this site: ${wallet.alias}`);
      await until(() => task.settled, 'the wallet for the site');
      expect([task.result].flat()[0]).to.include({ address: wallet.address });
    });

  it('leaves the wallet’s turn to its own page, and has it again on Back', async () => {
    const { w } = await led(asks[0]![1]);
    expect((await navigator.locks.query()).held!.map(({ name }) => name)).to.include('carabiner:restore');
    await w.press('Back');
    await w.title('Set up your wallet');
    await poll(async () => {
      const { held } = await navigator.locks.query();
      return held!.every(({ name }) => name !== 'carabiner:restore');
    }, 'nobody to be led');
  });

  it('in Settings of a browser with a wallet, leads there, too', async () => {
    const w = await copyWorld({ wallets: 0 });
    await withPasskey(w);
    await openSettings(w);
    await w.press('Show encrypted copy');
    await w.title('Keep an encrypted copy?');
    await w.find('Open my wallet');
    expect(deepAll(w.shell, 'button').map((each) => each.textContent!.trim())).not.to.include(
      'Use my passkey',
    );
  });
});

describe('in a browser that has a wallet', () => {
  it('a copy of the same wallet is merged with it', async () => {
    const old = await keeping();
    const w = await newBrowser(old);
    await restoreElsewhere(w);
    const [wallet] = await w.vault.wallets();
    await old.vault.rename(wallet!.id, 'Savings');
    await w.vault.makePrimary(wallet!.id);
    // The browser forgets that it keeps the copy.
    const copy = await copyIn(w);
    await copy.forget();
    const open = await old.vault.unlockWithPasskey({
      action: 'open',
      walletId: '',
      origin: '',
      chain: '',
      requestId: '',
      content: null,
    });
    const others = await copyIn(old);
    await others.update(open);
    open.close();
    const theirs = await copy.find();
    const mine = await w.vault.unlockWithPasskey({
      action: 'open',
      walletId: '',
      origin: '',
      chain: '',
      requestId: '',
      content: null,
    });
    expect(await copy.isOwn(mine, theirs)).to.equal(true);
    await copy.join(mine, theirs);
    theirs.close();
    mine.close();
    expect((await w.vault.wallets())[0]!.alias).to.equal('Savings');
    expect(await copy.state()).to.include({ isCurrent: true });
  });

  it('a copy of another one is shown, kept apart, and replaces it only after its back-up was checked', async () => {
    const old = await keeping();
    const [theirs] = await old.vault.wallets();
    const w = await copyWorld({ wallets: 1, origin: location.origin }, old);
    const own = new Authenticator();
    const unplug = own.plug();
    const open = await w.vault.unlock('4821');
    await w.vault.addPasskey(open);
    const words = await w.vault.phrase(open);
    open.close();
    unplug();
    const replug = old.authenticator.plug();
    await openSettings(w);
    await w.press('Show encrypted copy');
    await w.press('Use my passkey');
    await w.press('Use a PIN instead');
    await w.pin();
    await w.press('Continue');
    await w.title('This copy is of another wallet');
    expect(w.text()).to.include(theirs!.alias);
    await w.press('Keep this browser’s wallet');
    await w.title('Keep an encrypted copy?');
    expect((await w.vault.wallets())[0]!.id).to.equal(w.wallet.id);
    await w.press('Use my passkey');
    await w.press('Use a PIN instead');
    await w.pin();
    await w.press('Continue');
    await w.press('Replace it');
    await w.title('Settings');
    expect((await w.vault.wallets()).map(({ address }) => address)).to.deep.equal([theirs!.address]);
    expect(await w.vault.linked(w.link.origin)).to.deep.equal([]);
    expect(words).to.have.length(12);
    replug();
  });
});

describe('a server that goes back to an older copy', () => {
  it('is not believed in silence: this browser keeps its own, says so, and writes it again after consent', async () => {
    const w = await keeping();
    const path = w.server.paths('vault')[0]!;
    const older = w.server.objects.get(path)!;
    const [wallet] = await w.vault.wallets();
    await w.vault.rename(wallet!.id, 'Savings');
    await w.press('Settings');
    await w.press('Show encrypted copy');
    await w.press('Update now');
    await until(() => written(w) === 2, 'the copy to have it');
    w.server.objects.set(path, older);
    await w.press('Update now');
    await until(() => w.text().includes('returned an older copy than this browser has seen'), 'a warning');
    expect(w.server.objects.get(path)).to.deep.equal(older);
    expect((await w.vault.wallets())[0]!.alias).to.equal('Savings');
    await w.press('Write it again');
    await until(() => !w.text().includes('older copy'), 'the end of the warning');
    expect(w.server.objects.get(path)).not.to.deep.equal(older);
    expect((await w.vault.wallets())[0]!.alias).to.equal('Savings');
  });
});
