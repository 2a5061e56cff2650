/**
 * `npm test [unit|conformance|service|e2e|nodes|long] [files…]`: without an argument, everything that must pass. Ends with a list of slow
 * tests and `N passed, N failed`. Each test counts as one; so do lint, types, build, sizes and the package check.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { GO_NODES, goMissing, goNode } from '../demo/networks/real/go-nodes.ts';
import { openDatabase } from '../service/database/database.ts';
import { startCluster } from '../service/database/embedded/cluster.ts';
import { answerHelp } from '../service/help.ts';
import { findBrowser, findShell } from './browser.ts';
import { checkDependencies } from './audit.ts';
import { buildAll, buildIfStale, filesBelow } from './build.ts';
import { atSources, bundleForNode } from './bundled-tests.ts';
import { ROOT, run, TSC } from './command.ts';
import { checkPackage } from './package.ts';
import { type Failure, HOSTILE, isForgivable, type Outcome, outcomeOf, lastUnlessLost } from './repeat.ts';
import { checkSizes } from './sizes.ts';

interface Counts {
  passed: number;
  failed: number;
}

type Work = () => Promise<Counts>;

answerHelp({
  usage: [
    'test',
    'test:unit -- [--watch] [<file> …]',
    'test:conformance | test:service | test:e2e | test:nodes -- [<file> …]',
    'test:long [<name> …]',
    'test:ha',
  ],
  does: 'Runs everything that must pass, or one suite, or files of it. Ends with slow tests, failures, and "N passed, N failed".',
  options: { '--watch': 'of test:unit: runs a file again at every change' },
  environment: {
    CHROME_PATH: 'the browser, if it is not installed in a usual place',
    FIREFOX_PATH: 'Firefox, the same',
    TEST_DATABASE_URL: 'a PostgreSQL for test:service, in place of one of its own',
    TEST_DATE: 'date of unit tests: 2024-02-29; TEST_ZONE and TEST_LOCALE, their time zone and language',
    CASES: 'how many random requests test/service/fuzz.test.ts makes of each call',
    ENGINE:
      'engine of unit tests: webkit; ENGINES, FLOWS, VERSIONS, APPS, HA_ONLY, HA_KEEP, PARTS and MINUTES are of single long tests (CONTRIBUTING.md)',
  },
  exits: { 0: 'all passed', 1: 'a test failed, or none ran' },
});

const MINUTE = 60_000;
/** Milliseconds after which a test is listed as slow at the end. */
const LONG = 5000;
const [suite = 'all', ...chosen] = process.argv.slice(2);

/** A test, or a whole file of them. */
interface Time {
  name: string;
  ms: number;
}
const times: Time[] = [];

/** The attacks of `test/e2e/hostile`, by file and name. */
const attempts = new Map<string, Outcome>();

/** A step that passes or fails as a whole. */
function check(work: () => Promise<boolean>): Work {
  return async () => ((await work()) ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 });
}

/** A program that passes or fails as a whole. Its output is printed in one piece, because other steps run in parallel. */
function program(command: string, args: string[], env: NodeJS.ProcessEnv = {}): Work {
  return check(async () => {
    const { code, output } = await run(command, args, { timeout: 5 * MINUTE, env, onLine: () => {} });
    if (output.trim()) console.log(output.trimEnd());
    return code === 0;
  });
}

const script = (name: string): Work => program(process.execPath, ['--import', 'tsx', `scripts/${name}.ts`]);

/** A runner that failed without a failed test (a crash, a time-out) counts as one failure. */
function counted(counts: Counts, code: number, why: string): Counts {
  if (code === 0 || counts.failed > 0) return counts;
  console.error(why);
  return { ...counts, failed: 1 };
}

/** Files that take longest, or wait longest. */
const LONGEST = [
  'service-wallet-chains',
  'hurry',
  'chains',
  'demo',
  'access',
  'wallet-payment',
  'typed',
  'npm-start',
  'database',
  'crash',
  'wallet-payments-nodes',
  'fuzz',
];

/** The longest first, then the largest: a long one that started last would leave the other core idle. */
function testFiles(folder: string): string[] {
  if (chosen.length) return chosen;
  const path = join(ROOT, 'test', folder);
  if (!existsSync(path)) return [];
  return filesBelow(path)
    .filter((file) => file.endsWith('.test.ts'))
    .sort((a, b) => rank(a) - rank(b) || statSync(b).size - statSync(a).size)
    .map((file) => relative(ROOT, file));
}

function rank(file: string): number {
  const place = LONGEST.indexOf(basename(file, '.test.ts'));
  return place < 0 ? LONGEST.length : place;
}

interface Run extends Counts {
  /** Files with failures, and how many. */
  failedFiles: Map<string, number>;
}

/** Adds the counts of another run. */
function add(counts: Run, { passed, failed, failedFiles }: Run): void {
  counts.passed += passed;
  counts.failed += failed;
  for (const [file, times] of failedFiles) counts.failedFiles.set(file, times);
}

const none = (): Run => ({ passed: 0, failed: 0, failedFiles: new Map() });

/** By file and name, or by file if that ended early. */
const failures = new Map<string, Failure>();

function noteFailure(failure: Failure): void {
  failures.set(failure.test === undefined ? failure.file : `${failure.file}: ${failure.test}`, failure);
}

/** Files that failed at first and passed when repeated, and why they had failed. */
const unsteady = new Map<string, string[]>();

/** Up to this many files may fail because the machine is busy; more have a common cause. */
const MAX_UNSTEADY = 6;

/**
 * A browser, a node or a process that a test waits for can be late on a busy machine. A file that fails is repeated once, alone. If it then
 * passes, it counts as passed, but is listed at the end as unsteady. A file of attacks is repeated only if nothing but waits failed in it.
 */
async function twice(suite: string, first: Run, again: (files: string[]) => Promise<Run>): Promise<Counts> {
  if (first.failedFiles.size > MAX_UNSTEADY) return first;
  const files = [...first.failedFiles.keys()].filter((file) => isForgivable(file, [...failures.values()]));
  if (files.length === 0) return first;
  console.log(`\n── ${suite}, once more: ${files.join(', ')}`);
  const second = await again(files);
  for (const file of files.filter((one) => !second.failedFiles.has(one))) {
    const reasons = [...failures].filter(([, failure]) => failure.file === file);
    unsteady.set(
      file,
      reasons.map(([, { test = file, why }]) => `${test}: ${why.split('\n', 1)[0]!}`),
    );
    for (const [name] of reasons) failures.delete(name);
  }
  let stays = 0;
  for (const [file, times] of first.failedFiles) if (!files.includes(file)) stays += times;
  return {
    passed: first.passed + Math.max(0, first.failed - stays - second.failed),
    failed: stays + second.failed,
  };
}

/** Browser tests, in the Chromium that `scripts/browser.ts` finds. */
const unit: Work = async () => twice('unit', await inBrowsers(testFiles('unit')), inBrowsers);

/** Depend on how the browser handles keys and dialogs, which the headless shell does differently. */
const WHOLE = ['test/unit/actions/surfaces.test.ts'];

async function inBrowsers(files: string[]): Promise<Run> {
  const apart = findShell() === findBrowser() ? [] : files.filter((file) => WHOLE.includes(file));
  const others = files.filter((file) => !apart.includes(file));
  const counts = none();
  if (others.length) add(counts, await inBrowser(others, {}));
  if (apart.length) add(counts, await inBrowser(apart, { WHOLE_BROWSER: '1' }));
  return counts;
}

/** What `count-reporter.mjs` writes. */
interface UnitReport extends Counts {
  failures: { file: string; name: string; error?: string }[];
  times: Time[];
}

async function inBrowser(files: string[], env: NodeJS.ProcessEnv): Promise<Run> {
  const folder = mkdtempSync(join(tmpdir(), 'carabiner-times-'));
  const log = join(folder, 'unit');
  const { code, timedOut } = await run('wtr', ['--files', ...files], {
    timeout: 20 * MINUTE,
    env: { ...env, TEST_TIMES: log },
    onLine: (line) => console.log(line),
  });
  const report = existsSync(log) ? (JSON.parse(readFileSync(log, 'utf8')) as UnitReport) : undefined;
  rmSync(folder, { recursive: true });
  for (const { name, ms } of report?.times ?? []) times.push({ name: `unit: ${name}`, ms });
  const failedFiles = new Map<string, number>();
  for (const { file, name, error = '' } of report?.failures ?? []) {
    noteFailure({ file, test: name, why: error });
    failedFiles.set(file, (failedFiles.get(file) ?? 0) + 1);
  }
  const why = timedOut ? 'The browser tests took too long.' : 'The browser tests broke off.';
  return { failedFiles, ...counted(report ?? { passed: 0, failed: 0 }, report ? code : 1, why) };
}

/**
 * No test may depend on the time zone or language of its author's machine. Unit tests run on another date, too: see
 * `web-test-runner.config.mjs`.
 */
const ELSEWHERE = { TZ: 'Pacific/Auckland', LANG: 'de_DE.UTF-8' };

interface NodeOptions {
  /** A file that takes longer fails, and the others go on. */
  minutesEach?: number;
  env?: NodeJS.ProcessEnv;
}

/** Programs that tests start as separate processes. */
const PROGRAMS = ['main', 'frame', 'audit', 'client', 'master-key', 'policy', 'signing-keys', 'webhooks'].map(
  (name) => `service/${name}.ts`,
);

const NODE_SUITES = ['conformance', 'service', 'e2e'];
let bundle: Promise<(file: string) => string> | undefined;

/** Suites that run side by side share a bundle: most of their modules are the same. */
function bundled(files: string[]): Promise<(file: string) => string> {
  if (suite !== 'all') return bundleForNode([...files, ...PROGRAMS]);
  return (bundle ??= bundleForNode([...NODE_SUITES.flatMap(testFiles), ...PROGRAMS]));
}

/** Runs files by `node:test`, in order, each in its own process. The output of a file is printed in one piece. */
async function runNode(
  files: string[],
  minutes: number,
  concurrency: number,
  { minutesEach = minutes / 2, env = {} }: NodeOptions = {},
): Promise<Run> {
  const counts = none();
  const folder = mkdtempSync(join(tmpdir(), 'carabiner-times-'));
  const end = Date.now() + minutes * MINUTE;
  const queue = [...files];
  const scriptOf = await bundled(files);
  const programs = dirname(scriptOf('service/main.ts'));
  async function work(): Promise<void> {
    for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
      const left = Math.max(1000, Math.min(end - Date.now(), minutesEach * MINUTE));
      const log = join(folder, file.replaceAll('/', '-'));
      const { passed, failed } = await runFile(
        file,
        scriptOf(file),
        left,
        log,
        {
          ...(suite === 'all' && { TEST_DATABASE_TEMPLATE: await databaseFolder() }),
          TEST_PROGRAMS: programs,
          ...env,
        },
        files.length > 1,
      );
      counts.passed += passed;
      counts.failed += failed;
      if (failed) counts.failedFiles.set(file, failed);
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work));
  rmSync(folder, { recursive: true, force: true });
  return counts;
}

/** A line of `times-reporter.mjs`. Only tests have a time. */
interface NodeReport {
  name: string;
  ms?: number;
  error?: string;
  type?: string;
}

/** `log`: the file to which the reporter writes the result of each test. */
async function runFile(
  file: string,
  script: string,
  timeout: number,
  log: string,
  env: NodeJS.ProcessEnv,
  together: boolean,
): Promise<Counts> {
  const counts = { passed: 0, failed: 0 };
  const lines: string[] = [];
  const reporters = { spec: 'stdout', './scripts/times-reporter.mjs': 'stderr' };
  const { code, timedOut } = await run(
    process.execPath,
    [
      // Playwright takes the stack of each call, and Node would map every one of them: 7 to 14 % of the CPU time of an end-to-end process.
      ...(suite === 'all' ? [] : ['--enable-source-maps']),
      ...Object.entries(reporters).flatMap(([reporter, to]) => [
        `--test-reporter=${reporter}`,
        `--test-reporter-destination=${to}`,
      ]),
      '--test-force-exit',
      script,
    ],
    {
      timeout,
      env: { ...ELSEWHERE, ...env, TEST_TIMES: log },
      onLine(given) {
        const line = atSources(given);
        if (together) lines.push(line);
        else console.log(line);
        const [, kind, number] = /^ℹ (pass|fail|cancelled) (\d+)$/.exec(line) ?? [];
        if (kind === 'pass') counts.passed += Number(number);
        else if (kind) counts.failed += Number(number);
      },
    },
  );
  if (together) console.log(`\n${file}\n${lines.join('\n')}`);
  for (const line of existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []) {
    const { name, ms, error, type } = JSON.parse(line) as NodeReport;
    const failure = error === undefined ? undefined : { file, test: name, why: error, type };
    if (failure) noteFailure(failure);
    if (ms === undefined) continue;
    times.push({ name: `${file}: ${name}`, ms });
    const attempt = `${HOSTILE.exec(file)?.[1]}: ${name}`;
    if (HOSTILE.test(file)) attempts.set(attempt, lastUnlessLost(attempts.get(attempt), outcomeOf(failure)));
  }
  const why = `${file} ${timedOut ? 'took too long' : 'broke off'}.`;
  const end = counted(counts, code, why);
  if (end.failed && ![...failures.values()].some((failure) => failure.file === file))
    noteFailure({ file, why });
  return end;
}

/** Test files that run in Node. */
function node(folder: string, minutes: number, concurrency: number): Work {
  return async () =>
    twice(folder, await runNode(testFiles(folder), minutes, concurrency), (files) => runNode(files, 12, 1));
}

/** Each file runs in a place of its own, which has a browser and a chain. */
const e2e: Work = async () => {
  findBrowser();
  const { openPlaces } = await import('../test/e2e/places.ts');
  const places = await openPlaces();
  try {
    // Beside the other suites, two keep the cores busy. More would be late for what tests wait for, and end no sooner.
    const first = await runNode(testFiles('e2e'), 36, 2);
    return await twice('e2e', first, (files) => runNode(files, 12, 1));
  } finally {
    await places.close();
  }
};

/** Why a suite was skipped. */
let skipped: string | undefined;

/** On the networks' own nodes, which Go builds once. The files mostly wait for blocks, one a second. */
const nodes: Work = async () => {
  const missing = goMissing();
  if (missing) {
    skipped = `Skipped: ${missing}`;
    return { passed: 0, failed: 0 };
  }
  for (const name of GO_NODES) await goNode(name, (what) => console.log(`building ${what}`));
  return runNode(testFiles('nodes'), 20, 2);
};

/** Time limit of each long test, in minutes. */
const MAX_LONG = 40;

const long: Work = async () => {
  findBrowser();
  const all = testFiles('long');
  const counts = { passed: 0, failed: 0 };
  for (const file of all) {
    const { passed, failed } = await runNode([file], MAX_LONG, 1, { minutesEach: MAX_LONG });
    counts.passed += passed;
    counts.failed += failed;
  }
  return counts;
};

/** Turns names of long tests into files: `crash` is `test/long/crash.test.ts`. */
function nameLong(): void {
  const wishes = chosen.splice(0);
  const names = testFiles('long').map((file) => basename(file, '.test.ts'));
  for (const name of wishes) {
    if (names.includes(name)) chosen.push(`test/long/${name}.test.ts`);
    else if (name.endsWith('.test.ts')) chosen.push(name);
    else {
      console.error(`There is no long test ${name}. There are: ${names.sort().join(', ')}.`);
      process.exit(1);
    }
  }
}

/**
 * About locks, queues, and killed processes and databases: what may differ on the embedded database. The rest
 * uses it in the same way through the same driver. `npm test` runs these on the embedded one alone, `npm run test:service` on both.
 */
const ON_OWN_DATABASE =
  /\/(checkout-pay|custody-pins|execute|execute-approved|hard-days|outage|processes|stop|wallet-payments|wallet-payments-trouble|webhooks|webhooks-failures)\.test\.ts$/;
/** Starts embedded databases, wherever the others are. */
const ABOUT_OWN_DATABASE = /\/database\.test\.ts$/;

const wanted = process.env['TEST_DATABASE_URL'];
let prepared: Promise<string> | undefined;

/** The data folder of an embedded database, created once for the run. Tests copy it. */
function databaseFolder(): Promise<string> {
  return (prepared ??= prepareDatabase());
}

async function prepareDatabase(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'carabiner-postgres-'));
  chmodSync(folder, 0o755);
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const settings = { databaseUrl: undefined, databaseConnections: 2, dataFolder: join(folder, 'data') };
  const database = await openDatabase(settings, { debug: () => {}, warn: () => {} });
  await database.close();
  // What they write is lost if the machine stops, not if PostgreSQL does, and no commit waits for the disk.
  const settingsFile = join(settings.dataFolder, 'postgres/postgresql.auto.conf');
  appendFileSync(settingsFile, 'fsync = off\nfull_page_writes = off\n');
  return settings.dataFolder;
}

/** A copy, for a server that runs on it. */
async function copyOfDatabase(): Promise<string> {
  const folder = await databaseFolder();
  const copy = join(folder, '../by-url');
  execFileSync('cp', ['-a', folder, copy]);
  return copy;
}

/** On a PostgreSQL passed by URL: `TEST_DATABASE_URL`, else one of our own. */
const byUrl = async (minutes: number, more: NodeJS.ProcessEnv = {}): Promise<Counts> => {
  const cluster = wanted ? undefined : await startCluster(await copyOfDatabase(), () => {});
  const { host, port, user, password, database } = cluster?.connection ?? {};
  const url = wanted ?? `postgres://${user}:${String(password)}@${host}:${port}/postgres`;
  const env = {
    ...more,
    TEST_DATABASE_URL: url,
    TEST_DATABASE_SOURCE: database,
    TEST_DATABASE_TEMPLATE: await databaseFolder(),
  };
  try {
    const files = testFiles('service').filter(
      (file) => !ABOUT_OWN_DATABASE.test(file) && !(suite === 'all' && ON_OWN_DATABASE.test(file)),
    );
    const first = await runNode(files, minutes, 2, { env });
    return await twice('service', first, (failed) => runNode(failed, 12, 1, { env }));
  } finally {
    await cluster?.stop();
  }
};

/** On the embedded database. */
const embedded: Work = async () => {
  const files = testFiles('service').filter(
    (file) => chosen.length > 0 || ON_OWN_DATABASE.test(file) || ABOUT_OWN_DATABASE.test(file),
  );
  const env = { TEST_DATABASE_URL: undefined, TEST_DATABASE_TEMPLATE: await databaseFolder() };
  const first = await runNode(files, 20, 2, { env });
  return twice('service, its own database', first, (failed) => runNode(failed, 12, 1, { env }));
};

const build = check(async () => {
  await buildAll();
  return true;
});

type Step = [name: string, work: Work];

const UNIT: Step = ['unit', unit];
const CONFORMANCE: Step = ['conformance', node('conformance', 30, 2)];
const SERVICE: Step = ['service', () => byUrl(30)];
/** See `test/service/row-security.ts`. */
const ROW_SECURITY: Step = ['service, row-level security', () => byUrl(35, { ROW_SECURITY: '1' })];
const EMBEDDED: Step = ['service, its own database', embedded];
const E2E: Step = ['e2e', e2e];

const CHECKS: Step[] = [
  ['lint', script('lint')],
  // Not incremental: after a run that ended at a syntax error, the saved state has hidden other errors.
  ['typecheck', program('tsc', ['--noEmit', '--incremental', 'false', ...TSC.args], TSC.env)],
  ['sizes', check(() => Promise.resolve(checkSizes()))],
  ['dependencies', check(() => Promise.resolve(checkDependencies()))],
  ['package', check(checkPackage)],
];

/** Stages run one after the other; the lists of a stage run in parallel. */
const SUITES: Record<string, Step[][][]> = {
  unit: [[[UNIT]]],
  conformance: [[[CONFORMANCE]]],
  service: [[[SERVICE], [EMBEDDED]]],
  'row-security': [[[ROW_SECURITY]]],
  e2e: [[[E2E]]],
  nodes: [[[['nodes', nodes]]]],
  long: [[[['long', long]]]],
  // End-to-end tests take longest, and wait between times for what a user must have seen. So all others run beside them.
  all: [[[['build', build]]], [[E2E], [...CHECKS, CONFORMANCE, UNIT], [SERVICE, EMBEDDED]]],
};

const stages = SUITES[suite];
if (!stages) {
  console.error(`There is no suite ${suite}. There are: ${Object.keys(SUITES).join(', ')}.`);
  process.exit(1);
}
if (suite === 'long') nameLong();
if (suite !== 'all' && suite !== 'unit') await buildIfStale();

if (suite === 'unit' && chosen.includes('--watch')) {
  const files = chosen.filter((name) => name !== '--watch');
  const watching = spawnSync('npx', ['wtr', '--watch', ...(files.length ? ['--files', ...files] : [])], {
    cwd: ROOT,
    stdio: 'inherit',
  });
  process.exit(watching.status ?? 1);
}

const total: Counts = { passed: 0, failed: 0 };
const table: string[] = [];

async function take([name, work]: Step): Promise<void> {
  console.log(`\n── ${name}`);
  const started = Date.now();
  const { passed, failed } = await work().catch((error: unknown) => {
    console.error((error as Error).message);
    return { passed: 0, failed: 1 };
  });
  total.passed += passed;
  total.failed += failed;
  const seconds = Math.round((Date.now() - started) / 1000);
  table.push(`${failed ? '✗' : '✓'} ${name.padEnd(25)} ${passed} passed, ${failed} failed, ${seconds} s`);
}

for (const stage of stages)
  await Promise.all(
    stage.map(async (steps) => {
      for (const step of steps) await take(step);
    }),
  );

if (attempts.size) console.log(`\n── ${attempts.size} hostile attempts`);
for (const [name, outcome] of attempts) console.log(`${outcome === 'held' ? '✓' : '✗'} ${name}`);
const slow = times.filter(({ ms }) => ms > LONG).sort((a, b) => b.ms - a.ms);
if (slow.length) console.log(`\n── longer than ${LONG / 1000} s`);
for (const { name, ms } of slow) console.log(`${(ms / 1000).toFixed(1).padStart(6)} s  ${name}`);
if (failures.size) console.log('\n── failed');
for (const [name, { why }] of failures) console.log(`${name}\n  ${why.replaceAll('\n', '\n  ')}`);
for (const [file, reasons] of unsteady)
  table.push(`! ${file} failed, and passed when it was run again`, ...reasons.map((why) => `    ${why}`));
console.log(`\n${table.join('\n')}\n\n${total.passed} passed, ${total.failed} failed`);
if (skipped) console.log(skipped);
// A step may have left something open.
process.exit(total.failed === 0 && (total.passed > 0 || skipped) ? 0 : 1);
