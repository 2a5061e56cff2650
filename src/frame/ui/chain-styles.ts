import { css } from 'lit';
import { chainBadgeStyles } from '../../ui/chain-badge.ts';

/** Chain badges, in all sizes used by views. */
export const chainStyles = [
  chainBadgeStyles,
  css`
    .chain.s { inline-size: 20px; block-size: 20px; }
    .chain.s svg { stroke-width: 2.2; }
  `,
];
