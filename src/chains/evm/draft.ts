/** A prepared transaction, and what was read from the node while preparing it. Structured-cloneable. */
import type { Draft } from '../terms.ts';
import type { Coin } from '../coin.ts';
import type { AddressFacts } from '../approval/known.ts';
import { isCustom } from '../nodes/networks.ts';
import { coinOf } from '../secret-type.ts';
import type { TokenFacts } from '../contracts/token-facts.ts';
import type { Change, Outcome } from '../contracts/trial-runs.ts';
import type { KnownChain } from './well-known.ts';
import type { EvmProfile } from './profile.ts';
import type { Surcharge } from './surcharge.ts';
import type { TransactionFields } from './raw-transaction.ts';

export interface EvmDraft extends Draft, TransactionFields {
  secretType: EvmProfile['secretType'];
  /** Type 1 occurs only in raw transactions, which are signed as they are. */
  type: 0 | 2;
  facts: Facts;
}

/** What was read from the node and from the wallet. None of it is signed. */
export interface Facts {
  /** The node that answered. */
  host: string;
  /** The known name of its chain id, if the site chose the node. */
  chain?: KnownChain | undefined;
  balance: bigint;
  /** Price per gas that will probably be paid, and gas that will probably be used. */
  gasPrice: bigint;
  gasUsed: bigint;
  /** What the network charges besides gas; absent where it charges nothing, and from drafts of older versions. */
  surcharge?: Surcharge | undefined;
  /** What the network asks per gas now, whatever the site wants to pay. Absent from drafts of older versions. */
  usualPrice?: bigint | undefined;
  /** Whether `to` has code. */
  code: boolean;
  /** Nonces: the next one in a block, and the next one after pending transactions. */
  minedNonce: number;
  pendingNonce: number;
  /** The token that the call is about, when it is about one. */
  token?: TokenFacts | undefined;
  /** By lower-case address, the tokens of a call that does more than one thing. */
  tokens?: Record<string, TokenFacts> | undefined;
  /** SHA-256 of the operator's descriptor for exactly the contract that is called; only read for a function that is not known here. */
  descriptor?: string | undefined;
  /** Why a simulation failed. */
  willFail?: string | undefined;
  /** Why no simulation gave a reliable result; absent after one that did, and if none was needed. */
  trial?: Outcome | undefined;
  /** From simulations, if the node offers them. */
  changes?: Change[] | undefined;
  /** What the wallet knows about the addresses involved, by lower-case address. */
  addresses: Record<string, AddressFacts>;
}

/** The network's name for people: by its chain id when the site chose the node, else as the operator calls it. */
export function networkName({ network, chainId, facts }: EvmDraft): string {
  return isCustom(network) ? (facts.chain?.name ?? `Chain ${chainId}`) : network.name;
}

/** What the node says about a token. */
export function tokenFacts({ facts }: Pick<EvmDraft, 'facts'>, address: string): TokenFacts | undefined {
  const { token, tokens } = facts;
  const key = address.toLowerCase();
  return token?.address.toLowerCase() === key ? token : tokens?.[key];
}

/** By the chain id where the site chose the node, else as the operator calls it. */
export function draftCoin({ network, facts }: EvmDraft): Coin {
  const own = coinOf(network);
  const symbol = facts.chain?.symbol;
  return symbol ? { ...own, symbol } : own;
}
