/**
 * Aeternity's secret storage (AEX-3), as the chain's SDK wrote it up to version 13 and its command line writes it.
 * https://github.com/aeternity/AEXs/blob/master/AEXS/aex-3.md
 */
import { xsalsa20poly1305 } from '@noble/ciphers/salsa.js';
import { argon2id } from 'hash-wasm';
import * as z from 'zod/mini';
import type { PrivateKey } from '../terms.ts';
import { bytesOf, hexOf } from '../../base/bytes.ts';
import { invalid } from '../requests/payloads.ts';
import { address } from './account.ts';
import { readHex } from './import-key.ts';

const hex = (bytes: number) => z.string().check(z.regex(new RegExp(`^([0-9a-fA-F]{2}){${bytes}}$`)));
const Count = z.int().check(z.gte(1));

/** KiB, and KiB times passes. More work than any wallet uses would only freeze the page. */
const MAX_MEMORY = 1 << 20;
const MAX_WORK = 1 << 23;

const Keystore = z.object({
  version: z.literal(1),
  public_key: z.optional(z.string()),
  crypto: z.object({
    secret_type: z.literal('ed25519'),
    symmetric_alg: z.literal('xsalsa20-poly1305'),
    /** The key, the public key and the tag. */
    ciphertext: hex(80),
    cipher_params: z.object({ nonce: hex(24) }),
    kdf: z.literal('argon2id'),
    kdf_params: z.object({ memlimit_kib: Count, opslimit: Count, parallelism: Count, salt: hex(16) }),
  }),
});

/** Throws `request.invalid` at `key` for a file that cannot be read, at `password` for a wrong password. */
export async function openKeystore(text: string, password: string | undefined): Promise<PrivateKey> {
  const { public_key, crypto } = read(text);
  if (password === undefined) throw invalid('password', 'is required to open a keystore');
  const { memlimit_kib, opslimit, parallelism, salt } = crypto.kdf_params;
  if (memlimit_kib > MAX_MEMORY || memlimit_kib * opslimit > MAX_WORK || memlimit_kib < 8 * parallelism)
    throw invalid('key', 'asks for argon2id parameters that are not supported');
  const derived = await argon2id({
    password,
    salt: bytesOf(`0x${salt}`),
    memorySize: memlimit_kib,
    iterations: opslimit,
    parallelism,
    hashLength: 32,
    outputType: 'binary',
  });
  const key = await readHex(open(derived, crypto));
  if (public_key !== undefined && public_key !== (await address(key)))
    throw invalid('key', 'holds the key of another address than it says');
  return key;
}

/** Hex digits of the contents. */
function open(key: Uint8Array, { ciphertext, cipher_params }: z.infer<typeof Keystore>['crypto']): string {
  const box = xsalsa20poly1305(key, bytesOf(`0x${cipher_params.nonce}`));
  try {
    return hexOf(box.decrypt(bytesOf(`0x${ciphertext}`)));
  } catch {
    throw invalid('password', 'does not open this keystore');
  } finally {
    key.fill(0);
  }
}

function read(text: string): z.infer<typeof Keystore> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw invalid('key', 'is not readable JSON: copy the whole file');
  }
  const result = Keystore.safeParse(json);
  if (!result.success) throw invalid('key', 'is not a keystore with argon2id and xsalsa20-poly1305');
  return result.data;
}
