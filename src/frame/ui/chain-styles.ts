import { css } from 'lit';
import { chainBadgeStyles } from '../../ui/chain-badge.ts';

/** Badges of chains, in all sizes that views draw. */
export const chainStyles = [
  chainBadgeStyles,
  css`
    .chain.s { inline-size: 20px; block-size: 20px; }
    .chain.s svg { stroke-width: 2.2; }
  `,
];
