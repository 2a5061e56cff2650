/** Whether there is room to store anything. Without room for its WAL PostgreSQL stops, and reads with it: so writes stop a little before. */
import { statfs } from 'node:fs/promises';

/** Free bytes that the built-in PostgreSQL needs on its disk, for a few segments of its write-ahead log. */
const FREE_BYTES = 64 * 2 ** 20;
const FRESH_MS = 500;

export class DiskSpace {
  /** Set when a write failed because the disk is full. */
  full = false;
  readonly #folder: string | undefined;
  readonly #freeBytes: number;
  #seen: { at: number; low: Promise<boolean> } | undefined;

  /** `folder`: of the built-in PostgreSQL; undefined for one elsewhere, which reports a full disk by itself. */
  constructor(folder: string | undefined, freeBytes = FREE_BYTES) {
    this.#folder = folder;
    this.#freeBytes = freeBytes;
  }

  async isLow(): Promise<boolean> {
    const now = performance.now();
    if (!this.#seen || now - this.#seen.at > FRESH_MS) this.#seen = { at: now, low: this.#look() };
    return this.#seen.low;
  }

  async #look(): Promise<boolean> {
    if (this.#folder === undefined) return false;
    const { bavail, bsize } = await statfs(this.#folder);
    return bavail * bsize < this.#freeBytes;
  }
}
