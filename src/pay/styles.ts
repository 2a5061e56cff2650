/**
 * The page has no shadow roots: browsers and password managers autofill cards only in fields they can see. So its styles belong to the
 * document, as adopted style sheets, because the page's CSP allows no style tag.
 */
import { type CSSResult, css } from 'lit';
import { alertStyles } from '../ui/alert.ts';
import { baseStyles, moreStyles, spinStyles } from '../ui/styles.ts';
import { statusStyles } from '../ui/status.ts';
import { fieldStyles, segmentStyles } from '../ui/field-styles.ts';
import { moreTokens, tokens } from '../ui/tokens.ts';

const pageStyles = css`
  :root { color-scheme: light dark; background: light-dark(#f5f6f8, #0d1015); }
  body { margin: 0; font: 400 var(--_fs-md)/1.45 var(--_font); font-variant-ligatures: none; color: var(--_text); text-align: start; -webkit-font-smoothing: antialiased; }
  /* Without spaces a line would break within a word. */
  body:lang(ja) { word-break: auto-phrase; }
  pay-checkout { display: block; container-type: inline-size; max-inline-size: 900px; margin-inline: auto; padding: var(--_s5); }
  .checkout { background: var(--_surface); border: 1px solid var(--_border); border-radius: var(--_r-lg); overflow: clip; }
  .checkout-grid { display: grid; grid-template-columns: minmax(0, 5fr) minmax(0, 6fr); }
  .stack.mid { gap: var(--_s3); }
  .co-sum { display: flex; flex-direction: column; gap: var(--_s5); padding: var(--_s8); background: var(--pay-side, var(--_surface-2)); color: var(--pay-on-side, var(--_text)); border-inline-end: 1px solid light-dark(transparent, var(--_border)); }
  .co-sum .soft { opacity: var(--pay-soft, .82); }
  .co-sum hr { inline-size: 100%; margin: 0; border: 0; border-block-start: 1px solid color-mix(in srgb, currentColor 18%, transparent); }
  .co-sum .end { margin-block-start: auto; }
  .co-more { position: sticky; inset-block-end: var(--_s4); align-items: center; margin-block-start: var(--_s4); }
  :root:has(.co-more) { scroll-padding-block-end: 96px; }
  .co-who { overflow-wrap: anywhere; min-inline-size: 0; }
  .co-icon { inline-size: 40px; block-size: 40px; border-radius: 10px; flex: none; display: grid; place-items: center; object-fit: cover; background: var(--pay-mark, var(--_accent)); color: var(--pay-on-mark, var(--_on-accent)); font-weight: 700; }
  img.co-icon { background: none; }
  .co-icon.small { inline-size: 32px; block-size: 32px; border-radius: 8px; }
  .co-item { display: flex; gap: var(--_s3); align-items: flex-start; justify-content: space-between; font-size: var(--_fs-sm); }
  .co-item > :first-child { overflow-wrap: anywhere; min-inline-size: 0; }
  .co-item > .num { flex: none; max-inline-size: 60%; white-space: normal; overflow-wrap: anywhere; text-align: end; }
  .co-item > span > * { display: block; inline-size: fit-content; }
  .amount { inline-size: fit-content; max-inline-size: 100%; direction: ltr; unicode-bidi: isolate; font-size: var(--_fs-3xl); font-weight: 640; letter-spacing: -.028em; line-height: 1.1; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
  .co-pay { padding: var(--_s8); }
  .co-pay, .co-way { display: flex; flex-direction: column; gap: var(--_s4); min-inline-size: 0; }
  .seg label:has(:disabled), .seg :disabled { cursor: not-allowed; }
  .join { display: grid; }
  .join :is(.input, .control) { box-shadow: none; position: relative; }
  .join :is(:focus-within, :focus-visible) { z-index: 1; }
  .join [aria-invalid="true"], .join .invalid { z-index: 1; }
  .join .control { border-end-start-radius: 0; border-end-end-radius: 0; }
  .join .halves { display: grid; grid-template-columns: 1fr 1fr; margin-block-start: -1px; }
  .join .halves .input { border-start-start-radius: 0; border-start-end-radius: 0; }
  .join .halves .input:first-child { border-end-end-radius: 0; }
  .join .halves .input:last-child { border-end-start-radius: 0; margin-inline-start: -1px; inline-size: calc(100% + 1px); }
  .control > .i { color: var(--_text-3); }
  :is(.input, .control input)::placeholder { color: var(--_text-3); opacity: 1; }
  .btn.primary { border-color: var(--pay-edge, transparent); }
  .btn[aria-disabled="true"] { cursor: progress; transform: none; }
  .btn.back { align-self: center; text-align: center; overflow-wrap: anywhere; }
  .btn > span { min-inline-size: 0; overflow-wrap: anywhere; }
  .fine { display: flex; gap: 6px; align-items: center; justify-content: center; }
  .test { margin-block-end: var(--_s4); }
  .test summary { display: inline-flex; align-items: center; gap: var(--_s1); min-block-size: var(--_hit); cursor: pointer; font-weight: 560; border-radius: var(--_r-xs); }
  .test summary::-webkit-details-marker { display: none; }
  .test [open] > summary .i { transform: rotate(180deg); }
  .test :has(> summary) { margin-block-end: calc(-1 * var(--_s2)); }
  .test ul { display: grid; gap: 0; max-block-size: 260px; overflow: auto; }
  .test li { display: flex; flex-wrap: wrap; gap: 0 var(--_s3); align-items: center; border-block-start: 1px solid var(--_caution-line); }
  .test li .btn { direction: ltr; min-block-size: var(--_hit); padding-inline: var(--_s2); margin-inline-start: calc(-1 * var(--_s2)); font-size: var(--_fs-sm); font-variant-numeric: tabular-nums; color: var(--_text); text-decoration: underline; text-underline-offset: 3px; }
  .test li .btn:hover { background: none; text-decoration-thickness: 2px; }
  .co-end { display: grid; place-items: center; padding: var(--_s8) var(--_s4); }
  .co-end > div { inline-size: min(100%, 400px); display: grid; gap: var(--_s4); justify-items: center; text-align: center; }
  .co-end .stack { overflow-wrap: anywhere; }
  .co-end .line { max-inline-size: 100%; }
  .co-end .badge-round { margin-block-start: var(--_s3); }
  .kv { inline-size: 100%; }
  .kv > div { display: flex; justify-content: space-between; gap: var(--_s3); padding: 7px 0; font-size: var(--_fs-sm); line-height: 1.35; }
  .kv > div + div { border-block-start: 1px solid var(--_border); }
  .kv dt { color: var(--_text-2); }
  .kv dd { text-align: end; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
  @container (max-width: 640px) {
    .checkout-grid { grid-template-columns: minmax(0, 1fr); }
    .co-sum, .co-pay { padding: var(--_s5) var(--_s4); }
    .co-sum { gap: var(--_s3); border-inline-end: 0; border-block-end: 1px solid light-dark(transparent, var(--_border)); }
  }
  @media (max-width: 680px) {
    pay-checkout { padding: 0; }
    .checkout, .test { border-radius: 0; border-inline: 0; margin: 0; }
  }
  @media (forced-colors: active) { .co-icon { border: 1px solid; } }
`;

/** A component's styles for the document: `:host` becomes `:root`. */
function onRoot({ cssText }: CSSResult): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(cssText.replaceAll(/:host(?:\(([^)]*)\))?/g, ':root$1'));
  return sheet;
}

/** Adds the styles of a part that loads later. */
export function adoptPart(...parts: CSSResult[]): void {
  document.adoptedStyleSheets.push(...parts.map(onRoot));
}

export function adoptStyles(): void {
  const parts = [
    tokens,
    moreTokens,
    baseStyles,
    moreStyles,
    fieldStyles,
    segmentStyles,
    alertStyles,
    statusStyles,
    spinStyles,
    pageStyles,
  ];
  document.adoptedStyleSheets = parts.map(onRoot);
}
