import { css } from 'lit';

/** Styles of review and steps. Needs `swapPanelStyles`. */
export const swapOutcomeStyles = css`
  .delta { display: flex; align-items: center; justify-content: space-between; gap: var(--_s2); padding: 8px var(--_s3); font-size: var(--_fs-sm); }
  .delta + .delta { border-block-start: 1px solid var(--_border); }
  .delta .line { flex-wrap: nowrap; gap: var(--_s2); }
  .delta .in { color: var(--_success); }
  .delta .num { text-align: end; }
  .delta .worth { display: block; color: var(--_text-3); font-weight: 400; }
  .end .worth { color: var(--_text-3); font-size: var(--_fs-sm); }

  .steps > li { position: relative; display: grid; grid-template-columns: 28px minmax(0, 1fr); gap: 2px var(--_s3); padding-block-end: var(--_s5); }
  .steps > li:last-child { padding-block-end: 0; }
  .steps > li:not(:last-child)::before { content: ""; position: absolute; inset-inline-start: 13px; inset-block: 30px 2px; border-inline-start: 2px solid var(--_border); }
  .steps > .done:not(:last-child)::before { border-color: var(--_success); }
  .dot { display: grid; place-items: center; inline-size: 28px; block-size: 28px; border: 1.5px solid var(--_border-strong); border-radius: 50%; background: var(--_surface); color: var(--_text-2); font-size: var(--_fs-sm); font-weight: 600; }
  .done > .dot { border-color: var(--_success); background: var(--_success-soft); color: var(--_success); }
  .now > .dot { border-color: transparent; color: var(--_accent-text); }
  .now .spin { inline-size: 26px; block-size: 26px; }
  .fail > .dot { border-color: var(--_danger); background: var(--_danger-soft); color: var(--_danger); }
  .fail .why { color: var(--_danger); }
  .hash { display: flex; align-items: center; gap: var(--_s1); min-block-size: var(--_hit); padding-inline-start: var(--_s3); border: 1px solid var(--_border); border-radius: var(--_r-sm); background: var(--_surface-2); }
  .steps .hash { display: flex; margin-block-start: var(--_s2); }
  .hash .addr { flex: 1 1 0; min-inline-size: 0; color: var(--_text-2); }
  .actions { display: flex; flex-wrap: wrap; gap: var(--_s2); }
  .actions > .btn { flex: 1 1 auto; inline-size: auto; padding-inline: 14px; text-decoration: none; }
  .badge-round { display: grid; place-items: center; inline-size: 56px; block-size: 56px; border-radius: 50%; background: var(--_success-soft); color: var(--_success); }
  .badge-round .i { inline-size: 28px; block-size: 28px; }
`;
