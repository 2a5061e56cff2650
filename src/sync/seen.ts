/** The newest state of each object that this device has seen: what a server that returns an older one is told apart by. */
import * as z from 'zod/mini';
import { toBase64Url } from '../base/base64.ts';
import { type Database, settled } from '../wallets/database.ts';
import type { Bytes } from '../wallets/records.ts';

const BytesSchema = z.custom<Bytes>((value) => value instanceof Uint8Array);

const Mark = z.object({
  counter: z.bigint(),
  /** SHA-256 of the object. */
  hash: BytesSchema,
  /** The vault's public key in a slot: who else may sign its tombstone. */
  writer: BytesSchema,
});
export type Mark = z.infer<typeof Mark>;

/** By object id. */
export interface Seen {
  latest(id: Uint8Array): Promise<Mark | undefined>;
  /** Ignored if a higher counter was seen: it is never lowered. */
  note(id: Uint8Array, mark: Mark): Promise<void>;
}

export class SeenInMemory implements Seen {
  readonly #marks = new Map<string, Mark>();

  async latest(id: Uint8Array): Promise<Mark | undefined> {
    return this.#marks.get(toBase64Url(id));
  }

  async note(id: Uint8Array, mark: Mark): Promise<void> {
    const before = this.#marks.get(toBase64Url(id));
    if (!before || mark.counter >= before.counter) this.#marks.set(toBase64Url(id), mark);
  }
}

/** In the vault's database. */
export class StoredSeen implements Seen {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  latest(id: Uint8Array): Promise<Mark | undefined> {
    return this.#db.read(['sync'], (tx) => markIn(tx, id));
  }

  async note(id: Uint8Array, mark: Mark): Promise<void> {
    await this.#db.write(['sync'], async (tx) => {
      const before = await markIn(tx, id);
      if (!before || mark.counter >= before.counter)
        await settled(tx.objectStore('sync').put(mark, keyOf(id)));
    });
  }
}

async function markIn(tx: IDBTransaction, id: Uint8Array): Promise<Mark | undefined> {
  const mark: unknown = await settled(tx.objectStore('sync').get(keyOf(id)));
  return mark === undefined ? undefined : Mark.parse(mark);
}

const keyOf = (id: Uint8Array): string => `seen ${toBase64Url(id)}`;
