/** What a signature approval shows: plain data that a chain makes of a request and the frame draws. */
import type { Amount } from '../coin.ts';
import type { Network } from '../network.ts';
import type { CallEffect, DecodedCall, Summary } from './summary.ts';

export type SigningSummary =
  | TextSigning
  | { kind: 'blind'; hex: string; reason: 'bytes' | 'hash' | 'transaction' }
  | { kind: 'transaction'; summary: Summary }
  | TypedSigning
  | SignInSigning
  | CertificateSigning;

export interface TextSigning {
  kind: 'text';
  text: string;
  hex: string;
  /** Signed without the prefix that marks it as a message. */
  unprefixed?: true;
}

/** What a signature request is compared with. */
export interface SigningScene {
  /** Of the requesting site, as the browser reports it. */
  origin: string;
  /** Milliseconds since 1970. */
  now: number;
  /** Data for another network than the request's is refused, not shown: the wallet service does not sign it. */
  refusesElsewhere?: boolean | undefined;
  /** The operator's networks of the chain, which name chain ids. */
  networks?: readonly Network[] | undefined;
  /** What is known of the worth of what an order gives and gets. */
  bargain?: CompareWorth | undefined;
}

/** `poor`: what comes is worth less than half of what leaves, or is less of the same. */
export type Bargain = 'fair' | 'poor';

/** Undefined where nobody knows a price of both. */
export type CompareWorth = (
  gives: readonly Amount[],
  gets: readonly Amount[],
) => Promise<Bargain | undefined>;

/** A member of typed data: a list's are named by their place, and a struct's by their own names. */
export interface TypedField {
  name: string;
  type: string;
  value: string | boolean | bigint | TypedField[];
}

/** An amount that may be unlimited. */
export interface Limit {
  amount: Amount;
  unlimited?: boolean | undefined;
  /** It is an item of a collection. */
  isItem?: boolean | undefined;
}

/** What typed data of a known form does. */
export interface Deed {
  /**
   * `allow`: somebody may take tokens, now or later. `take`: once, and the taker decides where they go. `pay`: they go to `to`.
   * `act`: `to` may do all in a contract that the owner may. `borrow`: `to` may take up debts of the owner. `trade`: `amounts` against
   * `gets`. `safe`: one signature of a Safe's transaction. `relay`: others send a call in the user's name.
   */
  kind: 'allow' | 'revoke' | 'take' | 'pay' | 'act' | 'borrow' | 'trade' | 'safe' | 'relay';
  /** What the call of `safe` or `relay` does, where it is one thing: `amounts` go to `to`, or `to` may take them. */
  does?: 'allow' | 'pay' | undefined;
  /** What may leave, at most. */
  amounts: Limit[];
  /** What comes for it, at least. */
  gets?: Amount[] | undefined;
  /** Who may take, or is paid, or is called. Not set for `trade`: whoever takes the order gets it. */
  to?: string | undefined;
  /** Seconds since 1970; `never` where it has no end. */
  until?: bigint | 'never' | undefined;
  /** How many orders one signature makes, if not one. */
  orders?: number | undefined;
}

export type TermCode =
  | 'token'
  | 'limit'
  | 'amount'
  | 'limit-ends'
  | 'sign-before'
  | 'valid-from'
  | 'owner'
  | 'receiver'
  | 'contract'
  /** A heading: the order `number` of the `of` that one signature makes. */
  | 'order'
  | 'gives'
  | 'gets'
  | 'others-get'
  | 'safe'
  | 'call'
  | 'refund'
  | 'fee'
  | 'witness';

/** A row in words. */
export interface Term {
  code: TermCode;
  address?: string | undefined;
  limit?: Limit | undefined;
  /** Seconds since 1970. */
  time?: bigint | 'never' | undefined;
  call?: DecodedCall | undefined;
  /** Of the call, where it does several things or makes calls of its own. */
  effects?: CallEffect[] | undefined;
  fields?: TypedField[] | undefined;
  number?: number | undefined;
  of?: number | undefined;
}

export type SigningWarningCode =
  /** The data is of another network than the request: `there`, if its name is known, with `chainId`; not of `here`. */
  | 'other-network'
  | 'reported-address'
  | 'resembles-known'
  | 'gives-limit'
  | 'unlimited'
  | 'all-you-hold'
  | 'no-end'
  | 'spender-decides'
  | 'spender-is-account'
  | 'too-many-tokens'
  | 'first-spender'
  | 'other-contract'
  | 'other-owner'
  | 'unknown-witness'
  | 'gets-nothing'
  /** What comes is worth far less than what leaves. */
  | 'poor-price'
  /** Nobody knows what both sides are worth. */
  | 'no-price'
  /** Another contract decides what comes. */
  | 'open-price'
  /** `count` orders, of which anybody may take the best for them alone. */
  | 'each-alone'
  | 'acts-for-you'
  | 'debt'
  | 'high-fee'
  | 'any-item'
  | 'delegatecall'
  | 'refund'
  | 'unreadable-call'
  /** A call inside the data sends the warning's limit to `address`. */
  | 'sends'
  | 'dangerous-call'
  | 'every-network'
  | 'every-contract'
  | 'more-than-signed'
  /** The dates in it have passed. */
  | 'expired'
  /** A danger where it names somebody, or an amount. */
  | 'unknown-form';

/** `danger` is always ticked. */
export interface SigningWarning {
  code: SigningWarningCode;
  level: 'caution' | 'danger';
  params?: Record<string, string> | undefined;
  limit?: Limit | undefined;
}

/** Of typed data, in the words of ERC-8213 (https://eips.ethereum.org/EIPS/eip-8213): to compare with what another device computes. */
export interface TypedDataDigests {
  /** "EIP-712 Digest": what is signed. */
  digest: string;
  domainHash: string;
  messageHash: string;
}

/** EIP-712. */
export interface TypedSigning {
  kind: 'typed';
  /** Absent where the form is not known. */
  deed?: Deed | undefined;
  terms: Term[];
  primaryType: string;
  domain: TypedField[];
  message: TypedField[];
  /** Of addresses in lower case: listed tokens and exchanges, and contracts that are the same on every network. */
  names: Record<string, { name: string; kind: 'token' | 'exchange' | 'contract' }>;
  digests: TypedDataDigests;
  warnings: SigningWarning[];
}

/** The fields of EIP-4361, as in the message. */
export interface SignInMessage {
  scheme?: string | undefined;
  domain: string;
  address: string;
  statement?: string | undefined;
  uri: string;
  chainId: string;
  nonce: string;
  issuedAt: string;
  expirationTime?: string | undefined;
  notBefore?: string | undefined;
  requestId?: string | undefined;
  resources: string[];
}

/** What the message claims, and what is true. */
export interface Mismatch {
  /** `scheme`: the host is the site's, by http where the message says https, or the other way round. */
  what: 'domain' | 'scheme' | 'uri' | 'address' | 'network' | 'expired' | 'not-yet';
  named: string;
  actual: string;
  /** Trusted name of the network whose chain id is `named`, if known. */
  network?: string | undefined;
}

/** EIP-4361 and its dialects of CAIP-122; on other chains, text that begins like one but is not for the requesting site. */
export interface SignInSigning {
  kind: 'sign-in';
  text: string;
  hex: string;
  unprefixed?: true;
  /** Absent on other chains, and if it reads like a sign-in but does not parse. */
  message?: SignInMessage | undefined;
  mismatches: Mismatch[];
}

/** VIP-192. */
export interface CertificateSigning {
  kind: 'certificate';
  purpose: 'identification' | 'agreement';
  text: string;
  /** Of the site that asks, as it is signed. */
  domain: string;
  /** As for a sign-in; absent if the text is not one, or is one to the requesting site. */
  mismatches?: Mismatch[] | undefined;
}

/** What ERC-8213 calls the digest of a call, in every language. */
export const CALLDATA_DIGEST = 'Calldata Digest';
