/**
 * Parameters of requests that need the user and a visible surface. Separate from `schema.ts`, because the
 * approval is on screen before they are parsed.
 */
import * as z from 'zod/mini';
import type { Ask } from '../base/actions.ts';
import { Jws } from '../api/jws.ts';
import { SecretTypeSchema } from '../api/secret-type.ts';
import { parsed } from './request-errors.ts';
import { RequestId, WalletId } from './schema.ts';

/** Id in `networks.json`. */
const NetworkId = z.string().check(z.maxLength(64));

/** Chain payloads are checked by the chain's own schema; here they only have to be objects of bounded size. */
const ChainRequestShape = z.looseObject({ type: z.string().check(z.maxLength(64)), walletId: WalletId });

/** Of `transfer`. `value` is exact: bigint and decimal text pass as they are. */
export const TransferParams = z.strictObject({
  walletId: WalletId,
  to: z.string(),
  value: z.union([z.number(), z.string(), z.bigint()]),
  secretType: SecretTypeSchema,
  tokenAddress: z.optional(z.nullable(z.string())),
  tokenId: z.optional(z.union([z.number(), z.string(), z.bigint()])),
  data: z.optional(z.nullable(z.string())),
  alias: z.optional(z.nullable(z.string())),
  network: z.optional(z.unknown()),
  /** A signed checkout order (JWS): the wallet shows who is paid, and for what. */
  order: z.optional(z.nullable(Jws)),
});
export type TransferParams = z.infer<typeof TransferParams>;

export const SignParams = z.strictObject({
  type: z.string().check(z.maxLength(64)),
  walletId: WalletId,
  data: z.string(),
  /** Absent: the wallet's default network. */
  network: z.optional(NetworkId),
  prefix: z.optional(z.boolean()),
  hash: z.optional(z.boolean()),
  unsignedFields: z.optional(z.string()),
  format: z.optional(z.string()),
  purpose: z.optional(z.string()),
});
export type SignParams = z.infer<typeof SignParams>;

const PARAMS = {
  linkWallets: z.strictObject({
    secretTypes: z.optional(z.array(SecretTypeSchema)),
    /** Id in `networks.json`: only wallets that are on it. */
    network: z.optional(NetworkId),
    /** What the user chose on the page: the wallet starts with it if it has no wallet to offer. */
    newWallet: z.optional(z.enum(['create', 'import'])),
  }),
  manageWallets: z.strictObject({ chain: SecretTypeSchema }),
  chooseRecipient: z.strictObject({ walletId: WalletId }),
  transfer: TransferParams,
  execute: ChainRequestShape,
  executeAll: z.strictObject({ requests: z.array(ChainRequestShape).check(z.minLength(1), z.maxLength(20)) }),
  sign: SignParams,
  /** Opens the wallet at a request of this site that was approved but whose answer got lost. */
  resume: z.strictObject({ requestId: RequestId }),
  /** Whether the site may go on with its wallets of a chain on another network. */
  useNetwork: z.strictObject({ secretType: SecretTypeSchema, network: NetworkId }),
} as const satisfies Record<Ask, z.ZodMiniType>;

export type AskParams<A extends Ask> = z.infer<(typeof PARAMS)[A]>;

/** Throws `request.invalid` with the path of every field that does not fit. */
export function askParams<A extends Ask>(action: A, params: unknown): AskParams<A> {
  return parsed(PARAMS[action], params) as AskParams<A>;
}
