/** A wallet belongs to one network, and its status says if that has no reachable node. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type LocalEthereum, startEthereum } from '../../demo/networks/ethereum.ts';
import type { Networks } from '../../src/chains/network.ts';
import type { NativeBalance, TokenBalance, Wallet } from '../../src/api/wallet.ts';
import { poll } from '../waiting.ts';
import { PIN, QUICK } from './custody-setup.ts';
import { bearer, startTested, type Tested } from './harness.ts';

let ethereum: LocalEthereum;
let service: Tested;
let shop: Record<string, string>;
let networks: Networks;

before(async () => {
  ethereum = await startEthereum({ port: 0 });
  const { network } = ethereum;
  networks = {
    customNodes: false,
    reported: [],
    networks: [
      // Nothing listens there.
      { ...network, id: 'first', nodes: ['http://127.0.0.1:9'] },
      { ...network, id: 'second', tokens: network.tokens.slice(1) },
    ],
  };
  service = await startTested({ networks }, { pins: { cost: QUICK } });
  shop = bearer((await service.tokens(['whitelabel', 'view:wallets'])).access_token);
});
after(async () => {
  await service?.close();
  await ethereum?.close();
});

async function create(more: object = {}): Promise<Wallet> {
  const order = { pincode: PIN, secretType: 'ETHEREUM', walletType: 'WHITE_LABEL', ...more };
  const response = await service.post('/api/wallets', order, shop);
  assert.equal(response.status, 201);
  return (await response.json()) as Wallet;
}

async function get<T>(path: string): Promise<T> {
  return (await (await service.get(`/api/wallets${path}`, shop)).json()) as T;
}

/** Polls the list until it shows this status: listing checks nodes in the background. */
async function listed(id: string, status: Wallet['status']): Promise<void> {
  await poll(
    async () => (await get<Wallet[]>('')).find((wallet) => wallet.id === id)!.status === status,
    status,
  );
}

test('balances and tokens are those of the wallet’s network', async () => {
  const { id, address } = await create({ network: 'second' });
  await ethereum.fund(address, 5n);
  assert.equal((await get<NativeBalance>(`/${id}/balance`)).rawBalance, '5');
  const tokens = await get<TokenBalance[]>(`/${id}/balance/tokens`);
  assert.deepEqual(
    tokens.map(({ symbol }) => symbol),
    ['DCENT'],
  );
  assert.equal((await get<Wallet>(`/${id}`)).status, 'ACTIVE');
});

test('lists and reads say which wallets have no reachable node', async () => {
  const first = await create();
  const second = await create({ network: 'second' });
  assert.equal((await get<Wallet>(`/${first.id}`)).status, 'UNAVAILABLE');
  await listed(first.id, 'UNAVAILABLE');
  await listed(second.id, 'ACTIVE');
  const bitcoin = await create({ secretType: 'BITCOIN' });
  await listed(bitcoin.id, 'UNAVAILABLE');
  assert.equal(
    (await get<{ code: string }>(`/${bitcoin.id}/balance`)).code,
    'wallet.balance.not.supported.yet',
  );
});

test('a wallet whose network is no longer configured can be read, but not its balance', async () => {
  const { id } = await create({ network: 'second' });
  service.service.networks.use({ ...networks, networks: networks.networks.slice(0, 1) });
  const wallet = await get<Wallet>(`/${id}`);
  assert.deepEqual([wallet.status, wallet.balance!.available], ['UNAVAILABLE', false]);
  await listed(id, 'UNAVAILABLE');
  for (const path of [
    'balance',
    'balance/tokens',
    `balance/tokens/${ethereum.contracts.DUSD}`,
    'nonfungibles',
  ])
    assert.equal(
      (await get<{ code: string }>(`/${id}/${path}`)).code,
      'wallet.balance.not.supported.yet',
      path,
    );
  service.service.networks.use(networks);
  assert.equal((await get<Wallet>(`/${id}`)).status, 'ACTIVE');
});
