/** Centred views with a round badge: progress, success, guards, errors. */
import { css } from 'lit';

export const statusStyles = css`
  .hero { display: grid; justify-items: center; gap: 14px; text-align: center; }
  .hero .stack { max-inline-size: 300px; overflow-wrap: anywhere; }
  .badge-round { inline-size: 56px; block-size: 56px; border-radius: 50%; display: grid; place-items: center; background: var(--_surface-2); color: var(--_text-2); }
  .badge-round .i { inline-size: 28px; block-size: 28px; }
  .badge-round.good { background: var(--_success-soft); color: var(--_success); }
  .badge-round.bad { background: var(--_danger-soft); color: var(--_danger); }
  .badge-round.warn { background: var(--_caution-soft); color: var(--_caution); }
  .badge-round.acc { background: var(--_accent-soft); color: var(--_accent-text); }
  /* The name of a site fits beside another button. */
  .actions .btn { padding-inline: 10px; }
`;

export { spinStyles } from './spin-styles.ts';
