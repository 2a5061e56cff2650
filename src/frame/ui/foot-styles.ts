/** The footer of a request, with its summary, and the two columns of a short, wide frame. */
import { css } from 'lit';

/** Disabled buttons that keep focus. */
export const ariaDisabledStyles = css`
  .btn[aria-disabled="true"], .btn[aria-disabled="true"]:hover { background: var(--_surface-3); color: var(--_text-3); border-color: transparent; box-shadow: none; cursor: not-allowed; transform: none; }
  @media (forced-colors: active) { .btn[aria-disabled="true"] { border: 1px dashed GrayText; color: GrayText; } }
`;

/** A button that says itself what is missing. */
export const reasonStyles = css`
  /* A reason of two lines must not make the button higher than without it. */
  .btn.why { flex-direction: column; gap: 0; }
  /* Visible only: screen readers get these words from elsewhere. */
  .drawn::before { content: attr(data-text); }
  .why::after { content: attr(data-text); font-size: 12px; font-weight: 450; line-height: 1.05; color: var(--_text-2); }
  @media (forced-colors: active) { .why::after { color: CanvasText; } }
`;

const partStyles = css`
  .body { padding-block: 14px; gap: 10px; }
  .foot { padding-block: 10px 12px; gap: 8px; }
  .sum { display: grid; gap: 1px; }
  .sum > div { display: flex; justify-content: space-between; align-items: baseline; gap: var(--_s3); font-size: var(--_fs-sm); line-height: 1.45; min-block-size: 1.45em; }
  .sum .total { font-size: var(--_fs-md); font-weight: 620; }
  .skel { display: block; inline-size: 96px; block-size: 12px; margin-block: 3px; border-radius: 6px; background: var(--_surface-3); animation: late .12s .2s backwards, pulse 1.4s .32s ease-in-out infinite; }
  .bones { display: grid; gap: 10px; align-content: start; }
  .bones .skel { margin: 0; }
  .bones .head { inline-size: 60%; block-size: 50px; }
  .bones .card { inline-size: 100%; block-size: 104px; border-radius: var(--_r-md); }
  .skel.long { inline-size: 132px; }
  .actions .btn { padding-inline: 10px; }
  .actions.three { grid-template-columns: 1fr 1.9fr 48px; }
  @keyframes late { from { opacity: 0; } }
  @keyframes pulse { 50% { opacity: .5; } }
  @container frame (max-width: 379px) { .sum .total { font-size: 14px; } }
  @container frame (max-width: 559px) and (max-height: 559px) {
    .foot { padding-block: 8px; gap: 6px; }
    .btn.lg { min-block-size: 44px; }
    .why::after { line-height: 1; }
    .folded + .foot .sum > :first-child { display: none; }
  }
  @container frame (min-width: 560px) and (max-height: 559px) {
    :host { display: contents; }
    .body { grid-area: 3 / 1; }
    .foot { grid-area: 1 / 2 / 4; inline-size: 304px; min-block-size: 0; padding-block: 12px; border-block-start: 0; border-inline-start: 1px solid var(--_border); justify-content: flex-end; }
    .sum { margin-block-end: auto; }
  }
  /* Where the lines of the longest language leave no room for them above an open pad. */
  @container frame (min-width: 560px) and (max-height: 399px) { .folded + .foot .sum > :first-child { display: none; } }
  @media (prefers-reduced-motion: reduce) { .skel { animation: late 0s .2s backwards; } }
  @media (forced-colors: active) {
    .skel { border: 1px solid GrayText; }
  }
`;

export const footStyles = [ariaDisabledStyles, reasonStyles, partStyles];
