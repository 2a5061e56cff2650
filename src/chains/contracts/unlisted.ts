/** Tokens that the operator does not list. */
import type { Warning } from '../approval/summary.ts';
import { caution } from '../approval/warnings.ts';
import type { TokenFacts } from './token-facts.ts';

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
