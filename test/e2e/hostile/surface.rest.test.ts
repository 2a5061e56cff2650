/**
 * Attempts to get something approved that the user cannot see: by masks and clip paths on the iframe, by zoom, by small windows, by what
 * covered the wallet a moment ago. Each moves nothing; the same script without the trick sends what it asks for.
 */
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { parseEther } from 'ethers';
import type { Page } from 'playwright-core';
import type { Wallet } from '../../../src/api/wallet.ts';
import type { TransactionResult } from '../../../src/channel/messages.ts';
import { pause, poll } from '../../waiting.ts';
import { evaluateIn, openWorld, PIN, type Visitor, WalletView, type World } from '../harness.ts';
import { type Hosts, startHosts } from '../hosts.ts';
import { variant } from '../parts.ts';
import { answer, init } from '../raw-host.ts';
import { holdings } from './unmoved.ts';

const THIEF = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F';

let world: World;
/** Pages on the wallet's own site that the operator has not listed. */
let unlisted: Hosts;
before(async () => {
  world = await openWorld();
  unlisted = await startHosts(world.frame);
});
after(async () => {
  await unlisted?.close();
  await world.close();
});

const request = (wallet: Wallet) => ({
  walletId: wallet.id,
  to: THIEF,
  value: '3',
  secretType: 'ETHEREUM' as const,
});

/** What was stolen, and how much the wallet has signed and holds. */
async function state(wallet: Wallet): Promise<{ stolen: bigint; nonce: number; held: string }> {
  return {
    stolen: await world.chain.getBalance(THIEF),
    nonce: await world.chain.getTransactionCount(wallet.address),
    held: await holdings(world, wallet),
  };
}

/** A wallet that had been tricked would be busy at once. */
async function nothingMoved(
  wallet: Wallet,
  since: Awaited<ReturnType<typeof state>>,
  view?: WalletView,
): Promise<void> {
  assert.equal((await view?.isBusy()) ?? false, false);
  assert.deepEqual(await state(wallet), since);
}

async function sent(wallet: Wallet, since: Awaited<ReturnType<typeof state>>, hash: string): Promise<void> {
  await world.receipt(hash);
  const { stolen, nonce } = await state(wallet);
  assert.deepEqual({ stolen, nonce }, { stolen: since.stolen + parseEther('3'), nonce: since.nonce + 1 });
}

/** Styles that hide the middle of an approval, which no observer inside reports. */
const HIDING: Record<string, Record<string, string>> = {
  'mask-image': {
    'mask-image': 'linear-gradient(#000 0 60px, transparent 60px 420px, #000 420px)',
  },
  'an SVG mask': { mask: 'url(#hole)' },
  'clip-path': {
    'clip-path': 'polygon(0 0, 100% 0, 100% 60px, 0 60px, 0 420px, 100% 420px, 100% 100%, 0 100%)',
  },
};

/**
 * The page's own iframe of the wallet, created by a script that speaks the protocol itself. Returns whether a wallet appeared in it, or the
 * browser's own page about what it refused.
 */
async function embedHiding(page: Page, style: Record<string, string>): Promise<boolean> {
  await evaluateIn(page)(
    ([url, css]) => {
      document.body.insertAdjacentHTML(
        'beforeend',
        '<svg width="0" height="0"><mask id="hole" maskContentUnits="userSpaceOnUse"><rect width="400" height="60" fill="#fff"/><rect y="420" width="400" height="220" fill="#fff"/></mask></svg>',
      );
      const iframe = document.createElement('iframe');
      iframe.id = 'raw';
      iframe.src = `${url}/frame/`;
      const own = {
        position: 'fixed',
        inset: '0 auto auto 0',
        width: '400px',
        height: '640px',
        border: '0',
        background: '#fff',
      };
      for (const [name, value] of Object.entries({ ...own, ...css })) iframe.style.setProperty(name, value);
      const raw = { heard: [] as unknown[], announced: 0 } as unknown as typeof window.raw;
      window.raw = raw;
      addEventListener('message', ({ source, data }) => {
        if (source === iframe.contentWindow && data?.type === 'carabiner:ready') raw.announced++;
      });
      document.body.append(iframe);
      raw.frame = iframe.contentWindow!;
      raw.post = (message, transfer = []) => raw.frame.postMessage(message, '*', transfer);
      raw.send = (message) => raw.port.postMessage(message);
    },
    [world.frame, style] as const,
  );
  const end = await poll(async () => {
    if (page.frames().some((frame) => frame.url().startsWith('chrome-error:'))) return 'refused';
    return (await evaluateIn(page)(() => window.raw.announced)) > 0 && 'there';
  }, 'what becomes of the iframe');
  return end === 'there';
}

/** Requests the transfer in the iframe that appeared. */
async function askRaw(page: Page, wallet: Wallet): Promise<WalletView> {
  await init(page);
  await evaluateIn(page)(
    (params) => window.raw.send({ type: 'request', id: 'raw-request-1', action: 'transfer', params }),
    request(wallet),
  );
  return new WalletView(page.locator('#raw').contentFrame(), page);
}

describe('an iframe whose middle is hidden', () => {
  let visitor: Visitor;
  let wallet: Wallet;
  before(async () => {
    visitor = await world.visit('iframe');
    wallet = await visitor.wealthyWallet();
  });
  after(() => visitor.close());

  for (const [name, style] of Object.entries(HIDING))
    (name === 'mask-image' ? test : variant)(
      `by ${name}, on a same-site page that is not listed: no wallet comes up in it, and nothing is sent`,
      async () => {
        const since = await state(wallet);
        const page = await visitor.context.newPage();
        await page.goto(`${unlisted.sameSite}/bare`);
        assert.equal(await embedHiding(page, style), false);
        assert.equal(await evaluateIn(page)(() => window.raw.announced), 0);
        await nothingMoved(wallet, since);
        await page.close();
      },
    );

  test('without anything hidden, on the listed page: it appears, and sends what is approved', async () => {
    const since = await state(wallet);
    const page = await visitor.context.newPage();
    await page.goto(`${world.hosts.sameSite}/bare`);
    assert.equal(await embedHiding(page, {}), true);
    const view = await askRaw(page, wallet);
    await view.approve();
    const { result } = await answer(page, 'raw-request-1');
    await sent(wallet, since, (result as TransactionResult).transactionHash);
    await page.close();
  });

  test('on an unlisted page without frame-ancestors: the wallet only offers a window', async () => {
    const since = await state(wallet);
    const page = await visitor.context.newPage();
    await page.route(`${world.frame}/frame/`, async (route) => {
      const response = await route.fetch();
      const { 'content-security-policy': _dropped, ...headers } = response.headers();
      await route.fulfill({ response, headers });
    });
    await page.goto(`${unlisted.sameSite}/bare`);
    assert.equal(await embedHiding(page, HIDING['mask-image']!), true);
    const view = await askRaw(page, wallet);
    await view.button('Open in a window').waitFor();
    assert.equal(await view.button('Approve').count(), 0);
    assert.equal(await view.box('PIN').count(), 0);
    for (const action of ['linkWallets', 'manageWallets'])
      await evaluateIn(page)(
        (name) =>
          window.raw.send({
            type: 'request',
            id: `raw-${name}`,
            action: name,
            params: { secretType: 'ETHEREUM' },
          }),
        action,
      );
    assert.equal(await view.button('Link wallets').count(), 0);
    await nothingMoved(wallet, since);
    await page.close();
  });
});

describe('the dialog of a listed page', () => {
  let visitor: Visitor;
  let wallet: Wallet;
  before(async () => {
    visitor = await world.visit('iframe');
    wallet = await visitor.wealthyWallet();
  });
  afterEach(() => visitor.startAgain());
  after(() => visitor.close());

  const ask = (): Promise<WalletView> =>
    visitor.ask(
      (connect, params) => connect.transfer(params as Parameters<typeof connect.transfer>[0]),
      request(wallet),
    );
  const approved = async (): Promise<string> =>
    (await visitor.answer<TransactionResult>()).value!.transactionHash;

  /** The middle of a button, in page coordinates. */
  async function spotOf(view: WalletView, name: string): Promise<[number, number]> {
    const box = (await view.button(name).boundingBox())!;
    return [box.x + box.width / 2, box.y + box.height / 2];
  }

  for (const of of ['iframe', 'dialog'] as const)
    (of === 'iframe' ? test : variant)(
      `a fifth as large by zoom on the ${of}: it asks for a window of its own and approves nothing, and approves at its own size`,
      async () => {
        const since = await state(wallet);
        const view = await ask();
        await view.type('PIN', PIN);
        await view.button('Approve').click({ trial: true });
        const target = visitor.page.locator(of === 'iframe' ? 'dialog[open] iframe' : 'dialog[open]');
        const spot = await spotOf(view, 'Approve');
        await target.evaluate((element) => (element as HTMLElement).style.setProperty('zoom', '0.2'));
        await view.heading('Open in a window').waitFor();
        assert.equal(await view.button('Approve').count(), 0);
        await view.input(visitor.page.mouse.click(...spot));
        await visitor.page.keyboard.press('Enter');
        await nothingMoved(wallet, since, view);
        await target.evaluate((element) => (element as HTMLElement).style.removeProperty('zoom'));
        await view.approve();
        await sent(wallet, since, await approved());
      },
    );

  test('a click that lands as focus returns, as from a window over it: refused, and accepted 800 ms later', async () => {
    const since = await state(wallet);
    const view = await ask();
    await view.type('PIN', PIN);
    await view.button('Approve').click({ trial: true });
    const spot = await spotOf(view, 'Approve');
    await visitor.page.mouse.move(...spot);
    const goOn = await view.stopClock();
    // When a window over the iframe closes, the frame gets these events and no others.
    await visitor.evaluate(() => {
      const iframe = document.activeElement!.shadowRoot!.activeElement as HTMLIFrameElement;
      iframe.blur();
      iframe.focus();
    });
    await view.input(visitor.page.mouse.down());
    await view.input(visitor.page.mouse.up());
    await nothingMoved(wallet, since, view);
    await goOn();
    await view.approve();
    await sent(wallet, since, await approved());
  });

  test('the page takes the focus while the PIN is typed: it gets the rest, the field is cleared and says so; typed again, it sends', async () => {
    // The tests before may have spent nine of ten ether.
    await world.ethereum.give('ETH', wallet.address);
    const since = await state(wallet);
    const view = await ask();
    await view.type('PIN', PIN.slice(0, 3));
    await visitor.evaluate(() => {
      const iframe = document.activeElement!.shadowRoot!.activeElement!;
      const thief = Object.assign(document.createElement('input'), { id: 'thief' });
      // Nothing outside the modal dialog can have the focus.
      iframe.after(thief);
      thief.focus();
    });
    await visitor.page.keyboard.type(PIN.slice(3));
    await view
      .text('The focus left this window, so the PIN you typed was cleared. Enter it again.')
      .waitFor();
    assert.equal(await view.box('PIN').inputValue(), '');
    await nothingMoved(wallet, since, view);
    const thief = visitor.page.locator('#thief');
    assert.equal(await thief.inputValue(), PIN.slice(3));
    await thief.evaluate((input) => input.remove());
    await view.approve();
    await sent(wallet, since, await approved());
  });

  variant('a double click on Approve: the request is sent once', async () => {
    const since = await state(wallet);
    const view = await ask();
    await view.type('PIN', PIN);
    await view.button('Approve').click({ trial: true });
    const spot = await spotOf(view, 'Approve');
    await view.consent('Approve', () => view.input(visitor.page.mouse.dblclick(...spot)));
    const hash = await approved();
    // A second one would ask again, in place of the result.
    await view.sent();
    await sent(wallet, since, hash);
  });
});

describe('a window of the wallet', () => {
  let visitor: Visitor;
  let wallet: Wallet;
  before(async () => {
    visitor = await world.visit('popup');
    wallet = await visitor.wealthyWallet();
  });
  afterEach(() => visitor.startAgain());
  after(() => visitor.close());

  for (const [width, height] of [
    [420, 190],
    [320, 230],
    [200, 200],
  ] as const)
    (width === 420 ? test : variant)(
      `of ${width} × ${height}, with the amount out of sight: it asks for room and approves nothing, and approves where that fits`,
      async () => {
        const since = await state(wallet);
        const view = await visitor.ask(
          (connect, params) => connect.transfer(params as Parameters<typeof connect.transfer>[0]),
          request(wallet),
        );
        await view.type('PIN', PIN);
        await view.popup.setViewportSize({ width, height });
        await view.heading('Make this window larger').waitFor();
        assert.equal(await view.button('Approve').count(), 0);
        // Click everywhere, whatever could be under the pointer.
        for (let x = 20; x < width; x += 60)
          for (const y of [height - 20, height - 45])
            if (!(await overButton(view.popup, x, y))) await view.popup.mouse.click(x, y);
        await view.popup.keyboard.press('Enter');
        await nothingMoved(wallet, since, view);
        await view.popup.setViewportSize({ width: 420, height: 720 });
        await view.heading('Make this window larger').waitFor({ state: 'detached' });
        await view.approve();
        const { value } = await visitor.answer<TransactionResult>();
        await sent(wallet, since, value!.transactionHash);
      },
    );
});

describe('a window of the wallet at 400 %', () => {
  let visitor: Visitor;
  let wallet: Wallet;
  before(async () => {
    visitor = await world.visit('popup');
    wallet = await visitor.wealthyWallet();
  });
  after(() => visitor.close());

  /** Goes on to the PIN as a reader does, who does not press all the time. */
  const readOn = (view: WalletView): Promise<true> => {
    const main = view.button(/^(Continue|Show .+|Next page)$/).last();
    return poll(async () => {
      if (await view.box('PIN').count()) return true;
      if ((await main.count()) && (await main.getAttribute('aria-disabled')) !== 'true') {
        await main.click().catch(() => {});
        // A press that comes too early starts the 800 ms again.
        await pause(1000);
      }
      return false;
    }, 'the PIN');
  };

  test('approves nothing before everything was seen, nor by keys, and starts over with another size; seen, it sends', async () => {
    const since = await state(wallet);
    const view = await visitor.ask(
      (connect, params) => connect.transfer(params as Parameters<typeof connect.transfer>[0]),
      request(wallet),
    );
    await view.type('PIN', PIN);
    await view.popup.setViewportSize({ width: 320, height: 256 });
    await view.button('Approve').waitFor({ state: 'detached' });
    assert.equal(await view.box('PIN').count(), 0, 'nor is there a PIN field with what was typed');
    for (const key of ['Enter', ...PIN, 'Enter']) await view.popup.keyboard.press(key);
    await nothingMoved(wallet, since, view);
    assert.deepEqual(await view.axe(), []);
    await readOn(view);
    assert.deepEqual(await view.axe(), []);
    await view.popup.setViewportSize({ width: 320, height: 231 });
    await view.box('PIN').waitFor({ state: 'detached' });
    await readOn(view);
    const line = view.text(/^Send .+ETH\S*\. To \S+…\S+\. Total at most/);
    await line.waitFor();
    await nothingMoved(wallet, since, view);
    await view.approve();
    const { value } = await visitor.answer<TransactionResult>();
    await sent(wallet, since, value!.transactionHash);
  });
});

/** Whether the point is on one of the guard view's own buttons, which would leave it. */
function overButton(page: Page, x: number, y: number): Promise<boolean> {
  return evaluateIn(page)(
    ([left, top]) => {
      let root: Document | ShadowRoot = document;
      for (;;) {
        const found: Element | null = root.elementFromPoint(left, top);
        if (found?.closest('button')) return true;
        if (!found?.shadowRoot || found.shadowRoot === root) return false;
        root = found.shadowRoot;
      }
    },
    [x, y] as const,
  );
}
