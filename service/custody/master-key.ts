/** What `npm run service:master-key` does; it works beside running services. */
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import type { KeyProvider } from '../keys/key-provider.ts';
import { Pins } from './pins.ts';

export interface VersionUse {
  version: number;
  /** PINs whose share is under it. */
  pins: number;
  /** Keys under it that sign tokens, or signed some that could still be good. */
  signingKeys: number;
}

/** What rests under which version of the master key, oldest first. One that is not in the list is no longer needed. */
export async function versionsInUse(db: Database): Promise<VersionUse[]> {
  const { rows } = await sql<VersionUse>`
    select version, sum(pins)::integer as pins, sum(keys)::integer as "signingKeys" from (
      select master_version as version, count(*) as pins, 0 as keys from pins group by 1
      union all
      select master_version, 0, count(*) from signing_keys
        where retired_at is null or retired_at > now() - interval '1 day' group by 1
    ) as found group by version order by version`.execute(db);
  return rows;
}

/** Brings every share under the current master key. Throws when some did not open, after all others. */
export async function rewrap(
  db: Database,
  keys: KeyProvider,
  warn: (message: string) => void,
): Promise<number> {
  const { rewrapped, failed } = await new Pins(db, keys, { warn }).rewrap();
  if (failed.length) throw new Error(`${failed.length} shares do not open; ${rewrapped} were rewrapped.`);
  return rewrapped;
}
