/** The browser's own button in a file input. */
import { css } from 'lit';

export const fileStyles = css`
  input::file-selector-button { margin-inline-end: var(--_s3); padding: 6px var(--_s3); border: 0; border-radius: var(--_r-xs); background: var(--_surface-3); color: var(--_text); font: inherit; font-size: var(--_fs-sm); font-weight: 560; cursor: pointer; }
  @media (forced-colors: active) { input::file-selector-button { border: 1px solid ButtonText; } }
`;
