/** What is known about a token that a call is about, and what may be believed of what it calls itself. */
import { decode } from './evm/abi.ts';
import { bytesOf } from './hex.ts';

export interface TokenFacts {
  address: string;
  symbol: string;
  /** Null unless the operator lists the token. */
  decimals: number | null;
  /** The wallet's balance, where the contract tells one. */
  balance?: bigint | undefined;
}

/** A contract's answer to `symbol()` or `name()`: text by the ABI, or bytes32 as early tokens have it. Empty for anything else. */
export function readLabel(returned: string | undefined): string {
  if (returned?.length === 66)
    return cleanLabel(new TextDecoder().decode(bytesOf(returned.replace(/(00)+$/, ''))));
  try {
    return cleanLabel(decode(['string'], returned ?? '0x')[0]);
  } catch {
    return '';
  }
}

/** Cut to what a label may be: a token's name may carry anything. */
export function cleanLabel(name: unknown): string {
  return typeof name === 'string' ? name.replace(/[\p{C}\p{Z}\uFFFD]/gu, '').slice(0, 24) : '';
}

/**
 * The symbol of a token that nobody lists: its own where it cannot be taken for a digit of the amount, nor for one of `trusted`. Letters
 * of other scripts look like Latin ones.
 */
export function unlistedSymbol(
  own: string | undefined,
  address: string,
  trusted: readonly { symbol: string }[],
): string {
  const isClear = own !== undefined && /^[A-Za-z$][\x21-\x7e]*$/.test(own);
  return isClear && !trusted.some(({ symbol }) => outline(symbol) === outline(own))
    ? own
    : shortName(address);
}

/** An address, or the id of a token that has no contract, where there is room for a few characters. */
export function shortName(address: string): string {
  return address.length > 20 ? `${address.slice(0, 6)}…${address.slice(-4)}` : `#${address}`;
}

/** Equal for labels that are hard to tell apart. */
function outline(label: string): string {
  return label.toLowerCase().replaceAll('0', 'o').replace(/[1l|]/g, 'i');
}
