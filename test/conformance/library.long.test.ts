/** The code of docs/library.md, as a reader copies it: with the package's own exports, in Node and in a browser. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { after, before, describe, it } from 'node:test';
import { build, transform } from 'esbuild';
import { type Browser, chromium, type Page } from 'playwright-core';
import { litecoindPath } from '../../demo/networks/litecoind-path.ts';
import type { LocalNetwork } from '../../demo/networks/local-network.ts';
import { LOCAL_NETWORKS } from '../../demo/networks/start-networks.ts';
import { findBrowser, FLAGS } from '../../scripts/browser.ts';
import { loadChain, newPhrase, seedOfPhrase, SECRET_TYPES } from '../../src/chains/index.ts';
import type { Signed } from '../../src/chains/terms.ts';
import type { Network } from '../../src/chains/network.ts';
import type { TransactionRequest } from '../../src/chains/requests.ts';
import type { SecretType } from '../../src/chains/secret-type.ts';
import { DEADLINE_MS, poll } from '../waiting.ts';

interface Example {
  send(network: Network, phrase: string, request: TransactionRequest): Promise<Signed>;
  requests: Record<SecretType, (to: string) => TransactionRequest>;
}

const root = resolve(import.meta.dirname, '../..');
// Inside the package, which finds itself by its name.
const folder = join(root, `.cache/library-${process.pid}`);
let example: Example;
let browser: Browser;
let page: Page;
const server = createServer((request, response) => {
  const isScript = request.url === '/page.js';
  response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
  response.end(
    isScript
      ? readFileSync(join(folder, 'page.js'))
      : '<!doctype html><link rel="icon" href="data:,"><script type="module" src="/page.js"></script>',
  );
});

before(async () => {
  mkdirSync(folder, { recursive: true });
  const text = readFileSync(join(root, 'docs/library.md'), 'utf8');
  const blocks = [...text.matchAll(/^```ts\n\/\/ (\w+\.ts)\n(.*?)^```$/gms)];
  assert.deepEqual(
    blocks.map(([, name]) => name),
    ['send.ts', 'requests.ts'],
  );
  for (const [, name, code] of blocks) {
    const { code: script } = await transform(code!, { loader: 'ts', format: 'esm' });
    writeFileSync(join(folder, name!.replace('.ts', '.mjs')), script);
  }
  const urlOf = (name: string): string => pathToFileURL(join(folder, name)).href;
  example = { ...(await import(urlOf('send.mjs'))), ...(await import(urlOf('requests.mjs'))) } as Example;
  writeFileSync(
    join(folder, 'entry.mjs'),
    "import { send } from './send.mjs';\nObject.assign(window, { send });\n",
  );
  await build({
    entryPoints: [join(folder, 'entry.mjs')],
    outfile: join(folder, 'page.js'),
    bundle: true,
    format: 'esm',
    platform: 'browser',
    logLevel: 'error',
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  browser = await chromium.launch({ executablePath: findBrowser(), args: FLAGS, timeout: DEADLINE_MS });
  page = await browser.newPage();
  page.setDefaultTimeout(DEADLINE_MS);
  await page.goto(`http://localhost:${(server.address() as AddressInfo).port}/`);
  await page.waitForFunction(() => 'send' in window);
});
after(async () => {
  await browser?.close();
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

type Send = Example['send'];

const sendInPage: Send = (network, phrase, request) =>
  page.evaluate(([on, words, what]) => (window as unknown as { send: Send }).send(on, words, what), [
    network,
    phrase,
    request,
  ] as const);

/** A phrase whose first wallet has coins, and what pays its fees. */
async function funded(local: LocalNetwork): Promise<string> {
  const chain = await loadChain(local.network.secretType);
  const phrase = await newPhrase();
  const key = await chain.deriveKey(await seedOfPhrase(phrase), 0);
  const address = await chain.address(key, local.network.kind);
  const wanted = new Set([chain.coin.symbol, chain.gasCoin.symbol]);
  for (const asset of local.assets) if (wanted.has(asset)) await local.give(asset, address);
  return phrase;
}

async function arrives(local: LocalNetwork, to: string, { hash, raw }: Signed): Promise<void> {
  const chain = await loadChain(local.network.secretType);
  const node = chain.node(local.network);
  const confirmed = async (): Promise<boolean> => {
    const state = await chain.status(hash, node, raw);
    assert.notEqual(state, 'failed');
    return state === 'confirmed';
  };
  await poll(confirmed, `${hash} to be confirmed`);
  const { balance } = await chain.balance(to, node);
  assert.equal(balance, 0.01);
}

describe('the library, alone', () => {
  for (const secretType of SECRET_TYPES) {
    const { load, needsLitecoind } = LOCAL_NETWORKS[secretType]!;
    const skip = needsLitecoind && !litecoindPath() ? 'litecoind is not installed' : false;
    it(`sends on ${secretType}, in Node and in a browser`, { skip }, async () => {
      const local = await (await load())({ port: 0 });
      try {
        const chain = await loadChain(secretType);
        const phrase = await funded(local);
        for (const send of [example.send, sendInPage]) {
          const stranger = await chain.deriveKey(await seedOfPhrase(await newPhrase()), 0);
          const to = await chain.address(stranger, local.network.kind);
          const request = example.requests[secretType](to);
          await arrives(local, to, await send(local.network, phrase, request));
        }
      } finally {
        await local.close();
      }
    });
  }
});
