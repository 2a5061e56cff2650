/** Requests for VeChain: native transactions, signatures and build bodies (docs/chains.md). */
import * as z from 'zod/mini';
import { parseSmallest } from '../requests/smallest.ts';
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
  readBytes,
  readData,
  readDecimal,
  readSmallest,
  readText,
  readUint,
  recipient,
} from '../requests/fields.ts';
import { type InputOf, type OutputOf, payloadsOf } from '../requests/payloads.ts';
import { signatureOf } from '../requests/signature-fields.ts';
import { readAddress } from './address.ts';
import { COIN, MAX_GAS } from './draft.ts';

const Address = field(readAddress);
const Recipient = recipient(readAddress);
const UINT32 = 1n << 32n;
const UINT64 = 1n << 64n;
/** The nodes' limit for one simulation: request bodies of 200 KiB. */
const MAX_CLAUSES = 500;

/** `0x` and 8 bytes: a block's id begins with them. */
function readBlockRef(value: unknown): string {
  const blockRef = readBytes(value);
  if (blockRef.length !== 18)
    throw new Error(
      `must be the first 8 bytes of a block's id: 0x and 16 hex digits, has ${blockRef.length - 2}`,
    );
  return blockRef;
}

/** `0x` and 32 bytes. */
function readTransactionId(value: unknown): string {
  const id = readBytes(value, 32);
  if (id.length !== 66) throw new Error('must be the id of a transaction: 0x and 64 hex digits');
  return id;
}

function readChainTag(value: unknown): number {
  const tag = typeof value === 'string' && /^0x[0-9a-fA-F]{2}$/.test(value) ? BigInt(value) : value;
  return Number(readUint(tag, 256n, 'is one byte, at most 255'));
}

function readExpiration(value: unknown): number {
  return Number(readUint(value, UINT32, 'counts blocks in 32 bits'));
}

function readTimestamp(value: unknown): number {
  return Number(readUint(value, UINT32, 'counts seconds in 32 bits'));
}

function readGas(value: unknown): bigint {
  const gas = parseSmallest(value);
  if (gas === 0n) throw new Error('must be greater than 0; leave it out to have it computed');
  if (gas > MAX_GAS) throw new Error(`is more than a transaction may have: ${MAX_GAS}`);
  return gas;
}

function readGasPriceCoef(value: unknown): number {
  return Number(readUint(value, 256n, 'is one byte, at most 255'));
}

/** Decimal or `0x` hex text of at most 8 bytes, as hex without leading zeros. */
function readNonce(value: unknown): string {
  const isHex = typeof value === 'string' && /^0x[0-9a-fA-F]+$/.test(value);
  if (isHex && value.length > 18) throw new Error('is too large: it has at most 8 bytes');
  const nonce = isHex ? BigInt(value) : readUint(value, UINT64, 'has at most 8 bytes');
  return `0x${nonce.toString(16)}`;
}

const common = {
  walletId: WalletId,
  pincode: Pincode,
  network: NoNetwork,
  blockRef: optional(readBlockRef),
  chainTag: optional<number, AmountLike>(readChainTag),
  /** Blocks. */
  expiration: optional<number, AmountLike>(readExpiration),
  gas: optional<bigint, AmountLike>(readGas),
  /** If given, the transaction is of the legacy format. */
  gasPriceCoef: optional<number, AmountLike>(readGasPriceCoef),
  nonce: optional<string, AmountLike>(readNonce),
  /** Id of a transaction that must be in a block before, and have succeeded. */
  dependsOn: optional(readTransactionId),
};

const readWei = (value: unknown) => readSmallest(value, { name: 'wei', coin: COIN });

const transfer = {
  to: Address,
  /** Wei of VET. */
  amount: field<bigint, AmountLike>(readWei),
};

const tokenTransfer = {
  to: Address,
  /** Smallest units of VTHO or of the token. */
  amount: field<bigint, AmountLike>(readSmallest),
};

function clauses<T extends object, Input>(clause: z.ZodMiniType<T, Input>) {
  return z
    .array(finished(clause))
    .check(
      z.minLength(1, 'must have at least one clause'),
      z.maxLength(MAX_CLAUSES, `must have at most ${MAX_CLAUSES} clauses`),
    );
}

const VetTransaction = finished(
  z.strictObject({
    type: z.literal('VET_TRANSACTION'),
    ...common,
    clauses: clauses(z.strictObject({ ...transfer, data: optional(readData) })),
  }),
);

const VthoTransaction = finished(
  z.strictObject({
    type: z.literal('VTHO_TRANSACTION'),
    ...common,
    clauses: clauses(z.strictObject(tokenTransfer)),
  }),
);

const Vip180Transaction = finished(
  z.strictObject({
    type: z.literal('VECHAIN_VIP180_TRANSACTION'),
    ...common,
    clauses: clauses(z.strictObject({ ...tokenTransfer, tokenAddress: Address })),
  }),
);

const body = bodyFields('VECHAIN');
/** VTHO has as many digits. */
const CoinValue = coinValue(COIN);

const Transfer = finished(
  z.strictObject({
    type: z.literal('TRANSFER'),
    ...body,
    to: Recipient,
    value: CoinValue,
    data: optional(readData),
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
    tokenAddress: Address,
    tokenId: NoTokenId,
    data: Ignored,
  }),
);

const ContractExecution = finished(
  z.strictObject({
    type: z.literal('CONTRACT_EXECUTION'),
    ...body,
    to: Address,
    /** Wei of VET, passed as it is. */
    value: optional<bigint, AmountLike>(readWei),
    functionName: FunctionName,
    inputs: inputsOf(readAddress),
  }),
);

const Signature = signatureOf('VECHAIN_TRANSACTION', true);

/** `annex`: for a page the wallet fills it in, because a page may not say who asks and when; null until then. */
const Certificate = z.pipe(
  z.strictObject({
    ...messageFields('VECHAIN_CERTIFICATE'),
    purpose: z.enum(['identification', 'agreement'], 'must be identification or agreement'),
    annex: z.optional(
      z.nullable(
        z.strictObject({
          domain: field(readText(300)),
          /** Seconds. */
          timestamp: field<number, number>(readTimestamp),
        }),
      ),
    ),
  }),
  z.transform(({ type, walletId, data, purpose, annex = null }) => ({
    type,
    walletId,
    data,
    purpose,
    annex,
  })),
);

const transactions = {
  VET_TRANSACTION: VetTransaction,
  VTHO_TRANSACTION: VthoTransaction,
  VECHAIN_VIP180_TRANSACTION: Vip180Transaction,
  TRANSFER: Transfer,
  GAS_TRANSFER: GasTransfer,
  TOKEN_TRANSFER: TokenTransfer,
  CONTRACT_EXECUTION: ContractExecution,
};

export const payloads = payloadsOf<VechainRequest, VechainSignRequest>(transactions, {
  VECHAIN_TRANSACTION: Signature,
  VECHAIN_CERTIFICATE: Certificate,
});

export type VechainInput = InputOf<typeof transactions>;
export type VechainSignInput = z.input<typeof Signature | typeof Certificate>;
export type VechainRequest = OutputOf<typeof transactions>;
export type NativeRequest = Extract<VechainRequest, { clauses: unknown }>;
export type VechainSignRequest = z.output<typeof Signature | typeof Certificate>;
export type CertificateRequest = z.output<typeof Certificate>;
