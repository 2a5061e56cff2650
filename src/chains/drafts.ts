/** Drafts by their chain. Types only: nothing of a chain is loaded for them. */
import type { AeternityDraft } from './aeternity/draft.ts';
import type { Draft } from './terms.ts';
import type { EvmDraft } from './evm/draft.ts';
import type { SecretType } from './secret-type.ts';
import type { TronDraft } from './tron/draft.ts';
import type { UtxoDraft } from './utxo/draft.ts';
import type { VechainDraft } from './vechain/draft.ts';

export type { AeternityDraft, EvmDraft, TronDraft, UtxoDraft, VechainDraft };

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
