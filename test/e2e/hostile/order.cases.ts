/**
 * Attempts to be paid in a merchant's name: an order signed by the wallet service is presented with another address, another amount, after
 * it expired, signed by somebody else or from another page. The same script with the original order goes through.
 */
import assert from 'node:assert/strict';
import { after, afterEach, before, describe } from 'node:test';
import { generateKeyPair, SignJWT } from 'jose';
import { verifyMerchant } from '../../../service/auth/clients.ts';
import type { Wallet } from '../../../src/api/wallet.ts';
import type { TransactionResult } from '../../../src/channel/messages.ts';
import { openTill, RECEIVER, type Till } from '../../service/wallet-payments-setup.ts';
import { openWorld, PIN, surfaces, type Visitor, type WalletView, type World } from '../harness.ts';
import { unchanged } from './unmoved.ts';
import { core, variant } from '../parts.ts';

const THIEF = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F';
const MERCHANT = 'Fernhill Outfitters';

let world: World;
let till: Till;
before(async () => {
  world = await openWorld({ exchanges: true });
  const networks = [{ ...world.ethereum.network, nodes: [world.node.url] }];
  till = await openTill(networks, {}, { frameUrl: world.frame, corsOrigins: [world.frame] });
  await till.receive();
  const { sameSite, crossSite } = world.hosts;
  const origins = [sameSite, crossSite];
  assert.ok(
    await verifyMerchant(till.tested.service.db, till.shop.applicationId, { merchant: MERCHANT, origins }),
  );
});
after(async () => {
  await till?.close();
  await world.close();
});

interface Paid {
  to: string;
  value: string;
  order: string;
}

/** The payment request of a new order. */
async function bill(): Promise<Paid> {
  const session = await till.session(3100, 'USD');
  const { amount, order } = await till.quote(session);
  return { to: RECEIVER, value: amount, order: order! };
}

/** The order with changed claims, signed with the service's key or another one. */
async function again(order: string, changes: object, key?: CryptoKey): Promise<string> {
  const [head, claims] = order
    .split('.', 2)
    .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()));
  const signer = key ?? (await till.tested.service.signingKeys.current()).key;
  return new SignJWT({ ...claims, ...changes }).setProtectedHeader(head).sign(signer);
}

for (const where of surfaces('popup'))
  describe(`somebody else’s order, in ${where === 'iframe' ? 'the dialog' : 'a window, cross-site'}`, () => {
    let visitor: Visitor;
    let wallet: Wallet;
    before(async () => {
      visitor = await world.visit(where);
      wallet = await visitor.wealthyWallet();
      // Not earlier: the wallet would offer to create new wallets there.
      world.vouchedBy(till.tested.url);
      await visitor.reload();
    });
    after(() => visitor.close());
    afterEach(() => visitor.startAgain());

    const ask = (paid: Paid): Promise<WalletView> =>
      visitor.ask((connect, params) => connect.transfer(params as never), {
        walletId: wallet.id,
        secretType: 'ETHEREUM',
        ...paid,
      });
    const held = async (): Promise<string> =>
      (
        await Promise.all([
          world.chain.getBalance(wallet.address),
          world.chain.getTransactionCount(wallet.address, 'pending'),
          world.chain.getBalance(THIEF),
        ])
      ).join();

    /** It is refused with a reason, nothing can be approved, and nothing has moved. */
    const refused = (paid: Paid): Promise<void> =>
      unchanged(held, async () => {
        const view = await ask(paid);
        await view.text('The signature is not for this order').first().waitFor();
        assert.equal(await view.heading(/^Pay /).count(), 0);
        assert.equal(await view.text(MERCHANT).count(), 0);
        assert.equal(await view.approval().count(), 0);
        assert.equal(await view.box('PIN').count(), 0);
        await view.press('Close');
        assert.equal((await visitor.answer()).error?.code, 'user.rejected');
      });

    core('control: unchanged, it names the merchant and is paid', async () => {
      const before = await world.chain.getBalance(RECEIVER);
      const paid = await bill();
      const view = await ask(paid);
      await view.heading('Pay $31.00').waitFor();
      await view.text(MERCHANT).first().waitFor();
      await view.text('Address verified by the merchant’s signature').waitFor();
      await view.approve();
      const { value, error } = await visitor.answer<TransactionResult>();
      assert.equal(error, undefined);
      await world.receipt(value!.transactionHash);
      assert.ok((await world.chain.getBalance(RECEIVER)) > before);
    });

    core('to another address: no name, and nothing to approve', async () =>
      refused({ ...(await bill()), to: THIEF }),
    );

    variant('for another amount: no name, and nothing to approve', async () =>
      refused({ ...(await bill()), value: '3' }),
    );

    variant('signed by a stranger: no name, and nothing to approve', async () => {
      const paid = await bill();
      const { privateKey } = await generateKeyPair('ES256');
      await refused({ ...paid, order: await again(paid.order, {}, privateKey) });
    });

    variant('expired: no name, and nothing to approve', async () => {
      const paid = await bill();
      const past = await again(paid.order, { exp: Math.floor(Date.now() / 1000) - 60 });
      await refused({ ...paid, order: past });
    });

    variant(
      'from a page that is not the merchant’s: the name is not shown, and a caution says that nobody vouches for it',
      async () => {
        const before = await held();
        const paid = await bill();
        const other = await again(paid.order, { origins: ['https://shop.example'] });
        const view = await ask({ ...paid, order: other });
        await view.text('The merchant did not sign this order').first().waitFor();
        assert.equal(await view.heading(/^Pay /).count(), 0);
        assert.equal(await view.text(MERCHANT).count(), 0);
        await view.press('Reject');
        assert.equal((await visitor.answer()).error?.code, 'user.rejected');
        assert.equal(await held(), before, 'nothing moved');
      },
    );

    variant('a name in the request without a signature is not shown', async () => {
      const before = await held();
      const view = await visitor.ask((connect, params) => connect.transfer(params as never), {
        walletId: wallet.id,
        secretType: 'ETHEREUM',
        to: THIEF,
        value: '0.01',
        alias: MERCHANT,
      });
      await view.approval().waitFor();
      await view.heading(/^Send /).waitFor();
      assert.equal(await view.text(MERCHANT).count(), 0);
      await view.type('PIN', PIN);
      await view.press('Reject');
      assert.equal(await held(), before, 'nothing moved');
    });
  });
