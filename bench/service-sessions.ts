/** Transactions per second of one process with the token of a spending session, compared with the argon2id work of a PIN. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEther } from 'ethers';
import { startEthereum } from '../demo/networks/ethereum.ts';
import { table } from '../scripts/sizes.ts';
import { databaseCost } from './database-cost.ts';
import { note } from './figures.ts';
import { COST, hashPin, hashSemaphore } from '../service/custody/pin-hash.ts';
import { median } from './median.ts';
import { startBenchService } from './service-process.ts';

const WALLETS = 8;
const TURNS = 5;
const SECONDS = 2;
/** Transactions of each wallet before measuring, so that the engine has compiled the code. */
const WARM_UP = 10;
/** Of each wallet, for what the database spends on them. */
const COUNTED = 50;
const PIN = '739154';

interface Turn {
  /** Completions per second. */
  rate: number;
  /** CPU milliseconds of the process per completion. */
  cpu: number;
  /** 99th percentile of the event loop's delay, in milliseconds. */
  lag: number;
}

interface Usage {
  cpu: number;
  lagP99: number;
}

/** With as many at a time as there are wallets. */
async function turnOf(work: (n: number) => Promise<unknown>, usage: () => Promise<Usage>): Promise<Turn> {
  const before = await usage();
  const started = performance.now();
  const end = started + SECONDS * 1000;
  let count = 0;
  await Promise.all(
    Array.from({ length: WALLETS }, async (_, n) => {
      while (performance.now() < end) {
        await work(n);
        count++;
      }
    }),
  );
  const seconds = (performance.now() - started) / 1000;
  const after = await usage();
  return { rate: count / seconds, cpu: ((after.cpu - before.cpu) * 1000) / count, lag: after.lagP99 * 1000 };
}

async function ownUsage(): Promise<Usage> {
  const { user, system } = process.cpuUsage();
  return { cpu: (user + system) / 1e6, lagP99: Number.NaN };
}

export async function serviceSessions(): Promise<string> {
  const ethereum = await startEthereum({ port: 0 });
  const folder = mkdtempSync(join(tmpdir(), 'carabiner-bench-'));
  const networks = join(folder, 'networks.json');
  writeFileSync(networks, JSON.stringify({ networks: [ethereum.network] }));
  const service = await startBenchService({ NETWORKS: networks });
  try {
    const { token } = await service.client(['whitelabel', 'sign:wallets', 'view:wallets']);
    const post = async <T>(path: string, body: object): Promise<T> => {
      const response = await fetch(service.url + path, {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
      if (!response.ok) throw new Error(await response.text());
      return (await response.json()) as T;
    };
    const wallets: { id: string; address: string; session: string }[] = [];
    for (let n = 0; n < WALLETS; n++) {
      const order = {
        walletType: 'WHITE_LABEL',
        secretType: 'ETHEREUM',
        pincode: PIN,
        identifier: String(n),
      };
      const { id, address } = await post<{ id: string; address: string }>('/api/wallets', order);
      await ethereum.fund(address, parseEther('100'));
      const limits = [{ amount: String(parseEther('100')) }];
      const opened = await post<{ token: string }>(`/api/wallets/${id}/sessions`, {
        pincode: PIN,
        limits,
        transactions: 10_000,
      });
      wallets.push({ id, address, session: opened.token });
    }
    const spend = (n: number, by: object): Promise<unknown> => {
      const { id, address } = wallets[n]!;
      const request = { type: 'ETH_TRANSACTION', walletId: id, to: address, value: '1', ...by };
      return post('/api/transactions/execute', request);
    };
    const semaphore = hashSemaphore();
    const served = (): Promise<Usage> => service.usage();
    const sides = [
      {
        name: 'argon2id alone',
        usage: ownUsage,
        work: () => semaphore.run(() => hashPin(PIN, randomBytes(16), COST)),
      },
      {
        name: 'execute with the PIN (≥ 0.9)',
        usage: served,
        work: (n: number) => spend(n, { pincode: PIN }),
      },
      {
        name: 'execute with a session (≥ 5)',
        usage: served,
        work: (n: number) => spend(n, { session: wallets[n]!.session }),
      },
    ].map((side) => ({ ...side, turns: [] as Turn[] }));
    for (let n = 0; n < WARM_UP; n++) await Promise.all(wallets.map((_, n) => sides[2]!.work(n)));
    for (let turn = 0; turn < TURNS; turn++)
      for (const { work, usage, turns } of sides) turns.push(await turnOf(work, usage));
    const [alone, , session] = sides;
    const cpuOf = ({ turns }: { turns: Turn[] }): number => median(turns.map(({ cpu }) => cpu)) / 1000;
    note('pinCpuSeconds', cpuOf(alone!));
    note('executeCpuSeconds', cpuOf(session!));
    const cost = await databaseCost(service, async () => {
      let count = 0;
      for (let n = 0; n < COUNTED; n++, count += WALLETS)
        await Promise.all(wallets.map((_, wallet) => session!.work(wallet)));
      return count;
    });
    note('databaseCpuSeconds', cost.cpuSeconds);
    note('walBytes', cost.walBytes);
    note('transactionBytes', cost.transactionBytes);
    return table(
      [
        'transactions',
        'a second',
        'of argon2id alone',
        'CPU of the process, ms',
        'event loop p99, ms (≤ 20)',
      ],
      sides.map(({ name, turns }) => [
        name,
        median(turns.map(({ rate }) => rate)).toFixed(1),
        median(turns.map(({ rate }, turn) => rate / alone!.turns[turn]!.rate)).toFixed(2),
        median(turns.map(({ cpu }) => cpu)).toFixed(1),
        Number.isNaN(turns[0]!.lag) ? '-' : median(turns.map(({ lag }) => lag)).toFixed(0),
      ]),
    );
  } finally {
    await service.close();
    await ethereum.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
