import { css } from 'lit';

/** Styles of the form. Needs `formStyles`. */
export const swapPanelStyles = css`
  .panel { display: flex; flex-direction: column; gap: var(--_s4); padding: var(--_s5); border: 1px solid var(--_border); border-radius: var(--_r-lg); background: var(--_surface); box-shadow: var(--_shadow-2); color: var(--_text); container-type: inline-size; }
  :where(ol, dl, dd) { min-inline-size: 0; margin: 0; padding: 0; border: 0; list-style: none; }
  h2:focus { outline: none; }
  .head2 { display: flex; align-items: center; gap: var(--_s1); min-block-size: 36px; margin-block: -8px -4px; }
  .head2 > .btn.icon:first-child { margin-inline-start: -12px; }
  .head2 > .btn.icon:last-child { margin-inline-end: -12px; }
  [dir="rtl"] .flip, .flip:dir(rtl) { transform: scaleX(-1); }

  .swapstack { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--_s1); }
  .swapdir { z-index: 1; justify-self: center; display: grid; place-items: center; inline-size: var(--_hit); block-size: var(--_hit); margin-block: -20px; padding: 0; border: 1px solid var(--_border-strong); border-radius: 50%; background: var(--_surface); box-shadow: var(--_shadow-1); cursor: pointer; }
  .swapdir.low { margin-block: -4px -20px; }
  .swapdir:hover { background: var(--_surface-2); }
  .swapdir:disabled { color: var(--_text-3); cursor: default; }
  .amount .sub { min-block-size: 30px; }
  @container (max-width: 279px) { .amount input { font-size: max(16px, var(--_fs-lg)); } }
  .amount.read { background: var(--_surface-2); box-shadow: none; border-color: var(--_border); }
  .amount.read .token { background: var(--_surface); }
  .amount.read:focus-within { background: var(--_surface); }
  .waiting { opacity: .55; }
  .hint { padding-block: var(--_s3); text-align: center; }

  .token > .line { flex-wrap: nowrap; gap: 6px; }
  .token .name { max-inline-size: 96px; }

  .end { display: grid; justify-items: center; gap: var(--_s3); padding-block: var(--_s2); text-align: center; }
`;
