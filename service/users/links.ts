/** Which wallets a user has linked to which site. Each application has its own: sites of another learn nothing of them. */
import { sql } from 'kysely';
import * as routes from '../../src/api/routes.ts';
import type { Principal } from '../http/principal.ts';
import { forbidden } from '../custody/wallet-errors.ts';
import type { Database } from '../database/database.ts';
import { serve } from '../http/serve.ts';
import type { Area } from '../service.ts';
import { requireUser } from './own-wallets.ts';

/** Any number that nothing else uses as the first half of an advisory lock. */
const LINKS_LOCK = 7_265_005;

/** The wallets that the origin is linked to, in the order they were linked. */
async function linkedWallets(
  db: Database,
  { applicationId, accountId }: Principal,
  origin: string,
): Promise<string[]> {
  const rows = await db
    .selectFrom('links')
    .select('wallet_id')
    .where('application_id', '=', applicationId)
    .where('account_id', '=', accountId)
    .where('origin', '=', origin)
    .orderBy('created_at')
    .orderBy('wallet_id')
    .execute();
  return rows.map((row) => row.wallet_id);
}

async function link(
  db: Database,
  { applicationId, accountId }: Principal,
  origin: string,
  walletIds: string[],
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // Of two concurrent lists one wins as a whole.
    const place = JSON.stringify([applicationId, accountId, origin]);
    await sql`select pg_advisory_xact_lock(${LINKS_LOCK}, hashtext(${place}))`.execute(tx);
    const others = tx
      .deleteFrom('links')
      .where('application_id', '=', applicationId)
      .where('account_id', '=', accountId)
      .where('origin', '=', origin);
    await (walletIds.length ? others.where('wallet_id', 'not in', walletIds) : others).execute();
    if (walletIds.length === 0) return;
    const own = await tx
      .selectFrom('wallets')
      .select('id')
      .where('owner_id', '=', accountId)
      .where('id', 'in', walletIds)
      .execute();
    if (own.length !== walletIds.length) throw forbidden();
    await tx
      .insertInto('links')
      .values(
        own.map(({ id }) => ({
          application_id: applicationId,
          account_id: accountId,
          origin,
          wallet_id: id,
        })),
      )
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  });
}

export const links: Area = (app, { db }) => {
  serve(app, routes.readLinks, async ({ query, principal }) => {
    requireUser(principal);
    return { walletIds: await linkedWallets(db, principal, query.origin) };
  });

  serve(app, routes.putLinks, async ({ body, principal }) => {
    requireUser(principal);
    await link(db, principal, body.origin, [...new Set(body.walletIds)]);
    return { walletIds: await linkedWallets(db, principal, body.origin) };
  });
};
