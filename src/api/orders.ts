/** What can be requested of wallets besides single transactions: estimates, batches, and replacing a pending transaction. */
import * as z from 'zod/mini';
import { NATIVE_TYPES } from '../chains/transaction-types.ts';
import { PasskeyAnswer } from './passkey.ts';
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
