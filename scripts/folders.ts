/**
 * The folders of `src/chains`, lowest first: a folder imports those above it in this list, and no chain imports another. The boundary check
 * and the size check read this; `layers.ts` has the order of all else, and `chunks.ts` which modules become one file.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './command.ts';

const CHAINS_FOLDER = 'src/chains';

export interface Folder {
  name: string;
  /** From the project's root, with a trailing slash. */
  paths: readonly string[];
  /** Library modules that may only be loaded with the folder: a library's index would load them for every importer. */
  owns?: RegExp;
  isChain?: true;
}

/** Folders with a card. */
export const CHAIN_FOLDERS = readdirSync(join(ROOT, CHAINS_FOLDER)).filter((name) =>
  existsSync(join(ROOT, CHAINS_FOLDER, name, 'card.ts')),
);

const below = (name: string): string => `${CHAINS_FOLDER}/${name}/`;

/** What every chain shares, with the files of `src/chains` itself and the cards. */
export const CORE: Folder = { name: 'chain', paths: ['requests', 'nodes', 'approval'].map(below) };

export const FOLDERS: readonly Folder[] = [
  CORE,
  // Contracts in Solidity: Ethereum and its like, VeChain, Tron.
  { name: 'contracts', paths: [below('contracts')] },
  { name: 'keys', paths: [below('keys')], owns: /^node_modules\/@noble\/secp256k1\// },
  // Explains what a call does. A transfer of the coin does without.
  { name: 'call-reading', paths: [below('call-reading')] },
  // Messages to sign. A transaction does without.
  { name: 'messages', paths: [below('messages')] },
  {
    name: 'evm',
    paths: [below('evm')],
    owns: /^node_modules\/ethers\/(lib\.esm\/(transaction|crypto\/sign)|node_modules\/@noble\/curves)/,
  },
  { name: 'utxo', paths: [below('utxo')] },
  ...CHAIN_FOLDERS.map((name): Folder => ({ name, paths: [below(name)], isChain: true })),
];

/** The folder of a module by its path, from the project's root or absolute. Undefined outside `src/chains`. */
export function folderOf(module: string): Folder | undefined {
  const path = /(?:^|\/)(src\/chains\/.*)/.exec(module)?.[1];
  if (path === undefined) return undefined;
  if (/^src\/chains\/([^/]+|[^/]+\/card\.ts)$/.test(path)) return CORE;
  return FOLDERS.find(({ paths }) => paths.some((one) => path.startsWith(one)));
}
