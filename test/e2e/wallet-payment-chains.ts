/** "Pay with a wallet" on any chain: a new wallet in the frame pays the payment page's price. */
import assert from 'node:assert/strict';
import type { CheckoutSession } from '../../src/api/checkout.ts';
import type { ReceivedPayment } from '../../src/api/receiving-wallet.ts';
import type { SecretType } from '../../src/chains/secret-type.ts';
import { verifyMerchant } from '../../service/auth/clients.ts';
import type { LocalNetwork } from '../../demo/networks/local-network.ts';
import { openTill, type Till } from '../service/wallet-payments-setup.ts';
import { startMarket } from '../service/wallet-payments-rails.ts';
import { poll, within } from '../waiting.ts';
import { knowsPlace, newProfile, openWorld, WalletView, type World } from './harness.ts';

const MERCHANT = 'Fernhill Outfitters';
const REFERENCE = 'order-4711';

export interface NewPayment {
  secretType: SecretType;
  symbol: string;
  /** What the customer chooses among the shop's coins: `BTC Local Bitcoin`. Absent if it is the only one. */
  choice?: string;
  /** What the new wallet gets first. */
  gifts: readonly string[];
  /** Makes the blocks that do not come by themselves. */
  seal?: () => unknown;
  /** The service signs the order: its merchant's name is verified. */
  isSigned?: boolean;
}

export interface Paid {
  session: CheckoutSession;
  payment: ReceivedPayment;
}

/** A shop with its service, customers' browsers, and local networks. */
export class PayWorld {
  private constructor(
    readonly world: World,
    readonly till: Till,
    private readonly closeMarket: () => Promise<void>,
  ) {}

  static async open(chains: readonly SecretType[]): Promise<PayWorld> {
    const world = await openWorld({ chains });
    const market = await startMarket();
    const networks = chains.map((chain) => {
      const { network } = world.local[chain]!;
      return { ...network, prices: market.prices(network) };
    });
    const till = await openTill(networks, {}, { frameUrl: world.frame, corsOrigins: [world.frame] });
    world.embedOn(new URL(till.tested.url).origin);
    return new PayWorld(world, till, () => market.close());
  }

  local<L extends LocalNetwork>(chain: SecretType): L {
    return this.world.local[chain] as L;
  }

  /** Pays a session with a new wallet, in a browser of its own, to the receiving wallet that was set. */
  async payNew({ secretType, symbol, choice, gifts, seal, isSigned }: NewPayment): Promise<Paid> {
    const { world, till } = this;
    if (isSigned) await this.#verify();
    // A wallet that trusts the service offers to create new wallets there.
    world.vouchedBy(undefined);
    const session = await till.session(499, 'USD', { client_reference_id: REFERENCE });
    const context = await newProfile(world.browser, { viewport: { width: 360, height: 780 } });
    const page = await context.newPage();
    page.on('pageerror', (error) => assert.fail(error));
    const title = (name: string) => page.getByRole('heading', { level: 1, name, exact: true });
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
    const wallet = () => new WalletView(page.locator('dialog[open] iframe').contentFrame(), page);
    await page.goto(session.url!);
    await page.getByRole('radio', { name: 'Wallet' }).check();
    await title('Pay with a wallet').waitFor();
    await knowsPlace(page);
    if (choice) await press(choice);
    await press('Connect wallet');
    await press('Create a wallet');
    await wallet().firstLink();
    if (isSigned) world.vouchedBy(till.tested.url);
    const pay = page.getByRole('button', { name: new RegExp(`^Pay [\\d.,]+ ${symbol}$`) });
    await pay.waitFor();
    const address = await page.locator('.between .addr').getAttribute('title');
    for (const gift of gifts) await world.local[secretType]!.give(gift, address!);
    const quote = (await till.page(session)).wallet!.payment!;
    await pay.click();
    const view = wallet();
    await view.approval().waitFor();
    await view.seeAll();
    if (isSigned)
      for (const text of [MERCHANT, 'Pay $4.99', REFERENCE, 'Address verified by the merchant’s signature'])
        await view.text(text).first().waitFor();
    assert.ok(await view.address(quote.to).first().isVisible());
    await view.approve();
    await view.sent();
    await view.done();
    await title('Payment sent').waitFor();
    await poll(async () => {
      await seal?.();
      return (await till.shop.read(session.id)).payment_status === 'paid';
    }, 'the payment');
    await poll(async () => {
      await page.evaluate(() => void document.dispatchEvent(new Event('visibilitychange')));
      return (await title('Thank you').count()) > 0;
    }, 'that the page says so');
    await within(context.close(), 'the end of a browser profile');
    const [payment, ...others] = await till.received(`?session=${session.id}`);
    assert.deepEqual(others, []);
    assert.deepEqual([payment!.amount, payment!.to], [quote.amount, quote.to]);
    assert.deepEqual(
      (await till.shop.events(session.id)).map(({ type }) => type),
      ['payment.succeeded'],
    );
    return { session, payment: payment! };
  }

  async #verify(): Promise<void> {
    const { db } = this.till.tested.service;
    await verifyMerchant(db, this.till.shop.applicationId, { merchant: MERCHANT, origins: [] });
  }

  async close(): Promise<void> {
    await this.till.close();
    await this.closeMarket();
    await this.world.close();
  }
}
