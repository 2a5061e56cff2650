/** The bench's page in Chromium, built like the frame. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { build } from 'vite';
import { findBrowser, FLAGS } from '../scripts/browser.ts';
import { ROOT } from '../scripts/command.ts';
import { listen } from '../service/listen.ts';
import { send, StaticFiles } from '../service/http/static-files.ts';
import { framePage } from '../vite.config.ts';

/** Without the frame's own chunk groups, which fit another module graph. */
async function buildPage(folder: string): Promise<void> {
  const config = framePage(folder);
  const input = join(ROOT, 'bench/page/index.html');
  await build({
    ...config,
    root: join(ROOT, 'bench/page'),
    build: { ...config.build, rolldownOptions: { checks: { bundlerTimings: false }, input } },
  });
}

export async function inPage(measure: (page: Page) => Promise<void>): Promise<void> {
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
    await page.waitForFunction(() => 'measure' in window && 'draw' in window);
    await measure(page);
  } finally {
    await browser.close();
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
