/**
 * Which folder may import what. A folder imports only folders of earlier rows, so that there are no cycles between them; `RULES` has what
 * the rows leave open, libraries included. `npm run lint` reads both.
 */
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { filesBelow } from './build.ts';
import { ROOT } from './command.ts';

interface Layers {
  root: string;
  /**
   * Lowest row first; folders in one row do not import each other. An entry includes its subfolders, except those with an entry of their
   * own; `.` is the files in `root` itself, except those with an entry of their own.
   */
  rows: readonly (readonly string[])[];
  /** A later row may be imported with `import()`: a task of the user's that leads to another one loads it then. */
  lazily?: boolean;
  /** A file of types only, outside the order: it lists what every folder gets. */
  types?: string;
}

/** Add an entry to check another tree. */
const TREES: readonly Layers[] = [
  {
    root: 'src',
    rows: [
      ['base', 'locales'],
      ['chains'],
      ['api'],
      ['prices', 'service-sdk'],
      ['channel', 'swaps', 'ui', 'wallets'],
      ['external', 'provider', 'sync'],
      ['actions', 'frame'],
      ['elements'],
      ['pay', 'react', 'testing'],
      ['.'],
    ],
  },
  {
    root: 'src/frame',
    rows: [
      ['ui'],
      ['frame.ts'],
      ['reads', 'shell'],
      ['unlock'],
      ['set-up'],
      ['copy'],
      ['service'],
      ['approve'],
      ['recipients'],
      ['settings', 'wallets'],
      ['.'],
      ['own'],
    ],
    lazily: true,
  },
  {
    root: 'service',
    rows: [
      ['files'],
      ['keys', 'outbound', 'settings'],
      ['database'],
      ['audit', 'concurrency'],
      ['backup'],
      ['prices'],
      ['networks'],
      ['http', 'setup'],
      ['custody', 'idempotency', 'restored', 'scanning', 'webhooks'],
      ['auth'],
      ['profile', 'recipients'],
      ['wallets'],
      ['policies'],
      ['deposits', 'swaps', 'sync', 'users'],
      ['transactions'],
      ['checkout/sessions'],
      ['checkout/branding', 'checkout/wallet-payments'],
      ['checkout/refunds'],
      ['checkout/page'],
      ['checkout/receipts'],
      ['checkout/providers'],
      ['checkout'],
      ['.'],
      ['commands'],
    ],
    types: 'service.ts',
  },
];

interface Rule {
  /** Files, from the project's root. */
  from: RegExp;
  /** Files, or libraries as they are imported. */
  never: RegExp;
  /** Types may be imported all the same, and anything with `import()`. */
  except?: 'types and lazily';
  why: string;
}

const SIGNERS = /^(ethers|hash-wasm|argon2id|@noble\/(curves|ed25519|secp256k1))\b/;

const RULES: readonly Rule[] = [
  {
    from: /^src\/(api|chains|prices|service-sdk|swaps|sync|wallets)\//,
    never: /^lit\b|^@lit\//,
    why: 'it knows nothing of the page',
  },
  {
    from: /^src\/(elements|actions|external|provider|channel|pay|ui)\/|^src\/(index|connect)\.ts$/,
    never: either(/^src\/(frame|sync|wallets)\//, SIGNERS, /^@scure\//),
    why: 'the host side never loads a signer, the vault or the frame',
  },
  {
    from: /^src\/(actions|external|provider)\//,
    never: /^src\/ui\//,
    why: 'what has no view needs nothing to draw with',
  },
  {
    from: /^src\/(actions|external|provider)\//,
    // Cards, and what reads an address, have no schemas.
    never: /^src\/chains\/(?!(secret-type|bitcoin\/profile|utxo\/address)\.ts$)|^zod\b/,
    except: 'types and lazily',
    why: 'the host side loads the schemas of payloads when there is a payload',
  },
  {
    from: /^src\/elements\//,
    never: /^zod\b|^src\/channel\/schema\.ts$/,
    except: 'types and lazily',
    why: 'what a host page downloads at first has no schemas',
  },
  {
    from: /^src\/(frame\/(approve|unlock)|wallets)\//,
    never: /^src\/sync\//,
    why: 'whoever unlocks or signs loads nothing of the copy',
  },
  { from: /^src\/frame\//, never: /^src\/provider\//, why: 'the frame loads nothing of the host side' },
];

function either(...tests: readonly RegExp[]): RegExp {
  return new RegExp(tests.map(({ source }) => source).join('|'));
}

const IMPORT =
  /^(?:import|export)\s+(?:(type)\s+)?(?:[^'";]*?\sfrom\s+)?'([^']+)'|\b(typeof\s+)?import\(\s*'([^']+)'\s*\)/gm;

export interface Import {
  /** A file, from the project's root, or a library. */
  to: string;
  isType: boolean;
  isLazy: boolean;
}

export function importsOf(path: string): Import[] {
  return [...readFileSync(path, 'utf8').matchAll(IMPORT)].map(([, type, at, typeOf, within]) => {
    const specifier = (at ?? within)!;
    const to = specifier.startsWith('.') ? relative(ROOT, join(dirname(path), specifier)) : specifier;
    const isType = type !== undefined || typeOf !== undefined;
    return { to, isType, isLazy: within !== undefined && !isType };
  });
}

export const sourcesIn = (root: string): string[] =>
  filesBelow(join(ROOT, root)).filter((file) => file.endsWith('.ts') && !file.includes('/node_modules/'));

function brokenRules(): string[] {
  return sourcesIn('src').flatMap((path) => {
    const file = relative(ROOT, path);
    const rules = RULES.filter(({ from }) => from.test(file));
    if (rules.length === 0) return [];
    return importsOf(path).flatMap(({ to, isType, isLazy }) =>
      rules
        .filter(({ never, except }) => never.test(to) && !(except && (isType || isLazy)))
        .map(({ why }) => `${file} imports ${to}: ${why}`),
    );
  });
}

/** Its own entry, or the deepest that includes it. */
function folderOf(file: string, folders: readonly string[]): string | undefined {
  if (folders.includes(file)) return file;
  for (let folder = dirname(file); folder !== '.'; folder = dirname(folder))
    if (folders.includes(folder)) return folder;
  return dirname(file) === '.' ? '.' : undefined;
}

function brokenIn({ root, rows, types, lazily }: Layers): string[] {
  const folders = rows.flat();
  const rowOf = (folder: string): number => rows.findIndex((row) => row.includes(folder));
  return sourcesIn(root).flatMap((path) => {
    const file = relative(join(ROOT, root), path);
    const from = folderOf(file, folders);
    if (from === undefined) return [`${root}/${file} is in a folder without a row in scripts/layers.ts`];
    return importsOf(path).flatMap(({ to: imported, isType, isLazy }) => {
      if (!imported.startsWith(`${root}/`) || (lazily && isLazy)) return [];
      const target = relative(root, imported);
      if (file === types || target === types)
        return isType ? [] : [`${root}/${file} imports more than types from ${root}/${target}`];
      const to = folderOf(target, folders);
      if (to === undefined || from === to || rowOf(to) < rowOf(from)) return [];
      return [`${root}/${file} imports ${root}/${target}: ${from} must not depend on ${to}`];
    });
  });
}

/** One line for each import that breaks the order or a rule. */
export function brokenLayers(): string[] {
  return [...TREES.flatMap(brokenIn), ...brokenRules()];
}
