/** The wraps of a PIN's key: with the PIN, with its recovery code, and with a passkey. Each also needs the database's share. */
import type { Selectable } from 'kysely';
import type { Pins } from '../database/schema.ts';
import { invalidCode, readRecoveryCode } from './recovery-code.ts';
import { seal, unseal, wrappingKey } from '../keys/sealing.ts';

type Way = 'PIN' | 'recovery code' | 'passkey';

/** Overwrites the first part after use. */
export function wrap(key: Buffer, id: string, way: Way, parts: [Uint8Array, Uint8Array]): Buffer {
  const wrapping = wrappingKey(parts, `carabiner ${way}`);
  parts[0].fill(0);
  const wrapped = seal(wrapping, `${id} by ${way}`, key);
  wrapping.fill(0);
  return wrapped;
}

export function unwrap(
  wrapped: Buffer,
  id: string,
  way: Way,
  parts: [Uint8Array, Uint8Array],
): Buffer | undefined {
  const wrapping = wrappingKey(parts, `carabiner ${way}`);
  parts[0].fill(0);
  const key = unseal(wrapping, `${id} by ${way}`, wrapped);
  wrapping.fill(0);
  return key;
}

export function wrapByCode(id: string, code: Uint8Array, share: Buffer, key: Buffer): Buffer {
  return wrap(key, id, 'recovery code', [code, share]);
}

export function openByCode(
  row: Pick<Selectable<Pins>, 'id' | 'by_recovery_code'>,
  code: string,
  share: Buffer,
): Buffer {
  const key = unwrap(row.by_recovery_code, row.id, 'recovery code', [readRecoveryCode(code), share]);
  if (!key) throw invalidCode('is not the recovery code of this PIN');
  return key;
}
