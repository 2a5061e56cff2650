/** What the approvals of a transaction and of a signature share. */
import { css } from 'lit';

export const approvalStyles = css`
  .block { display: block; }
  .mark { margin-block-end: 3px; }
  .call > .name { padding: 10px 12px; overflow-wrap: anywhere; }
  .call > .kv { padding: 0 12px; border-block-start: 1px solid var(--_border); }
  .call > .more { padding-inline: 12px; border-block-start: 1px solid var(--_border); }
  .code.raw { max-block-size: 140px; margin-block-end: 12px; }
  .figure { font-variant-numeric: tabular-nums; overflow-wrap: anywhere; text-align: end; }
  .delta.wrap { flex-wrap: wrap; }
  .delta b { font-weight: 620; }
  .kv .changed dd { color: var(--_caution); font-weight: 620; }
`;
