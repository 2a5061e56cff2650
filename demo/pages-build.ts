/** Builds what the demo serves, if a source is newer, while everything else starts: in a process of its own, on another core. */
import { spawn } from 'node:child_process';
import { ROOT } from '../scripts/command.ts';
import { pagesAreFresh } from '../scripts/build.ts';

export interface PagesBuild {
  /** Rejects if the build fails or is stopped. */
  done: Promise<void>;
  /** Resolves when it has ended. The last build stays in place. */
  stop(): Promise<void>;
}

export function startPagesBuild(): PagesBuild {
  if (pagesAreFresh()) return { done: Promise.resolve(), stop: () => Promise.resolve() };
  // Standard output is for URLs.
  console.error('building the pages');
  const child = spawn(process.execPath, ['--import', 'tsx', 'scripts/build.ts', '--pages'], {
    cwd: ROOT,
    // The channel closes with us, however we end, and with it the build ends.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const done = new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => {
      if (code === 0) resolve();
      else reject(new Error('The pages could not be built.'));
    });
  });
  // A start that fails earlier does not await it.
  done.catch(() => {});
  return {
    done,
    async stop() {
      child.kill();
      await done.catch(() => {});
    },
  };
}
