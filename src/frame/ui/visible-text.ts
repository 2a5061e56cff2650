/** Text of others, with nothing in it that hides or reorders words. */
import { css, html } from 'lit';

/**
 * Control characters and everything that changes the direction of text or is not seen (Unicode's `Cc` and `Cf`, line and paragraph
 * separators, fillers): in a message they hide or reorder words.
 */
const UNSEEN = /([\p{Cc}\p{Cf}\u2028\u2029\u115f\u1160\u3164\uffa0])/u;

export const visibleTextStyles = css`
  .message { padding: 12px; font-size: 14px; line-height: 1.5; white-space: pre-wrap; overflow-wrap: anywhere; }
  .unseen { display: inline-block; padding-inline: 3px; border: 1px solid var(--_caution-line); border-radius: 4px; background: var(--_caution-soft); color: var(--_caution); font: 600 11px/1.4 var(--_mono); direction: ltr; unicode-bidi: isolate; }
`;

/** Line breaks stay; what cannot be seen becomes a box with its name. */
export function visibleText(text: string): unknown[] {
  return text
    .replaceAll('\r\n', '\n')
    .split(UNSEEN)
    .map((part, i) => {
      if (i % 2 === 0 || part === '\n') return part;
      return html`<span class="unseen" role="img" aria-label=${codePoint(part)}>${symbol(part)}</span>`;
    });
}

function codePoint(character: string): string {
  return `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Unicode's own pictures for C0 controls; the code point for the rest. */
function symbol(character: string): string {
  const point = character.codePointAt(0)!;
  return point < 0x20 ? String.fromCodePoint(0x2400 + point) : codePoint(character);
}
