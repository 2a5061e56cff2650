/** Descriptions of non-fungible tokens, read from where their contracts say, and cached for a while. */
import {
  fetchable,
  inlineJson,
  NO_METADATA,
  readMetadata,
  type TokenMetadata,
} from '../../src/chains/evm/token-metadata.ts';
import { Semaphore } from '../concurrency/semaphore.ts';
import type { Outbound } from '../outbound/outbound.ts';
import { readText } from '../outbound/read-text.ts';

const LIMITS = { bytes: 262_144, milliseconds: 5_000, redirects: 3 };

/** A description may change, for example when a collection is revealed; one that could not be read is retried sooner. */
const KEPT_MS = 3_600_000;
const FAILED_MS = 60_000;

/** Total characters in the cache. */
const MAX_CACHED = 33_554_432;

/** Connections of all lists together, and of one. */
const CONCURRENT = 64;
const OF_ONE = 8;

interface CachedDescription {
  read: Promise<TokenMetadata>;
  until: number;
  size: number;
}

export class Descriptions {
  /** By address, the one used last at the end. */
  readonly #kept = new Map<string, CachedDescription>();
  #size = 0;
  readonly #semaphore = new Semaphore(CONCURRENT);

  constructor(
    readonly outbound: Outbound,
    /** Ends with a slash. */
    readonly gateway: string,
  ) {}

  /** In the order of the addresses. Those that cannot be read within `milliseconds` are empty, and may be there the next time. */
  async read(uris: readonly string[], milliseconds: number): Promise<TokenMetadata[]> {
    const results: TokenMetadata[] = uris.map(() => NO_METADATA);
    const waiting = uris.keys();
    let isLate = false;
    const work = Array.from({ length: OF_ONE }, async () => {
      for (const i of waiting) {
        if (isLate) return;
        const metadata = await this.#of(uris[i]!);
        if (!isLate) results[i] = metadata;
      }
    });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, milliseconds)));
    await Promise.race([Promise.all(work), late]);
    clearTimeout(timer);
    isLate = true;
    return results;
  }

  async #of(uri: string): Promise<TokenMetadata> {
    const inline = inlineJson(uri);
    if (inline !== undefined) return readMetadata(inline, this.gateway);
    const url = fetchable(uri, this.gateway);
    if (url === undefined) return NO_METADATA;
    const kept = this.#kept.get(url);
    if (kept) this.#forget(url, kept);
    const now = kept && Date.now() < kept.until ? kept : this.#fetch(url);
    this.#keep(url, now);
    return now.read;
  }

  #fetch(url: string): CachedDescription {
    const entry: CachedDescription = {
      read: Promise.resolve(NO_METADATA),
      until: Infinity,
      size: url.length,
    };
    entry.read = this.#semaphore.run(async () => {
      try {
        const metadata = readMetadata(await readText(this.outbound, url, LIMITS), this.gateway);
        entry.until = Date.now() + KEPT_MS;
        this.#grow(url, entry, JSON.stringify(metadata).length);
        return metadata;
      } catch {
        entry.until = Date.now() + FAILED_MS;
        return NO_METADATA;
      }
    });
    return entry;
  }

  #keep(url: string, entry: CachedDescription): void {
    this.#kept.set(url, entry);
    this.#size += entry.size;
    for (const [oldest, old] of this.#kept) {
      if (this.#size <= MAX_CACHED) break;
      this.#forget(oldest, old);
    }
  }

  #forget(url: string, entry: CachedDescription): void {
    this.#kept.delete(url);
    this.#size -= entry.size;
  }

  /** An entry that was evicted in the meantime stays out. */
  #grow(url: string, entry: CachedDescription, more: number): void {
    if (this.#kept.get(url) !== entry) return;
    this.#forget(url, entry);
    entry.size += more;
    this.#keep(url, entry);
  }
}
