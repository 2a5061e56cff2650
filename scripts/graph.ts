/** The chunks of every output with their modules, for the checks of sizes and boundaries. */
import { readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import type { Plugin, Rollup } from 'vite';
import { CORE, folderOf } from './folders.ts';

const root = resolve(import.meta.dirname, '..');
export const GRAPH_FILE = resolve(root, '.cache/graph.json');

export interface Chunk {
  /** Path below `dist`. */
  file: string;
  entry: boolean;
  /** The module an entry or a dynamic import asked for. */
  facade: string | null;
  imports: string[];
  dynamicImports: string[];
  /** Paths from the project's root. */
  modules: string[];
  /** By module: its static imports. */
  moduleImports: Record<string, string[]>;
  /**
   * By folder of `src/chains` that it has modules of (`''`: none): all static imports of these modules, direct and indirect, whether or not
   * they are used.
   */
  needs: Record<string, string[]>;
}

/** What is built, each on its own: see `vite.config.ts`. */
export const OUTPUT_NAMES = [
  'connect',
  'walletconnect',
  'modules',
  'frame',
  'wallet',
  'read',
  'pay',
  'demo',
] as const;
export type Output = (typeof OUTPUT_NAMES)[number];
export type Graph = Record<Output, Chunk[]>;

function moduleName(id: string): string {
  return relative(root, id.replace(/^\0/, '').replace(/\?.*$/, ''));
}

type Modules = Pick<Rollup.PluginContext, 'getModuleInfo'>;

function importsOf(modules: Modules, id: string): readonly string[] {
  return modules.getModuleInfo(id)?.importedIds ?? [];
}

function closure(modules: Modules, ids: readonly string[]): string[] {
  const seen = new Set<string>();
  const queue = [...ids];
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    if (seen.has(id)) continue;
    seen.add(id);
    queue.push(...importsOf(modules, id));
  }
  return [...seen];
}

function needsOf(modules: Modules, ids: readonly string[]): Record<string, string[]> {
  // A library does not say which folder needs it: its importers do.
  const own = ids.filter((id) => !id.includes('/node_modules/'));
  const byFolder = new Map<string, string[]>();
  for (const id of own.length ? own : ids) {
    const folder = chainFolderOf(id);
    byFolder.set(folder, [...(byFolder.get(folder) ?? []), id]);
  }
  return Object.fromEntries(
    [...byFolder].map(([folder, some]) => [folder, closure(modules, some).map(moduleName)]),
  );
}

/** Empty for modules that belong to no folder, or to all chains. */
function chainFolderOf(module: string): string {
  const folder = folderOf(module);
  return folder === undefined || folder === CORE ? '' : folder.name;
}

/** Adds the chunks of a build to `chunks`. `folder` is where the build goes below `dist`. */
export function recordChunks(chunks: Chunk[], folder = ''): Plugin {
  return {
    name: 'carabiner:graph',
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue;
        chunks.push({
          file: folder + chunk.fileName,
          entry: chunk.isEntry,
          facade: chunk.facadeModuleId ? moduleName(chunk.facadeModuleId) : null,
          imports: chunk.imports.map((name) => folder + name),
          dynamicImports: chunk.dynamicImports.map((name) => folder + name),
          modules: chunk.moduleIds.map(moduleName),
          moduleImports: Object.fromEntries(
            chunk.moduleIds.map((id) => [moduleName(id), importsOf(this, id).map(moduleName)]),
          ),
          needs: needsOf(this, chunk.moduleIds),
        });
      }
    },
  };
}

export function readGraph(): Graph {
  return JSON.parse(readFileSync(GRAPH_FILE, 'utf8')) as Graph;
}

/** The chunks that a browser downloads for `files`: these and their static imports. */
export function eager(chunks: Chunk[], ...files: string[]): Chunk[] {
  const seen = new Set<string>();
  const queue = [...files];
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    queue.push(...(chunks.find((chunk) => chunk.file === file)?.imports ?? []));
  }
  return chunks.filter((chunk) => seen.has(chunk.file));
}

export function entries(chunks: Chunk[]): Chunk[] {
  return chunks.filter((chunk) => chunk.entry);
}
