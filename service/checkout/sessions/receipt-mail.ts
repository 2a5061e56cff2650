/** Asks for the receipt of a session by e-mail. Only a paid session has one. */
import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import type { SessionRow } from '../../database/schema.ts';

/** How often an address may be given for one session: after the first, only if a server has refused the one before. */
export const MOST_ADDRESSES = 3;

export interface MailRequest {
  address: string;
  /** A language tag. */
  language: string;
}

/** The first language of an `Accept-Language` header; English if it has none that is well-formed. */
export function languageOf(header: string | undefined): string {
  const [, tag = 'en'] =
    /^\s*([A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8}){0,6})\s*(?:[,;]|$)/.exec(header ?? '') ?? [];
  try {
    return Intl.getCanonicalLocales(tag)[0]!.slice(0, 64);
  } catch {
    return 'en';
  }
}

/** Whether it was neither sent, nor is about to be. */
export async function mayRequestMail(db: Database, { id }: Pick<SessionRow, 'id'>): Promise<boolean> {
  const mail = await db
    .selectFrom('receipt_mails')
    .select(['state', 'addresses'])
    .where('session_id', '=', id)
    .executeTakeFirst();
  return !mail || (mail.state === 'refused' && mail.addresses < MOST_ADDRESSES);
}

/** False if it was sent already, or is about to be. */
export async function requestMail(
  db: Database,
  session: Pick<SessionRow, 'id' | 'application_id'>,
  { address, language }: MailRequest,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into receipt_mails as m (session_id, application_id, address, language, next_attempt_at)
    values (${session.id}, ${session.application_id}, ${address}, ${language}, now())
    on conflict (session_id) do update set address = excluded.address, language = excluded.language, state = 'waiting',
      attempts = 0, addresses = m.addresses + 1, next_attempt_at = excluded.next_attempt_at, leased_until = null, settled_at = null
    where m.state = 'refused' and m.addresses < ${MOST_ADDRESSES}`.execute(db);
  return numAffectedRows === 1n;
}
