/** What arrived, as the wallet lists it: coins of which no log tells, a note, and the list as a file. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { getAddress, parseEther } from 'ethers';
import type { Wallet } from '../../src/api/wallet.ts';
import { poll, within } from '../waiting.ts';
import { evaluateIn, openWorld, type Visitor, type WalletView, type World } from './harness.ts';

let world: World;
let visitor: Visitor;
let wallet: Wallet;
before(async () => {
  world = await openWorld();
  visitor = await world.visit('iframe', '/plain');
  wallet = await visitor.wealthyWallet();
});
after(async () => {
  await visitor?.close();
  await world.close();
});

async function openActivity(view: WalletView): Promise<void> {
  await view.button(`More for ${wallet.alias}`).click();
  await view.root.getByRole('menuitem', { name: 'Activity' }).click();
  await view.heading('Activity').waitFor();
}

/** How often its balance was looked at. */
async function looks(view: WalletView): Promise<number> {
  return evaluateIn(await view.frame())(async () => {
    const db = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open('carabiner');
      opening.onsuccess = () => resolve(opening.result);
      opening.onerror = () => reject(opening.error);
    });
    const records = await new Promise<{ looks?: unknown[] }[]>((resolve, reject) => {
      const reading = db.transaction('history').objectStore('history').getAll();
      reading.onsuccess = () => resolve(reading.result);
      reading.onerror = () => reject(reading.error);
    });
    db.close();
    return Math.max(0, ...records.map((record) => record.looks?.length ?? 0));
  });
}

test('coins that somebody sent are listed with hash and sender, can be noted, and are in the exported file', async () => {
  const view = await visitor.opening(() =>
    visitor.run((connect) => connect.manageWallets({ chain: 'ETHEREUM' })),
  );
  await openActivity(view);
  await poll(async () => (await looks(view)) === 1, 'the first look');
  await view.button('Back').click();
  const [from] = (await world.chain.send('eth_accounts', [])) as [string];
  const hash = (await world.chain.send('eth_sendTransaction', [
    { from, to: wallet.address, value: `0x${parseEther('2.5').toString(16)}` },
  ])) as string;
  await world.receipt(hash);
  await openActivity(view);
  const row = view.root.getByRole('listitem').filter({ hasText: '+2.5 ETH' });
  await row.getByRole('button').click();
  await view.heading('Received 2.5 ETH').waitFor();
  await view.address(getAddress(from)).waitFor();
  await view.type('Note', '=rent of May');
  await view.box('Note').press('Tab');
  await view.text('Note saved').waitFor({ state: 'attached' });
  await view.button('Back').click();
  await row.filter({ hasText: '=rent of May' }).waitFor();
  // The 10 ether of the beginning came before the first look, and DUSD tells of itself by a log.
  const items = view.root.getByRole('listitem');
  assert.equal(await items.filter({ hasText: /\d ETH/ }).count(), 1);
  await view.root.getByRole('searchbox', { name: 'Search the activity' }).fill('rent');
  await view.text(/^1 of \d+$/).waitFor();
  const saving = visitor.page.waitForEvent('download');
  await view.button('Export as CSV').click();
  const file = await within(saving, 'the file');
  assert.match(file.suggestedFilename(), /^carabiner-activity-\d{4}-\d{2}-\d{2}\.csv$/);
  const chunks: Buffer[] = [];
  for await (const chunk of await file.createReadStream()) chunks.push(chunk as Buffer);
  const [head, line, end] = Buffer.concat(chunks).toString('utf8').split('\r\n');
  assert.match(head!, /^\uFEFF"date","wallet",/);
  for (const cell of [`"${hash}"`, '"2.5","ETH"', `"'=rent of May"`, `"${wallet.address}"`])
    assert.ok(line!.includes(cell), `${cell} in ${line}`);
  assert.equal(end, '');
  await view.button('Back').click();
  await view.close();
  await view.gone();
});
