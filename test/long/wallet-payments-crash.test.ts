/**
 * Kills the service between a customer's transaction and its last confirmation, on a chain of each kind of reader: the next process resumes
 * from the database, and in the end the books have what the chain has.
 */
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
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
import type { PutReceivingWallet } from '../../src/api/receiving-wallet.ts';
import { parseUnits } from '../../src/base/amount.ts';
import type { Network } from '../../src/chains/network.ts';
import { order, pagePath } from '../service/checkout-setup.ts';
import { TOKEN_PATH, bearer, dataIn, temporaryFolder } from '../service/harness.ts';
import { end, endLeases, type ServiceProcess, startProcess } from '../service/processes-setup.ts';
import { startAeternityRail, startMarket, TronRails } from '../service/wallet-payments-rails.ts';
import { RECEIVER, startChain } from '../service/wallet-payments-setup.ts';

const KILLS = Number(process.env['CRASHES'] ?? 10);
/** An amount that no quote has. */
const STRAY = 7n;
const ERC20_BALANCE = new Interface(['function balanceOf(address) view returns (uint256)']);
const QUIET = { debug: () => {}, warn: () => {} };

interface Place {
  network: Network;
  receiving: PutReceivingWallet;
  decimals: number;
  pay(amount: bigint): Promise<unknown>;
  mine(blocks: number): unknown;
  balance(): Promise<bigint>;
}

for (const { name, kills, start } of [
  { name: 'tokens of Ethereum', kills: KILLS, start: startEthereum },
  { name: 'TRX', kills: Math.ceil(KILLS / 3), start: () => startTron(false) },
  { name: 'TRC-20 tokens', kills: Math.ceil(KILLS / 3), start: () => startTron(true) },
  { name: 'AE', kills: Math.ceil(KILLS / 3), start: startAeternity },
])
  test(`payments in ${name} survive ${kills} kills: each paid session is settled once, and no other is`, async () => {
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

async function startTron(token: boolean): Promise<{ place: Place; close(): Promise<void> }> {
  const tron = await TronRails.start();
  tron.local.ledger.unsolid = 2;
  return { place: tron.rail(token), close: () => tron.close() };
}

async function startAeternity(): Promise<{ place: Place; close(): Promise<void> }> {
  const rail = await startAeternityRail();
  return { place: rail, close: () => rail.close() };
}

async function survive(place: Place, folder: string, kills: number): Promise<void> {
  const settings = {
    DATA_DIR: dataIn(folder),
    NETWORKS: join(folder, 'networks.json'),
    FRAME_URL: 'http://localhost:4000',
  };
  writeFileSync(settings.NETWORKS, JSON.stringify({ networks: [place.network] }));
  let service: ServiceProcess = await startProcess(settings);
  try {
    const database = () =>
      joinDatabase({ databaseUrl: undefined, databaseConnections: 2, dataFolder: settings.DATA_DIR }, QUIET);
    const joined = await database();
    const client = await createClient(joined.db, { name: 'shop', scopes: CHECKOUT_SCOPES });
    await joined.close();
    const call = async <T>(method: string, path: string, body?: unknown, headers = {}): Promise<T> => {
      const response = await fetch(service.url + path, {
        method,
        headers: { 'Content-Type': 'application/json', ...headers },
        body: JSON.stringify(body ?? {}),
      });
      if (!response.ok) throw new Error(await response.text());
      return (await response.json()) as T;
    };
    const token = async () => {
      const { id, secret } = client;
      const body = { grant_type: 'client_credentials', client_id: id, client_secret: secret };
      return bearer((await call<{ access_token: string }>('POST', TOKEN_PATH, body)).access_token);
    };
    const wallet = { ...place.receiving, confirmations: 3 };
    await call('PUT', '/account/settings/receiving-wallet', wallet, await token());

    const paying: string[] = [];
    const idle: string[] = [];
    const twice: string[] = [];
    let killedAt = 0;
    for (let kill = 0; kill < kills; kill++) {
      // Tokens name the service's URL as issuer, which changes with each start.
      const headers = await token();
      const sessions = await Promise.all(
        Array.from({ length: 3 }, () =>
          call<CheckoutSession>('POST', '/checkout/sessions', order(), headers),
        ),
      );
      const quotes = await Promise.all(
        sessions.map((session) => call<WalletPayment>('POST', `${pagePath(session)}/wallet/quote`)),
      );
      const [first, second] = quotes.map(({ amount }) => parseUnits(amount, place.decimals));
      // The last one is quoted, but not paid.
      idle.push(sessions.pop()!.id);
      paying.push(...sessions.map(({ id }) => id));
      // One before the kill, one after it, and one of them twice; no page reports them.
      await place.pay(first!);
      await pause(Math.random() * 1500);
      await end(service, 'SIGKILL');
      killedAt = Date.now();
      await place.pay(second!);
      await place.pay(STRAY);
      await place.pay(first!);
      twice.push(sessions[0]!.id);
      await place.mine(Math.ceil(Math.random() * 3));
      service = await startProcess(settings);
    }
    await place.mine(3);

    const { db, close } = await database();
    try {
      await endLeases(db, 'wallet_lanes', { killedAt, leaseMs: DEFAULTS.leaseMs });
      const states = async (ids: string[]) =>
        db.selectFrom('checkout_sessions').select(['id', 'payment_status']).where('id', 'in', ids).execute();
      const count = paying.length + twice.length + kills;
      const transfers = () =>
        db.selectFrom('wallet_transfers').select(['state', 'reason', 'amount']).execute();
      await poll(
        async () =>
          (await states(paying)).every(({ payment_status }) => payment_status === 'paid') &&
          (await transfers()).length >= count,
        'every payment',
      );
      assert.ok((await states(idle)).every(({ payment_status }) => payment_status === 'unpaid'));
      const events = await db.selectFrom('events').select(['session_id', 'type']).execute();
      assert.deepEqual(
        events.map(({ session_id, type }) => `${type} ${session_id}`).sort(),
        [
          ...paying.map((id) => `payment.succeeded ${id}`),
          ...twice.map((id) => `payment.unassigned ${id}`),
        ].sort(),
      );
      const rows = await transfers();
      assert.deepEqual(rows.map(({ state, reason }) => reason ?? state).sort(), [
        ...Array<string>(kills).fill('amount'),
        ...twice.map(() => 'complete'),
        ...paying.map(() => 'paid'),
      ]);
      assert.equal(
        rows.reduce((sum, { amount }) => sum + BigInt(amount), 0n),
        await place.balance(),
      );
    } finally {
      await close();
    }
  } finally {
    await end(service);
  }
}
