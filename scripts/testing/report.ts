/** What a run of tests found, and how it is told: a line for each suite, which counts while it runs on a terminal, and the rest at the end. */
import { Cpu, CpuMeter } from '../cpu.ts';

/** A failed test, or a file that ended before its end. */
export interface Failure {
  suite: string;
  file?: string | undefined;
  /** Absent if the file itself failed. */
  test?: string | undefined;
  reason: string;
}

/** A test that did not run. */
export interface Skip {
  file: string;
  test: string;
  reason: string;
}

/** Milliseconds from which on a test is listed as slow by `--times`. */
const SLOW_MS = 5000;
const DRAW_MS = 200;

/** One suite's line. */
export class SuiteReport {
  passed = 0;
  failed = 0;
  skipped = 0;
  cpu = new Cpu();
  filesDone = 0;
  #startedAt: number | undefined;
  #endedAt: number | undefined;

  /** `title`: where it is not the suite's name. */
  constructor(
    readonly name: string,
    readonly files: number,
    readonly title = name,
  ) {}

  start(): void {
    this.#startedAt ??= performance.now();
  }

  endFile(): void {
    if (++this.filesDone >= this.files) this.#endedAt = performance.now();
  }

  get isRunning(): boolean {
    return this.#startedAt !== undefined && this.#endedAt === undefined;
  }

  get seconds(): number {
    const until = this.#endedAt ?? performance.now();
    return Math.round((until - (this.#startedAt ?? until)) / 1000);
  }

  /** `✓ unit  6707 passed, 0 failed, 118 s, 210 s user, 20 s system`. */
  line(): string {
    const mark = this.isRunning ? '·' : this.failed ? '✗' : '✓';
    const files = this.isRunning && this.files > 1 ? `${this.filesDone} of ${this.files} files, ` : '';
    const skipped = this.skipped ? `, ${this.skipped} skipped` : '';
    const cpu = this.isRunning ? '' : `, ${this.cpu}`;
    const counts = `${this.passed} passed, ${this.failed} failed${skipped}`;
    return `${mark} ${this.title.padEnd(14)} ${files}${counts}, ${this.seconds} s${cpu}`;
  }
}

export class Report {
  readonly failures: Failure[] = [];
  readonly skips: Skip[] = [];
  /** Output of files with failures. */
  readonly #outputs: { title: string; lines: string[] }[] = [];
  readonly #suites: SuiteReport[] = [];
  readonly #tests: { name: string; ms: number }[] = [];
  readonly #files = new Map<string, { cpu: Cpu; seconds: number }>();
  readonly #startedAt = performance.now();
  readonly #cpu = new CpuMeter(process.pid);
  readonly #terminal = process.stdout.isTTY ? process.stdout : undefined;
  #drawn = 0;
  #drawing: NodeJS.Timeout | undefined;

  suite(name: string, files: number, title?: string): SuiteReport {
    const suite = new SuiteReport(name, files, title);
    this.#suites.push(suite);
    return suite;
  }

  get passed(): number {
    return this.#suites.reduce((sum, { passed }) => sum + passed, 0);
  }

  get failed(): number {
    return this.#suites.reduce((sum, { failed }) => sum + failed, 0);
  }

  start(): void {
    if (!this.#terminal) return;
    this.#drawing = setInterval(() => this.#draw(), DRAW_MS);
    this.#drawing.unref();
  }

  /** A sentence of its own, above the suites' lines. */
  say(text: string): void {
    this.#clear();
    console.log(text);
  }

  fail(failure: Failure): void {
    this.failures.push(failure);
  }

  addTest(name: string, ms: number): void {
    this.#tests.push({ name, ms });
  }

  /** Adds up what the parts of a file's work took. */
  addFile(name: string, cpu: Cpu, seconds: number): void {
    const before = this.#files.get(name) ?? { cpu: new Cpu(), seconds: 0 };
    this.#files.set(name, { cpu: before.cpu.plus(cpu), seconds: before.seconds + seconds });
  }

  addOutput(title: string, lines: string[]): void {
    this.#outputs.push({ title, lines });
  }

  /** The line of a suite that has ended. */
  end(suite: SuiteReport): void {
    this.say(suite.line());
  }

  #draw(): void {
    this.#clear();
    // Some terminals do not know theirs.
    const width = this.#terminal!.columns || 80;
    const lines = this.#suites
      .filter((suite) => suite.isRunning)
      .map((suite) => suite.line().slice(0, width));
    this.#terminal!.write(lines.map((line) => `${line}\n`).join(''));
    this.#drawn = lines.length;
  }

  #clear(): void {
    if (this.#drawn) this.#terminal?.write(`\u001B[${this.#drawn}A\u001B[0J`);
    this.#drawn = 0;
  }

  /** All that is left to say: outputs, failures, what was skipped, times if wanted, and the counts. */
  finish({ times, command }: { times: boolean; command: (failure: Failure) => string | undefined }): void {
    clearInterval(this.#drawing);
    this.#clear();
    for (const { title, lines } of this.#outputs) console.log(`\n── output of ${title}\n${lines.join('\n')}`);
    if (times) this.#printTimes();
    if (this.failures.length) console.log('\n── failed');
    for (const failure of this.failures) {
      const { file, suite, test, reason } = failure;
      console.log([file ?? suite, test].filter(Boolean).join(': '));
      console.log(`  ${reason.replaceAll('\n', '\n  ')}`);
      const again = command(failure);
      if (again) console.log(`  again: ${again}`);
    }
    const reasons = new Set(this.skips.map(({ reason }) => reason));
    if (reasons.size) console.log('\n── skipped');
    for (const reason of reasons)
      console.log(`${this.skips.filter((skip) => skip.reason === reason).length} skipped: ${reason}`);
    const seconds = Math.round((performance.now() - this.#startedAt) / 1000);
    const minutes = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')} min`;
    const waitedFor = Cpu.ofAll();
    const pages = this.#cpu.total.seconds - waitedFor.seconds;
    const time = `CPU time ${waitedFor.seconds.toFixed(0)} s: ${waitedFor}`;
    console.log(
      `\n${minutes}, ${time}; ${Math.max(0, pages).toFixed(0)} s more of browsers’ pages, which \`time\` leaves out`,
    );
    console.log(`${this.passed} passed, ${this.failed} failed`);
  }

  #printTimes(): void {
    console.log('\n── CPU time by file');
    const files = [...this.#files].toSorted(([, a], [, b]) => b.cpu.seconds - a.cpu.seconds);
    for (const [name, { cpu, seconds }] of files)
      console.log(`${cpu.seconds.toFixed(1).padStart(7)} s in ${seconds.toFixed(0).padStart(4)} s  ${name}`);
    console.log(`\n── tests of more than ${SLOW_MS / 1000} s`);
    for (const { name, ms } of this.#tests
      .filter((test) => test.ms > SLOW_MS)
      .toSorted((a, b) => b.ms - a.ms))
      console.log(`${(ms / 1000).toFixed(1).padStart(7)} s  ${name}`);
  }
}
