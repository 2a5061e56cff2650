/** What the payment page shows. */
import type { PayPage } from '../../../src/api/pay.ts';
import type { Database } from '../../database/database.ts';
import type { SessionRow } from '../../database/schema.ts';
import { iconPath } from '../branding/icons.ts';
import type { Service } from '../../service.ts';
import { latestEnd } from '../sessions/extend-session.ts';
import { mayRequestMail } from '../sessions/receipt-mail.ts';
import { redirectOf } from '../sessions/session-errors.ts';
import { wentBack } from '../sessions/transitions.ts';
import { payWallet } from '../wallet-payments/pay-wallet.ts';

/** The application's name, or the shop's host when another issuer registered the application; and the merchant's, if it is verified. */
export async function merchantOf(
  db: Database,
  row: SessionRow,
): Promise<{ name: string; verified: string | null }> {
  const client = await db
    .selectFrom('clients')
    .select(['name', 'merchant'])
    .where('id', '=', row.application_id)
    .executeTakeFirst();
  return { name: client?.name ?? new URL(row.success_url).host, verified: client?.merchant ?? null };
}

export async function brandingOf(db: Database, applicationId: string): Promise<PayPage['branding']> {
  const row = await db
    .selectFrom('branding')
    .selectAll()
    .where('application_id', '=', applicationId)
    .executeTakeFirst();
  if (!row) return null;
  return {
    primaryColor: row.primary_color,
    secondaryColor: row.secondary_color,
    icon: iconPath(row.icon_id),
  };
}

export function itemsOf({ line_items }: SessionRow): PayPage['lineItems'] {
  return line_items.map(({ price_data, quantity }) => ({
    name: price_data.product_data.name,
    quantity,
    unitAmount: price_data.unit_amount,
    amount: price_data.unit_amount * quantity,
  }));
}

type Parts = Pick<Service, 'db' | 'config' | 'networks' | 'payments' | 'signingKeys' | 'tokens'>;

export async function pageData(service: Parts, row: SessionRow): Promise<PayPage> {
  const { db, payments } = service;
  const [merchant, branding, wallet, receiptMail] = await Promise.all([
    merchantOf(db, row),
    brandingOf(db, row.application_id),
    payWallet(service, row),
    service.config.mail ? mayRequestMail(db, row) : false,
  ]);
  return {
    merchant: merchant.name,
    status: row.status,
    cancelled: wentBack(row),
    provider: row.provider,
    livemode: row.livemode,
    lineItems: itemsOf(row),
    currency: row.currency,
    amountTotal: Number(row.amount_total),
    createdAt: row.created_at.getTime(),
    expiresAt: row.expires_at.getTime(),
    latestEnd: latestEnd(row, payments),
    now: Date.now(),
    branding,
    cards: Number(row.amount_total) === 0 ? [] : [...(payments.testCards ?? [])],
    card: { redirect: row.provider_url },
    wallet,
    redirect: row.status === 'open' ? null : redirectOf(row),
    receipt: row.payment_status === 'paid',
    receiptMail,
  };
}
