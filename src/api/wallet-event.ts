/** Events of wallets: who is sent them, what they say, and which wallets are watched for deposits. */
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
    /** What it is sent; absent: all, as far as this version of the service has them. */
    events: z.optional(z.array(Type).check(z.minLength(1), z.maxLength(WALLET_EVENT_TYPES.length))),
    authenticationMethod: ReceiverCredentials,
  }),
);
export type CreateWalletWebhook = z.infer<typeof CreateWalletWebhook>;

const ofWallets = {
  /** What it is sent. */
  events: z.array(Type),
  /** Whether it is also sent events of wallets of the application's users. */
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
  /** As it was created with; absent without one. */
  identifier: z.optional(z.string()),
});

export const Deposit = z.object({
  transactionHash: z.string(),
  /** Where in the transaction: one may have several deposits, and no two have the same hash and place. */
  place: z.string(),
  /** Id of the network in `networks.json`. */
  network: z.string(),
  /** Null where several sent it together, or where the chain does not say. */
  from: z.nullable(z.string()),
  to: z.string(),
  amount: Money,
  /** Number of its block; of Aeternity the height of the key block after it. */
  block: z.int(),
  blockHash: z.string(),
  /** How many blocks, its own included, it waited for. */
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

/** That a wallet is watched for deposits. */
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
