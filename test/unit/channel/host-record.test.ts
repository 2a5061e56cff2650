import { expect } from '@open-wc/testing';
import { remember } from '../../../src/actions/linked-wallets.ts';
import { tellUnlinked } from '../../../src/actions/reads.ts';
import { hostRecord } from '../../../src/channel/host-record.ts';
import { TestClock } from '../clock.ts';
import { MAIN, VAULT } from '../elements/fake-connect.ts';

const FRAME = 'https://connect.example';

describe('the page’s record', () => {
  afterEach(() => localStorage.clear());

  it('names the network of a wallet that is not on the first of its chain, to readers and listeners', () => {
    const record = hostRecord(FRAME, new TestClock());
    const heard: string[] = [];
    record.onWallets((wallets) => heard.push(wallets.map(({ network }) => network ?? '-').join()));
    record.setWallets([MAIN, VAULT], { [VAULT.id]: 'ethereum-sepolia' });
    expect(
      record
        .wallets()
        .map(({ network }) => network ?? '-')
        .join(),
    ).to.equal('-,ethereum-sepolia');
    // An action's answer says nothing about networks.
    record.setWallets([VAULT]);
    expect(heard.join(' ')).to.equal('-,ethereum-sepolia ethereum-sepolia');
    record.setWallets([VAULT], {});
    expect(heard.at(-1)).to.equal('-');
    record.destroy();
  });

  it('omits anything that is not a wallet, id or request, whoever wrote it', () => {
    const clock = new TestClock();
    const wallets = [null, 7, 'x', {}, { id: 'w', address: 5, secretType: 'ETHEREUM' }, MAIN];
    const at = clock.date();
    const undelivered = {
      'request-1': { action: 'transfer', at },
      'request-2': null,
      'request-3': { action: 7, at },
      'request-4': { action: 'transfer' },
      'request-5': { action: 'transfer', at: at - 31 * 24 * 60 * 60 * 1000 },
      short: { action: 'transfer', at },
    };
    const junk = JSON.stringify({ wallets, unlinked: [null, 7, {}, 'wallet-9'], undelivered, networks: 'x' });
    localStorage.setItem(`carabiner:${FRAME}`, junk);
    const record = hostRecord(FRAME, clock);
    expect(record.wallets()).to.deep.equal([MAIN]);
    expect(record.read().unlinked).to.deep.equal(['wallet-9']);
    expect(Object.keys(record.read().undelivered)).to.deep.equal(['request-1']);
    record.destroy();
  });

  it('keeps external wallets when ours change, and leaves out what another version wrote of them', () => {
    const theirs = { ...MAIN, id: 'external-1', walletType: 'EXTERNAL' };
    const entry = { version: 1, by: 'eip6963 example.wallet', wallet: theirs };
    const external = {
      'external-1': entry,
      'external-2': { ...entry, version: 2, wallet: { ...theirs, id: 'external-2' } },
      'external-3': entry,
      'external-4': { ...entry, wallet: null },
      'external-5': null,
    };
    localStorage.setItem(`carabiner:${FRAME}`, JSON.stringify({ wallets: [], external }));
    const record = hostRecord(FRAME, new TestClock());
    record.setWallets([MAIN], {});
    expect(record.wallets()).to.deep.equal([MAIN, theirs]);
    expect(JSON.parse(localStorage.getItem(`carabiner:${FRAME}`)!).external).to.deep.equal({
      'external-1': entry,
    });
    record.destroy();
  });

  it('links again what the user has linked again, whatever the page had unlinked', () => {
    const record = hostRecord(FRAME, new TestClock());
    record.change((it) => it.unlinked.push(MAIN.id, VAULT.id));
    remember({ record } as never, [MAIN]);
    expect(record.wallets()).to.deep.equal([MAIN]);
    expect(record.read().unlinked).to.deep.equal([VAULT.id]);
    record.destroy();
  });

  it('keeps what is unlinked for a wallet that is open, which may have read the vault before', async () => {
    const record = hostRecord(FRAME, new TestClock());
    let open = true;
    const host = { isOpen: () => open, readOwn: async () => null };
    record.change((it) => it.unlinked.push(MAIN.id));
    const told = () => tellUnlinked({ record, host, reachesVault: async () => true } as never, MAIN.id, {});
    await told();
    expect(record.read().unlinked).to.deep.equal([MAIN.id]);
    open = false;
    await told();
    expect(record.read().unlinked).to.deep.equal([]);
    record.destroy();
  });

  it('takes no network that somebody else wrote', () => {
    const networks = { [MAIN.id]: 7, constructor: 'x' };
    localStorage.setItem(`carabiner:${FRAME}`, JSON.stringify({ wallets: [MAIN], networks }));
    const record = hostRecord(FRAME, new TestClock());
    expect(JSON.stringify(record.wallets())).to.equal(JSON.stringify([MAIN]));
    record.destroy();
  });
});
