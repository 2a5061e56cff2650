/** Which of the quotes that a session has counts now. */
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import type { QuoteRow } from '../../database/schema.ts';
import type { Offer } from './offer.ts';
import { hasKey } from './receiving-keys.ts';
import { isSameAsset } from './receiving-wallets.ts';

/** The one that is paid or being paid, else the one that the customer chose last. */
export async function currentQuote(db: Database, sessionId: string): Promise<QuoteRow | undefined> {
  return db
    .selectFrom('wallet_quotes')
    .selectAll()
    .where('session_id', '=', sessionId)
    .orderBy(
      sql`case when state = 'paid' then 0 when state = 'pending' then 1 when ${UNDER_WAY} then 2 else 3 end`,
    )
    .orderBy((is) => is.fn.coalesce('chosen_at', 'created_at'), 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Blocks have its payment, or payments that add up to it, or its page reported a transaction that is not known to be wrong. */
export function isUnderWay({ state, enough, told_hash, problem }: QuoteRow): boolean {
  return state === 'pending' || (state === 'quoted' && (enough || (told_hash !== null && problem === null)));
}

/** The same of a row of `wallet_quotes`. */
export const UNDER_WAY: RawBuilder<boolean> = sql`(state = 'pending' or (state = 'quoted' and
  (enough or (told_hash is not null and problem is null))))`;

/** The offer that the session's newest quote is of, else the shop's first. */
export function currentOffer(offers: readonly Offer[], quoted: QuoteRow | undefined): Offer | undefined {
  return offers.find(({ wallet }) => quoted && isSameAsset(wallet, quoted)) ?? offers[0];
}

/** Whether the quote goes to the current receiving wallet. A session keeps the address of its own, whatever key is set afterwards. */
export function isFor(quoted: QuoteRow, { wallet }: Offer): boolean {
  if (hasKey(wallet)) return quoted.network === wallet.network && quoted.key_id !== null;
  return (['network', 'token_address', 'address'] as const).every((field) => quoted[field] === wallet[field]);
}
