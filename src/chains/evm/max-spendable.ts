/** The maximum that a transfer of the coin can send. */
import type { Node } from '../chain.ts';
import { feesOf, readFees } from './fees.ts';
import { rpcOf } from './json-rpc.ts';
import { quantity, readBalance, readCode, readNonceOf, tolerant } from './node.ts';
import type { EvmProfile } from './profile.ts';
import { estimate } from './simulation.ts';
import { gasOf, maxPrice } from './transaction.ts';

/**
 * All coins minus the maximum fee plus a quarter: until the transfer is approved, two full blocks in a row
 * may raise the price by that much. One round trip.
 */
export async function maxSpendable(
  from: string,
  to: string | undefined,
  node: Node,
  profile: EvmProfile,
): Promise<bigint> {
  const recipient = to ?? from;
  const [mined, pending, fees, balance, code, estimated, l1Fee] = await Promise.all([
    readNonceOf(node, from, 'latest'),
    readNonceOf(node, from, 'pending'),
    readFees(node, profile),
    readBalance(node, from),
    readCode(node, recipient),
    estimate(node, { from, to: recipient, value: '0x1' }),
    readL1Fee(node),
  ]);
  const gas = gasOf(undefined, code === '0x', estimated);
  const fee = gas * maxPrice(feesOf(fees, {}, mined < pending)) + l1Fee;
  const left = balance - (fee * 5n + 3n) / 4n;
  return left > 0n ? left : 0n;
}

/** OP Mainnet, Base and similar networks have it at the same address; no other network has anything there. */
const GAS_PRICE_ORACLE = '0x420000000000000000000000000000000000000F';
/** `getL1Fee(bytes)`: https://github.com/ethereum-optimism/optimism/blob/develop/packages/contracts-bedrock/src/L2/GasPriceOracle.sol */
const GET_L1_FEE = '49948e0e';
/** As long as a transfer, and incompressible, because the oracle compresses it. */
const TRANSFER = Array.from({ length: 128 }, (_, i) => (i + 1).toString(16).padStart(2, '0')).join('');

/** A layer-2 network's fee for publishing a transfer on Ethereum; 0n elsewhere. */
async function readL1Fee(node: Node): Promise<bigint> {
  const length = (TRANSFER.length / 2).toString(16).padStart(64, '0');
  const data = `0x${GET_L1_FEE}${'20'.padStart(64, '0')}${length}${TRANSFER}`;
  const call = rpcOf(node).call('eth_call', { to: GAS_PRICE_ORACLE, data }, 'latest');
  return (await tolerant(call, quantity)) ?? 0n;
}
