/**
 * The passkey of the user's account at the wallet service. Its challenge is the request itself, so that the
 * answer is valid for no other (`passkeyText`). The service gets a secret derived from the PRF output; the
 * output itself, which could open something else, stays here.
 */
import { fromBase64Url, toBase64Url } from '../../base/base64.ts';
import {
  type AddPasskey,
  type AskedOfPasskey,
  type PasskeyAnswer,
  type PasskeyState,
  passkeyText,
} from '../../api/passkey.ts';
import { placeHere } from '../assertion.ts';
import type { Bytes } from '../records.ts';

export type StoredPasskey = NonNullable<PasskeyState['passkey']>;

/** A request to be answered, without the fields that make each answer unique. */
export type PasskeyQuestion = Omit<AskedOfPasskey, 'nonce' | 'at'>;

const loadPasskeys = () => import('../passkey.ts');

/**
 * Asks the device. `at`: milliseconds since 1970, by the service's clock. `opens`: it stands for the master PIN. Throws `user.rejected`, and
 * `wallet.secret.internal-error` with `details.reason` `passkey`.
 */
export async function answerTo(
  { credentialId, salt, transports }: StoredPasskey,
  question: PasskeyQuestion,
  { at, opens, signal }: { at: number; opens: boolean; signal?: AbortSignal | undefined },
): Promise<PasskeyAnswer> {
  const { answerOf } = await loadPasskeys();
  const nonce = newNonce();
  const passkey = { id: fromBase64Url(credentialId), salt: fromBase64Url(salt), transports };
  const challenge = await challengeOf({ ...question, nonce, at });
  const { response, secret } = await answerOf(passkey, challenge, placeHere(), signal);
  const opener = await openerOf(secret);
  return {
    nonce,
    at,
    credentialId,
    clientDataJSON: text(response.clientDataJSON),
    authenticatorData: text(response.authenticatorData),
    signature: text(response.signature),
    ...(opens && { secret: opener }),
  };
}

/**
 * Creates one for the request that adds it, whose body is returned. `drop` removes it from the device. Throws
 * as `answerTo` does.
 */
export async function makeFor(
  pincode: string,
  { method, path }: Pick<PasskeyQuestion, 'method' | 'path'>,
  at: number,
  signal?: AbortSignal,
): Promise<{ body: AddPasskey; credentialId: string; drop: () => Promise<void> }> {
  const { makePasskey, dropPasskey } = await loadPasskeys();
  const salt = crypto.getRandomValues(new Uint8Array(32));
  const nonce = newNonce();
  const fields = { pincode, salt: toBase64Url(salt) };
  const challenge = await challengeOf({ method, path, params: {}, body: fields, key: '', nonce, at });
  const { passkey, secret, response } = await makePasskey(placeHere(), signal, {
    salt,
    challenge,
    name: 'Carabiner wallet service',
  });
  return {
    body: {
      ...fields,
      passkey: {
        nonce,
        at,
        clientDataJSON: text(response.clientDataJSON),
        authenticatorData: text(response.getAuthenticatorData()),
        transports: passkey.transports,
        secret: await openerOf(secret),
      },
    },
    credentialId: toBase64Url(passkey.id),
    drop: () => dropPasskey(passkey.id),
  };
}

/** The secret for the service, derived from the PRF output, which it overwrites. */
async function openerOf(secret: Bytes): Promise<string> {
  const base = await crypto.subtle.importKey('raw', secret, 'HKDF', false, ['deriveBits']);
  secret.fill(0);
  const info = new TextEncoder().encode('carabiner service passkey');
  const how = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(0), info };
  return text(await crypto.subtle.deriveBits(how, base, 256));
}

async function challengeOf(question: AskedOfPasskey): Promise<Bytes> {
  const bytes = new TextEncoder().encode(passkeyText(question));
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
}

function newNonce(): string {
  return toBase64Url(crypto.getRandomValues(new Uint8Array(32)));
}

function text(bytes: ArrayBuffer): string {
  return toBase64Url(new Uint8Array(bytes));
}
