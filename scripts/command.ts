/** Runs programs so that none outlives this process or hangs forever. */
import { type ChildProcess, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { type Cpu, CpuMeter } from './cpu.ts';

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
  /** Of the program and all that it started. */
  cpu: Cpu;
}

interface RunOptions {
  /** Milliseconds after which it is killed; never, when absent. */
  timeout?: number;
  /** Milliseconds without any progress after which it is killed; never, when absent. A line of output is progress. */
  silence?: number;
  /** Asked every second; another number than before is progress, too. */
  progress?: () => number;
  /** The project's root when absent. */
  cwd?: string;
  /** In addition to our own. */
  env?: NodeJS.ProcessEnv;
  /** Called with each complete line of standard output; without it the output goes to ours. */
  onLine?: (line: string) => void;
  /** The same for standard error. */
  onErrorLine?: (line: string) => void;
}

const running = new Set<ChildProcess>();
const endings = new Set<() => Promise<void>>();
let isEnding = false;

/** Each child leads a process group, so that its own children end with it. */
function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** `work` is waited for when a signal ends this process, and before the programs that still run are killed. */
export function beforeEnd(work: () => Promise<void>): void {
  endWithUs();
  endings.add(work);
}

const SIGNALS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;
let watching = false;

/** Only once a program has started, so that importing this module has no effect on how a process ends. */
function endWithUs(): void {
  if (watching) return;
  watching = true;
  for (const [signal, number] of Object.entries(SIGNALS))
    process.once(signal, async () => {
      isEnding = true;
      await Promise.all([...endings].map((work) => work()));
      process.exit(128 + number);
    });
  process.once('exit', () => {
    for (const child of running) endGroup(child);
  });
}

/** Calls `onLine` with each complete line of a stream, and with the rest when `end` is called. */
function lines(stream: NodeJS.ReadableStream | null, onLine: (line: string) => void): { end(): void } {
  let rest = '';
  stream?.setEncoding('utf8').on('data', (text: string) => {
    const complete = (rest + text).split('\n');
    rest = complete.pop()!;
    for (const line of complete) onLine(line);
  });
  return {
    end() {
      if (rest) onLine(rest);
      rest = '';
    },
  };
}

/** `command` is a program on PATH, or one of the project's own from `node_modules/.bin`. */
export function run(
  command: string,
  args: string[],
  { timeout, silence, progress, onLine, onErrorLine, env, cwd = ROOT }: RunOptions = {},
): Promise<Finished> {
  endWithUs();
  // A signal is about to end this process.
  if (isEnding) return new Promise(() => {});
  const child = spawn(command, args, {
    cwd,
    env: {
      ...process.env,
      ...env,
      PATH: `${resolve(ROOT, 'node_modules/.bin')}:${env?.PATH ?? process.env.PATH}`,
    },
    stdio: ['ignore', onLine ? 'pipe' : 'inherit', onErrorLine ? 'pipe' : 'inherit'],
    detached: process.platform !== 'win32',
  });
  running.add(child);
  const output: string[] = [];
  let heardAt = performance.now();
  const out = lines(child.stdout, (line) => {
    heardAt = performance.now();
    output.push(line);
    onLine?.(line);
  });
  const errors = lines(child.stderr, (line) => {
    heardAt = performance.now();
    onErrorLine?.(line);
  });
  return new Promise((done) => {
    let timedOut = false;
    const meter = new CpuMeter(child.pid ?? 0);
    const kill = (): void => {
      timedOut = true;
      endGroup(child);
    };
    const timer = timeout === undefined ? undefined : setTimeout(kill, timeout);
    let before = progress?.();
    const watch = setInterval(() => {
      const now = progress?.();
      if (now !== before) [before, heardAt] = [now, performance.now()];
      if (silence !== undefined && performance.now() - heardAt > silence) kill();
    }, 1000);
    const finish = (code: number): void => {
      clearTimeout(timer);
      clearInterval(watch);
      meter.stop();
      running.delete(child);
      out.end();
      errors.end();
      if (!isEnding)
        done({ code, output: output.map((line) => `${line}\n`).join(''), timedOut, cpu: meter.total });
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
