/** A prepared transaction, and what was read from the node while preparing it. Structured-cloneable. */
import type { Draft } from '../chain.ts';
import type { AddressFacts } from '../approval/known.ts';

/** An unspent output that the wallet's key can spend. */
export interface Utxo {
  /** As people read it: 64 hex digits, no 0x. */
  txid: string;
  vout: number;
  /** Satoshi. */
  value: bigint;
  /** Output script as `0x…`: P2WPKH, or P2PKH for a sweep. */
  script: string;
}

export interface UtxoDraft extends Draft {
  secretType: 'BITCOIN' | 'LITECOIN';
  to: string;
  /** Satoshi that arrive at `to`. */
  value: bigint;
  inputs: Utxo[];
  /** The recipient's first; a second is the change, to the wallet's own address. */
  outputs: { value: bigint; script: string }[];
  /** What the inputs have more than the outputs. When coins are missing: what it would be. */
  fee: bigint;
  /** Virtual bytes, at most. */
  size: number;
  facts: Facts;
}

/** What was read from the node and from the wallet. None of it is signed. */
export interface Facts {
  /** All coins of the wallet, and those that one transaction can spend now and that are worth their part of the fee. */
  balance: bigint;
  spendable: bigint;
  /** Of the balance, what is on its way still, and what costs more than it is worth. Absent from drafts of older versions. */
  waiting?: bigint | undefined;
  small?: bigint | undefined;
  /** There would be enough if one transaction could spend more coins: how many there are, and the most that can be sent now. */
  many?: { coins: number; most: bigint } | undefined;
  /** Where the coins come from when it is not the wallet's own address: a sweep. */
  source?: string | undefined;
  /** See `Destination.usual`. */
  usual?: string | undefined;
  about: AddressFacts;
  /** Satoshi per 1000 vB that the node considers usual now. Absent from drafts of older versions, and where the node gives none. */
  usualRate?: bigint | undefined;
  /** It takes the place of one that waits (BIP-125). */
  replaces?: boolean | undefined;
}
