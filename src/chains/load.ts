/** Loads a whole chain from its `index.ts`, or its schemas from `payload.ts`. */
import type { Chain } from './chain.ts';
import type { DraftOf } from './drafts.ts';
import { folderOf, partOf } from './modules.ts';
import type { Payloads } from './requests/payloads.ts';
import type { SecretType } from './secret-type.ts';

/** For networks already parsed by their schema. */
export async function loadChain<S extends SecretType>(secretType: S): Promise<Chain<DraftOf<S>>> {
  const module = import(`./${folderOf(secretType)}/index.ts`);
  return (await partOf<{ chain: Chain<DraftOf<S>> }>(secretType, 'chain', module)).chain;
}

/** Only the schemas of a chain's payloads. Rejects with `chain.not-supported`. */
export async function loadPayloads(secretType: SecretType): Promise<Payloads> {
  const module = import(`./${folderOf(secretType)}/payload.ts`);
  return (await partOf<{ payloads: Payloads }>(secretType, 'payloads', module)).payloads;
}
