/** Receivers of events of payments and of wallets (`wallet-event.ts`), and the log of deliveries: docs/webhooks.md. */
import * as z from 'zod/mini';
import { CheckoutSession, SessionWalletPayment } from './checkout.ts';
import { paging } from './paging.ts';
import { ReceivingWallet } from './receiving-wallet.ts';
import { Refund } from './refund.ts';
import { RefundLink } from './refund-link.ts';
import { line, WalletId } from './text.ts';
import { withoutNulls } from './route.ts';

/** RFC 9110 `token`; the service refuses names that HTTP or the signature needs. */
const HeaderName = z
  .string()
  .check(z.maxLength(128), z.regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'must be the name of an HTTP header'));
const HeaderValue = z
  .string()
  .check(z.maxLength(1024), z.regex(/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/, 'must be printable ASCII'));

/** How the service authenticates to a receiver, besides the signature. */
export const ReceiverCredentials = withoutNulls(
  z.discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('BASIC_AUTHENTICATION'),
      /** RFC 7617: no colon. */
      username: z
        .string()
        .check(z.minLength(1), z.maxLength(256), z.regex(/^[^:\p{Cc}]+$/u, 'must not have a colon')),
      password: z
        .string()
        .check(z.minLength(1), z.maxLength(1024), z.regex(/^\P{Cc}+$/u, 'must not have control characters')),
    }),
    z.strictObject({ type: z.literal('API_KEY'), headerName: HeaderName, apiKey: HeaderValue }),
  ]),
);
export type ReceiverCredentials = z.infer<typeof ReceiverCredentials>;

export const CreateWebhook = z.strictObject({
  url: line(2048),
  application: z.literal('PAY'),
  authenticationMethod: ReceiverCredentials,
});
export type CreateWebhook = z.infer<typeof CreateWebhook>;

/** Credentials are never read back. */
const receiver = {
  id: z.string(),
  url: z.string(),
  authenticationMethod: z.object({ type: z.enum(['BASIC_AUTHENTICATION', 'API_KEY']) }),
};

/** Fields of a receiver in lists, besides its own. */
export const listedReceiver = {
  ...receiver,
  createdAt: z.string(),
  /** ISO 8601: since when nothing is sent to it, because it answered 410. Null while it is in use. */
  disabledAt: z.nullable(z.string()),
};

/** Fields that only the answer to a registration has. */
export const createdReceiver = {
  ...receiver,
  /** `whsec_…` (Standard Webhooks), shown once. */
  signingSecret: z.string(),
};

const forPayments = { application: z.literal('PAY') };

export const ListedWebhook = z.object({ ...listedReceiver, ...forPayments });
export type ListedWebhook = z.infer<typeof ListedWebhook>;

export const CreatedWebhook = z.object({ ...createdReceiver, ...forPayments });
export type CreatedWebhook = z.infer<typeof CreatedWebhook>;

export const EVENT_TYPES = [
  'payment.succeeded',
  'payment.declined',
  'payment.cancelled',
  'payment.underpaid',
  'payment.overpaid',
  'payment.unassigned',
  'refund.succeeded',
  'refund.failed',
  'refund.address-given',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** Body of a delivery. */
export const PaymentEvent = z.object({
  /** The same in every delivery of the event, as in the header `webhook-id`. */
  id: z.string(),
  type: z.enum(EVENT_TYPES),
  /** ISO 8601, of the event. */
  timestamp: z.string(),
  data: z.object({
    /** 1, 2, … within a session; deliveries may come in another order. */
    sequence: z.int(),
    /** The session right after the event. */
    session: CheckoutSession,
    /** Why a payment was declined, cancelled or unassigned, or a refund failed; null otherwise. */
    reason: z.nullable(z.string()),
    /** Present in events about a refund. */
    refund: z.optional(Refund),
    /** Present in `refund.address-given`: where the customer wants the money, which nobody has sent yet. */
    refund_link: z.optional(RefundLink),
    /** Present in events about a payment by wallet that paid for nothing. */
    wallet_payment: z.optional(SessionWalletPayment),
  }),
});
export type PaymentEvent = z.infer<typeof PaymentEvent>;

/** Tells an application that its receiving wallets were changed, by whomever. */
export const ReceivingWalletEvent = z.object({
  id: z.string(),
  type: z.literal('receiving-wallet.changed'),
  /** ISO 8601, of the event. */
  timestamp: z.string(),
  data: z.object({
    /** What is set from now on, in the order in which customers see it. */
    receiving_wallets: z.array(ReceivingWallet),
  }),
});
export type ReceivingWalletEvent = z.infer<typeof ReceivingWalletEvent>;

export const DELIVERY_STATES = ['waiting', 'delivered', 'given-up'] as const;

/** Fields of every delivery. */
export const delivery = {
  id: z.string(),
  eventId: z.string(),
  webhookId: z.string(),
  state: z.enum(DELIVERY_STATES),
  /** The newest 20, oldest first. */
  attempts: z.array(
    z.object({
      /** ISO 8601. */
      at: z.string(),
      /** Null when no answer came. */
      status: z.nullable(z.int()),
      /** Null when it was delivered. */
      error: z.nullable(z.string()),
      milliseconds: z.int(),
    }),
  ),
  /** ISO 8601; null when none is planned. */
  nextAttemptAt: z.nullable(z.string()),
};

export const Delivery = z.object({
  ...delivery,
  type: z.enum([...EVENT_TYPES, 'receiving-wallet.changed']),
  /** Null for an event of no session. */
  sessionId: z.nullable(z.string()),
  /** The event's number within its session. */
  sequence: z.nullable(z.int()),
});
export type Delivery = z.infer<typeof Delivery>;

export const WebhookParams = z.strictObject({ id: line(64) });
export const DeliveryParams = z.strictObject({ id: line(64), deliveryId: line(64) });

const deliveriesOf = { state: z.optional(z.enum(DELIVERY_STATES)), ...paging };

/** Newest first. */
export const DeliveriesQuery = z.strictObject({
  ...deliveriesOf,
  /** Id of a checkout session. */
  session: z.optional(line(128)),
  /** Id of the delivery after which the list begins; pages are read by `cursor`. */
  before: z.optional(line(64)),
});
export type DeliveriesQuery = z.infer<typeof DeliveriesQuery>;

/** Newest first. */
export const WalletDeliveriesQuery = z.strictObject({
  ...deliveriesOf,
  /** Id of the wallet that the event is about. */
  wallet: z.optional(WalletId),
});
export type WalletDeliveriesQuery = z.infer<typeof WalletDeliveriesQuery>;
