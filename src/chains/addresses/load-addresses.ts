/** Only a chain's addresses: no signer, schema or node client. */
import type { SecretType } from '../secret-type.ts';

/** What `address.ts` of a chain's folder exports. */
export interface ChainAddresses {
  /**
   * The address in the one form that the chain shows. It may be of any network of the chain: a page does not know which one the wallet
   * uses. Throws an error whose message follows the field's name: `is required`, `is a Tron address, not a Bitcoin one`.
   */
  readAddress(value: unknown): string;
}

export function loadAddresses(secretType: SecretType): Promise<ChainAddresses> {
  return import(`../${secretType.toLowerCase()}/address.ts`) as Promise<ChainAddresses>;
}
