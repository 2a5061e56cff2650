/**
 * The folders of `src/chains`, lowest first: a folder imports those above it in this list, and no chain imports another.
 * Each is a chunk of the frame. The bundler's groups, the boundary check and the size check read this; `layers.ts` has the order of all else.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './command.ts';

const CHAINS_FOLDER = 'src/chains';

export interface Folder {
  /** Also the chunk's name. */
  name: string;
  /** From the project's root, with a trailing slash. Empty: a chunk of libraries only. */
  paths: readonly string[];
  /** Files whose imports make up the chunk; all files if absent. Files that no entry imports are lazy, in their own chunks. */
  entries?: readonly string[];
  /** Library modules in its chunk, whoever else imports them. */
  libraries?: RegExp;
  /** Library modules that may only be loaded with the folder: a library's index would load them for every importer. */
  owns?: RegExp;
  isChain?: true;
  /** False: a page may load it eagerly. */
  lazy?: false;
}

/** Folders with a card. */
export const CHAIN_FOLDERS = readdirSync(join(ROOT, CHAINS_FOLDER)).filter((name) =>
  existsSync(join(ROOT, CHAINS_FOLDER, name, 'card.ts')),
);

const below = (name: string): string => `${CHAINS_FOLDER}/${name}/`;

/** What every chain shares, with the files of `src/chains` itself and the cards. */
export const CORE: Folder = {
  name: 'chain',
  paths: ['requests', 'nodes', 'approval'].map(below),
  libraries: /\/@noble\/hashes\/(utils|_md|_u64)\.js$/,
};

export const FOLDERS: readonly Folder[] = [
  CORE,
  // Schemas of balances. Chains need only their types; the wallet service's client parses answers with them.
  { name: 'answers', paths: [below('answers')] },
  // Answers of a build, which approvals do not need.
  { name: 'open-fields', paths: [below('open-fields')], lazy: false },
  { name: 'bytes', paths: [], libraries: /\/src\/base\/bytes\.ts$/ },
  // Requests that name their own node.
  { name: 'custom-node', paths: [below('custom-node')], lazy: false },
  {
    name: 'secp256k1',
    paths: [below('secp256k1')],
    libraries: /\/@noble\/(secp256k1\/|hashes\/(hmac|sha2)\.js$)/,
    owns: /^node_modules\/@noble\/secp256k1\//,
  },
  // Keys from seeds, phrases and files, loaded when needed: signing does without.
  { name: 'keys', paths: [below('keys')], entries: ['path-index', 'key-error', 'hex-key'] },
  // Clients of nodes with a REST API.
  { name: 'rest', paths: [below('rest')] },
  // All of ethers that an approval of Aeternity uses.
  { name: 'rlp', paths: [], libraries: /\/ethers\/lib\.esm\/utils\/(rlp-encode|data|maths)\.js$/ },
  // Reads transactions that are signed already. Aeternity's approvals do without.
  { name: 'rlp-decode', paths: [], libraries: /\/ethers\/lib\.esm\/utils\/rlp-decode\.js$/ },
  { name: 'blake2', paths: [], libraries: /\/node_modules\/@noble\/hashes\/blake2\.js$/ },
  // ABI types and addresses, which requests contain.
  { name: 'abi-types', paths: [], libraries: /\/ethers\/lib\.esm\/(abi\/fragments|address\/address)\.js$/ },
  // Encodes and decodes calls. A transfer of the coin does without.
  { name: 'abi', paths: [below('abi')], owns: /^node_modules\/ethers\/lib\.esm\/abi\/(abi-coder|coders)/ },
  // Contracts in Solidity: Ethereum and its like, VeChain, Tron.
  { name: 'contracts', paths: [below('contracts')] },
  // Explains what a call does. A transfer of the coin does without.
  { name: 'call-reading', paths: [below('call-reading')] },
  // Balances of many tokens in one call.
  { name: 'many-balances', paths: [below('many-balances')] },
  // Incoming payments, which are searched for only when the user views them.
  { name: 'incoming', paths: [below('incoming')] },
  { name: 'incoming-logs', paths: [below('incoming-logs')] },
  // Messages to sign. A transaction does without.
  { name: 'messages', paths: [below('messages')] },
  // Keys of chains whose addresses are 0x and 40 digits, and requests for their signatures.
  { name: 'hex-accounts', paths: [below('hex-accounts')], entries: ['signature-fields'] },
  {
    name: 'evm',
    paths: [below('evm')],
    entries: ['evm-chain', 'evm-payload'],
    owns: /^node_modules\/ethers\/(lib\.esm\/(transaction|crypto\/sign)|node_modules\/@noble\/curves)/,
  },
  { name: 'utxo', paths: [below('utxo')], entries: ['chain', 'utxo-payload', 'utxo-address'] },
  ...CHAIN_FOLDERS.map(
    (name): Folder => ({
      name,
      paths: [below(name)],
      entries: ['index', 'payload', 'address'],
      isChain: true,
    }),
  ),
];

/** The folder of a module by its path, from the project's root or absolute. Undefined outside `src/chains`. */
export function folderOf(module: string): Folder | undefined {
  const path = /(?:^|\/)(src\/chains\/.*)/.exec(module)?.[1];
  if (path === undefined) return undefined;
  if (/^src\/chains\/([^/]+|[^/]+\/card\.ts)$/.test(path)) return CORE;
  return FOLDERS.find(({ paths }) => paths.some((one) => path.startsWith(one)));
}

/** Whether the folder's chunk contains the module with all its imports. */
export function isEntryOf({ entries, libraries, ...folder }: Folder, module: string): boolean {
  if (libraries?.test(module)) return true;
  return (
    folderOf(module)?.name === folder.name &&
    (!entries || entries.some((name) => module.endsWith(`/${name}.ts`)))
  );
}
