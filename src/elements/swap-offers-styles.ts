import { css } from 'lit';

/** Styles of the exchanges' offers and the totals. Needs `swapPanelStyles`. */
export const swapOffersStyles = css`
  .sect { display: flex; align-items: center; min-block-size: 24px; color: var(--_text-2); font-size: var(--_fs-sm); font-weight: 600; }
  .age { color: var(--_text-3); font-size: var(--_fs-xs); font-weight: 400; }
  .rates { margin-block-start: 6px; overflow: hidden; }
  .rate { display: grid; grid-template-columns: auto 1fr auto; align-items: center; gap: 0 var(--_s3); min-block-size: 58px; padding: 10px var(--_s3); cursor: pointer; }
  .rate + .rate { border-block-start: 1px solid var(--_border); }
  .rate:has(:checked) { background: var(--_accent-soft); }
  .rate:has(:focus-visible) { outline: 2px solid var(--_focus); outline-offset: -2px; }
  .rate .num { text-align: end; }
  .rate .num > * { display: block; line-height: 1.3; }
  .rate .name { display: flex; flex-wrap: wrap; gap: 0 6px; }
  @container (max-width: 279px) {
    .rate { grid-template-columns: auto 1fr; }
    .rate .num { grid-column: 2; text-align: start; white-space: normal; }
    .rate .num > * { display: inline-block; margin-inline-end: 6px; }
  }
  .faint { color: var(--_text-3); }
  .check { appearance: none; display: grid; place-items: center; flex: none; inline-size: 22px; block-size: 22px; margin: 0; border: 1.5px solid var(--_border-strong); border-radius: 50%; background: var(--_surface); cursor: pointer; outline: none; }
  .check:checked { border-color: var(--_accent); background: var(--_accent); }
  .check:checked::after { content: ""; inline-size: 8px; block-size: 8px; border-radius: 50%; background: var(--_on-accent); }
  .tag { padding: 1px 7px; border-radius: var(--_r-xs); background: var(--_success-soft); color: var(--_success); font-size: var(--_fs-xs); font-weight: 560; line-height: 18px; white-space: nowrap; }
  .seg { display: grid; grid-auto-columns: 1fr; grid-auto-flow: column; gap: 2px; padding: 3px; border-radius: var(--_r-sm); background: var(--_surface-2); box-shadow: inset 0 0 0 1px var(--_border); }
  .seg label { position: relative; display: grid; place-items: center; min-block-size: 38px; padding: 0 var(--_s1); border-radius: calc(var(--_r-sm) - 3px); color: var(--_text-2); font-size: var(--_fs-sm); font-weight: 560; cursor: pointer; white-space: nowrap; }
  .seg input { position: absolute; inset: 0; margin: 0; opacity: 0; cursor: pointer; }
  .seg label:has(:checked) { background: var(--_surface); color: var(--_text); box-shadow: var(--_shadow-1), 0 0 0 1px var(--_border-strong); }
  .seg label:has(:focus-visible) { outline: 2px solid var(--_focus); outline-offset: 1px; }
  .kv > div { display: flex; justify-content: space-between; gap: var(--_s3); padding: 7px 0; font-size: var(--_fs-sm); line-height: 1.35; }
  .kv > div + div { border-block-start: 1px solid var(--_border); }
  .kv dt { color: var(--_text-2); }
  .kv dd { text-align: end; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
  .kv .warn { color: var(--_caution); }
  .kv .bad { color: var(--_danger); }
  .order { margin-block-start: 6px; }
  .nowrap { white-space: nowrap; }
  .sub > .worth { margin-inline-end: auto; white-space: normal; }
  .kv .worth { color: inherit; }
  @media (forced-colors: active) { .check { appearance: auto; } .check::after { display: none; } .seg label:has(:checked) { border: 1px solid ButtonText; } }
`;
