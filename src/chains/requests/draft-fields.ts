/**
 * A draft's signed fields, as a schema: `draft-fields.ts` of a chain's folder. With it the service checks
 * drafts that were approved elsewhere; no browser loads it.
 */
import * as z from 'zod/mini';
import type { Draft, Node } from '../terms.ts';
import { folderOf, partOf } from '../modules.ts';
import type { SecretType } from '../secret-type.ts';

/** Without what every draft has, and without the reads of a node, which are not signed. */
export type DraftFields<D extends Draft> = z.ZodMiniType<Omit<D, keyof Draft | 'facts'>>;

/** What `draft-fields.ts` of a chain exports. */
export interface DraftReader {
  draftFields: DraftFields<Draft>;
  /**
   * Compares what spending limits count, but no signature commits to, with the node. Throws `request.invalid` at `draft`, and if the node
   * does not answer. Absent if signatures commit to everything.
   */
  checkDraft?(draft: Draft, node: Node): Promise<void>;
}

export async function loadDraftReader(secretType: SecretType): Promise<DraftReader> {
  return partOf(secretType, 'draft fields', import(`../${folderOf(secretType)}/draft-fields.ts`));
}

/** Bytes of a call or a memo. */
const MAX_DATA = 131_072;

export const uint = (bits: number): z.ZodMiniType<bigint> =>
  z.bigint().check(z.gte(0n), z.lt(2n ** BigInt(bits)));

export const Count = z.int().check(z.gte(0));

export const Uint32 = z.int().check(z.gte(0), z.lte(0xffffffff));

export const Hex = z
  .string()
  .check(z.maxLength(2 + 2 * MAX_DATA), z.regex(/^0x([0-9a-fA-F]{2})*$/, 'must be bytes in hex'));

export const bytes = (length: number): z.ZodMiniType<string> =>
  Hex.check(z.refine((text) => text.length === 2 + 2 * length, `must be ${length} bytes in hex`));

/** The chain's own check of addresses comes after. */
export const Address = z.string().check(z.minLength(1), z.maxLength(128));

export const Recipient = z.nullable(Address);
