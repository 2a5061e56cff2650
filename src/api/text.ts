/** Text fields of the API. Bounded, and without control characters: they mislead a reader, and PostgreSQL stores no NUL. */
import * as z from 'zod/mini';

const CONTROL = /^[^\p{Cc}\p{Surrogate}]*$/u;
const LINES = /^(?:[^\p{Cc}\p{Surrogate}]|[\n\r\t])*$/u;

/** One line of at most `max` characters, not empty. */
export function line(max: number) {
  return z
    .string()
    .check(z.minLength(1), z.maxLength(max), z.regex(CONTROL, 'must not have control characters'));
}

/** At most `max` characters on any number of lines; may be empty. */
export function prose(max: number) {
  return z.string().check(z.maxLength(max), z.regex(LINES, 'must not have control characters'));
}

/** Spec section 8. */
export const Pincode = z.string().check(z.regex(/^[0-9]{4,6}$/, 'must be 4 to 6 digits as text'));

export const WalletId = line(64);

/** ISO 8601, with its zone. */
export const Time = z.string().check(
  z.refine((text) => /^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/.test(text) && !isNaN(Date.parse(text)), {
    error: 'must be a time such as 2026-01-31T09:05:12Z',
  }),
);
