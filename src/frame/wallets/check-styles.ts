/** Checkboxes, radios, and the checkbox of a dangerous approval. */
import { css } from 'lit';

export const checkStyles = css`
  .check { appearance: none; inline-size: 22px; block-size: 22px; margin: 0; flex: none; border: 1.5px solid var(--_border-strong); border-radius: var(--_r-xs); background: var(--_surface); display: grid; place-items: center; cursor: pointer; }
  .check[type="radio"] { border-radius: 50%; }
  .check:checked, .check:indeterminate:not([type="radio"]) { background: var(--_accent); border-color: var(--_accent); }
  .check:checked::after { content: ""; inline-size: 11px; block-size: 6px; border: solid var(--_on-accent); border-width: 0 0 2px 2px; transform: translateY(-1.5px) rotate(-45deg); }
  .check:indeterminate:not([type="radio"])::after { content: ""; inline-size: 10px; block-size: 2px; background: var(--_on-accent); }
  .check[type="radio"]:checked::after { inline-size: 8px; block-size: 8px; border: 0; border-radius: 50%; background: var(--_on-accent); transform: none; }
  .tick { display: flex; align-items: center; gap: 12px; min-block-size: 44px; font-size: var(--_fs-sm); cursor: pointer; }
  @media (forced-colors: active) { .check { appearance: auto; } }
`;
