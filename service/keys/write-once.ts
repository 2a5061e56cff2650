/** Files that must be made by exactly one of several processes, and be on the disk before anything depends on them. */
import { randomUUID } from 'node:crypto';
import { link, mkdir, open, rename, stat, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';

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

/** Makes the file with this text, readable by its owner only. A file that is there stays as it is. */
export async function writeOnce(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const draft = `${path}.${randomUUID()}`;
  await synced(draft, 'wx', (handle) => handle.writeFile(text));
  try {
    // Unlike a rename, a link never replaces what another process made in between.
    await link(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await unlink(draft);
  }
  await syncName(path);
}

/**
 * Gives a file the text that `change` answers. A reader sees the old text or the new one; of two changes at once, one is refused, so that
 * `change` may read the file.
 */
export async function rewrite(path: string, change: () => string): Promise<void> {
  const draft = `${path}.next`;
  const { uid, gid } = await stat(path);
  try {
    await synced(draft, 'wx', async (handle) => {
      await handle.writeFile(change());
      // The command may run as another user than the service.
      await handle.chown(uid, gid);
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST')
      throw new Error(`${draft} exists: another change is under way, or one was cut off; then remove it.`);
    await unlink(draft);
    throw error;
  }
  await rename(draft, path);
  await syncName(path);
}

/** The name itself must outlive a power cut, too. Windows has no handles of folders. */
async function syncName(path: string): Promise<void> {
  if (process.platform !== 'win32') await synced(dirname(path), 'r', async () => {});
}
