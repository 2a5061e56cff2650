import type { Warning } from '../approval/summary.ts';
import { caution } from '../approval/warnings.ts';
import type { Token } from '../network.ts';
import type { TokenFacts } from './token-facts.ts';

/** The token as the operator lists it, by case-insensitive address. */
export function listedToken(tokens: readonly Token[], address: string): Token | undefined {
  const lower = address.toLowerCase();
  return tokens.find((token) => token.address.toLowerCase() === lower);
}

// Tokens that the operator does not list.

/** Where facts about an unlisted token come from. */
export interface Source {
  host: string;
  scaledBy?: { decimals: number; text: string } | undefined;
}

/** For a token without trusted decimals. `scaledBy`: those that its contract reports, if the site gave a decimal value. */
export function unlistedWarning(
  { address, symbol, imitates }: TokenFacts,
  { host, scaledBy }: Source,
): Warning {
  return caution('unlisted-token', {
    token: address,
    symbol,
    ...(imitates && { imitates }),
    ...(scaledBy && { value: scaledBy.text, decimals: String(scaledBy.decimals), host }),
  });
}
