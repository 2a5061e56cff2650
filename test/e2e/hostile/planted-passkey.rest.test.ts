/**
 * Attempts to have the user receive into somebody else's vault, by a passkey that the attacker has put into her password manager: each request of
 * a site, in dialog and window, and the wallet's own page as a site opens it. None asks for a passkey; what the user begins there herself does.
 */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { poll, within } from '../../waiting.ts';
import { COPIES, CopyService } from '../copy-service.ts';
import { evaluateIn, newProfile, openWorld, type Visitor, WalletView, type World } from '../harness.ts';
import { SyncedPasskeys } from '../synced-passkeys.ts';

let world: World;
let copies: CopyService;
/** The attacker's, synced to the victim's browser. */
let planted: SyncedPasskeys;
let theirs: string;

before(async () => {
  world = await openWorld();
  world.vouchedBy(COPIES);
  copies = new CopyService(world.frame);
  planted = new SyncedPasskeys();
  const attacker = await newProfile(world.browser);
  await copies.plug(attacker);
  await planted.plug(attacker);
  const page = await attacker.newPage();
  await page.goto(`${world.frame}/`);
  const view = new WalletView(page);
  await view.press('Create wallet');
  await view.press('Continue with passkey');
  await view.press('Keep an encrypted copy');
  await view.press('Remind me later');
  theirs = (await view
    .text(/^0x[0-9a-fA-F]{40}$/)
    .first()
    .textContent())!.trim();
  await within(attacker.close(), 'the end of a profile');
});
after(() => world.close());
beforeEach(() => {
  planted.asked = 0;
});

async function victim(where: 'iframe' | 'popup'): Promise<Visitor> {
  const visitor = await world.visit(where);
  await copies.plug(visitor.context);
  await planted.plug(visitor.context);
  await visitor.reload();
  return visitor;
}

/** Whether the victim's browser has no vault, from within the wallet's origin. */
async function isEmpty(visitor: Visitor): Promise<boolean> {
  const page = await visitor.context.newPage();
  await page.goto(`${world.frame}/networks.json`);
  const count = await evaluateIn(page)(async () => {
    const settled = <T>(request: IDBRequest<T>): Promise<T> =>
      new Promise((resolve) => {
        request.onsuccess = () => resolve(request.result);
      });
    let rows = 0;
    for (const { name } of await indexedDB.databases()) {
      const db = await settled(indexedDB.open(name!));
      if (db.objectStoreNames.contains('wallets'))
        rows += await settled(db.transaction('wallets').objectStore('wallets').count());
      db.close();
    }
    return rows;
  });
  await within(page.close(), 'the end of a page');
  return count === 0;
}

/** Opens the wallet's own page as a site does, in a click. */
async function openOwnPage(visitor: Visitor): Promise<Page> {
  await evaluateIn(visitor.page)((url) => {
    window.next = () => void window.open(url);
  }, `${world.frame}/wallet/`);
  const opening = visitor.context.waitForEvent('page');
  await visitor.button('Run').click();
  return opening;
}

describe('a planted passkey', () => {
  for (const where of ['iframe', 'popup'] as const)
    test(`no view of a site’s request asks for it: ${where}`, async () => {
      const visitor = await victim(where);
      const requests = [
        () => visitor.linking(() => visitor.run((connect) => connect.linkWallets())),
        () => visitor.ask((connect) => connect.manageWallets({ chain: 'ETHEREUM' })),
      ];
      for (const ask of requests) {
        const view = await ask();
        await view.heading('Set up your wallet').waitFor();
        assert.equal(await view.button('Use my passkey').count(), 0);
        const link = view.root.getByRole('link', { name: 'Use my passkey', exact: true });
        assert.equal(await link.getAttribute('href'), `${world.frame}/`);
        await view.press('Import wallet');
        await view.press('Back');
        await view.heading('Set up your wallet').waitFor();
        await view.press('Close');
        await visitor.answer();
      }
      assert.equal(planted.asked, 0);
      assert.equal(await isEmpty(visitor), true);
      assert.deepEqual(await visitor.wallets(), []);
      await visitor.close();
    });

  test('the wallet’s own page, opened by a site that holds a lock of its name: it begins nothing, and closes with nothing adopted; the user’s own press adopts', async () => {
    const visitor = await victim('popup');
    await evaluateIn(visitor.page)(() => {
      void navigator.locks.request('carabiner:restore', () => new Promise(() => {}));
    });
    const own = new WalletView(await openOwnPage(visitor));
    await own.heading('Set up your wallet').waitFor();
    assert.equal(planted.asked, 0);
    await own.press('Use my passkey');
    await own.heading('Are these your wallets?').waitFor();
    await own.address(theirs).waitFor();
    assert.equal(await isEmpty(visitor), true, 'nothing is adopted by looking');
    await own.press('Continue with passkey');
    await poll(async () => !(await isEmpty(visitor)), 'the vault that the user has adopted');
    await visitor.close();
  });

  test('led there from a site’s request: the addresses are shown before anything is adopted, and the site that withdraws it, closes or asks again changes nothing', async () => {
    const visitor = await victim('popup');
    const view = await visitor.linking(() => visitor.run((connect) => connect.linkWallets()));
    await view.heading('Set up your wallet').waitFor();
    const opening = visitor.context.waitForEvent('page');
    await view.root.getByRole('link', { name: 'Use my passkey', exact: true }).click();
    const own = new WalletView(await opening);
    await own.heading('Are these your wallets?').waitFor();
    await own.address(theirs).waitFor();
    await evaluateIn(visitor.page)(() => void location.reload());
    await visitor.ready();
    await own.heading('Are these your wallets?').waitFor();
    assert.equal(await isEmpty(visitor), true);
    await own.press('Back');
    await own.heading('Set up your wallet').waitFor();
    assert.equal(await isEmpty(visitor), true);
    assert.deepEqual(await visitor.wallets(), []);
    await visitor.close();
  });
});
