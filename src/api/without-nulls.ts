/** Bodies in which null means the same as leaving the field out: the interface writes unset fields as null. */
import * as z from 'zod/mini';

/** The schema, for an object whose null fields are dropped first, unknown ones included. */
export function withoutNulls<O, I>(schema: z.ZodMiniType<O, I>): z.ZodMiniType<O, I> {
  return z.pipe(z.transform(dropNulls), schema as z.ZodMiniType) as z.ZodMiniType<O, I>;
}

function dropNulls(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== null));
}
