/**
 * Requests by redirect, where no browser says who asks: forged, led astray, replayed, opened elsewhere, and left by the browser's own buttons.
 * Each attack moves nothing; the same way without the trick pays, before, between and after them, in a browser that opens no windows.
 */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { parseEther, Wallet as EthersWallet } from 'ethers';
import type { CDPSession, Page } from 'playwright-core';
import type { Wallet } from '../../../src/api/wallet.ts';
import { toBase64Url } from '../../../src/base/base64.ts';
import { utf8 } from '../../../src/base/bytes.ts';
import type { TransactionResult } from '../../../src/channel/messages.ts';
import { oneTimeKey, REQUEST } from '../../../src/channel/redirect.ts';
import { poll } from '../../waiting.ts';
import { evaluateIn, openWorld, type Visitor, WalletView, type World } from '../harness.ts';
import { type Hosts, startHosts } from '../hosts.ts';
import { movesNothing, sends } from './unmoved.ts';

let world: World;
let evil: Hosts;
let visitor: Visitor;
let wallet: Wallet;
let devtools: CDPSession;
/** Where pages of the tab have led it, fragments included. */
let ways: string[];
before(async () => {
  world = await openWorld();
  evil = await startHosts(world.frame);
  world.redirectOn(world.hosts.crossSite);
  // Without Playwright's own size of the page, which it loses when processes change quickly.
  visitor = await world.visit('popup', '/plain', { viewport: null });
  await visitor.context.addInitScript(() => {
    window.open = () => null;
  });
  wallet = await visitor.wealthyWallet();
  devtools = await visitor.context.newCDPSession(visitor.page);
  await devtools.send('Page.enable');
  devtools.on('Page.frameRequestedNavigation', ({ url }) => ways.push(url));
});
beforeEach(async () => {
  ways = [];
  await visitor.startAgain('/redirect');
});
after(async () => {
  await visitor?.close();
  await evil.close();
  await world.close();
});

const THIEF = EthersWallet.createRandom().address;
const shop = (): string => world.hosts.crossSite;
const frame = (): string => `${world.frame}/frame/`;
const view = (): WalletView => new WalletView(visitor.page);
const wayTo = (name: string): string => {
  const way = ways.find((each) => each.includes(`#carabiner-${name}=`));
  assert.ok(way, `the way of the ${name}`);
  return way;
};

/** As the user pays on the shop's page, up to the approval. */
async function ask(to: string): Promise<void> {
  const { page } = visitor;
  await visitor.button('Send').click();
  await page.getByRole('textbox', { name: 'Recipient' }).fill(to);
  await page.getByRole('textbox', { name: 'Amount' }).fill('0.1');
  await visitor.button('Continue').click();
  await page.waitForURL((url) => url.href.startsWith(frame()));
}

/** Behind another tab, Chromium draws the wallet too seldom for it to count as seen. */
async function isServed(): Promise<void> {
  const { page } = visitor;
  await poll(
    () => ways.some((way) => way.includes('#carabiner-proof=')) && page.url() === frame(),
    'the wallet',
  );
  await page.bringToFront();
  await view().approval().waitFor();
}

/** As the tab's page says it, after the wallet has answered. */
async function paid(): Promise<string> {
  await isServed();
  await view().enterPin();
  await view().scrollOn();
  await view().consent('Approve');
  await visitor.page.waitForURL(`${shop()}/redirect`);
  await visitor.ready();
  await visitor.event('result', 'transfer');
  const { result } = (await visitor.events()).findLast(({ type }) => type === 'result')!;
  return (result as TransactionResult).transactionHash;
}

const pay = (): Promise<void> =>
  sends(world, wallet, async () => {
    ways = [];
    await visitor.open('/redirect');
    await ask(EthersWallet.createRandom().address);
    return paid();
  });

const attack = (work: () => Promise<void>): Promise<void> => movesNothing(world, wallet, work);

/** What a page at `returnTo` would send, made by somebody else. */
async function forged(returnTo: string): Promise<string> {
  const { shown } = await oneTimeKey();
  const params = { walletId: wallet.id, secretType: 'ETHEREUM', to: THIEF, value: '1' };
  const [trip, id] = ['A'.repeat(22), 'forged-request'];
  const request = { version: 1, trip, id, action: 'transfer', params, key: shown, returnTo };
  return `${frame()}${REQUEST}${toBase64Url(utf8(JSON.stringify(request)))}`;
}

/** Opens an address from a page of another site, as by a link there. */
async function followFrom(page: Page, origin: string, address: string): Promise<void> {
  await page.goto(`${origin}/bare`);
  await evaluateIn(page)((to) => location.assign(to), address);
}

async function isUnproven(page: Page, origin: string): Promise<void> {
  const wallets = new WalletView(page);
  await wallets.heading(`A page that says it is ${new URL(origin).host}`).waitFor();
  assert.equal(await wallets.approval().count(), 0);
  assert.deepEqual(await page.getByRole('textbox').count(), 0);
  await wallets.button('Back').waitFor();
}

async function isOver(page: Page): Promise<void> {
  const wallets = new WalletView(page);
  await wallets.heading('This request is over').waitFor();
  assert.equal(await wallets.approval().count(), 0);
}

test('where windows are blocked, a payment goes to the wallet and its answer comes back', async () => {
  const to = EthersWallet.createRandom().address;
  await sends(world, wallet, async () => {
    await ask(to);
    await isServed();
    await view().text(new URL(shop()).host).first().waitFor();
    assert.equal(visitor.page.url(), frame());
    const hash = await paid();
    assert.equal(await world.chain.getBalance(to), parseEther('0.1'));
    return hash;
  });
  assert.equal(visitor.page.url(), `${shop()}/redirect`);
  assert.deepEqual(await visitor.evaluate(() => window.connect.pending()), [], 'nothing waits any more');
  assert.equal(visitor.context.pages().length, 2, 'no window was opened');
  assert.deepEqual(visitor.complaints, []);
});

test('with promises, another page of the site takes the answer, and leads back to the one that asked', async () => {
  const to = EthersWallet.createRandom().address;
  await sends(world, wallet, async () => {
    await visitor.open('/redirect-plain?order=7');
    await visitor.run((connect, params) => connect.transfer(params as never), {
      walletId: wallet.id,
      secretType: 'ETHEREUM',
      to,
      value: '0.1',
    });
    await isServed();
    await view().approve();
    await visitor.page.waitForURL(`${shop()}/redirect-plain?order=7`);
    await visitor.ready();
    const arrived = (): Promise<TransactionResult | undefined> =>
      visitor.evaluate(() => {
        const { arrived: all } = window as unknown as { arrived: { result: TransactionResult }[] };
        return all[0]?.result;
      });
    return (await poll(arrived, 'the answer')).transactionHash;
  });
});

test('forged origin: a request that names the shop’s page gets no proof from it', async () => {
  await attack(async () => {
    await followFrom(visitor.page, evil.crossSite, await forged(`${shop()}/redirect`));
    await visitor.page.waitForURL(`${shop()}/redirect`);
    await visitor.ready();
    wayTo('challenge');
    // It would have gone by now: the page is as at rest.
    await visitor.page.getByText('Connect wallet').or(visitor.button('Send')).first().waitFor();
    assert.equal(visitor.page.url(), `${shop()}/redirect`);
    assert.ok(!ways.some((way) => way.includes('#carabiner-proof')));

    await followFrom(visitor.page, evil.crossSite, await forged(`${evil.crossSite}/redirect`));
    await isUnproven(visitor.page, evil.crossSite);
    assert.equal(visitor.page.url(), frame());
  });
});

test('open redirector: the challenge goes to registered addresses only', async () => {
  await attack(async () => {
    for (const returnTo of [
      `${shop()}/go?to=${encodeURIComponent(`${evil.crossSite}/bare`)}`,
      `${shop()}/redirect?to=${encodeURIComponent(evil.crossSite)}`,
      `${shop()}/`,
    ]) {
      ways = [];
      await followFrom(visitor.page, evil.crossSite, await forged(returnTo));
      await isUnproven(visitor.page, shop());
      assert.ok(!ways.some((way) => way.includes('#carabiner-challenge')), returnTo);
    }
    // Such a redirector takes a fragment along: only the list keeps a challenge from it.
    const onward = `${shop()}/go?to=${encodeURIComponent(`${evil.crossSite}/bare`)}#carabiner-challenge=x.y`;
    await visitor.page.goto(onward);
    assert.equal(visitor.page.url(), `${evil.crossSite}/bare#carabiner-challenge=x.y`);
  });
});

test('replay and history: neither request, challenge, proof nor answer counts twice, or is kept by the tab', async () => {
  await pay();
  const [request, challenge, proof, answer] = ['request', 'challenge', 'proof', 'answer'].map(wayTo);
  const { entries } = await devtools.send('Page.getNavigationHistory');
  assert.deepEqual(
    entries
      .map(({ url }) => url)
      .filter((url) => url.includes('carabiner-') && !url.startsWith(evil.crossSite)),
    [],
  );
  await attack(async () => {
    await followFrom(visitor.page, evil.crossSite, proof!);
    await isOver(visitor.page);
    for (const way of [request!, challenge!, answer!]) {
      ways = [];
      await followFrom(visitor.page, evil.crossSite, way);
      await visitor.page.waitForURL(`${shop()}/redirect`);
      await visitor.ready();
      await visitor.button('Send').waitFor();
      assert.ok(!ways.some((each) => each.includes('#carabiner-proof')));
      assert.deepEqual(
        (await visitor.events()).filter(({ type }) => type === 'result'),
        [],
      );
    }
  });
});

test('second tab: a proof counts only where the request waits', async () => {
  await attack(async () => {
    let loads = 0;
    let isKept = false;
    // The tab does not get to the wallet while the attacker has the address.
    await visitor.context.route(frame(), async (route) => {
      if (++loads === 1) return route.continue();
      await route.abort();
      isKept = true;
    });
    await visitor.button('Sign').click();
    await poll(() => isKept, 'the proof');
    await visitor.context.unroute(frame());
    const second = await visitor.context.newPage();
    await second.goto(wayTo('proof'));
    await isOver(second);
    await second.close();
  });
  // The tab in which it waits gets on.
  await visitor.page.bringToFront();
  await visitor.page.goto(wayTo('proof'));
  await isServed();
});

test('back and forward: what was not approved stays so, and the page says that there is no answer', async () => {
  await attack(async () => {
    await ask(THIEF);
    await isServed();
    await visitor.page.goBack();
    await visitor.page.waitForURL(`${shop()}/redirect`);
    await visitor.ready();
    await visitor.page.locator('transfer-dialog').getByText('The answer did not arrive').waitFor();
    await visitor.page.goForward();
    await view().heading('No site is connected').waitFor();
    assert.equal(await view().approval().count(), 0);
  });
  // Else the next request stands behind the notice that the site replaced its own.
  await visitor.passMinute();
  await pay();
  await attack(async () => {
    await visitor.page.goBack();
    await visitor.page.waitForURL(`${shop()}/redirect`);
    await visitor.ready();
    assert.equal(await view().approval().count(), 0);
    await visitor.page.goForward();
    await visitor.page.waitForURL(`${shop()}/redirect`);
    await visitor.ready();
    assert.deepEqual(
      (await visitor.events()).filter(({ type }) => type === 'result'),
      [],
    );
  });
});
