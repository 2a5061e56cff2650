/** Which code may reach which output. The linter sees single imports; this sees what a user downloads in the end. */
import { type Chunk, eager, entries, type Graph } from './graph.ts';

interface Rule {
  output: string;
  chunks: Chunk[];
  /** Modules that must not be there. */
  never: RegExp;
  why: string;
}

const SIGNING_LIBRARIES =
  /^node_modules\/(hash-wasm|@scure\/bip\d+|@noble\/(ed25519|secp256k1))\/|\/@noble\/curves\/|\/ethers\/lib\.esm\/(crypto\/signing-key|transaction|wallet|providers)/;
const SIGNERS = either(/^src\/(frame|wallets)\//, SIGNING_LIBRARIES);

/** Of the frame's origin: all but what asks nodes and tells whose token it is. */
const VAULT =
  /^src\/(elements|actions|wallets\/(?!service\/(profile|calls)\.ts))|^src\/frame\/(?!read\/|networks-url\.ts|flows\/(reads|profile|swaps|non-fungibles)\.ts)|^src\/ui\/|^node_modules\/(@?lit\b|lit-|hash-wasm|@scure\/bip\d+|ethers\/lib\.esm\/(wallet|providers))/;

function rules(graph: Graph): Rule[] {
  const chains = entries(graph.modules).filter((chunk) => chunk.file === 'chains/index.js');
  const server = entries(graph.modules).filter((chunk) => chunk.file === 'index.js');
  return [
    {
      output: 'connect.js and its chunks',
      chunks: graph.connect,
      never: SIGNERS,
      why: 'the host page never gets a signer, the vault or the frame',
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
      never: /^src\/(elements|actions|channel|frame|wallets|ui)\/|^node_modules\/@?lit\b/,
      why: 'chains know nothing of the page, storage or Lit',
    },
    {
      output: 'carabiner',
      chunks: reach(graph.modules, server),
      never: /^src\/(elements|frame|wallets|ui)\//,
      why: 'the npm entry is importable on a server and holds no key',
    },
    {
      output: 'the frame',
      chunks: graph.frame,
      never: /^src\/(elements|actions)\//,
      why: 'the frame imports nothing of the host side',
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
        /^src\/(elements|actions|channel|wallets|chains|swaps|frame\/(?!ui\/))|^node_modules\/(ethers|hash-wasm|@scure|@noble)\//,
      why: 'it shares the look of the frame, and what a card is typed into knows of no wallet',
    },
    {
      output: 'the payment page',
      chunks: graph.pay,
      never: either(/^src\/(frame\/(?!ui\/)|wallets|swaps)\//, SIGNING_LIBRARIES),
      why: 'it asks a wallet as any other page does, and holds no signer',
    },
  ];
}

/** Everything `from` can load, at once or later. */
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
 * Chunks that import one another run before what they need is there. The bundler makes such chunks without a word when it is told
 * which modules belong together.
 */
function circles(chunks: Chunk[]): string[] {
  return chunks
    .filter(({ file, imports }) => eager(chunks, ...imports).some((chunk) => chunk.file === file))
    .map(({ file }) => `${file} imports itself, by way of others: see FRAME_PARTS in vite.config.ts`);
}

/** Of `src/chains`: what belongs to chains with Ethereum's accounts, and the part of it that those with its contracts share. */
export const ETHEREUMS =
  /^(evm\/|(contract-fields|json-rpc|keystore|listed-token|signature-fields|signed-message|token-facts|trial-runs|well-known)\.)/;
export const CALLS =
  /^(evm\/(abi|address|arguments|calls|deeds|import-key|token-effect)|contract-fields|listed-token|signature-fields|signed-message|token-facts|trial-runs)\./;
/** What reads a call, which a transfer of the coin goes without. */
export const READING = /^evm\/(decode-call|functions|inner-calls|permit2|seaport|universal-router)\./;

function either(...tests: readonly RegExp[]): RegExp {
  return new RegExp(tests.map(({ source }) => `(?:${source})`).join('|'));
}

/** What a chain uses beside its own folder and what belongs to none. */
const SHARED: Record<string, RegExp> = {
  ethereum: ETHEREUMS,
  gochain: ETHEREUMS,
  vechain: either(CALLS, READING),
  tron: either(CALLS, READING),
  bitcoin: /^utxo\//,
  litecoin: /^utxo\//,
  swaps: ETHEREUMS,
};

/** What signs, hashes and writes addresses, and the folders that need it. */
const LIBRARIES: readonly [RegExp, readonly string[]][] = [
  [/^node_modules\/@noble\/secp256k1\//, ['evm', 'vechain', 'bitcoin', 'litecoin', 'utxo', 'tron']],
  [
    /^node_modules\/ethers\/(lib\.esm\/(transaction|crypto\/sign)|node_modules\/@noble\/curves)/,
    ['ethereum', 'gochain', 'evm', 'swaps'],
  ],
  [
    /^node_modules\/ethers\/(lib\.esm\/(abi|address|crypto|hash)|node_modules)\//,
    ['ethereum', 'gochain', 'evm', 'vechain', 'tron', 'swaps'],
  ],
  [/^node_modules\/@noble\/ed25519\//, ['aeternity']],
  [/^node_modules\/@noble\/hashes\/blake2\./, ['vechain', 'aeternity']],
  [/^node_modules\/@noble\/hashes\/legacy\./, ['bitcoin', 'litecoin', 'utxo']],
  [/^node_modules\/@scure\/base\//, ['bitcoin', 'litecoin', 'utxo', 'tron', 'aeternity']],
  [/^src\/chains\/rest\./, ['vechain', 'bitcoin', 'litecoin', 'utxo', 'tron', 'aeternity', 'swaps']],
];

/** `bitcoin` of `src/chains/bitcoin/index.ts`; undefined for what belongs to no chain. Swaps are like a chain of Ethereum's kind. */
function folderOf(module: string): string | undefined {
  if (/(?:^|\/)src\/(swaps|frame\/flows\/swaps\.ts$)/.test(module)) return 'swaps';
  const path = withinChains(module);
  return ETHEREUMS.test(path) ? 'evm' : /^([\w-]+)\//.exec(path)?.[1];
}

/** `bitcoin/index.ts`; empty for a module from elsewhere. */
export function withinChains(module: string): string {
  return /(?:^|\/)src\/chains\/(.*)/.exec(module)?.[1] ?? '';
}

/** Whether code of the chain in `folder` may come with `module`. */
function belongs(module: string, folder = ''): boolean {
  const other = folderOf(module);
  if (other && other !== folder) return SHARED[folder]?.test(withinChains(module)) ?? false;
  const library = LIBRARIES.find(([test]) => test.test(module));
  return !folder || !library || library[1].includes(folder);
}

/** Code of a chain that comes without being asked for: with a chunk of no chain, or of another. */
function strays(chunks: Chunk[]): string[] {
  return chunks.flatMap((chunk) => {
    const folders = new Set(chunk.modules.map(folderOf).filter((folder) => folder !== undefined));
    const loaded = eager(chunks, chunk.file).flatMap(({ modules }) => modules);
    return (folders.size ? [...folders] : [undefined]).flatMap((folder) =>
      loaded
        .filter((module) => !belongs(module, folder))
        .map((module) => `${module} comes with ${folder ?? 'no chain'}, in ${chunk.file}`),
    );
  });
}

/** Throws an error that names every module that is where it must not be. */
export function checkGraph(graph: Graph): void {
  const found = rules(graph).flatMap(({ output, chunks, never, why }) => {
    const modules = chunks.flatMap((chunk) => chunk.modules).filter((name) => never.test(name));
    // Modules that stay outside the build are named by their import.
    const external = chunks
      .flatMap((chunk) => chunk.imports)
      .filter((name) => never.test(`node_modules/${name}`));
    return [...modules, ...external].map((name) => `${name} is in ${output}: ${why}`);
  });
  for (const chunks of [graph.connect, graph.frame, graph.read, graph.modules])
    found.push(...circles(chunks), ...strays(chunks));
  if (found.length) throw new Error(`Import boundaries are broken:\n${found.join('\n')}`);
}
