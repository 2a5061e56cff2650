/**
 * Building, executing and signing: docs/service.md#executing-and-signing. The fields that every chain has are checked here; those of one `type` are
 * checked by the chain's own payload schemas, which name the same paths.
 */
import * as z from 'zod/mini';
import { SECRET_TYPES } from '../chains/secret-type.ts';
import { NATIVE_TYPES, SIGNATURE_TYPES } from '../chains/transaction-types.ts';
import { type HistoryEntry, Mining } from './history.ts';
import { SecretTypeSchema } from './secret-type.ts';
import { PasskeyAnswer } from './passkey.ts';
import { SpendingToken } from './spending-session.ts';
import { line, NetworkId, Pincode, WalletId } from './text.ts';

/** A number, or a decimal string where a number would not be exact. */
export const Amount = z.union([z.number(), z.string().check(z.maxLength(340))], {
  error: 'must be a number or a decimal string',
});
const TokenId = Amount;
const Data = z.nullable(z.string());
/** Of TRON alone: text that goes with the transaction. */
const Memo = z.optional(z.nullable(z.string()));

const CustomNetwork = z.looseObject({
  name: line(128),
  nodeUrl: line(2048),
  chainId: z.optional(z.nullable(z.union([z.number(), z.string()]))),
});

const buildFields = {
  walletId: WalletId,
  /** An address of the chain, or an e-mail address. */
  to: line(254),
  /** NEO is a value of the interface that no chain supports: `chain.not-supported`. */
  secretType: z.enum([...SECRET_TYPES, 'NEO']),
  /** The id of a network of the wallet, or a node of ETHEREUM; the wallet's default network when absent. */
  network: z.optional(
    z.nullable(
      z.union([NetworkId, CustomNetwork], {
        error: 'must be the id of a network, or a node with name, nodeUrl and chainId',
      }),
    ),
  ),
  alias: z.optional(z.nullable(line(256))),
};

export const BuildRequest = z.discriminatedUnion('type', [
  z.looseObject({ ...buildFields, type: z.literal('TRANSFER'), value: Amount, data: z.optional(Data) }),
  z.looseObject({ ...buildFields, type: z.literal('GAS_TRANSFER'), value: Amount }),
  z.looseObject({
    ...buildFields,
    type: z.literal('TOKEN_TRANSFER'),
    value: Amount,
    tokenAddress: z.optional(line(128)),
    tokenId: z.optional(z.nullable(TokenId)),
    memo: Memo,
  }),
  z.looseObject({
    ...buildFields,
    type: z.literal('NFT_TRANSFER'),
    /** The address or the id of the wallet that holds the token. */
    from: z.optional(z.nullable(line(128))),
    tokenId: TokenId,
    tokenAddress: line(128),
  }),
  z.looseObject({
    ...buildFields,
    type: z.literal('CONTRACT_EXECUTION'),
    value: z.optional(z.nullable(Amount)),
    functionName: line(256),
    inputs: z.array(z.looseObject({ type: line(256), value: z.unknown() })).check(z.maxLength(256)),
    memo: Memo,
  }),
]);
export type BuildRequest = z.infer<typeof BuildRequest>;

const NativeType = z.enum(Object.keys(NATIVE_TYPES) as [string, ...string[]]);

/** A native transaction request, as build returns it and execute takes it. */
export const NativeRequest = z.looseObject({
  type: NativeType,
  walletId: WalletId,
  /** Whoever executes it fills it in. */
  pincode: z.optional(z.null()),
});
export type NativeRequest = z.infer<typeof NativeRequest>;

export const ExecuteRequest = z
  .looseObject({
    type: NativeType,
    walletId: WalletId,
    pincode: z.optional(z.nullable(Pincode)),
    /** Token of a spending session, in place of `pincode`. */
    session: z.optional(z.nullable(SpendingToken)),
    passkey: z.optional(PasskeyAnswer),
  })
  .check(
    z.refine(({ pincode, session }) => typeof pincode !== 'string' || typeof session !== 'string', {
      error: 'must be absent if there is a pincode',
      path: ['session'],
    }),
  );
export type ExecuteRequest = z.infer<typeof ExecuteRequest>;

export const TransactionResult = z.object({ transactionHash: z.string() });

/** A transaction that its user has approved, every field as it was shown. */
export const ApprovedRequest = z.strictObject({
  walletId: WalletId,
  pincode: z.optional(Pincode),
  passkey: z.optional(PasskeyAnswer),
  /** As `draft-json.ts` writes it. */
  draft: z.string().check(z.minLength(2), z.maxLength(200_000)),
  /** Hash of the wallet's own transaction whose place it takes. */
  replaces: z.optional(line(128)),
});
export type ApprovedRequest = z.infer<typeof ApprovedRequest>;

export const ApprovedResult = z.object({
  transactionHash: z.string(),
  /** Wire bytes. */
  raw: z.string(),
});

const annex = { domain: line(300), timestamp: z.int().check(z.minimum(0)) };

export const SignatureRequest = z.strictObject({
  type: z.enum(Object.keys(SIGNATURE_TYPES) as [string, ...string[]]),
  walletId: WalletId,
  /** Of the wallet, for what is good on one network only; its default one when absent. */
  network: z.optional(z.nullable(NetworkId)),
  /** `0x` and hex digits, of a message the UTF-8 bytes of its text; of typed data (EIP-712) its JSON text. */
  data: z
    .string()
    .check(
      z.regex(
        /^(?:0x[0-9a-fA-F]*|\s*\{[^]*)$/,
        'must be hex text that begins with 0x, or typed data as JSON text',
      ),
    ),
  prefix: z.optional(z.nullable(z.boolean())),
  hash: z.optional(z.nullable(z.boolean())),
  /** Of typed data: fields and types that are not signed are left out, not refused. */
  unsignedFields: z.optional(z.nullable(z.literal('omit'))),
  /** Of `BITCOIN_MESSAGE` and `LITECOIN_MESSAGE`; `bip322` when absent. */
  format: z.optional(z.nullable(z.enum(['bip322', 'bip137']))),
  /** For `VECHAIN_CERTIFICATE` only. */
  purpose: z.optional(z.nullable(z.enum(['identification', 'agreement']))),
  /** Of `VECHAIN_CERTIFICATE`: for whom it is, as host and port, and the time in seconds since 1970. */
  annex: z.optional(z.nullable(z.strictObject(annex))),
  pincode: z.optional(Pincode),
  passkey: z.optional(PasskeyAnswer),
});
export type SignatureRequest = z.infer<typeof SignatureRequest>;

export const SignatureResult = z.object({
  success: z.literal(true),
  result: z.union([
    /** `0x` and hex digits each. */
    z.object({ r: z.string(), s: z.string(), v: z.string(), signature: z.string() }),
    /** For `VECHAIN_CERTIFICATE` only. */
    z.object({ annex: z.object({ ...annex, signer: z.string() }), signature: z.string() }),
    /** Of messages: base64 on Bitcoin and Litecoin, `0x` and hex digits on Tron and Aeternity. */
    z.object({ signature: z.string() }),
  ]),
});

export const StatusParams = z.strictObject({ hash: line(128) });
export const StatusQuery = z.strictObject({
  secretType: SecretTypeSchema,
  /** Absent: the one on which a wallet of the caller sent it, else the first of the chain. */
  network: z.optional(NetworkId),
});
export type StatusQuery = z.infer<typeof StatusQuery>;
export const TransactionStatus = z.object({
  transactionHash: z.string(),
  secretType: SecretTypeSchema,
  status: z.enum(['pending', 'confirmed', 'failed', 'unknown']),
  mined: Mining,
});

/** What the wallet's own list shows of a transaction. */
export type SentTransaction = Pick<
  HistoryEntry,
  'transactionHash' | 'secretType' | 'network' | 'status' | 'reason' | 'createdAt' | 'swap'
>;
