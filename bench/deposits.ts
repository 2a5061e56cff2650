/**
 * What the search for deposits costs for each block, whatever the number of watched wallets: requests to the node, and CPU time of the
 * service. The node answers at once with blocks of about the size of Ethereum's: 200 transactions, 150 transfers of listed tokens, two of
 * them to watched wallets.
 */
import { hash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { table } from '../scripts/sizes.ts';
import { listen } from '../service/listen.ts';
import { TRANSFER } from '../service/scanning/chains/node-answers.ts';
import { type BenchService, startBenchService } from './service-process.ts';

const WATCHED = [0, 1_000, 100_000];
const BLOCKS = 200;
const FIRST = 1_000;
/** About as long as the others take. */
const IDLE_MS = 10_000;
const TRANSACTIONS = 200;
const LOGS = 150;
const TOKEN = `0x${'70'.repeat(20)}`;

const quantity = (n: number): string => `0x${n.toString(16)}`;
const idOf = (what: string): string => `0x${hash('sha256', what)}`;
const accountOf = (n: number): string => `0x${n.toString(16).padStart(40, '0')}`;
const wordOf = (account: string): string => `0x${account.slice(2).padStart(64, '0')}`;
/** Never watched. */
const strangerOf = (what: string): string => `0x${hash('sha256', what).slice(0, 40)}`;

interface BenchNode {
  url: string;
  /** Number of its newest block. */
  head: number;
  requests: number;
  close(): Promise<void>;
}

async function startNode(watched: number): Promise<BenchNode> {
  const recipientAt = (number: number, i: number): string =>
    watched > 0 && i === 0 ? accountOf(1 + (number % watched)) : strangerOf(`${number} ${i}`);
  const headerOf = (number: number) => ({
    number: quantity(number),
    hash: idOf(`block ${number}`),
    parentHash: idOf(`block ${number - 1}`),
    timestamp: quantity(Math.floor(Date.now() / 1000) + number - FIRST - 3_600),
  });
  const blockOf = (number: number, full: boolean) => ({
    ...headerOf(number),
    logsBloom: `0x${'00'.repeat(256)}`,
    transactions: full
      ? Array.from({ length: TRANSACTIONS }, (_, i) => ({
          hash: idOf(`transaction ${number} ${i}`),
          from: strangerOf(`sender ${number} ${i}`),
          to: recipientAt(number, i),
          value: quantity(1 + i),
          input: `0x${'ab'.repeat(200)}`,
        }))
      : [],
  });
  const logsOf = (number: number) =>
    Array.from({ length: LOGS }, (_, i) => ({
      address: TOKEN,
      topics: [TRANSFER, wordOf(strangerOf(`from ${number} ${i}`)), wordOf(recipientAt(number, i))],
      data: wordOf(quantity(1 + i)),
      blockHash: idOf(`block ${number}`),
      blockNumber: quantity(number),
      transactionHash: idOf(`call ${number} ${i}`),
      logIndex: quantity(i),
    }));
  const answer = (method: string, params: readonly unknown[]): unknown => {
    if (method === 'eth_chainId') return '0x1';
    if (method === 'eth_getBlockByNumber') {
      const number = params[0] === 'latest' ? node.head : Number(params[0]);
      return number > node.head ? null : blockOf(number, params[1] === true);
    }
    if (method === 'eth_getLogs') return logsOf(Number((params[0] as { fromBlock: string }).fromBlock));
    const number = Array.from({ length: BLOCKS + 1 }, (_, i) => FIRST + i).find(
      (n) => idOf(`transaction ${n} 0`) === params[0],
    )!;
    const { hash: blockHash } = headerOf(number);
    const at = { blockNumber: quantity(number), blockHash };
    return { ...at, status: '0x1', logs: [], transactionHash: params[0] };
  };
  const server = await listen(
    async (request, response) => {
      node.requests++;
      const asked = JSON.parse(await text(request)) as { id: number; method: string; params: unknown[] }[];
      const replies = [asked].flat().map(({ id, method, params }) => ({
        jsonrpc: '2.0',
        id,
        result: answer(method, params),
      }));
      response.end(JSON.stringify(Array.isArray(asked) ? replies : replies[0]));
    },
    { port: 0, setting: 'bench' },
  );
  const node = { url: `http://127.0.0.1:${server.port}`, head: FIRST, requests: 0, close: server.close };
  return node;
}

/** Wallets without keys: nothing is signed here. */
async function seed({ db }: BenchService, application: string, watched: number): Promise<void> {
  if (watched === 0) return;
  const address = sql`'0x' || lpad(to_hex(n), 40, '0')`;
  for (const statement of [
    sql`insert into wallets (id, owner_id, application_id, wallet_type, secret_type, address, is_primary)
      select 'bench-' || n, ${application}, ${application}, 'WHITE_LABEL', 'ETHEREUM', ${address}, false
      from generate_series(1, ${watched}::int) n`,
    sql`insert into wallet_watches (wallet_id, owner_id, network, recipient)
      select 'bench-' || n, ${application}, 'ethereum', ${address} from generate_series(1, ${watched}::int) n`,
    sql`analyze wallet_watches`,
    sql`insert into scan_cursors (network, secret_type, since, position, position_hash, next_look_at)
      values ('ethereum', 'ETHEREUM', now(), ${FIRST}, ${idOf(`block ${FIRST}`)}, now())`,
    sql`insert into scanned_blocks values ('ethereum', ${FIRST}, ${idOf(`block ${FIRST}`)})`,
  ])
    await statement.execute(db);
}

function networksFile(folder: string, url: string): string {
  const tokens = [{ address: TOKEN, symbol: 'T', name: 'Token', decimals: 6 }];
  const network = { secretType: 'ETHEREUM', name: 'Ethereum', kind: 'mainnet', chainId: 1, nodes: [url] };
  const file = join(folder, 'networks.json');
  writeFileSync(file, JSON.stringify({ networks: [{ id: 'ethereum', ...network, tokens }] }));
  return file;
}

async function measure(watched: number): Promise<string[]> {
  const node = await startNode(watched);
  const folder = mkdtempSync(join(tmpdir(), 'carabiner-bench-'));
  const service = await startBenchService({ NETWORKS: networksFile(folder, node.url) });
  try {
    const { id } = await service.client(['view:wallets']);
    const before = await service.usage();
    node.head = FIRST + BLOCKS;
    const started = performance.now();
    await seed(service, id, watched);
    // A process that has nothing to do is measured for as long as one that has.
    while (watched > 0 ? !(await isRead(service)) : performance.now() - started < IDLE_MS) await sleep(100);
    const { cpu } = await service.usage();
    const { count } = await service.db
      .selectFrom('deposits')
      .select((is) => is.fn.countAll<string>().as('count'))
      .executeTakeFirstOrThrow();
    return [
      watched.toLocaleString('en'),
      (node.requests / BLOCKS).toFixed(2),
      (((cpu - before.cpu) * 1000) / BLOCKS).toFixed(1),
      (Number(count) / BLOCKS).toFixed(2),
    ];
  } finally {
    await service.close();
    await node.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function isRead({ db }: BenchService): Promise<boolean> {
  const row = await db.selectFrom('scan_cursors').select('position').executeTakeFirst();
  return Number(row?.position ?? 0) >= FIRST + BLOCKS;
}

export async function deposits(): Promise<string> {
  const rows: string[][] = [];
  for (const watched of WATCHED) rows.push(await measure(watched));
  return table(
    ['watched wallets', 'requests to the node a block', 'CPU ms a block', 'deposits a block'],
    rows,
  );
}
