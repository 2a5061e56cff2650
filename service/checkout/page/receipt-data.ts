/** What a receipt says. */
import { createHash } from 'node:crypto';
import type { Receipt } from '../../../src/api/receipt.ts';
import { formatAmount } from '../../../src/base/amount.ts';
import { ConnectError } from '../../../src/base/errors.ts';
import type { Database } from '../../database/database.ts';
import type { SessionRow } from '../../database/schema.ts';
import type { Service } from '../../service.ts';
import { isOfPayment } from '../refunds/refundable.ts';
import { brandingOf, itemsOf, merchantOf } from './page-data.ts';

type Parts = Pick<Service, 'db' | 'networks'>;

/** Crockford's alphabet, in which no two letters look alike. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** The same each time, and it gives access to nothing. */
function numberOf(id: string, paidAt: Date): string {
  const digest = createHash('sha256').update(`receipt ${id}`).digest();
  const letters = [...digest.subarray(0, 8)].map((byte) => LETTERS[byte % LETTERS.length]).join('');
  return `${paidAt.toISOString().slice(0, 10).replaceAll('-', '')}-${letters}`;
}

/** Throws `request.not-found` until the session is paid. */
export async function receiptOf({ db, networks }: Parts, row: SessionRow): Promise<Receipt> {
  // Sessions of an older version have no other time.
  const paidAt = row.paid_at ?? row.completed_at;
  if (row.payment_status !== 'paid' || paidAt === null)
    throw new ConnectError('request.not-found', 'There is no receipt: the session is not paid.');
  const describe: Describe = (id, transactionHash) => {
    const network = networks.file.networks.find((each) => each.id === id);
    const transactionUrl = network?.explorer === undefined ? null : network.explorer + transactionHash;
    return { networkName: network?.name ?? id, transactionHash, transactionUrl };
  };
  const [merchant, branding, card, coins, refunds] = await Promise.all([
    merchantOf(db, row),
    brandingOf(db, row.application_id),
    cardOf(db, row),
    coinsOf(db, row, describe),
    refundsOf(db, row, describe),
  ]);
  return {
    number: numberOf(row.id, paidAt),
    paidAt: paidAt.getTime(),
    merchant: merchant.verified ?? merchant.name,
    merchantVerified: merchant.verified !== null,
    reference: row.client_reference_id,
    livemode: row.livemode,
    lineItems: itemsOf(row),
    currency: row.currency,
    amountTotal: Number(row.amount_total),
    card,
    coins,
    refunds,
    branding,
  };
}

async function cardOf(db: Database, { id, payment_intent }: SessionRow): Promise<Receipt['card']> {
  const card = await db
    .selectFrom('checkout_payments')
    .select(['brand', 'last4'])
    .where('session_id', '=', id)
    .where('id', '=', payment_intent)
    .executeTakeFirst();
  return card ?? null;
}

type Describe = (
  network: string,
  transactionHash: string,
) => Pick<Receipt['coins'][number], 'networkName' | 'transactionHash' | 'transactionUrl'>;

async function coinsOf(db: Database, { id }: SessionRow, describe: Describe): Promise<Receipt['coins']> {
  const paid = await db
    .selectFrom('wallet_transfers')
    .select(['amount', 'decimals', 'symbol', 'network', 'transaction_hash'])
    .where('session_id', '=', id)
    .where('state', '=', 'paid')
    .orderBy('seen_at')
    .execute();
  return paid.map(({ amount, decimals, symbol, network, transaction_hash }) => ({
    amount: formatAmount(BigInt(amount), decimals),
    symbol,
    ...describe(network, transaction_hash),
  }));
}

/** Refunds of the payment, not of transfers that paid for nothing. */
async function refundsOf(db: Database, row: SessionRow, describe: Describe): Promise<Receipt['refunds']> {
  const rows = await db
    .selectFrom('refunds')
    .leftJoin('transactions', 'transactions.id', 'refunds.transaction_id')
    .selectAll('refunds')
    .select('transactions.hash')
    .where('session_id', '=', row.id)
    .where(isOfPayment(row))
    .where('refunds.state', '<>', 'failed')
    .orderBy('refunds.created_at')
    .execute();
  return rows.map((row) => ({
    status: row.state as 'pending' | 'succeeded',
    at: (row.settled_at ?? row.created_at).getTime(),
    amount: row.method === 'card' ? Number(row.amount) : null,
    coins:
      row.method === 'card'
        ? null
        : {
            amount: formatAmount(BigInt(row.amount), row.decimals!),
            symbol: row.symbol!,
            ...describe(row.network!, row.hash!),
          },
  }));
}
