/**
 * What the server stores, byte for byte: a slot (R for one passkey), the vault object (the content under R), and the tombstone of either.
 * The header of 208 bytes is authenticated with the body. `headerOf` has the order of its fields.
 */
import {
  COPY_VERSION,
  isWellFormed,
  KIND_BYTES,
  MAX_LENGTH_CLASS,
  NONCE_BYTES,
  HEADER_BYTES,
  paddedBytes,
  readHeader,
  tombstoneText,
  writeHeader,
} from '../api/copy-object.ts';
import { toBase64Url } from '../base/base64.ts';
import { concat, utf8 } from '../base/bytes.ts';
import type { Bytes } from '../wallets/records.ts';
import { type OpeningKey, openWith, sealTo } from './hpke.ts';
import { hashOf, isSignedBy, type Kind, objectId, siteHash, type Signer } from './keys.ts';
import { damaged, SyncError } from './sync-error.ts';

const SLOT_INFO = utf8('carabiner.sync.slot');
const ZEROS = new Uint8Array(32);

/** The next object of a kind: what its header says besides its own kind and size. */
export interface Place {
  rpId: string;
  /** The Ed25519 public key whose hash is the id. */
  owner: Bytes;
  /** Of a slot: the public key of the vault that may rewrite or remove it, too. */
  writer?: Bytes | undefined;
  /** 1 for the first. */
  counter: bigint;
  /** SHA-256 of the whole object before; absent for the first. */
  previous?: Bytes | undefined;
}

/** An object whose form, site, kind and owner are as expected. It is not opened. */
export interface Received {
  bytes: Bytes;
  header: Bytes;
  body: Bytes;
  isTombstone: boolean;
  writer: Bytes;
  counter: bigint;
  previous: Bytes;
  commitment: Bytes;
  hash: Bytes;
  /** As the server's `ETag` must be. */
  etag: string;
}

export interface Expected {
  kind: Kind;
  rpId: string;
  owner: Bytes;
}

/** Throws `copy.version`, `copy.foreign` or `copy.damaged`. */
export function readObject(bytes: Bytes, { kind, rpId, owner }: Expected): Received {
  const fields = readHeader(bytes);
  if (!fields) throw damaged();
  if (fields.version !== COPY_VERSION)
    throw new SyncError('copy.version', 'The copy was written by a newer version of the wallet. Update it.');
  const isOurs =
    fields.kindByte === KIND_BYTES[kind] &&
    isSame(fields.site, siteHash(rpId)) &&
    isSame(fields.id, objectId(kind, owner)) &&
    isSame(fields.owner, owner);
  if (!isOurs) throw new SyncError('copy.foreign', 'The server returned the copy of something else.');
  if (!isWellFormed(kind, fields, bytes.length)) throw damaged();
  const { isTombstone, writer, counter, previous, commitment } = fields;
  const [header, body] = [bytes.slice(0, HEADER_BYTES), bytes.slice(HEADER_BYTES)];
  const hash = hashOf(bytes);
  const etag = `"${counter}.${toBase64Url(hash)}"`;
  return { bytes, header, body, isTombstone, writer, counter, previous, commitment, hash, etag };
}

function headerOf(
  kind: Kind,
  isTombstone: boolean,
  lengthClass: number,
  { rpId, owner, writer = ZEROS, counter, previous = ZEROS }: Place,
  commitment: Bytes,
): Bytes {
  const [site, id] = [siteHash(rpId), objectId(kind, owner)];
  return writeHeader(kind, {
    isTombstone,
    lengthClass,
    site,
    id,
    owner,
    writer,
    counter,
    previous,
    commitment,
  });
}

/** A slot's public half, which suffices to seal R to its passkey without touching it. */
export interface SlotAddress {
  /** Ed25519: the slot's owner. */
  sign: Bytes;
  /** X25519. */
  open: Bytes;
  commitment: Bytes;
}

export async function sealSlot(
  { open, commitment }: Pick<SlotAddress, 'open' | 'commitment'>,
  place: Place,
  root: Bytes,
): Promise<Bytes> {
  const header = headerOf('slot', false, 0, place, commitment);
  const { enc, ciphertext } = await sealTo(open, SLOT_INFO, header, root);
  return concat(header, enc, ciphertext);
}

/** R. Throws `copy.commitment` or `copy.damaged`. */
export async function openSlot(
  { header, body, commitment }: Received,
  keys: { opening: OpeningKey; commitment: Bytes },
): Promise<Bytes> {
  assertCommitment(commitment, keys.commitment);
  try {
    return await openWith(keys.opening, SLOT_INFO, header, {
      enc: body.slice(0, 32),
      ciphertext: body.slice(32),
    });
  } catch {
    throw damaged();
  }
}

/** Pads the content to the next size. Throws `copy.too-large`. */
export async function sealVault(
  keys: { sealing: CryptoKey; commitment: Bytes },
  place: Place,
  content: Bytes,
): Promise<Bytes> {
  const lengthClass = Math.max(0, Math.ceil(Math.log2((content.length + 4) / 1024)));
  if (lengthClass > MAX_LENGTH_CLASS)
    throw new SyncError(
      'copy.too-large',
      'There are too many wallets and recipients for the copy. Save a back-up file instead.',
      { bytes: content.length, most: paddedBytes(MAX_LENGTH_CLASS) - 4 },
    );
  const header = headerOf('vault', false, lengthClass, place, keys.commitment);
  const plain = new Uint8Array(paddedBytes(lengthClass));
  new DataView(plain.buffer).setUint32(0, content.length);
  plain.set(content, 4);
  const iv = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  const algorithm = { name: 'AES-GCM', iv, additionalData: header };
  const data = await crypto.subtle.encrypt(algorithm, keys.sealing, plain);
  plain.fill(0);
  return concat(header, iv, new Uint8Array(data));
}

/** The content without its padding. Throws `copy.commitment` or `copy.damaged`. */
export async function openVaultObject(
  { header, body, commitment }: Received,
  keys: { sealing: CryptoKey; commitment: Bytes },
): Promise<Bytes> {
  // AES-GCM does not commit to its key: one ciphertext can be made that opens under two.
  assertCommitment(commitment, keys.commitment);
  let plain: Bytes;
  try {
    const algorithm = { name: 'AES-GCM', iv: body.slice(0, NONCE_BYTES), additionalData: header };
    plain = new Uint8Array(await crypto.subtle.decrypt(algorithm, keys.sealing, body.slice(NONCE_BYTES)));
  } catch {
    throw damaged();
  }
  const end = 4 + new DataView(plain.buffer).getUint32(0);
  if (end > plain.length || plain.subarray(end).some((byte) => byte !== 0)) throw damaged();
  const content = plain.slice(4, end);
  plain.fill(0);
  return content;
}

function assertCommitment(promised: Bytes, own: Bytes): void {
  if (!isSame(promised, own))
    throw new SyncError('copy.commitment', 'The copy was sealed by another key. It was not opened.');
}

/** `signer`: the owner, or the writer of a slot. */
export async function sealTombstone(kind: Kind, place: Place, signer: Signer): Promise<Bytes> {
  const header = headerOf(kind, true, 0, place, ZEROS);
  return concat(header, await signer.sign(tombstoneText(header)));
}

/**
 * Whether a tombstone is signed by the owner, or by the writer that this device saw in the slot before: the writer that the tombstone
 * itself names could be anybody.
 */
export async function isAuthentic(
  { header, body }: Received,
  owner: Bytes,
  writer?: Uint8Array,
): Promise<boolean> {
  const message = tombstoneText(header);
  if (await isSignedBy(owner, message, body)) return true;
  return writer !== undefined && (await isSignedBy(writer, message, body));
}

export function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}
