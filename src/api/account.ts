/** A user's PIN, passkey and devices, and the wallets that they have linked to sites. */
import * as z from 'zod/mini';
import { PageQuery } from './paging.ts';
import { AddPasskey, PasskeyAnswer, PasskeyState, RemovePasskey } from './passkey.ts';
import type { Route } from './route.ts';
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

export const Origin = line(255).check(
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

export const readAccount = {
  method: 'GET',
  path: '/api/account',
  summary: "Read the state of the user's master PIN, and whether this device is enrolled.",
  area: 'PINs and devices',
  scopes: ['view:wallets'],
  proof: 'optional',
  status: 200,
  answer: Account,
} as const satisfies Route;

export const changePincode = {
  method: 'POST',
  path: '/api/pincode',
  summary: "Change the master PIN, or a wallet's own.",
  area: 'PINs and devices',
  scopes: ['sign:wallets', 'whitelabel'],
  proof: 'enrolled',
  passkey: 'required',
  body: ChangePincode,
  status: 200,
  answer: Nothing,
} as const satisfies Route;

export const recoverPincode = {
  method: 'POST',
  path: '/api/pincode/recover',
  summary: 'Set a new PIN with the recovery code, which lifts every lock and is used up.',
  area: 'PINs and devices',
  scopes: ['sign:wallets', 'whitelabel'],
  proof: 'new',
  body: RecoverPincode,
  status: 200,
  answer: RecoveryCodeAnswer,
} as const satisfies Route;

export const renewRecoveryCode = {
  method: 'POST',
  path: '/api/pincode/recovery-code',
  summary: 'Get a new recovery code for a PIN. The previous one no longer works.',
  area: 'PINs and devices',
  scopes: ['sign:wallets', 'whitelabel'],
  proof: 'enrolled',
  passkey: 'required',
  body: RenewRecoveryCode,
  status: 200,
  answer: RecoveryCodeAnswer,
} as const satisfies Route;

export const enrolDevice = {
  method: 'POST',
  path: '/api/devices',
  summary: 'Enrol another device with the master PIN and its recovery code.',
  area: 'PINs and devices',
  scopes: ['sign:wallets'],
  proof: 'new',
  passkey: 'required',
  body: EnrolDevice,
  status: 201,
  answer: Device,
} as const satisfies Route;

export const listDevices = {
  method: 'GET',
  path: '/api/devices',
  summary: 'List the devices that may spend.',
  area: 'PINs and devices',
  scopes: ['sign:wallets'],
  proof: 'enrolled',
  query: PageQuery,
  status: 200,
  answer: z.array(Device),
} as const satisfies Route;

export const removeDevice = {
  method: 'DELETE',
  path: '/api/devices/{thumbprint}',
  summary: 'Remove a device, which may then no longer spend.',
  area: 'PINs and devices',
  scopes: ['sign:wallets'],
  proof: 'enrolled',
  params: DeviceParams,
  status: 200,
  answer: Nothing,
} as const satisfies Route;

export const readLinks = {
  method: 'GET',
  path: '/api/links',
  summary: 'List the wallets that the user has linked to a site.',
  area: 'Links',
  scopes: ['view:wallets'],
  proof: 'enrolled',
  query: LinksQuery,
  status: 200,
  answer: Links,
} as const satisfies Route;

export const putLinks = {
  method: 'PUT',
  path: '/api/links',
  summary: 'Set which wallets a site may see.',
  area: 'Links',
  scopes: ['view:wallets'],
  proof: 'enrolled',
  body: PutLinks,
  status: 200,
  answer: Links,
} as const satisfies Route;

export const readPasskey = {
  method: 'GET',
  path: '/api/passkey',
  summary: "Read the account's passkey.",
  area: 'PINs and devices',
  scopes: ['sign:wallets'],
  proof: 'new',
  status: 200,
  answer: PasskeyState,
} as const satisfies Route;

export const addPasskey = {
  method: 'POST',
  path: '/api/passkey',
  summary: 'Add a passkey, with the master PIN. From then on nothing is signed without it.',
  area: 'PINs and devices',
  scopes: ['sign:wallets'],
  proof: 'enrolled',
  body: AddPasskey,
  status: 201,
  answer: PasskeyState,
} as const satisfies Route;

export const removePasskey = {
  method: 'POST',
  path: '/api/passkey/remove',
  summary: 'Remove the passkey, with the passkey itself or the recovery code.',
  area: 'PINs and devices',
  scopes: ['sign:wallets'],
  proof: 'enrolled',
  passkey: 'optional',
  body: RemovePasskey,
  status: 200,
  answer: Nothing,
} as const satisfies Route;
