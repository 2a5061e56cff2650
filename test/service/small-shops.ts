/** The small shops of `demo/shop/small`, as `docs/checkout.md` starts them and customers use them: from the order to "paid". */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { ROOT } from '../../scripts/command.ts';
import { parseUnits } from '../../src/base/amount.ts';
import type { WalletPayment } from '../../src/api/pay.ts';
import { CHECKOUT_SCOPES } from '../../src/api/scopes.ts';
import type { CreatedWebhook, PaymentEvent } from '../../src/api/webhook.ts';
import type { Network } from '../../src/chains/network.ts';
import { poll } from '../waiting.ts';
import { bearer, startTested, type Tested, TOKEN_PATH } from './harness.ts';
import { codeIn, openShell } from './shell-walk.ts';
import { UtxoRail } from './utxo-rails.ts';
import { startMarket, TRON_RECEIVER, TronRails } from './wallet-payments-rails.ts';
import { FAST } from './wallet-payments-setup.ts';
import { type Arrived, LOOPBACK, ok, type Receiver, startReceiver } from './webhooks-setup.ts';

const FRAME = 'http://localhost:4000';

/** How the docs start a shop. */
export interface Command {
  /** Beside `SERVICE=… CLIENT_ID=…` in the docs. */
  line: string;
  /** In place of the programs in it. */
  programs?: Readonly<Record<string, string>>;
}

/** The commands of the docs: what is set once, and what starts a shop. */
const [SETTING_UP = '', STARTING = ''] = codeIn('checkout.md', '## A shop to try it with');

class SmallShop {
  /** What it prints. */
  readonly lines: string[] = [];

  private constructor(
    readonly origin: string,
    private readonly process: ChildProcess,
  ) {
    createInterface(process.stdout!).on('line', (line) => this.lines.push(line));
  }

  static async start({ line, programs = {} }: Command, settings: Record<string, string>): Promise<SmallShop> {
    assert.ok(STARTING.includes(line), `the docs do not start a shop by ${line}`);
    const port = await freePort();
    const origin = `http://127.0.0.1:${port}`;
    for (const name of ['ORIGIN', ...Object.keys(settings)])
      assert.ok(STARTING.includes(name), `the docs do not set ${name}`);
    const [program, ...args] = line.replace('8080', String(port)).split(' ');
    const child = spawn(programs[program!] ?? program!, args, {
      cwd: ROOT,
      env: { PATH: process.env['PATH'], ...settings, ORIGIN: origin },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let complaints = '';
    child.stderr.setEncoding('utf8').on('data', (part: string) => (complaints += part));
    const shop = new SmallShop(origin, child);
    await poll(async () => {
      if (child.exitCode !== null) assert.fail(`the shop ended with ${child.exitCode}: ${complaints}`);
      return (await fetch(origin).catch(() => undefined))?.ok;
    }, 'the shop');
    return shop;
  }

  /** Returns the payment page. */
  async buy(): Promise<string> {
    const bought = await fetch(this.origin, { method: 'POST', redirect: 'manual' });
    assert.equal(bought.status, 303);
    return bought.headers.get('location')!;
  }

  /** What the customer reads who comes back. */
  async says(session: string): Promise<string> {
    return (await fetch(`${this.origin}/?${session}`)).text();
  }

  close(): void {
    this.process.kill();
  }
}

/** Below those that the system gives to others. */
async function freePort(): Promise<number> {
  for (;;) {
    const server = createServer().listen(randomInt(20_000, 30_000), '127.0.0.1');
    const free = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!free) continue;
    const { port } = server.address() as AddressInfo;
    await new Promise((closed) => server.close(closed));
    return port;
  }
}

/** A service with a client and its receiver, which passes each event on to the shop, twice. */
class Service {
  /** Where the shop is. */
  shop = '';
  /** Events that the shop accepted, each as often as it was passed on. */
  readonly taken: PaymentEvent[] = [];

  private constructor(
    readonly tested: Tested,
    private readonly settings: Record<string, string>,
    private readonly token: string,
    readonly receiver: Receiver,
  ) {
    receiver.answer = (response, arrived) => {
      void this.#pass(arrived).then(
        () => ok(response),
        () => response.destroy(),
      );
    };
  }

  async #pass({ headers, body, event }: Arrived): Promise<void> {
    for (let time = 0; time < 2; time++) {
      const { ok: taken } = await fetch(`${this.shop}/events`, {
        method: 'POST',
        headers: signatureOf(headers),
        body,
      });
      assert.ok(taken);
      this.taken.push(event);
    }
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
    const grant = {
      grant_type: 'client_credentials',
      client_id: client.id,
      client_secret: client.secret,
    };
    const { access_token } = (await (await tested.post(TOKEN_PATH, grant)).json()) as {
      access_token: string;
    };
    const receiver = await startReceiver();
    const authenticationMethod = {
      type: 'BASIC_AUTHENTICATION',
      username: 'shop',
      password: 'correct horse',
    };
    const body = { url: receiver.url, application: 'PAY', authenticationMethod };
    const registered = await tested.post('/webhooks', body, bearer(access_token));
    const { signingSecret } = (await registered.json()) as CreatedWebhook;
    const settings = {
      SERVICE: tested.url,
      CLIENT_ID: client.id,
      CLIENT_SECRET: client.secret,
      SIGNING_SECRET: signingSecret,
    };
    return new Service(tested, settings, access_token, receiver);
  }

  /** Sets by the docs' command where the money goes, and starts the shop. */
  async open(command: Command, place: Way['place']): Promise<SmallShop> {
    const shell = openShell({ ...this.settings, TOKEN: this.token });
    try {
      const setting = SETTING_UP.split(/^(?=curl )/m).find((each) => each.includes(place.chain))!;
      const said = await shell.run(
        place.values.reduce((text, [name, value]) => text.replace(...inJson(name, value)), setting),
      );
      assert.ok(said.includes(place.chain) && !said.includes('"code"'), said);
    } finally {
      await shell.close();
    }
    const shop = await SmallShop.start(command, this.settings);
    this.shop = shop.origin;
    return shop;
  }

  /** The session of a payment page. */
  async sessionOf(page: string): Promise<string> {
    const { id } = await this.tested.service.db
      .selectFrom('checkout_sessions')
      .select('id')
      .where('url', '=', page)
      .executeTakeFirstOrThrow();
    return id;
  }

  /** Types of the session's events that the shop accepted. */
  events(session: string): string[] {
    return this.taken.filter(({ data }) => data.session?.id === session).map(({ type }) => type);
  }

  async close(): Promise<void> {
    await this.tested.close();
    await this.receiver.close();
  }
}

function signatureOf(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => name.startsWith('webhook-')),
  ) as Record<string, string>;
}

const inJson = (name: string, value: string): [RegExp, string] => [
  new RegExp(`"${name}": "[^"]*"`),
  `"${name}": "${value}"`,
];

/** What customers pay in. */
interface Way {
  networks: Network[];
  /** What the docs set, with the values of this network. */
  place: { chain: 'TRON' | 'BITCOIN'; values: [name: string, value: string][] };
  decimals: number;
  /** In a block, with its confirmations. */
  pay(amount: bigint, to: string): Promise<unknown>;
  close(): Promise<unknown>;
}

export async function dollarsOnTron(): Promise<Way> {
  const tron = await TronRails.start();
  return {
    networks: [{ ...tron.local.network, prices: { USD: tron.dollar } }],
    place: {
      chain: 'TRON',
      values: [
        ['tokenAddress', tron.dollar],
        ['address', TRON_RECEIVER],
      ],
    },
    decimals: 18,
    pay: (amount) => tron.rail(true).pay(amount),
    close: () => tron.close(),
  };
}

export async function bitcoin(): Promise<Way> {
  const market = await startMarket();
  const rail = await UtxoRail.start('BITCOIN');
  return {
    networks: [{ ...rail.local.network, prices: market.prices(rail.local.network) }],
    place: { chain: 'BITCOIN', values: [] },
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
    shop = await service.open(command, way.place);
    assert.match(await shop.says(''), /Buy a mug/);
    const page = await shop.buy();
    const session = await service.sessionOf(page);
    assert.match(await shop.says(session), /Order: unpaid/);
    const answer = await fetch(`${page}/wallet/quote`, { method: 'POST' });
    assert.equal(answer.status, 200, await answer.clone().text());
    const quote = (await answer.json()) as WalletPayment;
    // Nobody else makes it paid, even with the headers of an event.
    const event = {
      id: 'evt_1',
      type: 'payment.succeeded',
      timestamp: '',
      data: { session: { id: session } },
    };
    const now = String(Math.floor(Date.now() / 1000));
    const signature = `v1,${Buffer.alloc(32).toString('base64')}`;
    for (const headers of [
      {},
      { 'webhook-id': 'evt_1', 'webhook-timestamp': now, 'webhook-signature': signature },
    ]) {
      const init = { method: 'POST', headers, body: JSON.stringify(event) };
      assert.equal((await fetch(`${shop.origin}/events`, init)).ok, false);
    }
    assert.match(await shop.says(session), /Order: unpaid/);
    assert.deepEqual(shop.lines.filter(isOrder), []);
    await way.pay(parseUnits(quote.amount, way.decimals), quote.to);
    const { lines } = shop;
    await poll(() => lines.some(isOrder), 'that the order is to be sent');
    assert.match(await shop.says(session), /Order: paid/);
    await poll(() => service!.events(session).length > 1, 'that the shop got the event again');
    assert.deepEqual(service.events(session), ['payment.succeeded', 'payment.succeeded']);
    assert.deepEqual(lines.filter(isOrder), [`Send order ${session}`]);
  } finally {
    shop?.close();
    await service?.close();
    await way.close();
  }
}

/** Flask prints about itself. */
const isOrder = (line: string): boolean => line.startsWith('Send ');
