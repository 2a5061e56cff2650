/** Which passkeys open the encrypted copy. */
import { expect } from '@open-wc/testing';
import { poll } from '../../../waiting.ts';
import { Authenticator } from '../../wallets/authenticator.ts';
import { until } from '../world.ts';
import { copyWorld, type CopyWorld, keep, keeping, withPasskey } from './copy-world.ts';

const NEW_PIN = '739154';
let unplug: () => void = () => {};
afterEach(() => unplug());

async function showPasskeys(w: CopyWorld): Promise<void> {
  await w.press('Settings');
  await w.press('Show encrypted copy');
  await w.press('Passkeys that open it');
  await w.title('Passkeys that open it');
}

/** Another authenticator, whose passkey opens the copy, too. */
async function withAnother(w: CopyWorld): Promise<Authenticator> {
  await showPasskeys(w);
  const another = new Authenticator();
  unplug = another.plug();
  await w.press('Add another passkey');
  await until(() => w.text().includes('From another device'), 'the second passkey');
  unplug();
  return another;
}

/** A passkey that opens the copy of somebody else's wallet, at the same server. */
async function keepingOf(w: CopyWorld): Promise<Pick<Authenticator, 'id' | 'secret'>> {
  const theirs = new Authenticator();
  unplug = theirs.plug();
  const browser = await copyWorld({ wallets: 0 }, w);
  await withPasskey(browser);
  await keep(browser);
  unplug();
  return { id: theirs.id, secret: theirs.secret };
}

const tombstones = (w: CopyWorld): number =>
  [...w.server.objects.values()].filter((object) => object[6] === 1).length;

/** Whether a passkey opens the copy in a new browser. */
async function opens(w: CopyWorld, passkey: Authenticator): Promise<boolean> {
  const undo = passkey.plug();
  const { KeptCopy } = await import('../../../../src/sync/kept-copy.ts');
  const browser = await copyWorld({ wallets: 0 }, w);
  const copy = new KeptCopy(await browser.vault.parts(), { url: 'https://copies.example', clock: w.clock });
  try {
    (await copy.find()).close();
    return true;
  } catch {
    return false;
  } finally {
    undo();
  }
}

async function choosePin(w: CopyWorld): Promise<void> {
  for (const label of ['PIN', 'Confirm PIN']) {
    await w.pin(NEW_PIN, label);
    await w.press('Continue');
  }
}

describe('passkeys of an encrypted copy', () => {
  it('are added, each opens it in a new browser, and one that is removed does no longer', async () => {
    const w = await keeping();
    const another = await withAnother(w);
    expect(await opens(w, another)).to.equal(true);
    const day = new Date(w.clock.date()).toISOString().slice(0, 10);
    await w.press(`Remove Carabiner wallet · ${day}`);
    await w.title(`Remove “Carabiner wallet · ${day}”?`);
    await w.press('Remove');
    await w.title('Passkeys that open it');
    await until(() => tombstones(w) === 2, 'the old key and the slot to be gone');
    expect(await opens(w, another)).to.equal(false);
    expect(await opens(w, w.authenticator)).to.equal(true);
    expect(another.dropped).to.deep.equal([]);
  });

  it('are not added if the device makes none, or one that gives another secret the second time', async () => {
    const w = await keeping();
    await showPasskeys(w);
    const another = new Authenticator();
    unplug = another.plug();
    another.mode = 'cancel';
    await w.press('Add another passkey');
    await until(() => w.text().includes('No passkey was made.'), 'the reason');
    another.mode = 'at once';
    another.during = () => void (another.secret = another.secret.toReversed());
    await w.press('Add another passkey');
    await until(() => w.text().includes('This passkey cannot open a copy.'), 'the reason');
    expect(another.dropped).to.deep.equal([another.name]);
    expect(w.server.paths('slot')).to.have.length(1);
  });

  it('go with the copy if the only one is removed in Settings, and it stays in the password manager', async () => {
    const w = await keeping();
    await w.press('Settings');
    await w.press('Passkey');
    await w.press('Continue with passkey');
    await choosePin(w);
    await w.title('Remove the passkey?');
    await w.press('Remove');
    await until(() => tombstones(w) === 2, 'the copy to be gone');
    await poll(async () => !(await w.vault.state()).passkey, 'the passkey to be gone');
    expect(w.authenticator.dropped).to.deep.equal([]);
  });

  it('take over the wallet from one that is removed in Settings', async () => {
    const w = await keeping();
    const another = await withAnother(w);
    await w.press('Back');
    await w.title('Encrypted copy');
    await w.press('Back');
    await w.title('Settings');
    await w.press('Passkey');
    await w.press('Continue with passkey');
    await choosePin(w);
    await w.title('Remove the passkey?');
    const first = w.authenticator.id;
    w.authenticator.during = ({ allowCredentials }) => {
      // The user picks the other one when any will do.
      if (allowCredentials?.length === 0)
        Object.assign(w.authenticator, { id: another.id, secret: another.secret });
    };
    await w.press('Remove');
    await w.title('Settings');
    expect(await w.vault.state()).to.include({ passkey: true, pin: true });
    expect(tombstones(w)).to.equal(2);
    expect(w.authenticator.id).not.to.deep.equal(first);
    w.authenticator.during = () => {};
    (await w.vault.unlock(NEW_PIN)).close();
  });

  it('do not take it over with the copy of another wallet', async () => {
    const w = await keeping();
    const theirs = await keepingOf(w);
    await withAnother(w);
    await w.press('Back');
    await w.title('Encrypted copy');
    await w.press('Back');
    await w.title('Settings');
    await w.press('Passkey');
    await w.press('Continue with passkey');
    await choosePin(w);
    await w.title('Remove the passkey?');
    const { id, secret } = w.authenticator;
    w.authenticator.during = ({ allowCredentials }) => {
      if (allowCredentials?.length === 0) Object.assign(w.authenticator, theirs);
    };
    await w.press('Remove');
    await until(() => w.text().includes('This passkey opens the copy of another wallet.'), 'the reason');
    Object.assign(w.authenticator, { id, secret, during: () => {} });
    expect(tombstones(w)).to.equal(0);
    expect(await opens(w, w.authenticator)).to.equal(true);
  });
});
