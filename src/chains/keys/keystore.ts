/**
 * Web3 Secret Storage, version 3, as wallets of Ethereum, GoChain and VeChain write it.
 * https://ethereum.org/developers/docs/data-structures-and-encoding/web3-secret-storage/
 */
import { keccak256 } from 'ethers/crypto';
import { scrypt } from 'hash-wasm';
import * as z from 'zod/mini';
import type { PrivateKey } from '../terms.ts';
import { addressOf } from '../contracts/evm-address.ts';
import { bytesOf, concat, hexOf } from '../../base/bytes.ts';
import { invalid } from '../requests/payloads.ts';
import { checkedKey } from './hex-key.ts';
import { publicKey } from './secp256k1.ts';

const Hex = z.string().check(z.regex(/^(0x)?([0-9a-fA-F]{2})*$/));
const Count = z.int().check(z.gte(1));

/** More work than any wallet uses would only freeze the page. */
const MAX_SCRYPT = 1 << 22;
const MAX_ITERATIONS = 10_000_000;

const Keystore = z.object({
  version: z.literal(3),
  address: z.optional(z.nullable(z.string())),
  crypto: z.object({
    cipher: z.literal('aes-128-ctr'),
    cipherparams: z.object({ iv: Hex }),
    ciphertext: Hex,
    mac: Hex,
    kdf: z.string(),
    kdfparams: z.union([
      z.object({ n: Count, r: Count, p: Count, dklen: Count, salt: Hex }),
      z.object({ c: Count, prf: z.literal('hmac-sha256'), dklen: Count, salt: Hex }),
    ]),
  }),
});

/** A valid key. Throws `request.invalid` at `key` for a file that cannot be read, at `password` for a wrong password. */
export async function openKeystore(text: string, password: string | undefined): Promise<PrivateKey> {
  const keystore = read(text);
  const { ciphertext, cipherparams, mac, kdfparams } = keystore.crypto;
  if (password === undefined) throw invalid('password', 'is required to open a keystore');
  if (kdfparams.dklen < 32) throw invalid('key', 'has a derived key that is too short');
  const sealed = bytes(ciphertext);
  const derived = await findKey(password, async (secret) => {
    const candidate = await deriveKey(secret, kdfparams);
    return keccak256(concat(candidate.slice(16, 32), sealed)) === hexOf(bytes(mac)) ? candidate : undefined;
  });
  if (!derived) throw invalid('password', 'does not open this keystore');
  const aes = await crypto.subtle.importKey('raw', derived.slice(0, 16), 'AES-CTR', false, ['decrypt']);
  derived.fill(0);
  const counter = new Uint8Array(16);
  const iv = bytes(cipherparams.iv);
  counter.set(iv, 16 - iv.length);
  const key = new Uint8Array(
    await crypto.subtle.decrypt({ name: 'AES-CTR', counter, length: 128 }, aes, sealed),
  );
  if (key.length !== 32) throw invalid('key', 'does not hold a key of 32 bytes');
  checkedKey(key);
  const stated = keystore.address?.toLowerCase().replace(/^0x/, '');
  if (stated && addressOf(publicKey(key, 'uncompressed')).slice(2).toLowerCase() !== stated)
    throw invalid('key', 'holds the key of another address than it says');
  return key;
}

/** geth, web3.js and cast take a password as it was typed; ethers and others normalise it. The file does not say which, but its MAC does. */
async function findKey<T>(
  password: string,
  open: (secret: Uint8Array<ArrayBuffer>) => Promise<T | undefined>,
): Promise<T | undefined> {
  for (const form of new Set([password, password.normalize('NFKC')])) {
    const key = await open(new TextEncoder().encode(form));
    if (key) return key;
  }
  return undefined;
}

function read(text: string): z.infer<typeof Keystore> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw invalid('key', 'is not readable JSON: copy the whole file');
  }
  // Some clients write `Crypto`.
  if (typeof json === 'object' && json !== null && 'Crypto' in json) json = { ...json, crypto: json.Crypto };
  const result = Keystore.safeParse(json);
  if (!result.success || bytes(result.data.crypto.cipherparams.iv).length > 16)
    throw invalid('key', 'is not a version 3 keystore with aes-128-ctr');
  return result.data;
}

async function deriveKey(
  password: Uint8Array<ArrayBuffer>,
  params: z.infer<typeof Keystore>['crypto']['kdfparams'],
): Promise<Uint8Array<ArrayBuffer>> {
  const salt = bytes(params.salt);
  if ('n' in params) {
    const { n, r, p, dklen } = params;
    if (n * r * p > MAX_SCRYPT * 8 || (n & (n - 1)) !== 0 || n < 2)
      throw invalid('key', 'asks for scrypt parameters that are not supported');
    try {
      return new Uint8Array(
        await scrypt({
          password,
          salt,
          costFactor: n,
          blockSize: r,
          parallelism: p,
          hashLength: dklen,
          outputType: 'binary',
        }),
      );
    } catch {
      throw invalid('key', 'asks for scrypt parameters that are not supported');
    }
  }
  if (params.c > MAX_ITERATIONS) throw invalid('key', 'asks for more PBKDF2 rounds than are supported');
  // WebKitGTK refuses an empty password. HMAC pads its key with zeros, so this one is equivalent.
  const filled = password.length ? password : new Uint8Array(1);
  const base = await crypto.subtle.importKey('raw', filled, 'PBKDF2', false, ['deriveBits']);
  return new Uint8Array(
    await crypto.subtle.deriveBits(
      { name: 'PBKDF2', hash: 'SHA-256', salt, iterations: params.c },
      base,
      params.dklen * 8,
    ),
  );
}

function bytes(hex: string): Uint8Array<ArrayBuffer> {
  return bytesOf(`0x${hex.replace(/^0x/, '')}`);
}
