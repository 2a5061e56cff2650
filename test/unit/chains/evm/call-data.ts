import { Interface } from 'ethers/abi';
import type { AbiValue } from '../../../../src/chains/contracts/abi.ts';

/** The bytes of a call, such as `transfer(address,uint256)`. */
export function callData(signature: string, ...values: AbiValue[]): string {
  return new Interface([`function ${signature}`]).encodeFunctionData(signature, values);
}
