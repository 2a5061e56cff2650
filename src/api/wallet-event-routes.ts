/** Receivers of events of wallets, and the wallets that are watched for deposits. */
import * as z from 'zod/mini';
import { Nothing } from './account.ts';
import { PageQuery } from './paging.ts';
import type { Route } from './route.ts';
import {
  CreatedWalletWebhook,
  CreateWalletWebhook,
  ListedWalletWebhook,
  WalletDelivery,
  Watch,
} from './wallet-event.ts';
import { WalletParams } from './wallet-requests.ts';
import { DeliveryParams, WalletDeliveriesQuery, WebhookParams } from './webhook.ts';

const area = 'Events of wallets';
const scopes = ['view:wallets', 'use:all-wallets'] as const;
/** A receiver goes on getting events when the token has long expired. */
const alsoScopes = ['webhooks'] as const;

export const createWalletWebhook = {
  method: 'POST',
  path: '/api/webhooks',
  summary:
    "Register a receiver of events of the application's wallets; with `use:all-wallets` of its users', too.",
  area,
  scopes,
  alsoScopes,
  application: true,
  body: CreateWalletWebhook,
  status: 201,
  answer: CreatedWalletWebhook,
} as const satisfies Route;

export const listWalletWebhooks = {
  method: 'GET',
  path: '/api/webhooks',
  summary: 'List the receivers of events of wallets, oldest first.',
  area,
  scopes,
  alsoScopes,
  application: true,
  query: PageQuery,
  status: 200,
  answer: z.array(ListedWalletWebhook),
} as const satisfies Route;

export const readWalletWebhook = {
  method: 'GET',
  path: '/api/webhooks/{id}',
  summary: 'Read a receiver of events of wallets.',
  area,
  scopes,
  alsoScopes,
  application: true,
  params: WebhookParams,
  status: 200,
  answer: ListedWalletWebhook,
} as const satisfies Route;

export const deleteWalletWebhook = {
  method: 'DELETE',
  path: '/api/webhooks/{id}',
  summary: 'Delete a receiver with its deliveries. A delivery in progress may still arrive.',
  area,
  scopes,
  alsoScopes,
  application: true,
  params: WebhookParams,
  status: 200,
  answer: Nothing,
} as const satisfies Route;

export const listWalletDeliveries = {
  method: 'GET',
  path: '/api/webhooks/{id}/deliveries',
  summary: "List a receiver's deliveries, sent and waiting, newest first.",
  area,
  scopes,
  alsoScopes,
  application: true,
  params: WebhookParams,
  query: WalletDeliveriesQuery,
  status: 200,
  answer: z.array(WalletDelivery),
} as const satisfies Route;

export const redeliverWalletEvent = {
  method: 'POST',
  path: '/api/webhooks/{id}/deliveries/{deliveryId}/redeliver',
  summary: 'Send an event again, at once.',
  area,
  scopes,
  alsoScopes,
  application: true,
  params: DeliveryParams,
  status: 200,
  answer: WalletDelivery,
} as const satisfies Route;

export const watchWallet = {
  method: 'PUT',
  path: '/api/wallets/{id}/watch',
  summary: 'Watch a wallet for deposits. Repeating the call changes nothing.',
  area,
  scopes,
  alsoScopes,
  application: true,
  params: WalletParams,
  status: 200,
  answer: Watch,
} as const satisfies Route;

/** `request.not-found` where it is not watched. */
export const readWatch = {
  method: 'GET',
  path: '/api/wallets/{id}/watch',
  summary: 'Read whether a wallet is watched for deposits.',
  area,
  scopes,
  alsoScopes,
  application: true,
  params: WalletParams,
  status: 200,
  answer: Watch,
} as const satisfies Route;

export const unwatchWallet = {
  method: 'DELETE',
  path: '/api/wallets/{id}/watch',
  summary: 'Stop watching a wallet. Deposits that still wait for confirmations are not reported.',
  area,
  scopes,
  alsoScopes,
  application: true,
  params: WalletParams,
  status: 200,
  answer: Nothing,
} as const satisfies Route;
