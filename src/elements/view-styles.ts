/** Styles that several views need, and not all. */
import { css } from 'lit';

/** Lists of wallets, in rows or as chips. */
export const listStyles = css`
  .rows > li { display: flex; align-items: center; gap: var(--_s3); min-block-size: 60px; padding: var(--_s2) var(--_s3); }
  .rows > li + li { border-block-start: 1px solid var(--_border); }
  .row-main > * { overflow: hidden; text-overflow: ellipsis; unicode-bidi: plaintext; text-align: match-parent; text-align: -webkit-match-parent; }
  .tools { display: flex; flex: none; margin-inline-end: -8px; }
  .chips { display: flex; flex-wrap: wrap; gap: var(--_s2); }
  .chips > li { display: inline-flex; flex: 1 1 216px; align-items: center; gap: var(--_s2); min-block-size: var(--_hit); max-inline-size: 380px; padding-inline-start: 8px; border: 1px solid var(--_border); border-radius: var(--_r-sm); background: var(--_surface); box-shadow: var(--_shadow-1); color: var(--_text); line-height: 1.2; }
  .chips .strong { font-size: var(--_fs-sm); font-weight: 560; line-height: 1.2; }
  .chips .addr { font-size: var(--_fs-xs); line-height: 1.2; }
  .chips .tools { margin: 0; }
  .chips .row-main { line-height: 1.2; }
`;
