/**
 * Lists, page by page, all in the same way. A cursor is the position of a page's last row, so rows added or deleted meanwhile shift nothing,
 * and no page costs more than another. (The filters `status` and `watched` have no index: where nearly no wallet fits, they pass over the
 * others.)
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { hash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { type SelectQueryBuilder, sql } from 'kysely';
import { invalid } from '../../src/chains/requests/payloads.ts';
import { inSlices } from './slices.ts';

/** Rows of a page, unless the request asks for fewer. */
const MAX = 1000;

/** How many rows are read at a time, unless they are long. */
const PIECE = 50;

export interface PageQuery {
  limit?: string | undefined;
  cursor?: string | undefined;
}

/** A row's place in its list. */
interface Place {
  id: string;
  /** Microseconds since 1970: JavaScript's times are coarser than the database's. */
  placed_at: string;
}

export interface Page<Row> {
  rows: Row[];
  /** Cursor of the next page; undefined on the last one. */
  next: string | undefined;
}

/**
 * The columns that order a list: a time and, for rows of the same microsecond, a unique text. `atOnce` rows are read from the database at a
 * time, so that a long page does not block other requests.
 */
interface SortOrder {
  at: string;
  id: string;
  first: 'oldest' | 'newest';
  atOnce?: number;
}

/** Reads the rows after a place, in the order of the list. */
type ReadRows<Row> = (after: Place | undefined, rows: number) => Promise<(Row & Place)[]>;

function readerOf<DB, Tables extends keyof DB, Row extends { id: string }>(
  query: SelectQueryBuilder<DB, Tables, Row>,
  { at, id, first }: SortOrder,
): ReadRows<Row> {
  const [time, key] = [sql.ref(at), sql.ref(id)];
  const [direction, follows] = first === 'oldest' ? (['asc', sql`>`] as const) : (['desc', sql`<`] as const);
  const ordered = query
    .select(sql<string>`(extract(epoch from ${time}) * 1000000)::bigint::text`.as('placed_at'))
    .orderBy(time, direction)
    .orderBy(key, direction)
    .$castTo<Row & Place>();
  return (after, rows) => {
    if (!after) return ordered.limit(rows).execute();
    const afterTime = sql`timestamptz 'epoch' + ${after.placed_at}::bigint * interval '1 microsecond'`;
    return ordered
      .where(sql<boolean>`(${time}, ${key}) ${follows} (${afterTime}, ${after.id})`)
      .limit(rows)
      .execute();
  };
}

/**
 * A page of the rows that `query` selects. `list` says what is listed, with its filters: a cursor is good for that list alone. Throws
 * `request.invalid` at `cursor`.
 */
export async function readPage<DB, Tables extends keyof DB, Row extends { id: string }>(
  list: readonly unknown[],
  { limit: size, cursor }: PageQuery,
  query: SelectQueryBuilder<DB, Tables, Row>,
  order: SortOrder,
): Promise<Page<Row>> {
  const limit = Number(size ?? MAX);
  const { atOnce = PIECE } = order;
  const mark = hash('sha256', JSON.stringify(list), 'base64url').slice(0, 12);
  const piece = readerOf(query, order);
  const all: (Row & Place)[] = [];
  let place = cursor === undefined ? undefined : placeIn(cursor, mark);
  // One more says whether there is a next page.
  for (let missing = limit + 1; missing > 0; ) {
    const rows = await piece(place, Math.min(atOnce, missing));
    all.push(...rows);
    place = rows.at(-1);
    missing = rows.length < atOnce ? 0 : missing - atOnce;
  }
  const rows = all.slice(0, limit);
  const last = all.length > limit ? rows.at(-1) : undefined;
  return { rows, next: last && cursorAt(mark, last) };
}

/** All rows that `query` selects, a few at a time: whoever takes them slowly holds few in memory, and no connection to the database. */
export async function* readWhole<DB, Tables extends keyof DB, Row extends { id: string }>(
  query: SelectQueryBuilder<DB, Tables, Row>,
  order: SortOrder,
): AsyncGenerator<Row[], void, undefined> {
  const { atOnce = PIECE } = order;
  const piece = readerOf(query, order);
  // Later pieces are read when the receiver has taken those before: outside of the account's work, but for the same account.
  const asBefore = AsyncLocalStorage.snapshot();
  for (let place: Place | undefined, more = true; more; ) {
    const rows = await asBefore(() => piece(place, atOnce));
    yield rows;
    place = rows.at(-1);
    more = rows.length === atOnce;
  }
}

function cursorAt(mark: string, { placed_at, id }: Place): string {
  return Buffer.from(`${mark}${placed_at}.${id}`).toString('base64url');
}

function placeIn(cursor: string, mark: string): Place {
  const text = Buffer.from(cursor, 'base64url').toString();
  const [, placed_at, id] = /^(\d{1,16})\.([\w-]{1,128})$/.exec(text.slice(mark.length)) ?? [];
  if (!text.startsWith(mark) || placed_at === undefined || id === undefined)
    throw invalid('cursor', 'does not belong to this list: take it from the `Link` of the previous page');
  return { placed_at, id };
}

/** The page's rows, for the answer; its `Link` names the next page: relative, as the service may be behind a path that it does not know. */
export function answerPage<Row>(
  { query, reply }: { query: object; reply: FastifyReply },
  { rows, next }: Page<Row>,
): Row[] {
  if (next !== undefined) {
    const fields = Object.entries({ ...query, cursor: next }).filter(([, value]) => value !== undefined);
    void reply.header('Link', `<?${new URLSearchParams(fields)}>; rel="next"`);
  }
  return rows;
}

/** The same, with each row as `describe` shows it. */
export async function answerEach<Row, Shown>(
  call: Parameters<typeof answerPage>[0],
  { rows, next }: Page<Row>,
  describe: (row: Row) => Shown,
): Promise<Shown[]> {
  const shown = await inSlices(rows, (slice) => slice.map(describe));
  return answerPage(call, { rows: shown.flat(), next });
}

/** A list that is answered whole, however long it is: `serve` sends each piece when the receiver has taken the one before. */
export class WholeList<Shown> {
  constructor(readonly pieces: AsyncIterable<Shown[]>) {}

  /** Of rows as `describe` shows them. The first ones are read before anything is answered, so that errors have their status. */
  static async of<Row, Shown>(
    rows: AsyncGenerator<Row[], void, undefined>,
    describe: (row: Row) => Shown,
  ): Promise<WholeList<Shown> | Shown[]> {
    const show = async (piece: Row[]) => (await inSlices(piece, (slice) => slice.map(describe))).flat();
    const [first, second] = [await rows.next(), await rows.next()];
    if (second.done) return show(first.value ?? []);
    const pieces = async function* () {
      yield show(first.value ?? []);
      for (let read: IteratorResult<Row[], void> = second; !read.done; read = await rows.next())
        yield show(read.value);
    };
    return new WholeList(pieces());
  }
}
