/** The small shops of `demo/shop/small`, as customers use them: from the order to "paid", in USDT on Tron. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { parseUnits } from '../../src/base/amount.ts';
import type { WalletPayment } from '../../src/api/pay.ts';
import { CHECKOUT_SCOPES } from '../../src/api/scopes.ts';
import { poll, within } from '../waiting.ts';
import { startTested, type Tested } from './harness.ts';
import { TRON_RECEIVER, TronRails } from './wallet-payments-rails.ts';
import { FAST } from './wallet-payments-setup.ts';

const FOLDER = resolve(import.meta.dirname, '../../demo/shop/small');

/** Starts it; its first line is where it listens. */
async function startShop(
  tested: Tested,
  [program, file]: readonly [string, string],
  wallets: object[],
): Promise<{ origin: string; process: ChildProcess }> {
  const { id, secret } = await tested.client([...CHECKOUT_SCOPES]);
  const shop = spawn(program, [join(FOLDER, file)], {
    env: {
      PATH: process.env['PATH'],
      SERVICE: tested.url,
      CLIENT_ID: id,
      CLIENT_SECRET: secret,
      WALLETS: JSON.stringify(wallets),
      PORT: '0',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [origin] = (await within(
    Promise.race([
      once(createInterface(shop.stdout), 'line'),
      once(shop, 'exit').then(([code]) => assert.fail(`the shop ended with ${code}`)),
    ]),
    'the shop',
  )) as [string];
  return { origin, process: shop };
}

/** Buys a mug there and pays for it. */
export async function tryShop(command: readonly [program: string, file: string]): Promise<void> {
  const tron = await TronRails.start();
  let tested: Tested | undefined;
  let shop: Awaited<ReturnType<typeof startShop>> | undefined;
  try {
    const network = { ...tron.local.network, prices: { USD: tron.dollar } };
    tested = await startTested(
      {
        networks: { customNodes: false, reported: [], networks: [network] },
        frameUrl: 'http://localhost:4000',
      },
      { walletPayments: FAST },
    );
    const wallet = { secretType: 'TRON', tokenAddress: tron.dollar, address: TRON_RECEIVER };
    shop = await startShop(tested, command, [wallet]);
    const { origin } = shop;
    assert.match(await (await fetch(origin)).text(), /Your order: none\. .*Buy a mug/);
    const bought = await fetch(origin, { method: 'POST', redirect: 'manual' });
    assert.equal(bought.status, 303);
    const page = bought.headers.get('location')!;
    const order = `${origin}/?number=${bought.headers.get('x-order')}`;
    assert.match(await (await fetch(order)).text(), /Your order: unpaid/);
    const quote = (await (await fetch(`${page}/wallet/quote`, { method: 'POST' })).json()) as WalletPayment;
    await tron.rail(true).pay(parseUnits(quote.amount, 18));
    await poll(async () => /Your order: paid/.test(await (await fetch(order)).text()), 'that it is paid');
  } finally {
    shop?.process.kill();
    await tested?.close();
    await tron.close();
  }
}
