/** A prepared transaction, and what was read from the node while preparing it. Structured-cloneable. */
import type { Draft } from '../terms.ts';
import { CARDS } from '../secret-type.ts';
import type { AddressFacts } from '../approval/known.ts';
import type { Spend } from './spend.ts';

export const COIN = CARDS.AETERNITY.coin;

export interface AeternityDraft extends Draft, Spend {
  secretType: 'AETERNITY';
  /** Is signed too: `ae_mainnet`. */
  networkId: string;
  facts: Facts;
}

/** What was read from the node and from the wallet. None of it is signed. */
export interface Facts {
  /** Aettos, minus what pending transactions will take. */
  balance: bigint;
  /** The next nonce in a block, and the next one after pending transactions. */
  minedNonce: number;
  pendingNonce: number;
  /** The account is a contract's (generalized account): a key cannot sign for it. */
  generalized: boolean;
  /** What the network asks for it now, whatever the site wants to pay. Absent from drafts of older versions. */
  usualFee?: bigint | undefined;
  recipient: AddressFacts;
}
