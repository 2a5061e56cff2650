/** Payments by wallet in databases of earlier releases: what was open, paid and refunded when the service was updated goes on. */
import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { formatEther, parseEther } from 'ethers';
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { CHECKOUT_SCOPES } from '../../src/api/scopes.ts';
import type { CheckoutSession } from '../../src/api/checkout.ts';
import type { Problem } from '../../src/api/problem.ts';
import type { Refund } from '../../src/api/refund.ts';
import type { ReceivingWallet, ReceivingWallets } from '../../src/api/receiving-wallet.ts';
import { runningCluster } from '../../service/database/embedded/cluster.ts';
import { migrateTo } from '../../service/database/migrate.ts';
import type { Schema } from '../../service/database/schema.ts';
import { poll } from '../waiting.ts';
import { shopOf } from './checkout-setup.ts';
import { startTested, type Tested } from './harness.ts';
import { type Chain, coins, FAST, RECEIVER, startChain, type Till, tillOf } from './wallet-payments-setup.ts';

const SECRET = 'cbs_of_before';
const PRICE = parseEther('0.012345678');
const OTHER = '0x00000000000000000000000000000000c0ffee02';
const ONLY = '/account/settings/receiving-wallet';
const LIST = '/account/settings/receiving-wallets';

let chain: Chain;
/** Whose PostgreSQL has the old databases. */
let host: Tested;
before(async () => {
  chain = await startChain();
  host = await startTested();
});
after(async () => {
  await host?.close();
  await chain?.close();
});

/** A database as this migration left it, and how to drop it. */
async function oldDatabase(
  migration: string,
): Promise<{ db: Kysely<Schema>; url: string; drop(): Promise<void> }> {
  const name = `upgrade_${randomUUID().replaceAll('-', '')}`;
  const { databaseUrl, dataFolder } = host.config;
  const url = new URL(databaseUrl ?? 'postgres://127.0.0.1');
  if (!databaseUrl) {
    const { port, user, password } = (await runningCluster(dataFolder))!;
    Object.assign(url, { port: String(port), username: user, password });
  }
  url.pathname = `/${name}`;
  await sql`create database ${sql.id(name)}`.execute(host.service.db);
  const pool = new pg.Pool({ connectionString: url.href, max: 2 });
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  await migrateTo(db, migration);
  return {
    db,
    url: url.href,
    async drop() {
      await sql`drop database ${sql.id(name)} with (force)`.execute(host.service.db);
    },
  };
}

interface Block {
  number: number;
  hash: string;
}

async function newestBlock(): Promise<Block> {
  const { number, hash } = await chain.rpc<{ number: string; hash: string }>(
    'eth_getBlockByNumber',
    'latest',
    false,
  );
  return { number: Number(number), hash };
}

/** A shop with sessions, in columns that every release has. */
class OldShop {
  readonly #db: Kysely<Schema>;
  readonly #from: Block;

  constructor(db: Kysely<Schema>, from: Block) {
    this.#db = db;
    this.#from = from;
  }

  #run(text: string): Promise<unknown> {
    return sql.raw(text).execute(this.#db);
  }

  async open(): Promise<void> {
    const { number, hash } = this.#from;
    const digest = createHash('sha256').update(SECRET).digest('hex');
    const network = chain.network.id;
    await this.#run(
      `insert into accounts (id, issuer, subject, application) values ('shop', 'carabiner', 'shop', true)`,
    );
    await this.#run(
      `insert into clients (id, name, secret_hash, scopes) values ('shop', 'Shop', '\\x${digest}', '{view:wallets}')`,
    );
    await this.#run(`insert into receiving_wallets (application_id, secret_type, network, token_address, address, confirmations)
      values ('shop', 'ETHEREUM', '${network}', '', '${RECEIVER}', 2)`);
    await this.#run(`insert into wallet_lanes (network, token_address, secret_type, position, position_hash, read_until, next_look_at)
      values ('${network}', '', 'ETHEREUM', ${number}, '${hash}', now(), now())`);
  }

  async moveSecret(): Promise<void> {
    await this.#run(
      `insert into client_secrets (id, client_id, hash) select 'secret', id, secret_hash from clients`,
    );
    await this.#run(
      `update clients set secret_hash = null, scopes = scopes || '{sign:wallets,${CHECKOUT_SCOPES.join()}}'::text[]`,
    );
  }

  /** Its quote asks for `amount`. */
  async session(id: string, state: 'quoted' | 'pending' | 'paid', amount: bigint): Promise<void> {
    const isPaid = state === 'paid';
    await this.#run(`insert into checkout_sessions (id, page_id, application_id, provider, livemode, url, line_items, currency,
        amount_subtotal, amount_total, success_url, cancel_url, status, payment_status, payment_intent, wallet_pending, expires_at)
      values ('cs_${id}', 'page_${id}', 'shop', 'test', false, 'http://localhost/pay/page_${id}',
        '[{"price_data":{"product_data":{"name":"Mug"},"unit_amount":2999,"currency":"EUR"},"quantity":1}]', 'EUR', 2999, 2999,
        'https://shop.example/thanks', 'https://shop.example/cart', '${isPaid ? 'complete' : 'open'}',
        '${isPaid ? 'paid' : 'unpaid'}', ${isPaid ? `'pi_${id}'` : 'null'}, ${state === 'pending'}, now() + interval '20 minutes')`);
    await this.#run(`insert into wallet_quotes (id, session_id, application_id, secret_type, network, token_address, symbol, decimals,
        address, amount, confirmations, state, from_block, expires_at)
      values ('wq_${id}', 'cs_${id}', 'shop', 'ETHEREUM', '${chain.network.id}', '', 'ETH', 18, '${RECEIVER}', ${amount}, 2,
        '${state}', ${this.#from.number}, now() + interval '10 minutes')`);
  }

  /** What a block has. `quote` is null for a transfer that pays nothing. */
  async transfer(
    id: string,
    quote: string | null,
    amount: bigint,
    sent: { hash: string; block: Block },
  ): Promise<void> {
    const state = quote === null ? 'unassigned' : quote;
    await this.#run(`insert into wallet_transfers (id, application_id, quote_id, session_id, network, token_address, symbol, decimals,
        address, sender, amount, transaction_hash, log_index, block_number, block_hash, confirmations, state, reason)
      values ('pi_${id}', 'shop', ${quote ? `'wq_${id}', 'cs_${id}'` : 'null, null'}, '${chain.network.id}', '', 'ETH', 18,
        '${RECEIVER}', '${chain.accounts[0]}', ${amount}, '${sent.hash}', -1, ${sent.block.number}, '${sent.block.hash}', 1,
        '${state}', ${quote ? 'null' : `'amount'`})`);
  }

  async refund(id: string, amount: bigint): Promise<void> {
    await this.#run(`insert into wallets (id, owner_id, application_id, wallet_type, secret_type, address, is_primary, network)
      values ('w_${id}', 'shop', 'shop', 'WHITE_LABEL', 'ETHEREUM', '${OTHER}', false, '${chain.network.id}')`);
    await this.#run(`insert into transactions (id, wallet_id, secret_type, network, hash, raw, request, claims, state)
      values ('t_${id}', 'w_${id}', 'ETHEREUM', '${chain.network.id}', '0x${'5'.repeat(64)}', '', '', '', 'confirmed')`);
    await this.#run(`insert into refunds (id, session_id, application_id, payment_id, method, state, amount, transaction_id, network,
        token_address, symbol, decimals, address, settled_at)
      values ('re_${id}', 'cs_${id}', 'shop', 'pi_${id}', 'wallet', 'succeeded', ${amount}, 't_${id}', '${chain.network.id}', '', 'ETH',
        18, '${OTHER}', now())`);
    await this.#run(`update checkout_sessions set refunded = 'fully' where id = 'cs_${id}'`);
  }
}

async function pay(to: string, amount: bigint): Promise<{ hash: string; block: Block }> {
  const hash = await chain.send(chain.accounts[0]!, to, amount);
  return { hash, block: await newestBlock() };
}

/** With sessions whose state the id says; refunds came after 0.1.0. */
/** With sessions whose state the id says. */
async function writeShop(db: Kysely<Schema>): Promise<OldShop> {
  const shop = new OldShop(db, await newestBlock());
  await shop.open();
  await shop.session('open', 'quoted', PRICE);
  await shop.session('pending', 'pending', PRICE + 1n);
  await shop.transfer('pending', 'pending', PRICE + 1n, await pay(RECEIVER, PRICE + 1n));
  await shop.session('paid', 'paid', PRICE + 2n);
  await shop.transfer('paid', 'paid', PRICE + 2n, await pay(RECEIVER, PRICE + 2n));
  await shop.transfer('stray', null, 7n, await pay(RECEIVER, 7n));
  return shop;
}

/** What came after 0.1.0: second secrets, scopes of checkout, and refunds. */
async function writeMore(shop: OldShop): Promise<void> {
  await shop.moveSecret();
  await shop.session('refunded', 'paid', PRICE + 3n);
  await shop.transfer('refunded', 'paid', PRICE + 3n, await pay(RECEIVER, PRICE + 3n));
  await shop.refund('refunded', PRICE + 3n);
}

async function upgrade(migration: string, work: (till: Till) => Promise<void>): Promise<void> {
  const old = await oldDatabase(migration);
  let tested: Tested | undefined;
  try {
    const shop = await writeShop(old.db);
    if (migration !== '007-merchants') await writeMore(shop);
    await old.db.destroy();
    const networks = { customNodes: false, reported: [], networks: [chain.network] };
    const { masterKeyFile } = host.config;
    tested = await startTested(
      { databaseUrl: old.url, masterKeyFile, networks, frameUrl: 'http://localhost:4000' },
      { walletPayments: FAST },
    );
    await work(tillOf(tested, await shopOf(tested, { id: 'shop', secret: SECRET })));
  } finally {
    await tested?.close();
    await old.drop();
  }
}

const sessionOf = (id: string): CheckoutSession =>
  ({ id: `cs_${id}`, url: `http://localhost/pay/page_${id}` }) as CheckoutSession;

async function json<T>(answer: Response): Promise<T> {
  assert.equal(answer.status, 200, await answer.clone().text());
  return (await answer.json()) as T;
}

async function listed({ tested, shop }: Till): Promise<ReceivingWallet[]> {
  return (await json<ReceivingWallets>(await tested.get(LIST, shop.headers))).wallets;
}

/** What was there before the update, and what becomes of it. */
async function goesOn(till: Till): Promise<void> {
  const { tested, shop } = till;
  const wallet = await json<ReceivingWallet>(await tested.get(ONLY, shop.headers));
  assert.deepEqual(
    { ...wallet, createdAt: '' },
    {
      secretType: 'ETHEREUM',
      network: chain.network.id,
      tokenAddress: null,
      address: RECEIVER,
      confirmations: 2,
      confirmationsAbove: [],
      tolerance: 0,
      createdAt: '',
    },
  );
  assert.deepEqual(await listed(till), [wallet]);
  const { wallet: shown } = await till.page(sessionOf('open'));
  assert.deepEqual([shown!.payment!.state, shown!.payment!.amount], ['quoted', formatEther(PRICE)]);
  // The customer opens the page again.
  assert.equal((await till.quote(sessionOf('open'))).amount, formatEther(PRICE));
  await pay(RECEIVER, PRICE);
  await chain.mine(2);
  await till.paid(sessionOf('open'));
  await till.paid(sessionOf('pending'));
  for (const id of ['open', 'pending'])
    assert.deepEqual(
      (await shop.events(`cs_${id}`)).map(({ type }) => type),
      ['payment.succeeded'],
    );
  assert.equal(await till.stateOf(sessionOf('paid')), 'complete paid');
  const payments = await till.received();
  assert.deepEqual(
    payments.filter(({ amount }) => amount === formatEther(7n)).map(({ state, reason }) => [state, reason]),
    [['unassigned', 'amount']],
  );
}

/** Clients of before set their one wallet, and later ones a list. */
async function takesBothForms(till: Till): Promise<void> {
  const { tested, shop } = till;
  const set = await till.receive({ address: OTHER, confirmations: 1 });
  assert.deepEqual([await listed(till), set.address.toLowerCase()], [[set], OTHER]);
  const session = await till.session();
  const quote = await till.quote(session);
  assert.equal(quote.to, set.address);
  await pay(quote.to, coins(quote));
  await till.paid(session);
  const wallets = [
    { secretType: 'ETHEREUM', address: OTHER, tolerance: 1 },
    { secretType: 'ETHEREUM', address: OTHER, tokenAddress: chain.token('DUSD') },
  ];
  const answer = await fetch(tested.url + LIST, {
    method: 'PUT',
    headers: { ...shop.headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ wallets }),
  });
  assert.deepEqual((await json<ReceivingWallets>(answer)).wallets, await listed(till));
  assert.equal((await listed(till)).length, 2);
  await till.receive({ address: OTHER });
  assert.equal((await listed(till)).length, 1);
}

test('a database of 0.1.0: what is open is paid, and the receiving wallet is read and set in both forms', async () => {
  await upgrade('007-merchants', async (till) => {
    await goesOn(till);
    await takesBothForms(till);
  });
});

test('a database from before receiving keys, with a refund, goes on in the same way', async () => {
  await upgrade('031-price-basis', async (till) => {
    const { shop, tested } = till;
    await goesOn(till);
    assert.equal((await shop.read('cs_refunded')).refunded, 'fully');
    const path = '/checkout/sessions/cs_refunded/refunds';
    const [refund] = await json<Refund[]>(await tested.get(path, shop.headers));
    assert.deepEqual([refund!.id, refund!.status, refund!.wallet!.to], ['re_refunded', 'succeeded', OTHER]);
    const { headers } = shop;
    const once = { ...headers, 'Idempotency-Key': 'again' };
    const again = await tested.post(path, { to: OTHER, walletId: 'w_refunded', pincode: '739154' }, once);
    assert.equal(((await again.json()) as Problem).code, 'checkout.refund.refused');
    await takesBothForms(till);
    await poll(async () => (await till.received('?state=pending')).length === 0, 'the last confirmation');
  });
});
