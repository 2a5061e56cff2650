/** The archive of `npm run release`, unpacked where nothing of the project is above it. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from '../../scripts/command.ts';
import { pack, type Release } from '../../scripts/release.ts';

export interface Unpacked {
  release: Release;
  /** The unpacked folder. */
  home: string;
}

/** Into a temporary folder. */
export async function unpackArchive(folder: string): Promise<Unpacked> {
  const release = await pack(folder);
  execFileSync('tar', ['-xzf', release.path, '-C', folder]);
  return { release, home: join(folder, release.folder) };
}

/** What `npm ci --omit=dev` installs, from the project's own packages, so that no registry is needed. Answers the bytes of all. */
export function linkPackages({ home }: Unpacked): number {
  const { packages } = JSON.parse(readFileSync(join(home, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, object>;
  };
  const paths = Object.keys(packages).filter((path) => path !== '' && existsSync(join(ROOT, path)));
  // Packages inside of others come with them.
  for (const path of paths.filter((each) => each.lastIndexOf('node_modules/') === 0)) {
    const [from, to] = [join(ROOT, path), join(home, path)];
    mkdirSync(dirname(to), { recursive: true });
    // On another disk nothing can be linked.
    if (spawnSync('cp', ['-al', from, to]).status !== 0)
      execFileSync('cp', ['-a', '--force', from, dirname(to)]);
  }
  return Number.parseInt(execFileSync('du', ['-s', '--block-size=1', home], { encoding: 'utf8' }), 10);
}
