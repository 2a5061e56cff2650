/** The code that sets a new PIN: 160 random bits, so that guessing is hopeless and tries need no limit. */
import { randomBytes } from 'node:crypto';
import { base32crockford } from '@scure/base';
import { RequestInvalidError } from '../../src/base/errors.ts';

export interface RecoveryCode {
  /** Eight groups of four letters and digits, without look-alikes. Shown once, not stored. */
  text: string;
  bytes: Uint8Array;
}

export function newRecoveryCode(): RecoveryCode {
  const bytes = randomBytes(20);
  return { bytes, text: base32crockford.encode(bytes).replaceAll(/(.{4})(?!$)/g, '$1-') };
}

/** Accepts lower case, any spacing, and O for 0. Throws `request.invalid` at `recoveryCode`. */
export function readRecoveryCode(text: string): Uint8Array {
  const letters = text.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1');
  if (!/^[0-9A-HJKMNP-TV-Z]{32}$/.test(letters))
    throw invalidCode('must be eight groups of four letters and digits');
  return base32crockford.decode(letters);
}

export function invalidCode(message: string): RequestInvalidError {
  return new RequestInvalidError([{ path: 'recoveryCode', message }]);
}
