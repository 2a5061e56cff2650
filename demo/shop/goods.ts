/** What the shop sells. The server's prices count, whatever a form says. */
import type { CreateSession } from '../../src/api/checkout.ts';

export interface Good {
  id: string;
  name: string;
  /** Minor units. */
  price: number;
}

/** The demo's networks have a token that stands for a dollar, so that wallets can pay as well. */
export const CURRENCY = 'USD';

export const GOODS: readonly Good[] = [
  { id: 'map', name: 'Trail map, digital', price: 1800 },
  { id: 'walk', name: 'Guided walk, 12 Dec', price: 1300 },
  { id: 'mug', name: 'Enamel mug', price: 1250 },
  { id: 'sticker', name: 'Trail sticker', price: 0 },
];

const MAX = 99;

/** The session's line items for a form; empty if nothing was ordered. */
export function linesOf(form: URLSearchParams): CreateSession['line_items'] {
  return GOODS.flatMap(({ id, name, price }) => {
    const quantity = Math.min(MAX, Math.trunc(Number(form.get(id))));
    if (!(quantity > 0)) return [];
    const price_data = { product_data: { name }, unit_amount: price, currency: CURRENCY };
    return [{ price_data, quantity }];
  });
}
