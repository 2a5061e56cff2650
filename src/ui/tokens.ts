/**
 * Design tokens in three layers: `--cbd-*` defaults by theme, `--cb-*` set by the host and only read here,
 * `--_*` roles, the only names components use. Set `theme="light|dark"` on the element to override the system.
 */
import { css } from 'lit';

export const tokens = css`
  :host {
    color-scheme: light;
    --cbd-color-bg: #f5f6f8;
    --cbd-color-surface: #ffffff;
    --cbd-color-surface-2: #f4f5f8;
    --cbd-color-surface-3: #e9ecf1;
    --cbd-color-text: #14181f;
    --cbd-color-text-2: #4a5261;
    --cbd-color-text-3: #616a7a;
    --cbd-color-border: #e0e4ea;
    --cbd-color-border-strong: #808999;
    --cbd-color-accent: #2351b0;
    --cbd-color-on-accent: #ffffff;
    --cbd-color-success: #0c6b43;
    --cbd-color-success-soft: #e7f5ee;
    --cbd-color-success-line: #a9d8c0;
    --cbd-color-caution: #7a4a00;
    --cbd-color-caution-soft: #fff5dd;
    --cbd-color-caution-line: #e4c077;
    --cbd-color-danger: #a8231c;
    --cbd-color-danger-soft: #fdeeec;
    --cbd-color-danger-line: #eeb0a9;
    --cbd-color-danger-fill: #b3261e;
    --cbd-color-on-danger: #ffffff;
    --cbd-color-overlay: rgb(15 19 27 / 0.48);
    --cbd-chain-ink: 82%;
    --cbd-shadow-1: 0 1px 2px rgb(20 24 31 / 0.06);
    --cbd-shadow-2: 0 1px 2px rgb(20 24 31 / 0.05), 0 4px 14px rgb(20 24 31 / 0.07);
    --cbd-shadow-3: 0 2px 6px rgb(20 24 31 / 0.07), 0 20px 48px rgb(20 24 31 / 0.18);
  }
  @media (prefers-color-scheme: dark) {
    :host(:not([theme="light"])) {
      color-scheme: dark;
      --cbd-color-bg: #0d1015;
      --cbd-color-surface: #161a21;
      --cbd-color-surface-2: #1d222b;
      --cbd-color-surface-3: #282e39;
      --cbd-color-text: #eef1f5;
      --cbd-color-text-2: #b4bcc9;
      --cbd-color-text-3: #98a1b0;
      --cbd-color-border: #2a303b;
      --cbd-color-border-strong: #717b8c;
      --cbd-color-accent: #8fb3f7;
      --cbd-color-on-accent: #0b1730;
      --cbd-color-success: #63d29d;
      --cbd-color-success-soft: #12281f;
      --cbd-color-success-line: #245540;
      --cbd-color-caution: #f0c26b;
      --cbd-color-caution-soft: #2b2313;
      --cbd-color-caution-line: #5c4a1f;
      --cbd-color-danger: #ff978d;
      --cbd-color-danger-soft: #331b1a;
      --cbd-color-danger-line: #6a302c;
      --cbd-color-danger-fill: #ff978d;
      --cbd-color-on-danger: #2b0a07;
      --cbd-color-overlay: rgb(4 6 9 / 0.64);
      --cbd-chain-ink: 52%;
      --cbd-shadow-1: 0 1px 2px rgb(0 0 0 / 0.4);
      --cbd-shadow-2: 0 1px 2px rgb(0 0 0 / 0.4), 0 6px 18px rgb(0 0 0 / 0.3);
      --cbd-shadow-3: 0 2px 6px rgb(0 0 0 / 0.4), 0 24px 56px rgb(0 0 0 / 0.56);
    }
  }
  :host([theme="dark"]) {
    color-scheme: dark;
    --cbd-color-bg: #0d1015;
    --cbd-color-surface: #161a21;
    --cbd-color-surface-2: #1d222b;
    --cbd-color-surface-3: #282e39;
    --cbd-color-text: #eef1f5;
    --cbd-color-text-2: #b4bcc9;
    --cbd-color-text-3: #98a1b0;
    --cbd-color-border: #2a303b;
    --cbd-color-border-strong: #717b8c;
    --cbd-color-accent: #8fb3f7;
    --cbd-color-on-accent: #0b1730;
    --cbd-color-success: #63d29d;
    --cbd-color-success-soft: #12281f;
    --cbd-color-success-line: #245540;
    --cbd-color-caution: #f0c26b;
    --cbd-color-caution-soft: #2b2313;
    --cbd-color-caution-line: #5c4a1f;
    --cbd-color-danger: #ff978d;
    --cbd-color-danger-soft: #331b1a;
    --cbd-color-danger-line: #6a302c;
    --cbd-color-danger-fill: #ff978d;
    --cbd-color-on-danger: #2b0a07;
    --cbd-color-overlay: rgb(4 6 9 / 0.64);
    --cbd-chain-ink: 52%;
    --cbd-shadow-1: 0 1px 2px rgb(0 0 0 / 0.4);
    --cbd-shadow-2: 0 1px 2px rgb(0 0 0 / 0.4), 0 6px 18px rgb(0 0 0 / 0.3);
    --cbd-shadow-3: 0 2px 6px rgb(0 0 0 / 0.4), 0 24px 56px rgb(0 0 0 / 0.56);
  }
  :host {
    --_bg: var(--cb-color-bg, var(--cbd-color-bg));
    --_surface: var(--cb-color-surface, var(--cbd-color-surface));
    --_surface-2: var(--cb-color-surface-2, var(--cbd-color-surface-2));
    --_surface-3: var(--cb-color-surface-3, var(--cbd-color-surface-3));
    --_text: var(--cb-color-text, var(--cbd-color-text));
    --_text-2: var(--cb-color-text-2, var(--cbd-color-text-2));
    --_text-3: var(--cb-color-text-3, var(--cbd-color-text-3));
    --_border: var(--cb-color-border, var(--cbd-color-border));
    --_border-strong: var(--cb-color-border-strong, var(--cbd-color-border-strong));
    --_accent: var(--cb-color-accent, var(--cbd-color-accent));
    --_on-accent: var(--cb-color-on-accent, var(--cbd-color-on-accent));
    --_accent-hover: color-mix(in oklab, var(--_accent) 88%, var(--_text));
    --_accent-text: var(--cb-color-accent-text, var(--_accent));
    --_accent-soft: color-mix(in oklab, var(--_accent) 9%, var(--_surface));
    --_accent-line: color-mix(in oklab, var(--_accent) 34%, var(--_surface));
    --_focus: var(--cb-color-focus, var(--_accent));
    --_success: var(--cb-color-success, var(--cbd-color-success));
    --_success-soft: var(--cbd-color-success-soft);
    --_success-line: var(--cbd-color-success-line);
    --_caution: var(--cb-color-caution, var(--cbd-color-caution));
    --_caution-soft: var(--cbd-color-caution-soft);
    --_caution-line: var(--cbd-color-caution-line);
    --_danger: var(--cb-color-danger, var(--cbd-color-danger));
    --_danger-soft: var(--cbd-color-danger-soft);
    --_danger-line: var(--cbd-color-danger-line);
    --_danger-fill: var(--cbd-color-danger-fill);
    --_on-danger: var(--cbd-color-on-danger);
    --_overlay: var(--cbd-color-overlay);
    --_shadow-1: var(--cbd-shadow-1);
    --_shadow-2: var(--cb-shadow, var(--cbd-shadow-2));
    --_shadow-3: var(--cbd-shadow-3);
    --_font: var(--cb-font, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif);
    --_mono: var(--cb-font-mono, ui-monospace, "SF Mono", SFMono-Regular, Menlo, Consolas, monospace);
    --_fs: var(--cb-font-size, 15px);
    --_fs-xs: calc(var(--_fs) * 0.8);      
    --_fs-sm: calc(var(--_fs) * 0.8667);   
    --_fs-md: var(--_fs);                  
    --_fs-lg: calc(var(--_fs) * 1.1333);   
    --_fs-xl: calc(var(--_fs) * 1.3333);   
    --_fs-2xl: calc(var(--_fs) * 1.7333);  
    --_fs-3xl: calc(var(--_fs) * 2.2667);  
    --_fs-input: max(16px, var(--_fs));    
    --_u: var(--cb-space, 4px);
    --_s1: var(--_u);
    --_s2: calc(var(--_u) * 2);
    --_s3: calc(var(--_u) * 3);
    --_s4: calc(var(--_u) * 4);
    --_s5: calc(var(--_u) * 5);
    --_s6: calc(var(--_u) * 6);
    --_s8: calc(var(--_u) * 8);
    --_hit: 44px;
    --_r: var(--cb-radius, 12px);
    --_r-xs: calc(var(--_r) * 0.5);   
    --_r-sm: calc(var(--_r) * 0.75);  
    --_r-md: var(--_r);               
    --_r-lg: calc(var(--_r) * 1.3333);
    --_r-full: 999px;
    --_t-fast: var(--cb-duration-fast, 120ms);
    --_t: var(--cb-duration, 180ms);
    --_t-slow: calc(var(--_t) * 1.6);
    --_ease: cubic-bezier(0.2, 0, 0, 1);
    --_z: var(--cb-z, 2147483000);
  }
  @media (prefers-reduced-motion: reduce) {
    :host { --_t-fast: 0.01ms; --_t: 0.01ms; --_t-slow: 0.01ms; }
  }
  :host {
    --cbd-chain-ethereum: #4b5a8c;
    --cbd-chain-gochain: #1f7a63;
    --cbd-chain-vechain: #2d6f9f;
    --cbd-chain-bitcoin: #a5610f;
    --cbd-chain-litecoin: #4f6b82;
    --cbd-chain-tron: #a63b3b;
    --cbd-chain-aeternity: #9a3570;
    --cbd-chain-other: #5a6372;
  }
`;
