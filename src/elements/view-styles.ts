/**
 * What the views share. With `ui/tokens.ts` it replaces the few rules of the bare trigger. No ligatures: some fonts turn the x of `0x` into a
 * multiplication sign.
 */
import { css } from 'lit';

export const viewStyles = css`
  :host { font: 400 var(--_fs-md) / 1.45 var(--_font); font-variant-ligatures: none; text-align: start; -webkit-font-smoothing: antialiased; }
  :host(:lang(ja)) { word-break: auto-phrase; }
  *, *::before, *::after { box-sizing: border-box; }
  :where(h2, h3, p, ul) { margin: 0; padding: 0; list-style: none; }
  .sr { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
  .grow { flex: 1 1 0; min-inline-size: 0; }
  .gap { margin-block-end: var(--_s3); }
  .after { margin-block-start: var(--_s3); }
  .muted { color: var(--_text-2); }
  .sm { font-size: var(--_fs-sm); }
  .strong { font-weight: 600; }
  .lead0 { color: var(--_text-3); font-weight: 500; }
  .num { font-variant-numeric: tabular-nums; white-space: nowrap; }
  /* Cuts off the end of the text, even of a left-to-right name on a right-to-left page. */
  .trunc { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; unicode-bidi: plaintext; text-align: match-parent; text-align: -webkit-match-parent; }
  .title { font-size: var(--_fs-lg); font-weight: 620; letter-spacing: -.01em; line-height: 1.25; }
  .addr { direction: ltr; unicode-bidi: isolate; white-space: nowrap; font-family: var(--_mono); font-size: var(--_fs-sm); }
  .i.s { inline-size: 16px; block-size: 16px; stroke-width: 2; }
  .line > .grow { flex-basis: 120px; }

  .btn { border-color: transparent; border-radius: var(--_r-sm); color: var(--_text); transition: background-color var(--_t-fast), border-color var(--_t-fast), transform var(--_t-fast) var(--_ease); }
  .btn.primary { background: var(--_accent); color: var(--_on-accent); box-shadow: var(--_shadow-1), inset 0 1px 0 rgb(255 255 255 / .14); }
  .btn.primary:hover { background: var(--_accent-hover); }
  .btn.secondary { border-color: var(--_border-strong); background: var(--_surface); }
  .btn:is(.secondary, .ghost, .icon):hover { background: var(--_surface-2); }
  .btn.text { padding-inline: var(--_s2); color: var(--_accent-text); }
  .btn.text:hover { background: var(--_accent-soft); }
  .btn.icon { inline-size: var(--_hit); flex: none; padding: 0; color: var(--_text-2); }
  .btn.icon:hover { color: var(--_text); }
  .btn.icon.done { color: var(--_success); }
  .btn.mini { position: relative; min-block-size: 28px; padding: 0 var(--_s2); border-radius: var(--_r-xs); font-size: var(--_fs-sm); }
  .btn.mini::after { content: ""; position: absolute; inset: -8px -2px; }
  .btn.block { inline-size: 100%; }
  .btn:active { transform: scale(.985); }
  .btn[aria-disabled="true"], .btn[aria-disabled="true"]:hover { border-color: transparent; background: var(--_surface-3); color: var(--_text-2); box-shadow: none; cursor: default; transform: none; }
  .btn.faint, .btn.faint:hover { background: var(--_surface-3); color: var(--_text-2); box-shadow: none; }
  :focus-visible { outline-color: var(--_focus); }

  .tag { display: inline-block; padding: 1px 7px; border-radius: var(--_r-xs); background: var(--_surface-3); color: var(--_text-2); font-size: var(--_fs-xs); font-weight: 560; line-height: 18px; white-space: nowrap; }
  .row-main { flex: 1 1 0; min-inline-size: 0; line-height: 1.3; }
  .row-main > :not(.tag) { display: block; }
  .spin { inline-size: 18px; block-size: 18px; flex: none; border: 2px solid color-mix(in oklab, currentColor 25%, transparent); border-block-start-color: currentColor; border-radius: 50%; animation: spin .8s linear infinite; }
  .spin.accent { color: var(--_accent-text); }
  @keyframes spin { to { transform: rotate(1turn); } }
  @media (prefers-reduced-motion: reduce) {
    .spin { animation-duration: 2.4s; animation-timing-function: steps(8); }
  }
  @media (forced-colors: active) { .btn { border: 1px solid ButtonText; } .btn[aria-disabled="true"] { border: 1px dashed GrayText; color: GrayText; } .lead0 { color: CanvasText; } }
`;
