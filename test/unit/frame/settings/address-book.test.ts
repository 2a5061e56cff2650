/** Known recipients in Settings. */
import { expect } from '@open-wc/testing';
import { BookFullError } from '../../../../src/wallets/recipient-book.ts';
import { deepAll, type } from '../scene.ts';
import { NETWORKS, RECIPIENT, until, world, type World } from '../world.ts';

const BITCOIN = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';

async function openSettings(w: World): Promise<void> {
  w.ask('manageWallets', { chain: 'ETHEREUM' });
  await w.press('Settings');
  await w.title('Settings');
}

describe('the address book in Settings', () => {
  it('lists whom the user saved on every chain, and adds, renames and removes them', async () => {
    const w = await world();
    w.frame.networks.networks.push({
      ...NETWORKS.networks[0]!,
      id: 'bitcoin',
      secretType: 'BITCOIN',
      kind: 'mainnet',
    });
    try {
      await openSettings(w);
      expect(w.text()).to.include('Known recipients').and.include('Nobody yet');
      await w.press('Show known recipients');
      await w.press('Add recipient');
      type(await w.find<HTMLInputElement>('Name'), 'Ada');
      const chain = deepAll<HTMLSelectElement>(w.shell, '#chain')[0]!;
      expect([...chain.options].map(({ value }) => value)).to.deep.equal(['ETHEREUM', 'BITCOIN']);
      type(await w.find<HTMLInputElement>('Address'), BITCOIN);
      await w.press('Save');
      await until(() => w.text().includes('This is a Bitcoin address.'), 'what is wrong with the address');
      chain.value = 'BITCOIN';
      chain.dispatchEvent(new Event('change'));
      await w.press('Save');
      await w.press('Edit Ada');
      type(await w.find<HTMLInputElement>('Name'), 'Ada Lovelace');
      await w.press('Save');
      await w.find('Edit Ada Lovelace');
      expect(await w.vault.recipients()).to.have.length(1);
      expect((await w.vault.recipients())[0]).to.include({ secretType: 'BITCOIN', name: 'Ada Lovelace' });
      await w.press('Back');
      await until(() => w.text().includes('1 saved'), 'their number');
      await w.press('Show known recipients');
      await w.press('Edit Ada Lovelace');
      await w.press('Remove recipient');
      await until(() => w.text().includes('Nobody yet'), 'an empty list');
      expect(await w.vault.recipients()).to.deep.equal([]);
    } finally {
      w.frame.networks.networks.pop();
    }
  });

  it('says that it is full where it is, and not that something is wrong with the name', async () => {
    const w = await world();
    const { recipientBook } = w.vault;
    w.vault.recipientBook = async () => ({
      ...(await recipientBook.call(w.vault)),
      save: async () => {
        throw new BookFullError();
      },
    });
    await openSettings(w);
    await w.press('Show known recipients');
    await w.press('Add recipient');
    type(await w.find<HTMLInputElement>('Name'), 'Ada');
    type(await w.find<HTMLInputElement>('Address'), RECIPIENT);
    await w.press('Save');
    await until(() => w.text().includes('You have 500 known recipients'), 'that it is full');
    expect(w.text()).not.to.include('Use letters');
  });

  it('asks for no chain where there is one', async () => {
    const w = await world();
    await (await w.vault.recipientBook()).save({ secretType: 'ETHEREUM', address: RECIPIENT, name: 'Ada' });
    await openSettings(w);
    await w.press('Show known recipients');
    await w.find('Edit Ada');
    await w.press('Add recipient');
    await w.find('Address');
    expect(deepAll(w.shell, '#chain')).to.have.length(0);
  });
});
