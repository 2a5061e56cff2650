/**
 * Passkeys that a manager syncs to every browser, in place of the browser's own: a virtual authenticator of Chromium serves one page, and its
 * PRF cannot be moved to another. The wallet sees WebAuthn's API; the signatures are real.
 */
import { createHmac, randomBytes, webcrypto } from 'node:crypto';
import type { BrowserContext } from 'playwright-core';
import { der } from '../unit/wallets/authenticator.ts';

interface SyncedPasskey {
  id: Buffer;
  secret: Buffer;
  keys: CryptoKeyPair;
}

/** What a page asks for, and is answered, as base64. */
interface Creation {
  inputs: string[];
  rpIdHash: string;
}
interface Assertion extends Creation {
  allowed: string[];
  clientData: string;
}
interface Answer {
  id: string;
  outputs: string[];
  spki?: string;
  data?: string;
  signature?: string;
}

export class SyncedPasskeys {
  /** What the user does when asked: `wait` leaves the dialog open. */
  user: 'confirm' | 'cancel' | 'wait' = 'confirm';
  /** How often the user was asked. */
  asked = 0;
  readonly passkeys: SyncedPasskey[] = [];
  /** All that pages were given by any of them. */
  readonly outputs: Buffer[] = [];

  /** For all pages of a browser profile from now on. Several profiles may have the same passkeys. */
  async plug(context: BrowserContext): Promise<void> {
    await context.exposeFunction('createSynced', (creation: Creation) => this.#create(creation));
    await context.exposeFunction('useSynced', (assertion: Assertion) => this.#use(assertion));
    await context.addInitScript(replaceCredentials);
  }

  async #confirmed(): Promise<boolean> {
    this.asked++;
    if (this.user === 'wait') await new Promise(() => {});
    return this.user === 'confirm';
  }

  async #create({ inputs }: Creation): Promise<Answer | null> {
    if (!(await this.#confirmed())) return null;
    const algorithm = { name: 'ECDSA', namedCurve: 'P-256' };
    const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
    const passkey: SyncedPasskey = { id: randomBytes(16), secret: randomBytes(32), keys };
    this.passkeys.push(passkey);
    const spki = Buffer.from(await webcrypto.subtle.exportKey('spki', keys.publicKey));
    return { ...this.#outputsOf(passkey, inputs), spki: spki.toString('base64') };
  }

  async #use({ inputs, allowed, clientData, rpIdHash }: Assertion): Promise<Answer | null> {
    if (!(await this.#confirmed())) return null;
    const passkey = this.passkeys.findLast(
      ({ id }) => allowed.length === 0 || allowed.includes(id.toString('base64')),
    );
    if (!passkey) return null;
    // Flags: user present and verified.
    const data = Buffer.concat([Buffer.from(rpIdHash, 'base64'), Buffer.from([0x05, 0, 0, 0, 1])]);
    const hash = await webcrypto.subtle.digest('SHA-256', Buffer.from(clientData, 'base64'));
    const raw = await webcrypto.subtle.sign(
      { name: 'ECDSA', hash: 'SHA-256' },
      passkey.keys.privateKey,
      Buffer.concat([data, Buffer.from(hash)]),
    );
    return {
      ...this.#outputsOf(passkey, inputs),
      data: data.toString('base64'),
      signature: Buffer.from(der(new Uint8Array(raw))).toString('base64'),
    };
  }

  #outputsOf({ id, secret }: SyncedPasskey, inputs: readonly string[]): Answer {
    const outputs = inputs.map((input) =>
      createHmac('sha256', secret).update(Buffer.from(input, 'base64')).digest(),
    );
    this.outputs.push(...outputs);
    return { id: id.toString('base64'), outputs: outputs.map((output) => output.toString('base64')) };
  }
}

/** Runs in each page before its scripts. */
function replaceCredentials(): void {
  if (!('credentials' in navigator)) return;
  const calls = window as unknown as {
    createSynced(creation: Creation): Promise<Answer | null>;
    useSynced(assertion: Assertion): Promise<Answer | null>;
  };
  const text = (bytes: BufferSource): string => {
    const view = ArrayBuffer.isView(bytes)
      ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      : new Uint8Array(bytes);
    return btoa(String.fromCharCode(...view));
  };
  const bytes = (base64: string): ArrayBuffer =>
    Uint8Array.from(atob(base64), (each) => each.charCodeAt(0)).buffer;
  const clientOf = (type: string, challenge: BufferSource): ArrayBuffer => {
    const base64url = text(challenge).replace(/\+/g, '-').replace(/\//g, '_').replace(/=/g, '');
    const crossOrigin = window.parent !== window;
    const client = { type, challenge: base64url, origin: location.origin, crossOrigin };
    return new TextEncoder().encode(JSON.stringify(client)).buffer;
  };
  const asked = async (extensions: AuthenticationExtensionsClientInputs | undefined): Promise<Creation> => {
    const { first, second } = extensions!.prf!.eval!;
    const rpId = new TextEncoder().encode(location.hostname);
    const rpIdHash = text(await crypto.subtle.digest('SHA-256', rpId));
    return { inputs: [first, ...(second ? [second] : [])].map(text), rpIdHash };
  };
  const orAborted = <T>(answer: Promise<T | null>, signal?: AbortSignal): Promise<T> =>
    new Promise((resolve, reject) => {
      const refuse = (name: string): void => reject(new DOMException('', name));
      if (signal?.aborted) refuse('AbortError');
      signal?.addEventListener('abort', () => refuse('AbortError'));
      void answer.then((value) => (value ? resolve(value) : refuse('NotAllowedError')));
    });
  const credential = ({ id, outputs: [first, second] }: Answer, response: object, more: object): Credential =>
    ({
      rawId: bytes(id),
      response,
      getClientExtensionResults: () => ({
        prf: { ...more, results: { first: bytes(first!), ...(second && { second: bytes(second) }) } },
        credProps: { rk: true },
      }),
    }) as unknown as Credential;

  CredentialsContainer.prototype.create = async (options) => {
    const { challenge, extensions } = options!.publicKey!;
    const creation = await asked(extensions);
    const answer = await orAborted(calls.createSynced(creation), options!.signal);
    const response = {
      clientDataJSON: clientOf('webauthn.create', challenge),
      getTransports: () => ['internal'],
      getPublicKey: () => bytes(answer.spki!),
      getPublicKeyAlgorithm: () => -7,
    };
    return credential(answer, response, { enabled: true });
  };
  CredentialsContainer.prototype.get = async (options) => {
    const { challenge, allowCredentials = [], extensions } = options!.publicKey!;
    const clientData = clientOf('webauthn.get', challenge);
    const allowed = allowCredentials.map(({ id }) => text(id));
    const assertion = { ...(await asked(extensions)), allowed, clientData: text(clientData) };
    const answer = await orAborted(calls.useSynced(assertion), options!.signal);
    const response = {
      clientDataJSON: clientData,
      authenticatorData: bytes(answer.data!),
      signature: bytes(answer.signature!),
    };
    return credential(answer, response, {});
  };
  Object.assign(PublicKeyCredential, {
    isUserVerifyingPlatformAuthenticatorAvailable: async () => true,
    getClientCapabilities: async () => ({}),
    signalUnknownCredential: async () => {},
  });
}
