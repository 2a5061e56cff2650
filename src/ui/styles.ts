/**
 * What every view of the frame starts with: reset, body and footer, icons, buttons; then headings, text and layout. Tokens are inherited from
 * `<cbf-shell>`.
 */
import { css } from 'lit';

export const baseStyles = css`
  *, *::before, *::after { box-sizing: border-box; }
  :where(h1, h2, h3, p, ul, ol, dl, dd, fieldset) { margin: 0; padding: 0; border: 0; min-inline-size: 0; }
  :where(ul, ol) { list-style: none; }
  button, input, select, textarea { font: inherit; color: inherit; }
  [hidden] { display: none !important; }
  .sr { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
  .grow { flex: 1 1 0; min-inline-size: 0; }
  .line { display: flex; align-items: center; gap: var(--_s2); }
  .muted { color: var(--_text-2); }
  .sm { font-size: var(--_fs-sm); }
  h1:focus { outline: none; }
  .i { inline-size: 20px; block-size: 20px; flex: none; fill: none; stroke: currentColor; stroke-width: 1.75; stroke-linecap: round; stroke-linejoin: round; }
  .i.s { inline-size: 16px; block-size: 16px; stroke-width: 2; }
  .btn { appearance: none; display: inline-flex; align-items: center; justify-content: center; gap: var(--_s2); min-block-size: var(--_hit); padding: 0 var(--_s4); border: 1px solid transparent; border-radius: var(--_r-sm); background: transparent; color: var(--_text); font-weight: 560; font-size: var(--_fs-md); line-height: 1.2; text-decoration: none; cursor: pointer; transition: background-color var(--_t-fast), border-color var(--_t-fast), transform var(--_t-fast) var(--_ease); }
  .btn.primary { background: var(--_accent); color: var(--_on-accent); box-shadow: var(--_shadow-1), inset 0 1px 0 rgb(255 255 255 / .14); }
  .btn.primary:hover { background: var(--_accent-hover); }
  .btn.secondary { background: var(--_surface); border-color: var(--_border-strong); }
  .btn.quiet { background: var(--_surface-2); }
  .btn:is(.secondary, .ghost, .icon):hover { background: var(--_surface-2); }
  .btn.quiet:hover { background: var(--_surface-3); }
  .btn.text { color: var(--_accent-text); padding-inline: var(--_s2); }
  .btn.text:hover { background: var(--_accent-soft); }
  .btn.icon { inline-size: var(--_hit); padding: 0; flex: none; color: var(--_text-2); }
  .btn.icon:hover { color: var(--_text); }
  .btn.boxed { border-color: var(--_border-strong); block-size: 48px; inline-size: 48px; }
  .btn.lg { min-block-size: 48px; }
  .btn.mini { min-block-size: 28px; padding: 0 var(--_s2); font-size: var(--_fs-sm); border-radius: var(--_r-xs); position: relative; }
  .btn.mini::after { content: ""; position: absolute; inset: -8px -2px; }
  .btn:active { transform: scale(.985); }
  .btn:disabled, .btn:disabled:hover { background: var(--_surface-3); color: var(--_text-3); border-color: transparent; box-shadow: none; cursor: not-allowed; transform: none; }
  .btn:is(.icon, .ghost, .text):disabled { background: transparent; }
  .btn.boxed:disabled { border-color: var(--_border); background: var(--_surface-2); }
  :is(a, button, input, select, textarea, summary, [tabindex="0"]):focus-visible { outline: 2px solid var(--_focus); outline-offset: 2px; }
  .err { display: flex; gap: 6px; align-items: flex-start; font-size: var(--_fs-sm); color: var(--_danger); line-height: 1.35; }
  .err .i { margin-block-start: 1px; }
  .err .btn { flex: none; margin-block: -6px; }
  @media (forced-colors: active) { .btn { border: 1px solid ButtonText; } .btn.primary:not(:disabled, [aria-disabled="true"]) { forced-color-adjust: none; background: ButtonText; color: ButtonFace; } }
`;

/** The body scrolls with an edge shadow; the footer never does. */
export const layoutStyles = css`
  :host { display: flex; flex-direction: column; flex: 1 1 0; min-block-size: 0; min-inline-size: 0; }
  .body { position: relative; flex: var(--_flex, 1 1 0); min-block-size: 0; animation: come .18s var(--_ease); overflow: auto; overscroll-behavior: contain; padding: var(--_s4) var(--_gutter, var(--_s4)); display: flex; flex-direction: column; gap: var(--_s3);
    background: linear-gradient(var(--_surface) 30%, transparent) top / 100% 24px no-repeat local, linear-gradient(transparent, var(--_surface) 70%) bottom / 100% 24px no-repeat local, linear-gradient(var(--_border), transparent) top / 100% 10px no-repeat scroll, linear-gradient(transparent, var(--_border)) bottom / 100% 10px no-repeat scroll, var(--_surface); }
  /* The footer is not animated: its buttons must not move. */
  @keyframes come { from { opacity: 0; translate: var(--_come, 12px); } }
  @media (prefers-reduced-motion: reduce) { .body { animation: none; } }
  .body:focus-visible { outline-offset: -2px; }
  .body > * { flex-shrink: 0; }
  .foot { flex: none; padding: var(--_s3) var(--_gutter, var(--_s4)) var(--_s4); border-block-start: 1px solid var(--_border); background: var(--_surface); display: flex; flex-direction: column; gap: var(--_s3); }
  .actions { display: grid; grid-template-columns: 1fr 1.6fr; gap: var(--_s2); }
`;

export const moreStyles = css`
  .stack { display: flex; flex-direction: column; gap: var(--_s4); }
  .stack.tight { gap: var(--_s2); }
  .between { display: flex; align-items: center; justify-content: space-between; gap: var(--_s3); }
  .faint { color: var(--_text-3); }
  .xs { font-size: var(--_fs-xs); }
  .strong { font-weight: 600; }
  .lead0 { color: var(--_text-3); font-weight: 500; }
  .btn .lead0 { color: inherit; font-weight: inherit; }
  .center { text-align: center; text-wrap: balance; }
  .num { font-variant-numeric: tabular-nums; white-space: nowrap; }
  .mono { font-family: var(--_mono); font-size: .93em; }
  /* Cuts off the end of the text, even of a left-to-right name on a right-to-left page. */
  .trunc { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; unicode-bidi: plaintext; text-align: match-parent; text-align: -webkit-match-parent; }
  .addr { direction: ltr; unicode-bidi: isolate; font-family: var(--_mono); font-size: var(--_fs-sm); }
  .addr.short { white-space: nowrap; }
  .h1, .title { font-size: var(--_fs-xl); font-weight: 640; letter-spacing: -.015em; line-height: 1.25; text-wrap: balance; }
  .title { font-size: var(--_fs-lg); font-weight: 620; letter-spacing: -.01em; }
  .i.l { inline-size: 24px; block-size: 24px; }
  .btn.block { inline-size: 100%; }
  .btn.danger:where(:not(:disabled)) { background: var(--_danger-fill); color: var(--_on-danger); }
  @media (forced-colors: active) {
    .lead0 { color: CanvasText; }
    .btn.danger:not(:disabled, [aria-disabled="true"]) { forced-color-adjust: none; background: ButtonText; color: ButtonFace; }
  }
`;

/** Layouts of whole views. */
export const moreLayoutStyles = css`
  .body.mid { justify-content: safe center; }
  .foot.plain { border: 0; padding-block-start: 6px; }
  .actions.even { display: flex; flex-wrap: wrap; }
  .actions.even > * { flex: 1 1 45%; padding-inline: 14px; white-space: nowrap; }
  .actions.even > :last-child { flex-grow: 9; }
  .view-head { margin-block: -8px -6px; display: flex; align-items: center; gap: var(--_s1); margin-inline-start: -12px; min-block-size: 36px; }
  .view-head.bare { margin-inline-start: 4px; }
  .view-head .h1 { font-size: var(--_fs-lg); }
  /* A short, wide frame has the text beside the PIN. */
  @container frame (min-width: 560px) and (max-height: 559px) {
    .body:has(> cbf-pin-entry) { display: grid; grid-template: auto auto auto 1fr / 1fr 1fr; column-gap: var(--_s4); }
    .body > cbf-pin-entry { grid-area: 1 / 2 / 5; }
  }
  .flip:dir(rtl) { transform: scaleX(-1); }
  .progress { display: flex; gap: 4px; }
  .progress i { flex: 1; block-size: 4px; border-radius: 4px; background: var(--_surface-3); }
  .progress i.on { background: var(--_accent); }
  @media (forced-colors: active) {
    .btn:disabled { border: 1px dashed GrayText; color: GrayText; }
    .progress i { border: 1px solid CanvasText; }
    .progress i.on { background: Highlight; forced-color-adjust: none; }
  }
`;

/** A ring that turns. */
export const spinStyles = css`
  .spin { inline-size: 18px; block-size: 18px; flex: none; border-radius: 50%; border: 2px solid color-mix(in oklab, currentColor 25%, transparent); border-block-start-color: currentColor; animation: spin .8s linear infinite; }
  .spin.l { inline-size: 40px; block-size: 40px; border-width: 3px; color: var(--_accent-text); }
  @keyframes spin { to { transform: rotate(1turn); } }
  @media (prefers-reduced-motion: reduce) { .spin { animation-duration: 2.4s; animation-timing-function: steps(8); } }
`;
