/**
 * Links by which customers say where a refund goes. Whoever has one may answer it, once, and nothing is sent until the shop confirms the
 * address. Only the hash of a link's token is stored.
 */
import { createHash, randomBytes } from 'node:crypto';
import type {
  CreatedRefundLink,
  CreateRefundLink,
  RefundLink,
  RefundLinksQuery,
} from '../../../src/api/refund-link.ts';
import type { CreateRefund } from '../../../src/api/refund.ts';
import { formatAmount, parseUnits } from '../../../src/base/amount.ts';
import { ConnectError, type Issue, RequestInvalidError } from '../../../src/base/errors.ts';
import { invalid } from '../../../src/chains/requests/payloads.ts';
import { acrossAccounts, inAccount } from '../../database/account-scope.ts';
import type { Database } from '../../database/database.ts';
import type { RefundLinkRow, SessionRow, TransferRow } from '../../database/schema.ts';
import { type Page, readPage } from '../../http/paging.ts';
import type { Service } from '../../service.ts';
import { recordSessionEvent } from '../sessions/session-event.ts';
import { withSession } from '../sessions/transitions.ts';
import { addressAt, checkPayable } from '../wallet-payments/payable-address.ts';
import { networkOf, paymentOf, requireLeft } from './refundable.ts';

const DAYS = 7;
const DAY_MS = 86_400_000;

type Parts = Pick<Service, 'db' | 'networks'>;

function hashOf(token: string): Buffer {
  return createHash('sha256').update(`refund link ${token}`).digest();
}

function statusOf(row: RefundLinkRow): RefundLink['status'] {
  if (row.refund_id !== null) return 'used';
  if (row.cancelled_at !== null) return 'cancelled';
  if (row.address !== null) return 'answered';
  return row.expires_at.getTime() <= Date.now() ? 'expired' : 'open';
}

function describeLink(row: RefundLinkRow): RefundLink {
  return {
    id: row.id,
    object: 'refund_link',
    created: Math.floor(row.created_at.getTime() / 1000),
    expires_at: Math.floor(row.expires_at.getTime() / 1000),
    session: row.session_id,
    payment: row.payment_id,
    status: statusOf(row),
    amount: formatAmount(BigInt(row.amount), row.decimals),
    symbol: row.symbol,
    network: row.network,
    token_address: row.token_address || null,
    address: row.address,
    refund: row.refund_id,
  };
}

function amountIn({ amount }: CreateRefundLink, { decimals }: TransferRow): bigint | undefined {
  if (amount == null) return undefined;
  try {
    return parseUnits(amount, decimals);
  } catch (error) {
    throw invalid('amount', (error as Error).message);
  }
}

/** Throws `request.invalid` and `checkout.refund.refused`, as a refund. */
export async function createLink(
  service: Parts & { url: Service['url'] },
  session: SessionRow,
  body: CreateRefundLink,
): Promise<CreatedRefundLink> {
  const payment = await paymentOf(service.db, session, body.payment ?? undefined);
  const { transfer } = payment;
  if (!transfer)
    throw invalid('payment', 'must be a payment by wallet: a refund by card goes back to the card');
  const network = networkOf(service, transfer);
  const wanted = amountIn(body, transfer);
  const token = randomBytes(32).toString('base64url');
  const row = await withSession(service.db, 'id', session.id, async (tx) =>
    tx
      .insertInto('refund_links')
      .values({
        id: `rl_${randomBytes(12).toString('hex')}`,
        token_hash: hashOf(token),
        session_id: session.id,
        application_id: session.application_id,
        payment_id: payment.id,
        amount: String(await requireLeft(tx, payment, wanted)),
        secret_type: network.secretType,
        network: network.id,
        token_address: transfer.token_address,
        symbol: transfer.symbol,
        decimals: transfer.decimals,
        expires_at: new Date(Date.now() + (body.days ?? DAYS) * DAY_MS),
      })
      .returningAll()
      .executeTakeFirstOrThrow(),
  );
  return { ...describeLink(row), url: `${service.url()}/pay/refund#${token}` };
}

async function findLink(db: Database, sessionId: string, id: string): Promise<RefundLinkRow> {
  const row = await db
    .selectFrom('refund_links')
    .selectAll()
    .where('id', '=', id)
    .where('session_id', '=', sessionId)
    .executeTakeFirst();
  if (!row) throw new ConnectError('request.not-found', 'The session has no such link for a refund.');
  return row;
}

/** Throws `request.not-found`. */
export async function readLink(db: Database, sessionId: string, id: string): Promise<RefundLink> {
  return describeLink(await findLink(db, sessionId, id));
}

/** Lists a session's links, newest first. */
export async function listLinks(
  db: Database,
  sessionId: string,
  query: RefundLinksQuery,
): Promise<Page<RefundLink>> {
  const selection = db.selectFrom('refund_links').selectAll().where('session_id', '=', sessionId);
  const order = { at: 'created_at', id: 'id', first: 'newest' } as const;
  const { rows, next } = await readPage(['refund-links', sessionId], query, selection, order);
  return { rows: rows.map(describeLink), next };
}

/** Throws `request.not-found`, and `request.conflict` once a refund was made of it. */
export async function cancelLink(db: Database, sessionId: string, id: string): Promise<RefundLink> {
  const { cancelled_at: before } = await findLink(db, sessionId, id);
  const row = await db
    .updateTable('refund_links')
    .set({ cancelled_at: before ?? new Date() })
    .where('id', '=', id)
    .where('refund_id', 'is', null)
    .returningAll()
    .executeTakeFirst();
  if (!row) throw usedLink();
  return describeLink(row);
}

function usedLink(): ConnectError {
  return new ConnectError('request.conflict', 'A refund was made of this link already.');
}

/** The same for what is no token and for a link that has ended, so that nothing is learned from it. */
function noLink(): ConnectError {
  return new ConnectError(
    'request.not-found',
    'There is no such link, or it has ended. Ask the shop for another one.',
  );
}

/** The customer's own. Throws `request.not-found`. */
export async function linkOf(db: Database, token: string): Promise<RefundLinkRow> {
  const selection = db.selectFrom('refund_links').selectAll().where('token_hash', '=', hashOf(token));
  const row = await acrossAccounts('payment-page', () => selection.executeTakeFirst());
  if (!row || ['cancelled', 'expired'].includes(statusOf(row))) throw noLink();
  return row;
}

/** Takes the customer's address, once. Throws `request.not-found`, `request.conflict`, and `request.invalid` at `address`. */
export async function answerLink(
  service: Parts,
  { token, address }: { token: string; address: string },
): Promise<RefundLinkRow> {
  const row = await linkOf(service.db, token);
  return inAccount(row.application_id, async () => {
    const given = await addressFor(service, row, address);
    const now = await withSession(service.db, 'id', row.session_id, async (tx, session) => {
      const answered = await tx
        .updateTable('refund_links')
        .set({ address: given, answered_at: new Date() })
        .where('id', '=', row.id)
        .where('address', 'is', null)
        .where('cancelled_at', 'is', null)
        .where('expires_at', '>', new Date())
        .returningAll()
        .executeTakeFirst();
      if (!answered) return findLink(tx, row.session_id, row.id);
      await recordSessionEvent(tx, {
        session: session!,
        type: 'refund.address-given',
        reason: null,
        refundLink: describeLink(answered),
      });
      return answered;
    });
    if (now.address === null) throw noLink();
    if (now.address !== given)
      throw new ConnectError(
        'request.conflict',
        'An address was given by this link already, and it cannot be changed. Ask the shop for another link.',
      );
    return now;
  });
}

/** In the form that is stored and compared: of the payment's chain, with its checksum, and nobody else's whom a mistake would pay. */
async function addressFor({ db, networks }: Parts, row: RefundLinkRow, text: string): Promise<string> {
  const network = networks.file.networks.find(({ id }) => id === row.network);
  const issues: Issue[] = [];
  const address = addressAt('address', text.trim(), row.secret_type, issues);
  if (address !== undefined) {
    checkPayable('address', address, network, issues);
    if (await isShops(db, row, address))
      issues.push({ path: 'address', message: 'is the address of the shop: enter one of your own' });
  }
  if (issues.length > 0 || address === undefined) throw new RequestInvalidError(issues);
  return address;
}

/** The address that the customer paid is the one at hand. */
async function isShops(db: Database, row: RefundLinkRow, address: string): Promise<boolean> {
  const paid = await db
    .selectFrom('wallet_quotes')
    .select('id')
    .where('session_id', '=', row.session_id)
    .where('address', '=', address)
    .executeTakeFirst();
  return paid !== undefined;
}

export interface AnsweredLink {
  id: string;
  paymentId: string;
  /** Smallest units. */
  amount: bigint;
  address: string;
}

/**
 * The link of a refund that is requested. The shop repeats the whole address, so that it is the one that it looked at. Throws
 * `request.invalid` and `request.conflict`.
 */
export async function answeredLink(
  db: Database,
  session: SessionRow,
  { link, to, payment }: CreateRefund,
): Promise<AnsweredLink | undefined> {
  if (link == null) return undefined;
  const row = await findLink(db, session.id, link).catch(() => undefined);
  if (!row) throw invalid('link', 'must be the id of a link for a refund of this session');
  const status = statusOf(row);
  if (status === 'used') throw usedLink();
  if (status !== 'answered')
    throw invalid(
      'link',
      status === 'open' ? 'has no address yet: the customer has not answered' : `is ${status}`,
    );
  const { address, payment_id: paymentId } = row;
  if (to !== address)
    throw invalid('to', `must be the whole address that the customer gave by the link: ${address}`);
  if (payment != null && payment !== paymentId)
    throw invalid('payment', 'must be absent, or the payment of the link');
  return { id: row.id, paymentId, amount: BigInt(row.amount), address: address! };
}

/** In the transaction that stores the refund: a link is good for one. Throws `request.conflict`. */
export async function takeLink(tx: Database, id: string, refundId: string): Promise<void> {
  const { numUpdatedRows: taken } = await tx
    .updateTable('refund_links')
    .set({ refund_id: refundId })
    .where('id', '=', id)
    .where('refund_id', 'is', null)
    .where('cancelled_at', 'is', null)
    .executeTakeFirst();
  if (taken !== 1n) throw usedLink();
}
