/** Events of wallets: their receivers, their data, and the wallets that are watched for deposits. */
import * as z from 'zod/mini';
import { Nothing } from './account.ts';
import { HistoryEntry, Money } from './history.ts';
import { PageQuery } from './paging.ts';
import type { Route } from './route.ts';
import { SecretTypeSchema } from './secret-type.ts';
import { line } from './text.ts';
import { NetworkQuery, WalletParams } from './wallet-requests.ts';
import { Wallet } from './wallet.ts';
import {
  createdReceiver,
  delivery,
  DeliveryParams,
  listedReceiver,
  ReceiverCredentials,
  WalletDeliveriesQuery,
  WebhookParams,
} from './webhook.ts';

export const WALLET_EVENT_TYPES = [
  'wallet.created',
  'wallet.deposit',
  'transaction.confirmed',
  'transaction.failed',
  'transaction.swap-settled',
] as const;
export type WalletEventType = (typeof WALLET_EVENT_TYPES)[number];

const Type = z.enum(WALLET_EVENT_TYPES);

export const CreateWalletWebhook = z.strictObject({
  url: line(2048),
  /** The types that it gets; absent: all that this version of the service has. Null is refused: it could mean all, or none. */
  events: z.optional(z.array(Type).check(z.minLength(1), z.maxLength(WALLET_EVENT_TYPES.length))),
  authenticationMethod: ReceiverCredentials,
});
export type CreateWalletWebhook = z.infer<typeof CreateWalletWebhook>;

const ofWallets = {
  /** The types that it gets. */
  events: z.array(Type),
  /** Whether it also gets events of the wallets of the application's users. */
  allWallets: z.boolean(),
};

export const ListedWalletWebhook = z.object({ ...listedReceiver, ...ofWallets });
export type ListedWalletWebhook = z.infer<typeof ListedWalletWebhook>;

export const CreatedWalletWebhook = z.object({ ...createdReceiver, ...ofWallets });
export type CreatedWalletWebhook = z.infer<typeof CreatedWalletWebhook>;

export const WalletDelivery = z.object({ ...delivery, type: Type, walletId: z.string() });
export type WalletDelivery = z.infer<typeof WalletDelivery>;

/** The wallet that an event is about. */
const Subject = z.object({
  id: z.string(),
  address: z.string(),
  secretType: SecretTypeSchema,
  /** The one that it was created with; absent without one. */
  identifier: z.optional(z.string()),
});

export const Deposit = z.object({
  transactionHash: z.string(),
  /** Its place in the transaction, which may have several deposits: no two have the same hash and place. */
  place: z.string(),
  /** Id of the network in `networks.json`. */
  network: z.string(),
  /** Null if several sent it together, or if the chain does not say. */
  from: z.nullable(z.string()),
  to: z.string(),
  amount: Money,
  /** Number of its block; of Aeternity the height of the key block after it. */
  block: z.int(),
  blockHash: z.string(),
  /** How many confirmations it has: the blocks from its own on. */
  confirmations: z.int(),
});
export type Deposit = z.infer<typeof Deposit>;

const event = {
  /** The same in every delivery of the event, as in the header `webhook-id`. */
  id: z.string(),
  /** ISO 8601, of the event. */
  timestamp: z.string(),
};
const settled = z.object({ wallet: Subject, transaction: HistoryEntry });

/** Body of a delivery. */
export const WalletEvent = z.discriminatedUnion('type', [
  z.object({ ...event, type: z.literal('wallet.created'), data: z.object({ wallet: Wallet }) }),
  z.object({
    ...event,
    type: z.literal('wallet.deposit'),
    data: z.object({ wallet: Subject, deposit: Deposit }),
  }),
  z.object({ ...event, type: z.literal('transaction.confirmed'), data: settled }),
  z.object({ ...event, type: z.literal('transaction.failed'), data: settled }),
  /** The exchange between chains that it began has ended: `transaction.swap` says how. */
  z.object({ ...event, type: z.literal('transaction.swap-settled'), data: settled }),
]);
export type WalletEvent = z.infer<typeof WalletEvent>;

/** A wallet that is watched for deposits on a network. */
export const Watch = z.object({
  walletId: z.string(),
  /** Id of the network in `networks.json`. */
  network: z.string(),
  /** Blocks, its own included, that a deposit waits for. */
  confirmations: z.int(),
  /** ISO 8601. */
  since: z.string(),
});
export type Watch = z.infer<typeof Watch>;

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
  summary: 'Watch a wallet for deposits on one of its networks. Repeating the call changes nothing.',
  area,
  scopes,
  alsoScopes,
  application: true,
  params: WalletParams,
  query: NetworkQuery,
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
  query: NetworkQuery,
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
  query: NetworkQuery,
  status: 200,
  answer: Nothing,
} as const satisfies Route;
