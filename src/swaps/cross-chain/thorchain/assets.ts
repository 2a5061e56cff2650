/** THORChain's names of chains and assets, its amounts, and why a swap is not available. */
import { withProfile as evmAddresses } from '../../../chains/evm/address.ts';
import { BITCOIN } from '../../../chains/bitcoin/profile.ts';
import { ETHEREUM } from '../../../chains/ethereum/profile.ts';
import { LITECOIN } from '../../../chains/litecoin/profile.ts';
import type { ChainAddresses } from '../../../chains/modules.ts';
import type { SecretType } from '../../../chains/secret-type.ts';
import { readAddress as readTronAddress } from '../../../chains/tron/address.ts';
import { withProfile as utxoAddresses } from '../../../chains/utxo/address.ts';

/** A chain that coins can be sent from and to. */
export interface ThorChain extends ChainAddresses {
  /** In asset names: `BTC`. */
  name: string;
  secretType: SecretType;
  /** Of its coin: `BTC.BTC`. */
  coin: string;
  /** Of its coin, in memos: `b`. */
  shortName: string;
  /** Bytes of a memo at most: those of a data output (BTC, LTC), else THORChain's own limit. */
  memoBytes: number;
  /** Deposits go through a contract. */
  hasRouter: boolean;
}

export const MEMO_BYTES = 250;
const DATA_OUTPUT_BYTES = 80;

export const THOR_CHAINS: readonly ThorChain[] = [
  {
    name: 'BTC',
    secretType: 'BITCOIN',
    coin: 'BTC.BTC',
    shortName: 'b',
    memoBytes: DATA_OUTPUT_BYTES,
    hasRouter: false,
    ...utxoAddresses(BITCOIN),
  },
  {
    name: 'LTC',
    secretType: 'LITECOIN',
    coin: 'LTC.LTC',
    shortName: 'l',
    memoBytes: DATA_OUTPUT_BYTES,
    hasRouter: false,
    ...utxoAddresses(LITECOIN),
  },
  {
    name: 'ETH',
    secretType: 'ETHEREUM',
    coin: 'ETH.ETH',
    shortName: 'e',
    memoBytes: MEMO_BYTES,
    hasRouter: true,
    ...evmAddresses(ETHEREUM),
  },
  {
    name: 'TRON',
    secretType: 'TRON',
    coin: 'TRON.TRX',
    shortName: 'tr',
    memoBytes: MEMO_BYTES,
    hasRouter: false,
    readAddress: readTronAddress,
  },
];

/** `ETH.USDC-0XA0B8…` in parts. */
export interface AssetName {
  chain: string;
  ticker: string;
  /** The contract in capitals, or the end of it; empty for a coin. */
  contract: string;
}

/** Of a coin or token on its own chain, in any case; undefined for what else there is: synthetic, trade and secured assets. */
export function readAsset(text: string): AssetName | undefined {
  const [, chain, ticker, contract = ''] =
    /^([A-Z]+)\.([A-Z0-9]+)(?:-([A-Z0-9]+))?$/.exec(text.toUpperCase()) ?? [];
  return chain && ticker ? { chain, ticker, contract } : undefined;
}

export function chainOf(asset: string): ThorChain | undefined {
  return THOR_CHAINS.find(({ name }) => asset.startsWith(`${name}.`));
}

/** What a pool of an asset and RUNE holds, in hundred-millionths. */
export interface Pool {
  asset: string;
  /** It takes swaps now. */
  isOpen: boolean;
  /** Decimals that its amounts are rounded down to: 8, or fewer. */
  decimals: number;
  assetDepth: bigint;
  runeDepth: bigint;
}

export type Pools = readonly Pool[];

/**
 * The asset that THORChain takes a name for: the exact one, or of those on its chain with its ticker whose contract ends so, the one with the
 * deepest pool. Undefined if there is none.
 */
export function resolveAsset(text: string, pools: Pools): string | undefined {
  const name = readAsset(text);
  const exact = pools.find(({ asset, runeDepth }) => asset === text.toUpperCase() && runeDepth > 0n);
  if (exact || !name) return exact?.asset;
  return alike(name, pools).reduce<Pool | undefined>(
    (deepest, pool) => (deepest && deepest.runeDepth > pool.runeDepth ? deepest : pool),
    undefined,
  )?.asset;
}

function alike({ chain, ticker, contract }: AssetName, pools: Pools): Pool[] {
  return pools.filter(({ asset }) => {
    const other = readAsset(asset);
    return other?.chain === chain && other.ticker === ticker && other.contract.endsWith(contract);
  });
}

/** Of a contract, at least: an address with so few equal characters is quickly made, but not a pool as deep. */
const SUFFIX = 6;

/** The shortest name that a memo can have for an asset, which no pool shares. Undefined without a pool. */
export function memoName(asset: string, pools: Pools): string | undefined {
  const chain = chainOf(asset);
  const name = readAsset(asset);
  if (!name || !pools.some((pool) => pool.asset === asset)) return undefined;
  if (chain?.coin === asset) return chain.shortName;
  for (let length = SUFFIX; length < name.contract.length; length++) {
    const contract = name.contract.slice(-length);
    if (alike({ ...name, contract }, pools).length === 1) return `${name.chain}.${name.ticker}-${contract}`;
  }
  return asset;
}

/** Of all amounts at THORChain, whatever an asset's own decimals. */
export const THOR_DECIMALS = 8;

/** An amount in an asset's smallest units as hundred-millionths. Smaller parts are lost: `fromThor` gives back what is not. */
export function toThor(amount: bigint, decimals: number): bigint {
  return decimals > THOR_DECIMALS
    ? amount / 10n ** BigInt(decimals - THOR_DECIMALS)
    : amount * 10n ** BigInt(THOR_DECIMALS - decimals);
}

/** Hundred-millionths in an asset's smallest units, rounded down. */
export function fromThor(amount: bigint, decimals: number): bigint {
  return decimals > THOR_DECIMALS
    ? amount * 10n ** BigInt(decimals - THOR_DECIMALS)
    : amount / 10n ** BigInt(THOR_DECIMALS - decimals);
}

/** Why a swap is not available now. */
export type Reason =
  /** Too few nodes answer, or one answers something else than it was asked. */
  | 'nodes'
  /** Two nodes answer differently. */
  | 'nodes-differ'
  /** A node is behind the chain. */
  | 'node-behind'
  /** The answers are too old to count. */
  | 'answers-old'
  | 'pool'
  | 'halted'
  /** The destination's: the coins would be swapped, and wait. */
  | 'signing-halted'
  /** Coins sent there may be lost. */
  | 'vault'
  | 'router'
  /** The sender, the recipient or who gets a refund has code: coins from there are not noticed, those sent there may bounce. */
  | 'contract'
  | 'expired'
  | 'dust'
  /** Too little to be sure that a refund comes back. */
  | 'below-minimum'
  | 'fees-exceed-output'
  /** What the node promises is not what its pools give. */
  | 'price-differs'
  | 'memo'
  /** No exchange is listed for the network, so that nobody can be asked. */
  | 'unlisted';

/** A swap is not available now. The message says why, in plain words, for Details. */
export class NotAvailable extends Error {
  override name = 'NotAvailable';
  constructor(
    readonly reason: Reason,
    message: string,
    cause?: unknown,
  ) {
    super(message, cause === undefined ? {} : { cause });
  }
}
