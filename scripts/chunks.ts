/**
 * Which modules of a page are one file, by the modules that it is loaded for: what is needed together compresses better as one and comes in
 * one round. In order, each chunk gets its entries with all that they import, but for what a chunk before it has: so no two import each
 * other. What is in none is left to the bundler, which makes a file of every lazy import.
 */
import { resolve } from 'node:path';
import type { Rollup } from 'vite';
import { ROOT } from './command.ts';

/** Entries by the chunk's name: paths from the project's root. */
export type Chunks = Readonly<Record<string, readonly string[]>>;

type Modules = Pick<Rollup.PluginContext, 'getModuleInfo'>;

/** The bundler's group for `chunks`. What `entry` imports stays with it. */
export function groupOf(chunks: Chunks, entry?: string): { name: (id: string, modules: Modules) => string | null } {
  let chunkOf: Map<string, string | null> | undefined;
  return { name: (id, modules) => (chunkOf ??= divide(chunks, modules, entry)).get(id) ?? null };
}

function divide(chunks: Chunks, modules: Modules, entry?: string): Map<string, string | null> {
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
  if (entry !== undefined) take(null, [entry]);
  for (const [name, paths] of Object.entries(chunks)) take(name, paths);
  return chunkOf;
}
