/** Follows the pages that show how to add something to the letter, in a copy of the project. */
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '..');

export interface Changes {
  /** Files that are new or changed. */
  files: string[];
  /** Number of lines added to each. */
  added: Record<string, number>;
  removed: number;
}

/** A copy of some files and folders of the project, under git. */
export class ProjectCopy {
  constructor(
    readonly folder: string,
    names: readonly string[],
  ) {
    for (const name of names) cpSync(join(ROOT, name), join(folder, name), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    writeFileSync(join(folder, '.gitignore'), 'node_modules\ntry.mts\n');
    this.#git('init', '--quiet');
    this.#commit('As it is');
  }

  /** Writes the files that the page shows; code for an existing file is appended to it. Returns what changed. */
  follow(page: string): Changes {
    const blocks = readFileSync(join(ROOT, page), 'utf8').matchAll(
      /^```\w+\n(?:\/\/|<!--) ((?:service|src)\/\S+)(?: -->)?\n(.*?)^```$/gms,
    );
    for (const [, path, text] of blocks) {
      const file = join(this.folder, path!);
      mkdirSync(dirname(file), { recursive: true });
      if (existsSync(file)) appendFileSync(file, text!);
      else writeFileSync(file, text!);
    }
    this.#git('add', '.');
    const lines = this.#git('diff', '--cached', '--numstat').trim().split('\n');
    const rows = lines.map((line) => line.split('\t') as [string, string, string]);
    this.#commit(`As ${page} says`);
    return {
      files: rows.map(([, , path]) => path),
      added: Object.fromEntries(rows.map(([added, , path]) => [path, Number(added)])),
      removed: rows.reduce((sum, [, removed]) => sum + Number(removed), 0),
    };
  }

  #commit(message: string): void {
    this.#git('add', '.');
    this.#git('commit', '--quiet', '--message', message);
  }

  #git(...args: string[]): string {
    const identity = ['-c', 'user.name=test', '-c', 'user.email=test@example.com'];
    return execFileSync('git', [...identity, ...args], { cwd: this.folder, encoding: 'utf8' });
  }
}
