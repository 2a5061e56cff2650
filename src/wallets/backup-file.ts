/**
 * The encrypted back-up file, format `carabiner-backup`, version 2: version 1 had no recipients. Its contents
 * are sealed under the vault key, which it holds as the vault does: wrapped under the recovery phrase and
 * under the passkey, if any. The PIN opens no file: without the key of the browser that made it, its digits
 * could be brute-forced. Specified in docs/security.md.
 */
import * as z from 'zod/mini';
import { fromBase64Url, toBase64Url } from '../base/base64.ts';
import { RequestInvalidError } from '../base/errors.ts';
import type { OpenVault } from './open-vault.ts';
import { RecipientRecord } from './recipient-book.ts';
import { type Bytes, Sealed, VaultRecord, WalletRecord } from './records.ts';

const FORMAT = 'carabiner-backup';
const VERSION = 2;
/** The label that is authenticated with the contents, so that another version's cannot pass as these. */
const labelOf = (version: number): string => `${FORMAT} ${version}`;
/** Enough for thousands of wallets. */
const MAX_CHARACTERS = 4_000_000;

const File = z.object({
  format: z.literal(FORMAT),
  version: z.literal([1, VERSION]),
  phrase: VaultRecord.shape.phrase,
  passkey: VaultRecord.shape.passkey,
  contents: Sealed,
});
export type BackupFile = z.infer<typeof File>;

const Contents = z.object({
  createdAt: z.number(),
  backedUp: z.boolean(),
  seed: Sealed,
  wallets: z.array(WalletRecord),
  /** The address book. */
  recipients: z.optional(z.array(RecipientRecord)),
});
export type BackupContents = z.infer<typeof Contents>;

export async function writeBackup(
  open: OpenVault,
  { createdAt, backedUp, seed, phrase, passkey }: VaultRecord,
  wallets: WalletRecord[],
  recipients: RecipientRecord[],
): Promise<string> {
  const contents: BackupContents = { createdAt, backedUp, seed, wallets, recipients };
  const file: BackupFile = {
    format: FORMAT,
    version: VERSION,
    phrase,
    passkey,
    contents: await open.seal(labelOf(VERSION), new TextEncoder().encode(packed(contents))),
  };
  return packed(file);
}

/** Throws `request.invalid` at `file`, and says what to do. */
export function readBackup(text: string): BackupFile {
  let value: unknown;
  try {
    value = text.length > MAX_CHARACTERS ? undefined : unpacked(text);
  } catch {
    // It is not one of our files.
  }
  const { format, version } = (value ?? {}) as Partial<Record<string, unknown>>;
  if (format === FORMAT && typeof version === 'number' && version > VERSION)
    throw invalid('was saved by a newer version of the wallet; update the wallet');
  const parsed = File.safeParse(value);
  if (!parsed.success) throw invalid('is not a back-up file of this wallet, or it is damaged');
  return parsed.data;
}

/** Throws `request.invalid` at `file` if it was changed, or belongs to another vault key. */
export async function openBackup(
  open: OpenVault,
  { version, contents }: BackupFile,
): Promise<BackupContents> {
  try {
    const text = new TextDecoder().decode(await open.unseal(labelOf(version), contents));
    return Contents.parse(unpacked(text));
  } catch {
    throw invalid('is damaged; use another copy of it, or the 12 words');
  }
}

/** JSON in which bytes are `{ "bytes": … }` in base64url. */
export function packed(value: unknown): string {
  return JSON.stringify(value, (_key, each: unknown) =>
    each instanceof Uint8Array ? { bytes: toBase64Url(each) } : each,
  );
}

export function unpacked(text: string): unknown {
  return JSON.parse(text, (_key, each: { bytes?: unknown } | null) =>
    typeof each?.bytes === 'string' ? (fromBase64Url(each.bytes) satisfies Bytes) : each,
  );
}

function invalid(message: string): RequestInvalidError {
  return new RequestInvalidError([{ path: 'file', message }]);
}
