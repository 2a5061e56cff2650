import { readHexAddress } from '../contracts/evm-address.ts';
import type { ChainAddresses } from '../modules.ts';
import type { EvmProfile } from './profile.ts';

/** Addresses in checksum form. */
export const withProfile = ({ secretType }: EvmProfile): ChainAddresses => ({
  readAddress: (value) => readHexAddress(value, secretType),
});
