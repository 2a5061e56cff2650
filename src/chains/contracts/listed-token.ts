import type { Warning } from '../approval/summary.ts';
import type { Amount } from '../coin.ts';
import { caution } from '../approval/warnings.ts';
import type { Network, Token } from '../network.ts';
import { shortName, type TokenFacts } from './token-facts.ts';

/** The token as the operator lists it. */
export function listedToken(tokens: readonly Token[], address: string): Token | undefined {
  const key = addressKey(address);
  return tokens.find((token) => addressKey(token.address) === key);
}

/** Equal for two forms of one address: hex may come in either case, while addresses of other forms differ by it. */
export function addressKey(address: string): string {
  return /^0x/i.test(address) ? address.toLowerCase() : address;
}

/**
 * An amount of a token, written with the decimals of listed tokens only: a contract's claim could hide or add digits. `items`: `raw`
 * counts items of a collection.
 */
export function tokenAmount(
  raw: bigint,
  address: string,
  { tokens }: Pick<Network, 'tokens'>,
  facts?: Pick<TokenFacts, 'symbol' | 'claimedDecimals'>,
  items = false,
): Amount {
  const listed = listedToken(tokens, address);
  if (listed) return { raw, decimals: listed.decimals, symbol: listed.symbol, token: address };
  const symbol = facts?.symbol ?? shortName(address);
  if (items) return { raw, decimals: 0, symbol, token: address };
  const claimedDecimals = facts?.claimedDecimals;
  return {
    raw,
    decimals: null,
    symbol,
    ...(claimedDecimals !== undefined && { claimedDecimals }),
    token: address,
  };
}

/** More is what no token has: 10^36 has more digits than anybody reads. */
const MOST_DECIMALS = 36;

/** What a token that is not listed may say of its own decimals. */
export function claimOf(decimals: bigint | number | undefined): Pick<TokenFacts, 'claimedDecimals'> {
  return decimals !== undefined && decimals >= 0 && decimals <= MOST_DECIMALS
    ? { claimedDecimals: Number(decimals) }
    : {};
}

/** For a token without trusted decimals. */
export function unlistedWarning({ address, symbol, imitates, claimedDecimals }: TokenFacts): Warning {
  return caution('unlisted-token', {
    token: address,
    symbol,
    ...(imitates && { imitates }),
    ...(claimedDecimals !== undefined && { decimals: String(claimedDecimals) }),
  });
}
