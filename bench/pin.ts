/** From the PIN to a signature, in Chromium, beside the argon2id work that it cannot do without. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { build } from 'vite';
import type { LocalNetwork } from '../demo/networks/local-network.ts';
import { findBrowser, FLAGS } from '../scripts/browser.ts';
import { ROOT } from '../scripts/command.ts';
import { table } from '../scripts/sizes.ts';
import { listen } from '../service/listen.ts';
import { send, StaticFiles } from '../service/static-files.ts';
import { framePage } from '../vite.config.ts';
import { median } from './median.ts';

const TURNS = 9;

/** The page, built as the frame is, but for what belongs together: that is another graph's. */
async function buildPage(folder: string): Promise<void> {
  const config = framePage(folder);
  const input = join(ROOT, 'bench/page/index.html');
  await build({
    ...config,
    root: join(ROOT, 'bench/page'),
    build: { ...config.build, rolldownOptions: { checks: { bundlerTimings: false }, input } },
  });
}

export async function pin({ network }: LocalNetwork): Promise<string> {
  const folder = join(ROOT, `.cache/bench-${process.pid}`);
  const files = new StaticFiles();
  await buildPage(folder);
  const server = await listen(
    async (request, response) => {
      const path = request.url === '/' ? 'index.html' : request.url!;
      const found = await files.get(join(folder, 'frame', path));
      if (found) await send(request, response, found, {});
      else response.writeHead(404).end();
    },
    { port: 0, setting: 'bench' },
  );
  const browser = await chromium.launch({ executablePath: findBrowser(), args: FLAGS });
  try {
    const page = await browser.newPage();
    await page.goto(`http://localhost:${server.port}/`);
    await page.waitForFunction(() => 'measure' in window);
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
          // Of each turn, as the machine was then.
          median(signature.map((whole, turn) => whole / argon2id[turn]!)).toFixed(2),
        ],
      ],
    );
  } finally {
    await browser.close();
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
