/** A prepared transaction, and what was read from the node while preparing it. Structured-cloneable. */
import type { Draft } from '../terms.ts';
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
  /** The recipient's first; then the change, to the wallet's own address; then one that carries data and no coins. */
  outputs: { value: bigint; script: string }[];
  /** Inputs minus outputs. If coins are missing: what it would be. */
  fee: bigint;
  /** Virtual bytes, at most. */
  size: number;
  facts: Facts;
}

/** What was read from the node and from the wallet. None of it is signed. */
export interface Facts {
  /** All coins of the wallet, and those that one transaction can spend now and that are worth more than their fee. */
  balance: bigint;
  spendable: bigint;
  /**
   * The part of the balance that is still unconfirmed, and the part that costs more than it is worth. Absent
   * from drafts of older versions.
   */
  waiting?: bigint | undefined;
  small?: bigint | undefined;
  /**
   * Set if the coins would suffice, but are more than one transaction can spend: how many there are, and the
   * maximum that can be sent now.
   */
  many?: { coins: number; maxSpendable: bigint } | undefined;
  /** Where the coins come from if not the wallet's own address: a sweep. */
  source?: string | undefined;
  /** See `Destination.usual`. */
  usual?: string | undefined;
  about: AddressFacts;
  /**
   * Satoshi per 1000 vB that the node considers usual now. Absent from drafts of older versions, and if the
   * node gives none.
   */
  usualRate?: bigint | undefined;
  /** It replaces a pending one (BIP-125). */
  replaces?: boolean | undefined;
}
