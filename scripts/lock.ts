/** What package-lock.json says about the runtime packages of the npm package and the service. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './command.ts';

export interface LockedPackage {
  version?: string;
  license?: string;
  integrity?: string;
  resolved?: string;
  link?: boolean;
  dev?: boolean;
  optional?: boolean;
  hasInstallScript?: boolean;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

export interface Lock {
  /** By path: `node_modules/lit`. The empty path is the npm package, `service` the service. */
  packages: Record<string, LockedPackage>;
}

export interface Manifest {
  name: string;
  dependencies: Record<string, string>;
  devDependencies?: Record<string, string>;
  allowScripts?: Record<string, boolean>;
}

export const readLock = (): Lock => JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as Lock;

/** `folder`: `.` or `service`. */
export const readManifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')) as Manifest;

export const nameOf = (path: string): string => path.split('node_modules/').at(-1)!;

/** The path of `name` as `from` requires it: the nearest `node_modules` that has it. */
function pathOf({ packages }: Lock, name: string, from: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('node_modules/') - 1))) {
    const path = `${folder && `${folder}/`}node_modules/${name}`;
    if (Object.hasOwn(packages, path)) return path;
    if (folder === '') return undefined;
  }
}

/** Paths of everything that `folder` runs with: its `dependencies`, and theirs. */
export function runtimeOf(lock: Lock, folder: '' | 'service'): string[] {
  const found = new Set<string>();
  const open = [folder as string];
  for (const from of open) {
    const { dependencies = {}, optionalDependencies = {} } = lock.packages[from]!;
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const path = pathOf(lock, name, from);
      // Optional for this platform, or a peer that the application brings.
      if (path === undefined || found.has(path)) continue;
      found.add(path);
      open.push(path);
    }
  }
  return [...found].toSorted();
}
