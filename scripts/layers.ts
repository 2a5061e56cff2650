/** Which folder may import which: a folder imports only from earlier rows, so that there are no cycles between folders. */
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { filesBelow } from './build.ts';
import { ROOT } from './command.ts';

interface Layers {
  root: string;
  /**
   * Lowest row first; folders in one row do not import each other. An entry includes its subfolders, except those with an entry of their
   * own; `.` is the files in `root` itself.
   */
  rows: readonly (readonly string[])[];
  /** A file of types only, outside the order: it lists what every folder gets. */
  types?: string;
  /** Files in `root` itself that every folder may import. They import no folder. */
  shared?: readonly string[];
}

/** Add an entry to check another tree. */
const TREES: readonly Layers[] = [
  {
    root: 'src',
    rows: [
      ['chains', 'locales'],
      ['api'],
      ['prices', 'service-sdk'],
      ['channel', 'swaps', 'ui', 'wallets'],
      ['external', 'provider'],
      ['actions', 'frame'],
      ['elements'],
      ['pay', 'react'],
      ['.'],
    ],
    shared: [
      'action-names.ts',
      'base64.ts',
      'canonical-hash.ts',
      'canonical.ts',
      'clock.ts',
      'errors.ts',
      'from-wire.ts',
      'hex-digits.ts',
      'inert-text.ts',
      'languages.ts',
      'localize.ts',
      'qr-outline.ts',
      'warn.ts',
    ],
  },
  {
    root: 'service',
    rows: [
      ['keys', 'outbound', 'settings'],
      ['database'],
      ['audit', 'concurrency'],
      ['prices'],
      ['networks'],
      ['http'],
      ['custody', 'idempotency', 'scanning', 'webhooks'],
      ['auth'],
      ['profile', 'recipients'],
      ['wallets'],
      ['policies'],
      ['deposits', 'swaps', 'users'],
      ['transactions'],
      ['checkout/sessions'],
      ['checkout/branding', 'checkout/wallet-payments'],
      ['checkout/refunds'],
      ['checkout/page'],
      ['checkout/providers'],
      ['checkout'],
      ['.'],
    ],
    types: 'service.ts',
  },
];

const IMPORT =
  /^(?:import|export)\s+(?:(type)\s+)?(?:[^'";]*?\sfrom\s+)?'(\.[^']+)'|\bimport\(\s*'(\.[^']+)'\s*\)/gm;

/** The deepest entry that includes the file. */
function folderOf(file: string, folders: readonly string[]): string | undefined {
  for (let folder = dirname(file); folder !== '.'; folder = dirname(folder))
    if (folders.includes(folder)) return folder;
  return dirname(file) === '.' ? '.' : undefined;
}

function brokenIn({ root, rows, types, shared = [] }: Layers): string[] {
  const folders = rows.flat();
  const rowOf = (folder: string): number => rows.findIndex((row) => row.includes(folder));
  const files = filesBelow(join(ROOT, root)).filter(
    (file) => file.endsWith('.ts') && !file.includes('/node_modules/'),
  );
  return files.flatMap((path) => {
    const file = relative(join(ROOT, root), path);
    const from = folderOf(file, folders);
    if (from === undefined) return [`${root}/${file} is in a folder without a row in scripts/layers.ts`];
    return [...readFileSync(path, 'utf8').matchAll(IMPORT)].flatMap(([, type, at, lazy]) => {
      const target = relative(join(ROOT, root), join(dirname(path), (at ?? lazy)!));
      if (target.startsWith('..')) return [];
      if (file === types || target === types)
        return type ? [] : [`${root}/${file} imports more than types from ${root}/${target}`];
      if (shared.includes(target)) return [];
      if (shared.includes(file))
        return [`${root}/${file} imports ${root}/${target}: every folder imports it`];
      const to = folderOf(target, folders);
      if (to === undefined || from === to || rowOf(to) < rowOf(from)) return [];
      return [`${root}/${file} imports ${root}/${target}: ${from} must not depend on ${to}`];
    });
  });
}

/** One line for each import that breaks the order. */
export function brokenLayers(): string[] {
  return TREES.flatMap(brokenIn);
}
