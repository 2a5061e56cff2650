/**
 * Whether an authenticator's answer fits the request: WebAuthn Level 3, section 7.2, as far as it applies to a wallet that
 * is its own relying party (https://www.w3.org/TR/webauthn-3/#sctn-verifying-assertion).
 */
import { toBase64Url } from '../base/base64.ts';
import { concat } from '../base/bytes.ts';
import { ConnectError } from '../base/errors.ts';
import type { Bytes, PublicKey } from './records.ts';

export interface ExpectedAnswer {
  challenge: Bytes;
  /** The credential's id. */
  id: Bytes;
  /** Undefined for a passkey created by an older version: then everything but the signature is checked. */
  publicKey: PublicKey | undefined;
  place: Place;
}

/** Where the passkey was requested. */
export interface Place {
  rpId: string;
  origin: string;
  /** The origin of the embedding page; undefined in a separate window. */
  topOrigin: string | undefined;
}

type Check = 'id' | 'type' | 'challenge' | 'origin' | 'top' | 'rp' | 'present' | 'verified' | 'signature';

/** Bits of the flags in authenticator data. */
const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;

/** COSE algorithms that every platform supports. */
export const ES256 = -7;
export const RS256 = -257;

export function placeHere(): Place {
  const { hostname, origin, ancestorOrigins } = location;
  const framed = window.parent !== window;
  return {
    rpId: hostname,
    origin,
    // The outermost origin. Where a browser does not list the origins, nothing is approved in an iframe.
    topOrigin: framed ? (ancestorOrigins?.[ancestorOrigins.length - 1] ?? 'null') : undefined,
  };
}

/** Throws `wallet.secret.internal-error` with the first check that failed. */
export async function checkAssertion(
  credential: PublicKeyCredential,
  expected: ExpectedAnswer,
): Promise<void> {
  const response = credential.response as AuthenticatorAssertionResponse;
  const clientData = new Uint8Array(response.clientDataJSON);
  const data = new Uint8Array(response.authenticatorData);
  const signature = new Uint8Array(response.signature);
  const { challenge, id, publicKey, place } = expected;

  if (!same(new Uint8Array(credential.rawId), id)) throw refused('id');
  const client = readClientData(clientData);
  if (client['type'] !== 'webauthn.get') throw refused('type');
  if (client['challenge'] !== toBase64Url(challenge)) throw refused('challenge');
  if (client['origin'] !== place.origin) throw refused('origin');
  if ((client['crossOrigin'] ?? false) !== (place.topOrigin !== undefined)) throw refused('top');
  // Browsers that report the embedding page do so only in an iframe.
  if (client['topOrigin'] !== undefined && client['topOrigin'] !== place.topOrigin) throw refused('top');

  if (!same(data.subarray(0, 32), await sha256(new TextEncoder().encode(place.rpId)))) throw refused('rp');
  const flags = data[32] ?? 0;
  if (!(flags & USER_PRESENT)) throw refused('present');
  if (!(flags & USER_VERIFIED)) throw refused('verified');

  if (!publicKey) return;
  const signed = concat(data, await sha256(clientData));
  if (!(await verifies(publicKey, signature, signed))) throw refused('signature');
}

function refused(check: Check): ConnectError {
  return new ConnectError(
    'wallet.secret.internal-error',
    'The passkey answered something else than it was asked. Nothing was signed.',
    { reason: 'passkey', check },
  );
}

function readClientData(bytes: Bytes): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

async function verifies({ alg, spki }: PublicKey, signature: Bytes, signed: Bytes): Promise<boolean> {
  try {
    if (alg === ES256) {
      const key = await crypto.subtle.importKey('spki', spki, { name: 'ECDSA', namedCurve: 'P-256' }, false, [
        'verify',
      ]);
      const raw = rawOf(signature);
      return !!raw && (await crypto.subtle.verify({ name: 'ECDSA', hash: 'SHA-256' }, key, raw, signed));
    }
    if (alg !== RS256) return false;
    const rsa = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
    const key = await crypto.subtle.importKey('spki', spki, rsa, false, ['verify']);
    return await crypto.subtle.verify(rsa, key, signature, signed);
  } catch {
    // The bytes are no key, or not one of this algorithm.
    return false;
  }
}

/** WebAuthn's ECDSA signatures are DER (SEQUENCE of two INTEGERs), WebCrypto's are r and s of 32 bytes. */
function rawOf(der: Bytes): Bytes | undefined {
  if (der[0] !== 0x30 || der[1] !== der.length - 2) return undefined;
  const raw = new Uint8Array(64);
  let at = 2;
  for (const end of [32, 64]) {
    const length = der[at + 1] ?? 0;
    const number = der.subarray(at + 2, at + 2 + length);
    // A leading zero keeps a number with its highest bit set from being negative.
    const digits = number[0] === 0 ? number.subarray(1) : number;
    if (der[at] !== 0x02 || number.length !== length || !length || digits.length > 32) return undefined;
    raw.set(digits, end - digits.length);
    at += 2 + length;
  }
  return at === der.length ? raw : undefined;
}

async function sha256(bytes: Bytes): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
}

export function same(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, i) => byte === other[i]);
}
