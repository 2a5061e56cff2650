/** Complements `base-styles.ts`: headings, text and layout of every view except the first one on screen. */
import { css } from 'lit';

export const moreStyles = css`
  .fill { flex: 1; }
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
