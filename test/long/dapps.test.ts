/**
 * web3-onboard, wagmi, RainbowKit, ConnectKit and MetaMask's own test page, which have a lock file of their own in `dapps/`, find the
 * announced wallet and drive it with a real wallet. Installs them from the registry once.
 */
import assert from 'node:assert/strict';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { build } from 'esbuild';
import { verifyMessage } from 'ethers';
import { ROOT, run } from '../../scripts/command.ts';
import { listen } from '../../service/listen.ts';
import { table } from '../../scripts/sizes.ts';
import { openWorld, type Visitor, type World } from '../e2e/harness.ts';
import { DEADLINE_MS, poll } from '../waiting.ts';

const SOURCE = join(import.meta.dirname, 'dapps');
/** Outside of `test/`, whose files are all looked through for tests. */
const FOLDER = join(ROOT, '.cache/dapps');

const METAMASK = join(FOLDER, 'node_modules/@metamask/test-dapp/dist');
const TYPES: Record<string, string> = {
  js: 'text/javascript',
  css: 'text/css',
  svg: 'image/svg+xml',
  json: 'application/json',
  html: 'text/html',
};

const lockOf = (folder: string): string => {
  const file = join(folder, 'package-lock.json');
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
};

declare global {
  interface Window {
    onboard: {
      connect(label: string): Promise<{ label: string; address: string; chain: string }>;
      sign(message: string): Promise<string>;
      setChain(chainId: string): Promise<boolean>;
      disconnect(): Promise<number>;
    };
    wagmi: {
      names(): string[];
      connect(name: string): Promise<{ accounts: string[]; chainId: number }>;
      sign(message: string): Promise<string>;
      disconnect(): Promise<string>;
    };
    session: { names(): string[]; connect(): Promise<unknown> };
    providerCalls: Asked[];
  }
}

/** A call that the page made of the provider. */
interface Asked {
  method: string;
  state: 'pending' | 'done' | 'failed';
  code?: number;
  message?: string;
}

let world: World;
let script: string;
/** By path. */
let sessionFiles: Map<string, string>;
/** The pages of `session.jsx` and MetaMask's, on an origin of their own. */
let pages: Awaited<ReturnType<typeof listen>>;
before(async () => {
  const installed = lockOf(FOLDER) === lockOf(SOURCE) && existsSync(join(FOLDER, 'node_modules'));
  cpSync(SOURCE, FOLDER, { recursive: true });
  if (!installed) await run('npm', ['ci', '--prefix', FOLDER], { timeout: 3 * DEADLINE_MS });
  script = [...(await bundle('page.js', 'iife')).values()].join();
  sessionFiles = await bundle('session.jsx', 'esm');
  world = await openWorld();
  pages = await listen(
    ({ url = '/' }, response) => {
      const [type, body] = fileAt(new URL(url, 'http://page').pathname);
      response.writeHead(body === undefined ? 404 : 200, { 'Content-Type': type }).end(body);
    },
    { port: 0, setting: 'tests' },
  );
  world.embedOn(originOf());
});
after(async () => {
  await pages?.close();
  await world?.close();
});

function originOf(): string {
  return `http://localhost:${pages.port}`;
}

/** A visitor of one of these pages, with a linked wallet. */
async function visitPage(path: string): Promise<{ visitor: Visitor; address: string }> {
  const visitor = await world.visit('iframe', '/plain');
  Object.defineProperty(visitor, 'origin', { value: originOf() });
  await visitor.page.goto(`${originOf()}/empty`);
  const { address } = await visitor.wealthyWallet();
  await visitor.page.goto(originOf() + path);
  return { visitor, address };
}

function fileAt(path: string): [type: string, body: string | Buffer | undefined] {
  if (path === '/empty') return ['text/html', '<!doctype html><title>Empty</title>'];
  const script = sessionFiles.get(path);
  if (script !== undefined) return ['text/javascript', script];
  if (path === '/session') return ['text/html', SESSION(world.frame)];
  const name = path.replace('/metamask/', '') || 'index.html';
  const file = join(METAMASK, name);
  if (!path.startsWith('/metamask/') || !existsSync(file)) return ['text/plain', undefined];
  const type = TYPES[name.split('.').at(-1)!] ?? 'text/plain';
  if (name !== 'index.html') return [type, readFileSync(file)];
  const tag = `<script type="module" src="${world.frame}/connect.js" data-announce></script>`;
  return [type, readFileSync(file, 'utf8').replace('<head>', `<head>${tag}`)];
}

async function bundle(entry: string, format: 'iife' | 'esm'): Promise<Map<string, string>> {
  const { outputFiles } = await build({
    entryPoints: [join(FOLDER, entry)],
    bundle: true,
    format,
    target: 'es2022',
    write: false,
    outdir: FOLDER,
    // Without it what is loaded on demand is put inside, and run in another order.
    splitting: format === 'esm',
    alias: { 'carabiner/wagmi': join(ROOT, 'dist/wagmi.js') },
    define: { 'process.env.NODE_ENV': '"production"', global: 'globalThis' },
    logLevel: 'error',
  });
  return new Map(
    outputFiles
      .filter(({ path }) => path.endsWith('.js'))
      .map(({ path, text }) => [path.slice(FOLDER.length), text]),
  );
}

async function visit(): Promise<Visitor> {
  const visitor = await world.visit('iframe', '/announced');
  await visitor.page.addScriptTag({ content: script });
  return visitor;
}

test('web3-onboard finds the wallet, connects, signs, switches and disconnects', async () => {
  const visitor = await visit();
  const { address } = await visitor.createWallet();
  await visitor.run(() => window.onboard.connect('Carabiner'));
  const { value: connected } = await visitor.answer<{ label: string; address: string; chain: string }>();
  assert.deepEqual(connected, { label: 'Carabiner', address, chain: '0x7a69' });
  const view = await visitor.ask(() => window.onboard.sign('Hello'));
  await view.approve();
  assert.equal(verifyMessage('Hello', (await visitor.answer<string>()).value!), address);
  await visitor.run(() => window.onboard.setChain('0x7a69'));
  assert.equal((await visitor.answer<boolean>()).value, true);
  await visitor.run(() => window.onboard.disconnect());
  assert.equal((await visitor.answer<number>()).value, 0);
  await visitor.close();
});

test('the newest wagmi finds the wallet, asks which accounts, signs and disconnects', async () => {
  const visitor = await visit();
  const { address } = await visitor.createWallet();
  assert.deepEqual(await visitor.evaluate(() => window.wagmi.names()), ['Carabiner']);
  const linking = await visitor.ask(() => window.wagmi.connect('Carabiner'));
  await linking.press('Link wallets');
  const { value } = await visitor.answer<{ accounts: string[]; chainId: number }>();
  assert.deepEqual(value, { accounts: [address], chainId: 31337 });
  const signing = await visitor.ask(() => window.wagmi.sign('Hello'));
  await signing.approve();
  assert.equal(verifyMessage('Hello', (await visitor.answer<string>()).value!), address);
  await visitor.run(() => window.wagmi.disconnect());
  assert.equal((await visitor.answer<string>()).value, 'disconnected');
  assert.deepEqual(await visitor.wallets(), []);
  await visitor.close();
});

const SESSION = (frame: string): string => `<!doctype html><html lang="en"><title>dApp</title>
<script type="module" src="${frame}/connect.js" data-announce></script>
<script type="module">import { connect } from '${frame}/connect.js'; window.connect = connect;</script>
<script type="module" src="/session.js"></script>
<p id="account"></p><div id="root"></div></html>`;

for (const library of ['wagmi', 'wagmi-connector', 'rainbowkit', 'connectkit'])
  test(`${library} lists the wallet once and keeps its session over five reloads`, async () => {
    const { visitor, address } = await visitPage(`/session?with=${library}`);
    const { page } = visitor;
    const account = page.locator('#account');
    await page.getByText('none', { exact: true }).waitFor();
    const names = await visitor.evaluate(() => window.session.names());
    assert.deepEqual(
      names.filter((name) => name === 'Carabiner'),
      ['Carabiner'],
    );
    await visitor.evaluate(() => void window.session.connect());
    if (library !== 'wagmi-connector') await visitor.iframe().press('Link wallets');
    await page.getByText(address, { exact: true }).waitFor();
    for (let reload = 0; reload < 5; reload++) {
      await page.reload();
      await poll(async () => /./.test(await account.innerText()), 'the session after a reload');
      await poll(async () => (await account.innerText()) === address, `the account after reload ${reload}`);
    }
    await visitor.close();
  });

/** Of EIP-1193, EIP-1474, EIP-5792 and docs/provider.md, and of reads the node's own. */
const CODES = [
  3, 4001, 4100, 4200, 4900, 4901, 4902, 5700, 5710, 5730, 5740, 5760, -32000, -32002, -32003, -32602,
];
/** Answers of these need the user. */
const CONSENTS =
  /^(eth_sendTransaction|personal_sign|eth_signTypedData_v4|wallet_sendCalls|wallet_requestPermissions)$/;

/** After so many, a button of the page makes no further call. */
const QUIET_LOOKS = 10;

test('every button of MetaMask’s own test page ends, and nothing is approved by itself', async (context) => {
  const { visitor, address } = await visitPage('/empty');
  const { page } = visitor;
  await page.route('**/*', (route) => {
    const { hostname } = new URL(route.request().url());
    return hostname === 'localhost' || hostname === '127.0.0.1' ? route.fallback() : route.abort();
  });
  // Every call is counted, and its end.
  await page.addInitScript(() => {
    window.providerCalls = [];
    window.open = () => null;
    addEventListener('eip6963:announceProvider', (event) => {
      const { provider } = (event as CustomEvent).detail;
      if (provider.counted) return;
      const request = provider.request.bind(provider);
      provider.counted = true;
      // The page shows its buttons to MetaMask alone.
      provider.isMetaMask = true;
      provider.request = async (given: { method: string }) => {
        const asked: (typeof window.providerCalls)[number] = { method: given.method, state: 'pending' };
        window.providerCalls.push(asked);
        try {
          const result = await request(given);
          asked.state = 'done';
          return result;
        } catch (error) {
          const { code, message } = error as { code: number; message: string };
          Object.assign(asked, { state: 'failed', code, message });
          throw error;
        }
      };
    });
  });
  await page.goto(`${originOf()}/metamask/`);
  await page.locator('#providers button').first().click();
  // The page may find the linked wallet before that, and then has nothing to connect.
  await page.locator('#connectButton').evaluate((button: HTMLButtonElement) => button.click());
  const account = page.locator('#accounts').getByText(new RegExp(address, 'i'));
  await poll(async () => {
    if (await account.count()) return true;
    const link = visitor.iframe().button('Link wallets');
    if ((await page.locator('dialog[open] iframe').count()) && (await link.count()))
      await visitor.iframe().press('Link wallets');
    return false;
  }, 'the account on the page');

  /** Rejects whatever is asked, or approves the first of it, until every call has ended. */
  async function end(what: string, consents = false): Promise<Asked[]> {
    let left = consents ? 1 : 0;
    let looks = 0;
    let counted = 0;
    let quietLooks = 0;
    const look = async (): Promise<Asked[] | undefined> => {
      const dialog = page.locator('dialog[open] iframe');
      if (await dialog.count()) {
        const view = visitor.iframe();
        if (left && (await view.approval().count())) {
          for (const tick of await view.root.getByRole('checkbox').all()) await tick.check();
          await view.approve();
          left--;
        } else if (!left) {
          // Close is for all that wait; a notice that the site asks too often has no other button. What was approved is on its way.
          const leave = consents ? 'Done' : /^(Reject|Done)$/;
          const isNotice = !consents && ++looks > 20 && !(await view.button(leave).count());
          const name = isNotice || /(Batch|Queue)$/.test(what) ? 'Close' : leave;
          // Pressed as it is now: it may disappear meanwhile.
          const button = (await view.button(name).elementHandles()).at(-1);
          await button?.click().catch(() => {});
        }
      }
      const calls = await visitor.evaluate(() => window.providerCalls);
      const hasEnded =
        calls.every(({ state }) => state !== 'pending') &&
        (!consents || calls.some(({ method }) => CONSENTS.test(method))) &&
        !(await dialog.count());
      // After one call the page may make another.
      quietLooks = hasEnded && calls.length === counted ? quietLooks + 1 : 0;
      counted = calls.length;
      if (quietLooks < QUIET_LOOKS) return undefined;
      return visitor.evaluate((count) => window.providerCalls.splice(0, count), counted);
    };
    const calls = await poll(
      () =>
        look().catch((error: Error) => {
          // The frame is replaced or removed between a press and the next look.
          if (!/context was destroyed|was detached|has been closed/.test(error.message)) throw error;
          return undefined;
        }),
      `the end of ${what}`,
    );
    // Ten requests in a row count as one that is replaced by others.
    if (calls.some(({ method }) => CONSENTS.test(method))) await visitor.passMinute();
    return calls;
  }
  await end('connecting');

  const skipped =
    /^(walletConnect|sdkConnect|connectButton|openNetworkPicker|useWindowProviderButton|requestPermissions|revokeAccountsPermission|resetConfigButton)$/;
  const approved =
    /^(personalSign|signTypedDataV4|deployButton|deployFailingButton|createToken|deployNFTsButton|deployERC1155Button)$/;
  const rows: string[][] = [];
  context.after(() => console.log(table(['button', 'method', 'outcome'], rows)));
  const wrong: string[] = [];
  const ids = await visitor.evaluate(() =>
    Array.from(document.querySelectorAll<HTMLButtonElement>('main button[id]'), ({ id }) => id),
  );
  for (const id of [
    ...ids.filter((each) => !skipped.test(each)),
    'requestPermissions',
    'revokeAccountsPermission',
  ]) {
    // After its transaction is in a block, the page shows more buttons.
    const isThere = await visitor.evaluate((name) => {
      const button = document.getElementById(name) as HTMLButtonElement | null;
      if (!button || button.disabled) return false;
      button.click();
      return true;
    }, id);
    if (!isThere) {
      rows.push([id, 'disabled', '']);
      continue;
    }
    // The page may look something up before it calls.
    await visitor.evaluate(
      () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
    );
    const calls = await end(id, approved.test(id));
    for (const { method, state, code, message } of calls) {
      rows.push([id, method, state === 'done' ? 'answered' : `${code} ${message?.slice(0, 90)}`]);
      if (state === 'failed' && !CODES.includes(code!))
        wrong.push(`${id}: ${method} failed with ${code}: ${message}`);
      if (state === 'done' && CONSENTS.test(method) && !approved.test(id))
        wrong.push(`${id}: ${method} was approved by itself`);
    }
    if (approved.test(id)) {
      const consent = calls.find(({ method }) => CONSENTS.test(method));
      if (consent?.state !== 'done')
        wrong.push(`${id}: ${consent?.method} was not answered: ${consent?.message}`);
    }
    if (!calls.length) rows.push([id, 'no call', '']);
  }
  assert.deepEqual(wrong, []);
  await visitor.close();
});
