/** What the service signed for a wallet, page by page. */
import { sql } from 'kysely';
import type { SentQuery, SentTransaction } from '../../src/api/transaction.ts';
import { invalid } from '../../src/chains/requests/payloads.ts';
import type { Database } from '../database/database.ts';
import type { TransactionRow } from '../database/schema.ts';
import { STATES } from './status.ts';

const DEFAULT_LIMIT = 100;

export interface Page {
  transactions: SentTransaction[];
  /** Where the next page begins; undefined on the last one. */
  next: string | undefined;
}

/** Newest first. A cursor is the last transaction of the page before: what is signed meanwhile moves nothing. */
export async function sentPage(
  db: Database,
  walletId: string,
  { limit: asked, cursor }: SentQuery,
): Promise<Page> {
  const limit = Number(asked ?? DEFAULT_LIMIT);
  let query = db
    .selectFrom('transactions')
    .select(['id', 'hash', 'secret_type', 'network', 'state', 'created_at'])
    .where('wallet_id', '=', walletId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1);
  if (cursor !== undefined) {
    const last = db.selectFrom('transactions').where('id', '=', cursor).where('wallet_id', '=', walletId);
    if (!(await last.select('id').executeTakeFirst()))
      throw invalid('cursor', 'is none of this list: take it from the `Link` of the page before');
    // Compared in the database, whose times are finer than those of JavaScript.
    query = query.where(
      sql<boolean>`(created_at, id) < (select created_at, id from transactions where id = ${cursor})`,
    );
  }
  const rows = await query.execute();
  const page = rows.slice(0, limit);
  return {
    transactions: page.map(answerOf),
    next: rows.length > limit ? page.at(-1)!.id : undefined,
  };
}

type Row = Pick<TransactionRow, 'hash' | 'secret_type' | 'network' | 'state' | 'created_at'>;

function answerOf({ hash, secret_type, network, state, created_at }: Row): SentTransaction {
  return {
    transactionHash: hash,
    secretType: secret_type,
    network,
    status: STATES[state],
    ...(state === 'expired' || state === 'refused' || state === 'replaced' ? { reason: state } : {}),
    createdAt: created_at.toISOString(),
  };
}
