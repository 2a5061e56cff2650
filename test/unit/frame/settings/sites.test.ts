/** The sites that see wallets, in Settings. */
import { expect } from '@open-wc/testing';
import { ORIGIN, PIN, settled, until, world, type World } from '../world.ts';

const SHOP = 'https://books.example';
const OLD = 'https://old.example';

async function openSites(w: World): Promise<void> {
  w.ask('manageWallets', { chain: 'ETHEREUM' });
  await w.press('Settings');
  await w.press('Show sites');
  await w.title('Sites');
}

describe('sites in Settings', () => {
  it('are listed with the wallets that they see, since when, and what was approved last', async () => {
    const w = await world();
    const task = w.transfer();
    await w.seen();
    await w.approve();
    await settled(task);
    await w.vault.link(SHOP, [w.wallet.id]);
    await openSites(w);
    expect(w.text()).to.include('books.example').and.include(w.wallet.alias);
    expect(w.text()).to.match(/Linked .* Nothing approved/);
    expect(w.text()).to.match(/Linked .* Last approval/);
    await w.press('Back');
    await until(() => w.text().includes('2 sites see your wallets'), 'their number');
  });

  it('see nothing once they are disconnected, and the site of this frame is told', async () => {
    const w = await world();
    await w.vault.link(SHOP, [w.wallet.id]);
    await openSites(w);
    await w.press('Disconnect books.example');
    await until(() => !w.text().includes('books.example'), 'it to leave the list');
    expect(await w.vault.linked(SHOP)).to.deep.equal([]);
    expect(await w.vault.linked(ORIGIN)).to.have.length(1);
    const before = w.link.sent.length;
    await w.press(`Disconnect ${new URL(ORIGIN).host}`);
    await until(() => w.text().includes('No site sees your wallets.'), 'an empty list');
    expect(w.link.sent.slice(before).some((wallets) => wallets.length === 0)).to.equal(true);
  });

  it('are all disconnected after a question', async () => {
    const w = await world();
    await w.vault.link(SHOP, [w.wallet.id]);
    await openSites(w);
    await w.press('Disconnect all sites');
    await w.title('Disconnect all sites?');
    await w.press('Keep them');
    await w.title('Sites');
    expect(await w.vault.linked(SHOP)).to.have.length(1);
    await w.press('Disconnect all sites');
    await w.title('Disconnect all sites?');
    await w.press('Disconnect all sites');
    await until(() => w.text().includes('No site sees your wallets.'), 'an empty list');
    expect(await w.vault.sites()).to.deep.equal([]);
  });

  it('of an older version have no date, and archived wallets are not seen', async () => {
    const w = await world();
    const open = await w.vault.unlock(PIN);
    const { id } = await w.vault.createWallet(open, 'ETHEREUM');
    open.close();
    await w.vault.link(OLD, [id]);
    await w.vault.setArchived(id, true);
    expect((await w.vault.sites()).map(({ origin }) => origin)).to.deep.equal([ORIGIN]);
  });
});
