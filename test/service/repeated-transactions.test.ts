/** A node that repeats a transaction of a block makes no second deposit of it. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { blockReaderOf } from '../../service/scanning/chains/block-readers.ts';
import { listen } from '../../service/listen.ts';
import { loadChain } from '../../src/chains/load.ts';
import type { Network } from '../../src/chains/network.ts';

const HEIGHT = 5;
const word = (byte: string): string => `0x${byte.repeat(32)}`;
const account = (byte: string): string => `0x${byte.repeat(20)}`;

const clause = {
  transfers: [{ sender: account('aa'), recipient: account('bb'), amount: '0x7' }],
  events: [],
};
const moved = { id: word('11'), reverted: false, outputs: [clause, clause] };

const paid = {
  txID: '22'.repeat(32),
  ret: [{ contractRet: 'SUCCESS' }],
  raw_data: {
    contract: [
      {
        type: 'TransferContract',
        parameter: {
          value: { owner_address: `41${'aa'.repeat(20)}`, to_address: `41${'bb'.repeat(20)}`, amount: 7 },
        },
      },
    ],
  },
};

const base58 = (prefix: string, text: string): string => `${prefix}_${text.repeat(50)}`;
const spent = {
  hash: base58('th', 'A'),
  tx: {
    type: 'SpendTx',
    sender_id: base58('ak', 'B'),
    recipient_id: base58('ak', 'C'),
    amount: 7,
  },
};

/** By method and path. */
const ANSWERS: Readonly<Record<string, unknown>> = {
  'GET /blocks/0': { id: word('03') },
  'GET /v3/status': { network_id: 'ae_test' },
  [`GET /blocks/${HEIGHT}?expanded=true`]: {
    number: HEIGHT,
    id: word('01'),
    parentID: word('02'),
    timestamp: 1_700_000_000,
    transactions: [moved, moved],
  },
  'POST /wallet/getblock': {
    blockID: '01'.repeat(32),
    block_header: {
      raw_data: { number: HEIGHT, parentHash: '02'.repeat(32), timestamp: 1_700_000_000_000 },
    },
    transactions: [paid, paid],
  },
  [`GET /v3/key-blocks/height/${HEIGHT}`]: {
    hash: base58('kh', 'D'),
    height: HEIGHT,
    prev_hash: base58('mh', 'E'),
    prev_key_hash: base58('kh', 'F'),
    time: 1_700_000_000_000,
  },
  [`GET /v3/generations/height/${HEIGHT - 1}`]: { micro_blocks: [base58('mh', 'E')] },
  [`GET /v3/micro-blocks/hash/${base58('mh', 'E')}/transactions`]: { transactions: [spent, spent] },
};

const asked: string[] = [];
let server: Awaited<ReturnType<typeof listen>>;
before(async () => {
  server = await listen(
    (request, response) => {
      const key = `${request.method} ${request.url}`;
      asked.push(key);
      response.writeHead(key in ANSWERS ? 200 : 404, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify(ANSWERS[key] ?? {}));
    },
    { port: 0, setting: 'port' },
  );
});
after(() => server.close());

for (const [secretType, expected] of [
  ['VECHAIN', ['coin:0', 'coin:1']],
  ['TRON', ['coin:0']],
  ['AETERNITY', ['coin:0']],
] as const)
  test(`${secretType}: a transaction that is listed twice counts once`, async () => {
    const network: Network = {
      id: 'test',
      secretType,
      name: 'Test',
      kind: 'local',
      nodes: [`http://127.0.0.1:${server.port}`],
      tokens: [],
    };
    const node = (await loadChain(secretType)).node(network);
    const found = await blockReaderOf(secretType).readTransfers(node, HEIGHT);
    assert.deepEqual(
      found?.transfers.map(({ place }) => place),
      expected,
      asked.join('\n'),
    );
  });
