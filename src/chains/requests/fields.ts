/** Fields that payloads of several chains share, as schemas whose messages follow the field's name. */
import * as z from 'zod/mini';
import { decimalText, parseUnits } from '../../base/amount.ts';
import { bytesOf, hexOf } from '../../base/bytes.ts';
import type { Coin } from '../coin.ts';
import { CHAIN_NAMES, type SecretType } from '../secret-type.ts';
import { isLookedUp } from './foreign-address.ts';
import { parseSmallest, type SmallestUnit } from './smallest.ts';

/** Networks refuse transactions over 64 to 128 KiB. */
const MAX_DATA = 128 * 1024;
const UINT256 = 1n << 256n;

/** What a request may give as an amount: a number only if exact. */
export type AmountLike = number | string | bigint;

/**
 * A schema from a function that returns the clean value or throws an error with the message. `Input` is what
 * types allow a request to contain there; `read` validates anything.
 */
export function field<T, Input = string>(read: (value: unknown) => T) {
  return z.pipe(
    z.unknown(),
    z.transform((value, context): T => {
      try {
        return read(value);
      } catch (error) {
        context.issues.push({ code: 'custom', message: (error as Error).message, input: value });
        return z.NEVER;
      }
    }),
  ) as z.ZodMiniType<T, Input>;
}

/** Null and absent mean the same: the default. */
export function optional<T, Input = string>(read: (value: unknown) => T) {
  return z.optional(
    field<T | undefined, Input | null>((value) =>
      value === undefined || value === null ? undefined : read(value),
    ),
  );
}

/** Of a token, whose decimals are unknown here. */
const TOKEN_UNIT: SmallestUnit = { name: 'the token’s smallest units' };

/** Smallest units: of a token, where `unit` says nothing else. */
export function readSmallest(value: unknown, unit: SmallestUnit = TOKEN_UNIT): bigint {
  return readUint(value, UINT256, 'must fit in 256 bits', unit);
}

/** A whole number below `limit`; `what` says the limit in words. */
export function readUint(value: unknown, limit: bigint, what: string, unit?: SmallestUnit): bigint {
  const raw = parseSmallest(value, unit);
  if (raw >= limit) throw new Error(`is too large: it ${what}`);
  return raw;
}

/** A value of the chain's coin as exact text. `limit`, in smallest units, and `what` say how large it may be. */
export function coinValue({ decimals }: Coin, limit = UINT256, what = 'must fit in 256 bits') {
  return field<string, AmountLike>((value) => {
    if (parseUnits(value, decimals) >= limit) throw new Error(`is too large: it ${what}`);
    return decimalText(value);
  });
}

/** A value of a token as exact text; the token's decimals decide later whether it has too many digits. */
export function readDecimal(value: unknown): string {
  return decimalText(value);
}

/** `0x` hex bytes in lower case. */
export function readBytes(value: unknown, max = MAX_DATA): string {
  if (value === undefined || value === null) throw new Error('is required');
  if (typeof value !== 'string') throw new Error('must be hex text that begins with 0x');
  if (!value.startsWith('0x')) throw new Error('must be hex text that begins with 0x');
  const digits = value.slice(2);
  if (!/^[0-9a-fA-F]*$/.test(digits)) throw new Error('has characters that are not hex digits');
  if (digits.length % 2) throw new Error('has an odd number of hex digits: one is missing');
  if (digits.length / 2 > max) throw new Error(`is longer than ${max} bytes`);
  return value.toLowerCase();
}

/** Transaction data: empty text is no data. */
export function readData(value: unknown): string {
  return value === '' ? '0x' : readBytes(value);
}

/** Text that goes with a transaction: `0x…` is bytes, other text its UTF-8 bytes. Answers `0x…`. */
export function readMemo(value: unknown, max?: number): string {
  if (typeof value !== 'string') throw new Error('must be text, or hex that begins with 0x');
  if (value.startsWith('0x')) return readBytes(value, max);
  if (/\p{Surrogate}/u.test(value)) throw new Error('has half a character in it');
  return readBytes(hexOf(new TextEncoder().encode(value)), max);
}

/** An address of the chain, or an e-mail address or name that the wallet looks up. */
export function recipient(readAddress: (value: unknown) => string) {
  return field((value) =>
    typeof value === 'string' && isLookedUp(value) ? value.trim() : readAddress(value),
  );
}

export function readText(max: number) {
  return (value: unknown): string => {
    if (value === undefined || value === null || value === '') throw new Error('is required');
    if (typeof value !== 'string') throw new Error('must be text');
    if (value.length > max) throw new Error(`must have at most ${max} characters`);
    return value;
  };
}

export const WalletId = field(readText(64));
const Alias = optional(readText(256));

/** Only its format is checked; the PIN itself is typed in the frame and never taken from a page. */
export const Pincode = optional((value): undefined => {
  if (typeof value !== 'string' || !/^\d{4,6}$/.test(value))
    throw new Error('must be 4 to 6 digits as text, or absent: it is asked for in the wallet');
  return undefined;
});

/** `network`, on a chain whose requests cannot name a node. */
export const NoNetwork = optional<undefined, never>(() => {
  throw new Error(`is only supported for ${CHAIN_NAMES.ETHEREUM}; leave it out`);
});

/** Accepted on token transfers and ignored. */
export const Ignored = optional(() => undefined);

/** `tokenId`, on a chain without such tokens. An empty string counts as absent. */
export const NoTokenId = optional<undefined, ''>((value) => {
  if (value === '') return;
  throw new Error('is only for tokens inside an ERC-1155 contract; leave it out');
});

/** Fields of every build body. */
export function bodyFields<S extends SecretType>(secretType: S) {
  return {
    walletId: WalletId,
    secretType: secretTypeField(secretType),
    pincode: Pincode,
    network: NoNetwork,
    alias: Alias,
  };
}

function secretTypeField<S extends SecretType>(secretType: S) {
  return field<S, S>((value) => {
    if (value !== secretType) throw new Error(`must be ${secretType} for this request`);
    return secretType;
  });
}

/** Absent and null are the default, true. */
export const Flag = optional<boolean, boolean>((value) => {
  if (typeof value !== 'boolean') throw new Error('must be true or false');
  return value;
});

/** Of a message to sign. */
export function messageFields<T extends string>(type: T) {
  return {
    type: z.literal(type),
    walletId: WalletId,
    pincode: Pincode,
    /** Bytes, as a rule of UTF-8 text. */
    data: field((value) => readBytes(value)),
  };
}

/** Drops `pincode` and every empty field. */
export function finished<T extends object, Input>(schema: z.ZodMiniType<T, Input>) {
  return z.pipe(
    schema,
    z.transform(
      (request) =>
        Object.fromEntries(
          Object.entries(request).filter(([key, value]) => key !== 'pincode' && value != null),
        ) as Clean<T>,
    ),
  );
}
type Clean<T> = { [K in keyof T as K extends 'pincode' ? never : K]: Exclude<T[K], null> };

/** A transfer's public memo, as the approval shows it: as it was written; bytes that are not text, and text with invisible characters, as `0x…`. */
export function memoText(memo: string): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytesOf(memo));
    return /[\p{C}\p{Zl}\p{Zp}]/u.test(text.replaceAll('\n', '')) ? memo : text;
  } catch {
    return memo;
  }
}
