/** A wallet on several networks: each has nonces, locks and signatures of its own, and an application needs its operator's leave. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Wallet as Key } from 'ethers';
import { draftToJson } from '../../src/api/draft-json.ts';
import type { HistoryEntry } from '../../src/api/history.ts';
import type { NativeBalance } from '../../src/api/wallet.ts';
import { loadChain, loadPayloads } from '../../src/chains/index.ts';
import type { Network } from '../../src/chains/network.ts';
import { PIN } from './custody-setup.ts';
import type { SecretType } from '../../src/chains/secret-type.ts';
import { entryAnswer, type HistoryRow } from '../../service/transactions/history-entry.ts';
import { requireUsable } from '../../service/wallets/wallet-network.ts';
import { type Abroad, CHAIN_IDS, startAbroad } from './networks-setup.ts';

/** Of another chain. No node is reachable: nothing here needs one. */
const GOCHAIN: Network = {
  id: 'gochain',
  secretType: 'GOCHAIN',
  name: 'GoChain',
  kind: 'local',
  chainId: 60,
  nodes: ['http://127.0.0.1:1'],
  tokens: [],
};

let abroad: Abroad;
before(async () => {
  abroad = await startAbroad([GOCHAIN]);
});
after(() => abroad.close());

function pay(network?: string, more: object = {}) {
  const to = Key.createRandom().address;
  return {
    type: 'ETH_TRANSACTION',
    walletId: abroad.till.id,
    to,
    value: '1',
    ...(network !== undefined && { network }),
    ...more,
  };
}

function typed(chainId: number) {
  const data = {
    types: { Order: [{ name: 'value', type: 'uint256' }] },
    primaryType: 'Order',
    domain: { name: 'Exchange', chainId, verifyingContract: `0x${'c0'.repeat(20)}` },
    message: { value: '1' },
  };
  return { type: 'ETHEREUM_TYPED_DATA', walletId: abroad.till.id, data: JSON.stringify(data) };
}

/** Every request that prepares or signs something on a network, by its name; and whether each signs. */
function requestsOn(network: string): Record<string, () => Promise<{ outcome: string }>> {
  const { shop, till } = abroad;
  const post = (path: string, body: object) => () => shop.call(shop.shop, 'POST', path, body);
  const to = Key.createRandom().address;
  const intent = { type: 'TRANSFER', secretType: 'ETHEREUM', walletId: till.id, to, value: '1' };
  const swap = { fromSecretType: 'ETHEREUM', toSecretType: 'ETHEREUM', orderType: 'SELL', exchange: 'x' };
  return {
    execute: () => shop.execute(pay(network)),
    batch: () =>
      shop.execute({ walletId: till.id, transactions: [pay(), pay(network)] }, `batch-${network}`, 'batch'),
    sign: () => shop.sign({ ...typed(CHAIN_IDS.away), network }),
    build: post('/api/transactions/build', { ...intent, network }),
    estimate: post('/api/transactions/estimate', pay(network)),
    swap: post(`/api/wallets/${till.id}/swaps`, { ...swap, walletId: till.id, inputAmount: '1', network }),
    watch: () => shop.call(shop.shop, 'PUT', `/api/wallets/${till.id}/watch?network=${network}`),
  };
}

test('without networks of its client, an application uses its wallets on their default network only', async () => {
  const { shop, till, signed } = abroad;
  for (const [name, request] of Object.entries(requestsOn('away'))) {
    const path = name === 'batch' ? 'transactions.1.network' : 'network';
    assert.equal((await request()).outcome, `400 request.invalid ${path}`, name);
  }
  assert.deepEqual(await signed(till.id), []);
  // Reading moves nothing.
  const path = `/api/wallets/${till.id}/balance`;
  const { body } = await shop.call<NativeBalance>(shop.shop, 'GET', `${path}?network=away`);
  assert.equal(body.balance, 10);
});

test('an entry of a network that networks.json has lost has its id, and no symbol where its coin may have been another', () => {
  const row = (secret_type: SecretType): HistoryRow => ({
    id: '1',
    wallet_id: '2',
    direction: 'out',
    hash: '0x3',
    secret_type,
    network: 'gone',
    state: 'confirmed',
    created_at: new Date(0),
    effect: JSON.stringify({
      kind: 'transfer',
      to: '0x4',
      amount: { raw: '500000000000000000' },
      maximumFee: '1',
    }),
    fee: '1',
    dust: false,
    replaces: null,
    replaced_by: null,
    blocked_by: null,
    mined_block: null,
    confirmations: null,
    swap: null,
  });
  const shown = (secretType: SecretType, networks: Network[] = []) => {
    const { network, amount, fee } = entryAnswer(row(secretType), networks);
    return [network, amount!.value, amount!.symbol, fee!.maximum.symbol, fee!.paid!.symbol];
  };
  assert.deepEqual(shown('ETHEREUM'), ['gone', '0.5', null, null, null]);
  assert.deepEqual(shown('VECHAIN'), ['gone', '0.5', 'VET', 'VTHO', 'VTHO']);
  const there: Network = {
    id: 'gone',
    secretType: 'ETHEREUM',
    name: 'Polygon',
    kind: 'mainnet',
    coin: { symbol: 'POL' },
    nodes: [],
    tokens: [],
  };
  assert.deepEqual(shown('ETHEREUM', [there]), ['gone', '0.5', 'POL', 'POL', 'POL']);
});

test('a network that is none of the wallet is refused by its name, whatever the client may use', async () => {
  await abroad.choose(['home', 'away', 'gochain']);
  const { shop, till, signed } = abroad;
  for (const network of ['gochain', 'nowhere', 'custom', '']) {
    for (const [name, request] of Object.entries(requestsOn(network))) {
      const path = name === 'batch' ? 'transactions.1.network' : 'network';
      assert.equal((await request()).outcome, `400 request.invalid ${path}`, `${name} ${network}`);
    }
    for (const path of [
      'balance',
      'balance/tokens',
      `balance/tokens/${till.address}`,
      'nonfungibles',
      'swaps/pairs',
    ]) {
      const { outcome } = await shop.call(
        shop.shop,
        'GET',
        `/api/wallets/${till.id}/${path}?network=${network}`,
      );
      assert.equal(outcome, '400 request.invalid network', `${path} ${network}`);
    }
  }
  assert.deepEqual(await signed(till.id), []);
});

test('each network has nonces of its own, and what is signed for one is good on no other', async () => {
  const { shop, till, providers, choose, signed } = abroad;
  await choose(['away']);
  for (const provider of Object.values(providers)) await provider.send('evm_setAutomine', [false]);
  const hashes: string[] = [];
  for (const network of ['home', 'away', undefined, 'away', 'home']) {
    const { body, outcome } = await shop.execute(pay(network));
    assert.equal(outcome, '200', JSON.stringify(body));
    hashes.push(body.transactionHash);
  }
  const batch = { walletId: till.id, transactions: [pay('away'), pay()] };
  assert.equal((await shop.execute(batch, 'both', 'batch')).outcome, '200');
  const replaced = { walletId: till.id };
  for (const [how, hash] of [
    ['speed-up', hashes[1]],
    ['cancel', hashes[3]],
  ] as const)
    assert.equal((await shop.execute(replaced, undefined, `${hash}/${how}`)).outcome, '200', how);

  const sent = await signed(till.id);
  for (const { network, raw } of sent)
    assert.equal(Number(raw.chainId), CHAIN_IDS[network as keyof typeof CHAIN_IDS]);
  const noncesOn = (on: string) =>
    sent
      .filter(({ network }) => network === on)
      .map(({ raw, replaces }) => `${raw.nonce}${replaces ? ' again' : ''}`);
  assert.deepEqual(noncesOn('home'), ['0', '1', '2', '3']);
  assert.deepEqual(noncesOn('away'), ['0', '1', '2', '0 again', '1 again']);

  const list = (query: string) =>
    shop.call<HistoryEntry[]>(shop.shop, 'GET', `/api/wallets/${till.id}/transactions?${query}`);
  assert.equal((await list('')).body.length, 9);
  const { body: away } = await list('network=away');
  assert.deepEqual(new Set(away.map(({ network }) => network)), new Set(['away']));
  assert.equal(away.length, 5);
  // Nothing on one network waits for a nonce on another.
  const homes = new Set(sent.flatMap(({ network, raw }) => (network === 'home' ? [raw.hash] : [])));
  for (const { blockedBy } of away) assert.ok(!blockedBy || !homes.has(blockedBy));
  for (const provider of Object.values(providers)) {
    await provider.send('evm_setAutomine', [true]);
    await provider.send('evm_mine', []);
  }
});

test('typed data is signed for the network that the request names, and refused for another', async () => {
  const { shop, choose } = abroad;
  await choose(['away']);
  for (const [network, chainId, outcome] of [
    ['away', CHAIN_IDS.away, '200'],
    ['away', CHAIN_IDS.home, '400 request.invalid data.domain.chainId'],
    [undefined, CHAIN_IDS.home, '200'],
    [undefined, CHAIN_IDS.away, '400 request.invalid data.domain.chainId'],
  ] as const)
    assert.equal((await shop.sign({ ...typed(chainId), network })).outcome, outcome, `${network} ${chainId}`);
});

test('a wallet that is busy on one network signs on another at once', async () => {
  const { shop, till, choose } = abroad;
  await choose(['away']);
  let release!: () => void;
  const isReleased = new Promise<void>((resolve) => (release = resolve));
  const { busy } = await new Promise<{ busy: Promise<void> }>((isLocked) => {
    const busy = shop.service.service.exclusive(till.id, async () => {
      isLocked({ busy });
      await isReleased;
    });
  });
  let isDone = false;
  const home = shop.execute(pay()).finally(() => {
    isDone = true;
  });
  assert.equal((await shop.execute(pay('away'))).outcome, '200');
  assert.equal(isDone, false);
  release();
  await busy;
  assert.equal((await home).outcome, '200');
});

test('an idempotency key is of a request on one network', async () => {
  const { shop, choose } = abroad;
  await choose(['away']);
  const request = pay('away');
  const first = await shop.execute(request, 'order-7');
  assert.deepEqual((await shop.execute(request, 'order-7')).body, first.body);
  assert.equal(
    (await shop.execute({ ...request, network: 'home' }, 'order-7')).outcome,
    '409 request.conflict',
  );
  // What was signed is answered again, even if the client may use the network no more.
  await choose(null);
  assert.deepEqual((await shop.execute(request, 'order-7')).body, first.body);
  assert.equal((await shop.execute(request, 'order-8')).outcome, '400 request.invalid network');
});

test('the networks of another issuer’s applications are those of its entry', async () => {
  const { db } = abroad.shop.service.service;
  const application = {
    accountId: 'app',
    applicationId: 'app',
    isApplication: true,
    scopes: new Set<string>(),
  };
  const usable = (networks?: string[]) =>
    requireUsable(
      { db },
      { ...application, ...(networks && { networks }) },
      { id: 'away', field: 'network' },
    );
  await usable(['away']);
  for (const networks of [undefined, [], ['home']])
    await assert.rejects(usable(networks), { code: 'request.invalid' });
});

test('a user, who approves each transaction, uses a wallet on every network, unless the client has a list', async () => {
  const { shop, networks, fund, choose, signed } = abroad;
  await choose(null);
  const user = await shop.user();
  const wallet = await user.wallet();
  await fund(wallet.address);
  const chain = await loadChain('ETHEREUM');
  const { parse } = await loadPayloads('ETHEREUM');
  const node = chain.node(networks[1]!);
  const approve = async () => {
    const request = parse({
      type: 'ETH_TRANSACTION',
      walletId: wallet.id,
      to: Key.createRandom().address,
      value: '1',
    });
    const draft = draftToJson(
      await chain.prepare(request, wallet.address, node, { used: [], own: [], reported: [] }),
    );
    return user.call('POST', '/api/transactions/approved', { walletId: wallet.id, pincode: PIN, draft });
  };
  assert.equal((await approve()).outcome, '200');
  const [sent] = await signed(wallet.id);
  assert.deepEqual([sent!.network, Number(sent!.raw.chainId)], ['away', CHAIN_IDS.away]);
  await choose([]);
  assert.equal((await approve()).outcome, '400 request.invalid draft');
});
