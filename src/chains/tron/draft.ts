/** A prepared transaction, and what was read from the node while preparing it. Structured-cloneable. */
import type { Draft } from '../terms.ts';
import { CARDS } from '../secret-type.ts';
import type { AddressFacts } from '../approval/known.ts';
import type { TokenFacts } from '../contracts/token-facts.ts';

export const COIN = CARDS.TRON.coin;

/** What a transaction does. Addresses are base58check, amounts in sun or in the token's smallest unit. */
export type Contract =
  /** TransferContract. */
  | { kind: 'coin'; to: string; amount: bigint }
  /** TransferAssetContract: `token` is the id of a TRC-10 token. */
  | { kind: 'asset'; token: string; to: string; amount: bigint }
  /** TriggerSmartContract: `value` in sun goes with the call, `data` is `0x…`. */
  | { kind: 'call'; to: string; value: bigint; data: string };

export interface TronDraft extends Draft {
  secretType: 'TRON';
  contract: Contract;
  /** Of the block that the transaction builds on: 2 and 8 bytes, `0x…`. */
  refBlockBytes: string;
  refBlockHash: string;
  /** Milliseconds. */
  expiration: number;
  timestamp: number;
  /** Sun that a call may burn for energy; 0n if it is not a call. */
  feeLimit: bigint;
  /** `0x…`; `0x` is none. */
  memo: string;
  facts: Facts;
}

/** What was read from the node and from the wallet. None of it is signed. */
export interface Facts {
  /** The node that answered. */
  host: string;
  balance: bigint;
  costs: Costs;
  /** Whether `contract.to` is a contract. */
  code: boolean;
  /** The token that the transaction is about, when it is about one. */
  token?: TokenFacts | undefined;
  /** Every token that a call is about that does more than one thing, by address. */
  tokens?: Record<string, TokenFacts> | undefined;
  /** Why the network would refuse it, or the call fail. */
  willFail?: string | undefined;
  /** What the wallet knows about the addresses involved. */
  addresses: Record<string, AddressFacts>;
}

/** What the transaction uses, and the sun that is burned for what the account's own resources do not cover. */
export interface Costs {
  /** Bytes. */
  bandwidth: bigint;
  bandwidthFee: bigint;
  /** Units, for a call: without what `payer` takes over. */
  energy: bigint;
  energyFee: bigint;
  /** When the call uses all that `feeLimit` allows, beyond the account's own energy. */
  maxEnergyFee: bigint;
  memoFee: bigint;
  /** Creates the recipient's account. */
  activationFee: bigint;
  /** Burned as well if the account's own resources are used up before. Absent in drafts of earlier releases. */
  covered?: bigint | undefined;
  /** Address of the contract's deployer, who pays part or all of the energy. */
  payer?: string | undefined;
}

/** Sun that leaves, without the fee. */
export function coinsOf(contract: Contract): bigint {
  if (contract.kind === 'asset') return 0n;
  return contract.kind === 'coin' ? contract.amount : contract.value;
}

/** What the node says about a token. */
export function tokenFacts({ facts }: Pick<TronDraft, 'facts'>, address: string): TokenFacts | undefined {
  return facts.token?.address === address ? facts.token : facts.tokens?.[address];
}
