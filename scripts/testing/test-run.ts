/** Runs test files and checks, as many beside each other as there are cores, and reports what they found. */
import { rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { DEADLINE_MS } from '../../test/waiting.ts';
import { atSources, bundleForNode } from '../bundled-tests.ts';
import { run } from '../command.ts';
import { TestDatabase } from './database.ts';
import { Report, type SuiteReport } from './report.ts';
import { type Result, ResultLog } from './results.ts';
import type { RunFolder } from './run-folder.ts';
import { needsOwnDatabase, needsWholeBrowser, type SuiteName } from './suites.ts';

/** A file that shows no progress for so long hangs. Longer than any wait of a test, which then says itself what it waited for. */
const SILENCE_MS = DEADLINE_MS * 1.5;

/** Programs that tests start as separate processes. */
const PROGRAMS = [
  'main',
  'frame',
  'commands/audit',
  'commands/backup',
  'commands/client',
  'commands/master-key',
  'commands/policy',
  'commands/psql',
  'commands/restore',
  'commands/setup',
  'commands/signing-keys',
  'commands/webhooks',
].map((name) => `service/${name}.ts`);

/** No test may depend on the time zone or language of its author's machine. For unit tests see `web-test-runner.config.mjs`. */
const ELSEWHERE = { TZ: 'Pacific/Auckland', LANG: 'de_DE.UTF-8' };

/** Something to do on one core. */
interface Job {
  suite: SuiteReport;
  title: string;
  work: () => Promise<void>;
}

export interface NodeFileOptions {
  env?: (file: string) => Promise<NodeJS.ProcessEnv>;
  /** Milliseconds after which a file is ended even if it makes progress. */
  timeout?: number;
  /** Prints the output at once. */
  isLive?: boolean;
}

type Scripts = (file: string) => string;

export class TestRun {
  readonly report = new Report();
  readonly cores = availableParallelism();
  readonly #database: TestDatabase;
  readonly #jobs: Job[] = [];
  /** Test files that run in Node, which share most of their modules. */
  readonly #nodeFiles: string[] = [];
  #scripts: Promise<Scripts> | undefined;
  #places: Promise<{ close(): Promise<void> }> | undefined;

  constructor(readonly folder: RunFolder) {
    this.#database = new TestDatabase(folder);
    this.report.start();
  }

  /** Does what was added since the last time. */
  async work(): Promise<void> {
    const queue = this.#jobs.splice(0);
    const running: Job[] = [];
    // Of the suite of which the fewest run: browsers compute while a service waits.
    const take = (): Job | undefined => {
      const busy = ({ suite }: Job): number => running.filter((job) => job.suite === suite).length;
      const least = Math.min(...queue.map(busy));
      const index = queue.findIndex((job) => busy(job) === least);
      return index < 0 ? undefined : queue.splice(index, 1)[0];
    };
    const worker = async (): Promise<void> => {
      for (let job = take(); job; job = take()) {
        running.push(job);
        await this.#do(job);
        running.splice(running.indexOf(job), 1);
      }
    };
    await Promise.all(Array.from({ length: this.cores }, worker));
  }

  async #do({ suite, title, work }: Job): Promise<void> {
    suite.start();
    try {
      await work();
    } catch (error) {
      suite.failed++;
      this.report.fail({ suite: suite.name, file: title, reason: (error as Error).message });
    }
    suite.endFile();
    if (!suite.isRunning) this.report.end(suite);
  }

  /** A program that passes or fails as a whole. */
  addProgram(name: string, command: string, args: string[], env: NodeJS.ProcessEnv = {}): void {
    const suite = this.report.suite(name, 1);
    const work = async (): Promise<void> => {
      const lines: string[] = [];
      const keep = (line: string): void => void lines.push(line);
      const { code, cpu } = await run(command, args, { env, onLine: keep, onErrorLine: keep });
      suite.cpu = suite.cpu.plus(cpu);
      if (code === 0) return void suite.passed++;
      suite.failed++;
      this.report.fail({ suite: name, reason: lines.join('\n').trim() || `It ended with ${code}.` });
    };
    this.#jobs.push({ suite, title: name, work });
  }

  addScript(name: string): void {
    this.addProgram(name, process.execPath, ['--import', 'tsx', `scripts/${name}.ts`]);
  }

  /** `pages`: how many run beside each other. */
  addUnit(files: string[], pages: number): void {
    this.#addPages(
      'unit',
      files.filter((file) => !needsWholeBrowser(file)),
      pages,
      {},
    );
  }

  /** Those of `files` that need a whole browser. */
  addUnitInWindows(files: string[]): void {
    this.#addPages('unit, windows', files.filter(needsWholeBrowser), 1, { WHOLE_BROWSER: '1' });
  }

  #addPages(title: string, files: string[], pages: number, env: NodeJS.ProcessEnv): void {
    if (files.length === 0) return;
    const suite = this.report.suite('unit', files.length, title);
    const work = async (): Promise<void> => {
      await this.#runUnit(suite, files, pages, env);
      // The job itself counts as the last one.
      suite.filesDone = suite.files - 1;
    };
    this.#jobs.push({ suite, title, work });
  }

  async #runUnit(suite: SuiteReport, files: string[], pages: number, env: NodeJS.ProcessEnv): Promise<void> {
    const folder = this.folder.temporary();
    const log = new ResultLog(join(folder, 'results'));
    const ended = new Set<string>();
    const failed = suite.failed;
    const take = (): number => {
      for (const result of log.next()) {
        this.#count(suite, result.file!, result);
        if (!ended.has(result.file!) && suite.filesDone < suite.files - 1) suite.filesDone++;
        ended.add(result.file!);
      }
      return log.size;
    };
    const lines: string[] = [];
    const keep = (line: string): void => void lines.push(line);
    const startedAt = performance.now();
    const { code, timedOut, cpu } = await run('wtr', ['--concurrency', String(pages), '--files', ...files], {
      silence: SILENCE_MS,
      progress: take,
      env: { ...env, TEST_RESULTS: log.path, TMPDIR: folder },
      onLine: keep,
      onErrorLine: keep,
    });
    take();
    suite.cpu = suite.cpu.plus(cpu);
    this.report.addFile(`${suite.title}, ${files.length} files`, cpu, (performance.now() - startedAt) / 1000);
    const silent = files.filter((file) => !ended.has(file));
    this.#checkEnd(suite, { file: silent[0], code, timedOut, hasFailed: suite.failed > failed });
    if (silent.length) lines.push(`Nothing was heard of ${silent.join(', ')}.`);
    if (suite.failed > failed) this.report.addOutput('unit', lines);
    rmSync(folder, { recursive: true, force: true });
  }

  addNode(suiteName: SuiteName, files: string[], options: NodeFileOptions = {}): void {
    if (files.length === 0) return;
    const suite = this.report.suite(suiteName, files.length);
    this.#nodeFiles.push(...files);
    for (const file of files)
      this.#jobs.push({ suite, title: file, work: () => this.#runNode(suite, file, options) });
  }

  addService(files: string[], more: NodeJS.ProcessEnv = {}): void {
    const env = async (file: string): Promise<NodeJS.ProcessEnv> =>
      needsOwnDatabase(file) ? this.#database.own() : { ...(await this.#database.shared()), ...more };
    this.addNode('service', files, { env });
  }

  /** Each file runs in a place of its own, which has a browser and a chain. */
  addEndToEnd(files: string[]): void {
    const env = async (): Promise<NodeJS.ProcessEnv> => {
      await (this.#places ??= this.#openPlaces());
      return {};
    };
    this.addNode('e2e', files, { env });
  }

  async #openPlaces(): Promise<{ close(): Promise<void> }> {
    const { openPlaces } = await import('../../test/e2e/places.ts');
    return openPlaces((file, cpu) => this.report.addFile(file, cpu, 0));
  }

  async #runNode(suite: SuiteReport, file: string, { env, timeout, isLive }: NodeFileOptions): Promise<void> {
    const scriptOf = await (this.#scripts ??= bundleForNode(
      [...this.#nodeFiles, ...PROGRAMS],
      this.folder.scripts,
    ));
    const folder = this.folder.temporary();
    // Not in the file's own folder, which it may fill up.
    const log = new ResultLog(`${folder}.results`);
    let begun: string | undefined;
    let wait: string | undefined;
    let hasFailed = false;
    const take = (): number => {
      for (const result of log.next()) {
        if (result.begins !== undefined) begun = result.begins;
        else if (result.waits !== undefined) wait = result.waits;
        else this.#count(suite, file, result);
        hasFailed ||= result.error !== undefined;
      }
      return log.size;
    };
    const lines: string[] = [];
    const keep = (line: string): void => {
      lines.push(atSources(line));
      if (isLive) this.report.say(lines.at(-1)!);
    };
    const reporters = { spec: 'stdout', './scripts/testing/node-reporter.mjs': 'stderr' };
    const startedAt = performance.now();
    const { code, timedOut, cpu } = await run(
      process.execPath,
      [
        ...Object.entries(reporters).flatMap(([reporter, to]) => [
          `--test-reporter=${reporter}`,
          `--test-reporter-destination=${to}`,
        ]),
        '--test-force-exit',
        scriptOf(file),
      ],
      {
        ...(timeout === undefined ? { silence: SILENCE_MS, progress: take } : { timeout, progress: take }),
        env: {
          ...ELSEWHERE,
          TEST_PROGRAMS: dirname(scriptOf('service/main.ts')),
          ...(await env?.(file)),
          TEST_RESULTS: log.path,
          TMPDIR: folder,
        },
        onLine: keep,
        onErrorLine: keep,
      },
    );
    take();
    suite.cpu = suite.cpu.plus(cpu);
    this.report.addFile(file, cpu, (performance.now() - startedAt) / 1000);
    this.#checkEnd(suite, { file, test: begun, wait, code, timedOut, hasFailed, limit: timeout });
    if ((hasFailed || timedOut || code !== 0) && !isLive) this.report.addOutput(file, untilSummary(lines));
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }

  #count(suite: SuiteReport, file: string, { name, ms, skip, error }: Result): void {
    if (skip !== undefined) {
      suite.skipped++;
      this.report.skips.push({ file, test: name ?? '', reason: skip });
      return;
    }
    if (ms !== undefined) this.report.addTest(`${file}: ${name}`, ms);
    if (error === undefined) return void suite.passed++;
    suite.failed++;
    this.report.fail({ suite: suite.name, file, test: name, reason: atSources(error) });
  }

  /** A file that ends without a failed test (a crash, a hang) has failed itself. */
  #checkEnd(
    suite: SuiteReport,
    {
      file,
      test,
      wait,
      code,
      timedOut,
      hasFailed,
      limit,
    }: {
      file?: string | undefined;
      test?: string | undefined;
      /** What it waited for last. */
      wait?: string | undefined;
      code: number;
      timedOut: boolean;
      hasFailed: boolean;
      /** Milliseconds that the file may take. */
      limit?: number | undefined;
    },
  ): void {
    if (!timedOut && (code === 0 || hasFailed)) return;
    suite.failed++;
    const reason = timedOut
      ? `It was ended: ${limit ? `it took over ${limit / 60_000} min` : `no progress for ${SILENCE_MS / 1000} s`}${wait === undefined ? '' : `, after: ${wait}`}.`
      : `It broke off with ${code}, but no test had failed.`;
    this.report.fail({ suite: suite.name, file, test, reason });
  }

  async close(): Promise<void> {
    await (await this.#places)?.close();
    await this.#database.close();
  }
}

/** Without what node:test says at the end: its counts, and each failure again. */
function untilSummary(lines: string[]): string[] {
  const end = lines.findIndex((line) => line.startsWith('ℹ tests '));
  return end < 0 ? lines : lines.slice(0, end);
}
