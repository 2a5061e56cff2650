/**
 * Whoever goes back, reloads or closes at any step of keeping, restoring or turning off a copy loses no way into the wallet, and is never told that
 * a copy is kept that another browser does not find. One browser goes through all steps; another one, which is empty, looks after them.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import { poll, within } from '../waiting.ts';
import { COPIES, CopyService } from './copy-service.ts';
import { newProfile, openWorld, PIN, WalletView, type World } from './harness.ts';
import { SyncedPasskeys } from './synced-passkeys.ts';

let world: World;
let copies: CopyService;
let passkeys: SyncedPasskeys;
let context: BrowserContext;
let page: Page;
let view: WalletView;
/** Another browser, which has nothing but the passkeys. */
let empty: BrowserContext;
before(async () => {
  world = await openWorld();
  world.vouchedBy(COPIES);
});
after(() => world.close());

async function profile(): Promise<BrowserContext> {
  const made = await newProfile(world.browser);
  await copies.plug(made);
  await passkeys.plug(made);
  return made;
}

async function open(): Promise<void> {
  page = await context.newPage();
  await page.goto(`${world.frame}/`);
  view = new WalletView(page);
}

/** A way to leave, after which the wallet's own page is as if it were just opened. */
type Way = 'leave' | 'reload' | 'close';
const WAYS: readonly Way[] = ['leave', 'reload', 'close'];

async function leave(way: Way): Promise<void> {
  passkeys.user = 'confirm';
  copies.release();
  // Escape is Back, Not now and Keep it.
  if (way === 'leave') await page.keyboard.press('Escape');
  if (way === 'close') {
    await within(page.close(), 'the end of a page');
    await open();
  } else await page.reload();
}

/** Brings the user to a step, and resolves once it waits there. */
type Step = readonly [name: string, reach: () => Promise<void>];

async function atPasskey(begin: () => Promise<void>): Promise<void> {
  passkeys.user = 'wait';
  const { asked } = passkeys;
  await begin();
  await poll(() => passkeys.asked > asked, 'the question for the passkey');
}

/** `lost`: the service has done it, and its answer does not come. */
async function atRequest(request: string, begin: () => Promise<void>, lost = false): Promise<void> {
  const reached = copies.hold(request, lost);
  await begin();
  await within(reached, request);
}

/** New browsers, of which the first has a wallet with a PIN and a passkey. */
async function createWallet(): Promise<void> {
  copies = new CopyService(world.frame);
  passkeys = new SyncedPasskeys();
  [context, empty] = [await profile(), await profile()];
  await open();
  await view.press('Create wallet');
  await view.press('Use a PIN instead');
  for (const box of ['PIN', 'Confirm PIN']) {
    await view.enterPin(PIN, box);
    await view.press('Continue');
  }
  await view.press('Remind me later');
  await view.press('Done');
  await view.press('Settings');
  await view.root.getByRole('switch', { name: 'Passkey' }).click();
  await view.enterPin();
  await view.press('Continue');
  await view.press('Not now');
  await view.text('Passkey added').first().waitFor();
  await page.reload();
}

async function openCopy(): Promise<void> {
  await view.press('Settings');
  await view.press('Show encrypted copy');
}

const keep = async (): Promise<void> => {
  await openCopy();
  await view.press('Keep an encrypted copy');
};

const turnOff = async (): Promise<void> => {
  await openCopy();
  await view.press('Turn off');
  await view.heading('Turn off the encrypted copy?').waitFor();
  await view.press('Turn off');
};

/** What Settings say of the copy in the table of what brings the wallets back. */
async function claim(): Promise<string> {
  await view.press('Settings');
  const row = view.root.getByRole('row', { name: /^Encrypted copy/ });
  await row.waitFor();
  const text = await row.innerText();
  await page.reload();
  return text
    .replace(/^Encrypted copy\s*/, '')
    .split('\n')[0]!
    .trim();
}

/** Whether another browser finds the copy, which it does not adopt. */
async function isFound(): Promise<boolean> {
  const other = await empty.newPage();
  await other.goto(`${world.frame}/`);
  const there = new WalletView(other);
  await there.press('Use my passkey');
  const found = there.heading('Are these your wallets?');
  const none = there.text(/Nothing in this browser was deleted/);
  await found.or(none).first().waitFor();
  const is = (await found.count()) > 0;
  await within(other.close(), 'the end of a page');
  return is;
}

/** The passkey and the PIN open the wallet, as they did. */
async function opensByBoth(): Promise<void> {
  const words = view.root.getByRole('list', { name: 'Your 12 words' });
  for (const way of ['passkey', 'PIN'] as const) {
    await view.press('Settings');
    await view.press('Show words');
    if (way === 'passkey') await view.press('Continue with passkey');
    else {
      await view.press('Use a PIN instead');
      await view.enterPin(PIN);
      await view.press('Continue');
    }
    await words.waitFor();
    await page.reload();
  }
}

async function closeAll(): Promise<void> {
  for (const each of [context, empty]) await within(each.close(), 'the end of a profile');
}

/** Reads the page anew once Settings say this of the copy. */
async function says(state: 'Kept' | 'Not kept'): Promise<void> {
  await view.root.getByRole('row', { name: `Encrypted copy ${state}` }).waitFor();
  await page.reload();
}

describe('somebody who keeps a copy, and leaves', () => {
  before(createWallet);
  after(closeAll);
  const steps: readonly Step[] = [
    ['at the question', () => openCopy().then(() => view.heading('Keep an encrypted copy?').waitFor())],
    ['at the passkey', () => atPasskey(keep)],
    ['before the contents are written', () => atRequest('PUT vault', keep)],
    ['after the contents are written', () => atRequest('PUT vault', keep, true)],
    ['before the passkey’s slot is written', () => atRequest('PUT slot', keep)],
    ['after the passkey’s slot is written', () => atRequest('PUT slot', keep, true)],
    ['while both are read back', () => atRequest('GET vault', keep)],
  ];
  for (const [name, reach] of steps)
    test(`${name}: nothing half-kept is offered as kept, and it is kept at the next try`, async () => {
      for (const way of WAYS) {
        await reach();
        await leave(way);
        if ((await claim()) === 'Kept') assert.equal(await isFound(), true, way);
        else {
          await keep();
          await says('Kept');
        }
        await turnOff();
        await says('Not kept');
      }
    });
  test('has every door that was open, and a copy that another browser finds', async () => {
    await opensByBoth();
    await keep();
    await says('Kept');
    assert.equal(await isFound(), true);
  });
});

describe('somebody who turns the copy off, and leaves', () => {
  before(createWallet);
  after(closeAll);
  const question = async (): Promise<void> => {
    await openCopy();
    await view.press('Turn off');
    await view.heading('Turn off the encrypted copy?').waitFor();
  };
  const steps: readonly Step[] = [
    ['at the question', question],
    ['at the passkey', () => atPasskey(turnOff)],
    ['before the contents are removed', () => atRequest('DELETE vault', turnOff)],
    ['after the contents are removed', () => atRequest('DELETE vault', turnOff, true)],
    ['before the passkey’s slot is removed', () => atRequest('DELETE slot', turnOff)],
    ['after the passkey’s slot is removed', () => atRequest('DELETE slot', turnOff, true)],
  ];
  for (const [name, reach] of steps)
    test(`${name}: it is kept, or is turned off at the next try`, async () => {
      for (const way of WAYS) {
        await keep();
        await says('Kept');
        await reach();
        await leave(way);
        const state = await claim();
        if (reach === question) assert.deepEqual([state, copies.kept], ['Kept', 1], way);
        if (state === 'Not kept') continue;
        await turnOff();
        await says('Not kept');
        assert.equal(copies.kept, 0, way);
      }
    });
  test('has every door that was open, and no other browser finds a copy', async () => {
    await opensByBoth();
    assert.equal(await isFound(), false);
  });
});

describe('somebody who restores, and leaves', () => {
  before(async () => {
    await createWallet();
    await keep();
    await says('Kept');
    await within(context.close(), 'the end of a profile');
    context = await profile();
    await open();
  });
  after(closeAll);
  const find = (): Promise<void> => view.press('Use my passkey');
  const look = async (): Promise<void> => {
    await find();
    await view.heading('Are these your wallets?').waitFor();
  };
  const choosePin = async (): Promise<void> => {
    await look();
    await view.press('Choose a PIN');
    await view.heading('Choose a PIN').waitFor();
  };
  const steps: readonly Step[] = [
    ['at the passkey', () => atPasskey(find)],
    ['while the slot is read', () => atRequest('GET slot', find)],
    ['while the contents are read', () => atRequest('GET vault', find)],
    ['at what was found', look],
    ['at the choice of a PIN', choosePin],
  ];
  for (const [name, reach] of steps)
    test(`${name}: the browser is as empty as before, and the copy stays`, async () => {
      for (const way of WAYS) {
        await reach();
        await leave(way);
        await view.heading('Set up your wallet').waitFor();
        assert.equal(copies.kept, 1, way);
      }
    });
  test('gets the wallet back at the next try', async () => {
    await look();
    await view.press('Continue with passkey');
    await view.button('Send').first().waitFor();
    await page.reload();
    assert.equal(await claim(), 'Kept');
  });
});
