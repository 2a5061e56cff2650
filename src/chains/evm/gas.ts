/** How much gas a transaction may use. */
import type { Node } from '../terms.ts';
import { rpcOf } from './json-rpc.ts';
import type { EvmProfile } from './profile.ts';
import { RpcError } from './rpc-error.ts';
import type { Estimate } from './simulation.ts';

/** Cost of a transaction that only moves coins. On Arbitrum that is more, because gas pays for publishing it on Ethereum, too. */
export const PLAIN_GAS = 21_000n;
/** Used where the node cannot estimate because the call fails: the user may still insist. */
const FALLBACK_GAS = 300_000n;

/** Arbitrum's virtual contract for questions to its nodes: https://docs.arbitrum.io/build-decentralized-apps/nodeinterface/reference */
const NODE_INTERFACE = `0x${'c8'.padStart(40, '0')}`;
/** `gasEstimateL1Component(address,bool,bytes)` */
const GAS_ESTIMATE_L1_COMPONENT = '77d488a2';
const ARBITRUM: readonly (number | undefined)[] = [42161, 42170, 421614];

export interface GasTerms {
  given?: bigint | undefined;
  /** The recipient, if the transaction only moves coins. */
  plainTo?: string | undefined;
  estimated: Estimate;
}

/** Asks the node only for a plain transfer that it did not estimate. */
export async function readGas(
  node: Node,
  { given, plainTo, estimated }: GasTerms,
  { legacy }: EvmProfile,
): Promise<bigint> {
  if (given !== undefined && given > 0n) return given;
  if (plainTo === undefined || (estimated.gas !== undefined && estimated.gas !== PLAIN_GAS))
    return withReserve(estimated.gas ?? FALLBACK_GAS);
  if (estimated.gas !== undefined || legacy) return PLAIN_GAS;
  const published = await readPublishingGas(node, plainTo);
  if (published === 0n) return PLAIN_GAS;
  return withReserve(published === undefined ? FALLBACK_GAS : PLAIN_GAS + published);
}

/** State may change until the transaction is in a block. */
function withReserve(gas: bigint): bigint {
  return (gas * 6n + 4n) / 5n;
}

/** The gas for publishing a transfer of coins; 0n on networks that charge none, undefined where the node does not say. */
async function readPublishingGas(node: Node, to: string): Promise<bigint | undefined> {
  const rpc = rpcOf(node);
  const words = [to.slice(2).toLowerCase(), '', '60', ''].map((word) => word.padStart(64, '0'));
  const data = `0x${GAS_ESTIMATE_L1_COMPONENT}${words.join('')}`;
  let answer: unknown;
  try {
    answer = await rpc.call('eth_call', { to: NODE_INTERFACE, data }, 'latest');
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    if (!/revert/i.test(error.message)) return undefined;
  }
  if (typeof answer === 'string' && /^0x[0-9a-f]{192}$/i.test(answer)) return BigInt(answer.slice(0, 66));
  return ARBITRUM.includes(rpc.chainId) ? undefined : 0n;
}
