/** What the service signed for a wallet, page by page. */
import type { SentQuery, SentTransaction } from '../../src/api/transaction.ts';
import type { Database } from '../database/database.ts';
import type { TransactionRow } from '../database/schema.ts';
import { type Page, readPage } from '../http/paging.ts';
import { STATES } from './status.ts';

/** Newest first. */
export async function sentPage(
  db: Database,
  walletId: string,
  asked: SentQuery,
): Promise<Page<SentTransaction>> {
  const sent = db
    .selectFrom('transactions')
    .select(['id', 'hash', 'secret_type', 'network', 'state', 'created_at'])
    .where('wallet_id', '=', walletId);
  const order = { at: 'created_at', id: 'id', first: 'newest' } as const;
  const { rows, next } = await readPage(['transactions', walletId], asked, sent, order);
  return { rows: rows.map(answerOf), next };
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
