/** Columns that are read as another type than they are written as. */
import type { ColumnType } from 'kysely';

/** JSON: an object when read, text when written. */
export type Json<T> = ColumnType<T, string, string>;
/** Read as text: `pg` does not turn it into a number. */
export type Big = ColumnType<string, number, number>;
export type Moment = ColumnType<Date, Date | undefined, Date>;
