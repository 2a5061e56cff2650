/** The pages of `npm start`, as somebody who opens them for the first time. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Contract, JsonRpcProvider } from 'ethers';
import type { Browser, Page } from 'playwright-core';
import { RECIPIENT } from '../../demo/page/scenarios/evm-names.ts';
import { type Demo, startDemo } from '../../demo/start.ts';
import { listen } from '../../service/listen.ts';
import { CHAIN_NAMES, SECRET_TYPES } from '../../src/chains/secret-type.ts';
import { CASES, missing } from './chain-cases.ts';
import { poll, within } from '../waiting.ts';
import {
  axe,
  evaluateIn,
  knowsPlace,
  launch,
  newProfile,
  PIN,
  type ProfileOptions,
  WalletView,
} from './harness.ts';
import { consent, press, tabTo } from './keyboard.ts';
import { showsSwap, tickAll } from './swap-setup.ts';
import { onEveryChain } from './parts.ts';
import { EVERY_CHAIN } from './variants.ts';

let demo: Demo;
let browser: Browser;
/** The page of the user in the first two tests. */
let page: Page;
before(async () => {
  demo = await within(startDemo(), 'the demo');
  browser = await launch();
});
after(async () => {
  await within(browser.close(), 'the end of the browser');
  await within(demo.close(), 'the end of the demo');
});

const BAD_INPUT = [
  'Transfer',
  'ETH_TRANSACTION',
  'ERC-20 transaction',
  'Signature',
  'Link and manage',
  'Unknown wallet',
  'Unsupported chain',
];

async function open(options: ProfileOptions = {}): Promise<Page> {
  const page = await (
    await newProfile(browser, { viewport: { width: 1280, height: 860 }, ...options })
  ).newPage();
  await page.goto(`${demo.demo}/qa`);
  await page.getByRole('log', { name: 'Event log' }).getByText('ready').waitFor();
  await knowsPlace(page);
  return page;
}

const log = (page: Page, text: string | RegExp) =>
  page.getByRole('log', { name: 'Event log' }).getByText(text).last();
const wallet = (page: Page): WalletView =>
  new WalletView(page.locator('dialog[open] iframe').contentFrame(), page);
const button = (inside: Pick<Page, 'getByRole'>, name: string) =>
  inside.getByRole('button', { name, exact: true });

test('a new user creates a wallet, gets coins from the faucet and sends some', async () => {
  page = await open();
  await (await manage('Ethereum')).firstUse();
  await log(page, 'connect-result').waitFor();
  await button(page, 'Get test ether').click();
  await log(page, 'faucet').waitFor();
  await page.getByRole('link', { name: 'Simple transfer' }).click();
  await button(page.getByRole('main'), 'Send').click();
  const view = wallet(page);
  await view.approve();
  await view.sent();
  await view.done();
  const line = await log(page, /transactionHash/).innerText();
  const hash = /0x[0-9a-f]{64}/.exec(line)?.[0];
  const answer = await fetch(demo.local.ETHEREUM!.network.nodes[0]!, {
    method: 'POST',
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getTransactionReceipt', params: [hash] }),
  });
  const { result } = (await answer.json()) as { result: { status: string } };
  assert.equal(result.status, '0x1');
});

/** Opens the wallet on a chain without a wallet yet. */
async function manage(chain: string): Promise<WalletView> {
  await page.getByRole('link', { name: 'Manage wallets' }).click();
  // Only then does its button stop moving.
  await page.getByText(`No ${chain} wallet yet`).waitFor();
  await button(page.getByRole('main'), 'Manage wallets').click();
  return wallet(page);
}

/** Opens a scenario and presses its Send button. */
async function run(name: string): Promise<WalletView> {
  await page.getByRole('link', { name, exact: true }).click();
  await button(page.getByRole('main'), 'Send').click();
  const view = wallet(page);
  await view.approval().waitFor();
  return view;
}

onEveryChain('a transaction that will fail is a danger, with the contract’s words', async () => {
  const view = await run('Will fail');
  // It is folded if something worse is above it.
  await view.text('This transaction will probably fail').click();
  await view.text('“ERC20: insufficient allowance”').first().waitFor();
  await view.leave('Reject');
  await log(page, 'connect-cancel').waitFor();
});

onEveryChain('sends a ticket from the faucet, and then another one', async () => {
  const numbers = [];
  for (let i = 0; i < 2; i++) {
    await page.getByRole('link', { name: 'NFT transfer', exact: true }).click();
    await button(page, 'Clear log').click();
    await button(page, 'Get a ticket').click();
    await log(page, /^faucet NFT to /).waitFor();
    const view = await run('NFT transfer');
    await view.approve();
    await view.sent();
    await view.done();
    const payload = await page.getByRole('textbox', { name: 'Payload' }).inputValue();
    numbers.push((JSON.parse(payload) as { request: { tokenId: string } }).request.tokenId);
  }
  assert.equal(new Set(numbers).size, 2);
  assert.equal(await ticketsOf(RECIPIENT), 2n);
});

// Another page than that of the tests of swaps.
if (EVERY_CHAIN)
  test('swaps coins for tokens on the local exchanges, and back', async () => {
    const main = page.getByRole('main');
    for (const { name, steps, ...shown } of [
      { name: 'Swap coins', steps: 1, amount: '1', sell: 'ETH', buy: 'DUSD' },
      { name: 'Swap tokens back', steps: 2, amount: '0.5', sell: 'DUSD', buy: 'ETH' },
    ]) {
      await page.getByRole('link', { name, exact: true }).click();
      await button(page, 'Clear log').click();
      const best = main.getByRole('radio', { name: /^Uniswap /, checked: true });
      const exchange = (await best.getAttribute('aria-label'))!.split(',')[0]!;
      await button(main, 'Review').click();
      await main.getByRole('heading', { name: 'Review swap' }).waitFor();
      await button(main, 'Swap').click();
      const view = wallet(page);
      if (steps > 1) {
        await view.heading(`${steps} transactions`).waitFor();
        await view.press('Continue');
        await view.approval().waitFor();
        await tickAll(view);
        await view.approve();
      }
      await showsSwap(view, { ...shown, side: 'Sell', exchange });
      await view.approve();
      await view.sent();
      await view.done();
      await main.getByText(/^You got /).waitFor();
      await log(page, 'connect-result').waitFor();
      await button(main, 'New swap').click();
    }
  });

/** The number of tickets that an address holds. */
async function ticketsOf(address: string): Promise<bigint> {
  const { network, contracts } = demo.local.ETHEREUM!;
  const provider = new JsonRpcProvider(network.nodes[0]);
  const abi = ['function balanceOf(address) view returns (uint256)'];
  try {
    const contract = new Contract(contracts['NFT']!, abi, provider);
    return (await contract.getFunction('balanceOf')(address)) as bigint;
  } finally {
    provider.destroy();
  }
}

for (const secretType of EVERY_CHAIN ? SECRET_TYPES.filter((type) => type !== 'ETHEREUM') : [])
  test(`makes a wallet on ${CHAIN_NAMES[secretType]}, takes coins and sends some`, {
    skip: missing(secretType),
  }, async () => {
    const { coin, gas } = CASES[secretType];
    await page.getByRole('combobox', { name: 'Chain' }).selectOption(secretType.toLowerCase());
    await button(page, 'Clear log').click();
    const view = await manage(CHAIN_NAMES[secretType]);
    await view.clickAtRest('Create wallet');
    await view.type('PIN', PIN);
    await view.button('Continue').click();
    await view.leaveAddress();
    for (const asset of [coin, ...(gas ? [gas] : [])]) {
      const given = demo.local[secretType]!.assets.indexOf(asset);
      await page.getByRole('button', { name: /^Get / }).nth(given).click();
      await log(page, new RegExp(`^faucet ${asset} to `)).waitFor();
    }
    await page.getByRole('link', { name: 'Simple transfer' }).click();
    await button(page.getByRole('main'), 'Send').click();
    await view.approve();
    await view.sent();
    await view.done();
    await log(page, /transactionHash/).waitFor();
  });

test('every documented bad input is refused as documented', async () => {
  await page.getByRole('combobox', { name: 'Chain' }).selectOption('ethereum');
  const group = page.getByRole('navigation', { name: 'Scenarios' });
  for (const name of BAD_INPUT) {
    await group.getByRole('link', { name, exact: true }).last().click();
    await button(page, 'Clear log').click();
    await button(page, 'Run again').click();
    const outcome = log(page, /\d+ of \d+ refused as documented/);
    await outcome.waitFor();
    const [, right, all] = /(\d+) of (\d+)/.exec(await outcome.innerText())!;
    assert.equal(right, all, `${name}: ${await page.getByRole('log').innerText()}`);
    // Only the wallet knows which wallets exist, so it is opened, and closes by itself.
    if (name === 'Unknown wallet') await page.locator('dialog[open]').waitFor({ state: 'detached' });
    else assert.equal(await page.locator('dialog[open]').count(), 0, name);
  }
  await within(page.close(), 'the end of a tab');
});

async function isFine(page: Page): Promise<void> {
  assert.deepEqual(await axe(page), []);
  assert.equal(await page.getByRole('main').count(), 1);
  const [needed, width] = await evaluateIn(page)(
    () => [document.documentElement.scrollWidth, innerWidth] as const,
  );
  assert.ok(needed <= width, `${page.url()} needs ${needed} px of ${width}`);
}

for (const [look, options] of [
  ['light', { colorScheme: 'light' }],
  ['dark, 360 px', { colorScheme: 'dark', viewport: { width: 360, height: 740 } }],
] as const)
  onEveryChain(`axe finds nothing on the pages, and they fit (${look})`, async () => {
    const page = await open(options);
    await isFine(page);
    // An old link, to a scenario.
    await page.goto(`${demo.demo}/#/ethereum/will-fail`);
    await page.waitForURL(`${demo.demo}/qa#/ethereum/will-fail`);
    await page.goto(demo.demo);
    await page.getByRole('article').getByText('No Ethereum wallet yet').waitFor();
    await isFine(page);
    await within(page.close(), 'the end of a tab');
  });

onEveryChain(
  'the start page by keyboard alone: a new wallet takes coins, sends some, and the theme that one chooses is on the elements',
  async () => {
    const page = await (await newProfile(browser, { viewport: { width: 1280, height: 860 } })).newPage();
    await page.goto(demo.demo);
    await knowsPlace(page);
    const part = (title: string) => page.getByRole('article', { name: title, exact: true });
    const view = wallet(page);
    await part('Show wallets and balances').getByText('No Ethereum wallet yet').waitFor();
    await press(page, /^Connect wallet$/);
    await press(page, /^Create a wallet$/);
    for (const name of ['PIN', 'Confirm PIN']) {
      await view.box(name).waitFor();
      await tabTo(page, new RegExp(`^${name}$`));
      await within(page.keyboard.type(PIN), 'the PIN by keys');
      await press(page, /^Continue$/);
    }
    // It is disabled for the first moment, and Tab skips it.
    await view.button('Link wallets').click({ trial: true });
    await tabTo(page, /^Link wallets$/);
    await consent(page, async () => (await page.locator('dialog[open]').count()) === 0);
    await button(page, 'Get test coins').waitFor();
    await press(page, /^Get test coins$/);
    await part('Show wallets and balances').getByText('10 ETH').waitFor();
    await press(page, /^Send$/);
    await view.approval().waitFor();
    await view.takes('PIN');
    await tabTo(page, /^PIN$/);
    await within(page.keyboard.type(PIN), 'the PIN by keys');
    await consent(page, async () => (await view.heading(/^(Sending|Sent)/).count()) > 0);
    await view.sent();
    await press(page, /^Done$/);
    await view.gone();
    await page.getByRole('radio', { name: 'Forest' }).check();
    const send = button(part('Take a payment'), 'Send');
    assert.equal(await send.evaluate((shown) => getComputedStyle(shown).borderRadius), '4.5px');
    await page.getByRole('group', { name: 'CSS of the theme' }).getByText('--cb-radius: 6px;').waitFor();
    await within(page.close(), 'the end of a tab');
  },
);

test('the pictures of the start page can be stopped, and stand still for those who want less motion', async () => {
  const page = await (await newProfile(browser, { reducedMotion: 'no-preference' })).newPage();
  await page.goto(demo.demo);
  const step = (name: string) => page.getByRole('radio', { name, exact: true });
  await page.getByRole('radio', { name: 'Approve', checked: true }).waitFor();
  await page.getByRole('img', { name: /^Send 0.25 ETH/ }).waitFor();
  await button(page, 'Pause the pictures').click();
  await step('Sent').check();
  await page.getByRole('img', { name: /^Sent/ }).waitFor();
  await button(page, 'Play the pictures').waitFor();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.reload();
  await button(page, 'Play the pictures').waitFor();
  const broken = await page.locator('img').evaluateAll(async (images: HTMLImageElement[]) => {
    for (const image of images) image.loading = 'eager';
    const decoded = await Promise.allSettled(images.map((image) => image.decode()));
    return images.filter((_, at) => decoded[at]!.status === 'rejected').map(({ src }) => src);
  });
  assert.deepEqual(broken, []);
  await within(page.close(), 'the end of a tab');
});

test('the page that one copies from the start page draws its button, which opens its form', async () => {
  const page = await (await newProfile(browser)).newPage();
  await page.goto(demo.demo);
  const html = await page.getByRole('group', { name: 'page', exact: true }).innerText();
  const { port, close } = await listen(
    (_request, response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end(html),
    { port: 0, setting: '' },
  );
  await page.goto(`http://localhost:${port}/`);
  await button(page, 'Pay 0.25 ETH').click();
  await page.getByText('No wallet is linked to this site').waitFor();
  await within(page.close(), 'the end of a tab');
  await within(close(), 'the end of the copied page');
});

test('testers find a scenario by words of its title, group or hint', async () => {
  const page = await open();
  const links = page.getByRole('navigation', { name: 'Scenarios' }).getByRole('link');
  const all = await links.count();
  await page.getByRole('searchbox', { name: 'Filter scenarios' }).fill('nft tran');
  await poll(async () => (await links.count()) < all, 'the filter');
  assert.ok((await links.allInnerTexts()).includes('NFT transfer'));
  await page.getByRole('searchbox', { name: 'Filter scenarios' }).fill('zxqv');
  await page.getByText('No scenario has these words.').waitFor();
  assert.equal(await links.count(), 0);
  await within(page.close(), 'the end of a tab');
});

test('the docs: found by keyboard, with live elements, from no third party, and without a fault that axe finds', async () => {
  for (const [colorScheme, width] of [
    ['light', 1280],
    ['dark', 360],
  ] as const) {
    const profile = await newProfile(browser, { colorScheme, viewport: { width, height: 800 } });
    const page = await profile.newPage();
    const origins = new Set<string>();
    page.on('request', (request) => origins.add(new URL(request.url()).origin));
    const errors: string[] = [];
    page.on('pageerror', ({ message }) => errors.push(message));
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    await page.goto(`${demo.docs}/`);
    await page.getByRole('heading', { level: 1, name: 'Carabiner' }).waitFor();
    await isFine(page);
    await page.keyboard.press('/');
    await page.keyboard.type('frame blocked');
    await page.getByRole('option', { name: 'frame.blocked', selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`${demo.docs}/errors.html#frameblocked`);
    await isFine(page);
    await page.goto(`${demo.docs}/swaps.html`);
    await button(page.getByRole('region', { name: 'Live' }), 'Swap').waitFor();
    await isFine(page);
    const origin = (url: string): string => new URL(url).origin;
    origins.delete('null');
    assert.deepEqual([...origins].toSorted(), [origin(demo.docs), origin(demo.frame)].toSorted());
    assert.deepEqual(errors, []);
    await within(profile.close(), 'the end of a profile');
  }
});
