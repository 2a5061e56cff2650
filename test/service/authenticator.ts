/** An authenticator with one credential, in software: what a browser would send of it. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { type AskedOfPasskey, passkeyText } from '../../src/api/passkey.ts';

export const ORIGIN = 'https://wallet.example';

export interface Manner {
  origin?: string;
  rpId?: string;
  /** Present and verified, unless it is something else. */
  flags?: number;
  type?: string;
  /** In place of the right one. */
  challenge?: Buffer;
  counter?: number;
  crossOrigin?: boolean;
}

export interface Authenticator {
  id: Buffer;
  /** What HKDF makes of its PRF output. */
  secret: string;
  create(challenge: Buffer, manner?: Manner): { clientDataJSON: string; authenticatorData: string };
  get(
    challenge: Buffer,
    manner?: Manner,
  ): { clientDataJSON: string; authenticatorData: string; signature: string };
}

export function challengeOf(asked: AskedOfPasskey): Buffer {
  return createHash('sha256').update(passkeyText(asked)).digest();
}

/** COSE. */
function coseOf(key: KeyObject): Buffer {
  const { kty, x, y, n } = key.export({ format: 'jwk' });
  const bytes = (text: string | undefined): Buffer => Buffer.from(text!, 'base64url');
  const hex = (text: string): Buffer => Buffer.from(text, 'hex');
  return kty === 'EC'
    ? Buffer.concat([hex('a5010203262001215820'), bytes(x), hex('225820'), bytes(y)])
    : Buffer.concat([hex('a401030339010020590100'), bytes(n), hex('2143010001')]);
}

export function newAuthenticator(algorithm: 'ES256' | 'RS256' = 'ES256'): Authenticator {
  const { privateKey, publicKey } =
    algorithm === 'ES256'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : generateKeyPairSync('rsa', { modulusLength: 2048 });
  const id = randomBytes(32);
  const said = (type: string, challenge: Buffer, manner: Manner, more: Buffer = Buffer.alloc(0)) => {
    const {
      origin = ORIGIN,
      rpId = 'wallet.example',
      flags = 0x05,
      counter = 0,
      crossOrigin = true,
    } = manner;
    const client = {
      type: manner.type ?? type,
      challenge: (manner.challenge ?? challenge).toString('base64url'),
      origin,
      crossOrigin,
    };
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    const data = Buffer.concat([
      createHash('sha256').update(rpId).digest(),
      Buffer.from([flags | (more.length ? 0x40 : 0)]),
      count,
      more,
    ]);
    return { client: Buffer.from(JSON.stringify(client)), data };
  };
  return {
    id,
    secret: randomBytes(32).toString('base64url'),
    create(challenge, manner = {}) {
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, coseOf(publicKey)]);
      const { client, data } = said('webauthn.create', challenge, manner, attested);
      return { clientDataJSON: client.toString('base64url'), authenticatorData: data.toString('base64url') };
    },
    get(challenge, manner = {}) {
      const { client, data } = said('webauthn.get', challenge, manner);
      const signed = Buffer.concat([data, createHash('sha256').update(client).digest()]);
      return {
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: sign('sha256', signed, privateKey).toString('base64url'),
      };
    },
  };
}
