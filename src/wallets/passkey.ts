/**
 * A passkey as a way in: WebAuthn's PRF extension (https://w3c.github.io/webauthn/#prf-extension) gives 32 secret bytes for our salt,
 * only after the authenticator has verified the user. What it is asked for is in its challenge, and its answer is checked before the
 * secret opens anything. Only our own code checks this: the secret itself is the same whatever was asked.
 */
import { toBase64Url } from '../base/bytes.ts';
import { ConnectError, UserRejectedError } from '../base/errors.ts';
import { checkAssertion, ES256, type Place, placeHere, RS256, same } from './assertion.ts';
import { wrappingKey } from './cipher.ts';
import type { Database } from './database.ts';
import type { OpenVault } from './open-vault.ts';
import { challengeOf, type Intent } from './passkey-intent.ts';
import { type Bytes, type PublicKey, readVault } from './records.ts';
import { unwrap } from './unlock.ts';

export interface Passkey {
  id: Bytes;
  salt: Bytes;
  transports: string[];
  publicKey?: PublicKey | undefined;
}

/** Whether offering a passkey makes sense. Only creating one shows whether it opens the vault. */
export async function passkeyAvailable(): Promise<boolean> {
  if (typeof PublicKeyCredential === 'undefined') return false;
  const capabilities = await PublicKeyCredential.getClientCapabilities?.().catch(() => undefined);
  if (capabilities?.['extension:prf'] === false) return false;
  return PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable().catch(() => false);
}

/** What a passkey is created from. */
export interface NewPasskey {
  /** The salt of the PRF. */
  salt: Bytes;
  challenge: Bytes;
  /** The name under which the device lists it. */
  name: string;
}

export interface MadePasskey {
  passkey: Passkey;
  /** The PRF's output for the salt. */
  secret: Bytes;
  response: AuthenticatorAttestationResponse;
}

/** Creates a passkey. One that cannot open the wallet is removed again, as far as the browser allows. */
export async function makePasskey(
  place = placeHere(),
  signal?: AbortSignal,
  { salt, challenge, name }: NewPasskey = {
    salt: random(32),
    challenge: random(32),
    name: 'Carabiner wallet',
  },
): Promise<MadePasskey> {
  const created = await credentialFrom(() =>
    navigator.credentials.create({
      ...(signal && { signal }),
      publicKey: {
        challenge: challenge.slice(),
        rp: { name: 'Carabiner' },
        user: { id: random(16), name, displayName: name },
        pubKeyCredParams: [
          { type: 'public-key', alg: ES256 },
          { type: 'public-key', alg: RS256 },
        ],
        authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
        extensions: { prf: { eval: { first: salt } } },
      },
    }),
  );
  const id = new Uint8Array(created.rawId);
  try {
    const response = created.response as AuthenticatorAttestationResponse;
    const spki = response.getPublicKey();
    if (!spki) throw unsupported();
    const passkey: Passkey = {
      id,
      salt,
      transports: response.getTransports?.() ?? [],
      publicKey: { alg: response.getPublicKeyAlgorithm(), spki: new Uint8Array(spki) },
    };
    signal?.throwIfAborted();
    const secret = secretOf(created);
    if (secret) return { passkey, secret, response };
    // Some authenticators only announce the extension at creation, and give the secret when asked.
    if (!created.getClientExtensionResults().prf?.enabled) throw unsupported();
    return { passkey, secret: await askPasskey(passkey, random(32), place, signal), response };
  } catch (error) {
    await dropPasskey(id);
    throw error;
  }
}

/** Asks for the secret, and verifies that the answer is for this challenge. */
export async function askPasskey(...question: Parameters<typeof answerOf>): Promise<Bytes> {
  return (await answerOf(...question)).secret;
}

/** Asks for an answer with the secret, and verifies that it is for this challenge. */
export async function answerOf(
  { id, salt, transports, publicKey }: Passkey,
  challenge: Bytes,
  place: Place,
  signal?: AbortSignal,
): Promise<{ response: AuthenticatorAssertionResponse; secret: Bytes }> {
  const answer = await credentialFrom(() =>
    navigator.credentials.get({
      ...(signal && { signal }),
      publicKey: {
        // This is a copy: the answer is compared with what we meant, not with the object we handed out.
        challenge: challenge.slice(),
        allowCredentials: [{ type: 'public-key', id, transports: transports as AuthenticatorTransport[] }],
        userVerification: 'required',
        extensions: { prf: { eval: { first: salt } } },
      },
    }),
  );
  await checkAssertion(answer, { challenge, id, publicKey, place });
  const secret = secretOf(answer);
  if (!secret) throw unsupported();
  return { response: answer.response as AuthenticatorAssertionResponse, secret };
}

/** Opens the vault for this intent and for nothing else. */
export async function unlockWithPasskey(
  db: Database,
  intent: Intent,
  place = placeHere(),
  signal?: AbortSignal,
): Promise<OpenVault> {
  const { passkey } = await readVault(db);
  if (!passkey) throw new ConnectError('wallet.secret.not-found', 'No passkey was set up. Use your PIN.');
  const challenge = await challengeOf(intent);
  const secret = await askPasskey(passkey, challenge, place, signal);
  const open = await unwrap(db, await wrappingKey(secret, 'passkey'), 'passkey', passkey.wrap, {
    async assert(action, walletId, content) {
      const now = await challengeOf({ ...intent, action, walletId, content });
      if (!same(now, challenge))
        throw new ConnectError(
          'wallet.secret.internal-error',
          'This is not what the passkey approved. Nothing was signed.',
          { reason: 'passkey', check: 'content' },
        );
    },
  });
  if (open) return open;
  throw new ConnectError(
    'wallet.decrypt.internal-error',
    'This passkey belongs to another wallet. Use your PIN.',
  );
}

/** Lets the password manager drop a passkey that no longer opens anything, where the browser supports it. */
export async function dropPasskey(id: Bytes): Promise<void> {
  const api = PublicKeyCredential as {
    signalUnknownCredential?: (about: { rpId: string; credentialId: string }) => Promise<void>;
  };
  const about = { rpId: location.hostname, credentialId: toBase64Url(id) };
  await api.signalUnknownCredential?.(about).catch(() => undefined);
}

function secretOf(credential: PublicKeyCredential): Bytes | undefined {
  const first = credential.getClientExtensionResults().prf?.results?.first;
  if (!first) return undefined;
  return ArrayBuffer.isView(first)
    ? new Uint8Array(first.buffer as ArrayBuffer, first.byteOffset, first.byteLength)
    : new Uint8Array(first);
}

async function credentialFrom(ask: () => Promise<Credential | null>): Promise<PublicKeyCredential> {
  let credential: Credential | null;
  try {
    credential = await ask();
  } catch (cause) {
    // Browsers do not distinguish a cancel from a time-out or a missing passkey.
    if (cause instanceof DOMException && (cause.name === 'NotAllowedError' || cause.name === 'AbortError'))
      throw new UserRejectedError('The passkey was not used.');
    throw unsupported(cause);
  }
  if (!credential) throw new UserRejectedError('The passkey was not used.');
  return credential as PublicKeyCredential;
}

function unsupported(cause?: unknown): ConnectError {
  return new ConnectError(
    'wallet.secret.internal-error',
    'This passkey cannot open the wallet. Use your PIN.',
    { reason: 'passkey' },
    { cause },
  );
}

function random(length: number): Bytes {
  return crypto.getRandomValues(new Uint8Array(length));
}
