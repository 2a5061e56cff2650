/**
 * A passkey as a way in: WebAuthn's PRF extension (https://w3c.github.io/webauthn/#prf-extension) gives 32 secret bytes for our salt,
 * only after the authenticator has verified the user.
 */
import { ConnectError, UserRejectedError } from '../errors.ts';
import type { Bytes } from './records.ts';

export interface Passkey {
  id: Bytes;
  salt: Bytes;
  transports: string[];
}

/** Whether it is worth to offer one. Only making it tells for sure. */
export async function passkeyAvailable(): Promise<boolean> {
  if (typeof PublicKeyCredential === 'undefined') return false;
  const capabilities = await PublicKeyCredential.getClientCapabilities?.().catch(() => undefined);
  if (capabilities?.['extension:prf'] === false) return false;
  return PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable().catch(() => false);
}

export async function makePasskey(): Promise<{ passkey: Passkey; secret: Bytes }> {
  const salt = random(32);
  const created = await asked(() =>
    navigator.credentials.create({
      publicKey: {
        challenge: random(32),
        rp: { name: 'Carabiner' },
        user: { id: random(16), name: 'Carabiner wallet', displayName: 'Carabiner wallet' },
        // ES256 and RS256; the signature is never used.
        pubKeyCredParams: [
          { type: 'public-key', alg: -7 },
          { type: 'public-key', alg: -257 },
        ],
        authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
        extensions: { prf: { eval: { first: salt } } },
      },
    }),
  );
  const passkey: Passkey = {
    id: new Uint8Array(created.rawId),
    salt,
    transports: (created.response as AuthenticatorAttestationResponse).getTransports?.() ?? [],
  };
  // Some authenticators only say at creation that they can, and answer when asked.
  const secret = secretOf(created);
  if (secret) return { passkey, secret };
  if (!created.getClientExtensionResults().prf?.enabled) throw unsupported();
  return { passkey, secret: await askPasskey(passkey) };
}

export async function askPasskey({ id, salt, transports }: Passkey): Promise<Bytes> {
  const answer = await asked(() =>
    navigator.credentials.get({
      publicKey: {
        challenge: random(32),
        allowCredentials: [{ type: 'public-key', id, transports: transports as AuthenticatorTransport[] }],
        userVerification: 'required',
        extensions: { prf: { eval: { first: salt } } },
      },
    }),
  );
  const secret = secretOf(answer);
  if (!secret) throw unsupported();
  return secret;
}

/** Lets the password manager drop what opens nothing any more, where the browser can tell it. */
export async function dropPasskey(id: Bytes): Promise<void> {
  const credentialId = btoa(String.fromCharCode(...id))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
  const api = PublicKeyCredential as {
    signalUnknownCredential?: (about: { rpId: string; credentialId: string }) => Promise<void>;
  };
  await api.signalUnknownCredential?.({ rpId: location.hostname, credentialId }).catch(() => undefined);
}

function secretOf(credential: PublicKeyCredential): Bytes | undefined {
  const first = credential.getClientExtensionResults().prf?.results?.first;
  if (!first) return undefined;
  return ArrayBuffer.isView(first)
    ? new Uint8Array(first.buffer as ArrayBuffer, first.byteOffset, first.byteLength)
    : new Uint8Array(first);
}

async function asked(ask: () => Promise<Credential | null>): Promise<PublicKeyCredential> {
  let credential: Credential | null;
  try {
    credential = await ask();
  } catch (cause) {
    // Browsers do not tell a cancel from a time-out or a missing passkey.
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
