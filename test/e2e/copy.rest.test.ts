/** The encrypted copy: kept by a passkey, found again by it after the browser has lost everything. */
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { Wallet as EthersWallet } from 'ethers';
import type { Page, Request, Route } from 'playwright-core';
import type { Wallet } from '../../src/api/wallet.ts';
import { systemClock } from '../../src/base/clock.ts';
import type { TransactionResult } from '../../src/channel/messages.ts';
import { FakeServer } from '../unit/sync/fake-server.ts';
import { poll } from '../waiting.ts';
import { pressPasskey, VirtualAuthenticator } from './authenticator.ts';
import { evaluateIn, openWorld, surfaces, type Visitor, type WalletView, type World } from './harness.ts';

const SERVICE = 'https://copies.example';
/** As `COPY_INPUT`, which a page cannot import here. */
const INPUT = 'carabiner.vault-sync.v1';

let world: World;
let visitor: Visitor;
let server: FakeServer;
/** Every request of the visitor's pages, with its headers and body. */
let sent: Request[];
before(async () => {
  world = await openWorld();
  world.vouchedBy(SERVICE);
});
after(() => world.close());
beforeEach(() => {
  server = new FakeServer(systemClock);
  sent = [];
});
afterEach(() => visitor.close());

async function visit(where: 'iframe' | 'popup'): Promise<void> {
  visitor = await world.visit(where);
  visitor.context.on('request', (request) => sent.push(request));
  await visitor.context.route(`${SERVICE}/**`, answer);
}

async function answer(route: Route): Promise<void> {
  const request = route.request();
  if (new URL(request.url()).pathname === '/sync')
    return route.fulfill({ json: { years: 3 }, headers: { 'Access-Control-Allow-Origin': world.frame } });
  const response = await server.fetch(request.url(), {
    method: request.method(),
    headers: await request.allHeaders(),
    body: request.postDataBuffer() ? new Uint8Array(request.postDataBuffer()!) : null,
  });
  await route.fulfill({
    status: response.status,
    headers: {
      ...Object.fromEntries(response.headers),
      'Access-Control-Allow-Origin': world.frame,
      'Access-Control-Expose-Headers': 'ETag',
    },
    body: Buffer.from(await response.arrayBuffer()),
  });
}

/** What the passkey gives for the copy, as the wallet's page gets it. */
function secretOf(view: WalletView): Promise<number[]> {
  return view.frame().then((frame) =>
    evaluateIn(frame)(async (input) => {
      const credential = (await navigator.credentials.get({
        publicKey: {
          challenge: new Uint8Array(32),
          userVerification: 'required',
          extensions: { prf: { eval: { first: new TextEncoder().encode(input) } } },
        },
      })) as PublicKeyCredential;
      const { first } = credential.getClientExtensionResults().prf!.results!;
      return [...new Uint8Array(first as ArrayBuffer)];
    }, INPUT),
  );
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

/** A first wallet with a passkey, whose copy is kept. */
async function keepCopy(): Promise<{
  wallet: Wallet;
  view: WalletView;
  authenticator: VirtualAuthenticator;
}> {
  let authenticator = visitor.where === 'iframe' ? await VirtualAuthenticator.add(visitor.page) : undefined;
  const view = await visitor.opening(() => visitor.button('Manage wallets').click());
  authenticator ??= await VirtualAuthenticator.add(view.popup);
  await view.clickAtRest('Create wallet');
  await view.press('Continue with passkey');
  await view.heading('Keep an encrypted copy?').waitFor();
  await view.press('Keep an encrypted copy');
  // A window that is closed takes its authenticator with it.
  if (visitor.where === 'iframe') await view.leaveAddress();
  else await view.heading(/^(Receive |Back up before you receive)/).waitFor();
  await visitor.event('result');
  assert.equal(server.paths('slot').length, 1);
  assert.equal(server.paths('vault').length, 1);
  const [wallet] = await visitor.wallets();
  return { wallet: wallet!, view, authenticator };
}

/** As if the browser's data were lost; a synced passkey is not. */
async function loseData(authenticator: VirtualAuthenticator): Promise<void> {
  for (const origin of [world.frame, visitor.origin])
    await authenticator.cdp.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
  await visitor.reload();
}

for (const where of surfaces('iframe'))
  test(`a copy is kept, found after everything is lost, and pays with four clicks in the wallet: ${where}`, async () => {
    await visit(where);
    const { wallet, authenticator } = await keepCopy();
    await world.ethereum.give('ETH', wallet.address);
    await loseData(authenticator);
    assert.deepEqual(await visitor.wallets(), []);

    const clicks: string[] = [];
    const view = await visitor.linking(() => visitor.run((connect) => connect.linkWallets()));
    const click = async (name: string): Promise<void> => {
      clicks.push(name);
      await view.clickAtRest(name);
    };
    await click('Use my passkey');
    await view.heading('Are these your wallets?').waitFor();
    await view.text('1 wallet in it').waitFor();
    await view.address(wallet.address).waitFor();
    assert.deepEqual(await view.axe(), []);
    await click('Continue with passkey');
    await view.heading(/wants to see your wallets$/).waitFor();
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
    assert.equal(await authenticator.passkeys(), 1);

    const secret = Buffer.from(await secretOf(sending));
    const forms = [
      secret.toString('base64'),
      secret.toString('base64url'),
      secret.toString('hex'),
      [...secret].join(),
    ];
    const requests = await Promise.all(
      sent.map(async (request) => [
        request.url(),
        JSON.stringify(await request.allHeaders().catch(() => ({}))),
        request.postDataBuffer() ?? Buffer.alloc(0),
      ]),
    );
    const bodies = requests.map(([, , body]) => body as Buffer);
    assert.ok(sent.some((request) => request.url().startsWith(SERVICE)));
    assert.equal(
      bodies.some((body) => body.includes(secret)),
      false,
      'raw bytes in a request',
    );
    const inside = await visitor.context.newPage();
    await inside.goto(`${world.frame}/networks.json`);
    const texts = [...requests.flat().map(String), await stored(inside)].join('\n').replace(/=/g, '');
    assert.deepEqual(
      forms.filter((form) => texts.includes(form.replace(/=/g, ''))),
      [],
    );
    assert.deepEqual(visitor.complaints, []);
  });

test('nothing is made or kept by somebody who cancels at each step', async () => {
  await visit('iframe');
  const { authenticator, wallet } = await keepCopy();
  await loseData(authenticator);
  const view = await visitor.linking(() => visitor.run((connect) => connect.linkWallets()));
  const answers = (enabled: boolean): Promise<unknown> =>
    authenticator.cdp.send('WebAuthn.setAutomaticPresenceSimulation', {
      authenticatorId: authenticator.id,
      enabled,
    });
  // Nobody touches it: Back closes the device's dialog.
  await answers(false);
  await view.clickAtRest('Use my passkey');
  await view.text('You see what is in it first.').waitFor();
  await view.press('Back');
  await view.heading('Set up your wallet').waitFor();
  await answers(true);
  await view.clickAtRest('Use my passkey');
  await view.address(wallet.address).waitFor();
  await view.press('Back');
  await view.heading('Set up your wallet').waitFor();
  await view.press('Close');
  assert.deepEqual((await visitor.answer<Wallet[]>()).value, []);
  assert.equal(await authenticator.passkeys(), 1);
  assert.equal(server.paths('vault').length, 1);

  // The copy is still there for somebody who goes on.
  const again = await visitor.linking(() => visitor.run((connect) => connect.linkWallets()));
  await again.clickAtRest('Use my passkey');
  await again.clickAtRest('Continue with passkey');
  await again.consent('Link wallets');
  const [linked] = (await visitor.answer<Wallet[]>()).value!;
  assert.equal(linked!.address, wallet.address);
});

test('the copy is turned off in Settings, and nothing of it is left to find', async () => {
  await visit('iframe');
  const { authenticator } = await keepCopy();
  const view = await visitor.opening(() => visitor.button('Manage wallets').click());
  await view.button('Settings').click();
  await view.button('Show encrypted copy').click();
  await view.heading('Encrypted copy').waitFor();
  assert.deepEqual(await view.axe(), []);
  await view.press('Turn off');
  await view.heading('Turn off the encrypted copy?').waitFor();
  await view.press('Turn off');
  await view.text('Not kept').first().waitFor();
  await poll(() => [...server.objects.values()].every((object) => object[6] === 1), 'tombstones');
  await loseData(authenticator);
  const restoring = await visitor.linking(() => visitor.run((connect) => connect.linkWallets()));
  await restoring.clickAtRest('Use my passkey');
  await restoring.text(/Nothing in this browser was deleted/).waitFor();
});
