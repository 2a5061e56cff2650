/** Requests for signatures. */
import * as z from 'zod/mini';
import { Flag, field, optional, Pincode, readBytes, WalletId } from './fields.ts';

/**
 * `transaction`: without prefix a transaction is signed, by its hash; else any bytes, or with `hash: false` a
 * 32-byte hash. `typed`: the type for typed data, on chains where raw bytes could be such data.
 */
export function signatureOf<T extends string>(type: T, transaction: boolean, typed?: string) {
  return z.pipe(
    z
      .strictObject({
        type: z.literal(type),
        walletId: WalletId,
        pincode: Pincode,
        data: field((value) => readBytes(value)),
        prefix: Flag,
        hash: Flag,
      })
      .check(
        z.check((context) => {
          const { data, prefix, hash } = context.value;
          if (prefix !== false) return;
          // A digest may begin with any bytes.
          const structured = typed && hash !== false && structuredData(data, typed);
          if (structured)
            context.issues.push({ code: 'custom', path: ['data'], message: structured, input: data });
          if (hash !== false) return;
          if (transaction)
            context.issues.push({
              code: 'custom',
              path: ['hash'],
              message: 'must be true for a transaction: its hash is what is signed',
              input: hash,
            });
          else if (data.length !== 66)
            context.issues.push({
              code: 'custom',
              path: ['data'],
              message: `must be a hash of 32 bytes when hash is false, has ${(data.length - 2) / 2}`,
              input: data,
            });
        }),
      ),
    z.transform(({ type, walletId, data, prefix = true, hash = true }) => ({
      type,
      walletId,
      data,
      prefix,
      hash,
    })),
  );
}

/** Bytes that are the envelope of something else, which nobody signs unseen. */
function structuredData(data: string, typed: string): string | undefined {
  // EIP-7702: 0x05 and a list of chain id, address and nonce.
  if (/^0x05[c-f]/.test(data))
    return 'is an authorisation (EIP-7702), which hands the whole account to a contract; it is never signed';
  // ERC-191: data whose meaning only the contract that it names knows, and a message that has its prefix already.
  if (data.startsWith('0x1900')) return 'is data for a contract (ERC-191), which cannot be shown';
  if (data.startsWith('0x1945'))
    return 'begins as a message with its prefix; give the message, and leave prefix out';
  // EIP-712, hashed already.
  if (data.startsWith('0x1901')) return `is hashed typed data, which cannot be shown; sign it as ${typed}`;
  return undefined;
}

/** Longer than any format in use, short enough to draw. */
const MAX_TYPED = 128 * 1024;

/** Typed data (EIP-712) as JSON text. Its contents are checked where they are read: here only its shape. */
export function typedDataOf<T extends string>(type: T) {
  return z.pipe(
    z.strictObject({
      type: z.literal(type),
      walletId: WalletId,
      pincode: Pincode,
      data: field(readTypedText),
      /** Extra fields and types, which do not change what is signed, are left out, not refused. */
      unsignedFields: z.optional(z.literal('omit')),
      prefix: NoFlag,
      hash: NoFlag,
    }),
    z.transform(({ type, walletId, data, unsignedFields }) => ({
      type,
      walletId,
      data,
      ...(unsignedFields && { unsignedFields }),
    })),
  );
}

const NoFlag = optional<undefined, never>(() => {
  throw new Error('does not apply to typed data; leave it out');
});

function readTypedText(value: unknown): string {
  if (value === undefined || value === null || value === '') throw new Error('is required');
  if (typeof value !== 'string') throw new Error('must be typed data as JSON text');
  if (value.length > MAX_TYPED) throw new Error(`is longer than ${MAX_TYPED} characters`);
  let parsed: unknown;
  try {
    parsed = JSON.parse(value);
  } catch {
    throw new Error('must be typed data as JSON text');
  }
  for (const name of ['types', 'primaryType', 'domain', 'message'])
    if (!Object.hasOwn(Object(parsed), name))
      throw new Error('must have types, primaryType, domain and message');
  return value;
}
