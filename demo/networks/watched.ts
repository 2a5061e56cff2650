/** Child processes that end with us, and ports for them. */
import { type ChildProcess, type IOType, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

/**
 * `sh` waits for our end of its standard input to close, so the program ends with us even if we are killed. It is killed at once: nothing
 * it would still write is needed.
 */
const WATCH =
  'exec 3<&0; "$@" </dev/null & child=$!; { cat <&3 >/dev/null; kill -9 "$child"; } 2>/dev/null & wait "$child"';

export interface Watched {
  /** Its last output, stdout and stderr. */
  words(): string;
  readonly running: boolean;
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

/** With `stdout` false, its standard output is discarded. */
export function startWatched(command: readonly string[], stdout = false): Watched {
  const kinds: IOType[] = ['pipe', stdout ? 'pipe' : 'ignore', 'pipe'];
  const child: ChildProcess = spawn('sh', ['-c', WATCH, 'sh', ...command], { stdio: kinds });
  let words = '';
  let running = true;
  const keep = (data: Buffer): void => void (words = (words + data.toString()).slice(-2_000));
  child.stdout?.on('data', keep);
  child.stderr!.on('data', keep);
  const ended = new Promise<void>((resolve) =>
    child.once('close', () => {
      running = false;
      resolve();
    }),
  );
  return {
    words: () => words.trim(),
    ended,
    get running() {
      return running;
    },
    async close() {
      child.stdin!.destroy();
      await ended;
    },
  };
}

/** Waits until `answers` succeeds. Rejects with the program's output if it ends first or takes too long. */
export async function untilItAnswers(
  name: string,
  program: Watched,
  answers: () => Promise<unknown>,
  seconds = 120,
): Promise<void> {
  const deadline = Date.now() + seconds * 1_000;
  for (;;) {
    if (!program.running) throw new Error(`${name} ended: ${program.words()}`);
    const answered = await answers().then(
      () => true,
      () => false,
    );
    if (answered) return;
    if (Date.now() > deadline) throw new Error(`${name} did not start in ${seconds} s: ${program.words()}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
