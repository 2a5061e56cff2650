/** The server's part of docs/recipes.md, as a reader copies it, with what a wallet signs. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { after, before, mock, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { transform } from 'esbuild';
import { getBytes, hexlify, toUtf8Bytes, Wallet } from 'ethers';
import { compareSignIn, parseSignIn } from '../../src/chains/evm/sign-in.ts';
import { loadChain, loadPayloads } from '../../src/chains/index.ts';

const root = resolve(import.meta.dirname, '../..');
const folder = join(root, `.cache/recipes-${process.pid}`);
const ORIGIN = 'https://shop.example';
const wallet = Wallet.createRandom();

let server: {
  offer(address: string, origin: string, chainId?: number): { nonce: string; message: string };
  accept(nonce: string, signature: string): string;
};
before(async () => {
  const [, code] = /^```ts\n\/\/ sign-in\.ts[^\n]*\n(.*?)^```$/ms.exec(
    readFileSync(join(root, 'docs/recipes.md'), 'utf8'),
  )!;
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'sign-in.mjs');
  writeFileSync(file, (await transform(code!, { loader: 'ts', format: 'esm' })).code);
  server = await import(pathToFileURL(file).href);
});
/** The routes of the recipe, in an application of the form of Express. */
function routes(): Record<string, (request: object, response: object) => void> {
  const [, code] = /^```ts\n(const ORIGIN = .*?)^```$/ms.exec(
    readFileSync(join(root, 'docs/recipes.md'), 'utf8'),
  )!;
  const found: ReturnType<typeof routes> = {};
  const app = {
    get: (path: string, handler: (typeof found)[string]) => (found[`GET ${path}`] = handler),
    post: (path: string, handler: (typeof found)[string]) => (found[`POST ${path}`] = handler),
  };
  new Function('app', 'offer', 'accept', code!)(app, server.offer, server.accept);
  return found;
}
after(() => rmSync(folder, { recursive: true, force: true }));

test('the wallet finds nothing wrong with the server’s message, and the server accepts its signature once', async () => {
  const { nonce, message } = server.offer(wallet.address.toLowerCase(), ORIGIN);
  const read = parseSignIn(message);
  assert.ok(read, 'a sign-in by the grammar of EIP-4361');
  const scene = { origin: ORIGIN, now: Date.now() };
  assert.deepEqual(compareSignIn(read, scene, { address: wallet.address, chainId: 1 }), []);

  const [ethereum, payloads] = await Promise.all([loadChain('ETHEREUM'), loadPayloads('ETHEREUM')]);
  const request = { type: 'ETHEREUM_RAW', walletId: 'w', data: hexlify(toUtf8Bytes(message)) };
  const { signature } = await ethereum.signData!(payloads.parseSigning(request), getBytes(wallet.privateKey));
  assert.equal(server.accept(nonce, signature), wallet.address);
  assert.throws(() => server.accept(nonce, signature), /over/);
});

test('the routes hand out a message and sign in whoever signed it', () => {
  const handle = routes();
  const answers: { message?: string; nonce?: string; address?: string }[] = [];
  const response = { json: (body: (typeof answers)[number]) => answers.push(body) };
  const session: { address?: string } = {};
  handle['GET /sign-in']!({ query: { address: wallet.address } }, response);
  const { nonce, message } = answers[0]!;
  const body = { nonce, signature: wallet.signMessageSync(message!) };
  handle['POST /sign-in']!({ body, session }, response);
  assert.deepEqual([session.address, answers[1]], [wallet.address, { address: wallet.address }]);
  assert.throws(() => handle['POST /sign-in']!({ body, session }, response), /over/);
});

test('the server refuses another wallet, another message and one that is too late', async () => {
  const other = Wallet.createRandom();
  const stolen = server.offer(wallet.address, ORIGIN);
  assert.throws(() => server.accept(stolen.nonce, other.signMessageSync(stolen.message)), /Another wallet/);

  const [mine, changed] = [server.offer(wallet.address, ORIGIN), server.offer(wallet.address, ORIGIN)];
  assert.throws(() => server.accept(mine.nonce, wallet.signMessageSync(changed.message)), /Another wallet/);

  const late = server.offer(wallet.address, ORIGIN);
  mock.timers.enable({ apis: ['Date'], now: Date.now() + 11 * 60_000 });
  assert.throws(() => server.accept(late.nonce, wallet.signMessageSync(late.message)), /over/);
  mock.timers.reset();
});
