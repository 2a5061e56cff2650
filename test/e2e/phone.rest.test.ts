/** What is different on a phone: pulls, the keyboard over the page, turning it, and the wait for a second tap. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { CDPSession, Page } from 'playwright-core';
import { poll } from '../waiting.ts';
import { openWorld, PIN, type Visitor, type VisitOptions, type WalletView, type World } from './harness.ts';

const UPRIGHT = { width: 390, height: 844 };
const PHONE: VisitOptions = { viewport: UPRIGHT, hasTouch: true, isMobile: true };

let world: World;
before(async () => void (world = await openWorld()));
after(() => world.close());

/** An approval of a message, in a dialog or a window of the size of a phone. */
async function asked(where: 'iframe' | 'popup'): Promise<[Visitor, WalletView, Page]> {
  const visitor = await world.visit(where, '/plain', PHONE);
  const { id } = await visitor.wealthyWallet();
  const view = await visitor.ask(
    (connect, walletId) => connect.sign({ walletId, type: 'ETHEREUM_RAW', data: '0x48656c6c6f' }),
    id,
  );
  if (where === 'popup') await view.popup.setViewportSize(UPRIGHT);
  await view.approval().waitFor();
  await view.seeAll();
  return [visitor, view, where === 'popup' ? view.popup : visitor.page];
}

async function pull(cdp: CDPSession, x: number, from: number, by: number): Promise<void> {
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...at: number[]) =>
    cdp.send('Input.dispatchTouchEvent', { type, touchPoints: at.map((y) => ({ x, y })) });
  await touch('touchStart', from);
  for (let step = 1; step <= 10; step++) await touch('touchMove', from + (by * step) / 10);
  await touch('touchEnd');
}

/** Where the page is scrolled to in the second frame from now. */
const painted = (): Promise<number> =>
  new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(scrollY))));

async function type(view: WalletView, digits: string): Promise<void> {
  await view.takes('PIN');
  for (const digit of digits) await view.button(digit).tap();
}

/** Digits in the PIN field, as its dots show them. */
const dots = (view: WalletView): Promise<number> => view.root.locator('cbf-pin-field .dots .on').count();

test('in the sheet of a page: a pull moves nothing, and a PIN outlasts a turn in which there is no room', async () => {
  const [visitor, view, page] = await asked('iframe');
  await visitor.evaluate(() => {
    document.documentElement.append(document.createElement('div'));
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('html > div { block-size: 3000px }');
    document.adoptedStyleSheets = [sheet];
    scrollTo(0, 500);
  });
  const cdp = await page.context().newCDPSession(page);
  const { top } = await page.evaluate(() => {
    const hosts = [...document.querySelectorAll('div')].map(({ shadowRoot }) => shadowRoot);
    return hosts
      .map((root) => root?.querySelector('dialog'))
      .find(Boolean)!
      .getBoundingClientRect();
  });
  assert.equal(await page.evaluate(painted), 500);
  // Above the sheet, on its header, its body, and its footer beside the buttons.
  for (const from of [top - 20, top + 30, top + 120, 780])
    for (const by of [-120, 60]) await pull(cdp, 8, from, by);
  assert.equal(await page.evaluate(painted), 500);
  assert.equal(await view.approval().count(), 1);

  await type(view, PIN.slice(0, 3));
  await page.setViewportSize({ width: 640, height: 280 });
  await view.heading('Open in a window').waitFor();
  await page.setViewportSize(UPRIGHT);
  await view.approval().waitFor();
  assert.equal(await dots(view), 3);
  await type(view, PIN.slice(3));
  await view.consent('Approve');
  assert.ok((await visitor.answer()).value);
  await visitor.close();
});

test('in a window: the keyboard leaves PIN and Approve in sight, and a PIN outlasts a turn to two steps', async () => {
  const [visitor, view, page] = await asked('popup');
  const frame = await view.frame();
  assert.deepEqual(
    await frame.evaluate(() => {
      const { overscrollBehaviorY, touchAction } = getComputedStyle(document.documentElement);
      return [overscrollBehaviorY, touchAction];
    }),
    ['none', 'manipulation'],
    'a pull does not reload, a tap does not wait for a second one',
  );
  await type(view, PIN.slice(0, 3));
  await page.setViewportSize({ width: 640, height: 280 });
  await view.button('Continue').tap();
  await poll(async () => (await dots(view)) === 3 || undefined, 'the digits in the second step');
  await page.setViewportSize(UPRIGHT);
  await poll(async () => (await dots(view)) === 3 || undefined, 'the digits after the turn');

  // As a keyboard does it, and as nothing else does here: less of the window is in sight, and its size is the same.
  await view.button('Hide PIN pad').tap();
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Emulation.setPageScaleFactor', { pageScaleFactor: 2 });
  await view.box('PIN').blur();
  await view.box('PIN').focus();
  const inSight = async (part: ReturnType<WalletView['button']>): Promise<boolean> => {
    const [rect, rest] = await Promise.all([
      part.evaluate((element) => element.getBoundingClientRect().toJSON() as DOMRect),
      page.evaluate(() => ({ top: visualViewport!.offsetTop, height: visualViewport!.height })),
    ]);
    return rect.top >= rest.top && rect.bottom <= rest.top + rest.height + 1;
  };
  for (const part of [view.box('PIN'), view.button('Approve')])
    await poll(async () => (await inSight(part)) || undefined, 'PIN and Approve above the keyboard');
  await cdp.send('Emulation.setPageScaleFactor', { pageScaleFactor: 1 });
  await visitor.close();
});
