/** Styles that only "Pay with a wallet" needs. */
import { css } from 'lit';
import { addressStyles } from '../ui/address.ts';
import { hashStyles } from '../ui/copy.ts';
import { chainBadgeStyles } from '../ui/chain-badge.ts';

export const walletStyles = [
  chainBadgeStyles,
  hashStyles,
  addressStyles,
  css`
    .co-quote { display: grid; grid-template-columns: auto 1fr; gap: var(--_s2) var(--_s3); align-items: center; padding: var(--_s3); border: 1px solid var(--_border); border-radius: var(--_r-md); background: var(--_surface-2); }
    .co-quote > :last-child { grid-column: 1 / -1; padding-block-start: var(--_s2); border-block-start: 1px solid var(--_border); }
    .co-coins { font-size: var(--_fs-xl); font-weight: 640; letter-spacing: -.015em; line-height: 1.25; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
    .between { min-block-size: var(--_hit); padding-inline: var(--_s3); border: 1px solid var(--_border); border-radius: var(--_r-sm); background: var(--_surface-2); }
    link-wallets::part(wallets) { display: none; }
    link-wallets:not(.first) { margin-block-start: calc(-1 * var(--_s3)); }
    .first::part(button) { inline-size: 100%; }
    .co-new { display: grid; gap: var(--_s2); }
    .co-else { border-block: 1px solid var(--_border); }
    .co-else summary { display: flex; align-items: center; justify-content: space-between; gap: var(--_s2); min-block-size: var(--_hit); border-radius: var(--_r-xs); font-size: var(--_fs-sm); font-weight: 560; list-style: none; cursor: pointer; }
    .co-else summary::-webkit-details-marker { display: none; }
    .co-else[open] > summary .i { transform: rotate(180deg); }
    .co-else .stack { padding-block-end: var(--_s4); }
    .co-qr { display: grid; justify-items: center; }
    .qr { inline-size: min(184px, 100%); border-radius: var(--_r-sm); }
    .hash { padding-block: var(--_s1); }
    .spin.accent { color: var(--_accent-text); }
    [data-view]:focus { outline: none; }
  `,
];
