/** Known recipients in Settings. */
import { expect } from '@open-wc/testing';
import { readBook, writeBook } from '../../../../src/frame/recipients/book-file.ts';
import { importQuestion } from '../../../../src/frame/recipients/book-flow.ts';
import { BookFullError } from '../../../../src/wallets/recipient-book.ts';
import { deepAll, type } from '../scene.ts';
import { checkScenes } from '../scenes.ts';
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
      expect(w.text()).to.include('Known recipients').and.include('None saved yet');
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
      await until(() => w.text().includes('No saved recipients yet'), 'an empty list');
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

checkScenes('files of recipients', {
  'with some to add': {
    view: () =>
      importQuestion({
        added: [{ secretType: 'ETHEREUM', address: RECIPIENT, name: 'Ada' }],
        known: 2,
        bad: [{ row: 4, why: RECIPIENT }],
      }),
  },
  'with nobody to add': {
    view: () => importQuestion({ added: [], known: 0, bad: [{ row: 2, why: RECIPIENT }] }),
  },
});

describe('a file of recipients', () => {
  const ADA = { secretType: 'ETHEREUM' as const, address: RECIPIENT, name: 'Ada' };
  const OTHER = '0x2546BcD3c84621e976D8185a91A922aE77ECEc30';
  const CHAINS = ['ETHEREUM', 'BITCOIN'] as const;

  it('that was exported adds the same recipients elsewhere', async () => {
    const all = [ADA, { secretType: 'BITCOIN' as const, address: BITCOIN, name: '=Shop "A", B' }];
    const text = writeBook(all);
    expect(text).to.include(`"BITCOIN","${BITCOIN}","'=Shop ""A"", B"\r\n`);
    expect(await readBook(text, [], CHAINS)).to.deep.equal({ added: all, known: 0, bad: [] });
  });

  it('that a spreadsheet wrote is read, too, with its columns in any order', async () => {
    const text = `name;Address;CHAIN;note\r\n\r\n Ada ;${RECIPIENT.toLowerCase()};Ethereum;"a;\nb"\nEve;${BITCOIN};bitcoin`;
    expect(await readBook(text, [], CHAINS)).to.deep.equal({
      added: [ADA, { secretType: 'BITCOIN', address: BITCOIN, name: 'Eve' }],
      known: 0,
      bad: [],
    });
  });

  it('changes nobody who is known, and names the rows that cannot be used', async () => {
    const rows = [
      ['ETHEREUM', RECIPIENT.toLowerCase(), 'Eve'],
      ['ETHEREUM', OTHER, 'ada'],
      ['DOGECOIN', OTHER, 'Dan'],
      ['BITCOIN', OTHER, 'Dan'],
      ['ETHEREUM', OTHER.replace('2546B', '2546b'), 'Dan'],
      ['ETHEREUM', 'dan.eth', 'Dan'],
      ['ETHEREUM', '', 'Dan'],
      ['ETHEREUM', OTHER, ''],
      ['ETHEREUM', OTHER, 'Dan\u202e'],
      ['ETHEREUM', OTHER, 'Dan'],
      ['ETHEREUM', OTHER, 'Dan again'],
    ];
    const text = `chain,address,name\n${rows.map((row) => row.join(',')).join('\n')}`;
    const file = (await readBook(text, [ADA], CHAINS))!;
    expect(file.added).to.deep.equal([{ secretType: 'ETHEREUM', address: OTHER, name: 'Dan' }]);
    expect(file.known).to.equal(2);
    expect(file.bad.map(({ row }) => row)).to.deep.equal([3, 4, 5, 6, 7, 8, 9, 10]);
    const why = file.bad.map((one) => one.why);
    expect(why[0]).to.equal('“ada” is the name of another address already.');
    expect(why[1]).to.equal('“DOGECOIN” is not a chain of this wallet.');
    expect(why[2]).to.equal('This is not a Bitcoin address.');
  });

  it('that is something else is refused', async () => {
    for (const text of ['', 'a,b\n1,2', '\u0000\u0001', `chain,address,name${'\n'.repeat(1_000_001)}`])
      expect(await readBook(text, [], CHAINS)).to.equal(undefined);
  });

  it('that is full stops there', async () => {
    const full = Array.from({ length: 500 }, (_, i) => ({ ...ADA, address: `0x${i}`, name: `N${i}` }));
    const file = await readBook(`chain,address,name\nETHEREUM,${OTHER},Dan`, full, CHAINS);
    expect(file!.bad[0]!.why).to.include('the most that are kept');
  });

  it('is shown before anything is added', async () => {
    const w = await world();
    await openSettings(w);
    await w.press('Show known recipients');
    await w.find('Import from a file');
    const choose = (text: string): void => {
      const book = deepAll(w.shell, 'cbf-book')[0]!;
      book.dispatchEvent(new CustomEvent('cbf-import', { detail: { text }, bubbles: true, composed: true }));
    };
    choose('nonsense');
    await until(() => w.text().includes('This is not a file of recipients'), 'what is wrong');
    const text = `chain,address,name\nETHEREUM,${RECIPIENT},Ada\nETHEREUM,0x1,Bob`;
    choose(text);
    await w.title('Add these recipients?');
    expect(w.text()).to.include('Ada').and.include('Row 3: ');
    await w.press('Cancel');
    await w.title('Known recipients');
    expect(await w.vault.recipients()).to.deep.equal([]);
    choose(text);
    await w.press('Add');
    await w.find('Edit Ada');
    choose(text);
    await w.title('Nobody to add');
    expect(w.text()).to.include('Already known, with the names they have here: 1');
  });
});
