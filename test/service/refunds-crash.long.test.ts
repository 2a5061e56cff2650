/**
 * Kills the service while refunds are on their way: each is made once, whether or not its answer arrived. Without `CRASHES`, which
 * `npm run test:long refunds-crash` sets, it is killed once, where Stripe alone still knows of the refund.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEther, Wallet as Key } from 'ethers';
import type { CheckoutSession } from '../../src/api/checkout.ts';
import type { WalletPayment } from '../../src/api/pay.ts';
import type { Refund } from '../../src/api/refund.ts';
import { CHECKOUT_SCOPES } from '../../src/api/scopes.ts';
import type { CreatedWallet } from '../../src/api/wallet.ts';
import { createClient } from '../../service/auth/clients.ts';
import { sideBySide, test } from '../groups.ts';
import { pause, poll } from '../waiting.ts';
import { order, pagePath, SUCCESS } from './checkout-setup.ts';
import { PIN } from './custody-setup.ts';
import { dataIn, temporaryFolder } from './harness.ts';
import { careful, end, inDatabase, type ServiceProcess, startProcess, tokenAt } from './processes-setup.ts';
import { StripeStandIn } from './stripe-stand-in.ts';
import { coins, RECEIVER, startChain } from './wallet-payments-setup.ts';

const KILLS = Number(process.env['CRASHES'] ?? 0);
const AMOUNT = '0.001';

type Call = <T>(method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<T>;

/** `url`: of the service, which has another one after each start. */
function callerOf(url: () => string): Call {
  return async (method, path, body, headers = {}) => {
    const response = await careful(() =>
      fetch(url() + path, {
        method,
        headers: { 'Content-Type': 'application/json', ...headers },
        ...(method === 'GET' ? {} : { body: JSON.stringify(body ?? {}) }),
      }),
    );
    if (!response.ok) throw new Error(await response.text());
    return (await response.json()) as never;
  };
}

const MOMENTS: Readonly<Record<string, (stripe: StripeStandIn) => void>> = {
  'before Stripe did anything': (stripe) => stripe.fail('hang'),
  'before Stripe’s answer came': (stripe) => stripe.keepAnswers(1),
};

/** Ends the waits until the next look, and the leases of killed processes. */
async function lookNow(dataFolder: string): Promise<void> {
  await inDatabase(dataFolder, (db) =>
    db.updateTable('refunds').set({ next_look_at: new Date() }).where('state', '=', 'pending').execute(),
  );
}

// Each mostly waits for its own processes.
sideBySide('killed processes', () => {
  if (KILLS)
    test(`refunds survive ${KILLS} kills: each is paid once`, async () => {
      const chain = await startChain();
      const folder = temporaryFolder();
      const settings = {
        DATA_DIR: dataIn(folder),
        NETWORKS: join(folder, 'networks.json'),
        FRAME_URL: 'http://localhost:4000',
      };
      writeFileSync(settings.NETWORKS, JSON.stringify({ networks: [chain.network] }));
      let service: ServiceProcess = await startProcess(settings);
      try {
        const client = await inDatabase(settings.DATA_DIR, (db) =>
          createClient(db, {
            name: 'shop',
            scopes: [...CHECKOUT_SCOPES, 'whitelabel', 'view:wallets', 'sign:wallets'],
          }),
        );
        const call = callerOf(() => service.url);
        let headers = await tokenAt(service.url, client);
        await call(
          'PUT',
          '/account/settings/receiving-wallet',
          { secretType: 'ETHEREUM', address: RECEIVER },
          headers,
        );
        const wallet = await call<CreatedWallet>(
          'POST',
          '/api/wallets',
          { walletType: 'WHITE_LABEL', secretType: 'ETHEREUM', pincode: PIN },
          headers,
        );
        await chain.local.fund(wallet.address, parseEther('10'));
        const session = await call<CheckoutSession>('POST', '/checkout/sessions', order(), headers);
        const quote = await call<WalletPayment>('POST', `${pagePath(session)}/wallet/quote`);
        await chain.send(chain.accounts[0]!, RECEIVER, coins(quote));
        const path = `/checkout/sessions/${session.id}`;
        await poll(
          async () =>
            (await call<CheckoutSession>('GET', path, undefined, headers)).payment_status === 'paid',
          'the payment',
        );

        const asked: { to: string; key: string }[] = [];
        const ask = ({ to, key }: { to: string; key: string }): Promise<Refund> =>
          call(
            'POST',
            `${path}/refunds`,
            { amount: AMOUNT, to, walletId: wallet.id, pincode: PIN },
            { ...headers, 'Idempotency-Key': key },
          );
        for (let kill = 0; kill < KILLS; kill++) {
          const some = Array.from({ length: 3 }, (_, n) => ({
            to: Key.createRandom().address,
            key: `${kill}-${n}`,
          }));
          asked.push(...some);
          const answers = some.map((one) => ask(one).catch(() => undefined));
          await pause(Math.random() * 1500);
          await end(service, 'SIGKILL');
          await Promise.all(answers);
          service = await startProcess(settings);
          headers = await tokenAt(service.url, client);
        }
        // Whoever got no answer asks again.
        for (const one of asked) await ask(one);
        await lookNow(settings.DATA_DIR);
        const refunds = (): Promise<Refund[]> => call('GET', `${path}/refunds`, undefined, headers);
        await poll(
          async () => (await refunds()).every(({ status }) => status === 'succeeded'),
          'the refunds',
        );
        const all = await refunds();
        assert.deepEqual(all.map(({ wallet: paid }) => paid!.to).sort(), asked.map(({ to }) => to).sort());
        for (const { to } of asked)
          assert.equal(BigInt(await chain.rpc<string>('eth_getBalance', to, 'latest')), parseEther(AMOUNT));
      } finally {
        await end(service);
        await chain.close();
        rmSync(folder, { recursive: true, force: true });
      }
    });

  test('a card refund whose process is killed between our row and Stripe’s answer is made once', async () => {
    const stripe = await new StripeStandIn().start();
    const folder = temporaryFolder();
    const secretFile = (name: string, secret: string): string => {
      const path = join(folder, name);
      writeFileSync(path, secret, { mode: 0o600 });
      return path;
    };
    const dataFolder = dataIn(folder);
    const settings = {
      DATA_DIR: dataFolder,
      PAYMENT_PROVIDER: 'stripe',
      STRIPE_API_URL: stripe.url,
      STRIPE_SECRET_KEY_FILE: secretFile('key', stripe.secretKey),
      STRIPE_WEBHOOK_SECRET_FILE: secretFile('webhook', stripe.webhookSecret),
    };
    const start = async (): Promise<ServiceProcess> => {
      const started = await startProcess(settings);
      stripe.receiver = started.url;
      return started;
    };
    let service = await start();
    try {
      const client = await inDatabase(dataFolder, (db) =>
        createClient(db, { name: 'shop', scopes: CHECKOUT_SCOPES }),
      );
      const call = callerOf(() => service.url);
      let headers = await tokenAt(service.url, client);
      for (const [moment, prepare] of Object.entries(MOMENTS).slice(KILLS ? 0 : -1))
        for (const later of ['at once', 'when Stripe has forgotten the key'].slice(KILLS ? 0 : -1)) {
          const session = await call<CheckoutSession>('POST', '/checkout/sessions', order(), headers);
          await stripe.pay(session.url!, SUCCESS);
          const path = `/checkout/sessions/${session.id}/refunds`;
          const key = randomUUID();
          // A part: Stripe itself would take it twice.
          const ask = () =>
            call<Refund>('POST', path, { amount: 100 }, { ...headers, 'Idempotency-Key': key });
          const before = stripe.unanswered;
          prepare(stripe);
          const answer = ask().catch(() => undefined);
          await poll(() => Promise.resolve(stripe.unanswered > before), 'the request');
          await end(service, 'SIGKILL');
          assert.equal(await answer, undefined);
          if (later !== 'at once') stripe.forgetKeys();
          service = await start();
          headers = await tokenAt(service.url, client);
          const { id } = await ask();
          await lookNow(dataFolder);
          const all = (): Promise<Refund[]> => call('GET', path, undefined, headers);
          await poll(async () => (await all())[0]!.status === 'succeeded', 'the refund');
          assert.deepEqual(
            (await all()).map((refund) => refund.id),
            [id],
            `${moment}, ${later}`,
          );
          const made = stripe.refunds.filter(
            ({ payment_intent }) =>
              payment_intent === stripe.sessions.get(session.url!.split('/').at(-1)!)!['payment_intent'],
          );
          assert.deepEqual(
            made.map(({ amount }) => amount),
            [100],
            `${moment}, ${later}`,
          );
        }
    } finally {
      await end(service);
      stripe.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
