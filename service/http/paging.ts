/**
 * Lists, page by page, all in the same way. A cursor is the place of a page's last row, so what is added or deleted meanwhile moves nothing,
 * and no page costs more than another.
 */
import { hash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import { invalid } from '../../src/chains/requests/payloads.ts';

/** Rows of a page, unless the request asks for fewer. */
const MOST = 1000;

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

/** How a page is read: at most `limit` rows, and those `after` a place. */
interface Wanted {
  limit: number;
  after: Place | undefined;
}

/** For `placed_at`. */
export function placeOf(column: string): RawBuilder<string> {
  return sql<string>`(extract(epoch from ${sql.ref(column)}) * 1000000)::bigint::text`;
}

/** Rows behind a place in the order of two columns: `>` for oldest first, `<` for newest first. */
export function beyond(
  [at, id]: readonly [string, string],
  order: '<' | '>',
  place: Place,
): Expression<SqlBool> {
  const time = sql`timestamptz 'epoch' + ${place.placed_at}::bigint * interval '1 microsecond'`;
  return sql`(${sql.ref(at)}, ${sql.ref(id)}) ${sql.raw(order)} (${time}, ${place.id})`;
}

/** `list` says what is listed, with its filters: a cursor is good for that list alone. Throws `request.invalid` at `cursor`. */
export async function readPage<Row extends Place>(
  list: readonly unknown[],
  { limit: asked, cursor }: PageQuery,
  read: (wanted: Wanted) => Promise<Row[]>,
): Promise<Page<Row>> {
  const limit = Number(asked ?? MOST);
  const mark = hash('sha256', JSON.stringify(list), 'base64url').slice(0, 12);
  const after = cursor === undefined ? undefined : placeIn(cursor, mark);
  const found = await read({ limit: limit + 1, after });
  const rows = found.slice(0, limit);
  const last = found.length > limit ? rows.at(-1) : undefined;
  return { rows, next: last && cursorAt(mark, last) };
}

function cursorAt(mark: string, { placed_at, id }: Place): string {
  return Buffer.from(`${mark}${placed_at}.${id}`).toString('base64url');
}

function placeIn(cursor: string, mark: string): Place {
  const text = Buffer.from(cursor, 'base64url').toString();
  const [, placed_at, id] = /^(\d{1,16})\.([\w-]{1,128})$/.exec(text.slice(mark.length)) ?? [];
  if (!text.startsWith(mark) || placed_at === undefined || id === undefined)
    throw invalid('cursor', 'is none of this list: take it from the `Link` of the page before');
  return { placed_at, id };
}

/** Names the next page: relative, as the service may be behind a path that it does not know. */
export function linkNext(reply: FastifyReply, query: object, next: string | undefined): void {
  if (next === undefined) return;
  const fields = Object.entries({ ...query, cursor: next }).filter(([, value]) => value !== undefined);
  void reply.header('Link', `<?${new URLSearchParams(fields)}>; rel="next"`);
}
