/** A balance that no node answered for is not 0: the API says that it was not read, and of which token. */
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import type { NativeBalance, TokenBalance, Wallet } from '../../src/api/wallet.ts';
import type { Network } from '../../src/chains/network.ts';
import { PIN, QUICK } from './custody-setup.ts';
import { bearer, startTested, type Tested } from './harness.ts';

const USDC = `0x${'a1'.repeat(20)}`;
const DAI = `0x${'b2'.repeat(20)}`;
const LIMIT = { code: 429, message: 'Your app has exceeded its compute units per second capacity.' };

/** What the node is over its limit for: the coin, or a token in lower case. */
const over = new Set<string>();
let node: Server;
let service: Tested;
let shop: Record<string, string>;
let wallet: Wallet;

interface Asked {
  id: number;
  method: string;
  params: [{ to?: string }];
}

function answer({ id, method, params }: Asked): object {
  if (method === 'eth_chainId') return { jsonrpc: '2.0', id, result: '0x7a69' };
  const of = method === 'eth_call' ? params[0].to!.toLowerCase() : 'coin';
  if (over.has(of)) return { jsonrpc: '2.0', id, error: LIMIT };
  return { jsonrpc: '2.0', id, result: `0x${'5'.padStart(64, '0')}` };
}

before(async () => {
  node = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      const asked = JSON.parse(body) as Asked | Asked[];
      response.end(JSON.stringify(Array.isArray(asked) ? asked.map(answer) : answer(asked)));
    });
  });
  await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve));
  const token = (address: string, symbol: string) => ({
    address,
    symbol,
    name: symbol,
    decimals: 6,
    logo: '',
  });
  const network: Network = {
    id: 'local',
    secretType: 'ETHEREUM',
    name: 'Local',
    kind: 'local',
    chainId: 31337,
    nodes: [`http://127.0.0.1:${(node.address() as AddressInfo).port}`],
    tokens: [token(USDC, 'USDC'), token(DAI, 'DAI')],
  };
  service = await startTested(
    { networks: { customNodes: false, reported: [], networks: [network] } },
    { pins: { cost: QUICK } },
  );
  shop = bearer((await service.tokens(['whitelabel', 'view:wallets'])).access_token);
  const order = { pincode: PIN, secretType: 'ETHEREUM', walletType: 'WHITE_LABEL' };
  wallet = (await (await service.post('/api/wallets', order, shop)).json()) as Wallet;
});
after(async () => {
  await service?.close();
  node?.close();
});

const get = (path: string): Promise<Response> => service.get(`/api/wallets/${wallet.id}/${path}`, shop);

async function raws(response: Response): Promise<string[]> {
  assert.equal(response.status, 200);
  return ((await response.json()) as TokenBalance[]).map(
    ({ symbol, rawBalance }) => `${symbol} ${rawBalance}`,
  );
}

test('a limit of the node is no balance of 0', async () => {
  over.add('coin');
  const { available } = (await (await get('balance')).json()) as NativeBalance;
  assert.equal(available, false);
  over.clear();
  const read = (await (await get('balance')).json()) as NativeBalance;
  assert.deepEqual([read.available, read.rawBalance], [true, '5']);
});

test('an unread token is named, and the others are there for who asks for a part', async () => {
  const whole = await get('balance/tokens?partial=true');
  assert.equal(whole.headers.get('carabiner-partial'), null);
  assert.deepEqual(await raws(whole), ['USDC 5', 'DAI 5']);
  over.add(DAI);
  for (const path of ['balance/tokens', 'balance/tokens?partial=false', `balance/tokens/${DAI}`]) {
    const refused = await get(path);
    assert.equal(refused.status, 502, path);
    const { code, details, detail } = (await refused.json()) as {
      code: string;
      detail: string;
      details: { tokens: string[] };
    };
    assert.equal(code, 'node.unreachable');
    assert.deepEqual(details.tokens, [DAI]);
    assert.match(detail, new RegExp(DAI));
  }
  const part = await get('balance/tokens?partial=true');
  assert.equal(part.headers.get('carabiner-partial'), DAI);
  assert.deepEqual(await raws(part), ['USDC 5']);
  assert.deepEqual(await raws(await get('balance/tokens?partial=true')), ['USDC 5']);
});

test('is an error if no token was read', async () => {
  over.add(USDC).add(DAI);
  assert.equal((await get('balance/tokens?partial=true')).status, 502);
  assert.equal((await get('balance/tokens?partial=yes')).status, 400);
});
