/**
 * Ends what a test run leaves behind, however the run ends: it holds one end of a pipe, which closes with the runner, even by `kill -9`.
 * Started by `run-folder.ts` with the run's id and the folders to remove. A process belongs to the run if it has the id in its environment
 * or command line, or is a child of one that does. They are asked first (SIGINT: PostgreSQL drops its connections and its shared memory),
 * and killed after `GRACE_MS`.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';

const [id, ...folders] = process.argv.slice(2);
const GRACE_MS = 1000;
const LOOK_MS = 50;
/** A process that starts another one just now is seen at the second look. */
const CALM_LOOKS = 3;

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

const read = (path) => {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    // It has just ended, or belongs to somebody else.
    return '';
  }
};

/** Pid, parent and whether the id is in it, of every process. */
function processes() {
  if (process.platform !== 'linux')
    return execFileSync('ps', ['-axEo', 'pid=,ppid=,command='], { encoding: 'utf8' })
      .split('\n')
      .map((line) => /^\s*(\d+)\s+(\d+)\s(.*)$/.exec(line))
      .filter(Boolean)
      .map(([, pid, parent, text]) => ({ pid: +pid, parent: +parent, marked: text.includes(id) }));
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      const stat = read(`/proc/${pid}/stat`);
      const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (!stat || state === 'Z') return [];
      const marked = [`/proc/${pid}/environ`, `/proc/${pid}/cmdline`].some((path) => read(path).includes(id));
      return [{ pid: +pid, parent: +parent, marked }];
    });
}

/** The run's processes that are alive. */
function ours() {
  const all = processes().filter(({ pid }) => pid !== process.pid);
  const found = new Set(all.filter(({ marked }) => marked).map(({ pid }) => pid));
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const { pid, parent } of all) if (found.has(parent)) found.add(pid);
  }
  return [...found];
}

function signal(pid, name) {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended meanwhile.
  }
}

async function endAll() {
  const end = performance.now() + GRACE_MS;
  const asked = new Set();
  for (let calm = 0; calm < CALM_LOOKS; await pause(LOOK_MS)) {
    const alive = ours();
    calm = alive.length ? 0 : calm + 1;
    for (const pid of alive) {
      if (performance.now() > end) signal(pid, 'SIGKILL');
      else if (!asked.has(pid)) signal(pid, 'SIGINT');
      asked.add(pid);
    }
  }
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => {});
process.stdin.resume().once('close', () => void endAll().then(() => process.exit(0)));
