/**
 * What the copy holds: the seed, wallets with the keys of imported ones, recipients, and the passkeys that open it. Each entry has a Lamport
 * counter and the device that set it, so that copies of several devices merge into the same content in any order. Not in it: PIN, device
 * key, attempts, journal, activity, settings, links to sites, the order of wallets.
 */
import * as z from 'zod/mini';
import { canonical } from '../base/canonical.ts';
import { toBase64Url } from '../base/base64.ts';
import { utf8 } from '../base/bytes.ts';
import { packed, unpacked } from '../wallets/backup-file.ts';
import type { Bytes, WalletRecord } from '../wallets/records.ts';
import { isSame } from './objects.ts';
import { damaged, SyncError } from './sync-error.ts';

const VERSION = 1;
/** Far more edits than anybody makes, and far from where numbers become inexact. */
const MAX_COUNTER = 2 ** 40;
const BytesSchema = z.custom<Bytes>((value) => value instanceof Uint8Array);
const secretOf = (least: number, most: number) =>
  z.custom<Bytes>((value) => value instanceof Uint8Array && value.length >= least && value.length <= most);

/** When something was set, and by which device: the later one counts. */
const Stamp = z.object({
  counter: z.int().check(z.gte(1), z.lte(MAX_COUNTER)),
  device: z.string().check(z.minLength(1), z.maxLength(64)),
});
export type Stamp = z.infer<typeof Stamp>;

/** A wallet; `key` is the private key of an imported one. Keys of others derive from the seed. Its chain may be one of a later version. */
const CopiedWallet = z.looseObject({
  id: z.string().check(z.minLength(1), z.maxLength(64)),
  secretType: z.string(),
  address: z.string(),
  alias: z.string(),
  primary: z.boolean(),
  archived: z.boolean(),
  network: z.optional(z.string()),
  index: z.nullable(z.int()),
  key: z.optional(secretOf(16, 64)),
  exported: z.optional(z.boolean()),
  createdAt: z.number(),
});
export type CopiedWallet = z.infer<typeof CopiedWallet>;

const CopiedRecipient = z.looseObject({
  secretType: z.string(),
  key: z.string(),
  address: z.string(),
  name: z.string(),
});
export type CopiedRecipient = z.infer<typeof CopiedRecipient>;

/** A passkey that opens the copy, with the public half of its slot. */
const CopiedPasskey = z.looseObject({
  id: BytesSchema,
  transports: z.array(z.string()),
  publicKey: z.optional(z.object({ alg: z.int(), spki: BytesSchema })),
  /** As the device lists it. */
  name: z.string(),
  slot: z.object({ sign: secretOf(32, 32), open: secretOf(32, 32), commitment: secretOf(32, 32) }),
});
export type CopiedPasskey = z.infer<typeof CopiedPasskey>;

/** A change of R that has begun: the R before, and the slots that go with it. */
const Rotation = z.looseObject({ from: secretOf(32, 32), removedSlots: z.array(secretOf(32, 32)) });
export type Rotation = z.infer<typeof Rotation>;

/** When a device last wrote, in milliseconds since 1970, by its own clock: for people to read, nothing depends on it. */
const Write = z.looseObject({ at: z.number() });

/** By the first word of an entry's key. Entries of other kinds, of later versions, are kept as they are. */
const KINDS = {
  wallet: CopiedWallet,
  recipient: CopiedRecipient,
  passkey: CopiedPasskey,
  rotation: Rotation,
  write: Write,
};
type EntryKind = keyof typeof KINDS;
export type DataOf<K extends EntryKind> = z.infer<(typeof KINDS)[K]>;

/** What `z.record` checks; that would be in what every approval downloads. */
const recordOf = <T>(isFit: (key: string, value: unknown) => boolean) =>
  z.custom<Record<string, T>>(
    (value) =>
      typeof value === 'object' &&
      value !== null &&
      Object.getPrototypeOf(value) === Object.prototype &&
      Object.entries(value).every(([key, each]) => isFit(key, each)),
  );

const Entry = z.object({
  value: z.optional(z.object({ stamp: Stamp, data: recordOf<unknown>(() => true) })),
  /** An imported key was removed on one device. It stays here until somebody who was asked confirms it. */
  removed: z.optional(Stamp),
  /** Nothing older than this is kept. */
  gone: z.optional(Stamp),
});
export type Entry = z.infer<typeof Entry>;

const Content = z.object({
  version: z.literal(VERSION),
  /** The BIP-39 entropy. */
  seed: secretOf(16, 32),
  createdAt: z.number(),
  /** The user has confirmed the words. */
  backedUp: z.boolean(),
  entries: recordOf<Entry>((key, entry) => /^[a-z]+ \S/.test(key) && Entry.safeParse(entry).success),
});
export type Content = z.infer<typeof Content>;

/** The same on every device: two that derived one wallet have one entry of it. */
export function walletKeyOf({
  secretType,
  address,
  network = '',
}: Pick<CopiedWallet, 'secretType' | 'address' | 'network'>): string {
  return `wallet ${secretType} ${address} ${network}`;
}

export function recipientKeyOf({ secretType, key }: Pick<CopiedRecipient, 'secretType' | 'key'>): string {
  return `recipient ${secretType} ${key}`;
}

export function passkeyKeyOf({ id }: Pick<CopiedPasskey, 'id'>): string {
  return `passkey ${toBase64Url(id)}`;
}

export function writeContent(content: Content): Bytes {
  return utf8(packed(content));
}

/** Throws `copy.damaged` or `copy.version`. */
export function readContent(bytes: Bytes): Content {
  let value: unknown;
  try {
    value = unpacked(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw damaged();
  }
  const { version } = (value ?? {}) as Partial<Record<string, unknown>>;
  if (typeof version === 'number' && version > VERSION)
    throw new SyncError('copy.version', 'The copy was written by a newer version of the wallet. Update it.');
  const parsed = Content.safeParse(value);
  if (!parsed.success) throw damaged();
  for (const [key, { value: held }] of Object.entries(parsed.data.entries)) {
    const kind = key.slice(0, key.indexOf(' '));
    if (held && kind in KINDS && !KINDS[kind as EntryKind].safeParse(held.data).success) throw damaged();
  }
  return parsed.data;
}

/**
 * Both contents as one. Commutative, associative and idempotent: `merge(a, merge(b, a))` is `merge(a, b)`. Removes no imported key:
 * `questionsIn` has those that the user is to be asked about. Throws `copy.other-wallet` if the seeds differ.
 */
export function merge(a: Content, b: Content): Content {
  if (!isSame(a.seed, b.seed))
    throw new SyncError(
      'copy.other-wallet',
      'The copy belongs to another wallet than the one in this browser.',
    );
  const keys = [...new Set([...Object.keys(a.entries), ...Object.keys(b.entries)])].sort();
  return {
    version: VERSION,
    seed: a.seed,
    createdAt: Math.min(a.createdAt, b.createdAt),
    backedUp: a.backedUp || b.backedUp,
    entries: Object.fromEntries(
      keys.map((key) => [key, mergeEntries(a.entries[key] ?? {}, b.entries[key] ?? {})]),
    ),
  };
}

function mergeEntries(a: Entry, b: Entry): Entry {
  const gone = laterStamp(a.gone, b.gone);
  const removed = laterStamp(a.removed, b.removed);
  const value = laterValue(a.value, b.value);
  return {
    ...(value && (!gone || compareStamps(value.stamp, gone) > 0) && { value }),
    ...(removed && { removed }),
    ...(gone && { gone }),
  };
}

function compareStamps(a: Stamp, b: Stamp): number {
  return a.counter - b.counter || (a.device === b.device ? 0 : a.device < b.device ? -1 : 1);
}

function laterStamp(a: Stamp | undefined, b: Stamp | undefined): Stamp | undefined {
  if (!a || !b) return a ?? b;
  return compareStamps(a, b) >= 0 ? a : b;
}

function laterValue(a: Entry['value'], b: Entry['value']): Entry['value'] {
  if (!a || !b) return a ?? b;
  // Two browsers from one disk image share a device id: then the text decides, on both.
  const order = compareStamps(a.stamp, b.stamp) || (textOf(a.data) < textOf(b.data) ? -1 : 1);
  return order >= 0 ? a : b;
}

/** Equal data has equal text. */
export function textOf(data: unknown): string {
  return canonical(data, undefined, (bytes) => `"${toBase64Url(bytes as Uint8Array)}"`);
}

/** Whether an entry is there for the user. */
export function isLive({ value, removed }: Entry): boolean {
  return value !== undefined && !(removed && compareStamps(removed, value.stamp) > 0);
}

/**
 * Without who opens the copy and changes of R. Those count only as the copy itself has them under its present R: what a device remembers, or
 * an earlier R held, may be the word of a passkey that was removed since.
 */
export function withoutOpeners(content: Content): Content {
  const kept = Object.entries(content.entries).filter(([key]) => !/^(passkey|rotation) /.test(key));
  return { ...content, entries: Object.fromEntries(kept) };
}

/** The data of all live entries of a kind, by key. */
export function liveIn<K extends EntryKind>(content: Content, kind: K): Map<string, DataOf<K>> {
  return new Map(
    Object.entries(content.entries).flatMap(([key, entry]) =>
      key.startsWith(`${kind} `) && isLive(entry) ? [[key, entry.value!.data as DataOf<K>]] : [],
    ),
  );
}

/** Imported wallets that were removed on another device, by key. Answer each with `keepEntry` or `confirmRemoval`. */
export function questionsIn(content: Content): Map<string, CopiedWallet> {
  return new Map(
    Object.entries(content.entries).flatMap(([key, entry]) =>
      entry.value && !isLive(entry) ? [[key, entry.value.data as CopiedWallet]] : [],
    ),
  );
}

/** Sets an entry. */
export function withEntry<K extends EntryKind>(
  content: Content,
  key: `${K} ${string}`,
  data: DataOf<K>,
  device: string,
): Content {
  return changed(content, key, (entry) => ({ ...entry, value: { stamp: nextStamp(content, device), data } }));
}

/** An imported key stays until it is confirmed; anything else goes at once. */
export function withoutEntry(content: Content, key: string, device: string): Content {
  const { value } = content.entries[key] ?? {};
  const isImported = key.startsWith('wallet ') && (value?.data as WalletRecord | undefined)?.index === null;
  const stamp = nextStamp(content, device);
  return isImported
    ? changed(content, key, (entry) => ({ ...entry, removed: stamp }))
    : confirmRemoval(content, key, device);
}

export function confirmRemoval(content: Content, key: string, device: string): Content {
  const gone = nextStamp(content, device);
  return changed(content, key, ({ removed }) => ({ ...(removed && { removed }), gone }));
}

/** The user keeps what another device removed. */
export function keepEntry(content: Content, key: string, device: string): Content {
  const { value } = content.entries[key] ?? {};
  return value ? withEntry(content, key as 'wallet ', value.data as CopiedWallet, device) : content;
}

function changed(content: Content, key: string, change: (entry: Entry) => Entry): Content {
  return { ...content, entries: { ...content.entries, [key]: change(content.entries[key] ?? {}) } };
}

/** Later than everything that this content knows of. */
function nextStamp({ entries }: Content, device: string): Stamp {
  const counters = Object.values(entries).flatMap(({ value, removed, gone }) =>
    [value?.stamp, removed, gone].map((stamp) => stamp?.counter ?? 0),
  );
  return { counter: Math.min(Math.max(0, ...counters) + 1, MAX_COUNTER), device };
}
