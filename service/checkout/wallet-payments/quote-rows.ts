/** Quotes by what is read of them. */
import type { Database } from '../../database/database.ts';
import type { CursorRow, QuoteRow } from '../../database/schema.ts';

/** Those of the cursor's coin or token for whose payments its chain is read. */
export function watchedQuotes(
  db: Database,
  { network, token_address }: Pick<CursorRow, 'network' | 'token_address'>,
) {
  return db
    .selectFrom('wallet_quotes')
    .where('network', '=', network)
    .where('token_address', '=', token_address)
    .where('watched', '=', true);
}

export function readQuote(db: Database, id: string): Promise<QuoteRow> {
  return db.selectFrom('wallet_quotes').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}
