/** A wallet's balance, shown beside its name. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Amount } from '../../chains/chain.ts';
import { rowAmount } from '../../ui/amount-text.ts';

export interface Holding {
  coin: Amount;
  /** If fees are paid in another coin. */
  gas?: Amount | undefined;
}

/** `1.2840 ETH`, rounded down: enough to recognise the wallet. */
export function rounded(held: Amount): TemplateResult {
  return rowAmount(held, held.symbol);
}

/** At the end of a row, with the coin for fees below. Needs `cardStyles`. */
export function holding(held: Holding | undefined): TemplateResult | typeof nothing {
  if (!held) return nothing;
  const { coin, gas } = held;
  return html`<span class="num sm held"><span class="strong">${rounded(coin)}</span>${gas ? html`<span class="muted">${rounded(gas)}</span>` : nothing}</span>`;
}
