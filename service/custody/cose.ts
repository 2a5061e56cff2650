/** Public keys of passkeys: COSE keys (RFC 9052, 9053), as WebAuthn's authenticator data holds them in CBOR (RFC 8949). */
import { createPublicKey, type KeyObject } from 'node:crypto';

export const ES256 = -7;
export const RS256 = -257;

export interface CoseKey {
  algorithm: typeof ES256 | typeof RS256;
  key: KeyObject;
}

/** Undefined for anything but a P-256 key for ES256, or an RSA key of at least 2048 bits for RS256. Bytes after the key are ignored. */
export function readCoseKey(bytes: Buffer): CoseKey | undefined {
  try {
    const map = readMap(bytes);
    const [type, algorithm] = [map.get(1), map.get(3)];
    if (type === 2 && algorithm === ES256 && map.get(-1) === 1) {
      const jwk = { kty: 'EC', crv: 'P-256', x: text(map.get(-2), 32), y: text(map.get(-3), 32) };
      return { algorithm, key: createPublicKey({ key: jwk, format: 'jwk' }) };
    }
    if (type === 3 && algorithm === RS256) {
      const jwk = { kty: 'RSA', n: text(map.get(-1)), e: text(map.get(-2)) };
      const key = createPublicKey({ key: jwk, format: 'jwk' });
      return (key.asymmetricKeyDetails?.modulusLength ?? 0) >= 2048 ? { algorithm, key } : undefined;
    }
    return undefined;
  } catch {
    // Not CBOR, or not a point of the curve.
    return undefined;
  }
}

type Value = number | Buffer;

function text(value: Value | undefined, length?: number): string {
  if (!Buffer.isBuffer(value) || (length !== undefined && value.length !== length)) throw new RangeError();
  return value.toString('base64url');
}

/** A map from integers to integers and byte strings, which is all that these keys contain. */
function readMap(bytes: Buffer): Map<number, Value> {
  let at = 0;
  const head = (): [kind: number, value: number] => {
    const first = bytes.readUInt8(at++);
    const short = first & 0x1f;
    if (short < 24) return [first >> 5, short];
    if (short > 26) throw new RangeError();
    const length = 2 ** (short - 24);
    at += length;
    return [first >> 5, bytes.readUIntBE(at - length, length)];
  };
  const item = (): Value => {
    const [kind, value] = head();
    if (kind === 0) return value;
    if (kind === 1) return -1 - value;
    if (kind !== 2 || at + value > bytes.length) throw new RangeError();
    at += value;
    return bytes.subarray(at - value, at);
  };
  const [kind, count] = head();
  if (kind !== 5) throw new RangeError();
  const map = new Map<number, Value>();
  for (let n = 0; n < count; n++) {
    const key = item();
    if (typeof key !== 'number' || map.has(key)) throw new RangeError();
    map.set(key, item());
  }
  return map;
}
