/** What a chain can do. Each chain's folder implements it; nothing in there knows the DOM, storage or HTTP servers. */
import type { NativeBalance, TokenBalance } from './answers.ts';
import type { Claims } from './approval/claims.ts';
import type { FindCoins, FindIncoming } from './nodes/incoming.ts';
import type { Network, NetworkKind, Token } from './network.ts';
import type { NativeTransaction } from './requests.ts';
import type { SecretType } from './secret-type.ts';
import type { SigningScene, SigningSummary } from './approval/signing.ts';
import type { Amount, Coin } from './coin.ts';
import type { Summary } from './approval/summary.ts';
import type {
  AnySignature,
  Draft,
  Known,
  Node,
  NodeOptions,
  ParsedRequest,
  ParsedSigning,
  PrivateKey,
  Receipt,
  Sender,
  Signed,
  TransactionState,
} from './terms.ts';

export type { SigningScene, SigningSummary } from './approval/signing.ts';
export type * from './coin.ts';
export type * from './terms.ts';

/**
 * `D`: its drafts. `R` and `S`: its transaction and signature requests, as its `Payloads` parses them. Callers that do not know the chain
 * leave all three out.
 */
export interface Chain<D extends Draft = Draft, R = ParsedRequest, S = ParsedSigning> {
  secretType: SecretType;
  coin: Coin;
  gasCoin: Coin;
  slip44: number;
  /** Of a network of this kind; of any when absent. */
  isAddress(text: string, kind?: NetworkKind): boolean;
  /** BIP-44 style key of the n-th wallet from a BIP-39 seed (64 bytes), from 0 to 2^31 - 1. Loads derivation code. */
  deriveKey(seed: Uint8Array, index: number): Promise<PrivateKey>;
  /**
   * Private key in a form that the chain's wallets write (hex, WIF, Aeternity secret), or a JSON keystore with its password.
   * Throws `request.invalid` at `key` or `password`.
   */
  importKey(text: string, password?: string, kind?: NetworkKind): Promise<PrivateKey>;
  /** How a private key is shown on export. */
  exportKey(key: PrivateKey, kind: NetworkKind): string;
  address(key: PrivateKey, kind: NetworkKind): string | Promise<string>;
  /**
   * Client of `network`, or of the node that an ETHEREUM request names (refused unless `custom` is allowed). Throws `request.invalid` at
   * the field of a network that cannot be right: `network.chainId`.
   */
  node(network: Network, options?: NodeOptions): Node;
  /** Every default filled in; at most two sequential round trips. Accepts native requests and build bodies. Without `known`, no address is familiar. */
  prepare(request: R, from: string, node: Node, known?: Known): Promise<D>;
  /** What the approval shows, read from the draft alone. */
  describe(draft: D): Promise<Summary>;
  /** What no other transaction may use. Absent if a chain has no such thing. */
  claims?(draft: D): Claims;
  /** Offline and deterministic (RFC 6979). Throws `request.invalid` at `key` for another key than that of `draft.from`. */
  sign(draft: D, key: PrivateKey): Promise<Signed>;
  broadcast(signed: Signed, node: Node): Promise<string>;
  /**
   * Whether a block that has its confirmations gave the transaction's nonce, or a coin of it, to another one: no block takes it any more.
   * Absent where only its expiry ends a transaction that no node has.
   */
  isOvertaken?(hash: string, sender: Sender, node: Node): Promise<boolean>;
  /**
   * `raw`, if still available, lets a chain whose transactions expire tell that one can no longer be
   * processed: it is `failed`. Until it has the network's confirmations, one that is in a block is `pending`.
   */
  status(hash: string, node: Node, raw?: string): Promise<TransactionState>;
  /** From the first block on, with the fee actually paid. One round trip. */
  receipt(hash: string, node: Node, raw?: string): Promise<Receipt>;
  balance(address: string, node: Node): Promise<NativeBalance>;
  tokenBalances(address: string, tokens: readonly Token[], node: Node): Promise<TokenBalance[]>;
  /** A token as the operator lists it, else as its contract describes itself. Throws `request.invalid` where there is none. */
  token(address: string, node: Node): Promise<Token>;
  /** Build body to native request. */
  build(body: R, from: string, node: Node): Promise<NativeTransaction>;
  /**
   * The same draft with a fee of at most `maximum`, if blocks would most likely still include it; undefined
   * if not, or if it cannot cost more. Absent if fees do not vary.
   */
  within?(draft: D, maximum: bigint): D | undefined;
  /** Whether the simulated balance changes are of other assets or directions than before, or worse. Absent if nothing is simulated. */
  worsened?(before: Summary, after: Summary): boolean;
  /** For external wallets. Absent if they build transactions themselves. */
  handover?(): Promise<{
    /** As they take it: `tx_…` of Aeternity, a PSBT in base64 (BIP-174), Tron's JSON. Throws where coins are missing. */
    unsigned(draft: D): Promise<string>;
    /** Takes what such a wallet returned. Throws `transaction.refused` if that is another transaction. */
    signed(unsigned: string, answer: string): Promise<Signed>;
  }>;
  /**
   * Whether `answer`, of any form, is the signature of a message by the owner of the address. Absent if the chain has no messages that
   * external wallets sign and that are checked here.
   */
  isSignedBy?(request: S, answer: AnySignature, address: string): Promise<boolean>;
  /** Searches for payments that an address received. Absent if no node reports them. `findCoins`: where `findIncoming` finds only tokens. */
  incoming?(): Promise<{ findIncoming: FindIncoming; findCoins?: FindCoins }>;
  /**
   * A draft that replaces `draft` with a higher fee; `cancel` sends to the wallet itself. Absent if the chain
   * has no replacement.
   */
  replace?(draft: D, how: 'speed-up' | 'cancel', node: Node): Promise<D>;
  /** Coins on another address of the same key (Bitcoin and Litecoin: P2PKH), and the draft that moves them to the wallet's own. */
  sweep?: {
    /** The other address and what it holds. One round trip. */
    find(own: string, node: Node): Promise<{ address: string; amount: Amount }>;
    prepare(own: string, node: Node): Promise<D>;
  };
  /** Combines coins, where a transaction can spend only so many (Bitcoin and Litecoin). */
  combine?: {
    /** How many the wallet has, if more than one transaction can spend; else 0. One round trip. */
    find(own: string, node: Node): Promise<number>;
    prepare(own: string, node: Node): Promise<D>;
  };
  /**
   * The maximum that a transfer of the coin can send now, in smallest units; 0n if nothing can be sent. Without `to`, what can be sent to
   * any address. `data`: the bytes that go with it, `0x…`.
   */
  maxSpendable?(from: string, to: string | undefined, node: Node, data?: string): Promise<bigint>;
  /** Messages, and on some chains more. */
  describeSigning?(
    request: S,
    from: string,
    node: Node,
    known?: Known,
    /** Absent if nobody sees the approval: then nothing is compared, and the node is asked only about transactions. */
    scene?: SigningScene,
  ): Promise<SigningSummary>;
  signData?(request: S, key: PrivateKey): Promise<AnySignature>;
}
