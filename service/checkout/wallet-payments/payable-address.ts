/** Addresses that money may be sent to. */
import type { ReceivingChain } from '../../../src/api/secret-type.ts';
import { readHexAddress } from '../../../src/chains/contracts/evm-address.ts';
import { listedToken } from '../../../src/chains/contracts/listed-token.ts';
import type { Network } from '../../../src/chains/network.ts';
import type { Issue } from '../../../src/base/errors.ts';

const ZERO_ADDRESS = /^0x0{40}$/;

/** The address in checksum form. */
export function addressAt(
  path: string,
  value: string,
  secretType: ReceivingChain,
  issues: Issue[],
): string | undefined {
  try {
    return readHexAddress(value, secretType);
  } catch (error) {
    issues.push({ path, message: (error as Error).message });
    return undefined;
  }
}

/** What is sent to the zero address, or to a token's own contract, is lost. */
export function checkPayable(
  path: string,
  address: string,
  network: Network | undefined,
  issues: Issue[],
): void {
  if (ZERO_ADDRESS.test(address)) issues.push({ path, message: 'must not be the zero address' });
  if (network && listedToken(network.tokens, address))
    issues.push({ path, message: 'is the contract of a token: what is sent there is lost' });
}
