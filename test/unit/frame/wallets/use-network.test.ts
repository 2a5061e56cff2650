import { expect } from '@open-wc/testing';
import type { Network, Networks } from '../../../../src/chains/network.ts';
import { shortText } from '../../../../src/ui/address.ts';
import { deepAll } from '../scene.ts';
import { NETWORKS, ORIGIN, PIN, settled, world } from '../world.ts';

const [local] = NETWORKS.networks as [Network];
const live: Network = { ...local, id: 'live', name: 'Ethereum mainnet', kind: 'mainnet', chainId: 1 };
const base: Network = { ...live, id: 'base', name: 'Base', chainId: 8453 };
const test: Network = { ...live, id: 'test', name: 'Ethereum Sepolia', kind: 'testnet', chainId: 11155111 };
const bitcoin: Network = { ...live, id: 'btc', secretType: 'BITCOIN', name: 'Bitcoin' };
const several: Networks = { ...NETWORKS, networks: [live, base, test, bitcoin] };
const ON_BASE = { secretType: 'ETHEREUM', network: 'base' };

describe('using another network', () => {
  it('takes one button and no PIN, and names the network, the wallet and its address', async () => {
    const w = await world({ networks: several });
    const asked = w.ask('useNetwork', ON_BASE);
    await w.title('Use Base?');
    expect(w.text()).to.include(
      `shop.example wants to use Main wallet on Base. It has the same address there: ${shortText(w.wallet.address)}`,
    );
    const [address] = deepAll(w.shell, '.addr');
    expect(address?.textContent).to.equal(shortText(w.wallet.address));
    expect(getComputedStyle(address!).whiteSpace).to.equal('nowrap');
    expect(w.text()).to.not.include('Testnet');
    expect(deepAll(w.shell, 'input, cbf-pin-row, cbf-pin-field')).to.have.length(0);
    await w.press('Use Base');
    await settled(asked);
    expect(asked.result).to.equal(null);
    expect(w.chain.signed).to.have.length(0);
    await w.closed();
  });

  it('says what a test network is, and how many wallets are meant', async () => {
    const w = await world({ networks: several, wallets: 2 });
    await w.vault.link(
      ORIGIN,
      (await w.vault.wallets()).map(({ id }) => id),
    );
    w.ask('useNetwork', { ...ON_BASE, network: 'test' });
    await w.title('Use Ethereum Sepolia?');
    expect(w.text()).to.include('wants to use your 2 wallets on Ethereum Sepolia');
    expect(w.text()).to.include('Testnet').and.include('What is on a testnet has no value.');
  });

  it('is declined by Cancel and by Close', async () => {
    for (const button of ['Cancel', 'Close']) {
      const w = await world({ networks: several });
      const asked = w.ask('useNetwork', ON_BASE);
      await w.title('Use Base?');
      await w.press(button);
      await settled(asked);
      expect(asked.error?.code).to.equal('user.rejected');
    }
  });

  it('is refused for a network that the wallet is not on, and before a wallet is linked', async () => {
    const w = await world({ networks: several });
    for (const params of [
      { ...ON_BASE, network: 'other' },
      { ...ON_BASE, network: 'btc' },
      { secretType: 'BITCOIN', network: 'base' },
      { secretType: 'ETHEREUM' },
    ]) {
      const asked = w.ask('useNetwork', params);
      await settled(asked);
      const issues = asked.error?.details['issues'] as { path: string }[];
      expect(issues.map(({ path }) => path)).to.deep.equal(['network']);
    }
    await w.vault.setLinked(ORIGIN, []);
    const none = w.ask('useNetwork', ON_BASE);
    await settled(none);
    expect(none.error?.code).to.equal('wallet.forbidden');
    expect(deepAll(w.shell, 'h1')).to.have.length(0);
  });

  it('is one question for a wallet whose own network is another', async () => {
    const w = await world({ networks: several });
    const unlocked = await w.vault.unlock(PIN);
    const made = await w.vault.createWallet(unlocked, 'ETHEREUM', 'Test', {
      id: 'test',
      kind: 'testnet',
      first: false,
    });
    unlocked.close();
    await w.vault.setLinked(ORIGIN, [made.id]);
    w.ask('useNetwork', ON_BASE);
    await w.title('Use Base?');
    expect(w.text()).to.include('wants to use Test on Base');
  });
});
