/** The work of `npm run service:master-key`, which can run while services do. */
import { sql } from 'kysely';
import { rewrapReceivingKeys } from '../checkout/wallet-payments/sealed-keys.ts';
import { rewrapWebhooks } from '../webhooks/secrets.ts';
import type { Database } from '../database/database.ts';
import type { KeyProvider } from '../keys/key-provider.ts';
import { Pins } from '../custody/pins.ts';

export interface VersionUse {
  version: number;
  /** PINs whose share is encrypted under it. */
  pins: number;
  /** Keys under it that sign tokens, or signed tokens that may still be valid. */
  signingKeys: number;
  /** Receivers of events whose secrets are under it. */
  webhooks: number;
  /** Extended public keys of receiving wallets that are encrypted under it. */
  receivingKeys: number;
  /** Rows of the audit log are never rewritten: they are verified with this version of the key. */
  auditRows: number;
}

/** How much is encrypted under each version of the master key, oldest first. A version that is not listed is no longer needed. */
export async function versionsInUse(db: Database): Promise<VersionUse[]> {
  const { rows } = await sql<VersionUse>`
    select version, sum(pins)::integer as pins, sum(keys)::integer as "signingKeys",
      sum(webhooks)::integer as webhooks, sum(receiving)::integer as "receivingKeys", sum(audit)::integer as "auditRows" from (
      select master_version as version, count(*) as pins, 0 as keys, 0 as webhooks, 0 as receiving, 0 as audit from pins group by 1
      union all
      select master_version, 0, count(*), 0, 0, 0 from signing_keys
        where retired_at is null or retired_at > now() - interval '1 day' group by 1
      union all
      select master_version, 0, 0, count(*), 0, 0 from webhooks group by 1
      union all
      select master_version, 0, 0, 0, count(*), 0 from receiving_keys group by 1
      union all
      select master_version, 0, 0, 0, 0, count(*) from audit_log group by 1
    ) as found group by version order by version`.execute(db);
  return rows;
}

/** Re-encrypts every share, every receiver's secrets and every receiving key under the current master key. Throws at the end when some could not be opened. */
export async function rewrap(
  db: Database,
  keys: KeyProvider,
  warn: (message: string) => void,
): Promise<number> {
  const pins = await new Pins(db, keys, { warn }).rewrap();
  const webhooks = await rewrapWebhooks(db, keys, warn);
  const receiving = await rewrapReceivingKeys(db, keys, warn);
  const rewrapped = pins.rewrapped + webhooks.rewrapped + receiving.rewrapped;
  const failed = pins.failed.length + webhooks.failed.length + receiving.failed.length;
  if (failed) throw new Error(`${failed} secrets cannot be decrypted; ${rewrapped} were rewrapped.`);
  return rewrapped;
}
