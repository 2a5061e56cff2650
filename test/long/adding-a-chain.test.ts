/** Follows the pages about adding a chain and an exchange to the letter, in a copy of the project. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { TSC } from '../../scripts/command.ts';
import { type Changes, ProjectCopy } from '../pages.ts';

let folder: string;
let project: ProjectCopy;

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'carabiner-adding-'));
  project = new ProjectCopy(join(folder, 'copy'), [
    'bench',
    'demo',
    'scripts',
    'service',
    'src',
    'test',
    'types',
    'package.json',
    'tsconfig.json',
    'vite.config.ts',
  ]);
});
after(() => rmSync(folder, { recursive: true, force: true }));

/** Each kind of thing that a page adds is a folder and a line in a registry. */
function assertFolderAndLine(
  { files, added, removed }: Changes,
  ...parts: { within: string; registry: string }[]
): void {
  assert.deepEqual(
    files.filter((path) => !parts.some(({ within }) => path.startsWith(within))).toSorted(),
    parts.map(({ registry }) => registry).toSorted(),
  );
  for (const { registry } of parts) assert.equal(added[registry], 1);
  assert.equal(removed, 0);
}

/** Runs code in the copy; returns the JSON that it prints. */
async function run(code: string): Promise<unknown> {
  const script = join(project.folder, 'try.mts');
  writeFileSync(script, code);
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', script], {
    cwd: project.folder,
  });
  return JSON.parse(stdout);
}

test('a chain is a folder and a line, and pays', async () => {
  assertFolderAndLine(project.follow('docs/adding-a-chain.md'), {
    within: 'src/chains/pebble/',
    registry: 'src/chains/cards.ts',
  });
  const sent: string[] = [];
  const node = await startNode(sent);
  try {
    const told = await run(`
      import { CARDS, loadChain, loadPayloads, SECRET_TYPES, secretTypeOf } from './src/chains/index.ts';
      import { chainOfAddress } from './src/chains/requests/foreign-address.ts';
      import { Networks } from './src/chains/network.ts';
      import { loadOutflow } from './src/chains/outflow.ts';
      import { draftToJson } from './src/api/draft-json.ts';
      import { readApproved } from './service/transactions/approved-draft.ts';
      import { nativeRequests } from './service/http/native-requests.ts';

      const chain = await loadChain('PEBBLE');
      const payloads = await loadPayloads('PEBBLE');
      const key = await chain.importKey('11'.repeat(32));
      const from = chain.address(key, 'local');
      const { networks } = Networks.parse({ networks: [{
        id: 'pebble', secretType: 'PEBBLE', name: 'Pebble', kind: 'local', nodes: ['${node.url}'],
      }] });
      const client = chain.node(networks[0]);
      const to = 'peb_' + 'ab'.repeat(20);
      const request = payloads.parse({ type: 'TRANSFER', secretType: 'PEBBLE', walletId: 'w', to, value: '2.5' });
      const draft = await chain.prepare(request, from, client, { own: [], used: [], seen: [], reported: [], taken: [] });
      const approved = await readApproved(draftToJson(draft), { chain, node: client, address: from });
      const signed = await chain.sign(approved, key);
      const hash = await chain.broadcast(signed, client);
      const { amount, total } = await chain.describe(draft);
      let mixedUp;
      try {
        (await loadPayloads('BITCOIN')).parse({ type: 'BTC_TRANSACTION', walletId: 'w', to, value: 1 });
      } catch (error) {
        mixedUp = error.issues[0].message;
      }
      console.log(JSON.stringify({
        listed: SECRET_TYPES.includes('PEBBLE'),
        name: CARDS.PEBBLE.name,
        ofType: secretTypeOf('PEB_TRANSACTION'),
        ofAddress: chainOfAddress(to),
        amount: [String(amount.raw), amount.symbol, String(total.raw)],
        state: await chain.status(hash, client),
        isLimited: (await loadOutflow('PEBBLE')) !== undefined,
        mixedUp,
        documented: (await nativeRequests()).some((schema) => schema.properties.type.const === 'PEB_TRANSACTION'),
      }));`);
    assert.deepEqual(told, {
      listed: true,
      name: 'Pebble',
      ofType: 'PEBBLE',
      ofAddress: 'PEBBLE',
      amount: ['2500000', 'PEB', '2501000'],
      state: 'confirmed',
      isLimited: false,
      mixedUp: 'is a Pebble address, not a Bitcoin one',
      documented: true,
    });
    assert.equal(sent.length, 1);
  } finally {
    node.server.close();
  }
});

/** A node of Pebble: every account is rich, every transaction is mined at once. */
async function startNode(sent: string[]): Promise<{ server: Server; url: string }> {
  const server = createServer((request, response) => {
    request.resume();
    if (request.method === 'POST') sent.push(request.url!);
    const account = { balance: '1000000000', nonce: 7 };
    response.end(JSON.stringify(request.url!.startsWith('/accounts/') ? account : { block: 1 }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

test('an exchange is a folder and a line, and is read back from what it builds', async () => {
  assertFolderAndLine(
    project.follow('docs/adding-an-exchange.md'),
    { within: 'src/swaps/exchanges/kiosk/', registry: 'src/swaps/kinds.ts' },
    { within: 'src/swaps/cross-chain/booth/', registry: 'src/swaps/cross-chain/kinds.ts' },
  );
  const told = await run(`
    import { Market } from './src/swaps/market.ts';
    import { readTerms } from './src/swaps/terms.ts';

    const at = (digit) => '0x' + digit.repeat(40);
    const entry = { kind: 'kiosk', name: 'Kiosk', factory: at('1'), router: at('2'), wrapped: at('3'), bases: [] };
    const network = { id: 'local', secretType: 'ETHEREUM', tokens: [], exchanges: [entry] };
    const [exchange] = (await Market.of(network)).exchanges;
    const coin = { address: '', symbol: 'ETH', decimals: 18 };
    const token = { address: at('4'), symbol: 'TOK', decimals: 18 };
    const caller = { read: async () => ['0x' + (2n * 10n ** 18n).toString(16).padStart(64, '0')] };
    const question = { from: coin, to: token, orderType: 'SELL', amount: 5n };
    const quote = await exchange.rate(caller, question);
    const step = exchange.build({ ...question, route: quote.route, limit: 9n, recipient: at('5'), deadline: 1800000000 });
    const terms = await readTerms(entry, step, network, { symbol: 'ETH', decimals: 18 });
    const other = await readTerms(entry, { ...step, value: 6n }, network, { symbol: 'ETH', decimals: 18 });
    console.log(JSON.stringify([quote.output, terms.input.raw, terms.input.symbol, terms.output.raw, other ?? null].map(
      (value) => typeof value === 'bigint' ? Number(value) : value)));`);
  assert.deepEqual(told, [10, 5, 'ETH', 9, null]);
});

test('so is an exchange between chains, which is asked and created like any other', async () => {
  const told = await run(`
    import { loadChain } from './src/chains/index.ts';
    import { Networks } from './src/chains/network.ts';
    import { readCrossChain } from './src/swaps/cross-chain/entry.ts';
    import { systemClock } from './src/base/clock.ts';
    import { createSwap, crossChainOf, swapPairs, swapRates } from './src/swaps/index.ts';

    const place = (id, secretType) => ({ id, secretType, name: id, kind: 'mainnet', nodes: ['https://' + id + '.example'] });
    const networks = [place('bitcoin', 'BITCOIN'), place('litecoin', 'LITECOIN')];
    const own = 'bc1qatt33ste4xywa97skmt9tmxwnpzrvqszwpm6pu';
    const other = 'ltc1qp0esmcpjymjahn3aptwtpf82axyq2g36kzgrng';
    const tills = [
      { network: 'bitcoin', address: own, worth: 100 },
      { network: 'litecoin', address: other, worth: 1 },
    ];
    const booth = { kind: 'booth', name: 'Booth', nodes: [], tills };
    const file = Networks.parse({ networks, crossChain: [booth] });
    const wrong = readCrossChain({ networks: file.networks, crossChain: [{ ...booth, tills: [{ ...tills[0], network: 'no' }] }] });
    const crossChain = await crossChainOf(file, { clock: systemClock });
    const reachOf = async (secretType) => {
      const chain = await loadChain(secretType);
      return { chain, node: chain.node(file.networks.find((each) => each.secretType === secretType)) };
    };
    const pairs = await swapPairs(await reachOf('BITCOIN'), crossChain);
    const sides = { fromSecretType: 'BITCOIN', toSecretType: 'LITECOIN', orderType: 'SELL' };
    const { bestRate } = await swapRates({ ...sides, amount: '0.5' }, reachOf, { crossChain });
    const body = { ...sides, walletId: 'w', destinationWalletId: 'd', inputAmount: '0.5', outputAmount: bestRate.outputAmount, exchange: 'Booth' };
    const [request] = await createSwap(body, { from: own, to: other }, reachOf, crossChain);
    console.log(JSON.stringify([wrong.issues[0].path, pairs.length, bestRate.outputAmount, request.type, request.value, request.data]));`);
  assert.deepEqual(told, [
    'crossChain.0.tills.0.network',
    1,
    50,
    'BTC_TRANSACTION',
    '50000000',
    'ltc1qp0esmcpjymjahn3aptwtpf82axyq2g36kzgrng',
  ]);
});

test('what the pages add has the types of the project', async () => {
  writeFileSync(
    join(project.folder, 'tsconfig.json'),
    JSON.stringify({
      extends: './tsconfig.json',
      compilerOptions: { incremental: false },
      include: ['bench', 'demo', 'service', 'src', 'test/e2e/page-globals.d.ts'],
      exclude: ['demo/frameworks'],
    }).replace('./tsconfig.json', `${process.cwd()}/tsconfig.json`),
  );
  const { stdout } = await promisify(execFile)(
    join(project.folder, 'node_modules/.bin/tsc'),
    ['--noEmit', '--project', 'tsconfig.json', ...TSC.args],
    { cwd: project.folder, env: { ...process.env, ...TSC.env } },
  ).catch((error: { stdout: string }) => error);
  assert.equal(stdout, '');
});
