/** How long creating a wallet takes, compared with the argon2id of its PIN alone. */
import { randomBytes } from 'node:crypto';
import { table } from '../scripts/sizes.ts';
import { COST, hashPin } from '../service/custody/pin-hash.ts';
import { median } from './median.ts';
import type { BenchService } from './service-process.ts';

const TURNS = 15;
const PIN = '739154';

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

export async function serviceCreate(service: BenchService): Promise<string> {
  const { token } = await service.client(['whitelabel']);
  const create = async (): Promise<void> => {
    const response = await fetch(`${service.url}/api/wallets`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ walletType: 'WHITE_LABEL', secretType: 'ETHEREUM', pincode: PIN }),
    });
    if (response.status !== 201) throw new Error(await response.text());
    await response.arrayBuffer();
  };
  const hash = (): Promise<unknown> => hashPin(PIN, randomBytes(16), COST);
  await create();
  await hash();
  const [whole, alone]: number[][] = [[], []];
  for (let turn = 0; turn < TURNS; turn++) {
    whole!.push(await timed(create));
    alone!.push(await timed(hash));
  }
  return table(
    ['milliseconds', 'wallet made', 'argon2id alone', 'ratio'],
    [
      [
        'by the service',
        median(whole!).toFixed(0),
        median(alone!).toFixed(0),
        // The ratio within each turn, so that both sides run under the same load.
        median(whole!.map((each, turn) => each / alone![turn]!)).toFixed(2),
      ],
    ],
  );
}
