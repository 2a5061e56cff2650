/** Requests for EVM chains: native transactions, signatures and build bodies (docs/chains.md). */
import * as z from 'zod/mini';
import { FunctionName, inputsOf } from '../contracts/contract-fields.ts';
import {
  type AmountLike,
  Ignored,
  NoNetwork,
  Pincode,
  WalletId,
  bodyFields,
  coinValue,
  field,
  finished,
  optional,
  readData,
  readDecimal,
  readSmallest,
  recipient,
} from '../requests/fields.ts';
import { type InputOf, type OutputOf, type Payloads, payloadsOf } from '../requests/payloads.ts';
import { signatureOf, typedDataOf } from '../requests/signature-fields.ts';
import { readHexAddress } from '../contracts/evm-address.ts';
import {
  AccessListField,
  MaxPrice,
  NetworkField,
  noAccessList,
  noPairOfPrices,
  ofOneType,
  readGas,
  readGasPrice,
  readNonce,
  readTokenId,
  Tip,
} from './fields.ts';
import type { EvmProfile } from './profile.ts';

/** The schemas of a chain's requests and signatures. */
export function evmPayloads(profile: EvmProfile): Payloads<EvmRequest, EvmSignRequest> {
  const { coin, token, ...bodies } = transactions(profile);
  const { coinRequest, tokenRequest, transactionSignature, rawSignature, typedSignature } = profile;
  return payloadsOf<EvmRequest, EvmSignRequest>(
    { [coinRequest]: coin, [tokenRequest]: token, ...bodies },
    {
      [transactionSignature]: signatureOf(transactionSignature, true, typedSignature),
      [rawSignature]: signatureOf(rawSignature, false, typedSignature),
      [typedSignature]: typedDataOf(typedSignature),
    },
  );
}

export const withProfile = (profile: EvmProfile): { payloads: ReturnType<typeof evmPayloads> } => ({
  payloads: evmPayloads(profile),
});

function transactions(profile: EvmProfile) {
  const shared: Shared = {
    readAddress: (value) => readHexAddress(value, profile.secretType),
    readWei: (value) => readSmallest(value, { name: 'wei', coin: profile.coin }),
    network: profile.customNetwork ? NetworkField : NoNetwork,
  };
  return { ...nativeTransactions(profile, shared), ...buildBodies(profile, shared) };
}

interface Shared {
  readAddress: (value: unknown) => string;
  readWei: (value: unknown) => bigint;
  network: typeof NetworkField | typeof NoNetwork;
}

function nativeTransactions(
  { secretType, coinRequest, tokenRequest, minGasPrice, legacy }: EvmProfile,
  { readAddress, readWei, network }: Shared,
) {
  const Address = field(readAddress);
  const common = {
    walletId: WalletId,
    pincode: Pincode,
    /** Wei per gas; given, the transaction is of type 0. */
    gasPrice: optional<bigint, AmountLike>((value) => readGasPrice(value, minGasPrice)),
    /** Wei per gas of a transaction of type 2: all of it, and what of it goes to the block's builder. */
    maxFeePerGas: legacy ? noPairOfPrices(secretType) : MaxPrice,
    maxPriorityFeePerGas: legacy ? noPairOfPrices(secretType) : Tip,
    /** EIP-2930. */
    accessList: legacy ? noAccessList(secretType) : AccessListField,
    gas: optional<bigint, AmountLike>(readGas),
    nonce: optional<number, AmountLike>(readNonce),
    network,
  };
  return {
    coin: finished(
      z
        .strictObject({
          type: z.literal(coinRequest),
          ...common,
          /** Wei. */
          value: field<bigint, AmountLike>(readWei),
          to: optional(readAddress),
          data: optional(readData),
        })
        .check(
          ofOneType,
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
    ),
    token: finished(
      z
        .strictObject({
          type: z.literal(tokenRequest),
          ...common,
          /** The token's smallest units. */
          value: field<bigint, AmountLike>(readSmallest),
          to: Address,
          tokenAddress: Address,
        })
        .check(ofOneType),
    ),
  };
}

function buildBodies({ secretType, coin }: EvmProfile, { readAddress, readWei, network }: Shared) {
  const Address = field(readAddress);
  const Recipient = recipient(readAddress);
  const CoinValue = coinValue(coin);
  const body = { ...bodyFields(secretType), network };
  return {
    TRANSFER: finished(
      z.strictObject({
        type: z.literal('TRANSFER'),
        ...body,
        to: Recipient,
        value: CoinValue,
        data: optional(readData),
      }),
    ),
    GAS_TRANSFER: finished(
      z.strictObject({ type: z.literal('GAS_TRANSFER'), ...body, to: Recipient, value: CoinValue }),
    ),
    TOKEN_TRANSFER: finished(
      z.strictObject({
        type: z.literal('TOKEN_TRANSFER'),
        ...body,
        to: Recipient,
        value: field<string, AmountLike>(readDecimal),
        tokenAddress: Address,
        /** The id of a token inside an ERC-1155 contract. An empty string counts as absent. */
        tokenId: optional<string | undefined, AmountLike>((value) =>
          value === '' ? undefined : readTokenId(value),
        ),
        data: Ignored,
      }),
    ),
    NFT_TRANSFER: finished(
      z.strictObject({
        type: z.literal('NFT_TRANSFER'),
        ...body,
        to: Recipient,
        /** The wallet itself when absent. */
        from: optional(readAddress),
        tokenAddress: Address,
        tokenId: field<string, AmountLike>(readTokenId),
      }),
    ),
    CONTRACT_EXECUTION: finished(
      z.strictObject({
        type: z.literal('CONTRACT_EXECUTION'),
        ...body,
        to: Address,
        /** Wei, passed as it is. */
        value: optional<bigint, AmountLike>(readWei),
        functionName: FunctionName,
        inputs: inputsOf(readAddress),
      }),
    ),
  };
}

type Schemas = ReturnType<typeof transactions>;
export type EvmInput = InputOf<Schemas>;
/** A request as `Payloads.parse` returns it. */
export type EvmRequest = OutputOf<Schemas>;

type DataSignature = ReturnType<typeof signatureOf<EvmProfile['transactionSignature' | 'rawSignature']>>;
type TypedSignature = ReturnType<typeof typedDataOf<EvmProfile['typedSignature']>>;
export type EvmSignInput = z.input<DataSignature | TypedSignature>;
export type EvmSignRequest = z.output<DataSignature | TypedSignature>;
