/** Which code may end up in which output. The linter sees single imports; this sees what a user downloads. */
import { CONNECT_CHUNKS, FRAME_CHUNKS, READ_CHUNKS, WALLET_CHUNKS } from './chunks.ts';
import { CORE, type Folder, FOLDERS, folderOf } from './folders.ts';
import { type Chunk, eager, entries, type Graph } from './graph.ts';

interface Rule {
  output: string;
  chunks: Chunk[];
  /** Modules that it must not contain. */
  never: RegExp;
  why: string;
}

const SIGNING_LIBRARIES =
  /^node_modules\/(hash-wasm|argon2id|@scure\/bip\d+|@noble\/(ed25519|secp256k1))\/|\/@noble\/curves\/|\/ethers\/lib\.esm\/(crypto\/signing-key|transaction|wallet|providers)/;
const SIGNERS = either(/^src\/(frame|wallets)\//, SIGNING_LIBRARIES);

/** What the page for reads must not contain: vault, consent and views. */
const VAULT =
  /^src\/(elements|actions|wallets\/(?!service\/calls\.ts))|^src\/frame\/(?!reads\/)|^src\/ui\/|^node_modules\/(@?lit\b|lit-|hash-wasm|argon2id|@scure\/bip\d+|ethers\/lib\.esm\/(wallet|providers))/;

/** For servers, which load a whole entry once, so nothing in it is too early. */
const SERVER_SIDE = /^service-sdk\//;
/** For tests, which are no page. */
const TESTING = /^testing\//;

function rules(graph: Graph): Rule[] {
  const chains = entries(graph.modules).filter((chunk) => chunk.file === 'chains/index.js');
  const sdk = entries(graph.modules).filter(({ file }) => SERVER_SIDE.test(file));
  const published = entries(graph.modules).filter(({ file }) => !TESTING.test(file));
  const server = entries(graph.modules).filter((chunk) => chunk.file === 'index.js');
  return [
    {
      output: 'connect.js and its chunks',
      chunks: graph.connect,
      never: SIGNERS,
      why: 'the host page never gets a signer, the vault or the frame',
    },
    {
      output: 'what is no test',
      chunks: [
        graph.connect,
        graph.frame,
        graph.wallet,
        graph.read,
        graph.pay,
        reach(graph.modules, published),
      ].flat(),
      never: /^src\/testing\//,
      why: 'its wallet asks nobody',
    },
    {
      output: 'connect.js before anything is pressed',
      chunks: eager(graph.connect, ...entries(graph.connect).map((chunk) => chunk.file)),
      never: /^node_modules\/zod\/|^src\/channel\/schema\.ts/,
      why: 'schemas are loaded when an element knows its chain',
    },
    {
      output: 'carabiner/chains',
      chunks: reach(graph.modules, chains),
      never: /^src\/(elements|actions|provider|channel|frame|wallets|ui)\/|^node_modules\/@?lit\b/,
      why: 'chains know nothing of the page, storage or Lit',
    },
    {
      output: 'carabiner',
      chunks: reach(graph.modules, server),
      never: /^src\/(elements|frame|wallets|ui)\//,
      why: 'the npm entry is importable on a server and holds no key',
    },
    {
      output: 'carabiner/service',
      chunks: reach(graph.modules, sdk),
      never: either(
        /^src\/(elements|actions|provider|channel|frame|wallets|swaps|ui)\/|^node_modules\/@?lit\b/,
        SIGNING_LIBRARIES,
      ),
      why: 'the client of the service needs the contract, and no key or page',
    },
    {
      output: 'the frame',
      chunks: graph.frame,
      never: /^src\/(elements|actions|provider)\//,
      why: 'the frame imports nothing of the host side',
    },
    {
      output: 'the frame',
      chunks: graph.frame,
      never: /^src\/frame\/copy\/restore-copy-flow\.ts$/,
      why: 'no request of a site makes a copy this browser’s wallet',
    },
    {
      output: 'the wallet by itself',
      chunks: graph.wallet,
      never: either(
        /^src\/(elements|actions|provider|channel)\//,
        /^src\/frame\/(main|start-surface|start-flows|dispatch)\.ts$/,
      ),
      why: 'no page can ask it for anything',
    },
    {
      output: 'the page for reads',
      chunks: graph.read,
      never: VAULT,
      why: 'any site may embed it, so it holds no vault, no key and no approval',
    },
    {
      output: 'the payment page before a wallet is chosen',
      chunks: eager(graph.pay, ...entries(graph.pay).map((chunk) => chunk.file)),
      never:
        /^src\/(elements|actions|channel|wallets|chains(?!\/(card|cards|secret-type|[\w-]+\/card)\.ts$)|swaps|frame)\/|^node_modules\/(ethers|hash-wasm|argon2id|@scure|@noble)\//,
      why: 'what a card is typed into knows of no wallet',
    },
    {
      output: 'the payment page',
      chunks: graph.pay,
      never: either(/^src\/(frame|wallets|swaps)\//, SIGNING_LIBRARIES),
      why: 'it asks a wallet as any other page does, and holds no signer',
    },
  ];
}

/** Everything that `from` can load, statically or lazily. */
function reach(chunks: Chunk[], from: Chunk[]): Chunk[] {
  const seen = new Set<Chunk>();
  const queue = [...from];
  for (let chunk = queue.pop(); chunk; chunk = queue.pop()) {
    if (seen.has(chunk)) continue;
    seen.add(chunk);
    const next = [...chunk.imports, ...chunk.dynamicImports];
    queue.push(...chunks.filter(({ file }) => next.includes(file)));
  }
  return [...seen];
}

/**
 * Chunks in an import cycle may run before what they import. The bundler creates such cycles without a warning when its configuration says
 * which modules go together.
 */
function cycles(chunks: Chunk[]): string[] {
  return chunks
    .filter(({ file, imports }) => eager(chunks, ...imports).some((chunk) => chunk.file === file))
    .map(({ file }) => `${file} is in an import cycle: see scripts/chunks.ts`);
}

function either(...tests: readonly RegExp[]): RegExp {
  return new RegExp(tests.map(({ source }) => `(?:${source})`).join('|'));
}

/** Chunks that are put together by hand. */
const LISTED = new Set(
  [CONNECT_CHUNKS, FRAME_CHUNKS, READ_CHUNKS, WALLET_CHUNKS].flatMap((chunks) => Object.keys(chunks)),
);

/** Libraries that sign, hash and encode addresses. */
const CHAIN_LIBRARIES = /^node_modules\/(ethers|@noble|@scure)\//;

/** Of every chain. */
const SHARED_LIBRARIES = /^node_modules\/@noble\/hashes\/(utils|_md|_u64)\.js$/;

/**
 * What is loaded only by those that need it: a folder of `src/chains`, or a module of a library. Undefined for a module that any chunk may
 * contain.
 */
function partOf(module: string): string | undefined {
  const folder = folderOf(module) ?? FOLDERS.find(({ owns }) => owns?.test(module));
  if (folder === CORE || SHARED_LIBRARIES.test(module)) return undefined;
  return folder?.name ?? (CHAIN_LIBRARIES.test(module) ? module : undefined);
}

/** With everything that any module of a part needs, and with what `chunks.ts` puts into one file with it. */
function withWholeChunks(parts: Set<string | undefined>, chunks: Chunk[]): Set<string | undefined> {
  const files = chunks
    .filter(({ file }) => LISTED.has(/([\w-]+)-[\w-]{7}\.js$/.exec(file)?.[1] ?? ''))
    .map(({ modules }) => new Set(modules.map(partOf)));
  for (const part of parts) {
    if (part === undefined) continue;
    for (const { needs } of chunks) for (const need of needs[part] ?? []) parts.add(partOf(need));
    for (const file of files) if (file.has(part)) for (const other of file) parts.add(other);
  }
  return parts;
}

/** Chain code loaded unnecessarily: with the page itself, or with a chunk that imports nothing from its folder. */
function loadedTooEarly(chunks: Chunk[]): string[] {
  const atOnce = eager(chunks, ...entries(chunks).map(({ file }) => file));
  const there = new Set(atOnce.flatMap(({ modules }) => modules.map(partOf)));
  const early = [...there].filter((part) => FOLDERS.some(({ name }) => name === part));
  const late = chunks.flatMap(({ file, needs: { '': others = [], ...byFolder } }) => {
    const all = Object.values(byFolder).length ? Object.entries(byFolder) : [['', others] as const];
    const loaded = new Set(eager(chunks, file).flatMap(({ modules }) => modules.map(partOf)));
    return all.flatMap(([folder, needs]) => {
      const wanted = withWholeChunks(new Set(needs.map(partOf)), chunks);
      return [...loaded]
        .filter((part) => part !== undefined && !there.has(part) && !wanted.has(part))
        .map((part) => `${part} is loaded with ${folder || file}, which imports nothing from it`);
    });
  });
  return [...early.map((part) => `${part} is loaded with the page, before it is needed`), ...late];
}

/** Static imports in `src/chains` from a lower folder to a higher one, or from one chain to another. Lazy ones are allowed. */
function upward(chunks: Chunk[]): string[] {
  return chunks.flatMap(({ moduleImports }) =>
    Object.entries(moduleImports).flatMap(([module, imports]) => {
      const from = folderOf(module);
      return imports
        .map((to) => [to, folderOf(to)] as const)
        .filter(([, to]) => from && to && from !== to && (isAbove(to, from) || (from.isChain && to.isChain)))
        .map(([to]) => `${module} imports ${to}: see scripts/folders.ts for the order of folders`);
    }),
  );
}

const isAbove = (one: Folder, other: Folder): boolean => FOLDERS.indexOf(one) > FOLDERS.indexOf(other);

/** Throws an error that names every misplaced module. */
export function checkGraph(graph: Graph): void {
  const found = rules(graph).flatMap(({ output, chunks, never, why }) => {
    const modules = chunks.flatMap((chunk) => chunk.modules).filter((name) => never.test(name));
    // Modules outside the build are known by their imports.
    const external = chunks
      .flatMap((chunk) => chunk.imports)
      .filter((name) => never.test(`node_modules/${name}`));
    return [...modules, ...external].map((name) => `${name} is in ${output}: ${why}`);
  });
  const forPages = graph.modules.filter(({ file }) => !SERVER_SIDE.test(file) && !TESTING.test(file));
  for (const chunks of [graph.connect, graph.frame, graph.wallet, graph.read, forPages])
    found.push(...cycles(chunks), ...upward(chunks), ...loadedTooEarly(chunks));
  const broken = [...new Set(found)];
  if (broken.length) throw new Error(`Import boundaries are broken:\n${broken.slice(0, 40).join('\n')}`);
}
