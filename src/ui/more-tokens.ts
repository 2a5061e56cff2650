/** Complements `tokens.ts`, on the same element or a descendant. */
import { css } from 'lit';

export const moreTokens = css`
  :host {
    --_success: var(--cb-color-success, light-dark(#0c6b43, #63d29d));
    --_success-soft: light-dark(#e7f5ee, #12281f);
    --_success-line: light-dark(#a9d8c0, #245540);
    --_caution-line: light-dark(#e4c077, #5c4a1f);
    --_danger-fill: light-dark(#b3261e, #ff978d);
    --_on-danger: light-dark(#fff, #2b0a07);
    --_danger-soft: light-dark(#fdeeec, #331b1a);
    --_danger-line: light-dark(#eeb0a9, #6a302c);
    --_overlay: light-dark(rgb(15 19 27 / 0.48), rgb(4 6 9 / 0.64));
    --_shadow-2: var(--cb-shadow, 0 1px 2px light-dark(rgb(20 24 31 / 0.05), rgb(0 0 0 / 0.4)), 0 4px 16px light-dark(rgb(20 24 31 / 0.07), rgb(0 0 0 / 0.3)));
    --_shadow-3: 0 2px 6px light-dark(rgb(20 24 31 / 0.07), rgb(0 0 0 / 0.4)), 0 20px 52px light-dark(rgb(20 24 31 / 0.18), rgb(0 0 0 / 0.56));
    --_fs-2xl: calc(var(--_fs) * 1.7333);
    --_fs-3xl: calc(var(--_fs) * 2.2667);
    --_fs-input: max(16px, var(--_fs));
    --_s5: calc(var(--_u) * 5);
    --_s8: calc(var(--_u) * 8);
    --_r-lg: calc(var(--_r) * 1.3333);
    --_r-full: 999px;
    --_t-slow: calc(var(--_t) * 1.6);
    --_mono: var(--cb-font-mono, ui-monospace, "SF Mono", SFMono-Regular, Menlo, Consolas, monospace);
  }
`;
