/** Bodies in which null says the same as leaving the field out, as the interface writes what is not set. */
import * as z from 'zod/mini';

/** The schema, for an object whose null fields are dropped before: also those that it does not have. */
export function withoutNulls<O, I>(schema: z.ZodMiniType<O, I>): z.ZodMiniType<O, I> {
  return z.pipe(z.transform(dropNulls), schema as z.ZodMiniType) as z.ZodMiniType<O, I>;
}

function dropNulls(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== null));
}
