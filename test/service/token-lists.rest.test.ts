/** Token lists in the standard format, from files and a local server. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { startFrameServer } from '../../service/frame-server.ts';
import { readNetworks } from '../../service/networks/networks-file.ts';
import { readRange } from '../../service/outbound/addresses.ts';
import { Outbound } from '../../service/outbound/outbound.ts';
import { TokenLists } from '../../service/networks/token-lists.ts';
import type { Networks, Token } from '../../src/chains/network.ts';
import { startTested } from './harness.ts';

const TETHER = '0xdAC17F958D2ee523a2206206994597C13D831ec7';
const DOLLAR = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';

const entry = (more: Record<string, unknown> = {}) => ({
  chainId: 1,
  address: TETHER.toLowerCase(),
  symbol: 'USDT',
  name: 'Tether USD',
  decimals: 6,
  logoURI: 'https://tokens.example/usdt.png',
  ...more,
});
const list = (...tokens: unknown[]) => ({
  name: 'Test list',
  timestamp: '2026-01-01T00:00:00+00:00',
  version: { major: 1, minor: 0, patch: 0 },
  tokens,
});

let folder: string;
let web: Server;
let url: string;
/** The server's response; undefined cuts the connection. */
let served: string | undefined;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'carabiner-lists-'));
  web = createServer((_request, response) => {
    if (served === undefined) response.destroy();
    else response.end(served);
  });
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(web.address() as AddressInfo).port}/list.json`;
});
beforeEach(() => (served = JSON.stringify(list(entry()))));
after(() => {
  web.close();
  web.closeAllConnections();
  rmSync(folder, { recursive: true, force: true });
});

function write(name: string, content: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

const own: Token = { address: DOLLAR, symbol: 'USDC', name: 'USD Coin', decimals: 6, logo: '' };

function networksFile(more: Record<string, unknown>): string {
  const network = {
    id: 'ethereum',
    secretType: 'ETHEREUM',
    name: 'Ethereum',
    kind: 'mainnet',
    chainId: 1,
    nodes: ['http://127.0.0.1:9'],
    tokens: [own],
    ...more,
  };
  return write('networks.json', { networks: [network] });
}

const tokensIn = (networks: Networks): string[] =>
  networks.networks[0]!.tokens.map(({ symbol, address }) => `${symbol} ${address}`);
const words = (read: () => unknown): string => {
  try {
    read();
  } catch (error) {
    return (error as Error).message;
  }
  return 'no error';
};

test('the chain’s tokens are added; the network’s own come first and win, and each is listed once', () => {
  write(
    'one.json',
    list(entry(), entry({ chainId: 10, address: 'any' }), entry({ address: DOLLAR, decimals: 2 })),
  );
  write(
    'two.json',
    list(
      entry({ symbol: 'FAKE' }),
      entry({ address: `0x${'ab'.repeat(20)}`, symbol: '', logoURI: undefined }),
    ),
  );
  const { networks } = readNetworks(networksFile({ tokenLists: ['one.json', './two.json'] }));
  assert.deepEqual(networks[0]!.tokens, [
    own,
    {
      address: TETHER,
      symbol: 'USDT',
      name: 'Tether USD',
      decimals: 6,
      logo: 'https://tokens.example/usdt.png',
    },
    {
      address: '0xABaBaBaBABabABabAbAbABAbABabababaBaBABaB',
      symbol: '',
      name: 'Tether USD',
      decimals: 6,
      logo: '',
    },
  ]);
  assert.ok(!('tokenLists' in networks[0]!), 'the browser has no use for the paths');
});

test('a list works for any chain with tokens, by the network’s chain id', () => {
  write('tron.json', list(entry({ chainId: 728126428, address: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t' })));
  const tron = { secretType: 'TRON', chainId: 728126428, tokens: [], tokenLists: ['tron.json'] };
  assert.deepEqual(tokensIn(readNetworks(networksFile(tron))), ['USDT TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t']);
  const bitcoin = { secretType: 'BITCOIN', tokens: [], tokenLists: ['tron.json'] };
  assert.match(
    words(() => readNetworks(networksFile(bitcoin))),
    /BITCOIN has no tokens/,
  );
  const vechain = { secretType: 'VECHAIN', genesis: '0x00', chainId: undefined, tokenLists: ['tron.json'] };
  assert.match(
    words(() => readNetworks(networksFile(vechain))),
    /need its chainId/,
  );
});

test('each invalid entry of a file is named and prevents the start', () => {
  write(
    'bad.json',
    list(
      entry(),
      entry({ decimals: 256 }),
      entry({ decimals: '6' }),
      entry({ symbol: 'US DT' }),
      entry({ symbol: '\u202eTDSU' }),
      entry({ name: 'x'.repeat(61) }),
      entry({ address: TETHER.replace('d', 'D') }),
      entry({ chainId: undefined }),
      7,
    ),
  );
  const why = words(() => readNetworks(networksFile({ tokenLists: ['bad.json'] })));
  for (const part of [
    /The token list .*bad\.json cannot be used/,
    /tokens\[1\]\.decimals: /,
    /tokens\[2\]\.decimals: /,
    /tokens\[3\]\.symbol: must not have spaces/,
    /tokens\[4\]\.symbol: /,
    /tokens\[5\]\.name: /,
    /tokens\[6\]\.address: is not an address of ETHEREUM/,
    /tokens\[7\]\.chainId: /,
    /tokens\[8\]: /,
  ])
    assert.match(why, part);
  assert.doesNotMatch(why, /tokens\[0\]/);
  for (const [content, expected] of [
    ['{', /it is not JSON/],
    [{ tokens: [] }, /it is not a token list: name: .*version: /],
    [list(...Array(10_001).fill(entry())), /it is not a token list: tokens: /],
  ] as const) {
    write('bad.json', content);
    assert.match(
      words(() => readNetworks(networksFile({ tokenLists: ['bad.json'] }))),
      expected,
    );
  }
  assert.match(
    words(() => readNetworks(networksFile({ tokenLists: ['gone.json'] }))),
    /gone\.json cannot be used/,
  );
  assert.match(
    words(() => readNetworks(networksFile({ tokenLists: ['http://tokens.example/list.json'] }))),
    /must be files or https URLs/,
  );
});

test('a list on the web is read at the start, refreshed, and kept if it becomes unreadable', async () => {
  const warnings: string[] = [];
  let changes = 0;
  const lists = await TokenLists.open(
    readNetworks(networksFile({ tokenLists: [url] })),
    new Outbound([readRange('127.0.0.1')]),
    { warn: (message) => warnings.push(message), changed: () => changes++ },
  );
  const first = [`USDC ${DOLLAR}`, `USDT ${TETHER}`];
  assert.deepEqual(tokensIn(lists.networks), first);
  assert.deepEqual([changes, warnings], [0, []]);

  for (const answer of [undefined, 'nonsense', '{"name":"x"}', `"${'x'.repeat(9_000_000)}"`]) {
    served = answer;
    await lists.refresh();
    assert.deepEqual(tokensIn(lists.networks), first);
    assert.match(warnings.at(-1)!, /cannot be used, and its tokens stay as they were/);
  }
  assert.equal(changes, 0);

  served = JSON.stringify(list(entry({ symbol: 'USDT0' }), entry({ decimals: -1, address: DOLLAR })));
  const before = lists.networks;
  await lists.refresh();
  assert.deepEqual(tokensIn(lists.networks), [`USDC ${DOLLAR}`, `USDT0 ${TETHER}`]);
  assert.match(warnings.at(-1)!, /tokens\[1\]\.decimals: .*; the entry is left out/);
  assert.notEqual(lists.networks, before);
  assert.equal(changes, 1);
  lists.stop();
});

test('without its list a network starts with its own tokens, and a private address is not requested', async () => {
  const warnings: string[] = [];
  const lists = await TokenLists.open(readNetworks(networksFile({ tokenLists: [url] })), new Outbound(), {
    warn: (message) => warnings.push(message),
  });
  assert.deepEqual(tokensIn(lists.networks), [`USDC ${DOLLAR}`]);
  assert.match(warnings.join(), /its tokens are missing: .*not on the public internet/);
  lists.stop();
});

test('the service and the frame use the same tokens', async () => {
  const networks = readNetworks(networksFile({ tokenLists: [url] }));
  const service = await startTested({ networks, outboundRanges: [readRange('127.0.0.1')] });
  const lists = await TokenLists.open(networks, new Outbound([readRange('127.0.0.1')]), { warn: () => {} });
  const frame = await startFrameServer({ dist: folder, networks: () => lists.networks, port: 0 });
  try {
    const shown = async (): Promise<string[]> =>
      tokensIn((await (await fetch(`${frame.url}/networks.json`)).json()) as Networks);
    assert.deepEqual(await shown(), [`USDC ${DOLLAR}`, `USDT ${TETHER}`]);
    assert.deepEqual(tokensIn(service.service.networks.file), await shown());
    served = JSON.stringify(list());
    await lists.refresh();
    assert.deepEqual(await shown(), [`USDC ${DOLLAR}`]);
  } finally {
    lists.stop();
    await frame.close();
    await service.close();
  }
});
