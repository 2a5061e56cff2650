/**
 * `npm test [unit|conformance|service|e2e|long] [files…]`: with no argument everything that must hold, ending with `N passed, N failed`.
 * Tests count one by one; lint, types, build, sizes and the package check count as one each.
 */
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { openDatabase } from '../service/database/database.ts';
import { startCluster } from '../service/database/embedded/cluster.ts';
import { findBrowser } from './browser.ts';
import { buildAll, buildIfStale, filesBelow } from './build.ts';
import { ROOT, run } from './command.ts';
import { lint } from './lint.ts';
import { checkPackage } from './package.ts';
import { checkSizes } from './sizes.ts';

interface Counts {
  passed: number;
  failed: number;
}

type Work = () => Promise<Counts>;

const MINUTE = 60_000;
const [suite = 'all', ...chosen] = process.argv.slice(2);

/** A step that holds or does not. */
function check(work: () => Promise<boolean>): Work {
  return async () => ((await work()) ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 });
}

/** A runner that failed without a failed test (a crash, a time-out) is a failure of its own. */
function counted(counts: Counts, code: number, why: string): Counts {
  if (code === 0 || counts.failed > 0) return counts;
  console.error(why);
  return { ...counts, failed: 1 };
}

function testFiles(folder: string): string[] {
  if (chosen.length) return chosen;
  const path = join(ROOT, 'test', folder);
  if (!existsSync(path)) return [];
  return filesBelow(path)
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => relative(ROOT, file));
}

/** Browser tests, in the Chromium that `scripts/browser.ts` finds. */
const unit: Work = async () => {
  findBrowser();
  const counts = { passed: 0, failed: 0 };
  const { code, timedOut } = await run('wtr', chosen.length ? ['--files', ...chosen] : [], {
    timeout: 12 * MINUTE,
    onLine(line) {
      const [, passed, failed] = /^unit: (\d+) passed, (\d+) failed$/.exec(line) ?? [];
      if (passed === undefined) console.log(line);
      else Object.assign(counts, { passed: Number(passed), failed: Number(failed) });
    },
  });
  return counted(
    counts,
    code,
    timedOut ? 'The browser tests took too long.' : 'The browser tests broke off.',
  );
};

interface NodeRun extends Counts {
  /** Those with a test that failed. */
  failedFiles: Set<string>;
}

/** `node:test`, one process a file. */
async function runNode(files: string[], minutes: number, concurrency: number): Promise<NodeRun> {
  const counts: NodeRun = { passed: 0, failed: 0, failedFiles: new Set() };
  const { code, timedOut } = await run(
    process.execPath,
    [
      '--import',
      'tsx',
      '--test',
      '--test-reporter',
      'spec',
      '--test-reporter-destination',
      'stdout',
      // For the file as a whole: one that hangs fails, and the others go on. Waits inside tests have limits of their own.
      `--test-timeout=${(minutes / 2) * MINUTE}`,
      `--test-concurrency=${concurrency}`,
      '--test-force-exit',
      ...files,
    ],
    {
      timeout: minutes * MINUTE,
      onLine(line) {
        console.log(line);
        const [, kind, number] = /^ℹ (pass|fail|cancelled) (\d+)$/.exec(line) ?? [];
        if (kind === 'pass') counts.passed += Number(number);
        else if (kind) counts.failed += Number(number);
        const [, file] = /^test at (.+\.test\.ts):\d+:\d+$/.exec(line) ?? [];
        if (file) counts.failedFiles.add(file);
      },
    },
  );
  const why = timedOut ? 'The tests took too long.' : 'The tests broke off.';
  return { ...counts, ...counted(counts, code, why) };
}

/** Tests that Node runs. */
function node(
  folder: string,
  minutes: number,
  concurrency: number,
  isWanted: (file: string) => boolean = () => true,
): Work {
  return async () => {
    const files = testFiles(folder).filter(isWanted);
    if (files.length === 0) return { passed: 0, failed: 0 };
    // Once, before several files look for one, and install it, at the same time.
    if (folder === 'e2e' || folder === 'long') findBrowser();
    return runNode(files, minutes, concurrency);
  };
}

/** Files that failed first and passed then. */
const unsteady: string[] = [];

/** So many files may be slow on a busy machine; more have a cause. */
const MOST_UNSTEADY = 3;

/**
 * Whole browsers, where a busy machine can keep a page from its time. A file that fails is run once more, alone; one that passes then
 * counts, and is named at the end for whoever looks into it.
 */
const e2e: Work = async () => {
  findBrowser();
  const files = testFiles('e2e');
  // Each file has browsers and a node of its own; two at once fit into a small machine.
  const first = await runNode(files, 24, 2);
  const again = [...first.failedFiles];
  if (again.length === 0 || again.length > MOST_UNSTEADY) return first;
  console.log(`\n── e2e, once more: ${again.join(', ')}`);
  const second = await runNode(again, 12, 1);
  unsteady.push(...again.filter((file) => !second.failedFiles.has(file)));
  return { passed: first.passed + Math.max(0, first.failed - second.failed), failed: second.failed };
};

/** About the embedded database itself, and about processes that bring their own: a URL would change nothing. */
const EMBEDDED_ONLY = /\/(checkout-crash|database|stop|walkthrough)\.test\.ts$/;

const wanted = process.env['TEST_DATABASE_URL'];
let prepared: string | undefined;

/** Data of the embedded database, made once for the run: the tests of one kind copy it, and the others' server runs on it. */
async function databaseFolder(): Promise<string> {
  if (prepared) return prepared;
  const folder = mkdtempSync(join(tmpdir(), 'carabiner-postgres-'));
  chmodSync(folder, 0o755);
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const settings = { databaseUrl: undefined, databaseConnections: 2, dataFolder: join(folder, 'data') };
  const database = await openDatabase(settings, { debug: () => {}, warn: () => {} });
  await database.close();
  prepared = settings.dataFolder;
  return prepared;
}

/** The service on its embedded database. */
const embedded: Work = async () => {
  delete process.env['TEST_DATABASE_URL'];
  process.env['TEST_DATABASE_TEMPLATE'] = await databaseFolder();
  return node('service', 12, 2)();
};

/** The same tests on a PostgreSQL that the service knows by its URL only: that of `TEST_DATABASE_URL`, else one of our own. */
const byUrl: Work = async () => {
  const work = node('service', 12, 2, (file) => !EMBEDDED_ONLY.test(file));
  const cluster = wanted ? undefined : await startCluster(await databaseFolder(), () => {});
  const { host, port, user, password, database } = cluster?.connection ?? {};
  process.env['TEST_DATABASE_URL'] =
    wanted ?? `postgres://${user}:${String(password)}@${host}:${port}/${database}`;
  try {
    return await work();
  } finally {
    delete process.env['TEST_DATABASE_URL'];
    await cluster?.stop();
  }
};

const typecheck = check(async () => (await run('tsc', ['--noEmit'], { timeout: 5 * MINUTE })).code === 0);
const build = check(async () => {
  await buildAll();
  return true;
});

const SUITES: Record<string, [string, Work][]> = {
  unit: [['unit', unit]],
  conformance: [['conformance', node('conformance', 8, 2)]],
  service: [
    ['service', embedded],
    ['service, by URL', byUrl],
  ],
  e2e: [['e2e', e2e]],
  long: [['long', node('long', 120, 1)]],
};
SUITES['all'] = [
  ['lint', check(lint)],
  ['typecheck', typecheck],
  ['build', build],
  ['sizes', check(() => Promise.resolve(checkSizes()))],
  ['package', check(checkPackage)],
  ...SUITES['unit']!,
  ...SUITES['conformance']!,
  ...SUITES['service']!,
  ...SUITES['e2e']!,
];

const steps = SUITES[suite];
if (!steps) {
  console.error(`There is no suite ${suite}. There are: ${Object.keys(SUITES).join(', ')}.`);
  process.exit(1);
}
if (suite !== 'all' && suite !== 'unit') await buildIfStale();

const total: Counts = { passed: 0, failed: 0 };
const table: string[] = [];
for (const [name, work] of steps) {
  console.log(`\n── ${name}`);
  const started = Date.now();
  const { passed, failed } = await work().catch((error: unknown) => {
    console.error((error as Error).message);
    return { passed: 0, failed: 1 };
  });
  total.passed += passed;
  total.failed += failed;
  const seconds = Math.round((Date.now() - started) / 1000);
  table.push(`${failed ? '✗' : '✓'} ${name.padEnd(15)} ${passed} passed, ${failed} failed, ${seconds} s`);
}
for (const file of unsteady) table.push(`! ${file} failed, and passed when it was run again`);
console.log(`\n${table.join('\n')}\n\n${total.passed} passed, ${total.failed} failed`);
// Whatever a step left open must not keep us.
process.exit(total.failed === 0 && total.passed > 0 ? 0 : 1);
