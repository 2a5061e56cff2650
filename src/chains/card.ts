/** What the rest of the code needs to know about a chain. Plain data: a page that only names a chain loads neither schema nor signer. */
import type { Coin } from './coin.ts';

export interface ChainCard {
  /** As people read it: `GoChain`. */
  name: string;
  coin: Coin;
  /** The coin that pays fees, where it is another. */
  gasCoin?: Coin;
  /** What people call the smallest unit of both. */
  unit: string;
  /** `type` of native transactions. The first one sends the coin. */
  transactions: readonly [string, ...string[]];
  /** `type` of signature requests. */
  signatures: readonly string[];
  /** Extra data of a coin transfer: bytes in hex, or text. */
  data?: 'hex' | 'text';
  /** Whether wallets also hold tokens. */
  tokens: boolean;
  /** Format of the ids of tokens that have no contract (TRC-10). */
  tokenId?: RegExp;
  /** Whether wallets show non-fungible tokens (ERC-721, ERC-1155). */
  nonFungibles?: true;
  /** Dialect of the contracts that swaps read, and how their addresses are written. Absent if there are none that we read. */
  contracts?: 'evm' | 'vechain' | 'tron';
  /**
   * What Max leaves for fees until the node has told the network's, in the coin that pays them: more than a transfer, and a swap, usually cost.
   * Decimal amounts: `0.001`.
   */
  reserve: { transfer: string; swap?: string };
  /**
   * Format of transaction hashes, which go into the paths of node requests. With the flag `i` they are hex,
   * in lower case there.
   */
  hash: RegExp;
  /** How addresses look, checksums aside, so that a mix-up of chains can be named. `hex`: `0x` and 40 digits, which several chains share. */
  addresses: 'hex' | readonly RegExp[];
  /** URI scheme of a plain address in a QR code (BIP-21). Absent: wallets take the bare address. */
  uriScheme?: string;
  /** Addresses are written differently on each network, so a wallet is on one. Absent: it is on all of them, at one address. */
  addressPerNetwork?: true;
  /** What codes of other wallets begin with, if not the name of the chain: `vet`. */
  otherScheme?: string;
  privateKey: {
    /** `wif`: first letters of a live network's keys. `secret`: the prefix of an encoded key. Hex is always taken. */
    wif?: readonly string[];
    secret?: string;
    /** Whether keystore files (JSON) are imported. */
    keystore: boolean;
  };
  /** False if the chain has no `outflow.ts`: wallets with a spending policy sign nothing on it. */
  outflow?: false;
  /** Field of `networks.json` that signatures are bound to: required of networks with nodes. */
  signs?: 'chainId' | 'genesis';
  /** Blocks of a live network, its own included, after which a transaction counts as confirmed; `networks.json` may set another number. */
  confirmations: number;
  /** Typical time to a confirmation. Absent: a few seconds. */
  confirmation?: { from: number; to: number; unit: 'seconds' | 'minutes' };
  /** The mark on a 24 grid: an SVG path in strokes, and the colour it is mixed from. */
  badge: { path: string; color: string };
}
