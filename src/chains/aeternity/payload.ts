/** Requests for Aeternity: the native spend, and the build bodies of the API that mean one. */
import * as z from 'zod/mini';
import {
  type AmountLike,
  NoNetwork,
  Pincode,
  WalletId,
  bodyFields,
  coinValue,
  field,
  finished,
  messageFields,
  optional,
  readMemo,
  readSmallest,
  readUint,
  recipient,
} from '../requests/fields.ts';
import { type InputOf, type OutputOf, payloadsOf } from '../requests/payloads.ts';
import { readAddress } from './address.ts';
import { COIN } from './draft.ts';

const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER);

const readAettos = (value: unknown) => readSmallest(value, { name: 'aettos', coin: COIN });
const readHeight = (value: unknown) => Number(readUint(value, MAX_SAFE, 'must be a block height'));
const readNonce = (value: unknown) => {
  const nonce = Number(readUint(value, MAX_SAFE, 'must be a nonce'));
  if (nonce === 0) throw new Error('must be at least 1; leave it out for the next one');
  return nonce;
};

const AeTransaction = finished(
  z.strictObject({
    type: z.literal('AE_TRANSACTION'),
    walletId: WalletId,
    pincode: Pincode,
    network: NoNetwork,
    to: field(readAddress),
    /** Aettos. */
    value: field<bigint, AmountLike>(readAettos),
    /** A public memo. */
    data: optional(readMemo),
    /** Aettos; by default according to size. */
    fee: optional<bigint, AmountLike>(readAettos),
    /** Height of the last key block that may contain the transaction; 0 for no expiry. */
    ttl: optional<number, AmountLike>(readHeight),
    nonce: optional<number, AmountLike>(readNonce),
  }),
);

const body = { ...bodyFields('AETERNITY'), to: recipient(readAddress), value: coinValue(COIN) };

const Transfer = finished(z.strictObject({ type: z.literal('TRANSFER'), ...body, data: optional(readMemo) }));

const GasTransfer = finished(z.strictObject({ type: z.literal('GAS_TRANSFER'), ...body }));

const transactions = { AE_TRANSACTION: AeTransaction, TRANSFER: Transfer, GAS_TRANSFER: GasTransfer };

const Message = finished(z.strictObject(messageFields('AETERNITY_MESSAGE')));

export const payloads = payloadsOf<AeternityRequest, AeternitySignRequest>(transactions, {
  AETERNITY_MESSAGE: Message,
});

export type AeternityInput = InputOf<typeof transactions>;
export type AeternityRequest = OutputOf<typeof transactions>;
export type AeternitySignInput = z.input<typeof Message>;
export type AeternitySignRequest = z.output<typeof Message>;
