/** Who goes back while a PIN is checked has gone back: nothing that the PIN opens comes on screen, and nothing is changed. */
import { expect } from '@open-wc/testing';
import type { Unlocked, Vault } from '../../../../src/wallets/types.ts';
import { frame } from '../../turns.ts';
import { deepAll, named } from '../scene.ts';
import { PIN, settled, until, world, type World } from '../world.ts';

const CHAIN = { chain: 'ETHEREUM' };

/** The vault answers this call once it is let go. */
function hold<K extends 'unlock' | 'create' | 'changePin' | 'addPasskey'>(
  w: World,
  name: K,
): { letGo(): Promise<void>; opened: Unlocked[]; signals: AbortSignal[] } {
  const work = w.vault[name] as (...given: unknown[]) => Promise<unknown>;
  const opened: Unlocked[] = [];
  const signals: AbortSignal[] = [];
  const ends: Promise<unknown>[] = [];
  let go = (): void => {};
  const gate = new Promise<void>((resolve) => (go = resolve));
  const held = async (...given: unknown[]): Promise<unknown> => {
    signals.push(...given.filter((one) => one instanceof AbortSignal));
    // What only opens has done so when the user leaves; what changes something has not begun.
    if (name !== 'unlock') await gate;
    const unlocked = await work(...given);
    if (name === 'unlock') opened.push(unlocked as Unlocked);
    await gate;
    return unlocked;
  };
  w.vault[name] = ((...given: unknown[]) => {
    const end = held(...given);
    ends.push(end.catch(() => {}));
    return end;
  }) as Vault[K];
  return {
    opened,
    signals,
    async letGo() {
      go();
      await Promise.all(ends);
      await frame();
    },
  };
}

async function openSettings(w: World): Promise<void> {
  w.ask('manageWallets', CHAIN);
  await w.title('Ethereum wallets');
  await w.press('Settings');
  await w.title('Settings');
}

async function isClosed(w: World, unlocked: Unlocked): Promise<boolean> {
  return w.vault.phrase(unlocked).then(
    () => false,
    () => true,
  );
}

/** Types the PIN, and goes back while it is checked. */
async function backFromPin(w: World): Promise<void> {
  const check = hold(w, 'unlock');
  await w.pin(PIN);
  await w.press('Continue');
  await until(() => check.opened.length, 'the vault to be open');
  await w.press('Back');
  await w.title('Settings');
  await check.letGo();
  await w.title('Settings');
  expect(await isClosed(w, check.opened[0]!)).to.equal(true);
}

describe('going back while a PIN is checked', () => {
  it('shows no words', async () => {
    const w = await world();
    await openSettings(w);
    await w.press('Show words');
    await w.title('Enter your PIN');
    await backFromPin(w);
    expect(deepAll(w.shell, '.words')).to.deep.equal([]);
  });

  it('saves no back-up file', async () => {
    const w = await world();
    await openSettings(w);
    await w.press('Save back-up file');
    const { createObjectURL } = URL;
    let files = 0;
    URL.createObjectURL = (of) => (files++, createObjectURL.call(URL, of as Blob));
    try {
      await backFromPin(w);
      expect(files).to.equal(0);
    } finally {
      URL.createObjectURL = createObjectURL;
    }
  });

  it('changes no PIN, neither at the current one nor at the new one', async () => {
    const w = await world();
    await openSettings(w);
    await w.press('Change PIN');
    await w.title('Enter your PIN');
    const check = hold(w, 'unlock');
    await w.pin(PIN, 'Current PIN');
    await w.press('Continue');
    await until(() => check.opened.length);
    await w.press('Back');
    await w.title('Settings');
    await check.letGo();

    const change = hold(w, 'changePin');
    await w.press('Change PIN');
    await w.pin(PIN, 'Current PIN');
    await w.press('Continue');
    for (const label of ['PIN', 'Confirm PIN']) {
      await w.pin('739154', label);
      await w.press('Continue');
    }
    await until(() => change.signals.length);
    await w.press('Back');
    await w.title('Settings');
    await change.letGo();
    (await w.vault.unlock(PIN)).close();
  });

  it('exports no private key', async () => {
    const w = await world();
    w.ask('manageWallets', CHAIN);
    await w.press(`More for ${w.wallet.alias}`);
    await w.press('Export');
    (await w.find<HTMLInputElement>('I understand the risk')).click();
    const check = hold(w, 'unlock');
    await w.pin(PIN);
    await w.press('Show private key');
    await until(() => check.opened.length);
    await w.press('Cancel');
    await w.title('Ethereum wallets');
    await check.letGo();
    await w.title('Ethereum wallets');
    expect(deepAll(w.shell, 'cbf-private-key')).to.deep.equal([]);
    expect(await isClosed(w, check.opened[0]!)).to.equal(true);
  });

  for (const [what, ask] of [
    ['to send', (w: World) => w.transfer()],
    [
      'to sign',
      (w: World) => w.ask('sign', { type: 'ETHEREUM_RAW', walletId: w.wallet.id, data: '0x5369676e' }),
    ],
  ] as const)
    it(`rejects what a site asks ${what}: nothing is signed`, async () => {
      const w = await world();
      const check = hold(w, 'unlock');
      const asked = ask(w);
      await w.approve();
      await until(() => check.opened.length);
      await w.press('Reject');
      await settled(asked);
      expect(asked.error?.code).to.equal('user.rejected');
      await check.letGo();
      expect(w.chain.signed).to.deep.equal([]);
      expect(await isClosed(w, check.opened[0]!)).to.equal(true);
    });

  it('sets up no wallet, and leads to another PIN', async () => {
    const w = await world({ wallets: 0 });
    const making = hold(w, 'create');
    w.ask('manageWallets', CHAIN);
    await w.press('Create wallet');
    for (const label of ['PIN', 'Confirm PIN']) {
      await w.pin('739154', label);
      await w.press('Continue');
    }
    await until(() => making.signals.length);
    await w.press('Back');
    await w.title('Choose a PIN');
    await making.letGo();
    await w.title('Choose a PIN');
    expect((await w.vault.state()).exists).to.equal(false);
    for (const label of ['PIN', 'Confirm PIN']) {
      await w.pin('482915', label);
      await w.press('Continue');
    }
    await w.title('Back up your wallet');
    (await w.vault.unlock('482915')).close();
  });

  it('closes the wallet by Close', async () => {
    const w = await world();
    const check = hold(w, 'unlock');
    const asked = w.transfer();
    await w.approve();
    await until(() => check.opened.length);
    named(w.shell, 'Close').click();
    await settled(asked);
    await check.letGo();
    expect(w.chain.signed).to.deep.equal([]);
  });
});
