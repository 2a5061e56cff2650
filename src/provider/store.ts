/**
 * What a provider keeps in the page's own `localStorage`: the network that the page switched to, those to which its user has agreed, and
 * its batches of calls.
 */
import type { Clock } from '../base/clock.ts';

/** A batch of `wallet_sendCalls`. Its state is read from the chain; only what the chain does not know is kept. */
export interface Batch {
  /** Id of the request to the wallet, whose answer may come after a reload. */
  requestId: string;
  from: string;
  /** Id in `networks.json`. */
  network: string;
  chainId: number;
  /** The number of its transactions. */
  calls: number;
  /** Hashes of the transactions sent, in order. */
  hashes: string[];
  /** No further transaction will be sent. */
  ended: boolean;
  /** Epoch milliseconds. */
  at: number;
}

interface Contents {
  network?: string;
  /** Ids in `networks.json`. Not in what 0.1.0 wrote. */
  used: string[];
  batches: Record<string, Batch>;
}

/** More than any operator lists: what a page writes there has to end somewhere. */
const MAX_USED = 100;

/** EIP-5792 asks for a day. */
const KEEP_MS = 24 * 60 * 60 * 1000;

export class Store {
  readonly #key: string;
  readonly #clock: Clock;
  /** Used in place of storage that the browser denies. */
  #memory: Contents | undefined;

  /** `name` contains the wallet's origin and the chain: pages may use several wallets. */
  constructor(name: string, clock: Clock) {
    this.#key = `carabiner:provider:1:${name}`;
    this.#clock = clock;
  }

  read(): Contents {
    if (this.#memory) return this.#memory;
    try {
      return parse(localStorage.getItem(this.#key), this.#clock.date());
    } catch {
      // Storage is denied here: remember for as long as the page lives.
      return (this.#memory = parse(null, 0));
    }
  }

  change(edit: (contents: Contents) => void): void {
    const contents = this.read();
    edit(contents);
    if (this.#memory) return;
    try {
      localStorage.setItem(this.#key, JSON.stringify(contents));
    } catch {
      this.#memory = contents;
    }
  }
}

/** Anybody on the page's origin may have written there: invalid entries are left out. */
function parse(text: string | null, now: number): Contents {
  const contents: Contents = { used: [], batches: Object.create(null) };
  let stored: { network?: unknown; used?: unknown; batches?: unknown } | null;
  try {
    stored = JSON.parse(text ?? 'null');
  } catch {
    return contents;
  }
  if (typeof stored?.network === 'string') contents.network = stored.network;
  if (Array.isArray(stored?.used))
    contents.used = stored.used.filter((id) => typeof id === 'string').slice(0, MAX_USED);
  for (const [id, batch] of Object.entries((stored?.batches as Record<string, Batch>) ?? {}))
    if (isBatch(batch) && now - batch.at < KEEP_MS) contents.batches[id] = batch;
  return contents;
}

function isBatch(batch: Partial<Batch> | null): boolean {
  return (
    [batch?.requestId, batch?.from, batch?.network].every((field) => typeof field === 'string') &&
    [batch?.chainId, batch?.calls, batch?.at].every((field) => Number.isSafeInteger(field)) &&
    Array.isArray(batch?.hashes) &&
    batch.hashes.every((hash) => typeof hash === 'string')
  );
}
