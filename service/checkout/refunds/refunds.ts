/** Refunds of paid sessions, and of transfers to a receiving wallet that paid for nothing. */
import * as routes from '../../../src/api/checkout-routes.ts';
import type { CreateRefund, Refund } from '../../../src/api/refund.ts';
import { ConnectError } from '../../../src/base/errors.ts';
import type { SessionRow } from '../../database/schema.ts';
import { answerPage } from '../../http/paging.ts';
import type { Principal } from '../../http/principal.ts';
import { serve } from '../../http/serve.ts';
import { whileServing } from '../../http/while-serving.ts';
import { findRefund, Fingerprint, type KeyedRequest } from '../../idempotency/request-keys.ts';
import type { Area, Service } from '../../service.ts';
import { readSession } from '../sessions/read-session.ts';
import { refundCard } from './card-refund.ts';
import { listRefunds, readRefund } from './describe-refund.ts';
import { followRefunds, followUp } from './follow-refunds.ts';
import { answeredLink, cancelLink, createLink, listLinks, readLink } from './refund-links.ts';
import { paymentOf } from './refundable.ts';
import { DEFAULTS, type RefundSettings } from './refund-settings.ts';
import { refundFromWallet, type WalletRefund } from './wallet-refund.ts';

export const refunds: Area = (app, service) => {
  const { db } = service;
  const settings = { ...DEFAULTS, ...service.refunds };
  whileServing(app, () => followRefunds({ ...service, settings }, app.log));

  serve(app, routes.createRefund, async ({ params, body, principal, idempotencyKey: key }) => {
    const { accountId } = principal;
    const session = await readSession(db, accountId, params.sessionId);
    const { pincode: _pin, session: _token, ...terms } = body;
    const keyedRequest = { accountId, key, fingerprint: new Fingerprint(`refund ${session.id}`, terms) };
    return refund(service, settings, { session, body, keyedRequest, principal });
  });

  serve(app, routes.listRefunds, async (call) => {
    const { id } = await readSession(db, call.principal.accountId, call.params.sessionId);
    return answerPage(call, await listRefunds(db, id, call.query));
  });

  serve(app, routes.readRefund, async ({ params, principal }) => {
    const { id } = await readSession(db, principal.accountId, params.sessionId);
    return readRefund(db, id, params.refundId);
  });

  serveLinks(app, service);
};

function serveLinks(app: Parameters<Area>[0], service: Service): void {
  const { db } = service;

  serve(app, routes.createRefundLink, async ({ params, body, principal }) =>
    createLink(service, await readSession(db, principal.accountId, params.sessionId), body),
  );

  serve(app, routes.listRefundLinks, async (call) => {
    const { id } = await readSession(db, call.principal.accountId, call.params.sessionId);
    return answerPage(call, await listLinks(db, id, call.query));
  });

  serve(app, routes.readRefundLink, async ({ params, principal }) => {
    const { id } = await readSession(db, principal.accountId, params.sessionId);
    return readLink(db, id, params.linkId);
  });

  serve(app, routes.cancelRefundLink, async ({ params, principal }) => {
    const { id } = await readSession(db, principal.accountId, params.sessionId);
    return cancelLink(db, id, params.linkId);
  });
}

interface RefundRequest {
  session: SessionRow;
  body: CreateRefund;
  keyedRequest: KeyedRequest;
  principal: Principal;
}

async function refund(service: Service, settings: RefundSettings, request: RefundRequest): Promise<Refund> {
  const { db } = service;
  const { session, body, keyedRequest } = request;
  const before = await findRefund(db, keyedRequest);
  if (before) return readRefund(db, session.id, before.id);
  const link = await answeredLink(db, session, body);
  const payment = await paymentOf(db, session, link?.paymentId ?? body.payment ?? undefined);
  if (payment.transfer)
    return signed(service, settings, {
      ...request,
      payment: { ...payment, transfer: payment.transfer },
      link,
    });
  service.restored.admitRefund(session.created_at, keyedRequest.key);
  try {
    const id = await refundCard(
      { db, payments: service.payments, settings },
      { session, payment, body, keyedRequest },
    );
    return await readRefund(db, session.id, id);
  } catch (error) {
    // A concurrent copy of the request was faster.
    const other = error instanceof ConnectError && error.code === 'request.conflict';
    const made = other && (await findRefund(db, keyedRequest));
    if (made) return readRefund(db, session.id, made.id);
    throw error;
  }
}

/** Once its transaction is signed, the refund exists, whatever the node answers. */
async function signed(service: Service, settings: RefundSettings, refund: WalletRefund): Promise<Refund> {
  const { db } = service;
  const thrown = await refundFromWallet(service, settings, refund).then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
  const made = await findRefund(db, refund.keyedRequest);
  if (!made) throw thrown?.error ?? replacedSince();
  if (thrown) await followUp({ ...service, settings }, made);
  return readRefund(db, refund.session.id, made.id);
}

/** The key is of a candidate of 0.2.0, which did not note the refund, and the refund's transaction was replaced. */
function replacedSince(): ConnectError {
  return new ConnectError(
    'request.conflict',
    'The refund of this Idempotency-Key was made, and its transaction was replaced since: list the refunds of the session.',
  );
}
