/**
 * `networks.json`: the frame origin's networks, which the host page cannot influence. The frame loads it
 * once; the frame origin's server derives `connect-src` from it.
 */
import * as z from 'zod/mini';
import { CARDS, SECRET_TYPES } from './secret-type.ts';

/**
 * `schema` with a default. Not zod's own default, which every frame would download for a few fields: this
 * uses only what payloads need anyway.
 */
export function or<T>(schema: z.ZodMiniType<T>, absent: T) {
  return z.pipe(
    z.optional(schema),
    z.transform((value): T => value ?? absent),
  );
}

const HttpUrl = z.string().check(z.regex(/^https?:\/\/\S+$/, 'must be an http or https URL'));

const Folder = HttpUrl.check(z.regex(/\/$/, 'must end with a slash'));

const Digits = z.string().check(z.regex(/^[0-9]+$/));

const EvmAddress = z.string().check(z.regex(/^0x[0-9a-fA-F]{40}$/, 'must be 0x and 40 hex digits'));

/** A token that the operator lists; its decimals are trusted, a node's are not. */
export const Token = z.object({
  address: z.string(),
  symbol: z.string(),
  name: z.string(),
  decimals: z.int().check(z.gte(0), z.lte(255)),
  logo: or(z.string(), ''),
  /** The token's transfer fee, in percent. */
  transferFee: z.optional(z.number().check(z.gt(0), z.lt(100))),
});
export type Token = z.infer<typeof Token>;

const NetworkFields = z.object({
  /** Unique in the file: `ethereum`, `ethereum-sepolia`, `ethereum-local`. */
  id: z.string(),
  secretType: z.enum(SECRET_TYPES),
  /** Shown to people: `Ethereum mainnet`. */
  name: z.string(),
  kind: z.enum(['mainnet', 'testnet', 'local']),
  /** EVM chain id. */
  chainId: z.optional(z.int()),
  /**
   * ETHEREUM, GOCHAIN: the network's coin, where it is not that of its chain: `{ "symbol": "POL" }`. It has 18 decimals, as every coin of
   * an EVM has.
   */
  coin: z.optional(z.object({ symbol: z.string(), decimals: z.optional(z.int()) })),
  /**
   * The network that a node must report, if it reports one: the id of the genesis block (VeChain, Tron,
   * Bitcoin, Litecoin), the network id (Aeternity: `ae_mainnet`). A node that reports another is not used.
   */
  genesis: z.optional(z.string()),
  /** VECHAIN: service that pays the gas (VIP-191, VIP-201). */
  delegator: z.optional(HttpUrl),
  /** Wallets can be on every network that has nodes; the first of a secret type is the one they are on by default. One without nodes only names a chain id. */
  nodes: z.array(HttpUrl),
  /** Prefix for a transaction page: `https://etherscan.io/tx/`. */
  explorer: z.optional(HttpUrl),
  tokens: or(z.array(Token), []),
  /** ETHEREUM, GOCHAIN, VECHAIN, TRON: where tokens are swapped. Checked in `src/swaps/entry.ts`, which comes with the first swap. */
  exchanges: z.optional(z.array(z.unknown())),
  /** By ISO 4217 currency: where checkout's prices come from. Checked and read only by the service. */
  prices: z.optional(z.unknown()),
  /**
   * ETHEREUM, GOCHAIN: Multicall3 (https://www.multicall3.com), which answers many reads as one. Without it
   * they go as one batch.
   */
  multicall: z.optional(EvmAddress),
  /**
   * Token lists (https://tokenlists.org) whose tokens of this chain id the server adds to `tokens`: paths beside the file, or https URLs.
   * A browser gets the file with them added, and without this field.
   */
  tokenLists: z.optional(z.array(z.string())),
  /**
   * ETHEREUM: contracts of non-fungible tokens (ERC-721) in which wallets are looked up. `fromBlock` is where
   * the contract was created: older blocks are not searched for transfers.
   */
  nonFungibles: z.optional(
    z.array(z.object({ address: EvmAddress, fromBlock: z.optional(z.int().check(z.gte(0))) })),
  ),
  /** ETHEREUM, GOCHAIN: words for calls of contracts. Checked in `src/chains/descriptors/descriptor.ts`, which comes with the first such call. */
  descriptors: z.optional(z.array(z.unknown())),
  /**
   * Confirmations from which a transaction counts as confirmed, and a deposit is reported. Absent: 1 on test networks, else the chain's
   * own. The service remembers no more blocks than 200.
   */
  confirmations: z.optional(z.int().check(z.gte(1), z.lte(200))),
  /** Highest fee of one transaction, in smallest units of the gas coin, above which the user must tick a warning. */
  feeCeiling: z.optional(Digits),
  /**
   * ETHEREUM, GOCHAIN: the lowest tip that its nodes take, in wei per gas; where blocks have no base fee, the lowest gas price. What the
   * wallet computes is never lower.
   */
  minTip: z.optional(Digits),
});
export const Network = NetworkFields.check(
  z.check(({ value, issues }) => {
    // Only this is reliable: a test network's node could claim to be the live network's, and get a signature
    // that is valid there.
    const path = CARDS[value.secretType].signs;
    if (path && value.nodes.length > 0 && value[path] === undefined)
      issues.push({ code: 'custom', path: [path], message: 'is required: it is signed', input: undefined });
  }),
);
export type Network = z.infer<typeof NetworkFields>;
export type NetworkKind = Network['kind'];

export const Networks = z.object({
  /** Host pages on this site (registrable domain), or under it, share the frame's storage partition. */
  site: z.optional(z.string()),
  /**
   * Exact origins whose pages may show the wallet in a dialog; all others get a window. The server checks
   * their format.
   */
  embed: z.optional(z.array(z.string())),
  /** Lets an ETHEREUM request name its own node; widens the frame's connect-src. */
  customNodes: or(z.boolean(), false),
  /** Whether wallets are also made and opened in browsers inside other apps, which can read all of it. */
  inAppBrowsers: z.optional(z.boolean()),
  /** Base URL of the wallet service, for pages that supply its access tokens. */
  service: z.optional(HttpUrl),
  /**
   * The source of prices shown with amounts. Checked in `src/prices/entry.ts`, which is loaded with the first
   * price.
   */
  fiat: z.optional(z.unknown()),
  /** Exchanges between chains. Checked in `src/swaps/cross-chain/entry.ts`, which comes with the first swap. */
  crossChain: z.optional(z.array(z.unknown())),
  networks: z.array(Network),
  /** Where `ipfs:` addresses of non-fungible tokens are read: `https://ipfs.io/ipfs/` when absent. */
  ipfsGateway: z.optional(Folder),
  /**
   * Where the wallet's portfolio gets pictures of non-fungible tokens: `…/{network}/{contract}/{token}` below it, as the service answers
   * them at `/pictures/`. No picture without it, but for those in contracts; widens the frame's img-src by its origin.
   */
  pictures: z.optional(Folder),
  /** Addresses reported as fraudulent, lower case. */
  reported: or(z.array(z.string()), []),
});
export type Networks = z.infer<typeof Networks> & {
  /**
   * Exact origins whose pages may ask by redirect (`surface: 'redirect'`); widens the frame's connect-src by them. Read by the server, and by
   * the frame only where a page does.
   */
  redirects?: string[] | undefined;
};
