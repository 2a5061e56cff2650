/** What differs between Ethereum's and GoChain's scenarios. */
import type { SecretType } from '../../../src/chains/secret-type.ts';

/** Nobody's address: the bytes of a hash. */
export const RECIPIENT = '0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063';

export interface EvmNames {
  secretType: SecretType;
  /** Everyday name: `ether`. */
  coin: string;
  tokenStandard: string;
  coinRequest: string;
  tokenRequest: string;
  transactionSignature: string;
  rawSignature: string;
  typedSignature: string;
}

/** A transfer of 0.01 coins in wei, the basis of several scenarios. */
export const small = (coinRequest: string) => ({
  type: coinRequest,
  to: RECIPIENT,
  value: '10000000000000000',
});
