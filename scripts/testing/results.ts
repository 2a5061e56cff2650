/** The results that the reporters of `node:test` and web-test-runner append to a file, read while they come in. */
import { existsSync, readFileSync } from 'node:fs';

/** A test's result, its begin, or how far it is. */
export interface Result {
  /** The name of a test of `node:test` that begins now; the other fields are absent then. */
  begins?: string;
  /** What a test of `node:test` waits for from now on; the other fields are absent then. */
  waits?: string;
  /** Only of web-test-runner, which runs many files. */
  file?: string;
  /** Absent if the file itself failed. */
  name?: string;
  /** How long it took. */
  ms?: number;
  /** Why it did not run. */
  skip?: string;
  /** Why it failed. */
  error?: string;
}

export class ResultLog {
  #read = 0;

  constructor(readonly path: string) {}

  /** Bytes read so far. */
  get size(): number {
    return this.#read;
  }

  /** Results since the last call. */
  next(): Result[] {
    if (!existsSync(this.path)) return [];
    const text = readFileSync(this.path).subarray(this.#read);
    // A line may not be there whole yet.
    const lines = text.subarray(0, text.lastIndexOf('\n') + 1);
    this.#read += lines.length;
    return lines
      .toString()
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Result);
  }
}
