/** The transaction with which the customer says to have paid. */
import type { WalletPayment } from '../../../src/api/pay.ts';
import type { ReceivingChain } from '../../../src/api/secret-type.ts';
import { decode58 } from '../../../src/chains/aeternity/encoding.ts';
import { invalid } from '../../../src/chains/requests/payloads.ts';
import { CARDS, CHAIN_NAMES } from '../../../src/chains/secret-type.ts';
import type { SessionRow } from '../../database/schema.ts';
import { requireOpen, withSession } from '../sessions/transitions.ts';
import { refreshSession } from './hold-session.ts';
import { unavailable } from './offer.ts';
import { currentQuote } from './current-quote.ts';
import { describePayment } from './describe-payment.ts';
import type { Quoting } from './quotes.ts';

/**
 * Records the transaction that the page reports. It is only a hint: the chain is read for the payment with or without it. Throws
 * `checkout.wallet.unavailable` when no quote waits for a payment, `checkout.session.*`, and `request.invalid` for what is no hash of the
 * quote's chain.
 */
export async function reportTransaction(
  { db, settings }: Pick<Quoting, 'db' | 'settings'>,
  { id }: SessionRow,
  transactionHash: string,
): Promise<WalletPayment> {
  return withSession(db, 'id', id, async (tx, current) => {
    const session = current!;
    const quoted = await currentQuote(tx, id);
    if (!quoted) {
      requireOpen(session);
      throw unavailable();
    }
    const hash = hashOn(quoted.secret_type, transactionHash);
    if (quoted.state !== 'quoted' || quoted.told_hash === hash) return describePayment(tx, quoted);
    requireOpen(session);
    const reported = await tx
      .updateTable('wallet_quotes')
      .set({ told_hash: hash, known_at: new Date(Date.now()), problem: null })
      .where('id', '=', quoted.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await refreshSession(tx, id, settings);
    await tx
      .updateTable('wallet_lanes')
      .set({ next_look_at: new Date(Date.now()) })
      .where('network', '=', quoted.network)
      .where('token_address', '=', quoted.token_address)
      .where('next_look_at', 'is not', null)
      .where('failures', '=', 0)
      .execute();
    return describePayment(tx, reported);
  });
}

/** In the form that nodes give it; they refuse to look for a hash with a wrong checksum. */
function hashOn(secretType: ReceivingChain, text: string): string {
  const { hash } = CARDS[secretType];
  if (!hash.test(text) || (secretType === 'AETERNITY' && !decode58(text)))
    throw invalid('transactionHash', `must be the hash of a transaction on ${CHAIN_NAMES[secretType]}`);
  return hash.ignoreCase ? text.toLowerCase() : text;
}
