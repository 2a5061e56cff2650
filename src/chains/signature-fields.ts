/** Requests for signatures (spec 4.4 "Sign"). */
import * as z from 'zod/mini';
import { Flag, field, Pincode, readBytes, WalletId } from './fields.ts';

/** `transaction`: what is signed without prefix is one, by its hash; else any bytes, or with `hash: false` a hash of 32 bytes. */
export function signatureOf<T extends string>(type: T, transaction: boolean) {
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
          if (prefix !== false || hash !== false) return;
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
