/** Addresses that money may be sent to. */
import type { ReceivingChain } from '../../../src/api/secret-type.ts';
import { readAddress as readAeternityAddress } from '../../../src/chains/aeternity/address.ts';
import { readHexAddress } from '../../../src/chains/contracts/evm-address.ts';
import { listedToken } from '../../../src/chains/contracts/listed-token.ts';
import { BITCOIN } from '../../../src/chains/bitcoin/profile.ts';
import { LITECOIN } from '../../../src/chains/litecoin/profile.ts';
import type { Network } from '../../../src/chains/network.ts';
import type { SecretType } from '../../../src/chains/secret-type.ts';
import { readAddress as readTronAddress } from '../../../src/chains/tron/address.ts';
import { isAddress, readDestination } from '../../../src/chains/utxo/address.ts';
import type { UtxoProfile } from '../../../src/chains/utxo/profile.ts';
import type { Issue } from '../../../src/base/errors.ts';

/** Nobody has the keys: of zeros alone, on each chain. */
const ZERO_ADDRESSES: ReadonlySet<string> = new Set([
  `0x${'0'.repeat(40)}`,
  'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb',
  'ak_11111111111111111111111111111111273Yts',
]);

/** Of chains whose addresses say which kind of network they are for. */
const UTXO_PROFILES: { readonly [S in SecretType]?: UtxoProfile } = { BITCOIN, LITECOIN };

function readAddress(value: string, secretType: ReceivingChain): string {
  if (secretType === 'TRON') return readTronAddress(value);
  if (secretType === 'AETERNITY') return readAeternityAddress(value);
  const profile = UTXO_PROFILES[secretType];
  if (profile) return readDestination(profile, value).address;
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

/** What is sent to the zero address, or to a token's own contract, is lost; to an address of another network, nothing can be sent. */
export function checkPayable(
  path: string,
  address: string,
  network: Network | undefined,
  issues: Issue[],
): void {
  if (ZERO_ADDRESSES.has(address)) issues.push({ path, message: 'must not be the zero address' });
  if (network && listedToken(network.tokens, address))
    issues.push({ path, message: 'is the contract of a token: what is sent there is lost' });
  const profile = network && UTXO_PROFILES[network.secretType];
  if (profile && !isAddress(profile, address, network.kind))
    issues.push({ path, message: `is an address of another network than ${network.name}` });
}
