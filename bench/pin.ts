/** From the PIN to a signature, in Chromium, compared with the argon2id work alone, its lower bound. */
import type { Page } from 'playwright-core';
import type { LocalNetwork } from '../demo/networks/local-network.ts';
import { table } from '../scripts/sizes.ts';
import { median } from './median.ts';

const TURNS = 9;

export async function pin(page: Page, { network }: LocalNetwork): Promise<string> {
  const { signature, argon2id } = await page.evaluate(([on, turns]) => window.measure(on, turns), [
    network,
    TURNS,
  ] as const);
  return table(
    ['milliseconds', 'PIN to signature', 'argon2id alone', 'ratio (≤ 1.2)'],
    [
      [
        'in Chromium',
        median(signature).toFixed(0),
        median(argon2id).toFixed(0),
        // The ratio within each turn, so that both sides run under the same load.
        median(signature.map((whole, turn) => whole / argon2id[turn]!)).toFixed(2),
      ],
    ],
  );
}
