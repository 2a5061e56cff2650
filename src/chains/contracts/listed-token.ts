import type { Network, Token } from '../network.ts';

/** The token as the operator lists it, by case-insensitive address. */
export function listedToken(tokens: readonly Token[], address: string): Token | undefined {
  const lower = address.toLowerCase();
  return tokens.find((token) => token.address.toLowerCase() === lower);
}

/** Whether it is a contract of an exchange that the operator lists: by an address in its entry, other than of a token. */
export function isExchange({ exchanges = [] }: Pick<Network, 'exchanges'>, address: string): boolean {
  const lower = address.toLowerCase();
  return exchanges.some((entry) => {
    const { wrapped: _, ...contracts } = (entry ?? {}) as Record<string, unknown>;
    return Object.values(contracts).some(
      (value) => typeof value === 'string' && value.toLowerCase() === lower,
    );
  });
}
