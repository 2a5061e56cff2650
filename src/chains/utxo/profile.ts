/** What differs between Bitcoin and Litecoin. They share everything else. */
import type { Coin } from '../coin.ts';
import type { NetworkKind } from '../network.ts';

type ByKind<T> = Readonly<Record<NetworkKind, T>>;

export interface UtxoProfile {
  secretType: 'BITCOIN' | 'LITECOIN';
  /** The native transaction type of the API. */
  type: 'BTC_TRANSACTION' | 'LTC_TRANSACTION';
  coin: Coin;
  slip44: number;
  /** Human-readable part of segwit addresses (SLIP-173). */
  hrp: ByKind<string>;
  /** Version bytes of base58 addresses and keys. If there are several for P2SH, the first is the current one. */
  p2pkh: ByKind<number>;
  p2sh: ByKind<readonly number[]>;
  wif: ByKind<number>;
  /** How base58 addresses begin, and what an address looks like, for messages. */
  base58: RegExp;
  beginsWith: string;
  /** Satoshi per 1000 vB: an output that costs more than its value to spend at this rate is dust. */
  dustRate: bigint;
  /** Maximum supply, in satoshi. */
  supply: bigint;
  /** Highest fee without a tick, where `networks.json` sets none. */
  feeCeiling: bigint;
  /** The request's field for the fee rate; `decimals` scale it to satoshi per 1000 vB. */
  feeField: { name: 'feePerByte' | 'feePerKiloByte'; decimals: number; unit: string };
}
