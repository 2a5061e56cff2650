/** Cards, tags, sections, transaction parties. */
import { css } from 'lit';
import { chainBadgeStyles } from '../../ui/chain-badge.ts';

export const cardStyles = css`
  .card { border: 1px solid var(--_border); border-radius: var(--_r-md); background: var(--_surface); }
  .card.padded { padding: var(--_s4); }
  .tag { display: inline-flex; align-items: center; gap: 4px; padding: 1px 7px; border-radius: var(--_r-xs); background: var(--_surface-3); color: var(--_text-2); font-size: var(--_fs-xs); font-weight: 560; line-height: 18px; white-space: nowrap; }
  .tag.good { background: var(--_success-soft); color: var(--_success); }
  .tag.bad { background: var(--_danger-soft); color: var(--_danger); }
  .tag.warn { background: var(--_caution-soft); color: var(--_caution); }
  .sect { font-size: var(--_fs-sm); font-weight: 600; color: var(--_text-2); display: flex; align-items: center; justify-content: space-between; gap: var(--_s2); min-block-size: 24px; }
`;

export const partyStyles = css`
  .party { display: grid; grid-template-columns: minmax(44px, min-content) minmax(0, 1fr); gap: 0 var(--_s2); padding: var(--_s2) var(--_s3); font-size: var(--_fs-sm); align-items: start; line-height: 1.45; }
  /* Four kana, such as those of a token. */
  .party:lang(ja) { grid-template-columns: 54px minmax(0, 1fr); }
  .party + .party { border-block-start: 1px solid var(--_border); }
  .party > dd { overflow-wrap: anywhere; }
  .party > .k { color: var(--_text-2); padding-block-start: 1px; }
  .party > .k.wide { grid-column: 1 / -1; }
  .wide + dd { grid-column: 2; }
`;

export const codeStyles = css`
  .code { direction: ltr; text-align: left; font-family: var(--_mono); font-size: 12.5px; line-height: 1.55; padding: var(--_s3); border: 1px solid var(--_border); border-radius: var(--_r-md); background: var(--_surface-2); overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere; margin: 0; color: var(--_text); }
`;

/** Chain badges, in all sizes used by views. */
export const chainStyles = [
  chainBadgeStyles,
  css`
    .chain.s { inline-size: 20px; block-size: 20px; }
    .chain.s svg { stroke-width: 2.2; }
  `,
];

// Styles shared by the approvals of transactions and signatures.

export const approvalStyles = css`
  @media (prefers-reduced-motion: no-preference) { .body > * { animation: late .12s; } }
  .block { display: block; }
  .mark { margin-block-end: 3px; }
  .kv .changed { position: relative; }
  .kv .changed dd { color: var(--_caution); font-weight: 620; }
  .kv .changed::before { content: ""; position: absolute; inset-block: 4px; inset-inline-start: -8px; inline-size: 2px; background: var(--_caution); animation: 1.2s gone forwards step-end; }
  @keyframes gone { to { opacity: 0; } }
`;

/** Tick, summary and other parts specific to an approval's footer. */
export const tickStyles = css`
  .sum dt { min-inline-size: 0; overflow-wrap: anywhere; }
  .sum dd { margin: 0; text-align: end; font-variant-numeric: tabular-nums; flex: 0 1 auto; max-inline-size: 68%; overflow-wrap: anywhere; color: var(--_text-2); }
  .sum .total dd { color: var(--_text); }
  .sum .risk { color: var(--_danger); font-weight: 620; }
  .sum .risk dd { color: inherit; }
  .tick { display: flex; align-items: center; gap: 10px; min-block-size: 44px; padding: 4px 10px; border: 1px solid var(--_danger-line); border-inline-start: 4px solid var(--_danger); border-radius: var(--_r-sm); background: var(--_danger-soft); font-size: var(--_fs-sm); line-height: 1.3; font-weight: 500; }
  .tick label { flex: 1; padding-block: 4px; cursor: pointer; }
  .tick .check { appearance: none; inline-size: 22px; block-size: 22px; margin: 0; flex: none; border: 1.5px solid var(--_border-strong); border-radius: var(--_r-xs); background: var(--_surface); display: grid; place-items: center; cursor: pointer; }
  .tick .check:checked { background: var(--_danger-fill); border-color: var(--_danger-fill); }
  .tick .check:checked::after { content: ""; inline-size: 11px; block-size: 6px; border: solid var(--_on-danger); border-width: 0 0 2px 2px; transform: translateY(-1.5px) rotate(-45deg); }
  .tick .btn.text { color: var(--_danger); }
  :host([phase]) .pill { display: none; }
  :host([phase]) .body { padding-block: 8px; gap: 8px; }
  :host([phase]) .body > .sum { order: -1; }
  :host([phase="pin"]) .body > :not(.brief, cbf-pin-row, .err, .effect, .view-head) { display: none; }
  /* The heading is still read. */
  :host([phase="pin"]) .body > :is(.effect, .view-head) { position: absolute; inline-size: 1px; block-size: 1px; min-block-size: 0; overflow: hidden; clip-path: inset(50%); }
  .brief { position: sticky; inset-block-start: -8px; z-index: 1; display: flex; align-items: center; gap: var(--_s2); padding-block: 2px; background: var(--_surface); font-size: var(--_fs-xs); line-height: 1.3; font-weight: 560; overflow-wrap: anywhere; }
  .brief > .grow { max-block-size: 3.9em; overflow: auto; }
  @media (prefers-reduced-motion: reduce) { .spin { display: none; } }
  @media (forced-colors: active) {
    .tick { border-color: CanvasText; border-inline-start-width: 6px; }
    .tick .check { appearance: auto; }
  }
`;
