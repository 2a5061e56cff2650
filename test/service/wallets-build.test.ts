/** Every build type on every chain, and nodes named by the request. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Wallet } from '../../src/api/wallet.ts';
import { SECRET_TYPES, type SecretType } from '../../src/chains/secret-type.ts';
import { loadPayloads } from '../../src/chains/index.ts';
import { CHAIN_ID } from '../../demo/networks/anvil.ts';
import { type LocalEthereum, startEthereum } from '../../demo/networks/ethereum.ts';
import { REPORTED } from '../../demo/networks/networks.ts';
import { readRange } from '../../service/outbound/addresses.ts';
import { editWallet } from '../../service/users/edit-wallet.ts';
import { PIN, QUICK } from './custody-setup.ts';
import { bearer, startTested, type Tested } from './harness.ts';

const VIP180 = '0x0000000000000000000000000000456E65726779';
const TRC20 = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
const BYTES = `0x${'00'.repeat(32)}`;

let ethereum: LocalEthereum;
let service: Tested;
let shop: Record<string, string>;
const wallets = {} as Record<SecretType, Wallet>;
const to = {} as Record<SecretType, string>;

before(async () => {
  ethereum = await startEthereum({ port: 0 });
  const network = (secretType: SecretType, more: Record<string, unknown> = {}) => ({
    id: secretType.toLowerCase(),
    secretType,
    name: secretType,
    kind: 'local' as const,
    // Nothing listens there: these builds read no node.
    nodes: ['http://127.0.0.1:9'],
    genesis: BYTES,
    tokens: [],
    ...more,
  });
  const token = (address: string) => [{ address, symbol: 'TOK', name: 'Token', decimals: 6, logo: '' }];
  const networks = {
    customNodes: true,
    reported: [],
    networks: [
      ethereum.network,
      // The contracts are the same under any chain id.
      network('GOCHAIN', { chainId: CHAIN_ID, nodes: [ethereum.url], tokens: ethereum.network.tokens }),
      network('VECHAIN', { tokens: token(VIP180) }),
      network('TRON', { tokens: token(TRC20) }),
      network('BITCOIN'),
      network('LITECOIN'),
      network('AETERNITY'),
    ],
  };
  service = await startTested(
    { networks, outboundRanges: [readRange('127.0.0.0/8')] },
    { pins: { cost: QUICK } },
  );
  shop = bearer((await service.tokens(['whitelabel', 'view:wallets', 'save:transaction'])).access_token);
  for (const secretType of SECRET_TYPES) {
    const order = { pincode: PIN, secretType, walletType: 'WHITE_LABEL' };
    wallets[secretType] = (await (await service.post('/api/wallets', order, shop)).json()) as Wallet;
    to[secretType] = REPORTED[secretType]!;
  }
});
after(async () => {
  await service?.close();
  await ethereum?.close();
});

type Body = Record<string, unknown>;

/** A body of the type, the same on every chain that has it. */
function body(type: string, secretType: SecretType, more: Body = {}): Body {
  const tokens: Partial<Record<SecretType, string>> = {
    ETHEREUM: ethereum.contracts.DCENT,
    GOCHAIN: ethereum.contracts.DCENT,
    VECHAIN: VIP180,
    TRON: TRC20,
  };
  const defaults: Record<string, Body> = {
    TRANSFER: { value: 0.5 },
    GAS_TRANSFER: { value: '0.5' },
    TOKEN_TRANSFER: { value: 1.5, tokenAddress: tokens[secretType] ?? to[secretType], tokenId: null },
    NFT_TRANSFER: { tokenId: 3, tokenAddress: ethereum.contracts.NFT },
    CONTRACT_EXECUTION: {
      to: tokens[secretType] ?? to[secretType],
      functionName: 'burn',
      inputs: [{ type: 'uint256', value: '7' }],
    },
  };
  return {
    walletId: wallets[secretType].id,
    to: to[secretType],
    type,
    secretType,
    ...defaults[type],
    ...more,
  };
}

async function built(sent: Body): Promise<Body> {
  const response = await service.post('/api/transactions/build', sent, shop);
  const answer = (await response.json()) as Body;
  assert.equal(response.status, 200, `${JSON.stringify(sent)} ${JSON.stringify(answer)}`);
  return answer;
}

async function refused(sent: Body, as = shop): Promise<string> {
  const response = await service.post('/api/transactions/build', sent, as);
  const { code, issues = [] } = (await response.json()) as { code: string; issues?: { path: string }[] };
  return [response.status, code, ...issues.map(({ path }) => path)].join(' ');
}

/** The native type of each build; absent if the chain does not have it. */
const NATIVE: Record<SecretType, Record<string, string>> = {
  ETHEREUM: {
    TRANSFER: 'ETH_TRANSACTION',
    GAS_TRANSFER: 'ETH_TRANSACTION',
    TOKEN_TRANSFER: 'ETHEREUM_ERC20_TRANSACTION',
    NFT_TRANSFER: 'ETH_TRANSACTION',
    CONTRACT_EXECUTION: 'ETH_TRANSACTION',
  },
  GOCHAIN: {
    TRANSFER: 'GO_TRANSACTION',
    GAS_TRANSFER: 'GO_TRANSACTION',
    TOKEN_TRANSFER: 'GOCHAIN_GO20_TRANSACTION',
    NFT_TRANSFER: 'GO_TRANSACTION',
    CONTRACT_EXECUTION: 'GO_TRANSACTION',
  },
  VECHAIN: {
    TRANSFER: 'VET_TRANSACTION',
    GAS_TRANSFER: 'VTHO_TRANSACTION',
    TOKEN_TRANSFER: 'VECHAIN_VIP180_TRANSACTION',
    CONTRACT_EXECUTION: 'VET_TRANSACTION',
  },
  TRON: {
    TRANSFER: 'TRX_TRANSACTION',
    GAS_TRANSFER: 'TRX_TRANSACTION',
    TOKEN_TRANSFER: 'TRC10_TRANSACTION',
    CONTRACT_EXECUTION: 'TRON_CONTRACT_EXECUTION',
  },
  BITCOIN: { TRANSFER: 'BTC_TRANSACTION', GAS_TRANSFER: 'BTC_TRANSACTION' },
  LITECOIN: { TRANSFER: 'LTC_TRANSACTION', GAS_TRANSFER: 'LTC_TRANSACTION' },
  AETERNITY: { TRANSFER: 'AE_TRANSACTION', GAS_TRANSFER: 'AE_TRANSACTION' },
};
/** Fields that each native type leaves open; dotted within a clause or `network`. */
const EVM = ['pincode', 'gasPrice', 'gas', 'nonce'];
const VET = ['pincode', 'blockRef', 'chainTag', 'expiration', 'gas', 'gasPriceCoef', 'nonce'];
const OPEN: Record<string, string[]> = {
  ETH_TRANSACTION: [...EVM, 'network', 'data'],
  ETHEREUM_ERC20_TRANSACTION: [...EVM, 'network'],
  GO_TRANSACTION: [...EVM, 'data'],
  GOCHAIN_GO20_TRANSACTION: EVM,
  VET_TRANSACTION: [...VET, 'clauses.data'],
  VTHO_TRANSACTION: VET,
  VECHAIN_VIP180_TRANSACTION: VET,
  TRX_TRANSACTION: ['pincode', 'data'],
  TRC10_TRANSACTION: ['pincode'],
  TRON_CONTRACT_EXECUTION: ['pincode'],
  BTC_TRANSACTION: ['pincode', 'data', 'feePerByte'],
  LTC_TRANSACTION: ['pincode', 'data', 'feePerKiloByte'],
  AE_TRANSACTION: ['pincode', 'data', 'nonce'],
};

/** Names of the null fields; `data` counts even if the call fills it in. */
function open(native: Body): string[] {
  return Object.entries(native).flatMap(([name, value]) => {
    if (value === null || name === 'data') return [name];
    if (name === 'clauses')
      return (value as Body[]).flatMap((clause) => open(clause).map((at) => `${name}.${at}`));
    return [];
  });
}

function withoutNulls(native: Body): unknown {
  return JSON.parse(JSON.stringify(native, (_name, value) => value ?? undefined));
}

function amountsOf({ value, clauses }: Body): unknown[] {
  return clauses ? (clauses as Body[]).map(({ amount }) => amount) : [value];
}

const TYPES = ['TRANSFER', 'GAS_TRANSFER', 'TOKEN_TRANSFER', 'NFT_TRANSFER', 'CONTRACT_EXECUTION'];

for (const secretType of SECRET_TYPES)
  test(`${secretType} builds its types, and refuses the others`, async () => {
    const payloads = await loadPayloads(secretType);
    for (const type of TYPES) {
      const expected = NATIVE[secretType][type];
      if (!expected) {
        assert.equal(await refused(body(type, secretType)), '400 chain.not-supported', type);
        continue;
      }
      const native = await built(body(type, secretType));
      assert.equal(native['type'], expected, type);
      assert.equal(native['walletId'], wallets[secretType].id);
      // It can be executed as it is; open fields are filled in then.
      assert.deepEqual(payloads.parse(native), payloads.parse(withoutNulls(native)), type);
      assert.deepEqual(open(native), OPEN[expected], expected);
      for (const amount of amountsOf(native)) assert.match(amount as string, /^\d+$/, type);
    }
  });

test('NEO is a value of the interface, but not a supported chain', async () => {
  assert.equal(
    await refused({ ...body('TRANSFER', 'ETHEREUM'), secretType: 'NEO' }),
    '400 chain.not-supported',
  );
});

test('amounts are exact: coins and tokens in decimals, a call in smallest units', async () => {
  const coin = await built(body('TRANSFER', 'ETHEREUM', { value: '1.000000000000000001', data: '0x' }));
  assert.deepEqual(coin, {
    type: 'ETH_TRANSACTION',
    walletId: wallets.ETHEREUM.id,
    pincode: null,
    gasPrice: null,
    gas: null,
    nonce: null,
    network: null,
    value: '1000000000000000001',
    to: coin['to'],
    data: null,
  });
  assert.equal((await built(body('TOKEN_TRANSFER', 'ETHEREUM')))['value'], '1500000');
  assert.equal((await built(body('CONTRACT_EXECUTION', 'ETHEREUM', { value: 5 })))['value'], '5');
  assert.equal((await built(body('CONTRACT_EXECUTION', 'ETHEREUM', { value: null })))['value'], '0');
  assert.equal((await built(body('TRANSFER', 'BITCOIN', { value: 0.00001 })))['value'], '1000');
});

test('every invalid field is named', async () => {
  const transfer = (more: Body) => refused(body('TRANSFER', 'ETHEREUM', more));
  assert.equal(await transfer({ value: -1 }), '400 request.invalid value');
  assert.equal(await transfer({ value: '0.0000000000000000001' }), '400 request.invalid value');
  assert.equal(await transfer({ to: to.BITCOIN }), '400 request.invalid to');
  assert.equal(await transfer({ colour: 'red' }), '400 request.invalid colour');
  assert.equal(await transfer({ secretType: 'VECHAIN', to: to.VECHAIN }), '400 request.invalid secretType');
  assert.equal(await transfer({ to: 'nobody@shop.example' }), '404 recipient.unknown');
  assert.equal(await transfer({ walletId: 'unknown' }), '403 wallet.forbidden');
  const network = { name: 'Mine', nodeUrl: ethereum.url };
  assert.equal(await refused(body('TRANSFER', 'VECHAIN', { network })), '400 request.invalid network');
});

test('a memo goes with a token or a call on Tron, and is refused elsewhere', async () => {
  for (const type of ['TOKEN_TRANSFER', 'CONTRACT_EXECUTION']) {
    const native = await built(body(type, 'TRON', { memo: 'Order 7' }));
    assert.equal(native['memo'], '0x4f726465722037', type);
    assert.equal('memo' in (await built(body(type, 'TRON', { memo: null }))), false, type);
    for (const secretType of ['ETHEREUM', 'GOCHAIN', 'VECHAIN'] as const)
      assert.equal(await refused(body(type, secretType, { memo: 'Order 7' })), '400 request.invalid memo');
  }
  assert.equal(await refused(body('TRANSFER', 'TRON', { memo: 'Order 7' })), '400 request.invalid memo');
});

test('the holder of a token is named by wallet address or id', async () => {
  const holder = wallets.GOCHAIN;
  const order = { pincode: PIN, secretType: 'ETHEREUM', walletType: 'WHITE_LABEL' };
  const vault = (await (await service.post('/api/wallets', order, shop)).json()) as Wallet;
  const data = async (more: Body) => (await built(body('NFT_TRANSFER', 'ETHEREUM', more)))['data'];
  assert.equal(await data({ from: vault.id }), await data({ from: vault.address }));
  assert.notEqual(await data({ from: vault.id }), await data({}));
  assert.equal(await data({ from: null }), await data({ from: wallets.ETHEREUM.id }));
  const no = (from: string) => refused(body('NFT_TRANSFER', 'ETHEREUM', { from }));
  assert.equal(await no(holder.id), '400 request.invalid from');
  assert.equal(await no('my wallet'), '400 request.invalid from');
  assert.equal(await no('00000000-0000-4000-8000-000000000000'), '403 wallet.forbidden');
});

test('a tokenId that is null, empty or absent is none, as a token of ERC-20 has', async () => {
  for (const secretType of ['ETHEREUM', 'GOCHAIN', 'VECHAIN', 'TRON'] as const) {
    const [none, ...others] = [null, '', undefined].map((tokenId) =>
      built(body('TOKEN_TRANSFER', secretType, { tokenId })),
    );
    for (const other of others) assert.deepEqual(await other, await none, secretType);
  }
  assert.equal(
    await refused(body('NFT_TRANSFER', 'ETHEREUM', { tokenId: '' })),
    '400 request.invalid tokenId',
  );
});

test('building needs its scope and one’s own wallet, not archived', async () => {
  const sent = body('TRANSFER', 'ETHEREUM');
  const reader = bearer((await service.tokens(['view:wallets'])).access_token);
  const stranger = bearer((await service.tokens(['sign:wallets'])).access_token);
  assert.equal(await refused(sent, reader), '403 token.scope');
  assert.equal(await refused(sent, stranger), '403 wallet.forbidden');
  await editWallet(service.service.db, wallets.ETHEREUM.id, { archived: true });
  assert.equal(await refused(sent), '409 wallet.archived');
  await editWallet(service.service.db, wallets.ETHEREUM.id, { archived: false });
});

test('a node named by the request is reached through the guard', async () => {
  const network = { name: 'Mine', nodeUrl: ethereum.url.replace('localhost', '127.0.0.1'), chainId: null };
  const requests = ethereum.node.requests.length;
  const native = await built(body('TOKEN_TRANSFER', 'ETHEREUM', { network }));
  assert.ok(ethereum.node.requests.length > requests);
  assert.deepEqual(native['network'], { ...network, nodeUrl: `${network.nodeUrl}/` });
  const to = (nodeUrl: string, more: Body = {}) =>
    refused(body('TOKEN_TRANSFER', 'ETHEREUM', { network: { name: 'Mine', nodeUrl, ...more } }));
  for (const host of ['10.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '0x0a000001', '169.254.169.254'])
    assert.equal(await to(`http://${host}/`), '400 request.invalid network.nodeUrl', host);
  assert.equal(await to('file:///etc/passwd'), '400 request.invalid network.nodeUrl');
  assert.equal(await to('http://a:b@node.example/'), '400 request.invalid network.nodeUrl');
  assert.equal(await to('http://127.0.0.1:9/'), '502 node.unreachable');
  // Even if the build needs nothing else from the node.
  for (const type of ['TRANSFER', 'TOKEN_TRANSFER', 'NFT_TRANSFER', 'CONTRACT_EXECUTION']) {
    const on = (chainId: number) => body(type, 'ETHEREUM', { network: { ...network, chainId } });
    assert.equal(await refused(on(5)), '400 request.invalid network.chainId', type);
    assert.equal(((await built(on(CHAIN_ID)))['network'] as Body)['chainId'], CHAIN_ID, type);
  }
});
