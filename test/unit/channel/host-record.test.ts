import { expect } from '@open-wc/testing';
import { hostRecord } from '../../../src/channel/host-record.ts';
import { MAIN, VAULT } from '../elements/fake-connect.ts';

const FRAME = 'https://connect.example';

describe('the page’s record', () => {
  afterEach(() => localStorage.clear());

  it('names the network of a wallet that is not on the first of its chain, to whoever asks and listens', () => {
    const record = hostRecord(FRAME);
    const heard: string[] = [];
    record.onWallets((wallets) => heard.push(wallets.map(({ network }) => network ?? '-').join()));
    record.setWallets([MAIN, VAULT], { [VAULT.id]: 'ethereum-sepolia' });
    expect(
      record
        .wallets()
        .map(({ network }) => network ?? '-')
        .join(),
    ).to.equal('-,ethereum-sepolia');
    // What an action answers says nothing of networks.
    record.setWallets([VAULT]);
    expect(heard.join(' ')).to.equal('-,ethereum-sepolia ethereum-sepolia');
    record.setWallets([VAULT], {});
    expect(heard.at(-1)).to.equal('-');
    record.destroy();
  });

  it('takes no network from what somebody else wrote there', () => {
    const networks = { [MAIN.id]: 7, constructor: 'x' };
    localStorage.setItem(`carabiner:${FRAME}`, JSON.stringify({ wallets: [MAIN], networks }));
    const record = hostRecord(FRAME);
    expect(JSON.stringify(record.wallets())).to.equal(JSON.stringify([MAIN]));
    record.destroy();
  });
});
