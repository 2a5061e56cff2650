/** What can be requested of wallets besides single transactions: estimates, batches, and replacing a pending transaction. */
import * as z from 'zod/mini';
import { NATIVE_TYPES } from '../chains/transaction-types.ts';
import { Estimate } from './history.ts';
import { PasskeyAnswer } from './passkey.ts';
import type { Route } from './route.ts';
import { line, Pincode, WalletId } from './text.ts';

const NativeType = z.enum(Object.keys(NATIVE_TYPES) as [string, ...string[]]);
/** Without a PIN: it is signed later, or the PIN is given alongside. */
const noPin = z.optional(z.null('must be absent or null here'));

export const EstimateRequest = z.looseObject({ type: NativeType, walletId: WalletId, pincode: noPin });
export type EstimateRequest = z.infer<typeof EstimateRequest>;

export const MAX_IN_BATCH = 100;

export const BatchTransaction = z.looseObject({
  type: NativeType,
  walletId: z.optional(WalletId),
  pincode: noPin,
});

export const BatchRequest = z.strictObject({
  walletId: WalletId,
  pincode: z.optional(Pincode),
  passkey: z.optional(PasskeyAnswer),
  /** Native requests of this wallet, signed and sent in this order. */
  transactions: z.array(BatchTransaction).check(z.minLength(1), z.maxLength(MAX_IN_BATCH)),
  /** `stop`, the default: nothing is signed after one was refused. `continue`: the others are signed. */
  onRefusal: z.optional(z.enum(['stop', 'continue'])),
});
export type BatchRequest = z.infer<typeof BatchRequest>;

/** One for each transaction, in the same order. */
export const BatchResult = z.array(
  z.object({
    /**
     * `sent`: a node has it. `unsent`: it is signed, and will be sent as soon as a node accepts it. `refused`: it will not take effect;
     * without a `transactionHash` nothing was signed, and a repeated batch retries it, as it does what was `skipped`.
     */
    outcome: z.enum(['sent', 'unsent', 'refused', 'skipped']),
    transactionHash: z.optional(z.string()),
    /** Why it was not sent: the error that executing it alone would return. */
    error: z.optional(
      z.object({ code: z.string(), detail: z.string(), details: z.record(z.string(), z.unknown()) }),
    ),
  }),
);
export type BatchResult = z.infer<typeof BatchResult>;

export const ReplaceParams = z.strictObject({ hash: line(128) });
export const ReplaceRequest = z.strictObject({
  walletId: WalletId,
  pincode: z.optional(Pincode),
  passkey: z.optional(PasskeyAnswer),
});

export const ReplaceResult = z.object({
  transactionHash: z.string(),
  /** Hash of the pending one. Only one of the two takes effect: usually the new one, but the first may be mined already. */
  replaces: z.string(),
});

export const estimateTransaction = {
  method: 'POST',
  path: '/api/transactions/estimate',
  summary: 'Estimate what a native transaction request would cost, and whether it would be executed.',
  area: 'Transactions',
  scopes: ['save:transaction', 'sign:wallets'],
  body: EstimateRequest,
  status: 200,
  answer: Estimate,
} as const satisfies Route;

export const executeBatch = {
  method: 'POST',
  path: '/api/transactions/batch',
  summary: "Sign up to 100 of a wallet's native transaction requests with one PIN check, and send them.",
  area: 'Transactions',
  scopes: ['sign:wallets'],
  proof: 'enrolled',
  passkey: 'required',
  body: BatchRequest,
  idempotencyKey: 'required',
  status: 200,
  answer: BatchResult,
} as const satisfies Route;

export const speedUpTransaction = {
  method: 'POST',
  path: '/api/transactions/{hash}/speed-up',
  summary: 'Send a pending transaction again, with a higher fee.',
  area: 'Transactions',
  scopes: ['sign:wallets'],
  proof: 'enrolled',
  passkey: 'required',
  params: ReplaceParams,
  body: ReplaceRequest,
  idempotencyKey: true,
  status: 200,
  answer: ReplaceResult,
} as const satisfies Route;

export const cancelTransaction = {
  method: 'POST',
  path: '/api/transactions/{hash}/cancel',
  summary: 'Replace a pending transaction by a transfer to the wallet itself.',
  area: 'Transactions',
  scopes: ['sign:wallets'],
  proof: 'enrolled',
  passkey: 'required',
  params: ReplaceParams,
  body: ReplaceRequest,
  idempotencyKey: true,
  status: 200,
  answer: ReplaceResult,
} as const satisfies Route;
