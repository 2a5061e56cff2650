/** Fields of Ethereum payloads, as schemas whose messages follow the field's name. */
import * as z from 'zod/mini';
import { decimalText, parseSmallest } from '../amount.ts';
import { nodeUrl } from '../networks.ts';
import { readAddress } from './address.ts';

const UINT256 = 1n << 256n;
/** Nodes refuse transactions over 128 KiB. */
const MAX_DATA = 128 * 1024;

/** A schema from a function that answers the clean value or throws an error with the message. */
export function field<T>(read: (value: unknown) => T) {
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
  );
}

/** Null and absent mean the same: the default. */
export function optional<T>(read: (value: unknown) => T) {
  return z.optional(field((value) => (value === undefined || value === null ? undefined : read(value))));
}

export function readSmallest(value: unknown): bigint {
  const raw = parseSmallest(value);
  if (raw >= UINT256) throw new Error('is too large: it must fit in 256 bits');
  return raw;
}

/** Coins or tokens as exact text; the token's decimals decide later whether it has too many digits. */
export function readDecimal(value: unknown): string {
  return decimalText(value);
}

export function readGasPrice(value: unknown): bigint {
  const price = readSmallest(value);
  if (price === 0n) throw new Error('must be greater than 0 wei; leave it out for the current price');
  return price;
}

export function readGas(value: unknown): bigint {
  const gas = parseSmallest(value);
  if (gas > 0n && gas < 21_000n) throw new Error('must be at least 21000, or 0 to have it computed');
  if (gas > 2n ** 53n) throw new Error('is more gas than any block holds');
  return gas;
}

export function readNonce(value: unknown): number {
  const nonce = parseSmallest(value);
  if (nonce > BigInt(Number.MAX_SAFE_INTEGER)) throw new Error('is too large for a nonce');
  return Number(nonce);
}

export function readTokenId(value: unknown): string {
  if (typeof value === 'number' && !Number.isSafeInteger(value))
    throw new Error('is not exact as a JavaScript number; pass it as a decimal string');
  return readSmallest(value).toString();
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

/** An address, or an e-mail address that the wallet looks up. */
export function readRecipient(value: unknown): string {
  if (typeof value === 'string' && isEmail(value)) return value.trim();
  return readAddress(value);
}

export function isEmail(text: string): boolean {
  return text.length <= 254 && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text.trim());
}

function readText(max: number) {
  return (value: unknown): string => {
    if (value === undefined || value === null || value === '') throw new Error('is required');
    if (typeof value !== 'string') throw new Error('must be text');
    if (value.length > max) throw new Error(`must have at most ${max} characters`);
    return value;
  };
}

export const WalletId = field(readText(64));
export const Alias = optional(readText(256));
export const FunctionName = field((value) => {
  const name = readText(256)(value);
  if (!/^[A-Za-z_$][\w$]*$/.test(name))
    throw new Error('must be the name of a function alone, for example transfer');
  return name;
});

/** Its form is checked; the PIN itself is typed in the frame and never taken from a page. */
export const Pincode = optional((value) => {
  if (typeof value !== 'string' || !/^\d{4,6}$/.test(value))
    throw new Error('must be 4 to 6 digits as text, or absent: it is asked for in the wallet');
  return undefined;
});

/** Spec 4.3.1 `network`. */
export const NetworkField = z.optional(
  z.nullable(
    z.strictObject({
      name: field(readText(64)),
      nodeUrl: field((value) => {
        const text = readText(2048)(value);
        try {
          return nodeUrl(text).href;
        } catch (error) {
          const issue = (error as { issues?: { message: string }[] }).issues?.[0];
          throw new Error(issue?.message ?? 'must be a URL', { cause: error });
        }
      }),
      chainId: optional((value) => {
        const id = parseSmallest(value);
        if (id === 0n || id > BigInt(Number.MAX_SAFE_INTEGER))
          throw new Error('must be a chain id: 1 or more');
        return Number(id);
      }),
    }),
  ),
);

export const SecretType = field((value) => {
  if (value !== 'ETHEREUM') throw new Error('must be ETHEREUM for this request');
  return value;
});

/** Absent and null are the default, true. */
export const Flag = optional((value) => {
  if (typeof value !== 'boolean') throw new Error('must be true or false');
  return value;
});
