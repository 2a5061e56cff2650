/** What spending sessions and passkeys write to the audit log. */
import type { Transaction } from 'kysely';
import type { Schema } from '../database/schema.ts';
import type { KeyProvider } from '../keys/key-provider.ts';
import { type AuditAction, audit } from './audit-log.ts';

export interface AuditNote {
  event: Extract<AuditAction, `session.${string}` | `passkey.${string}`>;
  /** The account that made the request. */
  accountId: string;
  /** Absent if it is about the whole account. */
  walletId?: string;
  /** Ids and amounts; never a secret. */
  details: Readonly<Record<string, string | number | Readonly<Record<string, string>>>>;
}

/** Call it last in the database transaction of what it records: neither happens without the other. */
export type Audit = (tx: Transaction<Schema>, note: AuditNote) => Promise<void>;

export function auditUnder(keys: KeyProvider): Audit {
  return (tx, { event, accountId, walletId, details }) =>
    audit(tx, keys, {
      actor: accountId,
      action: event,
      subject: walletId === undefined ? `account:${accountId}` : `wallet:${walletId}`,
      details,
    });
}
