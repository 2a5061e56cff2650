/**
 * `npm test`, `npm run test:rest`, and single suites or files. Ends with what failed and `N passed, N failed`. Each test counts as one; so
 * do lint, types, build, sizes, dependencies and the package.
 */
import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { GO_NODES, goMissing, goNode } from '../demo/networks/real/go-nodes.ts';
import { answerHelp } from '../service/help.ts';
import { ROOT, run, TSC } from './command.ts';
import { writeCatalogues } from './strings/fresh.ts';
import { ensureBrowser, missingPrograms } from './testing/needs.ts';
import type { Failure } from './testing/report.ts';
import { RunFolder } from './testing/run-folder.ts';
import { nameOf, type Part, type SuiteName, testFiles } from './testing/suites.ts';
import { TestRun } from './testing/test-run.ts';

answerHelp({
  usage: [
    'test [-- --times]',
    'test:rest [-- --times]',
    'test:unit -- [--watch] [<file> …]',
    'test:conformance | test:service | test:e2e | test:nodes -- [--core] [--times] [--repeat <times>] [<file> …]',
    'test:long [<name> …]',
    'test:ha',
  ],
  does: 'Runs the tests: the quick ones, the rest, one suite, or files of it. Ends with failures, and "N passed, N failed".',
  options: {
    '--core': 'only the files of the suite that npm test runs',
    '--repeat': 'runs the suite so often, counting the runs in .cache/repeat/, where a later command goes on',
    '--times': 'prints the CPU time of each file, and slow tests',
    '--watch': 'of test:unit: runs a file again at every change',
  },
  environment: {
    CHROME_PATH: 'the browser, if it is not installed in a usual place',
    FIREFOX_PATH: 'Firefox, the same',
    LITECOIND: 'litecoind, the same',
    TEST_DEADLINE: 'seconds that a test waits for anything at most, 120 without it',
    TEST_DATABASE_URL: 'a PostgreSQL for the tests of the service, in place of one of their own',
    TEST_DATE: 'date of unit tests: 2024-02-29; TEST_ZONE and TEST_LOCALE, their time zone and language',
    TEST_COUNTS: 'a file to which the run appends how many tests passed, failed and were skipped',
    CASES: 'how many random requests test/service/fuzz.long.test.ts makes of each call',
    ENGINE:
      'engine of unit tests: webkit; ENGINES, FLOWS, VERSIONS, APPS, HA_ONLY, HA_KEEP, PARTS, MINUTES, SUITES and TOOLS are of single long tests (docs/testing.md)',
  },
  exits: { 0: 'all passed', 1: 'a test failed, or none ran' },
});

const MINUTE = 60_000;
/** Time limit of each long test. */
const LONG_MS = 40 * MINUTE;

/** `core` is `npm test`. */
type Command = 'core' | 'rest' | 'row-security' | SuiteName;
const COMMANDS: readonly string[] = [
  'core',
  'rest',
  'row-security',
  'unit',
  'conformance',
  'service',
  'e2e',
  'nodes',
  'long',
] satisfies Command[];

/** What the command line says. */
interface Wish {
  command: Command;
  files: string[];
  part: Part;
  times: boolean;
  watch: boolean;
  repeat: number;
}

/** Ends the process with a sentence. */
function refuse(sentence: string): never {
  console.error(sentence);
  process.exit(1);
}

function readWish(words: string[]): Wish {
  const command = words[0]?.startsWith('--') === false ? words.shift()! : 'core';
  if (!COMMANDS.includes(command)) refuse(`There is no suite ${command}. There are: ${COMMANDS.join(', ')}.`);
  const wish: Wish = {
    command: command as Command,
    files: [],
    part: 'whole',
    times: false,
    watch: false,
    repeat: 1,
  };
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (word === '--core') wish.part = 'core';
    else if (word === '--times') wish.times = true;
    else if (word === '--watch') wish.watch = true;
    else if (word === '--repeat') wish.repeat = Number(words.shift());
    else if (word.startsWith('--')) refuse(`There is no option ${word}. See --help.`);
    else wish.files.push(command === 'long' ? longFile(word) : word);
  }
  if (!Number.isInteger(wish.repeat) || wish.repeat < 1) refuse('--repeat takes a number of runs from 1 on.');
  for (const file of wish.files) if (!existsSync(join(ROOT, file))) refuse(`There is no file ${file}.`);
  return wish;
}

/** `crash` is `test/long/crash.test.ts`. */
function longFile(name: string): string {
  if (name.endsWith('.test.ts')) return name;
  const files = testFiles('long', 'whole');
  return (
    files.find((file) => nameOf(file) === name) ??
    refuse(`There is no long test ${name}. There are: ${files.map(nameOf).sort().join(', ')}.`)
  );
}

/** How to run a failed file alone. */
function commandFor({ suite, file }: Failure): string | undefined {
  if (suite === 'long') return file && `npm run test:long ${nameOf(file)}`;
  if (file?.startsWith('test/')) return `npm run test:${suite} -- ${file}`;
  return existsSync(join(ROOT, `scripts/${suite}.ts`)) ? `npx tsx scripts/${suite}.ts` : undefined;
}

/** Pages of one browser, which wait for the next frame half of the time. */
function addUnit(tests: TestRun, files: string[]): void {
  tests.addUnit(files, 2 * tests.cores);
}

/** Everything that must pass in a few minutes. */
async function addCore(tests: TestRun): Promise<void> {
  tests.addScript('build');
  tests.addScript('lint');
  // Not incremental: after a run that ended at a syntax error, the saved state has hidden other errors.
  tests.addProgram('typecheck', 'tsc', ['--noEmit', '--incremental', 'false', ...TSC.args], TSC.env);
  await tests.work();
  const unit = testFiles('unit', 'core');
  // On all cores, and so before the others.
  addUnit(tests, unit);
  await tests.work();
  tests.addUnitInWindows(unit);
  addNodeSuites(tests, 'core');
  tests.addScript('package');
  tests.addScript('sizes');
  tests.addProgram('dependencies', process.execPath, ['--import', 'tsx', 'scripts/audit.ts', '--offline']);
}

function addNodeSuites(tests: TestRun, part: Part): void {
  tests.addEndToEnd(testFiles('e2e', part));
  tests.addService(testFiles('service', part));
  tests.addNode('conformance', testFiles('conformance', part));
}

async function add(tests: TestRun, { command, files: chosen, part }: Wish): Promise<void> {
  const files = (suite: SuiteName): string[] => (chosen.length ? chosen : testFiles(suite, part));
  const isLive = chosen.length === 1;
  switch (command) {
    case 'core':
      return addCore(tests);
    case 'rest':
      return addNodeSuites(tests, 'rest');
    case 'unit':
      addUnit(tests, files('unit'));
      return tests.addUnitInWindows(files('unit'));
    case 'conformance':
      return tests.addNode('conformance', files('conformance'), { isLive });
    case 'service':
      return tests.addService(files('service'));
    case 'row-security':
      return tests.addService(files('service'), { ROW_SECURITY: '1' });
    case 'e2e':
      return tests.addEndToEnd(files('e2e'));
    case 'nodes':
      for (const name of GO_NODES) await goNode(name, (what) => tests.report.say(`building ${what}`));
      return tests.addNode('nodes', files('nodes'), { timeout: LONG_MS });
    case 'long':
      return tests.addNode('long', files('long'), { isLive: true, timeout: LONG_MS });
  }
}

/** In a process of its own, which a signal ends at once. It says what is wrong if it fails. */
async function buildIfStale(): Promise<void> {
  const lines: string[] = [];
  const keep = (line: string): void => void lines.push(line);
  const args = ['--import', 'tsx', 'scripts/build.ts', '--if-stale'];
  const { code } = await run(process.execPath, args, { onLine: keep, onErrorLine: keep });
  if (code !== 0) throw new Error(lines.join('\n'));
}

/** Whether everything passed. */
async function runOnce(folder: RunFolder, wish: Wish): Promise<boolean> {
  const { command } = wish;
  const missing = command === 'nodes' ? goMissing() : undefined;
  if (missing) {
    console.log(`Skipped: ${missing}`);
    return true;
  }
  await writeCatalogues();
  await ensureBrowser(console.log);
  for (const sentence of missingPrograms()) console.log(sentence);
  if (command !== 'core' && command !== 'unit') await buildIfStale();
  const tests = new TestRun(folder);
  const { report } = tests;
  try {
    await add(tests, wish);
    await tests.work();
  } finally {
    await tests.close();
  }
  report.finish({ times: wish.times, command: commandFor });
  const { passed, failed, skips } = report;
  const { TEST_COUNTS } = process.env;
  if (TEST_COUNTS) appendFileSync(TEST_COUNTS, `${passed} ${failed} ${skips.length}\n`);
  return failed === 0 && passed > 0;
}

/** The runs of `--repeat` of one commit, as lines in a file, so that a later command can go on. */
class RepeatLog {
  readonly #file: string;
  readonly #commit = spawnSync('git', ['rev-parse', '--short', 'HEAD'], {
    cwd: ROOT,
    encoding: 'utf8',
  }).stdout.trim();

  constructor({ command, part }: Wish) {
    const folder = join(ROOT, '.cache/repeat');
    mkdirSync(folder, { recursive: true });
    this.#file = join(folder, `${command}-${part}.log`);
  }

  add(hasPassed: boolean): void {
    const time = new Date().toISOString();
    appendFileSync(this.#file, `${time} ${this.#commit} ${hasPassed ? 'passed' : 'failed'}\n`);
    const lines = readFileSync(this.#file, 'utf8').trim().split('\n');
    const failed = lines.filter((line) => line.endsWith('failed')).length;
    console.log(`\n${lines.length} runs so far, ${failed} of them failed: ${this.#file}\n`);
  }
}

const wish = readWish(process.argv.slice(2));
if (wish.watch) {
  const args = ['wtr', '--watch', ...(wish.files.length ? ['--files', ...wish.files] : [])];
  process.exit(spawnSync('npx', args, { cwd: ROOT, stdio: 'inherit' }).status ?? 1);
}
const folder = new RunFolder();
let holds = true;
try {
  const log = wish.repeat > 1 ? new RepeatLog(wish) : undefined;
  for (let run = 0; run < wish.repeat; run++) {
    const hasPassed = await runOnce(folder, wish);
    log?.add(hasPassed);
    holds &&= hasPassed;
  }
} catch (error) {
  console.error((error as Error).message);
  holds = false;
}
await folder.end();
// A suite may have left something open.
process.exit(holds ? 0 : 1);
