/**
 * The encrypted copy on the wire, for the wallet that seals it and the service that keeps it: the header of an object, which is authentic but
 * not secret, and what a request for one signs. `docs/encrypted-copy.md` has both as tables.
 */
import * as z from 'zod/mini';
import { concat, utf8 } from '../base/bytes.ts';

/** A slot holds R for one passkey; the vault object holds the content under R. */
export type CopyKind = 'slot' | 'vault';
/** As they are written in objects and hashed into ids. */
export const KIND_BYTES: Readonly<Record<CopyKind, number>> = { slot: 1, vault: 2 };

export const COPY_VERSION = 1;
export const HEADER_BYTES = 208;
/** With its header. */
export const MAX_OBJECT_BYTES = 65_536;
export const NONCE_BYTES = 12;
export const TAG_BYTES = 16;
export const MAX_LENGTH_CLASS = 5;
/** A point of X25519, and R with its tag. */
const SLOT_BODY_BYTES = 32 + 32 + TAG_BYTES;
const SIGNATURE_BYTES = 64;
/** By how much one write may raise the counter: a device that saw states which the server lost goes on above them. */
export const MAX_COUNTER_STEP = 2n ** 20n;
/** By how much the clocks of device and service may differ, in milliseconds. */
export const CLOCK_TOLERANCE_MS = 120_000;

/** Answer of `GET /sync`: the service keeps copies, each until nobody has used it for so many years. */
export const CopyTerms = z.object({ years: z.int().check(z.gte(1), z.lte(1000)) });
export type CopyTerms = z.infer<typeof CopyTerms>;

const MAGIC = utf8('CBSY');
const TOMBSTONE = utf8('carabiner.sync.tombstone');
const REQUEST = 'carabiner.sync.request';
const ID = utf8('carabiner.sync.id');

type Bytes = Uint8Array<ArrayBuffer>;

export interface CopyHeader {
  version: number;
  kindByte: number;
  isTombstone: boolean;
  /** Of the padded content: 1 KiB for 0, twice as much for each next one. */
  lengthClass: number;
  /** SHA-256 of the frame's host name. */
  site: Bytes;
  id: Bytes;
  /** The Ed25519 key whose hash is the id. */
  owner: Bytes;
  /** Of a slot: the key of the vault that may rewrite or remove it, too. Zeros in vault objects. */
  writer: Bytes;
  /** 1 for the first state. */
  counter: bigint;
  /** SHA-256 of the whole object before; zeros in the first one. */
  previous: Bytes;
  /** To the key that sealed the body. Zeros in tombstones. */
  commitment: Bytes;
}

/** Undefined for what is no object in form: too short or long, other first bytes, a state that there is not. */
export function readHeader(bytes: Uint8Array): CopyHeader | undefined {
  if (bytes.length < HEADER_BYTES || bytes.length > MAX_OBJECT_BYTES) return undefined;
  const at = (start: number, length = 32): Bytes => new Uint8Array(bytes.subarray(start, start + length));
  const [version, kindByte, state, lengthClass] = at(4, 4) as unknown as [number, number, number, number];
  if (MAGIC.some((byte, i) => bytes[i] !== byte) || state > 1) return undefined;
  return {
    version,
    kindByte,
    isTombstone: state === 1,
    lengthClass,
    site: at(8),
    id: at(40),
    owner: at(72),
    writer: at(104),
    counter: new DataView(at(136, 8).buffer).getBigUint64(0),
    previous: at(144),
    commitment: at(176),
  };
}

export function writeHeader(kind: CopyKind, header: Omit<CopyHeader, 'version' | 'kindByte'>): Bytes {
  const count = new Uint8Array(8);
  new DataView(count.buffer).setBigUint64(0, header.counter);
  const { isTombstone, lengthClass, site, id, owner, writer, previous, commitment } = header;
  const form = Uint8Array.of(COPY_VERSION, KIND_BYTES[kind], isTombstone ? 1 : 0, lengthClass);
  return concat(MAGIC, form, site, id, owner, writer, count, previous, commitment);
}

/** Whether the fields that are plain to everybody fit each other and the length of the whole object. */
export function isWellFormed(kind: CopyKind, header: CopyHeader, length: number): boolean {
  const { isTombstone, lengthClass, writer, counter, previous, commitment } = header;
  const isFirst = counter === 1n;
  return (
    counter > 0n &&
    isFirst === isZero(previous) &&
    (kind === 'vault') === isZero(writer) &&
    isTombstone === isZero(commitment) &&
    !(isTombstone && isFirst) &&
    length - HEADER_BYTES === bodyBytes(kind, isTombstone, lengthClass)
  );
}

function bodyBytes(kind: CopyKind, isTombstone: boolean, lengthClass: number): number | undefined {
  if (isTombstone) return lengthClass === 0 ? SIGNATURE_BYTES : undefined;
  if (kind === 'slot') return lengthClass === 0 ? SLOT_BODY_BYTES : undefined;
  if (lengthClass > MAX_LENGTH_CLASS) return undefined;
  return NONCE_BYTES + paddedBytes(lengthClass) + TAG_BYTES;
}

export function paddedBytes(lengthClass: number): number {
  return 1024 * 2 ** lengthClass;
}

const isZero = (bytes: Uint8Array): boolean => bytes.every((byte) => byte === 0);

/** Its SHA-256 is the id. */
export function idText(kind: CopyKind, owner: Uint8Array): Bytes {
  return concat(ID, Uint8Array.of(KIND_BYTES[kind]), owner);
}

/** What the owner of an object, or the writer of a slot, signs to remove it. */
export function tombstoneText(header: Uint8Array): Bytes {
  return concat(TOMBSTONE, header);
}

export interface SignedRequest {
  method: string;
  path: string;
  /** Milliseconds since 1970, in digits. */
  time: string;
  /** SHA-256 of the body in base64url. */
  bodyHash: string;
  /** Of `If-Match` or `If-None-Match`; empty without. */
  match: string;
}

/** What the key in `Authorization: Sync <key>:<time>:<signature>` signs. */
export function requestText({ method, path, time, bodyHash, match }: SignedRequest): Bytes {
  return utf8([REQUEST, method, path, time, bodyHash, match].join('\n'));
}
