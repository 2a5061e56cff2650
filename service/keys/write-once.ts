/** Files that exactly one of several processes creates, and that are on disk before anything depends on them. */
import { randomUUID } from 'node:crypto';
import { link, open, rename, stat, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolder } from '../files/make-folder.ts';

async function synced(
  path: string,
  flags: string,
  work: (handle: Awaited<ReturnType<typeof open>>) => Promise<void>,
) {
  const handle = await open(path, flags, 0o600);
  try {
    await work(handle);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Creates the file with this text, readable by its owner only. An existing file is left as it is. */
export async function writeOnce(path: string, text: string): Promise<void> {
  makeFolder(dirname(path));
  const draft = `${path}.${randomUUID()}`;
  await synced(draft, 'wx', (handle) => handle.writeFile(text));
  try {
    // Unlike a rename, a link never replaces a file that another process made in the meantime.
    await link(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await unlink(draft);
  }
  await syncName(path);
}

/**
 * Replaces a file's text by what `change` returns. A reader sees the old text or the new one; of two changes at once one is refused, so
 * `change` can safely read the file.
 */
export async function rewrite(path: string, change: () => string): Promise<void> {
  const draft = `${path}.next`;
  const { uid, gid, mode } = await stat(path);
  try {
    await synced(draft, 'wx', async (handle) => {
      await handle.writeFile(change());
      // The command may not run as the service's user, who may read the file as one of a group.
      await handle.chown(uid, gid);
      await handle.chmod(mode & 0o777);
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST')
      throw new Error(`${draft} exists: another change is under way, or one was cut off; then remove it.`);
    await unlink(draft).catch(() => {});
    throw error;
  }
  await rename(draft, path);
  await syncName(path);
}

/** The directory entry must survive a power cut, too. Windows has no handles for folders. */
export async function syncName(path: string): Promise<void> {
  if (process.platform !== 'win32') await synced(dirname(path), 'r', async () => {});
}
