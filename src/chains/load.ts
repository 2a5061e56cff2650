/** Loads a whole chain from its `index.ts`, or its schemas from `payload.ts`. */
import type { AeternityDraft } from './aeternity/draft.ts';
import type { Chain } from './chain.ts';
import type { EvmDraft } from './evm/draft.ts';
import { folderOf, partOf } from './modules.ts';
import type { Payloads } from './requests/payloads.ts';
import type { SecretType } from './secret-type.ts';
import type { Draft } from './terms.ts';
import type { TronDraft } from './tron/draft.ts';
import type { UtxoDraft } from './utxo/draft.ts';
import type { VechainDraft } from './vechain/draft.ts';

export type { AeternityDraft, EvmDraft, TronDraft, UtxoDraft, VechainDraft };

/** By their chain. Types only: nothing of a chain is loaded for them. */
interface Drafts {
  AETERNITY: AeternityDraft;
  BITCOIN: UtxoDraft;
  ETHEREUM: EvmDraft;
  GOCHAIN: EvmDraft;
  LITECOIN: UtxoDraft;
  TRON: TronDraft;
  VECHAIN: VechainDraft;
}

/** What a chain's `prepare` returns: `DraftOf<'TRON'>`. For an unknown chain, any draft, opaque. */
export type DraftOf<S extends SecretType> = [SecretType] extends [S]
  ? Draft
  : S extends keyof Drafts
    ? Drafts[S]
    : Draft;

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
