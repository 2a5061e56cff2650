/**
 * Refunds of payments by wallet: a transfer of the coin or token that was paid, from a wallet of the shop to an address that it names. It
 * takes the same path as every transaction that the service signs, and the refund is written together with the signed transaction: neither
 * exists without the other.
 */
import { randomBytes } from 'node:crypto';
import type { CreateRefund } from '../../../src/api/refund.ts';
import { draftToJson } from '../../../src/api/draft-json.ts';
import { formatAmount, parseUnits } from '../../../src/base/amount.ts';
import type { Draft } from '../../../src/chains/terms.ts';
import { loadPayloads } from '../../networks/chains.ts';
import type { Network } from '../../../src/chains/network.ts';
import { networksOf } from '../../../src/chains/nodes/networks.ts';
import { invalid } from '../../../src/chains/requests/payloads.ts';
import type { ReceivingChain } from '../../../src/api/secret-type.ts';
import { ConnectError, type Issue, RequestInvalidError } from '../../../src/base/errors.ts';
import { requireScope } from '../../auth/access-tokens.ts';
import type { Database } from '../../database/database.ts';
import type { SessionRow, TransferRow } from '../../database/schema.ts';
import type { Principal } from '../../http/principal.ts';
import { type KeyedRequest, noteRefund } from '../../idempotency/request-keys.ts';
import type { Service } from '../../service.ts';
import { draftOf, type Opening, type SpendRequest, spend } from '../../transactions/spending.ts';
import { ownWallet } from '../../users/own-wallets.ts';
import type { StoredWallet } from '../../wallets/stored-wallets.ts';
import { homeOf, otherNetwork } from '../../wallets/wallet-network.ts';
import { withSession } from '../sessions/transitions.ts';
import { isConfirmed } from '../wallet-payments/confirmed.ts';
import { addressAt, checkPayable } from '../wallet-payments/payable-address.ts';
import type { RefundSettings } from './refund-settings.ts';
import { type AnsweredLink, takeLink } from './refund-links.ts';
import { networkOf, type RefundedPayment, requireLeft } from './refundable.ts';

export interface WalletRefund {
  session: SessionRow;
  payment: RefundedPayment & { transfer: TransferRow };
  body: CreateRefund;
  keyedRequest: KeyedRequest;
  principal: Principal;
  /** By which the customer gave the address. */
  link?: AnsweredLink | undefined;
}

/**
 * Throws `request.invalid`, `checkout.refund.refused`, `wallet.forbidden` and whatever `spend` throws. If the refund exists all the same, it
 * is signed and will be sent.
 */
export async function refundFromWallet(
  service: Service,
  settings: RefundSettings,
  { session, payment, body, keyedRequest, principal, link }: WalletRefund,
): Promise<void> {
  requireScope(principal, ['sign:wallets']);
  const { transfer } = payment;
  const network = networkOf(service, transfer);
  const to = recipientOf(body, network);
  const wallet = await payingWallet(service, principal, body, network);
  const opening = openingOf(body, principal);
  if (!(await isConfirmed(service, transfer)))
    throw new ConnectError(
      'checkout.refund.refused',
      'The payment does not have its confirmations yet. Try again later.',
      { reason: 'unconfirmed' },
    );
  const amount = await withSession(service.db, 'id', session.id, (tx) =>
    requireLeft(tx, payment, amountIn(body, transfer, link)),
  );
  const payloads = await loadPayloads(wallet.secret_type);
  const request = payloads.parseTransfer({
    secretType: wallet.secret_type,
    walletId: wallet.id,
    to,
    value: formatAmount(amount, transfer.decimals),
    ...(transfer.token_address !== '' && { tokenAddress: transfer.token_address }),
  });
  const spendRequest: SpendRequest = {
    ...opening,
    wallet,
    network: otherNetwork(service.networks, wallet, network.id, 'walletId'),
    principal,
    keyedRequest,
    request: draftToJson(request),
    draft: exactly(draftOf(request, wallet), { to, amount, token: transfer.token_address }),
    beside: async (tx, entry) => {
      const id = `re_${randomBytes(12).toString('hex')}`;
      await lockSession(tx, session.id);
      await tx
        .insertInto('refunds')
        .values({
          id,
          session_id: session.id,
          application_id: session.application_id,
          payment_id: payment.id,
          method: 'wallet',
          state: 'pending',
          note: body.note ?? null,
          amount: String(await requireLeft(tx, payment, amount)),
          transaction_id: entry.id,
          network: network.id,
          token_address: transfer.token_address,
          symbol: transfer.symbol,
          decimals: transfer.decimals,
          address: to,
          next_look_at: new Date(Date.now() + settings.againMs),
        })
        .execute();
      if (link) await takeLink(tx, link.id, id);
      await noteRefund(tx, keyedRequest, id);
    },
  };
  await spend(service, spendRequest);
}

async function lockSession(tx: Database, id: string): Promise<void> {
  await tx.selectFrom('checkout_sessions').select('id').where('id', '=', id).forUpdate().execute();
}

function recipientOf({ to }: CreateRefund, network: Network & { secretType: ReceivingChain }): string {
  if (to == null)
    throw invalid(
      'to',
      'is required: an address that the customer gives for the refund, not the sender of the payment',
    );
  const issues: Issue[] = [];
  const address = addressAt('to', to, network.secretType, issues);
  if (address) checkPayable('to', address, network, issues);
  if (issues.length > 0 || address === undefined) throw new RequestInvalidError(issues);
  return address;
}

/** Of the shop itself, on the network of the payment. A spending session is for the wallet's default network alone. */
async function payingWallet(
  service: Service,
  principal: Principal,
  { walletId, session }: CreateRefund,
  network: Network,
): Promise<StoredWallet> {
  if (walletId == null) throw invalid('walletId', 'is required: your wallet that sends the refund');
  const wallet = await ownWallet(service.db, principal, walletId);
  if (wallet.secret_type !== network.secretType)
    throw invalid('walletId', `must be a wallet of ${network.secretType}, as the payment is`);
  const { networks } = service;
  const on =
    session == null ? networksOf(networks.file, homeOf(wallet)).map(({ id }) => id) : [networks.idOf(wallet)];
  if (!on.includes(network.id))
    throw invalid('walletId', `must be a wallet on ${network.id}, as the payment is`);
  return wallet;
}

function openingOf({ pincode, session }: CreateRefund, { applicationId }: Principal): Opening {
  if (pincode != null && session != null) throw invalid('session', 'must be absent if there is a pincode');
  if (session != null) return { session: { token: session, applicationId } };
  if (pincode == null) throw invalid('pincode', 'is required, or a spending session in its place');
  return { pincode };
}

/** In smallest units; undefined for all that is left. */
function amountIn(
  { amount }: CreateRefund,
  { symbol, decimals }: TransferRow,
  link: AnsweredLink | undefined,
): bigint | undefined {
  if (amount == null) return link?.amount;
  if (typeof amount === 'number') throw invalid('amount', `must be a decimal number of ${symbol}, as text`);
  try {
    const wanted = parseUnits(amount, decimals);
    if (!link || wanted <= link.amount) return wanted;
  } catch (error) {
    throw invalid('amount', (error as Error).message);
  }
  throw invalid('amount', `must be at most ${formatAmount(link.amount, decimals)}, as the link says`);
}

/** Decimals come from more than one source, so what is signed is compared with the refund. */
function exactly(
  draftFor: SpendRequest['draft'],
  { to, amount, token }: { to: string; amount: bigint; token: string },
): SpendRequest['draft'] {
  return async (context): Promise<Draft> => {
    const draft = await draftFor(context);
    const { kind, to: recipient, amount: sent, parts } = await context.chain.describe(draft);
    const isSame =
      kind === 'transfer' &&
      !parts &&
      recipient?.toLowerCase() === to.toLowerCase() &&
      sent.raw === amount &&
      (sent.token ?? '').toLowerCase() === token.toLowerCase();
    if (!isSame) throw new Error('the transaction is not the refund that was requested');
    return draft;
  };
}
