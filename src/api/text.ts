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

/** A PIN: docs/service.md#wallets. */
export const Pincode = z.string().check(z.regex(/^[0-9]{4,6}$/, 'must be 4 to 6 digits as text'));

export const WalletId = line(64);

/** Id in `networks.json`. */
export const NetworkId = line(64);
