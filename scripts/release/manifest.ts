/** package.json and package-lock.json of the archive: what runs in production, in the versions that the tests had. */
import { type Lock, type LockedPackage, nameOf, runtimeOf } from '../lock.ts';

interface RootManifest {
  version: string;
  license: string;
  engines: Record<string, string>;
  scripts: Record<string, string>;
  overrides: Record<string, string>;
  allowScripts: Record<string, boolean>;
  dependencies: Record<string, string>;
}

export interface ArchiveManifest extends RootManifest {
  name: string;
  description: string;
  type: string;
  private: boolean;
}

export const ARCHIVE = 'carabiner-service';

/** Scripts that run a module of the service, without a compiler. */
function builtScripts(scripts: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(scripts)
      .filter(([, script]) => / service\/[\w/-]+\.ts$/.test(script))
      .map(([name, script]) => [
        name,
        script.replace(/(?:exec node --import )?tsx (.*)\.ts$/, 'exec node $1.js'),
      ]),
  );
}

const pick = <T>(from: Readonly<Record<string, T>>, names: ReadonlySet<string>): Record<string, T> =>
  Object.fromEntries(Object.entries(from).filter(([name]) => names.has(name)));

/**
 * `packages`: those that the code imports. Throws if neither manifest has one of them, or the lock file has another version of it at its
 * root.
 */
export function archiveManifest(
  { root, service, lock }: { root: RootManifest; service: Pick<RootManifest, 'dependencies'>; lock: Lock },
  packages: readonly string[],
): { manifest: ArchiveManifest; lock: object } {
  const all = { ...root.dependencies, ...service.dependencies };
  const unknown = packages.find((name) => !Object.hasOwn(all, name));
  if (unknown) throw new Error(`${unknown} is imported and is no dependency of the service.`);
  const needed = new Set([...packages, ...Object.keys(service.dependencies)]);
  const dependencies = pick(all, new Set([...needed].toSorted()));
  const paths = runtimeOf({ packages: { ...lock.packages, '': { dependencies } } }, '');
  for (const [name, version] of Object.entries(dependencies))
    if (lock.packages[`node_modules/${name}`]?.version !== version)
      throw new Error(`package-lock.json has no ${name} ${version} at its root.`);
  const names = new Set(paths.map(nameOf));
  const manifest: ArchiveManifest = {
    name: ARCHIVE,
    version: root.version,
    description: 'Wallet service and frame server of Carabiner, built.',
    license: root.license,
    type: 'module',
    private: true,
    engines: root.engines,
    scripts: builtScripts(root.scripts),
    dependencies,
    overrides: pick(root.overrides, names),
    allowScripts: pick(root.allowScripts, names),
  };
  const { name, version, license, engines } = manifest;
  return {
    manifest,
    lock: {
      name,
      version,
      lockfileVersion: 3,
      requires: true,
      packages: {
        '': { name, version, license, engines, dependencies },
        ...Object.fromEntries(paths.map((path) => [path, forProduction(lock.packages[path]!)])),
      },
    },
  };
}

function forProduction(locked: LockedPackage): LockedPackage {
  const { dev: _, ...rest } = locked;
  if ('devOptional' in rest) delete rest.devOptional;
  return rest;
}
