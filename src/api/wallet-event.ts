/** Events of wallets: their receivers, their data, and the wallets that are watched for deposits. */
import * as z from 'zod/mini';
import { HistoryEntry, Money } from './history.ts';
import { SecretTypeSchema } from './secret-type.ts';
import { line } from './text.ts';
import { Wallet } from './wallet.ts';
import { createdReceiver, delivery, listedReceiver, ReceiverCredentials } from './webhook.ts';
import { withoutNulls } from './without-nulls.ts';

export const WALLET_EVENT_TYPES = [
  'wallet.created',
  'wallet.deposit',
  'transaction.confirmed',
  'transaction.failed',
] as const;
export type WalletEventType = (typeof WALLET_EVENT_TYPES)[number];

const Type = z.enum(WALLET_EVENT_TYPES);

export const CreateWalletWebhook = withoutNulls(
  z.strictObject({
    url: line(2048),
    /** The types that it gets; absent: all that this version of the service has. */
    events: z.optional(z.array(Type).check(z.minLength(1), z.maxLength(WALLET_EVENT_TYPES.length))),
    authenticationMethod: ReceiverCredentials,
  }),
);
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
]);
export type WalletEvent = z.infer<typeof WalletEvent>;

/** A wallet that is watched for deposits. */
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
