/** Keys to an application's list of payments: of a link, which works once within minutes, and of the browser that followed it, in a cookie. */
import { createHash, randomBytes } from 'node:crypto';
import type { Database } from '../../../database/database.ts';

const LINK_MS = 5 * 60_000;
export const VISIT_SECONDS = 15 * 60;

function hashOf(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

async function make(
  db: Database,
  kind: 'link' | 'visit',
  applicationId: string,
  ms: number,
): Promise<string> {
  const key = randomBytes(32).toString('base64url');
  await db.deleteFrom('dashboard_keys').where('expires_at', '<', new Date()).execute();
  await db
    .insertInto('dashboard_keys')
    .values({
      hash: hashOf(key),
      kind,
      application_id: applicationId,
      expires_at: new Date(Date.now() + ms),
    })
    .execute();
  return key;
}

export function makeLink(db: Database, applicationId: string): Promise<string> {
  return make(db, 'link', applicationId, LINK_MS);
}

/** Exchanges the key of a link for that of a visit; undefined when the link was used before, or is too old. */
export async function followLink(db: Database, key: string): Promise<string | undefined> {
  const link = await db
    .deleteFrom('dashboard_keys')
    .where('hash', '=', hashOf(key))
    .where('kind', '=', 'link')
    .returning(['application_id', 'expires_at'])
    .executeTakeFirst();
  if (!link || link.expires_at.getTime() < Date.now()) return undefined;
  return make(db, 'visit', link.application_id, VISIT_SECONDS * 1000);
}

/** The application whose list a visit's key opens. */
export async function visitorOf(db: Database, key: string): Promise<string | undefined> {
  const visit = await db
    .selectFrom('dashboard_keys')
    .select('application_id')
    .where('hash', '=', hashOf(key))
    .where('kind', '=', 'visit')
    .where('expires_at', '>', new Date())
    .executeTakeFirst();
  return visit?.application_id;
}
