/** Times in requests: apart from other text, so that pages that send none do not have it. */
import * as z from 'zod/mini';

/** ISO 8601, with its zone. */
export const Time = z.string().check(
  z.refine((text) => /^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/.test(text) && !isNaN(Date.parse(text)), {
    error: 'must be a time such as 2026-01-31T09:05:12Z',
  }),
);
