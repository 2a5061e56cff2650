/** The encrypted copy: kept by a passkey, found again by it after the browser has lost everything. */
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { HDNodeWallet, Wallet as EthersWallet, getBytes } from 'ethers';
import type { Page, Request } from 'playwright-core';
import type { Wallet } from '../../src/api/wallet.ts';
import type { TransactionResult } from '../../src/channel/messages.ts';
import { poll, within } from '../waiting.ts';
import { pressPasskey, VirtualAuthenticator } from './authenticator.ts';
import { COPIES, CopyService } from './copy-service.ts';
import v1 from '../unit/wallets/v1.json' with { type: 'json' };
import { evaluateIn, openWorld, surfaces, type Visitor, WalletView, type World } from './harness.ts';
import { SyncedPasskeys } from './synced-passkeys.ts';

/** Of the profile of 0.1.0. */
const WORDS = 'legal winner thank year wave sausage worth useful legal winner thank yellow';

let world: World;
let visitor: Visitor;
let copies: CopyService;
/** Every request of the visitor's pages, with its headers and body. */
let sent: Request[];
/** Everything that these pages have logged. */
let logged: string[];
/** Of the visitor, in every browser. */
let passkeys: SyncedPasskeys;
before(async () => {
  world = await openWorld();
  world.vouchedBy(COPIES);
});
after(() => world.close());
beforeEach(() => {
  copies = new CopyService(world.frame);
  [sent, logged] = [[], []];
  passkeys = new SyncedPasskeys();
});
afterEach(() => visitor.close());

/** In a new browser. */
async function visit(where: 'iframe' | 'popup'): Promise<void> {
  visitor = await world.visit(where);
  visitor.context.on('request', (request) => sent.push(request));
  visitor.context.on('console', (message) => logged.push(message.text()));
  await copies.plug(visitor.context);
}

/** Everything that this origin has stored. */
function stored(page: Page): Promise<string> {
  return evaluateIn(page)(async () => {
    const text: string[] = [JSON.stringify({ ...localStorage, ...sessionStorage })];
    const plain = (value: unknown): unknown =>
      value instanceof Uint8Array
        ? [...value].join()
        : value instanceof Object && !(value instanceof CryptoKey)
          ? Object.values(value).map(plain)
          : String(value);
    for (const { name } of await indexedDB.databases()) {
      const db = await new Promise<IDBDatabase>((resolve) => {
        const request = indexedDB.open(name!);
        request.onsuccess = () => resolve(request.result);
      });
      for (const store of db.objectStoreNames) {
        const all = await new Promise<unknown[]>((resolve) => {
          const request = db.transaction(store).objectStore(store).getAll();
          request.onsuccess = () => resolve(request.result);
        });
        text.push(JSON.stringify(all.map(plain)));
      }
      db.close();
    }
    return text.join('\n');
  });
}

/** None of these, nor what a passkey gave, is in a request, in the log of a page, or in what the wallet's origin has stored now. */
async function assertNothingLeaks(...secrets: Uint8Array[]): Promise<void> {
  const all = [...passkeys.outputs, ...secrets].map((secret) => Buffer.from(secret));
  assert.ok(passkeys.outputs.length > 0);
  assert.ok(sent.some((request) => request.url().startsWith(COPIES)));
  const requests = await Promise.all(
    sent.map(async (request) => [
      request.url(),
      JSON.stringify(await request.allHeaders().catch(() => ({}))),
      request.postDataBuffer() ?? Buffer.alloc(0),
    ]),
  );
  const bodies = requests.map(([, , body]) => body as Buffer);
  const inside = await visitor.context.newPage();
  await inside.goto(`${world.frame}/networks.json`);
  const texts = [...requests.flat().map(String), ...logged, await stored(inside)]
    .join('\n')
    .replace(/=/g, '');
  await within(inside.close(), 'the end of a page');
  all.forEach((secret, at) => {
    const forms = [
      secret.toString('latin1'),
      secret.toString('base64'),
      secret.toString('base64url'),
      secret.toString('hex'),
      [...secret].join(),
    ];
    const isPlain = forms.some((form) => texts.includes(form.replace(/=/g, '')));
    assert.equal(isPlain || bodies.some((body) => body.includes(secret)), false, `secret ${at}`);
  });
}

/** A first wallet with a passkey, whose copy is kept. */
async function keepCopy(): Promise<Wallet> {
  const view = await visitor.opening(() => visitor.button('Manage wallets').click());
  await view.clickAtRest('Create wallet');
  await view.press('Continue with passkey');
  await view.heading('Keep an encrypted copy?').waitFor();
  await view.press('Keep an encrypted copy');
  await view.leaveAddress();
  await visitor.event('result');
  assert.equal(copies.server.paths('slot').length, 1);
  assert.equal(copies.server.paths('vault').length, 1);
  const [wallet] = await visitor.wallets();
  return wallet!;
}

/** The browser is lost. A synced passkey is in the next one, too. */
async function loseBrowser(where = visitor.where): Promise<void> {
  await visitor.close();
  await visit(where);
  await passkeys.plug(visitor.context);
  await visitor.reload();
}

/** Presses the link to the wallet's own page in a view that a site has opened. */
async function ownWindow(view: WalletView, name: string): Promise<WalletView> {
  const link = view.root.getByRole('link', { name, exact: true });
  await link.waitFor();
  const [page] = await Promise.all([visitor.context.waitForEvent('page'), link.click()]);
  assert.equal(page.url() === 'about:blank' || page.url() === `${world.frame}/wallet/`, true, page.url());
  return new WalletView(page);
}

for (const where of surfaces('iframe'))
  test(`a copy is kept, found in another browser, and pays with four clicks in the wallet: ${where}`, async () => {
    await visit(where);
    await passkeys.plug(visitor.context);
    await visitor.reload();
    const wallet = await keepCopy();
    await world.ethereum.give('ETH', wallet.address);
    await loseBrowser();
    assert.deepEqual(await visitor.wallets(), []);

    const clicks: string[] = ['Use my passkey'];
    const view = await visitor.linking(() => visitor.run((connect) => connect.linkWallets()));
    const own = await ownWindow(view, 'Use my passkey');
    await own.heading('Are these your wallets?').waitFor();
    await own.text('1 wallet in it').waitFor();
    await own.address(wallet.address).waitFor();
    assert.deepEqual(await own.axe(), []);
    await view.heading('Use your passkey in your wallet’s own window').waitFor();
    assert.deepEqual(await view.axe(), []);
    clicks.push('Continue with passkey');
    await own.press('Continue with passkey');
    await poll(() => own.popup.isClosed(), 'the end of the wallet’s own window');
    await visitor.page.bringToFront();
    await view.heading(/^Link your wallets to /).waitFor();
    clicks.push('Link wallets');
    await view.consent('Link wallets');
    const [linked] = (await visitor.answer<Wallet[]>()).value!;
    assert.equal(linked!.address, wallet.address);

    const { address } = EthersWallet.createRandom();
    const sending = await visitor.ask(
      (connect, params) => connect.transfer({ ...params, secretType: 'ETHEREUM', value: '1' }),
      { walletId: linked!.id, to: address },
    );
    clicks.push('Approve with passkey');
    await pressPasskey(sending);
    const { value } = await visitor.answer<TransactionResult>();
    await world.receipt(value!.transactionHash);
    assert.equal(await world.chain.getBalance(address), 10n ** 18n);
    assert.equal(clicks.length, 4, clicks.join(' · '));
    assert.equal(passkeys.passkeys.length, 1);

    await assertNothingLeaks();
    assert.deepEqual(visitor.complaints, []);
  });

test('a copy is kept and found on the wallet’s own page, with the browser’s own passkeys', async () => {
  await visit('iframe');
  const { page } = visitor;
  await page.goto(`${world.frame}/`);
  const authenticator = await VirtualAuthenticator.add(page);
  const view = new WalletView(page);
  await view.press('Create wallet');
  await view.press('Continue with passkey');
  await view.press('Keep an encrypted copy');
  await view.heading(/^(Receive |Back up before you receive)/).waitFor();
  await poll(() => copies.server.paths('slot').length === 1, 'the copy');
  // As if the browser's data were lost; a passkey is not.
  await authenticator.cdp.send('Storage.clearDataForOrigin', { origin: world.frame, storageTypes: 'all' });
  await page.reload();
  await view.press('Use my passkey');
  await view.heading('Are these your wallets?').waitFor();
  await view.press('Continue with passkey');
  await view.button('Send').first().waitFor();
  assert.equal(await authenticator.passkeys(), 1);
  assert.deepEqual(visitor.complaints, []);
});

/** Gives the browser the profile of 0.1.0, in a database of its version. */
async function plantOld(page: Page): Promise<void> {
  await evaluateIn(page)(
    async (dump) => {
      const bytes = (hex: string): Uint8Array<ArrayBuffer> =>
        Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
      const decode = async (value: unknown): Promise<unknown> => {
        if (Array.isArray(value)) return Promise.all(value.map(decode));
        if (typeof value !== 'object' || value === null) return value;
        const { $bytes, $hmac, $bigint } = value as Record<string, string | undefined>;
        if ($bytes !== undefined) return bytes($bytes);
        if ($bigint !== undefined) return BigInt($bigint);
        const hmac = { name: 'HMAC', hash: 'SHA-256' };
        if ($hmac !== undefined) return crypto.subtle.importKey('raw', bytes($hmac), hmac, false, ['sign']);
        const fields = Object.entries(value).map(
          async ([name, field]) => [name, await decode(field)] as const,
        );
        return Object.fromEntries(await Promise.all(fields));
      };
      type Rows = Record<string, { key: IDBValidKey; value: unknown }[]>;
      const rows = (await decode(dump)) as Rows;
      const db = await new Promise<IDBDatabase>((resolve) => {
        const request = indexedDB.open('carabiner', 1);
        request.onupgradeneeded = () => {
          const { result } = request;
          result.createObjectStore('vault');
          const wallets = result.createObjectStore('wallets', { keyPath: 'id' });
          wallets.createIndex('address', ['secretType', 'address'], { unique: true });
          result.createObjectStore('links', { keyPath: 'origin' });
          const journal = result.createObjectStore('journal', { keyPath: ['origin', 'requestId'] });
          journal.createIndex('state', 'state');
          journal.createIndex('at', 'at');
          const activity = result.createObjectStore('activity', { keyPath: 'hash' });
          activity.createIndex('walletId', 'walletId');
        };
        request.onsuccess = () => resolve(request.result);
      });
      const tx = db.transaction(db.objectStoreNames, 'readwrite');
      for (const [name, all] of Object.entries(rows))
        for (const { key, value } of all) {
          const store = tx.objectStore(name);
          store.put(value, store.keyPath === null ? key : undefined);
        }
      await new Promise((resolve) => {
        tx.oncomplete = resolve;
      });
      db.close();
    },
    (({ note: _note, ...rows }) => rows)(v1),
  );
}

/** The words, their entropy and seed, and the keys of the two wallets of the profile of 0.1.0. */
function secretsOf(words: string): Uint8Array[] {
  const derived = HDNodeWallet.fromPhrase(words);
  const { mnemonic } = derived;
  return [
    Buffer.from(words),
    getBytes(mnemonic!.entropy),
    getBytes(mnemonic!.computeSeed()),
    getBytes(derived.privateKey),
    new Uint8Array(32).fill(7),
  ];
}

test('a profile of 0.1.0 opens, gets a passkey with a copy, and is brought back in another browser', async () => {
  const addresses = v1.wallets.map(({ value }) => value.address);
  await visit('popup');
  await passkeys.plug(visitor.context);
  const { page } = visitor;
  await page.goto(`${world.frame}/networks.json`);
  await plantOld(page);
  await page.goto(`${world.frame}/`);
  const view = new WalletView(page);
  await view.button('All wallets').waitFor();
  await view.press('Settings');
  await view.root.getByRole('switch', { name: 'Passkey' }).click();
  await view.enterPin('4821');
  await view.press('Continue');
  await view.press('Keep an encrypted copy');
  await view.text('Passkey added').first().waitFor();
  await poll(() => copies.kept === 1, 'the copy');
  const secrets = secretsOf(WORDS);
  await assertNothingLeaks(...secrets);

  await loseBrowser();
  const next = new WalletView(visitor.page);
  await visitor.page.goto(`${world.frame}/`);
  await next.press('Use my passkey');
  await next.text('2 wallets in it').waitFor();
  for (const address of addresses) await next.address(address).waitFor();
  await next.press('Continue with passkey');
  await next.button('All wallets').waitFor();
  await next.press('Settings');
  await next.press('Show words');
  await next.press('Continue with passkey');
  const words = next.root.getByRole('list', { name: 'Your 12 words' }).getByRole('listitem');
  await words.last().waitFor();
  const shown = (await words.allInnerTexts()).map((text) => text.replace(/[^a-z]/g, ''));
  assert.equal(shown.join(' '), WORDS);
  await assertNothingLeaks(...secrets);
  assert.deepEqual(visitor.complaints, []);
});

test('the copy is turned off in Settings, and nothing of it is left to find', async () => {
  await visit('iframe');
  await passkeys.plug(visitor.context);
  await visitor.reload();
  await keepCopy();
  const view = await visitor.opening(() => visitor.button('Manage wallets').click());
  await view.button('Settings').click();
  await view.button('Show encrypted copy').click();
  await view.heading('Encrypted copy').waitFor();
  assert.deepEqual(await view.axe(), []);
  await view.press('Turn off');
  await view.heading('Turn off the encrypted copy?').waitFor();
  await view.press('Turn off');
  await view.text('Not kept').first().waitFor();
  await poll(() => copies.kept === 0, 'tombstones');
  await loseBrowser();
  const restoring = await visitor.linking(() => visitor.run((connect) => connect.linkWallets()));
  const own = await ownWindow(restoring, 'Use my passkey');
  await own.text(/Nothing in this browser was deleted/).waitFor();
});
