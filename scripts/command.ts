/** Runs programs so that none outlives this process or runs forever. */
import { type ChildProcess, spawn } from 'node:child_process';
import { resolve } from 'node:path';

export const ROOT = resolve(import.meta.dirname, '..');

/**
 * How the type checker is run where every core is busy anyway: its four checkers check much of the same code, and collecting garbage takes
 * a third of the time of one.
 */
export const TSC = { args: ['--checkers', '1'], env: { GOGC: 'off', GOMEMLIMIT: '2GiB' } };

export interface Finished {
  code: number;
  /** Its standard output. */
  output: string;
  timedOut: boolean;
}

interface RunOptions {
  /** Milliseconds after which it is killed. */
  timeout: number;
  /** The project's root when absent. */
  cwd?: string;
  /** In addition to our own. */
  env?: NodeJS.ProcessEnv;
  /** Called with each complete line; without it the output goes to ours. */
  onLine?: (line: string) => void;
}

const running = new Set<ChildProcess>();

/** Each child leads a process group, so that its own children end with it. */
function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

let watching = false;

/** Only once a program has started, so that importing this module has no effect on how a process ends. */
function endWithUs(): void {
  if (watching) return;
  watching = true;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => {
      for (const child of running) endGroup(child);
      process.exit(1);
    });
  process.once('exit', () => {
    for (const child of running) endGroup(child);
  });
}

/** `command` is a program on PATH, or one of the project's own from `node_modules/.bin`. */
export function run(
  command: string,
  args: string[],
  { timeout, onLine, env, cwd = ROOT }: RunOptions,
): Promise<Finished> {
  endWithUs();
  const child = spawn(command, args, {
    cwd,
    env: {
      ...process.env,
      ...env,
      PATH: `${resolve(ROOT, 'node_modules/.bin')}:${env?.PATH ?? process.env.PATH}`,
    },
    stdio: ['ignore', onLine ? 'pipe' : 'inherit', 'inherit'],
    detached: process.platform !== 'win32',
  });
  running.add(child);
  let output = '';
  let rest = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    const lines = (rest + text).split('\n');
    rest = lines.pop()!;
    for (const line of lines) onLine?.(line);
  });
  return new Promise((done) => {
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      endGroup(child);
    }, timeout);
    const finish = (code: number): void => {
      clearTimeout(timer);
      running.delete(child);
      if (rest) onLine?.(rest);
      done({ code, output, timedOut });
    };
    child.once('error', (error) => {
      console.error(`${command}: ${error.message}`);
      finish(127);
    });
    // Processes that it left behind would keep its output open, and us waiting.
    child.once('exit', () => endGroup(child));
    child.once('close', (code) => finish(code ?? 1));
  });
}
