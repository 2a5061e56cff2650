/** Writes files that are not there yet, and replaces others only on request. */
import {
  closeSync,
  existsSync,
  fchownSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder } from '../files/make-folder.ts';
import type { SetupFile } from './production-files.ts';

/** Below a folder that is the root of a file system, or stands for one. */
export class FileSystem {
  readonly #root: string;
  /** Id of the group that may read what others may not. */
  readonly #group: number | undefined;

  constructor(root: string, group?: number) {
    this.#root = root;
    this.#group = group;
  }

  pathOf({ path }: SetupFile): string {
    return join(this.#root, path);
  }

  /** Whether the file is missing, has this text, or is anything else. */
  state(file: SetupFile): 'missing' | 'same' | 'other' {
    const path = this.pathOf(file);
    const info = lstatSync(path, { throwIfNoEntry: false });
    if (!info) return 'missing';
    return info.isFile() && readFileSync(path, 'utf8') === file.text ? 'same' : 'other';
  }

  /** Has its mode from the first byte, and follows no link. Throws if there is a file. */
  write(file: SetupFile): void {
    const path = this.pathOf(file);
    makeFolder(dirname(path));
    const handle = openSync(path, 'wx', file.mode);
    try {
      if (this.#group !== undefined && (file.mode & 0o004) === 0) fchownSync(handle, -1, this.#group);
      writeSync(handle, file.text);
    } finally {
      closeSync(handle);
    }
  }

  /** Keeps the file that is there beside it, under the name that is returned. */
  putAside(file: SetupFile): string {
    const path = this.pathOf(file);
    let name = `${path}.old`;
    for (let n = 2; existsSync(name); n++) name = `${path}.old${n}`;
    renameSync(path, name);
    return name;
  }
}
