import { readHexAddress } from '../contracts/evm-address.ts';

export { isAddress } from '../contracts/evm-address.ts';

/** The address in checksum form. Throws an error whose message follows the field's name. */
export function readAddress(value: unknown): string {
  return readHexAddress(value, 'VECHAIN');
}
