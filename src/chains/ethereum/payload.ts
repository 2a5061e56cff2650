/** Requests for Ethereum: spec 4.4 (native transactions, signatures) and 4.3.1 (build bodies). */
import * as z from 'zod/mini';
import type { NetworkChoice } from '../networks.ts';
import { payloadsOf } from '../payloads.ts';
import { isType } from './abi.ts';
import { readValue } from './abi-value.ts';
import { readAddress } from './address.ts';
import {
  Alias,
  Flag,
  field,
  FunctionName,
  NetworkField,
  optional,
  Pincode,
  readBytes,
  readData,
  readDecimal,
  readGas,
  readGasPrice,
  readNonce,
  readRecipient,
  readSmallest,
  readTokenId,
  SecretType,
  WalletId,
} from './fields.ts';

const Address = field(readAddress);
const Recipient = field(readRecipient);

const common = {
  walletId: WalletId,
  pincode: Pincode,
  /** Wei per gas; given, the transaction is of type 0. */
  gasPrice: optional(readGasPrice),
  gas: optional(readGas),
  nonce: optional(readNonce),
  network: NetworkField,
};

const EthTransaction = finished(
  z
    .strictObject({
      type: z.literal('ETH_TRANSACTION'),
      ...common,
      /** Wei. */
      value: field(readSmallest),
      to: optional(readAddress),
      data: optional(readData),
    })
    .check(
      z.check((context) => {
        const { to, data } = context.value;
        if (to === undefined && (data === undefined || data === '0x'))
          context.issues.push({
            code: 'custom',
            path: ['to'],
            message: 'is required; only a contract creation, which has data, goes without',
            input: to,
          });
      }),
    ),
);

const Erc20Transaction = finished(
  z.strictObject({
    type: z.literal('ETHEREUM_ERC20_TRANSACTION'),
    ...common,
    /** The token's smallest units. */
    value: field(readSmallest),
    to: Address,
    tokenAddress: Address,
  }),
);

const body = {
  walletId: WalletId,
  secretType: SecretType,
  pincode: Pincode,
  network: NetworkField,
  alias: Alias,
};

const Transfer = finished(
  z.strictObject({
    type: z.literal('TRANSFER'),
    ...body,
    to: Recipient,
    value: field(readDecimal),
    data: optional(readData),
  }),
);

const GasTransfer = finished(
  z.strictObject({ type: z.literal('GAS_TRANSFER'), ...body, to: Recipient, value: field(readDecimal) }),
);

const TokenTransfer = finished(
  z.strictObject({
    type: z.literal('TOKEN_TRANSFER'),
    ...body,
    to: Recipient,
    value: field(readDecimal),
    tokenAddress: Address,
    /** The id of a token inside an ERC-1155 contract. */
    tokenId: optional(readTokenId),
    /** Ignored for a token transfer (spec 4.4). */
    data: optional(() => undefined),
  }),
);

const NftTransfer = finished(
  z.strictObject({
    type: z.literal('NFT_TRANSFER'),
    ...body,
    to: Recipient,
    /** The wallet itself when absent. */
    from: optional(readAddress),
    tokenAddress: Address,
    tokenId: field(readTokenId),
  }),
);

const Input = z
  .strictObject({
    type: field((value) => {
      const type = typeof value === 'string' ? value.replaceAll(' ', '') : '';
      if (type.length > 500 || !isType(type)) throw new Error('must be a Solidity type, for example uint256');
      return type;
    }),
    value: field((value) => {
      if (value === undefined) throw new Error('is required');
      return value;
    }),
  })
  .check(
    z.check((context) => {
      const { type, value } = context.value;
      try {
        readValue(type, value);
      } catch (error) {
        context.issues.push({
          code: 'custom',
          path: ['value'],
          message: (error as Error).message,
          input: value,
        });
      }
    }),
  );

const ContractExecution = finished(
  z.strictObject({
    type: z.literal('CONTRACT_EXECUTION'),
    ...body,
    to: Address,
    /** Wei, passed as it is. */
    value: optional(readSmallest),
    functionName: FunctionName,
    inputs: z.array(Input).check(z.maxLength(64)),
  }),
);

function signature<T extends string>(type: T) {
  return z.pipe(
    z
      .strictObject({
        type: z.literal(type),
        walletId: WalletId,
        pincode: Pincode,
        data: field((value) => readBytes(value)),
        prefix: Flag,
        hash: Flag,
      })
      .check(
        z.check((context) => {
          const { data, prefix, hash } = context.value;
          if (prefix !== false || hash !== false) return;
          const message =
            type === 'ETHEREUM_TRANSACTION'
              ? 'must be true for a transaction: its hash is what is signed'
              : undefined;
          if (message) context.issues.push({ code: 'custom', path: ['hash'], message, input: hash });
          else if (data.length !== 66)
            context.issues.push({
              code: 'custom',
              path: ['data'],
              message: `must be a hash of 32 bytes when hash is false, has ${(data.length - 2) / 2}`,
              input: data,
            });
        }),
      ),
    z.transform(({ type, walletId, data, prefix = true, hash = true }) => ({
      type,
      walletId,
      data,
      prefix,
      hash,
    })),
  );
}

/** Drops `pincode` and every field that says nothing. */
function finished<T extends object>(schema: z.ZodMiniType<T>) {
  return z.pipe(
    schema,
    z.transform(
      (request) =>
        Object.fromEntries(
          Object.entries(request).filter(([key, value]) => key !== 'pincode' && value != null),
        ) as Clean<T>,
    ),
  );
}
type Clean<T> = { [K in keyof T as K extends 'pincode' ? never : K]: Exclude<T[K], null> };

export const payloads = payloadsOf(
  {
    ETH_TRANSACTION: EthTransaction,
    ETHEREUM_ERC20_TRANSACTION: Erc20Transaction,
    TRANSFER: Transfer,
    GAS_TRANSFER: GasTransfer,
    TOKEN_TRANSFER: TokenTransfer,
    NFT_TRANSFER: NftTransfer,
    CONTRACT_EXECUTION: ContractExecution,
  },
  {
    ETHEREUM_TRANSACTION: signature('ETHEREUM_TRANSACTION'),
    ETHEREUM_RAW: signature('ETHEREUM_RAW'),
  },
);

export type EthereumRequest = { network?: NetworkChoice } & (
  | z.infer<typeof EthTransaction>
  | z.infer<typeof Erc20Transaction>
  | z.infer<typeof Transfer>
  | z.infer<typeof GasTransfer>
  | z.infer<typeof TokenTransfer>
  | z.infer<typeof NftTransfer>
  | z.infer<typeof ContractExecution>
);
export type EthereumSignRequest = z.infer<
  ReturnType<typeof signature<'ETHEREUM_TRANSACTION' | 'ETHEREUM_RAW'>>
>;
