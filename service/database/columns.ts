/** Columns whose value is another when read than when written. */
import type { ColumnType } from 'kysely';

/** JSON: an object when read, text when written. */
export type Json<T> = ColumnType<T, string, string>;
/** As text: `pg` reads none as a number. */
export type Big = ColumnType<string, number, number>;
export type Moment = ColumnType<Date, Date | undefined, Date>;
