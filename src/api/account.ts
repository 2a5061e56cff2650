/** A user's PIN and devices, and the wallets that they have linked to sites. */
import * as z from 'zod/mini';
import { PasskeyAnswer } from './passkey.ts';
import { line, Pincode, WalletId } from './text.ts';

/** Milliseconds since 1970. */
const Moment = z.int();

export const Account = z.object({
  userId: z.string(),
  hasMasterPin: z.boolean(),
  /** When the master PIN was chosen or last changed. */
  pinChangedAt: z.nullable(Moment),
  /** Wrong master PINs in a row. */
  wrongPins: z.int(),
  /** Seconds until the next try is allowed; null if one is allowed now, or never. */
  retryAfter: z.nullable(z.int()),
  /** Only the recovery code lifts the lock. */
  hardLocked: z.boolean(),
  /** The request was proven by an enrolled device. */
  enrolled: z.boolean(),
  /** Spending, signing, exporting and changing PINs require the passkey's answer. Absent from services before 0.2.0. */
  passkeyRequired: z._default(z.boolean(), false),
});
export type Account = z.infer<typeof Account>;

/** As it is shown, or as people type it: in lower case, with other spacing. */
const RecoveryCode = line(128);

/** The PIN, or the account's passkey, whose secret takes the place of the master PIN. */
const opening = { pincode: z.optional(Pincode), passkey: z.optional(PasskeyAnswer) };

export const ChangePincode = z.strictObject({
  ...opening,
  next: Pincode,
  /** A wallet with a PIN of its own; absent for the user's master PIN. */
  walletId: z.optional(WalletId),
});
export const RecoverPincode = z.strictObject({
  recoveryCode: RecoveryCode,
  next: Pincode,
  walletId: z.optional(WalletId),
});
export const RenewRecoveryCode = z.strictObject({ ...opening, walletId: z.optional(WalletId) });
/** `pincode` is the master PIN. */
export const OwnPincode = z.strictObject({ ...opening, next: Pincode });
/** Shown once, stored nowhere. */
export const RecoveryCodeAnswer = z.object({ recoveryCode: z.string() });

export const EnrolDevice = z.strictObject({ ...opening, recoveryCode: RecoveryCode });
export const Device = z.object({
  /** The thumbprint of its public key (RFC 7638, SHA-256). */
  thumbprint: z.string(),
  createdAt: Moment,
});
export type Device = z.infer<typeof Device>;
export const DeviceParams = z.strictObject({
  thumbprint: z.string().check(z.regex(/^[\w-]{43}$/, 'must be the thumbprint of a key')),
});

const Origin = line(255).check(
  z.refine((text) => /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text, {
    error: 'must be an origin such as https://shop.example, without a path',
  }),
);
export const LinksQuery = z.strictObject({ origin: Origin });
export const Links = z.object({ walletIds: z.array(z.string()) });
export const PutLinks = z.strictObject({
  origin: Origin,
  /** All that the site may see; those that are left out are unlinked. */
  walletIds: z.array(WalletId).check(z.maxLength(1000)),
});

export const Nothing = z.object({});
