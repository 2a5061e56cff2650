/**
 * `networks.json`: what the frame's origin says about networks. The host page has no say in it.
 * The frame loads it once; the server of the frame's origin derives `connect-src` from it.
 */
import * as z from 'zod/mini';
import { SECRET_TYPES, type SecretType } from './secret-type.ts';

const HttpUrl = z.string().check(z.regex(/^https?:\/\/\S+$/, 'must be an http or https URL'));

/** A token that the operator lists; its decimals are trusted, a node's are not. */
export const Token = z.object({
  address: z.string(),
  symbol: z.string(),
  name: z.string(),
  decimals: z.int().check(z.gte(0), z.lte(255)),
  logo: z._default(z.string(), ''),
});
export type Token = z.infer<typeof Token>;

/**
 * What a signature is bound to. Only here it is sure: a node of a test network could say that it is of the live one, and get a
 * signature that is good there.
 */
const SIGNED: Readonly<Partial<Record<SecretType, 'chainId' | 'genesis'>>> = {
  ETHEREUM: 'chainId',
  GOCHAIN: 'chainId',
  VECHAIN: 'genesis',
  AETERNITY: 'genesis',
};

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
   * What a node must say it belongs to, where it tells: the id of the genesis block (VeChain, Tron, Bitcoin, Litecoin), the network id
   * (Aeternity: `ae_mainnet`). A node that says something else is not used.
   */
  genesis: z.optional(z.string()),
  /** VECHAIN: service that pays the gas (VIP-191, VIP-201). */
  delegator: z.optional(HttpUrl),
  /** Wallets can be on every network that has nodes; the first of a secret type is the one they are on by default. One without nodes only names a chain id. */
  nodes: z.array(HttpUrl),
  /** Prefix for a transaction page: `https://etherscan.io/tx/`. */
  explorer: z.optional(HttpUrl),
  tokens: z._default(z.array(Token), []),
  /** Highest fee of one transaction, in smallest units of the gas coin, above which the user must tick a warning. */
  feeCeiling: z.optional(z.string().check(z.regex(/^[0-9]+$/))),
});
export const Network = NetworkFields.check(
  z.check(({ value, issues }) => {
    const path = SIGNED[value.secretType];
    if (path && value.nodes.length > 0 && value[path] === undefined)
      issues.push({ code: 'custom', path: [path], message: 'is required: it is signed', input: undefined });
  }),
);
export type Network = z.infer<typeof NetworkFields>;
export type NetworkKind = Network['kind'];

export const Networks = z.object({
  /** Host pages on this site (registrable domain), or under it, share the frame's storage partition. */
  site: z.optional(z.string()),
  /** Lets an ETHEREUM request name its own node; widens the frame's connect-src. */
  customNodes: z._default(z.boolean(), false),
  networks: z.array(Network),
  /** Addresses reported as fraudulent, lower case. */
  reported: z._default(z.array(z.string()), []),
});
export type Networks = z.infer<typeof Networks>;
