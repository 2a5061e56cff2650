/**
 * What payments to sessions' own addresses cost on Bitcoin and Litecoin: for each block, whatever the number of open sessions, and for each session with
 * a price that waits, in every round. The node answers at once with blocks of 2,000 transactions, and has nothing waiting.
 */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Block, crypto, Transaction } from 'bitcoinjs-lib';
import { sql } from 'kysely';
import { table } from '../scripts/sizes.ts';
import { listen } from '../service/listen.ts';
import { p2wpkhAddress } from '../src/chains/utxo/address.ts';
import type { KeyChain } from '../src/api/secret-type.ts';
import { PROFILES } from '../service/checkout/wallet-payments/derive-addresses.ts';
import { type BenchService, startBenchService } from './service-process.ts';

const CHAINS: readonly KeyChain[] = ['BITCOIN', 'LITECOIN'];
const SESSIONS = [1, 1_000];
const BLOCKS = 20;
const TRANSACTIONS = 2_000;
/** Long enough for several rounds, of which one begins every ten seconds. */
const ROUNDS_MS = 45_000;
const FIRST = 1_000;
const NETWORK = 'bench';

interface BuiltBlock {
  hash: string;
  raw: Buffer;
  parent: string;
  time: number;
}

const reversed = (hash: Uint8Array): string => Buffer.from(hash).reverse().toString('hex');

function buildBlocks(): BuiltBlock[] {
  const built: BuiltBlock[] = [];
  let parent: Buffer = Buffer.alloc(32, 7);
  const now = Math.floor(Date.now() / 1000);
  for (let number = 0; number <= BLOCKS; number++) {
    const block = new Block();
    block.prevHash = parent;
    block.timestamp = now;
    block.transactions = Array.from({ length: TRANSACTIONS }, () => {
      const transaction = new Transaction();
      transaction.addInput(randomBytes(32), 0);
      transaction.setWitness(0, [Buffer.alloc(71, 1), Buffer.concat([Buffer.of(2), randomBytes(32)])]);
      for (let i = 0; i < 2; i++)
        transaction.addOutput(Buffer.concat([Buffer.of(0, 20), randomBytes(20)]), 10_000n);
      return transaction;
    });
    block.merkleRoot = Block.calculateMerkleRoot(block.transactions);
    const raw = Buffer.from(block.toBuffer());
    const hash = crypto.hash256(raw.subarray(0, 80));
    built.push({ hash: reversed(hash), raw, parent: reversed(parent), time: now });
    parent = Buffer.from(hash);
  }
  return built;
}

async function startNode(blocks: readonly BuiltBlock[]) {
  const answer = (path: string): string | Buffer | undefined => {
    const [, what, key = '', more] = path.split('/');
    if (what === 'blocks') return blocks[node.head]!.hash;
    if (what === 'address') {
      node.looks++;
      return '[]';
    }
    node.reads++;
    if (what === 'block-height') return key === '0' ? '00'.repeat(32) : blocks[Number(key) - FIRST]?.hash;
    const index = blocks.findIndex(({ hash }) => hash === key);
    if (index < 0) return undefined;
    const { raw, parent, time, hash } = blocks[index]!;
    return more === 'raw'
      ? raw
      : JSON.stringify({ id: hash, height: FIRST + index, previousblockhash: parent, timestamp: time });
  };
  const server = await listen(
    (request, response) => {
      const answered = answer(request.url!);
      response.writeHead(answered === undefined ? 404 : 200).end(answered ?? 'Block not found');
    },
    { port: 0, setting: 'bench' },
  );
  /** `head`: which of the blocks is the newest. `looks`: requests for what waits. `reads`: all others. */
  const node = { url: `http://127.0.0.1:${server.port}`, head: 0, looks: 0, reads: 0, close: server.close };
  return node;
}

interface Seed {
  application: string;
  chain: KeyChain;
  sessions: number;
  first: BuiltBlock;
}

/** Sessions whose price is valid for an hour. */
async function seed({ db }: BenchService, { application, chain, sessions, first }: Seed): Promise<void> {
  await sql`insert into receiving_keys
    (id, application_id, secret_type, network, identity, fingerprint, addresses, sealed, master_version, max_gap)
    values ('rk_bench', ${application}, ${chain}, ${NETWORK}, '\\x00', '00000000', '{}', '\\x00', 1, 100000)`.execute(
    db,
  );
  await sql`insert into checkout_sessions (id, page_id, application_id, provider, livemode, url, line_items, currency,
      amount_subtotal, amount_total, success_url, cancel_url, status, payment_status, expires_at)
    select 'cs_' || n, 'page' || n, ${application}, 'test', true, 'https://shop.example', '[]', 'EUR', 100, 100,
      'https://shop.example', 'https://shop.example', 'open', 'unpaid', now() + interval '1 hour'
    from generate_series(1, ${sessions}::int) n`.execute(db);
  for (let n = 1; n <= sessions; n++) {
    const hash = randomBytes(20);
    const [session, address] = [`cs_${n}`, p2wpkhAddress(PROFILES[chain], hash, 'mainnet')];
    await sql`insert into payment_addresses
      (key_id, address_index, application_id, session_id, network, address, script, watched_until)
      values ('rk_bench', ${n}, ${application}, ${session}, ${NETWORK}, ${address}, ${`0x0014${hash.toString('hex')}`},
        now() + interval '7 days')`.execute(db);
    await sql`insert into wallet_quotes (id, session_id, application_id, secret_type, network, token_address, symbol, decimals,
        address, amount, confirmations, state, from_block, expires_at, key_id, reserved)
      values (${`wq_${n}`}, ${session}, ${application}, ${chain}, ${NETWORK}, '', 'COIN', 8, ${address}, 25000, 1, 'quoted',
        ${FIRST}, now() + interval '1 hour', 'rk_bench', false)`.execute(db);
  }
  await sql`analyze`.execute(db);
  await sql`insert into wallet_lanes (network, token_address, secret_type, position, position_hash, read_until, next_look_at)
    values (${NETWORK}, '', ${chain}, ${FIRST}, ${first.hash}, now(), now())`.execute(db);
}

async function measure(chain: KeyChain, sessions: number, blocks: readonly BuiltBlock[]): Promise<string[]> {
  const node = await startNode(blocks);
  const folder = mkdtempSync(join(tmpdir(), 'carabiner-bench-'));
  const network = {
    id: NETWORK,
    secretType: chain,
    name: chain,
    kind: 'mainnet',
    nodes: [node.url],
  };
  const NETWORKS = join(folder, 'networks.json');
  writeFileSync(NETWORKS, JSON.stringify({ networks: [{ ...network, genesis: '00'.repeat(32) }] }));
  const service = await startBenchService({ NETWORKS });
  try {
    const { id } = await service.client(['checkout']);
    await sleep(ROUNDS_MS / 4);
    const [idle, before] = [await service.usage(), performance.now()];
    await sleep(ROUNDS_MS / 4);
    const idleRate = ((await service.usage()).cpu - idle.cpu) / (performance.now() - before);
    await seed(service, { application: id, chain, sessions, first: blocks[0]! });
    node.looks = 0;
    const [looked, since] = [await service.usage(), performance.now()];
    await sleep(ROUNDS_MS);
    const spent = (await service.usage()).cpu - looked.cpu - idleRate * (performance.now() - since);
    const { looks } = node;
    const read = await service.usage();
    node.head = BLOCKS;
    node.reads = 0;
    const begun = performance.now();
    while (!(await isRead(service))) await sleep(100);
    const { reads } = node;
    const blockCpu = (await service.usage()).cpu - read.cpu - idleRate * (performance.now() - begun);
    return [
      chain,
      sessions.toLocaleString('en'),
      ((blockCpu * 1000) / BLOCKS).toFixed(0),
      (reads / BLOCKS).toFixed(1),
      looks.toLocaleString('en'),
      ((spent * 1000) / Math.max(1, looks)).toFixed(2),
    ];
  } finally {
    await service.close();
    await node.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function isRead({ db }: BenchService): Promise<boolean> {
  const row = await db.selectFrom('wallet_lanes').select('position').executeTakeFirst();
  return Number(row?.position ?? 0) >= FIRST + BLOCKS;
}

export async function sessionAddresses(): Promise<string> {
  const blocks = buildBlocks();
  const rows: string[][] = [];
  for (const chain of CHAINS)
    for (const sessions of SESSIONS) rows.push(await measure(chain, sessions, blocks));
  return table(
    [
      'chain',
      'open sessions',
      'CPU ms a block',
      'requests a block',
      `looks in ${ROUNDS_MS / 1000} s`,
      'CPU ms a look, rounds included',
    ],
    rows,
  );
}
