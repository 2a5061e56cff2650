/** The maximum that a transfer of the coin can send. */
import type { Node } from '../terms.ts';
import { feesOf, readFees } from './fees.ts';
import { readGas } from './gas.ts';
import { readBalance, readCode, readNonceOf } from './node.ts';
import type { EvmProfile } from './profile.ts';
import { estimate } from './simulation.ts';
import { readL1Fee, readSurcharge } from './surcharge.ts';
import { maxPrice } from './transaction.ts';

/**
 * All coins minus the maximum fee plus a quarter: until the transfer is approved, two full blocks in a row
 * may raise the price by that much. One round trip, two on networks of the OP Stack.
 */
export async function maxSpendable(
  from: string,
  to: string | undefined,
  node: Node,
  profile: EvmProfile,
  data = '0x',
): Promise<bigint> {
  const recipient = to ?? from;
  const call = { from, to: recipient, value: '0x1', ...(data === '0x' ? {} : { data }) };
  const [mined, pending, fees, balance, code, estimated, l1Fee] = await Promise.all([
    readNonceOf(node, from, 'latest'),
    readNonceOf(node, from, 'pending'),
    readFees(node, profile),
    readBalance(node, from),
    readCode(node, recipient),
    estimate(node, call),
    profile.legacy ? undefined : readL1Fee(node, { data }),
  ]);
  const plainTo = code === '0x' && data === '0x' ? recipient : undefined;
  const gas = await readGas(node, { plainTo, estimated }, profile);
  const surcharge = await readSurcharge(node, l1Fee, gas);
  const fee = gas * maxPrice(feesOf(fees, {}, mined < pending)) + (surcharge?.maximum ?? 0n);
  const left = balance - (fee * 5n + 3n) / 4n;
  return left > 0n ? left : 0n;
}
