import { expect } from '@open-wc/testing';
import type { CoinLook, Incoming } from '../../../src/chains/nodes/incoming.ts';
import type { History } from '../../../src/wallets/types.ts';
import { settled } from '../../../src/wallets/database.ts';
import { dump, failure, PIN, rawOpen, setup } from './setup.ts';

const incoming = (id: string, more: Partial<Incoming> = {}): Incoming => ({
  id,
  hash: id,
  from: `0x${id}`,
  amount: { raw: 5n, decimals: 18, symbol: 'ETH' },
  at: 1000,
  ...more,
});

describe('what came to a wallet', () => {
  let history: History;
  let senders: (walletId: string) => Promise<string[]>;
  beforeEach(async () => {
    const { vault } = await setup();
    history = await vault.history();
    senders = (id) => vault.activity.senders(id);
  });
  const ids = async (walletId = 'w'): Promise<string[]> =>
    (await history.received(walletId)).map(({ id }) => id);

  it('is kept once, newest first, by wallet, exact amounts included', async () => {
    await history.addReceived('w', {
      items: [incoming('a', { at: 1 }), incoming('b', { at: 3 })],
      cursor: 7,
    });
    await history.addReceived('w', { items: [incoming('b', { at: 3 }), incoming('c', { at: 2 })] });
    await history.addReceived('other', { items: [incoming('d')] });
    expect(await ids()).to.deep.equal(['b', 'c', 'a']);
    expect((await history.received('w'))[0]!.amount.raw).to.equal(5n);
    expect([await history.cursor('w'), await history.cursor('other')]).to.deep.equal([7, undefined]);
    expect(await ids('nobody')).to.deep.equal([]);
  });

  it('that waits for a block is forgotten if the node tells it no more', async () => {
    await history.addReceived('w', {
      items: [incoming('a', { at: undefined }), incoming('b', { at: undefined })],
    });
    await history.addReceived('w', { items: [incoming('b')] });
    expect((await history.received('w')).map(({ id, at }) => [id, at])).to.deep.equal([['b', 1000]]);
  });

  it('keeps what it was worth when it came', async () => {
    await history.addReceived('w', { items: [incoming('a')] });
    const worth = { value: 12.5, currency: 'EUR' };
    await history.setWorth('w', new Map([['a', worth]]));
    await history.addReceived('w', { items: [incoming('a')] });
    expect((await history.received('w'))[0]!.worth).to.deep.equal(worth);
  });

  it('names its latest thousand senders, whatever is kept of what they sent', async () => {
    await history.addReceived('w', { items: [incoming('first')] });
    const many = Array.from({ length: 1000 }, (_, i) => incoming(`${i}`));
    await history.addReceived('w', { items: many });
    const addresses = await senders('w');
    expect(addresses).to.have.length(1000).and.include('0x999').and.not.include('0xfirst');
  });

  it('is not pushed out by next to nothing, however much of that comes', async () => {
    await history.addReceived('w', { items: [incoming('real', { at: 1 })] });
    const dust = Array.from({ length: 600 }, (_, i) => incoming(`dust${i}`, { at: 10 + i, dust: true }));
    await history.addReceived('w', { items: dust });
    expect(await ids())
      .to.have.length(500)
      .and.to.include('real');
  });

  it('is kept by network, each with a cursor and pending payments of its own, and listed together', async () => {
    await history.addReceived('w', { items: [incoming('a', { at: 1 })], cursor: 7 });
    await history.addReceived('w', { items: [incoming('b', { at: 2 }), incoming('a', { at: 3 })] }, 'base');
    await history.addReceived('w', { items: [incoming('p', { at: undefined })], cursor: 9 }, 'base');
    await history.setWorth('w', new Map([['a', { value: 1, currency: 'EUR' }]]), 'base');
    const all = await history.received('w');
    expect(all.map(({ id, network, worth }) => [id, network, worth?.value])).to.deep.equal([
      ['p', 'base', undefined],
      ['a', 'base', 1],
      ['b', 'base', undefined],
      ['a', undefined, undefined],
    ]);
    expect([await history.cursor('w'), await history.cursor('w', 'base')]).to.deep.equal([7, 9]);
    expect(await senders('w')).to.include.members(['0xa', '0xb', '0xp']);
    expect(await history.received('wa')).to.deep.equal([]);
  });

  it('in coins is added once, however many tabs look, and taken back if its block is gone', async () => {
    const lookAt = (block: number): CoinLook => ({
      block,
      hash: `0x${block}`,
      time: 0,
      balance: 1n,
      nonce: 0,
    });
    const coins = (id: string, block: number) => ({ ...incoming(id), at: block, block });
    const [first, second, third] = [1, 5, 9].map(lookAt) as [CoinLook, CoinLook, CoinLook];
    await history.addReceived('w', { items: [incoming('token', { at: 9 })], cursor: 7 });
    await history.addCoins('w', { items: [], looks: [first] }, []);
    await history.addCoins('w', { items: [coins('a', 3)], looks: [first, second] }, [first]);
    // Another tab began at the same look.
    await history.addCoins('w', { items: [coins('b', 4)], looks: [first, third] }, [first]);
    expect([await ids(), await history.coinLooks('w')]).to.deep.equal([
      ['token', 'a'],
      [first, second],
    ]);
    expect([await history.coinLooks('w', 'base'), await history.cursor('w')]).to.deep.equal([[], 7]);
    await history.addReceived('w', { items: [] });
    expect(await history.coinLooks('w')).to.deep.equal([first, second]);
    const found = { items: [coins('c', 7)], looks: [first, third], validTo: 1 };
    await history.addCoins('w', found, [first, second]);
    expect(await ids()).to.deep.equal(['token', 'c']);
  });

  it('of an older version, which looked for no coins, is kept beside them', async () => {
    const { vault, database } = await setup();
    const own = await vault.history();
    const db = await rawOpen(database);
    const record = { id: 'w', items: [incoming('old')], senders: ['0xold'], cursor: 7 };
    await settled(db.transaction('history', 'readwrite').objectStore('history').put(record));
    db.close();
    expect(await own.coinLooks('w')).to.deep.equal([]);
    const look: CoinLook = { block: 1, hash: '0x1', time: 0, balance: 1n, nonce: 0 };
    const items = await own.addCoins('w', { items: [], looks: [look] }, []);
    expect(items.map(({ id }) => id)).to.deep.equal(['old']);
    expect([await own.cursor('w'), await own.coinLooks('w')]).to.deep.equal([7, [look]]);
  });

  it('names its senders, of next to nothing too', async () => {
    await history.addReceived('w', {
      items: [incoming('a'), incoming('b', { dust: true }), incoming('c', { from: undefined })],
    });
    expect(await senders('w')).to.have.members(['0xa', '0xb']);
    expect(await senders('nobody')).to.deep.equal([]);
  });
});

describe('notes on payments', () => {
  it('are kept by wallet and payment, encrypted, and gone when they are emptied', async () => {
    const { vault, database, again } = await setup();
    (await vault.create(PIN)).close();
    const history = await vault.history();
    await history.setNote('w', '0xa', ' Rent of\nMay\u202e ');
    await history.setNote('w', 'seen:0xb', 'Gift');
    await history.setNote('w2', '0xa', 'Other');
    const notes = async () => [...(await (await again()).history().then((one) => one.notes('w')))!];
    expect(await notes()).to.deep.equal([
      ['0xa', 'Rent of May'],
      ['seen:0xb', 'Gift'],
    ]);
    expect(await history.received('w')).to.deep.equal([]);
    expect(await history.signatures('w')).to.deep.equal([]);
    const bytes = JSON.stringify(await dump(database), (_key, value: unknown) =>
      value instanceof Uint8Array ? new TextDecoder().decode(value) : value,
    );
    expect(bytes).to.include('note w 0xa').and.to.not.include('Rent');
    await history.setNote('w', '0xa', '  ');
    expect(await notes()).to.deep.equal([['seen:0xb', 'Gift']]);
    const error = await failure(history.setNote('w', '0xa', 'x'.repeat(201)));
    expect(error).to.include({ code: 'request.invalid' });
  });

  it('are left out where another vault or version wrote them, and not offered without a vault', async () => {
    const { vault, database } = await setup();
    const history = await vault.history();
    expect(await history.notes('w')).to.equal(undefined);
    await history.setNote('w', '0xa', 'Lost');
    (await vault.create(PIN)).close();
    expect([...(await history.notes('w'))!]).to.deep.equal([]);
    await history.setNote('w', '0xa', 'Mine');
    const db = await rawOpen(database);
    const store = db.transaction('history', 'readwrite').objectStore('history');
    const mine = await settled(store.get('note w 0xa'));
    await settled(store.put({ ...mine, id: 'note w 0xb' }));
    await settled(store.put({ ...mine, id: 'note w 0xc', version: 2 }));
    db.close();
    expect([...(await history.notes('w'))!]).to.deep.equal([['0xa', 'Mine']]);
  });
});

describe('signatures', () => {
  it('are listed by wallet, latest first', async () => {
    const { vault } = await setup();
    const history = await vault.history();
    const note = { walletId: 'w', origin: 'https://shop.example', kind: 'text' as const };
    await history.addSignature({ ...note, id: 'x 1', at: 1 });
    await history.addSignature({ ...note, id: 'x 2', at: 2 });
    await history.addSignature({ ...note, id: 'x 3', at: 3, walletId: 'other' });
    expect((await history.signatures('w')).map(({ id }) => id)).to.deep.equal(['x 2', 'x 1']);
  });
});
