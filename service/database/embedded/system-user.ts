/** PostgreSQL refuses to run as root. Started as root, the service runs it as the operating system's user `postgres`. */
import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

const exec = promisify(execFile);
const NAME = 'postgres';

/** The user that PostgreSQL runs as; empty for the service's own user. */
export interface SystemUser {
  uid?: number;
  gid?: number;
}

async function find(): Promise<SystemUser | undefined> {
  try {
    const [uid, gid] = await Promise.all(['-u', '-g'].map((flag) => exec('id', [flag, NAME])));
    return { uid: Number(uid!.stdout), gid: Number(gid!.stdout) };
  } catch {
    return undefined;
  }
}

/** Creates the user when the service runs as root and the user does not exist. */
export async function systemUser(): Promise<SystemUser> {
  if (process.getuid?.() !== 0) return {};
  const user = await find();
  if (user) return user;
  try {
    await exec('useradd', [
      '--system',
      '--user-group',
      '--no-create-home',
      '--shell',
      '/usr/sbin/nologin',
      NAME,
    ]);
  } catch (error) {
    throw new Error(
      `PostgreSQL does not run as root, and the user ${NAME} could not be made. Start the service as another user, or set DATABASE_URL.`,
      { cause: error },
    );
  }
  return (await find())!;
}

/** The first folder above `path` that the user may not traverse. */
export function closedFolder(path: string, { uid, gid }: SystemUser): string | undefined {
  if (uid === undefined) return undefined;
  const parents = [dirname(path)];
  while (dirname(parents[0]!) !== parents[0]) parents.unshift(dirname(parents[0]!));
  return parents.find((parent) => {
    const { mode, uid: owner, gid: group } = statSync(parent);
    return !(mode & (owner === uid ? 0o100 : group === gid ? 0o010 : 0o001));
  });
}
