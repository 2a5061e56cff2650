/** Cards, rows, tags, sections, transaction parties. */
import { css } from 'lit';

export const cardStyles = css`
  .card { border: 1px solid var(--_border); border-radius: var(--_r-md); background: var(--_surface); }
  .card.padded { padding: var(--_s4); }
  .rows > li { display: flex; align-items: center; gap: var(--_s3); min-block-size: 60px; padding: var(--_s2) var(--_s3); }
  .rows > * + * { border-block-start: 1px solid var(--_border); }
  .row-main { flex: 1 1 0; min-inline-size: 0; line-height: 1.3; }
  .row-main > * { display: block; }
  .row-main .tag { margin-block: 1px; }
  .tag { display: inline-flex; align-items: center; gap: 4px; padding: 1px 7px; border-radius: var(--_r-xs); background: var(--_surface-3); color: var(--_text-2); font-size: var(--_fs-xs); font-weight: 560; line-height: 18px; white-space: nowrap; }
  .tag.good { background: var(--_success-soft); color: var(--_success); }
  .tag.bad { background: var(--_danger-soft); color: var(--_danger); }
  .tag.warn { background: var(--_caution-soft); color: var(--_caution); }
  .sect { font-size: var(--_fs-sm); font-weight: 600; color: var(--_text-2); display: flex; align-items: center; justify-content: space-between; gap: var(--_s2); min-block-size: 24px; }
`;

export const partyStyles = css`
  .party { display: grid; grid-template-columns: 44px minmax(0, 1fr); gap: 0 var(--_s2); padding: var(--_s2) var(--_s3); font-size: var(--_fs-sm); align-items: start; line-height: 1.45; }
  /* Four kana, such as those of a token. */
  .party:lang(ja) { grid-template-columns: 54px minmax(0, 1fr); }
  .party + .party { border-block-start: 1px solid var(--_border); }
  .party > .k { color: var(--_text-2); padding-block-start: 1px; }
  .delta { display: flex; justify-content: space-between; align-items: center; gap: var(--_s2); padding: 8px var(--_s3); font-size: var(--_fs-sm); }
  .delta + .delta { border-block-start: 1px solid var(--_border); }
  .delta .out { color: var(--_text); font-weight: 620; }
  .delta .in { color: var(--_success); font-weight: 620; }
`;

export const codeStyles = css`
  .code { direction: ltr; text-align: left; font-family: var(--_mono); font-size: 12.5px; line-height: 1.55; padding: var(--_s3); border: 1px solid var(--_border); border-radius: var(--_r-md); background: var(--_surface-2); overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere; margin: 0; color: var(--_text); }
`;
