/**
 * Contracts know addresses of 20 bytes, and so does the code of exchanges: `0x` and 40 hex digits, in any case. Networks, wallets, requests and
 * answers have them as their chain writes them: `T…` on Tron.
 */
import { CARDS, type SecretType } from '../chains/secret-type.ts';

export interface AddressForm {
  /** `0x…`, of an address as the chain writes it. */
  inContracts(address: string): string;
  /** As the chain writes it, of `0x…`. */
  written(hex: string): string;
  /** The address as the chain writes it. Throws an error whose message follows the field's name. */
  read(value: unknown): string;
}

export async function addressFormOf(secretType: SecretType): Promise<AddressForm> {
  if (CARDS[secretType].contracts === 'tron') {
    const { fromEvm, readAddress, toEvm } = await import('../chains/tron/address.ts');
    return { inContracts: toEvm, written: fromEvm, read: readAddress };
  }
  const { readHexAddress } = await import('../chains/contracts/evm-address.ts');
  return {
    inContracts: (address) => address,
    written: (hex) => hex,
    read: (value) => readHexAddress(value, secretType),
  };
}
