/** Signs the order of a payment by wallet, for merchants whose name the operator has verified. */
import { SignJWT } from 'jose';
import { ORDER_TYPE, type SignedOrder } from '../../../src/api/signed-order.ts';
import { ALGORITHM } from '../../auth/signing-keys.ts';
import type { QuoteRow, SessionRow } from '../../database/schema.ts';
import type { Service } from '../../service.ts';

/** Null when the merchant's name is not verified. */
export async function signedOrder(
  { db, networks, signingKeys, tokens }: Pick<Service, 'db' | 'networks' | 'signingKeys' | 'tokens'>,
  session: SessionRow,
  quote: QuoteRow,
): Promise<string | null> {
  const client = await db
    .selectFrom('clients')
    .select(['merchant', 'origins'])
    .where('id', '=', session.application_id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  if (!client?.merchant) return null;
  const { id, key } = await signingKeys.current();
  const order: Omit<SignedOrder, 'iss' | 'exp' | 'jti'> = {
    session: session.id,
    account: session.application_id,
    merchant: client.merchant,
    origins: [new URL(session.url).origin, ...client.origins],
    secretType: quote.secret_type,
    network: quote.network,
    chainId: networks.file.networks.find((network) => network.id === quote.network)?.chainId ?? null,
    token: quote.token_address || null,
    to: quote.address,
    amount: quote.amount,
    total: Number(session.amount_total),
    currency: session.currency,
    reference: numberOf(session),
    items: session.line_items.reduce((sum, { quantity }) => sum + quantity, 0),
  };
  return new SignJWT(order)
    .setProtectedHeader({ alg: ALGORITHM, typ: ORDER_TYPE, kid: id })
    .setIssuer(tokens.url())
    .setExpirationTime(Math.floor(quote.expires_at.getTime() / 1000))
    .setJti(quote.id)
    .sign(key);
}

/** The longest that a wallet of any version takes. */
const LONGEST_REFERENCE = 128;

/** The shop's own number of the order; the session's id, which wallets do not show, if it has none. */
function numberOf({ id, client_reference_id: number }: SessionRow): string {
  if (number === null) return id;
  return number.length > LONGEST_REFERENCE ? `${number.slice(0, LONGEST_REFERENCE - 1)}…` : number;
}
