/**
 * Third-party text on one line: what a contract, a node or a site wrote, made unable to pass for the wallet's own words or to link anywhere.
 * Text to be signed is different: nothing in it may be left out (`ui/text.ts`).
 */

/**
 * Characters that are invisible, or change the direction of others: Unicode's Default_Ignorable_Code_Point (zero-width characters, tags,
 * variation selectors, fillers) with controls, formats, unassigned and private characters, line separators, and the empty braille cell.
 */
export const INVISIBLE = '\\p{C}\\p{DI}\\u2028\\u2029\\u2800';

/** Combining marks on one letter. Real scripts use at most three; more would overlap the lines around. */
export const MAX_MARKS = 3;

/** Replaces invisible characters. */
const BOX = '□';
/** Replaces a web address. */
const CUT = '[…]';

const BLANKS = /[\t\n\v\f\r\p{Z}]+/gu;
const UNSEEN = new RegExp(`[${INVISIBLE}]+`, 'gu');
/** The opening and closing quotation marks of all languages, and what looks like them. */
const QUOTES = /[\p{Pi}\p{Pf}"‚„‟⹂〝〞〟＂`´ʺ˝ˮ″‶〃“”❛-❠🙶-🙸]/gu;
const MANY_MARKS = new RegExp(`(\\p{M}{${MAX_MARKS}})\\p{M}+`, 'gu');

/** A scheme, a name with dots that ends in letters, or four numbers: whatever can be typed into a browser. */
const LINKS = [
  /:\/\//,
  /(?:^|[^\p{L}])(?:mailto|javascript|data|blob|tel|sms|ipfs|ipns|magnet|wc|intent):\S/iu,
  /xn--|www[.。｡ꓸ]/i,
  /[\p{L}\p{N}\p{M}□-][.。｡ꓸ]□?\p{L}[\p{L}\p{M}\p{N}□-]/u,
  /\d[.。｡ꓸ]\d+[.。｡ꓸ]\d+[.。｡ꓸ]\d/u,
];

/** At most `limit` characters. */
export function inertText(text: string, limit = 160): string {
  const shown = text
    // Unifies characters that look alike: full-width letters, ligatures, dots.
    .slice(0, limit * 8)
    .normalize('NFKC')
    .replace(BLANKS, ' ')
    .replace(UNSEEN, BOX)
    .replace(QUOTES, "'")
    .replace(MANY_MARKS, '$1')
    .trim()
    // A combining mark at the start would change the character before the text.
    .replace(/^(?=\p{M})/u, BOX)
    .split(' ')
    .map((word) => (LINKS.some((link) => link.test(word)) ? CUT : word))
    .join(' ');
  const characters = [...shown];
  return characters.length > limit ? `${characters.slice(0, limit).join('')}…` : shown;
}
