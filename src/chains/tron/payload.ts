/** Requests for Tron: native transactions and build bodies (docs/chains.md). */
import * as z from 'zod/mini';
import { FunctionName, inputsOf } from '../contracts/contract-fields.ts';
import {
  type AmountLike,
  Ignored,
  NoNetwork,
  NoTokenId,
  Pincode,
  WalletId,
  bodyFields,
  coinValue,
  field,
  finished,
  messageFields,
  optional,
  readDecimal,
  readMemo,
  readSmallest,
  recipient,
} from '../requests/fields.ts';
import { type InputOf, type OutputOf, payloadsOf } from '../requests/payloads.ts';
import { readAddress } from './address.ts';
import { COIN } from './draft.ts';
import { INT64, isAssetId, readEvmAddress, readFeeLimit, readInt64, readToken } from './fields.ts';

const Address = field(readAddress);
const Recipient = recipient(readAddress);

const common = { walletId: WalletId, pincode: Pincode, network: NoNetwork };

/** Sun that a call may burn for energy. */
const FeeLimit = optional<bigint, AmountLike>(readFeeLimit);

/** Of tokens and calls, whose `data` means something else. */
const Memo = optional(readMemo);

const TrxTransaction = finished(
  z.strictObject({
    type: z.literal('TRX_TRANSACTION'),
    ...common,
    to: Address,
    /** Sun. */
    value: field<bigint, AmountLike>(readInt64),
    /** The memo. */
    data: optional(readMemo),
  }),
);

const Trc10Transaction = finished(
  z
    .strictObject({
      type: z.literal('TRC10_TRANSACTION'),
      ...common,
      to: Address,
      /** The token's smallest units. */
      value: field<bigint, AmountLike>(readSmallest),
      token: field(readToken),
      data: Ignored,
      memo: Memo,
      feeLimit: FeeLimit,
    })
    .check(
      z.check((context) => {
        const { token, value, feeLimit } = context.value;
        if (isAssetId(token) && feeLimit !== undefined)
          context.issues.push({
            code: 'custom',
            path: ['feeLimit'],
            message: 'is for calls of contracts: a TRC-10 token has none; leave it out',
            input: feeLimit,
          });
        if (isAssetId(token) && value >= INT64)
          context.issues.push({
            code: 'custom',
            path: ['value'],
            message: 'is too large: it must be below 2^63',
            input: value,
          });
      }),
    ),
);

const call = {
  to: Address,
  /** Sun that goes with the call. */
  value: optional<bigint, AmountLike>(readInt64),
  functionName: FunctionName,
  inputs: inputsOf(readEvmAddress),
  memo: Memo,
};

const TronContractExecution = finished(
  z.strictObject({
    type: z.literal('TRON_CONTRACT_EXECUTION'),
    ...common,
    ...call,
    feeLimit: FeeLimit,
  }),
);

const body = bodyFields('TRON');
const CoinValue = coinValue(COIN, INT64, 'must be below 2^63 sun');

const Transfer = finished(
  z.strictObject({
    type: z.literal('TRANSFER'),
    ...body,
    to: Recipient,
    value: CoinValue,
    data: optional(readMemo),
  }),
);

const GasTransfer = finished(
  z.strictObject({ type: z.literal('GAS_TRANSFER'), ...body, to: Recipient, value: CoinValue }),
);

const TokenTransfer = finished(
  z.strictObject({
    type: z.literal('TOKEN_TRANSFER'),
    ...body,
    to: Recipient,
    value: field<string, AmountLike>(readDecimal),
    tokenAddress: field(readToken),
    tokenId: NoTokenId,
    data: Ignored,
    memo: Memo,
  }),
);

const ContractExecution = finished(
  z.strictObject({ type: z.literal('CONTRACT_EXECUTION'), ...body, ...call }),
);

const transactions = {
  TRX_TRANSACTION: TrxTransaction,
  TRC10_TRANSACTION: Trc10Transaction,
  TRON_CONTRACT_EXECUTION: TronContractExecution,
  TRANSFER: Transfer,
  GAS_TRANSFER: GasTransfer,
  TOKEN_TRANSFER: TokenTransfer,
  CONTRACT_EXECUTION: ContractExecution,
};

const Message = finished(z.strictObject(messageFields('TRON_MESSAGE')));

export const payloads = payloadsOf<TronRequest, TronSignRequest>(transactions, { TRON_MESSAGE: Message });

export type TronInput = InputOf<typeof transactions>;
export type TronRequest = OutputOf<typeof transactions>;
export type TronSignInput = z.input<typeof Message>;
export type TronSignRequest = z.output<typeof Message>;
