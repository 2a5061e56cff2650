/** The master key in a file: `{ "current": 1, "keys": { "1": "<32 bytes, base64url>" } }`. */
import { createHmac, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import * as z from 'zod';
import { type KeyProvider, UnknownKeyVersion } from './key-provider.ts';
import { rewrite, writeOnce } from './write-once.ts';

const MasterKeys = z
  .strictObject({
    current: z.int().min(1),
    keys: z.record(z.string().regex(/^[1-9]\d*$/), z.string().regex(/^[\w-]{43}$/)),
  })
  .refine(({ current, keys }) => Object.hasOwn(keys, String(current)), {
    error: 'the current key is missing',
  });

type Keys = Record<string, string>;

const newestOf = (keys: Keys): number => Math.max(0, ...Object.keys(keys).map(Number));

function withNewKey(keys: Keys): Keys {
  return { ...keys, [newestOf(keys) + 1]: randomBytes(32).toString('base64url') };
}

const textOf = (current: number, keys: Keys): string => `${JSON.stringify({ current, keys }, null, 2)}\n`;

/** Adds a new key to the file, which is not used yet: every machine must have it before one of them uses it. */
export async function prepareFileKeys(path: string): Promise<void> {
  await rewrite(path, () => {
    const { current, keys } = parseFile(path);
    if (newestOf(keys) > current) throw new Error(`${path} already has a newer key than the one in use.`);
    return textOf(current, withNewKey(keys));
  });
}

/** Makes the prepared key, else a new one, the current one, and keeps the others. Services that use the file switch to it at once. */
export async function rotateFileKeys(path: string): Promise<void> {
  await rewrite(path, () => {
    const { current, keys } = parseFile(path);
    const all = newestOf(keys) > current ? keys : withNewKey(keys);
    return textOf(newestOf(all), all);
  });
}

/** Reads the file; makes it first if it is missing and `create` allows it. */
export async function fileKeys(path: string, { create }: { create: boolean }): Promise<KeyProvider> {
  if (!existsSync(path)) {
    if (!create)
      throw new Error(`MASTER_KEY_FILE: there is no file ${path}; docs/service.md says how to make one.`);
    await writeOnce(path, textOf(1, withNewKey({}))).catch((error: Error) => {
      throw new Error(`MASTER_KEY_FILE: ${path} cannot be made: ${error.message}`, { cause: error });
    });
  }
  let held = { ...readKeys(path), stamp: stampOf(path) };
  // A rotation replaces the file while services run. If it cannot be read now, the last version that was read is used.
  const newest = () => {
    const stamp = stampOf(path);
    if (stamp === undefined || stamp === held.stamp) return held;
    try {
      held = { ...readKeys(path), stamp };
    } catch {
      held = { ...held, stamp };
    }
    return held;
  };
  return {
    current: () => Promise.resolve(newest().current),
    async mac(label, version) {
      const key = held.keys.get(version) ?? newest().keys.get(version);
      if (!key) throw new UnknownKeyVersion(version);
      return createHmac('sha256', key).update(label).digest();
    },
  };
}

/** A text that changes when the file does. */
function stampOf(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats && `${stats.ino} ${stats.mtimeMs}`;
}

function readKeys(path: string): { current: number; keys: Map<number, Buffer> } {
  const { current, keys } = parseFile(path);
  return {
    current,
    keys: new Map(
      Object.entries(keys).map(([version, key]) => [Number(version), Buffer.from(key, 'base64url')]),
    ),
  };
}

/** The error must not quote the file. */
function parseFile(path: string): z.infer<typeof MasterKeys> {
  try {
    return MasterKeys.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? 'it is not a master key file';
    throw new Error(`MASTER_KEY_FILE: ${path} cannot be read: ${reason}.`);
  }
}
