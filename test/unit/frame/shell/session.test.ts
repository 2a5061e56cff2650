/** The window between requests: what it says, what it lets in, and how it ends. */
import { expect } from '@open-wc/testing';
import { ConnectError } from '../../../../src/base/errors.ts';
import { keepOpen } from '../../../../src/frame/shell/own-window.ts';
import { WaitingView } from '../../../../src/frame/shell/session-view.ts';
import { deepAll, focused, show, type } from '../scene.ts';
import { type Asked, settled, until, type World, world } from '../world.ts';

const WAITING = 'Waiting for shop.example';
const CLOSED = 'shop.example was closed';

interface Session extends World {
  page: { title: string; focused: boolean; back: number; focus(): void };
}

async function session(options: Parameters<typeof world>[0] = {}): Promise<Session> {
  const w = await world(options);
  let onFocus = (): void => {};
  const page = { title: '', focused: true, back: 0, focus: () => onFocus() };
  keepOpen(w.frame, {
    document: {
      get title() {
        return page.title;
      },
      set title(title) {
        page.title = title;
      },
      hasFocus: () => page.focused,
    },
    opener: { focus: () => void page.back++ },
    addEventListener: (_type, listener) => void (onFocus = listener),
  });
  return Object.assign(w, { page });
}

/** As after the page's request to link a wallet: the window waits. */
async function linked(options?: Parameters<typeof world>[0]): Promise<Session> {
  const w = await session(options);
  const asked = w.ask('linkWallets');
  await w.press('Link wallets');
  await settled(asked);
  await rest(w);
  return w;
}

async function rest(w: World, title = WAITING): Promise<void> {
  await until(() => {
    void w.clock.pass(100);
    return deepAll(w.shell, 'h1').some((h1) => h1.textContent === title);
  }, title);
}

/** The approval, whose skeleton stands for 300 ms at least, and the title of its window. */
async function drawn(w: World): Promise<void> {
  await w.clock.pass(500);
  await until(() => deepAll(w.shell, 'h1').some((title) => title.textContent!.includes('Send 0.2 ETH')));
  // The window looks at its title from time to time.
  await w.clock.pass(500);
}

const row = (w: World): HTMLElement | undefined => deepAll<HTMLElement>(w.shell, 'cbf-pin-row')[0];
const offered = (w: World): Promise<HTMLElement> => until(() => row(w), 'a PIN row');

describe('the wallet’s window', () => {
  it('stays open once a wallet is linked, says whose request it waits for, and lists what was done', async () => {
    const w = await linked();
    expect(w.link.closed).to.equal(0);
    await until(() => w.text().includes('Main wallet linked'));
    expect(w.text()).to.include('Keep this window open: the site can ask next here.');
    expect(w.text()).to.match(/Open since \d/);
    expect(w.page.title).to.equal(WAITING);

    const sent = w.transfer();
    await w.approve();
    await settled(sent);
    await w.title('Sent 0.2 ETH');
    expect(w.text())
      .to.include('shop.example has been told. You can go back to it')
      .and.match(/Open since \d/);
    expect(focused()?.textContent?.trim()).to.equal('Back to shop.example');
    await w.press('Back to shop.example');
    expect(w.page.back).to.equal(1);
    await rest(w);
    await until(() => w.text().includes('Sent 0.2 ETH to 0x8f3C…A063'), 'the transfer in the list');
    expect(w.link.closed).to.equal(0);
  });

  it('closes after a request by which nothing was done', async () => {
    const w = await session();
    await w.transfer();
    await w.press('Reject');
    await w.closed();
    expect(w.text()).not.to.include(WAITING);
  });

  it('stays after a rejection, and after the site took its request back', async () => {
    const w = await linked();
    const rejected = w.transfer();
    await w.press('Reject');
    await settled(rejected);
    await rest(w);
    const back = w.transfer();
    await w.approval();
    back.abort.abort();
    await rest(w);
    expect(w.link.closed).to.equal(0);
  });

  it('closes by Close of any view, by Close window, and not by Back to the site', async () => {
    const w = await linked();
    await w.press('Back to shop.example');
    await until(() => w.page.back === 1);
    await w.clock.pass(1000);
    expect(w.link.closed).to.equal(0);
    await w.press('Close window');
    await w.closed();

    const other = await linked();
    const asked = other.transfer();
    await other.approval();
    await other.press('Close');
    await settled(asked);
    expect(asked.error?.code).to.equal('user.rejected');
    await other.closed();
  });

  it('closes by Close window while it waits for the network, and leads back to the site from there', async () => {
    const w = await linked();
    w.chain.mines = false;
    const sent = w.transfer();
    await w.approve();
    await settled(sent);
    await w.press('Back to shop.example');
    expect(w.page.back).to.equal(1);
    await w.clock.pass(1000);
    expect(w.text()).to.include('Sending 0.2 ETH');
    expect(w.link.closed).to.equal(0);
    await w.press('Close window');
    await w.closed();
    expect(w.text()).not.to.include(WAITING);
  });

  it('closes by Close window of what was not sent, waits after Esc, and leads back to the site', async () => {
    const refused = async (): Promise<Session> => {
      const w = await linked();
      w.chain.failBroadcast = new ConnectError('transaction.refused', 'The network refused it.', {
        reason: 'underpriced',
      });
      const asked = w.transfer();
      await w.approve();
      await settled(asked);
      await w.title('Not sent');
      return w;
    };
    const w = await refused();
    await w.press('Close window');
    await w.closed();

    const back = await refused();
    await back.press('Back to shop.example');
    expect(back.page.back).to.equal(1);
    await rest(back);

    const stays = await refused();
    document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', cancelable: true }));
    await rest(stays);
    expect([back.link.closed, stays.link.closed]).to.deep.equal([0, 0]);
  });

  it('calls by name whom the user knows, also once saved from there', async () => {
    const w = await linked();
    const sent = w.transfer();
    await w.approve();
    await settled(sent);
    await w.press('Save recipient');
    type(await w.find<HTMLInputElement>('Name'), 'Ada');
    await w.press('Save');
    await w.title('Sent 0.2 ETH');
    await until(() => /To\s+Ada/.test(w.text()), 'the name of the recipient');
    await w.press('Back to shop.example');
    const again = w.transfer();
    await w.approve();
    await settled(again);
    await w.title('Sent 0.2 ETH');
    await w.press('Back to shop.example');
    await rest(w);
    await until(() => w.text().includes('Sent 0.2 ETH to Ada'), 'the transfer in the list');
  });

  it('closes by Close window of what was sent', async () => {
    const w = await linked();
    const asked = w.transfer();
    await w.approve();
    await settled(asked);
    await w.title('Sent 0.2 ETH');
    await w.press('Close window');
    await w.closed();
    expect(w.page.back).to.equal(0);
  });

  it('does not say that the site knows of what was sent while it has not confirmed that', async () => {
    const w = await linked();
    Object.assign(w.link, { undelivered: true });
    const asked = w.transfer();
    await w.approve();
    await settled(asked);
    await w.title('Sent 0.2 ETH');
    expect(w.text()).not.to.include('shop.example knows');
    expect(w.text()).to.include('The network has confirmed it.');
  });

  it('has a request in its title, and says whether it is in front', async () => {
    const w = await linked();
    const before = w.link.fronts;
    w.page.focused = false;
    w.transfer();
    await w.approval();
    await drawn(w);
    expect(w.page.title).to.equal('(1) Send 0.2 ETH');
    expect(w.link.fronts).to.equal(before);
    w.page.focus();
    expect(w.link.fronts).to.equal(before + 1);
    w.page.focused = true;
    w.transfer();
    expect(w.link.fronts).to.equal(before + 2);
  });

  it('gives a new request’s title the focus, and its PIN no input before it was in sight for 800 ms', async () => {
    const w = await linked();
    w.guard.state = 'waiting';
    const asked = w.transfer();
    const pin = await offered(w);
    expect(pin.inert, 'from the first moment').to.equal(true);
    await drawn(w);
    await until(() => focused()?.textContent === 'Send 0.2 ETH', 'focus on the title');
    expect(pin.inert).to.equal(true);
    w.guard.change('clear');
    await w.clock.pass(100);
    expect(pin.inert).to.equal(false);
    // After that it behaves as everywhere.
    w.guard.change('waiting');
    await w.clock.pass(100);
    expect(pin.inert).to.equal(false);
    w.guard.change('clear');
    await w.approve();
    await settled(asked);
    expect(asked.error).to.equal(undefined);
  });

  it('takes no PIN for the request that it was opened with either, before that was in sight for 800 ms', async () => {
    const w = await session();
    w.guard.state = 'waiting';
    w.transfer();
    const pin = await offered(w);
    expect(pin.inert).to.equal(true);
    w.guard.change('clear');
    await w.clock.pass(100);
    expect(pin.inert).to.equal(false);
  });

  it('lets a request wait while another is on screen, with the PIN that is typed for it', async () => {
    const w = await linked();
    const first = w.transfer();
    await w.pin('12');
    const second = w.transfer();
    await drawn(w);
    expect([first.settled, second.settled]).to.deep.equal([false, false]);
    expect(w.page.title).to.equal('(2) Send 0.2 ETH');
    expect(deepAll<HTMLInputElement>(w.shell, 'cbf-pin-field').length).to.equal(1);
    await w.press('Reject');
    await settled(first);
    expect(second.settled).to.equal(false);
    await w.press('Review 2 of 2');
    await w.approval();
    await drawn(w);
    expect(w.page.title).to.equal('(1) Send 0.2 ETH');
  });

  describe('when its site goes away', () => {
    it('waits ten seconds for it, and goes on with the same list', async () => {
      const w = await linked();
      w.link.onGone();
      await w.clock.pass(9900);
      w.link.onBack();
      await w.clock.pass(10_000);
      expect(w.link.forsaken).to.equal(0);
      expect(w.text()).to.include(WAITING);
      expect(w.text()).to.include('Main wallet linked');
    });

    it('then says that the site was closed, and offers to close the window', async () => {
      const w = await linked();
      w.link.onGone();
      await w.clock.pass(10_000);
      await rest(w, CLOSED);
      expect(w.link.forsaken).to.equal(1);
      expect(w.text()).to.include('Nothing is waiting for you. You can close this window.');
      expect(w.text()).to.include('Session ended');
      await w.clock.pass(100);
      expect(w.page.title).to.equal(CLOSED);
      expect(w.link.closed).to.equal(0);
      await w.press('Close window');
      await w.closed();
    });

    it('rejects what nobody approved, and shows the end in place of it', async () => {
      const w = await linked();
      const asked: Asked = w.transfer();
      await w.approval();
      // As the channel does it.
      w.link.forsake = () => asked.abort.abort();
      w.link.onGone();
      await w.clock.pass(10_000);
      await rest(w, CLOSED);
    });

    it('shows what was approved for as long as the user reads it', async () => {
      const w = await linked();
      const asked = w.transfer();
      await w.approve();
      await settled(asked);
      await w.title('Sent 0.2 ETH');
      w.link.onGone();
      await w.clock.pass(60_000);
      await w.title('Sent 0.2 ETH');
      await w.press('Back to shop.example');
      await rest(w, CLOSED);
    });

    it('serves it again if it comes back for an answer after all', async () => {
      const w = await linked();
      w.link.onGone();
      await w.clock.pass(10_000);
      await rest(w, CLOSED);
      w.link.onBack();
      await rest(w);
    });
  });

  it('names no site of more than 18 characters in its button', async () => {
    const view = Object.assign(new WaitingView(), { site: 'checkout.shop.example' });
    const { settle } = await show(view);
    await settle();
    expect(deepAll(view, '.primary')[0]?.textContent?.trim()).to.equal('Back to the site');
  });
});
