/** A wallet's balance, shown next to its name. */
import { css, html, nothing, type TemplateResult } from 'lit';
import type { Amount } from '../../chains/chain.ts';
import { rowAmount } from '../../ui/amount-text.ts';

export const holdingStyles = css`
  .held { text-align: end; line-height: 1.3; }
  .held > * { display: block; }
`;

/** The value of an amount in the user's currency, drawn below it if there is a price. */
export type WorthOf = (amount: Amount) => TemplateResult | undefined;

export interface Holding {
  coin: Amount;
  /** If fees are paid in another coin. */
  gas?: Amount | undefined;
}

/** `1.2840 ETH`, rounded down: enough to recognise the wallet. */
export function rounded(held: Amount): TemplateResult {
  return rowAmount(held, held.symbol);
}

/** At the end of a row, with the coin for fees below. Needs `holdingStyles`. */
export function holding(held: Holding | undefined, worthOf?: WorthOf): TemplateResult | typeof nothing {
  if (!held) return nothing;
  const { coin, gas } = held;
  const worth = worthOf?.(coin);
  return html`<span class="num sm held"><span class="strong">${rounded(coin)}</span>${worth ? html`<span class="muted">${worth}</span>` : nothing}${gas ? html`<span class="muted">${rounded(gas)}</span>` : nothing}</span>`;
}
