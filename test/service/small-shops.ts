/** The small shops of `demo/shop/small`, as `docs/checkout.md` starts them and customers use them: from the order to "paid". */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { parseUnits } from '../../src/base/amount.ts';
import type { WalletPayment } from '../../src/api/pay.ts';
import type { PutReceivingKey, PutReceivingWallet } from '../../src/api/receiving-wallet.ts';
import { CHECKOUT_SCOPES } from '../../src/api/scopes.ts';
import type { CreatedWebhook } from '../../src/api/webhook.ts';
import type { Network } from '../../src/chains/network.ts';
import { poll, within } from '../waiting.ts';
import { bearer, startTested, type Tested, TOKEN_PATH } from './harness.ts';
import { codeIn } from './shell-walk.ts';
import { UtxoRail } from './utxo-rails.ts';
import { startMarket, TRON_RECEIVER, TronRails } from './wallet-payments-rails.ts';
import { FAST } from './wallet-payments-setup.ts';
import { LOOPBACK, ok, type Receiver, startReceiver } from './webhooks-setup.ts';

const FOLDER = resolve(import.meta.dirname, '../../demo/shop/small');
const FRAME = 'http://localhost:4000';

export type Command = readonly [program: string, file: string];
type Settings = Record<'SERVICE' | 'CLIENT_ID' | 'CLIENT_SECRET' | 'WALLETS' | 'KEYS' | 'PORT', string>;

/** The command in the docs: the settings that it names, and the key that it has. */
function documented(): { names: string[]; keys: PutReceivingKey[] } {
  const [command] = codeIn('checkout.md', '## A shop to try it with');
  return {
    names: [...command!.matchAll(/\b([A-Z_]+)=/g)].map(([, name]) => name!),
    keys: JSON.parse(/KEYS='([^']*)'/.exec(command!)![1]!) as PutReceivingKey[],
  };
}

class SmallShop {
  /** What it printed since it said where it listens. */
  readonly lines: string[] = [];

  private constructor(
    readonly origin: string,
    private readonly process: ChildProcess,
  ) {}

  static async start([program, file]: Command, settings: Settings): Promise<SmallShop> {
    assert.deepEqual(Object.keys(settings).sort(), documented().names.sort());
    const child = spawn(program, [join(FOLDER, file)], {
      env: { PATH: process.env['PATH'], ...settings },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const reader = createInterface(child.stdout);
    const [origin] = (await within(
      Promise.race([
        once(reader, 'line'),
        once(child, 'exit').then(([code]) => assert.fail(`the shop ended with ${code}`)),
      ]),
      'the shop',
    )) as [string];
    const shop = new SmallShop(origin, child);
    reader.on('line', (line) => shop.lines.push(line));
    return shop;
  }

  async buy(): Promise<{ number: string; page: string }> {
    const bought = await fetch(this.origin, { method: 'POST', redirect: 'manual' });
    assert.equal(bought.status, 303);
    return { number: bought.headers.get('x-order')!, page: bought.headers.get('location')! };
  }

  /** What the customer reads who comes back. */
  async says(number: string): Promise<string> {
    return (await fetch(`${this.origin}/?number=${number}`)).text();
  }

  close(): void {
    this.process.kill();
  }
}

/** A service with a client and its receiver, which passes each event on to the shop, twice. */
class Service {
  /** Where the shop is. */
  shop = '';

  private constructor(
    readonly tested: Tested,
    readonly client: { id: string; secret: string },
    readonly receiver: Receiver,
  ) {
    receiver.answer = (response, { body }) => {
      const pass = () => fetch(`${this.shop}/events`, { method: 'POST', body });
      void pass()
        .then(pass)
        .then(({ status }) => (status === 200 ? ok(response) : response.writeHead(502).end()))
        .catch(() => response.destroy());
    };
  }

  static async start(networks: readonly Network[]): Promise<Service> {
    const tested = await startTested(
      {
        networks: { customNodes: false, reported: [], networks: [...networks] },
        frameUrl: FRAME,
        outboundRanges: LOOPBACK,
      },
      { walletPayments: FAST },
    );
    const client = await tested.client([...CHECKOUT_SCOPES]);
    const service = new Service(tested, client, await startReceiver());
    const grant = {
      grant_type: 'client_credentials',
      client_id: client.id,
      client_secret: client.secret,
    };
    const { access_token } = (await (await tested.post(TOKEN_PATH, grant)).json()) as {
      access_token: string;
    };
    const authenticationMethod = {
      type: 'BASIC_AUTHENTICATION',
      username: 'shop',
      password: 'correct horse',
    };
    const body = { url: service.receiver.url, application: 'PAY', authenticationMethod };
    const registered = await tested.post('/webhooks', body, bearer(access_token));
    assert.ok(((await registered.json()) as CreatedWebhook).signingSecret);
    return service;
  }

  async open(command: Command, wallets: PutReceivingWallet[], keys: PutReceivingKey[]): Promise<SmallShop> {
    const shop = await SmallShop.start(command, {
      SERVICE: this.tested.url,
      CLIENT_ID: this.client.id,
      CLIENT_SECRET: this.client.secret,
      WALLETS: JSON.stringify(wallets),
      KEYS: JSON.stringify(keys),
      PORT: '0',
    });
    this.shop = shop.origin;
    return shop;
  }

  /** Types of the session's events that the shop got. */
  events(number: string): string[] {
    return this.receiver.arrived
      .filter(({ event }) => event.data.session?.client_reference_id === number)
      .map(({ event }) => event.type);
  }

  async close(): Promise<void> {
    await this.tested.close();
    await this.receiver.close();
  }
}

/** What customers pay in. */
interface Way {
  networks: Network[];
  wallets: PutReceivingWallet[];
  keys: PutReceivingKey[];
  decimals: number;
  /** In a block, with its confirmations. */
  pay(amount: bigint, to: string): Promise<unknown>;
  close(): Promise<unknown>;
}

export async function dollarsOnTron(): Promise<Way> {
  const tron = await TronRails.start();
  return {
    networks: [{ ...tron.local.network, prices: { USD: tron.dollar } }],
    wallets: [{ secretType: 'TRON', tokenAddress: tron.dollar, address: TRON_RECEIVER }],
    keys: [],
    decimals: 18,
    pay: (amount) => tron.rail(true).pay(amount),
    close: () => tron.close(),
  };
}

/** With the key in the docs. */
export async function bitcoin(): Promise<Way> {
  const market = await startMarket();
  const rail = await UtxoRail.start('BITCOIN');
  return {
    networks: [{ ...rail.local.network, prices: market.prices(rail.local.network) }],
    wallets: [],
    keys: documented().keys,
    decimals: 8,
    async pay(amount, to) {
      await rail.send([[to, amount]]);
      await rail.mine();
    },
    close: () => Promise.all([market.close(), rail.close()]),
  };
}

/** Buys a mug there and pays for it. */
export async function tryShop(command: Command, start: () => Promise<Way>): Promise<void> {
  const way = await start();
  let service: Service | undefined;
  let shop: SmallShop | undefined;
  try {
    service = await Service.start(way.networks);
    shop = await service.open(command, way.wallets, way.keys);
    assert.match(await shop.says(''), /Order: none\. .*Buy a mug/);
    const { number, page } = await shop.buy();
    assert.match(await shop.says(number), /Order: unpaid/);
    const answer = await fetch(`${page}/wallet/quote`, { method: 'POST' });
    assert.equal(answer.status, 200, await answer.clone().text());
    const quote = (await answer.json()) as WalletPayment;
    // Nobody else makes it paid.
    const event = { type: 'payment.succeeded', data: { session: { client_reference_id: number } } };
    await fetch(`${shop.origin}/events`, { method: 'POST', body: JSON.stringify(event) });
    assert.match(await shop.says(number), /Order: unpaid/);
    assert.deepEqual(shop.lines, []);
    await way.pay(parseUnits(quote.amount, way.decimals), quote.to);
    const { lines } = shop;
    await poll(() => lines.length > 0, 'that the order is to be sent');
    assert.match(await shop.says(number), /Order: paid/);
    assert.deepEqual(service.events(number), ['payment.succeeded']);
    assert.deepEqual(lines, [`Send order ${number}`]);
  } finally {
    shop?.close();
    await service?.close();
    await way.close();
  }
}
