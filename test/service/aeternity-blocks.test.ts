/** Blocks of Aeternity: which transactions are spends to an account, and when a node has all of a block. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { spendIn } from '../../service/scanning/chains/aeternity-blocks.ts';
import { blockReaderOf } from '../../service/scanning/chains/block-readers.ts';
import { listen } from '../../service/listen.ts';
import { encode58 } from '../../src/chains/aeternity/encoding.ts';
import { loadChain } from '../../src/chains/load.ts';
import type { Network } from '../../src/chains/network.ts';

const HEIGHT = 7;
const of = (prefix: 'ak' | 'th' | 'kh' | 'mh', byte: number): string =>
  encode58(prefix as 'ak', new Uint8Array(32).fill(byte));
const [PAYER, SHOP] = [of('ak', 1), of('ak', 2)];
const [PARENT, MICRO, FORK] = [of('kh', 3), of('mh', 4), of('mh', 5)];

interface Spent {
  type: string;
  sender_id: string;
  recipient_id: string;
  amount: number;
  payload: string;
}

const spend = (changes: Partial<Spent> = {}): { hash: string; tx: Spent } => ({
  hash: of('th', 6),
  tx: {
    type: 'SpendTx',
    sender_id: PAYER,
    recipient_id: SHOP,
    amount: 5,
    payload: 'ba_Xfbg4g==',
    ...changes,
  },
});

test('what goes to a name, an oracle or a contract, or is nothing, is no payment to an account', () => {
  assert.equal(spendIn(spend())!.recipient, SHOP);
  for (const recipient of ['nm_2DMazuJNrGkQYve9eMttgdteaigeeuBk3fmRYSThJZ2NpX3r8R', 'ok', 'ct'])
    assert.equal(spendIn(spend({ recipient_id: SHOP.replace('ak', recipient) })), undefined);
  assert.equal(spendIn(spend({ amount: 0 })), undefined);
  assert.equal(spendIn(spend({ type: 'ContractCallTx' })), undefined);
  for (const odd of [-1, 1.5]) assert.throws(() => spendIn(spend({ amount: odd })), /amount/);
});

/** Micro blocks that the node has below the key block. */
let micro: string[];
let server: Awaited<ReturnType<typeof listen>>;

before(async () => {
  const answers = (): Record<string, unknown> => ({
    '/v3/status': { network_id: 'ae_mainnet' },
    [`/v3/key-blocks/height/${HEIGHT}`]: {
      hash: of('kh', 8),
      height: HEIGHT,
      prev_hash: MICRO,
      prev_key_hash: PARENT,
      time: 1_700_000_000_000,
    },
    [`/v3/generations/height/${HEIGHT - 1}`]: { micro_blocks: micro },
    [`/v3/micro-blocks/hash/${MICRO}/transactions`]: { transactions: [spend()] },
    [`/v3/micro-blocks/hash/${FORK}/transactions`]: { transactions: [spend({ amount: 99 })] },
  });
  server = await listen(
    (request, response) => {
      const answer = answers()[request.url!.split('?')[0]!];
      response.setHeader('Content-Type', 'application/json');
      response.writeHead(answer === undefined ? 404 : 200);
      response.end(JSON.stringify(answer ?? { reason: 'Block not found' }));
    },
    { port: 0, setting: 'port' },
  );
});
after(() => server.close());

test('a micro block that the key block does not follow pays nothing, and the block is read again', async () => {
  const network: Network = {
    id: 'test',
    secretType: 'AETERNITY',
    name: 'Test',
    kind: 'mainnet',
    nodes: [`http://127.0.0.1:${server.port}`],
    tokens: [],
  };
  const node = (await loadChain('AETERNITY')).node(network);
  const reader = blockReaderOf('AETERNITY');
  micro = [FORK];
  assert.equal(await reader.readTransfers(node, HEIGHT), undefined);
  micro = [MICRO];
  const { transfers } = (await reader.readTransfers(node, HEIGHT))!;
  assert.deepEqual(
    transfers.map(({ amount, recipient }) => [amount, recipient]),
    [[5n, SHOP]],
  );
});
