/**
 * Third-party text, with characters that hide or reorder words made visible. `visibleText` shows text to be signed in full;
 * `strangersWords` shortens what a contract, node or site says, and sets it apart in a block.
 */
import { css, html, type TemplateResult } from 'lit';
import { msg, spoken, str } from '../base/localize.ts';
import { inertText, INVISIBLE, MAX_MARKS } from '../base/text.ts';

/** Invisible characters, and combining marks beyond `MAX_MARKS` on one letter. */
const UNSEEN = new RegExp(`([${INVISIBLE}]|(?<=\\p{M}{${MAX_MARKS}})\\p{M})`, 'u');

export const visibleTextStyles = css`
  .message { padding: 12px; font-size: 14px; line-height: 1.5; white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: isolate; }
  .unseen { display: inline-block; padding-inline: 3px; border: 1px solid var(--_caution-line); border-radius: 4px; background: var(--_caution-soft); color: var(--_caution); font-family: var(--_mono); font-size: 11px; font-weight: 600; line-height: 1.4; direction: ltr; unicode-bidi: isolate; }
`;

/** Tinted and monospaced, unlike anything of the wallet's own. */
export const strangersStyles = css`
  .strangers { margin: 8px 0 0; padding: 6px 8px; border: 1px dashed var(--_border-strong); border-radius: var(--_r-xs); background: var(--_surface-3); color: var(--_text-2); }
  .strangers figcaption { font-size: var(--_fs-xs); line-height: 1.4; color: var(--_text-3); }
  .strangers blockquote { margin: 0; font-family: var(--_mono); font-size: 12px; line-height: 1.5; overflow-wrap: anywhere; unicode-bidi: isolate; max-block-size: 96px; overflow: hidden; }
`;

/** Keeps line breaks; each invisible character becomes a box with its name. Omits nothing. */
export function visibleText(text: string): unknown[] {
  return text
    .replaceAll('\r\n', '\n')
    .split(UNSEEN)
    .map((part, i) => {
      if (i % 2 === 0 || part === '\n') return part;
      return html`<span class="unseen" role="img" aria-label=${codePoint(part)}>${symbol(part)}</span>`;
    });
}

/** At most `limit` characters of third-party text, under its source: "Answer of the network". Needs `strangersStyles`. */
export function strangersWords(who: string, words: string, limit = 160): TemplateResult {
  return html`<figure class="strangers">
    <figcaption>${who}</figcaption>
    <blockquote dir="auto">${msg(str`“${inertText(words, limit)}”`)}</blockquote>
  </figure>`;
}

function codePoint(character: string): string {
  return `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Unicode's control pictures for C0 controls; the code point for the rest. */
function symbol(character: string): string {
  const point = character.codePointAt(0)!;
  return point < 0x20 ? String.fromCodePoint(0x2400 + point) : codePoint(character);
}

/**
 * Isolates the direction of an amount or name within a plain-text sentence (UAX 9, FSI and PDI): in right-to-left text, `5 ETH` would
 * otherwise read `ETH 5`. In markup, use `<bdi>`.
 */
export const isolated = (text: string): string => `\u2068${text}\u2069`;

/** Forces left to right, for text that `Intl` starts with a right-to-left mark: money amounts are always left to right here. */
export const leftToRight = (text: string): string => `\u2066${text}\u2069`;

/**
 * A list within a sentence, in the language of the texts: `VET, VTHO`, `VET und VTHO`, `VET、VTHO`. In right-to-left languages the items
 * are isolated, so that the list as a whole runs right to left.
 */
export function listOf(items: readonly string[]): string {
  const { lang, dir } = spoken ?? { lang: 'en', dir: 'ltr' };
  const parts = dir === 'rtl' ? items.map((item) => `\u2068${item}\u2069`) : items;
  return new Intl.ListFormat(lang, { style: 'narrow' }).format(parts);
}
