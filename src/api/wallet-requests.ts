/** What calls about wallets take. */
import * as z from 'zod/mini';
import { paging } from './paging.ts';
import { PasskeyAnswer } from './passkey.ts';
import { SecretTypeSchema } from './secret-type.ts';
import { line, NetworkId, Pincode, prose, WalletId } from './text.ts';
import { Time } from './time.ts';
import { withoutNulls } from './route.ts';

const createFields = {
  pincode: Pincode,
  alias: z.optional(prose(256)),
  description: z.optional(prose(1024)),
  /** Unique per client: repeating it returns the same wallet. */
  identifier: z.optional(line(256)),
  secretType: SecretTypeSchema,
  walletType: z.enum(['WHITE_LABEL', 'THREEWAY_SHARED']),
  /** Its default network, of the chain; absent for the first one. */
  network: z.optional(NetworkId),
};

export const CreateWallet = withoutNulls(z.strictObject(createFields));
export type CreateWallet = z.infer<typeof CreateWallet>;

export const ImportWallet = withoutNulls(
  z.strictObject({
    ...createFields,
    pincode: z.optional(Pincode),
    passkey: z.optional(PasskeyAnswer),
    /** In the form in which the chain's wallets write private keys, and export returns them. */
    key: z.string().check(z.minLength(1), z.maxLength(20_000)),
  }),
);
export type ImportWallet = z.infer<typeof ImportWallet>;

/** Absent fields are left unchanged. */
export const UpdateWallet = z.strictObject({
  alias: z.optional(prose(256)),
  description: z.optional(prose(1024)),
  /** It replaces the previous primary wallet. */
  primary: z.optional(z.literal(true)),
  archived: z.optional(z.boolean()),
});
export type UpdateWallet = z.infer<typeof UpdateWallet>;

export const ExportWallet = z.strictObject({
  pincode: z.optional(Pincode),
  passkey: z.optional(PasskeyAnswer),
});
/** As the chain's wallets write private keys: hex, WIF, or a secret key in base58. */
export const ExportedKey = z.object({ key: z.string() });

export const WalletParams = z.strictObject({ id: WalletId });
/** Wallets that match every field given. */
export const WalletsQuery = z.strictObject({
  secretType: z.optional(SecretTypeSchema),
  /** `ACTIVE`: every wallet that is not archived, even while its node does not answer. */
  status: z.optional(z.enum(['ACTIVE', 'ARCHIVED'])),
  /** The identifier that the wallet was created with. */
  identifier: z.optional(line(256)),
  address: z.optional(line(128)),
  /** Whether it is watched for deposits. */
  watched: z.optional(z.enum(['true', 'false'])),
  /** ISO 8601. */
  createdAfter: z.optional(Time),
  ...paging,
});
export type WalletsQuery = z.infer<typeof WalletsQuery>;
/** The network of the wallet that is meant; its default one when absent. */
export const NetworkQuery = z.strictObject({ network: z.optional(NetworkId) });
export const TokenBalancesQuery = z.strictObject({
  network: z.optional(NetworkId),
  /** `true`: the tokens that can be read, instead of an error if one cannot; `Carabiner-Partial` names the others. */
  partial: z.optional(z.enum(['true', 'false'])),
});
export const WalletTokenParams = z.strictObject({ id: WalletId, token: line(128) });

/** docs/service.md#non-fungible-tokens */
export const NonFungibleParams = z.strictObject({ walletId: WalletId });

export const NonFungibleQuery = z.strictObject({
  network: z.optional(NetworkId),
  /** Repeatable; restricts the answer to these contracts. */
  'contract-addresses': z.optional(z.union([line(128), z.array(line(128)).check(z.maxLength(100))])),
});

/** A recipient by e-mail address. */
export const FindRecipient = z.strictObject({
  email: line(254).check(z.regex(/^\s*[^\s@]+@[^\s@]+\.[^\s@]+\s*$/, 'must be an e-mail address')),
  secretType: SecretTypeSchema,
});
export type FindRecipient = z.infer<typeof FindRecipient>;

/** Address of the wallet, on its chain. */
export const Recipient = z.object({ address: z.string() });
export type Recipient = z.infer<typeof Recipient>;
