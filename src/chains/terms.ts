/** What a chain works with: nodes, requests, drafts, signatures and receipts. `chain.ts` says what it does with them. */
import type { Claims } from './approval/claims.ts';
import type { Network } from './network.ts';
import type { SecretType } from './secret-type.ts';

export type PrivateKey = Uint8Array;

/** How a client reaches its nodes. */
export interface NodeOptions {
  /** Replaces the platform's. */
  fetch?: typeof fetch | undefined;
  /** Milliseconds that a node has to answer a request; 8000 when absent. Then the next node is asked. */
  timeout?: number | undefined;
  /** Bytes of an answer at most; 5 MiB when absent. */
  largest?: number | undefined;
  /** Aborts current and later requests: they reject with the signal's reason. */
  signal?: AbortSignal | undefined;
}

/** A client of one network's nodes. Reads fail over to the next node; a broadcast goes to all until one accepts. */
export interface Node {
  readonly network: Network;
  /** Host name of the node that answered last, for "according to …". */
  readonly host: string;
  /** Sequential request rounds so far. */
  readonly rounds: number;
}

/** A native transaction or a build body (docs/chains.md), whose chain is not known here. */
export type ChainRequest = { type: string; walletId: string } & Record<string, unknown>;

declare const PARSED: unique symbol;

/**
 * A request parsed by its chain's schema, for callers that do not know the chain. Only `Payloads` makes one:
 * in the chain's own folder it has the schema's type.
 */
export type ParsedRequest = ChainRequest & { readonly [PARSED]: true };

/** Everything that will be signed, every default filled in. Opaque outside its chain; structured-cloneable. */
export interface Draft {
  secretType: SecretType;
  network: Network;
  /** Set when the site chose the node: the site's name for the network and the node's host name. */
  custom?: { name: string; host: string } | undefined;
  from: string;
}

export interface Signed {
  /** Wire bytes: `0x…`; Aeternity `tx_…`. */
  raw: string;
  hash: string;
  /** Nodes were given it before, and nobody knows whether one took it: what may be its own effect is no refusal. */
  given?: boolean | undefined;
}

/** `0x` hex each. */
export interface Signature {
  r: string;
  s: string;
  v: string;
  signature: string;
}

/** Of a `*_MESSAGE`: base64 on Bitcoin and Litecoin, `0x` hex of 65 bytes on Tron and of 64 on Aeternity. */
export interface MessageSignature {
  signature: string;
}

/** Who asked for a VeChain certificate, and when. */
export interface CertificateAnnex {
  /** The site's host, with the port if its origin has one. */
  domain: string;
  /** Seconds since 1970. */
  timestamp: number;
}

/** VIP-192. With the request's purpose and text, all that a verifier needs. */
export interface CertificateSignature {
  /** `signer`: the wallet's address in lower case, as it is signed. */
  annex: CertificateAnnex & { signer: string };
  /** `0x` hex of 65 bytes. */
  signature: string;
}

export type AnySignature = Signature | MessageSignature | CertificateSignature;

/** By the `type` of the request. */
export type SignatureOf<Type extends string> = Type extends `${string}_MESSAGE`
  ? MessageSignature
  : Type extends 'VECHAIN_CERTIFICATE'
    ? CertificateSignature
    : Signature;

export type TransactionState = 'pending' | 'confirmed' | 'failed' | 'unknown';

/** A token that came to an address. */
export interface Arrival {
  /** Contract, sender and receiver: hex in lower case, or as the chain writes addresses. */
  token: string;
  from: string;
  to: string;
  /** Smallest units. */
  raw: bigint;
}

/** The block that a transaction is in. */
export interface Mined {
  block: number;
  /** Blocks from its own on. */
  confirmations: number;
}

/** What became of a transaction. */
export interface Receipt {
  /** `confirmed` and `failed` from its first block on; see `stateOn`. */
  state: TransactionState;
  /** Absent while it is in no block, and where the node does not say. */
  mined?: Mined | undefined;
  /** Smallest units of the gas coin that it cost; undefined before it is decided, and where the node does not say. */
  fee?: bigint | undefined;
  /** It expired before a block included it: it cost nothing. */
  expired?: boolean | undefined;
  /** By the logs of a confirmed transaction; absent on chains without. Coins are in no log. */
  arrivals?: Arrival[] | undefined;
}

/** What the wallet knows about addresses, for first-time and look-alike warnings. */
export interface Known {
  /** Addresses this wallet has sent to or called through Carabiner. */
  used: readonly string[];
  /** The user's own wallets. */
  own: readonly string[];
  /** Addresses that the wallet knows from elsewhere: look-alikes of them cause a warning, but they do not count as familiar. */
  seen?: readonly string[] | undefined;
  /** `Networks.reported`. */
  reported: readonly string[];
  /** Of its own transactions that the node may not know yet. */
  taken?: readonly Claims[] | undefined;
}

/** Who signed a transaction, and what it uses. */
export interface Sender {
  address: string;
  claims: Claims;
}

export interface SignRequest {
  type: string;
  walletId: string;
  /** `0x` hex; of typed data its JSON text. */
  data: string;
  prefix?: boolean | undefined;
  hash?: boolean | undefined;
  /** Of typed data: what is not signed is left out, not refused. */
  unsignedFields?: 'omit' | undefined;
  /** Of a Bitcoin or Litecoin message. */
  format?: 'bip322' | 'bip137' | undefined;
  /** Of a VeChain certificate. */
  purpose?: 'identification' | 'agreement' | undefined;
  /** Of a VeChain certificate: null in a page's request, as only the signer knows it. */
  annex?: CertificateAnnex | null | undefined;
}

/** As `ParsedRequest`. */
export type ParsedSigning = SignRequest & { readonly [PARSED]: true };
