/**
 * This browser's key at the wallet service, and its proofs (RFC 9449): the page holds the user's token too, but not this key. WebCrypto's
 * P-256, not extractable, in the frame's own IndexedDB.
 */
import { toBase64Url } from '../../base/base64.ts';
import type { Outgoing } from '../../api/client.ts';
import { type Database, settled } from '../database.ts';

export interface Device {
  /** Creates the key on first use. */
  prove(outgoing: Outgoing): Promise<string>;
  /** What the service knows the key by (RFC 7638, SHA-256). */
  thumbprint(): Promise<string>;
}

const ECDSA = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

export function openDevice(db: Database, service: string): Device {
  // A key for one service is useless at another, and reveals nothing to it.
  const name = `device ${service}`;
  let keys: Promise<CryptoKeyPair> | undefined;

  async function load(): Promise<CryptoKeyPair> {
    const find = (tx: IDBTransaction) => settled(tx.objectStore('vault').get(name));
    const stored: unknown = await db.read(['vault'], find);
    if (isPair(stored)) return stored;
    const pair = await crypto.subtle.generateKey(ECDSA, false, ['sign']);
    // Another tab may have made one meanwhile: the first stays.
    return db.write(['vault'], async (tx) => {
      const other: unknown = await find(tx);
      if (isPair(other)) return other;
      await settled(tx.objectStore('vault').put(pair, name));
      return pair;
    });
  }

  function keyPair(): Promise<CryptoKeyPair> {
    return (keys ??= load().catch((error: unknown) => {
      keys = undefined;
      throw error;
    }));
  }

  async function jwk() {
    const { crv, kty, x, y } = await crypto.subtle.exportKey('jwk', (await keyPair()).publicKey);
    // Its members are in the order that a thumbprint needs.
    return { crv, kty, x, y };
  }

  return {
    async prove({ method, url, accessToken, now }) {
      const { privateKey } = await keyPair();
      const header = { typ: 'dpop+jwt', alg: 'ES256', jwk: await jwk() };
      const ath = toBase64Url(await sha256(bytesOf(accessToken)));
      const claims = { jti: crypto.randomUUID(), htm: method, htu: url, iat: now, ath };
      const signed = [header, claims].map((part) => toBase64Url(bytesOf(JSON.stringify(part)))).join('.');
      const signature = await crypto.subtle.sign(ECDSA, privateKey, bytesOf(signed));
      return `${signed}.${toBase64Url(new Uint8Array(signature))}`;
    },
    thumbprint: async () => toBase64Url(await sha256(bytesOf(JSON.stringify(await jwk())))),
  };
}

function isPair(value: unknown): value is CryptoKeyPair {
  const { privateKey, publicKey } = (value ?? {}) as Partial<CryptoKeyPair>;
  return privateKey instanceof CryptoKey && publicKey instanceof CryptoKey;
}

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}
