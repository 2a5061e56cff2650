/** Styles of forms about amounts. */
import { css } from 'lit';

/** The forms' fields: text, wallets, amounts with their token. */
export const formStyles = css`
  button, input, textarea { color: inherit; font: inherit; }

  .field { position: relative; display: flex; flex-direction: column; gap: 6px; }
  .label { font-size: var(--_fs-sm); font-weight: 560; }
  .input { inline-size: 100%; min-block-size: var(--_hit); padding: 10px var(--_s3); border: 1px solid var(--_border-strong); border-radius: var(--_r-sm); background: var(--_surface); box-shadow: var(--_shadow-1); font-size: var(--_fs-input); line-height: 1.35; text-align: start; }
  .input.mono { font-family: var(--_mono); font-size: max(16px, .93em); }
  ::placeholder { color: var(--_text-3); opacity: 1; }
  .input:focus-visible, .amount:focus-within { outline: 2px solid var(--_focus); outline-offset: -1px; border-color: var(--_focus); }
  .input:read-only { background: var(--_surface-2); }
  .input[aria-invalid="true"], .amount.invalid { border-color: var(--_danger); }
  .help, .err { display: flex; gap: 6px; font-size: var(--_fs-sm); line-height: 1.35; color: var(--_text-2); }
  .err { color: var(--_danger); }
  .err .i, .help .i { margin-block-start: 1px; }

  .picker { position: relative; display: flex; align-items: center; gap: var(--_s3); min-block-size: 60px; padding: var(--_s2) var(--_s3); border: 1px solid var(--_border-strong); border-radius: var(--_r-sm); background: var(--_surface); box-shadow: var(--_shadow-1); }
  .picker:hover, .picker.fixed { background: var(--_surface-2); }
  .picker > button { padding: 0; border: 0; outline: none; background: none; text-align: start; cursor: pointer; }
  .picker > button::after { content: ""; position: absolute; inset: 0; border-radius: inherit; }
  .picker > button:disabled { cursor: default; }
  .picker:has(:focus-visible) { outline: 2px solid var(--_focus); outline-offset: 2px; }

  .amount { padding-block: 6px 8px; padding-inline: var(--_s3) 6px; border: 1px solid var(--_border-strong); border-radius: var(--_r-sm); background: var(--_surface); box-shadow: var(--_shadow-1); }
  .amount .top, .amount .sub { display: flex; align-items: center; gap: var(--_s2); }
  .amount .sub { flex-wrap: wrap; justify-content: end; gap: 0 2px; font-size: var(--_fs-sm); color: var(--_text-2); min-block-size: 28px; }
  .amount input { flex: 1 1 0; min-inline-size: 0; min-block-size: 44px; padding: 0; border: 0; outline: none; background: none; font-size: var(--_fs-2xl); font-weight: 600; font-variant-numeric: tabular-nums; letter-spacing: -.02em; }
  .amount:dir(rtl) input { text-align: right; }
  .amount input.long { font-size: max(16px, var(--_fs-lg)); }
  .token { position: relative; display: inline-flex; flex: none; align-items: center; gap: 6px; min-block-size: 36px; padding-inline: 6px 8px; border: 1px solid var(--_border); border-radius: var(--_r-full); background: var(--_surface-2); font-weight: 600; cursor: pointer; }
  .token::after { content: ""; position: absolute; inset: -5px 0; }
  .token:hover { background: var(--_surface-3); }
  .token:disabled { cursor: default; }
  .token > .name { max-inline-size: 96px; }
`;
