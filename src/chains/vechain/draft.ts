/** A prepared transaction, and what was read from the node while preparing it. Structured-cloneable. */
import type { Draft } from '../terms.ts';
import { CARDS } from '../secret-type.ts';
import type { AddressFacts } from '../approval/known.ts';
import { listedToken } from '../contracts/listed-token.ts';
import type { Network, Token } from '../network.ts';
import type { TokenFacts } from '../contracts/token-facts.ts';
import type { Change, Outcome } from '../contracts/trial-runs.ts';
import type { Body } from './envelope.ts';

export const COIN = CARDS.VECHAIN.coin;
/** Pays the fees. Every account with VET generates some, and its contract is part of the protocol. */
export const GAS_COIN = CARDS.VECHAIN.gasCoin!;
export const VTHO: Token = {
  address: '0x0000000000000000000000000000456E65726779',
  name: 'VeThor',
  ...GAS_COIN,
  logo: '',
};

/** 2^24, of one transaction: https://eips.ethereum.org/EIPS/eip-7825 */
export const MAX_GAS = 16_777_216n;

export interface VechainDraft extends Draft, Body {
  secretType: 'VECHAIN';
  /** Who pays the gas: `signature` (65 bytes) is the service's answer to exactly this body. */
  sponsor?: { host: string; signature: string } | undefined;
  facts: Facts;
}

/** What was read from the node and from the wallet. None of it is signed. */
export interface Facts {
  /** The node that answered. */
  host: string;
  vet: bigint;
  vtho: bigint;
  /** What the account to which all clauses go pays for its users, if this wallet is one of them. */
  credit?: Credit | undefined;
  /** Who pays from that credit while it lasts; after that the wallet does. */
  payer?: string | undefined;
  /** Price per gas that will probably be paid, and gas that will probably be used. */
  gasPrice: bigint;
  gasUsed: bigint;
  /** What the network asks per gas now, whatever the site wants to pay. Absent from drafts of older versions. */
  usualPrice?: bigint | undefined;
  /** Whether the network lets another account pay the gas. */
  delegation: boolean;
  /** ISO 8601: no block after it takes the transaction. */
  expires: string;
  /** Whether code ran for a clause; undefined for clauses after one that failed. */
  ran: (boolean | undefined)[];
  /** Tokens that the clauses are about, by lower-case address. */
  tokens: Record<string, TokenFacts>;
  /** Which clause failed in a simulation (from 0), and why. */
  willFail?: { clause: number; reason: string } | undefined;
  /** Why no simulation gave a reliable result; absent after one that did, and if none was needed. */
  trial?: Outcome | undefined;
  /** From simulations; without `token`, VET. */
  changes?: Change[] | undefined;
  /** The service asked to pay the gas, and why it does not. */
  declined?: { host: string; reason: string } | undefined;
  /** What the wallet knows about the addresses involved, by lower-case address. */
  addresses: Record<string, AddressFacts>;
}

/** What a contract or another account pays for its users. */
export interface Credit {
  /** What all clauses go to. */
  contract: string;
  /** Wei of VTHO that the contract pays at most for the user, and that it holds. */
  credit: bigint;
  energy: bigint;
  /** Pays before the contract does, if it is still its sponsor. */
  sponsor: string | undefined;
}

/** The network with VTHO first among its tokens: the operator need not list it. */
export function withVtho(network: Network): Network {
  return {
    ...network,
    tokens: [VTHO, ...network.tokens.filter((token) => !listedToken([VTHO], token.address))],
  };
}

/** The price per gas that the transaction pays at most. */
export function maxPrice({ maxFeePerGas, facts }: Pick<VechainDraft, 'maxFeePerGas' | 'facts'>): bigint {
  return maxFeePerGas ?? facts.gasPrice;
}
