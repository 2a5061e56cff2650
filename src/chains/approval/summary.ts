/** What an approval shows of a draft: plain data that a chain makes and the frame draws. */
import type { Amount } from '../coin.ts';
import type { SecretType } from '../secret-type.ts';

export type WarningCode =
  | 'first-contract'
  | 'first-recipient'
  | 'unlimited-approval'
  | 'spending-limit'
  /** The limit is all that the wallet holds, the warning's amount, or more. */
  | 'all-you-hold'
  /** `spender` has no code. */
  | 'spender-is-account'
  /** It is about `count` tokens, of which not all were looked at. */
  | 'too-many-tokens'
  | 'approval-for-all'
  | 'reported-address'
  /** `known` is the address that `address` was probably made to look like; `end`, `start` or `end`, where they match at one only. */
  | 'resembles-known'
  /** Nobody has a key for `address`: zero, or one that the protocol keeps for its own programs. */
  | 'burn-address'
  | 'recipient-is-token'
  /** A contract of an exchange that the operator lists. */
  | 'recipient-is-exchange'
  | 'no-code'
  | 'custom-node'
  /** `unknown` is set if no trusted source knows the chain id. */
  | 'custom-node-live'
  | 'fee-ceiling'
  /** High compared with what is sent (`percent`), or with what the network asks now (`times`). */
  | 'fee-share'
  | 'unlisted-token'
  | 'will-fail'
  | 'contract-creation'
  /** A call, or one inside it, that cannot be read: what is at risk cannot be known. `address`: who is called. */
  | 'unknown-call'
  /** `spender` may take an item of the collection `token`: the warning's amount names it. */
  | 'nft-approval'
  /** The owner of `contract`, or its code, changes: to `address`, if somebody gets it. */
  | 'control-given'
  /** Code of `address` runs as the account `contract` (delegatecall). */
  | 'foreign-code'
  /** A call inside the call sends the warning's amount to `address`. */
  | 'inner-transfer'
  /** Something is paid and nothing is asked for, or only for `address`, which is not the wallet. */
  | 'nothing-back'
  /** `nonce` of the pending transaction, if the chain has nonces. */
  | 'replaces-pending'
  | 'nonce-gap'
  | 'not-backed-up'
  /** What a swap or a call asks for goes to `address`, which is none of the user's wallets. */
  | 'swap-recipient'
  /** `address` gets `share` of what a trade brings: at most 1 %. */
  | 'trade-fee'
  /** A call of the exchange `name`, which the operator lists, that is not one plain swap. */
  | 'no-plain-swap'
  /** `reason` `refused`: the node would not run it now, for what waits before it. */
  | 'simulation-unavailable'
  /** Simulations in two blocks had different outcomes. */
  | 'trial-differs'
  /** Coins on their way to the wallet cannot be spent yet: `amount` of `symbol`. Only said when they are missing. */
  | 'unconfirmed-coins'
  /** Coins that cost more than they are worth at the transaction's fee rate: `amount` of `symbol`. Only said when coins are missing. */
  | 'small-coins'
  /**
   * The coins would be enough, but are more than one transaction can spend: `coins`, `atOnce`, and the
   * maximum that can be sent.
   */
  | 'many-coins'
  /** The address has a form that another chain's addresses share (Litecoin's 3…); `usual` is how it is written today. */
  | 'shared-form'
  /** A checkout payment where nobody vouches for who is paid. */
  | 'order-unsigned'
  /** The name by which the recipient was found now leads to `address`; without it, to none. */
  | 'name-moved'
  /** The user paid somebody else under this `name` before: `times`, to an address that ends in `end`. */
  | 'differs-from-known'
  /** The service that pays fees does not pay this one, so the wallet does: `host`, and `reason` in its words. */
  | 'sponsor-declined'
  | OrderWarningCode;

/** About an order to swap between chains; their words come with what draws it. */
export type OrderWarningCode =
  /** No exchange is listed that could be asked about it. */
  | 'order-unchecked'
  | 'order-unreadable'
  /** It accepts any price. */
  | 'order-no-limit'
  /** It takes `percent` less than the warning's amount, which it would bring now. */
  | 'order-low-limit'
  /** It takes no less than is more than it would bring now. */
  | 'order-high-limit'
  /** If the swap fails, the coins go to `address`. */
  | 'order-refund'
  /** What a refund costs is all of the warning's amount, or more. */
  /** `spender`, a contract of the exchange from former times, may still take the warning's amount. */
  | 'order-old-allowance'
  /** `names` get `share` of what is bought. */
  | 'order-affiliates'
  /** It is swapped in parts. */
  | 'order-streaming';

/** `danger` shows red; with `tick` the user must tick a box before Approve works. */
export interface Warning {
  code: WarningCode;
  level: 'caution' | 'danger';
  tick?: boolean | undefined;
  /** `clause`: which parts of several it is about, from 1: `3`, or `2, 3`. */
  params?: Record<string, string> | undefined;
  /** What it concerns, if an amount or a token: views take both only from here. */
  amount?: Amount | undefined;
}

export interface CallArgument {
  name: string;
  type: string;
  /** As shown: full addresses, decimal digits, hex. */
  value: string;
  /** Set when the argument is an amount of a token whose decimals are trusted. */
  amount?: Amount | undefined;
}

/** A value of a call under the label that a descriptor gives it. Has one of `text`, `address`, `amount` and `time`. */
export interface WordedField {
  label: string;
  text?: string | undefined;
  address?: string | undefined;
  amount?: Amount | undefined;
  /** Seconds since 1970. */
  time?: bigint | undefined;
  /** What the descriptor says of an amount as large as this. */
  note?: string | undefined;
}

/** A call in the words of a descriptor. They are the operator's: nothing that the wallet itself finds depends on them. */
export interface CallWords {
  /** Whose contract it is. */
  owner?: string | undefined;
  /** Of the function. */
  name: string;
  /** What the call is for. */
  intent?: string | undefined;
  fields: WordedField[];
  /** All of them, under their own names. */
  arguments: CallArgument[];
}

export interface DecodedCall {
  /** `transfer`, or null when the selector is unknown. */
  name: string | null;
  arguments: CallArgument[];
  /** `0x…`, the whole data. */
  data: string;
  /** "Calldata Digest" of ERC-8213 (https://eips.ethereum.org/EIPS/eip-8213), to compare with what another device computes. */
  digest?: string | undefined;
  /** SHA-256 of a descriptor that the operator lists for exactly this contract, where the wallet itself does not know the function. */
  descriptor?: string | undefined;
  /** What it says. Set by the wallet, not by a chain. */
  words?: CallWords | undefined;
}

/** An order to swap between chains that the transaction carries. What it swaps is in `swap`, unless that could not be read. */
export interface CrossChainOrder {
  /** As the operator calls it; undefined if none is listed for the network: then nothing of the order was checked. */
  exchange?: string | undefined;
  input: Amount;
  /** Whom the coins go to. */
  vault: string;
  /** The contract that takes them there. */
  router?: string | undefined;
  /** The order as it was written. */
  memo: string;
  /** Of an order that could be read, at the time of the approval. */
  outlook?: CrossChainOutlook | undefined;
}

/** What an order would bring. Amounts are of the output, where nothing else is said. */
export interface CrossChainOutlook {
  secretType: SecretType;
  /** Id of the network that is paid out on. */
  network: string;
  networkName: string;
  recipient: string;
  /** The user's own wallet that it is. */
  recipientAlias?: string | undefined;
  /** At today's price, after all fees. */
  expected: Amount;
  /** 0 for any. */
  minimum: Amount;
  liquidityFee: Amount;
  outboundFee: Amount;
  /** Of the input: what is missing if it comes back. */
  refundFee: Amount;
  /** About how long until it is paid out. */
  seconds: number;
}

/** What a call of an exchange's router does, in which the input or the output is exact and the other one bounded. */
export interface SwapTerms {
  orderType: 'SELL' | 'BUY';
  /** SELL: exactly this goes in. BUY: at most this. */
  input: Amount;
  /** SELL: at least this comes out. BUY: exactly this. */
  output: Amount;
  /** Address. */
  recipient: string;
  /** Seconds since 1970; later it fails. Absent between chains, where only a contract has one. */
  deadline?: bigint | undefined;
}

/** One thing that a call does. */
export interface CallEffect {
  kind:
    | 'send'
    /** `to` may take `amount`; 0 revokes the permission. */
    | 'allow'
    /** `to` may take every item of the collection. */
    | 'allow-all'
    /** The owner of `contract` changes to `to`. */
    | 'control'
    /** Code of `to` runs as `contract`. */
    | 'foreign-code'
    /** Into a trade, at most. */
    | 'pay'
    /** Asked for in a trade, at least; for `to` where it is not the wallet. Without an amount, it is not known what. */
    | 'receive'
    /** To somebody else, of what a trade holds. */
    | 'pass-on'
    /** A call of `contract` that, by its name, moves nothing. */
    | 'call';
  amount?: Amount | undefined;
  unlimited?: boolean | undefined;
  /** In place of the amount: `0.25 %`. */
  share?: string | undefined;
  to?: string | undefined;
  contract?: string | undefined;
  /** Of the function that is called. */
  name?: string | null | undefined;
  /** Whose it is, where it is not the wallet's own: another account, or the contract that calls. */
  by?: string | undefined;
  /** Seconds since 1970: when an allowance ends. */
  until?: bigint | undefined;
}

/** One transfer or call of a transaction that has several. */
export interface Part {
  kind: Summary['kind'];
  amount: Amount;
  unlimited?: boolean | undefined;
  to: string | null;
  contract?: string | undefined;
  call?: DecodedCall | undefined;
  /** In order, where the call does more than one thing, or by calls inside it. */
  effects?: CallEffect[] | undefined;
  /** Of a `call`: the tokens and items that it pays or sends out of the wallet, at most. Coins are in the summary's `total`. */
  leaving?: Amount[] | undefined;
  /** Name of the exchange that the operator lists, where `to` is its router. */
  exchange?: string | undefined;
  /** What the call swaps there. */
  swap?: SwapTerms | undefined;
}

export type FactCode =
  /** `12.5 sat/vB`. */
  | 'fee-rate'
  /** Virtual bytes. */
  | 'size'
  /** How many coins are spent together. */
  | 'inputs'
  /** Comes back to the wallet's own address. */
  | 'change'
  /** Units of work that a call uses, and what one costs. */
  | 'gas'
  | 'gas-price'
  | 'energy'
  | 'bandwidth'
  /** What a call may cost at most. */
  | 'fee-limit'
  /** Text that goes with the transaction. */
  | 'memo'
  /** ISO 8601, or a block height when the value is digits. */
  | 'expires'
  /** Who pays the fee instead of the wallet: host name, or address. */
  | 'sponsor'
  /** Who pays the energy of a call that the wallet does not: address. */
  | 'energy-payer'
  /** Id of a transaction that must be in a block before. */
  | 'depends-on'
  /** An address, and after spaces the storage slots of it, that the call says it uses. */
  | 'access-list'
  /** The part of the fee that creates the recipient's account. */
  | 'activation';

/** A line of the approval in the chain's own terms. */
export interface Fact {
  code: FactCode;
  /** As shown, where it is not an amount. */
  value?: string | undefined;
  amount?: Amount | undefined;
}

export interface BalanceChange {
  amount: Amount;
  direction: 'in' | 'out';
  /** Simulations did not agree to the last digit; this is the worse figure. */
  worse?: boolean | undefined;
  /** Promised by a contract that the wallet has never used, and not guaranteed. */
  canDiffer?: boolean | undefined;
}

/** What the merchant's service says that a payment is for. Amounts are minor units of the currency, times milliseconds since 1970. */
export type PaidOrder =
  /** The merchant's name is one that the operator verified, and everything signed is what will happen. */
  | {
      state: 'signed';
      merchant: string;
      total: number;
      currency: string;
      /** The merchant's own number of the order, if it has one. */
      reference?: string | undefined;
      items: number;
      expires: number;
    }
  /** Nobody vouches for who is paid. */
  | { state: 'unsigned' }
  /** It must not be paid. `signed` is what the order says instead. */
  | {
      state: 'wrong';
      reason: 'signature' | 'network' | 'recipient' | 'amount' | 'expired';
      reference?: string;
      signed?: { to: string; amount?: Amount };
    };

/** What the approval shows, drawn from the exact draft. */
export interface Summary {
  kind: 'transfer' | 'approval' | 'call' | 'creation';
  networkName: string;
  chainId?: number | undefined;
  /** Headline: what leaves; for an approval, what may leave. `unlimited` replaces the figure. */
  amount: Amount;
  unlimited?: boolean | undefined;
  from: string;
  /** The final recipient: for a token transfer the recipient, not the contract. Null for a contract creation. */
  to: string | null;
  /** The contract that is called, when `to` is not it. */
  contract?: string | undefined;
  call?: DecodedCall | undefined;
  /** As in `Part`. */
  effects?: CallEffect[] | undefined;
  /** As in `Part`. */
  leaving?: Amount[] | undefined;
  exchange?: string | undefined;
  /** What the user calls `to`. Set by the wallet, not by a chain. */
  known?: string | undefined;
  swap?: SwapTerms | undefined;
  /** Set by the wallet, not by a chain. */
  crossChain?: CrossChainOrder | undefined;
  /** Every part in order, where there are several; the headline then shows their sum, or 0 of the coin when they differ. */
  parts?: Part[] | undefined;
  /** In the order they are shown. */
  facts?: Fact[] | undefined;
  /** From a simulation; `according` is the node's host name. Never removes a warning. */
  changes?: BalanceChange[] | undefined;
  according?: string | undefined;
  /** Of a payment at a checkout. */
  order?: PaidOrder | undefined;
  fee: { expected: Amount; maximum: Amount };
  /** Coin that leaves at most: value, and the maximum fee where it is paid in the same coin. */
  total: Amount;
  /** The wallet's balance of the coin, and what is missing for `total` (0n if enough). */
  balance: Amount;
  shortOf?: { amount: Amount; need: bigint; have: bigint } | undefined;
  nonce?: number | undefined;
  warnings: Warning[];
}
