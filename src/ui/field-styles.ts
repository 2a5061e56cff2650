/** Text fields, segmented radios, selects. */
import { css } from 'lit';

export const fieldStyles = css`
  .field { display: flex; flex-direction: column; gap: 6px; }
  .field > label, .label { font-size: var(--_fs-sm); font-weight: 560; color: var(--_text); }
  .input, .control { inline-size: 100%; min-block-size: var(--_hit); padding: 10px var(--_s3); border: 1px solid var(--_border-strong); border-radius: var(--_r-sm); background: var(--_surface); font-size: var(--_fs-input); line-height: 1.35; box-shadow: var(--_shadow-1); transition: border-color var(--_t-fast); }
  .control { display: flex; align-items: center; gap: var(--_s2); padding-block: 0; }
  .control > input { flex: 1 1 0; min-inline-size: 0; border: 0; background: none; padding: 0; min-block-size: 42px; font-size: var(--_fs-input); }
  .control > input:focus-visible { outline: none; }
  .input:focus-visible, .control:focus-within { outline: 2px solid var(--_focus); outline-offset: 0; border-color: var(--_focus); }
  .input[aria-invalid="true"], .control.invalid { border-color: var(--_danger); }
  .help { font-size: var(--_fs-sm); color: var(--_text-2); }
  textarea.input { min-block-size: 84px; resize: vertical; }
  textarea.input.mono { font-size: var(--_fs-input); }
  select.input { appearance: none; padding-inline-end: 36px; background-image: linear-gradient(45deg, transparent 50%, currentColor 50%), linear-gradient(-45deg, transparent 50%, currentColor 50%); background-size: 5px 5px; background-repeat: no-repeat; background-position: right 19px center, right 14px center; }
  select.input:dir(rtl) { background-position: left 14px center, left 19px center; }
  /* Gradients are not drawn there. */
  @media (forced-colors: active) { select.input { appearance: auto; } }
  .masked { -webkit-text-security: disc; }
`;

export const segmentStyles = css`
  .seg { display: grid; grid-auto-flow: column; grid-auto-columns: 1fr; padding: 3px; gap: 2px; border-radius: var(--_r-sm); background: var(--_surface-2); box-shadow: inset 0 0 0 1px var(--_border); }
  .seg label { position: relative; display: grid; place-items: center; min-block-size: 38px; padding: 0 var(--_s2); border-radius: calc(var(--_r-sm) - 3px); font-size: var(--_fs-sm); font-weight: 560; color: var(--_text-2); cursor: pointer; text-align: center; line-height: 1.25; }
  .seg input { position: absolute; inset: -3px 0; inline-size: 100%; block-size: calc(100% + 6px); opacity: 0; margin: 0; cursor: pointer; }
  .seg label:has(:checked) { background: var(--_surface); color: var(--_text); box-shadow: var(--_shadow-1), 0 0 0 1px var(--_border-strong); }
  .seg label:has(:focus-visible) { outline: 2px solid var(--_focus); outline-offset: 1px; }
  @media (forced-colors: active) {
    .seg { border: 1px solid CanvasText; }
    .seg label:has(:checked):not(:has(:focus-visible)) { outline: 2px solid Highlight; outline-offset: -2px; }
  }
`;
