/** Styles of panels and notices, separate from `view-styles.ts`: views that start without one load them with the first. */
import { css } from 'lit';

export const panelStyles = css`
  .card { border: 1px solid var(--_border); border-radius: var(--_r-md); background: var(--_surface); color: var(--_text); }
  .card.padded { padding: var(--_s4); }
  .card.line { gap: var(--_s3); flex-wrap: nowrap; }
  .alert { display: flex; gap: var(--_s3); padding: var(--_s3); border: 1px solid var(--_border); border-radius: var(--_r-md); background: var(--_surface-2); color: var(--_text); font-size: var(--_fs-sm); line-height: 1.4; }
  .alert.mid { align-items: center; }
  .alert b { display: block; font-size: calc(var(--_fs) * .93); font-weight: 620; }
  .alert.caution { border-color: var(--_caution-line); background: var(--_caution-soft); }
  .alert.caution :is(b, .i) { color: var(--_caution); }
  .alert.danger { border-color: var(--_danger-line); border-inline-start: 4px solid var(--_danger); background: var(--_danger-soft); }
  .alert.danger :is(b, .alert > .i) { color: var(--_danger); }
  .alert.good { border-color: var(--_success-line); background: var(--_success-soft); }
  .alert.good b, .alert.good > .i { color: var(--_success); }
  .alert .btn.mini { margin-block-start: 8px; }
`;
