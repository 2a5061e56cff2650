/** `npm run sizes`: what a browser downloads, read from the build, beside what we allow ourselves. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { ROOT } from './command.ts';
import { type Chunk, eager, entries, type Graph, readGraph } from './graph.ts';

export interface Size {
  name: string;
  files: number;
  min: number;
  gzip: number;
  brotli: number;
  /** KiB of brotli. */
  budget?: number;
}

const KIB = 1024;

export function compressed(body: Buffer): Pick<Size, 'min' | 'gzip' | 'brotli'> {
  const brotli = brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } });
  return { min: body.length, gzip: gzipSync(body, { level: 9 }).length, brotli: brotli.length };
}

/** Files are compressed one by one, as they are sent. */
function measure(name: string, chunks: Chunk[], budget?: number): Size {
  const size: Size = { name, files: chunks.length, min: 0, gzip: 0, brotli: 0, ...(budget && { budget }) };
  for (const { file } of chunks) {
    const { min, gzip, brotli } = compressed(readFileSync(join(ROOT, 'dist', file)));
    size.min += min;
    size.gzip += gzip;
    size.brotli += brotli;
  }
  return size;
}

/** What `wanted` adds to what is there already. */
function added(chunks: Chunk[], wanted: Chunk[], there: Chunk[]): Chunk[] {
  return eager(chunks, ...wanted.map(({ file }) => file)).filter((chunk) => !there.includes(chunk));
}

/** Lazy parts of the frame that a transfer loads before its PIN field is on screen. */
const UNTIL_PIN = ['src/frame/start-surface.ts'];

/** Those that it loads until the transaction is signed. */
const UNTIL_SIGNED = [
  ...UNTIL_PIN,
  'src/frame/start-flows.ts',
  'src/wallets/index.ts',
  'src/frame/flows/transact.ts',
  'src/frame/views/approve-drawing.ts',
  'src/chains/ethereum/payload.ts',
  'src/chains/ethereum/index.ts',
  'src/wallets/keys.ts',
  'src/wallets/pin-worker.ts',
];

/** And those that show what became of it. */
const UNTIL_SENT = [...UNTIL_SIGNED, 'src/frame/views/sending.ts', 'src/frame/views/sent.ts'];

/** The chunks of a run: the page, and every lazy chunk that holds one of `modules`. Throws for a module that is in none. */
function runOf({ frame }: Graph, modules: string[]): Chunk[] {
  const holders = modules.map((name) => {
    const holder = frame.find((chunk) => chunk.modules.includes(name));
    if (!holder)
      throw new Error(`${name} is not in the frame: put right what a run loads, in scripts/sizes.ts.`);
    return holder.file;
  });
  const page = frame.filter(({ facade }) => facade === 'src/frame/index.html').map(({ file }) => file);
  return eager(frame, ...page, ...holders);
}

/** Files below `dist` that a transfer loads; `test/e2e` compares them with a real run. */
export function filesUntilSent(graph: Graph = readGraph()): string[] {
  return runOf(graph, UNTIL_SENT).map(({ file }) => file);
}

export function sizes(graph: Graph = readGraph()): Size[] {
  const { connect } = graph;
  const script = eager(connect, ...entries(connect).map(({ file }) => file));
  const engine = connect.filter(({ facade }) => facade === 'src/actions/engine.ts');
  const views = connect.filter(({ facade }) => /^src\/elements\/[\w-]+-view\.ts$/.test(facade ?? ''));
  return [
    measure('connect.js', script, 12),
    measure('with the first request', added(connect, engine, script), 8),
    ...views.map((view) => measure(view.facade!.replace(/^src\//, ''), added(connect, [view], script), 10)),
    measure('frame until the PIN pad', runOf(graph, UNTIL_PIN), 25),
    measure('frame to an Ethereum signature', runOf(graph, UNTIL_SIGNED), 80),
  ];
}

export function sizeTable(all: Size[]): string {
  const rows = all.map(({ name, files, min, gzip, brotli, budget }) => [
    name,
    String(files),
    String(min),
    String(gzip),
    String(brotli),
    budget ? `${(brotli / KIB).toFixed(1)} of ${budget} KiB` : `${(brotli / KIB).toFixed(1)} KiB`,
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
  const split = all[0]!.files > 1;
  if (split) console.error(`connect.js comes in ${all[0]!.files} requests, not in one.`);
  return over.length === 0 && !split;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) process.exit(checkSizes() ? 0 : 1);
