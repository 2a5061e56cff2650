/** Quotes for whose payments a chain is read. */
import type { Database } from '../../database/database.ts';
import type { CursorRow } from '../../database/schema.ts';

/** Those of the cursor's coin or token. */
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
