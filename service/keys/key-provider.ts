/** Holds the master key, without which the secrets in the database cannot be opened. */

export interface KeyProvider {
  /** The version that new secrets are wrapped with. Versions count up from 1. */
  current(): Promise<number>;
  /** HMAC-SHA-256 of the label under that version of the master key, 32 bytes. Throws `UnknownKeyVersion`. */
  mac(label: string, version: number): Promise<Uint8Array>;
}

export class UnknownKeyVersion extends Error {
  override name = 'UnknownKeyVersion';
  constructor(readonly version: number) {
    super(`The master key has no version ${version}, which a secret in the database was wrapped with.`);
  }
}
