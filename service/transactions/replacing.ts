/** Speeding up and cancelling: replacing a pending transaction. */
import { ConnectError } from '../../src/base/errors.ts';
import type { Database } from '../database/database.ts';
import type { StoredWallet } from '../wallets/stored-wallets.ts';
import { overlap, takesFromOthers } from './approved.ts';
import { assertFit } from './fit.ts';
import { type StoredTransaction, entryOf, isOpen, isWaiting, readDraft, STATES } from './journal.ts';
import type { SpendRequest } from './spending.ts';
import { hashOf } from './status.ts';

export type How = 'speed-up' | 'cancel';

/** The wallet's own transaction. Throws `request.not-found`. */
export async function ownTransaction(
  db: Database,
  { id, secret_type }: StoredWallet,
  given: string,
): Promise<StoredTransaction> {
  const row = await db
    .selectFrom('transactions')
    .selectAll()
    .where('hash', '=', hashOf(secret_type, given))
    .where('wallet_id', '=', id)
    // The same bytes may have been refused earlier.
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (row) return entryOf(row);
  throw new ConnectError('request.not-found', 'The wallet has signed no transaction with this hash here.');
}

/**
 * The draft that replaces the transaction with this id. Throws `chain.not-supported`, `request.conflict` if it is no longer pending or was
 * replaced before, the chain's own refusal, and as `assertFit` does.
 */
export function replacementOf(
  db: Database,
  id: string,
  how: How,
): Required<Pick<SpendRequest, 'draft' | 'replaces'>> {
  const draft: SpendRequest['draft'] = async ({ chain, node, open }) => {
    if (!chain.replace)
      throw new ConnectError(
        'chain.not-supported',
        `A ${chain.secretType} transaction cannot be replaced: it waits until a block takes it, or it expires.`,
        { secretType: chain.secretType },
      );
    const replaced = open.find((entry) => entry.id === id && isWaiting(entry));
    if (!replaced) throw await settled(db, id);
    const later = open
      .slice(open.indexOf(replaced) + 1)
      .findLast((entry) => isOpen(entry) && overlap(entry.claims, replaced.claims));
    if (later)
      throw refused(
        'The transaction was replaced before. Replace the later one, if that one waits too long.',
        {
          reason: 'replaced',
          transactionHash: later.hash,
        },
      );
    const before = await readDraft(db, id, node.network);
    if (!before)
      throw refused(
        'An older version of the service signed the transaction, and kept too little to replace it.',
        {
          reason: 'older-version',
        },
      );
    const made = await chain.replace(before, how, node);
    // That it would fail did not keep it from being signed, either.
    assertFit(await chain.describe(made), { gas: 1n });
    if (takesFromOthers(chain.claims?.(made) ?? {}, open, replaced))
      throw refused(
        'The higher fee needs a coin that another transaction of the wallet spends. Try again later.',
        {
          reason: 'coins',
        },
      );
    return made;
  };
  return { draft, replaces: () => id };
}

async function settled(db: Database, id: string): Promise<ConnectError> {
  const { state } = await db
    .selectFrom('transactions')
    .select('state')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return refused('The transaction is no longer waiting.', { reason: 'settled', status: STATES[state] });
}

function refused(message: string, details: { reason: string } & Record<string, unknown>): ConnectError {
  return new ConnectError('request.conflict', message, details);
}
