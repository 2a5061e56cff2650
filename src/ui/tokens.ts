/**
 * Design tokens in two layers: `--cb-*`, which the host sets and only this file reads, with defaults by theme, and `--_*` roles, the only
 * names that components use. `light-dark()` follows the page's `color-scheme`: a page without one is light even if the system is dark.
 * `theme="light|dark"` on the element overrides it.
 */
import { css } from 'lit';

export const tokens = css`
  :host {
    --_surface: var(--cb-color-surface, light-dark(#fff, #161a21));
    --_surface-2: var(--cb-color-surface-2, light-dark(#f4f5f8, #1d222b));
    --_surface-3: var(--cb-color-surface-3, light-dark(#e9ecf1, #282e39));
    --_text: var(--cb-color-text, light-dark(#14181f, #eef1f5));
    --_text-2: var(--cb-color-text-2, light-dark(#4a5261, #b4bcc9));
    --_text-3: var(--cb-color-text-3, light-dark(#616a7a, #98a1b0));
    --_border: var(--cb-color-border, light-dark(#e0e4ea, #2a303b));
    --_border-strong: var(--cb-color-border-strong, light-dark(#808999, #717b8c));
    --_accent: var(--cb-color-accent, light-dark(#2351b0, #8fb3f7));
    --_on-accent: var(--cb-color-on-accent, light-dark(#fff, #0b1730));
    --_accent-hover: color-mix(in oklab, var(--_accent) 88%, var(--_text));
    --_accent-text: var(--cb-color-accent-text, var(--_accent));
    --_accent-soft: color-mix(in oklab, var(--_accent) 9%, var(--_surface));
    --_focus: var(--cb-color-focus, var(--_accent));
    --_caution: var(--cb-color-caution, light-dark(#7a4a00, #f0c26b));
    --_caution-soft: light-dark(#fff5dd, #2b2313);
    --_danger: var(--cb-color-danger, light-dark(#a8231c, #ff978d));
    --_shadow-1: 0 1px 2px light-dark(rgb(20 24 31 / 0.06), rgb(0 0 0 / 0.4));
    --_font: var(--cb-font, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif);
    --_fs: var(--cb-font-size, 15px);
    --_fs-xs: calc(var(--_fs) * 0.8);
    --_fs-sm: calc(var(--_fs) * 0.8667);
    --_fs-md: var(--_fs);
    --_fs-lg: calc(var(--_fs) * 1.1333);
    --_fs-xl: calc(var(--_fs) * 1.3333);
    --_u: var(--cb-space, 4px);
    --_s1: var(--_u);
    --_s2: calc(var(--_u) * 2);
    --_s3: calc(var(--_u) * 3);
    --_s4: calc(var(--_u) * 4);
    --_hit: 44px;
    --_r: var(--cb-radius, 12px);
    --_r-xs: calc(var(--_r) * 0.5);
    --_r-sm: calc(var(--_r) * 0.75);
    --_r-md: var(--_r);
    --_t-fast: var(--cb-duration-fast, 120ms);
    --_t: var(--cb-duration, 180ms);
    --_ease: cubic-bezier(0.2, 0, 0, 1);
  }
  :host([theme="light"]) { color-scheme: light; }
  :host([theme="dark"]) { color-scheme: dark; }
  @media (prefers-reduced-motion: reduce) {
    :host { --_t-fast: 0.01ms; --_t: 0.01ms; }
  }
`;

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
    --_overlay: var(--cb-color-backdrop, light-dark(rgb(15 19 27 / 0.48), rgb(4 6 9 / 0.64)));
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
