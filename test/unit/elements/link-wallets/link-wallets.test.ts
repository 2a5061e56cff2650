import { expect } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import { RequestInvalidError } from '../../../../src/base/errors.ts';
import { CHAIN_NAMES, SECRET_TYPES } from '../../../../src/chains/secret-type.ts';
import { FakeConnect, MAIN, SAVINGS, SERVED, TRAVEL, TWO_NETWORKS, VAULT } from '../fake-connect.ts';
import { all, control, focused, maybe, nameOf, settle, show, text, textOf, until } from '../page.ts';

const clock = { setTimeout: window.setTimeout.bind(window), clearTimeout: window.clearTimeout.bind(window) };

/** Holds timers longer than a second until the test runs them. */
function holdTimers(): { run(): void; restore(): void } {
  const held = new Map<number, () => void>();
  let next = -1;
  window.setTimeout = ((work: () => void, ms = 0) =>
    ms < 1000 ? clock.setTimeout(work, ms) : (held.set(--next, work), next)) as typeof window.setTimeout;
  window.clearTimeout = ((id: number) =>
    held.delete(id) || clock.clearTimeout(id)) as typeof window.clearTimeout;
  return {
    run() {
      for (const [id, work] of held) {
        held.delete(id);
        work();
      }
    },
    restore: () => Object.assign(window, clock),
  };
}

describe('link-wallets', () => {
  let timers: ReturnType<typeof holdTimers>;
  beforeEach(() => {
    timers = holdTimers();
  });
  afterEach(() => timers.restore());

  it('shows linked wallets of the chains it names, in the order of the record', async () => {
    const { element } = await show('link-wallets', {}, [MAIN, TRAVEL, SAVINGS]);
    element.setAttribute('secret-types', 'ethereum, BITCOIN');
    await settle(element);
    expect(element.wallets).to.deep.equal([MAIN, SAVINGS]);
    expect(all(element, '[part=wallet]').map(textOf)).to.deep.equal([
      'Main wallet Ethereum 0x71C7…976F',
      'Savings Bitcoin bc1qw5…f3t4',
    ]);
  });

  it('links wallets of the network that the page has set, and says if there is none', async () => {
    const { element, connect, events } = await show('link-wallets');
    element.setAttribute('network', 'nowhere');
    await settle(element);
    control(element, 'Connect wallet').click();
    expect(connect.last.params).to.deep.equal({ network: 'nowhere' });
    connect.last.reject(new RequestInvalidError([{ path: 'network', message: 'is not one' }]));
    await until(element, () =>
      text(element).includes('Its owner can find the reason in the browser’s console.'),
    );
    expect(events).to.deep.equal(['request', 'error']);
  });

  it('lists the wallets that are on the network that the page has set, and links with it', async () => {
    const connect = new FakeConnect();
    const on = (id: string) => ({ id, name: id, kind: 'mainnet' as const });
    connect.chainNetworks = { ...TWO_NETWORKS, BITCOIN: [on('bitcoin'), on('bitcoin-test')] };
    // At the fake as at the wallet: a wallet of Bitcoin is on one network.
    const { networks } = connect;
    connect.networks = async (of) => (of === SAVINGS.id ? [on('bitcoin')] : networks(of));
    const { element, events } = await show('link-wallets', { network: 'base' }, [MAIN, SAVINGS], connect);
    const ids = () => all(element, '[part=wallet]').length && element.wallets.map(({ id }) => id);
    await until(element, () => String(ids()) === MAIN.id);
    element.network = 'bitcoin';
    await until(element, () => String(ids()) === SAVINGS.id);
    control(element, 'Add wallets').click();
    expect(connect.last.params).to.deep.equal({ network: 'bitcoin' });
    connect.last.resolve([SAVINGS]);
    element.network = 'bitcoin-test';
    await until(element, () => ids() === 0);
    element.network = undefined;
    await until(element, () => String(ids()) === [MAIN.id, SAVINGS.id].join());
    element.network = 'nowhere';
    await until(element, () => events.includes('error'));
  });

  it('has a chip with the badge and the name of each chain', async () => {
    const wallets = SECRET_TYPES.map((secretType) => ({ ...MAIN, id: secretType, secretType }));
    const { element } = await show('link-wallets', {}, wallets);
    const chips = all(element, '[part=wallet]');
    expect(chips.map(textOf)).to.deep.equal(
      SECRET_TYPES.map((secretType) => `Main wallet ${CHAIN_NAMES[secretType]} 0x71C7…976F`),
    );
    const badges = all(element, '.chain');
    expect(new Set(badges.map((badge) => getComputedStyle(badge).getPropertyValue('--c'))).size).to.equal(7);
    expect(new Set(badges.map((badge) => badge.querySelector('path')?.getAttribute('d'))).size).to.equal(7);
    for (const secretType of SECRET_TYPES) {
      element.setAttribute('secret-types', secretType.toLowerCase());
      await settle(element);
      expect(element.wallets.map(({ id }) => id)).to.deep.equal([secretType]);
    }
  });

  it('marks wallets that are not in this browser only', async () => {
    const wallets = [MAIN, SERVED, { ...SERVED, id: 'till', walletType: 'WHITE_LABEL' as const }];
    for (const layout of ['chips', 'list'] as const) {
      const { element } = await show('link-wallets', { layout }, wallets);
      expect(all(element, '[part=wallet]').map(textOf)).to.deep.equal([
        'Main wallet Ethereum 0x71C7…976F',
        'Rent Ethereum 0x90F7…b906 Service wallet',
        'Rent Ethereum 0x90F7…b906 App wallet',
      ]);
      control(element, 'Unlink Rent');
      control(element, 'Copy address of Rent');
    }
  });

  it('unlinks by one glyph with its word, however the wallets are laid out', async () => {
    const glyphs: string[] = [];
    for (const layout of ['chips', 'list'] as const) {
      const { element } = await show('link-wallets', { layout }, [MAIN]);
      const unlink = control(element, 'Unlink Main wallet');
      expect(unlink.title).to.equal('Unlink');
      glyphs.push(unlink.querySelector('path')!.getAttribute('d')!);
    }
    expect(glyphs[0]).to.equal(glyphs[1]);
  });

  it('keeps name and address readable in a narrow row of the page', async () => {
    const { element } = await show('link-wallets', { layout: 'chips' }, [MAIN]);
    const row = document.createElement('div');
    Object.assign(row.style, { display: 'flex', flexWrap: 'wrap', inlineSize: '320px' });
    const other = document.createElement('div');
    Object.assign(other.style, { flex: '0 0 220px' });
    element.before(row);
    element.style.flex = '1 1 0';
    row.append(other, element);
    await settle(element);
    expect(element.getBoundingClientRect().width).to.be.at.least(160);
  });

  it('follows the record', async () => {
    const { element, connect } = await show('link-wallets');
    expect(maybe(element, 'Connect wallet')).not.to.equal(undefined);
    connect.setWallets([MAIN]);
    await settle(element);
    expect(control(element, 'Unlink Main wallet')).to.be.instanceOf(HTMLElement);
    expect(maybe(element, 'Add wallets')).not.to.equal(undefined);
    connect.setWallets([]);
    await settle(element);
    expect(maybe(element, 'Connect wallet')).not.to.equal(undefined);
  });

  it('says how many wallets are linked', async () => {
    const { element, connect } = await show('link-wallets');
    const answer = element.link();
    connect.setWallets([MAIN, VAULT, TRAVEL]);
    connect.last.resolve([MAIN, VAULT, TRAVEL]);
    await answer;
    await settle(element);
    expect(textOf(all(element, '[aria-live]')[0]!)).to.equal('3 wallets linked');
  });

  it('copies an address and says so for two seconds', async () => {
    const written: string[] = [];
    const { clipboard } = navigator;
    const { writeText } = clipboard;
    clipboard.writeText = async (value) => void written.push(value);
    try {
      const { element } = await show('link-wallets', {}, [MAIN]);
      const button = control(element, 'Copy address of Main wallet');
      button.click();
      await settle(element);
      expect(written).to.deep.equal([MAIN.address]);
      expect(nameOf(button)).to.equal('Address copied');
      expect(textOf(all(element, '[aria-live]')[0]!)).to.equal('Address copied');
      timers.run();
      await settle(element);
      expect(nameOf(button)).to.equal('Copy address of Main wallet');
    } finally {
      clipboard.writeText = writeText;
    }
  });

  it('unlinks at once on screen, and permanently after 8 seconds', async () => {
    const { element, connect } = await show('link-wallets', {}, [MAIN, TRAVEL]);
    control(element, 'Unlink Travel').click();
    await settle(element);
    expect(maybe(element, 'Unlink Travel')).to.equal(undefined);
    expect(text(element)).to.include('“Travel” is no longer linked to this site.');
    expect(nameOf(focused()!)).to.equal('Undo');
    expect(connect.unlinked).to.deep.equal([]);
    timers.run();
    await settle(element);
    expect(connect.unlinked).to.deep.equal(['travel']);
    expect(maybe(element, 'Undo')).to.equal(undefined);
    expect(nameOf(focused()!)).to.equal('Add wallets');
  });

  it('undoes an unlink', async () => {
    const { element, connect } = await show('link-wallets', {}, [MAIN, TRAVEL]);
    control(element, 'Unlink Travel').click();
    await settle(element);
    await sendKeys({ press: 'Enter' });
    timers.run();
    await settle(element);
    expect(connect.unlinked).to.deep.equal([]);
    expect(nameOf(focused()!)).to.equal('Unlink Travel');
  });

  it('unlinks for good when another wallet is unlinked, the element goes, or the page', async () => {
    const { element, connect } = await show('link-wallets', {}, [MAIN, TRAVEL, SAVINGS]);
    control(element, 'Unlink Travel').click();
    await settle(element);
    control(element, 'Unlink Savings').click();
    await settle(element);
    expect(connect.unlinked).to.deep.equal(['travel']);
    dispatchEvent(new Event('pagehide'));
    expect(connect.unlinked).to.deep.equal(['travel', 'savings']);
    await settle(element);
    control(element, 'Unlink Main wallet').click();
    element.remove();
    expect(connect.unlinked).to.deep.equal(['travel', 'savings', 'main']);
  });

  it('shows a wallet again that could not be unlinked', async () => {
    const { element, connect } = await show('link-wallets', {}, [MAIN]);
    connect.unlink = () => Promise.reject(new Error('no'));
    control(element, 'Unlink Main wallet').click();
    timers.run();
    await settle(element);
    expect(maybe(element, 'Unlink Main wallet')).not.to.equal(undefined);
  });

  it('announces that it waits, keeping focus on its button', async () => {
    const { element } = await show('link-wallets');
    const button = control(element, 'Connect wallet');
    button.focus();
    await sendKeys({ press: 'Enter' });
    await settle(element);
    expect(focused()).to.equal(button);
    expect(nameOf(button)).to.equal('Waiting for your wallet…');
    expect(button.getAttribute('aria-disabled')).to.equal('true');
    expect(textOf(all(element, '[role=status]').at(-1)!)).to.equal('Finish in the wallet window.');
    control(element, 'Cancel').focus();
    await sendKeys({ press: 'Enter' });
    await settle(element);
    expect(focused()).to.equal(button);
    expect(nameOf(button)).to.equal('Connect wallet');
  });

  for (const [reason, title] of [
    ['popup', 'Your browser blocked the wallet window'],
    ['csp', 'This site does not allow the wallet'],
    ['silent', 'Your wallet does not answer in this page'],
    ['window', 'Your wallet needs its own window'],
  ] as const)
    it(`says honestly that the wallet is blocked (${reason})`, async () => {
      const { element, connect } = await show('link-wallets');
      control(element, 'Connect wallet').focus();
      element.link().catch(() => {});
      connect.last.options.onBlocked?.({ reason, open() {}, cancel() {} });
      await until(element, () => all(element, '[role=alert] b').some((each) => textOf(each) === title));
      await until(element, () => focused() !== null && nameOf(focused()!) === 'Open in a window');
      expect(nameOf(focused()!)).to.equal('Open in a window');
    });
});
