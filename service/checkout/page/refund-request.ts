/** What the customer's page of a link for a refund shows. */
import type { RefundRequest } from '../../../src/api/refund-link.ts';
import { formatAmount } from '../../../src/base/amount.ts';
import { inAccount } from '../../database/account-scope.ts';
import type { RefundLinkRow } from '../../database/schema.ts';
import type { Service } from '../../service.ts';
import { answerLink, linkOf } from '../refunds/refund-links.ts';
import { brandingOf, merchantOf } from './page-data.ts';

type Parts = Pick<Service, 'db' | 'networks'>;

/** Throws `request.not-found`. */
export async function readRequest(service: Parts, token: string): Promise<RefundRequest> {
  const row = await linkOf(service.db, token);
  return inAccount(row.application_id, () => describeRequest(service, row));
}

async function describeRequest({ db, networks }: Parts, row: RefundLinkRow): Promise<RefundRequest> {
  const session = await db
    .selectFrom('checkout_sessions')
    .selectAll()
    .where('id', '=', row.session_id)
    .executeTakeFirstOrThrow();
  const [merchant, branding, refund] = await Promise.all([
    merchantOf(db, session),
    brandingOf(db, row.application_id),
    db
      .selectFrom('refunds')
      .select('state')
      .where('id', '=', row.refund_id ?? '')
      .executeTakeFirst(),
  ]);
  return {
    merchant: merchant.verified ?? merchant.name,
    branding,
    livemode: session.livemode,
    secretType: row.secret_type,
    networkName: networks.file.networks.find(({ id }) => id === row.network)?.name ?? row.network,
    amount: formatAmount(BigInt(row.amount), row.decimals),
    symbol: row.symbol,
    expiresAt: row.expires_at.getTime(),
    address: row.address,
    sent: refund !== undefined && refund.state !== 'failed',
  };
}

/** Throws as `answerLink`. */
export async function answerRequest(
  service: Parts,
  answer: { token: string; address: string },
): Promise<RefundRequest> {
  const row = await answerLink(service, answer);
  return inAccount(row.application_id, () => describeRequest(service, row));
}
