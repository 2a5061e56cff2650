/** Addresses that money may be sent to. */
import type { ReceivingChain } from '../../../src/api/secret-type.ts';
import { readAddress as readAeternityAddress } from '../../../src/chains/aeternity/address.ts';
import { readHexAddress } from '../../../src/chains/contracts/evm-address.ts';
import { listedToken } from '../../../src/chains/contracts/listed-token.ts';
import { BITCOIN } from '../../../src/chains/bitcoin/profile.ts';
import { LITECOIN } from '../../../src/chains/litecoin/profile.ts';
import type { Network } from '../../../src/chains/network.ts';
import { readAddress as readTronAddress } from '../../../src/chains/tron/address.ts';
import { readDestination } from '../../../src/chains/utxo/address.ts';
import type { Issue } from '../../../src/base/errors.ts';

/** Nobody has the keys: of zeros alone, on each chain. */
const ZERO_ADDRESSES: ReadonlySet<string> = new Set([
  `0x${'0'.repeat(40)}`,
  'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb',
  'ak_11111111111111111111111111111111273Yts',
]);

function readAddress(value: string, secretType: ReceivingChain): string {
  if (secretType === 'TRON') return readTronAddress(value);
  if (secretType === 'AETERNITY') return readAeternityAddress(value);
  if (secretType === 'BITCOIN') return readDestination(BITCOIN, value).address;
  if (secretType === 'LITECOIN') return readDestination(LITECOIN, value).address;
  return readHexAddress(value, secretType);
}

/** The address in the one form that is stored and compared. */
export function addressAt(
  path: string,
  value: string,
  secretType: ReceivingChain,
  issues: Issue[],
): string | undefined {
  try {
    return readAddress(value, secretType);
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
  if (ZERO_ADDRESSES.has(address)) issues.push({ path, message: 'must not be the zero address' });
  if (network && listedToken(network.tokens, address))
    issues.push({ path, message: 'is the contract of a token: what is sent there is lost' });
}
