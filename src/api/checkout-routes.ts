/** The calls of checkout that a shop's server makes: docs/checkout.md#the-calls. */
import * as z from 'zod/mini';
import { Nothing } from './account.ts';
import { Branding, BrandingRequest, IconFile } from './branding.ts';
import { AcceptPayments, CheckoutSession, CreateSession, SessionParams, SessionsQuery } from './checkout.ts';
import {
  PutReceivingKey,
  PutReceivingWallet,
  PutReceivingWallets,
  ReceivedPayment,
  ReceivedQuery,
  ReceivingKeyParams,
  ReceivingWallet,
  ReceivingWallets,
} from './receiving-wallet.ts';
import { PageQuery } from './paging.ts';
import { Receipt } from './receipt.ts';
import { CreateRefund, Refund, RefundParams, RefundsQuery } from './refund.ts';
import type { Route } from './route.ts';
import {
  CreatedWebhook,
  CreateWebhook,
  DeliveriesQuery,
  Delivery,
  DeliveryParams,
  ListedWebhook,
  WebhookParams,
} from './webhook.ts';

export const createSession = {
  method: 'POST',
  path: '/checkout/sessions',
  summary: 'Create a checkout session. The customer pays at its `url`.',
  area: 'Checkout',
  scopes: ['checkout'],
  application: true,
  body: CreateSession,
  idempotencyKey: true,
  status: 201,
  answer: CheckoutSession,
} as const satisfies Route;

export const readSession = {
  method: 'GET',
  path: '/checkout/sessions/{sessionId}',
  summary: 'Read a checkout session.',
  area: 'Checkout',
  scopes: ['checkout'],
  application: true,
  params: SessionParams,
  status: 200,
  answer: CheckoutSession,
} as const satisfies Route;

export const listSessions = {
  method: 'GET',
  path: '/checkout/sessions',
  summary: 'List checkout sessions, newest first.',
  area: 'Checkout',
  scopes: ['checkout'],
  application: true,
  query: SessionsQuery,
  status: 200,
  answer: z.array(CheckoutSession),
} as const satisfies Route;

export const expireSession = {
  method: 'POST',
  path: '/checkout/sessions/{sessionId}/expire',
  summary: 'End an open checkout session, so that it can no longer be paid.',
  area: 'Checkout',
  scopes: ['checkout'],
  application: true,
  params: SessionParams,
  status: 200,
  answer: CheckoutSession,
} as const satisfies Route;

/** `request.not-found` until the session is paid. */
export const readReceipt = {
  method: 'GET',
  path: '/checkout/sessions/{sessionId}/receipt',
  summary: "Read a paid session's receipt. Its customers see it at `receipt_url`.",
  area: 'Checkout',
  scopes: ['checkout'],
  application: true,
  params: SessionParams,
  status: 200,
  answer: Receipt,
} as const satisfies Route;

/** Refused with `checkout.refund.refused`; from a wallet also with the errors of executing a transaction: then nothing was signed. */
export const createRefund = {
  method: 'POST',
  path: '/checkout/sessions/{sessionId}/refunds',
  summary: 'Refund a payment, in full or in part.',
  area: 'Refunds',
  scopes: ['refund'],
  application: true,
  params: SessionParams,
  body: CreateRefund,
  idempotencyKey: 'required',
  status: 201,
  answer: Refund,
} as const satisfies Route;

export const listRefunds = {
  method: 'GET',
  path: '/checkout/sessions/{sessionId}/refunds',
  summary: "List a session's refunds, newest first.",
  area: 'Refunds',
  scopes: ['refund'],
  application: true,
  params: SessionParams,
  query: RefundsQuery,
  status: 200,
  answer: z.array(Refund),
} as const satisfies Route;

/** `request.not-found` where there is none. */
export const readRefund = {
  method: 'GET',
  path: '/checkout/sessions/{sessionId}/refunds/{refundId}',
  summary: 'Read a refund.',
  area: 'Refunds',
  scopes: ['refund'],
  application: true,
  params: RefundParams,
  status: 200,
  answer: Refund,
} as const satisfies Route;

export {
  cancelRefundLink,
  createRefundLink,
  giveRefundAddress,
  listRefundLinks,
  readRefundLink,
  readRefundRequest,
} from './refund-link.ts';

/** The shop has to decide: whoever knows a transaction's hash can report it on a payment page. */
export const acceptPayments = {
  method: 'POST',
  path: '/checkout/sessions/{sessionId}/accept',
  summary: 'Accept under- or overpayments by wallet as the payment of an open checkout session.',
  area: 'Payments by wallet',
  scopes: ['checkout'],
  application: true,
  params: SessionParams,
  body: AcceptPayments,
  status: 200,
  answer: CheckoutSession,
} as const satisfies Route;

/** For what came after blocks were no longer searched for it: `request.not-found` if the session has no address of its own. */
export const searchPayments = {
  method: 'POST',
  path: '/checkout/sessions/{sessionId}/search',
  summary:
    "Look again for payments to a session's own address on Bitcoin or Litecoin; returns those to the session.",
  area: 'Payments by wallet',
  scopes: ['checkout'],
  application: true,
  params: SessionParams,
  status: 200,
  answer: z.array(ReceivedPayment),
} as const satisfies Route;

export const uploadIcon = {
  method: 'POST',
  path: '/account/settings/branding/icon',
  summary: 'Upload an icon for the payment page: a square PNG, JPEG or WebP of at least 128 by 128 pixels.',
  area: 'Branding',
  scopes: ['branding'],
  application: true,
  file: 'icon',
  status: 201,
  answer: IconFile,
} as const satisfies Route;

export const setBranding = {
  method: 'POST',
  path: '/account/settings/branding',
  summary: 'Set the look of the payment page.',
  area: 'Branding',
  scopes: ['branding'],
  application: true,
  body: BrandingRequest,
  status: 200,
  answer: Branding,
} as const satisfies Route;

export const setReceivingWallets = {
  method: 'PUT',
  path: '/account/settings/receiving-wallets',
  summary:
    'Set the wallets that get payments, one for each coin or token of a network, in the order in which customers see them. Those that have a key stay, after them.',
  area: 'Payments by wallet',
  scopes: ['receiving-wallet'],
  application: true,
  body: PutReceivingWallets,
  status: 200,
  answer: ReceivingWallets,
} as const satisfies Route;

export const readReceivingWallets = {
  method: 'GET',
  path: '/account/settings/receiving-wallets',
  summary: 'Read which wallets get payments, in their order; none if no wallet is set.',
  area: 'Payments by wallet',
  scopes: ['receiving-wallet'],
  application: true,
  status: 200,
  answer: ReceivingWallets,
} as const satisfies Route;

/** Others that have an address are removed; those that have a key stay. */
export const setReceivingWallet = {
  method: 'PUT',
  path: '/account/settings/receiving-wallet',
  summary:
    'Set the only wallet that gets payments at an address; those that have a key stay. Existing quotes still go to the previous wallets.',
  area: 'Payments by wallet',
  scopes: ['receiving-wallet'],
  application: true,
  body: PutReceivingWallet,
  status: 200,
  answer: ReceivingWallet,
} as const satisfies Route;

export const setReceivingKey = {
  method: 'PUT',
  path: '/api/client/receiving-key',
  summary:
    'Receive Bitcoin or Litecoin at an address for each session, of an extended public key. Sessions that have an address keep it.',
  area: 'Payments by wallet',
  clientSecret: true,
  body: PutReceivingKey,
  status: 200,
  answer: ReceivingWallet,
} as const satisfies Route;

/** What a key protects is changed with the client's secret alone. */
export const deleteReceivingKey = {
  method: 'DELETE',
  path: '/api/client/receiving-key/{id}',
  summary:
    'Stop offering payments in the coin of this key. Sessions keep the addresses that they have, and payments there still count.',
  area: 'Payments by wallet',
  clientSecret: true,
  params: ReceivingKeyParams,
  status: 200,
  answer: Nothing,
} as const satisfies Route;

/** `request.not-found` where there is none. */
export const readReceivingWallet = {
  method: 'GET',
  path: '/account/settings/receiving-wallet',
  summary: 'Read the first wallet that gets payments.',
  area: 'Payments by wallet',
  scopes: ['receiving-wallet'],
  application: true,
  status: 200,
  answer: ReceivingWallet,
} as const satisfies Route;

export const deleteReceivingWallet = {
  method: 'DELETE',
  path: '/account/settings/receiving-wallet',
  summary:
    'Remove all wallets that get payments at an address; those that have a key stay. Payments in progress still count.',
  area: 'Payments by wallet',
  scopes: ['receiving-wallet'],
  application: true,
  status: 200,
  answer: Nothing,
} as const satisfies Route;

export const listWalletPayments = {
  method: 'GET',
  path: '/checkout/wallet-payments',
  summary:
    'List the transfers to receiving wallets, newest first: payments, and transfers that paid for nothing.',
  area: 'Payments by wallet',
  scopes: ['checkout'],
  application: true,
  query: ReceivedQuery,
  status: 200,
  answer: z.array(ReceivedPayment),
} as const satisfies Route;

export const createWebhook = {
  method: 'POST',
  path: '/webhooks',
  summary: 'Register a receiver of payment events.',
  area: 'Webhooks',
  scopes: ['webhooks'],
  application: true,
  body: CreateWebhook,
  status: 201,
  answer: CreatedWebhook,
} as const satisfies Route;

export const listWebhooks = {
  method: 'GET',
  path: '/webhooks',
  summary: 'List the receivers.',
  area: 'Webhooks',
  scopes: ['webhooks'],
  application: true,
  query: PageQuery,
  status: 200,
  answer: z.array(ListedWebhook),
} as const satisfies Route;

export const readWebhook = {
  method: 'GET',
  path: '/webhooks/{id}',
  summary: 'Read a receiver.',
  area: 'Webhooks',
  scopes: ['webhooks'],
  application: true,
  params: WebhookParams,
  status: 200,
  answer: ListedWebhook,
} as const satisfies Route;

export const deleteWebhook = {
  method: 'DELETE',
  path: '/webhooks/{id}',
  summary: 'Delete a receiver with its deliveries. A delivery in progress may still arrive.',
  area: 'Webhooks',
  scopes: ['webhooks'],
  application: true,
  params: WebhookParams,
  status: 200,
  answer: Nothing,
} as const satisfies Route;

export const listDeliveries = {
  method: 'GET',
  path: '/webhooks/{id}/deliveries',
  summary: "List a receiver's deliveries, sent and waiting, newest first.",
  area: 'Webhooks',
  scopes: ['webhooks'],
  application: true,
  params: WebhookParams,
  query: DeliveriesQuery,
  status: 200,
  answer: z.array(Delivery),
} as const satisfies Route;

export const redeliver = {
  method: 'POST',
  path: '/webhooks/{id}/deliveries/{deliveryId}/redeliver',
  summary: 'Send an event again, at once.',
  area: 'Webhooks',
  scopes: ['webhooks'],
  application: true,
  params: DeliveryParams,
  status: 200,
  answer: Delivery,
} as const satisfies Route;
