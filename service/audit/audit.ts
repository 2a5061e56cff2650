/** What is kept of what happened to keys and money. `audit` of the service is where notes go: this one writes them to the log. */
import type { Transaction } from 'kysely';
import type { Schema } from '../database/schema.ts';

export interface AuditNote {
  event: 'session.opened' | 'session.used' | 'session.ended' | 'passkey.added' | 'passkey.removed';
  /** The account that asked. */
  accountId: string;
  /** Absent where it is about the whole account. */
  walletId?: string;
  /** Ids and amounts; never a secret. */
  details: Readonly<Record<string, string | number | Readonly<Record<string, string>>>>;
}

/** Within the database transaction of what it notes: neither happens without the other. */
export type Audit = (tx: Transaction<Schema>, note: AuditNote) => Promise<void>;

export function auditInLog(log: { info(note: object, message: string): void }): Audit {
  return async (_tx, note) => log.info({ audit: note }, 'noted');
}
