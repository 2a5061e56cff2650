/** The code that sets a new PIN: 160 random bits, so that there is nothing to guess and nothing to count. */
import { randomBytes } from 'node:crypto';
import { base32crockford } from '@scure/base';
import { RequestInvalidError } from '../../src/errors.ts';

export interface RecoveryCode {
  /** Eight groups of four letters and digits, without those that look alike. Shown once, stored nowhere. */
  text: string;
  bytes: Uint8Array;
}

export function newRecoveryCode(): RecoveryCode {
  const bytes = randomBytes(20);
  return { bytes, text: base32crockford.encode(bytes).replaceAll(/(.{4})(?!$)/g, '$1-') };
}

/** As people type it: small letters, other gaps, O for 0. Throws `request.invalid` at `recoveryCode`. */
export function readRecoveryCode(text: string): Uint8Array {
  const letters = text.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1');
  if (!/^[0-9A-HJKMNP-TV-Z]{32}$/.test(letters))
    throw invalidCode('must be eight groups of four letters and digits');
  return base32crockford.decode(letters);
}

export function invalidCode(message: string): RequestInvalidError {
  return new RequestInvalidError([{ path: 'recoveryCode', message }]);
}
