/** What a test run starts and writes, so that nothing of it outlives the run: see `keeper.mjs`. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { beforeEnd, ROOT } from '../command.ts';

export class RunFolder {
  /** In the environment of everything that the run starts. */
  readonly id = `carabiner-run-${randomBytes(6).toString('hex')}`;
  /** The folder for temporary files of the run. Others may enter it: PostgreSQL runs as another user if we are root. */
  readonly path = join(tmpdir(), this.id);
  /** Inside the project, for scripts that import its packages. */
  readonly scripts = join(ROOT, '.cache', this.id);
  readonly #keeper: ChildProcess;
  #ended: Promise<void> | undefined;
  #folders = 0;

  constructor() {
    for (const folder of [this.path, this.scripts]) {
      mkdirSync(folder, { recursive: true });
      chmodSync(folder, 0o755);
    }
    const script = resolve(import.meta.dirname, 'keeper.mjs');
    this.#keeper = spawn(process.execPath, [script, this.id, this.path, this.scripts], {
      // Ctrl-C reaches everything in the terminal's group.
      detached: true,
      stdio: ['pipe', 'ignore', 'inherit'],
    });
    // What this process starts from now on. A run inside another one belongs to both.
    const { CARABINER_RUN: outer } = process.env;
    process.env['CARABINER_RUN'] = outer ? `${outer} ${this.id}` : this.id;
    process.env['TMPDIR'] = this.path;
    beforeEnd(() => this.end());
  }

  /** A new folder for temporary files, in the environment of a process. */
  temporary(): string {
    const folder = join(this.path, String(++this.#folders));
    mkdirSync(folder);
    chmodSync(folder, 0o755);
    return folder;
  }

  /** Ends every process of the run, and removes its files. */
  end(): Promise<void> {
    return (this.#ended ??= new Promise((resolve) => {
      this.#keeper.once('exit', () => resolve());
      this.#keeper.stdin!.end();
    }));
  }
}
