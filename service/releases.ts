/**
 * Script URLs that name a release, so that a page can pin one: `/v1.4.0/connect.js` is that release for good, `/v1/connect.js` the newest of
 * its line. Only the script is served by release; the wallet is always this server's own.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ENTRY, INTEGRITY, integrityOf, isScript, readIntegrity } from './integrity.ts';

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
  /** Earlier releases: a folder each, named by its version, with `connect.js`, `chunks/` and `integrity.json` of its `dist/`. */
  kept?: string | undefined;
}

/** With a pre-release's identifiers. */
const EXACT = /^\d+\.\d+\.\d+(?:-[\w-]+(?:\.[\w-]+)*)?$/;
/** Names without a dot at either end of a part: no `..`, no hidden file. */
const SCRIPT = /^\/(?:v(\d+(?:\.\d+)*(?:-[\w-]+(?:\.[\w-]+)*)?)\/)?(connect\.js|chunks\/[\w-][\w.-]*\.js)$/;

/** Releases that are compatible by semantic versioning: `1`, and `0.1` as long as the major version is 0. */
function lineOf(version: string): string {
  const [major, minor] = version.split('.') as [string, string];
  return major === '0' ? `0.${minor}` : major;
}

/** Of versions, the oldest first. A pre-release comes before its release. */
export function byAge(one: string, other: string): number {
  const [version = '', candidate = ''] = one.split(/-(.*)/);
  const [otherVersion = '', otherCandidate = ''] = other.split(/-(.*)/);
  return (
    numerically(version, otherVersion) ||
    Number(!candidate) - Number(!otherCandidate) ||
    numerically(candidate, otherCandidate)
  );
}

function numerically(one: string, other: string): number {
  return one.localeCompare(other, 'en', { numeric: true });
}

/** A pre-release stands for a line that has no release. */
function byRank(one: string, other: string): number {
  return Number(!one.includes('-')) - Number(!other.includes('-')) || byAge(one, other);
}

function keptIn(folder: string | undefined): [version: string, folder: string][] {
  const names = folder ? readdirSync(folder).filter((name) => EXACT.test(name)) : [];
  return names.toSorted(byAge).map((name) => [name, join(folder!, name)]);
}

/** Returns the file for a script's path, and undefined for any other path. Reads the folder of earlier releases once. */
export function scripts({ dist, version, kept }: Releases): (path: string) => Script | undefined {
  const folders = new Map(keptIn(kept));
  folders.set(version, dist);
  const newest = new Map(
    [...folders].toSorted(([a], [b]) => byRank(a, b)).map(([name, at]) => [lineOf(name), at]),
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

/**
 * The `integrity` of each release's entry, for `<script integrity>`, oldest first. Throws if a file differs from the one that its release
 * was built with, or if this build has the version of an earlier release but other contents: what such a URL names never changes.
 */
export function checkedEntries({ dist, version, kept }: Releases): [version: string, integrity: string][] {
  const entries = keptIn(kept).map(([name, folder]): [string, string] => [
    name,
    checkedEntry(folder, isScript),
  ]);
  const entry = checkedEntry(dist);
  const [, same] = entries.find(([name]) => name === version) ?? [];
  if (same !== undefined && same !== entry)
    throw new Error(
      `${join(kept!, version)} and ${dist} are different builds of ${version}. A release never changes: build this one under a new version.`,
    );
  return [...entries.filter(([name]) => name !== version), [version, entry]];
}

/** `isServed`: which of its files are. */
function checkedEntry(folder: string, isServed = (_file: string): boolean => true): string {
  const built = readIntegrity(folder);
  const files = integrityOf(folder);
  const changed = Object.keys({ ...built, ...files })
    .filter(isServed)
    .find((file) => built[file] !== files[file]);
  if (changed)
    throw new Error(
      `${join(folder, changed)} does not match ${INTEGRITY}. Build the release again, or copy all of it again.`,
    );
  return built[ENTRY]!;
}
