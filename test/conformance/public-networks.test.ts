/** The presets of `networks.json`, and the file that operators can start from, which names all of them. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { AbiCoder } from 'ethers';
import { checkPreset, isConfirmed, summaryOf } from '../../scripts/check-presets.ts';
import { readNetworks } from '../../service/networks/networks-file.ts';
import { presetNames, readPreset } from '../../service/networks/presets.ts';
import { PUBLIC_NETWORKS } from '../../demo/networks/networks.ts';
import { coinOf } from '../../src/chains/secret-type.ts';
import { chainName } from '../../src/chains/evm/well-known.ts';
import { loadChain, SECRET_TYPES } from '../../src/chains/index.ts';
import { activeNetwork } from '../../src/chains/nodes/networks.ts';
import { entriesOf } from '../../src/swaps/entry.ts';

test('there is a live and a test network of every chain, each with nodes that its wallets can check', () => {
  for (const secretType of SECRET_TYPES) {
    const own = PUBLIC_NETWORKS.networks.filter((network) => network.secretType === secretType);
    // Wallets use the first one.
    assert.equal(own[0]?.kind, 'mainnet', secretType);
    assert.ok(
      own.some(({ kind }) => kind === 'testnet'),
      secretType,
    );
    for (const { id, nodes, explorer, genesis, chainId } of own) {
      assert.ok(nodes.length > 0 && nodes.every((url) => url.startsWith('https://')), id);
      assert.ok(explorer?.endsWith('/'), id);
      assert.ok(genesis !== undefined || chainId !== undefined, id);
    }
  }
  const ids = PUBLIC_NETWORKS.networks.map(({ id }) => id);
  assert.deepEqual(ids.toSorted(), presetNames(), 'the file to start from names every preset once');
  assert.deepEqual(PUBLIC_NETWORKS.reported, []);
});

test('each preset is named like its file, and says where its facts are from and whether nodes confirmed them', () => {
  for (const name of presetNames()) {
    const { id, source, date, checked } = readPreset(name);
    assert.equal(id, name);
    assert.ok(source.length > 0 && source.every((from) => from.startsWith('https://')), name);
    assert.match(date, /^\d{4}-\d\d-\d\d$/, name);
    assert.match(checked, /^(\d{4}-\d\d-\d\d|not verified)$/, name);
  }
});

test('tokens and contracts are at addresses of their chains', async () => {
  for (const network of PUBLIC_NETWORKS.networks) {
    const chain = await loadChain(network.secretType);
    const listed = network.tokens.map(({ address }) => address.toLowerCase());
    assert.equal(new Set(listed).size, listed.length, network.id);
    for (const { address, symbol } of network.tokens)
      assert.ok(chain.isAddress(address, network.kind), `${network.id} ${symbol}`);
    for (const { factory, router, wrapped, bases } of entriesOf(network))
      for (const address of [factory, router, wrapped, ...bases])
        assert.ok(chain.isAddress(address), `${network.id} ${address}`);
  }
});

test('coins are called as the wallet calls those of chain ids that no file lists', () => {
  for (const network of PUBLIC_NETWORKS.networks)
    if (network.secretType === 'ETHEREUM' && network.kind === 'mainnet')
      assert.equal(coinOf(network).symbol, chainName(network.chainId!)?.symbol ?? 'ETH', network.id);
});

describe('a networks.json', () => {
  let folder: string;
  before(() => (folder = mkdtempSync(join(tmpdir(), 'carabiner-presets-'))));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const read = (file: object) => {
    const path = join(folder, 'networks.json');
    writeFileSync(path, JSON.stringify(file));
    return readNetworks(path);
  };
  const own = {
    id: 'own',
    secretType: 'ETHEREUM',
    name: 'Own',
    kind: 'testnet',
    chainId: 777,
    nodes: ['https://own.example'],
  };

  test('has the networks of its presets, then its own; an entry replaces fields of the preset with its id', () => {
    const nodes = ['https://base.example'];
    const networks = read({
      site: 'example.com',
      presets: ['base', 'ethereum', 'tron'],
      networks: [
        own,
        { id: 'ethereum', tokens: [], coin: { symbol: 'XETH', decimals: 18 } },
        { id: 'base', nodes },
      ],
    });
    assert.deepEqual(
      networks.networks.map(({ id }) => id),
      ['base', 'ethereum', 'tron', 'own'],
    );
    assert.equal(activeNetwork(networks, 'ETHEREUM').id, 'base', 'the first preset is the default network');
    const [base, ethereum] = networks.networks;
    const { source: _, date: __, checked: ___, ...preset } = readPreset('base');
    assert.deepEqual(base, {
      ...preset,
      tokens: preset.tokens.map((token) => ({ ...token, logo: '' })),
      nodes,
    });
    assert.deepEqual([ethereum?.tokens, ethereum && coinOf(ethereum).symbol], [[], 'XETH']);
    assert.equal(ethereum?.explorer, readPreset('ethereum').explorer);
    assert.deepEqual(Object.keys(networks).sort(), ['customNodes', 'networks', 'reported', 'site']);
    assert.deepEqual(
      read({ presets: ['gnosis'] }).networks.map(({ id }) => id),
      ['gnosis'],
      'networks may be absent',
    );
  });

  test('has networks of one chain whose names look alike with their ids', () => {
    const names = ['Own', 'Ꭰwn', 'ΟWN', 'Own 2', 'Owner'];
    const { networks } = read({
      presets: ['base', 'tron'],
      networks: [
        ...names.map((name, index) => ({ ...own, id: `own-${index}`, name, chainId: 777 + index })),
        { ...own, id: 'base-2', name: 'Ваse', chainId: 84 },
        { ...own, id: 'tron-2', secretType: 'GOCHAIN', name: 'Tron mainnet' },
      ],
    });
    assert.deepEqual(
      networks.map(({ name }) => name),
      [
        'Base (base)',
        'Tron mainnet',
        'Own (own-0)',
        'Ꭰwn',
        'ΟWN (own-2)',
        'Own 2',
        'Owner',
        'Ваse (base-2)',
        'Tron mainnet',
      ],
    );
  });

  for (const [what, file, message] of [
    ['an unknown preset', { presets: ['bse'] }, /there is no preset “bse”; there are aeternity, .*, base, /],
    ['a path', { presets: ['../../package'] }, /there is no preset “\.\.\/\.\.\/package”/],
    ['a preset twice', { presets: ['base', 'base'] }, /presets has “base” twice/],
    ['no list', { presets: 'base' }, /presets must be a list of names/],
    [
      'two entries for one preset',
      { presets: ['base'], networks: [{ id: 'base' }, { id: 'base' }] },
      /networks has “base” twice/,
    ],
    [
      'another network under the id of a preset',
      { presets: ['base'], networks: [{ id: 'base', chainId: 84532 }] },
      /chainId of the network “base” is 84532, but the preset with this id is of 8453: leave the field out/,
    ],
    [
      'another genesis',
      { presets: ['tron'], networks: [{ id: 'tron', genesis: '00' }] },
      /genesis of the network “tron” is "00"/,
    ],
    [
      'an invalid field',
      { presets: ['base'], networks: [own, { id: 'base', nodes: ['ftp://x'] }] },
      /networks\.base\.nodes/,
    ],
    [
      'an entry of its own that lacks a field',
      { presets: ['base'], networks: [{ id: 'bas' }] },
      /networks\.bas\.secretType/,
    ],
    [
      'a coin of 6 decimals',
      { networks: [{ ...own, coin: { symbol: 'SIX', decimals: 6 } }] },
      /networks\[0\]\.coin\.decimals/,
    ],
    [
      'a coin without a symbol',
      { networks: [{ ...own, coin: { symbol: '' } }] },
      /networks\[0\]\.coin\.symbol/,
    ],
    ['a tip that is no number', { networks: [{ ...own, minTip: '25 gwei' }] }, /networks\[0\]\.minTip/],
    [
      'a coin of a chain that is no EVM',
      { presets: ['tron'], networks: [{ id: 'tron', coin: { symbol: 'POL' } }] },
      /coin of tron: is only for ETHEREUM and GOCHAIN/,
    ],
  ] as const)
    test(`with ${what} is refused by name`, () => {
      assert.throws(() => read(file), message);
    });
});

describe('npm run check-presets', () => {
  let server: Server;
  let url: string;
  let genesis: string;
  let chainId: number;
  let missing: string | undefined;
  let symbol: string | undefined;

  const base = readPreset('base');
  const word = (hex: string) => `0x${hex.slice(2).toLowerCase().padStart(64, '0')}`;

  function answerOf(method: string, params: readonly any[]): unknown {
    const [{ entry }] = [{ entry: entriesOf(base)[0]! }];
    if (method === 'eth_chainId') return `0x${chainId.toString(16)}`;
    if (method === 'eth_getBalance') return '0x0';
    if (method === 'eth_getCode') return params[0] === missing ? '0x' : '0x60';
    const { to, data } = params[0] as { to: string; data: string };
    const token = base.tokens.find(({ address }) => address === to);
    if (data.startsWith('0x313ce567')) return word(`0x${token!.decimals.toString(16)}`);
    if (data.startsWith('0x95d89b41'))
      return AbiCoder.defaultAbiCoder().encode(['string'], [symbol ?? token!.symbol]);
    return word(data.startsWith('0xc45a0155') ? entry.factory : entry.wrapped);
  }

  before(async () => {
    server = createServer(async (request, response) => {
      if (request.url?.startsWith('/thor')) {
        const isBlock = request.url.startsWith('/thor/blocks/');
        response.end(
          JSON.stringify(isBlock ? { id: genesis, number: 0 } : { balance: '0x0', energy: '0x0' }),
        );
        return;
      }
      let body = '';
      for await (const part of request) body += String(part);
      const calls = JSON.parse(body) as { id: number; method: string; params: unknown[] }[];
      const answers = [calls]
        .flat()
        .map(({ id, method, params }) => ({ jsonrpc: '2.0', id, result: answerOf(method, params) }));
      response.end(JSON.stringify(Array.isArray(calls) ? answers : answers[0]));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  const outcome = async (preset = { ...base, nodes: [url] }) => {
    const nodes = await checkPreset(preset);
    const { lines, status } = summaryOf(new Map([[preset.id, nodes]]));
    return { lines, status, isConfirmed: isConfirmed(nodes) };
  };

  test('confirms what the node has, and reports another network, contract or token', async () => {
    chainId = 8453;
    assert.deepEqual(await outcome(), {
      lines: [`confirmed base ${url}: chain id 8453; Multicall3; USDC; USDT; DAI; WETH; Uniswap V2`],
      status: 0,
      isConfirmed: true,
    });
    chainId = 1;
    assert.deepEqual(await outcome(), {
      lines: [`wrong     base ${url}: The node answers for chain id 1, not 8453. It was not used.`],
      status: 1,
      isConfirmed: false,
    });
    chainId = 8453;
    missing = base.multicall;
    assert.match((await outcome()).lines[0]!, /^wrong .*Multicall3 0xcA11\w+ has no code$/);
    missing = undefined;
    symbol = 'FAKE';
    assert.match(
      (await outcome()).lines[0]!,
      /^wrong .*USDC 0x8335\w+ answers FAKE with 6 decimals, not USDC with 6/,
    );
    symbol = undefined;
    const entry = entriesOf(base)[0]!;
    const other = { ...base, nodes: [url], exchanges: [{ ...entry, wrapped: base.tokens[0]!.address }] };
    assert.match(
      (await outcome(other)).lines[0]!,
      /the router’s wrapped coin of Uniswap V2 is 0x4200\w+, not 0x8335/,
    );
  });

  test('reports another genesis', async () => {
    const vechain = { ...readPreset('vechain'), tokens: [], nodes: [`${url}/thor`] };
    genesis = vechain.genesis!;
    assert.equal((await outcome(vechain)).status, 0);
    genesis = `0x${'00'.repeat(32)}`;
    const { lines, status } = await outcome(vechain);
    assert.equal(status, 1);
    assert.match(lines[0]!, /^wrong .*answers for network 0x0+, not 0x00000000851c/);
  });

  test('lists a node that does not answer, and leaves the word to the others', async () => {
    const dead = 'http://127.0.0.1:9';
    const { lines, status, isConfirmed: confirmed } = await outcome({ ...base, nodes: [dead, url] });
    assert.match(lines[0]!, /^unreached base http:\/\/127\.0\.0\.1:9: /);
    assert.match(lines[1]!, /^confirmed base /);
    assert.deepEqual([status, confirmed], [2, true]);
    assert.deepEqual((await outcome({ ...base, nodes: [dead] })).isConfirmed, false);
  });
});
