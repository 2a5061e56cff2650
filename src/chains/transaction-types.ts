/** Which chain a request is for, by its `type`. */
import type { ChainCard } from './card.ts';
import { CARDS, didYouMean, SECRET_TYPES, type SecretType } from './secret-type.ts';

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

/** Build bodies. Every chain knows some of them. */
export const BUILD_TYPES = [
  'TRANSFER',
  'GAS_TRANSFER',
  'TOKEN_TRANSFER',
  'NFT_TRANSFER',
  'CONTRACT_EXECUTION',
];

/** What is wrong with an unknown `type`. Methods of wallet providers (EIP-1193) are translated. */
export function notOneOf(types: readonly string[], type: unknown): string {
  const list = `must be one of ${types.join(', ')}`;
  if (typeof type !== 'string') return list;
  const form =
    /^(eth|personal)_/.test(type) &&
    (/typed/i.test(type) ? /_TYPED_DATA$/ : type.endsWith('sign') ? /_(MESSAGE|RAW)$/ : /_TRANSACTION$/);
  const meant = types.find((one) => (form ? form.test(one) : one === type.toUpperCase()));
  return meant ? `${list}; for ${type} use ${meant}` : list;
}

export function isSecretType(name: string): name is SecretType {
  return (SECRET_TYPES as readonly string[]).includes(name);
}

/** What names a request's chain; `signs` is set for a signature. */
interface Named {
  type: string | undefined;
  secretType: unknown;
  signs: true | undefined;
}

/** What is wrong with a request that names no chain, neither by its `type` nor by its `secretType`. */
export function unknownChain({ type, secretType, signs }: Named): { path: string; message: string } {
  const all = SECRET_TYPES.join(', ');
  if (signs) return { path: 'type', message: notOneOf(Object.keys(SIGNATURE_TYPES), type) };
  if (secretType !== undefined)
    return { path: 'secretType', message: `must be one of ${all}${didYouMean(secretType)}` };
  if (BUILD_TYPES.includes(type!))
    return { path: 'secretType', message: `is required for ${type}: one of ${all}` };
  return { path: 'type', message: notOneOf([...Object.keys(NATIVE_TYPES), ...BUILD_TYPES], type) };
}
