/**
 * A pool of places, each with a browser and a local Ethereum, so that not every test file starts its own. `scripts/test.ts` opens the pool;
 * a test file takes a place through a socket and keeps it until its process ends, even by a crash. It gets fresh browser profiles and a
 * chain without a block.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createConnection, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { type BrowserServer, chromium, type LaunchOptions } from 'playwright-core';
import { type Anvil, startAnvil } from '../../demo/networks/anvil.ts';
import { findBrowser, findShell, FLAGS, UNSEEN } from '../../scripts/browser.ts';
import { Cpu } from '../../scripts/cpu.ts';
import { bundleForPage } from '../../scripts/bundled-tests.ts';
import { DEADLINE_MS } from '../waiting.ts';

/** What a test file gets. */
export interface Place {
  /** For `chromium.connect`. */
  browser: string;
  /** URL of an anvil. */
  anvil: string;
}

/**
 * Playwright's own `--disable-features` would switch off storage partitioning; the last such flag wins. These keep the browser from
 * prompting and from downloading.
 */
const FEATURES = `--disable-features=Translate,MediaRouter,OptimizationHints,DialMediaRouteProvider,HttpsUpgrades,${UNSEEN}`;

export function launchOptions(kind: BrowserKind): LaunchOptions {
  return {
    executablePath: kind === 'shell' ? findShell() : findBrowser(),
    args: [...FLAGS, FEATURES],
    // Tests cover the popup blocker.
    ignoreDefaultArgs: ['--disable-popup-blocking'],
    timeout: DEADLINE_MS,
  };
}

/** `shell`: the engine alone, a sixth cheaper. `whole`: with windows, popup blocker and prompts, as users have it. */
type BrowserKind = 'whole' | 'shell';

/**
 * Test files about what happens to a request, on each chain and at the service, and what the wallet says about it. Tests of what a browser
 * shows, allows or hides run in a whole one.
 */
const IN_A_SHELL = new Set([
  'ages',
  'calls',
  'chain-keys',
  'chains',
  'checkout',
  'checkout-walkthrough',
  'demo',
  'external',
  'first-run',
  'first-transfer',
  'frameworks',
  'languages',
  'order',
  'recipients',
  'recovery',
  'reference',
  'service',
  'service-wallets',
  'shop',
  'simulation',
  'site',
  'swap',
  'typed',
  'typed-data',
  'wallet-payment',
  'words',
]);

export function browserKind(): BrowserKind {
  return IN_A_SHELL.has(basename(process.argv[1] ?? '').replace(/(\.rest|\.long)?\.test\.[jt]s$/, ''))
    ? 'shell'
    : 'whole';
}

const SOCKET = 'E2E_PLACES';
/** Path of `seed.ts`, bundled. */
const SEED = 'E2E_SEED';

/** What a test file asks the pool. */
interface Wish {
  kind: BrowserKind;
  /** Its path from the project's root. */
  file: string;
}

class Parts {
  readonly #browsers: { [K in BrowserKind]?: BrowserServer } = {};
  #anvil: Anvil | undefined;

  /** As new, whatever the previous file left. */
  async ready(kind: BrowserKind): Promise<Place> {
    const { exitCode, signalCode } = this.#browsers[kind]?.process() ?? {};
    if (exitCode !== null || signalCode !== null)
      this.#browsers[kind] = await chromium.launchServer({ ...launchOptions(kind), host: '127.0.0.1' });
    if (!this.#anvil || !(await emptied(this.#anvil.url))) {
      await this.#anvil?.close();
      this.#anvil = await startAnvil();
    }
    return { browser: this.#browsers[kind]!.wsEndpoint(), anvil: this.#anvil.url };
  }

  /** What the browsers have used so far. */
  get cpu(): Cpu {
    const { whole, shell } = this.#browsers;
    const programs = [whole?.process().pid, shell?.process().pid];
    return programs.reduce((sum, pid) => (pid ? sum.plus(Cpu.ofTree(pid)) : sum), new Cpu());
  }

  async close(): Promise<void> {
    const { whole, shell } = this.#browsers;
    await Promise.all([whole?.close(), shell?.close(), this.#anvil?.close()]);
  }
}

/** Resets anvil: no block, no pending transaction, the machine's time. False if that failed. */
async function emptied(url: string): Promise<boolean> {
  const ask = async (method: string, ...params: unknown[]): Promise<unknown> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const headers = { 'Content-Type': 'application/json' };
    const answer = (await (await fetch(url, { method: 'POST', headers, body })).json()) as {
      result?: unknown;
      error?: { message: string };
    };
    if (answer.error) throw new Error(answer.error.message);
    return answer.result;
  };
  try {
    await ask('anvil_reset');
    await ask('anvil_dropAllTransactions');
    await ask('evm_setAutomine', true);
    await ask('evm_setTime', Math.floor(Date.now() / 1000));
    return (await ask('eth_blockNumber')) === '0x0';
  } catch {
    return false;
  }
}

/**
 * Opens the pool for the processes that this one starts from now on. `onRelease` is told of each place that a test file (`test/e2e/…`) gives
 * back, and what its browsers have used for it.
 */
export async function openPlaces(
  onRelease: (file: string, cpu: Cpu) => void = () => {},
): Promise<{ close(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'carabiner-places-'));
  process.env[SEED] = await bundleSeed(folder);
  const all: Parts[] = [];
  const free: Parts[] = [];
  const server = createServer((socket: Socket) => {
    let parts = free.pop();
    if (!parts) all.push((parts = new Parts()));
    const taken = parts;
    const before = taken.cpu;
    socket.on('error', () => {});
    socket.once('data', (wish) => {
      const { kind, file } = JSON.parse(String(wish)) as Wish;
      socket.once('close', () => {
        onRelease(file, taken.cpu.minus(before));
        free.push(taken);
      });
      taken.ready(kind).then(
        (place) => socket.write(`${JSON.stringify(place)}\n`),
        (error: unknown) => {
          console.error(error);
          socket.destroy();
        },
      );
    });
  });
  const path = join(folder, 'socket');
  await new Promise<void>((resolve) => server.listen(path, resolve));
  process.env[SOCKET] = path;
  return {
    async close() {
      delete process.env[SOCKET];
      delete process.env[SEED];
      server.close();
      await Promise.all(all.map((parts) => parts.close()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function bundleSeed(folder: string): Promise<string> {
  const path = join(folder, 'seed.js');
  await bundleForPage('test/e2e/seed.ts', path);
  return path;
}

let seed: Promise<string> | undefined;

/** `seed.ts`, bundled for a page of the frame's origin. */
export function seedScript(): Promise<string> {
  return (seed ??= readSeed());
}

async function readSeed(): Promise<string> {
  const made = process.env[SEED];
  if (made) return readFileSync(made, 'utf8');
  const folder = mkdtempSync(join(tmpdir(), 'carabiner-seed-'));
  try {
    return readFileSync(await bundleSeed(folder), 'utf8');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

let taken: Promise<Place | undefined> | undefined;

/** This process's place, until it ends. Undefined without a pool. */
export function place(): Promise<Place | undefined> {
  return (taken ??= take());
}

function take(): Promise<Place | undefined> {
  const path = process.env[SOCKET];
  if (!path) return Promise.resolve(undefined);
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = createConnection(path);
    const [file = ''] = /test\/e2e\/.*(?=\.[jt]s$)/.exec(process.argv[1] ?? '') ?? [];
    socket.write(JSON.stringify({ kind: browserKind(), file: `${file}.ts` } satisfies Wish));
    socket.setEncoding('utf8').on('data', (part: string) => {
      text += part;
      if (!text.endsWith('\n')) return;
      // It stays open until this process ends, but does not keep it alive.
      socket.unref();
      resolve(JSON.parse(text) as Place);
    });
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('The pool closed without giving a place.')));
  });
}

let isUsed = false;

/** The chain of this process's place, on the first call. Undefined afterwards: a second chain has to be started. */
export async function sharedAnvil(): Promise<Anvil | undefined> {
  const url = (await place())?.anvil;
  if (!url || isUsed) return undefined;
  isUsed = true;
  return { url, close: async () => {} };
}
