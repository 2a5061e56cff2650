/** A built request as in the interface: every field, null if it is filled in at signing. */
import type * as z from 'zod/mini';
import type { NativeTransaction } from '../requests.ts';
import { Ignored, NoNetwork } from './fields.ts';
import type { Payloads } from './payloads.ts';

/**
 * Only the interface's fields: our own are present only if set, because strict readers and older wallets
 * refuse them.
 */
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

/** Taken from the schema that parses the request, so that the result is accepted back unchanged. */
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
  const fields = value as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(def.shape)
      .filter(
        ([name, field]) =>
          fields[name] != null || (MAY_BE_NULL.has(name) && field !== NoNetwork && field !== Ignored),
      )
      .map(([name, field]) => [name, filled(field, fields[name])]),
  );
}
