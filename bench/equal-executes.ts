/** A caller that repeats its request many times at once, at three processes: one transaction, and how long until all are answered. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEther } from 'ethers';
import { startEthereum } from '../demo/networks/ethereum.ts';
import { table } from '../scripts/sizes.ts';
import { median } from './median.ts';
import { startBenchService, startProcess, tokenAt } from './service-process.ts';

const PROCESSES = 3;
const EQUAL = 100;
const TURNS = 5;
const PIN = '739154';

export async function equalExecutes(): Promise<string> {
  const ethereum = await startEthereum({ port: 0 });
  const folder = mkdtempSync(join(tmpdir(), 'carabiner-bench-'));
  const networks = join(folder, 'networks.json');
  writeFileSync(networks, JSON.stringify({ networks: [ethereum.network] }));
  const first = await startBenchService({ NETWORKS: networks });
  const others = await Promise.all(
    Array.from({ length: PROCESSES - 1 }, (_, n) =>
      startProcess('service/main.ts', join(folder, `log-${n}`), {
        SERVICE_PORT: '0',
        DATABASE_URL: first.databaseUrl,
        MASTER_KEY_FILE: join(first.folder, 'data/master-key.json'),
        NETWORKS: networks,
        RATE_LIMIT: '10000000',
      }),
    ),
  );
  try {
    const client = await first.client(['whitelabel', 'sign:wallets']);
    const places = await Promise.all(
      [first, ...others].map(async ({ url }) => ({ url, token: await tokenAt(url, client) })),
    );
    const post = (n: number, path: string, body: object, key = ''): Promise<Response> => {
      const { url, token } = places[n % PROCESSES]!;
      return fetch(url + path, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${token}`,
          'Content-Type': 'application/json',
          ...(key && { 'Idempotency-Key': key }),
        },
        body: JSON.stringify(body),
      });
    };
    const order = { walletType: 'WHITE_LABEL', secretType: 'ETHEREUM', pincode: PIN };
    const { id, address } = (await (await post(0, '/api/wallets', order)).json()) as {
      id: string;
      address: string;
    };
    await ethereum.fund(address, parseEther('100'));
    const request = { type: 'ETH_TRANSACTION', walletId: id, to: address, value: '1', pincode: PIN };
    const seconds: number[] = [];
    const hashes: number[] = [];
    for (let turn = 0; turn < TURNS; turn++) {
      const started = performance.now();
      const answers = await Promise.all(
        Array.from({ length: EQUAL }, async (_, n) => {
          const answer = await post(n, '/api/transactions/execute', request, `turn-${turn}`);
          if (!answer.ok) throw new Error(await answer.text());
          return ((await answer.json()) as { transactionHash: string }).transactionHash;
        }),
      );
      seconds.push((performance.now() - started) / 1000);
      hashes.push(new Set(answers).size);
    }
    return table(
      [`${EQUAL} equal executes over ${PROCESSES} processes`, 'transactions (1)', 'seconds (≤ 3)', 'longest'],
      [
        [
          'one key, one PIN',
          String(Math.max(...hashes)),
          median(seconds).toFixed(2),
          Math.max(...seconds).toFixed(2),
        ],
      ],
    );
  } finally {
    for (const one of others) await one.close();
    await first.close();
    await ethereum.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
