/** What the shop sells. The server's prices count, whatever a form says. */
import type { CreateSession } from '../../src/api/checkout.ts';

export interface Good {
  id: string;
  name: string;
  about: string;
  /** Minor units. */
  price: number;
  /** What its buyer reads afterwards. */
  next: string;
}

/** The demo's networks have a token that stands for a dollar, so that wallets can pay as well. */
export const CURRENCY = 'USD';

export const GOODS: readonly Good[] = [
  {
    id: 'map',
    name: 'Trail map, digital',
    about: 'Fernhill and its four ridges, with contours and springs. Prints on A3.',
    price: 1800,
    next: 'Your map is ready to download.',
  },
  {
    id: 'walk',
    name: 'Guided walk, 12 Dec',
    about: 'Up the east ridge before sunrise, back by noon. Soup included.',
    price: 1300,
    next: 'We meet on 12 December at 6:30, at the old mill.',
  },
  {
    id: 'mug',
    name: 'Enamel mug',
    about: 'Holds 350 ml, survives falls. Made in the valley.',
    price: 1250,
    next: 'Your mug leaves the workshop tomorrow.',
  },
  {
    id: 'sticker',
    name: 'Trail sticker',
    about: 'For flasks and laptops. Ours to give.',
    price: 0,
    next: 'Your sticker comes by post.',
  },
];

const MAX = 99;

export interface OrderedGood {
  good: Good;
  quantity: number;
}

/** `quantities`: text by id, of a form or of a session's metadata. */
export function orderedGoods(quantities: (id: string) => string | null | undefined): OrderedGood[] {
  return GOODS.flatMap((good) => {
    const quantity = Math.min(MAX, Math.trunc(Number(quantities(good.id))));
    return quantity > 0 ? [{ good, quantity }] : [];
  });
}

/** The session's line items, and the order as its metadata, by which `orderedGoods` finds it again. */
export function sessionOf(order: readonly OrderedGood[]): Pick<CreateSession, 'line_items' | 'metadata'> {
  return {
    line_items: order.map(({ good: { name, price }, quantity }) => ({
      price_data: { product_data: { name }, unit_amount: price, currency: CURRENCY },
      quantity,
    })),
    metadata: Object.fromEntries(order.map(({ good, quantity }) => [good.id, String(quantity)])),
  };
}
