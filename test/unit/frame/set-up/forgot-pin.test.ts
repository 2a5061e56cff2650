import { expect } from '@open-wc/testing';
import { Authenticator } from '../../wallets/authenticator.ts';
import { deepAll, type } from '../scene.ts';
import { PIN, settled, until, world, type World } from '../world.ts';

const NEW_PIN = '739154';

let authenticator: Authenticator;
let unplug: () => void;
beforeEach(() => {
  authenticator = new Authenticator();
  unplug = authenticator.plug();
});
afterEach(() => unplug());

/** Presses Approve with a wrong PIN, then Forgot PIN?. */
async function forget(w: World): Promise<void> {
  await w.seen();
  await w.approve('9999');
  await w.press('Forgot PIN?');
  await w.title('Forgot PIN?');
}

async function choosePin(w: World): Promise<void> {
  await w.title('Choose a PIN');
  for (const label of ['PIN', 'Confirm PIN']) {
    await w.pin(NEW_PIN, label);
    await w.press('Continue');
  }
}

const isOffered = (w: World): boolean =>
  deepAll(w.shell, 'button').some(({ textContent }) => textContent?.trim() === 'Forgot PIN?');

describe('a forgotten PIN', () => {
  it('is nothing to ask about before the first wrong one', async () => {
    const w = await world();
    w.transfer();
    await w.seen();
    expect(isOffered(w)).to.equal(false);
    await w.approve('9999');
    await until(() => isOffered(w));
  });

  it('is replaced with the 12 words, and the approval goes on with the new one', async () => {
    const w = await world();
    const open = await w.vault.unlock(PIN);
    const words = (await w.vault.phrase(open)).join(' ');
    open.close();
    const task = w.transfer();
    await forget(w);
    expect(w.text()).to.include('A device on which this wallet still opens shows the 12 words');
    await w.press('Restore with 12 words');
    type(await until(() => deepAll<HTMLTextAreaElement>(w.shell, 'textarea')[0]), words);
    await w.press('Continue');
    await choosePin(w);
    await w.seen();
    expect(w.text()).not.to.include('Wrong PIN');
    expect(w.chain.signed).to.have.length(0);
    await w.approve(NEW_PIN);
    await settled(task);
    expect(w.chain.signed).to.have.length(1);
  });

  it('is replaced with the passkey, whose count of wrong PINs ends', async () => {
    const w = await world();
    const open = await w.vault.unlock(PIN);
    await w.vault.addPasskey(open);
    open.close();
    const task = w.transfer();
    await w.seen();
    await w.press('Use PIN');
    await w.approve('9999');
    await w.press('Forgot PIN?');
    await w.press('Continue with passkey');
    await choosePin(w);
    await w.seen();
    expect(await w.vault.state()).to.include({ wrongPins: 0, lockedUntil: null });
    expect(w.chain.signed).to.have.length(0);
    await w.approve(NEW_PIN);
    await settled(task);
    expect(w.chain.signed).to.have.length(1);
  });

  it('stays as it is on Back, and if the passkey is not used', async () => {
    const w = await world();
    await w.vault.addPasskey(await w.vault.unlock(PIN));
    const task = w.transfer();
    await w.seen();
    await w.press('Use PIN');
    await w.approve('9999');
    await w.press('Forgot PIN?');
    await w.title('Forgot PIN?');
    authenticator.mode = 'cancel';
    await w.press('Continue with passkey');
    await until(() => authenticator.asked.get.length === 1);
    await w.title('Forgot PIN?');
    await w.press('Back');
    await w.approve();
    await settled(task);
    expect(w.chain.signed).to.have.length(1);
  });
});
