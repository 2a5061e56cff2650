/**
 * Marks a provider that a Carabiner announced, of whatever version: the page that has it offers the wallet itself, and must not list it
 * among those of others. A symbol, as EIP-6963 consumers refuse further fields of an announcement.
 */
export const OURS: unique symbol = Symbol.for('carabiner.provider');
