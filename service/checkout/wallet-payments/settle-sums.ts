/** What payments of other amounts add up to pays a session without the shop, where it is certain for which session they are. */
import { ConnectError } from '../../../src/base/errors.ts';
import type { CursorRow, QuoteRow, TransferRow } from '../../database/schema.ts';
import type { Service } from '../../service.ts';
import { withSession } from '../sessions/transitions.ts';
import { acceptTransfers } from './accept-transfers.ts';
import { isConfirmed } from './confirmed.ts';
import { reportUnassigned } from './payment-report.ts';
import { certainTransfers, isPaidBy } from './payment-sums.ts';
import { refreshSession } from './hold-session.ts';
import { watchedQuotes } from './quote-rows.ts';
import type { WalletPaymentSettings } from './wallet-payment-settings.ts';

interface Settling extends Pick<Service, 'db' | 'networks' | 'payments'> {
  settings: WalletPaymentSettings;
  /** Called with each payment of a session that is now paid. */
  decided(transfer: TransferRow): void;
}

/** Completes sessions whose payments add up to the price, once each payment has its confirmations. */
export async function settleSums(settling: Settling, cursor: CursorRow): Promise<void> {
  const { db } = settling;
  const quotes = await watchedQuotes(db, cursor)
    .selectAll()
    .where('state', '=', 'quoted')
    .where('enough', '=', true)
    .execute();
  for (const quote of quotes) {
    const transfers = await certainTransfers(db, quote);
    if (!isPaidBy(quote, transfers)) await giveUp(settling, quote);
    else if (await areConfirmed(settling, transfers)) await complete(settling, quote, transfers);
  }
}

async function areConfirmed(
  parts: Pick<Service, 'db' | 'networks'>,
  transfers: readonly TransferRow[],
): Promise<boolean> {
  for (const transfer of transfers) if (!(await isConfirmed(parts, transfer))) return false;
  return true;
}

async function complete(settling: Settling, quote: QuoteRow, transfers: TransferRow[]): Promise<void> {
  const session = await settling.db
    .selectFrom('checkout_sessions')
    .selectAll()
    .where('id', '=', quote.session_id)
    .executeTakeFirstOrThrow();
  try {
    const ids = transfers.map(({ id }) => id);
    await acceptTransfers(settling, session, ids, { isCertain: true });
    for (const transfer of transfers) settling.decided({ ...transfer, state: 'paid', reason: null });
  } catch (error) {
    const { code } = error instanceof ConnectError ? error : { code: undefined };
    // Another process was faster, it was refunded meanwhile, or the session was paid at the provider.
    if (code === 'request.conflict' || code?.startsWith('checkout.session.')) return giveUp(settling, quote);
    // The next round tries again.
    if (code !== 'checkout.payment.pending' && code !== 'checkout.provider.unreachable') throw error;
  }
}

/** They no longer pay for the session: the shop is told what there is. */
function giveUp({ db, settings }: Settling, quote: QuoteRow): Promise<void> {
  return withSession(db, 'id', quote.session_id, async (tx, session) => {
    const changed = await tx
      .updateTable('wallet_quotes')
      .set({ enough: false })
      .where('id', '=', quote.id)
      .where('state', '=', 'quoted')
      .where('enough', '=', true)
      .returning('id')
      .executeTakeFirst();
    if (!changed) return;
    const newest = (await certainTransfers(tx, quote)).at(-1);
    if (newest) await reportUnassigned(tx, session!, quote, newest);
    await refreshSession(tx, quote.session_id, settings);
  });
}
