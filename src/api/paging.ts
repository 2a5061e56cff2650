/** Lists are requested page by page, those of wallets if a limit is given. If there is more, the answer's `Link` has the URL of the next page. */
import * as z from 'zod/mini';
import { line } from './text.ts';

/** Fields of a list's query. */
export const paging = {
  /** 1 to 1000; without it a page has 1000, except of wallets, whose list is then whole. */
  limit: z.optional(
    z.string().check(z.regex(/^(?:[1-9]\d{0,2}|1000)$/, 'must be a whole number from 1 to 1000')),
  ),
  /** From the `Link` of the previous page. */
  cursor: z.optional(line(256)),
};

/** The query of lists without filters. */
export const PageQuery = z.strictObject(paging);
