/** Icons of payment pages. */
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { IconFile } from '../../../src/api/branding.ts';
import { acrossAccounts } from '../../database/account-scope.ts';
import type { Database } from '../../database/database.ts';

/** Icons of one application. The oldest that are not in use make room for new ones. */
const MAX_ICONS = 20;

/** Path at which anybody can read it. */
export function iconPath(id: string): string {
  return `/icons/${id}`;
}

/** Its name as a PNG, whatever was uploaded. */
function fileName(original: string | undefined): string {
  const base = (original ?? '')
    .split(/[/\\]/)
    .at(-1)!
    .replace(/\.[^.]*$/, '');
  const plain = base.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '').trim();
  return `${[...plain].slice(0, 120).join('') || 'icon'}.png`;
}

export async function keepIcon(
  db: Database,
  {
    applicationId,
    png,
    filename,
    url,
  }: { applicationId: string; png: Buffer; filename: string | undefined; url: string },
): Promise<IconFile> {
  const id = `file_${randomBytes(18).toString('base64url')}`;
  const name = fileName(filename);
  const createdAt = new Date();
  await db
    .insertInto('icons')
    .values({
      id,
      application_id: applicationId,
      filename: name,
      png,
      size: png.length,
      created_at: createdAt,
    })
    .execute();
  await sql`delete from icons where id in (
    select id from icons where application_id = ${applicationId}
      and id not in (select icon_id from branding where application_id = ${applicationId})
    order by created_at desc, id offset ${MAX_ICONS})`.execute(db);
  return {
    id,
    object: 'file',
    created: Math.floor(createdAt.getTime() / 1000),
    expires_at: null,
    filename: name,
    links: { object: 'list', data: [], has_more: false, url: iconPath(id) },
    purpose: 'business_icon',
    size: png.length,
    title: null,
    type: 'png',
    url: url + iconPath(id),
  };
}

export async function hasIcon(db: Database, applicationId: string, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('icons')
    .select('id')
    .where('id', '=', id)
    .where('application_id', '=', applicationId)
    .executeTakeFirst();
  return row !== undefined;
}

export async function readPng(db: Database, id: string): Promise<Buffer | undefined> {
  const query = db.selectFrom('icons').select('png').where('id', '=', id);
  return (await acrossAccounts('icons', () => query.executeTakeFirst()))?.png;
}
