/**
 * Text of strangers on one line: what a contract, a node or a site wrote, where nothing it says may be taken for the wallet's own word or
 * lead anywhere. Signed text is another matter: of it nothing may be left out (`ui/visible-text.ts`).
 */

/**
 * What cannot be seen, or changes the direction of what can: Unicode's Default_Ignorable_Code_Point (zero-width characters, tags,
 * variation selectors, fillers) with controls, formats, unassigned and private characters, line separators, and the empty braille cell.
 */
export const INVISIBLE = '\\p{C}\\p{DI}\\u2028\\u2029\\u2800';

/** Marks on one letter. Scripts that are written use at most three; more climb into the lines around. */
export const MAX_MARKS = 3;

/** Stands where something could not be seen. */
const BOX = '□';
/** Stands where an address of the web was. */
const CUT = '[…]';

const BLANKS = /[\t\n\v\f\r\p{Z}]+/gu;
const UNSEEN = new RegExp(`[${INVISIBLE}]+`, 'gu');
/** Every pair of quotation marks that some language opens or closes with, and what is drawn like them. */
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
    // One form of letters that are drawn alike: full-width ones, ligatures, dots.
    .slice(0, limit * 8)
    .normalize('NFKC')
    .replace(BLANKS, ' ')
    .replace(UNSEEN, BOX)
    .replace(QUOTES, "'")
    .replace(MANY_MARKS, '$1')
    .trim()
    // A mark in front would change the character before the text.
    .replace(/^(?=\p{M})/u, BOX)
    .split(' ')
    .map((word) => (LINKS.some((link) => link.test(word)) ? CUT : word))
    .join(' ');
  const characters = [...shown];
  return characters.length > limit ? `${characters.slice(0, limit).join('')}…` : shown;
}
