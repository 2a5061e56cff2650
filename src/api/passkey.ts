/** A passkey for a user's service wallets: its challenges and its answers. */
import * as z from 'zod/mini';
import { canonical } from '../base/canonical.ts';
import { line, Pincode } from './text.ts';

/** Without padding. */
function bytes(min: number, max: number) {
  const [from, to] = [min, max].map((length) => Math.ceil((length * 4) / 3));
  return z
    .string()
    .check(
      z.regex(
        new RegExp(`^[\\w-]{${from},${to}}$`),
        `must be ${min === max ? min : `${min} to ${max}`} bytes in base64url`,
      ),
    );
}

/**
 * 32 bytes that only the passkey gives: HKDF-SHA-256 of the PRF output for the passkey's salt, without salt, with the info
 * `carabiner service passkey`. The PRF output itself never leaves the browser.
 */
const Secret = bytes(32, 32);

/** Makes each request unique. `at`: milliseconds since 1970. */
const freshness = { nonce: bytes(16, 64), at: z.int().check(z.minimum(0)) };

/** An assertion over the request that holds it (WebAuthn Level 3, section 7.2). */
export const PasskeyAnswer = z.strictObject({
  ...freshness,
  credentialId: bytes(1, 1023),
  clientDataJSON: bytes(1, 4096),
  authenticatorData: bytes(37, 4096),
  signature: bytes(1, 1024),
  /** Opens what the master PIN opens. Absent if a wallet's own PIN is given. */
  secret: z.optional(Secret),
});
export type PasskeyAnswer = z.infer<typeof PasskeyAnswer>;

/** A new credential (section 7.1). Its challenge is that of the request without this field. */
export const NewPasskey = z.strictObject({
  ...freshness,
  clientDataJSON: bytes(1, 4096),
  /** What `getAuthenticatorData()` returns. */
  authenticatorData: bytes(37, 8192),
  transports: z.array(line(32)).check(z.maxLength(8)),
  secret: Secret,
});

export const AddPasskey = z.strictObject({
  pincode: Pincode,
  /** The salt of the PRF. */
  salt: bytes(32, 32),
  passkey: NewPasskey,
});
export type AddPasskey = z.infer<typeof AddPasskey>;

/** The passkey itself, or the recovery code of the master PIN. */
export const RemovePasskey = z.strictObject({
  passkey: z.optional(PasskeyAnswer),
  recoveryCode: z.optional(line(128)),
});

export const PasskeyState = z.object({
  passkey: z.nullable(
    z.object({
      credentialId: z.string(),
      salt: z.string(),
      transports: z.array(z.string()),
      /** Milliseconds since 1970. */
      createdAt: z.int(),
    }),
  ),
});
export type PasskeyState = z.infer<typeof PasskeyState>;

export interface AskedOfPasskey {
  method: string;
  /** The path of the route, with `{name}` for each parameter. */
  path: string;
  params: Readonly<Record<string, string>>;
  /** The body without `passkey`. */
  body: Readonly<Record<string, unknown>>;
  /** `Idempotency-Key`; empty without one. */
  key: string;
  nonce: string;
  at: number;
}

/** Domain separation: nothing else that is hashed or signed here begins with it. A changed encoding gets a new number. */
const DOMAIN = 'carabiner.service-passkey.v1\n';
const DEPTH = 100;

/** The text whose SHA-256 is the challenge: the exact request, so that the answer is valid for no other. */
export function passkeyText({ method, path, params, body, key, nonce, at }: AskedOfPasskey): string {
  return DOMAIN + canonical([method, path, { ...params }, { ...body }, key, nonce, at], DEPTH);
}
