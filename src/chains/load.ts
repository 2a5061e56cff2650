/**
 * A chain is loaded from its folder, named by its secret type in lower case: `index.ts` is the whole chain,
 * `payload.ts` its schemas, `address.ts` its addresses. Bundlers make each a lazy chunk.
 */
import { ConnectError, RequestInvalidError } from '../base/errors.ts';
import type { Chain } from './chain.ts';
import type { DraftOf } from './drafts.ts';
import type { Payloads } from './requests/payloads.ts';
import { CARDS, didYouMean, SECRET_TYPES, type SecretType } from './secret-type.ts';

/** For networks already parsed by their schema. */
export async function loadChain<S extends SecretType>(secretType: S): Promise<Chain<DraftOf<S>>> {
  const { chain } = (await import(`./${folderOf(secretType)}/index.ts`)) as { chain: Chain<DraftOf<S>> };
  return chain;
}

/** Only the schemas of a chain's payloads. Rejects with `chain.not-supported`. */
export async function loadPayloads(secretType: SecretType): Promise<Payloads> {
  const { payloads } = (await import(`./${folderOf(secretType)}/payload.ts`)) as { payloads: Payloads };
  return payloads;
}

/** Rejects with `chain.not-supported`: the spec's parameters also name NEO, and untyped callers may name anything. */
export function folderOf(secretType: SecretType): string {
  const name = typeof secretType === 'string' ? secretType : typeof secretType;
  if (Object.hasOwn(CARDS, name)) return name.toLowerCase();
  const all = SECRET_TYPES.join(', ');
  if (secretType === undefined || secretType === null)
    throw new RequestInvalidError([{ path: 'secretType', message: `is required: one of ${all}` }]);
  throw new ConnectError(
    'chain.not-supported',
    `${name} is not supported${didYouMean(name)}. Supported: ${all}.`,
    { secretType: name },
  );
}
