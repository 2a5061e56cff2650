import type { Token } from '../network.ts';

/** The token as the operator lists it, by an address whose case says nothing. */
export function listedToken(tokens: readonly Token[], address: string): Token | undefined {
  const lower = address.toLowerCase();
  return tokens.find((token) => token.address.toLowerCase() === lower);
}
