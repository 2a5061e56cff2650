import { css } from 'lit';

export const spinStyles = css`
  .spin { inline-size: 18px; block-size: 18px; flex: none; border-radius: 50%; border: 2px solid color-mix(in oklab, currentColor 25%, transparent); border-block-start-color: currentColor; animation: spin .8s linear infinite; }
  .spin.l { inline-size: 40px; block-size: 40px; border-width: 3px; color: var(--_accent-text); }
  @keyframes spin { to { transform: rotate(1turn); } }
  @media (prefers-reduced-motion: reduce) { .spin { animation-duration: 2.4s; animation-timing-function: steps(8); } }
`;
