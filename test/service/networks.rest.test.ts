/** Wallets on several networks: policies, deposits and lists of each. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { Wallet as Key } from 'ethers';
import { sql } from 'kysely';
import pg from 'pg';
import type { HistoryEntry } from '../../src/api/history.ts';
import type { Policy } from '../../src/api/policy.ts';
import type { CreatedWallet, Wallet } from '../../src/api/wallet.ts';
import type { Network } from '../../src/chains/network.ts';
import { setNetworks } from '../../service/auth/clients.ts';
import { putPolicy } from '../../service/policies/policy-store.ts';
import { poll } from '../waiting.ts';
import { startTold, type Told } from './deposits-setup.ts';
import { type Shop, startShop } from './execute-setup.ts';
import { type Place, startTwoNetworks, type TwoNetworks } from './networks-setup.ts';

/** Statements that read wallets. */
let statements = 0;
const query = pg.Client.prototype.query as (...args: unknown[]) => unknown;
pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
  const [text] = args as [string | { text?: string }];
  if (/from "wallets"/.test(typeof text === 'string' ? text : (text.text ?? ''))) statements++;
  return query.apply(this, args);
} as typeof pg.Client.prototype.query;

let two: TwoNetworks;
let told: Told;
let shop: Shop;
before(async () => {
  two = await startTwoNetworks();
  told = await startTold(two.networks);
  shop = told.shop;
  await setNetworks(shop.service.service.db, shop.clientId, ['away']);
});
after(async () => {
  await told?.close();
  await two?.close();
});

const GAS_PRICE = 2_000_000_000n;
/** What a transfer costs at most. */
const FEE = 21_000n * GAS_PRICE;
const ether = (wei: bigint): string => `0.${String(wei).padStart(18, '0')}`;

async function funded(): Promise<CreatedWallet> {
  const wallet = await shop.wallet();
  await two.fund(wallet.address);
  return wallet;
}

/** The rule of the policy that refuses it, else the outcome. */
async function pay(wallet: CreatedWallet, wei: bigint, network?: Place): Promise<string> {
  const { outcome, body } = await shop.execute({
    type: 'ETH_TRANSACTION',
    walletId: wallet.id,
    to: Key.createRandom().address,
    value: String(wei),
    gas: 21_000,
    gasPrice: String(GAS_PRICE),
    ...(network && { network }),
  });
  return (body.details?.['rule'] as string | undefined) ?? outcome;
}

function limit(of: 'wallet' | 'client', id: string, policy: Policy) {
  const { db, keys } = shop.service.service;
  const networks = { customNodes: false, reported: [], networks: two.networks };
  return putPolicy(db, { of, id }, policy, { keys, actor: 'command', delayHours: 0, networks });
}

test('a policy limits each network by itself, and nothing is spent where it lists nothing', async () => {
  const wallet = await funded();
  const perDay = ether(2n * FEE + 10n);
  await limit('wallet', wallet.id, { limits: [{ secretType: 'ETHEREUM', perDay }] });
  assert.equal(await pay(wallet, 1n, 'away'), 'network');
  assert.equal(await pay(wallet, 5n), '200');
  assert.equal(await pay(wallet, 6n), 'daily-limit');
  const away = { secretType: 'ETHEREUM', network: 'away' } as const;
  await limit('wallet', wallet.id, {
    limits: [
      { secretType: 'ETHEREUM', perDay },
      { ...away, perDay },
    ],
  });
  assert.equal(await pay(wallet, 5n, 'away'), '200');
  assert.equal(await pay(wallet, 6n, 'away'), 'daily-limit');
  assert.equal(await pay(wallet, 6n), 'daily-limit');
  assert.equal(await pay(wallet, 5n), '200');
  const { db } = shop.service.service;
  const counted = await db
    .selectFrom('policy_spends')
    .select(['network', 'by_default', 'asset'])
    .where('subject', '=', `wallet:${wallet.id}`)
    .orderBy('spent_at')
    .execute();
  const asset = 'ETHEREUM';
  assert.deepEqual(counted, [
    { network: 'home', by_default: true, asset },
    { network: 'away', by_default: false, asset },
    { network: 'home', by_default: true, asset },
  ]);
  // Rows that an older version wrote, which does not name the network, count on each.
  await sql`update policy_spends set network = null, by_default = default where subject = ${`wallet:${wallet.id}`}`.execute(
    db,
  );
  assert.equal(await pay(wallet, 5n, 'away'), 'daily-limit');
});

test('of a client, the default networks of its wallets count together', async () => {
  const policy = { limits: [{ secretType: 'ETHEREUM' as const, perDay: ether(2n * FEE + 10n) }] };
  const [first, second] = [await funded(), await shop.wallet('ETHEREUM', { network: 'away' })];
  await two.fund(second.address);
  await limit('client', shop.clientId, policy);
  assert.equal(await pay(first, 5n), '200');
  assert.equal(await pay(second, 5n), '200');
  assert.equal(await pay(second, 1n), 'daily-limit');
  assert.equal(await pay(second, 1n, 'home'), '400 request.invalid network');
  await limit('client', shop.clientId, {});
});

test('a policy names only networks that there are', async () => {
  const { access_token } = await shop.service.tokens(['manage:policies']);
  const put = (policy: object) =>
    shop.call(access_token, 'PUT', `/api/policies/client/${shop.clientId}`, policy);
  const asset = { secretType: 'ETHEREUM', network: 'nowhere' };
  const contract = Key.createRandom().address;
  for (const [path, policy] of [
    ['limits.0.network', { limits: [asset] }],
    ['recipients.0.network', { recipients: [{ ...asset, address: contract }] }],
    ['calls.0.network', { calls: [{ ...asset, contract, functions: ['f()'] }] }],
    ['fourEyes.above.0.network', { fourEyes: { above: [{ ...asset, amount: '1' }], approvers: ['a'] } }],
    [
      'signatures.typedData.0.network',
      { signatures: { typedData: [{ ...asset, contract, primaryType: 'Order' }] } },
    ],
    ['limits.0.network', { limits: [{ secretType: 'TRON', network: 'away' }] }],
  ] as const)
    assert.equal((await put(policy)).outcome, `400 request.invalid ${path}`);
});

test('deposits are told of the networks on which a wallet is watched', async () => {
  const wallet = await shop.wallet();
  const read = (network?: string) =>
    shop.call(shop.shop, 'GET', `/api/wallets/${wallet.id}/watch${network ? `?network=${network}` : ''}`);
  const send = async (place: Place, value: bigint): Promise<void> => {
    const signer = await two.providers[place].getSigner(0);
    await (await signer.sendTransaction({ to: wallet.address, value })).wait();
  };
  const head = (place: Place) => () => two.providers[place].getBlockNumber();
  await told.watch(wallet.id);
  await send('away', 1n);
  await send('home', 2n);
  await poll(() => told.deposits(wallet.id).length === 1, 'the deposit at home');

  const away = await told.watch(wallet.id, 'away');
  assert.equal(away.network, 'away');
  assert.deepEqual(await told.watch(wallet.id, 'away'), away);
  assert.deepEqual((await read('away')).body, away);
  assert.equal((await read()).body['network'], 'home');
  await send('away', 3n);
  await poll(
    () => told.deposits(wallet.id).some(({ data }) => data.deposit.amount.raw === '3'),
    'the deposit',
  );

  // Ending one watch leaves the other.
  await told.unwatch(wallet.id);
  assert.equal((await read()).outcome, '404 request.not-found');
  assert.equal((await read('away')).outcome, '200');
  await send('home', 4n);
  await send('away', 5n);
  await poll(
    () => told.deposits(wallet.id).some(({ data }) => data.deposit.amount.raw === '5'),
    'the deposit',
  );
  await told.scanned('away', head('away'));
  const known = told
    .deposits(wallet.id)
    .map(({ data: { deposit } }) => `${deposit.network} ${deposit.amount.raw}`);
  assert.deepEqual(known.filter((each) => each !== 'away 1').toSorted(), ['away 3', 'away 5', 'home 2']);
  const wrong = await shop.call(shop.shop, 'DELETE', `/api/wallets/${wallet.id}/watch?network=nowhere`);
  assert.equal(wrong.outcome, '400 request.invalid network');
});

test('a status and a history are of the network that the request names', async () => {
  const wallet = await funded();
  assert.equal(await pay(wallet, 1n, 'away'), '200');
  const list = (query: string) =>
    shop.call<HistoryEntry[]>(shop.shop, 'GET', `/api/wallets/${wallet.id}/transactions${query}`);
  const [{ transactionHash: hash, network }] = (await list('')).body as [HistoryEntry];
  assert.equal(network, 'away');
  assert.deepEqual((await list('?network=home&direction=all')).body, []);
  const { headers } = await list('?network=away&direction=all');
  assert.ok(headers.get('arrivals-read-at'));
  assert.equal((await list('')).headers.get('arrivals-read-at'), null);
  const status = async (on: string) => {
    const { body, outcome } = await shop.call(shop.shop, 'GET', `/api/transactions/${hash}${on}`);
    return outcome === '200' ? body['status'] : outcome;
  };
  assert.equal(await status('/status?secretType=ETHEREUM'), 'confirmed');
  assert.equal(await status('/status?secretType=ETHEREUM&network=away'), 'confirmed');
  assert.equal(await status('/status?secretType=ETHEREUM&network=home'), 'unknown');
  assert.equal(await status('/status?secretType=ETHEREUM&network=nowhere'), '400 request.invalid network');
  assert.equal(await status('?secretType=ETHEREUM&network=away'), 'confirmed');
  assert.equal(await status('?secretType=ETHEREUM&network=home'), '404 request.not-found');
});

test('a list of 1,000 wallets on ten networks takes no statement for each, and asks no node of each network', async () => {
  let asked = 0;
  const node = createServer((_, response) => {
    asked++;
    response.writeHead(500).end();
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => node.once('listening', resolve));
  const { port } = node.address() as AddressInfo;
  const ten = Array.from(
    { length: 10 },
    (_, n): Network => ({
      id: `network-${n}`,
      secretType: 'ETHEREUM',
      name: `Network ${n}`,
      kind: 'testnet',
      chainId: 1000 + n,
      nodes: [`http://127.0.0.1:${port}/${n}`],
      tokens: [],
    }),
  );
  const many = await startShop(ten);
  try {
    const { clientId: owner } = many;
    await sql`insert into wallets (id, owner_id, application_id, wallet_type, secret_type, address, is_primary)
      select 'many-' || n, ${owner}, ${owner}, 'WHITE_LABEL', 'ETHEREUM', '0xAb' || lpad(to_hex(n), 38, '0'), false
      from generate_series(1, 1000) n`.execute(many.service.service.db);
    const count = async (path: string): Promise<[number, number]> => {
      const before = statements;
      const { body } = await many.call<Wallet[]>(many.shop, 'GET', path);
      return [body.length, statements - before];
    };
    // A page is read in pieces of 50, whatever is in it.
    const [listed, read] = await count('/api/wallets');
    assert.equal(listed, 1000);
    assert.ok(read > 0 && read <= 1000 / 50 + 1, `${read} statements`);
    // Whether the default network's node is up was asked in the background, once for all wallets.
    assert.ok(asked <= 1, `${asked} requests`);
  } finally {
    await many.close();
    node.close();
    node.closeAllConnections();
  }
});
