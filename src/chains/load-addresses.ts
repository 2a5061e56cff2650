/** Addresses of a chain alone: neither a signer, a schema nor a node client comes along. */
import type { NetworkKind } from './network.ts';
import type { SecretType } from './secret-type.ts';

/** What `address.ts` of a chain's folder exports. */
export interface ChainAddresses {
  /**
   * The address in the one form that the chain shows. It may be of any network of the chain: a page does not know which one the wallet
   * uses. Throws an error whose message follows the field's name: `is required`, `is a Tron address, not a Bitcoin one`.
   */
  readAddress(value: unknown): string;
  /**
   * The address of an ENS record (ENSIP-9, https://docs.ens.domains/ensip/9), given as hex digits without 0x; undefined for bytes that are
   * none. Absent where they are the address itself.
   */
  ofRecord?(record: string, kind: NetworkKind): string | undefined;
}

export function loadAddresses(secretType: SecretType): Promise<ChainAddresses> {
  return import(`./${secretType.toLowerCase()}/address.ts`) as Promise<ChainAddresses>;
}
