/** What the approvals of a transaction and of a signature share. */
import { css } from 'lit';

export const approvalStyles = css`
  .block { display: block; }
  .mark { margin-block-end: 3px; }
  .call > .name { padding: 10px 12px; overflow-wrap: anywhere; }
  .call > .kv { padding: 0 12px; border-block-start: 1px solid var(--_border); }
  .call > .fold { border: 0; border-block-start: 1px solid var(--_border); border-radius: 0; }
  .code.raw { max-block-size: 140px; margin-block-end: 12px; }
  .figure { font-variant-numeric: tabular-nums; overflow-wrap: anywhere; text-align: end; }
  .kv .changed dd { color: var(--_caution); font-weight: 620; }
`;
