/** Which chain a request is for, by its `type` (spec 4.4). */
import type { ChainCard } from './card.ts';
import { CARDS, SECRET_TYPES, type SecretType } from './secret-type.ts';

function typesOf(list: (card: ChainCard) => readonly string[]): Readonly<Record<string, SecretType>> {
  return Object.fromEntries(
    SECRET_TYPES.flatMap((secretType) => list(CARDS[secretType]).map((type) => [type, secretType])),
  );
}

/** Native transactions. */
export const NATIVE_TYPES = typesOf(({ transactions }) => transactions);

export const SIGNATURE_TYPES = typesOf(({ signatures }) => signatures);

/** The chain of a native transaction or a signature; undefined for build bodies and unknown types. */
export function secretTypeOf(type: string): SecretType | undefined {
  for (const table of [NATIVE_TYPES, SIGNATURE_TYPES]) if (Object.hasOwn(table, type)) return table[type];
  return undefined;
}
