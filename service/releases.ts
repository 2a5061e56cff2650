/**
 * URLs of the script that name a release, so that a page can stay with one: `/1.4.0/connect.js` is that release for good, `/v1/connect.js`
 * the newest of its line. Only the script is served by release: the wallet is always the one that this server has.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The release that `dist/` was built from. */
export const { version: VERSION } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
) as { version: string };

export interface Script {
  file: string;
  /** The URL names one release, which never changes. */
  pinned: boolean;
}

export interface Releases {
  /** Folder that `npm run build` wrote. */
  dist: string;
  version: string;
  /** Earlier releases: a folder each, named by its version, with `connect.js` and `chunks/` of its `dist/`. */
  kept?: string | undefined;
}

const EXACT = /^(\d+)\.(\d+)\.(\d+)$/;
/** Names without a dot at either end of a part: no `..`, no hidden file. */
const SCRIPT = /^\/(?:(v?\d+(?:\.\d+)*)\/)?(connect\.js|chunks\/[\w-][\w.-]*\.js)$/;

/** Releases that a page may exchange for one another: `v1`, and `v0.1` as long as the major version is 0. */
function lineOf(version: string): string {
  const [major, minor] = version.split('.');
  return major === '0' ? `v0.${minor}` : `v${major}`;
}

function byAge(one: string, other: string): number {
  return one.localeCompare(other, 'en', { numeric: true });
}

/** Answers the file of a script's path, and nothing for any other path. Reads the folder of earlier releases once. */
export function scripts({ dist, version, kept }: Releases): (path: string) => Script | undefined {
  const folders = new Map<string, string>();
  if (kept) for (const name of readdirSync(kept)) if (EXACT.test(name)) folders.set(name, join(kept, name));
  // A version that is not exact is one before its release, which no URL names.
  if (EXACT.test(version)) folders.set(version, dist);
  const newest = new Map(
    [...folders].toSorted(([a], [b]) => byAge(a, b)).map(([name, at]) => [lineOf(name), at]),
  );
  return (path) => {
    const [, release, file] = SCRIPT.exec(path) ?? [];
    if (!file) return undefined;
    const folder = release ? (folders.get(release) ?? newest.get(release)) : dist;
    return folder === undefined
      ? undefined
      : { file: join(folder, file), pinned: folders.has(release ?? '') };
  };
}
