/**
 * A passkey as a way in: WebAuthn's PRF extension (https://w3c.github.io/webauthn/#prf-extension) gives 32 secret bytes for our salt,
 * only after the authenticator has verified the user. What it is asked for is in its challenge, and its answer is checked before the
 * secret opens anything. Only our own code checks this: the secret itself is the same whatever was asked.
 */
import { toBase64Url } from '../base/base64.ts';
import { utf8 } from '../base/bytes.ts';
import { ConnectError, UserRejectedError } from '../base/errors.ts';
import { checkAssertion, ES256, type Place, placeHere, RS256, same } from './assertion.ts';
import { wrappingKey } from './cipher.ts';
import type { Database } from './database.ts';
import type { OpenVault } from './open-vault.ts';
import { challengeOf, type Intent } from './passkey-intent.ts';
import { type Bytes, type PublicKey, readVault } from './records.ts';
import type { Unlocked } from './types.ts';
import { unwrap } from './unlock.ts';

/**
 * The PRF input for the encrypted copy of the wallet, beside the salt of this browser. It is public and always the same, as nothing else is
 * left after the browser is lost; the outputs of two passkeys for it are independent.
 */
export const COPY_INPUT: Bytes = utf8('carabiner.vault-sync.v1');

export interface Passkey {
  id: Bytes;
  salt: Bytes;
  transports: string[];
  publicKey?: PublicKey | undefined;
  /** It can be found without its id. Absent in records of older versions. */
  discoverable?: boolean | undefined;
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
  /** Passkeys of the same wallet: an authenticator that has one of them makes no other. */
  others?: Bytes[];
  /** Whether it must be one that a new browser can find. */
  residentKey?: ResidentKeyRequirement;
  /** A second input of the PRF. */
  second?: Bytes;
}

export interface MadePasskey {
  passkey: Passkey;
  /** The PRF's output for the salt. */
  secret: Bytes;
  /** That for the second input, if there was one and the authenticator answers it. */
  second?: Bytes | undefined;
  response: AuthenticatorAttestationResponse;
}

/** Its day tells people several apart. */
export function passkeyName(now: number): string {
  return `Carabiner wallet · ${new Date(now).toISOString().slice(0, 10)}`;
}

/** A passkey for the wallet in this browser. `now`: milliseconds since 1970. */
export function newPasskey(now: number, others: Bytes[] = []): NewPasskey {
  return {
    salt: random(32),
    challenge: random(32),
    name: passkeyName(now),
    others,
    residentKey: 'required',
    second: COPY_INPUT,
  };
}

/** Creates a passkey. One that cannot open the wallet is removed again, as far as the browser allows. */
export async function makePasskey(
  place: Place,
  signal: AbortSignal | undefined,
  { salt, challenge, name, others = [], residentKey = 'preferred', second }: NewPasskey,
): Promise<MadePasskey> {
  const inputs = { first: salt, ...(second && { second }) };
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
        excludeCredentials: others.map((other) => ({ type: 'public-key', id: other })),
        authenticatorSelection: { residentKey, userVerification: 'required' },
        extensions: { prf: { eval: inputs }, credProps: true },
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
      discoverable: created.getClientExtensionResults().credProps?.rk ?? residentKey === 'required',
    };
    signal?.throwIfAborted();
    const secret = secretOf(created, 'first');
    if (secret) return { passkey, secret, second: secretOf(created, 'second'), response };
    // Some authenticators only announce the extension at creation, and give the secret when asked.
    if (!created.getClientExtensionResults().prf?.enabled) throw unsupported();
    const answer = await assertionOf(passkey, inputs, random(32), place, signal);
    return { passkey, secret: answer.first, second: answer.second, response };
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
  passkey: Passkey,
  challenge: Bytes,
  place: Place,
  signal?: AbortSignal,
): Promise<{ response: AuthenticatorAssertionResponse; secret: Bytes }> {
  const { answer, first } = await assertionOf(passkey, { first: passkey.salt }, challenge, place, signal);
  return { response: answer.response as AuthenticatorAssertionResponse, secret: first };
}

/** A passkey that the user picked, with its secret for the copy and one for a new salt. */
export interface FoundPasskey {
  id: Bytes;
  copySecret: Bytes;
  salt: Bytes;
  /** Undefined if the authenticator answers one input only. */
  secret: Bytes | undefined;
}

/**
 * Lets the user pick a passkey of this origin, in a browser that may know none of them. Its signature cannot be checked: the copy that its
 * secret opens shows whose it is. Never settles if there is no authenticator: `signal` ends it.
 */
export async function findPasskey(place: Place, signal?: AbortSignal): Promise<FoundPasskey> {
  const salt = random(32);
  const inputs = { first: COPY_INPUT, second: salt };
  const { answer, first, second } = await assertionOf(undefined, inputs, random(32), place, signal);
  return { id: new Uint8Array(answer.rawId), copySecret: first, salt, secret: second };
}

/** Asks for the PRF's outputs. Without a passkey, for any of this origin. */
async function assertionOf(
  passkey: Passkey | undefined,
  inputs: { first: Bytes; second?: Bytes },
  challenge: Bytes,
  place: Place,
  signal: AbortSignal | undefined,
): Promise<{ answer: PublicKeyCredential; first: Bytes; second?: Bytes | undefined }> {
  const allowed = passkey && {
    type: 'public-key' as const,
    id: passkey.id,
    transports: passkey.transports as AuthenticatorTransport[],
  };
  const answer = await credentialFrom(() =>
    navigator.credentials.get({
      ...(signal && { signal }),
      publicKey: {
        // This is a copy: the answer is compared with what we meant, not with the object we handed out.
        challenge: challenge.slice(),
        allowCredentials: allowed ? [allowed] : [],
        userVerification: 'required',
        extensions: { prf: { eval: inputs } },
      },
    }),
  );
  const id = passkey?.id ?? new Uint8Array(answer.rawId);
  await checkAssertion(answer, { challenge, id, publicKey: passkey?.publicKey, place });
  const first = secretOf(answer, 'first');
  if (!first) throw unsupported();
  return { answer, first, second: secretOf(answer, 'second') };
}

/**
 * Opens the vault for this intent and for nothing else. With what the user begins in the wallet's own views, `copySecretOf` has the secret
 * of the encrypted copy from the same touch.
 */
export async function unlockWithPasskey(
  db: Database,
  intent: Intent,
  place = placeHere(),
  signal?: AbortSignal,
): Promise<OpenVault> {
  const { open, second } = await openedBy(
    db,
    intent,
    place,
    signal,
    intent.action === 'open' ? COPY_INPUT : undefined,
  );
  // That `first` opened the vault shows that the authenticator gives the same outputs as before.
  if (second) keepCopySecret(open, second, false);
  return open;
}

/** The secret of the encrypted copy. `isFresh`: of a passkey made just now, which has not given it twice. */
export interface CopySecret {
  bytes: Bytes;
  isFresh: boolean;
}

/** In memory only, as long as the vault is open. */
const COPY_SECRETS = new WeakMap<Unlocked, CopySecret>();

/** Undefined unless a passkey opened the vault in the wallet's own views. */
export function copySecretOf(unlocked: Unlocked): CopySecret | undefined {
  return COPY_SECRETS.get(unlocked);
}

/** Overwrites it when the vault is closed. */
export function keepCopySecret(open: OpenVault, bytes: Bytes, isFresh: boolean): void {
  const close = open.close.bind(open);
  COPY_SECRETS.set(open, { bytes, isFresh });
  open.close = () => {
    COPY_SECRETS.delete(open);
    bytes.fill(0);
    close();
  };
}

async function openedBy(
  db: Database,
  intent: Intent,
  place: Place,
  signal: AbortSignal | undefined,
  second?: Bytes,
): Promise<{ open: OpenVault; second?: Bytes | undefined }> {
  const { passkey } = await readVault(db);
  if (!passkey) throw new ConnectError('wallet.secret.not-found', 'No passkey was set up. Use your PIN.');
  const challenge = await challengeOf(intent);
  const inputs = { first: passkey.salt, ...(second && { second }) };
  const answer = await assertionOf(passkey, inputs, challenge, place, signal);
  const open = await unwrap(db, await wrappingKey(answer.first, 'passkey'), 'passkey', passkey.wrap, {
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
  if (open) return { open, second: answer.second };
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

function secretOf(credential: PublicKeyCredential, input: 'first' | 'second'): Bytes | undefined {
  const output = credential.getClientExtensionResults().prf?.results?.[input];
  if (!output) return undefined;
  return ArrayBuffer.isView(output)
    ? new Uint8Array(output.buffer as ArrayBuffer, output.byteOffset, output.byteLength)
    : new Uint8Array(output);
}

async function credentialFrom(ask: () => Promise<Credential | null>): Promise<PublicKeyCredential> {
  let credential: Credential | null;
  try {
    credential = await ask();
  } catch (cause) {
    // Browsers do not distinguish a cancel from a time-out or a missing passkey.
    if (cause instanceof DOMException && (cause.name === 'NotAllowedError' || cause.name === 'AbortError'))
      throw new UserRejectedError('The passkey was not used.');
    if (cause instanceof DOMException && cause.name === 'InvalidStateError')
      throw new ConnectError(
        'wallet.secret.internal-error',
        'This device has a passkey of this wallet already.',
        { reason: 'passkey' },
        { cause },
      );
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
