/**
 * Attempts to use the wallet's own page, which is on the origin of the keys, as a way in: opened and posted to, framed, navigated, filled in by
 * its URL, or impersonated. Each moves nothing; the page's usual way, or the user's own, sends.
 */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { parseEther, Wallet as EthersWallet } from 'ethers';
import type { Page, Route } from 'playwright-core';
import type { Wallet } from '../../../src/api/wallet.ts';
import type { TransactionResult } from '../../../src/channel/messages.ts';
import { poll, within } from '../../waiting.ts';
import { evaluateIn, openWorld, PIN, type Visitor, WalletView, type World } from '../harness.ts';
import { movesNothing, sends } from './unmoved.ts';

let world: World;
let visitor: Visitor;
let wallet: Wallet;
before(async () => {
  world = await openWorld();
  visitor = await world.visit('popup', '/plain');
  wallet = await visitor.wealthyWallet();
});
beforeEach(() => visitor.startAgain());
after(async () => {
  await visitor?.close();
  await world.close();
});

const THIEF = EthersWallet.createRandom().address;
const own = (): string => `${world.frame}/wallet/`;
const payment = (to = THIEF) => ({ walletId: wallet.id, secretType: 'ETHEREUM' as const, to, value: '0.1' });
const attack = (work: () => Promise<void>): Promise<void> => movesNothing(world, wallet, work);

/** Headers that something in between has dropped: what is left are the page's own means. */
async function withoutHeaders(page: Page, work: () => Promise<void>): Promise<void> {
  const drop = async (route: Route): Promise<void> => {
    const response = await route.fetch();
    const {
      'content-security-policy': _policy,
      'cross-origin-opener-policy': _opener,
      ...headers
    } = response.headers();
    await route.fulfill({ response, headers });
  };
  await page.context().route(own(), drop);
  await work();
  await page.context().unroute(own(), drop);
}

/** Opens `url` as the page's window `name`, as soon as the page is clicked. */
async function openFrom(page: Page, url: string, name = ''): Promise<Page> {
  await evaluateIn(page)(
    ([target, as]) => {
      window.next = () => void Object.assign(window, { opened: window.open(target, as) });
    },
    [url, name] as const,
  );
  const [opened] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('button', { name: 'Run' }).click(),
  ]);
  return opened;
}

/** What a page heard from its window, and whether it has lost it. */
interface Heard {
  messages: unknown[];
  closed: boolean;
}

/** Sends what a page of a site would send to a wallet, and more, and listens. */
async function callAtWindow(page: Page): Promise<void> {
  await evaluateIn(page)((params) => {
    const { opened } = window as unknown as { opened: Window };
    const messages: unknown[] = [];
    Object.assign(window, { heardThere: messages });
    addEventListener('message', ({ source, data }) => void (source === opened && messages.push(data)));
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => void messages.push(data);
    opened.postMessage({ type: 'carabiner:init', protocol: 1, mode: 'approve' }, '*', [port2]);
    port1.postMessage({ type: 'request', id: 'own-page-port', action: 'transfer', params });
    opened.postMessage({ type: 'request', id: 'own-page-post', action: 'transfer', params }, '*');
  }, payment());
}

const heardBy = (page: Page): Promise<Heard> =>
  evaluateIn(page)(() => {
    const { opened, heardThere } = window as unknown as { opened: Window; heardThere: unknown[] };
    return { messages: heardThere, closed: opened.closed };
  });

/** Counts the messages that reach a page, whoever listens to them there. */
const countMessages = (page: Page): Promise<void> =>
  evaluateIn(page)(() => {
    const counted = Object.assign(window, { reached: 0 });
    addEventListener('message', () => void counted.reached++);
  });

/** The page shows what it always does. */
async function isHome(page: Page): Promise<WalletView> {
  const view = new WalletView(page);
  await view.button(`Copy address of ${wallet.alias}`).waitFor();
  await view.button('Manage wallets').waitFor();
  assert.equal(await view.approval().count(), 0);
  return view;
}

/** As the user sends from there by hand. */
async function fillIn(view: WalletView, to: string, amount: string): Promise<void> {
  await view.button('Send').first().click();
  await view.box('Recipient').waitFor();
  assert.equal(await view.box('Recipient').inputValue(), '');
  assert.equal(await view.box('Amount').inputValue(), '');
  await view.box('Recipient').fill(to);
  await view.box('Amount').fill(amount);
  await view.button('Continue').click();
  await view.approval().waitFor();
}

async function approveHere(view: WalletView): Promise<void> {
  await view.enterPin();
  await view.scrollOn();
  await view.consent('Approve', () => view.button('Approve').last().click());
}

describe('the wallet’s own page', () => {
  test('opened by a page and posted to: the page has lost its window, and nothing answers, with headers and without; the wallet’s page for sites answers', async () => {
    await attack(async () => {
      const opened = await openFrom(visitor.page, own());
      await isHome(opened);
      await callAtWindow(visitor.page);
      await isHome(opened);
      assert.deepEqual(await heardBy(visitor.page), { messages: [], closed: true });
      await within(opened.close(), 'the end of a window');
      await withoutHeaders(visitor.page, async () => {
        const reached = await openFrom(visitor.page, own());
        await isHome(reached);
        await countMessages(reached);
        await callAtWindow(visitor.page);
        await reached.waitForFunction(() => (window as unknown as { reached: number }).reached === 2);
        await isHome(reached);
        assert.deepEqual(await heardBy(visitor.page), { messages: [], closed: false });
        await within(reached.close(), 'the end of a window');
      });
    });
    const frame = await openFrom(visitor.page, `${world.frame}/frame/`);
    await callAtWindow(visitor.page);
    await poll(async () => (await heardBy(visitor.page)).messages.length > 0, 'the page for sites');
    await within(frame.close(), 'the end of a window');
  });

  test('in a frame, on a page that may embed the wallet: the browser refuses it, and without its headers it shows no wallet; the page for sites is shown', async () => {
    const page = await visitor.context.newPage();
    await page.goto(`${world.hosts.sameSite}/bare`);
    const embedded = async (url: string): Promise<string> => {
      await evaluateIn(page)((src) => {
        document.querySelector('iframe')?.remove();
        document.body.append(
          Object.assign(document.createElement('iframe'), { src, width: 400, height: 640 }),
        );
      }, url);
      return poll(async () => {
        const shown = page.frames().map((frame) => frame.url());
        return shown.find((at) => at.startsWith('chrome-error:') || at === url);
      }, 'what becomes of the frame');
    };
    await attack(async () => {
      assert.match(await embedded(own()), /^chrome-error:/);
      await withoutHeaders(page, async () => {
        await embedded(own());
        const view = new WalletView(page.locator('iframe').contentFrame(), page);
        await view.heading('This wallet is not set up correctly').waitFor();
        assert.equal(await view.button(/Send|Receive|Settings|Create wallet/).count(), 0);
      });
    });
    assert.equal(await embedded(`${world.frame}/frame/`), `${world.frame}/frame/`);
    await within(page.close(), 'the end of a page');
  });

  test('a window that a page navigates there from an approval: it leaves the page, keeps none of the request, and cannot be navigated on; left alone, the approval sends', async () => {
    await attack(async () => {
      const view = await visitor.ask((connect, params) => connect.transfer(params), payment());
      await view.type('PIN', PIN.slice(0, 3));
      const opened = view.popup;
      // The page knows its window by name: `connect.js` reuses it.
      const name = await evaluateIn(opened)(() => window.name);
      await evaluateIn(visitor.page)(
        ([as, url]) => {
          window.next = () => void Object.assign(window, { opened: window.open(url, as) });
        },
        [name, own()] as const,
      );
      await visitor.button('Run').click();
      await opened.waitForURL(own());
      await isHome(opened);
      await visitor.page.waitForFunction(() => (window as unknown as { opened: Window }).opened.closed);
      await evaluateIn(visitor.page)((url) => {
        const { opened: lost } = window as unknown as { opened: Window };
        lost.location.href = url;
        lost.focus();
        lost.close();
      }, `${visitor.origin}/bare`);
      await callAtWindow(visitor.page);
      await isHome(opened);
      assert.deepEqual((await heardBy(visitor.page)).messages, []);
      assert.equal(opened.url(), own());
      await within(opened.close(), 'the end of a window');
    });
    await visitor.startAgain();
    await sends(world, wallet, async () => {
      const view = await visitor.ask((connect, params) => connect.transfer(params), payment());
      await view.approve();
      return (await visitor.answer<TransactionResult>()).value!.transactionHash;
    });
  });

  test('filled in by its URL: it opens as ever, and its form is empty; filled in by hand, it sends', async () => {
    const page = await visitor.context.newPage();
    const query = `to=${THIEF}&recipient=${THIEF}&value=9&amount=9&walletId=${wallet.id}&action=transfer`;
    const friend = EthersWallet.createRandom().address;
    for (const url of [
      `${own()}?${query}#send`,
      `${own()}#/send?${query}`,
      `${own()}index.html?${query}`,
      `${world.frame}/?${query}#approve`,
      `${own()}?uri=${encodeURIComponent(`ethereum:${THIEF}?value=9e18`)}`,
    ])
      await attack(async () => {
        await page.goto(url);
        const view = await isHome(page);
        await fillIn(view, friend, '0.1');
        await view.address(friend).waitFor();
        assert.equal(await view.address(THIEF).count(), 0);
        await view.button('Reject').click();
      });
    await sends(world, wallet, async () => {
      const view = await isHome(await reopened(page));
      await fillIn(view, friend, '0.1');
      await approveHere(view);
      await view.heading('Sent').waitFor();
      assert.equal(await world.chain.getBalance(friend), parseEther('0.1'));
      const block = (await world.chain.getBlock('latest', true))!;
      return block.prefetchedTransactions.find(({ to }) => to === friend)!.hash;
    });
    await within(page.close(), 'the end of a page');
  });

  test('a page that says it is there, or is called You: it is named by its own origin, in the approval, the activity and Sites; what the user sends is by You', async () => {
    const claims = { type: 'carabiner:init', protocol: 1, mode: 'approve', origin: world.frame, name: 'You' };
    await attack(async () => {
      // Without connect.js, which would answer the window first.
      const bare = await visitor.context.newPage();
      await bare.goto(`${visitor.origin}/bare`);
      await evaluateIn(bare)(() => {
        document.body.append(Object.assign(document.createElement('button'), { textContent: 'Run' }));
        document.querySelector('button')!.addEventListener('click', () => window.next());
      });
      const opened = await openFrom(bare, `${world.frame}/frame/`);
      const heard = await evaluateIn(bare)(async (message) => {
        const { opened: target } = window as unknown as { opened: Window };
        const answers: unknown[] = [];
        const ready = (): Promise<void> =>
          new Promise((resolve) =>
            addEventListener('message', ({ data }) => data?.type === 'carabiner:ready' && resolve(), {
              once: true,
            }),
          );
        await ready();
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = ({ data }) => void answers.push(data);
        target.postMessage(message, '*', [port2]);
        port1.postMessage({ type: 'request', id: 'claimed-0001', action: 'transfer', params: {} });
        // It still waits for a page: it has refused this one.
        await ready();
        await ready();
        return answers;
      }, claims);
      assert.deepEqual(heard, []);
      await within(opened.close(), 'the end of a window');
      // And if a page were on the wallet's own origin, it would not be served.
      await bare.goto(`${world.frame}/networks.json`);
      await evaluateIn(bare)(() => {
        document.body.append(Object.assign(document.createElement('button'), { textContent: 'Run' }));
        document.querySelector('button')!.addEventListener('click', () => window.next());
      });
      const same = await openFrom(bare, `${world.frame}/frame/`);
      await evaluateIn(bare)(
        () =>
          new Promise<void>((ready) =>
            addEventListener('message', ({ data }) => data?.type === 'carabiner:ready' && ready()),
          ),
      );
      await callAtWindow(bare);
      await new WalletView(same).heading('This wallet is not set up correctly').waitFor();
      assert.deepEqual((await heardBy(bare)).messages, []);
      await within(same.close(), 'the end of a window');
      await within(bare.close(), 'the end of a page');
    });
    await visitor.startAgain();
    const site = visitor.origin.replace('http://', '');
    await evaluateIn(visitor.page)(() => (document.title = 'You'));
    const view = await visitor.ask((connect, params) => connect.transfer(params), payment());
    await view.text(site).first().waitFor();
    assert.equal(await view.text(/^(You|Your wallet)$/).count(), 0);
    await view.approve();
    await visitor.answer();
    const page = await visitor.context.newPage();
    await page.goto(own());
    const home = await isHome(page);
    await home.root.getByRole('tab', { name: 'Activity' }).click();
    await home.button(/^Sent/).first().click();
    await home.text(site).first().waitFor();
    assert.equal(await home.text(/^You$/).count(), 0);
    await home.button('Back').click();
    await home.button('Settings').click();
    await home.button('Show sites').click();
    await home.text(site).first().waitFor();
    assert.equal(await home.root.getByRole('listitem').count(), 1);
    await page.goto(own());
    const again = await isHome(page);
    await fillIn(again, EthersWallet.createRandom().address, '0.1');
    await approveHere(again);
    await again.heading('Sent').waitFor();
    await page.goto(own());
    await (await isHome(page)).root.getByRole('tab', { name: 'Activity' }).click();
    await again.button(/^Sent/).first().click();
    await again.text(/^You$/).first().waitFor();
    await within(page.close(), 'the end of a page');
  });

  test('a page that asks while the user is sending there: its request waits behind a notice and gets no digit; once it has gone on, it sends', async () => {
    const page = await visitor.context.newPage();
    await page.goto(own());
    const home = await isHome(page);
    await fillIn(home, EthersWallet.createRandom().address, '0.1');
    await home.type('PIN', PIN.slice(0, 3));
    await visitor.page.bringToFront();
    let view!: WalletView;
    await attack(async () => {
      view = await visitor.ask((connect, params) => connect.transfer(params), payment());
      await view.heading('You began something in another window of your wallet').waitFor();
      await view.popup.keyboard.type(PIN.slice(3));
      await view.popup.keyboard.press('Enter');
      assert.equal(await view.approval().count(), 0);
    });
    await sends(world, wallet, async () => {
      await view.consent('Go on here');
      await view.approve();
      return (await visitor.answer<TransactionResult>()).value!.transactionHash;
    });
    // What the user began is taken back: the form is there, and asks for nothing.
    await home.box('Recipient').waitFor();
    assert.equal(await home.approval().count(), 0);
    await within(page.close(), 'the end of a page');
  });
});

/** The same page, opened anew. */
async function reopened(page: Page): Promise<Page> {
  await page.goto(own());
  return page;
}
