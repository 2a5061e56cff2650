/**
 * Which modules of a page are one file, by the modules that it is loaded for: what is needed together compresses better as one and comes in
 * one round. In order, each chunk gets its entries with all that they import, but for what a chunk before it has: so no two import each
 * other. What is in none is left to the bundler, which makes a file of every lazy import.
 */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Rollup } from 'vite';
import { ROOT } from './command.ts';
import { CHAIN_FOLDERS } from './folders.ts';

/** Entries by the chunk's name: paths from the project's root. */
export type Chunks = Readonly<Record<string, readonly string[]>>;

/** The bundler's groups. Each takes what its entries use, through indexes of libraries, too. */
export function groupsOf(chunks: Chunks): { name: string; test: (id: string) => boolean }[] {
  return Object.entries(chunks).map(([name, paths]) => {
    const entries = new Set(paths.map((path) => resolve(ROOT, path)));
    return { name, test: (id: string) => entries.has(id) };
  });
}

type Modules = Pick<Rollup.PluginContext, 'getModuleInfo'>;

/** The same, for a page of which each of `apart` stays one file with what it imports. */
export function groupBeside(
  apart: readonly string[],
  chunks: Chunks,
): { name: (id: string, modules: Modules) => string | null } {
  let chunkOf: Map<string, string | null> | undefined;
  return { name: (id, modules) => (chunkOf ??= divide(apart, chunks, modules)).get(id) ?? null };
}

function divide(apart: readonly string[], chunks: Chunks, modules: Modules): Map<string, string | null> {
  const chunkOf = new Map<string, string | null>();
  const take = (name: string | null, paths: readonly string[]): void => {
    const queue = paths.map((path) => resolve(ROOT, path));
    for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
      const module = chunkOf.has(id) ? null : modules.getModuleInfo(id);
      if (!module) continue;
      chunkOf.set(id, name);
      queue.push(...module.importedIds);
    }
  };
  take(null, apart);
  for (const [name, paths] of Object.entries(chunks)) take(name, paths);
  return chunkOf;
}

/** What every chain shares, once a request is there. */
const CHAIN_CORE = [
  'transaction-types',
  'load',
  'modules',
  'network',
  'approval/claims',
  'approval/known',
  'approval/owner',
  'approval/warnings',
  'nodes/balances',
  'nodes/broadcast',
  'nodes/confirmations',
  'nodes/node-health',
  'requests/build-body',
  'requests/fields',
  'requests/foreign-address',
  'requests/payloads',
]
  .map((name) => `src/chains/${name}.ts`)
  .concat('src/base/base64.ts');

/** Of hashes: every one needs these. */
const HASHES = ['utils', '_md', '_u64'].map((name) => `node_modules/@noble/hashes/${name}.js`);

/** Lowest first, as in `folders.ts`. What only some chains need is apart, or the others would download it, too. */
const CHAINS: Chunks = {
  // Clients of nodes with a REST API, and SHA-256: all chains but those of ethers have both.
  rest: ['src/chains/nodes/rest.ts', 'src/base/base58.ts'],
  secp256k1: ['src/chains/keys/secp256k1.ts'],
  // Answers of a build, which approvals do not need.
  'open-fields': ['src/chains/requests/open-fields.ts'],
  blake2: ['node_modules/@noble/hashes/blake2.js'],
  rlp: ['src/base/rlp.ts'],
  // Of ethers, what Aeternity's approvals do without.
  ethers: ['rlp-encode', 'rlp-decode', 'data', 'maths'].map(
    (name) => `node_modules/ethers/lib.esm/utils/${name}.js`,
  ),
  contracts: [
    'arguments',
    'arrivals',
    'calls',
    'contract-fields',
    'deeds',
    'evm-address',
    'listed-token',
    'readings',
    'recipient-warnings',
    'token-balances',
    'token-facts',
    'token-reads',
    'trial-runs',
  ].map((name) => `src/chains/contracts/${name}.ts`),
  // Of chains whose addresses are 0x and 40 digits: reads what is signed already, and signs for them.
  'hex-accounts': ['src/chains/requests/signature-fields.ts'],
  // Encodes and decodes calls. A transfer of the coin does without.
  abi: ['src/chains/contracts/abi.ts'],
  // Explains what a call does.
  'call-reading': ['src/chains/call-reading/inner-calls.ts', 'src/chains/call-reading/drawn-call.ts'],
  // Exchanges between chains read addresses of all of theirs.
  'evm-address': ['src/chains/evm/address.ts'],
  evm: [
    'src/chains/evm/index.ts',
    'src/chains/evm/payload.ts',
    'src/chains/evm/address.ts',
    'src/chains/ethereum/profile.ts',
    'src/chains/gochain/profile.ts',
  ],
  utxo: [
    'src/chains/utxo/index.ts',
    'src/chains/utxo/payload.ts',
    'src/chains/bitcoin/profile.ts',
    'src/chains/litecoin/profile.ts',
  ],
  ...Object.fromEntries(
    CHAIN_FOLDERS.filter((name) => existsSync(resolve(ROOT, `src/chains/${name}/index.ts`))).map((name) => [
      name,
      ['index', 'payload', 'address'].map((part) => `src/chains/${name}/${part}.ts`),
    ]),
  ),
  // Exchanges, asked and built by; what a call of theirs means is apart, for approvals.
  swaps: ['src/swaps/index.ts', 'src/swaps/cross-chain/between.ts'],
  // What THORChain is told and says, with the addresses of its chains.
  thorchain: ['src/swaps/cross-chain/entry.ts', 'src/swaps/cross-chain/thorchain/offer.ts'],
};

const ZOD = 'node_modules/zod/v4/mini/external.js';

/** What both of the wallet's pages load on demand. */
const ON_DEMAND: Chunks = {
  question: ['src/frame/ui/question-view.ts'],
  // A new wallet, up to its PIN or passkey.
  'set-up': [
    'set-up/set-up-flow',
    'set-up/choice-views',
    'set-up/choose-pin-view',
    'ui/pin-pad',
    'ui/pin-entry',
  ].map((name) => `src/frame/${name}.ts`),
  'history-updates': ['src/frame/wallets/history-updates.ts'],
  passkey: ['src/wallets/passkey.ts', 'src/wallets/assertion.ts'],
  outcome: [
    'src/frame/approve/outcome/outcome-flow.ts',
    'src/frame/approve/outcome/sending-view.ts',
    'src/frame/approve/outcome/sent-view.ts',
  ],
  manage: ['src/frame/wallets/manage-flow.ts'],
  ...CHAINS,
  // Before what else is drawn with them.
  worth: ['src/ui/worth.ts'],
  amounts: ['src/ui/typed-amount.ts', 'src/ui/assets.ts'],
  'swap-form': ['swap/swap-offers', 'swap/swap-build', 'combobox'].map((name) => `src/ui/${name}.ts`),
};

/** Of the wallet's page. */
export const FRAME_CHUNKS: Chunks = {
  // On screen first.
  page: [
    'src/frame/main.ts',
    'src/frame/start-surface.ts',
    'src/frame/ui/consent-view.ts',
    'src/frame/approve/approve-view.ts',
    'src/wallets/first-paint.ts',
    ZOD,
  ],
  // All that a signature needs besides its chain.
  signing: [
    ...CHAIN_CORE,
    ...HASHES,
    'src/frame/start-flows.ts',
    'src/frame/approve/transact-flow.ts',
    'src/frame/approve/approve-flow.ts',
    'src/frame/approve/prepare.ts',
    'src/frame/approve/drawing/approve-drawing.ts',
    'src/frame/approve/drawing/terms-drawing.ts',
    'src/wallets/unlock.ts',
    'src/wallets/vault.ts',
    'src/wallets/journal.ts',
    'src/wallets/activity.ts',
  ],
  // A window that stays open between requests.
  window: ['src/frame/shell/own-window.ts'],
  ...ON_DEMAND,
};

/** Of the wallet by itself: a build of its own, too. */
export const WALLET_CHUNKS: Chunks = {
  page: ['src/frame/own/main.ts', 'src/wallets/first-paint.ts'],
  // The wallets, and what reads what is in them.
  home: [
    ...CHAIN_CORE,
    ...HASHES,
    ZOD,
    'src/frame/own/own-page.ts',
    // What the portfolio draws with, as others do.
    'src/frame/approve/drawing/heading.ts',
    'src/frame/ui/amount.ts',
    'src/frame/ui/head.ts',
    'src/frame/ui/rows.ts',
    'src/frame/wallets/activity-list.ts',
    'src/frame/wallets/nfts.ts',
    'src/frame/wallets/wallet-switch.ts',
    'src/ui/copy.ts',
    'src/ui/field-styles.ts',
    'src/ui/worth.ts',
    'src/wallets/vault.ts',
    'src/wallets/journal.ts',
    'src/wallets/activity.ts',
  ],
  signing: ['src/frame/approve/own-transaction-flow.ts', 'src/frame/approve/drawing/approve-drawing.ts'],
  window: ['src/frame/shell/own-window.ts'],
  ...ON_DEMAND,
};

/** Of the page for reads: a build of its own, which nothing of the frame's can get into. */
export const READ_CHUNKS: Chunks = {
  page: ['src/frame/reads/main.ts', 'src/frame/reads/reads.ts', ZOD],
  chain: [...CHAIN_CORE, ...HASHES],
  ...CHAINS,
};

/** Of the script tag's page: what is there before anything is pressed. */
export const CONNECT_AT_REST = ['src/connect.ts', 'src/elements/manage-wallets/manage-wallets-rest.ts'];

/** And what comes then. */
export const CONNECT_CHUNKS: Chunks = {
  // The first request.
  engine: ['src/actions/engine.ts'],
  // What the lazy views of the elements share.
  view: [
    'src/elements/view.ts',
    'src/ui/amount-text.ts',
    'src/ui/assets.ts',
    'src/ui/form-styles.ts',
    'src/ui/list-icons.ts',
    'src/ui/typed-amount.ts',
  ],
  // Wallets of others, and what they write.
  external: ['src/actions/external.ts', 'src/base/text.ts'],
};
