/** The non-fungible tokens of a wallet, from real ERC-721 contracts on a local Ethereum and a local metadata server. */
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { type Contract, JsonRpcProvider, type JsonRpcSigner } from 'ethers';
import { type Anvil, startAnvil } from '../../demo/networks/anvil.ts';
import { type Call, type NodeProxy, startNodeProxy } from '../../demo/networks/node-proxy.ts';
import { readRange } from '../../service/outbound/addresses.ts';
import { Outbound } from '../../service/outbound/outbound.ts';
import { Descriptions } from '../../service/wallets/descriptions.ts';
import { NonFungible } from '../../src/api/wallet.ts';
import { poll } from '../waiting.ts';
import { HASTY_MS } from './limits.ts';
import { PIN, QUICK } from './custody-setup.ts';
import { bearer, startTested, type Tested } from './harness.ts';
import { answerDescription, deploy, encoded, pngHead } from './non-fungibles-setup.ts';

let anvil: Anvil;
let provider: JsonRpcProvider;
let owner: JsonRpcSigner;
let node: NodeProxy;
let web: Server;
let base: string;
let service: Tested;
let shop: Record<string, string>;
let wallet: { id: string; address: string };

/** Paths requested from the metadata server. */
const requested: string[] = [];
/** The longest block range that the node accepts. */
let longest = Infinity;
/** How many additional blocks the node claims to have. */
let later = 0;
/** Overrides of contracts' answers, by call data prefix. */
const instead = new Map<string, string>();

let tickets: Contract;
let stamps: Contract;

/** Error code of a node that limits requests (EIP-1474). */
const REFUSED = -32005;
const TOKEN_URI = '0xc87b56dd';

async function mint(contract: Contract, to: string): Promise<void> {
  const sent = await contract.getFunction('mint')(to);
  await sent.wait();
}

before(async () => {
  web = createServer((request, response) => {
    requested.push(request.url!);
    const { status = 200, headers = {}, body = '' } = answerDescription(request.url!);
    response.writeHead(status, headers).end(body);
  });
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;

  anvil = await startAnvil();
  provider = new JsonRpcProvider(anvil.url, 31337, { staticNetwork: true, cacheTimeout: -1 });
  provider.pollingInterval = 20;
  owner = await provider.getSigner(0);
  node = await startNodeProxy({
    target: anvil.url,
    port: 0,
    refuse({ method, params }) {
      if (method !== 'eth_getLogs') return undefined;
      const [{ fromBlock, toBlock }] = params as [{ fromBlock: string; toBlock: string }];
      return Number(toBlock) - Number(fromBlock) + 1 > longest
        ? { code: REFUSED, message: 'query exceeds max block range' }
        : undefined;
    },
    alter({ method, params }, reply) {
      if (method === 'eth_blockNumber')
        return { ...reply, result: `0x${(Number(reply.result) + later).toString(16)}` };
      // Blocks that do not exist have no logs.
      if (method === 'eth_getLogs' && reply.error && reply.error.code !== REFUSED)
        return { id: reply.id, result: [] };
      const [{ data }] = (method === 'eth_call' ? params : [{ data: '' }]) as [{ data: string }];
      const text = instead.get(data) ?? instead.get(data.slice(0, 10));
      if (text === undefined) return reply;
      return { id: reply.id, result: encoded(text) };
    },
  });
  tickets = await deploy(owner, `${base}/meta/`);
  stamps = await deploy(owner, `${base}/meta/`, false);
  const networks = {
    customNodes: false,
    reported: [],
    ipfsGateway: `${base}/ipfs/`,
    networks: [
      {
        id: 'ethereum-local',
        secretType: 'ETHEREUM' as const,
        name: 'Local Ethereum',
        kind: 'local' as const,
        chainId: 31337,
        nodes: [node.url],
        tokens: [],
        nonFungibles: [{ address: String(tickets.target).toLowerCase() }],
      },
    ],
  };
  service = await startTested(
    { networks, outboundRanges: [readRange('127.0.0.1')] },
    { pins: { cost: QUICK } },
  );
  shop = bearer((await service.tokens(['whitelabel', 'view:wallets'])).access_token);
  wallet = await create();
});
after(async () => {
  await service?.close();
  provider?.destroy();
  await node?.close();
  await anvil?.close();
  web?.close();
  web?.closeAllConnections();
});

async function create(secretType = 'ETHEREUM'): Promise<{ id: string; address: string }> {
  const order = { pincode: PIN, secretType, walletType: 'WHITE_LABEL' };
  return (await (await service.post('/api/wallets', order, shop)).json()) as { id: string; address: string };
}

async function list(query = '', id = wallet.id): Promise<NonFungible[]> {
  const response = await service.get(`/api/wallets/${id}/nonfungibles${query}`, shop);
  const body = (await response.json()) as NonFungible[];
  assert.equal(response.status, 200, JSON.stringify(body));
  for (const one of body) assert.deepEqual(NonFungible.parse(one), one);
  return body;
}

async function refusal(query: string, id = wallet.id): Promise<string> {
  const response = await service.get(`/api/wallets/${id}/nonfungibles${query}`, shop);
  const { code, issues = [] } = (await response.json()) as { code: string; issues?: { path: string }[] };
  return [response.status, code, ...issues.map(({ path }) => path)].join(' ');
}

const only = (...contracts: Contract[]): string =>
  `?${contracts.map(({ target }) => `contract-addresses=${String(target)}`).join('&')}`;

test('tokens of the network’s listed contracts have every field, whatever their metadata contains', async () => {
  assert.deepEqual(await list(), []);
  for (let i = 0; i < 9; i++) await mint(tickets, wallet.address);
  await mint(tickets, owner.address);
  instead.set(TOKEN_URI + '8'.padStart(64, '0'), 'ipfs://ipfs/bafkqaaa/8');
  const contract = {
    name: 'Demo Ticket',
    description: '',
    address: String(tickets.target),
    symbol: 'TICKET',
    url: '',
    imageUrl: '',
    type: 'ERC_721',
  };
  const plain = (id: number, more: Partial<NonFungible> = {}): NonFungible => ({
    id: String(id),
    tokenId: String(id),
    owner: wallet.address,
    name: '',
    description: '',
    url: '',
    backgroundColor: null,
    imageUrl: '',
    imagePreviewUrl: null,
    imageThumbnailUrl: null,
    contract,
    ...more,
  });
  const first = plain(0, {
    name: 'Ticket 0',
    description: 'Row 1,\nseat 2',
    url: 'https://tickets.example/0',
    backgroundColor: '#ff8800',
    imageUrl: `${base}/ipfs/bafkqaaa/0.png`,
    imagePreviewUrl: 'https://tickets.example/0-512.png',
    imageThumbnailUrl: 'https://tickets.example/0-128.png',
  });
  assert.deepEqual(await list(), [
    first,
    plain(1),
    plain(2),
    plain(3),
    plain(4),
    plain(5, { name: 'ab' }),
    plain(6, { name: 'Moved' }),
    plain(7),
    plain(8, { name: 'By the gateway' }),
  ]);
  // The first URL and three redirects.
  assert.equal(requested.filter((path) => path === '/meta/3').length, 4);

  const before = requested.length;
  assert.equal((await list()).length, 9);
  assert.equal(requested.length, before, 'metadata is cached for a while');
});

test('a contract that is not enumerable is searched for transfers, and a token passed on is not listed', async () => {
  const other = await create();
  const id = other.id;
  assert.deepEqual(await list(only(stamps), id), []);
  for (let i = 0; i < 3; i++) await mint(stamps, other.address);
  await mint(stamps, owner.address);
  const numbers = async (query: string): Promise<string[]> =>
    (await list(query, id)).map(({ tokenId }) => tokenId).sort();
  assert.deepEqual(await numbers(only(stamps)), ['0', '1', '2']);

  await provider.send('anvil_impersonateAccount', [other.address]);
  await provider.send('anvil_setBalance', [other.address, '0xde0b6b3a7640000']);
  const holder = await provider.getSigner(other.address);
  const contract = stamps.connect(holder) as Contract;
  await (await contract.getFunction('transferFrom')(other.address, owner.address, 1)).wait();
  assert.deepEqual(await numbers(only(stamps)), ['0', '2']);
  // Together with the network's listed contract, each once.
  await mint(tickets, other.address);
  const both = await list(`${only(stamps, tickets, stamps)}`, id);
  assert.deepEqual(
    both.map(({ contract: { address } }) => address).sort(),
    [stamps.target, stamps.target, tickets.target].sort(),
  );
});

test('a node that refuses long ranges gets shorter ones, up to a limit', async () => {
  const other = await create();
  await mint(stamps, other.address);
  await mint(stamps, other.address);
  later = 6_000;
  const searches = async (): Promise<[number, number]> => {
    const seen = node.requests.length;
    const found = await list(only(stamps), other.id);
    const calls = node.requests.slice(seen).flat();
    return [found.length, calls.filter(({ method }: Call) => method === 'eth_getLogs').length];
  };
  assert.deepEqual(await searches(), [2, 1]);
  longest = 2_000;
  // Refused for the whole chain, 100,000 and 10,000 blocks, then 2,000 at a time.
  assert.deepEqual(await searches(), [2, 7]);
  longest = 100;
  assert.deepEqual(await searches(), [0, 5]);
  assert.ok(service.log.some((line) => line.includes('were not all found')));
  longest = Infinity;
  later = 0;
});

test('on-chain metadata is read from the contract', async () => {
  const other = await create();
  const contract = await deploy(owner, 'x');
  for (let i = 0; i < 4; i++) await mint(contract, other.address);
  const json = JSON.stringify({ name: 'é 100%', image: 'data:image/svg+xml;base64,PHN2Zy8+' });
  const at = (i: number): string => TOKEN_URI + String(i).padStart(64, '0');
  instead.set(at(0), `data:application/json;base64,${Buffer.from(json).toString('base64')}`);
  instead.set(at(1), `data:application/json;utf8,${json}`);
  instead.set(at(2), `data:application/json,${encodeURIComponent(json)}`);
  // More than the node client accepts, and than metadata may have.
  instead.set(at(3), `data:application/json,{"name":"${'x'.repeat(3_000_000)}"}`);
  const found = await list(only(contract), other.id);
  assert.deepEqual(
    found.map(({ name, imageUrl }) => [name, imageUrl]),
    [...Array(3).fill(['é 100%', 'data:image/svg+xml;base64,PHN2Zy8+']), ['', '']],
  );
  for (let i = 0; i < 4; i++) instead.delete(at(i));
});

test('a contract that is not ERC-721 adds nothing, and an invalid address is named', async () => {
  assert.deepEqual(await list(`?contract-addresses=${owner.address}`), []);
  assert.equal(await refusal('?contract-addresses=0x12'), '400 request.invalid contract-addresses');
  assert.equal(
    await refusal(`${only(tickets)}&contract-addresses=nonsense&contract-addresses=T1`),
    '400 request.invalid contract-addresses.1 contract-addresses.2',
  );
  assert.equal(await refusal('?contract=0x12'), '400 request.invalid contract');
  assert.equal(await refusal('', (await create('BITCOIN')).id), '400 chain.not-supported');
  assert.equal(await refusal('', '00000000-0000-4000-8000-000000000000'), '403 wallet.forbidden');
  node.down = true;
  assert.equal(await refusal(''), '502 node.unreachable');
  node.down = false;
});

test('a contract with an oversized answer does not affect the others', async () => {
  instead.set('0x06fdde03', 'x'.repeat(3_000_000));
  assert.deepEqual(await list(only(tickets, stamps)), []);
  instead.clear();
  assert.equal((await list(only(tickets))).length, 9);
});

test('metadata on a private address is never requested', async () => {
  const guarded = new Descriptions(new Outbound(), 'https://ipfs.example/ipfs/');
  const port = new URL(base).port;
  const hosts = [
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f.1',
    '0177.0.0.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    'localhost',
  ];
  const before = requested.length;
  const found = await guarded.read(
    hosts.map((host) => `http://${host}:${port}/meta/0`),
    5_000,
  );
  assert.ok(found.every(({ name }) => name === ''));
  assert.equal(requested.length, before);
});

test('a metadata server that hangs does not delay the other tokens', async () => {
  const silent = createServer(() => {});
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as AddressInfo;
  const descriptions = new Descriptions(new Outbound([readRange('127.0.0.1')]), `${base}/ipfs/`);
  // Read in any of several looks: on a busy machine one may be over before the other server has answered.
  const found = await poll(async () => {
    const read = await descriptions.read([`http://127.0.0.1:${port}/`, `${base}/meta/0`], HASTY_MS);
    return read[1]!.name !== '' && read;
  }, 'the other token');
  assert.deepEqual(
    found.map(({ name }) => name),
    ['', 'Ticket 0'],
  );
  silent.close();
  silent.closeAllConnections();
});

test('pictures of listed contracts are served with the type of their bytes, and nothing else is served', async () => {
  const at = (id: number): string => TOKEN_URI + id.toString(16).padStart(64, '0');
  const picture = (id: number | string, contract = tickets.target) =>
    service.get(`/pictures/ethereum-local/${String(contract)}/${id}`);
  const paths = ['ok', 'wide', 'heavy', 'svg', 'inside', 'none'];
  for (const [i, path] of paths.entries())
    instead.set(at(100 + i), `data:application/json,{"image":"ipfs://bafkpic/${path}"}`);
  const inline = `data:image/png;base64,${pngHead(2, 2).toString('base64')}`;
  instead.set(at(110), `data:application/json,{"image":"${inline}"}`);

  const before = requested.length;
  for (const response of [await picture(100), await picture(100, String(tickets.target).toLowerCase())]) {
    assert.equal(response.status, 200);
    assert.deepEqual(Buffer.from(await response.arrayBuffer()), pngHead(512, 512));
    const { headers } = response;
    assert.equal(headers.get('content-type'), 'image/png');
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.equal(headers.get('content-security-policy'), "default-src 'none'; sandbox");
    assert.equal(headers.get('cross-origin-resource-policy'), 'cross-origin');
    assert.equal(headers.get('access-control-allow-origin'), '*');
    assert.equal(headers.get('cache-control'), 'public, max-age=86400');
  }
  assert.equal(requested.length, before + 1, 'it is fetched once');
  assert.equal((await picture(110)).status, 200);

  for (const [i, path] of paths.entries()) if (i) assert.equal((await picture(100 + i)).status, 404, path);
  const requests = node.requests.length;
  for (const response of [
    await picture(100, stamps.target),
    await picture('0x64'),
    await picture('1'.repeat(79)),
    await picture('9'.repeat(78)),
    await service.get(`/pictures/other/${String(tickets.target)}/100`),
  ])
    assert.equal(response.status, 404);
  assert.equal(node.requests.length, requests, 'no node is asked about an unlisted contract');
});

test('the names of several tokens come in one answer, for listed contracts only', async () => {
  const at = (id: number): string => TOKEN_URI + id.toString(16).padStart(64, '0');
  instead.set(at(200), 'data:application/json,{"name":"Seat\u202e 200"}');
  instead.set(at(201), 'data:application/json,{}');
  const names = (tokens: string, contract = tickets.target, network = 'ethereum-local') =>
    service.get(`/pictures/${network}/${String(contract)}?tokens=${tokens}`);
  const answer = await names('200,201,200');
  assert.equal(answer.status, 200);
  assert.deepEqual(await answer.json(), { 200: 'Seat 200' });
  assert.equal(answer.headers.get('access-control-allow-origin'), '*');
  assert.equal(answer.headers.get('cache-control'), 'public, max-age=300', 'one is not described yet');
  assert.equal((await names('200')).headers.get('cache-control'), 'public, max-age=3600');
  const requests = node.requests.length;
  for (const response of [
    await names('200', stamps.target),
    await names('200', tickets.target, 'other'),
    await names(''),
    await names('0xc8'),
    await names('9'.repeat(78)),
    await names('2&tokens=3'),
    await names(Array.from({ length: 51 }, (_, i) => i).join()),
  ])
    assert.equal(response.status, 404);
  assert.equal(node.requests.length, requests, 'no node is asked');
});
