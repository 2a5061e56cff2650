/** Parameters of hidden reads. Separate from `schema.ts`, because no approval needs them. */
import * as z from 'zod/mini';
import { SecretTypeSchema } from '../api/secret-type.ts';
import { parsed } from './request-errors.ts';
import type { Read } from '../base/actions.ts';
import { MAX_PARAMS, NODE_METHODS, OWN_METHODS } from './node-methods.ts';
import { RequestId, WalletId } from './schema.ts';

const Address = z.string().check(z.minLength(1), z.maxLength(128));
const Hash = z.string().check(z.maxLength(128));
/** Id in `networks.json`: the wallet's default network if that is not the first of its chain, or the one that the page named. */
const NetworkId = z.optional(z.string().check(z.maxLength(64)));

const PARAMS = {
  pending: z.strictObject({ requestIds: z.array(RequestId).check(z.maxLength(1000)) }),
  unlink: z.strictObject({ walletId: WalletId }),
  profile: z.strictObject({}),
  balance: z.strictObject({ secretType: SecretTypeSchema, address: Address, network: NetworkId }),
  tokenBalances: z.strictObject({
    secretType: SecretTypeSchema,
    address: Address,
    network: NetworkId,
    token: z.optional(Address),
  }),
  maxSpendable: z.strictObject({
    secretType: SecretTypeSchema,
    address: Address,
    network: NetworkId,
    to: z.optional(Address),
    /** As in a transfer. */
    data: z.optional(z.string()),
  }),
  nonFungibles: z.strictObject({
    secretType: SecretTypeSchema,
    address: Address,
    network: NetworkId,
    contracts: z.optional(z.array(Address).check(z.maxLength(100))),
  }),
  transactionStatus: z.strictObject({
    secretType: SecretTypeSchema,
    hash: Hash,
    /** Absent: all are asked. */
    network: NetworkId,
    /** In its first block a transaction counts, for what comes after it. */
    inBlock: z.optional(z.boolean()),
  }),
  transactionUrl: z.strictObject({ secretType: SecretTypeSchema, network: NetworkId, hash: Hash }),
  prices: z.strictObject({
    secretType: SecretTypeSchema,
    network: NetworkId,
    currency: z.optional(z.string().check(z.regex(/^[A-Z]{3}$/, 'must be three capital letters (ISO 4217)'))),
    /** BCP 47: if no currency is named, that of its region is used. */
    language: z.optional(z.string().check(z.maxLength(64))),
  }),
  build: z.strictObject({
    body: z.looseObject({ type: z.string(), walletId: WalletId }),
    address: Address,
    network: NetworkId,
  }),
  swapPairs: z.strictObject({ secretType: SecretTypeSchema, network: NetworkId }),
  /** `query` is checked where swaps are. */
  swapRates: z.strictObject({ query: z.looseObject({}), network: NetworkId }),
  /** `address` pays, `recipient` receives. */
  createSwap: z.strictObject({
    body: z.looseObject({ walletId: WalletId }),
    address: Address,
    recipient: Address,
    network: NetworkId,
  }),
  /** For the transaction `hash`, in which `address` paid and `recipient` received; token addresses are empty for the coin. */
  swapOutcome: z.strictObject({
    secretType: SecretTypeSchema,
    network: NetworkId,
    hash: Hash,
    exchange: z.string().check(z.maxLength(64)),
    fromToken: z.string().check(z.maxLength(128)),
    toToken: z.string().check(z.maxLength(128)),
    address: Address,
    recipient: Address,
  }),
  /**
   * JSON-RPC of a page's provider; for other chains, only what external wallets need (`OWN_METHODS`). `custom`: the node that the page
   * named, if custom nodes are allowed.
   */
  rpc: z.strictObject({
    secretType: SecretTypeSchema,
    network: NetworkId,
    custom: z.optional(z.strictObject({ name: z.string(), nodeUrl: z.string(), chainId: z.int() })),
    method: z.enum([...NODE_METHODS, ...OWN_METHODS]),
    params: z.array(z.unknown()).check(
      z.maxLength(8),
      z.refine(
        (params) => JSON.stringify(params).length <= MAX_PARAMS,
        `must be at most ${MAX_PARAMS} characters of JSON`,
      ),
    ),
  }),
} as const satisfies Record<Read, z.ZodMiniType>;

export type ReadParams<R extends Read> = z.infer<(typeof PARAMS)[R]>;

/** Throws `request.invalid` with the path of every invalid field. */
export function readParams<R extends Read>(action: R, params: unknown): ReadParams<R> {
  return parsed(PARAMS[action], params) as ReadParams<R>;
}
