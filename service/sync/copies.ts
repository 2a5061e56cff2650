/** The table of encrypted copies. Which change may follow which state is decided in `changes.ts`; here it is made, if nobody was faster. */
import { sql } from 'kysely';
import type { CopyHeader, CopyKind } from '../../src/api/copy-object.ts';
import type { Database } from '../database/database.ts';

/** Of the encrypted copies of browsers' wallets. 0: no limit. */
export interface CopySettings {
  /** How many objects are kept. A wallet has one, and one more for each passkey. */
  most: number;
  /** After so many years without a use an object is deleted. */
  years: number;
  /** Reads of one object in an hour. */
  readsPerHour: number;
  /** Writes of one object in a day. */
  writesPerDay: number;
  /** New objects from one address in an hour. */
  newPerHour: number;
}

/** A state, as far as the service looks at it. */
export interface StoredCopy {
  owner: Buffer;
  writer: Buffer | null;
  counter: bigint;
  hash: Buffer;
  isRemoved: boolean;
}

export interface NewState {
  header: CopyHeader;
  object: Buffer;
  hash: Buffer;
}

const TODAY = sql<Date>`current_date`;
/** Days for which devices are told that a copy was removed, and not lost. */
const TOMBSTONE_DAYS = 400;

export class Copies {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Undefined unless this key may read it: the owner's, or that of the vault which the slot names. */
  async find(
    kind: CopyKind,
    id: Buffer,
    signer: Buffer,
  ): Promise<(StoredCopy & { object: Buffer }) | undefined> {
    const row = await this.#visible(kind, id, signer)
      .select(['owner', 'writer', 'counter', 'hash', 'removed', 'object'])
      // A tombstone goes on its day, however often it is read.
      .select(sql<boolean>`used_on < current_date and not removed`.as('isUnused'))
      .executeTakeFirst();
    if (!row) return undefined;
    if (row.isUnused)
      await this.#db.updateTable('copies').set({ used_on: TODAY }).where('id', '=', id).execute();
    return { ...stored(row), object: row.object };
  }

  /** The same without its bytes. */
  async state(kind: CopyKind, id: Buffer, signer: Buffer): Promise<StoredCopy | undefined> {
    const row = await this.#visible(kind, id, signer)
      .select(['owner', 'writer', 'counter', 'hash', 'removed'])
      .executeTakeFirst();
    return row && stored(row);
  }

  /** False if there is one. */
  async create(kind: CopyKind, { header, object, hash }: NewState): Promise<boolean> {
    const { numInsertedOrUpdatedRows } = await this.#db
      .insertInto('copies')
      .values({
        id: Buffer.from(header.id),
        kind,
        owner: Buffer.from(header.owner),
        writer: writerOf(kind, header),
        counter: header.counter,
        hash,
        removed: false,
        object,
        used_on: TODAY,
      })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .executeTakeFirst();
    return numInsertedOrUpdatedRows === 1n;
  }

  /** False if it is in another state than `before`. A tombstone takes the place of the content. */
  async replace(kind: CopyKind, { header, object, hash }: NewState, before: StoredCopy): Promise<boolean> {
    const { numUpdatedRows } = await this.#db
      .updateTable('copies')
      .set({
        writer: writerOf(kind, header),
        counter: header.counter,
        hash,
        removed: header.isTombstone,
        object,
        used_on: TODAY,
      })
      .where('id', '=', Buffer.from(header.id))
      .where('hash', '=', before.hash)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  }

  /**
   * Deletes what nobody used for years, and old tombstones. A slot stays as long as the vault object that it opens: its passkey may be the one
   * in a drawer.
   */
  async sweep(years: number): Promise<void> {
    await sql`delete from copies c where used_on < current_date - make_interval(years => ${years})
      and not exists (
        select from copies v where c.kind = 'slot' and v.used_on >= current_date - make_interval(years => ${years})
          and v.id = sha256(convert_to('carabiner.sync.id', 'UTF8') || '\\x02'::bytea || c.writer))`.execute(
      this.#db,
    );
    await sql`delete from copies where removed and used_on < current_date - ${TOMBSTONE_DAYS}::integer`.execute(
      this.#db,
    );
  }

  /** Tombstones, too. */
  async count(): Promise<number> {
    const { count } = await this.#db
      .selectFrom('copies')
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .executeTakeFirstOrThrow();
    return Number(count);
  }

  #visible(kind: CopyKind, id: Buffer, signer: Buffer) {
    return this.#db
      .selectFrom('copies')
      .where('id', '=', id)
      .where('kind', '=', kind)
      .where(({ or, eb }) => or([eb('owner', '=', signer), eb('writer', '=', signer)]));
  }
}

function stored(row: {
  owner: Buffer;
  writer: Buffer | null;
  counter: string;
  hash: Buffer;
  removed: boolean;
}): StoredCopy {
  const { owner, writer, hash } = row;
  return { owner, writer, hash, counter: BigInt(row.counter), isRemoved: row.removed };
}

function writerOf(kind: CopyKind, { writer }: CopyHeader): Buffer | null {
  return kind === 'slot' ? Buffer.from(writer) : null;
}

export function etagOf({ counter, hash }: Pick<StoredCopy, 'counter' | 'hash'>): string {
  return `"${counter}.${hash.toString('base64url')}"`;
}
