/**
 * web3-onboard and the newest wagmi, which have a lock file of their own in `dapps/`, find the announced wallet and drive it with a real
 * wallet. Installs them from the registry once.
 */
import assert from 'node:assert/strict';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { build } from 'esbuild';
import { verifyMessage } from 'ethers';
import { ROOT, run } from '../../scripts/command.ts';
import { openWorld, type Visitor, type World } from '../e2e/harness.ts';
import { DEADLINE_MS } from '../waiting.ts';

const SOURCE = join(import.meta.dirname, 'dapps');
/** Outside of `test/`, whose files are all looked through for tests. */
const FOLDER = join(ROOT, '.cache/dapps');

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
  }
}

let world: World;
let script: string;
before(async () => {
  const installed = lockOf(FOLDER) === lockOf(SOURCE) && existsSync(join(FOLDER, 'node_modules'));
  cpSync(SOURCE, FOLDER, { recursive: true });
  if (!installed) await run('npm', ['ci', '--prefix', FOLDER], { timeout: 3 * DEADLINE_MS });
  const { outputFiles } = await build({
    entryPoints: [join(FOLDER, 'page.js')],
    bundle: true,
    format: 'iife',
    target: 'es2022',
    write: false,
    define: { 'process.env.NODE_ENV': '"production"', global: 'globalThis' },
  });
  script = outputFiles[0]!.text;
  world = await openWorld();
});
after(() => world?.close());

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
