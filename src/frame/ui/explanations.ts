/** What a view is for, and how a wallet gets coins, in words that are there when somebody asks. */
import { css, html, type TemplateResult } from 'lit';
import { msg, str } from '../../base/localize.ts';
import type { Network } from '../../chains/network.ts';
import { coinOf } from '../../chains/secret-type.ts';

export const explanationStyles = css`
  details.explanation > summary { display: inline-flex; align-items: center; min-block-size: var(--_hit); padding-inline: var(--_s2); margin-inline-start: calc(-1 * var(--_s2)); border-radius: var(--_r-sm); color: var(--_accent-text); font-weight: 560; font-size: var(--_fs-sm); cursor: pointer; list-style: none; }
  details.explanation > summary::-webkit-details-marker { display: none; }
  details.explanation > summary:hover { background: var(--_accent-soft); }
`;

/** At the end of a view: one for each. Needs `explanationStyles`, as the next one does. */
export function whatIsThis(text: string): TemplateResult {
  return explanation(msg('What is this?'), text);
}

/** Where coins are short. */
export function howToAddFunds(network: Network, symbol = coinOf(network).symbol): TemplateResult {
  return explanation(
    msg('How to add funds'),
    msg(
      str`Have somebody send ${symbol} to this wallet, or buy it at an exchange and withdraw it to here: there, choose the network ${network.name} and give the address that Receive shows. Coins that are sent on another network may be lost, so try a small amount first.`,
    ),
  );
}

function explanation(title: string, text: string): TemplateResult {
  return html`<details class="explanation"><summary>${title}</summary><p class="sm muted">${text}</p></details>`;
}
