/** Errors of the service: `application/problem+json` (RFC 9457). `code` is stable; `detail` is for people. */
import * as z from 'zod/mini';

export const PROBLEM_TYPE = 'application/problem+json';

export const Problem = z.object({
  /** Where the code is explained. */
  type: z.string(),
  /** The status in words. */
  title: z.string(),
  status: z.int(),
  /** One sentence: what happened and what to do. */
  detail: z.string(),
  /** Id of the request, as the service's logs name it. */
  instance: z.string(),
  code: z.string(),
  /** Every bad field of a request that does not fit. */
  issues: z.optional(z.array(z.object({ path: z.string(), message: z.string() }))),
  /** What each code adds, such as seconds to wait or attempts left. */
  details: z.optional(z.record(z.string(), z.unknown())),
});
export type Problem = z.infer<typeof Problem>;
