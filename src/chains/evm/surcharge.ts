/**
 * What networks of the OP Stack (OP Mainnet, Base and others) charge besides gas: the L1 fee, for publishing a transaction on Ethereum, and
 * the operator's fee. Nothing that is signed limits either.
 * https://github.com/ethereum-optimism/specs/blob/main/specs/protocol/exec-engine.md#fees
 */
import type { Node } from '../terms.ts';
import { rpcOf } from './json-rpc.ts';
import { quantity, tolerant } from './node.ts';
import type { TransactionFields } from './raw-transaction.ts';

/** In wei. */
export interface Surcharge {
  expected: bigint;
  /** The L1 fee may rise by a quarter, as the price of gas may over two full blocks in a row. */
  maximum: bigint;
}

/** At the same address on all of them; no other network has anything there. */
const GAS_PRICE_ORACLE = '0x420000000000000000000000000000000000000F';
/** `getL1Fee(bytes)` and `getOperatorFee(uint256)`: https://github.com/ethereum-optimism/optimism/blob/develop/packages/contracts-bedrock/src/L2/GasPriceOracle.sol */
const GET_L1_FEE = '49948e0e';
const GET_OPERATOR_FEE = '275aedd2';
/** As long as the other fields of a transaction, and incompressible, because the oracle compresses it. */
const ENVELOPE = Array.from({ length: 128 }, (_, i) => (i + 1).toString(16).padStart(2, '0')).join('');

/** Of a transaction with these fields. Undefined on other networks. */
export function readL1Fee(
  node: Node,
  { data = '0x', accessList = [] }: Partial<Pick<TransactionFields, 'data' | 'accessList'>> = {},
): Promise<bigint | undefined> {
  const bytes = ENVELOPE + [data, ...accessList.flat(2)].map((hex) => hex.slice(2)).join('');
  const padded = bytes.padEnd(Math.ceil(bytes.length / 64) * 64, '0');
  return ask(node, `${GET_L1_FEE}${word(0x20n)}${word(BigInt(bytes.length / 2))}${padded}`);
}

/** `l1Fee` is as `readL1Fee` answers it; without one, this asks nothing. The operator's fee is that of all the gas. */
export async function readSurcharge(
  node: Node,
  l1Fee: bigint | undefined,
  gas: bigint,
): Promise<Surcharge | undefined> {
  if (l1Fee === undefined) return undefined;
  // Networks before the upgrade Isthmus have none.
  const operatorFee = (await ask(node, `${GET_OPERATOR_FEE}${word(gas)}`)) ?? 0n;
  return { expected: l1Fee + operatorFee, maximum: (l1Fee * 5n + 3n) / 4n + operatorFee };
}

function ask(node: Node, call: string): Promise<bigint | undefined> {
  return tolerant(
    rpcOf(node).call('eth_call', { to: GAS_PRICE_ORACLE, data: `0x${call}` }, 'latest'),
    quantity,
  );
}

function word(value: bigint): string {
  return value.toString(16).padStart(64, '0');
}
