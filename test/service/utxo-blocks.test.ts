/** Blocks of Bitcoin and Litecoin as bytes: which outputs are transfers, from whom, and what is refused. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Block, crypto, payments, Transaction } from 'bitcoinjs-lib';
import { blockReaderOf } from '../../service/scanning/chains/block-readers.ts';
import { listen } from '../../service/listen.ts';
import { loadChain } from '../../src/chains/load.ts';
import type { Network } from '../../src/chains/network.ts';

const HEIGHT = 5;
const KEYS = ['02', '03'].map((first, i) => Buffer.from(first + `${i + 1}`.padStart(64, '7'), 'hex'));
const OWN = payments.p2wpkh({ hash: crypto.hash160(KEYS[0]!) });
const OTHER = payments.p2wpkh({ hash: crypto.hash160(KEYS[1]!) });
const LEGACY = payments.p2pkh({ hash: crypto.hash160(KEYS[1]!) });
const SIGNATURE = Buffer.alloc(71, 1);

let raw: Buffer;
/** What a node at `/false` answers in its place. */
let forged: Buffer | undefined;
let server: Awaited<ReturnType<typeof listen>>;

const hashOf = (bytes: Buffer): string =>
  Buffer.from(crypto.hash256(bytes.subarray(0, 80)))
    .reverse()
    .toString('hex');

before(async () => {
  server = await listen(
    (request, response) => {
      const answers: Record<string, string | Buffer> = {
        '/block-height/0': 'ab'.repeat(32),
        [`/block-height/${HEIGHT}`]: hashOf(raw),
        [`/block/${hashOf(raw)}/raw`]: request.url!.startsWith('/false') ? forged! : raw,
      };
      const answer = answers[request.url!.replace(/^\/false/, '')];
      response.writeHead(answer === undefined ? 404 : 200).end(answer ?? 'Block not found');
    },
    { port: 0, setting: 'port' },
  );
});
after(() => server.close());

function spend(
  outputs: readonly (readonly [Uint8Array, bigint])[],
  key?: Buffer,
  legacy = false,
): Transaction {
  const transaction = new Transaction();
  const proof = key && [SIGNATURE, key];
  const script =
    legacy && key ? Buffer.concat([Buffer.of(71), SIGNATURE, Buffer.of(33), key]) : Buffer.alloc(0);
  transaction.addInput(Buffer.alloc(32, key ? 7 : 0), key ? 0 : 0xffffffff, 0xffffffff, script);
  if (proof && !legacy) transaction.setWitness(0, proof);
  for (const [to, value] of outputs) transaction.addOutput(to, value);
  return transaction;
}

/** Without the flag of extension blocks, and their data. */
function plainOf(bytes: Buffer): Buffer {
  return Buffer.concat([bytes.subarray(0, 4), bytes.subarray(6, -5), bytes.subarray(-4)]);
}

function blockOf(...transactions: (Transaction | Buffer)[]): Buffer {
  const block = new Block();
  block.prevHash = Buffer.alloc(32, 3);
  block.timestamp = 1_700_000_000;
  const bytes = transactions.map((one) => (one instanceof Transaction ? Buffer.from(one.toBuffer()) : one));
  block.merkleRoot = Block.calculateMerkleRoot(
    transactions.map((one) => (one instanceof Transaction ? one : Transaction.fromBuffer(plainOf(one)))),
  );
  return Buffer.concat([block.toBuffer(true), Buffer.of(bytes.length), ...bytes]);
}

async function read(secretType: 'BITCOIN' | 'LITECOIN' = 'BITCOIN', paths: readonly string[] = ['']) {
  const network: Network = {
    id: 'test',
    secretType,
    name: 'Test',
    kind: 'mainnet',
    nodes: paths.map((path) => `http://127.0.0.1:${server.port}${path}`),
    tokens: [],
  };
  const node = (await loadChain(secretType)).node(network);
  const reader = blockReaderOf(secretType);
  const found = (await reader.readTransfers(node, HEIGHT))!;
  const carried = (await reader.carriedOut(node, found.block, found.transfers))!;
  return { found, carried, reader, network };
}

test('outputs of others are transfers; new coins, change and nothing are not', async () => {
  const paid = spend(
    [
      [OTHER.output!, 5n],
      [OWN.output!, 7n],
      [OWN.output!, 0n],
    ],
    KEYS[1],
  );
  const fromLegacy = spend(
    [
      [OWN.output!, 9n],
      [LEGACY.output!, 1n],
    ],
    KEYS[1],
    true,
  );
  raw = blockOf(spend([[OWN.output!, 50n]]), paid, fromLegacy);
  const { found, carried, reader, network } = await read();
  assert.equal(found.block.hash, hashOf(raw));
  assert.equal(found.block.parent, '03'.repeat(32));
  assert.equal(found.block.time, 1_700_000_000_000);
  assert.deepEqual(
    carried.map(({ hash, place, amount, recipient, sender }) => [
      hash,
      place,
      amount,
      recipient === reader.keyOf(OWN.address!),
      reader.addressOf(sender!, network),
    ]),
    [
      [paid.getId(), 'output:1', 7n, true, OTHER.address],
      [fromLegacy.getId(), 'output:0', 9n, true, LEGACY.address],
    ],
  );
});

test('LITECOIN: what leaves the extension block is read, and what comes after it in the block is not', async () => {
  const plain = Buffer.from(spend([[OWN.output!, 11n]], KEYS[1], true).toBuffer());
  // The marker, the flag of extension blocks, and their data, which is none.
  const leaving = Buffer.concat([
    plain.subarray(0, 4),
    Buffer.of(0, 8),
    plain.subarray(4, -4),
    Buffer.of(0),
    plain.subarray(-4),
  ]);
  raw = Buffer.concat([blockOf(spend([[OWN.output!, 50n]]), leaving), Buffer.from('01abcdef', 'hex')]);
  const { carried } = await read('LITECOIN');
  assert.deepEqual(
    carried.map(({ hash, amount }) => [hash, amount]),
    [[Transaction.fromBuffer(plain).getId(), 11n]],
  );
});

test('a block that is cut off is refused', async () => {
  const whole = blockOf(spend([[OWN.output!, 50n]]), spend([[OWN.output!, 7n]], KEYS[1]));
  raw = whole.subarray(0, -10);
  await assert.rejects(read(), { code: 'node.unreachable' });
  raw = whole;
  const { found } = await read();
  assert.equal(found.transfers.length, 1);
});

test('transactions that are not those of the block are refused, and another node is asked', async () => {
  const coinbase = spend([[OWN.output!, 50n]]);
  const theirs = [1, 2, 3].map((n) => spend([[OTHER.output!, BigInt(n)]], KEYS[1]));
  raw = blockOf(coinbase, ...theirs);
  const header = raw.subarray(0, 80);
  const invented = spend([[OWN.output!, 1_000_000n]], KEYS[1]);
  for (const contents of [
    [coinbase, invented],
    [coinbase, ...theirs, invented],
    [coinbase, ...theirs.slice(1)],
  ]) {
    forged = Buffer.concat([header, blockOf(...contents).subarray(80)]);
    await assert.rejects(read('BITCOIN', ['/false']), { code: 'node.unreachable' });
    const { found } = await read('BITCOIN', ['/false', '']);
    assert.deepEqual(
      found.transfers.map(({ hash, amount }) => [hash, amount]),
      theirs.map((one, i) => [one.getId(), BigInt(i + 1)]),
    );
  }
});
