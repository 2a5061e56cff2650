/** Exchanges between chains in `networks.json`: what stops the start, and what the wallet may then connect to. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { frameHeaders } from '../../service/frame-headers.ts';
import { readNetworks } from '../../service/networks/networks-file.ts';

const USDC = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
const USDT = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
const token = (address: string) => ({ address, symbol: 'USD', name: 'Dollars', decimals: 6 });

const NETWORKS = [
  { id: 'bitcoin', secretType: 'BITCOIN', name: 'Bitcoin', kind: 'mainnet', nodes: [] },
  {
    id: 'ethereum',
    secretType: 'ETHEREUM',
    name: 'Ethereum',
    kind: 'mainnet',
    nodes: [],
    tokens: [token(USDC)],
  },
  { id: 'sepolia', secretType: 'ETHEREUM', name: 'Sepolia', kind: 'testnet', nodes: [] },
  { id: 'tron', secretType: 'TRON', name: 'Tron', kind: 'mainnet', nodes: [], tokens: [token(USDT)] },
  { id: 'vechain', secretType: 'VECHAIN', name: 'VeChain', kind: 'mainnet', nodes: [] },
];
const NODES = [
  { url: 'https://thornode.first.example/v1', operator: 'First' },
  { url: 'https://second.example', operator: 'Second' },
];
const ROUTERS = [{ network: 'ethereum', address: `0x${'d3'.repeat(20)}`, codeHash: `0x${'ab'.repeat(32)}` }];
const BTC = { network: 'bitcoin', name: 'BTC.BTC' };
const ASSETS = [
  BTC,
  { network: 'ethereum', name: 'ETH.ETH' },
  { network: 'ethereum', token: USDC, name: `ETH.USDC-${USDC.toUpperCase()}` },
  { network: 'tron', token: USDT, name: `TRON.USDT-${USDT.toUpperCase()}` },
];
const ENTRY = { kind: 'thorchain', name: 'THORChain', nodes: NODES, routers: ROUTERS, assets: ASSETS };

let folder: string;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'carabiner-cross-chain-'));
});
after(() => rmSync(folder, { recursive: true, force: true }));

function read(...crossChain: object[]) {
  const path = join(folder, 'networks.json');
  writeFileSync(path, JSON.stringify({ networks: NETWORKS, ...(crossChain.length > 0 && { crossChain }) }));
  return readNetworks(path);
}

test('there is none by default, and the wallet may connect to the nodes of those that are listed', () => {
  const policyOf = (networks: ReturnType<typeof read>): string =>
    /connect-src [^;]*/.exec(frameHeaders({ networks })['Content-Security-Policy']!)![0];
  assert.doesNotMatch(policyOf(read()), /example/);
  const policy = policyOf(read(ENTRY));
  assert.match(policy, / https:\/\/thornode\.first\.example(?: |$)/);
  assert.match(policy, / https:\/\/second\.example(?: |$)/);
});

test('names and machines of the own computer count as several nodes', () => {
  const local = ['http://localhost:1317', 'http://127.0.0.1:1318'].map((url, i) => ({
    url,
    operator: `${i}`,
  }));
  assert.doesNotThrow(() => read({ ...ENTRY, nodes: local }));
});

const changed = (list: object[], at: number, change: object): object[] =>
  list.with(at, { ...list[at], ...change });
const node = (url: string, operator = 'Third') => ({ nodes: [...NODES, { url, operator }] });

const refused: [name: string, change: object, why: RegExp][] = [
  ['kind', { kind: 'maya' }, /crossChain\.0\.kind must be one of thorchain$/m],
  ['name', { name: ' ' }, /crossChain\.0\.name must be words/],
  ['single node', { nodes: NODES.slice(0, 1) }, /crossChain\.0\.nodes/],
  [
    'operator twice',
    node('https://third.example', 'first'),
    /crossChain\.0\.nodes\.2\.operator is the one of nodes\.0/,
  ],
  [
    'domain twice',
    node('https://b.second.example'),
    /crossChain\.0\.nodes\.2\.url has the domain of nodes\.1/,
  ],
  ['plain http', node('http://third.example'), /crossChain\.0\.nodes\.2\.url must be an https URL/],
  ['query', node('https://third.example/?key=1'), /crossChain\.0\.nodes\.2\.url must be an https URL/],
  [
    'router of another chain',
    { routers: changed(ROUTERS, 0, { network: 'tron' }) },
    /crossChain\.0\.routers\.0\.network must be/,
  ],
  [
    'router without its code',
    { routers: changed(ROUTERS, 0, { codeHash: '0x' }) },
    /crossChain\.0\.routers\.0\.codeHash must be/,
  ],
  ['no router', { routers: [] }, /crossChain\.0\.assets\.1\.network needs an entry in routers/],
  [
    'unknown network',
    { assets: changed(ASSETS, 0, { network: 'litecoin' }) },
    /crossChain\.0\.assets\.0\.network must be the id/,
  ],
  [
    'chain without THORChain',
    { assets: changed(ASSETS, 0, { network: 'vechain' }) },
    /crossChain\.0\.assets\.0\.network must be the id/,
  ],
  [
    'two networks of a chain',
    { assets: [...ASSETS, { network: 'sepolia', name: 'ETH.X' }] },
    /assets\.4\.network must be ethereum/,
  ],
  [
    'test network',
    { assets: [...ASSETS, { network: 'sepolia', name: 'ETH.X' }] },
    /assets\.4\.network must be a mainnet network/,
  ],
  [
    'asset of another chain',
    { assets: changed(ASSETS, 0, { name: 'LTC.LTC' }) },
    /crossChain\.0\.assets\.0\.name must be BTC\.BTC/,
  ],
  [
    'token as a coin',
    { assets: changed(ASSETS, 2, { token: undefined }) },
    /crossChain\.0\.assets\.2\.name must be ETH\.ETH/,
  ],
  ['asset twice', { assets: [...ASSETS, BTC] }, /crossChain\.0\.assets\.4\.name is there twice/],
  [
    'unlisted token',
    { assets: changed(ASSETS, 2, { token: ROUTERS[0]!.address }) },
    /crossChain\.0\.assets\.2\.token must be the address of a token/,
  ],
  [
    'contract of another token',
    { assets: changed(ASSETS, 2, { name: `ETH.USDC-${USDT.toUpperCase()}` }) },
    /crossChain\.0\.assets\.2\.name must be ETH\.SYMBOL-0XA0B8/,
  ],
  [
    'Tron address in another case',
    { assets: changed(ASSETS, 3, { token: USDT.toLowerCase() }) },
    /crossChain\.0\.assets\.3\.token must be/,
  ],
];

for (const [name, change, why] of refused)
  test(`the start names the field of a wrong entry: ${name}`, () => {
    assert.throws(() => read({ ...ENTRY, ...change }), why);
  });

test('the start names an exchange that is there twice', () => {
  assert.throws(() => read(ENTRY, { ...ENTRY, name: 'thorchain' }), /crossChain\.1\.name is there twice/);
});
