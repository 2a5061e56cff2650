import { expect } from '@open-wc/testing';
import {
  mayDelete,
  passkeyOnly,
  remindsFrom,
  remindValue,
  setRemindsFrom,
} from '../../../../src/frame/ui/backup-reminder.ts';
import type { ManageView } from '../../../../src/frame/wallets/manage-view.ts';
import { writeAmountsIn } from '../../../../src/ui/amount-text.ts';
import { frame } from '../../turns.ts';
import { deepAll } from '../scene.ts';
import { NETWORKS, ORIGIN, PIN, settled, until, world, type World } from '../world.ts';

const MAY_DELETE = mayDelete();
const CHAIN = { chain: 'ETHEREUM' };
const DAY = 24 * 60 * 60 * 1000;
const COPY = 'carabiner:copy';
const REMINDED = 'carabiner:reminded';

/** The browser has promised to keep wallets, or not. */
function promise(kept: boolean): void {
  // WebKitGTK has none.
  const storage = navigator.storage ?? { persist: async () => kept };
  Object.defineProperty(storage, 'persisted', { configurable: true, value: async () => kept });
  Object.defineProperty(navigator, 'storage', { configurable: true, value: storage });
}

/** A wallet that is not backed up, in such a browser. */
async function unsaved(kept: boolean): Promise<World> {
  promise(kept);
  const w = await world({ wallets: 0 });
  const unlocked = await w.vault.create(PIN);
  const { id } = await w.vault.createWallet(unlocked, 'ETHEREUM');
  unlocked.close();
  await w.vault.link(ORIGIN, [id]);
  return w;
}

async function openReceive(w: World): Promise<void> {
  await w.press('More for Main wallet');
  await w.press('Receive');
}

describe('the back-up of a wallet', () => {
  const forget = () => [REMINDED, COPY].forEach((key) => localStorage.removeItem(key));
  beforeEach(forget);
  afterEach(() => {
    delete (navigator.storage as Partial<StorageManager> | undefined)?.persisted;
    Reflect.deleteProperty(navigator, 'storage');
    forget();
  });

  it('is offered before Receive where the browser may delete it, unless a card reminded of it today', async () => {
    const w = await unsaved(false);
    w.ask('manageWallets', CHAIN);
    await until(() => w.text().includes('is not backed up'), 'the card');
    expect(w.text(), 'in one place').not.to.include(MAY_DELETE);
    await openReceive(w);
    await w.title('Receive ETH');
    expect(w.text()).to.include('Not backed up').and.include(MAY_DELETE);
    await w.press('Done');
    await w.title('Ethereum wallets');
    w.clock.setDate(w.clock.date() + DAY);
    await openReceive(w);
    await w.title('Back up before you receive');
    await w.press('Remind me later');
    await w.title('Receive ETH');
    expect(Number(localStorage.getItem(REMINDED))).to.equal(w.clock.date());
  });

  it('is said to be the encrypted copy alone where there is one', async () => {
    const w = await unsaved(true);
    localStorage.setItem(COPY, 'kept');
    w.ask('manageWallets', CHAIN);
    await until(() => w.text().includes('Encrypted copy only'), 'the mark');
    await openReceive(w);
    await w.title('Receive ETH');
    expect(w.text()).to.include(passkeyOnly()).and.not.include('Not backed up').and.not.include(MAY_DELETE);
  });

  it('warns of seven days in Safari only', () => {
    const vendor = (name: string): string => {
      Object.defineProperty(navigator, 'vendor', { configurable: true, value: name });
      return mayDelete();
    };
    expect(vendor('Apple Computer, Inc.')).to.include('7 days');
    expect(vendor('Google Inc.')).not.to.include('7 days');
    Reflect.deleteProperty(navigator, 'vendor');
  });

  it('of a wallet with a PIN is by the words: the file would be opened by nothing else', async () => {
    const w = await unsaved(false);
    w.ask('manageWallets', CHAIN);
    await until(() => w.text().includes('is not backed up'), 'the card');
    w.clock.setDate(w.clock.date() + DAY);
    await openReceive(w);
    await w.title('Back up before you receive');
    expect(w.text()).to.include('Show words').and.not.include('Save back-up file');
  });

  /** `press`, with the browser's download caught. */
  async function saving(press: () => Promise<void>): Promise<void> {
    const { click } = HTMLAnchorElement.prototype;
    let names = 0;
    HTMLAnchorElement.prototype.click = () => void names++;
    try {
      await press();
      await until(() => names);
    } finally {
      HTMLAnchorElement.prototype.click = click;
    }
  }

  it('of an imported wallet is offered before Receive as a file, or by its key', async () => {
    const w = await unsaved(false);
    await w.vault.confirmBackup();
    const unlocked = await w.vault.unlock(PIN);
    await w.vault.importWallet(unlocked, 'ETHEREUM', new Uint8Array(32).fill(7), 'Old');
    unlocked.close();
    w.ask('manageWallets', CHAIN);
    await w.press('More for Old');
    await w.press('Receive');
    await w.title('Back up before you receive');
    expect(w.text()).to.include('Export wallet').and.not.include('Show words');
    await saving(async () => {
      await w.press('Save back-up file');
      await w.pin();
      await w.press('Continue');
    });
    await w.press('I have the file');
    await w.title('Receive ETH');
    expect((await w.vault.unsaved()).size).to.equal(0);
    expect(w.text()).not.to.include('Not backed up');
  });

  it('is missing on consent, too, where the browser may delete the wallet, and it says so', async () => {
    for (const kept of [false, true]) {
      const w = await unsaved(kept);
      const asked = w.ask('linkWallets');
      await until(() => w.text().includes('Not backed up'));
      expect(w.text().includes(MAY_DELETE)).to.equal(!kept);
      await w.press('Reject');
      await settled(asked);
    }
  });

  it('comes later for a wallet made on the way to consent, which says what may happen until then', async () => {
    for (const kept of [false, true]) {
      promise(kept);
      const w = await world({ wallets: 0 });
      const asked = w.ask('linkWallets', { secretTypes: ['ETHEREUM'], newWallet: 'create' });
      await w.pin(PIN, 'PIN');
      await w.press('Continue');
      await w.pin(PIN, 'Confirm PIN');
      await w.press('Continue');
      await until(() => w.text().includes('Back it up later'));
      expect(w.text().includes(MAY_DELETE)).to.equal(!kept);
      expect(w.text().includes('We will remind you')).to.equal(kept);
      await w.press('Reject');
      await settled(asked);
    }
  });

  it('waits a day after Remind me later', async () => {
    const w = await unsaved(true);
    w.ask('manageWallets', CHAIN);
    await w.press('Remind me later');
    await until(() => !w.text().includes('is not backed up'));
    expect(Number(localStorage.getItem(REMINDED))).to.equal(w.clock.date());
  });

  for (const [from, reminds] of [
    [100, true],
    [1000, false],
  ] as const)
    it(`is ${reminds ? '' : 'not '}asked for at every opening of wallets worth $120, from $${from} on`, async () => {
      const w = await unsaved(true);
      localStorage.setItem(REMINDED, String(w.clock.date()));
      setRemindsFrom(from);
      writeAmountsIn('en-US');
      const fiat = { source: 'http', url: 'https://prices.invalid/v1' };
      Object.assign(w.frame, { networks: { ...NETWORKS, fiat } });
      const real = window.fetch;
      const at = Math.floor(w.clock.date() / 1000);
      // It holds 1.2 ether.
      window.fetch = async () => Response.json({ currency: 'USD', prices: { local: { price: 100, at } } });
      try {
        w.ask('manageWallets', CHAIN);
        await until(
          () => deepAll(w.shell, '.held').some((e) => e.textContent!.includes('$120')),
          'the value',
        );
        await deepAll<ManageView>(w.shell, 'cbf-manage')[0]!.updateComplete;
        expect(w.text().includes('is not backed up')).to.equal(reminds);
        if (reminds) {
          await w.press('Remind me later');
          await until(() => !w.text().includes('is not backed up'));
        }
        await w.press('Settings');
        const select = await w.find<HTMLSelectElement>('Remind me of wallets that are not backed up');
        expect(Number(select.value)).to.equal(from);
        select.value = '0';
        select.dispatchEvent(new Event('change'));
        await until(() => remindsFrom() === 0);
      } finally {
        window.fetch = real;
        writeAmountsIn();
        for (const key of ['carabiner:remind-from', 'carabiner:prices']) localStorage.removeItem(key);
      }
    });

  it('means about as much in a currency without cents', () => {
    expect(remindValue(100, 'EUR')).to.equal(100);
    expect(remindValue(100, 'JPY')).to.equal(10_000);
  });

  it('is not offered before Receive where the browser keeps it', async () => {
    const w = await unsaved(true);
    w.ask('manageWallets', CHAIN);
    await openReceive(w);
    await w.title('Receive ETH');
    expect(w.text()).to.include('Not backed up').and.not.include('Safari');
  });

  it('is asked for once the wallet holds something, once a day, by the words', async () => {
    const w = await unsaved(true);
    const asked = w.ask('manageWallets', CHAIN);
    await until(() => w.text().includes('It now holds 1.2 ETH'));
    await w.press('Show words');
    await w.title('Enter your PIN');
    await w.press('Back');
    await w.title('Ethereum wallets');
    await w.press('Close');
    await settled(asked);
    for (const [passed, shown] of [
      [DAY - 1, false],
      [1, true],
    ] as const) {
      await w.clock.pass(passed);
      const again = w.ask('manageWallets', CHAIN);
      await until(() => w.text().includes('1.2 ETH'));
      if (shown) await until(() => w.text().includes('is not backed up'), 'the reminder');
      await frame();
      expect(w.text().includes('is not backed up')).to.equal(shown);
      await w.press('Close');
      await settled(again);
    }
  });

  it('is saved as a file in Settings, which an empty browser restores', async () => {
    const w = await unsaved(true);
    const { click } = HTMLAnchorElement.prototype;
    let file: Promise<string> | undefined;
    let name = '';
    HTMLAnchorElement.prototype.click = function (this: HTMLAnchorElement) {
      name = this.download;
      file = fetch(this.href).then((answer) => answer.text());
    };
    try {
      w.ask('manageWallets', CHAIN);
      await w.press('Settings');
      await w.press('Save back-up file');
      await w.pin();
      await w.press('Continue');
      await until(() => file);
      await w.title('Is the file saved?');
    } finally {
      HTMLAnchorElement.prototype.click = click;
    }
    expect(w.text()).to.include(name).and.include('only your 12 words open it');
    await w.press('Not yet');
    await w.title('Settings');
    expect((await w.vault.unsaved()).size, 'nobody has the file').to.equal(1);
    expect(name).to.match(/^carabiner-backup-\d{4}-\d\d-\d\d\.json$/);
    const [wallet] = await w.vault.wallets();
    const unlocked = await w.vault.unlock(PIN);
    const words = (await w.vault.phrase(unlocked)).join(' ');
    unlocked.close();

    const empty = await world({ wallets: 0 });
    const linking = empty.ask('linkWallets', { secretTypes: ['ETHEREUM'], newWallet: 'import' });
    await empty.press('Restore from a file');
    const input = await until(() => deepAll<HTMLInputElement>(empty.shell, 'input[type=file]')[0]);
    const choose = (text: string): void => {
      const data = new DataTransfer();
      data.items.add(new File([text], name));
      input.files = data.files;
      input.dispatchEvent(new Event('change'));
    };
    choose('{}');
    await until(() => empty.text().includes('This is not a back-up file of this wallet'));
    choose(await file!);
    const field = await until(() => deepAll<HTMLTextAreaElement>(empty.shell, 'textarea')[0]);
    field.value = words;
    field.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
    await empty.press('Continue');
    await empty.pin('739154', 'PIN');
    await empty.press('Continue');
    await empty.pin('739154', 'Confirm PIN');
    await empty.press('Continue');
    await until(() => empty.text().includes('Wallet restored'));
    expect(await empty.vault.wallets()).to.deep.equal([wallet]);
    (await empty.find<HTMLButtonElement>('Link wallets')).click();
    await settled(linking);
  });
});
