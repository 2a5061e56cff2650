import type { Token } from '../network.ts';

/** The token as the operator lists it, by case-insensitive address. */
export function listedToken(tokens: readonly Token[], address: string): Token | undefined {
  const lower = address.toLowerCase();
  return tokens.find((token) => token.address.toLowerCase() === lower);
}
