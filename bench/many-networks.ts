/**
 * Wallets on ten networks of their chain: the wallet's list and portfolio in Chromium, with one wallet and with a thousand, and the
 * service's lists and balances of a thousand. The nodes answer at once, and count what they are asked.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { table } from '../scripts/sizes.ts';
import { listen } from '../service/listen.ts';
import type { Network } from '../src/chains/network.ts';
import { openWorld, type Visitor, type WalletView } from '../test/e2e/harness.ts';
import { load } from './load.ts';
import { median, percentile } from './median.ts';
import { type BenchService, startBenchService } from './service-process.ts';

const NETWORKS = 10;
const WALLETS = 1000;
const TURNS = 3;
/** Nothing more is asked if nodes hear nothing for so long. */
const QUIET_MS = 400;

interface Nodes {
  networks: Network[];
  /** Calls of JSON-RPC so far, those of a batch counted one by one. */
  calls: number;
  close(): Promise<void>;
}

const HEAD = {
  number: '0x64',
  hash: `0x${'11'.repeat(32)}`,
  timestamp: '0x68000000',
  baseFeePerGas: '0x3b9aca00',
  gasUsed: '0x0',
  gasLimit: '0x1c9c380',
};

/** Of networks that are alike but for their chain ids, the first one without coins. */
async function startNodes(): Promise<Nodes> {
  const answer = (index: number, method: string): unknown => {
    switch (method) {
      case 'eth_chainId':
        return `0x${(1000 + index).toString(16)}`;
      case 'eth_getBalance':
        return index % 3 ? '0xde0b6b3a7640000' : '0x0';
      case 'eth_blockNumber':
        return HEAD.number;
      case 'eth_getBlockByNumber':
        return HEAD;
      case 'eth_getLogs':
        return [];
      case 'eth_call':
        return `0x${'0'.repeat(64)}`;
      default:
        return null;
    }
  };
  const server = await listen(
    async (request, response) => {
      response.setHeader('Access-Control-Allow-Origin', '*');
      response.setHeader('Access-Control-Allow-Headers', 'content-type');
      if (request.method === 'OPTIONS') return void response.writeHead(204).end();
      const body = JSON.parse(await text(request)) as
        | { id: number; method: string }
        | { id: number; method: string }[];
      const index = Number(request.url!.slice(1));
      const reply = ({ id, method }: { id: number; method: string }) => {
        nodes.calls++;
        return { jsonrpc: '2.0', id, result: answer(index, method) };
      };
      response
        .writeHead(200, { 'Content-Type': 'application/json' })
        .end(JSON.stringify(Array.isArray(body) ? body.map(reply) : reply(body)));
    },
    { port: 0, setting: 'bench' },
  );
  const token = (index: number, n: number) => ({
    address: `0x${String(index).padStart(20, '7')}${String(n).padStart(20, '0')}`,
    symbol: `T${n}`,
    name: `Token ${n}`,
    decimals: 18,
    logo: '',
  });
  const nodes: Nodes = {
    calls: 0,
    networks: Array.from({ length: NETWORKS }, (_, index) => ({
      id: `net-${index}`,
      secretType: 'ETHEREUM',
      name: `Network ${index}`,
      kind: 'mainnet',
      chainId: 1000 + index,
      nodes: [`http://127.0.0.1:${server.port}/${index}`],
      tokens: [token(index, 1), token(index, 2)],
    })),
    close: () => server.close(),
  };
  return nodes;
}

// In the wallet.

interface Step {
  milliseconds: number;
  calls: number;
}

/** What this takes until it is on screen, and what nodes are asked until they are left in peace. */
async function step(nodes: Nodes, act: () => Promise<unknown>): Promise<Step> {
  const before = nodes.calls;
  const since = performance.now();
  await act();
  const milliseconds = performance.now() - since;
  for (let seen = -1; seen !== nodes.calls; await sleep(QUIET_MS)) seen = nodes.calls;
  return { milliseconds, calls: nodes.calls - before };
}

const LISTED = ['the list', 'a portfolio', 'the other wallets', 'another portfolio'] as const;

async function walk(visitor: Visitor, nodes: Nodes, wallets: number): Promise<Step[]> {
  let view: WalletView | undefined;
  const whole = async (): Promise<void> => {
    await view!.root.locator('[role=tabpanel][aria-busy=false]').waitFor();
  };
  const steps = [
    await step(nodes, async () => {
      view = await visitor.ask((connect) => connect.manageWallets({ chain: 'ETHEREUM' }));
      await view.root.getByText('0 ETH', { exact: true }).first().waitFor();
    }),
    await step(nodes, async () => {
      await view!
        .button(/^Open /)
        .first()
        .click();
      await whole();
    }),
  ];
  if (wallets > 1) {
    const options = view!.root.getByRole('option');
    const chosen = view!.button(/^Wallet: /);
    const before = await chosen.getAttribute('aria-label');
    steps.push(
      await step(nodes, async () => {
        await chosen.click();
        await options.nth(wallets - 1).waitFor({ state: 'attached' });
      }),
      await step(nodes, async () => {
        await options.nth(wallets - 1).click();
        await chosen.and(view!.root.locator(`:not([aria-label="${before}"])`)).waitFor();
        await whole();
      }),
    );
  }
  await view!.close();
  await view!.gone();
  return steps;
}

async function inWallet(nodes: Nodes, wallets: number): Promise<string[][]> {
  const { networks } = nodes;
  const world = await openWorld({ networks });
  try {
    const visitor = await world.visit('iframe', '/plain');
    await visitor.createWallet('ETHEREUM', wallets - 1, networks[0]);
    const turns: Step[][] = [];
    for (let turn = 0; turn <= TURNS; turn++) {
      await visitor.startAgain();
      turns.push(await walk(visitor, nodes, wallets));
    }
    // The first one loads the code.
    const counted = turns.slice(1);
    return counted[0]!.map((_, at) => [
      wallets.toLocaleString('en'),
      LISTED[at]!,
      median(counted.map((steps) => steps[at]!.milliseconds)).toFixed(0),
      String(Math.max(...counted.map((steps) => steps[at]!.calls))),
    ]);
  } finally {
    await world.close();
  }
}

// At the service.

const walletAt = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

/** A thousand wallets of an application, a hundred by default on each network. */
async function seed({ db }: BenchService, application: string): Promise<void> {
  await sql`insert into wallets (id, owner_id, application_id, wallet_type, secret_type, address, is_primary, network)
    select '00000000-0000-4000-8000-' || lpad(n::text, 12, '0'), ${application}, ${application}, 'WHITE_LABEL', 'ETHEREUM',
      '0x' || lpad(to_hex(n), 40, '0'), false, 'net-' || n % ${sql.lit(NETWORKS)}
    from generate_series(0, ${sql.lit(WALLETS - 1)}) n`.execute(db);
}

async function atService(nodes: Nodes): Promise<string[][]> {
  const folder = mkdtempSync(join(tmpdir(), 'carabiner-bench-'));
  const file = join(folder, 'networks.json');
  writeFileSync(file, JSON.stringify({ networks: nodes.networks }));
  const service = await startBenchService({ NETWORKS: file });
  try {
    const { id, token } = await service.client(['view:wallets']);
    await seed(service, id);
    const { url } = service;
    const place = (n: number) => `${url}/api/wallets/${walletAt(Math.floor(n / NETWORKS) % WALLETS)}/balance`;
    const on = (n: number): string => `network=net-${n % NETWORKS}`;
    const asks: [what: string, address: (n: number) => string, connections: number, count: number][] = [
      ['a list of 1,000', () => `${url}/api/wallets`, 4, 200],
      ['the balance of one on one', (n) => `${place(n)}?${on(n)}`, 32, WALLETS * NETWORKS],
      ['its listed tokens on one', (n) => `${place(n)}/tokens?${on(n)}`, 32, WALLETS * NETWORKS],
    ];
    const rows: string[][] = [];
    for (const [what, address, connections, count] of asks) {
      await load(address, { token, connections, count: 50 });
      await service.usage();
      const before = nodes.calls;
      const { milliseconds, seconds } = await load(address, { token, connections, count });
      const { lagP99 } = await service.usage();
      rows.push([
        what,
        count.toLocaleString('en'),
        (count / seconds).toFixed(0),
        median(milliseconds).toFixed(1),
        percentile(milliseconds, 0.99).toFixed(1),
        ((nodes.calls - before) / count).toFixed(2),
        (lagP99 * 1000).toFixed(0),
      ]);
    }
    return rows;
  } finally {
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

export async function manyNetworks(): Promise<string> {
  const nodes = await startNodes();
  try {
    const wallet = [...(await inWallet(nodes, 1)), ...(await inWallet(nodes, WALLETS))];
    const service = await atService(nodes);
    return [
      table([`wallets on ${NETWORKS} networks`, 'opened', 'ms until drawn', 'calls of nodes'], wallet),
      table(
        [
          `${WALLETS} wallets on ${NETWORKS} networks`,
          'requests',
          'a second',
          'ms',
          'p99',
          'calls of nodes each',
          'event loop p99, ms (≤ 20)',
        ],
        service,
      ),
    ].join('\n\n');
  } finally {
    await nodes.close();
  }
}
