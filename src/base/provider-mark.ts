/**
 * Marks a provider of any version of Carabiner: "Connect a wallet" offers our wallet anyway, so it leaves those out. The value is the `rdns`
 * by which the wallet is announced, for our connector. Not in the announcement, where consumers refuse extra fields.
 */
export const PROVIDER_MARK: unique symbol = Symbol.for('carabiner.provider');
