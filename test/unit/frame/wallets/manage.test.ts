import { expect } from '@open-wc/testing';
import type { Wallet } from '../../../../src/api/wallet.ts';
import type { ExportView } from '../../../../src/frame/wallets/export-view.ts';
import { deepAll, focused, named, type } from '../scene.ts';
import { ORIGIN, PIN, settled, until, world, type World } from '../world.ts';

const CHAIN = { chain: 'ETHEREUM' };

async function choosePin(w: World, pin: string): Promise<void> {
  await w.pin(pin, 'PIN');
  await w.press('Continue');
  await w.pin(pin, 'Confirm PIN');
  await w.press('Continue');
}

async function menu(w: World, alias: string, item: string): Promise<void> {
  await w.press(`More for ${alias}`);
  await w.press(item);
}

function shownWords(w: World): Promise<string[]> {
  return until(() => {
    const shown = deepAll<HTMLElement>(w.shell, '.words li b').map((b) => b.textContent?.trim() ?? '');
    return shown.length === 12 && shown.every(Boolean) && shown;
  });
}

async function typeBack(w: World, words: readonly string[]): Promise<void> {
  await w.title('Check your copy');
  for (const input of deepAll<HTMLInputElement>(w.shell, 'input')) {
    const position = Number(input.labels![0]!.textContent!.replace(/\D/g, ''));
    type(input, words[position - 1]!);
  }
  await w.press('Finish');
}

describe('the first wallet', () => {
  it('is created with a PIN and linked to the page, whatever becomes of the back-up', async () => {
    const w = await world({ wallets: 0 });
    const asked = w.ask('manageWallets', CHAIN);
    await w.press('Create wallet');
    await choosePin(w, '739154');
    await w.press('Remind me later');
    await settled(asked);
    const wallet = asked.result as Wallet;
    expect(wallet).to.include({ secretType: 'ETHEREUM', walletType: 'BROWSER', primary: true });
    expect((await w.vault.linked(ORIGIN)).map(({ id }) => id)).to.deep.equal([wallet.id]);
    expect((await w.vault.state()).backedUp).to.equal(false);
    (await w.vault.unlock('739154')).close();
    await w.title('Receive ETH');
    expect(w.text()).to.include('Not backed up').and.include('Local Ethereum');
    await w.press('Done');
    await w.closed();
  });

  it('is backed up once the words were typed back', async () => {
    const w = await world({ wallets: 0 });
    const asked = w.ask('manageWallets', CHAIN);
    await w.press('Create wallet');
    await choosePin(w, '739154');
    await w.press('Show words');
    const words = await shownWords(w);
    await w.press('I wrote them down');
    await typeBack(w, words);
    await settled(asked);
    expect((await w.vault.state()).backedUp).to.equal(true);
  });

  it('comes from 12 words', async () => {
    const w = await world({ wallets: 0 });
    const asked = w.ask('manageWallets', CHAIN);
    await w.press('Import wallet');
    await w.title('Import wallet');
    const words = await until(() => deepAll<HTMLTextAreaElement>(w.shell, 'textarea')[0]);
    type(words, 'legal winner thank year wave sausage worth useful legal winner thank yellow');
    await w.press('Import wallet');
    await choosePin(w, '739154');
    await settled(asked);
    expect(asked.result).to.include({ secretType: 'ETHEREUM' });
    expect((await w.vault.state()).backedUp).to.equal(true);
  });

  it('is not created if the user rejects', async () => {
    const w = await world({ wallets: 0 });
    const asked = w.ask('manageWallets', CHAIN);
    await w.press('Create wallet');
    await w.press('Back');
    await w.title('Set up your wallet');
    await w.press('Close');
    await settled(asked);
    expect(asked.error?.code).to.equal('user.rejected');
    expect((await w.vault.state()).exists).to.equal(false);
  });
});

describe('managing wallets', () => {
  it('gives the page the wallet that was chosen, and no other', async () => {
    const w = await world({ wallets: 2 });
    await w.vault.setLinked(ORIGIN, []);
    const [, second] = await w.vault.wallets();
    const asked = w.ask('manageWallets', CHAIN);
    await w.title('Ethereum wallets');
    await w.press(`Use on this site: ${second!.alias}`);
    await settled(asked);
    expect((asked.result as Wallet).id).to.equal(second!.id);
    expect((await w.vault.linked(ORIGIN)).map(({ id }) => id)).to.deep.equal([second!.id]);
  });

  it('links nothing new on the way out', async () => {
    const w = await world({ wallets: 2 });
    const left = w.ask('manageWallets', CHAIN);
    await w.title('Ethereum wallets');
    expect(() => named(w.shell, 'Back'), 'there is nothing to go back to').to.throw();
    await w.press('Close');
    await settled(left);
    expect((left.result as Wallet).id).to.equal(w.wallet.id);
    await w.vault.setLinked(ORIGIN, []);
    const closed = w.ask('manageWallets', CHAIN);
    await w.title('Ethereum wallets');
    await w.press('Close');
    await settled(closed);
    expect(closed.error?.code).to.equal('user.rejected');
    expect(await w.vault.linked(ORIGIN)).to.deep.equal([]);
  });

  it('creates another wallet only with the PIN', async () => {
    const w = await world();
    const asked = w.ask('manageWallets', CHAIN);
    await w.press('Create wallet');
    await w.title('Enter your PIN');
    await w.pin('9999');
    await w.press('Continue');
    await until(() => w.text().includes('Wrong PIN. 4 attempts left.'));
    await w.pin(PIN);
    await w.press('Continue');
    await settled(asked);
    expect(await w.vault.wallets()).to.have.length(2);
    expect((asked.result as Wallet).id).to.not.equal(w.wallet.id);
    await w.title('Receive ETH');
  });

  it('imports a private key, and says so when it is there already', async () => {
    const w = await world();
    const importKey = async (): Promise<void> => {
      await w.press('Import wallet');
      await w.title('Import wallet');
      const textarea = await until(() => deepAll<HTMLTextAreaElement>(w.shell, 'textarea')[0]);
      type(textarea, `0x${'4c'.repeat(32)}`);
      await w.press('Import wallet');
      await w.pin(PIN);
      await w.press('Continue');
    };
    const asked = w.ask('manageWallets', CHAIN);
    await w.title('Ethereum wallets');
    await importKey();
    await settled(asked);
    expect((asked.result as Wallet).address).to.equal(`0x${'4c'.repeat(20)}`);
    w.ask('manageWallets', CHAIN);
    await w.title('Ethereum wallets');
    await importKey();
    await until(() => w.text().includes('You have this wallet already'));
  });

  it('opens what is the wallet’s own, and no request of the site, under the wallet’s own header', async () => {
    const w = await world();
    w.ask('manageWallets', { chain: 'ETHEREUM' });
    await w.title('Ethereum wallets');
    expect(w.shell.own).to.equal(false);
    for (const name of ['Activity', 'Receive']) {
      await menu(w, w.wallet.alias, name);
      await until(() => w.shell.own, name);
      await w.press('Back');
      await until(() => !w.shell.own, 'the list');
    }
  });

  it('marks what is not backed up, and says how to back it up', async () => {
    const w = await world({ wallets: 0 });
    const unlocked = await w.vault.create(PIN);
    const made = await w.vault.createWallet(unlocked, 'ETHEREUM');
    const imported = await w.vault.importWallet(unlocked, 'ETHEREUM', new Uint8Array(32).fill(7), 'Old');
    unlocked.close();
    await w.vault.link(ORIGIN, [made.id]);
    w.ask('manageWallets', CHAIN);
    await w.title('Ethereum wallets');
    await until(() => w.text().split('Not backed up').length === 3);
    expect(w.text()).to.include('write down the 12 words').and.include('do not hold imported wallets');
    await menu(w, imported.alias, 'Export');
    (await w.find('I understand the risk')).click();
    await w.pin();
    await w.press('Show private key');
    await w.press('Done');
    await w.title('Ethereum wallets');
    await until(() => w.text().split('Not backed up').length === 2);
    expect(w.text()).to.not.include('imported wallets');
  });

  it('shows in the form why a name with invisible characters is refused', async () => {
    const w = await world();
    w.ask('manageWallets', CHAIN);
    await menu(w, w.wallet.alias, 'Rename');
    const alias = await w.find<HTMLInputElement>('Alias');
    type(alias, 'Sav\u202eings');
    await w.press('Save');
    await until(() => w.text().includes('Use visible letters, digits and signs.'));
    await w.title('Rename wallet');
    expect(alias.getAttribute('aria-invalid')).to.equal('true');
    expect((await w.vault.wallet(w.wallet.id))?.alias).to.equal(w.wallet.alias);
    type(alias, 'Savings');
    await w.press('Save');
    await w.find('More for Savings');
  });

  it('renames, makes primary, archives with Undo, and brings back', async () => {
    const w = await world({ wallets: 2 });
    const [first, second] = await w.vault.wallets();
    w.ask('manageWallets', CHAIN);
    await menu(w, second!.alias, 'Rename');
    const alias = await w.find<HTMLInputElement>('Alias');
    expect(focused()).to.equal(alias);
    type(alias, 'Long-term');
    await w.press('Save');
    await menu(w, 'Long-term', 'Make Long-term primary');
    await w.find('Long-term is the primary wallet');
    await until(() => focused()?.getAttribute('aria-label') === 'More for Long-term', 'the focus');
    await until(() => w.text().includes('Long-term is the primary wallet'), 'what is said');
    await menu(w, 'Long-term', 'Archive');
    await w.title('Archive “Long-term”?');
    await w.press('Archive');
    await w.press('Undo');
    await w.find('More for Long-term');
    await menu(w, 'Long-term', 'Archive');
    await w.press('Archive');
    await until(() => w.text().includes('Archived (1)'));
    expect((await w.vault.wallets()).map(({ id }) => id)).to.deep.equal([first!.id]);
    deepAll<HTMLElement>(w.shell, 'summary')[0]!.click();
    await w.press('Bring back Long-term');
    await w.find('More for Long-term');
  });

  it('moves a wallet up and down, by menu and by Alt with arrows, says its place, and keeps the focus on it', async () => {
    const w = await world({ wallets: 3 });
    const before = (await w.vault.wallets()).map(({ alias }) => alias);
    const [first, second, third] = before as [string, string, string];
    w.ask('manageWallets', CHAIN);
    await w.press(`More for ${first}`);
    expect(w.text(), 'the primary one stays first').to.not.include('Move');
    await menu(w, third, 'Move up');
    await until(() => w.text().includes(`${third} is now 2 of 3`), 'its place');
    const rows = () =>
      deepAll<HTMLElement>(w.shell, '[id^=more-]').map((one) => one.getAttribute('aria-label')!.slice(9));
    await until(() => rows().join() === [first, third, second].join(), 'its row');
    await until(() => focused()?.getAttribute('aria-label') === `More for ${third}`, 'the focus');
    focused()!.dispatchEvent(
      new KeyboardEvent('keydown', { key: 'ArrowDown', altKey: true, bubbles: true, composed: true }),
    );
    await until(() => w.text().includes(`${third} is now 3 of 3`), 'its place again');
    await until(() => rows().join() === before.join(), 'its row again');
    await until(() => focused()?.getAttribute('aria-label') === `More for ${third}`, 'the focus again');
  });

  it('works by keyboard: menu by arrows, Escape back to More', async () => {
    const w = await world();
    w.ask('manageWallets', CHAIN);
    const more = await w.find(`More for ${w.wallet.alias}`);
    more.focus();
    const key = (name: string): void => {
      focused()!.dispatchEvent(
        new KeyboardEvent('keydown', { key: name, bubbles: true, composed: true, cancelable: true }),
      );
    };
    key('ArrowDown');
    await until(() => focused()?.textContent === 'Rename');
    key('ArrowDown');
    expect(focused()?.textContent).to.equal('Copy address');
    key('End');
    expect(focused()?.textContent).to.equal('Archive');
    key('Home');
    expect(focused()?.textContent).to.equal('Rename');
    key('Escape');
    await until(() => focused() === more);
    await w.title('Ethereum wallets');
    expect(deepAll(w.shell, '[role=menu]')).to.have.length(0);
  });
});

describe('exporting a private key', () => {
  it('needs a tick and the PIN, shows the key under the wallet’s own origin, and hides it', async () => {
    const w = await world();
    w.ask('manageWallets', CHAIN);
    await menu(w, w.wallet.alias, 'Export');
    await w.title('Export wallet');
    expect(w.shell.own).to.equal(true);
    expect(named(w.shell, 'Show private key').getAttribute('aria-disabled')).to.equal('true');
    (await w.find('I understand the risk')).click();
    await w.pin();
    await w.press('Show private key');
    await w.title(`Private key of ${w.wallet.alias}`);
    expect(deepAll<HTMLElement>(w.shell, '.code')[0]!.textContent).to.match(
      /^([0-9a-f]{4} ){15}[0-9a-f]{4}$/,
    );
    expect(w.text()).to.include('Hides in 0:');
    await w.press('Done');
    await w.title('Ethereum wallets');
    expect(w.shell.own).to.equal(false);
    expect(w.link.sent.flat().every((wallet) => !JSON.stringify(wallet).includes('key'))).to.equal(true);
  });

  it('is not done by a click that the guard refuses', async () => {
    const w = await world();
    w.ask('manageWallets', CHAIN);
    await menu(w, w.wallet.alias, 'Export');
    w.guard.allowed = false;
    (await w.find('I understand the risk')).click();
    await w.pin();
    await w.press('Show private key');
    const [view] = deepAll<ExportView>(w.shell, 'cbf-export');
    expect(view!.busy).to.equal(false);
    await w.title('Export wallet');
    w.guard.allowed = true;
    await w.press('Show private key');
    await w.title(`Private key of ${w.wallet.alias}`);
  });
});

/** The row of the transaction that waits. */
async function openWaiting(w: World): Promise<void> {
  const row = await until(() =>
    deepAll<HTMLElement>(w.shell, 'button.event').find((one) => one.textContent!.includes('Waiting')),
  );
  row.click();
  await w.title('Sending 0.2 ETH');
}

describe('activity', () => {
  it('lists what was sent, and replaces pending transactions', async () => {
    const w = await world();
    const sent = w.transfer();
    await w.approve();
    await settled(sent);
    await w.press('Done');
    const hash = (sent.result as { transactionHash: string }).transactionHash;
    const record = (await w.vault.activity.get(hash))!;
    w.chain.known.set(hash, 'pending');
    await w.vault.activity.put({
      ...record,
      hash: '0xwaiting',
      state: 'pending',
      draft: {
        secretType: 'ETHEREUM',
        network: w.frame.networks.networks[0]!,
        from: w.wallet.address,
        request: { type: 'x', walletId: '' },
        nonce: 7,
        maximum: 5n,
      } as never,
    });
    w.chain.known.set('0xwaiting', 'pending');
    w.ask('manageWallets', CHAIN);
    await menu(w, w.wallet.alias, 'Activity');
    await w.title('Activity');
    await until(() => w.text().includes('Waiting'));
    expect(w.text(), 'what is in a block needs no word').to.not.include('Confirmed');
    await openWaiting(w);
    await w.press('Speed up');
    await until(() => w.text().includes('Speed up transaction'));
    expect(w.shell.own, 'no site asks for it').to.equal(true);
    await w.press('Reject');
    await w.title('Sending 0.2 ETH');
    await w.press('Cancel transaction');
    await until(() => w.text().includes('Cancel transaction'));
    await w.press('Reject');
    await w.title('Sending 0.2 ETH');
    await w.press('Speed up');
    await w.approve();
    await w.title('Sent');
    expect(w.shell.own).to.equal(true);
    await w.press('Done');
    await w.title('Activity');
    const replaced = await w.vault.activity.get('0xwaiting');
    expect(replaced?.replacedBy).to.equal(`0x${'2'.padStart(64, '0')}`);
    expect(w.chain.signed.at(-1)).to.deep.include({ nonce: 7 });
  });
});

describe('settings', () => {
  it('open over the wallet’s own view, keep the theme, and give the view back', async () => {
    const w = await world();
    w.ask('manageWallets', CHAIN);
    await w.title('Ethereum wallets');
    await w.press('Settings');
    await w.title('Settings');
    expect(w.shell.own).to.equal(true);
    const dark = deepAll<HTMLInputElement>(w.shell, 'input[name=theme]').find(
      ({ labels }) => labels?.[0]?.textContent?.trim() === 'Dark',
    )!;
    dark.click();
    await until(() => w.shell.theme === 'dark');
    await until(() => w.vault.settings.theme() === 'dark');
    await w.press('Back');
    await w.title('Ethereum wallets');
  });

  it('give back a list that takes presses while it is read again', async () => {
    const w = await world();
    w.ask('manageWallets', CHAIN);
    await w.press('Settings');
    await w.title('Settings');
    let goOn = (): void => {};
    const { unsaved } = w.vault;
    w.vault.unsaved = () => new Promise((resolve) => (goOn = () => resolve(unsaved.call(w.vault))));
    await w.press('Back');
    await w.press('Import wallet');
    w.vault.unsaved = unsaved;
    goOn();
    await w.title('Import wallet');
  });

  it('lock: say what that did, and end the request', async () => {
    const w = await world();
    const asked = w.ask('manageWallets', CHAIN);
    await w.title('Ethereum wallets');
    await w.press('Settings');
    await w.press('Lock now');
    await w.title('Your wallet is locked');
    expect(w.text()).to.include('Every approval needs your PIN').and.not.include('was approved');
    await w.press('Done');
    await settled(asked);
    expect(asked.error?.code).to.equal('user.rejected');
  });

  it('lock: say that what the site asked for was not approved, if it asked for something', async () => {
    const w = await world();
    const asked = w.ask('linkWallets', {});
    await w.find('Link wallets');
    await w.press('Settings');
    await w.press('Lock now');
    await w.title('Your wallet is locked');
    expect(w.text()).to.include('none of it was approved').and.include('needs your PIN or passkey again');
    await w.press('Done');
    await settled(asked);
    expect(asked.error?.code).to.equal('user.rejected');
  });

  it('are not offered while a site asks for consent', async () => {
    const w = await world();
    w.transfer();
    await w.approval();
    expect(() => named(w.shell, 'Settings')).to.throw();
    expect(named(w.shell, 'Close')).to.be.instanceOf(HTMLElement);
  });

  it('back up: words after the PIN, then the check, and the words again on Back', async () => {
    const w = await world({ wallets: 0 });
    const unlocked = await w.vault.create(PIN);
    await w.vault.createWallet(unlocked, 'ETHEREUM');
    unlocked.close();
    w.ask('manageWallets', CHAIN);
    await w.title('Ethereum wallets');
    await w.press('Settings');
    await w.press('Show words');
    await w.pin(PIN);
    await w.press('Continue');
    const words = await shownWords(w);
    await w.press('I wrote them down');
    await w.title('Check your copy');
    expect(w.text(), 'this is no part of setting up').not.to.include('of 3');
    await w.press('Back');
    await w.title('Your 12 words');
    await w.press('I wrote them down');
    await typeBack(w, words);
    await w.title('Backed up');
    expect(w.text()).to.include('If you lose this browser, these words bring your wallet back.');
    await w.press('Done');
    await w.title('Settings');
    expect((await w.vault.state()).backedUp).to.equal(true);
    await w.press('Back');
    await w.title('Ethereum wallets');
    await until(() => !w.text().includes('Not backed up'));
  });

  it('change the PIN', async () => {
    const w = await world();
    w.ask('manageWallets', CHAIN);
    await w.title('Ethereum wallets');
    await w.press('Settings');
    await w.press('Change PIN');
    await w.pin(PIN, 'Current PIN');
    await w.press('Continue');
    await choosePin(w, '739154');
    await w.title('Settings');
    (await w.vault.unlock('739154')).close();
    await until(() => w.text().includes('Changed today'));
    await until(() =>
      deepAll(w.shell, '[role=status]').some((line) => line.textContent?.startsWith('Saved')),
    );
  });
});

describe('restoring', () => {
  it('says whose words they are before a new PIN is chosen', async () => {
    const w = await world();
    for (let i = 0; i < 5; i++) await w.vault.unlock('9999').catch(() => {});
    w.transfer();
    await w.press('Restore with 12 words');
    const area = await until(() => deepAll<HTMLTextAreaElement>(w.shell, 'textarea')[0]);
    const words = (text: string): void => type(area, text);
    words('legal winner thank year wave sausage worth useful legal winner thank yellow');
    await w.press('Continue');
    await until(() =>
      w.text().includes('These words belong to another wallet than the one in this browser.'),
    );
    words('legal winner thank year wave sausage worth useful legal winner thank thank');
    await w.press('Continue');
    await until(() => w.text().includes('These words do not form a recovery phrase.'));
    expect(w.text()).to.not.include('Choose a PIN');
    expect((await w.vault.state()).lockedUntil).to.be.a('number');
  });
});
