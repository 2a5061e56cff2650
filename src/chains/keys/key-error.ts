import { RequestInvalidError } from '../../base/errors.ts';
import type { SecretType } from '../secret-type.ts';

export type KeyTrouble =
  | 'form'
  | 'length'
  | 'range'
  /** A character is mistyped or missing. */
  | 'checksum'
  /** A WIF key whose coins are on the address of its uncompressed public key. */
  | 'uncompressed'
  /** Of the live network if the wallet is on a test network, or vice versa. */
  | 'live-network'
  | 'test-network'
  /** Of another chain. */
  | 'chain'
  /** BIP-38. */
  | 'encrypted'
  /** BIP-32. */
  | 'extended'
  | 'address'
  /** Its second half is not the public key of the first. */
  | 'public-half';

/** A private key that is refused. `trouble` is for the texts that users see; the issue at `key` is for developers. */
export class KeyInvalidError extends RequestInvalidError {
  override name = 'KeyInvalidError';
  constructor(
    readonly trouble: KeyTrouble,
    message: string,
    /** Whose key it is instead, where that is known. */
    readonly chain?: SecretType,
  ) {
    super([{ path: 'key', message }]);
  }
}
