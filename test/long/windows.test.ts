/**
 * Windows that lie over each other, under a window manager: when one is closed, the next one gets the focus, and with it the keys that the
 * user is typing. Headless Chromium has no window behind another, and the driver's own keys go where the driver says, so these come from
 * the X server.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { parseEther, Wallet as EthersWallet } from 'ethers';
import { type Browser, chromium } from 'playwright-core';
import { startWatched, type Watched } from '../../demo/networks/watched.ts';
import { missingOf, startVirtualScreen, type VirtualScreen, XVFB } from '../../scripts/virtual-screen.ts';
import type { Wallet } from '../../src/api/wallet.ts';
import type { Connect } from '../../src/actions/types.ts';
import type { TransactionResult } from '../../src/channel/messages.ts';
import { newProfile, openWorld, PIN, Visitor, WalletView, type World } from '../e2e/harness.ts';
import { type Hosts, startHosts } from '../e2e/hosts.ts';
import { holdings } from '../e2e/hostile/unmoved.ts';
import { launchOptions } from '../e2e/places.ts';
import { pause, poll, within } from '../waiting.ts';

const MISSING = missingOf([XVFB, '/usr/bin/openbox', '/usr/bin/xdotool']);
const skip = MISSING.length
  ? `${MISSING.join(', ')} not found. Debian: apt-get install --no-install-recommends xvfb openbox xdotool`
  : false;

/** Between two keys, of somebody who types slowly: a PIN takes longer than the wallet waits for anything. */
const KEY_MS = 250;

/** What the attacker's page has. */
interface Attacker {
  connect: Connect;
  other: Connect;
  /** The windows that it has opened. */
  windows: Window[];
}

let screen: VirtualScreen;
let manager: Watched;
let browser: Browser;
let world: World;
let others: Hosts;

const run = promisify(execFile);
async function xdotool(...args: string[]): Promise<string> {
  const { stdout } = await run('xdotool', args, { env: { ...process.env, DISPLAY: screen.display } });
  return stdout.trim();
}
/** Keys for whichever window is in front. */
const type = (text: string): Promise<string> => xdotool('type', '--delay', String(KEY_MS), text);
const enter = (): Promise<string> => xdotool('key', 'Return');
const front = (): Promise<string> => xdotool('getactivewindow', 'getwindowname');

describe('windows over each other', { skip }, () => {
  before(async () => {
    screen = await startVirtualScreen();
    manager = startWatched(['env', `DISPLAY=${screen.display}`, 'openbox']);
    world = await openWorld();
    others = await startHosts(world.frame);
    browser = await chromium.launch({
      ...launchOptions('whole'),
      headless: false,
      env: { ...process.env, DISPLAY: screen.display },
    });
  });
  after(async () => {
    await browser?.close();
    await others?.close();
    await world?.close();
    await manager?.close();
    await screen?.close();
  });

  let visitor: Visitor;
  let wallet: Wallet;
  let to: string;
  let held: string;
  beforeEach(async () => {
    const context = await newProfile(browser, { viewport: null });
    // The driver would tell every page that it has the focus.
    context.on('page', (page) => {
      void context
        .newCDPSession(page)
        .then((session) => session.send('Emulation.setFocusEmulationEnabled', { enabled: false }))
        .catch(() => {});
    });
    visitor = new Visitor(world, context, await context.newPage(), 'popup');
    await visitor.open('/plain');
    wallet = await visitor.wealthyWallet();
    to = EthersWallet.createRandom().address;
    held = await holdings(world, wallet);
    await visitor.evaluate(async (frame) => {
      const { createConnect } = await import(`${frame}/connect.js`);
      const windows: Window[] = [];
      const open = window.open.bind(window);
      window.open = (...args) => {
        const opened = open(...args);
        if (opened) windows.push(opened);
        return opened;
      };
      Object.assign(window, { other: createConnect({}), windows });
    }, world.frame);
  });
  afterEach(() => visitor.close());

  /** Opens a window of each connect, and has something signed there, so that both stay. */
  async function openBoth(): Promise<[WalletView, WalletView]> {
    const views: WalletView[] = [];
    for (const which of ['connect', 'other'] as const) {
      const view = await visitor.ask(
        (_, [name, walletId]) =>
          (window as unknown as Attacker)[name].sign({
            type: 'ETHEREUM_RAW',
            walletId,
            data: '0x48656c6c6f',
          }),
        [which, wallet.id] as const,
      );
      await view.approve();
      await visitor.answer();
      await view.heading(/^Waiting for /).waitFor();
      views.push(view);
    }
    return views as [WalletView, WalletView];
  }

  /** The windows of the wallet, once there are so many. */
  const opened = (count: number): Promise<WalletView[]> =>
    poll(() => {
      const pages = visitor.context.pages().filter((page) => page.url().includes('/frame/'));
      return pages.length === count && pages.map((page) => new WalletView(page));
    }, `${count} windows`);

  /** Requests an amount in the window of this connect, within a click. */
  const ask = (which: 'connect' | 'other', value: string): Promise<void> =>
    visitor.run(
      (_, [name, params]) =>
        (window as unknown as Attacker)[name].transfer({ ...params, secretType: 'ETHEREUM' }),
      [which, { walletId: wallet.id, to, value }] as const,
    );

  /** What the page does by itself. */
  const act = (what: (attacker: Attacker) => void): Promise<void> =>
    visitor.evaluate(`(${what.toString()})(window)`);

  /** Goes on to the approval, as a user does who wants this one. */
  async function reach(view: WalletView): Promise<void> {
    const notice = view.button('Go on here');
    await notice.or(view.box('PIN')).first().waitFor();
    if (await notice.count()) await view.consent('Go on here');
    await view.approval().waitFor();
  }

  async function untilInFront({ popup }: WalletView): Promise<void> {
    let names: string[] = [];
    await poll(async () => {
      names = [await front(), await popup.title()];
      return names[0]!.startsWith(names[1]!);
    }, 'the window in front').catch((error: Error) => {
      throw new Error(`${error.message}: ${names.join(' instead of ')}`);
    });
  }

  /** Whatever was typed, nothing of the wallet's has moved, and the request that got the keys is not drawn. */
  async function assertHeldBack(view: WalletView, notice: string): Promise<void> {
    await pause(2000);
    assert.equal(await holdings(world, wallet), held, 'nothing moved');
    await view.heading(notice).waitFor();
    assert.equal(await view.box('PIN').count(), 0);
    assert.equal(await view.approval().count(), 0);
  }

  async function assertSent(value: string): Promise<void> {
    const { value: done } = await visitor.answer<TransactionResult>();
    await world.receipt(done!.transactionHash);
    assert.equal(await world.chain.getBalance(to), parseEther(value));
  }

  test('control: keys of the X server approve the request in front', async () => {
    const [, view] = await openBoth();
    await ask('other', '0.001');
    await reach(view);
    await view.popup.bringToFront();
    await view.seeAll();
    await view.box('PIN').click();
    await type(PIN);
    await enter();
    await assertSent('0.001');
  });

  test('the site closes the window in which the user types: what it had drawn behind it is gone', async () => {
    await ask('connect', '3');
    const [behind] = await opened(1);
    await behind!.approval().waitFor();
    await ask('other', '0.001');
    const [, inFront] = await opened(2);
    await reach(inFront!);
    await inFront!.popup.bringToFront();
    await inFront!.seeAll();
    await act(({ windows: [below, above] }) => {
      above!.close();
      below!.focus();
    });
    await poll(() => inFront!.popup.isClosed(), 'the end of the window');
    await type(PIN);
    await enter();
    await pause(2000);
    assert.equal(await holdings(world, wallet), held, 'nothing moved');
    await poll(() => behind!.popup.isClosed(), 'the end of the window behind');
  });

  test('the site closes the window in which the user types: the one behind it takes no digit', async () => {
    const [behind, inFront] = await openBoth();
    await ask('connect', '3');
    await behind.approval().waitFor();
    await behind.popup.bringToFront();
    await untilInFront(behind);
    await ask('other', '0.001');
    await reach(inFront);
    // The user has taken it back there: the site asks again.
    if (!(await behind.approval().count()))
      await visitor.evaluate(
        ([params]) => {
          const { connect } = window as unknown as Attacker;
          void connect.transfer({ ...params, secretType: 'ETHEREUM' }).catch(() => {});
        },
        [{ walletId: wallet.id, to, value: '3' }] as const,
      );
    await inFront.popup.bringToFront();
    await inFront.box('PIN').click();
    await type(PIN.slice(0, 1));
    await act(({ windows: [below, above] }) => {
      above!.close();
      below!.focus();
    });
    await poll(() => inFront.popup.isClosed(), 'the end of the window');
    await untilInFront(behind);
    await type(PIN);
    await enter();
    await assertHeldBack(behind, 'The site replaced its request');
    await type(PIN);
    await enter();
    await assertHeldBack(behind, 'The site replaced its request');
  });

  test('the site takes its request back and goes to its second linked origin, which takes the window: it takes no digit', async () => {
    const [view] = await openBoth();
    const second = new Visitor(world, visitor.context, await visitor.context.newPage(), 'popup');
    await second.page.goto(`${others.crossSite}/plain`);
    await second.ready();
    const linking = await second.linking(() => second.run((connect) => connect.linkWallets()));
    await linking.root.getByRole('checkbox').first().check();
    await linking.leave('Link wallets');
    await within(second.page.close(), 'the end of a tab');
    await within(linking.popup.close(), 'the end of its window');

    await visitor.run(
      (connect, params) => {
        const abort = new AbortController();
        Object.assign(window, { abort });
        return connect.transfer({ ...params, secretType: 'ETHEREUM' }, { signal: abort.signal });
      },
      { walletId: wallet.id, to, value: '0.001' },
    );
    await view.box('PIN').waitFor();
    await view.takes('PIN');
    await view.popup.bringToFront();
    await view.box('PIN').click();
    await type(PIN.slice(0, 1));
    await visitor.evaluate((next) => {
      (window as unknown as { abort: AbortController }).abort.abort();
      location.href = next;
    }, `${others.crossSite}/plain`);
    await visitor.page.waitForURL(`${others.crossSite}/plain`);
    await visitor.ready();
    await visitor.evaluate(
      async ([params]) => {
        // It finds the window by what the window says.
        await new Promise<void>((heard) =>
          addEventListener('message', ({ data }) => data?.type === 'carabiner:ready' && heard()),
        );
        window.answer = window.connect.transfer({ ...params, secretType: 'ETHEREUM' }).then(
          (value) => ({ value }),
          (error) => ({ error }),
        );
      },
      [{ walletId: wallet.id, to, value: '3' }] as const,
    );
    const title = `This window now belongs to ${new URL(others.crossSite).host}`;
    const asked = view.heading(title).or(view.box('PIN'));
    await asked.first().waitFor();
    await type(PIN);
    await enter();
    await assertHeldBack(view, title);
    await view.consent('Show the new request');
    await view.popup.bringToFront();
    await view.takes('PIN');
    await view.seeAll();
    await view.box('PIN').click();
    await type(PIN);
    await enter();
    await assertSent('3');
  });
});
