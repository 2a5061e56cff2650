/** What is known about a token in a call, and how far its own name is trusted. */
import { bytesOf } from '../../base/bytes.ts';
import { CARDS } from '../secret-type.ts';

/** What an account has of a token. */
export interface Holding {
  /** Where the contract gives one. */
  balance?: bigint | undefined;
  /** Current allowances, by lower-case address of the spender. Only read if a call changes them. */
  allowances?: Record<string, bigint> | undefined;
}

/** With the wallet's holding. */
export interface TokenFacts extends Holding {
  address: string;
  symbol: string;
  /** The symbol that the token's own imitates. */
  imitates?: string | undefined;
  /** Null unless the operator lists the token. */
  decimals: number | null;
  /** As in `Amount`. */
  claimedDecimals?: number | undefined;
  /** It is a collection of items (ERC-721), not an amount. */
  item?: boolean | undefined;
  /** Those without code, in lower case, of the spenders whom a call lets take it. */
  persons?: readonly string[] | undefined;
  /** By lower-case address, holdings of others whose tokens a call lets be taken. */
  owners?: Record<string, Holding> | undefined;
  /** Its total supply, as its contract reports it. Only read if a call sets a limit. */
  supply?: bigint | undefined;
}

/** A contract's answer to `symbol()` or `name()`: text by the ABI, or bytes32 as early tokens have it. Empty for anything else. */
export async function readLabel(returned: string | undefined): Promise<string> {
  try {
    if (returned?.length === 66)
      return cleanLabel(new TextDecoder().decode(bytesOf(returned.replace(/(00)+$/, ''))));
    const { decode } = await import('./abi.ts');
    return cleanLabel(decode(['string'], returned ?? '0x')[0]);
  } catch {
    return '';
  }
}

/** Cut to a label's length: a token's name may contain anything. */
export function cleanLabel(name: unknown): string {
  return typeof name === 'string' ? name.replace(/[\p{C}\p{Z}\p{DI}\uFFFD\u2800]/gu, '').slice(0, 24) : '';
}

/** The chains' coins: a token is never shown under their symbols or names. */
const COINS = Object.values(CARDS).flatMap(({ coin, gasCoin = coin }) => [coin.symbol, gasCoin.symbol]);
/** Some are not called as their chain. */
const COIN_NAMES = [...Object.values(CARDS).map(({ name }) => name), 'Ether', 'VeThor'];

export interface Label {
  /** The token's own symbol, or its address where that could mislead. */
  symbol: string;
  /** Symbol of a coin, or of a token on the operator's list, that it could be taken for. */
  imitates?: string | undefined;
}

/**
 * The label of an unlisted token: its own symbol, unless that could be taken for a digit of the amount, a web
 * address, a coin or one of `trusted`, by symbol or name, however written or decorated. Letters of other scripts look like Latin
 * ones.
 */
export function unlistedLabel(
  own = '',
  address: string,
  trusted: readonly { symbol: string; name?: string }[],
): Label {
  const imitates =
    trusted.find(({ symbol, name = '' }) => imitated(own, symbol) || isAlike(own, name))?.symbol ??
    COINS.find((symbol) => imitated(own, symbol) || isTransposed(own, symbol)) ??
    COIN_NAMES.find((name) => wordsOf(own).some((word) => isAlike(word, name)));
  if (imitates !== undefined) return { symbol: shortName(address), imitates };
  const isClear = /^[A-Za-z$][\w$+./-]{0,14}$/.test(own) && !/\.[a-z]{2}/i.test(own);
  return { symbol: isClear ? own : shortName(address) };
}

/** A shortened address, or the id of a token without a contract. */
export function shortName(address: string): string {
  return address.length > 20 ? `${address.slice(0, 6)}…${address.slice(-4)}` : `#${address}`;
}

/** `USDC`, `usdс` and `USDCC`, but also `USDC.e`, `USDC2`, `(USDC)` and, of symbols that are not short, `aUSDC` and `UDSC`. */
function imitated(label: string, symbol: string): boolean {
  const [wanted = ''] = outlines(symbol);
  const isLong = wanted.length > 3;
  return (
    wordsOf(label).some((word) => isAlike(word, symbol) || (isLong && isTransposed(word, symbol))) ||
    (isLong && outlines(label)[0]!.includes(wanted))
  );
}

/** The whole label and its parts, these also without the digits at their ends. */
function wordsOf(label: string): string[] {
  const parts = latin(label).split(/[^\p{L}\p{N}$|!]+/u);
  return [label, ...parts.flatMap((part) => [part, part.replace(/^\d+|\d+$/g, '')])];
}

/** Whether people could take one for the other. */
export function isAlike(label: string, other: string): boolean {
  const wanted = outlines(other);
  return wanted[0] !== '' && outlines(label).some((outline) => wanted.includes(outline));
}

/** Two neighbouring letters have changed places. */
function isTransposed(label: string, other: string): boolean {
  const [a, b] = [outlines(label)[0]!, outlines(other)[0]!];
  const at = [...a].findIndex((letter, i) => letter !== b[i]);
  return at >= 0 && a.slice(0, at) + a.charAt(at + 1) + a.charAt(at) + a.slice(at + 2) === b;
}

/** Labels that are hard to tell apart have one in common: as it is written, and with each letter that is repeated once. */
function outlines(label: string): string[] {
  const text = latin(label);
  return [text, text.replace(/(.)\1+/gu, '$1')].map((one) =>
    one
      .replace(/[01345789|!l$]/g, (character) => TWINS[character]!)
      .replace(/[^\p{L}\p{N}]/gu, '')
      .replace(/rn/g, 'm')
      .replace(/vv/g, 'w'),
  );
}

/** Lower-case letters without accents; of other scripts, the Latin ones that they are drawn like. */
function latin(label: string): string {
  return label
    .normalize('NFKD')
    .replace(/[ΗΝΥ]/g, (capital) => CAPITALS[capital]!)
    .toLowerCase()
    .replace(/[\p{M}\p{C}\p{DI}]/gu, '')
    .replace(/[^ -~]/gu, (character) => LATIN.get(character) ?? character);
}

const TWINS: Readonly<Record<string, string>> = {
  0: 'o',
  1: 'i',
  3: 'e',
  4: 'a',
  5: 's',
  7: 't',
  8: 'b',
  9: 'g',
  '|': 'i',
  '!': 'i',
  l: 'i',
  $: 's',
};

/** Greek capitals that are drawn like other Latin letters than their lower case. */
const CAPITALS: Readonly<Record<string, string>> = { Η: 'h', Ν: 'n', Υ: 'y' };

/** From https://www.unicode.org/Public/security/latest/confusables.txt: Cyrillic, Greek and Armenian letters, in lower case. */
const LATIN = new Map(
  'аa вb сc ԁd еe ѕs іi јj кk мm нh оo рp гr тt υu ѵv ѡw хx уy ԝw ԛq һh ьb αa βb εe ζz ηn ιi κk μm νv οo ρp τt χx γy ϲc տs օo ոn սu ցg ıi ɡg ʋv ᴜu ᴏo ᴄc ₮t'
    .split(' ')
    .map((pair): [string, string] => [pair.charAt(0), pair.charAt(1)]),
);
