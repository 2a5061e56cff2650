/** An authenticator with one credential and a PRF, behind the browser's API. Its signatures are real. */
import { toBase64Url } from '../../../src/base/base64.ts';
import { ES256, RS256 } from '../../../src/wallets/assertion.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** The parts of an answer. A test can change them before it is signed. */
export interface Answer {
  client: Record<string, unknown>;
  /** Replaces the JSON of `client`. */
  text?: string;
  /** Authenticator data: rpIdHash, flags, counter. */
  data: Bytes;
  id: Bytes;
}

const EC = { name: 'ECDSA', namedCurve: 'P-256' };
const RSA = {
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  modulusLength: 2048,
  publicExponent: new Uint8Array([1, 0, 1]),
};

export class Authenticator {
  secret = random(32);
  id = random(16);
  readonly asked: { create: PublicKeyCredentialCreationOptions[]; get: PublicKeyCredentialRequestOptions[] } =
    {
      create: [],
      get: [],
    };
  /** Credentials that it was told to remove. */
  readonly dropped: string[] = [];
  /**
   * `late`: at creation it reports PRF support but no output. `first only`: it answers the first of two inputs. `none`: no PRF. `cancel`: the
   * user closes the prompt.
   */
  mode: 'at once' | 'late' | 'first only' | 'none' | 'cancel' = 'at once';
  alg = ES256;
  /** What it says of whether its credential can be found without its id; undefined: nothing. */
  discoverable: boolean | undefined = true;
  /** Signs with an unregistered key pair. */
  signsWithAnother = false;
  /** Changes the answer to `get` before it is signed. */
  alter: (answer: Answer) => void = () => {};
  /** Runs while the dialog of `get` is open. */
  during: (options: PublicKeyCredentialRequestOptions) => unknown = () => {};
  /** Changes bytes after they were signed. */
  spoil: (signature: Bytes) => Bytes = (signature) => signature;
  #keys: Promise<CryptoKeyPair> | undefined;

  /** Replaces the browser's authenticator. Returns the undo. */
  plug(): () => void {
    const unfit = fitSocket();
    const { create, get } = CredentialsContainer.prototype;
    const { signalUnknownCredential, isUserVerifyingPlatformAuthenticatorAvailable } =
      PublicKeyCredential as unknown as Record<string, unknown>;
    CredentialsContainer.prototype.create = (options) => this.#create(options!.publicKey!);
    CredentialsContainer.prototype.get = (options) => this.#get(options!.publicKey!, options!.signal);
    Object.assign(PublicKeyCredential, {
      signalUnknownCredential: async ({ credentialId }: { credentialId: string }) =>
        void this.dropped.push(credentialId),
      isUserVerifyingPlatformAuthenticatorAvailable: async () => true,
    });
    return () => {
      Object.assign(CredentialsContainer.prototype, { create, get });
      Object.assign(PublicKeyCredential, {
        signalUnknownCredential,
        isUserVerifyingPlatformAuthenticatorAvailable,
      });
      unfit();
    };
  }

  get name(): string {
    return toBase64Url(this.id);
  }

  async #create(options: PublicKeyCredentialCreationOptions): Promise<Credential> {
    this.asked.create.push(options);
    if (this.mode === 'cancel') throw new DOMException('', 'NotAllowedError');
    const { publicKey } = await this.#pair();
    const spki = await crypto.subtle.exportKey('spki', publicKey);
    const client = { type: 'webauthn.create', ...clientOf(options.challenge as ArrayBuffer) };
    const rp = await rpIdHash();
    return {
      rawId: this.id.slice().buffer,
      response: {
        clientDataJSON: new TextEncoder().encode(JSON.stringify(client)).buffer,
        // Flags: user present and verified, credential data follows.
        getAuthenticatorData: () => new Uint8Array([...rp, 0x45, 0, 0, 0, 0, ...new Uint8Array(16)]).buffer,
        getTransports: () => ['internal'],
        getPublicKey: () => spki,
        getPublicKeyAlgorithm: () => this.alg,
      },
      getClientExtensionResults: await this.#prf(options.extensions, true),
    } as unknown as Credential;
  }

  async #get(options: PublicKeyCredentialRequestOptions, signal?: AbortSignal): Promise<Credential> {
    this.asked.get.push(options);
    const closed = new Promise<never>((_, reject) => {
      signal?.addEventListener('abort', () => reject(new DOMException('', 'AbortError')));
    });
    await Promise.race([this.during(options), closed]);
    if (this.mode === 'cancel') throw new DOMException('', 'NotAllowedError');
    const answer: Answer = {
      client: { type: 'webauthn.get', ...clientOf(options.challenge as ArrayBuffer) },
      // Flags: user present and verified.
      data: new Uint8Array([...(await rpIdHash()), 0x05, 0, 0, 0, 1]),
      id: this.id.slice(),
    };
    this.alter(answer);
    const clientData = new TextEncoder().encode(answer.text ?? JSON.stringify(answer.client));
    const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', clientData));
    const signature = await this.#sign(new Uint8Array([...answer.data, ...hash]));
    return {
      rawId: answer.id.buffer,
      response: {
        clientDataJSON: clientData.buffer,
        authenticatorData: answer.data.buffer,
        signature: this.spoil(signature).buffer,
      },
      getClientExtensionResults: await this.#prf(options.extensions, false),
    } as unknown as Credential;
  }

  async #prf(asked: AuthenticationExtensionsClientInputs | undefined, creating: boolean) {
    const key = await crypto.subtle.importKey('raw', this.secret, { name: 'HMAC', hash: 'SHA-256' }, false, [
      'sign',
    ]);
    const { first, second } = asked!.prf!.eval!;
    const results = {
      first: await crypto.subtle.sign('HMAC', key, first),
      ...(second && this.mode !== 'first only' && { second: await crypto.subtle.sign('HMAC', key, second) }),
    };
    const credProps = creating &&
      asked!.credProps &&
      this.discoverable !== undefined && { credProps: { rk: this.discoverable } };
    const prf =
      this.mode === 'none'
        ? {}
        : {
            prf: {
              ...(creating && { enabled: true }),
              ...((this.mode !== 'late' || !creating) && { results }),
            },
          };
    return () => ({ ...prf, ...credProps });
  }

  #pair(): Promise<CryptoKeyPair> {
    this.#keys ??= makePair(this.alg);
    return this.#keys;
  }

  async #sign(data: Bytes): Promise<Bytes> {
    const { privateKey } = await (this.signsWithAnother ? makePair(this.alg) : this.#pair());
    if (this.alg === RS256) return new Uint8Array(await crypto.subtle.sign(RSA, privateKey, data));
    const raw = await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, privateKey, data);
    return der(new Uint8Array(raw));
  }
}

/** Gives a browser without passkeys (WebKitGTK) their API. Returns the undo. */
function fitSocket(): () => void {
  if ('PublicKeyCredential' in globalThis) return () => {};
  class CredentialsContainer {}
  const names = { CredentialsContainer, PublicKeyCredential: class {} };
  Object.assign(globalThis, names);
  Object.defineProperty(navigator, 'credentials', { configurable: true, value: new CredentialsContainer() });
  return () => {
    for (const name of Object.keys(names)) Reflect.deleteProperty(globalThis, name);
    Reflect.deleteProperty(navigator, 'credentials');
  };
}

function clientOf(challenge: ArrayBuffer) {
  const { origin } = location;
  return { challenge: toBase64Url(new Uint8Array(challenge)), origin, crossOrigin: false };
}

async function rpIdHash(): Promise<Bytes> {
  const id = new TextEncoder().encode(location.hostname);
  return new Uint8Array(await crypto.subtle.digest('SHA-256', id));
}

function makePair(alg: number): Promise<CryptoKeyPair> {
  return alg === RS256
    ? crypto.subtle.generateKey(RSA, true, ['sign', 'verify'])
    : crypto.subtle.generateKey(EC, true, ['sign', 'verify']);
}

/** Converts WebCrypto's r ‖ s to the DER of authenticators. */
export function der(raw: Uint8Array): Bytes {
  const integer = (bytes: Uint8Array): number[] => {
    const first = bytes.findIndex((byte) => byte !== 0);
    const digits = [...bytes.subarray(first < 0 ? bytes.length - 1 : first)];
    if (digits[0]! >= 0x80) digits.unshift(0);
    return [0x02, digits.length, ...digits];
  };
  const both = [...integer(raw.subarray(0, 32)), ...integer(raw.subarray(32))];
  return new Uint8Array([0x30, both.length, ...both]);
}

function random(length: number): Bytes {
  return crypto.getRandomValues(new Uint8Array(length));
}
