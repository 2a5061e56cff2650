/** Words for contracts: which files stop the start, and how the frame's origin serves them. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { startFrameServer } from '../../service/frame-server.ts';
import { readNetworksFile } from '../../service/networks/networks-file.ts';
import { nginxFiles } from '../../service/nginx-files.ts';

const POOL = `0x${'70'.repeat(20)}`;
const TEXT = JSON.stringify({
  context: { contract: { deployments: [{ chainId: 1, address: POOL }] } },
  display: { formats: { 'f(uint256 x)': { intent: 'Do it', fields: [{ path: 'x', label: 'X' }] } } },
});
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const entry = (more: object = {}) => ({
  file: 'pool.json',
  sha256: sha256(TEXT),
  address: POOL,
  codeHash: `0x${'ab'.repeat(32)}`,
  ...more,
});

let folder: string;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'carabiner-descriptors-'));
  write('pool.json', TEXT);
});
after(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

function networksFile(descriptors: unknown[], more: object = {}): string {
  const network = {
    id: 'ethereum',
    secretType: 'ETHEREUM',
    name: 'Ethereum',
    kind: 'mainnet',
    chainId: 1,
    nodes: ['http://127.0.0.1:9'],
    descriptors,
    ...more,
  };
  return write('networks.json', JSON.stringify({ networks: [network] }));
}

test('the origin serves the listed files by their hash, and no others', async () => {
  const { networks, descriptors } = readNetworksFile(networksFile([entry()]));
  const path = `descriptors/${sha256(TEXT)}.json`;
  assert.deepEqual(networks.networks[0]!.descriptors, [entry({ file: path })]);
  assert.equal(nginxFiles(networks, descriptors)[path], TEXT);
  const server = await startFrameServer({ dist: folder, networks, descriptors, port: 0 });
  try {
    const answer = await fetch(`${server.url}/${path}`);
    assert.equal(answer.status, 200);
    assert.match(answer.headers.get('cache-control')!, /immutable/);
    assert.equal(await answer.text(), TEXT);
    for (const other of ['pool.json', 'descriptors/pool.json', `descriptors/${'0'.repeat(64)}.json`])
      assert.equal((await fetch(`${server.url}/${other}`)).status, 404, other);
  } finally {
    await server.close();
  }
});

const refused: [name: string, descriptors: () => unknown[], why: RegExp, network?: object][] = [
  [
    'is another one than was listed',
    () => [entry(), entry({ sha256: '0'.repeat(64), address: POOL })],
    /descriptors\[1\] of the network “ethereum” cannot be used:\n✖ .*pool\.json is not the file that was listed: its SHA-256 is [0-9a-f]{64}, and sha256 says 0{64}/,
  ],
  ['is not there', () => [entry({ file: 'none.json' })], /descriptors\[0\].*\n✖ .*none\.json/],
  [
    'is on the web',
    () => [entry({ file: 'https://x.example/pool.json' })],
    /must be a file: nothing is read/,
  ],
  [
    'is for another contract',
    () => [entry({ address: `0x${'71'.repeat(20)}` })],
    /pool\.json is not for 0x71.* on chain 1, as its deployments say/,
  ],
  ['is for another chain', () => [entry()], /is not for 0x70.* on chain 10/, { chainId: 10 }],
  [
    'cannot be read',
    () => {
      write('bad.json', '{"context":');
      return [entry({ file: 'bad.json', sha256: sha256('{"context":') })];
    },
    /bad\.json is not JSON/,
  ],
  ['has no hash of the code', () => [entry({ codeHash: '0x12' })], /codeHash: must be 0x and 64 hex digits/],
  [
    'is listed twice',
    () => [entry(), entry()],
    /descriptors\[1\] of the network “ethereum” is for the same code/,
  ],
  [
    'is for a chain without such contracts',
    () => [entry()],
    /There are no words for contracts on TRON/,
    { secretType: 'TRON', chainId: undefined },
  ],
];
for (const [name, descriptors, why, network] of refused)
  test(`the start stops where a file ${name}`, () => {
    assert.throws(() => readNetworksFile(networksFile(descriptors(), network)), why);
  });
