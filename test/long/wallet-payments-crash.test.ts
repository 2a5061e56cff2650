/**
 * Kills the service and its database between a customer's transaction and its last confirmation, on every chain: the next process resumes
 * from the database, and in the end the books have what the chain has.
 */
import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Interface } from 'ethers';
import { CHECKOUT_SCOPES } from '../../src/api/scopes.ts';
import { createClient } from '../../service/auth/clients.ts';
import { DEFAULTS } from '../../service/checkout/wallet-payments/wallet-payment-settings.ts';
import { joinDatabase } from '../../service/database/database.ts';
import type { CheckoutSession } from '../../src/api/checkout.ts';
import type { WalletPayment } from '../../src/api/pay.ts';
import { pause, poll } from '../waiting.ts';
import type { PutReceivingKey, PutReceivingWallet } from '../../src/api/receiving-wallet.ts';
import type { KeyChain } from '../../src/api/secret-type.ts';
import { parseUnits } from '../../src/base/amount.ts';
import type { Network } from '../../src/chains/network.ts';
import { order, pagePath } from '../service/checkout-setup.ts';
import { TOKEN_PATH, basic, bearer, dataIn, temporaryFolder } from '../service/harness.ts';
import { end, endLeases, type ServiceProcess, startProcess } from '../service/processes-setup.ts';
import {
  EvmRails,
  startAeternityRail,
  startMarket,
  TronRails,
  VechainRails,
} from '../service/wallet-payments-rails.ts';
import { UtxoRail } from '../service/utxo-rails.ts';
import { RECEIVER, startChain } from '../service/wallet-payments-setup.ts';

const KILLS = Number(process.env['CRASHES'] ?? 10);
const ERC20_BALANCE = new Interface(['function balanceOf(address) view returns (uint256)']);
const QUIET = { debug: () => {}, warn: () => {} };

interface Place {
  network: Network;
  /** A key where every session has an address of its own. */
  receiving: PutReceivingWallet | PutReceivingKey;
  decimals: number;
  /** In a block of its own. */
  pay(amount: bigint, to: string): Promise<unknown>;
  mine(blocks: number): unknown;
  /** Of the receiving wallet, or the sessions' addresses. */
  balance(addresses: readonly string[]): Promise<bigint>;
}

for (const { name, kills, start } of [
  { name: 'tokens of Ethereum', kills: KILLS, start: startEthereum },
  { name: 'GO', kills: Math.ceil(KILLS / 3), start: startGochain },
  { name: 'VET', kills: Math.ceil(KILLS / 3), start: startVechain },
  { name: 'TRX', kills: Math.ceil(KILLS / 3), start: () => startTron(false) },
  { name: 'TRC-20 tokens', kills: Math.ceil(KILLS / 3), start: () => startTron(true) },
  { name: 'AE', kills: Math.ceil(KILLS / 3), start: startAeternity },
  { name: 'BTC', kills: Math.ceil(KILLS / 3), start: () => startUtxo('BITCOIN') },
  { name: 'LTC', kills: Math.ceil(KILLS / 3), start: () => startUtxo('LITECOIN') },
])
  test(`payments in ${name} survive ${kills} kills of service and database: each paid session is settled once, and no other is`, async () => {
    const { place, close } = await start();
    const market = await startMarket();
    const folder = temporaryFolder();
    try {
      place.network.prices ??= market.prices(place.network);
      await survive(place, folder, kills);
    } finally {
      await Promise.all([close(), market.close()]);
      rmSync(folder, { recursive: true, force: true });
    }
  });

async function startEthereum(): Promise<{ place: Place; close(): Promise<void> }> {
  const chain = await startChain();
  const token = chain.token('DUSD');
  const data = ERC20_BALANCE.encodeFunctionData('balanceOf', [RECEIVER]);
  const place = {
    network: chain.network,
    receiving: { secretType: 'ETHEREUM', address: RECEIVER, tokenAddress: token } as const,
    decimals: 18,
    pay: (amount: bigint) => chain.sendToken(chain.accounts[0]!, token, RECEIVER, amount),
    mine: (blocks: number) => chain.mine(blocks),
    balance: async () => BigInt(await chain.rpc<string>('eth_call', { to: token, data }, 'latest')),
  };
  return { place, close: () => chain.close() };
}

async function startGochain(): Promise<{ place: Place; close(): Promise<void> }> {
  const rails = await EvmRails.start('GOCHAIN');
  return { place: rails.rail(false), close: () => rails.close() };
}

async function startVechain(): Promise<{ place: Place; close(): Promise<void> }> {
  const rails = await VechainRails.start();
  return { place: rails.rail(false), close: () => rails.close() };
}

async function startTron(token: boolean): Promise<{ place: Place; close(): Promise<void> }> {
  const tron = await TronRails.start();
  tron.local.ledger.unsolid = 2;
  return { place: tron.rail(token), close: () => tron.close() };
}

async function startAeternity(): Promise<{ place: Place; close(): Promise<void> }> {
  const rail = await startAeternityRail();
  return { place: rail, close: () => rail.close() };
}

async function startUtxo(secretType: KeyChain): Promise<{ place: Place; close(): Promise<void> }> {
  const rail = await UtxoRail.start(secretType);
  const place: Place = {
    network: rail.local.network,
    receiving: { secretType, key: rail.newKey() },
    decimals: 8,
    async pay(amount, to) {
      await rail.send([[to, amount]]);
      await rail.mine();
    },
    mine: (blocks) => rail.mine(blocks),
    balance: (addresses) => rail.balance(addresses),
  };
  return { place, close: () => rail.close() };
}

/** A service that takes payments, which is killed and started again on the same data. */
class KilledShop {
  killedAt = 0;
  #service!: ServiceProcess;
  #client!: { id: string; secret: string };

  private constructor(private readonly settings: Record<'DATA_DIR' | 'NETWORKS' | 'FRAME_URL', string>) {}

  static async open(folder: string, network: Network): Promise<KilledShop> {
    const NETWORKS = join(folder, 'networks.json');
    writeFileSync(NETWORKS, JSON.stringify({ networks: [network] }));
    const shop = new KilledShop({ DATA_DIR: dataIn(folder), NETWORKS, FRAME_URL: 'http://localhost:4000' });
    shop.#service = await startProcess(shop.settings);
    const { db, close } = await shop.database();
    shop.#client = await createClient(db, { name: 'shop', scopes: CHECKOUT_SCOPES });
    await close();
    return shop;
  }

  database() {
    const { DATA_DIR } = this.settings;
    return joinDatabase({ databaseUrl: undefined, databaseConnections: 2, dataFolder: DATA_DIR }, QUIET);
  }

  async call<T>(method: string, path: string, body?: unknown, headers = {}): Promise<T> {
    const response = await fetch(this.#service.url + path, {
      method,
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body ?? {}),
    });
    if (!response.ok) throw new Error(await response.text());
    return (await response.json()) as T;
  }

  async receive(receiving: Place['receiving']): Promise<void> {
    const wallet = { ...receiving, confirmations: 3 };
    if ('key' in wallet) await this.call('PUT', '/api/client/receiving-key', wallet, basic(this.#client));
    else await this.call('PUT', '/account/settings/receiving-wallet', wallet, await this.headers());
  }

  /** Tokens name the service's URL as issuer, which changes with each start. */
  async headers(): Promise<Record<string, string>> {
    const { id, secret } = this.#client;
    const body = { grant_type: 'client_credentials', client_id: id, client_secret: secret };
    return bearer((await this.call<{ access_token: string }>('POST', TOKEN_PATH, body)).access_token);
  }

  /** Three sessions and their quotes. */
  async offer(): Promise<{ sessions: CheckoutSession[]; quotes: WalletPayment[] }> {
    const headers = await this.headers();
    const make = () => this.call<CheckoutSession>('POST', '/checkout/sessions', order(), headers);
    const sessions = await Promise.all([make(), make(), make()]);
    const quotes = await Promise.all(
      sessions.map((session) => this.call<WalletPayment>('POST', `${pagePath(session)}/wallet/quote`)),
    );
    return { sessions, quotes };
  }

  /** The service, and its database at the same moment. */
  async kill(): Promise<void> {
    const lock = readFileSync(join(this.settings.DATA_DIR, 'postgres/postmaster.pid'), 'utf8');
    process.kill(Number(lock.split('\n')[0]), 'SIGKILL');
    await end(this.#service, 'SIGKILL');
    this.killedAt = Date.now();
  }

  async restart(): Promise<void> {
    this.#service = await startProcess(this.settings);
  }

  close(): Promise<void> {
    return end(this.#service);
  }
}

/** Ids of sessions. */
interface Expected {
  paid: string[];
  idle: string[];
  /** Those of the paid ones that were paid twice. */
  twice: string[];
  /** Transfers that are for no session. */
  strays: number;
  addresses: Set<string>;
}

async function survive(place: Place, folder: string, kills: number): Promise<void> {
  const shop = await KilledShop.open(folder, place.network);
  const expected: Expected = { paid: [], idle: [], twice: [], strays: 0, addresses: new Set() };
  try {
    await shop.receive(place.receiving);
    for (let kill = 0; kill < kills; kill++) {
      const { sessions, quotes } = await shop.offer();
      const [first, second] = quotes.map(({ amount }) => parseUnits(amount, place.decimals));
      const [to, toOther] = quotes.map((quote) => quote.to);
      for (const quote of quotes) expected.addresses.add(quote.to);
      // The last one is quoted, but not paid.
      const [one, other, idle] = sessions.map(({ id }) => id);
      expected.paid.push(one!, other!);
      expected.idle.push(idle!);
      // One before the kill, one after it, and one of them twice; no page reports them.
      await place.pay(first!, to!);
      await pause(Math.random() * 1500);
      await shop.kill();
      await place.pay(second!, toOther!);
      // One whole coin, which no quote has.
      if (!('key' in place.receiving)) {
        await place.pay(10n ** BigInt(place.decimals), to!);
        expected.strays++;
      }
      await place.pay(first!, to!);
      expected.twice.push(one!);
      await place.mine(Math.ceil(Math.random() * 3));
      await shop.restart();
    }
    await place.mine(3);
    await checkBooks(shop, place, expected);
  } finally {
    await shop.close();
  }
}

async function checkBooks(shop: KilledShop, place: Place, expected: Expected): Promise<void> {
  const { paid, idle, twice, strays } = expected;
  const { db, close } = await shop.database();
  const states = async (ids: string[]) =>
    db.selectFrom('checkout_sessions').select('payment_status').where('id', 'in', ids).execute();
  const transfers = () => db.selectFrom('wallet_transfers').select(['state', 'reason', 'amount']).execute();
  try {
    await endLeases(db, 'wallet_lanes', { killedAt: shop.killedAt, leaseMs: DEFAULTS.leaseMs });
    await poll(
      async () =>
        (await states(paid)).every(({ payment_status }) => payment_status === 'paid') &&
        (await transfers()).length >= paid.length + twice.length + strays,
      'every payment',
    );
    assert.ok((await states(idle)).every(({ payment_status }) => payment_status === 'unpaid'));
    const events = await db
      .selectFrom('events')
      .select(['session_id', 'type'])
      .where('session_id', 'is not', null)
      .execute();
    assert.deepEqual(
      events.map(({ session_id, type }) => `${type} ${session_id}`).sort(),
      [
        ...paid.map((id) => `payment.succeeded ${id}`),
        ...twice.map((id) => `payment.unassigned ${id}`),
      ].sort(),
    );
    if ('key' in place.receiving) assert.equal(expected.addresses.size, paid.length + idle.length);
    const rows = await transfers();
    assert.deepEqual(rows.map(({ state, reason }) => reason ?? state).sort(), [
      ...Array<string>(strays).fill('amount'),
      ...twice.map(() => 'complete'),
      ...paid.map(() => 'paid'),
    ]);
    const sum = rows.reduce((all, { amount }) => all + BigInt(amount), 0n);
    assert.equal(sum, await place.balance([...expected.addresses]));
  } finally {
    await close();
  }
}
