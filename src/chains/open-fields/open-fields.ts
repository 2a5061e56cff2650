/** A built request as the interface writes it (spec 2.9): every field, null where it is left to the moment of signing. */
import type * as z from 'zod/mini';
import type { NativeTransaction } from '../requests.ts';
import { Ignored, NoNetwork } from '../requests/fields.ts';
import type { Payloads } from '../requests/payloads.ts';

/** Only fields of the interface: a reader that takes no others, or an older wallet, gets those of our own only where they say something. */
const MAY_BE_NULL: ReadonlySet<string> = new Set([
  'pincode',
  'gasPrice',
  'gas',
  'nonce',
  'to',
  'data',
  'network',
  'chainId',
  'blockRef',
  'chainTag',
  'expiration',
  'gasPriceCoef',
  'feePerByte',
  'feePerKiloByte',
]);

export type BuiltTransaction = NativeTransaction & { pincode: null };

/** Read off the schema that parses the request, so that it takes the answer back as it is. */
export function withOpenFields(
  request: NativeTransaction,
  { transactions }: Pick<Payloads, 'transactions'>,
): BuiltTransaction {
  return filled(transactions[request.type]!, request) as BuiltTransaction;
}

/** The schemas that native transactions are made of. */
function filled(schema: z.core.$ZodType, value: unknown): unknown {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (value == null) return null;
  if (def.type === 'pipe') return filled(def.in, value);
  if (def.type === 'optional' || def.type === 'nullable') return filled(def.innerType, value);
  if (def.type === 'array') return (value as unknown[]).map((item) => filled(def.element, item));
  if (def.type !== 'object') return value;
  const given = value as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(def.shape)
      .filter(
        ([name, field]) =>
          given[name] != null || (MAY_BE_NULL.has(name) && field !== NoNetwork && field !== Ignored),
      )
      .map(([name, field]) => [name, filled(field, given[name])]),
  );
}
