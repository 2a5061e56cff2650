/** `npm run sizes`: what a browser downloads, read from the build, compared with the budgets. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { answerHelp } from '../service/help.ts';
import { folderOf } from '../src/chains/modules.ts';
import type { SecretType } from '../src/chains/secret-type.ts';
import { BROTLI } from './build.ts';
import { ROOT } from './command.ts';
import { type Chunk, eager, entries, type Graph, readGraph } from './graph.ts';
import { CHAIN_FOLDERS } from './folders.ts';

export interface Size {
  name: string;
  files: number;
  min: number;
  gzip: number;
  brotli: number;
  /** KiB of brotli. A larger output fails. */
  budget?: number;
  /** Requests at most, those for pages and settings included. */
  requests?: number;
}

const KIB = 1024;

export function compressed(body: Buffer): Pick<Size, 'min' | 'gzip' | 'brotli'> {
  const brotli = Math.min(...BROTLI.map((options) => brotliCompressSync(body, options).length));
  return { min: body.length, gzip: gzipSync(body, { level: 9 }).length, brotli };
}

/** Files are compressed one by one, as they are sent. */
function measure(name: string, chunks: Chunk[], limits: Pick<Size, 'budget' | 'requests'>): Size {
  const size: Size = { name, files: chunks.length, min: 0, gzip: 0, brotli: 0, ...limits };
  for (const { file } of chunks) {
    const { min, gzip, brotli } = compressed(readFileSync(join(ROOT, 'dist', file)));
    size.min += min;
    size.gzip += gzip;
    size.brotli += brotli;
  }
  return size;
}

/** The chunks that `parts` add to those already loaded. */
function added(chunks: Chunk[], parts: Chunk[], there: Chunk[]): Chunk[] {
  return eager(chunks, ...parts.map(({ file }) => file)).filter((chunk) => !there.includes(chunk));
}

const PAGE = 'src/frame/index.html';
const OWN_PAGE = 'src/frame/own/index.html';
/** For a form that an element loads when it opens. */
const FORM = { budget: 12 };
const FORMS: Record<string, Pick<Size, 'budget'>> = {
  'src/elements/swap-panel/swap-panel-view.ts': { budget: 18 },
};

/** Parts of the frame that a transfer loads before its PIN field is on screen. */
const UNTIL_PIN = ['src/frame/start-surface.ts'];

/** Parts that a window loads from the click to the PIN field of the first wallet, besides its page and `networks.json`. */
const UNTIL_FIRST_PIN = [
  ...UNTIL_PIN,
  'src/frame/start-flows.ts',
  'src/frame/shell/own-window.ts',
  'src/frame/wallets/manage-flow.ts',
  'src/frame/set-up/choice-views.ts',
  'src/frame/set-up/choose-pin-view.ts',
  'src/wallets/vault.ts',
  'src/wallets/passkey.ts',
];
const WINDOW_PAGES = 2;

/** Parts that it loads until the transaction is signed. */
const UNTIL_SIGNED = [
  ...UNTIL_PIN,
  'src/frame/start-flows.ts',
  'src/wallets/vault.ts',
  'src/frame/approve/transact-flow.ts',
  'src/frame/approve/drawing/approve-drawing.ts',
  'src/wallets/pin-worker.ts',
];

/** Additional parts of a contract call, on chains with contracts. */
const CALL = ['src/chains/call-reading/inner-calls.ts', 'src/frame/approve/drawing/call-drawing.ts'];

/** KiB that a browser may download until a transaction is signed, by the chain's folder. */
const TO_A_SIGNATURE: Record<string, number> = {
  ethereum: 117,
  gochain: 117,
  bitcoin: 93,
  litecoin: 93,
  vechain: 108,
  tron: 108,
  aeternity: 88,
};

/** Of a chain that has no budget of its own. */
const OTHER_CHAIN = 116;

/** What a chain loads, by the folder of its card: its own modules, or those of its family and its profile. */
function modulesOf(folder: string): string[] {
  const source = folderOf(folder.toUpperCase() as SecretType);
  const modules = ['payload', 'index'].map((name) => `src/chains/${source}/${name}.ts`);
  return source === folder ? modules : [...modules, `src/chains/${folder}/profile.ts`];
}

/** Parts that the wallet's own page loads until it shows what is in the wallets, besides the code of their chains. */
const UNTIL_HOME = [
  'src/frame/own/own-page.ts',
  'src/frame/shell/own-window.ts',
  'src/frame/wallets/portfolio-view.ts',
  'src/frame/ui/worth.ts',
];

/** Parts that it loads until the transaction is shown as sent. */
const UNTIL_SENT = [
  ...UNTIL_SIGNED,
  ...modulesOf('ethereum'),
  'src/frame/approve/outcome/sending-view.ts',
  'src/frame/approve/outcome/sent-view.ts',
];

/** The chunks that hold `modules`. Throws for a module that is in none. */
function holding(chunks: Chunk[], modules: string[]): Chunk[] {
  return modules.map((name) => {
    const holder = chunks.find((chunk) => chunk.modules.includes(name));
    if (!holder) throw new Error(`${name} is in no chunk: correct the list of modules in scripts/sizes.ts.`);
    return holder;
  });
}

/** What a page with every element loads, besides `embed.json`, before a pointer reaches one of them. */
function atRest({ connect }: Pick<Graph, 'connect'>): Chunk[] {
  const rests = connect.filter(({ modules }) => modules.some((name) => name.endsWith('-rest.ts')));
  return eager(connect, ...[...entries(connect), ...rests].map(({ file }) => file));
}

/** Views that elements load when they are near. */
const FORM_VIEW =
  /^src\/elements\/[\w-]+\/(link-wallets|manage-wallets|sign-request|swap-panel|transfer-dialog)-view\.ts$/;

/** What a view's element has loaded before the view. */
function restOf(connect: Chunk[], view: string): Chunk[] {
  const rest = view.replace('-view', '-rest');
  return connect.filter(({ modules }) => modules.includes(rest));
}

/** Files below `dist` that such a page loads; `test/e2e` compares them with a real one. */
export function filesAtRest(graph: Graph = readGraph()): string[] {
  return atRest(graph).map(({ file }) => file);
}

/** The chunks of a run of the frame: the page, and every lazy chunk that holds one of `modules`. */
function runOf({ frame }: Graph, modules: string[]): Chunk[] {
  return runOn(frame, PAGE, modules);
}

function runOn(chunks: Chunk[], page: string, modules: string[]): Chunk[] {
  const holders = holding(chunks, modules).map(({ file }) => file);
  const pages = chunks.filter(({ facade }) => facade === page).map(({ file }) => file);
  // If a page's script only imports, Vite moves the imports into the page.
  return eager(chunks, ...pages, ...holders).filter(({ modules: all }) => all.some((name) => name !== page));
}

/** Files below `dist` that a window loads until the PIN field of a first wallet; `test/e2e` compares them with a real one. */
export function filesUntilFirstPin(graph: Graph = readGraph()): string[] {
  return runOf(graph, UNTIL_FIRST_PIN).map(({ file }) => file);
}

/** Files below `dist` that a transfer on Ethereum loads; `test/e2e` compares them with a real run. */
export function filesUntilSent(graph: Graph = readGraph()): string[] {
  return runOf(graph, UNTIL_SENT).map(({ file }) => file);
}

export function sizes(graph: Graph = readGraph()): Size[] {
  const { connect, pay, walletconnect } = graph;
  const script = eager(connect, ...entries(connect).map(({ file }) => file));
  const engine = holding(connect, ['src/actions/engine.ts']);
  const provider = holding(connect, ['src/provider/provider.ts']);
  const lists = added(
    connect,
    holding(connect, ['src/elements/manage-wallets/manage-wallets-view.ts']),
    atRest({ connect }),
  );
  // If a page's script only imports, Vite moves the imports into the page.
  const paying = eager(pay, ...entries(pay).map(({ file }) => file)).filter(({ entry }) => !entry);
  const toCoin = runOf(graph, [...UNTIL_SIGNED, ...modulesOf('ethereum')]);
  const views = connect.flatMap((chunk) =>
    chunk.modules.filter((name) => FORM_VIEW.test(name)).map((name) => ({ name, chunk })),
  );
  return [
    measure('connect.js', script, { budget: 15, requests: 1 }),
    measure('host page before any click', atRest({ connect }), { budget: 18, requests: 2 }),
    measure('with the first request', added(connect, engine, script), { budget: 11.5 }),
    measure('with connect.provider()', added(connect, provider, [...script, ...engine]), { budget: 6.5 }),
    ...views.map(({ name, chunk }) =>
      measure(
        name.replace(/^src\//, ''),
        added(connect, [chunk], [...script, ...restOf(connect, name)]),
        FORMS[name] ?? FORM,
      ),
    ),
    measure('page after a click on a list', [...new Set([...lists, ...added(connect, engine, script)])], {
      requests: 4,
    }),
    measure('frame until the PIN pad', runOf(graph, UNTIL_PIN), { budget: 28 }),
    measure('window until the PIN of a first wallet', runOf(graph, UNTIL_FIRST_PIN), {
      budget: 100,
      requests: 12 - WINDOW_PAGES,
    }),
    ...CHAIN_FOLDERS.map((folder) => {
      const budget = TO_A_SIGNATURE[folder] ?? OTHER_CHAIN;
      return measure(
        `frame to a signature: ${folder}`,
        runOf(graph, [...UNTIL_SIGNED, ...modulesOf(folder)]),
        {
          budget,
        },
      );
    }),
    measure('and for a contract call', added(graph.frame, holding(graph.frame, CALL), toCoin), {
      budget: 18,
    }),
    measure('own page until the wallets', runOn(graph.wallet, OWN_PAGE, UNTIL_HOME), {
      budget: 106,
      requests: 12,
    }),
    measure('payment page', paying, { budget: 34 }),
    measure('client of WalletConnect', walletconnect, { budget: 98 }),
  ];
}

export function sizeTable(all: Size[]): string {
  const rows = all.map(({ name, files, min, gzip, brotli, budget, requests }) => [
    name,
    `${files}${requests === undefined ? '' : ` of ${requests}`}`,
    String(min),
    String(gzip),
    String(brotli),
    `${(brotli / KIB).toFixed(1)}${budget ? ` of ${budget}` : ''} KiB`,
  ]);
  return table(['bytes', 'files', 'min', 'gzip', 'brotli', 'brotli, budget'], rows);
}

/** Columns as wide as their widest cell; all but the first are figures. */
export function table(head: string[], rows: string[][]): string {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]!.length)));
  const line = (row: string[]): string =>
    row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join('  ');
  return [line(head), widths.map((width) => '-'.repeat(width)).join('  '), ...rows.map(line)].join('\n');
}

/** True when every budget is kept. */
export function checkSizes(): boolean {
  const all = sizes();
  console.log(sizeTable(all));
  const over = all.filter(({ brotli, budget }) => budget !== undefined && brotli > budget * KIB);
  for (const { name, brotli, budget } of over)
    console.error(`${name} has ${brotli} bytes of brotli, over its ${budget} KiB.`);
  const split = all.filter(({ files, requests = Number.POSITIVE_INFINITY }) => files > requests);
  for (const { name, files, requests } of split)
    console.error(`${name} comes in ${files} files, not in ${requests}.`);
  return over.length === 0 && split.length === 0;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  answerHelp({
    usage: ['sizes'],
    does: 'Prints what a browser downloads, from the last build, beside the budgets.',
    exits: { 0: 'every budget is kept', 1: 'one is not' },
  });
  process.exit(checkSizes() ? 0 : 1);
}
