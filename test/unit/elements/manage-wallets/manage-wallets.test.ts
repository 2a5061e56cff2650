import { expect, fixture, html } from '@open-wc/testing';
import { until } from '../../actions/page.ts';
import { ether, FakeConnect, MAIN, SERVED, TRAVEL, TWO_NETWORKS, VAULT } from '../fake-connect.ts';
import { all, control, loaded, maybe, settle, show, text, textOf } from '../page.ts';

describe('manage-wallets', () => {
  it('lists the wallets of its chain, primary first, with exact balances rounded down', async () => {
    const connect = new FakeConnect();
    connect.balances = { main: ether('1283999999999999999'), vault: ether('14002100000000000000') };
    const { element } = await show('manage-wallets', { chain: 'ethereum' }, [VAULT, MAIN, TRAVEL], connect);
    expect(textOf(all(element, 'h3')[0]!)).to.equal('Ethereum wallets');
    expect(all(element, '[part=wallet]').map(textOf)).to.deep.equal([
      'Main wallet Primary 0x71C7…976F1.28399… ETH1.283999999999999999 ETH',
      'Vault 0x2546…Ec3014.0021 ETH',
    ]);
    expect(control(element, 'Copy address of Vault')).to.be.instanceOf(HTMLElement);
  });

  it('leads to the wallet’s own page below the list, if the connect says where that is, and gives it no opener', async () => {
    const { element } = await show('manage-wallets', { chain: 'ethereum' }, [MAIN]);
    expect(all(element, 'a')).to.have.length(0);
    const connect = Object.assign(new FakeConnect(), { walletPage: 'https://connect.example/' });
    const { element: other } = await show('manage-wallets', { chain: 'ethereum' }, [MAIN], connect);
    const link = all(other, 'a[part=wallet-page]')[0] as HTMLAnchorElement;
    expect([textOf(link), link.href, link.target, link.rel]).to.deep.equal([
      'Open my wallet',
      'https://connect.example/',
      '_blank',
      'noopener noreferrer',
    ]);
  });

  it('has its heading at the level of the page’s outline, with wallets and without', async () => {
    for (const wallets of [[MAIN], []]) {
      const { element } = await show('manage-wallets', { chain: 'ethereum', headingLevel: 2 }, wallets);
      await loaded(element);
      const levels = all(element, 'h3').map((each) => each.getAttribute('aria-level'));
      expect(new Set(levels)).to.deep.equal(new Set(['2']));
    }
  });

  it('marks a wallet of the service', async () => {
    const { element } = await show('manage-wallets', { chain: 'ethereum' }, [MAIN, SERVED]);
    expect(all(element, '.tag').map(textOf)).to.deep.equal(['Service wallet']);
    expect(textOf(all(element, '[part=wallet]')[1]!)).to.match(/^Rent 0x90F7…b906 Service wallet/);
  });

  it('shows a dash for a balance that cannot be read, and never a price', async () => {
    const connect = new FakeConnect();
    connect.balances = { vault: { ...ether('1'), available: false } };
    const { element } = await show('manage-wallets', { chain: 'ethereum' }, [MAIN, VAULT], connect);
    expect(all(element, '.balance').map(textOf)).to.deep.equal([
      '–Balance not available',
      '–Balance not available',
    ]);
    expect(text(element)).not.to.match(/[$€£]/);
  });

  it('points to Manage wallets when there is no wallet, and reads new balances afterwards', async () => {
    const { element, connect } = await show('manage-wallets', { chain: 'vechain' }, [MAIN]);
    expect(text(element)).to.include('No VeChain wallet yet');
    expect(all(element, 'button').filter((each) => each.getClientRects().length)).to.have.length(1);
    control(element, 'Manage wallets').click();
    expect(connect.last.params).to.deep.equal({ chain: 'VECHAIN' });
    connect.setWallets([MAIN, TRAVEL]);
    connect.last.resolve(TRAVEL);
    await settle(element);
    expect(textOf(all(element, '[part=wallet]')[0]!)).to.equal('Travel 0x4838…5f97240.11 VET');
    connect.balances['travel'] = ether('1000000000000000000', 'VECHAIN', 'VET');
    control(element, 'Manage wallets').click();
    connect.last.resolve(TRAVEL);
    await settle(element);
    expect(text(element)).to.include('1 VET');
    expect(textOf(all(element, '[aria-live]')[0]!)).to.equal('Balances updated');
  });

  it('follows the balances after a transaction of the page, also when the node needs a while', async () => {
    const { element, connect } = await show('manage-wallets', { chain: 'ethereum' }, [MAIN]);
    const shown = () => textOf(all(element, '.balance')[0]!);
    connect.balances['main'] = ether('1034000000000000000');
    connect.setWallets([MAIN]);
    await settle(element);
    expect(shown()).to.equal('1.034 ETH');
    connect.setWallets([MAIN]);
    await settle(element);
    connect.balances['main'] = ether('1000000000000000000');
    await until(() => shown() === '1 ETH');
  });

  it('keeps its button where it is while the view is loaded', async () => {
    const page = await fixture<HTMLElement>(html`<main></main>`);
    for (const width of [320, 640]) {
      page.style.width = `${width}px`;
      const element = Object.assign(document.createElement('manage-wallets'), {
        chain: 'ethereum',
        connect: Object.assign(new FakeConnect(), { linked: [MAIN] }),
      });
      page.replaceChildren(element);
      await element.updateComplete;
      const place = () => all(element, 'button')[0]!.getBoundingClientRect();
      const before = place();
      expect(element.view === undefined).to.equal(true);
      await loaded(element);
      expect([place().right, place().top, place().height]).to.deep.equal([
        before.right,
        before.top,
        before.height,
      ]);
    }
  });

  it('works from its attribute', async () => {
    const { element, connect } = await show('manage-wallets');
    element.setAttribute('chain', 'ethereum');
    await settle(element);
    expect(maybe(element, 'Manage wallets')).not.to.equal(undefined);
    element.manage().catch(() => {});
    expect(connect.last.params).to.deep.equal({ chain: 'ETHEREUM' });
  });

  it('shows the balances on the network that the page has set, and says if there is none', async () => {
    const connect = new FakeConnect();
    connect.chainNetworks = TWO_NETWORKS;
    connect.balances = { main: ether('1000000000000000000'), 'main base': ether('2000000000000000000') };
    const { element, events } = await show(
      'manage-wallets',
      { chain: 'ethereum', network: 'base' },
      [MAIN],
      connect,
    );
    const balance = () => textOf(all(element, '.balance')[0]!);
    await until(() => balance() === '2 ETH');
    expect(events).to.deep.equal([]);
    element.removeAttribute('network');
    element.network = undefined;
    await until(() => balance() === '1 ETH');
    element.network = 'nowhere';
    await until(() => events.includes('error'));
    await until(() => text(element).includes('Its owner can find the reason in the browser’s console.'));
    expect(balance()).to.equal('–Balance not available');
  });
});
