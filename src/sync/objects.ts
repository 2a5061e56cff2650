/**
 * What the server stores, byte for byte: a slot (R for one passkey), the vault object (the content under R), and the tombstone of either.
 * The header of 208 bytes is authenticated with the body. `headerOf` has the order of its fields.
 */
import { concat, toBase64Url, utf8 } from '../base/bytes.ts';
import type { Bytes } from '../wallets/records.ts';
import { type OpeningKey, openWith, sealTo } from './hpke.ts';
import { hashOf, isSignedBy, type Kind, KIND_BYTES, objectId, siteHash, type Signer } from './keys.ts';
import { damaged, SyncError } from './sync-error.ts';

const MAGIC = utf8('CBSY');
const VERSION = 1;
const HEADER_BYTES = 208;
/** With its header. */
export const MAX_OBJECT_BYTES = 65_536;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** A point of X25519, and R with its tag. */
const SLOT_BODY_BYTES = 32 + 32 + TAG_BYTES;
const SIGNATURE_BYTES = 64;
const MAX_LENGTH_CLASS = 5;
const SLOT_INFO = utf8('carabiner.sync.slot');
const TOMBSTONE = utf8('carabiner.sync.tombstone');
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
  if (bytes.length < HEADER_BYTES || bytes.length > MAX_OBJECT_BYTES) throw damaged();
  const at = (start: number, length = 32): Bytes => bytes.slice(start, start + length);
  if (!isSame(at(0, 4), MAGIC)) throw damaged();
  if (bytes[4] !== VERSION)
    throw new SyncError('copy.version', 'The copy was written by a newer version of the wallet. Update it.');
  const [kindByte, state, lengthClass] = at(5, 3) as unknown as [number, number, number];
  const isOurs =
    kindByte === KIND_BYTES[kind] &&
    isSame(at(8), siteHash(rpId)) &&
    isSame(at(40), objectId(kind, owner)) &&
    isSame(at(72), owner);
  if (!isOurs) throw new SyncError('copy.foreign', 'The server returned the copy of something else.');
  const header = at(0, HEADER_BYTES);
  const body = bytes.slice(HEADER_BYTES);
  const [writer, previous, commitment] = [at(104), at(144), at(176)];
  const counter = new DataView(header.buffer).getBigUint64(136);
  const isFirst = counter === 1n;
  const isFit =
    state <= 1 &&
    counter > 0n &&
    isFirst === isSame(previous, ZEROS) &&
    (kind === 'vault') === isSame(writer, ZEROS) &&
    (state === 1) === isSame(commitment, ZEROS) &&
    body.length === bodyBytes(kind, state, lengthClass);
  if (!isFit || (state === 1 && isFirst)) throw damaged();
  const hash = hashOf(bytes);
  const etag = `"${counter}.${toBase64Url(hash)}"`;
  return { bytes, header, body, isTombstone: state === 1, writer, counter, previous, commitment, hash, etag };
}

function bodyBytes(kind: Kind, state: number, lengthClass: number): number | undefined {
  if (state === 1) return lengthClass === 0 ? SIGNATURE_BYTES : undefined;
  if (kind === 'slot') return lengthClass === 0 ? SLOT_BODY_BYTES : undefined;
  return lengthClass <= MAX_LENGTH_CLASS ? NONCE_BYTES + sizeOf(lengthClass) + TAG_BYTES : undefined;
}

const sizeOf = (lengthClass: number): number => 1024 * 2 ** lengthClass;

function headerOf(
  kind: Kind,
  state: 0 | 1,
  lengthClass: number,
  { rpId, owner, writer = ZEROS, counter, previous = ZEROS }: Place,
  commitment: Uint8Array,
): Bytes {
  const count = new Uint8Array(8);
  new DataView(count.buffer).setBigUint64(0, counter);
  return concat(
    MAGIC,
    Uint8Array.of(VERSION, KIND_BYTES[kind], state, lengthClass),
    siteHash(rpId),
    objectId(kind, owner),
    owner,
    writer,
    count,
    previous,
    commitment,
  );
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
  const header = headerOf('slot', 0, 0, place, commitment);
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
      { bytes: content.length, most: sizeOf(MAX_LENGTH_CLASS) - 4 },
    );
  const header = headerOf('vault', 0, lengthClass, place, keys.commitment);
  const plain = new Uint8Array(sizeOf(lengthClass));
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
  const header = headerOf(kind, 1, 0, place, ZEROS);
  return concat(header, await signer.sign(concat(TOMBSTONE, header)));
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
  const message = concat(TOMBSTONE, header);
  if (await isSignedBy(owner, message, body)) return true;
  return writer !== undefined && (await isSignedBy(writer, message, body));
}

export function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}
